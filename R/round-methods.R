#' @rdname publish
#' @export
publish.sdc_rounding <- function(x, insist = FALSE, ...) {
  check_no_dots(...)
  check_flag(insist)
  verify_rounding(x)
  if (x$reproducible && !insist) {
    abort_sdc("refused", c(
      "Only a rounding with secret coins can be published.",
      x = "This one was made with {.arg seed}: anybody can repeat its coins.",
      i = "Run {.fn round_controlled} without {.arg seed}; {.code insist = TRUE} publishes an
           example."
    ))
  }
  labels <- plain(x$rounded$dimnames)
  structure(
    list(
      table = table_from_dense(plain(dense_counts(x$rounded)), labels),
      base = as.double(x$base), method = plain(x$method),
      distance = if (!is.null(x$distance)) plain(x$distance),
      solver = plain(x$solver), reach = as.double(x$reach), margins = plain(x$margins),
      hierarchies = plain_trees(x$hierarchies, labels),
      total_label = plain(x$total_label)
    ),
    class = sdc_class("sdc_rounded_publication")
  )
}

#' Look at a rounded table
#'
#' `print()`, `format()` and `summary()` of a rounding show no count of the original.
#' `as.data.frame()` gives the original and the rounded counts side by side and is as confidential
#' as the original. `as.table()`, `plot()` and `autoplot()` show the rounded counts.
#'
#' @param x,object (sdc_rounding) The rounding.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param totals (flag) Add rows for totals, with the inner nodes of trees?
#' @return `as.data.frame()`: one factor for each variable, `original`, `rounded` (whole numbers).
#'   `summary()`: an object of class `sdc_rounding_summary` with the share of cells that are changed
#'   and the mean absolute change of cells, of all cells and of those with a count of 1 or 2
#'   (confidential). `autoplot()`: a ggplot object.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown arguments, and
#' from `as.data.frame()` when a variable is itself called `original` or `rounded`.
#' @family round
#' @name sdc_rounding-methods
#' @examples
#' ro <- round_controlled(roehrig, base = 3, seed = 1)
#' summary(ro)
#' head(as.data.frame(ro), 3)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(ro)
NULL

#' @rdname sdc_rounding-methods
#' @export
format.sdc_rounding <- function(x, ...) {
  c(
    "PRIVATE: holds the original table; publish() makes what may be released",
    if (x$reproducible) "reproducible, not for release",
    rounding_words(x, x$rounded),
    if (nrow(x$violations) > 0) paste0(
      "outside of the adjacent multiples: ",
      plural(nrow(x$violations), "cell or margin", "cells and margins"), ", by ",
      plural(sum(abs(x$violations$by)), "multiple"), " in all"
    ),
    if (isTRUE(x$gap > 0)) paste0("the least distance may be less by up to ", percent(x$gap))
  )
}

# What private and public objects say alike.
rounding_words <- function(x, table) {
  strict <- x$reach < x$base
  trees <- if (length(x$hierarchies) > 0) {
    paste0("; trees over ", paste(names(x$hierarchies), collapse = ", "))
  }
  sums <- vapply(x$margins, margin_label, "")
  sums <- setdiff(sums, margin_label(names(table$dimnames)))
  rule <- if (x$method == "stochastic") {
    "unbiased, by random pushes around cycles of residues"
  } else {
    paste0("nearest, least distance of ",
           if (x$distance == "cells") "cells" else "cells and margins", ", by ",
           switch(x$solver, network = "minimum cost flow", search = "a search, not proven",
                  "integer programme"))
  }
  c(
    paste0("rounded table: ", paste(dim(table), collapse = " x "), " cells (",
           paste(names(table$dimnames), collapse = ", "), "), total ", format_count(sum(table))),
    paste0("to base ", format_count(x$base), ", additive, ", if (!strict) "not ",
           "zero-restricted: within ", format_count(x$reach), " of the original"),
    paste0("rule: ", rule),
    cut_text(paste0("along: ", paste(c(sums, "(total)"), collapse = ", "), trees), 90)
  )
}

#' @rdname sdc_rounding-methods
#' @export
summary.sdc_rounding <- function(object, ...) {
  check_no_dots(...)
  original <- dense_counts(object$original)
  change <- abs(dense_counts(object$rounded) - original)
  small <- original %in% 1:2
  structure(
    list(
      header = format(object), cells = length(change), changed = mean_or_na(change > 0),
      change = mean_or_na(change), small_changed = mean_or_na(change[small] > 0),
      small_change = mean_or_na(change[small])
    ),
    class = sdc_class("sdc_rounding_summary", mark = "confidential")
  )
}

