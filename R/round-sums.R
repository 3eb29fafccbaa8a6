# The sums that a rounded table is released with, whether they form a network, and all its
# published cells.
#
# A kind of labels of a variable is a partition of (some of) its levels: the levels themselves, the
# total, or the inner nodes of a tree at one depth. A released family of sums is a kind for each
# variable, and so a partition of (some of) the cells. One kind is finer than another when its parts
# are inside the other's or beside them; families whose kinds are finer for all variables are
# nested. The released sums form a network when the families can be put into two chains.

# For each family but the cells and the total: `part`, the part of each cell (0: none), `n`, how
# many parts, and what columns of labels need. Attribute `finer`: whether family i is finer than
# family j.
released_sums <- function(dimnames, sets, trees, total_label) {
  shape <- released_families(dimnames, sets, trees, total_label)
  check_entries(nrow(shape$families) * prod(lengths(dimnames)), 5e8, "entries")
  code <- lapply(cell_factors(seq_len(prod(lengths(dimnames))), dimnames), as.integer)
  sums <- lapply(seq_len(nrow(shape$families)), function(f) {
    chosen <- Map(function(kind, at) kind[[at]], shape$kinds, shape$families[f, ])
    new_sums(chosen, code, names(dimnames))
  })
  structure(sums, finer = compare_families(shape$kinds, shape$families))
}

# The kinds of each variable, and the families, a row each.
released_families <- function(dimnames, sets, trees, total_label) {
  kinds <- lapply(names(dimnames), function(v) {
    variable_kinds(dimnames[[v]], trees[[v]], v, total_label)
  })
  list(kinds = kinds, families = sum_families(names(dimnames), kinds, sets))
}

# Do the released sums form a network? Crossings of a formula are taken for none.
is_network <- function(x, sets) {
  if (!is.null(table_crossings(x))) {
    return(FALSE)
  }
  shape <- released_families(x$dimnames, sets, table_trees(x), table_total_label(x))
  !is.null(two_sides(compare_families(shape$kinds, shape$families)))
}

# The kinds of a variable, the total first and the levels last.
variable_kinds <- function(levels, trees, name, total_label) {
  n <- length(levels)
  totals <- variable_totals(trees, levels, name, total_label)
  whole <- names(totals)[lengths(totals) == n]
  total <- list(tree = 0, depth = 0, group = rep(1L, n), names = c(whole, total_label)[1])
  leaf <- list(tree = 0, depth = Inf, group = seq_len(n), names = levels)
  inner <- list()
  seen <- character()
  for (i in seq_along(trees)) {
    nodes <- unlist(tree_totals(trees[[i]], levels, name, i), recursive = FALSE)
    nodes <- nodes[lengths(nodes) < n & !duplicated(nodes) & !names(nodes) %in% seen]
    seen <- c(seen, names(nodes))
    inner <- c(inner, kinds_by_depth(nodes, i, n))
  }
  c(list(total), inner, list(leaf))
}

kinds_by_depth <- function(nodes, tree, n) {
  depth <- vapply(nodes, function(node) {
    1 + sum(vapply(nodes, function(other) {
      length(other) > length(node) && all(node %in% other)
    }, NA))
  }, 0)
  lapply(sort(unique(depth)), function(d) {
    at <- nodes[depth == d]
    group <- integer(n)
    group[unlist(at)] <- rep(seq_along(at), lengths(at))
    list(tree = tree, depth = d, group = group, names = names(at))
  })
}

# A row for each family: the kind of each variable.
sum_families <- function(variables, kinds, sets) {
  n <- lengths(kinds)
  rows <- lapply(sets, function(set) {
    choices <- Map(function(shown, k) if (shown) seq_len(k)[-1] else 1L, variables %in% set, n)
    if (all(n == 2)) unlist(choices) else as.matrix(expand.grid(choices, KEEP.OUT.ATTRS = FALSE))
  })
  out <- unname(rbind(matrix(0L, 0, length(variables)), do.call(rbind, rows)))
  cells <- colSums(t(out) == n) == length(variables)
  total <- rowSums(out) == length(variables)
  out[!cells & !total, , drop = FALSE]
}

compare_families <- function(kinds, families) {
  n <- nrow(families)
  out <- matrix(TRUE, n, n)
  for (v in seq_along(kinds)) {
    depth <- vapply(kinds[[v]], `[[`, 0, "depth")
    tree <- vapply(kinds[[v]], `[[`, 0, "tree")
    finer <- outer(depth == Inf, depth == 0, `|`) |
      (outer(tree, tree, `==`) & outer(depth, depth, `>=`))
    out <- out & finer[families[, v], families[, v]]
  }
  out
}

new_sums <- function(kinds, code, variables) {
  part <- 1
  size <- 1
  inside <- TRUE
  for (v in seq_along(kinds)) {
    group <- kinds[[v]]$group[code[[v]]]
    part <- part + (group - 1) * size
    inside <- inside & group > 0
    size <- size * length(kinds[[v]]$names)
  }
  shown <- vapply(kinds, function(kind) kind$depth > 0, NA)
  list(
    part = as.integer(ifelse(inside, part, 0)), n = size, names = lapply(kinds, `[[`, "names"),
    variables = variables, shown = shown
  )
}

