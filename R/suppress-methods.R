#' Look at a suppression
#'
#' `print()`, `format()` and `summary()` show no count of the original. `as.data.frame()` gives the
#' counts with their status and is as confidential as the original. `as.table()`, `plot()` and
#' `autoplot()` show what would be published.
#'
#' @param x,object (sdc_suppression) The suppression.
#' @param totals (flag) Should the array have the totals, as further levels?
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with [data.frame()].
#' @return `as.data.frame()`: a row for each cell and total, zeros included: one factor for each
#'   variable, with the totals as its last levels, `freq`, and `sdcStatus` (see [suppress()]), as
#'   sdcTable writes it. `as.table()`: an array of counts, `NA` where suppressed. `summary()`: an
#'   object of class `sdc_suppression_summary`. `autoplot()`: a ggplot object.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, and for unknown arguments.
#' @family suppress
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
  status <- table(factor(x$cells$sdcStatus, c("u", "x")))
  by <- chosen_by(x, x$version)
  c(
    "PRIVATE: holds the original table; publish() makes what may be released",
    suppressed_words(public_suppression(x)),
    paste0("rule: ", rule_words(x), "; ", withheld_words(status[["u"]], sum(is_shown(x))), ", ",
           plural(status[["x"]], "secondary cell"), " ", by),
    repair_words(x$repair),
    if (length(x$notes) > 0) "the library warned: see $notes",
    if (is.null(x$audit)) not_audited_words(x) else format(x$audit)
  )
}

# A pattern may publish primary cells.
withheld_words <- function(withheld, shown) {
  if (shown == 0) {
    return(plural(withheld, "primary cell"))
  }
  paste0(format_count(withheld), " of ", plural(withheld + shown, "primary cell"), " withheld")
}

not_audited_words <- function(x) {
  if (isTRUE(x$repair$passed)) "the audit of the repair passed, and was not kept" else "not audited"
}

rule_words <- function(x) {
  zeros <- if (x$protectZeros) "zeros"
  small <- c(
    if (x$maxN == 1) "counts of 1",
    if (x$maxN > 1) paste("counts from 1 to", format_count(x$maxN))
  )
  paste(c(zeros, small, if (is.null(zeros) && is.null(small)) "no counts"), collapse = " and ")
}

# What private and public objects say alike.
suppressed_words <- function(x) {
  hidden <- x$cells$suppressed
  inner <- inner_rows(x$cells, x$dimnames)
  c(
    paste0("table with suppressed cells: ", shape_words(x$dimnames)),
    paste0("suppressed: ", format_count(sum(hidden[inner])), " of ",
           plural(length(inner), "cell"), ", ", format_count(sum(hidden[-inner])), " of ",
           plural(length(hidden) - length(inner), "total"), if (length(x$hierarchies) > 0) {
             paste0("; trees over ", paste(names(x$hierarchies), collapse = ", "))
           })
  )
}

#' @rdname sdc_suppression-methods
#' @export
print.sdc_suppression <- function(x, ...) {
  cat("<sdc_suppression>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @rdname sdc_suppression-methods
#' @export
summary.sdc_suppression <- function(object, ...) {
  check_no_dots(...)
  inner <- object$cells[inner_rows(object$cells, object$original$dimnames), ]
  hidden <- inner$sdcStatus %in% c("u", "x")
  structure(
    list(
      header = format(object), cells = table(factor(object$cells$sdcStatus, c("u", "x", "z", "s"))),
      lost = if (sum(inner$freq) > 0) sum(inner$freq[hidden]) / sum(inner$freq) else NA_real_
    ),
    class = "sdc_suppression_summary"
  )
}

#' @export
print.sdc_suppression_summary <- function(x, ...) {
  cat("<summary of sdc_suppression>", paste0("  ", x$header), sep = "\n")
  status <- paste(names(x$cells), x$cells, collapse = ", ")
  cat("  cells and totals by status: ", status, "\n", sep = "")
  lost <- if (is.na(x$lost)) "none there" else percent(x$lost)
  cat("  CONFIDENTIAL: share of the total in suppressed cells: ", lost, "\n", sep = "")
  invisible(x)
}

#' @rdname sdc_suppression-methods
#' @export
as.data.frame.sdc_suppression <- function(x, row.names = NULL, optional = FALSE, ...,
                                          stringsAsFactors = FALSE) {
  check_no_dots(...)
  x$cells
}

#' @rdname sdc_suppression-methods
#' @export
as.table.sdc_suppression <- function(x, totals = FALSE, ...) {
  check_no_dots(...)
  as.table.sdc_suppressed(public_suppression(x), totals)
}

#' @rdname sdc_suppression-methods
#' @export
plot.sdc_suppression <- function(x, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  show_picture(autoplot.sdc_suppression(x))
}

#' @rdname sdc_suppression-methods
#' @usage \method{autoplot}{sdc_suppression}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_suppression <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_suppressed(public_suppression(object), "CONFIDENTIAL: primary and secondary cells",
                  object$cells$sdcStatus)
}

