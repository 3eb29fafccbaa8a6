# Certificates of bounds that were found in a system of cells: the proofs in cells and in relations
# between them, the tables in the finest cells of all variables. So they need not be laid out.

# `system`: from cell_system(), in detail; `held`: the parts and the labels of the release.
certify_cells <- function(x, system, held, style) {
  all <- system$all
  cell <- which(all$unknown > 0)
  known <- which(system$asked == 0)
  at <- replace(system$asked, known, length(cell) + seq_along(known))
  open <- list(
    lower = c(all$lower[cell], system$value[known]),
    upper = c(all$upper[cell], system$value[known]), rows = system$rows
  )
  made <- find_certificates(x, open, at, style)
  proved <- in_relations(made$proofs, system, cell)
  shown <- in_leaves(made, all, cell, system$variables, held$labels)
  made[names(shown)] <- shown
  made$proofs <- proved$proofs
  fields <- c(proved[c("at", "cells", "relations")], list(leaves = shown$leaves))
  hold_certificates(x, made, fields, if (!is_sdc_constraints(x$release)) held)
}

# ---- proofs -----------------------------------------------------------------------------------

# The rows of proofs as relations: a total and what adds up to it along a variable. `cells`: the
# label of each variable (0: all levels) for each cell that is asked, split, or in a relation.
in_relations <- function(proofs, system, cell) {
  all <- system$all
  used <- sort(unique(proofs$row))
  terms <- relation_terms(system, used)
  split <- sort(unique(proofs$cell[proofs$cell > 0]))
  columns <- lapply(seq_along(system$variables), function(v) {
    c(all$asked[[v]], terms$nodes[[v]], all$nodes[[v]][cell[split]])
  })
  n_asked <- length(system$asked)
  n_terms <- length(terms$row)
  key <- tuple_keys(columns, vapply(system$variables, function(v) v$families$n_nodes, 1L),
                    n_asked + n_terms + length(split))
  number <- match(key, unique(key))
  first <- which(!duplicated(key))
  proofs$times <- proofs$times * row_signs(system, used)[match(proofs$row, used)]
  proofs$row <- as.numeric(match(proofs$row, used))
  inner <- proofs$cell > 0
  proofs$cell[inner] <- number[n_asked + n_terms + match(proofs$cell[inner], split)]
  list(
    at = as.numeric(number[seq_len(n_asked)]), proofs = proofs,
    cells = rlang::set_names(Map(function(column, code) code[column[first]], columns, all$codes),
                             names(system$variables)),
    relations = list(variable = system$rows$variable[used],
                     start = cumsum(c(0, tabulate(terms$row, length(used)))),
                     cell = number[n_asked + seq_len(n_terms)])
  )
}

tuple_keys <- function(columns, size, n) {
  if (length(columns) == 0) rep(1, n) else cell_keys(columns, size)
}

# The nodes of the cells of rows: of each row the total first, then what adds up to it.
relation_terms <- function(system, rows) {
  variable <- system$rows$variable[rows]
  family <- system$rows$family[rows]
  starts <- lapply(system$variables, function(v) v$families$start)
  size <- integer(length(rows))
  for (v in seq_along(starts)) {
    own <- variable == v
    size[own] <- diff(starts[[v]])[family[own]]
  }
  row <- rep(seq_along(rows), size + 1)
  nodes <- lapply(system$rows$parent, function(parent) parent[rows][row])
  is_part <- duplicated(row)
  for (v in seq_along(starts)) {
    own <- variable == v
    part <- sequence(size[own], starts[[v]][family[own]] + 1)
    nodes[[v]][is_part & own[row]] <- system$variables[[v]]$families$child[part]
  }
  list(row = row, nodes = nodes)
}

# A row is its relation, the parts less the total, but where the total alone is not known.
row_signs <- function(system, rows) {
  first <- system$rows$start[rows] + 1
  alone <- system$rows$start[rows + 1] == first
  ifelse(alone & system$rows$cell[first] == system$rows$total[rows], -1, 1)
}

# ---- tables -----------------------------------------------------------------------------------

# Tables and directions as counts of finest cells. `leaves`: the level of each variable for each
# that occurs.
in_leaves <- function(made, all, cell, variables, labels) {
  counts <- all$lower
  counts[cell] <- made$base[seq_along(cell)]
  base <- glue_changes(made$tables, counts, all, cell, variables)
  ways <- glue_changes(made$directions, numeric(length(counts)), all, cell, variables)
  first <- Map(function(code, label) {
    vapply(c(list(1L), label$held)[code + 1], function(held) as.integer(held[1]), 1L)
  }, all$codes, labels)
  n <- length(base$counts)
  ways$tables$cell <- ways$tables$cell + n
  list(
    leaves = Map(function(level, one, other) level[c(one, other)], first, base$nodes, ways$nodes),
    base = c(base$counts, ways$counts), tables = base$tables, directions = ways$tables
  )
}

# Of tables that differ from the one with these counts. Where none was found there are no cells.
glue_changes <- function(changes, counts, all, cell, variables) {
  if (length(changes$start) == 1) {
    return(list(nodes = lapply(variables, function(v) integer()), counts = numeric(),
                tables = changes))
  }
  changes$cell <- cell[changes$cell]
  found <- cpp_glue_tables(lapply(unname(variables), `[[`, "families"), all$boxes, all$nodes,
                           counts, changes)
  stopifnot(all(found$holds))
  list(nodes = found$nodes, counts = found$base, tables = found$tables)
}
