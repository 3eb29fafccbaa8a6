# The cells to suppress, as a user says them: an array of flags, or a frame.

# `x`: the table; `cells`: a row for each of its cells and totals; `primary`: which the rule names.
read_pattern <- function(pattern, x, cells, primary, arg = "pattern") {
  if (is.data.frame(pattern)) {
    return(frame_pattern(pattern, x, cells, primary, arg))
  }
  check_flags(pattern, x, arg)
  suppressed <- logical(nrow(cells))
  suppressed[check_have_rows(flagged_rows(pattern, x, cells), arg)] <- TRUE
  list(suppressed = suppressed, primary = primary)
}

# A flag for each cell of the table.
check_flags <- function(flags, x, arg) {
  ok <- is.logical(flags) && !anyNA(flags) &&
    (if (is.null(dim(flags))) length(dim(x)) == 1 && length(flags) == dim(x) else
      identical(as.integer(dim(flags)), as.integer(dim(x)))) &&
    same_labels(dimnames(flags), x$dimnames)
  if (!ok) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a logical array in the shape of {.arg x}, without NA and with its
       labels, or a data frame.",
      x = "{.arg {arg}} is {.obj_type_friendly {flags}}{flags_fault(flags, x)}."
    ))
  }
}

same_labels <- function(given, labels) {
  known <- which(!vapply(given, is.null, NA))
  names_fit <- is.null(names(given)) || identical(names(given), names(labels))
  names_fit && all(vapply(known, function(v) identical(given[[v]], labels[[v]]), NA))
}

flags_fault <- function(flags, x) {
  if (!is.logical(flags)) {
    return("")
  }
  if (anyNA(flags)) {
    return(" with NA")
  }
  shape <- paste(dim(flags) %||% length(flags), collapse = " x ")
  if (shape != paste(dim(x), collapse = " x ")) paste(" of shape", shape) else " with other labels"
}

frame_pattern <- function(pattern, x, cells, primary, arg) {
  own <- intersect(c("suppressed", "sdcStatus"), names(pattern))
  if (length(own) == 0) {
    abort_sdc("input", c(
      "A data frame as {.arg {arg}} must have a column {.field suppressed} or
       {.field sdcStatus}.",
      x = "It has neither."
    ))
  }
  check_columns_agree(pattern, own, arg)
  row <- pattern_rows(pattern, x, cells, arg)
  hidden <- suppressed_rows(pattern, arg)
  suppressed <- logical(nrow(cells))
  suppressed[check_have_rows(row[hidden], arg)] <- TRUE
  marked <- pattern_primary(pattern, own, arg)
  if (!is.null(marked)) {
    check_marked(marked, hidden, arg)
    primary[row[marked]] <- TRUE
  }
  list(suppressed = suppressed, primary = primary)
}

check_marked <- function(marked, hidden, arg) {
  at <- which(marked & !hidden)[1]
  if (is.na(at)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "A cell that {.arg {arg}} calls primary must be suppressed.",
    x = "Row {at} is marked as primary, but not as suppressed."
  ))
}

check_columns_agree <- function(pattern, own, arg = "pattern") {
  twice <- names(pattern)[duplicated(names(pattern))]
  if (length(twice) > 0) {
    abort_sdc("input", c(
      "The columns of {.arg {arg}} must have different names.",
      x = "{.val {unique(twice)}} appears more than once."
    ))
  }
  if (length(own) < 2 || !is.logical(pattern$suppressed)) {
    return(invisible())
  }
  at <- which(pattern$suppressed != as.character(pattern$sdcStatus) %in% c("u", "x"))[1]
  if (!is.na(at)) {
    abort_sdc("input", c(
      "{.field suppressed} and {.field sdcStatus} of {.arg {arg}} must say the same.",
      x = "In row {at} they differ."
    ))
  }
}

# The rows of the inner cells that an array of flags names, NA for zeros without one.
flagged_rows <- function(flags, x, cells) {
  codes <- split_codes(which(as.vector(flags)), dim(x))
  variables <- names(x$dimnames)
  number <- combine_codes(codes, node_numbers(cells, variables), length(codes[[1]]))
  rows_of_cells(number, cells, variables)
}

# Of cells that a pattern suppresses.
check_have_rows <- function(row, arg) {
  n <- sum(is.na(row))
  if (n == 0) {
    return(row)
  }
  abort_sdc("input", c(
    "The zeros of a table with so many cells and totals must be published.",
    x = "{.arg {arg}} suppresses {n} of them."
  ))
}

# For each row of a frame, the row of the cells that it names; NA for zeros without one.
pattern_rows <- function(pattern, x, cells, arg = "pattern") {
  labels <- lapply(unclass(cells)[names(x$dimnames)], levels)
  codes <- label_codes(pattern, labels, arg)
  number <- combine_codes(codes, lengths(labels, FALSE), nrow(pattern))
  again <- which(duplicated(number))[1]
  if (!is.na(again)) {
    abort_sdc("input", c(
      "{.arg {arg}} must name each cell once.",
      x = "Row {again} repeats a cell given in an earlier row."
    ))
  }
  rows_of_cells(number, cells, names(labels))
}

# The rows that a pattern itself calls primary, NULL when it does not say.
pattern_primary <- function(pattern, own, arg) {
  if ("sdcStatus" %in% own) {
    return(as.character(pattern$sdcStatus) %in% "u")
  }
  marked <- pattern$primary
  if (is.null(marked) || (is.logical(marked) && !anyNA(marked))) {
    return(marked)
  }
  abort_sdc("input", c(
    "{.field primary} of {.arg {arg}} must be `TRUE` or `FALSE` for each row.",
    x = if (is.logical(marked)) {
      "Row {which(is.na(marked))[1]} is NA."
    } else {
      "The column is {.obj_type_friendly {marked}}."
    }
  ))
}
