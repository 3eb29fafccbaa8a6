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
    unname(families), lapply(unname(columns), as.integer),
    ifelse(hidden, x$least %||% 0, x$cells$freq), ifelse(hidden, Inf, x$cells$freq), integer(),
    list(), Inf, FALSE, FALSE
  ), hints = list(infeasible = "No table agrees with all that was released."))
  n <- length(found$rows$lower)
  rows <- c(found$rows, list(set = rep(1L, n), label = rep("a published sum", n)))
  m <- length(found$lower)
  new_constraints(list(cell = as.character(seq_len(m))), list(seq_len(m)), found$lower,
                  found$upper, rows, "sums")
}

# The system of linked tables in the cells of their crossings alone: the cells that no crossing has
# are not asked, and are added only where the published ones need them. `at`: the withheld cells
# among the hidden rows; `asked`: their unknowns, 0 where the count is known. `freq`: of all rows,
# where the caller knows them; then `truth` has the count of each unknown.
linked_cells <- function(x, freq = NULL) {
  hidden <- which(x$cells$suppressed)
  at <- which(in_crossings(x)[hidden])
  parts <- as_parts(x, "", "x", list())
  labels <- part_labels(parts, NULL, x$total_label, NULL)
  columns <- unclass(x$cells)[names(x$dimnames)]
  codes <- Map(function(label, column) {
    match(as.character(column[hidden[at]]), label$names)
  }, labels, columns[names(labels)])
  out <- cell_system(parts, labels, codes, length(at), Inf)
  out$at <- at
  if (!is.null(x$least)) {
    told <- out$asked > 0
    cell <- out$asked[told]
    out$lower[cell] <- pmax(out$lower[cell], x$least[hidden[at]][told])
  }
  if (!is.null(freq)) {
    nodes <- rlang::set_names(out$nodes, names(labels))[names(columns)]
    codes <- Map(function(variable, node, column) match(variable$labels[node], levels(column)),
                 out$variables[names(columns)], nodes, columns)
    size <- vapply(columns, nlevels, 0L, USE.NAMES = FALSE)
    out$truth <- freq[combine_codes(unname(codes), size, length(out$lower))]
  }
  out
}

# Bounds of the withheld cells of linked tables.
linked_bounds <- function(x, time_limit_s, progress, freq = NULL) {
  system <- linked_cells(x, freq)
  style <- list(method = "auto", solver = "exact", seconds = time_limit_s, progress = progress,
                truth = system$truth)
  found <- bound_in_cells(system, style)
  warn_of_outer(found, gaps = is.null(freq))
  n <- sum(x$cells$suppressed)
  fill <- function(end, by) replace(rep(by, n), system$at, end)
  list(lower = fill(found$lower, 0), upper = fill(found$upper, Inf),
       sharp = fill(found$sharp, FALSE), attained = lapply(attained_ends(found), fill, NA_real_))
}

# For the core (struct NodeFamilies): each node with those directly below it in one tree.
tree_families <- function(tree, n_nodes) {
  by <- order(tree$tree, tree$parent)
  group <- cumsum(!duplicated(cbind(tree$tree, tree$parent)[by, , drop = FALSE]))
  first <- by[!duplicated(group)]
  list(n_nodes = n_nodes, parent = tree$parent[first], level = rep(1L, length(first)),
       start = cumsum(c(0L, tabulate(group))), child = tree$child[by])
}

# All sums along variable `v` that have a hidden row in them, in one of its trees: `parent`, `size`
# (the number of parts) and `child`, the parts of one sum after those of the other. Rows are cell
# numbers, so that another level of `v` is a step away.
sums_along <- function(tree, v, hidden, size) {
  stride <- cumprod(c(1, size))[[v]]
  code <- split_codes(hidden, size)[[v]]
  parents <- unique(tree$parent)
  up <- matches(code, tree$child)
  down <- matches(code, parents)
  row <- c(hidden[up$x] + (tree$parent[up$y] - code[up$x]) * stride, hidden[down$x])
  node <- c(tree$parent[up$y], parents[down$y])
  new <- !duplicated(row)
  below <- matches(node[new], tree$parent)
  step <- (tree$child - tree$parent)[below$y] * stride
  list(parent = row[new], size = tabulate(below$x, sum(new)), child = row[new][below$x] + step)
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

# Each sum with a hidden row in it, as sums_along() has them, and `way`: along which tree.
hidden_sums <- function(cells, dimnames, hierarchies, hidden) {
  labels <- lapply(unclass(cells)[names(dimnames)], levels)
  size <- lengths(labels, FALSE)
  parts <- lapply(seq_along(labels), function(v) {
    tree <- family_tree(labels[[v]], length(dimnames[[v]]), hierarchies[[names(labels)[v]]])
    lapply(unique(tree$tree), function(t) {
      sums_along(lapply(tree, `[`, tree$tree == t), v, hidden, size)
    })
  })
  parts <- unlist(parts, recursive = FALSE)
  join <- function(field) unlist(lapply(parts, `[[`, field))
  list(parent = join("parent"), size = join("size"), child = join("child"),
       way = rep(seq_along(parts), lengths(lapply(parts, `[[`, "parent"))))
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
