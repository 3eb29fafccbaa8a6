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
  window <- table_window(take_margin(x, shown, "shown"), rows, columns)
  others <- setdiff(names(x$dimnames), shown)
  c(
    if (length(others) > 0) over_words(shown, others),
    paste0("  ", window_text(window)),
    if (window$cut) "  (first rows and columns; as.data.frame(x, totals = TRUE) has all)",
    if (anyNA(window$counts)) "  (. is not published)"
  )
}

over_words <- function(shown, others) {
  cut_text(paste0("  ", paste(shown, collapse = " x "), ", over all of ",
                  paste(others, collapse = ", "), ":"), 90)
}

# The first two variables of the crossing that shows most of them.
window_variables <- function(x) {
  variables <- names(x$dimnames)
  crossings <- table_crossings(x)
  if (!is.null(crossings)) {
    roots <- root_nodes(x)
    open <- lapply(crossings, function(crossing) {
      variables[!mapply(identical, crossing[variables], as.list(unname(roots)))]
    })
    open <- open[[which.max(lengths(open))]]
    if (length(open) > 0) variables <- open
  }
  utils::head(variables, 2)
}

# `counts`: a matrix, or a vector for one variable; NA where nothing is published. `indent`: the
# depth of each row in its tree.
table_window <- function(x, rows, columns) {
  published <- published_table(x)
  most <- if (length(x$dimnames) == 1) rows else c(rows, columns)
  shown <- Map(function(v, most) first_nodes(x, v, most), seq_along(x$dimnames), most)
  at <- expand.grid(lapply(shown, `[[`, "node"), KEEP.OUT.ATTRS = FALSE)
  held <- combine_codes(stored_codes(published), dim(published), length(published$counts))
  counts <- published$counts[match(combine_codes(at, dim(published), nrow(at)), held)]
  counts[is.na(counts)] <- 0
  counts[!is_published(x, at)] <- NA
  size <- lengths(lapply(shown, `[[`, "node"))
  list(
    counts = array(counts, size),
    labels = rlang::set_names(
      Map(function(s, labels) labels[s$node], shown, unname(published$dimnames)),
      names(x$dimnames)
    ),
    depth = lapply(shown, `[[`, "depth"), cut = any(size < dim(published))
  )
}

# The first nodes of a variable as its first tree reads, each before what is below it, and the total
# at the end.
first_nodes <- function(x, v, most) {
  name <- names(x$dimnames)[v]
  totals <- variable_totals(table_trees(x)[[name]], x$dimnames[[v]], name, table_total_label(x))
  labels <- c(x$dimnames[[v]], names(totals))
  root <- which(lengths(totals) == dim(x)[v])[1] + dim(x)[v]
  tree <- table_trees(x)[[name]][[1]]
  walked <- if (is.null(tree)) list(node = labels[-root], depth = 1) else walk_tree(tree, most + 1)
  node <- match(walked$node, labels)
  depth <- rep_len(walked$depth, length(node))[node != root]
  node <- node[node != root]
  more <- setdiff(seq_along(labels), c(node, root))
  keep <- seq_len(min(most, length(labels)) - 1)
  list(node = c(c(node, more)[keep], root),
       depth = c(c(pmax(depth - 1, 0), numeric(length(more)))[keep], 0))
}

# A walk down from the root over the first nodes, the children of a node in the order of the tree.
walk_tree <- function(tree, most) {
  open <- which(is.na(tree$parent))
  level <- 0
  node <- integer()
  depth <- numeric()
  while (length(open) > 0 && length(node) < most) {
    at <- open[1]
    node <- c(node, at)
    depth <- c(depth, level[1])
    children <- which(tree$parent %in% tree$child[at])
    level <- c(rep(level[1] + 1, length(children)), level[-1])
    open <- c(children, open[-1])
  }
  list(node = tree$child[node], depth = depth)
}

# Lines of the window, with as many columns as fit the console.
window_text <- function(window) {
  repeat {
    text <- printed_wide(window_matrix(window))
    n <- utils::tail(dim(window$counts), 1)
    fits <- all(nchar(text, "width") <= getOption("width") - 2)
    if (fits || length(dim(window$counts)) == 1 || n <= 2) {
      return(text)
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
  if (is.null(counts)) {
    return(NULL)
  }
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
