# A list or object with other values of some fields; NULL takes a field out.
within_list <- function(x, ...) {
  new <- list(...)
  for (name in names(new)) x[[name]] <- new[[name]]
  x
}

# A table with counts moved between cells, or raised in one.
edit <- function(table, from, to, by = 1) {
  counts <- dense_counts(table)
  counts[from] <- counts[from] - by
  counts[to] <- counts[to] + by
  table_from_dense(counts, table$dimnames)
}

raise <- function(table, at, by = 1) edit(table, integer(), at, by)
