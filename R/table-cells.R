# The cells of a table: how they are stored, which ones a user means, and tables of fewer
# variables or levels.

# Which cells a user means: numbers (first variable fastest), a logical array of the table's shape,
# or a data frame that names levels. Returns cell numbers.
resolve_cells <- function(cells, dimnames, arg = "cells") {
  n <- prod(lengths(dimnames))
  if (is.null(cells)) {
    return(seq_len(n))
  }
  if (is.data.frame(cells)) {
    return(cells_by_label(cells, dimnames, arg))
  }
  if (is.matrix(cells) && is.numeric(cells)) {
    return(cells_by_index(cells, dimnames, arg))
  }
  if (is.logical(cells) && length(cells) == n && !anyNA(cells)) {
    return(which(as.vector(cells)))
  }
  ok <- is.numeric(cells) && !anyNA(cells) && all(cells == floor(cells) & cells >= 1 & cells <= n)
  if (ok) {
    return(as.integer(cells))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be cell numbers from 1 to {n}, a logical array of the table's shape, a matrix
     with a column of level numbers for each variable, or a data frame with a column of labels for
     each variable.",
    x = "{wrong_cells(cells, n, arg)}"
  ))
}

wrong_cells <- function(cells, n, arg) {
  if (!is.numeric(cells)) {
    return(describe(cells, arg))
  }
  describe_first(cells, cells == floor(cells) & cells >= 1 & cells <= n, arg)
}

# Rows of level numbers, as which(arr.ind = TRUE) has them.
cells_by_index <- function(cells, dimnames, arg) {
  combine_codes(index_codes(cells, dimnames, arg), lengths(dimnames, FALSE), nrow(cells))
}

# The same as a vector for each variable.
index_codes <- function(cells, dimnames, arg) {
  size <- lengths(dimnames)
  ok <- ncol(cells) == length(size) && !anyNA(cells) && all(cells == floor(cells)) &&
    all(cells >= 1) && all(t(cells) <= size)
  if (!ok) {
    abort_sdc("input", c(
      "A matrix for {.arg {arg}} must have a column of level numbers for each variable.",
      x = "It has {ncol(cells)} column{?s}; there are {length(size)} variable{?s} with
           {paste(size, collapse = ', ')} levels."
    ))
  }
  lapply(seq_along(size), function(v) as.integer(cells[, v]))
}

cells_by_label <- function(cells, dimnames, arg) {
  combine_codes(label_codes(cells, dimnames, arg), lengths(dimnames, FALSE), nrow(cells))
}

# The levels that the rows of a data frame name, a vector for each variable.
label_codes <- function(cells, dimnames, arg) {
  missing <- setdiff(names(dimnames), names(cells))
  if (length(missing) > 0) {
    abort_sdc("input", c(
      "{.arg {arg}} must have a column for each variable.",
      x = "Missing: {.val {missing}}.",
      i = did_you_mean(missing, names(cells), "column")
    ))
  }
  lapply(names(dimnames), function(variable) {
    column <- cells[[variable]]
    code <- if (is.factor(column)) {
      match(levels(column), dimnames[[variable]])[as.integer(column)]
    } else {
      match(as.character(column), dimnames[[variable]])
    }
    if (anyNA(code)) {
      at <- which(is.na(code))[1]
      abort_sdc("input", c(
        "{.arg {arg}} must name levels of the table.",
        x = "Row {at} has {.val {as.character(column)[at]}}, which is not a level of
             {.val {variable}}.",
        i = did_you_mean(as.character(column)[at], dimnames[[variable]], "level")
      ))
    }
    code
  })
}

# The levels of the non-zero cells, a vector for each variable.
stored_codes <- function(x) {
  lapply(seq_along(x$dimnames), function(v) cpp_unpack_levels(dim(x), x$keys, x$counts, v))
}

# A variable must not bear the name of a column that the result has of its own.
check_free_names <- function(labels, columns) {
  clash <- intersect(names(labels), columns)
  if (length(clash) == 0) {
    return(invisible(labels))
  }
  abort_sdc("input", c(
    "No variable may have the name of a column that the result has itself: {.field {columns}}.",
    x = "The table has {cli::qty(clash)}{?a variable/variables} {.field {clash}}.",
    i = "Give {cli::qty(clash)}{?it another name/them other names} when the table is made."
  ))
}

table_shape <- function(x) {
  paste0(
    plural(length(x), "cell"), " (", format_count(length(x$counts)), " not zero), total ",
    format_count(sum(x))
  )
}

# For each cell of an array the number of its level in the margin of the dimensions `kept`.
level_numbers <- function(dim, kept) {
  cell <- seq_len(prod(dim)) - 1
  below <- cumprod(c(1, dim))
  out <- rep(1, length(cell))
  size <- 1
  for (v in kept) {
    out <- out + cell %/% below[[v]] %% dim[[v]] * size
    size <- size * dim[[v]]
  }
  out
}

#' @rdname sdc_table
#' @export
is_sdc_table <- function(x) inherits(x, "sdc_table")

# `keys`: raw, 8 bytes a word, in cell order; `counts`: whole numbers > 0, as doubles.
new_table <- function(dimnames, cells, layout = NULL) {
  parts <- list(dimnames = dimnames, keys = cells$keys, counts = cells$counts)
  structure(c(parts, if (!is.null(layout)) list(layout = layout)), class = sdc_class("sdc_table"))
}

# All cells, first variable fastest.
dense_counts <- function(x, max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_cells(length(x), max_cells)
  with_core(cpp_expand_dense(dim(x), x$keys, x$counts))
}

# ---- fewer variables or levels -------------------------------------------------------------------

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

# The table of the cells with counts from 1 to maxN.
small_cells <- function(x, maxN) {
  new_table(x$dimnames, with_core(cpp_cells_up_to(dim(x), x$keys, x$counts, maxN)))
}
