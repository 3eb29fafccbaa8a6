# Releases in order of critical widths, and the best release, with proof.

#' Release sub-tables in order of their critical widths
#'
#' The report's heuristic (section 5.2): all sub-tables are listed with the least dangerous first,
#' and the longest beginning of the list that is safe to release is found by bisection.
#'
#' # The order
#' By [critical_widths()]: the width of a sub-table together with the one-way tables of all other
#' variables, largest first; of equal ones the larger dimension first, then the order of that
#' function. Releasing a sub-table releases all of its own sub-tables.
#'
#' # The search
#' If some beginning of the list is unsafe, so is every longer one. The first sub-table alone is
#' safe by its critical width, and the whole list holds the full table; between these, a table of K
#' variables takes about K checks. **`fill = "first_fit"`** goes on after that: each later sub-table
#' joins if the release stays safe. It never releases less, costs a check for each sub-table that is
#' left, and on the Czech table gains up to 6 of 64.
#'
#' # By level
#' Of a table by [level_table()] the list holds all choices of levels: a variable may be coarser
#' instead of missing. The most parsimonious release has the sub-table and all one-way tables at
#' their finest levels; among sub-tables of equal width and dimension a finer one comes before the
#' coarser ones inside it. As in every release by level, each variable that has several levels is
#' released at its finest, from the first check on, so that these one-way tables must be safe.
#'
#' # One-way tables that break the rule
#' Variables whose one-way tables break the rule are left out, see [release_exact()]. The order is
#' then that of the table without them, and `fill` is `"first_fit"` in any case.
#'
#' # Why no quick bounds
#' `bounds = "integer"` judges each release by the width in whole numbers, exactly; `"inner"` by
#' closed forms of decomposable covers and by walks of basic moves, which are quick, and refuse some
#' releases that are safe. There is no third choice: the shuttle, linear programmes and the least
#' margin give outer bounds, wider than the truth, and what they call safe need not be. On the Czech
#' table, with counts 1 and 2 at risk and beta = 15, the shuttle gives 54 sub-tables a width of 19
#' where it is 14. With `bounds = "integer"` the greedy release has 52, with first fit 53.
#'
#' @template param-record
#' @inheritParams width
#' @param x (sdc_table, or what [as_sdc_table()] takes) The full table; also one by level, of
#'   [level_table()].
#' @param risk (sdc_release_risk) A rule by [risk_width()].
#' @param fill (string) `"none"`: stop at the first refusal; `"first_fit"`: go on after it.
#' @param bounds (string) `"integer"` or `"inner"`; see below.
#' @param utility (sdc_release_utility) What the result is valued by. The order does not depend on
#'   it.
#' @param time_limit_s (number of at least 0, seconds of processor time) For all checks. What is not
#'   decided in its share of the time is refused, and the log says so.
#' @param max_cells (number) Components of a release with more cells are judged as by `"inner"`.
#' @return An [sdc_release]. Its `log` has a row for each check: `step` (`"bisection"` or
#'   `"first fit"`), `place` in the list and the `sub_table` there, the `verdict` (`"released"`,
#'   `"refused"`, or `"undecided"`, which is a refusal without proof), and the limits `inner` and
#'   `outer` of the width, as far as they were needed. `order` is the list.
#' @section Guarantee: The width is at least `beta`: certified. The number of sub-tables is a
#'   heuristic's; [release_exact()] has the optimum for few variables.
#' @section Errors: `sdc_error_infeasible` when every one-way table breaks the rule;
#'   `sdc_error_input` without cells at risk and for rules that judge each sub-table alone;
#'   `sdc_error_too_large` above 25 variables, levels counted.
#' @section Complexity: The critical widths of all 2^K - 1 sub-tables, and log2 of that many checks;
#'   with first fit up to 2^K. By level there are as many sub-tables as choices of levels: the
#'   product of (levels + 1), less 1.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' release_greedy(czech_workers, risk_width(6), utility = utility_tables(empty = TRUE))
#' re <- release_greedy(czech_workers, risk_width(15), fill = "first_fit")
#' re$log
#'
#' # by level: sub-tables may have ages by decade where single years are too risky
#' people <- data.frame(
#'   age = rep(c("11", "15", "21", "24", "28"), c(12, 9, 6, 8, 4)),
#'   sex = rep(c("f", "m", "m"), 13), town = rep(c("A", "B", "B", "B"), length.out = 39)
#' )
#' ages <- data.frame(all = "all", decade = c("10-19", "10-19", "20-29", "20-29", "20-29"),
#'                    age = c("11", "15", "21", "24", "28"))
#' x <- sdc_table(people, c("age", "sex", "town"), hierarchies = list(age = ages))
#' release_greedy(level_table(x), risk_width(2), fill = "first_fit")
release_greedy <- function(x, risk, fill = c("none", "first_fit"), bounds = c("integer", "inner"),
                           ..., utility = utility_tables(), time_limit_s = 60, max_cells = 20000,
                           progress = rlang::is_interactive(), record = NULL) {
  check_no_dots(...)
  check_record(record)
  fill <- check_choice(fill, c("none", "first_fit"))
  bounds <- check_choice(bounds, c("integer", "inner"))
  style <- check_width_style(time_limit_s, max_cells, progress)
  start <- work_seconds()
  problem <- search_problem(x, risk, "width")
  check_release_utility(utility)
  order <- greedy_order(problem, style$progress)
  found <- with_progress("Checks", function(tick) {
    with_core(cpp_greedy_release(
      problem, levels_in(problem), order, fill == "first_fit",
      length(problem$left_out) == 0, width_limits(style, bounds == "integer"), tick
    ))
  }, style$progress)
  labels <- labels_in(problem, order)
  log <- data.frame(
    step = ifelse(found$in_fill == 1, "first fit", "bisection"), place = found$at,
    sub_table = labels[found$at],
    verdict = ifelse(found$safe == 1, "released",
                     ifelse(found$decided == 1, "refused", "undecided")),
    inner = found$inner, outer = found$outer, time_s = found$seconds
  )
  style$seconds <- max(0, style$seconds - (work_seconds() - start))
  known <- final_width(problem, found$frontier, style, bounds == "integer")
  new_release(
    problem, found$frontier, "greedy order of critical widths", known$width, known$guarantee,
    utility, log = log, time_s = work_seconds() - start, stopped = found$stopped, fill = fill,
    bounds = bounds, order = labels, left_out = left_out_labels(problem), record = record
  )
}

