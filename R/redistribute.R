# What redistribution has in common for maps of counts and tables of magnitudes.

#' Move counts or values out of sensitive cells
#'
#' `redistribute()` moves as little as possible so that no sensitive cell is left.
#'
#' @param x The confidential map or table.
#' @param ... For the generic: arguments of methods.
#' @return An object of class `sdc_redistribution`. It is **private**: [publish()] makes what may
#'   leave the building.
#' @family redistribute
#' @export
redistribute <- function(x, ...) {
  check_given(x)
  UseMethod("redistribute")
}

#' @export
redistribute.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a confidential map or table.", x = "It is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn hex_table} or {.fn magnitude_table}."
  ))
}
