# Tables in documents: variables, trees, layouts, and files of several tables.

# The start of the line of each of some cells, by default all, of a table that has some of the
# variables; the field of a variable that it does not have is empty.
label_starts <- function(labels, cells = seq_len(prod(lengths(labels))),
                         variables = names(labels)) {
  codes <- rlang::set_names(split_codes(cells, lengths(labels)), names(labels))
  fields <- lapply(variables, function(v) {
    if (is.null(labels[[v]])) rep(",", length(cells)) else
      paste0(quoted(labels[[v]]), ",")[codes[[v]]]
  })
  enc2utf8(do.call(paste0, c(list(character(length(cells))), fields)))
}

check_writable_labels <- function(labels) {
  text <- c(names(labels), unlist(labels))
  bad <- grep("[[:cntrl:]]", text, value = TRUE)
  check_that(
    length(bad) == 0,
    "Names and labels must hold no control characters, such as line breaks, to be written.",
    x = "One is {encodeString(bad[[1]], quote = '\"')}.",
    i = "{.fn saveRDS} takes any label."
  )
}

# `totals`: for each variable the labels of its totals that table.csv names besides its levels.
variables_document <- function(dimnames, hierarchies, totals = NULL) {
  unname(lapply(names(dimnames), function(v) {
    trees <- lapply(hierarchies[[v]], function(tree) {
      c(list(parent = I(tree$parent), child = I(tree$child)),
        if (!is.null(tree$level)) list(level = I(tree$level)))
    })
    c(
      list(name = v, levels = I(dimnames[[v]])),
      if (!is.null(totals)) list(totals = I(totals[[v]])),
      if (length(trees) > 0) list(trees = I(unname(trees)))
    )
  }))
}

read_variables <- function(variables) {
  labels <- lapply(variables, function(v) read_levels(v$levels))
  names(labels) <- vapply(variables, function(v) strings(list(v$name)), "")
  need(length(labels) > 0 && all(lengths(labels) > 0), "there are no variables or levels")
  need(!anyDuplicated(names(labels)), "a variable is given twice")
  need(!any(vapply(labels, anyDuplicated, 0L)), "a level is given twice")
  labels
}

# Variables and levels of a document, which may have none.
document_labels <- function(document) {
  if (length(document$variables) > 0) read_variables(document$variables)
}

read_trees <- function(variables) {
  trees <- lapply(variables, function(v) {
    lapply(v$trees, function(tree) {
      columns <- lapply(tree[intersect(c("parent", "child", "level"), names(tree))], read_levels)
      list2data_frame(columns, length(tree$child))
    })
  })
  names(trees) <- vapply(variables, function(v) strings(list(v$name)), "")
  trees <- trees[lengths(trees) > 0]
  if (length(trees) > 0) trees
}

# A table of zeros: the makers of cycles look at shape and labels only.
labels_only <- function(labels) table_from_dense(numeric(prod(lengths(labels))), labels)

in_order <- "the first variable runs fastest"

total_words <- paste(
  paste0("total_label is the total of a variable without trees; a tree lists each node (child) ",
         "with the node"),
  "that it is part of (parent; null for a root), and a node is the sum of what is directly below it"
)

# ---- layouts -------------------------------------------------------------------------------------

# What files say of totals and crossings; NULL for a flat table.
layout_document <- function(layout) {
  if (is.null(layout)) {
    return(NULL)
  }
  c(
    list(in_words = layout_in_words(layout), total_label = layout$total_label),
    crossings_document(layout$crossings),
    if (!is.null(layout$formula)) list(formula = layout$formula)
  )
}

layout_in_words <- function(layout) {
  paste0(
    if (is.null(layout$crossings)) {
      "every combination of levels, inner nodes of trees and totals is published"
    } else {
      "each crossing lists nodes of every variable, and all their combinations are published"
    },
    "; ", total_words
  )
}

crossings_document <- function(crossings) {
  if (!is.null(crossings)) {
    list(crossings = I(lapply(crossings, function(crossing) {
      rlang::set_names(lapply(crossing, I), names(crossing))
    })))
  }
}

read_crossings <- function(own, labels) {
  crossings <- lapply(own$crossings, function(crossing) {
    need(setequal(names(crossing), names(labels)), "a crossing has not the variables of the table")
    lapply(crossing, read_levels)
  })
  if (length(crossings) > 0) crossings
}

# The layout again, from a document with variables and, as `totals`, a layout.
read_layout <- function(document, labels) {
  own <- document$totals
  if (is.null(own)) {
    need(!any(vapply(document$variables, function(v) length(v$trees) > 0, NA)),
         "trees stand beside no totals")
    return(NULL)
  }
  trees <- plain_trees(read_trees(document$variables), labels)
  layout <- new_layout(trees, strings(list(own$total_label)), read_crossings(own, labels),
                       if (!is.null(own$formula)) strings(list(own$formula)))
  need(!is.null(layout), "the totals are those of a flat table")
  need(identical(own$in_words, layout_in_words(layout)), "the words of the totals differ")
  layout
}

# ---- lines of totals ----------------------------------------------------------------------------

# The published totals of a table with trees or crossings, whose lines follow those of its cells:
# numbers in the box of its nodes, and counts. NULL for a flat table.
published_totals <- function(x) {
  if (is.null(table_trees(x)) && is.null(table_crossings(x))) {
    return(NULL)
  }
  labels <- node_labels(x)
  rows <- published_rows(x, TRUE, free_name("count", names(labels)))
  codes <- lapply(unclass(rows)[seq_along(labels)], as.integer)
  total <- Reduce(`|`, Map(function(code, n) code > n, codes, dim(x)), logical(nrow(rows)))
  at <- combine_codes(codes, lengths(labels, FALSE), nrow(rows))
  list(labels = labels, at = at[total], counts = rows[[length(rows)]][total])
}

# The labels and counts of all lines of a table: its cells, zeros included, then its totals.
table_lines <- function(x) {
  totals <- published_totals(x)
  list(
    labels = c(label_starts(x$dimnames),
               if (!is.null(totals)) label_starts(totals$labels, totals$at)),
    counts = c(dense_counts(x), totals$counts)
  )
}

line_order <- function(layout) {
  paste0("one line for each cell, zeros included; ", in_order,
         if (has_nodes(layout)) "; then one line for each published total")
}

has_nodes <- function(layout) !is.null(layout$trees) || !is.null(layout$crossings)

# A table without cells that has a layout.
table_from_nothing <- function(dimnames, layout) {
  set_layout(new_table(dimnames, list(keys = raw(), counts = numeric())), layout)
}

# ---- files of several tables ---------------------------------------------------------------------

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
      at <- combine_codes(lapply(unclass(table)[names(own)], as.integer), lengths(own), nrow(table))
      return(list(labels = label_starts(own, at, names(dimnames)),
                  values = table[[value]]))
    }
    totals <- published_totals(table)
    cells <- label_starts(table$dimnames, variables = names(dimnames))
    of_totals <- if (!is.null(totals)) label_starts(totals$labels, totals$at, names(dimnames))
    list(labels = c(cells, of_totals),
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
    layout = paste(
      "the tables one after the other, a variable that a table does not have being an empty field;",
      if (value == "count") "one line for each cell, zeros included;" else
        "one line for each cell with contributors;",
      paste0(in_order, if (length(trees) > 0) "; then one line for each published total")
    ),
    variables = variables_document(dimnames, trees)
  )
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
