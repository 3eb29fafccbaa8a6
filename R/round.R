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
  x <- one_level_argument(x)
  check_given(base)
  check_whole(base, min = 1, max = 1e9)
  method <- check_choice(method, c("stochastic", "nearest"))
  given <- if (!missing(distance)) check_choice(distance, c("cells", "all"))
  violation <- check_choice(violation, c("error", "least"))
  check_number(time_limit_s, min = 0)
  secret <- rounding_key(method, key, seed)
  sets <- rounding_sets(x, margins)
  x <- laid_out(x, one_of_two(hierarchies, dimList), total_label)
  check_layout_margins(x, margins)
  check_room_above(x, base)
  distance <- rounding_distance(x, given)
  found <- if (is_network(x, sets)) {
    round_by_network(x, sets, base, method, distance, secret)
  } else {
    check_can_round_otherwise(method)
    round_by_programme(x, sets, base, distance, violation, time_limit_s)
  }
  distance <- if (method == "nearest") distance
  out <- new_rounding(x, found, sets, base, method, distance, !is.null(seed))
  beside_record(out, record, rounding_entry(out, public_rounding(out)))
}

# `found`: the rounded table, the solver, and the gap.
new_rounding <- function(x, found, sets, base, method, distance, reproducible) {
  violations <- if (found$solver == "network") {
    no_violations()
  } else {
    rounding_violations(x, found$rounded, sets, base)
  }
  out <- structure(
    list(
      original = x, rounded = found$rounded, base = base, method = method, distance = distance,
      margins = sets, hierarchies = table_trees(x), total_label = table_total_label(x),
      crossings = table_crossings(x), reproducible = reproducible, solver = found$solver,
      gap = if (method == "nearest") found$gap, violations = violations,
      reach = base - 1 + base * max(0, abs(violations$by))
    ),
    class = sdc_class("sdc_rounding", mark = "private")
  )
  out$seal <- seal_of("rounding", rounding_parts(out))
  out
}

# What is made least: linked tables need not publish their leaf cells.
rounding_distance <- function(x, given) {
  if (is.null(table_crossings(x))) {
    return(if (is.null(given)) "cells" else given)
  }
  if (identical(given, "cells")) {
    abort_sdc("input", c(
      "The distance of linked tables must be over all published cells and totals.",
      x = "{.arg distance} is {.val cells}.", i = "Take {.code distance = \"all\"}."
    ))
  }
  "all"
}

# What a table with crossings publishes is said by its formula.
check_layout_margins <- function(x, margins) {
  if (is.null(margins) || is.null(table_crossings(x))) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg margins} are for tables that publish all their totals.",
    x = "The formula of this table says which crossings it publishes.",
    i = "Leave {.arg margins} out, or make the table without {.arg formula}."
  ))
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
    return(invisible())
  }
  abort_sdc("input", c(
    "The unbiased procedure is for tables whose released sums are two families of nested sums.",
    x = "The released sums of {.arg x} have another structure.",
    i = "{.code method = \"nearest\"} rounds any table that can be; {.arg margins} says which sums
         are released."
  ))
}

round_by_network <- function(x, sets, base, method, distance, secret) {
  sums <- released_sums(x$dimnames, sets, table_trees(x), table_total_label(x))
  counts <- dense_counts(x)
  rounded <- round_network(counts, sums, sum_network(sums), base, method, distance, secret)
  list(rounded = set_layout(table_from_dense(rounded, x$dimnames), x$layout), solver = "network",
       gap = 0)
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

rounding_parts <- function(x) {
  fields <- c("base", "method", "distance", "margins", "total_label", "crossings", "reproducible",
              "solver", "reach")
  stored <- function(table) list(table$dimnames, table$keys, table$counts)
  list(stored(x$original), stored(x$rounded), lapply(x$hierarchies, lapply, unclass),
       unclass(x)[fields])
}
