# Controlled rounding of a table: the confidential side.

#' Round a table so that it still adds up
#'
#' Rounds all cells and all released margins of a table to multiples of a base. The rounding is
#' **additive**: rounded margins are the sums of rounded cells. It is **zero-restricted**: a
#' multiple of the base stays, and everything else moves to one of the two adjacent multiples. The
#' result is **private**: it holds the original. [publish()] makes what may leave the building.
#'
#' @details **`method = "stochastic"`** is unbiased: the expectation of every rounded cell and
#' margin is exactly the original. The residues of cells and margins form a network in which what
#' flows into a node also flows out, up to multiples of the base. One finds a cycle of residues that
#' are not 0, and pushes an amount around it, which keeps all sums: up by `u`, as far as the
#' residues stay within 0 and the base, with probability `d / (u + d)`, or else down by `d`. At
#' least one residue is then done. The cycle is found by a fixed rule that looks at the residues
#' only (walk from the lowest cell, always along the lowest open cell or margin, until the walk
#' meets itself), so that a reader can compute the probability of each result, as
#' [posterior_rounding()] does. Not every zero-restricted additive rounding has a positive
#' probability: for [roehrig] to base 3 it is 32 of 64.
#'
#' **`method = "nearest"`** draws nothing: it is the zero-restricted additive rounding of least
#' total distance from the original, by minimum cost flow. `distance = "cells"` sums over the cells,
#' and decides between equals by the sum over the margins; `"all"` sums over cells and margins, and
#' decides by the cells. Of what is still equal the one is taken that is smallest in the first cell
#' where they differ, in the order of the cells (first variable fastest).
#'
#' **Which tables are networks.** One-way and two-way tables with their margins, two-way tables
#' with a tree over one of the variables, and any table whose released sums make up two families of
#' nested sums: such as A x B x C with `margins = list(c("A", "B"), "A", "C")`. All other tables
#' are rounded by an integer programme (the package's own search, in whole numbers): `"nearest"`
#' only, least distance by `distance` (without a second aim; ties are as the search leaves them),
#' and **a zero-restricted additive rounding need not exist**. Then there is an error, or, with
#' `violation = "least"`, the additive rounding that breaks the zero restriction least: the sum
#' over cells and margins of the multiples by which they are outside of the adjacent ones; least
#' distance among those.
#'
#' **Trees and links.** The trees of the table, or `hierarchies`, give totals that are rounded, too.
#' Of a table with a formula (see [sdc_table()]) the published crossings are rounded and additive
#' over common leaf cells; the leaf cells that are not published are multiples next to their counts,
#' and no part of the publication. Such linked tables are rounded by a programme or a search.
#'
#' **Large tables that are no networks** (more than 1,000 cells and sums that are no multiples) are
#' rounded by a search, and so are those whose programme finds nothing in time, or nothing as near:
#' nearer multiples first, then violated sums are mended by choosing all cells of a short sum anew
#' together, and, once all are mended, blocks of cells are chosen anew to save distance. It can be
#' interrupted, stops after a fixed number of steps or at the time limit, and is a **heuristic**:
#' `solver` is `"search"`, a warning says so, and `gap` says by what share at most the distance
#' could be less. Where it finds no zero-restricted rounding, that is an error that proves nothing;
#' `violation = "least"` then takes the one that breaks the restriction little, and `violations`
#' lists where. (A 437 x 4 x 3 table with two trees, 9,440 cells and sums: none is violated to base
#' 5 and to base 10, 12 by one multiple to base 3.)
#'
#' **Coins.** Each push uses one 64-bit number, or more where it would not divide evenly: words
#' below 2^64 mod (u + d) are skipped, the others taken mod (u + d) and compared with `d`. They come
#' from the stream that [perturb()] describes, of the bytes `sdcLattice round_controlled 1:`
#' followed by the key's. Never round the same table twice with secret coins and release both: the
#' mean of many unbiased roundings is the original.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The confidential table.
#' @param base (whole number from 1 to 1e9) The base. 1 changes nothing.
#' @param method (string) `"stochastic"` or `"nearest"`.
#' @param margins (list of character vectors or formulas, or `NULL`) The variables of each margin
#'   that is released and rounded along, as in [margins()]; `NULL`: all. The grand total always is.
#' @param hierarchies,dimList (named list) For some variables a tree, or a list of trees, see
#'   [hierarchies]: the margins then have the inner nodes too. `dimList` is another name. For a
#'   table without trees of its own.
#' @param total_label (string, or `NULL`) What the total of a variable without a tree is called;
#'   `NULL`: as the table calls it.
#' @param distance (string) What `"nearest"` makes least; see below. For linked tables always
#'   `"all"`: the published cells and totals.
#' @param violation (string) What to do when no zero-restricted additive rounding exists.
#' @param key,seed As in [perturb()]; for `"stochastic"` only.
#' @param time_limit_s (number, seconds of the processor) How long the integer programmes may take
#'   in all; a search has at least one second. Where the time ends, or the user interrupts, before
#'   the least distance is proven, the nearest rounding so far is taken, and `gap` says what is
#'   open.
#' @template param-record
#' @param ... Must be empty.
#' @return An object of class `sdc_rounding`: a list with `original`, `rounded` (sdc_table), `base`,
#'   `method`, `distance`, `margins`, `hierarchies`, `total_label`, `crossings`, `reproducible`,
#'   `solver`
#'   (`"network"`, `"integer programme"` or `"search"`), `gap` (for `"nearest"`: the share of the
#'   distance that is not proven to be needed), `violations` (data frame: the cells and margins
#'   outside of the adjacent multiples, and `by` how many multiples; no rows when the rounding is
#'   zero-restricted), `reach` (how far at most a cell or margin is from the original) and `seal`
#'   (see [publish()]).
#' @section Errors:
#' `sdc_error_infeasible` when no zero-restricted additive rounding exists; `sdc_error_too_large`
#' when the integer programme finds none in `time_limit_s`, or rounded counts may exceed 2^53;
#' `sdc_error_input` for anything else, as when `"stochastic"` is asked of a table that is no
#' network. A warning `sdc_warning_time` when the time ended before the least distance was proven.
#' @section Guarantee:
#' `"stochastic"`: exact law, every probability a ratio of whole numbers; additive, zero-restricted,
#' unbiased. The number of pushes is at most the number of cells and margins; near linear time in
#' practice (a 200 x 200 table in some 20 ms). `"nearest"` by flow: a proven optimum; by integer
#' programme: within `gap` of the optimum, proven in whole numbers; `gap` is 0 unless the time
#' ended.
#' The same table gives the same rounding, whatever other packages are installed.
#' @template ref-cox
#' @references Causey, B. D., Cox, L. H. and Ernst, L. R. (1985). Applications of transportation
#'   theory to statistical problems. *Journal of the American Statistical Association* 80, 903-909.
#' @family round
#' @export
#' @examples
#' ro <- round_controlled(roehrig, base = 3, seed = 1)
#' ro
#' as.table(ro)
#' round_controlled(roehrig, base = 5, method = "nearest")
#'
#' # a tree over one of two variables
#' rows <- data.frame(parent = c("all", "all", "A", "A", "B", "B"), child = c("A", "B", 1:4))
#' round_controlled(roehrig, base = 3, hierarchies = list(row = rows), seed = 1)
round_controlled <- function(x, base, method = c("stochastic", "nearest"), margins = NULL,
                             hierarchies = NULL, dimList = NULL, total_label = NULL,
                             distance = c("cells", "all"), violation = c("error", "least"),
                             key = NULL, seed = NULL, time_limit_s = 60, record = NULL, ...) {
  check_no_dots(...)
  check_record(record)
  task <- rounding_task(x, base, margins, hierarchies, dimList, total_label, time_limit_s)
  x <- task$x
  method <- check_choice(method, c("stochastic", "nearest"))
  distance <- rounding_distance(x, if (!missing(distance)) check_choice(distance,
                                                                        c("cells", "all")))
  violation <- check_choice(violation, c("error", "least"))
  drawn <- method == "stochastic"
  if (!drawn && !(is.null(key) && is.null(seed))) {
    abort_sdc("input", c(
      "{.arg key} and {.arg seed} are for {.code method = \"stochastic\"}.",
      x = "The method is {.val {method}}, which draws nothing."
    ))
  }
  secret <- if (drawn) rounding_secret("round_controlled", key, seed)
  network <- is_network(x, task$sets)
  if (drawn && !network) {
    abort_sdc("input", c(
      "The unbiased procedure is for tables whose released sums are two families of nested sums.",
      x = "The released sums of {.arg x} have another structure.",
      i = "{.code method = \"nearest\"} rounds any table that can be; {.arg margins} says which sums
           are released."
    ))
  }
  found <- if (network) round_by_network(x, task$sets, base, method, distance, secret) else
    round_by_programme(x, task$sets, base, distance, violation, time_limit_s)
  found$violations <- if (network) no_violations() else
    rounding_violations(x, found$rounded, task$sets, base)
  found$reach <- base - 1 + base * max(0, abs(found$violations$by))
  new_rounding(task, found, method, if (!drawn) distance, !is.null(seed), record)
}

