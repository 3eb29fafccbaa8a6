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
  check_seed(seed)
  seed <- seed %||% sample.int(.Machine$integer.max, 1)
  problem <- reduce_problem(whole)
  if (isTRUE(problem$reduced)) {
    parts <- reduce_worth(parts, whole)
    forced <- keepable_sets(forced, whole)
    forbidden <- reachable_sets(forbidden, whole)
  }
  # listing looks at all non-zero cells for each admissible sub-table
  most <- max_admissible %||% min(1e6, max(100, floor(5e8 / max(1, length(problem$x$counts)))))
  bounds <- anneal_constraints(problem, forced, forbidden)
  task <- c(bounds, list(
    problem = problem, parts = parts, start = anneal_start(problem, start, bounds), seed = seed,
    proposals = proposals, temperature = temperature, chains = chains, end = begin + time_limit_s,
    max_bytes = memory_mb * 2^20, most = most
  ))
  found <- with_progress("Annealing", function(tick) {
    with_core(run_chains(task, tick))
  }, show = progress)
  best <- found$chains[[found$answer]]
  logs <- lapply(found$chains, function(chain) cbind(chain = chain$chain, chain$log))
  out <- new_release(
    whole, restore_sets(best$sets, whole), method = "annealing",
    width = check_annealed(task, best$sets),
    guarantee = "exact: the closed form of a decomposable release", utility = utility,
    upper_bound = found$limit + isTRUE(utility$empty),
    bound_class = class_of_kept("decomposable releases", whole), left_out = left_out_labels(whole),
    optimal = best$enough && found$limit <= 2^53, log = do.call(rbind, logs), seed = seed,
    time_s = work_seconds() - begin, stopped = !best$enough && was_cut(found$chains),
    chains = chain_frame(found$chains), temperature = found$temperature,
    n_admissible = found$n_admissible,
    admissible = admissible_frame(found$levels, whole),
    forced = labels_in(problem, bounds$forced),
    forbidden = labels_in(problem, bounds$forbidden)
  )
  warn_interrupted(found$chains)
  release_beside(out, record)
}

check_temperature <- function(temperature) {
  two <- is.numeric(temperature) && length(temperature) == 2
  ok <- two && all(is.finite(temperature) & temperature > 0) && temperature[1] >= temperature[2]
  if (!is.null(temperature) && !ok) {
    abort_sdc("input", c(
      "{.arg temperature} must be two numbers above 0, the first at least the second, or NULL.",
      x = if (two) "{.arg temperature} is {temperature[1]}, {temperature[2]}." else
        "{describe(temperature)}"
    ))
  }
}

# The sets that must be released, and those that must not.
anneal_constraints <- function(problem, forced, forbidden) {
  forced <- forced_sets(forced, problem)
  forbidden <- given_sets(forbidden, problem, "forbidden")
  small <- forbidden[vapply(forbidden, n_variables_in, 1L, steps = problem$steps) < 2]
  if (length(small) > 0) {
    abort_sdc("input", c(
      "{.arg forbidden} must hold sub-tables of two or more variables.",
      x = "{.val {labels_in(problem, small[1])}} has fewer.",
      i = "The total and the one-way tables are part of every release; take the {.fn margin} without
           a variable that must not appear."
    ))
  }
  for (set in forced) {
    held <- forbidden[are_inside(forbidden, list(set))]
    if (length(held) > 0) {
      abort_sdc("input", c(
        "No sub-table can be both forced and forbidden.",
        x = "{.val {labels_in(problem, list(set))}} is forced, and holds
             {.val {labels_in(problem, held)}}."
      ))
    }
  }
  list(forced = forced, forbidden = forbidden)
}

# The cliques from which all chains start: of what is forced, or the frontier of a given release
# with the one-way tables of the variables that it lacks.
anneal_start <- function(problem, start, bounds) {
  k <- length(problem$variables)
  if (is.null(start)) {
    # of a chordal graph that has all sets, and by level the coarser steps with each
    sets <- c(bounds$forced, shown_sets(problem$steps))
    repeat {
      cliques <- cpp_triangulate(k, sets)
      sets <- lapply(cliques, close_set, steps = problem$steps)
      if (identical(sets, cliques)) break
    }
    if (!is_safe_start(cliques, problem, bounds)) abort_forced(cliques, problem, bounds)
    return(cliques)
  }
  if (inherits(start, "sdc_release")) {
    start <- names_in(start$problem, start$sets)
  }
  cliques <- sub_table_sets(start, problem$variables, "start", problem$steps)
  cliques <- maximal_sets(c(cliques, one_way_sets(problem$steps, k)))
  structure <- study_release(k, cliques)
  open <- structure$components[structure$kinds != "margin"]
  if (length(open) > 0) {
    abort_sdc("input", c(
      "{.arg start} must be a decomposable release.",
      x = "Its part {.val {labels_in(problem, open[1])}} is neither a released sub-table nor can it
           be split.",
      i = "{.fn release_structure} shows the parts of a release."
    ))
  }
  kept <- are_inside(bounds$forced, cliques)
  if (!all(kept)) {
    abort_sdc("input", c(
      "{.arg start} must release what is forced.",
      x = "It lacks {.val {labels_in(problem, bounds$forced[!kept])}}."
    ))
  }
  if (!is_safe_start(cliques, problem, bounds)) {
    banned <- bounds$forbidden[are_inside(bounds$forbidden, cliques)]
    abort_sdc("input", c(
      "{.arg start} must be a safe release without forbidden sub-tables.",
      x = if (length(banned) > 0) "{.arg start} has {.val {labels_in(problem, banned)}}." else
        "{.arg start} breaks the rule: {format(problem$risk)}.",
      i = "Without {.arg start} the search begins with the one-way tables."
    ))
  }
  cliques
}

