# Tables from databases: the engine counts, and only cells come here.

#' Records in a database, to be counted there
#'
#' `db_records()` says where records are, for [sdc_table()], which has the database count them:
#' `SELECT ..., COUNT(*) ... GROUP BY ...`. Only the cells come to R, in chunks, never the records.
#' Any DBI back end that speaks SQL will do. A lazy table of dbplyr (`dplyr::tbl(con, "people")`,
#' with filters and joins on it) can be given to `sdc_table()` as it is.
#'
#' # Decisions
#' * Values become levels as those of a column of a data frame do: distinct values, sorted. `NULL`
#'   is a missing value. What counts as the same value is for the database to say: some compare
#'   strings without regard to case.
#' * With `weightVar` the weights are added up in R, exactly, from one row for each weight and cell;
#'   with `freqVar` the rows are cells and are read as they are.
#' * Names are quoted by the back end, so that they may hold anything.
#' * A partitioned table of PostgreSQL whose parts lie in other databases (postgres_fdw) has each of
#'   them count its own records, after `SET enable_partitionwise_aggregate = on` and when the
#'   variable by which it is partitioned is among those counted. For a table without it, take the
#'   [margin()] afterwards.
#'
#' @param con (`DBIConnection`) An open connection. It is not closed.
#' @param table (string or [DBI::Id()]) The table or view of the records.
#' @param query (string) A query that gives the records, instead of `table`. It is sent as it
#'   stands: do not put text from others into it.
#' @param chunk (whole number from 1 to 1e9) How many cells are fetched at a time.
#' @return An object of class `sdc_db_records`. It holds the connection, no data.
#' @section Errors: `sdc_error_input` when package DBI is missing, or `con` is no connection, or not
#'   exactly one of `table` and `query` is there. What the database refuses is its own error.
#' @section Complexity: The database's own for `GROUP BY`; memory here O(non-zero cells).
#' @family table
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' people <- data.frame(sex = c("f", "m", "f", "f"), age = c(30, 40, 40, 30))
#' DBI::dbWriteTable(con, "people", people)
#' sdc_table(db_records(con, "people"), ~ sex + age)
#' sdc_table(db_records(con, query = "SELECT * FROM people WHERE age > 30"), "sex")
#' DBI::dbDisconnect(con)
db_records <- function(con, table = NULL, query = NULL, chunk = 1e5) {
  check_given(con)
  check_installed("DBI", "to read from databases")
  check_whole(chunk, min = 1, max = 1e9)
  if (!inherits(con, "DBIConnection")) {
    abort_sdc("input", c(
      "{.arg con} must be an open connection to a database.",
      x = "{.arg con} is {.obj_type_friendly {con}}.",
      i = "Make one with {.fn DBI::dbConnect}."
    ))
  }
  if (is.null(table) == is.null(query)) {
    abort_sdc("input", c(
      "Supply either {.arg table} or {.arg query}.",
      x = if (is.null(table)) "Neither was supplied." else "Both were supplied."
    ))
  }
  if (!is.null(query)) check_string(query)
  if (!is.null(table) && !inherits(table, "Id")) check_string(table)
  source <- if (is.null(query)) DBI::dbQuoteIdentifier(con, table) else paste0("(", query, ")")
  new_db_records(con, as.character(source), chunk)
}

new_db_records <- function(con, source, chunk = 1e5) {
  structure(list(con = con, source = source, chunk = chunk), class = sdc_class("sdc_db_records"))
}

#' @export
format.sdc_db_records <- function(x, ...) {
  paste0(cut_text(gsub("\\s+", " ", x$source), 70), ", counted by ", class(x$con)[1])
}

# A lazy table of dbplyr, as what it would ask the database.
lazy_records <- function(data) {
  check_installed("dbplyr", "to read lazy tables")
  new_db_records(dbplyr::remote_con(data), paste0("(", dbplyr::sql_render(data), ")"))
}

