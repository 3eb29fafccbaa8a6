# The structure of a private object would show what its print hides: str() prints it instead.

str_private <- function(object, ...) {
  print(object)
  invisible()
}

#' @importFrom utils str
#' @export
str.sdc_perturbation <- str_private

#' @export
str.sdc_release <- str_private

#' @export
str.sdc_release_risk <- str_private

#' @export
str.sdc_rounding <- str_private

#' @export
str.sdc_suppression <- str_private

#' @export
str.sdc_hex <- str_private

#' @export
str.sdc_hex_redistribution <- str_private

#' @export
str.sdc_magnitude <- str_private

#' @export
str.sdc_magnitude_redistribution <- str_private
