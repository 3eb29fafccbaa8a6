# Tables from files of records that are too large for the memory.

#' Records in files, to be counted there
#'
#' `file_records()` says where records are, for [sdc_table()] and [margins()], which read them in
#' chunks. Only the cells stay in memory. Several files, such as one for each month, are counted as
#' one.
#'
#' # Text files
#' Files are CSV as RFC 4180 has it, plain or compressed by gzip or xz. A record ends with `"\n"`
#' or `"\r\n"`. A field in quotes may hold separators, ends of lines, and quotes, each of them
#' twice. The first record has the names of the columns, unless `names` gives them. Nothing is
#' guessed:
#'
#' * **Levels are what stands in the file**, to the byte. `01` and `1` are two levels, and so are
#'   `1.0` and `1`, `" a"` and `"a"`. A column whose texts are all plain numbers (`-2`, `17`, `0.5`;
#'   not `01`, `1.0` or `1e3`) is sorted by number, any other as [factor()] sorts strings. `levels`
#'   gives an order, and levels that no record has.
#' * **Missing values** are fields that are one of `missing`, in quotes or not. [sdc_table()]
#'   refuses them unless `na = "level"`.
#' * **Lines without any character** are left out. (A missing value of the only column must be
#'   written as `""` or `NA`.)
#' * A record with more or fewer fields than there are columns is an error that names its number and
#'   line. So are text after a closing quote, a quote that is never closed, and a byte of zero.
#' * Texts that are not valid in `encoding` are an error. A byte order mark is left out.
#'
#' The table is that of a data frame whose columns have these levels. [utils::read.csv()] and
#' `data.table::fread()` give the same one where each column is written in one way.
#'
#' # Parquet
#' Files whose name ends in `.parquet` are read by package nanoparquet, one file at a time, only the
#' columns that are needed. Values become levels as those of a data frame do. For a single Parquet
#' file that is too large for this, let a database read it: [db_records()].
#'
#' # Memory
#' The distinct values of each column, the cells (see [sdcLattice-memory] for cells that are too
#' many as well), and one chunk with its codes. R collects what earlier chunks left over only now
#' and then: some 100 MB with the default `chunk`. `margins()` counts all its margins in one pass,
#' and only their cells are held.
#'
#' @param path (character vector) The files. All must have the columns that are asked for; the
#'   columns may stand in another order.
#' @param sep (string) The separator, one byte: `","`, `";"`, `"\t"`.
#' @param missing (character vector) What a missing value looks like.
#' @param names (character vector or `NULL`) The names of the columns of files without a header.
#' @param levels (named list or `NULL`) For some variables the levels, in order. Any other value of
#'   these is an error.
#' @param encoding (string) `"UTF-8"` or `"latin1"`.
#' @param chunk (whole number from 1,000 to 1e9) How many bytes are read at a time.
#' @return `file_records()`: an object of class `sdc_file_records`. It holds no data. `margins()`:
#'   an object of class `sdc_margins`, see [margins()].
#' @section Errors: `sdc_error_input` when a file or a column is not there, and for what is said
#'   above; `sdc_error_too_large` when a table has no room.
#' @section Complexity: One pass over the files; a sort of the records in packed form where they
#'   have many cells. See `system.file("bench", "large.R", package = "sdcLattice")`.
#' @family table
#' @export
#' @examples
#' path <- tempfile(fileext = ".csv")
#' writeLines(c("sex,age,note", "f,30,\"a, b\"", "m,40,", "f,40,", "f,30,"), path)
#' people <- file_records(path)
#' sdc_table(people, ~ sex + age)
#' sdc_table(people, "note", na = "level")
#' margins(people, list("sex", "age"))
#' sdc_table(file_records(path, levels = list(age = c("30", "35", "40"))), "age")
#' unlink(path)
file_records <- function(path, sep = ",", missing = c("", "NA"), names = NULL, levels = NULL,
                         encoding = c("UTF-8", "latin1"), chunk = 4e6) {
  check_given(path)
  check_record_files(path)
  check_that(
    is.character(sep) && length(sep) == 1 && !is.na(sep) && nchar(sep, "bytes") == 1 &&
      !sep %in% c("\"", "\n", "\r"),
    "{.arg sep} must be one byte, and no quote or end of a line.",
    x = "{describe(sep, 'sep')}"
  )
  check_texts(missing, "missing")
  if (!is.null(names)) check_names_given(names, "names")
  encoding <- check_choice(encoding, c("UTF-8", "latin1"))
  check_whole(chunk, min = 1e3, max = 1e9)
  if (!is.null(levels)) check_file_levels(levels)
  parquet <- grepl("[.]parquet$", path, ignore.case = TRUE)
  check_that(
    all(parquet) || !any(parquet),
    "All files of {.arg path} must be of one format.",
    x = "{.file {path[parquet][1]}} is Parquet, {.file {path[!parquet][1]}} is not."
  )
  if (parquet[1]) check_installed("nanoparquet", "to read Parquet files")
  structure(
    list(path = path.expand(path), sep = sep, missing = enc2utf8(missing), names = names,
         levels = levels, encoding = encoding, chunk = chunk,
         format = if (parquet[1]) "Parquet" else "text"),
    class = sdc_class("sdc_file_records")
  )
}

