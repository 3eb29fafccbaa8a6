#' What a table answers
#'
#' An `sdc_table` answers the questions that one asks of an array, without ever being one: only
#' `as.table()` and `as.array()` make all cells, and refuse to make too many.
#'
#' # Indices
#' `x[i, j, ...]` takes one index for each variable: labels, numbers (positive or negative), logical
#' values of the length of the levels, or nothing for all levels. The result is an `sdc_table` with
#' these levels in the order of the index; it keeps variables with one level unless `drop = TRUE`.
#' No label may be chosen twice, and a single index into the cells is not offered. A factor counts
#' by its labels. An index that leaves levels out gives a table without trees and crossings: their
#' totals would no longer be those of the nodes. Indices are evaluated where they were written, so
#' that functions can pass them on
#' by `...`.
#'
#' # Printing
#' `print()` shows a window of the table with its totals: at most 12 rows and 8 columns, as many as
#' fit the console. Of a table with more than two variables it shows two of them, over all of the
#' others. Nodes of trees stand before what is below them. A table is an original: its print is as
#' confidential as the table.
#'
#' # What a table does not answer
#' Tables are not edited in place: `x[...] <-`, `x[[...]] <-`, `x$... <-`, `dim(x) <-` and
#' `dimnames(x) <-` are errors. Nor do tables calculate: arithmetic, comparisons, `range()`,
#' `mean()`, `sort()`, `cbind()` and their like are errors, which is better than an answer about the
#' inner parts of the object. Take the counts by `as.array()` or `as.data.frame()`, and make a
#' new table of the result by [sdc_table()].
#'
#' @param x,object (`sdc_table`) the table.
#' @param ... for `[`, the indices; for `sum()`, nothing else; else unused.
#' @param totals (flag) draw the table with its totals? The default is yes for tables with trees or
#'   crossings.
#' @param drop (flag) leave out variables of which one level is left?
#' @param na.rm ignored: a table has no missing counts.
#' @param most (whole number) how many variables `format()` shows.
#' @param max_cells (number) largest number of cells of a dense result; the default is the option
#'   `sdcLattice.max_cells`, or 5e7.
#' @return `dim()`: integer, the numbers of levels. `dimnames()`: a named list of level labels.
#'   `length()`: the number of cells, zero or not. `sum()`: the grand total. `as.table()` and
#'   `as.array()`: all cells, of type integer where that can hold them; `as.matrix()`: the same of
#'   two variables. `as.vector()` and `as.numeric()`: all counts, first variable fastest. `t()`: the
#'   table with its two variables exchanged. `summary()`: the numbers of
#'   cells, of non-zero cells, and of cells with small counts; of a table with trees or crossings
#'   also the trees, and `by_level`, a data frame of the published cells on each combination of
#'   levels: how many there are, are not zero, and have counts of 1, 2 and 3 (`n1`, `n2`, `n3`).
#'   `plot()`: a picture of the counts,
#'   drawn by `autoplot()`: bars for one variable, a heat map for two, else how many cells have
#'   which count; with totals a window as `print()` shows it, of at most 40 x 30.
#' @section Errors: `sdc_error_too_large` when a dense result would have more than `max_cells`
#'   cells; `sdc_error_input` when an index fits no level.
#' @family table
#' @name table-methods
#' @examples
#' x <- sdc_table(Titanic)
#' dim(x)
#' x["Crew", , , c("No", "Yes")]
#' as.table(x["Crew", , "Adult", , drop = TRUE])
#' summary(x)
NULL

#' @rdname table-methods
#' @export
dim.sdc_table <- function(x) unname(lengths(.subset2(x, "dimnames")))

#' @rdname table-methods
#' @export
dimnames.sdc_table <- function(x) .subset2(x, "dimnames")

#' @rdname table-methods
#' @export
length.sdc_table <- function(x) prod(lengths(.subset2(x, "dimnames")))

#' @rdname table-methods
#' @export
sum.sdc_table <- function(x, ..., na.rm = FALSE) {
  check_no_dots(...)
  base::sum(x$counts)
}

#' @rdname table-methods
#' @export
`[.sdc_table` <- function(x, ..., drop = FALSE) {
  check_flag(drop)
  levels <- unname(x$dimnames)
  empty <- empty_dots(...length(), environment())
  if (length(empty) <= 1 && all(empty)) {
    empty <- rep(TRUE, length(levels))
  }
  check_index_number(length(empty), x)
  index <- lapply(seq_along(levels), function(v) {
    if (empty[v]) {
      return(seq_along(levels[[v]]))
    }
    resolve_index(...elt(v), levels[[v]], names(x$dimnames)[v])
  })
  out <- select_levels(x, index)
  whole <- all(lengths(index) == dim(x))
  if (whole) out <- set_layout(out, x$layout)
  if (drop) margin(out, names(x$dimnames)[lengths(index) != 1]) else out
}

# Which of the first `n` elements of a function's dots are empty. missing() also sees an argument
# that is empty further up: f <- function(i, j) x[i, j].
empty_dots <- function(n, frame) {
  vapply(seq_len(n), function(k) eval(call("missing", as.name(paste0("..", k))), frame), NA)
}

