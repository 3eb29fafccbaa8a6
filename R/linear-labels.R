# The labels of the variables of a release: levels, then totals, with the levels that each holds.

# All labels of all variables: the levels, then the totals, with the levels that each label holds.
part_labels <- function(parts, hierarchies, total_label, dimnames) {
  dimnames <- given_dimnames(dimnames)
  shown <- lapply(parts, function(p) p$variables %||% names(p$columns))
  variables <- unique(c(names(dimnames), unlist(shown)))
  check_hierarchies(hierarchies, variables)
  hierarchies <- all_trees(hierarchies, parts)
  labels <- lapply(variables, function(v) {
    tree <- hierarchies[[v]]
    made <- made_labels(parts, v)
    if (is.null(tree) && !is.null(made)) {
      check_same_levels(parts, v, made$levels)
      return(made)
    }
    levels <- dimnames[[v]]
    if (is.null(levels)) levels <- found_levels(parts, v, tree, total_label)
    check_same_levels(parts, v, levels)
    totals <- if (is.null(tree) && total_label %in% levels) {
      list()
    } else {
      variable_totals(tree, levels, v, total_label)
    }
    variable_label(levels, totals)
  })
  rlang::set_names(labels, variables)
}

# Labels of a variable in constraints that were made before.
made_labels <- function(parts, variable) {
  for (part in parts) {
    if (!is.null(part$labels[[variable]])) {
      return(part$labels[[variable]])
    }
  }
}

# The user's trees, and those that parts bring for other variables.
all_trees <- function(hierarchies, parts) {
  for (part in parts) {
    new <- setdiff(names(part$hierarchies), names(hierarchies))
    hierarchies[new] <- part$hierarchies[new]
  }
  hierarchies
}

given_dimnames <- function(dimnames) {
  if (is.null(dimnames)) {
    return(NULL)
  }
  ok <- is.list(dimnames) && !is.null(names(dimnames)) && all(nzchar(names(dimnames)))
  if (!ok) {
    abort_sdc("input", c(
      "{.arg dimnames} must be a list with the levels of each variable, under its name.",
      x = "{describe(dimnames)}"
    ))
  }
  check_dimnames(lapply(dimnames, as.character))
}

found_levels <- function(parts, variable, tree, total_label) {
  columns <- lapply(parts, function(p) p$columns[[variable]])
  for (part in parts) {
    if (part$complete && variable %in% names(part$columns)) {
      return(levels(part$columns[[variable]]))
    }
  }
  if (!is.null(tree)) {
    found <- variable_trees(tree, NULL, variable, total_label)
    return(unique(unlist(lapply(found$trees, tree_leaves))))
  }
  values <- unlist(lapply(columns, function(column) {
    if (is.factor(column)) levels(column) else unique(as.character(column))
  }))
  setdiff(unique(values), total_label)
}

check_same_levels <- function(parts, variable, levels) {
  for (part in parts) {
    column <- part$columns[[variable]]
    if (part$complete && !is.null(column) && !identical(levels(column), levels)) {
      abort_sdc("input", c(
        "A variable must have the same levels, in the same order, in all parts of a release.",
        x = "The levels of {.val {variable}} in {.val {part$set}} differ from those of the other
             parts.",
        i = "{.arg dimnames} says what they are."
      ))
    }
  }
}

# For each row the label of a variable, 0 where the part says nothing of the variable.
match_labels <- function(part, variable, label) {
  column <- part$columns[[variable]]
  if (is.null(column)) {
    return(integer(length(part$lower)))
  }
  code <- match(as.character(column), label$names)
  if (anyNA(code)) {
    at <- which(is.na(code))[1]
    abort_sdc("input", c(
      "Each value of a variable must be one of its levels, or a total.",
      x = "Row {at} of {.val {part$set}}: {.val {as.character(column)[at]}} is neither for
           {.val {variable}}.",
      i = "Trees for totals go into {.arg hierarchies}."
    ))
  }
  code
}
