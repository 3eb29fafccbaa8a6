# Columns that lie inside one another: correspondence frames, and trees that are found in the
# data. The order of the columns does not matter, for it follows from which column lies inside
# which.

wide_frame <- function(columns, levels, name, total_label, stop_tree) {
  if (!is.null(names_fault(columns))) {
    stop_tree("It is a data frame whose columns lack names, or share one.")
  }
  columns <- fill_unbalanced(columns, levels, stop_tree)
  finest <- finest_column(columns, levels, name)
  rows <- which(!duplicated(columns[[finest]]))
  values <- lapply(columns, `[`, rows)
  code <- match(columns[[finest]], values[[finest]])
  coarser <- vapply(names(columns), function(v) identical(values[[v]][code], columns[[v]]), NA)
  for (v in names(columns)[!coarser]) {
    check_finer(columns, finest, v, stop_tree)
  }
  found <- nested_chains(c(values[finest], values[setdiff(names(columns)[coarser], finest)]),
                         total_label, stop_tree)
  finer <- names(columns)[!coarser]
  said <- c(tree_chain_words(found$chains), found$said, if (length(finer) > 0) {
    paste0("Column ", quoted_names(finer), " is finer than the levels of \"", name,
           "\": it is left out.")
  })
  list(nodes = found$nodes, said = said)
}

# A missing value, or an empty string, in the finer columns of a row says that the code before them
# has no finer one: it stands on all these levels. The level NA of a variable is a code.
fill_unbalanced <- function(columns, levels, stop_tree) {
  columns <- lapply(columns, function(x) replace(x, !nzchar(x) & !"" %in% levels, NA))
  empty <- lapply(columns, is.na)
  if (!any(vapply(empty, any, NA))) {
    return(columns)
  }
  whole <- Reduce(`+`, empty) == 0
  distinct <- vapply(columns, function(x) length(unique(x[whole])), 0)
  empty <- empty[order(distinct, vapply(empty, sum, 0))]
  check_no_gaps(columns, empty, stop_tree)
  if (any(empty[[1]]) && !anyNA(levels)) {
    stop_tree("Row {which(empty[[1]])[1]} has no code in any column.")
  }
  to <- names(empty)[-1]
  if (anyNA(levels)) to <- to[-length(to)]
  for (k in seq_along(to)) {
    columns[[to[k]]] <- ifelse(empty[[to[k]]], columns[[names(empty)[k]]], columns[[to[k]]])
  }
  columns
}

# The finest column is the one whose codes are the levels.
finest_column <- function(columns, levels, name) {
  distinct <- vapply(columns, function(x) length(unique(x)), 0)
  covers <- vapply(columns, function(x) all(levels %in% x), NA)
  if (!is.null(levels) && name %in% names(columns)[covers]) {
    return(name)
  }
  if (!any(covers)) covers <- rep(TRUE, length(covers))
  names(columns)[covers][which.max(distinct[covers])]
}

# ---- chains of columns --------------------------------------------------------------------------

# `values`: for each code of the finest column, which is the first, the codes of all columns that
# group it. Columns that group the codes alike are one level. Gives the nodes of a tree for each
# chain of columns, the labels of the nodes of each column, and what is to be said.
nested_chains <- function(values, total_label, stop_tree) {
  codes <- lapply(values, function(x) match(x, unique(x)))
  size <- vapply(codes, max, 1L)
  # for each column the first one that groups the codes as it does
  same <- vapply(codes, function(code) Position(function(first) identical(first, code), codes), 1L)
  kept <- which(same == seq_along(same))
  inside <- outer(kept, kept, Vectorize(function(i, j) {
    size[i] > size[j] && determines(codes[[i]], codes[[j]])
  }))
  chains <- column_chains(inside, size[kept])
  labels <- labels_of_columns(values[kept], size[kept], chains)
  nodes <- lapply(chains, function(chain) {
    chain_nodes(labels[rev(chain)], total_label, stop_tree)
  })
  again <- which(same != seq_along(same))
  list(
    nodes = nodes, chains = lapply(chains, function(chain) names(values)[kept][chain]),
    columns = lapply(rlang::set_names(match(same, kept), names(values)),
                     function(k) unique(labels[[k]])),
    same = rlang::set_names(names(values)[same[again]], names(values)[again]),
    said = c(vapply(again, function(j) {
      paste0("Column \"", names(values)[j], "\" makes the same groups as \"",
             names(values)[same[j]], "\": it is left out.")
    }, ""), relabelled_words(values[kept], labels))
  )
}

# Each column is in a chain from the finest column, the first, through columns that lie one inside
# the next. Positions, from fine to coarse.
column_chains <- function(inside, size) {
  open <- order(-size)
  if (length(open) > 1) open <- setdiff(open, 1L)
  chains <- list()
  while (length(open) > 0) {
    chain <- open[1]
    while (chain[1] != 1) {
      finer <- which(inside[, chain[1]])
      chain <- c(finer[which.min(size[finer])], chain)
    }
    repeat {
      coarser <- which(inside[chain[length(chain)], ])
      direct <- coarser[colSums(inside[coarser, coarser, drop = FALSE]) == 0]
      if (length(direct) == 0) break
      chain <- c(chain, direct[order(!direct %in% open, -size[direct])][1])
    }
    chains <- c(chains, list(chain))
    open <- setdiff(open, chain)
  }
  chains
}

