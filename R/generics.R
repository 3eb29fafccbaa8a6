# Generics that several rooms have methods for.

#' Which cells are sensitive
#'
#' Of a table of counts: the cells with small counts, [sensitive.sdc_table()]. Of a map of hexagons:
#' the cells below a threshold (see Details). Of a table of magnitudes: the cells and totals that
#' one of the [rules] finds, [sensitive.sdc_magnitude()].
#'
#' @param x (sdc_table, sdc_hex or sdc_magnitude; an array is taken for a table of counts) The
#'   confidential map or table.
#' @param ... Arguments of the methods.
#' @return A data frame, as confidential as `x`: of a table of counts the sensitive cells, otherwise
#'   a row for each cell.
#' @section Errors: `sdc_error_input` when `x` is none of these; those of the methods.
#' @family redistribute
#' @export
sensitive <- function(x, ...) {
  check_given(x)
  UseMethod("sensitive")
}

#' @export
sensitive.default <- function(x, ...) {
  if (is.array(x)) return(sensitive(as_sdc_table(x), ...))
  abort_sdc("input", c(
    "{.arg x} must be a confidential map or table.", x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn sdc_table}, {.fn hex_table} or {.fn magnitude_table}."
  ))
}

# What redistribution has in common for maps of counts and tables of magnitudes.

#' Move counts or values out of sensitive cells
#'
#' `redistribute()` moves as little as possible so that no sensitive cell is left. Counts on a map
#' of hexagons: [redistribute.sdc_hex()]. Totals of magnitudes: [redistribute.sdc_magnitude()].
#'
#' @param x (sdc_hex or sdc_magnitude) The confidential map, of [hex_table()], or table, of
#'   [magnitude_table()].
#' @param ... Arguments of the methods.
#' @return An object of class `sdc_redistribution`. It is **private**: [publish()] makes what may
#'   leave the building.
#' @section Errors: `sdc_error_input` when `x` is neither; those of the methods.
#' @section Guarantee: That of the method; nothing is lost: the grand total stays (but for outliers
#'   of a map that are suppressed, which are listed).
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
#' @examples
#' # a map after redistribution: every count is at least 3
#' x <- hex_table(data.frame(q = 0:4, r = 0, n = c(7, 1, 2, 4, 6)), c("q", "r"), freqVar = "n")
#' pub <- publish(redistribute(x, threshold = 3, outliers = "keep"))
#' # the reader lists all originals that lead to this map: cells shown as 3 may have been smaller,
#' # and `sensitive` says how probable that is
#' attack(pub)
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
    "{.arg x} must be a publication that can be attacked.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = if (inherits(x, "sdcProblem")) "{.fn sdcTable::attack} takes it." else
      "Make one with {.fn publish}."
  ))
}

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
#' # four cells in a rectangle: each sum over a row or column has two unknowns, so the sums give no
#' # cell away; but the audit FAILS, as a person who is alone in a cell subtracts herself
#' audit(suppress(roehrig, maxN = 1, pattern = hidden, audit = FALSE))
#'
#' # three of them: two rows or columns have one unknown, which is the sum minus the rest
#' hidden[1, 2] <- FALSE
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

# ---- files of publications ---------------------------------------------------------------------

# What the files say, as new_document() makes it. An object that cannot be what publish() returned
# may stop here in any way.
to_document <- function(x) UseMethod("to_document")

# The object again. `kind`: the class; `document`: what the JSON file holds; `lines`: of the CSV
# file, the first has the names of the columns. need() stops where they do not fit.
from_document <- function(kind, document, lines) {
  UseMethod("from_document", structure(list(), class = kind))
}

#' @export
from_document.default <- function(kind, document, lines) {
  damaged("this kind of publication is not known")
}
