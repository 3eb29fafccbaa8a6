# Sets of cycles: moves on the cells of a table that leave margins as they are.

#' Two-chance cycles over a whole two-way table
#'
#' Makes the cycles of a closed walk over all rows of an m x n table: cycle `i` adds 1 in row `k` at
#' column `a_k + i` and takes 1 at column `a_{k+1} + i` (columns modulo n). There are `n` cycles
#' (`m` when the walk runs along the columns); each keeps every row sum and column sum; and each
#' cell is on exactly two of them, once with +1 and once with -1.
#'
#' @details
#' **`walk = "lenz"`** always steps one column on, and returns to the start in the last row (Lenz's
#' program). It does not keep the margins when m mod n = 1; the walk then runs along the columns of
#' the table. That always works: m mod n = 1 makes m > n, and then n mod m = n, which is not 1. For
#' m < n, cycles at distance m - 1 share cells too, so the posterior costs more.
#'
#' **`walk = "chain"`** takes steps of one column to the right or left only, so that cycles share
#' cells with their two neighbours only, and the posterior costs least. For even m the steps
#' alternate (all to the right when m = n); for odd m and odd n <= m there are n steps to the right
#' and the rest alternates; in all other cases the walk runs along the columns. An alternating walk
#' touches two neighbouring columns only, so a zero blocks it more often, and it spreads changes
#' less.
#'
#' For m = n both walks are the same. In these sets a zero anywhere among the `2m` cells of a cycle
#' blocks it, and one known cell gives away the others on its diagonal; [cycles_banded()] protects
#' tables with small counts better.
#'
#' For a table with trees or a `formula` each block of siblings has a walk of its own, so that all
#' published totals stay: see [cycles_banded()].
#'
#' The cycles depend on nothing but shape, labels and trees: `x` is never asked for its counts.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes; two variables of at least two levels each)
#'   The table. Only its shape and labels are used.
#' @param walk (string) `"lenz"` or `"chain"`.
#' @return An object of class `sdc_cycles`, for [mechanism()]. `length()` is the number of cycles.
#' @section Errors:
#' `sdc_error_input` when `x` has not two variables, or one of them has fewer than two levels;
#' `sdc_error_too_large` above 2^31 - 1 cells; `sdc_error_infeasible` when no levels are siblings,
#' or nothing but totals is published, so that no cycle keeps all totals.
#' @section Guarantee:
#' Both one-way margins are kept, and all published totals of a table with trees or crossings; the
#' core checks every cycle when the set is built, in time linear in the number of cells, times the
#' number of totals over one of them.
#' @template ref-lenz
#' @template ref-slides
#' @family cycle
#' @examples
#' x <- as_sdc_table(table(a = c("u", "v", "w"), b = c("k", "l", "m")))
#' set <- cycles_bidiagonal(x)
#' set
#' as.list(set)[[1]]
#' @export
cycles_bidiagonal <- function(x, walk = c("lenz", "chain")) {
  x <- one_level_argument(x)
  labels <- two_way_labels(x)
  walk <- check_choice(walk, c("lenz", "chain"))
  sibling_cycles(x, labels, function(of) bidiagonal_rule(of, walk), ways(labels, 1))
}

bidiagonal_rule <- function(labels, walk) {
  n <- lengths(labels, use.names = FALSE)
  turned <- cpp_is_transposed_walk(walk, n[[1]], n[[2]])
  list(rule = "bidiagonal", parameters = list(walk = walk, transposed = turned))
}
