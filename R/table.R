#' Contingency tables with any number of variables
#'
#' The table that everything in this package starts from. It is stored as its non-zero cells: a
#' packed key for the levels and a count. The number of cells has no limit; what counts is the
#' number of cells that are not zero.
#'
#' # What can be tabulated
#' * **Microdata**: a data frame (also a tibble or a data.table) with a row for each record; the
#'   variables are those of `dimVar`, or all columns. `weightVar` names a column of whole-number
#'   weights.
#' * **Cells**: a data frame with a row for each cell and the counts in the column `freqVar`. Cells
#'   that are not listed are zero.
#' * **Tables**: a [table()], [xtabs()], [ftable()], matrix or array of counts. Here `dimVar`
#'   selects a margin.
#' * **Databases**: [db_records()], or a lazy table of dbplyr. The database counts; the records stay
#'   there.
#'
#' # Decisions
#' * Variables and levels are never renamed nor reordered. The levels of a factor are its levels, in
#'   their order; unused ones stay (as [table()] does) unless `drop_unused = TRUE`. Any other
#'   variable (numbers, strings, logical values, dates) gets the levels that [factor()] would give:
#'   its distinct values, sorted. Numbers of class integer64 are exact up to 2^53 and refused
#'   beyond. The order of strings depends on the locale: make a factor where it
#'   must not. `NaN` counts as missing; infinite values are levels.
#' * **Missing values** in a dimension variable are an error that names the variable and the number
#'   of rows ([table()] drops such rows without a word). With `na = "level"` they become the last
#'   level, `NA`, of the variables that have them, as with `table(useNA = "ifany")`. A level `NA`
#'   that a factor has already (see [addNA()]) is a level like any other. To leave out incomplete
#'   records, do it before the call: `data[complete.cases(data), ]`.
#' * **Counts and weights** are whole numbers from 0 to 2^53, stored as numbers of type double, and
#'   so is their sum. They may be of class integer64, as databases give them. A missing, infinite,
#'   negative or fractional one is an error that names its position and never its value. Nothing is
#'   rounded: fractional weights are an error.
#' * **A cell that is listed twice** is an error that names its rows; `duplicates = "sum"` adds up.
#'   In microdata, of course, records are added up.
#' * Names need not be syntactic; they must be unique. In a table without names of dimensions these
#'   are Var1, Var2, ...; without labels, levels are "1", "2", ...
#' * **Totals are not levels.** In cells and tables (not in microdata) a level that is the sum of other
#'   levels of its variable, in every combination of the other variables, is an error: its counts
#'   would be counted twice. `total` names the levels that are totals; they are taken away after a
#'   check that they add up, and [as.data.frame()][as.data.frame.sdc_table] adds totals again, along
#'   trees too. A level counts as a sum when chance is no explanation (ten bits of evidence: some
#'   three combinations with counts near 30), or when it has the name of a total: Total, Sum, All,
#'   an empty string and their like. Then one count is enough. `total = FALSE` says that no level
#'   is a total. A level with such a name that is no sum is a level, with a warning.
#' * **Nested variables**, such as region and county, make cells that no record can be in. Where each
#'   level of one variable of a data frame lies in one level of another, and that would be no
#'   chance for independent variables (twenty bits), a warning proposes a tree, made by
#'   [nested_tree()]. The table is as asked.
#' * **Labels of values**, as haven reads them (class haven_labelled), are the levels, in the order of
#'   the values; a value without a label is a level of its own. Values that are declared missing are
#'   missing.
#' * **A number column that looks like counts**, called freq, Freq, n, count, Count or N, is a
#'   dimension like any other when neither `dimVar` nor `freqVar` says otherwise, with a warning.
#' * **A column with almost as many values as records**, or a number column with more than 100, is
#'   probably a measurement or a name of each record. It is a variable like any other, with a warning
#'   when `dimVar` does not name it.
#' * No records give a table of zeros. No variables (`dimVar = character(0)`) give the table with
#'   one cell, the total. Variables with one level, or none, are allowed.
#'
#' A saved table ([saveRDS()]) is for machines of the same byte order: its keys are kept as they lie
#' in memory.
#'
#' # Complexity
#' One pass over the records, which reads the codes of factors in place. Time O(records times
#' variables); memory beyond the data O(non-zero cells), and a vector of codes for each variable of
#' strings, dates or fractional numbers. A margin takes O(non-zero cells). See
#' `system.file("bench", package = "sdcLattice")` for measurements.
#'
#' @param data (data frame, table, matrix, array, `sdc_table`, or [db_records()]) what to tabulate;
#'   see below.
#' @param dimVar (character vector or one-sided formula) names of the dimension variables, in the
#'   order that the table shall have: `c("A", "B")` or `~ A + B`. `NULL`: all columns but `freqVar`
#'   and `weightVar`.
#' @param freqVar (string or `NULL`) column that holds the counts of the cells.
#' @param weightVar (string or `NULL`) column that holds whole-number weights of the records.
#' @param ... must be empty.
#' @param na (string) `"error"` or `"level"`: what a missing value in a dimension variable is.
#' @param drop_unused (flag) leave out levels without any count?
#' @param duplicates (string) `"error"` or `"sum"`: what a cell is that is listed twice; only with
#'   `freqVar`.
#' @param total (`NULL`, `FALSE`, character vector or named list) which levels of cells or tables are
#'   totals: `"Total"` for all variables that have it, `list(geo = c("EU", "Total"), age = "All")`
#'   by variable. `FALSE`: none is. `NULL`: those that are recognised are an error.
#' @return An object of class `sdc_table`. It answers [dim()], [dimnames()], [length()] (number of
#'   cells, infinite beyond the range of a double), [sum()] (the grand total), `[`, [as.table()],
#'   [as.array()], [as.data.frame()][as.data.frame.sdc_table], [print()], [summary()], [plot()];
#'   see [table-methods] and [margin()].
#' @section Errors: `sdc_error_input` for what the decisions above call an error;
#'   `sdc_error_too_large` when the grand total exceeds 2^53. `sdc_warning_input` for a column that
#'   looks like counts or has almost as many values as there are records, `sdc_warning_total` for a level with the name of a total that is none,
#'   `sdc_warning_nested` for nested variables.
#' @family table
#' @seealso [notation] for the terms.
#' @export
#' @examples
#' people <- data.frame(
#'   sex = factor(c("f", "m", "f", "f"), levels = c("f", "m")),
#'   age = c(30, 40, 40, 30)
#' )
#' x <- sdc_table(people, dimVar = c("sex", "age"))
#' x
#' as.table(x)
#'
#' cells <- data.frame(sex = c("f", "m"), age = c("30", "40"), n = c(2, 1))
#' sdc_table(cells, ~ sex + age, freqVar = "n")
#'
#' sdc_table(Titanic)
sdc_table <- function(data, dimVar = NULL, freqVar = NULL, weightVar = NULL, ...,
                      na = c("error", "level"), drop_unused = FALSE,
                      duplicates = c("error", "sum"), total = NULL) {
  check_no_dots(...)
  check_given(data)
  check_quoted(dimVar, substitute(dimVar), data)
  check_quoted(freqVar, substitute(freqVar), data)
  check_quoted(weightVar, substitute(weightVar), data)
  na <- check_choice(na, c("error", "level"))
  duplicates <- check_choice(duplicates, c("error", "sum"))
  check_flag(drop_unused)
  check_total(total)
  x <- if (is.data.frame(data)) {
    table_from_frame(data, dimVar, freqVar, weightVar, na, duplicates, total)
  } else if (inherits(data, c("sdc_db_records", "tbl_lazy"))) {
    table_from_database(data, dimVar, freqVar, weightVar, na, duplicates, total)
  } else {
    table_from_table(data, dimVar, freqVar, weightVar, total)
  }
  if (drop_unused) drop_unused_levels(x) else x
}

