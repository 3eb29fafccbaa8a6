# Magnitude tables of records in a database: the engine finds the largest contributors.

#' Magnitude tables of records in a database
#'
#' `db_magnitude()` has the database add up the cells of a magnitude table and find their largest
#' contributors, by window functions. Only the cells come to R, never the records. It gives what
#' [magnitude_cells()] makes of such cells: rules, [suppress()][suppress.sdc_magnitude] and the
#' audit work from it. The object is **private**.
#'
#' @details
#' * **Contributors.** Without `contributorVar` every record is a contributor of its own, and totals
#'   follow from the cells. With it, records of one contributor in the same cell are added up and
#'   count as one; so they do in totals, which the database then counts as well, by one query for
#'   each set of variables. Contributors may have parts in several cells, as holdings do, see
#'   [magnitude_cells()].
#' * **Units.** Values are whole numbers of `unit`, which must be given, so that the sums of the
#'   database are exact. Values that are no multiples of it are an error that counts them.
#' * **`top`** contributions of each cell are kept. `rule_nk(n, k)` needs `n` of them,
#'   [rule_p_percent()] two.
#' * Missing values of variables, values or contributors, and negative contributions, are an error.
#'
#' @param records (`sdc_db_records`) The records, see [db_records()].
#' @param dimVar (character vector or one-sided formula) Names of the dimension variables.
#' @param numVar (string) The column of values.
#' @param contributorVar (string or `NULL`) The column that says whose a record is.
#' @param top (whole number from 1 to 20) How many of the largest contributions are kept.
#' @param unit (number) The unit in which values are whole.
#' @param hierarchies (named list or `NULL`) For some variables a tree, as in [magnitude_cells()];
#'   only without `contributorVar`.
#' @param formula (one-sided formula or `NULL`) Which crossings are published, as in [sdc_table()].
#' @param total_label (string) The label of the total of a variable without a tree.
#' @param ... Must be empty.
#' @return An object of class `sdc_magnitude_cells`.
#' @section Errors: `sdc_error_input` for what is said above and for unknown columns;
#'   `sdc_error_too_large` for more than 2^53 units.
#' @section Complexity: The database's own for a sort of the contributors by cell, and a scan that
#'   checks the values; memory here O(cells times `top`).
#' @family magnitude
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' firms <- data.frame(
#'   region = c("north", "north", "north", "south", "south", "south"),
#'   turnover = c(132, 99, 12, 40, 35, 30)
#' )
#' DBI::dbWriteTable(con, "firms", firms)
#' mg <- db_magnitude(db_records(con, "firms"), "region", "turnover", top = 2)
#' mg
#' sensitive(mg, rule_p_percent(10))
#' DBI::dbDisconnect(con)
db_magnitude <- function(records, dimVar, numVar, contributorVar = NULL, top = 3, unit = 1,
                         hierarchies = NULL, formula = NULL, total_label = "Total", ...) {
  check_no_dots(...)
  check_class(records, "sdc_db_records", "records")
  check_given(dimVar)
  check_given(numVar)
  check_whole(top, min = 1, max = 20)
  check_given(unit)
  check_number(unit, min = 0, arg = "unit")
  check_database_unit(unit)
  check_string(total_label)
  check_no_held_trees(contributorVar, hierarchies)
  shape <- records_shape(records)
  at <- magnitude_columns(shape, dimVar, numVar, contributorVar, NULL)
  dims <- names(shape)[at$dim]
  check_database_values(records, numVar, contributorVar, unit)
  sets <- if (is.null(contributorVar)) list(dims) else all_subsets(dims)
  parts <- lapply(sets, function(set) {
    fetch_rows(records, largest_sql(records, set, numVar, contributorVar, top, unit))
  })
  check_database_signs(parts, numVar, top)
  frame <- ready_frame(parts, sets, dims, top, unit, total_label)
  tops <- paste0("sdc_top", seq_len(top))
  held <- !is.null(contributorVar)
  x <- magnitude_cells(
    frame, dims, "sdc_total", if (!held) "sdc_count", tops, if (held) "sdc_count",
    hierarchies = hierarchies, formula = formula, total_label = total_label, unit = unit
  )
  x$variable <- numVar
  x
}

check_database_unit <- function(unit) {
  check_unit(unit)
  per_unit <- 1 / unit
  if (unit %% 1 == 0 || abs(per_unit - round(per_unit)) <= 1e-9 * per_unit) {
    return(invisible(unit))
  }
  abort_sdc("input", c(
    "{.arg unit} must be a whole number or one part of so many of 1.", x = "{.arg unit} is {unit}."
  ))
}

check_no_held_trees <- function(contributorVar, hierarchies) {
  if (is.null(contributorVar) || is.null(hierarchies)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg hierarchies} are for contributors that are records.",
    x = "{.arg contributorVar} is given.",
    i = "{.fn magnitude_table} takes both, of records in a data frame."
  ))
}

# All sets of the variables, the whole first.
all_subsets <- function(names) {
  lapply(rev(seq_len(2^length(names)) - 1), function(mask) {
    names[mask %/% 2^(seq_along(names) - 1) %% 2 == 1]
  })
}

# ---- queries ------------------------------------------------------------------------------------

