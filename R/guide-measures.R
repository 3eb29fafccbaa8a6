# What a plan that was carried out leaves to readers: of several tables of counts, and of magnitudes.

# ---- several tables -----------------------------------------------------------------------------

# Where `ask` is given, `known` is the share of the cells at risk that a reader of all that is
# published knows exactly, and `guess` the mean probability that the best guess of a small count is
# right.
linked_figure <- function(x, plan, ask) {
  made <- run_plan(plan, x)
  cells <- before_after(made$protected)
  c(if (!is.null(ask)) linked_measures(x, cells, made$published, ask), change_figures(cells))
}

# At risk are small published counts, and those that no table shows and that follow from the
# original tables. Of tables that were perturbed each is known by itself, as what they share is
# exact.
linked_measures <- function(x, cells, published, ask) {
  labels <- list2data_frame(lapply(cells$labels, as.character), length(cells$original))
  small <- which(cells$original %in% seq_len(min(ask$maxN, 1e6)))
  asked <- labels[small, , drop = FALSE]
  inside <- given_away_inside(x, ask$maxN, ask$seconds)$cells
  if (!is.null(inside) && !is_table_list(published)) {
    inside[] <- lapply(inside, as.character)
    asked <- rbind(asked, inside[names(asked)])
  }
  if (nrow(asked) == 0) {
    return(list(known = 0, guess = 0))
  }
  known <- reader_intervals(published, asked, ask$seconds)
  if (!is.null(known$note)) {
    return(list(note = known$note))
  }
  at <- match(label_words(asked), label_words(known$labels))
  exact <- known$lower[at] == known$upper[at]
  exact[is.na(at)] <- is_exact_total(asked, x)[is.na(at)]
  c(list(known = mean(exact, na.rm = TRUE)),
    linked_guess(labels[intersect(small, level_rows(cells$labels, x)), , drop = FALSE], x,
                 published, known, ask))
}

# Perturbed tables keep all totals over all variables but one.
is_exact_total <- function(asked, x) {
  roots <- root_nodes(x)
  open <- Reduce(`+`, lapply(names(asked), function(v) asked[[v]] != roots[[v]]))
  ifelse(open < 2, TRUE, NA)
}

# The rows that are no total in the table that they are in.
level_rows <- function(labels, x) {
  parts <- parts_of_tables(labels, tables_of(x))
  unique(unlist(lapply(parts, function(part) part$at[!part$total])))
}

is_table_list <- function(x) is.list(x) && !is.object(x)

# ---- guesses ------------------------------------------------------------------------------------

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

# ---- magnitudes ---------------------------------------------------------------------------------

# The audit of the result takes at most `seconds`; there is none where it is NULL.
audited_figure <- function(x, plan, seconds) {
  protected <- quietly_hidden(run_plan(plan, x)$protected)
  figures <- change_figures(before_after(protected))
  # what a coarser table does not have is hidden as well
  figures$hidden <- 1 - (1 - figures$hidden) * magnitude_nodes(protected$original) /
    magnitude_nodes(x)
  c(if (!is.null(seconds)) audit_measures(protected, x, seconds), figures)
}

# The number of cells and totals that are published where nothing is hidden.
magnitude_nodes <- function(x) {
  if (!is.null(x$crossings)) {
    return(number_of_published(x))
  }
  nodes <- Map(function(levels, v) {
    length(levels) + length(variable_totals(x$hierarchies[[v]], levels, v, x$total_label))
  }, x$dimnames, names(x$dimnames))
  prod(unlist(nodes))
}

# `known`: the share of the sensitive cells of which some reader estimates a contributor too
# closely; `loss`: the Hellinger distance between the totals of the cells of `x` and what a user
# takes for them; or a `note`.
audit_measures <- function(protected, x, seconds) UseMethod("audit_measures")

#' @export
audit_measures.sdc_magnitude_redistribution <- function(protected, x, seconds) {
  counts <- audit(protected)$counts
  values <- protected$cells$published
  list(known = share_of(counts[["exposed"]], counts[["sensitive"]]),
       loss = hellinger_distance(cell_totals(x), values))
}

# A user takes the middle of its interval for a hidden total, and equal parts for merged cells.
#' @export
audit_measures.sdc_magnitude_suppression <- function(protected, x, seconds) {
  found <- audit(protected, time_limit_s = seconds, progress = FALSE)
  cells <- as.data.frame(found)
  failed <- cells$primary & (!cells$protected | cells$near | cells$learned)
  settled <- !anyNA(failed) && found$counts[["unsure"]] == 0
  list(
    known = if (settled) share_of(sum(failed), sum(cells$primary)) else NA_real_,
    loss = if (is_signed(x) || !is.null(x$crossings)) NA_real_ else
      hellinger_distance(cell_totals(x), taken_for_cells(protected, cells, x)),
    note = if (!settled) "The audit of the result did not end in time."
  )
}

share_of <- function(n, all) if (all == 0) 0 else n / all

taken_for_cells <- function(protected, hidden, x) {
  variables <- names(protected$original$dimnames)
  rows <- as.data.frame(protected)
  middle <- (hidden$lower + ifelse(is.finite(hidden$upper), hidden$upper, hidden$lower)) / 2
  key <- label_words(rows[variables])
  at <- match(key, label_words(hidden[variables]))
  value <- ifelse(is.na(at), rows$total, middle[at])
  inside <- cell_factors(x$cell, x$dimnames)[variables]
  merged <- names(inside)[!mapply(identical, x$dimnames[variables],
                                  protected$original$dimnames)]
  for (v in merged) {
    group <- groups_above(x$hierarchies[[v]][[1]], x$dimnames[[v]])
    inside[[v]] <- group[as.integer(inside[[v]])]
  }
  own <- match(label_words(inside), key)
  value[own] / tabulate(own, length(value))[own]
}
