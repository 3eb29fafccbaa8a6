# How many cells a table publishes on each combination of levels, and how many of them are small.

# A data frame with a row for each combination of levels that has a published cell. It has a factor
# for each variable: the name of the level where its tree has one, the depth below the total where
# it has none, and the name of a variable without trees. Then come the numbers of published cells,
# of `nonzero` ones, and of those with count 1, 2, ... (`n1`, `n2`, ...) up to maxN. NULL when there
# are too many combinations to be of use, or more than `max_cells` cells that are not zero.
count_by_level <- function(x, maxN = 3, max_cells = getOption("sdcLattice.max_cells", 5e7),
                           max_rows = 1e4) {
  labels <- node_labels(x)
  levels <- node_levels(x, labels)
  size <- vapply(levels, nlevels, 1L)
  if (prod(size) > max_rows) {
    return(NULL)
  }
  whole <- rlang::try_fetch(published_table(x, max_cells), sdc_error_too_large = function(e) NULL)
  if (is.null(whole)) {
    return(NULL)
  }
  out <- cells_by_level(levels, crossing_flags(x, labels))
  found <- with_core(cpp_count_in_groups(dim(whole), whole$keys, whole$counts,
                                         unname(lapply(levels, as.integer)), size, maxN))
  at <- match(out$number, combine_codes(matrix_columns(found$group), size, nrow(found$group)))
  counts <- found$cells[at, , drop = FALSE]
  counts[is.na(counts)] <- 0
  columns <- Map(as_level_factor, split_codes(out$number, size), lapply(levels, base::levels))
  list2data_frame(
    c(rlang::set_names(columns, names(levels)), list(cells = out$cells),
      rlang::set_names(matrix_columns(counts), c("nonzero", paste0("n", seq_len(maxN))))),
    length(out$number)
  )
}

matrix_columns <- function(x) lapply(seq_len(ncol(x)), function(j) x[, j])

# ---- levels of trees ----------------------------------------------------------------------------

# The level of each node, a factor for each variable, the total first.
node_levels <- function(x, labels = node_labels(x)) {
  lapply(rlang::set_names(names(labels)), function(v) {
    nodes <- labels[[v]]
    trees <- table_trees(x)[[v]]
    if (is.null(trees)) trees <- list(flat_tree(nodes, v))
    places <- do.call(rbind, lapply(trees, named_levels))
    places <- places[match(nodes, places$node), ]
    factor(places$level, unique(places$level[order(places$depth)]))
  })
}

# The total of a variable without trees is its last node.
flat_tree <- function(nodes, name) {
  root <- nodes[length(nodes)]
  leaves <- nodes[-length(nodes)]
  list(parent = c(NA, rep(root, length(leaves))), child = c(root, leaves),
       level = c(NA, rep(name, length(leaves))))
}

named_levels <- function(tree) {
  found <- tree_levels(tree)
  level <- ifelse(found$depth == 0, tree$child, found$depth)
  list2data_frame(list(node = tree$child, depth = found$depth,
                       level = ifelse(is.na(found$name), level, found$name)), length(level))
}

# ---- published cells on them --------------------------------------------------------------------

# The number of published cells, zero or not, on each combination of levels that has some; nodes
# that are on the same level and in the same crossings are counted together.
cells_by_level <- function(levels, flags) {
  so_far <- list(number = 1, inside = matrix(TRUE, 1, length(flags)), n = 1)
  stride <- 1
  for (v in seq_along(levels)) {
    kinds <- node_kinds(levels[[v]], lapply(flags, `[[`, v))
    so_far <- cross_kinds(so_far, kinds, stride)
    stride <- stride * nlevels(levels[[v]])
  }
  cells <- rowsum(so_far$n, so_far$number)
  list(number = as.numeric(rownames(cells)), cells = as.vector(cells))
}

node_kinds <- function(level, inside) {
  code <- as.integer(level)
  kind <- do.call(paste, c(list(code), inside))
  first <- which(!duplicated(kind))
  list(number = code[first] - 1, n = tabulate(match(kind, kind[first])),
       inside = matrix(unlist(lapply(inside, `[`, first)), length(first)))
}

cross_kinds <- function(so_far, kinds, stride) {
  a <- rep(seq_along(so_far$n), times = length(kinds$n))
  b <- rep(seq_along(kinds$n), each = length(so_far$n))
  inside <- so_far$inside[a, , drop = FALSE] & kinds$inside[b, , drop = FALSE]
  some <- rowSums(inside) > 0
  list(number = (so_far$number[a] + kinds$number[b] * stride)[some],
       inside = inside[some, , drop = FALSE], n = (so_far$n[a] * kinds$n[b])[some])
}
