# The cell key method, as package cellKey does it: each cell and each total gets noise of its own,
# drawn by the sum of the keys of its records from a public table of transitions.

#' @rdname methods
#' @export
method_cell_key <- function(D = 3, V = 1, label = NULL) {
  check_whole(D, min = 1, max = 100)
  check_number(V, min = 1e-6, max = D^2)
  run <- function(x, map, seed) cell_key_publication(x, D, V, seed)
  new_method("cell_key", method_label(label, paste0("cell key, D = ", D, ", V = ", V)), TRUE, run)
}

# A public object: the noisy cells, the noisy one-way totals, or of a table with trees or crossings
# all published cells, and the transitions.
cell_key_publication <- function(x, D, V, seed) {
  for (package in c("cellKey", "ptable", "sdcHierarchies")) {
    check_installed(package, "for the cell key method")
  }
  check_entries(sum(x), 1e6, "records")
  transitions <- ptable::create_cnt_ptable(D = D, V = V)
  shown <- cell_key_counts(x, transitions, seed)
  steps <- as.data.frame(transitions@pTable)
  table <- table_from_dense(shown$cells, plain(x$dimnames))
  structure(
    c(
      list(table = set_layout(table, plain_layout(x$layout))),
      if (is.null(cycle_layout(x))) list(totals = shown$totals) else list(published = shown$all),
      list(transitions = data.frame(from = steps$i, change = steps$v, probability = steps$p), D = D)
    ),
    class = sdc_class("sdc_cell_key_publication")
  )
}

# Levels go by numbers, so that no label can clash with the words of the other package.
cell_key_counts <- function(x, transitions, seed) {
  size <- dim(x)
  codes <- split_codes(rep(seq_len(prod(size)), dense_counts(x)), size)
  variables <- paste0("v", seq_along(size))
  records <- list2data_frame(rlang::set_names(lapply(codes, as.character), variables), sum(x))
  records$key <- with_seed_kept(seed, stats::runif(nrow(records)))$value
  if (!is.null(cycle_layout(x))) {
    return(tree_cell_keys(x, records, variables, transitions))
  }
  trees <- lapply(rlang::set_names(size, variables), function(n) {
    sdcHierarchies::hier_create(root = "Total", nodes = as.character(seq_len(n)))
  })
  read_cell_keys(keyed_rows(records, trees, transitions), variables, size)
}

read_cell_keys <- function(rows, variables, size) {
  codes <- lapply(variables, function(v) suppressWarnings(as.numeric(rows[[v]])))
  summed <- Reduce(`+`, lapply(codes, is.na))
  inner <- summed == 0
  cells <- numeric(prod(size))
  cells[combine_codes(lapply(codes, `[`, inner), size, sum(inner))] <- rows$puwc[inner]
  totals <- lapply(seq_along(size), function(v) {
    of_v <- summed == length(size) - 1 & !is.na(codes[[v]])
    out <- numeric(size[[v]])
    out[codes[[v]][of_v]] <- rows$puwc[of_v]
    out
  })
  list(cells = cells, totals = totals)
}

#' @export
user_view.sdc_cell_key_publication <- function(publication, release, ask) {
  view <- shown_table(publication$table)
  if (length(publication$totals) > 1) view$totals <- publication$totals
  view$published <- publication$published
  view
}

# Each published number is within D of the true one.
cell_key_release <- function(publication) {
  table <- publication$table
  shown <- publication$published
  if (!is.null(shown)) {
    rows <- published_labels(published_of(table, numeric()), rep(TRUE, length(shown)))
    rows$lower <- pmax(0, shown - publication$D)
    rows$upper <- shown + publication$D
    return(constraints(rows, dimVar = names(table$dimnames), dimnames = table$dimnames,
                       hierarchies = full_trees(table)))
  }
  labels <- table$dimnames
  around <- function(counts, labels) {
    intervals(as.table(array(counts, lengths(labels, FALSE), labels)), publication$D)
  }
  totals <- if (length(labels) > 1) {
    lapply(seq_along(labels), function(v) around(publication$totals[[v]], labels[v]))
  }
  do.call(constraints, c(
    list(around(dense_counts(table), labels)), totals, list(dimnames = labels)
  ))
}

#' @export
read_publication_of.sdc_method_cell_key <- function(method, publication, release, ask) {
  laws <- try_reading(cell_key_laws(publication, ask))
  release <- cell_key_release(publication)
  sum_up(laws, sharp_intervals(release, NULL, ask), count_agreeing(release, laws, ask), ask)
}

# Each cell by itself. The last row of the transitions holds for all larger counts.
cell_key_laws <- function(publication, ask) {
  steps <- publication$transitions
  largest <- max(steps$from)
  laws_alone(dense_counts(publication$table), publication$D, ask, function(shown, value) {
    at <- match(paste(pmin(value, largest), shown - value), paste(steps$from, steps$change))
    ifelse(is.na(at), 0, steps$probability[at])
  })
}

# ---- trees and crossings ------------------------------------------------------------------------
# Package cellKey takes one tree for each variable, in which no node has a single child: so nodes
# that hold the same levels are one, and several trees of a variable are taken one after the other.
# The noise of a total depends on its records alone, so it is the same in every run.

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
