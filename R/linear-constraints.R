#' What a release says about a table, as linear constraints over whole numbers
#'
#' `constraints()` puts all that was released about one table into one system: margins, tables with
#' suppressed cells, rounded tables, intervals, tables with totals over hierarchies, tables that
#' share variables, published perturbations. [bounds_margins()], [count_tables()],
#' [sample_tables()] and the others that take a release take such a system, and make one of
#' anything that `constraints()` takes.
#'
#' # Parts of a release
#' Each element of `...` is one of
#' * **margins**: an [sdc_table()], [table()], matrix or array, or several by [margins()]: every
#'   cell, zeros included, is published exactly;
#' * **intervals** of cells and margins, by [intervals()], or a data frame with columns `lower` and
#'   `upper` (`NA`: no limit), or one of them. This is what rounding publishes;
#' * **cells of a table and its totals**: a data frame with a column of counts (`freqVar`), and,
#'   where cells are suppressed, with a column `sdcStatus` as sdcTable writes it, or `suppressed` as
#'   GaussSuppression does. Counts of suppressed cells are not read. The frame may have gaps: cells
#'   and totals without a row, and counts that are missing (`NA`), are not known; `lower` and
#'   `upper` say what is known of them. [sdc_table()] takes a frame without gaps;
#' * a problem of **sdcTable** (class `sdcProblem`), before or after it was protected;
#' * **conditional rates** ([conditionals()]), exact or rounded; the total comes as a data frame
#'   with one row, `data.frame(freq = N)`;
#' * a **publication** of a table with suppressed cells ([suppress()], [publish()]): what it shows;
#' * a **publication** of a rounded table ([publish()]): each cell and released margin within reach;
#' * a **publication** of a perturbed table ([publish()]): the margins that its cycles keep, and for
#'   each cell the interval that its moves leave;
#' * **constraints** made before, of the same variables and levels.
#'
#' In a data frame the other columns are variables (`dimVar` names them where there are more). A
#' row speaks of the sum of all cells that agree with it: a variable that is missing, or has the
#' value `total_label`, is summed over, and a value that is an inner node of the variable's tree
#' stands for the sum of its leaves. So tables of any dimension, and all their totals, are given
#' alike. A sum stands in a data frame once: mind that a column that `dimVar` leaves out is summed
#' over.
#'
#' # Variables and levels
#' The table has the variables of all parts, in the order in which they come first, and so every
#' part is a margin of it. The variables of [margins()] come in the order of their table. A variable
#' must have the same levels, in the same order, in all tables; in a data frame it has the levels of
#' its tree, or of a table that has it too, or else those that occur there. `dimnames` gives them
#' where no part shows all.
#'
#' # What is known of suppressed cells
#' Status `u` (primary) and `x` (secondary) are suppressed: such a cell is not negative, and that
#' is all that is known of it but for `known`. All other codes (`s`, `z`, `w`) count as published.
#' That is the careful reading: whoever audits a release must not credit it with secrets that it
#' may not keep.
#'
#' # Complexity
#' Memory and time are proportional to the number of cells plus the number of entries: for each row
#' of each part, the cells that it sums. A margin has as many entries as the table has cells.
#'
#' @param ... the parts of the release; names become the names of families of rows.
#' @param dimVar (character vector, formula or `NULL`) the variables among the columns of data
#'   frames; `NULL`: all columns but `freqVar`, `lower`, `upper`, `sdcStatus`, `suppressed`,
#'   `primary`.
#' @param freqVar (string) the column of counts in data frames.
#' @param hierarchies,dimList (named list) for some variables a tree, or a list of trees; see
#'   [hierarchies] for their formats. `dimList` is another name.
#' @param total_label (string) the value that stands for all levels of a variable without a tree.
#' @param known (numbers >= 0, two) how far below and above its true count everybody knows a
#'   suppressed cell to lie: `c(0, Inf)` would be from the count itself upwards. Needs the counts
#'   of suppressed cells. `NULL`: nothing is known.
#' @param tolerance (number >= 0) how far a rounded rate may be from the true one, in units of its
#'   last digit.
#' @param dimnames (named list of character vectors or `NULL`) variables and levels of the table.
#' @param max_entries (number) largest number of cells, and of entries, of the system.
#' @param x (object) what `constraints()` takes, or constraints.
#' @return An object of class `sdc_constraints`. `print()` shows its families; `as.data.frame()`
#'   has a row for each constraint: `set`, `label`, `cells` (how many it sums), `lower`, `upper`.
#'   It holds what is released and nothing else, unless `known` was given, which puts confidential
#'   counts into limits.
#' @section Errors: `sdc_error_input` for unknown variables or levels, levels that differ between
#'   parts, fractional or negative published counts; `sdc_error_infeasible` when two parts leave a
#'   cell no count, or a count is not between its limits; `sdc_error_too_large` above `max_entries`.
#' @family bounds
#' @export
#' @examples
#' # a two-way table with four suppressed cells, and its totals
#' cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
#' cells$suppressed <- cells$row %in% c("1", "4") & cells$column %in% c("2", "4")
#' release <- constraints(cells)
#' release
#' bounds_margins(release)
#'
#' # margins, and intervals of cells
#' constraints(margins(roehrig, list("row", "column")), cells = intervals(roehrig, 2))
constraints <- function(..., dimVar = NULL, freqVar = "freq", hierarchies = NULL, dimList = NULL,
                        total_label = "Total", known = NULL, tolerance = .5, dimnames = NULL,
                        max_entries = 5e7) {
  check_string(freqVar)
  check_string(total_label)
  check_number(max_entries, min = 1)
  check_known(known)
  check_number(tolerance, min = 0)
  hierarchies <- one_of_two(hierarchies, dimList)
  if (!is.null(dimVar)) {
    dimVar <- variable_names(dimVar, "dimVar")
    check_names_given(dimVar, "dimVar")
  }
  style <- list(dimVar = dimVar, freqVar = freqVar, total_label = total_label, known = known,
                tolerance = tolerance)
  parts <- release_parts(list(...), style)
  labels <- part_labels(parts, hierarchies, total_label, dimnames)
  compose_constraints(parts, labels, max_entries)
}

