# Counting records in files.

#' @export
table_from.sdc_file_records <- function(data, dimVar, freqVar, weightVar, na, duplicates, totals) {
  shape <- file_shape(data)
  if (!is.null(freqVar)) {
    # with weights, too: the same error as for data frames
    used <- if (is.null(weightVar)) database_columns(shape, dimVar, freqVar, "freqVar")
    cells <- if (is.null(weightVar)) whole_file(data, used, utils::tail(used, 1)) else shape
    return(table_from_frame(cells, dimVar %||% utils::head(used, -1), freqVar, weightVar, na,
                            duplicates, totals))
  }
  check_no_total(totals)
  used <- database_columns(shape, dimVar, weightVar, "weightVar")
  dims <- if (is.null(weightVar)) used else utils::head(used, -1)
  x <- count_files(data, list(dims), weightVar, na, is.null(dimVar))[[1]]
  warn_of_nested(x)
  x
}

#' @param x (`sdc_file_records`) The records.
#' @param sets (list) The variables of each margin, as for [margins()].
#' @param weightVar (string or `NULL`) The column that holds whole-number weights of the records.
#' @param na (string) `"error"` or `"level"`: what a missing value in a variable is.
#' @param ... Must be empty.
#' @rdname file_records
#' @export
margins.sdc_file_records <- function(x, sets, ..., weightVar = NULL, na = c("error", "level")) {
  check_no_dots(...)
  check_given(sets)
  na <- check_choice(na, c("error", "level"))
  check_set_list(sets)
  variables <- record_sets(file_shape(x), sets, weightVar)
  new_margins(count_files(x, variables, weightVar, na, FALSE))
}

# No records, with the names of the columns of the first file.
file_shape <- function(data) {
  check_record_files(data$path)
  names <- file_columns(data, data$path[1])
  unknown <- setdiff(names(data$levels), names)
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.arg levels} must name columns of the files.",
      x = "There is no column {.val {unknown[1]}} in {.file {data$path[1]}}.",
      i = did_you_mean(unknown[1], names, "column")
    ))
  }
  list2data_frame(rlang::set_names(rep(list(character()), length(names)), names), 0)
}

file_columns <- function(data, path) {
  if (data$format == "text") text_columns(data, path) else
    parquet_columns(path)
}

# The tables of several sets of variables from one pass over all files.
count_files <- function(data, sets, weightVar, na, warns) {
  streams <- lapply(sets, new_cell_stream, repeats = TRUE)
  on.exit(for (stream in streams) cpp_close_cells(stream$cells))
  all <- unique(unlist(sets))
  if (data$format == "text") count_text(data, streams, all, weightVar, na, warns) else
    count_parquet(data, streams, all, weightVar)
  lapply(streams, stream_table, na)
}

# A frame of all records, for cells that are listed with their counts.
whole_file <- function(data, columns, number) {
  if (data$format == "text") all_text_records(data, columns, number) else
    all_parquet_records(data, columns)
}

# ---- Parquet ------------------------------------------------------------------------------------

# The first row of a schema is the file itself.
parquet_columns <- function(path) nanoparquet::read_parquet_schema(path)$name[-1]

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
