# Files of several tables over some of the variables: margins, and the sub-tables of a release.

#' @export
to_document.sdc_margins <- function(x) {
  tables <- unclass(x)
  do.call(table_document, c(sub_table_rows(tables, margins_dimnames(tables), "count"), list(
    what = "Tables of counts over some of the variables each. All counts are exact.",
    parameters = list(tables = lapply(names(x), function(name) {
      list(name = name, variables = I(names(tables[[name]]$dimnames)))
    }))
  )))
}

# The variables of all margins, in the order in which they first occur.
margins_dimnames <- function(tables) {
  all <- unlist(lapply(unname(tables), function(table) table$dimnames), recursive = FALSE)
  all[!duplicated(names(all))]
}

#' @export
from_document.sdc_margins <- function(kind, document, lines) {
  given <- document$parameters$tables
  dimnames <- document_labels(document)
  held <- lapply(given, function(table) dimnames[strings(table$variables)])
  tables <- read_sub_tables(held, dimnames, lines, "count")
  new_margins(rlang::set_names(tables, strings(lapply(given, `[[`, "name"))))
}

# ---- the lines of all tables --------------------------------------------------------------------

# The cells of all tables, one table after the other, and the number of the table. A variable that a
# table does not have is an empty field.
sub_table_rows <- function(tables, dimnames, value) {
  absent <- lapply(dimnames, function(levels) NA_character_)
  parts <- lapply(tables, function(table) {
    counts <- is_sdc_table(table)
    own <- if (counts) table$dimnames else lapply(unclass(table)[-length(table)], levels)
    labels <- utils::modifyList(absent, own)
    list(labels = if (counts) csv_cells(labels) else label_starts(labels, cells_of_frame(table, own)),
         values = if (counts) dense_counts(table) else table[[value]])
  })
  n <- vapply(parts, function(part) length(part$values), 1L)
  join <- function(name) unlist(lapply(parts, `[[`, name), use.names = FALSE)
  columns <- list(exact_decimal(join("values")), as.character(rep(seq_along(tables), n)))
  list(
    label_names = names(dimnames), labels = join("labels"),
    columns = rlang::set_names(columns, c(value, "sub_table")),
    words = rlang::set_names(
      list(paste("the published", value), "the number of the table in parameters"),
      c(value, "sub_table")
    ),
    layout = paste(
      "the tables one after the other, a variable that a table does not have being an empty field;",
      if (value == "count") "one line for each cell, zeros included;" else
        "one line for each cell with contributors;", in_order
    ),
    variables = variables_document(dimnames, NULL)
  )
}

# The numbers of the cells that the rows of a frame name, its last column being the value.
cells_of_frame <- function(frame, dimnames) {
  combine_codes(lapply(unclass(frame)[names(dimnames)], as.integer), lengths(dimnames, FALSE),
                nrow(frame))
}

# `held`: the dimnames of each table.
read_sub_tables <- function(held, dimnames, lines, value) {
  need(all(vapply(held, function(own) all(names(own) %in% names(dimnames)), NA)),
       "a table has a variable that is not described")
  lines <- lines[-1]
  fields <- last_fields(lines, c(value, "sub_table"))
  values <- decimal_fields(fields[[value]])
  number <- match(fields$sub_table, as.character(seq_along(held)))
  need(!anyNA(c(values, number)), "a value or the number of a table is missing")
  need(all(values >= 0), "a value is negative")
  rows <- split(seq_along(lines), factor(number, seq_along(held)))
  unname(Map(function(own, at) {
    if (value != "count") {
      return(read_sub_frame(own, dimnames, lines[at], values[at], value))
    }
    need(length(at) == prod(lengths(own)), "a table has not one line for each cell")
    table_from_dense(values[at], own)
  }, held, rows))
}

read_sub_frame <- function(own, dimnames, lines, values, value) {
  codes <- first_codes(lines, dimnames)[names(own)]
  need(!anyNA(unlist(codes)), "table.csv has other cells")
  columns <- Map(as_level_factor, codes, own)
  list2data_frame(c(columns, rlang::set_names(list(values), value)), length(lines))
}
