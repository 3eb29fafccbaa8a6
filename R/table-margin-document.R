# Files of several tables over some of the variables: margins, and the sub-tables of a release.

#' @export
to_document.sdc_margins <- function(x) {
  tables <- unclass(x)
  dimnames <- margins_dimnames(tables, attr(x, "variables"))
  trees <- unlist(lapply(unname(tables), table_trees), recursive = FALSE)
  do.call(table_document, c(
    sub_table_rows(tables, dimnames, "count", trees[unique(names(trees))]),
    list(
      what = "Tables of counts over some of the variables each. All counts are exact.",
      parameters = list(tables = lapply(names(x), function(name) {
        table <- tables[[name]]
        c(list(name = name, variables = I(names(table$dimnames))),
          if (!is.null(table$layout)) list(totals = layout_document(table$layout)))
      }))
    )
  ))
}

# The variables of all margins, in the order of their table, or in which they first occur.
margins_dimnames <- function(tables, variables = NULL) {
  all <- unlist(lapply(unname(tables), function(table) table$dimnames), recursive = FALSE)
  all[variables %||% !duplicated(names(all))]
}

#' @export
from_document.sdc_margins <- function(kind, document, lines) {
  given <- document$parameters$tables
  dimnames <- document_labels(document)
  variables <- rlang::set_names(document$variables, names(dimnames))
  held <- lapply(given, function(table) dimnames[strings(table$variables)])
  layouts <- lapply(seq_along(given), function(i) {
    # the trees of a flat table belong to the others
    if (is.null(given[[i]]$totals)) return(NULL)
    own <- list(totals = given[[i]]$totals, variables = variables[names(held[[i]])])
    read_layout(own, held[[i]])
  })
  tables <- read_sub_tables(held, dimnames, lines, "count", layouts)
  new_margins(rlang::set_names(tables, strings(lapply(given, `[[`, "name"))), names(dimnames))
}

# ---- the lines of all tables --------------------------------------------------------------------

# The cells of all tables, one table after the other, and the number of the table. A variable that a
# table does not have is an empty field.
sub_table_rows <- function(tables, dimnames, value, trees = NULL) {
  parts <- lapply(tables, function(table) {
    if (!is_sdc_table(table)) {
      own <- lapply(unclass(table)[-length(table)], levels)
      return(list(labels = fields_of(own, cells_of_frame(table, own), names(dimnames)),
                  values = table[[value]]))
    }
    totals <- published_totals(table)
    cells <- fields_of(table$dimnames, seq_len(length(table)), names(dimnames))
    list(labels = c(cells, fields_of(totals$labels, totals$at, names(dimnames))),
         values = c(dense_counts(table), totals$counts))
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
    layout = sub_table_order(value, length(trees) > 0),
    variables = variables_document(dimnames, trees)
  )
}

sub_table_order <- function(value, totals) {
  paste(
    "the tables one after the other, a variable that a table does not have being an empty field;",
    if (value == "count") "one line for each cell, zeros included;" else
      "one line for each cell with contributors;",
    paste0(in_order, if (totals) "; then one line for each published total")
  )
}

# The start of the line of each of some cells of a table that has some of the variables.
fields_of <- function(own, cells, variables) {
  if (length(cells) == 0) {
    return(character())
  }
  codes <- rlang::set_names(split_codes(cells, lengths(own, FALSE)), names(own))
  fields <- lapply(variables, function(v) {
    if (is.null(own[[v]])) rep(",", length(cells)) else paste0(quoted(own[[v]]), ",")[codes[[v]]]
  })
  enc2utf8(do.call(paste0, fields))
}

# The numbers of the cells that the rows of a frame name, its last column being the value.
cells_of_frame <- function(frame, dimnames) {
  combine_codes(lapply(unclass(frame)[names(dimnames)], as.integer), lengths(dimnames, FALSE),
                nrow(frame))
}

# `held`: the dimnames of each table; `layouts`: maybe a layout of each.
read_sub_tables <- function(held, dimnames, lines, value, layouts = vector("list", length(held))) {
  need(all(vapply(held, function(own) all(names(own) %in% names(dimnames)), NA)),
       "a table has a variable that is not described")
  lines <- lines[-1]
  fields <- last_fields(lines, c(value, "sub_table"))
  values <- decimal_fields(fields[[value]])
  number <- match(fields$sub_table, as.character(seq_along(held)))
  need(!anyNA(c(values, number)), "a value or the number of a table is missing")
  need(all(values >= 0), "a value is negative")
  rows <- split(seq_along(lines), factor(number, seq_along(held)))
  unname(Map(function(own, at, layout) {
    if (value != "count") {
      return(read_sub_frame(own, dimnames, lines[at], values[at], value))
    }
    n <- prod(lengths(own))
    need(length(at) >= n, "a table has not one line for each cell")
    set_layout(table_from_dense(values[at[seq_len(n)]], own), layout)
  }, held, rows, layouts))
}

read_sub_frame <- function(own, dimnames, lines, values, value) {
  codes <- first_codes(lines, dimnames)[names(own)]
  need(!anyNA(unlist(codes)), "table.csv has other cells")
  columns <- Map(as_level_factor, codes, own)
  list2data_frame(c(columns, rlang::set_names(list(values), value)), length(lines))
}
