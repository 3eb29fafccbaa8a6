# Tables and sets of cycles that belong together.

#' Published totals that cycles change
#'
#' A table with trees or links publishes totals beside its cells. Cycles made by [cycles_banded()],
#' [cycles_bidiagonal()], [cycles_margin()] or [cycles_data()] for such a table keep all of them.
#' This function lists those that a set of your own, or one with merged variables, changes.
#'
#' @param cycles (sdc_cycles) The set.
#' @param x (sdc_table, or what [as_sdc_table()] takes; or NULL) A table with trees or a `formula`,
#'   with the variables and levels of the set. Only its shape, labels, trees and crossings are used.
#'   `NULL`: those of the table for which the set was made.
#' @param max_rows (whole number) The list stops with an error above this number of rows.
#' @return A data frame with one row for each cycle and each total that it changes: `cycle`
#'   (integer), a factor for each variable with the node (a level, an inner node of a tree, or the
#'   total), and `change` (whole number, when the cycle is added once). No rows when all are kept.
#'   Where a crossing publishes all levels, only its totals over one variable are listed: the others
#'   are sums of these.
#' @section Errors:
#' `sdc_error_input` when the set has other variables or levels than `x`, when neither has trees or
#' crossings, and when a variable is itself called `cycle` or `change`; `sdc_error_too_large` above
#' `max_rows`.
#' @section Guarantee:
#' Exact. An empty list means that every published total stays, whatever the coins. Time is linear
#' in the entries of the set times the totals over a cell.
#' @family cycle
#' @examples
#' cells <- expand.grid(region = c("a1", "a2", "b1", "b2"), sex = c("f", "m"))
#' cells$n <- c(3, 1, 4, 2, 5, 2, 6, 3)
#' tree <- data.frame(parent = c(NA, "Total", "Total", "a", "a", "b", "b"),
#'                    child = c("Total", "a", "b", "a1", "a2", "b1", "b2"))
#' x <- sdc_table(cells, ~ region + sex, freqVar = "n", hierarchies = list(region = tree))
#' # made for the table: moves within a and within b
#' changed_totals(cycles_banded(x, seed = 1))
#' # a move from a1 to b1 changes the totals of a and b
#' move <- matrix(c(1, 0, -1, 0, -1, 0, 1, 0), nrow = 4)
#' changed_totals(cycles(list(move), x, margins = list("region", "sex")))
#' @export
changed_totals <- function(cycles, x = NULL, max_rows = 1e5) {
  check_class(cycles, "sdc_cycles", make = "cycles_banded")
  check_whole(max_rows, min = 1)
  check_free_names(dimnames(cycles), c("cycle", "change"))
  layout <- cycles$layout
  if (!is.null(x)) {
    x <- one_level_argument(x)
    check_cycle_levels(x, cycles, "x")
    layout <- cycle_layout(x)
  }
  if (is.null(layout)) {
    abort_sdc("input", c(
      "The table must have trees or crossings.",
      x = "It has none: its totals are those of its margins.",
      i = "{.code cycles$preserves} has the margins that the set keeps."
    ))
  }
  changed_nodes(cycles, layout, max_rows)
}

check_fits_cycles <- function(x, set, arg = "x") {
  check_cycle_levels(x, set, arg)
  check_fits_layout(x, set, arg)
}

check_cycle_levels <- function(x, set, arg) {
  mine <- lapply(dimnames(x), plain_strings)
  theirs <- dimnames(set)
  if (identical(mine, theirs)) {
    return(invisible(x))
  }
  where <- if (!identical(lengths(mine, use.names = FALSE), lengths(theirs, use.names = FALSE))) {
    paste0("It has ", paste(lengths(mine), collapse = " x "), ", the cycles ",
           paste(lengths(theirs), collapse = " x "), " levels.")
  } else if (!identical(names(mine), names(theirs))) {
    first_difference("Variable", names(mine), names(theirs))
  } else {
    v <- which(!mapply(identical, mine, theirs))[[1]]
    first_difference(paste("In", in_quotes(names(mine)[[v]]), "level"), mine[[v]], theirs[[v]])
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have the variables and levels for which the cycles were made.",
    x = "{where}"
  ))
}

# Names and levels are public, so a message may show them.
first_difference <- function(what, mine, theirs) {
  at <- which(!mapply(identical, mine, theirs, USE.NAMES = FALSE))[[1]]
  paste0(what, " ", at, " is ", in_quotes(mine[[at]]), ", that of the cycles ",
  in_quotes(theirs[[at]]), ".")
}

in_quotes <- function(x) encodeString(x, quote = "\"")

# A table with trees needs cycles that keep its totals, or those that were made from it.
check_fits_layout <- function(x, cycles, arg) {
  layout <- cycle_layout(x)
  if (is.null(layout) || identical(layout, cycles$layout)) {
    return(invisible(x))
  }
  check_totals_kept(
    cycles, layout, paste0("The cycles must keep the published totals of {.arg ", arg, "}."),
    "Make the cycles from the table with its trees: they then move within siblings."
  )
}

# The mechanism, told of the totals that it keeps: those of the table.
mechanism_of_table <- function(mechanism, x) {
  layout <- cycle_layout(x)
  if (!is.null(layout) && !identical(layout, mechanism$cycles$layout)) {
    mechanism$cycles$layout <- layout
    mechanism$cycles$totals_kept <- TRUE
  }
  mechanism
}

# A table drawn by the mechanism: it has the layout of the original, or the one that the cycles
# keep.
drawn_table <- function(counts, mechanism, layout) {
  set <- mechanism$cycles
  set_layout(table_from_dense(counts, dimnames(set)), layout %||% set$layout)
}
