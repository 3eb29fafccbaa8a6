# What the publication of a rounded table tells, as constraints.

# Each cell, each released sum and the total within reach.
#' @export
as_parts.sdc_rounded_publication <- function(x, name, arg, style) {
  labels <- x$table$dimnames
  counts <- dense_counts(x$table)
  around <- function(part, at) {
    part$lower <- pmax(0, at - x$reach)
    part$upper <- at + x$reach
    part
  }
  columns <- unclass(cell_factors(seq_along(counts), labels))
  cells <- new_part(part_name(name, "rounded cells"), columns, counts, counts, complete = TRUE)
  cells$hierarchies <- x$hierarchies
  sums <- released_sums(labels, x$margins, x$hierarchies, x$total_label)
  rows <- lapply(sums, function(s) {
    parts <- sort(unique(s$part[s$part > 0]))
    set <- part_name(name, paste("rounded", margin_label(s$variables[s$shown])))
    part <- new_part(set, sum_columns(s, parts), parts, parts, complete = FALSE)
    around(part, add_parts(counts, s)[parts])
  })
  total <- new_part(part_name(name, "rounded total"), list(), 0, 0, complete = TRUE)
  c(list(around(cells, counts)), rows, list(around(total, sum(counts))))
}
