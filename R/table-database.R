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
#' * With `weightVar` the weights are added up here, exactly, from one row for each weight and cell;
#'   with `freqVar` the rows are cells and are read as they are.
#' * Names are quoted by the back end, so that they may hold anything.
#'
#' # Large tables
#' Each chunk of cells goes straight into the packed cells of the table, so that memory is taken for
#' the cells and not for the rows that the database sends. Back ends that fetch rows as they are
#' asked for (RPostgres, RSQLite) hold one chunk. For those that first take the whole result,
#' `pieces` splits the count into so many queries, each for some values of the **first variable** of
#' the table. Each query is a scan, unless that variable has an index or the table is stored by it.
#' The records of the pieces are compared with those of the whole, so that none is lost when the
#' database changes meanwhile.
#'
#' # Several margins
#' `margins(records, sets)` gives what [sdc_table()] gives for each set of variables, from one pass
#' over the records. The database counts the finest table that all margins can be taken from, and
#' takes them from it by `GROUPING SETS`, where it knows these. From other databases that table
#' comes here, and the margins are taken here. Where the finest table has almost as many cells as
#' there are records, which the first 100,000 records tell, the margins are counted directly: in one
#' pass by grouping sets, or one after the other. `pieces` splits the tables that come here.
#'
#' # Several servers
#' A table of PostgreSQL may be partitioned over several servers by postgres_fdw. `partition` names
#' the variable by which it is. It is then counted along with the others and summed out afterwards
#' by the database, so that each server counts its own records and sends its cells, whatever the
#' table asked for. For that, `enable_partitionwise_aggregate` is switched on for as long as the
#' count takes. The script `system.file("cluster", "postgres-servers.sh", package = "sdcLattice")`
#' sets a front and servers up on one machine.
#'
#' A table of MariaDB may have shards on several servers by the storage engine Spider, which hands
#' `GROUP BY` to each of them with or without `partition`; see `mariadb-servers.sh` in the same
#' folder.
#'
#' # Engines
#' With these engines, tables were compared with those of the same records in R:
#'
#' | engine | back end | several margins | [db_magnitude()] | servers |
#' |---|---|---|---|---|
#' | SQLite 3.40 | RSQLite | the finest table comes here | yes | - |
#' | PostgreSQL 15 | RPostgres | grouping sets, one pass | yes | postgres_fdw, each counts its own |
#' | MariaDB 10.11 | RMariaDB | the finest table comes here | yes | Spider, each counts its own |
#'
#' For ClickHouse 18.16 only the statements were tried, in its own client and without a comparison:
#' it counts tables, with and without parts, but knows neither window functions, which
#' [db_magnitude()] needs, nor grouping sets. DuckDB was not tried.
#'
#' The usual collations of MariaDB take values for one that differ only in upper and lower case, in
#' accents, or in spaces at the end: `"a"`, `"A"` and `"a "`.
#'
#' Nothing but `SELECT`, `COUNT`, `SUM`, `GROUP BY` and subqueries is asked of others.
#'
#' @param con (`DBIConnection`) An open connection. It is not closed.
#' @param table (string or [DBI::Id()]) The table or view of the records.
#' @param query (string) A query that gives the records, instead of `table`. It is sent as it
#'   stands: do not put text from others into it.
#' @param chunk (whole number from 1 to 1e9) How many cells are fetched at a time.
#' @param pieces (whole number from 1 to 1e6) In how many queries the cells are counted; see below.
#' @param partition (string or `NULL`) The column by which the table is partitioned over servers;
#'   see below.
#' @param grouping_sets (flag or `NULL`) Does the database know `GROUPING SETS` and `GROUPING()`?
#'   `NULL`: PostgreSQL does.
#' @return `db_records()`: an object of class `sdc_db_records`. It holds the connection, no data.
#'   `margins()`: an object of class `sdc_margins`, see [margins()].
#' @section Errors: `sdc_error_input` when package DBI is missing, or `con` is no connection, or not
#'   exactly one of `table` and `query` is there, or the pieces do not have the records of the
#'   whole. What the database refuses is its own error.
#' @section Complexity: The database's own for `GROUP BY`; memory here O(non-zero cells): 32 bytes
#'   for each cell while they come (more for keys beyond 64 bits), 16 afterwards, and a chunk. It
#'   can be limited, see [sdcLattice-memory].
#' @family table
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' people <- data.frame(sex = c("f", "m", "f", "f"), age = c(30, 40, 40, 30))
#' DBI::dbWriteTable(con, "people", people)
#' sdc_table(db_records(con, "people"), ~ sex + age)
#' sdc_table(db_records(con, query = "SELECT * FROM people WHERE age > 30"), "sex")
#' margins(db_records(con, "people"), list("sex", "age"))
#' DBI::dbDisconnect(con)
db_records <- function(con, table = NULL, query = NULL, chunk = 1e5, pieces = 1,
                       partition = NULL, grouping_sets = NULL) {
  check_given(con)
  check_installed("DBI", "to read from databases")
  check_whole(chunk, min = 1, max = 1e9)
  check_whole(pieces, min = 1, max = 1e6)
  if (!is.null(partition)) check_string(partition)
  if (!is.null(grouping_sets)) check_flag(grouping_sets)
  check_that(
    inherits(con, "DBIConnection"),
    "{.arg con} must be an open connection to a database.",
    x = "{.arg con} is {.obj_type_friendly {con}}.",
    i = "Make one with {.fn DBI::dbConnect}."
  )
  check_that(
    !is.null(table) == is.null(query),
    "Supply either {.arg table} or {.arg query}.",
    x = if (is.null(table)) "Neither was supplied." else "Both were supplied."
  )
  if (!is.null(query)) check_string(query)
  if (!is.null(table) && !inherits(table, "Id")) check_string(table)
  source <- if (is.null(query)) DBI::dbQuoteIdentifier(con, table) else paste0("(", query, ")")
  new_db_records(con, as.character(source), chunk, pieces, partition, grouping_sets)
}

