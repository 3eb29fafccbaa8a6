# What sdc_table() tabulates when it is given trees or a formula, and which crossings a formula
# publishes.

# `dimVar`: the variables; `hierarchies`: their trees as they came, or as they were found.
table_plan <- function(data, dimVar, numbers, hierarchies, formula, total_label = NULL) {
  if (!is.null(formula)) check_formula(formula)
  auto <- identical(hierarchies, "auto")
  if (!auto && is.null(formula)) {
    return(list(dimVar = dimVar, hierarchies = hierarchies))
  }
  if (!is.data.frame(data)) {
    check_that(
      !auto,
      "{.code hierarchies = \"auto\"} looks for nested columns of a data frame.",
      x = "{.arg data} is {.obj_type_friendly {data}}.",
      i = "Give {.arg hierarchies} the trees; {.fn nested_tree} makes one of nested columns."
    )
    return(list(dimVar = planned_names(data, dimVar, hierarchies, formula),
                hierarchies = hierarchies))
  }
  given <- if (auto) NULL else hierarchies
  columns <- planned_columns(data, dimVar, numbers, given, formula)
  found <- auto_trees(data, setdiff(columns, names(given)), total_label %||% "Total")
  twice <- intersect(if (!is.null(formula)) formula_names(formula), names(found$same))
  check_that(
    length(twice) == 0,
    "Each name in {.arg formula} must make groups of its own.",
    x = "{.val {twice[1]}} makes the same groups as {.val {found$same[[twice[1]]]}}.",
    i = "Use {.val {found$same[[twice[1]]]}} in its place."
  )
  say_trees(if (auto) found$message else found$notes)
  list(dimVar = intersect(columns, c(found$variables, names(given))),
       hierarchies = if (length(given) + length(found$trees) > 0) c(given, found$trees))
}

# The columns that are variables, or levels of trees over them. A name in the formula that is a
# level of a tree that was given is none.
planned_columns <- function(data, dimVar, numbers, given, formula) {
  named <- if (is.null(formula)) character() else formula_names(formula)
  at <- if (!is.null(dimVar)) {
    resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  } else if (is.null(formula)) {
    setdiff(seq_along(data), match(numbers, names(data)))
  }
  of_trees <- lapply(seq_along(given), function(i) wide_columns(given[i]))
  names(of_trees) <- names(given)
  known <- c(names(data), names(given), unlist(of_trees))
  unknown <- setdiff(named, known)
  check_that(
    length(unknown) == 0,
    "Each name in {.arg formula} must be a column of {.arg data} or a level of a tree.",
    x = "{.val {unknown}} {?is/are} neither.",
    i = did_you_mean(unknown, known, "name")
  )
  # the variable whose tree has a column of this name, or the name itself
  named <- vapply(named, function(name) {
    c(names(Filter(function(columns) name %in% columns, of_trees)), name)[1]
  }, "")
  union(names(data)[at], intersect(c(named, names(given)), names(data)))
}

# A database or a table has its variables already; a database may have more columns.
planned_names <- function(data, dimVar, hierarchies, formula) {
  if (!is.null(dimVar) || is.array(data) || is_sdc_table(data) || inherits(data, "ftable")) {
    return(dimVar)
  }
  setdiff(c(formula_names(formula), names(hierarchies)),
          setdiff(wide_columns(hierarchies), names(hierarchies)))
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
    of_depths <- length(frame) == 2 && nrow(frame) > 0 &&
      all(grepl("^@+$", as.character(frame[[1]])))
    if (is.null(pair) && !of_depths) names(frame)
  }))
}

# ---- crossings -----------------------------------------------------------------------------------

# Which crossings a formula publishes.
#
# A name in the formula is a level of a tree (a column of nested variables, or of a wide frame), or
# a variable, and then means all nodes of its trees. Each term of the formula is a crossing; a
# variable that a term does not name stands at its total.

# The names in a formula, which may hold names, +, *, :, ^, -, %in% and 1.
formula_names <- function(formula) {
  check_formula(formula)
  unique(all.vars(formula))
}

