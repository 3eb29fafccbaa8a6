# Trees of the levels of a variable. Whatever a tree is written in, it is read into nodes,
# list(node, parent, level): parent NA marks the root, level is the name of the node's level or NA.

# All trees of a variable, read and checked: plain data frames, and what is to be said about them.
# `dimnames` are for hints only. Levels NULL are not known.
variable_trees <- function(trees, levels, name, total_label = "Total", dimnames = NULL) {
  trees <- listed_trees(trees, name)
  read <- lapply(seq_along(trees), function(i) {
    stop_tree <- tree_stopper(name, i)
    found <- read_tree(trees[[i]], levels, name, total_label, stop_tree)
    for (nodes in found$nodes) {
      check_tree(nodes, levels, stop_tree)
      if (!is.null(levels)) check_fit(nodes, levels, stop_tree, name, dimnames)
    }
    found
  })
  nodes <- unlist(lapply(read, `[[`, "nodes"), recursive = FALSE)
  list(trees = lapply(nodes, plain_tree), said = unlist(lapply(read, `[[`, "said")))
}

listed_trees <- function(trees, name) {
  if (is.data.frame(trees) || is.character(trees)) {
    trees <- list(trees)
  }
  if (!is.list(trees) || length(trees) == 0) {
    tree_stopper(name, 1)("It is {.obj_type_friendly {trees}}.", trees = trees)
  }
  unname(trees)
}

# A variable that is named twice has several trees, as SSBtools::FindDimLists() gives them.
trees_by_variable <- function(hierarchies) {
  if (identical(hierarchies, list())) { # no trees
    return(NULL)
  }
  if (is.list(hierarchies) && !is.data.frame(hierarchies)) {
    # a variable without a tree
    hierarchies <- hierarchies[!vapply(hierarchies, is.null, NA)]
  }
  names <- names(hierarchies)
  if (!is.list(hierarchies) || is.data.frame(hierarchies) || !anyDuplicated(names)) {
    return(hierarchies)
  }
  lapply(rlang::set_names(unique(names)), function(v) {
    do.call(c, lapply(unname(hierarchies[names == v]), listed_trees, v))
  })
}

# A list with `nodes`, a list of trees (a wide frame may hold several), and `said`.
read_tree <- function(tree, levels, name, total_label, stop_tree) {
  if (is.character(tree)) {
    return(list(nodes = list(tree_of_text(tree, levels, total_label, stop_tree))))
  }
  if (!is.data.frame(tree)) {
    stop_tree("It is {.obj_type_friendly {tree}}.", tree = tree)
  }
  if (nrow(tree) == 0 || length(tree) == 0) {
    stop_tree("It is a data frame without rows.")
  }
  columns <- tree_columns(tree, levels, stop_tree)
  pair <- pair_columns(names(columns))
  if (!is.null(pair)) {
    return(list(nodes = list(pair_frame(columns, pair, stop_tree))))
  }
  if (any(startsWith(known(columns[[1]]), "@"))) {
    return(list(nodes = list(at_columns(columns, stop_tree))))
  }
  wide_frame(columns, levels, name, total_label, stop_tree)
}

# The leaves of a plain tree. A node NA, the level NA, is no parent.
tree_leaves <- function(tree) setdiff(tree$child, known(tree$parent))

# The labels of all nodes of a variable that stand on a level of one of its plain trees. A node
# whose children are two levels below it stands on the level between as well, and a leaf on all
# levels below its own.
level_nodes <- function(trees, level) {
  unique(unlist(lapply(trees, function(tree) {
    levels <- unique(known(tree$level))
    at <- match(level, levels)
    if (is.na(at)) {
      return(NULL)
    }
    own <- match(tree$level, levels)
    own[is.na(own)] <- 0L
    up <- match(tree$parent, tree$child, incomparables = NA)
    below <- rep(Inf, length(own))
    first <- order(own, decreasing = TRUE)
    first <- first[!is.na(up[first])]
    below[up[first]] <- own[first]
    tree$child[own > 0 & own <= at & below > at]
  })))
}