#' @param x (any) what may be, or become, an `sdc_table`: `as_sdc_table()` takes an `sdc_table`,
#'   [table()], [xtabs()], [ftable()], matrix or array of counts.
#' @rdname sdc_table
#' @export
as_sdc_table <- function(x) {
  check_given(x)
  table_argument(x, "x")
}

#' @rdname sdc_table
#' @export
is_sdc_table <- function(x) inherits(x, "sdc_table")

# `keys`: raw, 8 bytes a word, in cell order; `counts`: whole numbers > 0, as doubles.
new_table <- function(dimnames, cells) {
  structure(
    list(dimnames = dimnames, keys = cells$keys, counts = cells$counts),
    class = "sdc_table"
  )
}

# ---- from data frames -------------------------------------------------------------------------

table_from_frame <- function(data, dimVar, freqVar, weightVar, na, duplicates, total) {
  if (!is.null(freqVar) && !is.null(weightVar)) {
    abort_sdc("input", c(
      "Give {.arg freqVar} for cells or {.arg weightVar} for microdata.",
      x = "Both are given."
    ))
  }
  numbers <- c(
    resolve_columns(freqVar, data, "freqVar", one = TRUE),
    resolve_columns(weightVar, data, "weightVar", one = TRUE)
  )
  at <- resolve_dim_var(dimVar, data, numbers)
  check_whole_columns(data, c(at, numbers))
  if (is.null(dimVar)) {
    warn_of_counts(unclass(data)[at], names(data)[at])
  }
  columns <- encode_columns(unclass(data)[at], names(data)[at], na)
  if (is.null(dimVar) && is.null(freqVar)) {
    warn_of_many_levels(unclass(data)[at], lengths(lapply(columns, `[[`, "levels")), nrow(data))
  }
  weights <- if (length(numbers) > 0) {
    arg <- if (is.null(freqVar)) "weightVar" else "freqVar"
    whole_counts(unclass(data)[[numbers]], arg)
  }
  if (!is.null(freqVar) && duplicates == "error") {
    check_unlisted(columns, nrow(data))
  }
  x <- tabulate_records(columns, nrow(data), weights)
  if (is.null(freqVar)) check_no_total(total) else x <- without_totals(x, total)
  warn_of_nested(x)
  x
}

