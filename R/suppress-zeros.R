# Certified suppression with protected zeros. A zero is primary then, and so another table must have
# a count there. All combinations of levels are unknowns of the reader, and no suppressed count is
# known to be at least 1.

# Which rows the search may hide: zeros only where they are primary.
may_be_hidden <- function(measure) {
  measure$protectZeros | measure$amount > 0 | (measure$group_zeros %||% FALSE)
}

max_cells_with_zeros <- 5e5

# All of them take part, also those that no crossing shows.
check_can_hide_zeros <- function(x) {
  if (!x$protectZeros) {
    return(invisible(x))
  }
  n <- prod(as.double(lengths(node_labels(x$original, table_totals(x$original)))))
  if (n > max_cells_with_zeros) {
    abort_sdc("too_large", c(
      "A certified suppression with {.code protectZeros = TRUE} may have at most
       {format_count(max_cells_with_zeros)} cells and totals, zeros among them.",
      x = "The table has {format_count(n)}.",
      i = "Merge small levels, or publish zeros: {.code protectZeros = FALSE}."
    ))
  }
  invisible(x)
}

# The least count in each row of a suppression that readers reckon with. Where zeros are published,
# no suppressed count is one, but for zeros of rows of people (suppress-groups.R); a count that
# nobody publishes is not negative, and readers know no more.
least_counts <- function(x) {
  ifelse(x$cells$sdcStatus == "n" | x$protectZeros | hides_zero(x), 0, 1)
}

# Rows that are cells of the table itself, or totals of just one: a table of ones, added up.
holds_one_cell <- function(x) {
  labels <- x$original$dimnames
  ones <- table_from_dense(rep(1, prod(lengths(labels))), labels)
  whole <- with_totals(ones, x$hierarchies, x$total_label, max_suppressed_cells)
  as.data.frame(whole, zeros = TRUE)$freq == 1
}
