# What an intruder guesses of small counts in several tables that are published together.

# `asked`: labels of small cells that are no totals; `known`: the intervals of readers. As for one
# table, all original tables that agree with the publication are equally likely, and each perturbed
# table is judged by its posterior. Where tables are too many to be counted, what is left is a lower
# bound: whatever the law, the likeliest of n values has a probability of at least 1 / n.
linked_guess <- function(asked, x, published, known, ask) {
  if (nrow(asked) == 0) {
    return(list(guess = 0))
  }
  at <- match(label_words(asked), label_words(known$labels))
  if (!is.null(known$posterior)) {
    best <- unlist(lapply(known$posterior, function(po) summary(po)$cells$p_mode))
    return(list(guess = mean(best[at])))
  }
  best <- tryCatch(guesses_together(asked, x, published, ask$seed), sdc_error = function(cnd) NULL)
  if (is.null(best)) {
    return(list(guess = mean(1 / (known$upper[at] - known$lower[at] + 1)), note = at_least_note))
  }
  list(guess = mean(best))
}

at_least_note <- paste(
  "`guess` is a lower bound, by the number of values that each count can have, as the tables that",
  "agree are too many to be counted"
)

is_lower_bound <- function(figures) figures$note %in% at_least_note

# Up to so many tables that agree are listed, of more so many are drawn; and so many numbers of them
# are held at once.
listed_tables_at_most <- 5000
numbers_at_most <- 1e7

# The probability of the best guess of each of the cells; NULL where the tables are too large.
guesses_together <- function(asked, x, published, seed) {
  inside <- prod(dim(x))
  if (inside * listed_tables_at_most > numbers_at_most) {
    return(NULL)
  }
  release <- constraints(published)
  limits <- list(max_states = 5e6, max_steps = 5e9, progress = FALSE)
  count <- as.numeric(do.call(count_tables, c(list(release), limits)))
  tables <- if (count <= listed_tables_at_most) {
    do.call(enumerate_tables, c(list(release, listed_tables_at_most), limits))
  } else {
    do.call(sample_tables, c(list(release, listed_tables_at_most, seed = seed), limits))
  }
  values <- leaf_sums_of_cells(asked, x) %*% matrix(as.numeric(tables), inside)
  laws <- weigh_tables(values, list(prior = prior_uniform(), x = x), "")
  largest_of(laws$probability, laws$cell, nrow(asked))
}

# For each published cell, by its labels, a row that says which cells inside it is the sum of.
leaf_sums_of_cells <- function(labels, x) {
  totals <- table_totals(x)
  out <- matrix(1, nrow(labels), 1)
  for (v in names(x$dimnames)) {
    leaves <- x$dimnames[[v]]
    nodes <- c(rlang::set_names(as.list(seq_along(leaves)), leaves), totals[[v]])
    part <- vapply(nodes[as.character(labels[[v]])], tabulate, numeric(length(leaves)),
                   length(leaves))
    part <- t(matrix(part, length(leaves)))
    out <- out[, rep(seq_len(ncol(out)), ncol(part)), drop = FALSE] *
      part[, rep(seq_len(ncol(part)), each = ncol(out)), drop = FALSE]
  }
  out
}
