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

#' @export
attack.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a publication that can be attacked.", x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn publish}."
  ))
}