#' @export
format.sdc_rounding_summary <- function(x, ...) {
  line <- function(what, share, mean) {
    found <- if (is.na(share)) {
      "none there"
    } else {
      paste0(percent(share), " changed, by ", format(mean, digits = 3), " on average")
    }
    paste0("CONFIDENTIAL: of ", what, ": ", found)
  }
  c(
    x$header, line("all cells", x$changed, x$change),
    line("cells with a count of 1 or 2", x$small_changed, x$small_change)
  )
}

#' @rdname sdc_rounding-methods
#' @export
as.data.frame.sdc_rounding <- function(x, row.names = NULL, optional = FALSE, ...,
                                       totals = FALSE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  check_free_names(x$rounded$dimnames, c("original", "rounded"))
  rows <- function(table, name) {
    as.data.frame(
      table, totals = totals, hierarchies = if (totals) x$hierarchies, zeros = TRUE,
      responseName = name, total_label = x$total_label
    )
  }
  out <- rows(x$original, "original")
  out$rounded <- rows(x$rounded, "rounded")$rounded
  out
}

#' @rdname sdc_rounding-methods
#' @export
as.table.sdc_rounding <- function(x, ...) {
  check_no_dots(...)
  as.table(x$rounded)
}

#' @rdname sdc_rounding-methods
#' @usage \method{autoplot}{sdc_rounding}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_rounding <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_tiles(dimnames(object$rounded), dense_counts(object$rounded)) +
    ggplot2::labs(title = "Rounded table, not yet published")
}

#' Look at a published rounded table
#'
#' What [publish()] makes of a rounding: the rounded table, the base and the rule, and nothing that
#' depends on the original in any other way. It is a part of a release for [constraints()]: every
#' cell and every released margin lies within `reach`.
#'
#' @details `reach` is the base less 1 for a zero-restricted rounding. Where none exists and
#' `violation = "least"` was asked for, it is larger by the greatest violation: readers must know
#' it, and it tells them a little about the original.
#'
#' @param x,object (sdc_rounded_publication) The publication.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param totals (flag) Add rows for totals, with the inner nodes of trees? All totals are sums of
#'   the rounded cells.
#' @return The object is a list with `table` (sdc_table), `base`, `method`, `distance`, `solver`,
#'   `reach`, `margins` (the variables of each released margin), `hierarchies` and `total_label`.
#'   `as.data.frame()`: one factor for each variable and `count`, a row for each cell, zeros
#'   included. `margins()` of `x$table` gives the rounded margins.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown arguments, and
#' from `as.data.frame()` when a variable is itself called `count`.
#' @section Guarantee:
#' All parts are fresh copies. Two originals that lead to the same rounded table give identical
#' objects, and identical bytes in `serialize()` and `saveRDS()`.
#' @family round
#' @name sdc_rounded_publication-methods
#' @examples
#' pub <- publish(round_controlled(roehrig, base = 3, seed = 1), insist = TRUE)
#' pub
#' as.table(pub)
#' head(as.data.frame(pub, totals = TRUE), 5)
#' constraints(pub)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(pub)
NULL

#' @rdname sdc_rounded_publication-methods
#' @export
format.sdc_rounded_publication <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  c("public", rounding_words(x, x$table))
}

#' @rdname sdc_rounded_publication-methods
#' @export
as.data.frame.sdc_rounded_publication <- function(x, row.names = NULL, optional = FALSE, ...,
                                                  totals = FALSE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  check_free_names(x$table$dimnames, "count")
  as.data.frame(
    x$table, totals = totals, hierarchies = if (totals) x$hierarchies, zeros = TRUE,
    responseName = "count", total_label = x$total_label
  )
}

#' @rdname sdc_rounded_publication-methods
#' @export
as.table.sdc_rounded_publication <- function(x, ...) {
  check_no_dots(...)
  as.table(x$table)
}

#' @rdname sdc_rounded_publication-methods
#' @usage \method{autoplot}{sdc_rounded_publication}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_rounded_publication <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_tiles(dimnames(object$table), dense_counts(object$table)) +
    ggplot2::labs(title = "Rounded table")
}
