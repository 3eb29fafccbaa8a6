# How a table is shown: its print, its summary, and the published cells by level.

# ---- printing ---------------------------------------------------------------------------------

#' @rdname table-methods
#' @export
format.sdc_table <- function(x, ..., most = 7) {
  shown <- utils::head(x$dimnames, most)
  lines <- vapply(seq_along(shown), function(v) {
    levels <- shown_levels(shown[[v]])
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

table_header <- function(x) {
  paste0("<sdc_table> ", plural(length(x$dimnames), "variable"), ", ", table_shape(x))
}

#' @importFrom utils str
#' @export
str.sdc_table <- function(object, ...) {
  cat(" ", table_header(object), "\n", sep = "")
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
  check_that(
    length(object) != 0,
    "A table must have a cell to be plotted.",
    x = "Variable{?s} {.val {names(object$dimnames)[dim(object) == 0]}} {?has/have} no levels."
  )
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
  cat(table_header(x), "\n", sep = "")
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
                             plural(lengths(totals), "total"), ")", collapse = ", "))
    },
    if (!is.null(x$layout$formula)) {
      paste("published:", cut_text(x$layout$formula, 70))
    } else if (!is.null(table_crossings(x))) {
      paste("published:", plural(length(table_crossings(x)), "crossing"))
    }
  )
}

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
  labels <- lapply(window$labels, function(levels) cut_text(shown_levels(levels), 20))
  names(labels) <- cut_text(names(labels), 20)
  labels[[1]] <- paste0(strrep("  ", window$depth[[1]]), labels[[1]])
  if (length(labels) == 1) {
    return(matrix(text, dimnames = unname(c(labels, list("count")))))
  }
  array(text, dim(window$counts), labels)
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

# ---- cells by level ------------------------------------------------------------------------------

# ---- cells by level ------------------------------------------------------------------------------

# A data frame with a row for each combination of levels that has a published cell. It has a factor
# for each variable: the name of the level where its tree has one, the depth below the total where
# it has none, and the name of a variable without trees. Then come the numbers of published cells,
# of `nonzero` ones, and of those with count 1, 2, ... (`n1`, `n2`, ...) up to maxN. NULL when there
# are too many combinations to be of use, or more than `max_cells` cells that are not zero.
count_by_level <- function(x, maxN = 3, max_cells = getOption("sdcLattice.max_cells", 5e7),
                           max_rows = 1e4) {
  labels <- node_labels(x)
  levels <- node_levels(x, labels)
  size <- vapply(levels, nlevels, 1L)
  if (prod(size) > max_rows) {
    return(NULL)
  }
  whole <- rlang::try_fetch(published_table(x, max_cells), sdc_error_too_large = function(e) NULL)
  if (is.null(whole)) {
    return(NULL)
  }
  out <- cells_by_level(levels, crossing_flags(x, labels))
  found <- with_core(cpp_count_in_groups(dim(whole), whole$keys, whole$counts,
                                         unname(lapply(levels, as.integer)), size, maxN))
  at <- match(out$number, combine_codes(matrix_columns(found$group), size, nrow(found$group)))
  counts <- found$cells[at, , drop = FALSE]
  counts[is.na(counts)] <- 0
  columns <- Map(as_level_factor, split_codes(out$number, size), lapply(levels, base::levels))
  list2data_frame(
    c(rlang::set_names(columns, names(levels)), list(cells = out$cells),
      rlang::set_names(matrix_columns(counts), c("nonzero", paste0("n", seq_len(maxN))))),
    length(out$number)
  )
}

matrix_columns <- function(x) lapply(seq_len(ncol(x)), function(j) x[, j])

# ---- levels of trees ----------------------------------------------------------------------------

# The level of each node, a factor for each variable, the total first.
node_levels <- function(x, labels = node_labels(x)) {
  lapply(rlang::set_names(names(labels)), function(v) {
    nodes <- labels[[v]]
    trees <- table_trees(x)[[v]]
    if (is.null(trees)) trees <- list(flat_tree(nodes, v))
    places <- do.call(rbind, lapply(trees, named_levels))
    places <- places[match(nodes, places$node), ]
    factor(places$level, unique(places$level[order(places$depth)]))
  })
}

# The total of a variable without trees is its last node.
flat_tree <- function(nodes, name) {
  root <- nodes[length(nodes)]
  leaves <- nodes[-length(nodes)]
  list(parent = c(NA, rep(root, length(leaves))), child = c(root, leaves),
       level = c(NA, rep(name, length(leaves))))
}

named_levels <- function(tree) {
  found <- tree_levels(tree)
  level <- ifelse(found$depth == 0, tree$child, found$depth)
  list2data_frame(list(node = tree$child, depth = found$depth,
                       level = ifelse(is.na(found$name), level, found$name)), length(level))
}

# ---- published cells on them --------------------------------------------------------------------

# The number of published cells, zero or not, on each combination of levels that has some; nodes
# that are on the same level and in the same crossings are counted together.
cells_by_level <- function(levels, flags) {
  so_far <- list(number = 1, inside = matrix(TRUE, 1, length(flags)), n = 1)
  stride <- 1
  for (v in seq_along(levels)) {
    kinds <- node_kinds(levels[[v]], lapply(flags, `[[`, v))
    so_far <- cross_kinds(so_far, kinds, stride)
    stride <- stride * nlevels(levels[[v]])
  }
  cells <- rowsum(so_far$n, so_far$number)
  list(number = as.numeric(rownames(cells)), cells = as.vector(cells))
}

node_kinds <- function(level, inside) {
  code <- as.integer(level)
  kind <- do.call(paste, c(list(code), inside))
  first <- which(!duplicated(kind))
  list(number = code[first] - 1, n = tabulate(match(kind, kind[first])),
       inside = matrix(unlist(lapply(inside, `[`, first)), length(first)))
}

cross_kinds <- function(so_far, kinds, stride) {
  a <- rep(seq_along(so_far$n), times = length(kinds$n))
  b <- rep(seq_along(kinds$n), each = length(so_far$n))
  inside <- so_far$inside[a, , drop = FALSE] & kinds$inside[b, , drop = FALSE]
  some <- rowSums(inside) > 0
  list(number = (so_far$number[a] + kinds$number[b] * stride)[some],
       inside = inside[some, , drop = FALSE], n = (so_far$n[a] * kinds$n[b])[some])
}
