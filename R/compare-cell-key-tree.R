# The cell key method on tables with trees or crossings. Package cellKey takes one tree for each
# variable, in which no node has a single child: so nodes that hold the same levels are one, and
# several trees of a variable are taken one after the other. The noise of a total depends on its
# records alone, so it is the same in every run.

# The noisy values: `cells`, those of levels, and `all`, those of all published cells in order.
tree_cell_keys <- function(x, records, variables, transitions) {
  published <- published_of(x, numeric())
  nodes <- Map(distinct_nodes, published$totals, dim(x))
  trees <- Map(function(v, of) cell_key_trees(x, v, of), names(x$dimnames), nodes)
  runs <- expand.grid(lapply(unname(trees), seq_along))
  rows <- lapply(seq_len(nrow(runs)), function(r) {
    of <- Map(`[[`, trees, unlist(runs[r, ]))
    keyed_rows(records, rlang::set_names(of, variables), transitions)
  })
  rows <- do.call(rbind, lapply(rows, function(r) r[c(variables, "puwc")]))
  value <- keyed_values(rows, variables, nodes, published)
  cells <- numeric(prod(dim(x)))
  inner <- !is.na(published$leaf)
  cells[published$leaf[inner]] <- value[inner]
  list(cells = cells, all = value)
}

# The cells of package cellKey, with their totals over trees.
keyed_rows <- function(records, trees, transitions) {
  problem <- NULL
  utils::capture.output(suppressMessages({
    problem <- cellKey::ck_setup(x = records, rkey = "key", dims = trees)
    problem$params_cnts_set(cellKey::ck_params_cnts(ptab = transitions), v = "total")
    problem$perturb("total")
  }))
  as.data.frame(problem$freqtab("total"))
}

# For each node, levels first, the first node that holds the same levels.
distinct_nodes <- function(totals, n) {
  key <- vapply(c(as.list(seq_len(n)), unname(totals)), function(held) {
    paste(sort(held), collapse = " ")
  }, "")
  match(key, key)
}

# A tree of sdcHierarchies for each tree of a variable; nodes go by their numbers, the total is
# "Total". A variable without trees has the total above its levels.
cell_key_trees <- function(x, v, distinct) {
  labels <- node_labels(x)[[v]]
  root <- distinct[[match(root_nodes(x)[[v]], labels)]]
  trees <- table_trees(x)[[v]]
  if (is.null(trees)) {
    trees <- list(data.frame(parent = labels[[length(labels)]], child = x$dimnames[[v]]))
  }
  lapply(trees, function(tree) {
    tree <- tree[!is.na(tree$parent), ]
    parent <- distinct[match(tree$parent, labels)]
    child <- distinct[match(tree$child, labels)]
    cell_key_tree(parent[parent != child], child[parent != child], root)
  })
}

cell_key_tree <- function(parent, child, root) {
  name <- function(node) ifelse(node == root, "Total", as.character(node))
  below <- child[parent == root]
  if (length(below) == 0) below <- root
  out <- sdcHierarchies::hier_create(root = "Total", nodes = as.character(below))
  open <- below
  while (length(open) > 0) {
    more <- child[parent == open[[1]]]
    if (length(more) > 0) {
      out <- sdcHierarchies::hier_add(out, root = name(open[[1]]), nodes = as.character(more))
    }
    open <- c(open[-1], more)
  }
  out
}

# The noisy value of each published cell; a cell without records is not in the rows.
keyed_values <- function(rows, variables, nodes, published) {
  of_row <- Map(function(v, of, root) {
    code <- suppressWarnings(as.numeric(rows[[v]]))
    ifelse(is.na(code), of[[root]], code)
  }, variables, nodes, published$roots)
  size <- lengths(nodes, FALSE)
  asked <- Map(function(code, of) of[code], published$codes, nodes)
  at <- match(combine_codes(asked, size, length(published$at)),
              combine_codes(unname(of_row), size, nrow(rows)))
  ifelse(is.na(at), 0, rows$puwc[at])
}

# Each published number is within D of the true one.
cell_key_constraints <- function(publication) {
  table <- publication$table
  shown <- publication$published
  rows <- published_labels(published_of(table, numeric()), rep(TRUE, length(shown)))
  rows$lower <- pmax(0, shown - publication$D)
  rows$upper <- shown + publication$D
  constraints(rows, dimVar = names(table$dimnames), dimnames = table$dimnames,
              hierarchies = full_trees(table))
}

# Every published number, with the totals of trees and crossings where the table has any.
#' @export
as.data.frame.sdc_cell_key_publication <- function(x, row.names = NULL, optional = FALSE, ...,
                                                   stringsAsFactors = FALSE) {
  check_no_dots(...)
  labels <- dimnames(x$table)
  check_free_names(labels, "count")
  if (is.null(x$published)) {
    return(as.data.frame(x$table, zeros = TRUE, responseName = "count"))
  }
  out <- published_rows(x$table, zeros = TRUE, name = "count")
  out$count <- x$published
  out
}
