# Rules that say when a set of sub-tables may be released, and the problem that they pose for a
# table: which of its cells are at risk.

#' When is a set of sub-tables safe to release?
#'
#' A risk rule for the methods that choose sub-tables: [release_greedy()], [release_anneal()],
#' [release_reducible()], [release_exact()], and for [width()] and [sub_tables()].
#'
#' # Rules
#' * `risk_width(beta)`: a release is safe when each cell at risk of the full table has, given all
#'   released sub-tables together, an upper and a lower bound that lie at least `beta` apart. Cells
#'   with one of the counts of `at_risk` are at risk, or those that you name in `cells`.
#' * `risk_n(n)`: the n-rule: a sub-table is safe when it has no cell with a count above 0 and below
#'   `n`. Each sub-table is judged alone.
#' * `risk_np(n, p)`: the (n, p)-rule for magnitudes: a sub-table is safe when none of its cells has
#'   fewer than `n` contributors, or one with more than `p` percent of the sum; see [rule_np()]. The
#'   table is a [magnitude_table()]. Each sub-table is judged alone.
#'
#' The report writes "bad at width w" for a release with a width of at most w: `beta` is w + 1.
#'
#' # Which cells
#' A rule that judges sub-tables alone says nothing about what several of them tell together; that
#' is what the width is for. Neither rule protects a cell of the full table with a count of zero.
#'
#' @param beta (whole number from 1 to 2^53) The least width of the interval of a cell at risk.
#' @param at_risk (whole numbers from 1 on) The counts that are at risk.
#' @param cells (cells as in [bounds_margins()], or `NULL`) The sensitive cells themselves, instead
#'   of `at_risk`. Each must have a count above 0: sub-tables are judged by the stored cells.
#' @param n (whole number from 1 to 1e6) Least count, or number of contributors, of a cell.
#' @param p (number from 1 to 100, percent) Largest share of a contributor in a cell.
#' @return An object of class `sdc_release_risk`. It holds the rule and, where given, your `cells`,
#'   which are confidential when they were chosen by their counts.
#' @section Errors: `sdc_error_input` for numbers out of range.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' risk_width(3)
#' risk_width(6, at_risk = 1:3)
#' risk_n(3)
risk_width <- function(beta, at_risk = 1:2, cells = NULL) {
  check_given(beta)
  check_whole(beta, min = 1, max = 2^53)
  if (is.null(cells)) {
    check_risk_counts(at_risk)
  } else if (!missing(at_risk)) {
    abort_sdc("input", c(
      "Supply either {.arg at_risk} or {.arg cells}.",
      x = "Both were supplied."
    ))
  }
  new_release_risk("width", beta = beta, at_risk = if (is.null(cells)) sort(unique(at_risk)),
                   cells = cells)
}

check_risk_counts <- function(at_risk) {
  ok <- is.numeric(at_risk) && length(at_risk) > 0 && !anyNA(at_risk) &&
    all(at_risk >= 1 & at_risk <= 2^53 & at_risk == floor(at_risk))
  if (!ok) {
    abort_sdc("input", c(
      "{.arg at_risk} must be counts: whole numbers from 1 on.",
      x = if (length(at_risk) > 1 && is.numeric(at_risk)) {
        "{describe_first(at_risk, at_risk >= 1 & at_risk <= 2^53 & at_risk == floor(at_risk))}"
      } else {
        "{describe(at_risk)}"
      }
    ))
  }
  invisible(at_risk)
}

#' @rdname risk_width
#' @export
risk_n <- function(n = 3) {
  check_whole(n, min = 1, max = 1e6)
  new_release_risk("n", n = n)
}

#' @rdname risk_width
#' @export
risk_np <- function(n = 3, p = 60) {
  check_whole(n, min = 1, max = 1e6)
  check_percent(p, 100)
  new_release_risk("np", n = n, p = p, rules = rule_np(n, p))
}

new_release_risk <- function(kind, ...) {
  structure(list(...), class = sdc_class("sdc_release_risk", paste0("sdc_risk_", kind)))
}

#' @export
format.sdc_release_risk <- function(x, ...) {
  if (inherits(x, "sdc_risk_n")) {
    if (x$n == 1) {
      return("none: every sub-table")
    }
    return(paste0("no sub-table with a count from 1 to ", format_count(x$n - 1)))
  }
  if (inherits(x, "sdc_risk_np")) {
    return(paste0("no sub-table with a cell of fewer than ", plural(x$n, "contributor"),
                  " or one of more than ", plain_number(x$p), " %"))
  }
  paste0("width of at least ", format_count(x$beta), " for cells at risk: ",
         if (is.null(x$at_risk)) "those named" else paste("count", range_words(x$at_risk)))
}