check_index_number <- function(n, x) {
  if (n == length(x$dimnames)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "There must be one index for each variable.",
    x = "The table has {length(x$dimnames)} variable{?s}; there {cli::qty(n)}{?is/are} {n}
         {?index/indices}.",
    i = "For cells in order, use {.code as.array(x)}."
  ))
}

resolve_index <- function(i, levels, name) {
  at <- index_positions(i, levels)
  if (anyNA(at)) {
    abort_index(i, at, levels, name)
  }
  if (anyDuplicated(at)) {
    abort_sdc("input", c(
      "Indices must choose a level once.",
      x = "Level {.val {levels[at[duplicated(at)][1]]}} of {.val {name}} is chosen more than once."
    ))
  }
  at
}

abort_index <- function(i, at, levels, name) {
  n <- length(levels)
  first <- utils::head(levels, 5)
  bad <- first_bad_index(i, at, n)
  value <- if (is.factor(i)) as.character(i)[bad] else if (is.atomic(i)) i[bad]
  abort_sdc("input", c(
    "Indices must be labels or positions of levels.",
    x = if (is.logical(i) && length(i) != n) {
      "The logical index of {.val {name}} has length {length(i)}; it must have length {n}."
    } else if (!is.factor(i) && !is.character(i) && !is.numeric(i) && !is.logical(i)) {
      "The index of {.val {name}} is {.obj_type_friendly {i}}."
    } else if (is.na(bad)) {
      "The indices of {.val {name}} are positive and negative."
    } else {
      if (is.numeric(i) && isTRUE(value > n && value == floor(value)) && n > 0) {
        "Index {bad} of {.val {name}} is {value}, but {.val {name}} has only {n} level{?s}."
      } else {
        "Index {bad} of {.val {name}} is {.val {value}}, which is not a level."
      }
    },
    i = if (is.character(value)) did_you_mean(value, levels),
    i = paste0("{.val {name}} has {n} level{?s}", if (n > 5) ", the first of which are ",
               if (n > 0 && n <= 5) ": ", if (n > 0) "{.val {first}}", ".")
  ))
}

# NA when each one alone would do.
first_bad_index <- function(i, at, n) {
  if (is.numeric(i)) {
    return(which(!(i %in% c(-seq_len(n), seq_len(n))))[1])
  }
  which(if (is.logical(i)) is.na(i) else is.na(at))[1]
}

# Positions, NA where an index fits no level.
index_positions <- function(i, levels) {
  n <- length(levels)
  if (is.factor(i) || is.character(i)) {
    return(match(as.character(i), levels))
  }
  if (is.logical(i) && length(i) == n && !anyNA(i)) {
    return(which(i))
  }
  ok <- is.numeric(i) && !anyNA(i) && all(i == floor(i) & i != 0 & abs(i) <= n) &&
    length(unique(sign(i))) <= 1
  if (!ok) {
    return(NA_integer_)
  }
  seq_len(n)[i]
}

#' @rdname table-methods
#' @export
as.array.sdc_table <- function(x, ..., max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  all_cells(x, max_cells)
}

all_cells <- function(x, max_cells) {
  if (length(x$dimnames) == 0) {
    abort_sdc("input", c(
      "An array must have at least one dimension.",
      x = "The table has no variables.",
      i = "Its one count is {.code sum(x)}."
    ))
  }
  counts <- dense_counts(x, max_cells)
  if (all(x$counts <= .Machine$integer.max)) {
    storage.mode(counts) <- "integer"
  }
  array(counts, dim(x), dimnames(x))
}

#' @rdname table-methods
#' @export
as.table.sdc_table <- function(x, ..., max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  structure(all_cells(x, max_cells), class = "table")
}

#' @rdname table-methods
#' @export
as.matrix.sdc_table <- function(x, ..., max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_two_variables(x)
  all_cells(x, max_cells)
}

#' @rdname table-methods
#' @export
t.sdc_table <- function(x) {
  check_two_variables(x)
  margin(x, rev(names(x$dimnames)))
}

check_two_variables <- function(x) {
  if (length(x$dimnames) == 2) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "A matrix must have two variables.",
    x = "The table has {length(x$dimnames)}.",
    i = "{.fn margin} takes some of them, in any order."
  ))
}

#' @param mode (string) as for [as.vector()].
#' @rdname table-methods
#' @export
as.vector.sdc_table <- function(x, mode = "any") as.vector(dense_counts(x), mode)

#' @rdname table-methods
#' @export
as.double.sdc_table <- function(x, ...) dense_counts(x)

# ---- printing ---------------------------------------------------------------------------------

#' @rdname table-methods
#' @export
format.sdc_table <- function(x, ..., most = 7) {
  shown <- utils::head(x$dimnames, most)
  lines <- vapply(seq_along(shown), function(v) {
    levels <- shown[[v]]
    levels[is.na(levels)] <- "<NA>"
    text <- paste0(
      cut_text(names(shown)[v], 30), ": ", plural(length(levels), "level"),
      if (length(levels) > 0) ": ",
      paste(cut_text(utils::head(levels, 6), 20), collapse = " | "),
      if (length(levels) > 6) " | ..."
    )
    cut_text(text, 90)
  }, "")
  more <- length(x$dimnames) - length(shown)
  c(lines, if (more > 0) paste("and", plural(more, "more variable")))
}

