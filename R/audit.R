#' Check what a protected table still gives away
#'
#' `audit()` looks at a private result as a reader of its publication would, and says what is still
#' known exactly or nearly: of suppressed tables [audit.sdc_suppression()], of redistributed
#' magnitudes [audit.sdc_magnitude_redistribution()].
#'
#' @param x (private result) Of [suppress()], or of [redistribute()] of a table of magnitudes.
#' @param ... Arguments of the methods.
#' @return An object whose `print()` names failures first.
#' @section Errors: `sdc_error_input` when `x` is neither; those of the methods.
#' @family redistribute
#' @export
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' audit(suppress(roehrig, maxN = 1, pattern = hidden, audit = FALSE))
audit <- function(x, ...) {
  check_given(x)
  UseMethod("audit")
}

#' @export
audit.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a suppression, or a redistribution of magnitudes.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn suppress} or {.fn redistribute}."
  ))
}
