# Rules that say when a set of sub-tables may be released, and the problem that they pose for a
# table: which of its cells are at risk, and which variables a search may start from.

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
  good <- if (is.numeric(at_risk)) {
    at_risk >= 1 & at_risk <= 2^53 & at_risk == floor(at_risk)
  }
  if (length(good) > 0 && isTRUE(all(good))) {
    return(invisible(at_risk))
  }
  abort_sdc("input", c(
    "{.arg at_risk} must be counts: whole numbers from 1 on.",
    x = if (length(good) > 1) "{describe_first(at_risk, good)}" else "{describe(at_risk)}"
  ))
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

# Which rule it is, in a word that ledgers and files have: "sdc_risk_width", "sdc_risk_n", ...
risk_kind <- function(risk) grep("^sdc_risk_", class(risk), value = TRUE)[[1]]

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

# What all methods start from. `at_risk`: the positions of the cells at risk among the stored cells.
# `magnitude`: for risk_np(), the table itself; `x` then counts its contributors.
release_problem <- function(x, risk, kinds = c("width", "n", "np")) {
  out <- bare_problem(x, risk, kinds)
  check_one_way_tables(out)
  out
}

# `needs_risk = FALSE`: also of a table without cells at risk; `searched = FALSE`: of any table.
bare_problem <- function(x, risk, kinds = c("width", "n", "np"), needs_risk = TRUE,
                         searched = TRUE) {
  check_given(x, "x")
  check_release_risk(risk, kinds)
  magnitude <- NULL
  if (inherits(risk, "sdc_risk_np")) {
    magnitude <- check_class(x, "sdc_magnitude", "x", make = "magnitude_table")
    check_all_contributors(magnitude, "{.fn risk_np}")
  }
  x <- if (is.null(magnitude)) table_argument(x, "x") else contributor_counts(magnitude)
  if (searched) check_searchable(x)
  list(x = x, variables = names(x$dimnames), steps = table_steps(x), dim = dim(x), risk = risk,
       at_risk = if (inherits(risk, "sdc_risk_width")) find_at_risk(x, risk, needs_risk),
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

# Positions among the stored cells. Cells of a table by level are named by the finest levels.
find_at_risk <- function(x, risk, needed = TRUE) {
  at <- if (is.null(risk$cells)) which(x$counts %in% risk$at_risk) else match_stored(x, risk$cells)
  if (length(at) == 0 && needed) {
    abort_sdc("input", c(
      "The table must have cells at risk.",
      x = if (is.null(risk$cells)) "None has a count of {range_words(risk$at_risk)}." else
        "{.arg cells} names none.",
      i = "Without them every sub-table may be released."
    ))
  }
  at
}

# Positions of cells given by their levels among the stored ones.
match_stored <- function(x, cells) {
  steps <- table_steps(x)
  codes <- if (is.null(steps)) {
    resolve_asked(cells, x$dimnames, Inf)$codes
  } else {
    finest <- resolve_asked(cells, finest_dimnames(steps), Inf)$codes
    lapply(seq_along(steps$variable), function(step) {
      step_codes(step, steps)[finest[[steps$variable[step]]]]
    })
  }
  size <- dim(x)
  at <- match(cell_keys(codes, size), cell_keys(stored_codes(x), size))
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
  found <- judge_one_way(problem)
  if (found$together) {
    return(invisible())
  }
  if (all(found$alone)) {
    abort_sdc("infeasible", c(
      "The one-way tables must be safe to release.",
      x = "Each of them is, but together they pin down an at-risk cell to within
           {problem$risk$beta - 1}.",
      i = "Use a smaller {.arg beta}, or merge sparse levels."
    ))
  }
  broken <- labels_in(problem, found$sets[!found$alone])
  abort_sdc("infeasible", c(
    "The one-way tables must be safe to release.",
    x = "{cli::qty(broken)}{?The table/The tables} of {.val {broken}} break{?s/} the rule:
         {format(problem$risk)}.",
    i = "Use a weaker rule, merge sparse levels, or drop the
         {cli::qty(broken)}{?variable/variables}."
  ))
}

# The one-way tables: which are safe each alone, and whether all are together, where all are alone.
judge_one_way <- function(problem) {
  by_width <- inherits(problem$risk, "sdc_risk_width")
  asked <- if (by_width) asked_at_risk(problem)
  sets <- one_way_in(problem)
  alone <- vapply(sets, function(set) is_safe_alone(problem, set, asked), NA)
  together <- all(alone)
  if (by_width && together) {
    counts <- vapply(sets, function(set) sub_table_at(problem, set, asked), numeric(asked$n))
    dim(counts) <- c(asked$n, length(sets))
    upper <- do.call(pmin, asplit(counts, 2))
    lower <- pmax(0, rowSums(counts) - sum(problem$x) * (ncol(counts) - 1))
    together <- min(upper - lower) >= problem$risk$beta
  }
  list(sets = sets, alone = alone, together = together, asked = asked)
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

# The problem of a search: `kept` are the variables that may be in the release; `choices` has the
# sets of variables that may be kept, the most promising first.
search_problem <- function(x, risk, kinds = c("width", "n", "np")) {
  out <- bare_problem(x, risk, kinds)
  if (!is.null(out$steps)) {
    check_one_way_tables(out)
    return(keep_variables(out, seq_along(out$variables)))
  }
  out$choices <- kept_choices(out)
  if (length(out$choices) == 0) {
    abort_sdc("infeasible", c(
      "Some one-way table must be safe to release.",
      x = "Each of them breaks the rule: {format(risk)}.",
      i = "Lower the limit, or merge small levels."
    ))
  }
  keep_variables(out, out$choices[[1]])
}

keep_variables <- function(problem, kept) {
  problem$kept <- kept
  problem$left_out <- setdiff(seq_along(problem$variables), kept)
  problem
}

# A variable whose one-way table breaks the rule is left out of the release altogether, with all
# sub-tables that hold it. Under a width: when a variable of several levels is left out, each cell
# may be empty, so that the lower bounds are 0, and one-way tables are safe together when each is.
# When each is safe and all together are not, it is therefore enough to leave out one variable,
# whichever.
kept_choices <- function(problem) {
  all <- seq_along(problem$variables)
  found <- judge_one_way(problem)
  if (!all(found$alone)) {
    return(if (any(found$alone)) list(all[found$alone]))
  }
  if (found$together) {
    return(list(all))
  }
  least <- vapply(all, function(v) min(sub_table_at(problem, v, found$asked)), 1)
  several <- order(least)[problem$dim[order(least)] > 1]
  if (length(all) > 1) lapply(several, function(v) setdiff(all, v))
}

# The table of the kept variables alone, with the cells that those at risk lie in.
reduce_problem <- function(problem) {
  if (length(problem$left_out) == 0) {
    return(problem)
  }
  kept <- problem$kept
  x <- sub_table(problem, kept)
  size <- dim(x)
  codes <- asked_at_risk(problem)$codes[kept]
  at <- match(cell_keys(codes, size), cell_keys(stored_codes(x), size))
  list(x = x, variables = problem$variables[kept], dim = size, risk = problem$risk,
       at_risk = sort(unique(at)), reduced = TRUE, kept = seq_along(kept), left_out = integer())
}

# What additive_utility() makes, for the kept variables.
reduce_worth <- function(worth, problem) {
  inside <- are_inside(worth$sets, list(problem$kept))
  list(factors = worth$factors[problem$kept],
       sets = lapply(worth$sets[inside], match, problem$kept), values = worth$values[inside],
       levels = worth$levels[problem$kept])
}

# Sets of the reduced problem in the numbers of the whole.
restore_sets <- function(sets, problem) lapply(sets, function(set) problem$kept[set])

left_out_labels <- function(problem) problem$variables[problem$left_out]

# What an upper bound is about when one variable was chosen to be left out.
class_of_kept <- function(class, problem) {
  if (length(problem$choices) < 2) class else
    paste0(class, " without ", paste(left_out_labels(problem), collapse = ", "))
}

# Sets that must be released cannot hold a variable that is left out.
keepable_sets <- function(sets, problem) {
  found <- given_sets(sets, problem, "forced")
  broken <- vapply(found, function(set) any(set %in% problem$left_out), NA)
  if (any(broken)) {
    abort_sdc("infeasible", c(
      "The forced sub-tables must be safe to release.",
      x = "{.val {set_labels(found[broken], problem$variables)}} break{?s/} the rule:
           {format(problem$risk)}.",
      i = "Force less, or lower {.arg beta}."
    ))
  }
  sets
}

# What must not be released, as far as it could be.
reachable_sets <- function(sets, problem) {
  found <- given_sets(sets, problem, "forbidden")
  open <- found[are_inside(found, list(problem$kept))]
  names_in(problem, open)
}
