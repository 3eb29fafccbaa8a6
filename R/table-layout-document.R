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
