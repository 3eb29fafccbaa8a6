#' What a set of cycles can do to each cell
#'
#' For each cell: the number of steps in one cover that touch it (its chances), how far one cover
#' can move it, and whether it can move at all. Without a table the answer depends on the set only.
#' With one, a cell is fixed under the zero rule "blocked" when each cycle of its touches a zero (in
#' a set that skips zeros: when its position, or all others of its bands, have one),
#' and the feasibility interval runs from the count minus the reach (at least 0) to the count plus
#' the reach.
#'
#' @param object (sdc_cycles) The set.
#' @param x (sdc_table or what [as_sdc_table()] takes, or NULL) The original table. **Confidential:
#'   the answer with a table is confidential too.**
#' @param covers (whole number) The number of covers that the interval counts.
#' @param ... Not used.
#' @details
#' A set preserves more than its margins. Who knows the published table and the set knows every
#' linear function of the original cells that no move changes: `preserved` is the number of
#' independent ones, `beyond_margins` that of those that the margins do not give. Of m rows and n
#' columns a bidiagonal ring keeps (m - 2)(n - 1) of them, pairs (m / 2 - 1)(n - 1), triads
#' (m / 3 - 1)(n - 1). [preserved_functions()] lists them, [determined_cells()] the cells that one
#' known cell gives away.
#' @return An object of class `sdc_cycles_summary`, with `preserved` and `beyond_margins` (`NA` for
#'   sets of a user's moves that take too long); `as.data.frame()` of it has one row for each
#'   cell: one factor for each variable, `chances`, `reach` (largest change, either way), `movable`,
#'   with a table `lower` and `upper`, and `determines`: how many other cells it gives away.
#' @section Errors:
#' `sdc_error_input` when `x` has other levels than the set, and from `as.data.frame()` when a
#' variable is itself called `chances`, `reach`, `movable`, `lower`, `upper` or `determines`.
#' @section Guarantee:
#' Cells that are not `movable` never change. The interval is what the reach allows; zeros and other
#' cells may narrow it. Preserved functions are counted exactly, by elimination over the integers.
#' Time and memory are linear in the entries of the set, for sets of a user's moves up to
#' elimination.
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(0, 1, 2, 5, 3, 4), 2))
#' summary(cycles_banded(x, seed = 1), x)
#' @export
summary.sdc_cycles <- function(object, x = NULL, covers = 1, ...) {
  check_no_dots(...)
  check_whole(covers, min = 1)
  counts <- NULL
  if (!is.null(x)) {
    x <- one_level_argument(x)
    check_fits_cycles(x, object)
    counts <- dense_counts(x)
  }
  found <- with_core(cpp_summarise_cycles(object, counts))
  kept <- with_core(cpp_count_preserved(object))
  cells <- data.frame(row.names = seq_along(found$cycles))
  cells$chances <- found$cycles
  cells$reach <- found$reach * covers
  cells$movable <- if (is.null(counts)) found$cycles > 0 else found$free
  if (!is.null(counts)) {
    cells$lower <- ifelse(cells$movable, pmax(0, counts - cells$reach), counts)
    cells$upper <- ifelse(cells$movable, counts + cells$reach, counts)
  }
  cells$determines <- mates_of(kept$class)
  structure(
    list(
      cycles = object, covers = covers, cells = cells, private = !is.null(counts),
      preserved = length(kept$class) - kept$rank,
      beyond_margins = length(kept$class) - kept$rank - kept_rank(object)
    ),
    class = sdc_class("sdc_cycles_summary", mark = if (!is.null(counts)) "confidential")
  )
}

#' @export
format.sdc_cycles_summary <- function(x, ...) {
  cells <- x$cells
  span <- function(v) paste(unique(format_count(range(v))), collapse = " to ")
  c(
    format(x$cycles),
    paste0("cells: ", format_count(nrow(cells))),
    paste0("chances of a cell in one cover: ", span(cells$chances)),
    paste0("largest change in ", plural(x$covers, "cover"), ": ", span(cells$reach)),
    paste0(
      "cells that cannot move", if (x$private) " (zero rule blocked, this table)", ": ",
      format_count(sum(!cells$movable))
    ),
    paste0("preserved beyond the ", if (isTRUE(x$cycles$totals_kept)) "margins and totals" else
             "margins", ": ", preserved_words(x)),
    paste0("other cells that one known cell gives away: ", span(cells$determines)),
    if (x$private) "CONFIDENTIAL: computed from the original table"
  )
}

#' @export
as.data.frame.sdc_cycles_summary <- function(x, row.names = NULL, optional = FALSE, ...,
                                             stringsAsFactors = FALSE) {
  check_no_dots(...)
  labels <- dimnames(x$cycles)
  check_free_names(labels, names(x$cells))
  out <- as.data.frame(cell_factors(seq_len(nrow(x$cells)), labels), optional = TRUE)
  cbind(out, x$cells)
}
