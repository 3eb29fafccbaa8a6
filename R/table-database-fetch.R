# Rows from the database, in chunks.

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
