#' Look at a magnitude table with suppressed cells, and publish it
#'
#' Of the private result `print()`, `format()` and `summary()` show no value, and failures of its
#' [audit()][audit.sdc_magnitude_suppression] first; `as.data.frame()` has all totals and is as
#' confidential as the original; `as.table()`, `plot()` and `autoplot()` show what would be
#' published. `publish()` makes the public object: totals of cells that are not suppressed, which
#' others are, and nothing that depends on the original in any other way.
#'
#' @details A publication has no status, as a reader who knows which cells are sensitive knows
#' something of their contributors; no rules; and no numbers of contributors, unless
#' `counts = TRUE`: then those of the published cells and totals, from which those of suppressed
#' cells can often be computed. That a cell has one contributor is then no secret. `unit` is the one
#' that the published totals show; that of the data may be finer.
#'
#' @param x,object (sdc_magnitude_suppression, or sdc_magnitude_suppressed) The suppression, or its
#'   publication.
#' @param insist (flag) `TRUE` publishes a pattern that fails its audit.
#' @param counts (flag) Publish the numbers of contributors of published cells and totals?
#' @param totals (flag) Give rows, or levels of the array, for totals?
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with [data.frame()].
#' @return `publish()`: an object of class `sdc_magnitude_suppressed`: a list with `cells` (data
#'   frame: a factor for each variable, with the totals as its last levels, `total`, `NA` where
#'   suppressed, `count` where published, `suppressed`), `dimnames` (levels without totals),
#'   `variable`, `unit`, `hierarchies` and `total_label`. `as.data.frame()`: `cells`. `as.table()`:
#'   an array of totals, `NA` where suppressed. `summary()`: of the private result an object of
#'   class `sdc_magnitude_suppression_summary`, of a publication a data frame with the numbers of
#'   cells and totals, and of those suppressed. `autoplot()`: a ggplot object.
#' @section Errors:
#' `sdc_error_refused` when the object was edited: its cells, status, rules and trees are worked out
#' again from the original; and when the [audit()][audit.sdc_magnitude_suppression] with its default
#' readers, which is always run again, has failures, unless `insist = TRUE`; `sdc_error_input` when
#' ggplot2 is needed and not installed, and for unknown arguments.
#' @section Guarantee:
#' All parts are fresh copies. Two originals that lead to the same publication give identical
#' objects, and identical bytes in `serialize()` and `saveRDS()`.
#' @family magnitude
#' @family suppress
#' @name sdc_magnitude_suppression-methods
#' @examples
#' firms <- data.frame(
#'   region = rep(c("north", "middle", "south"), c(3, 4, 4)),
#'   turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' su <- suppress(mg, rule_p_percent(10), pattern = c(TRUE, TRUE, FALSE))
#' summary(su)
#' pub <- publish(su)
#' pub
#' as.data.frame(pub)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(pub)
NULL

#' @rdname sdc_magnitude_suppression-methods
#' @export
publish.sdc_magnitude_suppression <- function(x, insist = FALSE, counts = FALSE, ...) {
  check_no_dots(...)
  check_flag(insist)
  check_flag(counts)
  verify_suppressed_magnitudes(x)
  if (!insist) check_protects_magnitudes(x)
  public_magnitudes(x, counts)
}

check_protects_magnitudes <- function(x) {
  n <- audit(x, progress = FALSE)
  if (n$failures == 0) {
    return(invisible(x))
  }
  n <- n$counts
  abort_sdc("refused", c(
    "Only a suppression that protects every sensitive cell can be published.",
    x = if (n[["shown"]] > 0) "{n[['shown']]} sensitive cell{?s} {?is/are} published.",
    x = if (n[["unprotected"]] + n[["unsure"]] > 0) {
      "The intervals of {n[['unprotected']] + n[['unsure']]} cell{?s} are not known to reach their
       protection levels."
    },
    x = if (n[["near"]] > 0) "The second largest contributor comes near the largest one in {n[['near']]} cell{?s}.",
    x = if (n[["learned"]] > 0) "Contributors learn {n[['learned']]} sensitive cell{?s}.",
    x = if (n[["unions"]] > 0) {
      "The published totals give away {n[['unions']]} sum{?s} of suppressed cells that {?is/are}
       sensitive."
    },
    x = if (n[["unions_unsure"]] > 0) {
      "Whether sums that follow from the published totals are sensitive was not settled for
       {n[['unions_unsure']]} group{?s} of connected cells."
    },
    i = "{.fn audit} shows who learns what, for your eyes only.",
    i = if (x$method == "pattern" && n[["shown"]] > 0) {
      "Add the sensitive cells to {.arg pattern}: {.code subset(as.data.frame(x), rules != \"\")}
       lists them all. A total takes a {.arg pattern} that is a data frame."
    } else if (x$method == "pattern") {
      "Add further cells to {.arg pattern}, or leave it out: then a library chooses the cells."
    } else {
      "Give {.pkg GaussSuppression} a solver, as by {.code lpPackage = \"lpSolve\"}, or add cells by
       {.arg pattern}."
    },
    i = "{.code insist = TRUE} publishes the table as it is."
  ))
}