# A value in units, as a number with decimals: whole numbers would be divided without remainder.
units_sql <- function(data, numVar, unit) {
  column <- quoted_columns(data, numVar)
  if (unit >= 1) sprintf("(%s / %.1f)", column, unit) else
    sprintf("(%s * %.1f)", column, round(1 / unit))
}

# The sum, number and least of the contributions of each cell, and the largest of them: those of
# rank 1, 2, ... by a window function.
largest_sql <- function(data, set, numVar, contributorVar, top, unit) {
  columns <- quoted_columns(data, set)
  value <- paste0("ROUND(", units_sql(data, numVar, unit), ")")
  ends <- ""
  if (!is.null(contributorVar)) {
    value <- paste0("SUM(", value, ")")
    ends <- paste(" GROUP BY", listed(c(columns, quoted_columns(data, contributorVar))))
  }
  held <- paste0("SELECT ", listed(c(columns, paste(value, "AS sdc_value"))), " FROM ", data$source,
                 " AS sdc", ends)
  window <- paste0("ROW_NUMBER() OVER (",
                   if (length(columns) > 0) paste("PARTITION BY", listed(columns), ""),
                   "ORDER BY sdc_value DESC) AS sdc_rank")
  ranked <- paste0("SELECT ", listed(c(columns, "sdc_value", window)), " FROM (", held, ") AS sdc")
  tops <- sprintf("MAX(CASE WHEN sdc_rank = %d THEN sdc_value END)", seq_len(top))
  groups_sql(paste0("(", ranked, ")"), columns,
             listed(c("SUM(sdc_value)", "COUNT(*)", "MIN(sdc_value)", tops)))
}

check_database_values <- function(data, numVar, contributorVar, unit) {
  units <- units_sql(data, numVar, unit)
  count <- function(when) paste("COALESCE(SUM(CASE WHEN", when, "THEN 1 ELSE 0 END), 0)")
  missing <- paste(quoted_columns(data, c(numVar, contributorVar)), "IS NULL")
  off <- sprintf("ABS(%s - ROUND(%s)) > 4e-15 * ABS(%s)", units, units, units)
  found <- DBI::dbGetQuery(data$con, groups_sql(
    data$source, character(), listed(c("COUNT(*)", count(off), vapply(missing, count, "")))
  ))
  n <- vapply(found, function(column) whole_counts(column, "COUNT(*)"), 1)
  if (n[1] == 0) {
    abort_sdc("input", c("{.arg records} must have records.", x = "The database has none."))
  }
  names <- c(numVar, contributorVar)
  if (any(n[-(1:2)] > 0)) {
    abort_sdc("input", c(
      "Values and contributors must not be missing.",
      x = "{.val {names[n[-(1:2)] > 0]}} {?is/are} missing in some of the records."
    ))
  }
  if (n[2] > 0) {
    abort_sdc("input", c(
      "All values must be multiples of {.arg unit}.",
      x = "{n[2]} of the values of {.val {numVar}} {cli::qty(n[2])}{?is/are} no multiple{?s} of it."
    ))
  }
}

# ---- rows ---------------------------------------------------------------------------------------

check_database_signs <- function(parts, numVar, top) {
  least <- parts[[1]][[length(parts[[1]]) - top]]
  if (all(least >= 0)) {
    return(invisible(parts))
  }
  abort_sdc("input", c(
    "The values of {.arg numVar} must not be negative: a negative part has no share in a total.",
    x = "Some contributions to {.val {numVar}} are."
  ))
}

# Rows of cells and totals, with the labels of totals where a variable is not in the set.
ready_frame <- function(parts, sets, dims, top, unit, total_label) {
  finest <- encode_columns(unclass(parts[[1]])[seq_along(dims)], dims, "level")
  check_database_labels(parts[[1]], dims)
  numbers <- c("sdc_total", "sdc_count", paste0("sdc_top", seq_len(top)))
  rows <- Map(function(part, set) {
    labels <- lapply(rlang::set_names(dims), function(v) {
      if (v %in% set) column_labels(part[[match(v, set)]]) else
        rep(total_label, nrow(part))
    })
    values <- unclass(part)[length(set) + c(1, 2, 3 + seq_len(top))]
    values[-2] <- lapply(values[-2], function(x) from_units(as.double(x), unit))
    values[[2]] <- whole_counts(values[[2]], "COUNT(*)")
    list2data_frame(c(labels, rlang::set_names(values, numbers)), nrow(part))
  }, parts, sets)
  out <- do.call(rbind, unname(rows))
  out[dims] <- lapply(rlang::set_names(dims), function(v) {
    factor(out[[v]], union(finest[[v]]$levels, if (length(sets) > 1) total_label))
  })
  out
}

# The labels of a column, as the cells have them.
column_labels <- function(x) {
  own <- encode_column(x, "x", "error")
  own$levels[record_codes(list(own))[[1]] + 1L]
}

from_units <- function(units, unit) {
  if (unit >= 1) units * unit else units / round(1 / unit)
}

check_database_labels <- function(cells, dims) {
  missing <- vapply(dims, function(v) sum(is.na(cells[[v]])), 1)
  if (any(missing > 0)) {
    abort_sdc("input", c(
      "Dimension variables must have no missing values.",
      x = "{.val {dims[missing > 0]}} {?is/are} missing in some of the records."
    ))
  }
}