# For each variable that a family of sums shows, the labels of some of its sums.
sum_columns <- function(sums, at) {
  codes <- arrayInd(at, lengths(sums$names))
  shown <- which(sums$shown)
  rlang::set_names(lapply(shown, function(v) sums$names[[v]][codes[, v]]), sums$variables[shown])
}

# The two chains of families, each from coarse to fine, as the core takes them; NULL when there are
# none.
sum_network <- function(sums) {
  finer <- attr(sums, "finer")
  side <- two_sides(finer)
  if (is.null(side)) {
    return(NULL)
  }
  chain <- function(of) {
    at <- which(side == of)
    at <- at[order(rowSums(finer[at, at, drop = FALSE]))]
    lapply(at, function(f) sums[[f]]$part)
  }
  list(down = chain(1), up = chain(2))
}

# 1 or 2 for each family, different where neither of two is finer; NULL when that cannot be.
two_sides <- function(finer) {
  conflict <- !(finer | t(finer))
  side <- integer(nrow(conflict))
  for (first in seq_along(side)) {
    if (side[first] > 0) next
    side[first] <- 1L
    open <- first
    while (length(open) > 0) {
      others <- which(conflict[open[1], ])
      if (any(side[others] == side[open[1]])) {
        return(NULL)
      }
      new <- others[side[others] == 0]
      side[new] <- 3L - side[open[1]]
      open <- c(open[-1], new)
    }
  }
  side
}

# A table and what is published of it: its layout, or its margins over some sets of variables with
# all nodes of the trees, its cells and its total.
published_plan <- function(x, sets, max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  nodes <- published_nodes(x, sets)
  list(
    dim = dim(x), keys = x$keys, counts = x$counts, n_nodes = unname(lengths(nodes$labels)),
    crossings = lapply(nodes$flags, function(flag) {
      unname(Map(node_map, nodes$totals, unname(dim(x)), flag))
    }),
    max_cells = max_cells
  )
}

# The totals and labels of each variable, and for each crossing and variable: which nodes? Those
# that hold all leaves are totals. All sets of variables are the layout of the table.
published_nodes <- function(x, sets) {
  variables <- names(x$dimnames)
  totals <- table_totals(x)
  labels <- node_labels(x, totals)
  flags <- if (is.null(sets) || length(sets) == 2^length(variables) - 1) {
    crossing_flags(x, labels)
  } else {
    whole <- Map(function(nodes, total, n) {
      seq_along(nodes) %in% (n + which(lengths(total) == n))
    }, labels, totals, lengths(x$dimnames))
    lapply(unique(c(list(variables), sets, list(character()))), function(set) {
      Map(function(at, v) if (v %in% set) !at else at, whole, variables)
    })
  }
  list(totals = totals, labels = labels, flags = flags)
}

# How far the published cells are from the original ones. The utility is 1 less the Hellinger
# distance, as a share of its greatest value.
published_distance <- function(original, rounded, sets, base) {
  found <- with_core(cpp_published_distance(
    published_plan(original, sets), published_plan(rounded, sets), base
  ))
  n <- published_count(original, sets)
  total <- found[["original"]]
  list(
    cells = n, changed = found[["changed"]], max = found[["greatest"]],
    mean = found[["absolute"]] / n, rms = sqrt(found[["squares"]] / n),
    utility = if (total > 0) 1 - sqrt(found[["roots"]] / (2 * total)) else 1,
    small_left = found[["small_left"]], far = found[["far"]]
  )
}

# How many cells are published, zeros included: each once, though crossings may share it.
published_count <- function(x, sets) {
  flags <- published_nodes(x, sets)$flags
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

# The same table with other counts in its stored cells; those that become zero are no longer stored.
with_counts <- function(x, counts) {
  held <- counts > 0
  width <- length(x$keys) / max(1, length(counts))
  keys <- as.vector(matrix(x$keys, width)[, held])
  new_table(x$dimnames, list(keys = keys, counts = counts[held]), x$layout)
}

no_violations <- function() list2data_frame(list(where = character(), by = numeric()), 0)

# The published cells and totals that are outside of the two adjacent multiples.
rounding_violations <- function(original, rounded, sets, base) {
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
  new <- which(is.na(match_cells(tables[[2]], tables[[1]])))
  codes <- Map(function(a, b) c(a, b[new]), stored_codes(tables[[1]]), stored_codes(tables[[2]]))
  list(codes = codes, from = c(tables[[1]]$counts, rep(0, length(new))),
       to = c(counts_beside(tables[[1]], tables[[2]]), tables[[2]]$counts[new]))
}

# The counts of y in the stored cells of x, which has the same levels.
counts_beside <- function(x, y) {
  found <- y$counts[match_cells(x, y)]
  replace(found, is.na(found), 0)
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