# The label of each code's node in each column. Where a code stands in two columns over different
# leaves, or with another node between, the coarser node is called "code [column]".
labels_of_columns <- function(values, size, chains) {
  labels <- values
  by_size <- order(-size)
  for (k in seq_along(by_size)[-1]) {
    coarse <- by_size[k]
    clash <- unlist(lapply(by_size[seq_len(k - 1)], function(fine) {
      clashing_codes(values, fine, coarse, chains)
    }))
    named <- values[[coarse]] %in% clash
    labels[[coarse]][named] <- paste0(values[[coarse]][named], " [", names(values)[coarse], "]")
  }
  labels
}

clashing_codes <- function(values, fine, coarse, chains) {
  x <- values[[fine]]
  y <- values[[coarse]]
  common <- intersect(known(x), known(y))
  if (length(common) == 0) {
    return(NULL)
  }
  both <- x == y
  count <- function(z) tabulate(match(z, common), length(common))
  same <- count(x) == count(y) & count(x) == count(x[both %in% TRUE])
  for (chain in chains) {
    ends <- match(c(fine, coarse), chain)
    if (anyNA(ends)) next
    between <- chain[setdiff(seq(ends[1], ends[2]), ends)]
    for (m in between) same <- same & !common %in% y[(both & values[[m]] != y) %in% TRUE]
  }
  common[!same]
}

# The tree of a chain: labels from coarse to fine. A node that is its own child is one node.
chain_nodes <- function(labels, total_label, stop_tree) {
  top <- unique(labels[[1]])
  if (length(top) > 1 || is.na(top) || length(labels) == 1) {
    for (label in labels) check_free_label(total_label, label, stop_tree)
    labels <- c(list(rep(total_label, length(labels[[1]]))), labels)
    root_level <- NA_character_
    top <- total_label
  } else {
    root_level <- names(labels)[1]
  }
  rows <- lapply(seq_along(labels)[-1], function(k) {
    parent <- labels[[k - 1]]
    child <- labels[[k]]
    new <- !duplicated(child) & !(parent == child | (is.na(parent) & is.na(child))) %in% TRUE
    list(node = child[new], parent = parent[new], level = rep(names(labels)[k], sum(new)))
  })
  join <- function(first, part) c(first, unlist(lapply(rows, `[[`, part)))
  list(node = join(top, "node"), parent = join(NA_character_, "parent"),
       level = join(root_level, "level"))
}

# ---- words --------------------------------------------------------------------------------------

tree_chain_words <- function(chains) {
  if (length(chains) == 1) {
    return(NULL)
  }
  each <- vapply(chains, function(chain) {
    paste0("\"", rev(chain), "\"", collapse = " > ")
  }, "")
  paste0("Columns that do not lie inside each other make ", length(chains), " trees: ",
         paste(each, collapse = "; "), ".")
}

relabelled_words <- function(values, labels) {
  unlist(lapply(names(values), function(v) {
    named <- unique(values[[v]][(values[[v]] != labels[[v]]) %in% TRUE])
    if (length(named) == 0) {
      return(NULL)
    }
    some <- paste0("\"", utils::head(named, 3), " [", v, "]\"", collapse = ", ")
    paste0(plural(length(named), "code"), " of \"", v, "\" ", is_are(length(named)),
           " used on a finer level too. The node", if (length(named) > 1) "s", " of \"", v, "\" ",
           is_are(length(named)), " called ", some, if (length(named) > 3) ", ...", ".")
  }))
}

# What was found about trees, in a message of its own class.
say_trees <- function(lines) {
  if (length(lines) == 0) {
    return(invisible())
  }
  inform_sdc("trees", lines)
}

# ---- trees that are found ------------------------------------------------------------------------

# ---- trees that are found ------------------------------------------------------------------------

# Which of the columns are the finest of their kind, in order (`variables`); their trees; what was
# found, a line for each thing (`message`), and those lines that go with a formula, which names the
# columns itself (`notes`); for each nested column the variable that it belongs to and the
# labels of its nodes (`columns`); and for columns that make the same groups as another, which one
# (`same`). A missing value is a level, as a leaf only.
auto_trees <- function(data, variables, total_label = "Total") {
  columns <- unclass(data)[match(variables, names(data))]
  names(columns) <- variables
  nested <- nested_columns(columns, nrow(data))
  groups <- nested_groups(nested, variables)
  found <- lapply(groups, function(group) group_trees(nested, group, total_label))
  names(found) <- vapply(groups, `[`, "", 1)
  list(
    variables = setdiff(variables, unlist(lapply(groups, `[`, -1))),
    trees = lapply(found, `[[`, "trees"),
    message = if (length(found) == 0) "No column lies inside another." else
      unlist(lapply(found, `[`, c("trees_found", "notes", "chance")), use.names = FALSE),
    notes = unlist(lapply(found, `[[`, "notes"), use.names = FALSE),
    columns = unlist(lapply(unname(found), `[[`, "columns"), recursive = FALSE),
    same = unlist(lapply(unname(found), `[[`, "same"))
  )
}

