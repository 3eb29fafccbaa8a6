# Which cells a user means: numbers (first variable fastest), a logical array of the table's shape,
# or a data frame that names levels. Returns cell numbers.
resolve_cells <- function(cells, dimnames, arg = "cells", call = caller_env()) {
  n <- prod(lengths(dimnames))
  if (is.null(cells)) {
    return(seq_len(n))
  }
  if (is.data.frame(cells)) {
    return(cells_by_label(cells, dimnames, arg, call))
  }
  if (is.matrix(cells) && is.numeric(cells)) {
    return(cells_by_index(cells, dimnames, arg, call))
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
    x = wrong_cells(cells, n)
  ), call = call)
}

wrong_cells <- function(cells, n) {
  if (!is.numeric(cells)) {
    return("It is {.obj_type_friendly {cells}}.")
  }
  at <- which(is.na(cells) | cells != floor(cells) | cells < 1 | cells > n)[1]
  paste0("Element ", at, " is ", format(cells[at], digits = 15), ".")
}

# Rows of level numbers, as which(arr.ind = TRUE) has them.
cells_by_index <- function(cells, dimnames, arg, call) {
  size <- lengths(dimnames)
  ok <- ncol(cells) == length(size) && !anyNA(cells) && all(cells == floor(cells)) &&
    all(cells >= 1) && all(t(cells) <= size)
  if (!ok) {
    abort_sdc("input", c(
      "A matrix for {.arg {arg}} must have a column of level numbers for each variable.",
      x = "It has {ncol(cells)} column{?s}; there are {length(size)} variables with
           {paste(size, collapse = ', ')} levels."
    ), call = call)
  }
  as.vector(1 + (cells - 1) %*% c(1, cumprod(size))[seq_along(size)])
}

cells_by_label <- function(cells, dimnames, arg, call) {
  missing <- setdiff(names(dimnames), names(cells))
  if (length(missing) > 0) {
    abort_sdc("input", c(
      "{.arg {arg}} must have a column for each variable.",
      x = "Missing: {.val {missing}}."
    ), call = call)
  }
  codes <- lapply(names(dimnames), function(variable) {
    code <- match(as.character(cells[[variable]]), dimnames[[variable]])
    if (anyNA(code)) {
      at <- which(is.na(code))[1]
      abort_sdc("input", c(
        "{.arg {arg}} must name levels of the table.",
        x = "Row {at}: {.val {as.character(cells[[variable]][at])}} is no level of
             {.val {variable}}."
      ), call = call)
    }
    code
  })
  stride <- c(1, cumprod(lengths(dimnames)))
  Reduce(`+`, Map(function(code, s) (code - 1) * s, codes, stride[seq_along(codes)])) + 1
}

# One factor for each variable: the labels of the cells.
cell_factors <- function(cells, labels) {
  stride <- c(1, cumprod(lengths(labels)))
  out <- lapply(seq_along(labels), function(v) {
    at <- ((cells - 1) %/% stride[[v]]) %% length(labels[[v]]) + 1
    structure(as.integer(at), levels = labels[[v]], class = "factor")
  })
  names(out) <- names(labels)
  out
}

# The labels of cells, a data frame with a factor for each variable.
cell_labels <- function(cells, dimnames) {
  list2data_frame(cell_factors(cells, dimnames), length(cells))
}

# A data frame that keeps the names of its columns, whatever they are.
list2data_frame <- function(columns, n) {
  structure(columns, class = "data.frame", row.names = .set_row_names(n))
}

# Frames of cells have columns of their own beside the variables.
check_free_names <- function(labels, columns, call = caller_env()) {
  clash <- intersect(names(labels), columns)
  if (length(clash) == 0) {
    return(invisible(labels))
  }
  abort_sdc("input", c(
    "The frame's own columns {.field {columns}} must not be variables of the table too.",
    x = "The table has {cli::qty(clash)} variable{?s} {.field {clash}}.",
    i = "Rename {cli::qty(clash)} {?it/them} in the table."
  ), call = call)
}
