# What a set of cycles preserves, and which cells one known cell gives away.

#' What a set of cycles preserves
#'
#' Every linear function of the cells that no move of the set changes has the same value in the
#' original and in the published table, so the publication gives it away. `preserved_functions()`
#' lists those that the margins do not give already; `determined_cells()` lists, for each cell, the
#' other cells whose originals follow when its own is known.
#'
#' @details
#' Functions are vectors of the left kernel of the matrix of cells by cycles. The list is a basis:
#' together with the sums of the margins that the set claims to keep, its functions make all others
#' by adding and scaling. Sums and differences of two cells stand first where there are any.
#'
#' Cells with the same coefficients on all cycles, up to a factor, move together: one gives the
#' others away. In a bidiagonal set of n rows and columns these are the n - 1 others on the
#' diagonal, in a pair of rows the partner in the same column, in a triad none (of three columns or
#' more). Sets that skip zeros preserve what the same set without skipping does.
#'
#' Of a set for a table with trees or crossings the list has the published totals, as sums of cells,
#' beside the functions that these do not give: only the latter are counted by
#' `summary(cycles)$beyond_margins`.
#'
#' @param cycles (sdc_cycles) The set.
#' @param max_rows (whole number) The functions stop above this number of rows, or of cells in the
#'   table; `determined_cells()` above this number of rows.
#' @return A data frame. `preserved_functions()`: `function` (integer), one factor for each
#'   variable, `coefficient` (whole number); one row for each cell that a function uses.
#'   `determined_cells()`: `known` and `determined` (integer), the numbers of two cells, the first
#'   variable running fastest, as in the rows of `as.data.frame(summary(cycles))`.
#' @section Errors:
#' `sdc_error_too_large` above `max_rows`, and where elimination takes too long; `sdc_error_input`
#' when a variable is itself called `function` or `coefficient`.
#' @section Guarantee:
#' Exact: elimination over the integers. The number of functions is linear to count
#' (`summary(cycles)$beyond_margins`); listing them takes at most the square of the number of cells
#' for sets made by rules.
#' @family cycle
#' @examples
#' # bands of two rows: in each column what one cell gains the other loses
#' set <- cycles_banded(matrix(0, 4, 3), group = 2, shuffle = FALSE)
#' # so sums over two cells never change, beside the row and column sums (a row for each cell of a
#' # function, with its coefficient)
#' head(preserved_functions(set))
#' # whoever knows one cell of such a sum knows the other
#' head(determined_cells(set))
#' @export
preserved_functions <- function(cycles, max_rows = 1e5) {
  check_class(cycles, "sdc_cycles", make = "cycles_banded")
  check_whole(max_rows, min = 1)
  labels <- dimnames(cycles)
  check_free_names(labels, c("function", "coefficient"))
  check_size(prod(dim(cycles)), max_rows, "cells with their functions")
  found <- with_core(cpp_list_preserved(cycles))
  check_size(length(found$cell), max_rows, "rows")
  columns <- c(
    list(`function` = found$`function`), cell_factors(found$cell, labels),
    list(coefficient = found$coefficient)
  )
  list2data_frame(columns, length(found$cell))
}

#' @rdname preserved_functions
#' @export
determined_cells <- function(cycles, max_rows = 1e6) {
  check_class(cycles, "sdc_cycles", make = "cycles_banded")
  check_whole(max_rows, min = 1)
  class <- with_core(cpp_count_preserved(cycles))$class
  mates <- mates_of(class)
  check_size(sum(mates), max_rows, "rows")
  at <- which(mates > 0)
  by_class <- split(at, class[at])[as.character(class[at])]
  out <- data.frame(known = rep(at, lengths(by_class)), determined = as.integer(unlist(by_class)))
  out <- out[out$known != out$determined, ]
  rownames(out) <- NULL
  out
}

# For each cell how many others are in its class; none where it never moves.
mates_of <- function(class) {
  size <- tabulate(class, max(class, 1L))
  out <- integer(length(class))
  out[class > 0] <- size[class[class > 0]] - 1L
  out
}

# The number of independent sums in the margins that a set claims: over all subsets of their
# variables the product of (levels - 1).
margin_rank <- function(x) {
  size <- dim(x)
  kept <- lapply(x$preserves, match, names(dimnames(x)))
  if (sum(2^lengths(kept)) > 1e6) {
    return(NA_real_)
  }
  sets <- unique(unlist(lapply(kept, subsets_of), recursive = FALSE))
  sum(vapply(sets, function(s) prod(size[s] - 1), 0))
}

# With the totals that it claims to keep: what is left are the moves within blocks of siblings.
kept_rank <- function(x) {
  if (!isTRUE(x$totals_kept)) {
    return(margin_rank(x))
  }
  free <- vapply(sibling_classes(dimnames(x), x$layout), function(of) {
    if (sum(lengths(of)) == 1) 1 else sum(lengths(of) - 1)
  }, 0)
  prod(dim(x)) - prod(free)
}

subsets_of <- function(v) {
  v <- sort(v)
  unlist(lapply(0:length(v), function(k) {
    lapply(utils::combn(length(v), k, simplify = FALSE), function(at) v[at])
  }), recursive = FALSE)
}

# "12 linear functions, made of column sums within each group"
preserved_words <- function(x) {
  if (is.na(x$beyond_margins)) {
    return("not counted, as it takes too long")
  }
  n <- x$beyond_margins
  paste0(plural(n, "linear function"), if (n > 0) form_words(x$cycles))
}

form_words <- function(cycles) {
  p <- cycles$parameters
  across <- if (isTRUE(p$transposed)) "row" else "column"
  switch(cycles$rule,
    bidiagonal = ", made of sums and differences of cells that move together",
    banded = if (p$group == 3 || all(lengths(p$groups) == 2)) {
      paste0(", made of the ", across, " sums within each group")
    } else {
      ", made of sums and differences of cells that move together"
    }
  )
}
