# Trees that are found in the data: columns of which one lies inside another are levels of one
# variable.

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

# Does each code of a come with one code of b?
determines <- function(a, b) {
  of <- integer(max(a))
  of[a] <- b
  all(of[a] == b)
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
           paste0("\"", coarser[weak], "\"", collapse = ", "), " by chance.")
  }
}