# Records have no totals among them.
check_no_total <- function(total) {
  if (is.null(total) || identical(total, FALSE)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg total} is for cells and tables.",
    x = "{.arg data} are records.",
    i = "Cells need {.arg freqVar}."
  ))
}

# A frame that was put together by hand may have columns of any length.
check_whole_columns <- function(data, at) {
  size <- vapply(unclass(data)[at], NROW, 0)
  bad <- which(size != nrow(data))
  if (length(bad) == 0) {
    return(invisible(data))
  }
  abort_sdc("input", c(
    "All columns of {.arg data} must have as many entries as it has rows.",
    x = "Column {.val {names(data)[at][bad[1]]}} has {size[bad[1]]}; there {cli::qty(nrow(data))}{?is/are} {nrow(data)} row{?s}."
  ))
}

# Cells that were given without `freqVar` would be tabulated as records.
warn_of_counts <- function(columns, names) {
  counts <- names[names %in% c("freq", "Freq", "n", "count", "Count", "N") &
                    vapply(columns, is.numeric, NA)]
  if (length(counts) > 0) {
    warn_sdc("input", c(
      "Column{?s} {.val {counts}} of {.arg data} look{?s/} like cell counts but {?is/are} used as
       {?a table variable/table variables}.",
      i = "Pass counts as {.arg freqVar}; list the variables in {.arg dimVar} if this is intended."
    ))
  }
}

