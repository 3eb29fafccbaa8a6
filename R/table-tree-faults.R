# What can be wrong with trees, and what to do about it.

check_hierarchies <- function(hierarchies, variables) {
  if (is.null(hierarchies)) return(invisible())
  names <- names(hierarchies)
  check_that(
    is.list(hierarchies) && !is.data.frame(hierarchies) && !is.null(names) &&
      !anyDuplicated(names),
    "{.arg hierarchies} must be a list with the name of a variable for each element.",
    x = paste0("{.arg hierarchies} is {.obj_type_friendly {hierarchies}}",
               if (is.list(hierarchies)) " without such names", "."),
    i = if (identical(hierarchies, "auto")) {
      "{.fn sdc_table} looks for nested columns when it makes the table."
    }
  )
  unknown <- setdiff(names, variables)
  check_that(
    length(unknown) == 0,
    "{.arg hierarchies} must name variables of the table.",
    x = "There is no variable {.val {unknown}}.",
    i = did_you_mean(unknown, variables, "variable")
  )
}

# Names that are not missing.
known <- function(names) names[!is.na(names)]

# Stops for a tree, with words from where it is called. `hint` says what to do, in place of where to
# read about trees.
tree_stopper <- function(name, at) {
  function(what, hint = "{.code ?hierarchies} shows the formats that a tree can have.",
           .envir = parent.frame()) {
    abort_sdc("input", c(
      "Tree {at} of {.val {name}} in {.arg hierarchies} must be a tree whose leaves are the
       levels.",
      x = what,
      i = hint
    ), .envir = rlang::env(.envir, name = name, at = at))
  }
}

# ---- the tree itself ----------------------------------------------------------------------------

check_tree <- function(nodes, levels, stop_tree) {
  check_tree_names(nodes, levels, stop_tree)
  check_one_root(nodes, stop_tree)
  check_one_place(nodes, stop_tree)
  if (length(nodes$node) == 1) stop_tree("It has no node but its root, {.val {nodes$node}}.")
  # the parent's parent, and so on: after n steps only what is below itself has one left
  up <- match(nodes$parent, nodes$node, incomparables = NA)
  for (k in seq_len(ceiling(log2(length(up) + 1)))) up <- up[up]
  lost <- nodes$node[sort(unique(known(up)))]
  if (length(lost) > 0) {
    stop_tree("{.val {lost}} stand{?s/} below {?itself/themselves}.",
              "Follow the parents of {.val {lost[1]}} upwards: one of them is wrong.")
  }
}

check_tree_names <- function(nodes, levels, stop_tree) {
  absent <- is.na(nodes$node)
  if (any(absent & (is.na(nodes$parent) | !(is.null(levels) || anyNA(levels))))) {
    stop_tree("It has a node without a name.")
  }
  code <- nodes$node[!absent & !nodes$node %in% levels]
  if (!all(nzchar(code))) stop_tree("It has a node whose name is empty.")
  padded <- trimws(code)[trimws(code) != code]
  if (length(padded) > 0) {
    stop_tree("There are spaces around the code {.val {padded[1]}}.",
              "Take them away: {.code trimws()} does.")
  }
}

check_one_root <- function(nodes, stop_tree) {
  roots <- nodes$node[is.na(nodes$parent)]
  if (length(roots) == 0) stop_tree("It has no root: each node has a parent.")
  if (length(roots) == 1) return(invisible())
  near <- lapply(utils::head(roots, 5), function(root) {
    nearest_name(root, setdiff(known(nodes$node), roots))
  })
  at <- which(lengths(near) > 0)[1]
  # upside down it would be a tree
  edge <- !is.na(nodes$parent)
  turned <- any(edge) && !anyDuplicated(nodes$parent[edge]) &&
    length(setdiff(nodes$node[edge], nodes$parent[edge])) == 1
  meant <- if (!is.na(at)) near[[at]][1]
  wrong <- roots[at]
  stop_tree("It has {length(roots)} roots: {.val {roots}}.", if (turned) {
    "Are the columns of parents and of children swapped?"
  } else if (is.na(at)) {
    "Add the total over them: rows with it as parent, and them as children."
  } else {
    "Did you mean {.val {meant}} by {.val {wrong}}?"
  })
}

