# Which counts of a table are small.

#' Small counts of a table
#'
#' Lists the cells of a table of counts that are sensitive: those with at least one unit, and fewer
#' than a threshold. This is where protection begins.
#'
#' @param x (sdc_table, or an array of counts) The confidential table.
#' @param threshold (whole number from 2 on) A count from 1 to `threshold - 1` is sensitive.
#' @param totals (flag) Are the published totals judged as well, and nothing that is not published?
#'   By default they are when the table has trees or crossings.
#' @param ... Must be empty.
#' @return A data frame with the labels of each sensitive cell and its count in the column `freq`,
#'   the first variable running fastest; with totals, in the order of
#'   [as.data.frame()][as.data.frame.sdc_table]. It is as confidential as `x`. Zeros are not listed.
#' @section Errors: `sdc_error_input` for a threshold that is no whole number from 2 on, and for
#'   a variable with the name `freq`.
#' @section Guarantee: Time is linear in the number of cells that are not zero.
#' @family table
#' @examples
#' sensitive(roehrig)
#' sensitive(sdc_table(czech_workers), threshold = 4)
#' @export
sensitive.sdc_table <- function(x, threshold = 3, totals = !is.null(x$layout), ...) {
  check_no_dots(...)
  check_one_level(x)
  check_flag(totals)
  check_no_rules(threshold)
  check_threshold(threshold)
  check_free_names(x$dimnames, "freq")
  if (totals) x <- published_table(x)
  as.data.frame(small_cells(x, threshold - 1))
}

# The table of the cells with counts from 1 to maxN.
small_cells <- function(x, maxN) {
  new_table(x$dimnames, with_core(cpp_cells_up_to(dim(x), x$keys, x$counts, maxN)))
}
