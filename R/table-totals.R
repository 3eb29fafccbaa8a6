<<<<<<< HEAD
# Totals over trees: for each inner node the levels that it holds.
=======
# Totals over trees. A tree is read into one form, list(node = <names>, parent = <names, NA for the
# root>), checked, and turned into the levels that each of its inner nodes holds.

# The table with all leaves of its trees as levels: those that no record has are zero.
with_leaves <- function(x, hierarchies) {
  dimnames <- dimnames_with_leaves(x$dimnames, hierarchies)
  if (identical(dimnames, x$dimnames)) {
    return(x)
  }
  maps <- lapply(unname(x$dimnames), seq_along)
  project_table(x, seq_along(dimnames), maps, dimnames)
}

dimnames_with_leaves <- function(dimnames, hierarchies) {
  check_hierarchies(hierarchies, names(dimnames))
  for (v in names(hierarchies)) {
    trees <- hierarchies[[v]]
    if (is.data.frame(trees)) trees <- list(trees)
    if (!is.list(trees) || length(trees) == 0) {
      abort_tree(v, 1, "It is {.obj_type_friendly {trees}}.", list(trees = trees))
    }
    leaves <- lapply(seq_along(trees), function(i) {
      nodes <- read_tree(trees[[i]], function(what, ...) abort_tree(v, i, what, list(...)))
      check_own_tree(v, nodes, dimnames)
      leaves_of(nodes)
    })
    dimnames[[v]] <- union(dimnames[[v]], unlist(leaves))
  }
  dimnames
}

# A tree without any level of its variable belongs to another one.
check_own_tree <- function(variable, nodes, dimnames) {
  leaves <- leaves_of(nodes)
  if (length(dimnames[[variable]]) == 0 || any(leaves %in% dimnames[[variable]])) {
    return(invisible())
  }
  owner <- names(Filter(function(levels) any(leaves %in% levels), dimnames))
  some <- utils::head(dimnames[[variable]], 3)
  abort_sdc("input", c(
    "Tree of {.val {variable}} in {.arg hierarchies}: its leaves must be levels of the variable.",
    x = paste0("No leaf of it is one.", swapped_words(nodes)),
    x = "{.val {variable}} has levels such as {.val {some}}, and the leaves of the tree are such as
         {.val {utils::head(leaves, 3)}}.",
    i = if (length(owner) > 0) "Its leaves are levels of {.val {owner[1]}}."
  ))
}

# Roots in the place of leaves: the columns were taken for each other.
swapped_words <- function(nodes) {
  edge <- !is.na(nodes$parent)
  turned <- any(edge) && !anyDuplicated(nodes$parent[edge]) &&
    length(setdiff(nodes$node[edge], nodes$parent[edge])) == 1
  if (turned) " Its columns parent and child seem to be swapped."
}

leaves_of <- function(nodes) setdiff(known(nodes$node), nodes$parent)

check_hierarchies <- function(hierarchies, variables) {
  if (is.null(hierarchies)) {
    return(invisible())
  }
  names <- names(hierarchies)
  ok <- is.list(hierarchies) && !is.data.frame(hierarchies) && !is.null(names) &&
    !anyDuplicated(names)
  if (!ok) {
    abort_sdc("input", c(
      "{.arg hierarchies} must be a list with the name of a variable for each element.",
      x = paste0("{.arg hierarchies} is {.obj_type_friendly {hierarchies}}",
                 if (is.list(hierarchies)) " without such names", ".")
    ))
  }
  unknown <- setdiff(names, variables)
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.arg hierarchies} must name variables of the table.",
      x = "There is no variable {.val {unknown}}.",
      i = did_you_mean(unknown, variables, "variable")
    ))
  }
}
>>>>>>> 63f0a57 (75 typical slips and what each is told; trees of another variable and swapped columns are recognised)

