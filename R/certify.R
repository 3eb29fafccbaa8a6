# Releases of prime components, with certificates.

#' More sub-tables than any decomposable release, with certificates
#'
#' Looks for a large set of sub-tables that is safe under [risk_width()], not only among the
#' decomposable ones. For every cell at risk the result holds a certificate: two explicit tables
#' with all of the released margins, whose counts at the cell differ by at least `beta`. Whoever has
#' only the margins cannot tell these tables from the original, so that the interval of the cell
#' holds both counts. [verify_release()] checks all certificates by code of its own.
#'
#' # Method
#' * **Components.** The variables are split into a tree of components of at most `root_size`
#'   variables; two neighbours share a separator all of whose margins are released. Tables of the
#'   components that agree on the separators can be glued to a full table (Dobra and Fienberg), so
#'   that each component is certified on its own, in a dense table of a few variables. A component
#'   need not be released as a whole: it is no clique as in [release_anneal()].
#' * **Certificates.** A cell of a component with a count below `beta` must reach `beta` in some
#'   other table with the same released margins. It is raised by moves on sets S of variables that
#'   are not released together: one more and one less in turn at the 2^|S| corners of a sub-box. A
#'   move may leave cells below zero; these debts are repaid by further moves, and what a debt costs
#'   is learned on the way, so that debts drift to where the table is dense.
#' * **Plan.** From all admissible sub-tables of a component (those with a count of at least `beta`
#'   at each cell at risk) down: where a cell has no certificate, the search may break released
#'   margins at a price, and the few sets that serve most cells are given up; then up again, set by
#'   set.
#' * **Growth.** The search begins with a decomposable release found by annealing, whose cliques
#'   need no search. Trees of components of 3, 4, 5, ... variables follow, and steps that make one
#'   component new: two neighbours are joined, a component takes a variable of its neighbour, or the
#'   last variables of a branch move to another separator. What releases more is kept. Each attempt
#'   has a budget of cells looked at; attempts that exceed it wait until the others are done, and
#'   continue with four times as many.
#' * **Gluing.** What a component's certificate changes is lifted to records of the full table;
#'   swaps of what hangs on a separator then bring the records to the cell, or take them away.
#'
#' The certificates of a release stay valid when sub-tables are taken out of it.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The full, confidential table.
#' @param risk (sdc_release_risk) A rule by [risk_width()] with `beta` of at most 10,000.
#' @param roots (whole number from 1 to 1000, or a list of sets of variables) How many trees to try
#'   for each size of component; or the sets to start from, each a character vector, a formula or a
#'   label like `"A:B"`.
#' @param root_size (whole numbers from 2 to 16, or `NULL`) The largest number of variables in a
#'   component; several are tried in turn, and the best release is kept. `NULL`: 3 to 12, as far as
#'   the time goes; with given `roots` from 8, or the largest of them, on. Small components are
#'   certified soon; larger ones mean more sub-tables and much more work.
#' @param searches (whole number from 1 to 1000) How many searches, each with random numbers and
#'   limits of its own; all but the first, which is that of `searches = 1`, leave out some of the
#'   small sizes in `root_size`. The best release is kept, of equal ones that of the first search.
#'   Workers share the searches ([sdcLattice-workers]); without workers they run one after the
#'   other. Searches of 10 s each on 20 variables of 4 levels found 208 sub-tables from components
#'   of 3 variables on, and 243, 250 and 243 from 5, 6 and 7 on; one search of 40 s found 253. So
#'   several searches are for workers that have nothing else to do.
#' @param forced (list of sets as in [margins()], or `NULL`) Sub-tables that must be released, since
#'   they are out already, say. Each must fit into a component.
#' @param seed (whole number, or `NULL`) For the walks; `NULL`: drawn from R's generator.
#' @param effort (number above 0) Scales how long certificates are looked for, cell by cell, in
#'   steps, not in seconds.
#' @param time_limit_s (number of at least 0, seconds of processor time, of all threads together)
#'   When to stop and take the best. No step of the search depends on the time, which only ends it:
#'   a longer limit is never worse, and two threads come as far in half of the time on the clock.
#'   Certificates are written and checked after it, which takes some seconds more at worst. While
#'   nothing has been certified yet the search continues, for up to a minute more.
#' @param max_looks (whole number of at least 0, or `Inf`) A limit of the same kind that counts
#'   work: cells looked at by the walks, some 3e8 a second. With it, and `time_limit_s = Inf`, the
#'   result is the same on every machine.
#' @param max_cells (whole number from 1 to 5e7) The most cells that the table of a component may
#'   have.
#' @param progress (flag) Show a progress bar?
#' @template param-record
#' @param threads (whole number >= 1) How many threads look for certificates; see
#'   [sdcLattice-threads]. They take cells and sets in batches of fixed size, so that the search
#'   makes the same steps with any number of them.
#' @param ... Must be empty.
#' @return An object of class [`sdc_release`][sdc_release], with these elements besides:
#'   * `certificates`: the tables of every cell at risk, as differences from `x` (private);
#'   * `components`: a data frame: `variables` and `separator` as labels, `hard` (cells of the
#'     component that needed a certificate), `blocked` (those for which sets were given up),
#'     `released` (sub-tables inside);
#'   * `forced` (labels);
#'   * `searches`: a data frame with `search`, `value` (sub-tables; `NA` where no release has
#'     certificates), `looks`, `stopped`, and `kept`;
#'   * `log`: a data frame of the course: `time_s`, `looks` (cells looked at so far), `tree`,
#'     `size`, `step`, `blocked`, `value` (the sub-tables of the tree at that point).
#'
#'   `upper_bound` is the number of admissible sub-tables, less those that have to be given up since
#'   several of them together show too much: for sets of variables whose own sub-tables, all
#'   released, bound a cell at risk below `beta` by the shuttle, one of these must go, with all that
#'   hold it. The true limit may be lower. The utility is [utility_tables()].
#' @section Errors:
#' `sdc_error_infeasible` when every one-way table breaks the rule, or with `forced` or given
#' `roots` no release has certificates that are found; `sdc_error_too_large` for a `beta` or counts
#' at risk beyond 10,000; `sdc_error_input` for anything else.
#' @section Without certificates: In tables of a few cells, or with more than a million admissible
#'   sub-tables, no release may have certificates that are found. Then a decomposable release is
#'   returned, found by [release_anneal()], whose bounds are exact in closed form; `guarantee` and
#'   `method` say so, `stopped` is `TRUE` and there are no `certificates`.
#' @section Guarantee: Certified: the width is at least `beta`, by explicit tables that were checked
#'   before the release was returned. Heuristic in its size: more may be possible, and what is not
#'   certified need not be unsafe.
#' @section Reproducible: The same `seed` gives the same release for any number of threads and
#'   workers, as long as `time_limit_s` does not cut the work. `stopped` is `TRUE`
#'   when a limit did; the log says how far the search came.
#' @section Complexity: For 13 variables and 41,684 stored cells: components of 8 variables take
#'   about a second, of 9 a few, of 10 half a minute. For 20 variables of 4 levels and 20,000
#'   records: components of 6 variables take a second, of 7 some ten seconds. Memory grows with the
#'   cells of a component and the length of the certificates, not with the cells of the full table.
#' @references Dobra, A. and Fienberg, S. E. (2000). Bounds for cell entries in contingency tables
#'   given marginal totals and decomposable graphs. *Proceedings of the National Academy of
#'   Sciences* 97, 11885-11892.
#'
#'   Korf, R. E. (1990). Real-time heuristic search. *Artificial Intelligence* 42, 189-211.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' re <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
#' re
#' re$components
#' verify_release(re)
release_reducible <- function(x, risk, roots = 1, root_size = NULL, ..., searches = 1,
                              forced = NULL, seed = NULL, effort = 1, time_limit_s = 30,
                              max_looks = Inf, max_cells = 4e5, threads = default_threads(),
                              progress = rlang::is_interactive(), record = NULL) {
  check_no_dots(...)
  check_record(record)
  begin <- work_seconds()
  problem <- search_problem(x, risk, kinds = "width")
  check_number(time_limit_s, min = 0)
  check_whole(max_looks, min = 0)
  check_number(effort, min = 1e-6)
  check_whole(max_cells, min = 1, max = 5e7)
  check_whole(searches, min = 1, max = 1000)
  use_threads(threads)
  check_flag(progress)
  if (max(problem$risk$beta, problem$x$counts[problem$at_risk]) > 1e4) {
    abort_sdc("too_large", c(
      "{.arg beta} and the counts of cells at risk must be at most 10,000 here.",
      x = "One of them is larger.",
      i = "Use {.fn release_anneal}, which bounds cells in closed form."
    ))
  }
  trees <- reducible_trees(problem, roots, root_size, max_cells)
  forced <- forced_sets(keepable_sets(forced, problem), problem)
  by_level <- !is.null(problem$steps)
  # all levels of each variable show which combinations of steps stand for none
  if (by_level) {
    forced <- maximal_sets(c(forced, one_way_in(problem)))
  }
  seed <- draw_seed(seed)
  options <- c(trees, list(forced = forced, max_cells = max_cells,
                           effort = effort, seed = seed, left_out = as.list(problem$left_out),
                           clock_step = 0, time_limit_s = time_limit_s, max_looks = max_looks,
                           give_up_s = time_limit_s + 60))
  free <- !by_level && length(forced) == 0 && length(options$roots) == 0
  found <- find_certified(problem, options, searches, progress)
  if (inherits(found, "condition")) {
    if (!free) signal_again(found)
    out <- release_without_certificates(x, risk, seed, begin, conditionMessage(found))
    return(release_beside(out, record))
  }
  width <- c(inner = certified_width(problem, found), outer = found$outer)
  new_release(
    problem, found$sets, method = "reducible", width = width,
    guarantee = paste0("certified: width at least ", format_count(width[["inner"]]),
                       ", by two explicit tables for each cell at risk"),
    upper_bound = found$limit, bound_class = class_of_kept("all releases", problem),
    optimal = below_sets(problem, found$sets) == found$limit,
    left_out = left_out_labels(problem),
    log = list2data_frame(found$log, length(found$log$time_s)), seed = seed,
    time_s = work_seconds() - begin, stopped = found$stopped,
    searches = found$searches, certificates = new_certificates(found$certificates),
    components = component_frame(found, problem$variables),
    forced = labels_in(problem, forced), record = record
  )
}