new_db_records <- function(con, source, chunk = 1e5, pieces = 1, partition = NULL,
                           grouping_sets = NULL) {
  structure(
    list(con = con, source = source, chunk = chunk, pieces = pieces, partition = partition,
         grouping_sets = grouping_sets),
    class = sdc_class("sdc_db_records")
  )
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

#' @export
table_from.sdc_db_records <- function(data, problem) table_from_records(data, problem)

#' @export
table_from.tbl_lazy <- function(data, problem) table_from_records(lazy_records(data), problem)

#' @export
records_shape.sdc_db_records <- function(data) {
  shape <- DBI::dbGetQuery(data$con, paste("SELECT * FROM", data$source, "AS sdc WHERE 1 = 0"))
  resolve_columns(data$partition, shape, "partition")
  shape
}

#' @export
all_records.sdc_db_records <- function(data, columns, number) {
  fetch_rows(data, paste("SELECT", listed(quoted_columns(data, columns)), "FROM", data$source,
                         "AS sdc"))
}

#' @export
count_sets.sdc_db_records <- function(data, sets, weightVar, na, warns = FALSE) {
  with_partitions(data, count_margins(data, sets, weightVar, na))
}

# The engine groups, and each chunk of its groups goes into the core.
table_from_groups <- function(data, dims, weightVar, na) {
  stream <- new_cell_stream(dims, repeats = !is.null(weightVar))
  on.exit(cpp_close_cells(stream$cells))
  for (piece in count_pieces(data, dims)) {
    n <- 0
    for_chunks(data, count_sql(data, c(dims, weightVar), piece$where), function(rows) {
      n <<- n + add_groups(stream, rows, weightVar)
    })
    # A value that comes back otherwise than it went out would lose its records without a word; so
    # would records that are put in meanwhile.
    check_that(
      is.null(piece$n) || piece$n == n,
      "The pieces of the records must have all of them.",
      x = "A piece by {.val {dims[1]}} has not as many records as its values had before.",
      i = "Were records changed meanwhile? If not, the database does not find the values of
           {.val {dims[1]}} again: name another variable first."
    )
  }
  stream_table(stream, na)
}

# Adds rows of values of the stream's variables, of the weight if there is one, and of numbers of
# records. Gives the number of all their records.
add_groups <- function(stream, rows, weightVar) {
  if (nrow(rows) == 0) {
    return(0)
  }
  counts <- n <- whole_counts(rows[[length(rows)]], "COUNT(*)")
  if (!is.null(weightVar)) {
    weights <- whole_counts(rows[[weightVar]], "weightVar",
                            function(at) paste("Row", at, "of the groups"))
    # products above 2^53 are not exact; so is no total that holds them
    counts <- whole_counts(n * weights, "weightVar", function(at) "The sum of a group of records")
  }
  add_chunk(stream, unclass(rows)[seq_along(stream$variables)], n, counts)
  sum(n)
}

# ---- several margins -----------------------------------------------------------------------------

#' @param x (`sdc_db_records`, or a lazy table of dbplyr) The records.
#' @param sets (list) The variables of each margin, as for [margins()].
#' @param weightVar (string or `NULL`) The column that holds whole-number weights of the records.
#' @param na (string) `"error"` or `"level"`: what a missing value in a variable is.
#' @param ... Must be empty.
#' @rdname db_records
#' @export
margins.sdc_db_records <- function(x, sets, ..., weightVar = NULL, na = c("error", "level")) {
  check_no_dots(...)
  margins_of_records(x, sets, weightVar, na)
}

#' @rdname db_records
#' @export
margins.tbl_lazy <- function(x, sets, ..., weightVar = NULL, na = c("error", "level")) {
  check_no_dots(...)
  margins_of_records(lazy_records(x), sets, weightVar, na)
}

# The finest table that all margins can be taken from is counted in one pass. Where that would have
# almost as many cells as there are records, an engine that knows grouping sets counts the margins
# in one pass; else each has one of its own.
count_margins <- function(data, sets, weightVar, na) {
  all <- unique(unlist(sets))
  if (length(sets) == 1 || length(all) == 0) {
    return(lapply(sets, function(set) table_from_groups(data, set, weightVar, na)))
  }
  short <- !is.null(data$partition) || finest_is_short(data, c(all, weightVar))
  if (data$grouping_sets %||% is_postgres(data$con)) {
    return(margins_of_sets(data, sets, weightVar, na, grouping_sql(data, sets, weightVar, short)))
  }
  if (!short) {
    return(lapply(sets, function(set) table_from_groups(data, set, weightVar, na)))
  }
  finest <- table_from_groups(data, all, weightVar, na)
  lapply(sets, function(set) take_margin(finest, set, "sets"))
}

# By the first records alone: they decide on the way, and all ways lead to the same margins.
finest_is_short <- function(data, names) {
  found <- tryCatch(DBI::dbGetQuery(data$con, sample_sql(data, names, 1e5)),
                    error = function(e) NULL)
  if (is.null(found)) {
    return(TRUE)
  }
  n_groups <- whole_counts(found[[1]], "COUNT(*)")
  n_records <- whole_counts(found[[2]], "COUNT(*)")
  n_records < 1000 || n_groups < n_records / 2
}

# Rows of all margins in one result: the values of all variables, of the weight if there is one,
# the numbers that say of which margin a row is, and the number of records.
margins_of_sets <- function(data, sets, weightVar, na, sql) {
  all <- unique(unlist(sets))
  streams <- lapply(sets, new_cell_stream, repeats = !is.null(weightVar))
  on.exit(for (stream in streams) cpp_close_cells(stream$cells))
  labels <- vapply(sets, function(set) paste(grouping_numbers(all, set), collapse = " "), "")
  for_chunks(data, sql, function(rows) {
    marks <- length(all) + length(weightVar) + seq_along(grouping_blocks(all))
    label <- do.call(paste, lapply(unclass(rows)[marks], as.numeric))
    for (i in seq_along(sets)) {
      columns <- c(match(sets[[i]], all), length(all) + seq_along(weightVar), length(rows))
      add_groups(streams[[i]], rows[label == labels[i], columns, drop = FALSE], weightVar)
    }
  })
  lapply(streams, stream_table, na)
}
