# The reader's system of equations.


# An unknown for each suppressed row of the cells, in their order, and an equation for each total
# that has one in it: what is directly below it, less the total, is 0.
reader_system <- function(x) {
  columns <- unclass(x$cells)[names(x$dimnames)]
  families <- Map(function(column, levels, v) {
    labels <- levels(column)
    tree_families(family_tree(labels, length(levels), x$hierarchies[[v]]), length(labels))
  }, columns, x$dimnames, names(x$dimnames))
  hidden <- x$cells$suppressed
  found <- with_core(cpp_cell_system(
    unname(families), lapply(unname(columns), as.integer), ifelse(hidden, 0, x$cells$freq),
    ifelse(hidden, Inf, x$cells$freq), integer(), list(), Inf, FALSE, FALSE
  ), hints = list(infeasible = "No table agrees with all that was released."))
  n <- length(found$rows$lower)
  rows <- c(found$rows, list(set = rep(1L, n), label = rep("a published sum", n)))
  m <- length(found$lower)
  new_constraints(list(cell = as.character(seq_len(m))), list(seq_len(m)), found$lower,
                  found$upper, rows, "sums")
}

# Bounds of the withheld cells of linked tables, from the system of their crossings alone: the cells
# that no crossing has are not asked, and are added only where the published ones need them.
linked_bounds <- function(x, time_limit_s, progress) {
  hidden <- which(x$cells$suppressed)
  at <- which(in_crossings(x)[hidden])
  style <- list(method = "auto", solver = "exact", seconds = time_limit_s, progress = progress)
  parts <- as_parts(x, "", "x", list())
  labels <- part_labels(parts, NULL, x$total_label, NULL)
  codes <- Map(function(label, column) {
    match(as.character(column[hidden[at]]), label$names)
  }, labels, unclass(x$cells)[names(labels)])
  found <- bound_in_cells(cell_system(parts, labels, codes, length(at), Inf), style)
  warn_of_outer(found)
  n <- length(hidden)
  list(lower = replace(numeric(n), at, found$lower), upper = replace(rep(Inf, n), at, found$upper),
       sharp = replace(logical(n), at, found$sharp))
}

# For the core (struct NodeFamilies): each node with those directly below it in one tree.
tree_families <- function(tree, n_nodes) {
  by <- order(tree$tree, tree$parent)
  group <- cumsum(!duplicated(cbind(tree$tree, tree$parent)[by, , drop = FALSE]))
  first <- by[!duplicated(group)]
  list(n_nodes = n_nodes, parent = tree$parent[first], level = rep(1L, length(first)),
       start = cumsum(c(0L, tabulate(group))), child = tree$child[by])
}

# The terms of all equations along variable `v` that have a hidden row in them. Rows are cell
# numbers, so that another level of `v` is a step away.
equation_terms <- function(tree, v, hidden, size) {
  stride <- cumprod(c(1, size))[[v]]
  code <- split_codes(hidden, size)[[v]]
  node <- (tree$tree - 1) * size[[v]] + tree$parent
  nodes <- unique(data.frame(node = node, parent = tree$parent))
  up <- matches(code, tree$child)
  down <- matches(code, nodes$parent)
  touched <- unique(data.frame(
    row = c(hidden[up$x] + (tree$parent[up$y] - code[up$x]) * stride, hidden[down$x]),
    node = c(node[up$y], nodes$node[down$y])
  ))
  below <- matches(touched$node, node)
  step <- (tree$child - tree$parent)[below$y] * stride
  list(
    equation = c(below$x, seq_len(nrow(touched))),
    row = c(touched$row[below$x] + step, touched$row),
    sign = rep(c(1, -1), c(length(below$x), nrow(touched)))
  )
}

# All pairs of positions with equal values.
matches <- function(x, y) {
  of_value <- split(seq_along(y), factor(y, unique(y)))
  at <- match(x, unique(y))
  found <- !is.na(at)
  partners <- of_value[at[found]]
  list(x = rep(which(found), lengths(partners)), y = unlist(partners, use.names = FALSE))
}

# Equations of m unknowns that are not negative.
sums_system <- function(rows, m) {
  limits <- list(lower = numeric(m), upper = rep(Inf, m))
  limits <- narrow_cells(limits, rows, list(set = "sums"))
  new_constraints(
    list(cell = as.character(seq_len(m))), list(seq_len(m)), limits$lower, limits$upper, rows,
    "sums"
  )
}

# Each sum with a hidden row in it: the total, its parts, and along which tree.
hidden_sums <- function(cells, dimnames, hierarchies, hidden) {
  labels <- lapply(unclass(cells)[names(dimnames)], levels)
  size <- lengths(labels, FALSE)
  parts <- lapply(seq_along(labels), function(v) {
    tree <- family_tree(labels[[v]], length(dimnames[[v]]), hierarchies[[names(labels)[v]]])
    lapply(unique(tree$tree), function(t) {
      one <- lapply(tree, `[`, tree$tree == t)
      terms <- equation_terms(one, v, hidden, size)
      children <- split(terms$row[terms$sign > 0], terms$equation[terms$sign > 0])
      parent <- terms$row[terms$sign < 0]
      parent <- parent[match(as.integer(names(children)), terms$equation[terms$sign < 0])]
      list(parent = parent, children = unname(children), way = rep(paste(v, t), length(parent)))
    })
  })
  parts <- unlist(parts, recursive = FALSE)
  list(parent = unlist(lapply(parts, `[[`, "parent")),
       children = unlist(lapply(parts, `[[`, "children"), recursive = FALSE),
       way = unlist(lapply(parts, `[[`, "way")))
}

# What readers learn: a row for each of them and cell. `labels`: the variables of the cells.
learned_frame <- function(reader = character(), who = character(), labels, lower = numeric(),
                          upper = numeric(), how = character()) {
  list2data_frame(c(list(reader = reader, who = who), labels,
                    list(lower = lower, upper = upper, how = how)), length(reader))
}

# Cells of which it is not settled whether a reader of some kind learns them.
open_frame <- function(reader = character(), labels) {
  list2data_frame(c(list(reader = rep_len(reader, length(labels[[1]]))), labels),
                  length(labels[[1]]))
}