#' @importFrom utils str
#' @export
str.sdc_table <- function(object, ...) {
  cat(" <sdc_table> ", plural(length(object$dimnames), "variable"), ", ", table_shape(object), "\n",
    sep = ""
  )
}

#' @rdname table-methods
#' @export
summary.sdc_table <- function(object, ...) {
  counts <- object$counts
  small <- vapply(1:3, function(k) base::sum(counts == k), 1)
  structure(
    list(
      dim = rlang::set_names(dim(object), names(object$dimnames)),
      n_cells = length(object),
      n_nonzero = length(counts),
      total = sum(object),
      n_small = rlang::set_names(small, c("1", "2", "3")),
      largest = if (length(counts) > 0) max(counts) else 0,
      trees = unlist(lapply(names(table_trees(object)), tree_lines, x = object)),
      published = object$layout$formula,
      by_level = if (!is.null(object$layout)) count_by_level(object)
    ),
    class = sdc_class("summary_sdc_table")
  )
}

#' @export
format.summary_sdc_table <- function(x, ...) {
  zero <- x$n_cells - x$n_nonzero
  share <- if (x$n_cells > 0) 100 * x$n_nonzero / x$n_cells else 0
  c(
    paste("variables:", length(x$dim)),
    paste0("cells:     ", format_count(x$n_cells), ", ", format_count(x$n_nonzero), " not zero (",
           format(signif(share, 3)), " %), ", format_count(zero), " zero"),
    paste0("total:     ", format_count(x$total), ", largest cell ", format_count(x$largest)),
    paste0("small:     ", paste(format_count(x$n_small), "of", names(x$n_small), collapse = ", ")),
    if (length(x$trees) > 0) paste0("tree:      ", x$trees),
    if (!is.null(x$published)) paste0("published: ", x$published),
    if (!is.null(x$by_level)) {
      level_count_lines(x$by_level)
    } else if (length(x$trees) > 0 || !is.null(x$published)) {
      "published cells by level: too many to be counted"
    }
  )
}

#' @export
print.summary_sdc_table <- function(x, ...) {
  cat("Summary of an <sdc_table>\n", paste0("  ", format(x), "\n"), sep = "")
  invisible(x)
}

# ---- pictures ---------------------------------------------------------------------------------

#' @rdname table-methods
#' @usage \method{autoplot}{sdc_table}(object, ..., totals = !is.null(object$layout))
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_table <- function(object, ..., totals = !is.null(object$layout)) {
  check_no_dots(...)
  check_flag(totals)
  check_installed("ggplot2", "to plot a table")
  if (length(object) == 0) {
    abort_sdc("input", c(
      "A table must have a cell to be plotted.",
      x = "Variable{?s} {.val {names(object$dimnames)[dim(object) == 0]}} {?has/have} no levels."
    ))
  }
  if (totals && length(object$dimnames) > 0) {
    return(plot_window(object))
  }
  switch(
    as.character(length(object$dimnames)),
    "1" = plot_bars(object),
    "2" = draw_tiles(object$dimnames, dense_counts(object)),
    plot_sizes(object)
  )
}

# Bars of the levels of one variable: as many names as there is room for.
plot_bars <- function(x) {
  places <- tile_places(x$dimnames)
  cells <- list2data_frame(list(.level = places$.row, .count = dense_counts(x)), length(x))
  levels <- levels(places$.row)
  ggplot2::ggplot(cells, ggplot2::aes(.data$.level, .data$.count)) +
    ggplot2::geom_col() +
    ggplot2::scale_x_discrete(breaks = spaced(levels, 30), labels = short_level) +
    ggplot2::scale_y_continuous(labels = format_count) +
    ggplot2::labs(x = names(x$dimnames), y = "count") +
    sdc_theme(turn = crowded(levels))
}

# How many cells have which count, in classes that double.
plot_sizes <- function(x) {
  upper <- unique(c(1, 2, 2^seq(2, max(2, ceiling(log2(max(c(x$counts, 1)) + 1))))))
  classes <- cut(x$counts, c(0, upper), labels = size_labels(upper))
  cells <- list2data_frame(
    list(size = factor(levels(classes), levels(classes)), n = tabulate(classes, length(upper))),
    length(upper)
  )
  ggplot2::ggplot(cells, ggplot2::aes(.data$size, .data$n)) +
    ggplot2::geom_col() +
    ggplot2::labs(x = "count of the cell", y = "number of cells",
                  caption = paste(format_count(length(x) - length(x$counts)), "cells are zero")) +
    sdc_theme(turn = length(upper) > 12)
}

size_labels <- function(upper) {
  lower <- c(0, upper[-length(upper)]) + 1
  ifelse(lower == upper, format_count(upper),
         paste(format_count(lower), format_count(upper), sep = "-"))
}
