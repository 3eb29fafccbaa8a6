# Trees of the levels of a variable: the forms that are read, and the totals that follow.

#' Trees: how the levels of a variable add up
#'
#' The argument `hierarchies` of [as.data.frame()][as.data.frame.sdc_table], [suppress()],
#' [round_controlled()], [magnitude_table()] and [constraints()] says how the levels of a variable
#' add up to totals: regions to counties, industries to sections. It is a list with the name of a
#' variable for each element. The leaves of a tree are the levels of the variable; each other node
#' is the sum of the nodes directly below it, and the root is the total over all levels. A variable
#' that is not named gets one total, `total_label`.
#'
#' # Formats
#' A tree can be written as
#' * a **correspondence frame**: a data frame with a column for each level and a row for each code
#'   of the finest one. The order of the columns does not matter: they are put in order by which of
#'   them lies inside which. The finest column is the one that holds the levels of the variable;
#'   columns that are finer still are left out. The names of the columns are the names of the levels
#'   of the tree. A column with one code is the root; of columns that make the same groups the first
#'   is kept. A missing value (or an empty string) says that the code before it has no finer
#'   code. Columns that do not lie inside each other, such as police district and county, make
#'   several trees;
#' * a **parent-child frame**: a data frame with columns `parent` and `child`, a row for each node.
#'   A row for the root, with parent `NA`, may be there. A column `level` may name the levels of the
#'   tree. [nested_tree()] makes such a frame of variables that lie inside one another;
#' * an **`@`-frame**, as package sdcTable takes it: a data frame with two columns, the depth as
#'   `"@@"`, `"@@@@"`, ... and the code, each node below its parent;
#' * an **`.hrc` file** of tau-ARGUS, by its path, or its lines; see [read_hrc()]. The root has no
#'   line and is called `total_label`;
#' * an object of package **sdcHierarchies** (columns `root`, `leaf`);
#' * a hierarchy of package **SSBtools**: a data frame with columns `mapsFrom` and `mapsTo`. All
#'   signs must be 1, for a tree only adds. The list that `SSBtools::FindDimLists()` gives can be
#'   used as it is;
#' * a **named vector** from each code to its parent: `c(n1 = "North", n2 = "North", s1 = "South")`.
#'   Where no node is above all others, the root is `total_label`;
#' * a **string** that is no path: the name of the total over all levels.
#'
#' A variable may have several trees: a list of trees in any of these formats, or several elements
#' with the variable's name. Nodes of the same name in two trees must hold the same levels; they are
#' then one total.
#'
#' # Trees that are found
#' `sdc_table(hierarchies = "auto")` looks for columns of the data of which one lies inside another,
#' such as region inside county: each level of the region occurs with one county only. The finest
#' column is a variable of the table, the coarser ones are levels of its trees. A message of class
#' `sdc_message_trees` shows what was found, and says where columns have so few rows that chance can
#' explain it. Columns that make the same groups, such as code and name, are one: the first is kept.
#' A coarser column that several others determine goes with the first of them. Levels without rows
#' stand right below the total. Columns with one level, and coarser columns with missing values,
#' remain variables of their own.
#'
#' # Details
#' * Trees need not be balanced: leaves may stand at any depth.
#' * A leaf that does not occur in the table has no records: it becomes a level of zeros.
#' * Codes are strings. Factors and labelled vectors stand for their labels, and numbers for
#'   themselves, as in [sdc_table()]: the number 1 is not the level `"01"`.
#' * A code on two levels is one node when it is the only child of itself, as a county with a single
#'   municipality of the same code. In a correspondence frame the same code may stand on two levels
#'   for different leaves: the coarser node is then called `"code [column]"`. In the other formats
#'   that is an error, and one of the nodes needs another code.
#' * A leaf `NA` is the level `NA` of a variable that has one; other nodes must have a name.
#' * A message of class `sdc_message_trees` says which nodes were renamed, which columns were left
#'   out, and which columns make several trees.
#'
#' @section Errors: `sdc_error_input` for a tree that would not add up: several roots, a node with
#'   two parents or below itself, a level of the table that is no leaf, a code with spaces around
#'   it, a tree of another variable. The error says what to do, and proposes the name that was
#'   probably meant.
#' @section Complexity: O(n log n) for a tree with n nodes.
#' @name hierarchies
#' @family table
#' @seealso [nested_tree()] makes a tree of variables that lie inside one another, [read_hrc()]
#'   reads a file.
#' @examples
#' people <- data.frame(region = c("n1", "n1", "n2", "s1", "s1"))
#' x <- sdc_table(people)
#'
#' # a correspondence frame
#' wide <- data.frame(county = c("North", "North", "South"), region = c("n1", "n2", "s1"))
#' as.data.frame(x, hierarchies = list(region = wide))
#'
#' # the same tree in other formats
#' pairs <- data.frame(
#'   parent = c("Total", "Total", "North", "North", "South"),
#'   child = c("North", "South", "n1", "n2", "s1")
#' )
#' at <- data.frame(
#'   levels = strrep("@", c(1, 2, 3, 3, 2, 3)),
#'   codes = c("Total", "North", "n1", "n2", "South", "s1")
#' )
#' file <- tempfile(fileext = ".hrc")
#' writeLines(c("North", "@@n1", "@@n2", "South", "@@s1"), file)
#' maps <- data.frame(
#'   mapsFrom = c("North", "South", "n1", "n2", "s1"),
#'   mapsTo = c("Total", "Total", "North", "North", "South"), sign = 1
#' )
#' vector <- c(n1 = "North", n2 = "North", s1 = "South")
#' for (tree in list(pairs, at, file, maps, vector)) {
#'   print(as.data.frame(x, hierarchies = list(region = tree))$freq)
#' }
#'
#' # an object of sdcHierarchies
#' if (requireNamespace("sdcHierarchies", quietly = TRUE)) {
#'   tree <- sdcHierarchies::hier_create("Total", nodes = c("North", "South"))
#'   tree <- sdcHierarchies::hier_add(tree, root = "North", nodes = c("n1", "n2"))
#'   tree <- sdcHierarchies::hier_add(tree, root = "South", nodes = "s1")
#'   as.data.frame(x, hierarchies = list(region = tree))
#' }
#'
#' # two trees of one variable
#' coast <- c(n1 = "coast", n2 = "inland", s1 = "coast")
#' as.data.frame(x, hierarchies = list(region = list(wide, coast)))
#'
#' # a tree that is found
#' people$county <- ifelse(people$region == "s1", "South", "North")
#' as.data.frame(sdc_table(people, hierarchies = "auto"), totals = TRUE)
NULL

