# Tables from records, from a row for each cell, and from arrays.

# The table of whatever holds its counts or records. Each source has a method, where it is read.
# `problem`: the arguments of sdc_table(), checked.
table_from <- function(data, problem) UseMethod("table_from")

#' @export
table_from.data.frame <- function(data, problem) {
  arg <- if (is.null(problem$freqVar)) "weightVar" else "freqVar"
  number <- resolve_columns(problem[[arg]], data, arg, one = TRUE)
  at <- resolve_dim_var(problem$dimVar, data, number)
  check_whole_columns(data, c(at, number))
  columns <- encode_columns(unclass(data)[at], names(data)[at], problem$na)
  if (is.null(problem$dimVar)) {
    warn_of_counts(unclass(data)[at])
    if (arg == "weightVar") warn_of_many_levels(unclass(data)[at], columns, nrow(data))
  } else if (arg == "weightVar") {
    warn_of_cells(data, columns, at, problem$weightVar)
  }
  counts <- if (length(number) > 0) {
    whole_counts(labelled_numbers(unclass(data)[[number]], names(data)[number]), arg,
                 missing = if (arg == "freqVar") gaps_advice)
  }
  if (arg == "weightVar") {
    check_no_total(problem)
    x <- tabulate_records(columns, nrow(data), counts)
  } else {
    listed <- tabulate_records(columns, nrow(data), NULL)
    if (problem$duplicates == "error") check_unlisted(columns, nrow(data), listed)
    x <- complete_table(tabulate_records(columns, nrow(data), counts), problem, listed)
  }
  warn_of_nested(x)
  x
}

# What to do with a frame in which counts are missing.
gaps_advice <- "A frame with counts missing, or suppressed, is a release with gaps:
  {.code constraints(data, dimVar, freqVar, hierarchies)} takes it, with or without totals, and
  {.fn bounds_margins} and {.fn count_tables} work from that."

# Records have no totals among them.
check_no_total <- function(problem) {
  named <- !is.null(problem$total) && !identical(problem$total, FALSE)
  check_that(
    !named && problem$tolerance == 0,
    "{.arg {if (named) 'total' else 'tolerance'}} is for cells and tables.",
    x = "{.arg data} are records.",
    i = "Cells need {.arg freqVar}."
  )
}