# The best of some searches, the first among equals, with what is said of all. The error of the
# first when none has a release.
find_certified <- function(problem, options, searches, progress) {
  found <- with_progress("Looking for certificates", function(tick) {
    work_apply(seq_len(searches), search_certified, list(problem = problem, options = options),
               tick = tick)
  }, show = progress)
  failed <- vapply(found, inherits, NA, "condition")
  if (all(failed)) {
    return(found[[1]])
  }
  of_each <- function(what) {
    out <- rep(NA_real_, length(found))
    out[!failed] <- vapply(found[!failed], what, 0)
    out
  }
  value <- of_each(function(one) below_sets(problem, one$sets))
  kept <- which.max(value)
  out <- found[[kept]]
  out$searches <- data.frame(
    search = seq_along(found), value = value, looks = of_each(function(one) max(one$log$looks)),
    stopped = failed | of_each(function(one) one$stopped + 0) %in% 1,
    kept = seq_along(found) == kept
  )
  out$stopped <- any(out$searches$stopped)
  out
}

# One search, or the error with which it ended when it found no release. All but the first leave out
# some small sizes: that tells searches apart more than random numbers do. A search that is ended
# from outside has nothing to give.
search_certified <- function(search, ready, tick) {
  options <- ready$options
  if (search > 1) {
    options$seed <- (options$seed + (search - 1) * search_step) %% 2^53
    left_out <- search %% min(length(options$sizes), 6)
    options$sizes <- options$sizes[seq_along(options$sizes) > left_out]
  }
  options$threads <- default_threads()
  options$levels <- levels_in(ready$problem)
  ending <- if (!is.null(tick)) function(done) if (isTRUE(tick(done))) rlang::interrupt()
  tryCatch(
    with_core(
      cpp_find_reducible(ready$problem, options, ending),
      hints = list(
        infeasible = "Use {.fn release_exact} for small tables, {.fn release_anneal} for others.",
        too_large = "Raise {.arg beta}, merge levels, or give smaller {.arg roots}."
      )
    ),
    sdc_error_infeasible = bare_condition, sdc_error_too_large = bare_condition
  )
}

