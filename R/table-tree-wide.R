# Correspondence frames: a column for each level, a row for each code of the finest one. The
# order of the columns does not matter, for it follows from which column lies inside which.

wide_frame <- function(columns, levels, name, total_label, stop_tree) {
  check_column_names(columns, stop_tree)
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

check_column_names <- function(columns, stop_tree) {
  names <- names(columns)
  if (is.null(names) || anyNA(names) || !all(nzchar(names)) || anyDuplicated(names)) {
    stop_tree("It is a data frame whose columns lack names, or share one.")
  }
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
    stop_tree("Row {row} has no code in any column.", row = which(empty[[1]])[1])
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
  same <- same_groups(codes, size)
  kept <- which(same == seq_along(same))
  inside <- outer(kept, kept, Vectorize(function(i, j) {
    size[i] > size[j] && max(pair_codes(codes[[i]], codes[[j]])) == size[i]
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
    said = c(same_words(names(values), same, again), relabelled_words(values[kept], labels))
  )
}

pair_codes <- function(a, b) {
  pair <- a + (b - 1) * max(a)
  match(pair, unique(pair))
}

# For each column the first one that groups the codes as it does.
same_groups <- function(codes, size) {
  out <- seq_along(codes)
  for (j in seq_along(codes)[-1]) for (i in which(size == size[j])) {
    if (i >= j) break
    if (identical(codes[[i]], codes[[j]])) {
      out[j] <- out[i]
      break
    }
  }
  out
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

same_words <- function(names, same, again) {
  vapply(again, function(j) {
    paste0("Column \"", names[j], "\" makes the same groups as \"", names[same[j]],
           "\": it is left out.")
  }, "")
}

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

quoted_names <- function(names) paste0("\"", names, "\"", collapse = ", ")

# What was found about trees, in a message of its own class.
say_trees <- function(lines) {
  if (length(lines) == 0) {
    return(invisible())
  }
  inform_sdc("trees", lines)
}