# For each total, in order, the positions of the levels that it holds.
variable_totals <- function(trees, levels, name, total_label) {
  if (is.null(trees)) {
    totals <- rlang::set_names(list(seq_along(levels)), total_label)
    check_no_clash(totals, levels, name, "total_label")
    return(totals)
  }
  trees <- listed_trees(trees, name)
  totals <- lapply(seq_along(trees), function(i) {
    tree_totals(trees[[i]], levels, name, i, total_label)
  })
  totals <- merge_totals(unlist(totals, recursive = FALSE), name)
  check_no_clash(totals, levels, name, "hierarchies")
  totals
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
      x = "{.val {unique(names(totals)[!same])}} of {.val {name}} holds different levels in two
           trees."
    ))
  }
  totals[!duplicated(names(totals))]
}

# For each inner node, in order, the positions of the levels that it holds.
tree_totals <- function(tree, levels, name, at, total_label = "Total") {
  stop_tree <- tree_stopper(name, at)
  found <- read_tree(tree, levels, name, total_label, stop_tree)
  totals <- lapply(found$nodes, function(nodes) {
    check_tree(nodes, levels, stop_tree)
    check_fit(nodes, levels, stop_tree, name)
    inner <- nodes$node[nodes$node %in% known(nodes$parent)]
    unknown <- setdiff(nodes$node, c(inner, levels))
    if (length(unknown) > 0) {
      stop_tree("The lea{?f/ves} {.val {unknown}} {?is/are} no level{?s}.", unknown = unknown)
    }
    held_levels(nodes, inner, levels)
  })
  unlist(totals, recursive = FALSE)
}

<<<<<<< HEAD
=======
tree_totals <- function(tree, levels, name, at) {
  stop_tree <- function(what, ...) abort_tree(name, at, what, list(...))
  nodes <- read_tree(tree, stop_tree)
  if (anyNA(nodes$node) && (!anyNA(levels) || anyNA(nodes$node[is.na(nodes$parent)]))) {
    stop_tree("It has a node without a name.")
  }
  check_tree(nodes, stop_tree)
  inner <- nodes$node[nodes$node %in% known(nodes$parent)]
  leaves <- setdiff(nodes$node, inner)
  missing <- setdiff(levels, leaves)
  if (length(missing) > 0) {
    stop_tree(paste("The level{?s} {.val {missing}} {?is/are} no {?leaf/leaves} of it.",
                    did_you_mean(missing, leaves)), missing = missing)
  }
  unknown <- setdiff(leaves, levels)
  if (length(unknown) > 0) {
    stop_tree("The lea{?f/ves} {.val {unknown}} {?is/are} no level{?s}.", unknown = unknown)
  }
  held_levels(nodes, inner, levels)
}

# A parent NA marks a root; a node NA, the level NA, is no parent.
known <- function(names) names[!is.na(names)]

>>>>>>> 63f0a57 (75 typical slips and what each is told; trees of another variable and swapped columns are recognised)
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
<<<<<<< HEAD
  held <- held[order(held[, 2]), , drop = FALSE]
  split(held[, 2], factor(nodes$node[held[, 1]], inner))
=======
  split_held <- split(held[, 2], factor(nodes$node[held[, 1]], inner))
  lapply(split_held, sort)
}

read_tree <- function(tree, stop_tree) {
  if (!is.data.frame(tree)) {
    stop_tree("It is {.obj_type_friendly {tree}}.", tree = tree)
  }
  columns <- lapply(unclass(tree)[seq_along(tree)], as.character)
  nodes <- if (all(c("root", "leaf", "level") %in% names(tree))) {
    parent_child(columns$root, columns$leaf)
  } else if (all(c("parent", "child") %in% names(tree))) {
    parent_child(columns$parent, columns$child)
  } else if (length(columns) == 2 && nrow(tree) > 0 && all(grepl("^@+$", columns[[1]]))) {
    at_frame(nchar(columns[[1]]), columns[[2]], stop_tree)
  } else {
    stop_tree("It is a data frame with columns {.val {names}}.", names = names(tree))
  }
  nodes
}

