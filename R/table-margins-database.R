# Several margins of records in a database from one pass over them.

#' @param x (`sdc_db_records`, or a lazy table of dbplyr) The records.
#' @param sets (list) The variables of each margin, as for [margins()].
#' @param weightVar (string or `NULL`) The column that holds whole-number weights of the records.
#' @param na (string) `"error"` or `"level"`: what a missing value in a variable is.
#' @param ... Must be empty.
#' @rdname db_records
#' @export
margins.sdc_db_records <- function(x, sets, ..., weightVar = NULL, na = c("error", "level")) {
  check_no_dots(...)
  check_given(sets)
  na <- check_choice(na, c("error", "level"))
  check_set_list(sets)
  shape <- database_shape(x)
  resolve_columns(x$partition, shape, "partition")
  variables <- record_sets(shape, sets, weightVar)
  new_margins(with_partitions(x, count_margins(x, variables, weightVar, na)))
}

# The variables of each margin of records, by the names of the margins.
record_sets <- function(shape, sets, weightVar) {
  weight <- resolve_columns(weightVar, shape, "weightVar", one = TRUE)
  variables <- lapply(seq_along(sets), function(i) {
    arg <- paste0("sets[[", i, "]]")
    at <- resolve_columns(variable_names(sets[[i]], arg), shape, arg)
    check_no_weight(at, weight, shape, arg)
    names(shape)[at]
  })
  check_distinct_sets(variables)
  labels <- vapply(variables, margin_label, "")
  rlang::set_names(variables, margin_names(names(sets), labels))
}

#' @rdname db_records
#' @export
margins.tbl_lazy <- function(x, sets, ..., weightVar = NULL, na = c("error", "level")) {
  margins(lazy_records(x), sets, ..., weightVar = weightVar, na = na)
}

check_no_weight <- function(at, weight, shape, arg) {
  if (!any(weight %in% at)) {
    return(invisible(at))
  }
  abort_sdc("input", c(
    "{.arg weightVar} must be no variable of a margin.",
    x = "{.arg {arg}} has {.val {names(shape)[weight]}}."
  ))
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
  if (knows_grouping_sets(data)) {
    return(margins_of_sets(data, sets, weightVar, na, grouping_sql(data, sets, weightVar, short)))
  }
  if (!short) {
    return(lapply(sets, function(set) table_from_groups(data, set, weightVar, na)))
  }
  finest <- table_from_groups(data, all, weightVar, na)
  lapply(sets, function(set) take_margin(finest, set, "sets"))
}

knows_grouping_sets <- function(data) data$grouping_sets %||% is_postgres(data$con)

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
