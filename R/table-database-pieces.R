# Counts in pieces, for results that are large.

# Conditions that share out the records by the values of the first variable, and how many records
# each has; one without a condition where there is nothing to share out.
count_pieces <- function(data, dims) {
  if (is.null(data$pieces) || data$pieces == 1 || length(dims) == 0) {
    return(list(list(where = NULL)))
  }
  found <- fetch_rows(data, count_sql(data, dims[1]))
  if (nrow(found) == 0) {
    return(list(list(where = NULL)))
  }
  n <- whole_counts(found[[2]], "COUNT(*)")
  piece <- pmin(data$pieces, 1 + floor(data$pieces * (cumsum(n) - n) / sum(n)))
  unname(lapply(split(seq_along(n), piece), function(at) {
    list(where = values_sql(data, dims[1], found[[1]][at]), n = sum(n[at]))
  }))
}

# The condition that a column has one of some values.
values_sql <- function(data, name, values) {
  column <- quoted_columns(data, name)
  there <- values[!is.na(values)]
  paste(c(
    if (length(there) > 0) paste0(column, " IN (", listed(value_literals(data, there)), ")"),
    if (anyNA(values)) paste(column, "IS NULL")
  ), collapse = " OR ")
}

# Numbers with as many digits as they need.
value_literals <- function(data, x) {
  if (inherits(x, "integer64")) {
    return(sprintf("%.0f", cpp_read_integer64(x)))
  }
  if (is.double(x) && !is.object(x)) {
    short <- sprintf("%.15g", x)
    return(ifelse(as.numeric(short) == x, short, sprintf("%.17g", x)))
  }
  as.character(DBI::dbQuoteLiteral(data$con, if (is.factor(x)) as.character(x) else x))
}

# A value that comes back otherwise than it went out would lose its records without a word; so would
# records that are put in meanwhile.
check_piece <- function(piece, n, dims) {
  if (is.null(piece$n) || piece$n == n) {
    return(invisible(n))
  }
  abort_sdc("input", c(
    "The pieces of the records must have all of them.",
    x = "A piece by {.val {dims[1]}} has not as many records as its values had before.",
    i = "Were records changed meanwhile? If not, the database does not find the values of
         {.val {dims[1]}} again: name another variable first."
  ))
}
