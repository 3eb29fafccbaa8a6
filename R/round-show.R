# How roundings and what is published of them are shown.

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
#' @param totals (flag) Add rows for totals, with the inner nodes of trees? For linked tables: the
#'   published cells and totals, instead of the leaf cells.
#' @param zeros (flag) Rows for cells that are zero in the original, too?
#' @return `as.data.frame()`: one factor for each variable, `original`, `rounded` (whole numbers).
#'   `summary()`: an object of class `sdc_rounding_summary` with the share of cells that are changed
#'   and the mean absolute change of cells, of all cells and of those with a count of 1 or 2, and
#'   over all published cells and totals, zeros included, how many there are and changed, the
#'   greatest and the mean absolute difference, the root of the mean square, and the utility
#'   1 - H / sqrt(n), where H is Hellinger's distance between original and rounded numbers and n the
#'   sum of the originals (confidential). `autoplot()`: a ggplot object.
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
  variables <- paste(names(table$dimnames), collapse = ", ")
  linked <- !is.null(x$crossings)
  size <- if (linked) lengths(x$dimnames %||% table$dimnames) else dim(table)
  size <- paste(size, collapse = " x ")
  trees <- if (length(x$hierarchies) > 0) {
    paste0("; trees over ", paste(names(x$hierarchies), collapse = ", "))
  }
  sums <- vapply(x$margins, margin_label, "")
  sums <- setdiff(sums, margin_label(names(table$dimnames)))
  small <- x$method == "small"
  c(
    if (linked) {
      paste0("rounded linked tables over ", size, " leaf cells (", variables, ")")
    } else {
      paste0("rounded table: ", size, " cells (", variables, "), total ", format_count(sum(table)))
    },
    paste0("to base ", format_count(x$base), ", additive, ",
           if (!small) paste0(if (x$reach >= x$base) "not ", "zero-restricted: "),
           "within ", format_count(x$reach), " of the original"),
    paste0("rule: ", if (small) {
      "small counts become 0 or the base, others stay; near by a search, not proven"
    } else if (x$method == "stochastic") {
      "unbiased, by random pushes around cycles of residues"
    } else {
      paste0("nearest, least distance of ",
             if (x$distance == "cells") "cells" else "cells and margins", ", by ",
             switch(x$solver, network = "minimum cost flow", search = "a search, not proven",
                    "integer programme"))
    }),
    if (linked) {
      paste0("along: ", plural(length(x$crossings), "crossing"), trees)
    } else {
      cut_text(paste0("along: ", paste(c(sums, "(total)"), collapse = ", "), trees), 90)
    }
  )
}

#' @rdname sdc_rounding-methods
#' @export
summary.sdc_rounding <- function(object, ...) {
  check_no_dots(...)
  from <- object$original$counts
  new <- object$rounded$counts[is.na(match_cells(object$rounded, object$original))]
  change <- c(abs(counts_beside(object$original, object$rounded) - from), new)
  cells <- length(object$original)
  small <- change[which(from %in% 1:2)]
  published <- published_distance(object$original, object$rounded, object$margins, object$base)
  structure(
    list(
      header = format(object), cells = cells, changed = mean_of(change > 0, cells),
      change = mean_of(change, cells), small_changed = mean_or_na(small > 0),
      small_change = mean_or_na(small),
      published = published[c("cells", "changed", "max", "mean", "rms", "utility")]
    ),
    class = sdc_class("sdc_rounding_summary", mark = "confidential")
  )
}

mean_of <- function(x, n) if (n > 0) sum(x) / n else NA_real_

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
  shown <- x$published
  c(
    x$header, line("all cells", x$changed, x$change),
    line("cells with a count of 1 or 2", x$small_changed, x$small_change),
    paste0("CONFIDENTIAL: of all ", format_count(shown$cells), " published cells and totals: at ",
           "most ", format_count(shown$max), " away, ", format(shown$mean, digits = 3),
           " on average"),
    paste0("CONFIDENTIAL: root of mean square ", format(shown$rms, digits = 3),
           ", utility by Hellinger's distance ", format(shown$utility, digits = 4))
  )
}

#' @rdname sdc_rounding-methods
#' @export
as.data.frame.sdc_rounding <- function(x, row.names = NULL, optional = FALSE, ...,
                                       totals = FALSE, zeros = TRUE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  check_flag(zeros)
  check_free_names(x$rounded$dimnames, c("original", "rounded"))
  out <- as.data.frame(x$original, totals = totals, zeros = zeros, responseName = "original")
  shown <- function(table) if (totals) published_table(table) else table
  out$rounded <- if (zeros) {
    as.data.frame(x$rounded, totals = totals, zeros = TRUE, responseName = "rounded")$rounded
  } else {
    counts_beside(shown(x$original), shown(x$rounded))
  }
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
#' What [publish()] makes of a rounding by [round_controlled()] or [round_small()]: the rounded
#' table, the base and the rule, and nothing that depends on the original in any other way. It is a
#' part of a release for [constraints()]: every cell and every released margin lies within `reach`.
#'
#' @details `reach` is the base less 1 for a zero-restricted rounding. Where none exists and
#' `violation = "least"` was asked for, it is larger by the greatest violation: readers must know
#' it, and it tells them a little about the original. Of [round_small()] it is the base less 1,
#' times the number of leaf cells, as the greatest distance would give small counts away.
#'
#' @param x,object (sdc_rounded_publication) The publication.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param totals (flag) Add rows for totals, with the inner nodes of trees? All totals are sums of
#'   the rounded cells. Linked tables always list all that they publish.
#' @param zeros (flag) Rows for cells that are zero, too?
#' @return The object is a list with `table` (sdc_table), `base`, `method`, `distance`, `solver`,
#'   `reach`, `margins` (the variables of each released margin), `hierarchies` and `total_label`.
#'   For linked tables it also has `crossings` and `dimnames` (the leaves), and the levels of
#'   `table` are nodes.
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
                                                  totals = FALSE, zeros = TRUE,
                                                  stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  check_flag(zeros)
  check_free_names(x$table$dimnames, "count")
  if (!is.null(x$crossings)) {
    return(linked_frame(x, zeros))
  }
  as.data.frame(
    x$table, totals = totals, hierarchies = if (totals) x$hierarchies, zeros = zeros,
    responseName = "count", total_label = x$total_label
  )
}

# Linked tables share no array.
check_one_table <- function(x) {
  if (is.null(x$crossings)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "Only a single table has the form of an array.",
    x = "{.arg x} has {length(x$crossings)} crossings of nodes.",
    i = "{.code as.data.frame(x)} lists the published cells."
  ))
}

#' @rdname sdc_rounded_publication-methods
#' @export
as.table.sdc_rounded_publication <- function(x, ...) {
  check_no_dots(...)
  check_one_table(x)
  as.table(x$table)
}

#' @rdname sdc_rounded_publication-methods
#' @usage \method{autoplot}{sdc_rounded_publication}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_rounded_publication <- function(object, ...) {
  check_no_dots(...)
  check_one_table(object)
  check_installed("ggplot2", "to draw tables")
  draw_tiles(dimnames(object$table), dense_counts(object$table)) +
    ggplot2::labs(title = "Rounded table")
}
