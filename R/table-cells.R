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

# The numbers of n cells from their levels, a vector for each variable, the first variable fastest.
combine_codes <- function(codes, size, n) {
  stride <- cumprod(c(1, size))
  out <- rep(1, n)
  for (v in seq_along(codes)) out <- out + (codes[[v]] - 1) * stride[[v]]
  out
}

# Numbers of cells given by levels, or texts where doubles do not hold the numbers.
cell_keys <- function(codes, size) {
  if (length(codes) == 0) {
    return(numeric())
  }
  if (prod(size) > 2^53) {
    return(do.call(paste, unname(codes)))
  }
  combine_codes(codes, size, length(codes[[1]]))
}

# The levels of the non-zero cells, a vector for each variable.
stored_codes <- function(x) {
  lapply(seq_along(x$dimnames), function(v) cpp_unpack_levels(dim(x), x$keys, x$counts, v))
}

# The levels of cells from their numbers: the inverse.
split_codes <- function(at, size) {
  stride <- cumprod(c(1, size))
  lapply(seq_along(size), function(v) as.integer((at - 1) %/% stride[[v]] %% size[[v]] + 1))
}

# One factor for each variable: the labels of the cells.
cell_factors <- function(cells, labels) {
  codes <- split_codes(cells, lengths(labels, FALSE))
  rlang::set_names(Map(as_level_factor, codes, labels), names(labels))
}

# "A = a1, B = all" from a column of labels for each variable.
label_words <- function(columns) {
  words <- Map(function(labels, name) {
    paste(name, "=", labels, recycle0 = TRUE)
  }, columns, names(columns))
  do.call(paste, c(unname(words), sep = ", "))
}

# The labels of cells, a data frame with a factor for each variable.
cell_labels <- function(cells, dimnames) {
  list2data_frame(cell_factors(cells, dimnames), length(cells))
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

as_level_factor <- function(codes, levels) {
  structure(codes, levels = levels, class = "factor")
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
