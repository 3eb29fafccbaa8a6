# Why a cell is as it is, in words.

#' Explain a result, or one of its cells, in plain words
#'
#' `explain(x)` says what an object is, what its main figures mean and what follows from them.
#' `explain(x, cell)` says of one cell which rule fired, why it was changed or withheld, and from
#' which published numbers its interval follows.
#'
#' @details The explanation of a **private** object ([perturb()], [round_controlled()],
#' [suppress()], [redistribute()], a release, a server) holds confidential counts or figures that
#' were computed from them: the print says so. The explanation of a **public** object (margins,
#' bounds, publications, posteriors) says what any reader can work out.
#'
#' All classes have an explanation as a whole. Cell by cell `explain()` answers for tables, margins,
#' constraints, bounds, laws over a fibre, estimates, cycles, mechanisms, risks, perturbed, rounded,
#' suppressed and redistributed tables, their publications and posteriors, and the cells that
#' [sensitive()] judged.
#'
#' dplyr has an `explain()` too. When it is attached later it masks this one, and both give the same
#' for results of this package; `explain_cell()` is the same function under a name that nobody
#' masks.
#'
#' Intervals are explained by the published sums that give them: for each end a margin, a chain of
#' margins, or a row of the [constraints()] with what the other cells leave; where no single sum
#' does it, the words say that several together do. Bounds with certificates
#' (`bounds_margins(certificates = TRUE)`) say which ones: the sums that are added, those that are
#' taken off, and what they leave.
#'
#' @param x Any result of the package. With `cell`: what [margins()], [constraints()],
#'   [bounds_margins()], [fibre_distribution()] and [estimate_table()] return, tables, cycles,
#'   mechanisms and risks, what a method returns and what [publish()] makes of it, posteriors, maps,
#'   and what [sensitive()] returns for magnitudes.
#' @param cell (whole number, matrix with one row of level numbers, data frame with one row of
#'   labels, or named list or vector of labels; or `NULL`) The cell:
#'   `list(row = "1", column = "2")`. Labels may also name a published total, of tables with trees
#'   or crossings, of cycles, and of perturbed and suppressed tables. For maps a number, or a data
#'   frame or list with `q` and `r`.
#'   `NULL`: the whole object.
#' @param without (flag) Of a secondary cell of a certified suppression: what would follow if it
#'   were published? It takes two more searches: of certificates within the same pattern without it,
#'   and of the cheapest pattern without it.
#' @param time_limit_s (number >= 0, seconds of processor time) When these searches stop, together.
#' @param ... Not used.
#' @return An object of class `sdc_explanation`: `as.character()` gives its sentences, `print()`
#'   shows them; `x$private` says whether they hold what is confidential.
#' @section Errors: `sdc_error_input` when `cell` is not one cell of the table, when `x` has nothing
#'   to say about one cell, or is no object of this package.
#' @section Complexity: That of the bounds of one cell, where these must be computed.
#' @family compare
#' @export
#' @examples
#' # the release as a whole, then one cell of it
#' release <- margins(roehrig, list("row", "column"))
#' explain(release)
#' explain(release, cell = 2)
#' explain(bounds_margins(release), data.frame(row = 2, column = 4))
#' # what a design of perturbation does, and what it did to the first cell
#' me <- mechanism(cycles_banded(roehrig, seed = 11), covers = 2)
#' explain(me)
#' explain(perturb(roehrig, me, seed = 1, insist = TRUE), cell = 1)
#' # a rounded count, to the agency and to a reader
#' ro <- round_controlled(roehrig, base = 3, seed = 1)
#' explain(ro, cell = list(row = "3", column = "1"))
#' explain(publish(ro, insist = TRUE), cell = 3)
#' # a suppressed count, and the sums from which it can be bounded
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' explain(suppress(roehrig, maxN = 1, pattern = hidden), cell = 13)
#' # a primary cell with its certificates, and whether a secondary one is worth its price
#' su <- suppress(roehrig, maxN = 2, method = "certified", seed = 1)
#' explain(su, list(row = "1", column = "2"))
#' explain(su, list(row = "4", column = "2"), without = TRUE)
explain <- function(x, cell = NULL, ...) {
  check_given(x)
  UseMethod("explain")
}

#' @rdname explain
#' @export
explain_cell <- function(x, cell = NULL, ...) {
  check_given(x)
  explain(x, cell, ...)
}

# For those who attached dplyr later: its generic finds the same methods.
#' @rawNamespace
#' S3method(dplyr::explain, sdc_bounds)
#' S3method(dplyr::explain, sdc_constraints)
#' S3method(dplyr::explain, sdc_cycles)
#' S3method(dplyr::explain, sdc_estimate)
#' S3method(dplyr::explain, sdc_fibre)
#' S3method(dplyr::explain, sdc_hex)
#' S3method(dplyr::explain, sdc_hex_publication)
#' S3method(dplyr::explain, sdc_hex_redistribution)
#' S3method(dplyr::explain, sdc_magnitude_publication)
#' S3method(dplyr::explain, sdc_magnitude_redistribution)
#' S3method(dplyr::explain, sdc_margins)
#' S3method(dplyr::explain, sdc_mechanism)
#' S3method(dplyr::explain, sdc_object)
#' S3method(dplyr::explain, sdc_perturbation)
#' S3method(dplyr::explain, sdc_posterior)
#' S3method(dplyr::explain, sdc_publication)
#' S3method(dplyr::explain, sdc_risk)
#' S3method(dplyr::explain, sdc_rounded_publication)
#' S3method(dplyr::explain, sdc_rounding)
#' S3method(dplyr::explain, sdc_rounding_posterior)
#' S3method(dplyr::explain, sdc_sensitivity)
#' S3method(dplyr::explain, sdc_suppressed)
#' S3method(dplyr::explain, sdc_suppression)
#' S3method(dplyr::explain, sdc_table)
NULL

