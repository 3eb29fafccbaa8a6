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
  held <- lapply(seq_along(variables), function(v) {
    tree <- family_tree(levels(cells[[v]]), dim(measure$table)[v], measure$trees[[variables[v]]])
    nodes_above(tree, dim(measure$table)[v])
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

# For each leaf of a variable the nodes that hold it, itself first: two vectors.
nodes_above <- function(tree, n_leaves) {
  leaf <- seq_len(n_leaves)
  held <- list(leaf = leaf, node = leaf)
  up <- held
  repeat {
    found <- matches(up$node, tree$child)
    if (length(found$x) == 0) {
      return(held)
    }
    up <- unique(data.frame(leaf = up$leaf[found$x], node = tree$parent[found$y]))
    new <- !paste(up$leaf, up$node) %in% paste(held$leaf, held$node)
    up <- list(leaf = up$leaf[new], node = up$node[new])
    held <- list(leaf = c(held$leaf, up$leaf), node = c(held$node, up$node))
  }
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
