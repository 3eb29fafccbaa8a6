# Trees of the levels of a variable, as tables use them.

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

# The table with all leaves of its trees as levels: those that no record has are zero.
with_leaves <- function(x, hierarchies, total_label = "Total") {
  dimnames <- dimnames_with_leaves(x$dimnames, hierarchies, total_label)
  if (identical(dimnames, x$dimnames)) {
    return(x)
  }
  maps <- lapply(unname(x$dimnames), seq_along)
  project_table(x, seq_along(dimnames), maps, dimnames)
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
