# Linked tables for GaussSuppression: which inner cell is in which published cell. Trees would make
# all crossings of the nodes, of which a table made with a formula publishes some.

# `x`: a row for each inner cell, a column for each published cell; `crossTable`: the codes of the
# latter.
linked_model <- function(measure, code) {
  check_installed("Matrix", "to suppress cells of linked tables")
  cells <- measure$cells
  variables <- names(measure$table$dimnames)
  codes <- lapply(unclass(cells)[variables], as.integer)
  inner <- inner_rows(cells, measure$table$dimnames)
  shown <- which(measure$open)
  held <- lapply(variables, function(v) {
    nodes_of_leaves(v, measure$table$dimnames[[v]], measure$trees[[v]], levels(cells[[v]]))
  })
  pairs <- linked_pairs(lapply(codes, `[`, inner), held, lengths(code, FALSE))
  column <- match(pairs$cell, shown)
  keep <- !is.na(column)
  frame <- Map(function(code, at) code[at[shown]], code, unname(codes))
  list(
    x = Matrix::sparseMatrix(pairs$row[keep], column[keep], x = 1,
                             dims = c(length(inner), length(shown))),
    crossTable = list2data_frame(frame, length(shown))
  )
}

# Each leaf of a variable with each node that holds it, itself among them: two vectors. `nodes`: the
# labels of all nodes, of which the last is the total of a variable without trees.
nodes_of_leaves <- function(variable, leaves, trees, nodes) {
  totals <- variable_totals(trees, leaves, variable, nodes[length(nodes)])
  map <- node_map(totals, length(leaves), rep(TRUE, length(nodes)))
  list(leaf = rep(seq_along(leaves), diff(map$start)), node = map$node + 1L)
}

# All pairs of an inner cell (by its place among them) and a cell that holds it (by number).
linked_pairs <- function(codes, held, size) {
  row <- seq_along(codes[[1]])
  cell <- rep(1, length(row))
  stride <- cumprod(c(1, size))
  for (v in seq_along(codes)) {
    found <- matches(codes[[v]][row], held[[v]]$leaf)
    row <- row[found$x]
    cell <- cell[found$x] + (held[[v]]$node[found$y] - 1) * stride[[v]]
  }
  list(row = row, cell = cell)
}
