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
  if (!is.null(publication$published)) {
    return(cell_key_constraints(publication))
  }
  labels <- publication$table$dimnames
  around <- function(counts, labels) {
    intervals(as.table(array(counts, lengths(labels, FALSE), labels)), publication$D)
  }
  totals <- if (length(labels) > 1) {
    lapply(seq_along(labels), function(v) around(publication$totals[[v]], labels[v]))
  }
  do.call(constraints, c(
    list(around(dense_counts(publication$table), labels)), totals, list(dimnames = labels)
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