#' Round the small counts of a table
#'
#' Changes only counts below the base: no published cell or total is left between 0 and the base,
#' and all published totals still add up. Counts of the base or more stay as they are, unless they
#' are sums of cells that change. The result is **private**: it holds the original. [publish()]
#' makes what may leave the building.
#'
#' @details Published are all crossings of the nodes of all variables, those of the table's formula
#' (see [sdc_table()]), or the `margins`. The leaf cells below published counts of 1 to `base` - 1
#' are **candidates**: each becomes 0 or `base`, so that these published counts become 0 or `base`.
#' All other leaf cells stay. Which candidates go up is chosen so that the published cells and
#' totals are near the original ones, in the sum of squares: one candidate after the other goes
#' where the sums decided so far come nearer; then single candidates, and pairs of one up and one
#' down below the same total, change sides while that helps (by simulated annealing). A published
#' total that becomes small on the way makes the rest of its leaf cells candidates, too.
#'
#' The idea is that of SmallCountRounding::PLSrounding(), which chooses by partial least squares;
#' the algorithm here is another.
#'
#' **What a reader knows.** Without `key` and `seed` nothing is drawn: who has the program can check
#' which originals lead to the published table. With a secret `key` the order of decisions is
#' random, from 64 bits of it.
#' The rounding is not unbiased, and no posterior is offered. A published leaf cell of 0 was
#' 0, ..., `base` - 1, one of `base` was 1, ..., `base`, and a larger one is exact. Every other
#' published number lies within `reach` of the original. That of the publication does not depend on
#' the original: see [publish()][sdc_rounded_publication-methods].
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The confidential table, with its trees and
#'   crossings.
#' @param base (whole number from 1 to 1e9) The base. 1 changes nothing.
#' @inheritParams round_controlled
#' @param key,seed As in [perturb()]. `NULL`, both: nothing is drawn.
#' @param time_limit_s (number, seconds of the processor) How long distance is saved. When the time
#'   ends first, the result keeps all guarantees, and a warning says so.
#' @return An object of class `sdc_rounding` as [round_controlled()] gives it, with the method
#'   `"small"`: `reach` is the greatest distance between a published cell and its original,
#'   `violations` has no rows. `summary()` gives the number of published cells, how many changed,
#'   the greatest and the mean absolute difference, the root of the mean square, and the utility by
#'   Hellinger's distance, over all published cells.
#' @section Errors:
#' `sdc_error_input` for arguments out of range, `sdc_error_too_large` for more published cells than
#' the option `sdcLattice.max_cells`, or rounded counts above 2^53.
#' @section Guarantee:
#' No published number lies between 0 and `base`; published numbers below `base` become 0 or `base`;
#' all published totals are the sums of the rounded leaf cells; no leaf cell of `base` or more
#' changes. The distance is that of a **heuristic**. Memory and time grow with the leaf cells and
#' published cells that are not zero: zeros stay, and are not stored.
#' @references Langsrud, O. and Heldal, J. (2018). An algorithm for small count rounding of tabular
#'   data. *Privacy in Statistical Databases*.
#'
#'   Shlomo, N., Antal, L. and Elliot, M. (2015). Measuring disclosure risk and data utility for
#'   flexible table generators. *Journal of Official Statistics* 31, 305-324 (Hellinger's distance).
#' @family round
#' @export
#' @examples
#' x <- sdc_table(data.frame(
#'   area = rep(c("a1", "a2", "b1", "b2"), each = 3), sex = c("f", "m", "x"),
#'   n = c(5, 1, 0, 2, 2, 1, 9, 4, 1, 7, 8, 2)
#' ), c("area", "sex"), freqVar = "n")
#' areas <- data.frame(parent = c(NA, "all", "all", "A", "A", "B", "B"),
#'                     child = c("all", "A", "B", "a1", "a2", "b1", "b2"))
#' ro <- round_small(x, base = 3, hierarchies = list(area = areas))
#' ro
#' summary(ro)
#' as.data.frame(publish(ro), totals = TRUE)
round_small <- function(x, base = 3, margins = NULL, hierarchies = NULL, dimList = NULL,
                        total_label = NULL, key = NULL, seed = NULL, time_limit_s = 60,
                        record = NULL, ...) {
  check_no_dots(...)
  check_record(record)
  task <- rounding_task(x, base, margins, hierarchies, dimList, total_label, time_limit_s)
  x <- task$x
  own <- !is.null(key) || !is.null(seed)
  start <- if (own) coin_bytes(rounding_secret("round_small", key, seed), 1) else raw(8)
  plan <- published_plan(x, task$sets)
  trials <- 2e5 + 100 * sum(plan$counts < base)
  found <- with_progress("Rounding small counts", function(tick) {
    with_core(cpp_round_small(plan, base, start, trials, time_limit_s, tick))
  })
  if (found$stopped) {
    warn_sdc("time", c(
      "The time ended before all trials to come nearer to the original were made.",
      i = "The rounding adds up and leaves no small published count. More {.arg time_limit_s} may
           bring it nearer."
    ))
  }
  rounded <- with_counts(x, replace(as.double(x$counts), found$cell, found$to))
  found <- list(rounded = rounded, solver = "search", violations = no_violations(),
                reach = published_distance(x, rounded, task$sets, base)$max)
  new_rounding(task, found, "small", NULL, !is.null(seed), record)
}

