#' Which cells are sensitive
#'
#' Of a map of hexagons: the cells below a threshold (see Details). Of a table of
#' magnitudes: the cells and totals that one of the [rules] finds, [sensitive.sdc_magnitude()].
#'
#' @param x (sdc_hex or sdc_magnitude) The confidential map or table.
#' @param ... Arguments of the methods.
#' @return A data frame with a row for each cell, as confidential as `x`.
#' @section Errors: `sdc_error_input` when `x` is neither; those of the methods.
#' @family redistribute
#' @export
sensitive <- function(x, ...) {
  check_given(x)
  UseMethod("sensitive")
}

#' @export
sensitive.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a confidential map or table.", x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn hex_table} or {.fn magnitude_table}."
  ))
}