# Each node has one parent and one row.
check_one_place <- function(nodes, stop_tree) {
  twice <- unique(nodes$node[duplicated(nodes$node)])
  if (length(twice) == 0) return(invisible())
  parents <- unique(nodes$parent[nodes$node %in% twice[1]])
  if (length(parents) == 1) stop_tree("{.val {twice}} stand{?s/} in it more than once.")
  shown <- ifelse(is.na(parents), "no node", paste0("\"", parents, "\""))
  stop_tree("{.val {twice[1]}} stands below {shown}: it has more than one parent.",
            "Two ways to group the levels are two trees, in a list; two nodes of the same code need
             different codes.")
}

# The root has a name that no other node has.
check_free_label <- function(total_label, codes, stop_tree) {
  if (total_label %in% codes) {
    stop_tree("The name of the total, {.val {total_label}}, is the name of another node too.",
              "Choose another {.arg total_label}.")
  }
}

check_signs_of_tree <- function(columns, pair, stop_tree) {
  row <- which(!columns$sign %in% "1")[1]
  if (is.na(row)) return(invisible())
  to <- columns[[pair[1]]][row]
  if (columns$sign[row] %in% "-1") {
    stop_tree("Row {row} has sign -1: it takes {.val {columns[[pair[2]]][row]}} away from
               {.val {to}}.",
              "A tree only adds: write {.val {to}} as the sum of the codes that remain.")
  }
  stop_tree("Row {row} has sign {.val {columns$sign[row]}}, where 1 adds a code.")
}

# ---- correspondence frames ----------------------------------------------------------------------

# `empty`: for each column, from coarse to fine, which rows have no code in it.
check_no_gaps <- function(columns, empty, stop_tree) {
  for (k in seq_along(empty)[-1]) {
    row <- which(empty[[k - 1]] & !empty[[k]])[1]
    if (is.na(row)) next
    coarse <- names(empty)[k - 1]
    fine <- names(empty)[k]
    stop_tree(
      "Row {row} has no code in {.val {coarse}}, but {.val {columns[[fine]][row]}} in
       {.val {fine}}.",
      "Fill the gap. A code that has no node of its own on a level is repeated there."
    )
  }
}

# A column that does not group the codes of the finest one may be finer still, or wrong.
check_finer <- function(columns, finest, v, stop_tree) {
  fine <- columns[[finest]]
  if (identical(fine[match(columns[[v]], columns[[v]])], fine)) return(invisible())
  first <- columns[[v]][match(fine, fine)]
  wrong <- which(columns[[v]] != first)[1]
  both <- c(first[wrong], columns[[v]][wrong])
  stop_tree(
    "{.val {fine[wrong]}} of {.val {finest}} lies in {.val {both}} of {.val {v}}.",
    "In a frame with a column for each level a code must lie in one code of each coarser column."
  )
}

# ---- the tree and the levels --------------------------------------------------------------------

# Each level must be a leaf.
check_fit <- function(nodes, levels, stop_tree, name, dimnames = NULL) {
  leaves <- setdiff(nodes$node, known(nodes$parent))
  missing <- setdiff(levels, leaves)
  if (length(missing) == 0) return(invisible())
  other <- other_variable(leaves, levels, name, dimnames)
  if (!is.null(other)) {
    stop_tree("Its leaves are levels of {.val {other}}, not of {.val {name}}.",
              "Name each tree after its variable.")
  }
  inner <- intersect(missing, nodes$node)
  if (length(inner) > 0) {
    stop_tree(
      "The level{?s} {.val {inner}} {?is an inner node/are inner nodes} of it, not
       {?a leaf/leaves}.",
      "Counts that are totals can be named by {.arg total}. Records without a finer code need a
       leaf of their own below the node."
    )
  }
  stop_missing_leaf(missing, leaves, levels, stop_tree)
}

stop_missing_leaf <- function(missing, leaves, levels, stop_tree) {
  free <- setdiff(leaves, levels)
  number <- function(x) suppressWarnings(as.numeric(x))
  same_number <- free[known(match(number(missing), number(free), incomparables = NA))]
  same_text <- match(trimws(missing), trimws(free), incomparables = NA)
  near <- unique(unlist(lapply(utils::head(missing, 3), nearest_name, known(free))))
  stop_tree(
    "The level{?s} {.val {missing}} {?is/are} no {?leaf/leaves} of it.",
    if (any(!is.na(same_text))) {
      "The level or the leaf has spaces around it: take them away."
    } else if (length(same_number) > 0) {
      "Its leaf is {.val {same_number[1]}}: read the codes as strings. Numbers lose their leading
       zeros."
    } else if (length(near) > 0) {
      "Did you mean {.val {near}}? {?It is a leaf/They are leaves} without records."
    } else {
      "Add what is missing to the tree. Levels without counts can be left out by
       {.code drop_unused = TRUE}."
    }
  )
}

# Another variable whose levels are the leaves of the tree, when the variable's own are not.
other_variable <- function(leaves, levels, name, dimnames) {
  if (any(levels %in% leaves)) {
    return(NULL)
  }
  fits <- vapply(dimnames, function(l) length(l) > 0 && all(l %in% leaves), NA)
  other <- setdiff(names(dimnames)[fits], name)
  if (length(other) > 0) other[1]
}
