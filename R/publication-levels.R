# Tables of other levels in one record: a coarser table shows sums of a finer one, where these are
# nodes of a tree that the finer one has.

# The parts of all publications, with the levels of the finest in each variable: parts of coarser
# tables name the nodes of its tree.
on_finest_levels <- function(parts, total_label) {
  for (v in unique(unlist(lapply(parts, function(part) names(part$columns))))) {
    tree <- finest_tree(parts, v)
    if (!is.null(tree)) parts <- lapply(parts, on_nodes, v, tree, total_label)
  }
  parts
}

# list(levels, trees, nodes, root) of the parts that have the finest levels, and trees over those of
# all others; NULL where the levels are the same and no trees differ, or none has all their nodes.
finest_tree <- function(parts, v) {
  own <- Filter(function(part) part$complete && v %in% names(part$columns), parts)
  levels <- lapply(own, function(part) levels(part$columns[[v]]))
  trees <- lapply(own, function(part) part$hierarchies[[v]])
  if (length(unique(levels)) < 2 && length(unique(trees)) < 2) {
    return(NULL)
  }
  for (finest in unique(levels)) {
    found <- joined_trees(trees[vapply(levels, identical, NA, finest)])
    parents <- as.character(unlist(lapply(found, `[[`, "parent")))
    children <- as.character(unlist(lapply(found, `[[`, "child")))
    # a root may be listed, as a child of nobody
    below <- children[!is.na(parents)]
    parents <- parents[!is.na(parents)]
    nodes <- unique(c(finest, parents, children))
    if (length(found) > 0 && all(unlist(levels) %in% nodes)) {
      return(list(levels = finest, trees = found, nodes = nodes, root = setdiff(parents, below)))
    }
  }
  if (length(unique(levels)) > 1) abort_other_levels(v, unique(levels))
}

# All trees over some levels, but that of a sum over all where there are others.
joined_trees <- function(trees) {
  all <- unlist(lapply(trees, function(one) {
    one <- if (is.data.frame(one)) list(one) else one
    lapply(one, function(tree) rlang::set_names(tree[1:2], c("parent", "child")))
  }), recursive = FALSE)
  all <- unique(all)
  is_flat <- vapply(all, function(tree) length(unique(tree$parent[!is.na(tree$parent)])) < 2, NA)
  if (all(is_flat)) all[1] else all[!is_flat]
}

on_nodes <- function(part, v, tree, total_label) {
  column <- part$columns[[v]]
  if (is.null(column)) {
    return(part)
  }
  if (part$complete && identical(levels(column), tree$levels)) {
    part$hierarchies[[v]] <- tree$trees
    return(part)
  }
  word <- as.character(column)
  if (!total_label %in% tree$nodes && length(tree$root) == 1) {
    word <- replace(word, word == total_label, tree$root)
  }
  part$columns[[v]] <- word
  part$complete <- FALSE
  part$hierarchies[[v]] <- NULL
  part
}

abort_other_levels <- function(v, levels) {
  abort_sdc("refused", c(
    "The tables of a record must have the same levels, or levels that are nodes of one tree.",
    x = "{.val {v}} has the levels {.val {levels[[1]]}} in one table, and {.val {levels[[2]]}} in
         another.",
    i = "Give the finer table a tree over {.val {v}} that has the coarser levels, by
         {.arg hierarchies}."
  ))
}