# Measurements and names of records have a level for almost each record, and tables of them are all
# ones. Nobody means that who does not list the variables.
warn_of_many_levels <- function(columns, levels, n) {
  number <- vapply(columns, function(x) is.numeric(x) && !is.factor(x), NA)
  many <- levels >= 30 & levels > ifelse(number, n / 2, .9 * n) | number & levels > 100
  if (any(many)) {
    odd <- names(columns)[many]
    warn_sdc("input", c(
      "Column{?s} {.val {odd}} of {.arg data} {?has/have} so many different values that {?it looks/they
       look} like a measurement or a name of each record, but {?is/are} used as {?a table variable/table
       variables}.",
      i = "Give {.arg dimVar} the variables of the table, or put values into classes by {.fn cut}."
    ))
  }
}

tabulate_records <- function(columns, n, weights) {
  dimnames <- lapply(columns, function(column) column$levels)
  found <- with_core(
    cpp_tabulate_records(lengths(dimnames), unname(columns), n, weights)
  )
  if (length(found$missing) > 0) {
    abort_missing(found$missing, names(columns))
  }
  new_table(dimnames, found)
}

abort_missing <- function(missing, names) {
  at <- which(missing > 0)
  what <- paste0(
    "Variable \"", names[at], "\" is missing in ",
    plural(missing[at], "row"), "."
  )
  abort_sdc("input", c(
    "Dimension variables must have no missing values.",
    rlang::set_names(gsub("}", "}}", gsub("{", "{{", what, fixed = TRUE), fixed = TRUE), "x"),
    i = "With {.code na = \"level\"} a missing value is a level of its own."
  ))
}

# Positions of named columns.
resolve_columns <- function(names, data, arg, one = FALSE) {
  if (is.null(names)) {
    return(NULL)
  }
  if (one) {
    check_string(names, arg)
  }
  check_names_given(names, arg)
  unknown <- setdiff(names, names(data))
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.arg {arg}} must name columns of {.arg data}.",
      x = "There is no column {.val {unknown}}."
    ))
  }
  twice <- intersect(names, names(data)[duplicated(names(data))])
  if (length(twice) > 0) {
    abort_sdc("input", c(
      "Columns that {.arg {arg}} names must be unique in {.arg data}.",
      x = "More than one column has the name {.val {twice}}."
    ))
  }
  match(names, names(data))
}

check_names_given <- function(names, arg) {
  if (!is.character(names) || anyNA(names)) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a character vector without missing values.",
      x = if (is.character(names)) {
        "Element {which(is.na(names))[1]} is missing."
      } else {
        "{.arg {arg}} is {.obj_type_friendly {names}}."
      }
    ))
  }
  if (anyDuplicated(names)) {
    abort_sdc("input", c(
      "{.arg {arg}} must name each variable once.",
      x = "{.val {unique(names[duplicated(names)])}} appears more than once."
    ))
  }
}

resolve_dim_var <- function(dimVar, data, numbers) {
  if (is.null(dimVar)) {
    at <- setdiff(seq_along(data), numbers)
    return(resolve_columns_at(at, data))
  }
  at <- resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  both <- intersect(at, numbers)
  if (length(both) > 0) {
    abort_sdc("input", c(
      "A column must be a dimension or hold numbers.",
      x = "{.val {names(data)[both]}} is used for both."
    ))
  }
  at
}

resolve_columns_at <- function(at, data) {
  names <- names(data)[at]
  nameless <- length(names) < length(at) || anyNA(names) || any(!nzchar(names))
  if (nameless || anyDuplicated(names)) {
    abort_sdc("input", c(
      "The columns of {.arg data} must have unique names.",
      x = if (nameless) {
        "Some column has no name."
      } else {
        "More than one column has the name {.val {unique(names[duplicated(names)])}}."
      }
    ))
  }
  at
}

