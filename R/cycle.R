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
#' The cycles depend on nothing but shape and labels: `x` is never asked for its counts.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes; two variables of at least two levels each)
#'   The table. Only its shape and labels are used.
#' @param walk (string) `"lenz"` or `"chain"`.
#' @return An object of class `sdc_cycles`, for [mechanism()]. `length()` is the number of cycles.
#' @section Errors:
#' `sdc_error_input` when `x` has not two variables, or one of them has fewer than two levels;
#' `sdc_error_too_large` above 2^31 - 1 cells.
#' @section Guarantee:
#' Both one-way margins are kept; the core checks every cycle when the set is built, in time linear
#' in the number of cells.
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
  labels <- two_way_labels(x)
  walk <- check_choice(walk, c("lenz", "chain"))
  n <- lengths(labels, use.names = FALSE)
  turned <- cpp_is_transposed_walk(walk, n[[1]], n[[2]])
  new_sdc_cycles("bidiagonal", labels, list(walk = walk, transposed = turned), ways(labels, 1))
}

# All margins of `k` variables, as lists of their names.
ways <- function(labels, k) {
  lapply(utils::combn(length(labels), k, simplify = FALSE), function(at) names(labels)[at])
}

# Shape and labels of a table, and nothing else of it.
shape_labels <- function(x) {
  labels <- lapply(dimnames(table_argument(x, "x")), function(l) plain_strings(l))
  size <- prod(lengths(labels))
  if (length(labels) == 0 || size == 0) {
    abort_sdc("input", c("{.arg x} must have cells.", x = "It has none."))
  }
  if (size > .Machine$integer.max) {
    abort_sdc("too_large", c(
      "{.arg x} may have at most 2^31 - 1 cells to be moved along cycles.",
      x = "It has {size}."
    ))
  }
  labels
}

two_way_labels <- function(x) {
  labels <- shape_labels(x)
  if (length(labels) != 2) {
    abort_sdc("input", c(
      "{.arg x} must have two variables.",
      x = "It has {length(labels)}: {.val {names(labels)}}.",
      i = if (length(labels) > 2) "{.fn cycles_margin} makes cycles for tables of any number of
                                   variables."
    ))
  }
  short <- which(lengths(labels) < 2)
  if (length(short)) {
    abort_sdc("input", c(
      "{.arg x} must have at least two levels in each variable: no move keeps the margins
       otherwise.",
      x = "{.field {names(labels)[short]}} {?has/have} one."
    ))
  }
  labels
}

# A copy that shares nothing with `x` but the strings themselves.
plain_strings <- function(x) {
  out <- character(length(x))
  out[] <- enc2utf8(as.character(x))
  out
}

new_sdc_cycles <- function(rule, labels, parameters, preserves) {
  set <- structure(
    list(rule = rule, version = 1L, dimnames = labels, parameters = parameters,
         preserves = preserves),
    class = sdc_class("sdc_cycles")
  )
  validate_sdc_cycles(set)
}

# The core expands the set and checks every claimed margin.
validate_sdc_cycles <- function(set) {
  broken <- with_core(cpp_check_cycles(set))
  if (is.null(broken)) {
    return(set)
  }
  margin <- set$preserves[[broken$margin]]
  levels <- unique(margin_levels(broken$cells, set$dimnames, margin))
  shown <- utils::head(levels, 3)
  rest <- length(levels) - length(shown)
  abort_sdc("input", c(
    "Every cycle must keep the margin {.field {margin_name(margin)}}.",
    x = "Cycle {broken$cycle} changes it at
         {.val {shown}}{if (rest > 0) paste(' and', rest, 'more') else ''}."
  ))
}

margin_name <- function(margin) {
  if (length(margin)) paste(margin, collapse = " x ") else "total"
}

margin_levels <- function(cells, labels, margin) {
  if (length(margin) == 0) {
    return("total")
  }
  at <- arrayInd(cells, lengths(labels, use.names = FALSE))
  parts <- lapply(margin, function(v) labels[[v]][at[, match(v, names(labels))]])
  do.call(paste, c(parts, sep = ", "))
}
