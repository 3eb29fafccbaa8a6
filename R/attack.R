#' What a reader can work out
#'
#' `attack()` takes the place of a reader who has a publication and knows how it was made. sdcTable
#' has a function of that name too, which masks this one when it is attached later; `attack_map()`
#' is the same function under a name that nobody masks.
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

#' @rdname attack
#' @export
attack_map <- function(x, ...) {
  check_given(x)
  attack(x, ...)
}

#' @export
attack.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a publication that can be attacked.", x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn publish}."
  ))
}
