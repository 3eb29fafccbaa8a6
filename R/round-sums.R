# The sums that a rounded table is released with, and whether they form a network.
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
  finer <- compare_families(shape$kinds, shape$families)
  !is.null(two_sides(!(finer | t(finer))))
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

# The sums of a family.
add_parts <- function(x, sums) {
  out <- numeric(sums$n)
  held <- sums$part > 0
  found <- rowsum(x[held], sums$part[held], reorder = FALSE)
  out[as.integer(rownames(found))] <- found
  out
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
  side <- two_sides(!(finer | t(finer)))
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

# 1 or 2 for each, different where two are in conflict; NULL when that cannot be.
two_sides <- function(conflict) {
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
