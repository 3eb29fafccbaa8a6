# The class sdc_bounds: an interval for each of some cells, whatever it was computed from.

# `codes`: for each variable the levels (from 1) of the bounded cells; `lower`, `upper`: whole
# numbers, inclusive; `sharp`: for each cell, are both attained? `real`: NULL, or the unrounded
# limits of a relaxation. Further fields by name.
new_bounds <- function(dimnames, codes, lower, upper, sharp, method, ..., real = NULL,
                       note = character()) {
  structure(
    list(
      dimnames = dimnames, codes = codes, lower = lower, upper = upper,
      sharp = rep_len(sharp, length(lower)), method = method, ..., real = real, note = note
    ),
    class = sdc_class("sdc_bounds")
  )
}

#' What bounds answer
#'
#' An object of class `sdc_bounds` holds, for each of some cells, the interval in which its count is
#' known to lie: from [bounds_margins()], [bounds_conditional()].
#'
#' @param x,object (sdc_bounds) the bounds.
#' @param most (whole number) how many cells the picture shows, the narrowest intervals first.
#' @param table (sdc_table, or what [as_sdc_table()] takes, or `NULL`) the original table, to mark
#'   the true counts in the picture. Such a picture is confidential.
#' @param also (named list of sdc_bounds, or `NULL`) bounds of the same table from further releases,
#'   to compare: the picture then has a panel for each cell and a line for each release, `object`
#'   first. A name of its own for the first one: `list(object = "row sums only", ...)`.
#' @param row.names,optional not used.
#' @param ... not used.
#' @return
#' * `as.data.frame()`: the variables, `lower`, `upper`, `width` (`upper - lower`) and `sharp`,
#'   and, for a relaxation, its unrounded limits `lower_real` and `upper_real`; a row for each
#'   bounded cell. An interval that is `sharp` is attained at both ends by tables that agree with
#'   the release; otherwise the true interval lies inside it. Where not all intervals are sharp,
#'   `least` and `most` are the smallest and largest count that a table was found for (`NA` for
#'   none): the true interval contains both and lies inside `lower` to `upper`.
#' * `summary()`: how many cells are known exactly, the quantiles of the widths, and how many are
#'   sharp.
#' * `autoplot()`, `plot()`: the intervals as number lines, whose points are the possible counts; a
#'   ggplot object, which `plot()` draws and returns invisibly.
#' @section Errors: `sdc_error_input` when a variable has the name of a column of the result, and
#'   for a `table` or bounds in `also` that have other cells.
#' @family bounds
#' @name bounds-methods
#' @examples
#' b <- bounds_margins(margins(roehrig, list("row", "column")))
#' b
#' summary(b)
#' as.data.frame(b)[1:3, ]
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' # the true count (a cross) lies somewhere in each interval; the ends are not always 0
#' plot(b, table = roehrig)
#' # what the column sums add to the row sums, for two cells
#' rows <- bounds_margins(margins(roehrig, list("row")), cells = c(1, 12),
#'                        dimnames = dimnames(roehrig))
#' both <- bounds_margins(margins(roehrig, list("row", "column")), cells = c(1, 12))
#' plot(rows, also = list(object = "row sums", "row and column sums" = both))
NULL

#' @rdname bounds-methods
#' @export
as.data.frame.sdc_bounds <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  columns <- c(list(lower = x$lower, upper = x$upper, width = x$upper - x$lower, sharp = x$sharp),
               x$attained)
  if (!is.null(x$real)) {
    columns$lower_real <- x$real$lower
    columns$upper_real <- x$real$upper
  }
  check_free_names(x$dimnames, names(columns))
  list2data_frame(c(code_factors(x), columns), length(x$lower))
}

# One factor for each variable: the labels of the bounded cells.
code_factors <- function(x) {
  out <- Map(function(code, levels) as_level_factor(as.integer(code), levels), x$codes, x$dimnames)
  rlang::set_names(out, names(x$dimnames))
}

