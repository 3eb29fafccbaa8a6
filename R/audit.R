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

#' @export
audit.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a suppression, or a redistribution of magnitudes.",
    x = "It is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn suppress} or {.fn redistribute}."
  ))
}