table_from_database <- function(data, dimVar, freqVar, weightVar, na, duplicates, totals) {
  shape <- DBI::dbGetQuery(data$con, paste("SELECT * FROM", data$source, "AS sdc WHERE 1 = 0"))
  if (!is.null(freqVar) && is.null(weightVar)) {
    used <- database_columns(shape, dimVar, freqVar, "freqVar")
    cells <- fetch_rows(data, select_sql(data, used))
    return(table_from_frame(cells, dimVar %||% utils::head(used, -1), freqVar, NULL, na, duplicates,
                            totals))
  }
  if (!is.null(freqVar)) {
    # both: the same error as for data frames
    table_from_frame(shape, dimVar, freqVar, weightVar, na, duplicates, totals)
  }
  check_no_total(totals)
  used <- database_columns(shape, dimVar, weightVar, "weightVar")
  groups <- fetch_rows(data, count_sql(data, used))
  x <- table_from_groups(groups, weightVar, na)
  warn_of_nested(x)
  x
}

#' @export
table_from.sdc_db_records <- function(data, dimVar, freqVar, weightVar, na, duplicates, totals) {
  table_from_database(data, dimVar, freqVar, weightVar, na, duplicates, totals)
}

#' @export
table_from.tbl_lazy <- function(data, dimVar, freqVar, weightVar, na, duplicates, totals) {
  table_from_database(lazy_records(data), dimVar, freqVar, weightVar, na, duplicates, totals)
}

# The names of the dimension variables and, last, of the column of numbers.
database_columns <- function(shape, dimVar, number, arg) {
  numbers <- resolve_columns(number, shape, arg, one = TRUE)
  at <- resolve_dim_var(dimVar, shape, numbers)
  if (is.null(dimVar)) warn_of_counts(unclass(shape)[at], names(shape)[at])
  names(shape)[c(at, numbers)]
}

quoted_columns <- function(data, names) {
  paste(vapply(names, function(n) as.character(DBI::dbQuoteIdentifier(data$con, n)), ""),
        collapse = ", ")
}

select_sql <- function(data, names) {
  paste("SELECT", quoted_columns(data, names), "FROM", data$source, "AS sdc")
}

# One row for each combination of values, its number of records last.
count_sql <- function(data, names) {
  if (length(names) == 0) {
    return(paste("SELECT COUNT(*) FROM", data$source, "AS sdc"))
  }
  columns <- quoted_columns(data, names)
  paste("SELECT", columns, ", COUNT(*) FROM", data$source, "AS sdc GROUP BY", columns)
}

fetch_rows <- function(data, sql) {
  result <- DBI::dbSendQuery(data$con, sql)
  on.exit(DBI::dbClearResult(result))
  bar <- if (rlang::is_interactive()) cli::cli_progress_bar("Fetching cells", total = NA)
  parts <- list()
  repeat {
    parts[[length(parts) + 1]] <- fetch_chunk(result, data$chunk)
    if (!is.null(bar)) cli::cli_progress_update(inc = nrow(parts[[length(parts)]]), id = bar)
    if (DBI::dbHasCompleted(result)) break
  }
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

table_from_groups <- function(groups, weightVar, na) {
  n <- whole_counts(groups[[length(groups)]], "COUNT(*)")
  dims <- seq_len(length(groups) - 1 - length(weightVar))
  if (na == "error") {
    missing <- vapply(dims, function(v) sum(n[is.na(groups[[v]])]), 1)
    if (any(missing > 0)) abort_missing(missing, names(groups)[dims])
  }
  weights <- if (!is.null(weightVar)) {
    whole_counts(groups[[weightVar]], "weightVar", function(at) paste("Row", at, "of the groups"))
  }
  columns <- encode_columns(unclass(groups)[dims], names(groups)[dims], na)
  tabulate_records(columns, nrow(groups), group_counts(n, weights))
}

# Products above 2^53 are not exact; so is no total that holds them.
group_counts <- function(n, weights) {
  if (is.null(weights)) {
    return(n)
  }
  whole_counts(n * weights, "weightVar", function(at) "The sum of a group of records")
}
