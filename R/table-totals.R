# Totals over trees: for each inner node the levels that it holds.

# For each total, in order, the positions of the levels that it holds. The attribute `trees` has for
# each tree the positions of its totals.
variable_totals <- function(trees, levels, name, total_label) {
  if (is.null(trees)) {
    totals <- rlang::set_names(list(seq_along(levels)), total_label)
    check_no_clash(totals, levels, name, "total_label")
    return(structure(totals, trees = list(1L)))
  }
  trees <- listed_trees(trees, name)
  by_tree <- unlist(lapply(seq_along(trees), function(i) {
    tree_totals(trees[[i]], levels, name, i, total_label)
  }), recursive = FALSE)
  totals <- merge_totals(unlist(unname(by_tree), recursive = FALSE), name)
  check_no_clash(totals, levels, name, "hierarchies")
  structure(totals, trees = lapply(unname(by_tree), function(tree) {
    match(names(tree), names(totals))
  }))
}

# The labels of a variable with its totals, as variable_totals() gives them: the levels first.
variable_label <- function(levels, totals, labels = c(levels, names(totals))) {
  list(levels = levels, held = c(as.list(seq_along(levels)), unname(as.list(totals))),
       names = labels, trees = attr(totals, "trees") %||% list())
}

check_no_clash <- function(totals, levels, name, arg) {
  clash <- intersect(names(totals), levels)
  if (length(clash) > 0) {
    abort_sdc("input", c(
      "A total must not have the name of a level.",
      x = "{.val {clash}} is a level of {.val {name}}.",
      i = "Choose another name by {.arg {arg}}."
    ))
  }
}

# The same node in two trees is one total when it holds the same levels.
merge_totals <- function(totals, name) {
  again <- which(duplicated(names(totals)))
  same <- rep(TRUE, length(totals))
  first <- match(names(totals)[again], names(totals))
  same[again] <- unlist(Map(setequal, totals[again], totals[first]))
  if (!all(same)) {
    abort_sdc("input", c(
      "A node that occurs in several trees must hold the same levels in each.",
      x = "{.val {unique(names(totals)[!same])}} {?holds/hold} different levels in two trees of
           {.val {name}}.",
      i = "Give the nodes different names."
    ))
  }
  totals[!duplicated(names(totals))]
}

# For each tree and inner node, in order, the positions of the levels that it holds.
tree_totals <- function(tree, levels, name, at, total_label = "Total") {
  stop_tree <- tree_stopper(name, at)
  found <- read_tree(tree, levels, name, total_label, stop_tree)
  lapply(found$nodes, function(nodes) {
    check_tree(nodes, levels, stop_tree)
    check_fit(nodes, levels, stop_tree, name)
    inner <- nodes$node[nodes$node %in% known(nodes$parent)]
    unknown <- setdiff(nodes$node, c(inner, levels))
    if (length(unknown) > 0) {
      stop_tree("The lea{?f/ves} {.val {unknown}} {?is/are} no level{?s}.", unknown = unknown)
    }
    held_levels(nodes, inner, levels)
  })
}

# Walks up from all leaves at once: a round for each level of depth.
held_levels <- function(nodes, inner, levels) {
  above <- match(nodes$parent, nodes$node, incomparables = NA)
  leaf <- seq_along(levels)
  at <- match(levels, nodes$node)
  held <- list()
  repeat {
    up <- above[at]
    leaf <- leaf[!is.na(up)]
    at <- up[!is.na(up)]
    if (length(at) == 0) break
    held <- c(held, list(cbind(at, leaf)))
  }
  held <- do.call(rbind, held)
  held <- held[order(held[, 2]), , drop = FALSE]
  split(held[, 2], factor(nodes$node[held[, 1]], inner))
}