# Totals are written in the unit that they show, so that the unit of the data leaves no trace.
public_magnitudes <- function(x, counts = FALSE) {
  held <- x$original
  labels <- plain(held$dimnames)
  hidden <- plain(is_hidden(x))
  shown <- magnitude_unit(x$cells$total[!hidden], NULL, FALSE)
  total <- plain(in_values(in_units(x$cells$total, shown), shown))
  total[hidden] <- NA_real_
  values <- list(total = total)
  if (counts) {
    values$count <- plain(as.double(x$cells$count))
    values$count[hidden] <- NA_real_
  }
  variables <- lapply(unclass(x$cells)[names(labels)], function(column) {
    as_level_factor(plain(as.integer(column)), plain(levels(column)))
  })
  names(variables) <- plain(names(labels))
  structure(
    list(
      cells = list2data_frame(c(variables, values, list(suppressed = hidden)), length(hidden)),
      dimnames = labels, variable = plain(held$variable), unit = plain(shown$unit),
      hierarchies = plain_trees(held$hierarchies, labels),
      total_label = plain(held$total_label)
    ),
    class = "sdc_magnitude_suppressed"
  )
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
format.sdc_magnitude_suppression <- function(x, ...) {
  status <- table(factor(x$cells$sdcStatus, c("u", "x")))
  by <- chosen_by(x, x$version)
  audited <- if (is.null(x$audit)) not_audited_words(x) else format(x$audit)
  failed <- !is.null(x$audit) && x$audit$failures > 0
  c(
    if (failed) audited,
    "PRIVATE: holds the original table; publish() makes what may be released",
    magnitude_suppressed_words(public_magnitudes(x)),
    paste0("rules: ", paste(x$rules$label, collapse = ", "), "; ",
           withheld_words(status[["u"]], sum(nzchar(x$cells$rules) & !is_hidden(x))), ", ",
           plural(status[["x"]], "secondary cell"),
           " ", by),
    repair_words(x$repair),
    if (length(x$notes) > 0) "the library warned: see $notes",
    if (!failed) audited
  )
}

magnitude_suppressed_words <- function(x) {
  words <- suppressed_words(x)
  c(paste0("totals of ", x$variable, ", ", words[1]), words[-1])
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
print.sdc_magnitude_suppression <- function(x, ...) {
  cat("<sdc_magnitude_suppression>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
summary.sdc_magnitude_suppression <- function(object, ...) {
  check_no_dots(...)
  inner <- inner_rows(object$cells, object$original$dimnames)
  total <- object$cells$total[inner]
  structure(
    list(
      header = format(object), cells = table(factor(object$cells$sdcStatus, c("u", "x", "z", "s"))),
      lost = if (sum(total) > 0) sum(total[is_hidden(object)[inner]]) / sum(total) else NA_real_
    ),
    class = "sdc_magnitude_suppression_summary"
  )
}

#' @export
print.sdc_magnitude_suppression_summary <- function(x, ...) {
  cat("<summary of sdc_magnitude_suppression>", paste0("  ", x$header), sep = "\n")
  status <- paste(names(x$cells), x$cells, collapse = ", ")
  cat("  cells and totals by status: ", status, "\n", sep = "")
  lost <- if (is.na(x$lost)) "none there" else percent(x$lost)
  cat("  CONFIDENTIAL: share of the grand total in suppressed cells: ", lost, "\n", sep = "")
  invisible(x)
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
as.data.frame.sdc_magnitude_suppression <- function(x, row.names = NULL, optional = FALSE, ...,
                                                    stringsAsFactors = FALSE) {
  check_no_dots(...)
  x$cells
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
as.table.sdc_magnitude_suppression <- function(x, totals = FALSE, ...) {
  check_no_dots(...)
  as.table.sdc_magnitude_suppressed(public_magnitudes(x), totals)
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
plot.sdc_magnitude_suppression <- function(x, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  show_picture(autoplot.sdc_magnitude_suppression(x))
}

#' @rdname sdc_magnitude_suppression-methods
#' @usage \method{autoplot}{sdc_magnitude_suppression}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_magnitude_suppression <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_suppressed(public_magnitudes(object), "CONFIDENTIAL: primary and secondary cells",
                  object$cells$sdcStatus, "total", object$original$variable)
}

# ---- the public side ----------------------------------------------------------------------------

#' @rdname sdc_magnitude_suppression-methods
#' @export
format.sdc_magnitude_suppressed <- function(x, ...) {
  c(
    "public", magnitude_suppressed_words(x), paste("unit", plain_number(x$unit)),
    if (is.null(x$cells$count)) "numbers of contributors are not published"
  )
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
print.sdc_magnitude_suppressed <- function(x, ...) {
  cat("<sdc_magnitude_suppressed>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
summary.sdc_magnitude_suppressed <- function(object, ...) {
  summary.sdc_suppressed(object, ...)
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
as.data.frame.sdc_magnitude_suppressed <- function(x, row.names = NULL, optional = FALSE, ...,
                                                   totals = TRUE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  if (totals) x$cells else x$cells[inner_rows(x$cells, x$dimnames), ]
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
as.table.sdc_magnitude_suppressed <- function(x, totals = FALSE, ...) {
  check_no_dots(...)
  cells <- unclass(x$cells)[c(names(x$dimnames), "suppressed")]
  cells$freq <- x$cells$total
  x$cells <- list2data_frame(cells, nrow(x$cells))
  as.table.sdc_suppressed(x, totals)
}

#' @rdname sdc_magnitude_suppression-methods
#' @export
plot.sdc_magnitude_suppressed <- function(x, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  show_picture(autoplot.sdc_magnitude_suppressed(x))
}

#' @rdname sdc_magnitude_suppression-methods
#' @usage \method{autoplot}{sdc_magnitude_suppressed}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_magnitude_suppressed <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_suppressed(object, "Table with suppressed cells", NULL, "total", object$variable)
}
