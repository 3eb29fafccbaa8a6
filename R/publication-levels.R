# Tables of other levels in one record: a coarser table shows sums of a finer one, where these are
# nodes of a tree that the finer one has.

# The parts of all publications, with the levels of the finest in each variable: parts of coarser
# tables name the nodes of its tree.
on_finest_levels <- function(parts, total_label) {
  for (v in unique(unlist(lapply(parts, function(part) names(part$columns))))) {
    tree <- finest_tree(parts, v)
    if (!is.null(tree)) parts <- lapply(parts, on_nodes, v, tree, total_label)
    check_levels_together(parts, v)
  }
  parts
}

# list(levels, nodes, root) of the part that has a tree over the levels of all others; NULL where
# all have the same levels, and where none has.
finest_tree <- function(parts, v) {
  own <- Filter(function(part) part$complete && v %in% names(part$columns), parts)
  levels <- lapply(own, function(part) levels(part$columns[[v]]))
  if (length(unique(levels)) < 2) {
    return(NULL)
  }
  for (i in which(vapply(own, function(part) !is.null(part$hierarchies[[v]]), NA))) {
    edges <- own[[i]]$hierarchies[[v]]
    if (is.data.frame(edges)) edges <- list(edges)
    parents <- as.character(unlist(lapply(edges, `[[`, 1)))
    children <- as.character(unlist(lapply(edges, `[[`, 2)))
    below <- children[!is.na(parents)]
    # a root may be listed, as a child of nobody
    parents <- parents[!is.na(parents)]
    nodes <- unique(c(levels[[i]], parents, children))
    if (all(unlist(levels) %in% nodes)) {
      return(list(levels = levels[[i]], nodes = nodes, root = setdiff(parents, below)))
    }
  }
}

on_nodes <- function(part, v, tree, total_label) {
  column <- part$columns[[v]]
  if (is.null(column) || part$complete && identical(levels(column), tree$levels)) {
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

check_levels_together <- function(parts, v) {
  own <- Filter(function(part) part$complete && v %in% names(part$columns), parts)
  levels <- unique(lapply(own, function(part) levels(part$columns[[v]])))
  if (length(levels) < 2) {
    return(invisible())
  }
  abort_sdc("refused", c(
    "The tables of a record must have the same levels, or levels that are nodes of one tree.",
    x = "{.val {v}} has the levels {.val {levels[[1]]}} in one table, and {.val {levels[[2]]}} in
         another.",
    i = "Give the finer table a tree over {.val {v}} that has the coarser levels, by
         {.arg hierarchies}."
  ))
}