# What every rounding starts from: the table with its layout, and the variables of each released
# margin.
rounding_task <- function(x, base, margins, hierarchies, dimList, total_label, time_limit_s) {
  x <- one_level_argument(x)
  check_given(base)
  check_whole(base, min = 1, max = 1e9)
  check_number(time_limit_s, min = 0)
  sets <- rounding_sets(x, margins)
  x <- laid_out(x, one_of_two(hierarchies, dimList), total_label)
  if (!is.null(margins) && !is.null(table_crossings(x))) {
    abort_sdc("input", c(
      "{.arg margins} are for tables that publish all their totals.",
      x = "The formula of this table says which crossings it publishes.",
      i = "Leave {.arg margins} out, or make the table without {.arg formula}."
    ))
  }
  total <- sum(x)
  if (total + (base - total %% base) %% base > 2^53) {
    abort_sdc("too_large", c(
      "Rounded counts must not exceed 2^53 (9,007,199,254,740,992).",
      x = "The grand total may, when it is rounded up.",
      i = "Use a smaller {.arg base}, or round parts of the table."
    ))
  }
  list(x = x, sets = sets, base = base)
}

# Names of the variables of each released margin, but for the total and the table itself.
rounding_sets <- function(x, margins) {
  variables <- names(x$dimnames)
  if (is.null(margins)) {
    check_entries(2^length(variables), 2^12, "margins")
    return(c(list(), unlist(lapply(seq_along(variables), function(k) {
      utils::combn(variables, k, simplify = FALSE)
    }), recursive = FALSE)))
  }
  if (!is.list(margins)) {
    abort_sdc("input", c(
      "{.arg margins} must be a list with the variables of each margin, or NULL.",
      x = "{.arg margins} is {.obj_type_friendly {margins}}."
    ))
  }
  keep <- lapply(seq_along(margins), function(i) {
    margin_variables(x, margins[[i]], paste0("margins[[", i, "]]"))
  })
  check_distinct_sets(keep)
  unname(lapply(keep, function(k) variables[sort(k)]))
}