# Names from a character vector or a one-sided formula of names and `+`.
variable_names <- function(x, arg) {
  if (!inherits(x, "formula")) {
    return(x)
  }
  bad <- function() {
    abort_sdc("input", c(
      "{.arg {arg}} must be a character vector, or a formula like {.code ~ A + B}.",
      x = "It is {.code {deparse(x)}}."
    ))
  }
  names_in <- function(e) {
    if (is.name(e)) {
      return(as.character(e))
    }
    if (identical(e, 1)) {
      return(character())
    }
    if (!is.call(e) || !identical(e[[1]], as.name("+")) || length(e) != 3) bad()
    c(names_in(e[[2]]), names_in(e[[3]]))
  }
  if (length(x) != 2) bad()
  names_in(x[[2]])
}

# ---- columns as codes -------------------------------------------------------------------------

encode_columns <- function(columns, names, na) {
  out <- lapply(seq_along(columns), function(i) encode_column(columns[[i]], names[i], na))
  names(out) <- names
  out
}

# What the core needs of a column (see struct Column): codes, base, lookup; and the levels.
encode_column <- function(x, name, na) {
  if (!is.atomic(x) || !is.null(dim(x)) || is.complex(x) || is.raw(x) || is.null(x)) {
    abort_sdc("input", c(
      "Dimension variables must be factors, numbers, strings, logical values or dates.",
      x = "{.val {name}} is {.obj_type_friendly {x}}."
    ))
  }
  if (is_labelled(x)) x <- labelled_factor(x, name)
  coded <- if (inherits(x, "integer64")) {
    x <- whole_levels(x, name)
    encode_whole(x)
  } else if (is.factor(x)) {
    list(codes = x, base = 1L, lookup = NULL, levels = levels(x))
  } else if ((is.integer(x) || is.logical(x)) && !is.object(x)) {
    encode_integer(x)
  } else {
    encode_values(x)
  }
  with_missing_level(coded, x, na)
}

# Numbers of class integer64 as dimension: exact up to 2^53, or refused.
whole_levels <- function(x, name) {
  x <- cpp_read_integer64(x)
  if (any(abs(x) > 2^53, na.rm = TRUE)) {
    abort_sdc("input", c(
      "Dimension variables of class integer64 must stay within 2^53.",
      x = "{.val {name}} holds a larger number.",
      i = "Make it a factor or a character vector."
    ))
  }
  x
}

# Labels with all digits, where factor() would show 15 and make one level of neighbours.
encode_whole <- function(x) {
  first <- cpp_find_distinct(x)$first
  values <- sort(x[first])
  list(codes = x, base = 0L, lookup = match(x[first], values) - 1L,
       levels = sprintf("%.0f", values), first = first)
}

encode_integer <- function(x) {
  found <- cpp_find_levels(x, 2^20)
  if (is.null(found)) {
    return(encode_values(x))
  }
  levels <- found$levels
  labels <- if (is.logical(x)) as.character(as.logical(levels)) else as.character(levels)
  if (length(levels) == 0) {
    return(list(codes = x, base = 1L, lookup = NULL, levels = character()))
  }
  lookup <- integer(levels[length(levels)] - levels[1] + 1L)
  lookup[levels - levels[1] + 1L] <- seq_along(levels) - 1L
  list(codes = x, base = levels[1], lookup = lookup, levels = labels)
}

# Strings and numbers by their distinct values, of which factor() makes levels: values that print
# alike, or that differ in encoding only, are one level.
encode_values <- function(x) {
  plain <- !is.object(x) || inherits(x, c("Date", "POSIXct", "difftime"))
  if (is.integer(x) && plain) {
    storage.mode(x) <- "double"
  }
  if (!plain || !(is.character(x) || is.double(x))) {
    x <- factor(x)
    return(list(codes = x, base = 1L, lookup = NULL, levels = levels(x)))
  }
  first <- cpp_find_distinct(x)$first
  values <- factor(x[first])
  list(codes = x, base = 0L, lookup = as.integer(values) - 1L, levels = levels(values),
       first = first)
}

