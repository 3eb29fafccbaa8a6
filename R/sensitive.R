#' Which cells are sensitive
#'
#' @param x The confidential map or table.
#' @param ... For the generic: arguments of methods.
#' @family redistribute
#' @export
sensitive <- function(x, ...) {
  check_given(x)
  UseMethod("sensitive")
}

#' @export
sensitive.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a confidential map or table.", x = "It is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn hex_table} or {.fn magnitude_table}."
  ))
}