# A row without a parent, or that is its own parent, marks a root.
parent_child <- function(parent, child) {
  root <- is.na(parent) | (!is.na(child) & parent == child)
  roots <- unique(c(child[root], setdiff(parent[!root], child)))
  list(node = c(roots, child[!root]),
       parent = c(rep(NA_character_, length(roots)), parent[!root]))
}

at_frame <- function(depth, node, stop_tree) {
  if (depth[1] != 1 || any(diff(depth) > 1)) {
    stop_tree("Its depths must start at \"@\" and grow by one at a time; row {row} breaks this.",
              row = if (depth[1] != 1) 1 else which(diff(depth) > 1)[1] + 1)
  }
  parent <- rep(NA_character_, length(node))
  for (d in seq_len(max(depth))[-1]) {
    above <- cummax(ifelse(depth == d - 1, seq_along(node), 0L))
    parent[depth == d] <- node[above[depth == d]]
  }
  list(node = node, parent = parent)
}

check_tree <- function(nodes, stop_tree) {
  root <- is.na(nodes$parent)
  if (base::sum(root) != 1) {
    stop_tree(paste0("It has {n} roots.", swapped_words(nodes)), n = base::sum(root))
  }
  twice <- unique(nodes$node[duplicated(nodes$node)])
  if (length(twice) > 0) {
    stop_tree("{.val {twice}} stands in it more than once.", twice = twice)
  }
  below <- nodes$node[root]
  reached <- below
  while (length(below) > 0) {
    below <- nodes$node[nodes$parent %in% known(below)]
    reached <- c(reached, below)
  }
  if (length(reached) < length(nodes$node)) {
    stop_tree("{.val {lost}} stand{?s/} below {?itself/themselves}.",
              lost = setdiff(nodes$node, reached))
  }
}

# Trees as frames of parents and children without anything else in them, in the order of the
# variables.
plain_trees <- function(trees, dimnames) {
  check_hierarchies(trees, names(dimnames))
  if (length(trees) == 0) {
    return(NULL)
  }
  variables <- plain(intersect(names(dimnames), names(trees)))
  out <- lapply(variables, function(v) {
    variable_totals(trees[[v]], dimnames[[v]], v, "")
    of_variable <- if (is.data.frame(trees[[v]])) list(trees[[v]]) else trees[[v]]
    lapply(unname(of_variable), function(tree) {
      nodes <- read_tree(tree, stop)
      nodes <- lapply(nodes, function(n) plain(as.vector(n)))
      level <- if (!is.null(tree$level) && !is.null(tree$child)) {
        list(level = tree$level[match(nodes$node, tree$child)])
      }
      list2data_frame(c(list(parent = nodes$parent, child = nodes$node), level),
                      length(nodes$node))
    })
  })
  rlang::set_names(out, variables)
}

one_of_two <- function(hierarchies, dimList) {
  if (!is.null(hierarchies) && !is.null(dimList)) {
    abort_sdc("input", c(
      "{.arg dimList} is another name for {.arg hierarchies}.",
      x = "Both are given."
    ))
  }
  trees_by_variable(if (is.null(hierarchies)) dimList else hierarchies)
}

# A variable that is named twice has several trees, as SSBtools::FindDimLists() gives them.
trees_by_variable <- function(hierarchies) {
  if (is.list(hierarchies) && !is.data.frame(hierarchies)) {
    # a variable without a tree
    hierarchies <- hierarchies[!vapply(hierarchies, is.null, NA)]
  }
  names <- names(hierarchies)
  if (!is.list(hierarchies) || is.data.frame(hierarchies) || !anyDuplicated(names)) {
    return(hierarchies)
  }
  lapply(rlang::set_names(unique(names)), function(v) {
    trees <- lapply(unname(hierarchies[names == v]), function(tree) {
      if (is.data.frame(tree)) list(tree) else tree
    })
    do.call(c, trees)
  })
>>>>>>> 63f0a57 (75 typical slips and what each is told; trees of another variable and swapped columns are recognised)
}