# Between the seeds of searches, so that those of neighbouring seeds differ.
search_step <- 1e9 + 7

# Where no release has certificates for all cells: a decomposable one, whose bounds are a closed
# form.
release_without_certificates <- function(x, risk, seed, begin, why) {
  out <- release_anneal(x, risk, seed = seed, chains = 1, proposals = 2e4, progress = FALSE)
  out$method <- "decomposable, as no release with certificates was found"
  out$guarantee <- paste0(out$guarantee, "; no certificates: ", sub("\n.*", "", why))
  out$components <- NULL
  out$stopped <- TRUE
  out$time_s <- work_seconds() - begin
  out
}

# `n_trees`, `roots` and `sizes` as the core wants them.
reducible_trees <- function(problem, roots, root_size, max_cells) {
  given <- !is.numeric(roots)
  if (given) {
    roots <- sub_table_sets(roots, problem$variables, "roots")
    check_roots(roots, problem, max_cells)
  } else {
    check_whole(roots, min = 1, max = 1000)
  }
  largest <- if (given) max(lengths(roots)) else 2
  root_size <- root_size %||% if (given) seq(max(largest, 8), max(largest, 12)) else 3:12
  good <- if (is.numeric(root_size)) {
    root_size == floor(root_size) & root_size >= 2 & root_size <= 16
  }
  if (length(good) == 0 || !isTRUE(all(good))) {
    abort_sdc("input", c(
      "{.arg root_size} must be whole numbers from 2 to 16, or NULL.",
      x = if (length(good) > 1) "{describe_first(root_size, good)}" else "{describe(root_size)}"
    ))
  }
  if (given && any(root_size < largest)) {
    abort_sdc("input", c(
      "{.arg root_size} must not be smaller than a set of {.arg roots}.",
      x = "{.arg root_size} is {min(root_size)}, and one set has {largest} variables."
    ))
  }
  list(roots = if (given) roots else list(), n_trees = if (given) length(roots) else roots,
       sizes = as.integer(unique(pmin(root_size, length(problem$variables)))))
}

