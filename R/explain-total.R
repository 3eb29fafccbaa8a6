# A published total of a table with trees or crossings, in words.

# The nodes of a cell that is given by labels, one of which is no level; NULL for anything else.
total_nodes <- function(cell, dimnames, layout) {
  cell <- as_cell(cell)
  if (is.null(layout) || !is.data.frame(cell) || nrow(cell) != 1 ||
      !setequal(names(cell), names(dimnames))) {
    return(NULL)
  }
  labels <- node_labels(laid_out_shape(dimnames, layout))
  codes <- Map(function(v, nodes) match(as.character(cell[[v]]), nodes), names(labels), labels)
  if (anyNA(codes) || all(unlist(codes) <= lengths(dimnames))) NULL else codes
}

# The explanation of a total, or NULL where the cell is none. `words(cells)`: what there is to say
# of the sum of these cells.
explain_total <- function(cell, dimnames, layout, private, words) {
  codes <- total_nodes(cell, dimnames, layout)
  if (is.null(codes)) {
    return(NULL)
  }
  like <- laid_out_shape(dimnames, layout)
  labels <- node_labels(like)
  where <- paste(names(labels), Map(`[`, labels, codes), collapse = ", ")
  if (!is_published(like, codes)) {
    return(new_explanation(where, "No crossing of the table publishes this total.", private))
  }
  held <- Map(function(levels, totals, code) {
    n <- length(levels)
    if (code <= n) code else totals[[code - n]]
  }, dimnames, table_totals(like), codes)
  cells <- combine_codes(unname(as.list(expand.grid(held))), lengths(dimnames, FALSE),
                         prod(lengths(held)))
  new_explanation(where, c(paste0("A total over ", plural(length(cells), "cell"), "."),
                           words(cells)), private)
}

# The explanation of a cell that no crossing publishes, or NULL where one does.
explain_unpublished <- function(at, dimnames, layout, private) {
  if (is.null(layout$crossings)) {
    return(NULL)
  }
  codes <- split_codes(at, lengths(dimnames, FALSE))
  if (is_published(laid_out_shape(dimnames, layout), codes)) {
    return(NULL)
  }
  new_explanation(cell_words(at, dimnames), "No crossing of the table publishes this cell.",
                  private)
}

# Of a table that was rounded, for its owner.
rounded_total_words <- function(original, rounded, cells) {
  c(
    paste0("It is ", format_count(sum(dense_counts(original)[cells])), " in the original."),
    paste0("Its rounded cells add up to ", format_count(sum(dense_counts(rounded)[cells])), ".")
  )
}

# How many cycles change the sum of some cells.
cycles_that_change <- function(set, cells) {
  all <- expand_cycles(set)
  cycle <- rep(seq_len(length(set)), diff(all$start))
  inside <- all$cell %in% cells
  sums <- rowsum(as.numeric(all$coefficient[inside]), cycle[inside])
  sum(sums != 0)
}

# What the cycles do to a total.
total_cycle_words <- function(set, cells) {
  n <- cycles_that_change(set, cells)
  if (n == 0) {
    "No cycle changes it: what one cell of the total gains another one loses, or both lie outside."
  } else {
    paste0(plural(n, "cycle changes", "cycles change"), " it.")
  }
}

# Of a table that was perturbed: what its readers see, and know.
published_total_words <- function(table, set, cells) {
  shown <- sum(dense_counts(table)[cells])
  kept <- cycles_that_change(set, cells) == 0
  c(
    paste0("Published as ", format_count(shown), "."),
    if (kept) {
      "No cycle changes it, so this is the original total: every reader knows it."
    } else {
      "Cycles change it, so the original total may be another one."
    }
  )
}
