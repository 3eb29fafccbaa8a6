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
