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
#' **Which tables are networks.** One-way and two-way tables with their margins, two-way tables with
#' a tree over one of the variables, and any table whose released sums make up two families of
#' nested sums: such as A x B x C with `margins = list(c("A", "B"), "A", "C")`. All other tables are
#' rounded by an integer programme (package lpSolve): `"nearest"` only, least distance by `distance`
#' (without a second aim; ties are as the solver leaves them), and **a zero-restricted additive
#' rounding need not exist**. Then there is an error, or, with `violation = "least"`, the additive
#' rounding that breaks the zero restriction least: the sum over cells and margins of the multiples
#' by which they are outside of the adjacent ones; least distance among those.
#'
#' **Large tables that are no networks** (more than 1,000 cells and sums that are no multiples), and
#' those whose programme runs out of time, are rounded by a search: nearer multiples first, then
#' moves that mend the sums and, once all are mended, save distance. It can be interrupted, stops
#' after a fixed number of moves or at the time limit, and is a **heuristic**: `solver` is
#' `"search"`, a warning says so, and `gap` says by what share at most the distance could be less.
#' Where it finds no zero-restricted rounding, that is an error that proves nothing;
#' `violation = "least"` then takes the one that breaks the restriction little (a 437 x 4 x 3 table
#' with two trees, 9,440 cells and sums: some 100 of them by 1 or 2 multiples, after 3 seconds of
#' work).
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
#'   [hierarchies]: the margins then have the inner nodes too. `dimList` is another
#'   name.
#' @param total_label (string) What the total of a variable without a tree is called.
#' @param distance (string) What `"nearest"` makes least; see below.
#' @param violation (string) What to do when no zero-restricted additive rounding exists.
#' @param key,seed As in [perturb()]; for `"stochastic"` only.
#' @param time_limit_s (number, seconds) How long the integer programmes may take: processor time in
#'   all, and each by the clock of its solver.
#' @param ... Must be empty.
#' @return An object of class `sdc_rounding`: a list with `original`, `rounded` (sdc_table), `base`,
#'   `method`, `distance`, `margins`, `hierarchies`, `total_label`, `reproducible`, `solver`
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
#' programme: what the solver takes for the optimum, in floating point, checked to add up.
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
                             hierarchies = NULL, dimList = NULL, total_label = "Total",
                             distance = c("cells", "all"), violation = c("error", "least"),
                             key = NULL, seed = NULL, time_limit_s = 60, ...) {
  check_no_dots(...)
  x <- table_argument(x)
  check_given(base)
  check_whole(base, min = 1, max = 1e9)
  method <- check_choice(method, c("stochastic", "nearest"))
  distance <- check_choice(distance, c("cells", "all"))
  violation <- check_choice(violation, c("error", "least"))
  check_number(time_limit_s, min = 0)
  check_string(total_label)
  secret <- rounding_key(method, key, seed)
  sets <- rounding_sets(x, margins)
  hierarchies <- one_of_two(hierarchies, dimList)
  x <- with_leaves(x, hierarchies, total_label)
  trees <- plain_trees(hierarchies, x$dimnames, total_label)
  check_room_above(x, base)
  counts <- dense_counts(x)
  sums <- released_sums(x$dimnames, sets, trees, total_label)
  network <- sum_network(sums)
  found <- if (!is.null(network)) {
    list(counts = round_network(counts, sums, network, base, method, distance, secret),
         solver = "network", gap = 0)
  } else {
    check_can_round_otherwise(method)
    round_by_programme(counts, sums, base, distance, violation, time_limit_s)
  }
  violations <- if (is.null(network)) {
    rounding_violations(counts, found$counts, sums, base, x$dimnames)
  } else {
    no_violations()
  }
  out <- structure(
    list(
      original = x, rounded = table_from_dense(found$counts, x$dimnames), base = base,
      method = method,
      distance = if (method == "nearest") distance, margins = sets, hierarchies = trees,
      total_label = total_label, reproducible = !is.null(seed),
      solver = found$solver, gap = if (method == "nearest") found$gap, violations = violations,
      reach = base - 1 + base * max(0, abs(violations$by))
    ),
    class = sdc_class("sdc_rounding", mark = "private")
  )
  out$seal <- seal_of("rounding", rounding_parts(out))
  out
}

# The bytes from which the coins come, NULL where nothing is drawn.
rounding_key <- function(method, key, seed) {
  if (method == "stochastic") {
    return(c(charToRaw("sdcLattice round_controlled 1:"), check_key(key, seed)))
  }
  if (is.null(key) && is.null(seed)) {
    return(NULL)
  }
  abort_sdc("input", c(
    "{.arg key} and {.arg seed} are for {.code method = \"stochastic\"}.",
    x = "The method is {.val {method}}, which draws nothing."
  ))
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

check_room_above <- function(x, base) {
  total <- sum(x)
  if (total + (base - total %% base) %% base <= 2^53) {
    return(invisible(x))
  }
  abort_sdc("too_large", c(
    "Rounded counts must not exceed 2^53 (9,007,199,254,740,992).",
    x = "The grand total may, when it is rounded up.",
    i = "Use a smaller {.arg base}, or round parts of the table."
  ))
}

check_can_round_otherwise <- function(method) {
  if (method == "nearest") {
    return(check_installed("lpSolve", "to round tables that are no network"))
  }
  abort_sdc("input", c(
    "The unbiased procedure is for tables whose released sums are two families of nested sums.",
    x = "The released sums of {.arg x} have another structure.",
    i = "{.code method = \"nearest\"} rounds any table that can be; {.arg margins} says which sums
         are released."
  ))
}

round_network <- function(counts, sums, network, base, method, distance, secret) {
  with_core(
    if (method == "nearest") {
      cpp_round_nearest(counts, network, base, distance)
    } else {
      edges <- length(counts) + sum(vapply(sums, function(s) s$n, 0)) + 1
      cpp_round_randomly(counts, network, base, coin_bytes(secret, 2 * edges + 64))
    }
  )
}

no_violations <- function() list2data_frame(list(where = character(), by = numeric()), 0)

# The cells and sums that are outside of the two adjacent multiples.
rounding_violations <- function(counts, rounded, sums, base, dimnames) {
  outside <- function(from, to) {
    low <- from - from %% base
    high <- low + base * (low < from)
    (pmin(0, to - low) + pmax(0, to - high)) / base
  }
  listed <- function(by, labels) {
    at <- which(by != 0)
    data.frame(where = label_words(labels(at)), by = by[at])
  }
  cells <- listed(outside(counts, rounded), function(at) {
    lapply(cell_factors(at, dimnames), as.character)
  })
  of_sums <- lapply(sums, function(s) {
    listed(outside(add_parts(counts, s), add_parts(rounded, s)), function(at) sum_columns(s, at))
  })
  total <- outside(sum(counts), sum(rounded))
  of_total <- data.frame(where = "total", by = total)[total != 0, ]
  do.call(rbind, c(list(cells), of_sums, list(of_total)))
}

rounding_parts <- function(x) {
  fields <- c("base", "method", "distance", "margins", "total_label", "reproducible", "solver",
              "reach")
  list(table_parts(x$original), table_parts(x$rounded), lapply(x$hierarchies, lapply, unclass),
       unclass(x)[fields])
}