# ---- the public side ----------------------------------------------------------------------------

#' Publish a table with suppressed cells, and look at it
#'
#' What [publish()] makes of a suppression: the published cells and totals, which others are
#' suppressed, and nothing that depends on the original in any other way. It is a part of a release
#' for [constraints()], [bounds_margins()], [count_tables()] and their kin, and for [audit()].
#'
#' @details No true count of a suppressed cell is in it, and no status: a reader who knows which
#' cells are primary knows that their counts are small. The result frames of sdcTable and
#' GaussSuppression have both.
#'
#' The rule stays behind too, unless `rule = TRUE`: who knows `maxN`, and how secondary cells are
#' chosen, can sometimes tell which cells are primary. Many offices publish it nevertheless.
#'
#' @param x,object (sdc_suppression for `publish()`, else sdc_suppressed) The suppression, or its
#'   publication.
#' @param insist (flag) `TRUE` publishes a pattern that fails.
#' @param rule (flag) Should the publication say `maxN` and `protectZeros`?
#' @param totals (flag) Give rows, or levels of the array, for totals?
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with [data.frame()].
#' @return An object of class `sdc_suppressed`: a list with `cells` (data frame: a factor for each
#'   variable, with the totals as its last levels, `freq`, `NA` where suppressed, `suppressed`),
#'   `dimnames` (levels without totals), `hierarchies`, `total_label`, `maxN` and `protectZeros`
#'   (`NULL` unless `rule = TRUE`). `as.data.frame()`: `cells`. `as.table()`: an array of counts,
#'   `NA` where suppressed. `summary()`: a data frame with the numbers of cells and totals, and
#'   of those suppressed.
#' @section Errors:
#' `sdc_error_refused` when the object was edited: its cells, status and trees are worked out again
#' from the original; and, unless `insist = TRUE`, when a cell that the rule calls primary is
#' published, or [audit()] with its default readers, which is always run again, finds that the
#' outsider knows a primary cell exactly, that a contributor learns one, or that time did not do;
#' `sdc_error_input` when ggplot2 is needed and not installed, and for unknown arguments.
#' @section Guarantee:
#' All parts are fresh copies. Two originals that lead to the same publication give identical
#' objects, and identical bytes in `serialize()` and `saveRDS()`.
#' @family suppress
#' @name sdc_suppressed-methods
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
#' pub <- publish(suppress(roehrig, maxN = 1, pattern = hidden))
#' pub
#' as.table(pub, totals = TRUE)
#' head(as.data.frame(pub), 3)
#' bounds_margins(pub, hidden)
#' sample_tables(pub, 1, seed = 1)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(pub)
NULL

#' @rdname sdc_suppressed-methods
#' @export
publish.sdc_suppression <- function(x, insist = FALSE, rule = FALSE, ...) {
  check_no_dots(...)
  check_flag(insist)
  check_flag(rule)
  verify_suppressed_counts(x)
  if (!insist) check_protects(x)
  public_suppression(x, rule)
}

check_protects <- function(x) {
  found <- audit(x, count = FALSE, progress = FALSE)
  known <- sum(found$cells$primary & found$cells$known == "exactly")
  open <- max(sum(found$cells$primary & !found$cells$sharp), found$unsure)
  learned <- nrow(unique(found$learned[names(x$original$dimnames)]))
  if (found$shown == 0 && known == 0 && open == 0 && learned == 0) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "Only a suppression that hides every primary cell can be published.",
    x = if (found$shown > 0) {
      "{found$shown} cell{?s} that the rule calls primary {?is/are} published."
    },
    x = if (known > 0) "{known} primary cell{?s} can be computed exactly from what is published.",
    x = if (learned > 0) {
      "{learned} primary cell{?s} {?is/are} learned by people who are alone in other cells."
    },
    x = if (open > 0) "What is known of {open} primary cell{?s} was not found in time.",
    i = if (known + open + learned > 0) {
      "{.fn audit} and its {.code $learned} show who learns what, for your eyes only."
    },
    i = if (x$method == "pattern" && found$shown > 0) {
      "Add {cli::qty(found$shown)}{?this cell/these cells} to {.arg pattern}:
       {.code subset(as.data.frame(x), sdcStatus == \"s\" & freq <= {format_count(x$maxN)})} lists
       {cli::qty(found$shown)}{?it/them}, for your eyes only. A total takes a {.arg pattern} that is a data frame."
    } else if (x$method == "pattern") {
      "Add further cells to {.arg pattern}, or leave it out: then a library chooses the cells."
    } else {
      "Ask the library for more, as by {.code lpPackage = \"lpSolve\", rangeMin = 3} of
       {.pkg GaussSuppression}, try the other {.arg method}, or add cells by {.arg pattern}."
    },
    i = "{.code insist = TRUE} publishes the table as it is."
  ))
}