check_formula <- function(formula) {
  check_that(
    inherits(formula, "formula") && length(formula) == 2 && is_plain_formula(formula[[2]]),
    "{.arg formula} must be a one-sided formula of names, such as
     {.code ~ region * sector + county}.",
    x = if (inherits(formula, "formula")) {
      "It is {.code {paste(deparse(formula), collapse = ' ')}}."
    } else {
      "{.arg formula} is {.obj_type_friendly {formula}}."
    }
  )
}

is_plain_formula <- function(e) {
  if (is.name(e) || is.numeric(e)) {
    return(!identical(e, as.name(".")))
  }
  known <- c("+", "*", ":", "^", "-", "(", "%in%")
  is.call(e) && is.name(e[[1]]) && as.character(e[[1]]) %in% known &&
    all(vapply(as.list(e)[-1], is_plain_formula, NA))
}

# The crossings of a formula over the nodes of a table with trees: NULL where everything is
# published.
formula_crossings <- function(formula, x) {
  if (is.null(formula)) {
    return(NULL)
  }
  totals <- table_totals(x)
  labels <- node_labels(x, totals)
  roots <- root_nodes(x, totals)
  names <- formula_names(formula)
  meaning <- lapply(rlang::set_names(names), name_in_formula, x = x, labels = labels)
  terms <- formula_terms(formula)
  crossings <- lapply(terms, function(term) {
    found <- term_crossing(meaning[term], as.list(roots), totals, x$dimnames)
    for (name in optional_names(term, terms)) {
      v <- meaning[[name]]$variable
      found[[v]] <- union(found[[v]], roots[[v]])
    }
    found
  })
  crossings <- merge_crossings(crossings)
  everything <- length(crossings) == 1 &&
    all(lengths(crossings[[1]]) == lengths(labels[names(crossings[[1]])]))
  if (everything) NULL else crossings
}

# The names in each term; the first of them is empty where the grand total is published.
formula_terms <- function(formula) {
  found <- stats::terms(formula, keep.order = TRUE)
  factors <- attr(found, "factors")
  terms <- lapply(seq_len(NCOL(factors) * (length(factors) > 0)), function(k) {
    gsub("^`|`$", "", rownames(factors)[factors[, k] > 0])
  })
  c(if (attr(found, "intercept") == 1) list(character()), terms)
}

# The names of a term that may be left out of it, any of them together, as every name of a * b may:
# the term without them is a term as well.
optional_names <- function(term, terms) {
  is_term <- function(names) any(vapply(terms, setequal, NA, names))
  left_out <- list(character())
  optional <- character()
  for (name in term) {
    more <- lapply(left_out, c, name)
    if (all(vapply(more, function(out) is_term(setdiff(term, out)), NA))) {
      optional <- c(optional, name)
      left_out <- c(left_out, more)
    }
  }
  optional
}

# The variable and the nodes that a name means.
name_in_formula <- function(name, x, labels) {
  for (v in names(labels)) {
    nodes <- level_nodes(table_trees(x)[[v]], name)
    if (length(nodes) > 0) {
      return(list(variable = v, nodes = intersect(labels[[v]], nodes)))
    }
  }
  if (name %in% names(labels)) {
    flat <- is.null(table_trees(x)[[name]])
    return(list(variable = name, nodes = if (flat) x$dimnames[[name]] else labels[[name]]))
  }
  abort_sdc("input", c(
    "Each name in {.arg formula} must be a variable of the table or a level of its trees.",
    x = "{.val {name}} is neither.",
    i = "The variables are {.val {names(labels)}}{level_hint(x)}."
  ))
}

level_hint <- function(x) {
  levels <- unlist(lapply(table_trees(x), lapply, function(tree) unique(tree$level)))
  levels <- unique(levels[!is.na(levels)])
  if (length(levels) > 0) {
    paste0(", the levels of trees ", quoted_names(levels))
  } else {
    ""
  }
}

