# Rounding of small counts: the confidential side.

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
  x <- one_level_argument(x)
  check_whole(base, min = 1, max = 1e9)
  check_number(time_limit_s, min = 0)
  secret <- small_key(key, seed)
  sets <- rounding_sets(x, margins)
  x <- laid_out(x, one_of_two(hierarchies, dimList), total_label)
  check_layout_margins(x, margins)
  check_room_above(x, base)
  plan <- published_plan(x, plan_sets(sets, names(x$dimnames)))
  found <- run_small_rounding(plan, base, secret, time_limit_s)
  counts <- replace(as.double(x$counts), found$cell, found$to)
  out <- new_small_rounding(x, with_counts(x, counts), base, sets, !is.null(seed))
  beside_record(out, record, rounding_entry(out, public_rounding(out)))
}

# The bytes from which the order of decisions comes, or NULL.
small_key <- function(key, seed) {
  if (is.null(key) && is.null(seed)) {
    return(NULL)
  }
  c(charToRaw("sdcLattice round_small 1:"), check_key(key, seed))
}

run_small_rounding <- function(plan, base, secret, seconds) {
  start <- if (is.null(secret)) raw(8) else coin_bytes(secret, 1)
  trials <- 2e5 + 100 * sum(plan$counts < base)
  found <- with_progress("Rounding small counts", function(tick) {
    with_core(cpp_round_small(plan, base, start, trials, seconds, tick))
  })
  if (found$stopped) {
    warn_sdc("time", c(
      "The time ended before all trials to come nearer to the original were made.",
      i = "The rounding adds up and leaves no small published count. More {.arg time_limit_s} may
           bring it nearer."
    ))
  }
  found
}

new_small_rounding <- function(x, rounded, base, sets, reproducible) {
  distance <- published_distance(x, rounded, plan_sets(sets, names(x$dimnames)), base)
  out <- structure(
    list(
      original = x, rounded = rounded, base = base, method = "small", distance = NULL,
      margins = sets, hierarchies = table_trees(x), total_label = table_total_label(x),
      crossings = table_crossings(x), reproducible = reproducible, solver = "search", gap = NULL,
      violations = no_violations(), reach = distance$max
    ),
    class = sdc_class("sdc_rounding", mark = "private")
  )
  out$seal <- seal_of("rounding", rounding_parts(out))
  out
}
