# What the database is asked for, how its rows are fetched, and tables of chunks that come one
# after the other.

quoted_columns <- function(data, names) {
  vapply(names, function(n) as.character(DBI::dbQuoteIdentifier(data$con, n)), "",
         USE.NAMES = FALSE)
}

listed <- function(columns) paste(columns, collapse = ", ")

# One row for each combination of values, its number of records last. The last variable is the first
# that is grouped by, so that an engine that sorts gives the cells in the order of the table. Of a
# table that lies in parts, each part is counted first, where it lies, and the counts are added up.
count_sql <- function(data, names, where = NULL) {
  columns <- quoted_columns(data, names)
  part <- setdiff(data$partition, names)
  if (length(part) == 0) {
    return(groups_sql(data$source, columns, "COUNT(*)", where))
  }
  n <- unused_name("sdc_n", c(names, part))
  inner <- groups_sql(data$source, c(columns, quoted_columns(data, part)),
                      paste("COUNT(*) AS", n), where)
  groups_sql(paste0("(", inner, ")"), columns, paste0("COALESCE(SUM(", n, "), 0)"))
}

groups_sql <- function(source, columns, number, where = NULL) {
  paste(c(
    "SELECT", listed(c(columns, number)), "FROM", source, "AS sdc",
    if (!is.null(where)) c("WHERE", where),
    if (length(columns) > 0) c("GROUP BY", listed(rev(columns)))
  ), collapse = " ")
}

unused_name <- function(name, taken) {
  while (tolower(name) %in% tolower(taken)) name <- paste0(name, "_")
  name
}

# ---- several margins ----------------------------------------------------------------------------

# The groups of all sets in one result; of the finest table's groups when that is `short`.
grouping_sql <- function(data, sets, weightVar, short) {
  all <- unique(unlist(sets))
  used <- c(all, weightVar)
  columns <- quoted_columns(data, used)
  marks <- vapply(grouping_blocks(all), function(block) {
    paste0("GROUPING(", listed(quoted_columns(data, block)), ")")
  }, "")
  groups <- vapply(sets, function(set) {
    paste0("(", listed(quoted_columns(data, c(set, weightVar))), ")")
  }, "")
  n <- if (short) unused_name("sdc_n", c(used, data$partition))
  source <- if (short) {
    part <- quoted_columns(data, setdiff(data$partition, used))
    paste0("(", groups_sql(data$source, c(columns, part), paste("COUNT(*) AS", n)), ")")
  } else {
    data$source
  }
  number <- if (short) paste0("COALESCE(SUM(", n, "), 0)") else "COUNT(*)"
  paste("SELECT", listed(c(columns, marks, number)), "FROM", source,
        "AS sdc GROUP BY GROUPING SETS", paste0("(", listed(groups), ")"))
}

# GROUPING() takes some 31 columns at most.
grouping_blocks <- function(names) unname(split(names, (seq_along(names) - 1) %/% 30))

# What GROUPING() says of each block: a bit for each column, the last one lowest, that is 1 where
# the set does not have it.
grouping_numbers <- function(all, set) {
  vapply(grouping_blocks(all), function(block) {
    sum((!block %in% set) * 2^(rev(seq_along(block)) - 1))
  }, 1)
}

# How many groups the first records have, and how many those are.
sample_sql <- function(data, names, n) {
  columns <- listed(quoted_columns(data, names))
  some <- paste("SELECT", columns, "FROM", data$source, "AS sdc LIMIT", sprintf("%.0f", n))
  size <- unused_name("sdc_n", names)
  groups <- paste("SELECT COUNT(*) AS", size, "FROM", paste0("(", some, ")"), "AS some GROUP BY",
                  columns)
  paste0("SELECT COUNT(*), COALESCE(SUM(", size, "), 0) FROM (", groups, ") AS sdc")
}

# Calls `use` with one chunk of rows after the other; each is forgotten before the next comes.
for_chunks <- function(data, sql, use) {
  result <- DBI::dbSendQuery(data$con, sql)
  on.exit(DBI::dbClearResult(result))
  bar <- if (rlang::is_interactive()) cli::cli_progress_bar("Fetching cells", total = NA)
  repeat {
    rows <- fetch_chunk(result, data$chunk)
    use(rows)
    if (!is.null(bar)) cli::cli_progress_update(inc = nrow(rows), id = bar)
    if (DBI::dbHasCompleted(result)) break
  }
}

fetch_rows <- function(data, sql) {
  parts <- list()
  for_chunks(data, sql, function(rows) parts[[length(parts) + 1]] <<- rows)
  rows <- do.call(rbind, parts)
  # the types of no values are unknown
  if (nrow(rows) == 0) rows[] <- lapply(rows, function(column) numeric())
  rows
}

# Back ends warn when they coerce: a value that is not what its column said. Here that is an error.
fetch_chunk <- function(result, n) {
  withCallingHandlers(
    DBI::dbFetch(result, n = n),
    warning = function(w) {
      abort_sdc("input", c(
        "The values of a column in the database must be of one type.",
        x = "The database warns of values that it had to change.",
        i = "Cast the column in a {.arg query}."
      ))
    }
  )
}

# ---- parts --------------------------------------------------------------------------------------

# PostgreSQL lets the parts of a table count for themselves only if it is told to.
with_partitions <- function(data, expr) {
  setting <- "enable_partitionwise_aggregate"
  if (!is.null(data$partition) && is_postgres(data$con)) {
    old <- DBI::dbGetQuery(data$con, paste("SHOW", setting))[[1]]
    DBI::dbExecute(data$con, paste("SET", setting, "= on"))
    on.exit(DBI::dbExecute(data$con, paste("SET", setting, "=", old)))
  }
  force(expr)
}

is_postgres <- function(con) inherits(con, c("PqConnection", "PostgreSQLConnection"))

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

# ---- chunks --------------------------------------------------------------------------------------

# ---- groups that come in chunks ------------------------------------------------------------------

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
  values <- unique(x$values)
  values <- c(known$values, values[is.na(match(values, known$values))])
  check_that(
    length(kinds) <= 1 && same_class &&
      !(identical(kinds, "whole") && any(values != floor(values), na.rm = TRUE)),
    "The values of a column in the database must be of one type.",
    x = "Column {.val {name}} has values of several types.",
    i = "Cast the column in a {.arg query}."
  )
  list(kind = if (length(kinds) == 0) "unknown" else kinds, values = values,
       like = known$like %||% x$like, levels = union(known$levels, x$levels))
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
