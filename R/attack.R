#' What a reader can work out
#'
#' `attack()` takes the place of a reader who has a publication and knows how it was made.
#'
#' @param x The publication.
#' @param ... For the generic: arguments of methods.
#' @return See the methods.
#' @family attack
#' @export
attack <- function(x, ...) {
  check_given(x)
  UseMethod("attack")
}
