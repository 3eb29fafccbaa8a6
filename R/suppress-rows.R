# Which row of the cells of a suppression is which cell.
#
# A cell has a number in the box of all nodes, where the first variable is the fastest. `cells` of a
# small table have a row for each cell of the box, so that rows and numbers are the same. Of a large
# table zeros that are published have no row, and numbers are looked up. Nobody else may take one
# for the other.

# The most cells of a box of which zeros have rows, too.
max_full_box <- function() getOption("sdcLattice.full_cells", 1e6)

# The number of each row, ascending.
numbers_of_rows <- function(cells, variables) {
  if (lists_zeros(cells, variables)) {
    return(as.double(seq_len(nrow(cells))))
  }
  codes <- lapply(unclass(cells)[variables], as.integer)
  combine_codes(unname(codes), node_numbers(cells, variables), nrow(cells))
}

# The row of each number; NA where it has none, and the cell is a published zero.
rows_of_cells <- function(number, cells, variables) {
  if (lists_zeros(cells, variables)) number else match(number, numbers_of_rows(cells, variables))
}

# The same by the numbers of the rows.
match_numbers <- function(number, numbers) {
  if (length(numbers) > 0 && numbers[length(numbers)] == length(numbers)) {
    return(number)
  }
  match(number, numbers)
}

# May published zeros have no row? Where counts that nobody publishes could rise from zero, and
# where zeros are hidden, they all have one.
leaves_zeros_out <- function(x) {
  prod(lengths(node_labels(x$original))) > max_full_box() && !x$protectZeros &&
    is.null(table_crossings(x$original))
}

# For what reads an array of all cells and totals. `dimnames`: without totals.
check_lists_zeros <- function(x, dimnames, what) {
  variables <- names(dimnames)
  if (lists_zeros(x$cells, variables)) {
    return(invisible(x))
  }
  n <- prod(node_numbers(x$cells, variables))
  abort_sdc("too_large", c(
    "A table whose cells all have a row is needed {what}.",
    x = "This one has {format_count(n)} cells and totals, and lists those that are not zero.",
    i = "Take a {.fn margin} of the table first. The option {.code sdcLattice.full_cells} says how
         many cells and totals a table may have so that zeros are listed, too."
  ))
}

# The nodes of each variable, of which labels with the same leaves share one.
variable_nodes <- function(x) {
  Map(function(levels, totals) label_nodes(variable_label(levels, totals)), x$dimnames,
      table_totals(x))
}

# A number for each row, the same where labels hold the same leaves: such rows are one cell.
cells_by_leaves <- function(measure) {
  nodes <- variable_nodes(measure$table)
  own <- lapply(nodes, function(of) match(of$node, unique(of$node)))
  codes <- Map(function(column, node) node[as.integer(column)],
               unclass(measure$cells)[names(nodes)], own)
  combine_codes(unname(codes), vapply(own, max, 0L, USE.NAMES = FALSE), nrow(measure$cells))
}

# `forced`, with all other rows of the same cells.
forced_rows <- function(forced, measure) {
  if (!any(forced)) {
    return(forced)
  }
  number <- cells_by_leaves(measure)
  measure$open & number %in% number[forced]
}