with_missing_level <- function(coded, x, na) {
  coded$level_of_missing <- -1L
  if (na == "level" && anyNA(x)) {
    at <- match(NA_character_, coded$levels)
    if (is.na(at)) {
      coded$levels <- c(coded$levels, NA_character_)
      at <- length(coded$levels)
    }
    coded$level_of_missing <- at - 1L
  }
  coded
}

# The level of each record, a vector for each variable, from 0; -1 where it is missing.
record_codes <- function(columns) {
  lapply(columns, function(column) {
    level <- if (is.null(column$first)) {
      as.integer(column$codes) - column$base
    } else {
      match(column$codes, column$codes[column$first], incomparables = NA) - 1L
    }
    if (!is.null(column$lookup)) level <- column$lookup[level + 1L]
    level[is.na(level)] <- -1L
    level
  })
}

# No cell may be listed twice.
check_unlisted <- function(columns, n) {
  listed <- tabulate_records(columns, n, NULL)
  if (all(listed$counts == 1)) {
    return(invisible())
  }
  codes <- record_codes(columns)
  if (length(codes) == 0) {
    codes <- list(none = integer(n))
  }
  again <- which(duplicated(list2data_frame(codes, n)))[1]
  same <- Reduce(`&`, lapply(codes, function(code) code == code[again]))
  first <- which(same)[1]
  abort_sdc("input", c(
    "Each cell must be listed once.",
    x = "Rows {first} and {again} are the same cell{cell_in_words(columns, codes, again)}.",
    i = "With {.code duplicates = \"sum\"} their counts are added up."
  ))
}

cell_in_words <- function(columns, codes, at) {
  if (length(columns) == 0) {
    return("")
  }
  level <- Map(function(column, code) column$levels[if (code[at] < 0) NA else code[at] + 1L],
               columns, codes)
  paste0(" (", paste(names(columns), "=", level, collapse = ", "), ")")
}

# ---- counts -----------------------------------------------------------------------------------

# Whole numbers from 0 to 2^53 as doubles; says where one is not, never what it is.
whole_counts <- function(x, arg, where = function(at) paste("Row", at)) {
  if (inherits(x, "integer64")) {
    x <- cpp_read_integer64(x)
  }
  if (!is.numeric(x)) {
    abort_sdc("input", c(
      "{.arg {arg}} must hold whole numbers from 0 to 2^53.",
      x = "It holds {.obj_type_friendly {x}}."
    ))
  }
  x <- as.double(x)
  found <- cpp_check_counts(x)
  faults <- c("missing", "infinite", "negative", "fractional", "above 2^53")
  if (found$fault > 0) {
    abort_sdc("input", c(
      "{.arg {arg}} must hold whole numbers from 0 to 2^53.",
      x = "{where(found$at)} is {faults[found$fault]}."
    ))
  }
  if (found$total_too_large) {
    abort_sdc("too_large", c(
      "The grand total must not exceed 2^53 (9,007,199,254,740,992).",
      x = "The sum of {.arg {arg}} does.",
      i = "Tabulate parts of the data."
    ))
  }
  x
}

check_no_dots <- function(...) {
  if (...length() == 0) {
    return(invisible())
  }
  names <- as.character(...names())
  names <- names[nzchar(names) & !is.na(names)]
  n <- ...length() - length(names)
  abort_sdc("input", c(
    "{.arg ...} must be empty.",
    x = if (length(names) > 0) "There is no argument {.arg {names}}.",
    x = if (n > 0) "{n} argument{?s} without a name {?is/are} too many."
  ))
}

# ---- from tables ------------------------------------------------------------------------------

table_from_table <- function(data, dimVar, freqVar, weightVar, total) {
  given <- c("freqVar", "weightVar")[c(!is.null(freqVar), !is.null(weightVar))]
  if (length(given) > 0) {
    abort_sdc("input", c(
      "{.arg {given}} must be NULL unless {.arg data} is a data frame.",
      x = "{.arg data} is {.obj_type_friendly {data}}."
    ))
  }
  data <- table_argument(data, "data", "a data frame, an {.cls sdc_table},", total)
  if (is.null(dimVar)) data else take_margin(data, dimVar, "dimVar")
}