#' @export
as.character.sdc_explanation <- function(x, ...) x$lines

#' @export
format.sdc_explanation <- function(x, ...) {
  text <- strwrap(x$lines, min(96, getOption("width") - 2), exdent = 2)
  c(paste0(x$where, if (x$private) " (CONFIDENTIAL)"), paste0("  ", text))
}

#' @export
print.sdc_explanation <- function(x, ...) {
  cat("<sdc_explanation> ", paste0(format(x), "\n"), sep = "")
  invisible(x)
}

#' @export
explain.default <- function(x, cell = NULL, ...) {
  abort_sdc("input", c(
    "{.arg x} must be an object that a function of this package returned.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Give a table, margins, bounds, a posterior, a release, a publication, or another result."
  ))
}

# ---- intervals ---------------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_bounds <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  at <- one_cell(cell, x$dimnames)
  k <- match(at, combine_codes(x$codes, lengths(x$dimnames, FALSE), length(x$lower)))
  if (is.na(k)) {
    abort_sdc("input", c(
      "{.arg cell} must be one of the cells that have bounds.",
      x = "There are no bounds for {cell_words(at, x$dimnames)}."
    ))
  }
  new_explanation(cell_words(at, x$dimnames), bound_words(x, k), private = FALSE)
}

# Of the k-th cell that has bounds.
bound_words <- function(x, k) {
  certified <- inherits(x$certificates, "sdc_bounds_certificates")
  why <- if (certified) c(certificate_words(x, k), unattained_words(x, k))
  reason <- if (certified) NA else reason_words(x, k, 1)
  c(
    paste0("What was released leaves the count ", interval_words(x$lower[k], x$upper[k]),
           if (!is.na(reason)) paste0(", ", reason), "."),
    why,
    sharp_words(x$upper[k], x$sharp[k])
  )
}

sharp_words <- function(upper, sharp) {
  if (!sharp) {
    return("The sharp interval lies inside this one.")
  }
  attained <- if (upper < Inf) {
    "Both bounds are attained by some table"
  } else {
    "Some table attains the lower bound, and tables have counts as large as one likes"
  }
  paste0(attained, ", so the release alone reveals nothing more about this cell.")
}

# `all`: is this all that was released of the table?
explain_release <- function(x, at, dimnames, all = TRUE) {
  found <- bounds_margins(x, cells = at, progress = FALSE)
  words <- bound_words(found, 1)
  new_explanation(cell_words(at, dimnames), if (all) words else words[1], private = FALSE)
}

#' @rdname explain
#' @export
explain.sdc_margins <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- as_constraints(x)$dimnames
  explain_release(x, one_cell(cell, labels), labels)
}

#' @rdname explain
#' @export
explain.sdc_constraints <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  explain_release(x, one_cell(cell, x$dimnames), x$dimnames)
}

#' @rdname explain
#' @export
explain.sdc_estimate <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- dimnames(x$table)
  at <- one_cell(cell, labels)
  new_explanation(cell_words(at, labels), c(
    paste0("The estimate is ", format_number(x$table[at], 4), "."),
    "It was fitted: the cells of each released sum are scaled in turn, until all sums are as
     released, or within what was released of them. It says nothing about the cell beyond that."
  ), private = FALSE)
}

# By its number among the rows, or by the labels of its variables.
one_row <- function(cell, x, variables = judged_variables(x)) {
  check_given(cell, "cell")
  given <- cell <- as_cell(cell)
  if (is.data.frame(cell) && nrow(cell) == 1 && all(variables %in% names(cell))) {
    cell <- match_row(cell, x, variables)
  }
  ok <- is.numeric(cell) && length(cell) == 1 && cell %in% seq_len(nrow(x))
  if (ok) {
    return(as.integer(cell))
  }
  abort_sdc("input", c(
    "{.arg cell} must be the number of one row of {.arg x}, from 1 to {nrow(x)}, or a data frame
     with one row of labels.",
    x = "{cell_fault(given)}"
  ))
}

judged_variables <- function(x) names(x)[seq_len(match("count", names(x)) - 1)]

row_label <- function(x, at, variables = judged_variables(x)) {
  values <- vapply(variables, function(v) as.character(x[[v]][at]), "")
  if (length(variables) == 0) "the grand total" else paste(variables, values, collapse = ", ")
}

# The row of a frame that has the labels of another frame's row; NA when there is none.
match_row <- function(row, frame, variables) {
  same <- lapply(variables, function(v) as.character(frame[[v]]) == as.character(row[[v]]))
  which(Reduce(`&`, same, rep(TRUE, nrow(frame))))[1]
}
