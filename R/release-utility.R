# What a set of released sub-tables is worth.

#' What is a set of released sub-tables worth?
#'
#' Measures of the utility of a release: what the methods that choose sub-tables make as large as
#' the risk allows. [utility()] computes any of them for a given release.
#'
#' # Measures
#' * `utility_tables()`: the number of sub-tables, the report's measure.
#' * `utility_cells()`: the number of cells of these sub-tables.
#' * `utility_df()`: their degrees of freedom: the parameters of the log-linear model that the
#'   release fits, without the constant. A sub-table adds the product of (levels - 1).
#' * `utility_values(values)`: the sum of your own values; sub-tables without a value count 0.
#' * `utility_accuracy()`: how near the full table comes when it is rebuilt from the release by
#'   iterative proportional fitting: minus the mean squared error per cell. It can be computed, not
#'   searched for.
#'
#' # By level
#' Of a table by [level_table()] each choice of levels is a sub-table: it has the categories of its
#' levels, and adds as many degrees of freedom as it has beyond the coarser ones, the product of
#' (categories - categories of the next coarser level). Labels of `values` name levels, as in
#' `"age@half:sex"`. The accuracy is that of the cells at the finest levels, and the release must
#' have each variable of several levels at its finest.
#'
#' # The empty table
#' The grand total is the table without variables; every release tells it. Section 5.2 of the report
#' counts it (60 of 64), section 5.1 does not (351 of 8,191). It is not counted here, unless
#' `utility_tables(empty = TRUE)` asks for it: values and bounds of values then hold one more.
#'
#' @param empty (flag) Count the table without variables?
#' @param values (named numeric vector of numbers of at least 0) The value of each sub-table; names
#'   are labels like `"A:B"`.
#' @return An object of class `sdc_release_utility`.
#' @section Errors: `sdc_error_input` for values that are negative, missing or without names.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' # the same release has a worth by each measure
#' sets <- list(c("A", "B", "C"), c("B", "C", "D"), "E", "F")
#' utility(sets, utility_tables(), czech_workers) # 7 + 4 + 2 sub-tables
#' utility(sets, utility_cells(), czech_workers)  # cells of the maximal ones
#' utility(sets, utility_df(), czech_workers)     # degrees of freedom of the log-linear model
#' utility(sets, utility_accuracy(), czech_workers)
#'
#' # a search looks for the release that is worth most: here both wishes can be met, 3 + 1
#' wish <- utility_values(c("A:F" = 3, "D:E" = 1))
#' release_exact(czech_workers, risk_width(60), utility = wish, progress = FALSE)$value
utility_tables <- function(empty = FALSE) {
  check_flag(empty)
  new_release_utility("tables", "sub-tables", empty = empty)
}

#' @rdname utility_tables
#' @export
utility_cells <- function() new_release_utility("cells", "cells of sub-tables")

#' @rdname utility_tables
#' @export
utility_df <- function() new_release_utility("df", "degrees of freedom")

#' @rdname utility_tables
#' @export
utility_values <- function(values) {
  check_given(values)
  ok <- is.numeric(values) && length(values) > 0 && all(is.finite(values)) && all(values >= 0)
  labels <- names(values)
  if (!ok || is.null(labels) || !all(nzchar(labels)) || anyDuplicated(labels)) {
    abort_sdc("input", c(
      "{.arg values} must be numbers of at least 0, each with the label of a sub-table as its
       name.",
      x = "{wrong_values(values)}",
      i = "For instance {.code c(\"A:B\" = 3, \"C\" = 1)}."
    ))
  }
  new_release_utility("values", "value of sub-tables", values = values)
}

wrong_values <- function(values) {
  if (!is.numeric(values) || length(values) == 0) {
    return(describe(values))
  }
  at <- which(!is.finite(values) | values < 0)
  if (length(at) > 0) {
    return(describe_first(values, is.finite(values) & values >= 0))
  }
  names_fault(values)
}

#' @rdname utility_tables
#' @export
utility_accuracy <- function() {
  new_release_utility("accuracy", "accuracy (minus the mean squared error per cell)")
}

new_release_utility <- function(kind, words, ...) {
  structure(list(kind = kind, words = words, ...), class = sdc_class("sdc_release_utility"))
}

#' @export
format.sdc_release_utility <- function(x, ...) {
  paste0(x$words, if (isTRUE(x$empty)) ", the empty table counted")
}

check_release_utility <- function(utility, additive = FALSE) {
  check_class(utility, "sdc_release_utility", "utility", make = "utility_tables")
  if (additive && utility$kind == "accuracy") {
    abort_sdc("input", c(
      "{.arg utility} must be a sum over sub-tables here.",
      x = "It is the accuracy of the rebuilt table.",
      i = "Choose by {.fn utility_tables}, {.fn utility_cells}, {.fn utility_df} or
           {.fn utility_values}, and look at the accuracy of the result by {.fn utility}."
    ))
  }
  invisible(utility)
}