check_roots <- function(roots, problem, max_cells) {
  n <- lengths(roots)
  odd <- which(n == 0 | n > 16)
  if (length(roots) == 0 || length(odd) > 0) {
    abort_sdc("input", c(
      "{.arg roots} must be sets of 1 to 16 variables.",
      x = if (length(roots) == 0) "{.arg roots} is empty." else
        "{.arg roots[[{odd[1]}]]} has {n[odd[1]]}."
    ))
  }
  cells <- vapply(roots, function(set) prod(problem$dim[set]), 1)
  if (any(cells > max_cells)) {
    abort_sdc("too_large", c(
      "The table over a set of {.arg roots} must have at most {format_count(max_cells)} cells.",
      x = "{.arg roots[[{which(cells > max_cells)[1]}]]} has {format_count(max(cells))}.",
      i = "Raise {.arg max_cells}, or name fewer variables."
    ))
  }
}

# Nothing is returned that the independent check does not confirm.
certified_width <- function(problem, found) {
  problem[c("sets", "certificates")] <- found[c("sets", "certificates")]
  checked <- ask_checker(problem, problem$at_risk, NULL)
  if (checked$fault != 0) {
    abort_sdc("internal", c(
      "A release must pass the check of its certificates.",
      x = "This one did not: {verification_faults[[checked$fault + 1]]}.",
      i = "This is a mistake in the package. Please report it."
    ))
  }
  checked$least_width
}

component_frame <- function(found, variables) {
  data.frame(
    variables = set_labels(found$components, variables),
    separator = ifelse(lengths(found$separators) == 0, "", set_labels(found$separators, variables)),
    hard = found$hard, blocked = found$blocked, released = found$released
  )
}