# The table that a user gave for an argument, in any form that as_sdc_table() takes.
table_argument <- function(x, arg = caller_arg(x),
                           kinds = "an {.cls sdc_table},", total = NULL) {
  check_given(x, arg)
  if (is_sdc_table(x)) {
    return(if (is.null(total)) x else without_totals(x, total))
  }
  if (inherits(x, "ftable")) {
    x <- as.table(x)
  }
  check_array(x, arg, kinds)
  without_totals(table_from_array(x, arg), total)
}

check_array <- function(x, arg, kinds) {
  if (is.array(x) && is.numeric(x)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    paste("{.arg {arg}} must be", kinds, "or a table, matrix or array of counts."),
    x = "{.arg {arg}} is {.obj_type_friendly {x}}.",
    i = if (is.data.frame(x)) "Tabulate a data frame with {.fn sdc_table}."
  ))
}

table_from_array <- function(x, arg) {
  dimnames <- array_dimnames(dim(x), base::dimnames(x))
  where <- function(at) {
    labels <- cell_labels(at, dimnames)
    paste0("Cell ", at, " (", paste(names(labels), "=", unlist(labels), collapse = ", "), ")")
  }
  counts <- whole_counts(unclass(x), arg, where)
  new_table(dimnames, cpp_compress_dense(dim(x), counts))
}

array_dimnames <- function(dim, dimnames) {
  if (is.null(dimnames)) {
    dimnames <- vector("list", length(dim))
  }
  names <- names(dimnames)
  if (is.null(names)) {
    names <- character(length(dim))
  }
  unnamed <- is.na(names) | !nzchar(names)
  names[unnamed] <- paste0("Var", seq_along(dim))[unnamed]
  out <- lapply(seq_along(dim), function(k) {
    if (is.null(dimnames[[k]])) as.character(seq_len(dim[k])) else as.character(dimnames[[k]])
  })
  check_dimnames(rlang::set_names(out, names))
}

check_dimnames <- function(dimnames) {
  names <- names(dimnames)
  if (anyDuplicated(names)) {
    abort_sdc("input", c(
      "Variables must have unique names.",
      x = "{.val {unique(names[duplicated(names)])}} appears more than once."
    ))
  }
  twice <- which(vapply(dimnames, anyDuplicated, 1L) > 0)
  if (length(twice) > 0) {
    labels <- dimnames[[twice[1]]]
    abort_sdc("input", c(
      "The levels of a variable must be unique.",
      x = "{.val {names[twice[1]]}} has {.val {unique(labels[duplicated(labels)])}} more than once."
    ))
  }
  dimnames
}

# ---- dense counts -----------------------------------------------------------------------------

# All cells, first variable fastest.
dense_counts <- function(x, max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_cells(length(x), max_cells)
  with_core(cpp_expand_dense(dim(x), x$keys, x$counts))
}

check_cells <- function(n, max_cells, what = "cells") {
  check_number(max_cells, min = 0, arg = "max_cells")
  if (n <= max_cells) {
    return(invisible(n))
  }
  size <- format_count(n)
  limit <- format_count(max_cells)
  abort_sdc("too_large", c(
    "A dense result must have at most {limit} {what}.",
    x = "It would have {size}.",
    i = "Take a {.fn margin}, keep to the non-zero cells ({.code as.data.frame(x)}), or raise
         {.arg max_cells} or the option {.code sdcLattice.max_cells}."
  ))
}

table_from_dense <- function(counts, dimnames) {
  stopifnot(length(counts) == prod(lengths(dimnames)), !is.null(names(dimnames)))
  counts <- whole_counts(counts, "counts", function(at) paste("Cell", at))
  new_table(dimnames, cpp_compress_dense(lengths(dimnames), counts))
}
