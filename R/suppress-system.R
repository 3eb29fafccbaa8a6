# The reader's system of equations.


# An unknown for each suppressed row of the cells, in their order, and an equation for each total
# that has one in it: what is directly below it, less the total, is 0.
reader_system <- function(x) {
  labels <- lapply(unclass(x$cells)[names(x$dimnames)], levels)
  hidden <- which(x$cells$suppressed)
  n_levels <- lengths(x$dimnames)
  terms <- lapply(seq_along(labels), function(v) {
    tree <- family_tree(labels[[v]], n_levels[[v]], x$hierarchies[[names(labels)[v]]])
    equation_terms(tree, v, hidden, lengths(labels, FALSE))
  })
  before <- cumsum(c(0, vapply(terms, function(t) max(t$equation, 0), 0)))[seq_along(terms)]
  join <- function(name) unlist(lapply(terms, `[[`, name))
  equation <- join("equation") + rep(before, vapply(terms, function(t) length(t$row), 0))
  solve_known(equation, join("row"), join("sign"), x$cells, hidden)
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

# Published terms go to the other side.
solve_known <- function(equation, row, sign, cells, hidden) {
  unknown <- match(row, hidden)
  open <- !is.na(unknown)
  n <- max(equation, 0)
  value <- numeric(n)
  shown <- rowsum(sign[!open] * cells$freq[row[!open]], equation[!open])
  value[as.integer(rownames(shown))] <- -shown
  by <- which(open)[order(equation[open], unknown[open])]
  m <- length(hidden)
  # a total that is the one unknown of its equation has coefficient -1: the other way round
  size <- tabulate(equation[open], n)
  turn <- ifelse(size == 1, sign[by][cumsum(size)], 1)
  rows <- list(
    start = cumsum(c(0, size)), cell = unknown[by], coefficient = sign[by] * rep(turn, size),
    lower = value * turn, upper = value * turn, set = rep(1L, n), label = rep("a published sum", n)
  )
  sums_system(rows, m)
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
