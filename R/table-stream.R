# Tables from groups that come in chunks: each chunk goes into the core, and none is kept.

# What a stream holds in R: for each variable its distinct values so far, and how many records miss
# it. With `repeats` a cell may come more than once.
new_cell_stream <- function(variables, repeats) {
  stream <- new.env(parent = emptyenv())
  stream$variables <- variables
  stream$cells <- cpp_open_cells(length(variables), repeats, memory_plan(Inf))
  stream$known <- lapply(variables, function(name) list(kind = "unknown", values = logical()))
  stream$missing <- numeric(length(variables))
  stream
}

# Adds a chunk: a column of values for each variable, the number of records of each row, and its
# count, which is that number unless records have weights.
add_chunk <- function(stream, columns, n, counts = n) {
  codes <- lapply(seq_along(columns), function(v) {
    x <- bare_column(columns[[v]], stream$variables[v])
    stream$missing[v] <- stream$missing[v] + sum(n[is.na(x$values)])
    stream$known[[v]] <- join_values(stream$known[[v]], x, stream$variables[v])
    match(x$values, stream$known[[v]]$values)
  })
  with_core(cpp_add_cells(stream$cells, codes, counts))
}

# The table of all chunks. Values become levels as those of a column of a data frame do.
stream_table <- function(stream, na) {
  if (na == "error" && any(stream$missing > 0)) abort_missing(stream$missing, stream$variables)
  columns <- rlang::set_names(Map(encode_known, stream$known, stream$variables, na),
                              stream$variables)
  maps <- Map(function(column, code) ifelse(code < 0, column$level_of_missing, code) + 1L, columns,
              record_codes(columns))
  dimnames <- lapply(columns, `[[`, "levels")
  new_table(dimnames, with_core(cpp_take_cells(stream$cells, lengths(dimnames), unname(maps))))
}

# ---- values -------------------------------------------------------------------------------------

# The values of a column without their class, which would be in the way of comparing them, and what
# puts it on again: `like`, no values of that class, or `levels`.
bare_column <- function(x, name) {
  if (inherits(x, "integer64")) {
    return(list(kind = "whole", values = whole_levels(x, name)))
  }
  like <- x[0]
  encode_column(like, name, "error")
  if (is.factor(x)) {
    return(list(kind = "factor", values = as.character(x), levels = levels(x)))
  }
  if (is.object(x)) {
    return(list(kind = class(x)[1], values = as.vector(unclass(x)), like = like))
  }
  kind <- if (is.numeric(x)) "number" else if (is.logical(x) && all(is.na(x))) "unknown" else
    typeof(x)
  list(kind = kind, values = x)
}

# What is known with the values of a chunk after them, so that codes stay. A column without a value
# has no type yet, and whole numbers may turn out to need more room.
join_values <- function(known, x, name) {
  kinds <- setdiff(unique(c(known$kind, x$kind)), "unknown")
  if (setequal(kinds, c("number", "whole"))) kinds <- "whole"
  same_class <- is.null(known$like) || is.null(x$like) ||
    identical(attributes(known$like), attributes(x$like))
  if (length(kinds) > 1 || !same_class) abort_value_types(name)
  values <- unique(x$values)
  values <- c(known$values, values[is.na(match(values, known$values))])
  if (identical(kinds, "whole") && any(values != floor(values), na.rm = TRUE)) {
    abort_value_types(name)
  }
  list(kind = if (length(kinds) == 0) "unknown" else kinds, values = values,
       like = known$like %||% x$like, levels = union(known$levels, x$levels))
}

abort_value_types <- function(name) {
  abort_sdc("input", c(
    "The values of a column in the database must be of one type.",
    x = "Column {.val {name}} has values of several types.",
    i = "Cast the column in a {.arg query}."
  ))
}

encode_known <- function(known, name, na) {
  values <- known$values
  if (known$kind == "whole") {
    values <- as.double(values)
    return(with_missing_level(encode_whole(values), values, na))
  }
  if (known$kind == "factor") values <- factor(values, known$levels)
  if (!is.null(known$like)) attributes(values) <- attributes(known$like)
  # the type of no values is unknown
  encode_column(if (length(values) == 0 && known$kind == "unknown") numeric() else values, name, na)
}