# Cells that were given without `freqVar` would be tabulated as records.
warn_of_counts <- function(columns) {
  names <- names(columns)
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

# Cells that were given as records: one column looks like their counts, and each cell of the other
# variables is listed once. As a variable it makes a table of ones; as weights its totals would not
# be looked for.
warn_of_cells <- function(data, columns, at, weightVar) {
  counts <- Filter(function(i) looks_like_counts(names(data)[i], unclass(data)[[i]]),
                   if (is.null(weightVar)) at else match(weightVar, names(data)))
  others <- columns[!at %in% counts]
  if (length(counts) != 1 || length(others) == 0) {
    return(invisible())
  }
  size <- tabulate_records(others, nrow(data), NULL)$counts
  if (length(size) < 2 || any(size > 1)) {
    return(invisible())
  }
  name <- names(data)[counts]
  warn_sdc("input", c(
    "The rows of {.arg data} look like cells with their counts in {.val {name}}: each cell of the
     other variables is listed once.",
    x = if (is.null(weightVar)) "{.val {name}} is used as a variable of the table." else
      "{.val {name}} is used as weights of records.",
    i = "For cells write {.code freqVar = {quoted_call(name)}}."
  ))
}

# Levels that a factor brings from a larger data set: their rows of zeros are often a surprise.
tell_unused_levels <- function(x) {
  unused <- Map(function(levels, used) if (length(used) == 0) levels else levels[-used],
                x$dimnames, levels_in_use(x))
  unused <- unused[lengths(unused) > 0]
  if (length(unused) == 0 || length(x$counts) == 0) {
    return(invisible())
  }
  what <- vapply(utils::head(names(unused), 3), function(v) {
    n <- length(unused[[v]])
    shown <- quoted_names(cut_text(utils::head(unused[[v]], 3), 40))
    more <- if (n > 3) paste(" and", format_count(n - 3), "more") else ""
    paste0("\"", v, "\": ", shown, more, ".")
  }, "")
  more <- length(unused) - length(what)
  inform_sdc("unused", c(
    paste(if (sum(lengths(unused)) == 1) "A level has" else "Some levels have", "no records."),
    rlang::set_names(what, "*"),
    "*" = if (more > 0) paste0("There are such levels of ", plural(more, "more variable"), "."),
    i = "`drop_unused = TRUE` leaves them out, `FALSE` keeps them."
  ))
}

# Measurements and names of records have a level for almost each record, and tables of them are all
# ones. Nobody means that who does not list the variables.
warn_of_many_levels <- function(columns, coded, n) {
  levels <- vapply(coded, function(column) length(column$levels), 1L)
  number <- vapply(columns, function(x) is.numeric(x) && !is.factor(x), NA)
  many <- levels >= 30 & levels > ifelse(number, n / 2, .9 * n) | number & levels > 100
  if (any(many)) {
    odd <- names(columns)[many]
    warn_sdc("input", c(
      "Column{?s} {.val {odd}} of {.arg data} {?has/have} so many different values that
       {?it looks/they look} like a measurement or a name of each record, but {?is/are} used as
       {?a table variable/table variables}.",
      i = "Give {.arg dimVar} the variables of the table, or put values into classes by {.fn cut}."
    ))
  }
}

# No cell may be listed twice.
check_unlisted <- function(columns, n, listed) {
  if (all(listed$counts == 1)) return(invisible())
  codes <- record_codes(columns)
  # without variables all rows are one cell
  key <- if (length(codes) == 0) rep(1, n) else do.call(paste, unname(codes))
  again <- anyDuplicated(key)
  cell <- label_words(Map(function(column, code) {
    column$levels[if (code[again] < 0) NA else code[again] + 1L]
  }, columns, codes))
  cell <- if (length(codes) > 0) paste0(" (", cell, ")") else ""
  abort_sdc("input", c(
    "Each cell must be listed once.",
    x = "Rows {match(key[again], key)} and {again} are the same cell{cell}.",
    i = "With {.code duplicates = \"sum\"} their counts are added up.",
    i = "Weights of records go into {.arg weightVar}."
  ))
}

# ---- records in a database or in files -----------------------------------------------------------

# Records in a database or in files. Ready cells come here; all others are counted where they are.
table_from_records <- function(data, problem) {
  shape <- records_shape(data)
  arg <- if (is.null(problem$freqVar)) "weightVar" else "freqVar"
  number <- resolve_columns(problem[[arg]], shape, arg, one = TRUE)
  at <- resolve_dim_var(problem$dimVar, shape, number)
  if (is.null(problem$dimVar)) warn_of_counts(unclass(shape)[at])
  dims <- names(shape)[at]
  if (arg == "freqVar") {
    problem$dimVar <- dims
    return(table_from(all_records(data, c(dims, problem$freqVar), problem$freqVar), problem))
  }
  check_no_total(problem)
  x <- count_sets(data, list(dims), problem$weightVar, problem$na, is.null(problem$dimVar))[[1]]
  warn_of_nested(x)
  x
}

# No records, with the names of all their columns.
records_shape <- function(data) UseMethod("records_shape")

# A frame of all records, for cells that are listed with their counts in the column `number`.
all_records <- function(data, columns, number) UseMethod("all_records")

# The tables of several sets of variables. `warns`: of texts that look like counts?
count_sets <- function(data, sets, weightVar, na, warns = FALSE) UseMethod("count_sets")

# ---- arrays --------------------------------------------------------------------------------------

#' @export
table_from.default <- function(data, problem) {
  check_that(
    !is.character(data) || !is.null(dim(data)),
    "{.arg data} must be a data frame, or a table, matrix or array of counts.",
    x = "{.arg data} is {.obj_type_friendly {data}}.",
    i = "Read a file first, for example with {.fn utils::read.csv}."
  )
  given <- names(Filter(Negate(is.null), problem[c("freqVar", "weightVar")]))
  check_that(
    length(given) == 0,
    "{.arg {given}} must be NULL unless {.arg data} is a data frame.",
    x = "{.arg data} is {.obj_type_friendly {data}}."
  )
  made <- is_sdc_table(data)
  x <- table_argument(data, "data", "a data frame, an {.cls sdc_table},", FALSE)
  # what was made by this package was searched for totals then
  if (!made || !is.null(problem$total) || length(problem$hierarchies) > 0) {
    x <- complete_table(x, problem, search = !made || !is.null(problem$total))
  }
  if (is.null(problem$dimVar)) x else take_margin(x, problem$dimVar, "dimVar")
}

# The table that a user gave for an argument, in any form that as_sdc_table() takes.
table_argument <- function(x, arg = rlang::caller_arg(x),
                           kinds = "an {.cls sdc_table},", total = NULL) {
  check_given(x, arg)
  if (is_sdc_table(x)) {
    return(if (is.null(total)) x else without_totals(x, total))
  }
  if (inherits(x, "ftable")) x <- as.table(x)
  # estimates are no counts, also where they happen to be whole
  check_that(
    !inherits(x, c("svytable", "survey.design", "svyrep.design")),
    "{.arg {arg}} must hold counts.", x = "It holds estimates of a survey.",
    i = "{.fn weighted_table} makes a table of estimates with the numbers of their respondents."
  )
  several <- inherits(x, "sdc_tables")
  check_that(
    is.array(x) && is.numeric(x) && !several,
    paste("{.arg {arg}} must be", kinds, "or a table, matrix or array of counts."),
    x = "{.arg {arg}} is {.obj_type_friendly {x}}.",
    i = if (is.data.frame(x)) "Tabulate a data frame with {.fn sdc_table}.",
    i = if (several) "It holds several tables: take one of them, by the last index."
  )
  dimnames <- array_dimnames(dim(x), base::dimnames(x))
  counts <- whole_counts(unclass(x), arg, function(at) {
    paste0("Cell ", at, " (", label_words(lapply(cell_factors(at, dimnames), as.character)), ")")
  })
  without_totals(new_table(dimnames, cpp_compress_dense(dim(x), counts)), total)
}

array_dimnames <- function(dim, dimnames) {
  names <- names(dimnames) %||% character(length(dim))
  unnamed <- is.na(names) | !nzchar(names)
  names[unnamed] <- paste0("Var", seq_along(dim))[unnamed]
  out <- lapply(seq_along(dim), function(k) as.character(dimnames[[k]] %||% seq_len(dim[k])))
  check_dimnames(rlang::set_names(out, names))
}

check_dimnames <- function(dimnames) {
  names <- names(dimnames)
  check_that(
    !anyDuplicated(names),
    "Variables must have unique names.",
    x = "{.val {unique(names[duplicated(names)])}} appears more than once."
  )
  twice <- Filter(length, lapply(dimnames, function(labels) unique(labels[duplicated(labels)])))
  check_that(
    length(twice) == 0,
    "The levels of a variable must be unique.",
    x = "{.val {names(twice)[1]}} has {.val {twice[[1]]}} more than once."
  )
  dimnames
}

table_from_dense <- function(counts, dimnames) {
  stopifnot(length(counts) == prod(lengths(dimnames)), !is.null(names(dimnames)))
  counts <- whole_counts(counts, "counts", function(at) paste("Cell", at))
  new_table(dimnames, cpp_compress_dense(lengths(dimnames), counts))
}

# A map as a table of one variable.
map_table <- function(map) {
  table_from_dense(map$count, list(hexagon = paste(map$q, map$r)))
}
