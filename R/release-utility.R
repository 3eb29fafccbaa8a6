# What a set of released sub-tables is worth, and what uniques of a sample are.

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
  good <- if (is.numeric(values)) is.finite(values) & values >= 0
  fault <- if (length(good) == 0) describe(values) else
    if (!all(good)) describe_first(values, good) else names_fault(values)
  if (!is.null(fault)) {
    abort_sdc("input", c(
      "{.arg values} must be numbers of at least 0, each with the label of a sub-table as its
       name.",
      x = "{fault}",
      i = "For instance {.code c(\"A:B\" = 3, \"C\" = 1)}."
    ))
  }
  new_release_utility("values", "value of sub-tables", values = values)
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
  steps <- problem$steps
  k <- length(problem$variables)
  n <- if (is.null(steps)) lengths(problem$x$dimnames, FALSE) else lengths(steps$categories)
  # how many categories the next coarser level of the variable has; that of the first is the total
  finer <- next_steps(steps, k)
  coarser <- replace(rep(1, k), finer[!is.na(finer)], n[!is.na(finer)])
  values <- utility$values
  sets <- lapply(names(values), function(label) {
    finest_steps(steps, sub_table_sets(label, problem$variables, "values", steps)[[1]])
  })
  if (anyDuplicated(sets)) {
    abort_sdc("input", c(
      "{.arg values} must name each sub-table once.",
      x = "{.val {names(values)[duplicated(sets)]}} {?is a sub-table that/are sub-tables that}
           another name stands for as well."
    ))
  }
  real <- lengths(sets) > 0
  list(factors = switch(utility$kind, tables = rep(1, k), cells = as.numeric(n), df = n - coarser,
                        values = numeric(k)),
       sets = sets[real], values = as.numeric(values[real]), levels = level_counts(steps, k))
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
    release <- names_in(release$problem, release$sets)
  }
  if (is.null(x)) {
    abort_sdc("input", c(
      "{.arg x} is needed unless {.arg release} is an {.cls sdc_release}.",
      x = "Argument {.arg x} is missing."
    ))
  }
  x <- table_argument(x, "x")
  problem <- list(x = x, variables = names(x$dimnames), steps = table_steps(x), dim = dim(x))
  sets <- sub_table_sets(release, problem$variables, "release", problem$steps)
  release_utility(measure, maximal_sets(sets), problem, max_cells)
}

release_utility <- function(measure, sets, problem,
                            max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  steps <- problem$steps
  if (measure$kind == "accuracy") {
    check_level_sets(sets, steps)
    sizes <- if (is.null(steps)) problem$dim else lengths(finest_dimnames(steps))
    return(-fit_error(sets, problem, max_cells) / prod(sizes))
  }
  if (!is.null(steps) && measure$kind == "tables") {
    return(below_sets(problem, sets) + isTRUE(measure$empty))
  }
  parts <- additive_utility(measure, problem)
  base <- if (!any(parts$factors > 0)) 0 else if (is.null(steps)) {
    with_core(cpp_sum_below(length(problem$variables), sets, parts$factors))
  } else {
    with_core(cpp_sum_inside(parts$levels, sets, parts$factors))
  }
  base + sum(parts$values[are_inside(parts$sets, sets)]) + isTRUE(measure$empty)
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
  released <- margins(x, names_in(problem, sets))
  fit <- estimate_table(constraints(released, dimnames = x$dimnames), progress = FALSE)
  sum((counts - as.numeric(fit$table))^2)
}

#' Uniques of a sample and of the population
#'
#' A cell of a sample table that holds one person is a risk if this person is also the only one in
#' the population. `sample_uniques()` gives the share of such cells among the sample's uniques: for
#' a sample at hand, or as expected for a sampling fraction.
#'
#' @details
#' With a `fraction` f, every person is in the sample with probability f, independently of all
#' others. A cell with F persons in the population is then unique in the sample with probability
#' `F f (1 - f)^(F - 1)`. Expected numbers are sums of this over cells; the share is their ratio.
#'
#' @param population (sdc_table, or what [as_sdc_table()] takes) The table of the population.
#' @param sample (sdc_table, or what [as_sdc_table()] takes, or NULL) The table of the sample, with
#'   the same variables and levels; no count is above that of the population.
#' @param fraction (number above 0, up to 1, or NULL) The sampling fraction. Give either `sample` or
#'   `fraction`.
#' @return A named numeric vector: `sample_uniques`, the number of cells with count 1 in the sample;
#'   `population_uniques`, how many of these have count 1 in the population; `share`, their ratio
#'   (`NaN` where the sample has no unique). It is as confidential as the tables.
#' @section Errors: `sdc_error_input` when neither or both of `sample` and `fraction` are given, or
#'   when the sample does not fit the population.
#' @section Guarantee: Time is linear in the number of cells that are not zero.
#' @template ref-releases
#' @family release
#' @examples
#' sample_uniques(cps13, fraction = .01)
#' sample_uniques(cps13, fraction = .5)
#' @export
sample_uniques <- function(population, sample = NULL, fraction = NULL) {
  check_given(population)
  population <- as_sdc_table(population)
  if (is.null(sample) == is.null(fraction)) {
    abort_sdc("input", c(
      "Supply either {.arg sample} or {.arg fraction}.",
      x = if (is.null(sample)) "Neither was supplied." else "Both were supplied."
    ))
  }
  found <- if (is.null(sample)) expected_uniques(population$counts, fraction) else
    counted_uniques(population, as_sdc_table(sample))
  c(sample_uniques = found[[1]], population_uniques = found[[2]], share = found[[2]] / found[[1]])
}

expected_uniques <- function(counts, fraction) {
  check_number(fraction, min = 0, max = 1)
  if (fraction == 0) {
    abort_sdc("input", c(
      "{.arg fraction} must be above 0.",
      x = "It is 0: the sample is empty."
    ))
  }
  c(sum(counts * fraction * (1 - fraction)^(counts - 1)), sum(counts == 1) * fraction)
}

counted_uniques <- function(population, sample) {
  if (!identical(population$dimnames, sample$dimnames)) {
    abort_sdc("input", c(
      "{.arg sample} must have the variables and levels of {.arg population}, in the same order.",
      x = "They differ."
    ))
  }
  size <- dim(population)
  at <- match(cell_keys(stored_codes(sample), size), cell_keys(stored_codes(population), size))
  behind <- ifelse(is.na(at), 0, population$counts[at])
  if (any(sample$counts > behind)) {
    abort_sdc("input", c(
      "No count of {.arg sample} may be above that of {.arg population}.",
      x = "{sum(sample$counts > behind)} cell{?s} {?holds/hold} more people in the sample.",
      i = "The sample must be drawn from this population."
    ))
  }
  alone <- sample$counts == 1
  c(sum(alone), sum(behind[alone] == 1))
}
