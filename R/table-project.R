# Fewer variables or fewer levels: the sums of a table over some of them, and what some levels hold.

# `maps`: for each new variable NULL, or for each old level the new one, 0 for those left out.
project_table <- function(x, keep, maps, dimnames) {
  cells <- with_core(
    cpp_project_table(dim(x), x$keys, x$counts, lengths(dimnames), keep, maps,
                      projection_plan(length(x$counts), lengths(dimnames), maps))
  )
  new_table(dimnames, cells)
}

# `index`: for each variable the levels to keep, in their new order.
select_levels <- function(x, index) {
  maps <- Map(function(i, levels) {
    if (identical(i, seq_along(levels))) {
      return(NULL)
    }
    map <- integer(length(levels))
    map[i] <- seq_along(i)
    map
  }, index, unname(x$dimnames))
  dimnames <- Map(function(levels, i) levels[i], x$dimnames, index)
  project_table(x, seq_along(index), unname(maps), dimnames)
}

# ---- margins ------------------------------------------------------------------------------------

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
  if (anyNA(keep)) {
    abort_sdc("input", c(
      "{.arg {arg}} must name variables of the table.",
      x = "There is no variable {.val {variables[is.na(keep)]}}.",
      i = level_for_variable(variables[is.na(keep)], x$dimnames),
      i = did_you_mean(variables[is.na(keep)], names(x$dimnames)),
      i = "Its variables are {.val {names(x$dimnames)}}."
    ))
  }
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

# ---- levels in use ------------------------------------------------------------------------------

# Leaves out levels without any count.
drop_unused_levels <- function(x) {
  select_levels(x, levels_in_use(x))
}

# For each variable the numbers of the levels that have a cell.
levels_in_use <- function(x) with_core(cpp_levels_in_use(dim(x), x$keys, x$counts))
