# How a table is shown: its print, its summary, and its pictures.

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

#' @rdname table-methods
#' @export
print.sdc_table <- function(x, ...) {
  cat("<sdc_table> ", plural(length(x$dimnames), "variable"), ", ", table_shape(x), "\n", sep = "")
  lines <- c(if (length(x$dimnames) > 2) paste0("  ", format(x, most = 4)),
             paste0("  ", layout_lines(x), recycle0 = TRUE), window_lines(x))
  if (length(lines) > 0) cat(lines, sep = "\n")
  invisible(x)
}

# Which totals are published.
layout_lines <- function(x) {
  trees <- table_trees(x)
  totals <- table_totals(x)[names(trees)]
  c(
    if (length(trees) > 0) {
      paste("trees:", paste0(cut_text(names(trees), 30), " (",
                             plural_each(lengths(totals), "total"), ")", collapse = ", "))
    },
    if (!is.null(x$layout$formula)) {
      paste("published:", cut_text(x$layout$formula, 70))
    } else if (!is.null(table_crossings(x))) {
      paste("published:", plural(length(table_crossings(x)), "crossing"))
    }
  )
}

plural_each <- function(n, word) vapply(n, function(k) plural(k, word), "")

# ---- the window ---------------------------------------------------------------------------------

window_lines <- function(x, rows = 12, columns = 8) {
  if (length(x$dimnames) == 0 || any(dim(x) == 0)) {
    return(character())
  }
  shown <- window_variables(x)
  window <- fitting_window(table_window(take_margin(x, shown, "shown"), rows, columns))
  others <- setdiff(names(x$dimnames), shown)
  c(
    if (length(others) > 0) over_words(shown, others),
    paste0("  ", printed_wide(window_matrix(window))),
    if (window$cut) "  (first rows and columns; as.data.frame(x, totals = TRUE) has all)",
    if (anyNA(window$counts)) "  (. is not published)"
  )
}

over_words <- function(shown, others) {
  cut_text(paste0("  ", paste(shown, collapse = " x "), ", over all of ",
                  paste(others, collapse = ", "), ":"), 90)
}

# With as many columns as fit the console, the last one, the total, among them.
fitting_window <- function(window) {
  repeat {
    text <- printed_wide(window_matrix(window))
    n <- utils::tail(dim(window$counts), 1)
    fits <- all(nchar(text, "width") <= getOption("width") - 2)
    if (fits || length(dim(window$counts)) == 1 || n <= 2) {
      return(window)
    }
    keep <- c(seq_len(n - 2), n)
    window$counts <- window$counts[, keep, drop = FALSE]
    window$labels[[2]] <- window$labels[[2]][keep]
    window$cut <- TRUE
  }
}

printed_wide <- function(x, rows = rownames(x)) {
  old <- options(width = 1e4)
  on.exit(options(old))
  rownames(x) <- if (identical(rows, "")) rep("", nrow(x)) else rows
  utils::capture.output(print(x, quote = FALSE, right = TRUE))
}

window_matrix <- function(window) {
  text <- format_count(window$counts)
  text[is.na(window$counts)] <- "."
  labels <- short_labels(window$labels)
  labels[[1]] <- paste0(strrep("  ", window$depth[[1]]), labels[[1]])
  if (length(labels) == 1) {
    return(matrix(text, dimnames = unname(c(labels, list("count")))))
  }
  array(text, dim(window$counts), labels)
}

short_labels <- function(dimnames) {
  out <- lapply(dimnames, function(levels) {
    levels[is.na(levels)] <- "<NA>"
    cut_text(levels, 20)
  })
  names(out) <- cut_text(names(out), 20)
  out
}

# The first rows of count_by_level().
level_count_lines <- function(counts, most = 12) {
  shown <- utils::head(counts, most)
  columns <- lapply(unclass(shown)[names(shown)], function(column) {
    if (is.numeric(column)) format_count(column) else cut_text(as.character(column), 20)
  })
  frame <- list2data_frame(columns, nrow(shown))
  names(frame) <- cut_text(names(shown), 20)
  more <- nrow(counts) - nrow(shown)
  c("published cells by level:", paste0("  ", printed_wide(as.matrix(frame), "")),
    if (more > 0) paste0("  and ", plural(more, "more combination"), ": see $by_level"))
}

# "geo: Total > 2 eu > 3 geo": how many nodes each level of a tree has, from the top.
tree_lines <- function(v, x) {
  vapply(table_trees(x)[[v]], function(tree) {
    level <- tree_levels(tree)
    n <- vapply(split(level$name, level$depth), length, 1)
    name <- vapply(split(level$name, level$depth), function(names) {
      if (length(unique(names)) == 1 && !is.na(names[1])) paste0(" ", names[1]) else ""
    }, "")
    root <- cut_text(paste(tree$child[is.na(tree$parent)], collapse = ", "), 20)
    paste0(cut_text(v, 30), ": ", root,
           paste0(" > ", format_count(n[-1]), cut_text(name[-1], 20), collapse = ""))
  }, "")
}

# The depth of each node of a tree, from 0, and the name of its level.
tree_levels <- function(tree) {
  depth <- integer(length(tree$child))
  up <- match(tree$parent, tree$child, incomparables = NA)
  at <- up
  while (!all(is.na(at))) {
    depth[!is.na(at)] <- depth[!is.na(at)] + 1L
    at <- up[at]
  }
  name <- if (is.null(tree$level)) rep(NA_character_, length(depth)) else tree$level
  list(depth = depth, name = name)
}