# Two names of one variable in a term, such as county:region, mean their finer level.
term_crossing <- function(named, roots, totals, dimnames) {
  for (v in unique(vapply(named, `[[`, "", "variable"))) {
    own <- Filter(function(one) one$variable == v, named)
    roots[[v]] <- Reduce(function(a, b) {
      inside <- lies_inside(a, b, totals[[v]], dimnames[[v]])
      check_that(
        inside || lies_inside(b, a, totals[[v]], dimnames[[v]]),
        "Two levels that {.arg formula} crosses must belong to different variables, or lie inside
         one another.",
        x = "{.val {v}} has both, and neither lies inside the other.",
        i = "Cross them as two variables of the table, or publish them in two terms by {.code +}."
      )
      if (inside) a else b
    }, lapply(own, `[[`, "nodes"))
  }
  roots
}

# Is each of the nodes `a` inside one of the nodes `b`?
lies_inside <- function(a, b, totals, levels) {
  held <- function(nodes) {
    all <- c(rlang::set_names(as.list(seq_along(levels)), levels), totals)
    all[nodes]
  }
  group <- integer(length(levels))
  b <- held(b)
  group[unlist(b)] <- rep(seq_along(b), lengths(b))
  all(vapply(held(a), function(leaves) group[leaves][1] > 0 && length(unique(group[leaves])) == 1,
             NA))
}

# Two crossings that differ in the nodes of one variable are one with the nodes of both; a crossing
# inside another is left out.
merge_crossings <- function(crossings) {
  repeat {
    n <- length(crossings)
    for (i in rev(seq_along(crossings))) for (j in seq_len(i - 1)) {
      if (i > length(crossings)) break
      both <- merged_pair(crossings[[j]], crossings[[i]])
      if (!is.null(both)) {
        crossings[[j]] <- both
        crossings[[i]] <- NULL
      }
    }
    if (length(crossings) == n) {
      return(crossings)
    }
  }
}

merged_pair <- function(a, b) {
  b <- b[names(a)]
  if (all(mapply(function(x, y) all(y %in% x), a, b))) {
    return(a)
  }
  differ <- which(!mapply(setequal, a, b))
  if (length(differ) == 1) {
    a[[differ]] <- union(a[[differ]], b[[differ]])
    return(a)
  }
  if (all(mapply(function(x, y) all(x %in% y), a, b))) b
}

# ---- margins, which keep crossings --------------------------------------------------------------

take_margin <- function(x, variables, arg) {
  keep <- margin_variables(x, variables, arg)
  if (identical(keep, seq_along(x$dimnames))) {
    return(x)
  }
  out <- project_table(x, keep, vector("list", length(keep)), x$dimnames[keep])
  set_layout(out, margin_layout(x, keep))
}

# Of the trees those of the variables that stay; of the crossings those that show a total of all
# variables that go. Where there is none, no crossing is known.
margin_layout <- function(x, keep) {
  if (is.null(x$layout)) {
    return(NULL)
  }
  variables <- names(x$dimnames)
  gone <- variables[-keep]
  if (length(keep) == 0) gone <- variables
  roots <- root_nodes(x)
  crossings <- Filter(function(crossing) {
    all(vapply(gone, function(v) roots[[v]] %in% crossing[[v]], NA))
  }, table_crossings(x))
  crossings <- merge_crossings(lapply(crossings, `[`, variables[keep]))
  new_layout(table_trees(x)[intersect(variables[keep], names(table_trees(x)))],
             table_total_label(x), if (length(crossings) > 0) crossings)
}

margin_variables <- function(x, variables, arg) {
  variables <- variable_names(variables, arg)
  check_names_given(variables, arg)
  keep <- match(variables, names(x$dimnames))
  check_that(
    !anyNA(keep),
    "{.arg {arg}} must name variables of the table.",
    x = "There is no variable {.val {variables[is.na(keep)]}}.",
    i = level_for_variable(variables[is.na(keep)], x$dimnames),
    i = did_you_mean(variables[is.na(keep)], names(x$dimnames)),
    i = "Its variables are {.val {names(x$dimnames)}}."
  )
  keep
}

# A level that was given where a variable belongs.
level_for_variable <- function(names, dimnames) {
  for (v in names(dimnames)) {
    found <- intersect(names, dimnames[[v]])
    if (length(found) > 0) {
      return(escape_braces(cli::format_inline("{.val {found[1]}} is a level of {.val {v}}.")))
    }
  }
}