#' @rdname constraints
#' @export
is_sdc_constraints <- function(x) inherits(x, "sdc_constraints")

# What a function was given for its release, as constraints.
as_constraints <- function(x, arg = rlang::caller_arg(x), dimnames = NULL) {
  check_given(x, arg)
  if (!is_sdc_constraints(x)) {
    style <- list(freqVar = "freq", total_label = "Total", tolerance = .5)
    parts <- release_parts(list(x), style, arg)
    labels <- part_labels(parts, NULL, "Total", dimnames)
    return(compose_constraints(parts, labels, 5e7))
  }
  if (!is.null(dimnames) && !identical(given_dimnames(dimnames), x$dimnames)) {
    abort_sdc("input", c(
      "{.arg dimnames} must be those of the constraints, or left out.",
      x = "They differ."
    ))
  }
  x
}

check_known <- function(known) {
  ok <- is.null(known) ||
    (is.numeric(known) && length(known) == 2 && !anyNA(known) && all(known >= 0))
  if (!ok) {
    abort_sdc("input", c(
      "{.arg known} must be two numbers, not negative: how far below and above the count.",
      x = "{describe(known)}"
    ))
  }
}

# Constraints made before: their rows as they are, of which those of one cell are its limits.
#' @export
as_parts.sdc_constraints <- function(x, name, arg, style) {
  columns <- lapply(x$dimnames, function(levels) factor(character(), levels))
  of_set <- split(seq_along(x$rows$lower), factor(x$rows$set, seq_along(x$sets)))
  lapply(seq_along(x$sets), function(s) {
    part <- new_part(x$sets[s], columns, numeric(), numeric(), complete = TRUE)
    part$labels <- x$made_of$labels
    part$origin <- if (!is.null(x$made_of)) if (s == 1) x$made_of$parts else list()
    part$make_rows <- function(labels) {
      if (!identical(names(labels), names(x$dimnames))) {
        abort_sdc("input", c(
          "Constraints made before must have all variables of the release, in its order.",
          x = "They have {.val {names(x$dimnames)}}, the release {.val {names(labels)}}."
        ))
      }
      of_rates <- vapply(x$rates, function(rates) rates$set == s, NA)
      c(select_rows(x$rows, of_set[[s]]), list(rates = x$rates[of_rates]))
    }
    part
  })
}

# ---- methods ----------------------------------------------------------------------------------

#' @export
format.sdc_constraints <- function(x, ...) {
  n <- tabulate(x$rows$set, length(x$sets))
  exact <- x$rows$lower == x$rows$upper
  words <- vapply(seq_along(x$sets), function(s) {
    of <- x$rows$set == s
    paste0(
      x$sets[s], ": ", plural(n[s], "constraint"),
      if (any(of)) paste0(", ", format_count(base::sum(exact[of])), " exact")
    )
  }, "")
  c(
    paste0("<sdc_constraints> on ", shape_words(x$dimnames)),
    paste0("  ", utils::head(words, 6)),
    if (length(words) > 6) paste0("  and ",
                                  plural(length(words) - 6, "more family", "more families"))
  )
}

#' @rdname constraints
#' @param row.names,optional not used.
#' @export
as.data.frame.sdc_constraints <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  list2data_frame(list(
    set = factor(x$sets[x$rows$set], unique(x$sets)), label = x$rows$label,
    cells = diff(x$rows$start), lower = x$rows$lower, upper = x$rows$upper
  ), length(x$rows$lower))
}