# A sub-table T is worth the product of the factors of its variables, and its own value where it is
# listed in `sets`. By level factors are those of steps, and a set has its finest ones alone.
additive_utility <- function(utility, problem) {
  check_release_utility(utility, additive = TRUE)
  k <- length(problem$variables)
  n <- lengths(problem$x$dimnames, FALSE)
  if (!is.null(problem$steps)) n <- lengths(problem$steps$categories)
  factors <- switch(utility$kind, tables = rep(1, k), cells = as.numeric(n),
                    df = n - coarser_sizes(problem$steps, n), values = numeric(k))
  listed <- list(sets = list(), values = numeric())
  if (utility$kind == "values") {
    sets <- lapply(names(utility$values), function(label) {
      finest_steps(problem$steps,
                   sub_table_sets(label, problem$variables, "values", problem$steps)[[1]])
    })
    listed <- check_listed(sets, utility$values)
  }
  list(factors = factors, sets = listed$sets, values = listed$values,
       levels = level_counts(problem$steps, k))
}

# How many categories the next coarser level of the variable has; that of the first is the total.
coarser_sizes <- function(steps, n) {
  out <- rep(1, length(n))
  finer <- next_steps(steps, length(n))
  at <- which(!is.na(finer))
  replace(out, finer[at], n[at])
}

check_listed <- function(sets, values) {
  if (anyDuplicated(sets)) {
    abort_sdc("input", c(
      "{.arg values} must name each sub-table once.",
      x = "{.val {names(values)[duplicated(sets)]}} {?is a sub-table that/are sub-tables that}
           another name stands for as well."
    ))
  }
  real <- lengths(sets) > 0
  list(sets = sets[real], values = unname(values[real]))
}

#' The utility of a release
#'
#' @param release (`sdc_release`, or with `x` what [margins()] takes as `sets`) The release.
#' @param measure (sdc_release_utility) One of the measures in [utility_tables()].
#' @param x (`sdc_table`, or `NULL`) The full table; `NULL`: that of the release.
#' @param max_cells (number) Releases that are not decomposable are rebuilt cell by cell, up to this
#'   many cells; the default is the option `sdcLattice.max_cells`, or 5e7.
#' @return A number. For [utility_accuracy()] it is negative, and confidential: it comes from the
#'   counts of the full table.
#' @section Guarantee:
#' Exact up to rounding. The accuracy of a decomposable release is a closed form, without laying out
#' the full table; that of others comes from [estimate_table()].
#' @section Errors: `sdc_error_input` for unknown variables; `sdc_error_too_large` when a release
#'   that is not decomposable has a table of more than `max_cells` cells.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' sets <- list(c("A", "B", "C"), c("B", "C", "D"), "E", "F")
#' utility(sets, utility_tables(), czech_workers)
#' utility(sets, utility_df(), czech_workers)
#' utility(sets, utility_accuracy(), czech_workers)
utility <- function(release, measure = utility_tables(), x = NULL,
                    max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_given(release)
  check_release_utility(measure)
  if (inherits(release, "sdc_release")) {
    if (is.null(x)) x <- release$problem$x
    sets <- lapply(release$sets, function(set) release$problem$variables[set])
  } else {
    sets <- release
  }
  if (is.null(x)) abort_no_table_given()
  x <- table_argument(x, "x")
  problem <- list(x = x, variables = names(x$dimnames), steps = table_steps(x), dim = dim(x))
  sets <- maximal_sets(sub_table_sets(sets, problem$variables, "release",
                                       problem$steps))
  release_utility(measure, sets, problem, max_cells)
}

abort_no_table_given <- function() {
  abort_sdc("input", c(
    "{.arg x} is needed unless {.arg release} is an {.cls sdc_release}.",
    x = "Argument {.arg x} is missing."
  ))
}

release_utility <- function(measure, sets, problem,
                            max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  by_level <- !is.null(problem$steps)
  if (by_level && measure$kind == "tables") {
    return(sum(count_inside(problem, sets)[-1]) + isTRUE(measure$empty))
  }
  if (measure$kind == "accuracy") {
    check_level_sets(sets, problem$steps)
    return(-fit_error(sets, problem, max_cells) / n_cells_of_all(problem))
  }
  parts <- additive_utility(measure, problem)
  k <- length(problem$variables)
  held <- vapply(parts$sets, function(t) any(vapply(sets, function(s) all(t %in% s), NA)), NA)
  base <- if (!any(parts$factors > 0)) 0 else if (by_level) {
    with_core(cpp_sum_inside(level_counts(problem$steps, k), sets, parts$factors))
  } else {
    with_core(cpp_sum_below(k, sets, parts$factors))
  }
  base + sum(parts$values[held]) + isTRUE(measure$empty)
}

# Those at the finest levels.
n_cells_of_all <- function(problem) {
  sizes <- if (is.null(problem$steps)) problem$dim else lengths(finest_dimnames(problem$steps))
  prod(sizes)
}

# By level the steps are variables like others: combinations of steps that stand for no category
# have neither counts nor a fit, since the one-way tables of all levels are in the release.
fit_error <- function(sets, problem, max_cells) {
  x <- without_levels(problem$x)
  sets <- sets[lengths(sets) > 0]
  found <- study_release(length(problem$dim), sets)
  held <- found$components[found$kinds == "margin"]
  if (!any(found$kinds == "open")) {
    return(with_core(cpp_fit_error(problem$dim, x$keys, x$counts, seq_along(x$counts), held)))
  }
  check_cells(prod(problem$dim), max_cells)
  counts <- dense_counts(x, max_cells)
  released <- margins(x, lapply(sets, function(set) problem$variables[set]))
  fit <- estimate_table(constraints(released, dimnames = x$dimnames), progress = FALSE)
  sum((counts - as.numeric(fit$table))^2)
}
