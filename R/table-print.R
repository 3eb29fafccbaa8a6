# How a table prints: small ones whole, of others the variables and the first cells.

#' @rdname table-methods
#' @export
print.sdc_table <- function(x, ...) {
  cat("<sdc_table> ", plural(length(x$dimnames), "variable"), ", ", table_shape(x), "\n", sep = "")
  whole <- whole_table_lines(x)
  lines <- if (is.null(whole)) c(paste0("  ", format(x, most = 4)), first_cell_lines(x)) else whole
  if (length(lines) > 0) cat(lines, sep = "\n")
  invisible(x)
}

# The table itself, of one or two variables with at most ten levels each, where it fits the width.
whole_table_lines <- function(x) {
  n <- length(x$dimnames)
  if (n == 0) {
    return(character())
  }
  if (n > 2 || any(dim(x) > 10) || any(dim(x) == 0)) {
    return(NULL)
  }
  counts <- array(format_count(dense_counts(x)), dim(x), short_labels(x$dimnames))
  lines <- utils::capture.output(print(counts, quote = FALSE, right = TRUE))
  most <- if (n == 1) 3 else dim(x)[1] + 2
  if (length(lines) <= most) lines
}

short_labels <- function(dimnames) {
  out <- lapply(dimnames, function(levels) {
    levels[is.na(levels)] <- "<NA>"
    cut_text(levels, 20)
  })
  names(out) <- cut_text(names(out), 20)
  out
}

# The first cells that are not zero, as rows of a data frame.
first_cell_lines <- function(x, n = if (length(x$dimnames) > 4) 4 else 5) {
  total <- length(x$counts)
  if (total == 0) {
    return(character())
  }
  head <- some_cells(x, n, first = TRUE)
  name <- free_count_name(names(x$dimnames))
  columns <- lapply(as.data.frame(head, responseName = name), function(column) {
    if (is.numeric(column)) {
      return(format_count(column))
    }
    cut_text(ifelse(is.na(column), "<NA>", as.character(column)), 20)
  })
  names(columns) <- c(cut_text(names(x$dimnames), 20), name)
  frame <- list2data_frame(columns, length(head$counts))
  rows <- utils::capture.output(print(frame, row.names = FALSE))
  if (length(rows) > length(head$counts) + 1) {
    return(character())
  }
  which <- if (total > n) "first cells" else "cells"
  c(paste0("  the ", which, " that are not zero:"), paste0(" ", rows))
}

# A name for the column of counts that no variable has.
free_count_name <- function(variables) {
  names <- c("freq", "count", utils::tail(make.unique(c(variables, "freq")), 1))
  setdiff(names, variables)[1]
}