public_suppression <- function(x, rule = FALSE) {
  labels <- plain(x$original$dimnames)
  hidden <- plain(is_hidden(x))
  freq <- plain(x$cells$freq)
  freq[hidden] <- NA_real_
  variables <- lapply(unclass(x$cells)[names(labels)], function(column) {
    as_level_factor(plain(as.integer(column)), plain(levels(column)))
  })
  names(variables) <- plain(names(labels))
  structure(
    list(
      cells = list2data_frame(c(variables, list(freq = freq, suppressed = hidden)), length(freq)),
      dimnames = labels, hierarchies = plain_trees(x$hierarchies, labels),
      total_label = plain(x$total_label), maxN = if (rule) as.double(x$maxN),
      protectZeros = if (rule) plain(x$protectZeros)
    ),
    class = "sdc_suppressed"
  )
}

#' @rdname sdc_suppressed-methods
#' @export
format.sdc_suppressed <- function(x, ...) {
  c(
    "public", suppressed_words(x),
    if (!is.null(x$maxN)) paste0("rule: ", rule_words(x), ", and others that protect them")
  )
}

#' @rdname sdc_suppressed-methods
#' @export
print.sdc_suppressed <- function(x, ...) {
  cat("<sdc_suppressed>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @rdname sdc_suppressed-methods
#' @export
summary.sdc_suppressed <- function(object, ...) {
  check_no_dots(...)
  inner <- seq_len(nrow(object$cells)) %in% inner_rows(object$cells, object$dimnames)
  hidden <- object$cells$suppressed
  data.frame(what = c("cells", "totals"), n = c(sum(inner), sum(!inner)),
             suppressed = c(sum(hidden & inner), sum(hidden & !inner)))
}

#' @rdname sdc_suppressed-methods
#' @export
as.data.frame.sdc_suppressed <- function(x, row.names = NULL, optional = FALSE, ..., totals = TRUE,
                                         stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  if (totals) x$cells else x$cells[inner_rows(x$cells, x$dimnames), ]
}

#' @rdname sdc_suppressed-methods
#' @export
as.table.sdc_suppressed <- function(x, totals = FALSE, ...) {
  check_no_dots(...)
  check_flag(totals)
  labels <- lapply(unclass(x$cells)[names(x$dimnames)], levels)
  at <- seq_len(nrow(x$cells))
  if (!totals) {
    labels <- x$dimnames
    at <- inner_rows(x$cells, x$dimnames)
  }
  structure(array(x$cells$freq[at], lengths(labels, FALSE), labels), class = "table")
}

#' @rdname sdc_suppressed-methods
#' @export
plot.sdc_suppressed <- function(x, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  show_picture(autoplot.sdc_suppressed(x))
}

#' @rdname sdc_suppressed-methods
#' @usage \method{autoplot}{sdc_suppressed}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_suppressed <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_suppressed(object, "Table with suppressed cells")
}

# `status` of all rows, of an object that is private: who published it tells no kinds apart.
draw_suppressed <- function(x, title, status = NULL, amount = "freq", name = "count") {
  at <- inner_rows(x$cells, x$dimnames)
  kind <- if (!is.null(status)) c(u = "primary", x = "secondary")[as.character(status[at])]
  draw_tiles(x$dimnames, x$cells[[amount]][at], name, unname(kind)) + ggplot2::labs(title = title)
}

# The parts of a release for constraints(): the cells and the totals that are published. A variable
# without a tree brings its total as one.
suppressed_parts <- function(x, name) {
  prefix <- paste0(name, if (nzchar(name)) " ")
  variables <- names(x$dimnames)
  inner <- seq_len(nrow(x$cells)) %in% inner_rows(x$cells, x$dimnames)
  part <- function(set, rows, complete, columns) {
    freq <- x$cells$freq[rows]
    new_part(paste0(prefix, set), rlang::set_names(columns, variables), freq, freq, complete)
  }
  shown <- !x$cells$suppressed
  cells <- which(inner & shown)
  codes <- lapply(variables, function(v) as.integer(x$cells[[v]]))
  columns <- Map(function(code, levels) as_level_factor(code[cells], levels), codes, x$dimnames)
  cells <- part("published cells", cells, TRUE, columns)
  flat <- setdiff(variables, names(x$hierarchies))
  cells$hierarchies <- c(x$hierarchies, lapply(x$dimnames[flat], function(levels) {
    n <- length(levels)
    list(list2data_frame(list(parent = rep(x$total_label, n), child = levels), n))
  }))
  totals <- which(!inner & shown)
  labels <- lapply(unclass(x$cells)[variables], function(column) as.character(column[totals]))
  list(cells, part("published totals", totals, FALSE, labels))
}