# All sub-tables, the least dangerous first.
greedy_order <- function(problem, progress) {
  if (length(problem$variables) > 25) {
    abort_sdc("too_large", c(
      "The critical widths of all sub-tables are listed for at most 25 variables, levels counted.",
      x = "The table has {length(problem$variables)}.",
      i = if (is.null(problem$steps)) "Use {.fn release_anneal} or {.fn release_reducible}." else
        "Use {.fn release_reducible}, or offer fewer levels; see {.fn level_table}."
    ))
  }
  # where variables are left out, the widths in the table of the others
  reduced <- reduce_problem(problem)
  n <- length(reduced$variables)
  widths <- measure_critical(reduced, n_variables_in(reduced$steps, seq_len(n)), 60, progress)
  # by number: labels of odd names need not tell sub-tables apart
  sets <- unpack_masks(attr(widths, "masks"), length(reduced$variables))
  if (isTRUE(reduced$reduced)) restore_sets(sets, problem) else sets
}

#' The best release, proved
#'
#' The set of sub-tables of largest utility among all that are safe to release, or among the
#' decomposable ones, with a proof that there is none better, or with what is left between.
#'
#' # All releases
#' `among = "all"` searches all sets of sub-tables that hold the sub-tables of their own: 7.8
#' million for 6 variables. It is an implicit hitting set. A conflict is a smallest unsafe set;
#' every safe release lacks one of its maximal sub-tables. Branch and bound over the conflicts known
#' so far proposes a release; an oracle says in whole numbers whether it is safe, and if not, yields
#' another conflict. No tolerance decides: utilities are whole multiples of a power of two (values
#' that need more than 60 binary digits are rounded, and then `optimal` is `FALSE`), the oracle
#' works in whole numbers. Such a release may leave out one-way tables, where that pays. Up to 6
#' variables this takes a second or less as a rule; 7 are the limit.
#'
#' # By level
#' For a table by level, of [level_table()], levels count as variables do in all limits. Its
#' releases are all sets of choices of levels that hold the coarser ones; each variable of several
#' levels is released at its finest. No variable is left out: each one-way table, and under
#' [risk_width()] all of them together, must be safe. Decomposable releases are as in
#' [release_anneal()].
#'
#' # One-way tables that break the rule
#' A variable whose one-way table breaks the rule is left out of the release, and so are all
#' sub-tables with it; `left_out` names such variables. When each one-way table is safe and all of
#' them together are not, leaving out any one variable is enough: `among = "decomposable"` tries
#' each, the other searches leave out the variable with the smallest count. Otherwise decomposable
#' releases hold all one-way tables.
#'
#' # Decomposable releases
#' `among = "decomposable"` goes through all chordal graphs up to 7 variables (18,154 for 6), and
#' counts the optima: `n_optima`, the number of different releases. With more variables it searches:
#' a chordal graph grows from its clique of largest utility, each further vertex joined to a part of
#' some clique; targets fall from an upper bound until a graph meets one, which is then best. That
#' ends soon when the bound is near the truth, as it was on all tables tried; [release_anneal()] has
#' the same bound, and finds good releases of large tables faster.
#'
#' # Rules that judge each sub-table alone
#' Under [risk_n()] and [risk_np()] the best release is all sub-tables that are safe: found
#' dimension by dimension, for up to 25 variables.
#'
#' @inheritParams release_greedy
#' @param risk (sdc_release_risk) A rule, by [risk_width()], [risk_n()] or [risk_np()].
#' @param among (string) `"all"` or `"decomposable"`.
#' @param utility (sdc_release_utility) What is made as large as possible, a sum over sub-tables.
#' @param time_limit_s (number of at least 0, seconds of processor time) How long to search. Then
#'   the best so far is returned, with an upper bound.
#' @param max_cells (number) Largest full table for `among = "all"`.
#' @return An [sdc_release] with `optimal` (is the proof complete?), `upper_bound` (no release of
#'   `bound_class` is worth more), and a `log` with a row for each better release that was found:
#'   `value` and `time_s`. `effort` counts what was done: for all releases the `nodes`, `conflicts`,
#'   sets that the oracle was `asked` about, cells for which it `searched`; for decomposable ones
#'   the `graphs`.
#' @section Guarantee: The release is safe, always. With `optimal` it is best, by a proof in whole
#'   numbers; otherwise `upper_bound` holds. Decomposable releases under values that are not whole
#'   are compared up to one part in 10^12; above 2^53 nothing is called optimal.
#' @section Errors: `sdc_error_infeasible` when every one-way table breaks the rule, by
#'   level when one does;
#'   `sdc_error_input` without cells at risk; `sdc_error_too_large` for more variables than stated,
#'   or more than `max_cells` cells, with what to use instead.
#' @section Complexity: Exponential at worst, in the number of sub-tables (all) or variables
#'   (decomposable).
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' release_exact(czech_workers, risk_width(6), utility = utility_tables(empty = TRUE))
#' release_exact(czech_workers, risk_width(10), among = "decomposable")
#' release_exact(czech_workers, risk_n(5))
#'
#' # by level: a class of passengers may be coarser where it was left out
#' upper <- c("1st" = "upper", "2nd" = "lower", "3rd" = "lower", "Crew" = "lower")
#' ships <- level_table(sdc_table(Titanic, hierarchies = list(Class = upper)))
#' release_exact(ships, risk_width(8, at_risk = 1:5))
release_exact <- function(x, risk, among = c("all", "decomposable"), utility = utility_tables(),
                          ..., time_limit_s = 60, max_cells = 20000,
                          progress = rlang::is_interactive(), record = NULL) {
  check_no_dots(...)
  check_record(record)
  among <- check_choice(among, c("all", "decomposable"))
  style <- check_width_style(time_limit_s, max_cells, progress)
  start <- work_seconds()
  problem <- search_problem(x, risk)
  worth <- additive_utility(utility, problem)
  found <- if (!inherits(risk, "sdc_risk_width")) {
    safe_alone(problem, among, style)
  } else if (among == "all") {
    best_of_all(problem, worth, style)
  } else {
    best_of_choices(problem, worth, style)
  }
  value <- release_utility(utility, found$sets, problem)
  absent <- setdiff(seq_along(problem$variables), unlist(found$sets))
  new_release(
    problem, found$sets, found$method, found$width, found$guarantee, utility, value,
    upper_bound = max(value, found$upper + isTRUE(utility$empty)), bound_class = found$class,
    optimal = found$optimal, log = found$log, time_s = work_seconds() - start,
    stopped = found$stopped, n_optima = found$n_optima, effort = found$effort,
    left_out = problem$variables[finest_steps(problem$steps, absent)], record = record
  )
}

