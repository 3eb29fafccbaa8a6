# Variables of which one lies inside another, such as the region inside the county.

#' A tree of nested variables
#'
#' Makes the tree of variables that lie inside one another, such as region inside county inside
#' country, for the argument `hierarchies` of [as.data.frame()][as.data.frame.sdc_table],
#' [suppress()], [round_controlled()], [magnitude_table()] and [constraints()]. Tabulate by the
#' finest variable alone, and let the tree add the totals of the others: their cross would have
#' cells that no record can be in.
#'
#' @param data (data frame) the records, or any frame that has each level of the finest variable in
#'   some row.
#' @param dimVar (character vector or one-sided formula) names of the variables, from the coarsest
#'   to the finest.
#' @param total_label (string) name of the root, the total over all levels.
#' @param ... must be empty.
#' @return A data frame with columns `parent` and `child`, a row for each node but the root.
#' @section Errors: `sdc_error_input` when a level lies in two levels of the next coarser variable,
#'   is missing, or has the name of a level of another of the variables.
#' @section Complexity: O(rows times variables).
#' @family table
#' @export
#' @examples
#' people <- data.frame(
#'   county = c("North", "North", "North", "South", "South"),
#'   region = c("n1", "n1", "n2", "s1", "s2")
#' )
#' tree <- nested_tree(people, c("county", "region"))
#' tree
#' x <- sdc_table(people, dimVar = "region")
#' as.data.frame(x, hierarchies = list(region = tree))
nested_tree <- function(data, dimVar, total_label = "Total", ...) {
  check_no_dots(...)
  check_class(data, "data.frame", "data")
  check_quoted(dimVar, substitute(dimVar), data)
  check_given(dimVar)
  check_string(total_label)
  at <- resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  columns <- encode_columns(unclass(data)[at], names(data)[at], "error")
  codes <- record_codes(columns)
  missing <- vapply(codes, function(code) sum(code < 0), 0)
  if (any(missing > 0)) abort_missing(unname(missing), names(columns))
  labels <- Map(function(column, code) column$levels[code + 1], columns, codes)
  nodes <- lapply(c(list(rep(total_label, nrow(data))), unname(labels)), as.character)
  names(nodes) <- c("total", names(labels))
  rows <- lapply(seq_along(labels), function(k) {
    pairs <- unique(list2data_frame(list(parent = nodes[[k]], child = nodes[[k + 1]]), nrow(data)))
    check_one_parent(pairs, names(nodes)[k:(k + 1)])
    pairs
  })
  out <- do.call(rbind, c(rows, list(data.frame(parent = character(), child = character()))))
  check_node_names(out$child, total_label)
  list2data_frame(as.list(out), nrow(out))
}

check_one_parent <- function(pairs, variables) {
  again <- pairs$child[duplicated(pairs$child)]
  if (length(again) == 0) {
    return(invisible(pairs))
  }
  parents <- pairs$parent[pairs$child == again[1]]
  abort_sdc("input", c(
    "Each level must lie in one level of the next coarser variable.",
    x = "{.val {again[1]}} of {.val {variables[2]}} lies in {.val {parents}} of
         {.val {variables[1]}}.",
    i = "{.arg dimVar} names the variables from the coarsest to the finest."
  ))
}

check_node_names <- function(nodes, total_label) {
  again <- unique(nodes[duplicated(nodes) | nodes == total_label])
  if (length(again) == 0) {
    return(invisible(nodes))
  }
  abort_sdc("input", c(
    "All levels of the nested variables, and the total, must have different names.",
    x = "{.val {again}} {?is/are} the name of more than one.",
    i = "Rename the levels of one variable, or choose another {.arg total_label}."
  ))
}

# ---- recognising them ---------------------------------------------------------------------------

# With evidence of at least so many bits.
nested_bits <- 20

warn_of_nested <- function(x) {
  for (pair in nested_pairs(x)) {
    inner <- names(x$dimnames)[pair[1]]
    outer <- names(x$dimnames)[pair[2]]
    warn_sdc("nested", c(
      "Each level of {.val {inner}} lies in one level of {.val {outer}}: their cross has cells that
       no record can be in.",
      i = "Leave {.val {outer}} out of {.arg dimVar}, and let a tree add its totals:
           {.code hierarchies = list({inner} = nested_tree(data, c(\"{outer}\", \"{inner}\")))}."
    ))
  }
}

# Pairs of variables of which the first lies inside the second; of a chain only the next coarser.
nested_pairs <- function(x) {
  n <- length(x$dimnames)
  if (n < 2 || length(x$counts) == 0) {
    return(list())
  }
  some <- some_cells(x, 2000)
  codes <- stored_codes(some)
  used <- vapply(codes, function(code) length(unique(code)), 1)
  inside <- matrix(FALSE, n, n)
  for (i in seq_len(n)) for (j in setdiff(seq_len(n), i)) {
    inside[i, j] <- dim(x)[i] > 2 && dim(x)[j] > 1 && level_lies_inside(codes[[i]], codes[[j]],
    used[i]) &&
      is_nested(x, i, j)
  }
  pairs <- which(inside, arr.ind = TRUE)
  next_coarser <- vapply(seq_len(nrow(pairs)), function(k) {
    between <- inside[pairs[k, 1], ] & inside[, pairs[k, 2]]
    !any(between)
  }, NA)
  lapply(which(next_coarser), function(k) pairs[k, ])
}

level_lies_inside <- function(inner, outer, n_inner) {
  length(unique(inner + (outer - 1) * (max(inner) + 1))) == n_inner
}

# Some n cells at even distances.
some_cells <- function(x, n) {
  total <- length(x$counts)
  if (total <= n) {
    return(x)
  }
  at <- unique(round(seq(1, total, length.out = n)))
  words <- length(x$keys) / total
  new_table(x$dimnames, list(
    keys = x$keys[rep((at - 1) * words, each = words) + rep(seq_len(words), length(at))],
    counts = x$counts[at]
  ))
}

# Are all records of each level of i in one level of j, and is that no chance? Were the variables
# independent, the records of a level with n of them would be together with probability
# sum(p_j^n). Variables that are the same up to the names of levels are not nested.
is_nested <- function(x, i, j) {
  y <- project_table(x, c(i, j), vector("list", 2), x$dimnames[c(i, j)])
  codes <- stored_codes(y)
  if (anyDuplicated(codes[[1]]) > 0) {
    return(FALSE)
  }
  share <- as.vector(rowsum(y$counts, codes[[2]])) / sum(y)
  if (length(share) < 2 || length(share) == length(codes[[1]])) {
    return(FALSE)
  }
  nesting_bits(y$counts, share) >= nested_bits
}

# `n`: the records of each level of the finer variable; `share`: of each level of the coarser one.
nesting_bits <- function(n, share) {
  together <- vapply(n, function(k) log2(sum(share^k)), 0)
  -sum(pmax(together, -1000))
}

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
