# Which one-way tables a search may start from. A variable whose one-way table breaks the rule is
# left out of the release altogether, with all sub-tables that hold it.
#
# Under a width: when a variable of several levels is left out, each cell may be empty, so that the
# lower bounds are 0, and one-way tables are safe together when each is. When each is safe and all
# together are not, it is therefore enough to leave out one variable, whichever.

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

kept_choices <- function(problem) {
  all <- seq_along(problem$variables)
  by_width <- inherits(problem$risk, "sdc_risk_width")
  asked <- if (by_width) asked_at_risk(problem)
  alone <- vapply(all, function(v) is_safe_alone(problem, v, asked), NA)
  if (!all(alone)) {
    return(if (any(alone)) list(all[alone]))
  }
  if (!by_width || one_way_width(problem, asked) >= problem$risk$beta) {
    return(list(all))
  }
  least <- vapply(all, function(v) min(sub_table_at(problem, v, asked)), 1)
  several <- order(least)[problem$dim[order(least)] > 1]
  several <- if (length(all) > 1) several
  lapply(several, function(v) setdiff(all, v))
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
  inside <- vapply(worth$sets, function(set) all(set %in% problem$kept), NA)
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
  open <- Filter(function(set) all(set %in% problem$kept), found)
  lapply(open, function(set) problem$variables[set])
}