# What is made least: linked tables need not publish their leaf cells.
rounding_distance <- function(x, given) {
  linked <- !is.null(table_crossings(x))
  if (linked && identical(given, "cells")) {
    abort_sdc("input", c(
      "The distance of linked tables must be over all published cells and totals.",
      x = "{.arg distance} is {.val cells}.", i = "Take {.code distance = \"all\"}."
    ))
  }
  if (linked) "all" else given %||% "cells"
}

# The bytes from which the coins come.
rounding_secret <- function(make, key, seed) {
  c(charToRaw(paste0("sdcLattice ", make, " 1:")), check_key(key, seed))
}

# `found`: the rounded table, the solver, the gap, what is outside of the adjacent multiples, and
# how far published numbers lie from the original.
new_rounding <- function(task, found, method, distance, reproducible, record) {
  x <- task$x
  out <- structure(
    list(
      original = x, rounded = found$rounded, base = task$base, method = method,
      distance = distance, margins = task$sets, hierarchies = table_trees(x),
      total_label = table_total_label(x), crossings = table_crossings(x),
      reproducible = reproducible, solver = found$solver, gap = found$gap,
      violations = found$violations, reach = found$reach
    ),
    class = sdc_class("sdc_rounding", mark = "private")
  )
  out$seal <- seal_of("rounding", rounding_parts(out))
  beside_record(out, record, rounding_entry(out, public_rounding(out)))
}