is_safe_start <- function(cliques, problem, bounds) {
  !any(are_inside(bounds$forbidden, cliques)) &&
    isTRUE(with_core(cpp_decomposable_width(problem, cliques)) >= problem$risk$beta)
}

# When the forced sub-tables make up a decomposable release themselves, nothing else can be done.
abort_forced <- function(cliques, problem, bounds) {
  added <- cliques[!cliques %in% c(bounds$forced, one_way_in(problem))]
  alone <- vapply(bounds$forced, function(set) is_safe_alone(problem, set), NA)
  if (length(added) == 0 || !all(alone)) {
    abort_sdc("infeasible", c(
      "The forced sub-tables must be safe to release.",
      x = if (all(alone)) "Together they break the rule: {format(problem$risk)}." else
        "{.val {labels_in(problem, bounds$forced[!alone])}} break{?s/} the rule:
         {format(problem$risk)}.",
      i = "Force less, or lower {.arg beta}."
    ))
  }
  abort_sdc("input", c(
    "The search must start from a safe decomposable release with all forced sub-tables.",
    x = "The forced ones are not decomposable, and with {.val {labels_in(problem, added)}} added
         they are not allowed or not safe.",
    i = "Give a {.arg start} that has them, or force less."
  ))
}

# The chains up to the one that gives the answer, and what all share.
run_chains <- function(task, tick) {
  annealer <- make_annealer(task)
  facts <- cpp_annealer_facts(annealer)
  # Without a list the bound may be far above what can be reached.
  scale <- if (is.na(facts$n_admissible)) NA_real_ else facts$limit
  task$temperature <- task$temperature %||% default_temperature(annealer, scale, task)
  levels <- cpp_annealer_levels(annealer, task$problem, task$forbidden, seconds_left(task) / 4)
  chains <- share_chains(task, annealer, tick)
  enough <- vapply(chains, `[[`, NA, "enough")
  answer <- if (any(enough)) which(enough)[1] else which.max(vapply(chains, `[[`, 0, "value"))
  if (any(enough)) chains <- chains[seq_len(answer)]
  c(facts, list(levels = levels, chains = chains, answer = answer, temperature = task$temperature))
}

make_annealer <- function(task) {
  cpp_make_annealer(task$problem, task$parts, task$forced, task$forbidden, task$max_bytes,
                    task$most, seconds_left(task) / 2)
}

seconds_left <- function(task) max(0, task$end - work_seconds())

# Fractions of the bound with which all chains ended at the best release of cps13 and cps14. Without
# a bound, of what a chain reaches that never deletes.
default_temperature <- function(annealer, limit, task) {
  if (is.na(limit)) {
    k <- length(task$problem$variables)
    task$temperature <- c(1e-300, 1e-300)
    task$proposals <- 5 * k * (k - 1) / 2
    limit <- run_chain(annealer, task, 0, 4, NULL)$value
  }
  if (limit > 0) limit * c(.075, .0026) else c(1, 1)
}

# `rounds`: so many chains must share the time that is left, one after the other.
run_chain <- function(annealer, task, chain, rounds, tick) {
  plan <- list(
    seed = task$seed, chain = chain, proposals = task$proposals, hot = task$temperature[1],
    cold = task$temperature[2], seconds = seconds_left(task) / rounds
  )
  c(cpp_anneal(annealer, task$start, plan, tick), chain = chain)
}

# Each worker lists the admissible sub-tables again: that takes less time than a chain, which has
# the same share of the time that is left, whoever runs it. Nothing is drawn from R's generators.
share_chains <- function(task, annealer, tick) {
  if (has_workers()) {
    task$seconds <- seconds_left(task) / ceiling(task$chains / n_workers())
  }
  work_apply(
    seq_len(task$chains), anneal_chain, task, ready_annealer,
    ready = list(task = task, annealer = annealer), tick = tick, keep = TRUE,
    done = function(chain, i) chain$enough || chain$interrupted
  )
}

ready_annealer <- function(task) {
  # the time of another process
  task$end <- work_seconds() + task$seconds
  list(task = task, annealer = make_annealer(task))
}

anneal_chain <- function(chain, ready, tick) {
  task <- ready$task
  rounds <- task$chains - chain + 1
  if (!is.null(task$seconds)) {
    task$end <- work_seconds() + task$seconds
    rounds <- 1
  }
  run_chain(ready$annealer, task, chain, rounds, keeping_tick(tick))
}

# The width anew, from the cells, without what the search kept.
check_annealed <- function(task, sets) {
  width <- with_core(cpp_decomposable_width(task$problem, sets))
  stopifnot(
    "the result of the search is safe" = isTRUE(width >= task$problem$risk$beta),
    "the result has what is forced" = all(are_inside(task$forced, sets)),
    "the result lacks what is forbidden" = !any(are_inside(task$forbidden, sets))
  )
  c(inner = width, outer = width)
}

chain_frame <- function(chains) {
  columns <- c("chain", "value", "proposals", "judged", "accepted", "time_s")
  columns <- lapply(rlang::set_names(columns), function(name) vapply(chains, `[[`, 0, name))
  list2data_frame(columns, length(chains))
}

was_cut <- function(chains) any(vapply(chains, function(x) x$out_of_time || x$interrupted, NA))

warn_interrupted <- function(chains) {
  if (any(vapply(chains, `[[`, NA, "interrupted"))) {
    warn_sdc("stopped", c(
      "The search was stopped by an interrupt.",
      i = "This is the best release so far. It is safe; a better one may exist."
    ))
  }
}
