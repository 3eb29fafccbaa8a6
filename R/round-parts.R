# What the publication of a rounded table tells, as constraints.

# Each cell, each released sum and the total.
#' @export
as_parts.sdc_rounded_publication <- function(x, name, arg, style) {
  if (!is.null(x$crossings)) {
    return(linked_parts(x, name))
  }
  labels <- x$table$dimnames
  counts <- dense_counts(x$table)
  columns <- unclass(cell_factors(seq_along(counts), labels))
  cells <- new_part(part_name(name, "rounded cells"), columns, counts, counts, complete = TRUE)
  cells$hierarchies <- x$hierarchies
  sums <- released_sums(labels, x$margins, x$hierarchies, x$total_label)
  rows <- lapply(sums, function(s) {
    parts <- sort(unique(s$part[s$part > 0]))
    set <- part_name(name, paste("rounded", margin_label(s$variables[s$shown])))
    part <- new_part(set, sum_columns(s, parts), parts, parts, complete = FALSE)
    around(part, add_parts(counts, s)[parts], x$reach)
  })
  total <- new_part(part_name(name, "rounded total"), list(), 0, 0, complete = TRUE)
  c(list(around_cells(cells, counts, x)), rows, list(around(total, sum(counts), x$reach)))
}

# Within reach of what is shown.
around <- function(part, at, reach) {
  part$lower <- pmax(0, at - reach)
  part$upper <- pmin(at + reach, 2^53)
  part
}

# Where only small counts were rounded, a leaf cell of 0 was less than the base, one of the base was
# at most that, and a larger one is exact.
around_cells <- function(part, at, x) {
  part <- around(part, at, x$reach)
  if (x$method != "small") {
    return(part)
  }
  part$lower <- pmax(part$lower, ifelse(at == 0, 0, ifelse(at == x$base, 1, at)))
  part$upper <- pmin(part$upper, ifelse(at == 0, x$base - 1, at))
  part
}

# Linked tables: the leaf cells that are published, and all other published cells.
linked_parts <- function(x, name) {
  shown <- linked_frame(x, zeros = TRUE)
  codes <- lapply(names(x$dimnames), function(v) as.integer(shown[[v]]))
  leaf <- Reduce(`&`, Map(function(code, n) code <= n, codes, lengths(x$dimnames)))
  labels <- linked_labels(x)
  part <- function(set, at, limits) {
    columns <- lapply(unclass(shown)[names(x$dimnames)], function(column) as.character(column[at]))
    part <- new_part(part_name(name, set), columns, 0, 0, complete = FALSE)
    c(limits(part, shown$count[at]), list(labels = labels))
  }
  c(
    if (any(leaf)) {
      list(part("rounded cells", leaf, function(part, at) around_cells(part, at, x)))
    },
    list(part("rounded totals", !leaf, function(part, at) around(part, at, x$reach)))
  )
}

# What the nodes of each variable hold.
linked_labels <- function(x) {
  leaves <- linked_layout(x)
  totals <- table_totals(leaves)
  Map(variable_label, x$dimnames, totals, node_labels(leaves, totals))
}
