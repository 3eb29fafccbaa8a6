# What all explanations share: the object, the cell that is meant, words for cells and intervals.

new_explanation <- function(where, lines, private) {
  structure(
    list(where = where, lines = gsub("\\s+", " ", lines), private = private),
    class = sdc_class("sdc_explanation", mark = if (private) "confidential")
  )
}

one_cell <- function(cell, dimnames) {
  check_given(cell, "cell")
  at <- if (!is.null(cell)) resolve_cells(as_cell(cell), dimnames, "cell")
  if (length(at) == 1) {
    return(at)
  }
  abort_sdc("input", c(
    "{.arg cell} must be one cell.", x = "{length(at)} cells were given."
  ))
}

# A named list or vector with one label for each variable is a frame of one row.
as_cell <- function(cell) {
  named <- (is.list(cell) || is.character(cell)) && !is.data.frame(cell) && !is.null(names(cell)) &&
    all(lengths(cell) == 1)
  if (named) list2data_frame(as.list(cell), 1) else cell
}

# "row 2, column 4"
cell_words <- function(at, dimnames) {
  if (length(dimnames) == 0) {
    return("the one cell")
  }
  codes <- split_codes(at, lengths(dimnames, FALSE))
  paste(names(dimnames), Map(`[`, dimnames, codes), collapse = ", ")
}

interval_words <- function(lower, upper) {
  if (lower == upper) {
    return(paste0("exactly ", format_count(lower)))
  }
  if (lower == -Inf && upper == Inf) {
    return("without any limit")
  }
  if (upper == Inf) {
    return(paste("at least", format_count(lower)))
  }
  paste0("from ", format_count(lower), " to ", format_count(upper))
}

cell_fault <- function(cell) {
  if (!is.data.frame(cell)) {
    return(describe(cell))
  }
  if (nrow(cell) != 1) {
    return(paste0("`cell` has ", plural(nrow(cell), "row"), "."))
  }
  "No cell has the labels in `cell`, or a column of them is missing."
}
