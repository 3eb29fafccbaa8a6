# What sdc_table() tabulates when it is given trees or a formula: the variables, and their trees.

# `dimVar`: the variables; `hierarchies`: their trees as they came, or as they were found.
table_plan <- function(data, dimVar, numbers, hierarchies, formula, total_label = NULL) {
  if (!is.null(formula)) check_formula(formula)
  auto <- identical(hierarchies, "auto")
  if (!auto && is.null(formula)) {
    return(list(dimVar = dimVar, hierarchies = hierarchies))
  }
  if (!is.data.frame(data)) {
    check_no_auto(auto, data)
    return(list(dimVar = planned_names(data, dimVar, hierarchies, formula),
                hierarchies = hierarchies))
  }
  given <- if (auto) NULL else hierarchies
  columns <- planned_columns(data, dimVar, numbers, given, formula)
  found <- auto_trees(data, setdiff(columns, names(given)), total_label %||% "Total")
  check_own_groups(formula, found$same)
  say_trees(if (auto) found$message else found$notes)
  list(dimVar = intersect(columns, c(found$variables, names(given))),
       hierarchies = if (length(given) + length(found$trees) > 0) c(given, found$trees))
}

# A column that makes the same groups as another is no level of its own.
check_own_groups <- function(formula, same) {
  twice <- intersect(if (!is.null(formula)) formula_names(formula), names(same))
  if (length(twice) == 0) {
    return(invisible(formula))
  }
  abort_sdc("input", c(
    "Each name in {.arg formula} must make groups of its own.",
    x = "{.val {twice[1]}} makes the same groups as {.val {same[[twice[1]]]}}.",
    i = "Use {.val {same[[twice[1]]]}} in its place."
  ))
}

# The columns that are variables, or levels of trees over them. A name in the formula that is a
# level of a tree that was given is none.
planned_columns <- function(data, dimVar, numbers, given, formula) {
  if (!is.null(dimVar)) {
    at <- resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  } else if (is.null(formula)) {
    at <- setdiff(seq_along(data), match(numbers, names(data)))
  } else {
    at <- integer()
  }
  named <- if (is.null(formula)) character() else formula_names(formula)
  check_formula_columns(named, data, given)
  named <- vapply(named, variable_of_level, "", given)
  union(names(data)[at], intersect(c(named, names(given)), names(data)))
}

# The variable whose tree has a column of this name, or the name itself.
variable_of_level <- function(name, given) {
  for (v in names(given)) {
    if (name %in% wide_columns(given[v])) {
      return(v)
    }
  }
  name
}

check_formula_columns <- function(named, data, given) {
  known <- c(names(data), names(given), wide_columns(given))
  unknown <- setdiff(named, known)
  if (length(unknown) == 0) {
    return(invisible(named))
  }
  abort_sdc("input", c(
    "Each name in {.arg formula} must be a column of {.arg data} or a level of a tree.",
    x = "{.val {unknown}} {?is/are} neither.",
    i = did_you_mean(unknown, known, "name")
  ))
}

# A database or a table has its variables already; a database may have more columns.
planned_names <- function(data, dimVar, hierarchies, formula) {
  if (!is.null(dimVar) || is.array(data) || is_sdc_table(data) || inherits(data, "ftable")) {
    return(dimVar)
  }
  setdiff(c(formula_names(formula), names(hierarchies)),
          setdiff(wide_columns(hierarchies), names(hierarchies)))
}

check_no_auto <- function(auto, data) {
  if (!auto) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.code hierarchies = \"auto\"} looks for nested columns of a data frame.",
    x = "{.arg data} is {.obj_type_friendly {data}}.",
    i = "Give {.arg hierarchies} the trees; {.fn nested_tree} makes one of nested columns."
  ))
}

# The names of the levels of trees, in correspondence frames and in parent-child frames.
wide_columns <- function(hierarchies) {
  trees <- lapply(unname(hierarchies), function(tree) {
    if (is.data.frame(tree)) list(tree) else if (is.list(tree)) tree
  })
  frames <- Filter(is.data.frame, unlist(trees, recursive = FALSE))
  unlist(lapply(frames, function(frame) {
    pair <- pair_columns(names(frame))
    if (identical(pair, c("parent", "child"))) {
      return(known(unique(as.character(frame[["level"]]))))
    }
    if (is.null(pair) && !is_at_frame(frame)) names(frame)
  }))
}

is_at_frame <- function(frame) {
  length(frame) == 2 && nrow(frame) > 0 && all(grepl("^@+$", as.character(frame[[1]])))
}

# The layout that the arguments of sdc_table() ask for.
laid_out <- function(x, hierarchies, total_label, formula) {
  if (!is.null(x$layout)) {
    check_own_layout(x, hierarchies, total_label)
    if (is.null(formula)) {
      return(x)
    }
    total_label <- table_total_label(x)
    trees <- table_trees(x)
  } else {
    total_label <- if (is.null(total_label)) "Total" else total_label
    x <- with_leaves(x, hierarchies, total_label)
    trees <- plain_trees(hierarchies, x$dimnames, total_label)
  }
  x <- set_layout(x, new_layout(trees, total_label))
  crossings <- formula_crossings(formula, x)
  set_layout(x, new_layout(trees, total_label, crossings, formula_text(formula)))
}

formula_text <- function(formula) {
  if (!is.null(formula)) paste(deparse(formula, width.cutoff = 500L), collapse = " ")
}
