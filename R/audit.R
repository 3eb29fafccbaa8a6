#' Check what a protected table still gives away
#'
#' `audit()` looks at a private result as a reader of its publication would, and says what is still
#' known exactly or nearly.
#'
#' @param x A private result.
#' @param ... For the generic: arguments of methods.
#' @export
audit <- function(x, ...) {
  check_given(x)
  UseMethod("audit")
}
