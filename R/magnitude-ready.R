# Frames for magnitude_table() that are no records: cells that are added up already, and totals.

# One row for each cell, and a column that looks like numbers of contributors: the frame was added
# up before, and no row is a contributor.
check_are_records <- function(data, at, cell, rows) {
  if (rows == "records" || !is.null(at$contributor)) {
    return(invisible(data))
  }
  others <- setdiff(seq_along(data), c(at$dim, at$num))
  counts <- Filter(function(i) looks_like_counts(names(data)[i], unclass(data)[[i]]), others)
  if (length(counts) == 0 || anyDuplicated(cell)) {
    return(invisible(data))
  }
  abort_sdc("input", c(
    "The rows of {.arg data} must be records, one for each contributor of a cell.",
    x = "Each row is a cell of its own, and column {.val {names(data)[counts]}} looks like the
         number of its contributors.",
    i = "Cells that are added up already go to {.fn magnitude_cells}, with their largest
         contributions; or give the microdata.",
    i = "If each row is one contributor all the same, say {.code rows = \"records\"}."
  ))
}

# The rows that are no totals. Sums of units take the place of counts.
rows_without_totals <- function(columns, n, units, total) {
  if (identical(total, FALSE) || any(units < 0)) {
    return(seq_len(n))
  }
  x <- tabulate_records(columns, n, units)
  without_totals(x, total, "magnitude_table")
  if (is.null(total)) {
    return(seq_len(n))
  }
  out <- given_totals(total, x$dimnames)
  codes <- record_codes(columns)
  left <- Map(function(column, code, labels) !column$levels[code + 1] %in% labels, columns, codes,
              out)
  which(Reduce(`&`, left))
}

# Some rows of a frame, whose factors have no longer the levels of totals.
frame_without_totals <- function(data, rows, total, at) {
  columns <- lapply(unclass(data)[seq_along(data)], function(column) column[rows])
  dims <- names(data)[at$dim]
  for (v in seq_along(at$dim)) {
    column <- columns[[at$dim[v]]]
    labels <- if (is.null(names(total))) unlist(total) else unlist(total[names(total) == dims[v]])
    if (is.factor(column)) {
      columns[[at$dim[v]]] <- factor(column, setdiff(levels(column), labels), exclude = NULL)
    }
  }
  list2data_frame(columns, length(rows))
}