max_lattice_variables <- 7

best_of_all <- function(problem, worth, style) {
  k <- length(problem$variables)
  if (k > max_lattice_variables) {
    abort_sdc("too_large", c(
      "All releases are searched for tables of at most {max_lattice_variables} variables, levels
       counted.",
      x = "The table has {k}.",
      i = "Use {.fn release_reducible} or {.fn release_anneal}, which have upper bounds too, or
           {.code among = \"decomposable\"}."
    ))
  }
  cells <- prod(problem$dim)
  if (cells > style$max_cells) {
    abort_sdc("too_large", c(
      "All releases are searched for tables of at most {format_count(style$max_cells)} cells.",
      x = "The table has {format_count(cells)}.",
      i = "Use {.fn release_reducible} or {.fn release_anneal}, or raise {.arg max_cells}."
    ))
  }
  found <- with_progress("Releases", function(tick) {
    with_core(cpp_search_releases(problem, levels_in(problem), worth, style$seconds,
                                  style$max_cells, max_tableau(), tick))
  }, style$progress)
  nothing <- length(found$sets) == 0 || identical(found$sets, list(integer()))
  sets <- if (nothing) safe_one_way(problem) else found$sets
  c(final_width(problem, sets, style, TRUE), list(
    sets = sets, upper = found$upper, optimal = found$optimal, stopped = found$stopped,
    class = "all releases", method = "implicit hitting set over all releases",
    log = data.frame(node = found$step, value = found$value, time_s = found$seconds),
    effort = unlist(found[c("nodes", "conflicts", "asked", "searched", "undecided")])
  ))
}

# What is known to be safe where time ended a search before anything was found.
safe_one_way <- function(problem) {
  if (is.null(problem$steps)) as.list(problem$kept) else
    one_way_in(problem)
}

# One search for each choice of the variables that are kept: there are several only where one
# variable must be left out, whichever.
best_of_choices <- function(problem, worth, style) {
  choices <- problem$choices %||% list(problem$kept)
  style$seconds <- style$seconds / length(choices)
  found <- lapply(choices, function(kept) {
    best_decomposable(keep_variables(problem, kept), worth, style)
  })
  value <- vapply(found, `[[`, 1, "best")
  out <- found[[which.max(value)]]
  out$upper <- max(vapply(found, `[[`, 1, "upper"))
  out$optimal <- all(vapply(found, `[[`, NA, "optimal"))
  out$stopped <- any(vapply(found, `[[`, NA, "stopped"))
  if (!is.null(out$n_optima)) {
    out$n_optima <- sum(unlist(lapply(found[value == max(value)], `[[`, "n_optima")))
  }
  out$effort <- Reduce(`+`, lapply(found, `[[`, "effort"))
  out
}

best_decomposable <- function(whole, worth, style) {
  problem <- reduce_problem(whole)
  if (isTRUE(problem$reduced)) worth <- reduce_worth(worth, whole)
  few <- length(problem$variables) <= max_lattice_variables
  found <- with_progress("Releases", function(tick) {
    with_core(
      cpp_best_decomposable(problem, worth, style$seconds, few, tick),
      hints = list(too_large = "Use {.fn release_anneal}, or a larger {.arg beta}.")
    )
  }, style$progress)
  sets <- restore_sets(if (found$found) found$sets else safe_one_way(problem), whole)
  c(final_width(whole, sets, style, FALSE), list(
    sets = sets, best = max(0, found$value), upper = found$upper,
    optimal = found$optimal && found$upper <= 2^53, stopped = found$stopped,
    class = "decomposable releases",
    method = if (few) "all chordal graphs" else "branch and bound over chordal graphs",
    n_optima = if (few && found$optimal) found$n_optima,
    log = data.frame(graph = found$step, value = found$value, time_s = found$seconds),
    effort = c(graphs = found$graphs)
  ))
}

# For rules that judge each sub-table alone: all safe sub-tables, dimension by dimension, by level
# those with one level more after all others: one can be safe only when all inside of it are.
safe_alone <- function(problem, among, style) {
  if (among == "decomposable") {
    abort_sdc("input", c(
      "{.arg among} must be {.val all} for a rule that judges each sub-table alone.",
      x = "{.arg among} is {.val decomposable}.",
      i = "All safe sub-tables may be released together."
    ))
  }
  k <- length(problem$variables)
  check_enumerable(k)
  end <- work_seconds() + style$seconds
  level <- lapply(intersect(problem$kept, first_steps(problem$steps, k)), as.integer)
  safe <- list()
  stopped <- FALSE
  while (length(level) > 0 && !stopped) {
    safe <- c(safe, level)
    level <- Filter(function(set) {
      stopped <<- stopped || work_seconds() > end
      !stopped && is_safe_alone(problem, set)
    }, larger_sets(level, k, problem$steps))
  }
  list(
    sets = maximal_sets(c(safe, level, safe_one_way(problem))), width = no_width(),
    guarantee = "each released sub-table is safe by itself",
    upper = if (stopped) NA_real_ else 0, optimal = !stopped, stopped = stopped,
    class = "all releases", method = "every sub-table judged alone"
  )
}

# The sets of one variable, or level, more all of whose parts are in `level`.
larger_sets <- function(level, k, steps = NULL) {
  known <- vapply(level, paste, "", collapse = " ")
  out <- list()
  for (set in level) {
    for (v in seq_len(k)[seq_len(k) > max(set)]) {
      more <- c(set, v)
      if (!identical(more, close_set(steps, more))) next
      last <- match(finest_steps(steps, more), more)
      parts <- vapply(last, function(i) paste(more[-i], collapse = " "), "")
      if (all(parts %in% known)) out[[length(out) + 1]] <- more
    }
  }
  out
}