# The columns that may lie inside each other: `codes` of the distinct combinations of their levels,
# `rows`, in how many rows each is, `levels`, and `inside`: does column i determine column j?
nested_columns <- function(columns, n) {
  some <- unique(round(seq(1, n, length.out = min(n, 1e5))))
  sampled <- combinations(lapply(columns, function(x) x[some]), length(some))
  inside <- determined_columns(sampled)
  kept <- names(columns)[rowSums(inside) + colSums(inside) > 0]
  whole <- combinations(columns[kept], n)
  whole$inside <- determined_columns(whole)
  whole
}

combinations <- function(columns, n) {
  if (length(columns) == 0 || n == 0) {
    return(list(codes = rep(list(integer()), length(columns)), rows = numeric(),
                levels = lapply(columns, function(x) character())))
  }
  x <- tabulate_records(encode_columns(columns, names(columns), "level"), n, NULL)
  list(codes = rlang::set_names(stored_codes(x), names(columns)), rows = x$counts,
       levels = x$dimnames)
}

# A column with one level is inside none, and a missing level is no node above others.
determined_columns <- function(found) {
  codes <- found$codes
  groups <- vapply(codes, function(code) length(unique(code)), 1L)
  can_be_above <- groups > 1 & !vapply(found$levels, anyNA, NA)
  out <- matrix(FALSE, length(codes), length(codes),
                dimnames = list(names(found$levels), names(found$levels)))
  for (i in seq_along(codes)) for (j in which(can_be_above & groups <= groups[i])) {
    out[i, j] <- i != j && determines(codes[[i]], codes[[j]])
  }
  out
}

# For each column that others group, and that groups none: its name, then theirs. A column that
# several others determine goes with the first of them.
nested_groups <- function(nested, variables) {
  inside <- nested$inside
  same <- inside & t(inside)
  first <- vapply(seq_len(nrow(inside)), function(i) !any(same[i, seq_len(i - 1)]), NA)
  coarser <- colSums(inside & !same) > 0
  finest <- rownames(inside)[first & !coarser & rowSums(inside) > 0]
  groups <- list()
  for (v in finest) {
    others <- setdiff(colnames(inside)[inside[v, ]], unlist(groups))
    if (length(others) > 0) groups <- c(groups, list(c(v, others)))
  }
  groups
}

group_trees <- function(nested, group, total_label) {
  finest <- group[1]
  levels <- nested$levels[[finest]]
  code <- nested$codes[[finest]]
  first <- match(seq_along(levels), code)
  used <- !is.na(first)
  values <- lapply(rlang::set_names(group), function(v) {
    nested$levels[[v]][nested$codes[[v]][first[used]]]
  })
  found <- nested_chains(values, total_label, tree_stopper(finest, 1))
  trees <- lapply(found$nodes, function(nodes) plain_tree(add_leaves(nodes, levels[!used], finest)))
  columns <- lapply(found$columns, function(nodes) list(variable = finest, nodes = nodes))
  columns[[finest]]$nodes <- levels
  list(trees = trees, columns = columns, same = found$same,
       trees_found = found_words(values, found),
       notes = c(found$said, unused_words(levels[!used], finest)),
       chance = chance_words(nested, finest, found$chains))
}

# Leaves that no row has stand right below the root.
add_leaves <- function(nodes, leaves, level) {
  root <- nodes$node[is.na(nodes$parent)]
  list(node = c(nodes$node, leaves), parent = c(nodes$parent, rep(root, length(leaves))),
       level = c(nodes$level, rep(level, length(leaves))))
}

# ---- words --------------------------------------------------------------------------------------

found_words <- function(values, found) {
  vapply(found$chains, function(chain) {
    size <- vapply(values[chain], function(x) length(unique(x)), 1L)
    steps <- paste0("\"", chain, "\" (", format_count(size), ")")
    paste0("A tree over \"", chain[1], "\" was found: ", paste(rev(steps), collapse = " > "), ".")
  }, "")
}

unused_words <- function(leaves, variable) {
  if (length(leaves) > 0) {
    paste0(plural(length(leaves), "level"), " of \"", variable, "\" without rows ",
           if (length(leaves) == 1) "stands" else "stand", " right below the total.")
  }
}

# Columns that few rows have can lie inside each other by chance: see is_nested().
chance_words <- function(nested, finest, chains) {
  coarser <- setdiff(unique(unlist(lapply(chains, utils::head, 2))), finest)
  rows <- as.vector(rowsum(nested$rows, nested$codes[[finest]]))
  weak <- vapply(coarser, function(v) {
    share <- as.vector(rowsum(nested$rows, nested$codes[[v]])) / sum(nested$rows)
    nesting_bits(rows, share) < nested_bits
  }, NA)
  if (any(weak)) {
    paste0("There are so few rows that \"", finest, "\" may lie inside ",
           quoted_names(coarser[weak]), " by chance.")
  }
}
