# How a table prints: its shape, what is published, and a window of at most 12 x 8 counts with
# totals. Of a table with more variables the window shows two, over all of the others.

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