# The trees as plain data frames (columns parent, child and, where a level is known, level), in the
# order of the variables. What is worth saying about them is said here.
plain_trees <- function(trees, dimnames, total_label = "Total") {
  trees <- trees_by_variable(trees)
  check_hierarchies(trees, names(dimnames))
  if (length(trees) == 0) {
    return(NULL)
  }
  variables <- plain(intersect(names(dimnames), names(trees)))
  read <- lapply(variables, function(v) {
    found <- variable_trees(trees[[v]], dimnames[[v]], v, total_label, dimnames)
    variable_totals(found$trees, dimnames[[v]], v, "")
    found
  })
  say_trees(unlist(lapply(read, `[[`, "said")))
  rlang::set_names(lapply(read, `[[`, "trees"), variables)
}

dimnames_with_leaves <- function(dimnames, hierarchies, total_label = "Total") {
  hierarchies <- trees_by_variable(hierarchies)
  check_hierarchies(hierarchies, names(dimnames))
  out <- dimnames
  for (v in names(hierarchies)) {
    if (is_total_name(hierarchies[[v]])) next
    found <- variable_trees(hierarchies[[v]], dimnames[[v]], v, total_label, dimnames)
    out[[v]] <- union(dimnames[[v]], unlist(lapply(found$trees, tree_leaves)))
  }
  out
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

# All trees of a variable, read and checked: plain data frames, and what is to be said about them.
# `dimnames` are for hints only. Levels NULL are not known.
variable_trees <- function(trees, levels, name, total_label = "Total", dimnames = NULL) {
  trees <- listed_trees(trees, name)
  read <- lapply(seq_along(trees), function(i) {
    checked_tree(trees[[i]], levels, name, i, total_label, dimnames)
  })
  nodes <- unlist(lapply(read, `[[`, "nodes"), recursive = FALSE)
  list(trees = lapply(nodes, plain_tree), said = unlist(lapply(read, `[[`, "said")))
}

checked_tree <- function(tree, levels, name, at, total_label, dimnames = NULL) {
  stop_tree <- tree_stopper(name, at)
  found <- read_tree(tree, levels, name, total_label, stop_tree)
  for (nodes in found$nodes) {
    check_tree(nodes, levels, stop_tree)
    if (!is.null(levels)) check_fit(nodes, levels, stop_tree, name, dimnames)
  }
  found
}

listed_trees <- function(trees, name) {
  if (is.data.frame(trees) || is.character(trees)) {
    trees <- list(trees)
  }
  if (!is.list(trees) || length(trees) == 0) {
    tree_stopper(name, 1)("It is {.obj_type_friendly {trees}}.")
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
    stop_tree("It is {.obj_type_friendly {tree}}.")
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

# ---- totals --------------------------------------------------------------------------------------

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
  check_that(
    length(clash) == 0,
    "A total must not have the name of a level.",
    x = "{.val {clash}} is a level of {.val {name}}.",
    i = "Choose another name by {.arg {arg}}."
  )
}

# The same node in two trees is one total when it holds the same levels.
merge_totals <- function(totals, name) {
  again <- which(duplicated(names(totals)))
  same <- rep(TRUE, length(totals))
  first <- match(names(totals)[again], names(totals))
  same[again] <- unlist(Map(setequal, totals[again], totals[first]))
  check_that(
    all(same),
    "A node that occurs in several trees must hold the same levels in each.",
    x = "{.val {unique(names(totals)[!same])}} {?holds/hold} different levels in two trees of
         {.val {name}}.",
    i = "Give the nodes different names."
  )
  totals[!duplicated(names(totals))]
}

# For each tree and inner node, in order, the positions of the levels that it holds.
tree_totals <- function(tree, levels, name, at, total_label = "Total") {
  lapply(checked_tree(tree, levels, name, at, total_label)$nodes, function(nodes) {
    inner <- nodes$node[nodes$node %in% known(nodes$parent)]
    unknown <- setdiff(nodes$node, c(inner, levels))
    if (length(unknown) > 0) {
      tree_stopper(name, at)("The lea{?f/ves} {.val {unknown}} {?is/are} no level{?s}.")
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


# The relations of a variable: which label stands directly below which, and in which tree.
family_tree <- function(labels, n_levels, trees) {
  if (is.null(trees)) {
    return(list(child = seq_len(n_levels), parent = rep(n_levels + 1L, n_levels),
                tree = rep(1L, n_levels)))
  }
  parts <- lapply(seq_along(trees), function(i) {
    below <- !is.na(trees[[i]]$parent)
    list(child = match(trees[[i]]$child[below], labels),
         parent = match(trees[[i]]$parent[below], labels), tree = rep(i, sum(below)))
  })
  join <- function(name) unlist(lapply(parts, `[[`, name))
  list(child = join("child"), parent = join("parent"), tree = join("tree"))
}
