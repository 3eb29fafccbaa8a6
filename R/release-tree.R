# The clique tree of a decomposable release.

# Maximal sub-tables in boxes; on each line the separator, what its two ends share.
draw_tree <- function(x) {
  tree <- clique_tree(x$released)
  check_clique_tree(x, tree)
  place <- tree_places(tree$parent)
  name <- function(sets) vapply(sets, function(set) paste(x$variables[set], collapse = " "), "")
  cliques <- data.frame(x = place$x, y = place$y, label = cut_text(name(x$released), 24))
  below <- which(tree$parent > 0)
  lines <- data.frame(x = place$x[tree$parent[below]], y = place$y[tree$parent[below]],
                      xend = place$x[below], yend = place$y[below],
                      label = cut_text(name(tree$separator[below]), 24))
  ggplot2::ggplot(cliques, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_segment(ggplot2::aes(xend = .data$xend, yend = .data$yend), lines,
                          colour = "grey40") +
    ggplot2::geom_label(
      ggplot2::aes((.data$x + .data$xend) / 2, (.data$y + .data$yend) / 2, label = .data$label),
      lines, size = 2.9, label.r = ggplot2::unit(0, "lines"), fill = "white"
    ) +
    ggplot2::geom_label(ggplot2::aes(label = .data$label), size = 3.4, fill = "#deebf7",
                        label.padding = ggplot2::unit(.4, "lines")) +
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(add = .6)) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = .4)) +
    ggplot2::labs(x = NULL, y = NULL, caption = paste0(
      "Boxes: maximal released sub-tables (cliques). On each line: the separator, the variables",
      "\nthat both ends share", if (any(tree$parent[-1] == 0)) "; without a line they share none",
      "."
    )) +
    sdc_theme(grid = FALSE) +
    ggplot2::theme(axis.text = ggplot2::element_blank())
}

check_clique_tree <- function(x, tree) {
  n <- length(x$released)
  if (n == 0) {
    abort_sdc("input", c(
      "At least one sub-table must be released to draw a tree.", x = "No sub-table is released."
    ))
  }
  if (n > 40) {
    abort_sdc("too_large", c(
      "A clique tree is drawn for at most 40 maximal sub-tables.", x = "There are {n}.",
      i = "{.code type = \"frontier\"} shows them as rows."
    ))
  }
  if (!tree$decomposable) {
    abort_sdc("input", c(
      "Only a decomposable release has a clique tree.",
      x = "The {n} maximal sub-table{?s} of this release cannot be joined to one.",
      i = "{.code type = \"graph\"} draws any release; {.fn release_structure} splits it."
    ))
  }
}

# A spanning tree with the largest separators, grown from the first set: `parent`, 0 for a root, and
# `separator`, what a set shares with its parent. The sets are the cliques of a decomposable graph
# exactly when separators take away all but one copy of each variable (Jensen and Jensen 1994).
clique_tree <- function(sets) {
  n <- length(sets)
  parent <- integer(n)
  separator <- rep(list(integer()), n)
  outside <- seq_len(n)[-1]
  while (length(outside) > 0) {
    inside <- setdiff(seq_len(n), outside)
    shared <- outer(inside, outside, Vectorize(function(i, j) {
      length(intersect(sets[[i]], sets[[j]]))
    }))
    best <- arrayInd(which.max(shared), dim(shared))
    new <- outside[best[2]]
    if (shared[best] > 0) {
      parent[new] <- inside[best[1]]
      separator[[new]] <- intersect(sets[[new]], sets[[parent[new]]])
    }
    outside <- setdiff(outside, new)
  }
  spare <- sum(lengths(sets)) - length(unique(unlist(sets)))
  list(parent = parent, separator = separator, decomposable = sum(lengths(separator)) == spare)
}

# Leaves from left to right, a set above the middle of what hangs on it, roots on top.
tree_places <- function(parent) {
  n <- length(parent)
  x <- y <- numeric(n)
  next_leaf <- 0
  place <- function(i, depth) {
    y[i] <<- -depth
    below <- which(parent == i)
    for (j in below) place(j, depth + 1)
    if (length(below) == 0) next_leaf <<- next_leaf + 1
    x[i] <<- if (length(below) > 0) mean(range(x[below])) else next_leaf
  }
  for (root in which(parent == 0)) place(root, 0)
  list(x = x, y = y)
}