check_release_risk <- function(risk, kinds = c("width", "n", "np")) {
  check_given(risk, "risk")
  check_class(risk, "sdc_release_risk", "risk", make = "risk_width")
  if (!inherits(risk, paste0("sdc_risk_", kinds))) {
    abort_sdc("input", c(
      "{.arg risk} must be a rule about widths here.",
      x = "{.arg risk} is: {format(risk)}.",
      i = "Such rules judge each sub-table alone; {.fn release_exact} gives all that are safe."
    ))
  }
  invisible(risk)
}

# ---- the problem ------------------------------------------------------------------------------

# What all methods start from. `at_risk`: the positions of the cells at risk among the stored cells.
# `magnitude`: for risk_np(), the table itself; `x` then counts its contributors.
release_problem <- function(x, risk, kinds = c("width", "n", "np")) {
  out <- bare_problem(x, risk, kinds)
  check_one_way_tables(out)
  out
}

bare_problem <- function(x, risk, kinds = c("width", "n", "np")) {
  check_given(x, "x")
  check_release_risk(risk, kinds)
  magnitude <- if (inherits(risk, "sdc_risk_np")) check_class(x, "sdc_magnitude", "x",
                                                              make = "magnitude_table")
  if (!is.null(magnitude)) check_all_contributors(magnitude, "{.fn risk_np}")
  x <- if (is.null(magnitude)) table_argument(x, "x") else contributor_counts(magnitude)
  check_searchable(x)
  list(x = x, variables = names(x$dimnames), steps = table_steps(x), dim = dim(x), risk = risk,
       at_risk = if (inherits(risk, "sdc_risk_width")) find_at_risk(x, risk),
       magnitude = magnitude)
}

check_searchable <- function(x) {
  check_no_crossings(x)
  k <- length(x$dimnames)
  if (k == 0) {
    abort_sdc("input", c("{.arg x} must have variables.", x = "It has none."))
  }
  if (k > 64) {
    abort_sdc("too_large", c(
      "Sub-tables are searched for tables of at most 64 variables.",
      x = "The table has {k}."
    ))
  }
}

find_at_risk <- function(x, risk) {
  at <- if (is.null(risk$cells)) {
    which(x$counts %in% risk$at_risk)
  } else {
    match_stored(x, resolve_by_level(risk$cells, x))
  }
  if (length(at) == 0) {
    abort_sdc("input", c(
      "The table must have cells at risk.",
      x = if (is.null(risk$cells)) "None has a count of {range_words(risk$at_risk)}." else
        "{.arg cells} names none.",
      i = "Without them every sub-table may be released."
    ))
  }
  at
}

# Cells of a table by level are named by the finest levels.
resolve_by_level <- function(cells, x) {
  steps <- table_steps(x)
  if (is.null(steps)) {
    return(resolve_asked(cells, x$dimnames, Inf))
  }
  asked <- resolve_asked(cells, finest_dimnames(steps), Inf)
  codes <- lapply(seq_along(steps$variable), function(step) {
    step_codes(step, steps)[asked$codes[[steps$variable[step]]]]
  })
  new_asked(codes, asked$n)
}

# Positions of cells given by their levels among the stored ones.
match_stored <- function(x, asked) {
  size <- dim(x)
  at <- match(cell_keys(asked$codes, size), cell_keys(stored_codes(x), size))
  if (anyNA(at)) {
    abort_sdc("input", c(
      "All {.arg cells} at risk must have a count above 0.",
      x = "Cell {which(is.na(at))[1]} of them has none."
    ))
  }
  sort(at)
}

# Where every release must have all one-way tables.
check_one_way_tables <- function(problem) {
  by_width <- inherits(problem$risk, "sdc_risk_width")
  asked <- if (by_width) asked_at_risk(problem)
  sets <- one_way_sets(problem$steps, length(problem$variables))
  one_way <- vapply(sets, function(set) is_safe_alone(problem, set, asked), NA)
  if (by_width && all(one_way)) {
    if (one_way_width(problem, asked) >= problem$risk$beta) {
      return(invisible())
    }
    abort_sdc("infeasible", c(
      "The one-way tables must be safe to release.",
      x = "Each of them is, but together they pin down an at-risk cell to within
           {problem$risk$beta - 1}.",
      i = "Use a smaller {.arg beta}, or merge sparse levels."
    ))
  }
  if (all(one_way)) {
    return(invisible())
  }
  broken <- set_labels(sets[!one_way], problem$variables, problem$steps)
  abort_sdc("infeasible", c(
    "The one-way tables must be safe to release.",
    x = "{cli::qty(broken)}{?The table/The tables} of {.val {broken}} break{?s/} the rule:
         {format(problem$risk)}.",
    i = "Use a weaker rule, merge sparse levels, or drop the
         {cli::qty(broken)}{?variable/variables}."
  ))
}