#' @rdname bounds-methods
#' @export
format.sdc_bounds <- function(x, ...) {
  n <- length(x$lower)
  width <- x$upper - x$lower
  exact <- base::sum(width == 0)
  sharp <- base::sum(x$sharp)
  c(
    paste0("<sdc_bounds> ", plural(n, "cell"), " of ",
           shape_words(x$dimnames)),
    paste0("  by ", x$method, ": ", guarantee_words(sharp, n)),
    if (n > 0) paste0(
      "  known exactly: ", format_count(exact), published_words(x), "; width: ",
      format_count(min(width)),
      " to ", format_count(max(width)), ", median ", format_count(stats::median(width))
    ),
    if (isTRUE(x$effort$late) && sharp < n) "  the time limit ended the search",
    if (open_ends(x) > 0) paste0("  without a proof: ", format_count(open_ends(x)), " of ",
                                 plural(2 * n, "end")),
    if (length(x$note) > 0) paste0("  ", x$note)
  )
}

# Which of the cells that have bounds are published themselves: by a row of constraints that is
# about one cell. That they are known is no news.
published_cells <- function(x) {
  if (!is_sdc_constraints(x$release)) {
    return(rep(FALSE, length(x$lower)))
  }
  rows <- x$release$rows
  alone <- which(diff(rows$start) == 1 & rows$lower == rows$upper)
  cell_numbers(x$codes, x$dimnames) %in% rows$cell[rows$start[alone] + 1]
}

published_words <- function(x) {
  n <- base::sum(published_cells(x))
  if (n > 0) paste0(", ", format_count(n), " of them published")
}

guarantee_words <- function(sharp, n) {
  if (sharp == n) {
    return("sharp, both ends are attained")
  }
  if (sharp == 0) {
    return("outer, the true interval lies inside")
  }
  paste0(format_count(sharp), " of ", format_count(n), " sharp, the others outer")
}

#' @rdname bounds-methods
#' @export
print.sdc_bounds <- function(x, ...) {
  NextMethod()
  published <- published_cells(x)
  by_width <- order(x$upper - x$lower)
  shown <- utils::head(by_width[!published[by_width]], 6)
  unpublished <- if (any(published)) " that are not published"
  if (length(x$lower) > length(shown) && length(shown) > 0) {
    cat("  the narrowest", unpublished, ":\n", sep = "")
  }
  if (length(shown) > 0) print_intervals(x, shown)
  invisible(x)
}

# A column for each variable, or, where there are many, a line for each cell.
print_intervals <- function(x, at) {
  labels <- lapply(code_factors(x), function(f) f[at])
  if (length(labels) <= 6) {
    columns <- c(labels, list(lower = x$lower[at], upper = x$upper[at]))
    print_frame(list2data_frame(columns, length(at)))
    return(invisible())
  }
  range <- paste0("[", format(format_count(x$lower[at]), justify = "right"), ", ",
                  format(format_count(x$upper[at]), justify = "right"), "]")
  where <- do.call(paste, c(unname(lapply(labels, as.character)), sep = " / "))
  cat(paste0("  ", range, " ", cut_text(where, max(20, getOption("width") - nchar(range[1]) - 3))),
      sep = "\n")
}

#' @rdname bounds-methods
#' @export
summary.sdc_bounds <- function(object, ...) {
  check_no_dots(...)
  width <- object$upper - object$lower
  structure(
    list(
      cells = length(width), exact = base::sum(width == 0), sharp = base::sum(object$sharp),
      positive = base::sum(object$lower > 0),
      widths = if (length(width) > 0) stats::quantile(width),
      method = object$method, note = object$note
    ),
    class = sdc_class("sdc_bounds_summary")
  )
}

#' @export
format.sdc_bounds_summary <- function(x, ...) {
  of <- function(n) paste0(format_count(n), " of ", format_count(x$cells), " cells")
  c(
    paste0("<sdc_bounds> by ", x$method, ": ", guarantee_words(x$sharp, x$cells)),
    paste0("known exactly: ", of(x$exact)),
    paste0("known to be positive: ", of(x$positive)),
    if (length(x$note) > 0) x$note
  )
}

#' @export
print.sdc_bounds_summary <- function(x, ...) {
  NextMethod()
  if (!is.null(x$widths)) {
    cat("width of the intervals:\n")
    print_quantiles(x$widths)
  }
  invisible(x)
}