check_record_files <- function(path) {
  check_texts(path, "path")
  bad <- if (length(path) > 0) which(!file.exists(path) | dir.exists(path))[1] else 0
  check_that(
    is.na(bad),
    "{.arg path} must name files.",
    x = if (bad == 0) "{.arg path} is empty." else
      "{.file {path[bad]}} is {if (dir.exists(path[bad])) 'a folder' else 'not there'}.",
    i = if (bad > 0 && dir.exists(path[bad])) "{.fn list.files} lists its files."
  )
}

check_file_levels <- function(levels) {
  distinct <- function(texts) is.character(texts) && !anyNA(texts) && !anyDuplicated(texts)
  fault <- if (!is.list(levels)) "{.arg levels} is {.obj_type_friendly {levels}}." else
    names_fault(levels, "levels")
  odd <- if (is.null(fault)) names(Filter(Negate(distinct), levels))
  check_that(
    is.null(fault) && length(odd) == 0,
    "{.arg levels} must be a named list of distinct strings for each variable.",
    x = fault %||% "The levels of {.val {odd[1]}} are no distinct strings."
  )
}

#' @export
format.sdc_file_records <- function(x, ...) {
  more <- length(x$path) - 1
  paste0(x$format, ": ", cut_text(basename(x$path[1]), 60),
         if (more > 0) paste(" and", plural(more, "more file")))
}

# ---- columns and levels --------------------------------------------------------------------------

#' @export
table_from.sdc_file_records <- function(data, problem) table_from_records(data, problem)

#' @param x (`sdc_file_records`) The records.
#' @param sets (list) The variables of each margin, as for [margins()].
#' @param weightVar (string or `NULL`) The column that holds whole-number weights of the records.
#' @param na (string) `"error"` or `"level"`: what a missing value in a variable is.
#' @param ... Must be empty.
#' @rdname file_records
#' @export
margins.sdc_file_records <- function(x, sets, ..., weightVar = NULL, na = c("error", "level")) {
  check_no_dots(...)
  margins_of_records(x, sets, weightVar, na)
}

# With the columns of the first file.
#' @export
records_shape.sdc_file_records <- function(data) {
  check_record_files(data$path)
  names <- file_columns(data, data$path[1])
  unknown <- setdiff(names(data$levels), names)
  check_that(
    length(unknown) == 0,
    "{.arg levels} must name columns of the files.",
    x = "There is no column {.val {unknown[1]}} in {.file {data$path[1]}}.",
    i = did_you_mean(unknown[1], names, "column")
  )
  list2data_frame(rlang::set_names(rep(list(character()), length(names)), names), 0)
}

file_columns <- function(data, path) {
  # the first row of a schema is the file itself
  if (data$format == "text") text_columns(data, path) else
    nanoparquet::read_parquet_schema(path)$name[-1]
}

# One pass over all files.
#' @export
count_sets.sdc_file_records <- function(data, sets, weightVar, na, warns = FALSE) {
  streams <- lapply(sets, new_cell_stream, repeats = TRUE)
  on.exit(for (stream in streams) cpp_close_cells(stream$cells))
  all <- unique(unlist(sets))
  if (data$format == "text") count_text(data, streams, all, weightVar, na, warns) else
    count_parquet(data, streams, all, weightVar)
  lapply(streams, stream_table, na)
}

#' @export
all_records.sdc_file_records <- function(data, columns, number) {
  if (data$format == "text") all_text_records(data, columns, number) else
    all_parquet_records(data, columns)
}

# ---- Parquet ------------------------------------------------------------------------------------

for_parquet <- function(data, columns, use) {
  for (path in data$path) {
    places_in_file(columns, file_columns(data, path), path)
    frame <- as.data.frame(nanoparquet::read_parquet(path, col_select = columns))
    for (v in intersect(columns, names(data$levels))) {
      frame[[v]] <- factor(given_levels(as.character(frame[[v]]), data$levels[[v]], v),
                           data$levels[[v]])
    }
    use(frame[columns], path)
  }
}

count_parquet <- function(data, streams, all, weightVar) {
  for_parquet(data, c(all, weightVar), function(frame, path) {
    n <- rep(1, nrow(frame))
    counts <- if (is.null(weightVar)) n else
      whole_counts(frame[[weightVar]], "weightVar",
                   function(at) paste("Record", at, "of", basename(path)))
    for (stream in streams) add_chunk(stream, unclass(frame)[stream$variables], n, counts)
  })
}

all_parquet_records <- function(data, columns) {
  parts <- list()
  for_parquet(data, columns, function(frame, path) parts[[length(parts) + 1]] <<- frame)
  do.call(rbind, parts)
}
