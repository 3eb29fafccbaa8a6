# What redistribution has in common for maps of counts and tables of magnitudes.

#' Move counts or values out of sensitive cells
#'
#' `redistribute()` moves as little as possible so that no sensitive cell is left. Counts on a map of
#' hexagons: [redistribute.sdc_hex()]. Totals of magnitudes: [redistribute.sdc_magnitude()].
#'
#' @param x (sdc_hex or sdc_magnitude) The confidential map, of [hex_table()], or table, of
#'   [magnitude_table()].
#' @param ... Arguments of the methods.
#' @return An object of class `sdc_redistribution`. It is **private**: [publish()] makes what may
#'   leave the building.
#' @section Errors: `sdc_error_input` when `x` is neither; those of the methods.
#' @section Guarantee: That of the method; nothing is lost: the grand total stays (but for outliers of
#'   a map that are suppressed, which are listed).
#' @template ref-hexagons
#' @family redistribute
#' @export
#' @examples
#' map <- hex_table(data.frame(q = 0:3, r = 0, n = c(2, 5, 1, 7)), c("q", "r"), freqVar = "n")
#' redistribute(map, threshold = 3)
redistribute <- function(x, ...) {
  check_given(x)
  UseMethod("redistribute")
}

#' @export
redistribute.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a confidential map or table.", x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn hex_table} or {.fn magnitude_table}."
  ))
}
