#' Intervals around published counts
#'
#' What is known of a count that was published rounded: it lies within `below` and `above` of what
#' is shown, and is not negative. By controlled rounding to base `b`, a cell and a margin lie
#' within `b - 1`.
#'
#' @param x (sdc_table, table, array, or [margins()]) the published counts.
#' @param below,above (whole numbers >= 0) how far the true count may lie below and above.
#' @return An object of class `sdc_intervals`, a part of a release for [constraints()].
#' @section Errors: `sdc_error_input` for distances that are negative, missing or not whole.
#' @family bounds
#' @export
#' @examples
#' rounded <- as.table(matrix(c(15, 3, 3, 0, 21, 9, 12, 15, 3, 9, 9, 3, 12, 15, 6, 0), 4, byrow =
#' TRUE,
#'   dimnames = list(row = 1:4, column = 1:4)))
#' shown <- margins(rounded, list(c("row", "column"), "row", "column", character(0)))
#' count_tables(constraints(intervals(shown, 2)))
intervals <- function(x, below, above = below) {
  check_given(x)
  check_given(below)
  check_whole(below, min = 0, max = 2^53)
  check_whole(above, min = 0, max = 2^53)
  if (!inherits(x, "sdc_margins")) {
    x <- table_argument(x)
    x <- rlang::set_names(list(x), margin_label(names(x$dimnames)))
  }
  parts <- lapply(names(x), function(set) {
    part <- margin_part(x[[set]], set)
    part$lower <- pmax(0, part$lower - below)
    part$upper <- part$upper + above
    part
  })
  structure(rlang::set_names(parts, names(x)), class = sdc_class("sdc_intervals"),
            reach = c(below, above))
}

#' @export
format.sdc_intervals <- function(x, ...) {
  reach <- attr(x, "reach")
  paste0("<sdc_intervals> ", paste(names(x), collapse = ", "), ": within -", reach[1], " and +",
         reach[2])
}

#' @export
as_parts.sdc_intervals <- function(x, name, arg, style) {
  lapply(names(x), function(set) {
    part <- x[[set]]
    part$set <- part_name(name, set)
    part
  })
}
