# Sub-tables in order of their critical widths, released as far as is safe.

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
      problem, level_counts(problem$steps, length(problem$variables)), order, fill == "first_fit",
      length(problem$left_out) == 0, width_limits(style, bounds == "integer"), tick
    ))
  }, style$progress)
  labels <- set_labels(order, problem$variables, problem$steps)
  style$seconds <- max(0, style$seconds - (work_seconds() - start))
  known <- final_width(problem, found$frontier, style, bounds == "integer")
  out <- new_release(
    problem, found$frontier, "greedy order of critical widths", known$width, known$guarantee,
    utility, log = greedy_log(found, labels), time_s = work_seconds() - start,
    stopped = found$stopped, fill = fill, bounds = bounds, order = labels,
    left_out = left_out_labels(problem)
  )
  beside_record(out, record, release_entry(out, public_release(out)))
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

greedy_log <- function(found, labels) {
  data.frame(
    step = ifelse(found$in_fill == 1, "first fit", "bisection"), place = found$at,
    sub_table = labels[found$at],
    verdict = ifelse(found$safe == 1, "released",
                     ifelse(found$decided == 1, "refused", "undecided")),
    inner = found$inner, outer = found$outer, time_s = found$seconds
  )
}

# The width of what was chosen: it is safe already, so at least beta whatever the time allows.
final_width <- function(problem, sets, style, programmes) {
  style$seconds <- min(style$seconds, 10)
  found <- with_core(cpp_release_width(problem, sets, width_limits(style, programmes), NULL))
  inner <- max(found$inner, problem$risk$beta)
  exact <- inner == found$outer
  list(
    width = c(inner = inner, outer = found$outer),
    guarantee = paste0(
      if (exact) "width exactly " else "width certified to be at least ", format_count(inner),
      if (found$open == 0) ", by closed form" else if (programmes) ", by whole numbers" else
        ", by covers and moves"
    )
  )
}
