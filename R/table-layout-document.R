# The layout of a table in documents. Trees stand with the variables.

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
    labels = c(csv_cells(x$dimnames), if (!is.null(totals)) label_starts(totals$labels, totals$at)),
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