rounding_parts <- function(x) {
  fields <- c("base", "method", "distance", "margins", "total_label", "crossings", "reproducible",
              "solver", "reach")
  stored <- function(table) list(table$dimnames, table$keys, table$counts)
  list(stored(x$original), stored(x$rounded), lapply(x$hierarchies, lapply, unclass),
       unclass(x)[fields])
}

# What a record keeps of a rounding: counts below its base, which must not be known, and the people
# who are alone.
rounding_entry <- function(x, public) {
  held <- x$original
  small <- which(held$counts > 0 & held$counts < x$base)
  list(publication = public, guarded = guarded_cells(held, small, 1, TRUE),
       people = people_alone(held, public), floored = NULL)
}

public_rounding <- function(x) {
  labels <- plain(x$rounded$dimnames)
  # of linked tables, whose leaf cells need not be published, the published cells and totals, with
  # nodes as levels
  linked <- !is.null(table_crossings(x$rounded))
  table <- if (linked) published_table(x$rounded) else x$rounded
  cells <- list(keys = plain(table$keys), counts = plain(as.double(table$counts)))
  # What small counts were really rounded by would tell them: of a single 0 it is the count. So it
  # is what all leaf cells together can change.
  small <- x$method == "small"
  reach <- if (small) min((x$base - 1) * prod(lengths(labels)), 2^53) else as.double(x$reach)
  structure(
    c(
      list(
        table = new_table(plain(table$dimnames), cells),
        base = as.double(x$base), method = plain(x$method),
        distance = if (!is.null(x$distance)) plain(x$distance),
        solver = plain(x$solver), reach = reach, margins = plain(x$margins),
        hierarchies = plain_trees(x$hierarchies, labels, x$total_label),
        total_label = plain(x$total_label)
      ),
      if (!is.null(x$crossings)) list(dimnames = labels, crossings = plain(x$crossings))
    ),
    class = sdc_class("sdc_rounded_publication")
  )
}

round_by_network <- function(x, sets, base, method, distance, secret) {
  sums <- released_sums(x$dimnames, sets, table_trees(x), table_total_label(x))
  network <- sum_network(sums)
  counts <- dense_counts(x)
  rounded <- with_core(
    if (method == "nearest") {
      cpp_round_nearest(counts, network, base, distance)
    } else {
      edges <- length(counts) + sum(vapply(sums, `[[`, 0, "n")) + 1
      cpp_round_randomly(counts, network, base, coin_bytes(secret, 2 * edges + 64))
    }
  )
  list(rounded = set_layout(table_from_dense(rounded, x$dimnames), x$layout), solver = "network",
       gap = if (method == "nearest") 0)
}
