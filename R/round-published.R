# The published cells of a table that is rounded, for the core.

# A table and what is published of it: its layout, or its margins over some sets of variables with
# all nodes of the trees, its cells and its total.
published_plan <- function(x, sets = NULL,
                           max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  totals <- table_totals(x)
  labels <- node_labels(x, totals)
  flags <- if (is.null(sets)) crossing_flags(x, labels) else set_flags(x, sets, labels, totals)
  list(
    dim = dim(x), keys = x$keys, counts = x$counts, n_nodes = unname(lengths(labels)),
    crossings = lapply(flags, function(flag) unname(Map(node_map, totals, unname(dim(x)), flag))),
    max_cells = max_cells
  )
}

# NULL, for all totals, where the sets are all sets of variables.
plan_sets <- function(sets, variables) {
  if (length(sets) == 2^length(variables) - 1) NULL else sets
}

# For each set and variable: which nodes? Those that hold all leaves are totals.
set_flags <- function(x, sets, labels, totals) {
  variables <- names(x$dimnames)
  whole <- Map(function(nodes, total, n) {
    seq_along(nodes) %in% (n + which(lengths(total) == n))
  }, labels, totals, lengths(x$dimnames))
  lapply(unique(c(list(variables), sets, list(character()))), function(set) {
    Map(function(at, v) if (v %in% set) !at else at, whole, variables)
  })
}

# The same table with other counts in its stored cells; those that become zero are no longer stored.
with_counts <- function(x, counts) {
  held <- counts > 0
  width <- length(x$keys) / max(1, length(counts))
  keys <- as.vector(matrix(x$keys, width)[, held])
  new_table(x$dimnames, list(keys = keys, counts = counts[held]), x$layout)
}

# How far the published cells are from the original ones.
published_distance <- function(original, rounded, sets, base) {
  found <- with_core(cpp_published_distance(
    published_plan(original, sets), published_plan(rounded, sets), base
  ))
  n <- published_count(original, sets)
  list(
    cells = n, changed = found[["changed"]], max = found[["greatest"]],
    mean = found[["absolute"]] / n, rms = sqrt(found[["squares"]] / n),
    utility = hellinger_utility(found[["roots"]], found[["original"]]),
    small_left = found[["small_left"]], far = found[["far"]]
  )
}

# 1 less the Hellinger distance, as a share of its greatest value.
hellinger_utility <- function(roots, total) if (total > 0) 1 - sqrt(roots / (2 * total)) else 1

# How many cells are published, zeros included: each once, though crossings may share it.
published_count <- function(x, sets) {
  totals <- table_totals(x)
  labels <- node_labels(x, totals)
  flags <- if (is.null(sets)) crossing_flags(x, labels) else set_flags(x, sets, labels, totals)
  size <- function(flag) prod(vapply(flag, sum, 0))
  if (length(flags) == 1) {
    return(size(flags[[1]]))
  }
  if (length(flags) > 12) {
    return(length(published_numbers(x)))
  }
  # inclusion and exclusion
  signs <- 0
  for (k in seq_along(flags)) {
    for (some in utils::combn(length(flags), k, simplify = FALSE)) {
      common <- Reduce(function(a, b) Map(`&`, a, b), flags[some])
      signs <- signs + (-1)^(k + 1) * size(common)
    }
  }
  signs
}

# ---- as a programme -----------------------------------------------------------------------------

# The programme of rounding_problem(), over the stored cells and the published cells that are not
# zero. Where all leaf cells are published, they are no sums. Where they are not, only published
# cells have a distance.
published_problem <- function(x, sets, base, most_pairs = 2e8) {
  found <- with_core(cpp_cell_sums(
    published_plan(x, plan_sets(sets, names(x$dimnames))), most_pairs
  ))
  linked <- !is.null(table_crossings(x))
  cell <- rep(seq_along(x$counts), diff(found$start))
  row <- found$above
  kept <- if (linked) rep(TRUE, length(found$counts)) else !is_leaf_cell(x, found)
  low <- (x$counts - x$counts %% base) / base
  open <- which(x$counts %% base != 0)
  entries <- cbind(row = cumsum(kept)[row], cell = cell)[kept[row], , drop = FALSE]
  totals <- found$counts[kept]
  below <- add_rows(low[entries[, "cell"]], entries[, "row"], length(totals))
  open_sums <- which(totals %% base != 0)
  list(
    base = base, low = low, open = open, open_sums = open_sums, entries = entries,
    n_rows = length(totals), rhs = (totals - totals %% base) / base - below,
    cost_cells = (!linked) * (base - 2 * (x$counts[open] %% base)),
    cost_sums = base - 2 * (totals[open_sums] %% base), linked = linked, free = FALSE
  )
}

add_rows <- function(x, row, n) {
  out <- numeric(n)
  found <- rowsum(x, row, reorder = FALSE)
  out[as.integer(rownames(found))] <- found
  out
}

# Which published cells are leaf cells?
is_leaf_cell <- function(x, published) {
  nodes <- new_table(node_labels(x), published)
  Reduce(`&`, Map(function(code, n) code <= n, stored_codes(nodes), unname(dim(x))))
}

# ---- violations ---------------------------------------------------------------------------------

no_violations <- function() list2data_frame(list(where = character(), by = numeric()), 0)

# The published cells and totals that are outside of the two adjacent multiples.
rounding_violations <- function(original, rounded, sets, base) {
  sets <- plan_sets(sets, names(original$dimnames))
  cells <- both_published(original, rounded, sets)
  low <- cells$from - cells$from %% base
  high <- low + base * (low < cells$from)
  by <- (pmin(0, cells$to - low) + pmax(0, cells$to - high)) / base
  bad <- which(by != 0)
  codes <- lapply(cells$codes, `[`, bad)
  list2data_frame(list(where = node_words(original, codes), by = by[bad]), length(bad))
}

# The published cells that are not zero in one of two tables: the codes of their nodes, and both
# counts.
both_published <- function(original, rounded, sets) {
  labels <- node_labels(original)
  tables <- lapply(list(original, rounded), function(x) {
    plan <- published_plan(x, sets)
    new_table(labels, with_core(cpp_published_cells(
      plan$dim, plan$keys, plan$counts, plan$n_nodes, plan$crossings, plan$max_cells
    )))
  })
  there <- match_cells(tables[[1]], tables[[2]])
  new <- which(is.na(match_cells(tables[[2]], tables[[1]])))
  codes <- Map(function(a, b) c(a, b[new]), stored_codes(tables[[1]]), stored_codes(tables[[2]]))
  to <- tables[[2]]$counts[there]
  list(codes = codes, from = c(tables[[1]]$counts, rep(0, length(new))),
       to = c(ifelse(is.na(to), 0, to), tables[[2]]$counts[new]))
}

# Where each stored cell of x is among those of y, which has the same levels.
match_cells <- function(x, y) {
  with_core(cpp_match_cells(dim(x), x$keys, x$counts, y$keys, y$counts))
}

# Cells in words: the labels of all variables that are not at their total.
node_words <- function(x, codes) {
  labels <- node_labels(x)
  root <- root_nodes(x)
  out <- rep("", length(codes[[1]]))
  for (v in seq_along(codes)) {
    shown <- which(labels[[v]][codes[[v]]] != root[[v]])
    word <- paste(names(labels)[v], "=", labels[[v]][codes[[v]][shown]], recycle0 = TRUE)
    out[shown] <- paste0(out[shown], ifelse(nzchar(out[shown]), ", ", ""), word, recycle0 = TRUE)
  }
  replace(out, !nzchar(out), "total")
}
