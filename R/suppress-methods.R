#' Look at a suppression
#'
#' `print()`, `format()` and `summary()` show no count or total of the original, and what its audit
#' found. `as.data.frame()` gives the counts or totals with their status and is as confidential as
#' the original. `as.table()`, `plot()` and `autoplot()` show what would be published.
#'
#' @details Of a certified suppression with more than 1,000,000 cells and totals (the option
#' `sdcLattice.full_cells`) the data frame lists those that are not zero; all others are published
#' zeros.
#' @param x,object (sdc_suppression, of counts or magnitudes) The suppression.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param totals (flag) Should the data frame have rows for totals? Should the array have the
#'   totals, as further levels? Should the picture show
#'   a window of the table with its totals? It does by default where the table has trees or
#'   crossings.
#' @param variables (character vector or `NULL`) One or two variables: the picture then shows them
#'   with their totals, over all levels of the others. `NULL`: of a table with trees or crossings
#'   the first two of the largest crossing.
#' @param ... Not used.
#' @return `as.data.frame()`: `cells` of the object (see [suppress()] and
#'   [suppress()][suppress.sdc_magnitude] for magnitudes): a row for each cell and total, zeros
#'   included: one factor for each variable, with the totals as its last levels, `freq` (of
#'   magnitudes `total`, `count` and `rules`), and `sdcStatus`, as sdcTable writes it.
#'   `as.table()`: an array, `NA` where suppressed. `summary()`: an object of class
#'   `sdc_suppression_summary`. `autoplot()`: a ggplot object.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown arguments, and for an
#' object whose fields were changed to something else.
#' @family suppress
#' @family magnitude
#' @aliases sdc_magnitude_suppression-methods
#' @name sdc_suppression-methods
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' su <- suppress(roehrig, maxN = 1, pattern = hidden)
#' summary(su)
#' as.table(su)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(su)
NULL

#' @rdname sdc_suppression-methods
#' @export
format.sdc_suppression <- function(x, ...) {
  check_whole_object(x)
  if (...length() > 0) return(marked_table(x, ...))
  audited <- c(if (is_certified(x)) certified_words(x),
               if (is.null(x$audit)) not_audited_words(x) else format(x$audit))
  failing <- startsWith(audited, "FAILS")
  c(
    audited[failing],
    "PRIVATE: holds the original table; publish() makes what may be released",
    suppressed_words(public_suppression(x)),
    primary_rule_words(x),
    lowest_words(x$lowest),
    repair_words(x$repair),
    if (length(x$notes) > 0) "the library warned: see $notes",
    audited[!failing]
  )
}

# "counts of 1; 2 of 4 primary cells withheld, 3 secondary cells by the pattern"
primary_rule_words <- function(x) {
  status <- table(factor(x$cells$sdcStatus, c("u", "x")))
  shown <- sum(is_shown(x))
  primary <- which(x$cells$sdcStatus == "u" | is_shown(x))
  totals <- length(setdiff(primary, inner_rows(x$cells, x$original$dimnames)))
  withheld <- if (shown > 0) paste(format_count(status[["u"]]), "of ")
  paste0(
    if (of_units(x)) "rules: " else "rule: ", rule_words(x), "; ", withheld,
    plural(length(primary), "primary cell"),
    if (totals > 0) paste0(" (", format_count(totals), " of them totals)"),
    if (shown > 0) " withheld", ", ",
    plural(status[["x"]], "secondary cell"), " ", chosen_by(x, x$version)
  )
}

not_audited_words <- function(x) {
  if (is_certified(x)) {
    return(NULL)
  }
  if (isTRUE(x$repair$passed)) "the audit of the repair passed, and was not kept" else "not audited"
}

#' @rdname sdc_suppression-methods
#' @export
summary.sdc_suppression <- function(object, ...) {
  check_no_dots(...)
  check_whole_object(object)
  inner <- inner_rows(object$cells, object$original$dimnames)
  amount <- abs(object$cells[[amount_column(object)]][inner])
  hidden <- is_withheld(object)[inner]
  structure(
    list(
      header = format(object), cells = table(factor(object$cells$sdcStatus, c("u", "x", "z", "s"))),
      lost = lost_share(object, amount, hidden)
    ),
    class = sdc_class(
      if (of_units(object)) "sdc_magnitude_suppression_summary", "sdc_suppression_summary",
      mark = "confidential"
    )
  )
}

# Cells of linked tables overlap, so that they have no such share: NULL.
lost_share <- function(x, amount, hidden) {
  if (!is.null(table_crossings(x$original))) {
    return(NULL)
  }
  if (sum(amount) > 0) sum(amount[hidden]) / sum(amount) else NA_real_
}

#' @export
format.sdc_suppression_summary <- function(x, ...) {
  c(
    x$header,
    paste0("cells and totals by status: ", paste(names(x$cells), x$cells, collapse = ", ")),
    if (!is.null(x$lost)) {
      paste0("CONFIDENTIAL: share of the grand total in suppressed cells: ",
             if (is.na(x$lost)) "none there" else percent(x$lost))
    }
  )
}

#' @rdname sdc_suppression-methods
#' @export
as.data.frame.sdc_suppression <- function(x, row.names = NULL, optional = FALSE, ...,
                                          totals = TRUE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  keep <- in_crossings(x)
  if (!totals) keep <- keep & seq_along(keep) %in% inner_rows(x$cells, x$original$dimnames)
  out <- x$cells[keep, ]
  rownames(out) <- NULL
  out
}

#' @rdname sdc_suppression-methods
#' @export
as.table.sdc_suppression <- function(x, totals = FALSE, ...) {
  check_no_dots(...)
  as.table.sdc_suppressed(public_suppression(x), totals)
}

#' @rdname sdc_suppression-methods
#' @usage \method{autoplot}{sdc_suppression}(object, ..., totals = has_layout(object),
#'   variables = NULL)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_suppression <- function(object, ..., totals = has_layout(object), variables = NULL) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  check_flag(totals)
  check_window_variables(variables, object$original$dimnames)
  draw_suppressed(public_suppression(object), "CONFIDENTIAL: primary and secondary cells", totals,
                  variables, object$cells$sdcStatus)
}
