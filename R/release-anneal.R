# The best decomposable release, by simulated annealing with a certificate.

#' The best decomposable release, by simulated annealing
#'
#' Looks for the most useful release among those whose frontier belongs to a **decomposable** model:
#' there the bounds of each cell are a closed form, so that every release that is looked at is
#' judged exactly. An upper bound on what any such release can be worth comes first; a search that
#' meets it stops, and its result is proved to be the best.
#'
#' @details **Moves.** A state is a chordal graph over the variables; its cliques are the frontier.
#' A proposal draws two variables and adds or deletes the edge between them. Deleting is possible
#' when the edge lies in one clique only, adding when the two variables are separated by their
#' common neighbours; any chordal graph can be reached from any other. An edge is added whenever the
#' release with it stays safe; one that is there is deleted with probability exp(-loss /
#' temperature). The temperature falls geometrically.
#'
#' **Judging.** With common neighbours C, adding the edge of u and v brings the clique C + u + v. It
#' must be admissible: have a count of at least `beta` at each cell at risk. All admissible
#' sub-tables are listed beforehand (some hundreds or thousands, whatever the number of variables);
#' when there are too many, each is judged when it is met first. The sum of clique counts less
#' separator counts, from which the lower bound comes, changes by four margins, which are kept.
#'
#' **Certificate.** A chordal graph has an order of elimination that ends in its most valuable
#' clique Q. Each other variable is worth at most the largest gain from an admissible sub-table that
#' holds it and is not worth more than Q. The largest sum over all admissible Q is `upper_bound`:
#' for numbers of sub-tables 2^q - 1 + sum of 2^(min(s_v, q) - 1), where s_v is the size of the
#' largest admissible sub-table with v. Forbidden sub-tables are not admissible; of a forced one the
#' variable that is eliminated first gains no more than from a sub-table that holds all of it.
#'
#' When there are too many admissible sub-tables to list, the bound comes from sets of variables
#' that cover them: the search for the largest ones begins with all variables and splits a set in
#' which a cell at risk has a count below `beta`. After some seconds of work, s_v is the size of the
#' largest set with v that is left, which may be above the truth; the bound is then valid but may be
#' far from the best release. It is `NA` when the time limit leaves no time for this.
#'
#' **How many sub-tables any release can have.** The element `admissible` bounds the admissible
#' sub-tables of each dimension, which is a bound for releases of all kinds, not only decomposable
#' ones. It is exact where they were listed. Otherwise they are counted level by level, those of one
#' variable first, for some seconds: a set is looked at when all its parts are admissible (Agrawal
#' and Srikant). Beyond the last level that was counted, `most` is what can stand above it at most:
#' by the theorem of Kruskal and Katona, which holds for any family of sets that has all parts of
#' its sets, applied to all sets and to those that hold one variable; and what lies inside the
#' covering sets. The printout says the sum.
#'
#' **Chains** are independent searches from the same start. The result is that of the first chain,
#' in order, that meets the bound, or else of the first among the best. Workers of package future
#' share the chains ([sdcLattice-workers]); each chain has its own seed, made from `seed`, and the
#' result is the same under any plan. An interrupt ends the search with the best release so far and
#' a warning.
#'
#' **By level** (a table by [level_table()]) a variable is a chain of steps, from coarse to fine,
#' and the graph is one of steps: those of one variable stay joined, and a step is joined to another
#' only where the coarser ones of both are. So a move makes a variable of a clique one level finer
#' or coarser, adds it at its coarsest level, or takes it out. The bound adds, for each step that is
#' not in the clique Q, the largest gain from an admissible sub-table that has the variable at this
#' level; it is `NA` where there are too many sub-tables to list. All variables are released at
#' their finest levels, so that these one-way tables must be safe.
#'
#' One-way tables are part of every release, except those of variables that must be left out; see
#' [release_exact()].
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The table, with 1 to 64 variables.
#' @param risk ([risk_width()]) When a release is safe. Under [risk_n()] and [risk_np()] all safe
#'   sub-tables can be released together; see [release_exact()].
#' @param utility (sdc_release_utility) What to make as large as possible: one of the sums over
#'   sub-tables in [utility_tables()].
#' @param seed (whole number, or `NULL`) The same seed gives the same release. `NULL`: drawn from
#'   R's generator.
#' @param chains (whole number from 1 to 1000) How many searches.
#' @param proposals (whole number from 1 to 1e9) Proposals of each.
#' @param temperature (two numbers above 0, or `NULL`) Temperatures at the begin and at the end, in
#'   units of utility. `NULL`: 0.075 and 0.0026 of the upper bound, or, where there is none, of what
#'   adding edges as long as possible leads to.
#' @param start (`sdc_release`, list of sets as in [margins()], or `NULL`) Where to start: a safe
#'   decomposable release. `NULL`: from the one-way tables and what is forced.
#' @param forced,forbidden (lists of sets as in [margins()], or `NULL`) Sub-tables that are released
#'   in any case, and sub-tables that never are, with all that hold their variables.
#' @param time_limit_s (number, seconds of processor time) The search ends with what it has then.
#'   Results that time cut short may differ from one run to the next. Under a plan of package future
#'   each worker counts its own.
#' @param ... must be empty.
#' @param max_admissible (number, or `NULL`) Up to so many admissible sub-tables are listed. `NULL`:
#'   5e8 / non-zero cells, at most 1e6, which bounds the time by some 10 seconds.
#' @param memory_mb (number, megabytes) Memory for margins that are kept, for each process.
#' @param progress (flag) Show a progress bar?
#' @template param-record
#' @return An `sdc_release`, see [sdc_release]. Its `width` is exact; `upper_bound` and `optimal`
#'   are about "decomposable releases" (that keep to `forced` and `forbidden`). `log`: a data frame
#'   with a row for the start and each improvement of each chain: `chain`, `proposal`, `value`,
#'   `time_s`. Further elements: `chains`, a data frame with `chain`, `value`, `proposals`, `judged`
#'   (releases whose bounds were computed), `accepted` (moves), `time_s`; `temperature`;
#'   `n_admissible` (`NA` when there were too many to list); `admissible`, a data frame with
#'   `dimension`, `total`, and between which numbers, `least` and `most`, the admissible sub-tables
#'   of the dimension are (`NULL` when no time was left to count them); `forced`, `forbidden`
#'   (labels).
#' @section Guarantee:
#' Safe: the width of the result is computed anew from the cells, by the closed form. `optimal`: no
#' safe decomposable release is worth more; releases that are not decomposable may be, see
#' [release_exact()] and [release_reducible()].
#' @section Complexity:
#' A proposal that fails takes less than a microsecond; one that is judged or accepted O(cells at
#' risk), some 20 microseconds with 30,000; a new margin O(non-zero cells).
#' @section Errors: `sdc_error_infeasible` when every one-way table, or the forced sub-tables, break
#' the rule; `sdc_error_input` for a start that is not decomposable or not safe, and for sub-tables
#' that are both forced and forbidden; `sdc_error_too_large` above 64 variables. Warning
#' `sdc_warning_stopped` after an interrupt.
#' @template ref-releases
#' @references Dobra, A. and Fienberg, S. E. (2000). Bounds for cell entries in contingency tables
#' given marginal totals and decomposable graphs. *Proceedings of the National Academy of Sciences*
#' 97, 11885-11892.
#'
#' Agrawal, R. and Srikant, R. (1994). Fast algorithms for mining association rules. *Proceedings of
#' the 20th VLDB Conference*, 487-499. Katona, G. (1968). A theorem of finite sets. *Theory of
#' Graphs*, 187-207.
#' @family release
#' @export
#' @examples
#' re <- release_anneal(czech_workers, risk_width(6), seed = 1)
#' re
#' re$log
#'
#' # with one sub-table for certain, and without another
#' release_anneal(czech_workers, risk_width(6), seed = 1, forced = "A:C:D", forbidden = "B:E")
#'
#' # by level: a class of passengers may be coarser where it was left out
#' upper <- c("1st" = "upper", "2nd" = "lower", "3rd" = "lower", "Crew" = "lower")
#' ships <- level_table(sdc_table(Titanic, hierarchies = list(Class = upper)))
#' release_anneal(ships, risk_width(8, at_risk = 1:5), seed = 1)
release_anneal <- function(x, risk, utility = utility_tables(), seed = NULL, chains = 4,
                           proposals = 2e5, temperature = NULL, start = NULL, forced = NULL,
                           forbidden = NULL, time_limit_s = Inf, ..., max_admissible = NULL,
                           memory_mb = 256, progress = rlang::is_interactive(), record = NULL) {
  check_no_dots(...)
  check_record(record)
  begin <- work_seconds()
  check_given(x)
  whole <- search_problem(x, risk, kinds = "width")
  parts <- additive_utility(utility, whole)
  check_whole(chains, min = 1, max = 1000)
  check_whole(proposals, min = 1, max = 1e9)
  check_temperature(temperature)
  check_number(time_limit_s, min = 0)
  if (!is.null(max_admissible)) check_number(max_admissible, min = 0, max = 1e9)
  check_number(memory_mb, min = 1, max = 1e6)
  check_flag(progress)
  seed <- anneal_seed(seed)
  problem <- reduce_problem(whole)
  if (isTRUE(problem$reduced)) {
    parts <- reduce_worth(parts, whole)
    forced <- keepable_sets(forced, whole)
    forbidden <- reachable_sets(forbidden, whole)
  }
  bounds <- anneal_constraints(problem, forced, forbidden)
  task <- list(
    problem = problem, parts = parts, forced = bounds$forced, forbidden = bounds$forbidden,
    start = anneal_start(problem, start, bounds), seed = seed, proposals = proposals,
    temperature = temperature, chains = chains, end = begin + time_limit_s,
    max_bytes = memory_mb * 2^20, most = max_admissible %||% default_admissible(problem)
  )
  found <- with_progress("Annealing", function(tick) {
    with_core(run_chains(task, tick))
  }, show = progress)
  best <- found$chains[[found$answer]]
  width <- check_annealed(task, best$sets)
  out <- new_release(
    whole, restore_sets(best$sets, whole), method = "annealing", width = width,
    guarantee = "exact: the closed form of a decomposable release", utility = utility,
    upper_bound = found$limit + isTRUE(utility$empty),
    bound_class = class_of_kept("decomposable releases", whole), left_out = left_out_labels(whole),
    optimal = best$enough && found$limit <= 2^53, log = chain_logs(found$chains), seed = seed,
    time_s = work_seconds() - begin, stopped = !best$enough && was_cut(found$chains),
    chains = chain_frame(found$chains), temperature = found$temperature,
    n_admissible = found$n_admissible,
    admissible = admissible_frame(found$levels, whole),
    forced = set_labels(bounds$forced, problem$variables, problem$steps),
    forbidden = set_labels(bounds$forbidden, problem$variables, problem$steps)
  )
  warn_interrupted(found$chains)
  beside_record(out, record, release_entry(out, public_release(out)))
}

check_temperature <- function(temperature) {
  ok <- is.null(temperature) || (is.numeric(temperature) && length(temperature) == 2 &&
    all(is.finite(temperature)) && all(temperature > 0) && temperature[1] >= temperature[2])
  if (!ok) {
    abort_sdc("input", c(
      "{.arg temperature} must be two numbers above 0, the first at least the second, or NULL.",
      x = if (length(temperature) == 2 && is.numeric(temperature)) {
        "{.arg temperature} is {temperature[1]}, {temperature[2]}."
      } else {
        "{describe(temperature)}"
      }
    ))
  }
  invisible(temperature)
}

anneal_seed <- function(seed) {
  if (is.null(seed)) {
    return(sample.int(.Machine$integer.max, 1))
  }
  check_whole(seed, min = -.Machine$integer.max, max = .Machine$integer.max)
}

# Listing looks at all non-zero cells for each admissible sub-table.
default_admissible <- function(problem) {
  min(1e6, max(100, floor(5e8 / max(1, length(problem$x$counts)))))
}