# The width of the release of all one-way tables.
one_way_width <- function(problem, asked) {
  sets <- one_way_sets(problem$steps, length(problem$variables))
  counts <- vapply(sets, function(set) sub_table_at(problem, set, asked), numeric(asked$n))
  dim(counts) <- c(asked$n, length(sets))
  upper <- do.call(pmin, asplit(counts, 2))
  lower <- pmax(0, rowSums(counts) - sum(problem$x) * (ncol(counts) - 1))
  min(upper - lower)
}

asked_at_risk <- function(problem) {
  codes <- lapply(stored_codes(problem$x), function(code) code[problem$at_risk])
  new_asked(codes, length(problem$at_risk))
}

# The counts of a sub-table at the cells at risk.
sub_table_at <- function(problem, set, asked) {
  table <- sub_table(problem, set)
  cpp_values_at(dim(table), table$keys, table$counts, unname(asked$codes[set]), asked$n)
}

sub_table <- function(problem, set) {
  project_table(problem$x, set, vector("list", length(set)), problem$x$dimnames[set])
}

# May the sub-table over `set` be released as far as it goes itself? For risk_width() that is only
# necessary.
is_safe_alone <- function(problem, set, asked = asked_at_risk(problem)) {
  risk <- problem$risk
  if (inherits(risk, "sdc_risk_np")) {
    judged <- sensitive(magnitude_over(problem$magnitude, set), risk$rules)
    return(!any(judged$sdcStatus == "u"))
  }
  if (inherits(risk, "sdc_risk_n")) {
    return(all(sub_table(problem, set)$counts >= risk$n))
  }
  min(sub_table_at(problem, set, asked)) >= risk$beta
}

# ---- sets of variables --------------------------------------------------------------------------

# What a user names as sub-tables: a list of character vectors or formulas, or labels like "A:B".
# Returns their variables as numbers, ascending; `steps`: of a table by level, so that each set has
# with a level the coarser ones.
sub_table_sets <- function(sets, variables, arg, steps = NULL) {
  if (is.character(sets)) sets <- as.list(sets)
  if (rlang::is_formula(sets)) sets <- list(sets)
  if (!is.list(sets) || is.object(sets)) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a list with the variables of each sub-table, or labels like
       {.val A:B}.",
      x = "{.arg {arg}} is {.obj_type_friendly {sets}}."
    ))
  }
  out <- lapply(seq_along(sets), function(i) {
    named <- paste0(arg, "[[", i, "]]")
    found <- variable_names(label_variables(sets[[i]], variables), named)
    check_names_given(found, named)
    at <- match(found, variables)
    if (anyNA(at)) {
      abort_sdc("input", c(
        "{.arg {named}} must name variables of the table.",
        x = "There is no variable {.val {found[is.na(at)]}}.",
        i = "Its variables are {.val {variables}}."
      ))
    }
    close_set(steps, sort(at))
  })
  unique(out)
}

# A label is the variables with ":" between them; a variable may have a ":" of its own.
label_variables <- function(label, variables) {
  if (!is.character(label) || length(label) != 1 || is.na(label) || label %in% variables) {
    return(label)
  }
  if (label == "(total)") character() else strsplit(label, ":", fixed = TRUE)[[1]]
}

set_labels <- function(sets, variables, steps = NULL) {
  vapply(sets, function(set) margin_label(variables[finest_steps(steps, set)]), "")
}

# The maximal sets.
maximal_sets <- function(sets) sets[cpp_frontier_of(sets)]

# None when none are given.
given_sets <- function(sets, problem, arg) {
  if (is.null(sets)) list() else sub_table_sets(sets, problem$variables, arg, problem$steps)
}

# Sub-tables that a release must have: the maximal ones.
forced_sets <- function(forced, problem) {
  maximal_sets(Filter(length, given_sets(forced, problem, "forced")))
}

# ---- magnitudes ---------------------------------------------------------------------------------

# The magnitude table over some of the variables. What a contributor has in several cells that
# become one is added up.
magnitude_over <- function(x, set) {
  size <- lengths(x$dimnames, FALSE)
  codes <- split_codes(x$cell, size)[set]
  cell <- combine_codes(codes, size[set], length(x$cell))
  each <- diff(x$start)
  grouped <- with_core(cpp_group_contributors(rep(cell, each), x$holder, x$value))
  out <- unclass(x)
  out[names(grouped)] <- grouped
  out$dimnames <- x$dimnames[set]
  out["hierarchies"] <- list(NULL)
  structure(out, class = sdc_class("sdc_magnitude", mark = "private"))
}

contributor_counts <- function(x) {
  size <- diff(x$start)
  frame <- list2data_frame(c(cell_factors(x$cell, x$dimnames), list(.n = as.numeric(size))),
                           length(x$cell))
  sdc_table(frame[size > 0, ], names(x$dimnames), freqVar = ".n")
}

# Which rule it is, in a word that ledgers and files have: "sdc_risk_width", "sdc_risk_n", ...
risk_kind <- function(risk) grep("^sdc_risk_", class(risk), value = TRUE)[[1]]
