# What a table with a layout tells, as parts of a release: of linked tables the published cells, and
# nothing of the leaves below them.

#' @export
as_parts.sdc_table <- function(x, name, arg, style) {
  if (is.null(table_crossings(x))) {
    return(list(margin_part(x, if (nzchar(name)) name else margin_label(names(x$dimnames)))))
  }
  totals <- table_totals(x)
  labels <- node_labels(x, totals)
  made <- Map(variable_label, x$dimnames, totals, labels)
  published <- published_table(x)
  held <- combine_codes(stored_codes(published), dim(published), length(published$counts))
  lapply(seq_along(crossing_flags(x, labels)), function(i) {
    crossing_part(x, i, published, held, part_name(name, paste("crossing", i)), made)
  })
}

# The cells of one crossing, zeros among them.
crossing_part <- function(x, i, published, held, set, made) {
  alone <- set_layout(x, replace(x$layout, "crossings", list(table_crossings(x)[i])))
  at <- published_numbers(alone)
  counts <- published$counts[match(at, held)]
  counts[is.na(counts)] <- 0
  columns <- lapply(cell_factors(at, published$dimnames), as.character)
  c(new_part(set, columns, counts, counts, complete = FALSE), list(labels = made))
}
