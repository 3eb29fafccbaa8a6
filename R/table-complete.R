# Complete frames: cells together with their totals, at the nodes of trees or under names of their
# own. The totals are checked and left out; the cells are the table.
#
# A total that is listed as zero is checked; one that is not listed is not shown, and so cannot be
# wrong. Hence a table of what is listed goes with a frame. Of an array every cell is listed.

# `x`: a table whose levels may be totals; `listed`: a table of the cells that have a row, or NULL;
# `search`: look for totals that nobody named?
complete_table <- function(x, problem, listed = NULL, search = TRUE) {
  trees <- problem$hierarchies
  check_hierarchies(trees, names(x$dimnames))
  named <- if (!identical(problem$total, FALSE)) problem$total
  nodes <- complete_nodes(x$dimnames, named, trees, problem$total_label)
  y <- cells_of_nodes(x, nodes)
  has_totals <- Map(function(labels, node) any(labels %in% names(node$held)), x$dimnames, nodes)
  if (!identical(y$dimnames, x$dimnames) && any(unlist(has_totals))) {
    found <- total_contradictions(x, y, listed, nodes)
    y <- settle_totals(found, x, y, listed, problem, nodes)
  }
  if (!search || identical(problem$total, FALSE)) {
    return(y)
  }
  with_tree <- names(Filter(Negate(is_total_name), trees))
  check_for_totals(y, "sdc_table", setdiff(names(y$dimnames), with_tree))
}

# For each variable `levels`, and `held`: for each total the levels that it holds. A tree says which
# these are; a total with a name of its own holds all levels.
complete_nodes <- function(dimnames, named, trees, total_label) {
  given <- if (!is.null(named)) given_totals(named, dimnames)
  lapply(rlang::set_names(names(dimnames)), function(v) {
    if (is.null(trees[[v]]) || is_total_name(trees[[v]])) {
      all <- union(given[[v]], intersect(dimnames[[v]], trees[[v]]))
      levels <- setdiff(dimnames[[v]], all)
      held <- rlang::set_names(rep(list(seq_along(levels)), length(all)), all)
      return(list(levels = levels, held = held))
    }
    nodes <- tree_nodes(trees[[v]], dimnames[[v]], v, total_label)
    leaves <- intersect(given[[v]], nodes$levels)
    check_that(
      length(leaves) == 0,
      "A level that {.arg total} names must be no leaf of a tree.",
      x = "{.val {leaves}} {cli::qty(leaves)}{?is a leaf/are leaves} of the tree of {.val {v}}.",
      i = "Leave {cli::qty(leaves)}{?it/them} out: a tree says which of its nodes are totals."
    )
    nodes
  })
}

# `levels` are the leaves of the trees of a variable, those of the frame first.
tree_nodes <- function(trees, labels, name, total_label) {
  trees <- variable_trees(trees, NULL, name, total_label)$trees
  leaves <- unique(unlist(lapply(trees, tree_leaves)))
  levels <- union(intersect(labels, leaves), leaves)
  held <- variable_totals(trees, levels, name, total_label)
  unknown <- setdiff(labels, c(levels, names(held)))
  # a label that is no node is refused as a level that is no leaf
  if (length(unknown) > 0) variable_totals(trees, c(levels, unknown), name, total_label)
  list(levels = levels, held = held)
}

# The cells without totals, with all leaves of the trees.
cells_of_nodes <- function(x, nodes) {
  levels <- lapply(nodes, `[[`, "levels")
  if (identical(levels, x$dimnames)) {
    return(x)
  }
  at <- Map(function(labels, to) match(labels, to, 0L), unname(x$dimnames), unname(levels))
  project_table(x, seq_along(levels), at, levels)
}

# ---- what is shown and what is summed ------------------------------------------------------------

# The totals that differ from the sum of their cells. `y`: the cells.
total_contradictions <- function(x, y, listed, nodes) {
  labels <- lapply(nodes, function(node) c(node$levels, names(node$held)))
  shown <- at_nodes(x, labels)
  summed <- sums_at_nodes(y, nodes, labels, x$dimnames)
  asked <- if (is.null(listed)) {
    Map(c, stored_codes(shown), stored_codes(summed))
  } else {
    stored_codes(at_nodes(listed, labels))
  }
  is_total <- Reduce(`|`, Map(function(code, node) code > length(node$levels), asked, nodes))
  asked <- lapply(asked, `[`, is_total)
  shown <- counts_of_codes(shown, asked)
  summed <- counts_of_codes(summed, asked)
  wrong <- which(shown != summed)
  columns <- Map(function(label, code) label[code[wrong]], labels, asked)
  relation <- paste("it is", ifelse(shown > summed, "more", "less"), "than the sum of its cells")
  unique(new_contradictions(columns, relation[wrong], shown[wrong], summed[wrong]))
}

at_nodes <- function(table, labels) {
  at <- Map(function(from, to) match(from, to), unname(table$dimnames), unname(labels))
  project_table(table, seq_along(labels), at, labels)
}

# The sums at those nodes that are labels of the frame.
sums_at_nodes <- function(y, nodes, labels, shown) {
  maps <- Map(function(node, label, some) {
    node_map(node$held, length(node$levels), label %in% some)
  }, nodes, labels, shown)
  cells <- with_core(cpp_published_cells(
    dim(y), y$keys, y$counts, unname(lengths(labels)), list(unname(maps)),
    getOption("sdcLattice.max_cells", 5e7)
  ))
  new_table(labels, cells)
}

# The counts of some cells, 0 where there is none.
counts_of_codes <- function(table, codes) {
  at <- match(cell_keys(codes, dim(table)), cell_keys(stored_codes(table), dim(table)))
  ifelse(is.na(at), 0, table$counts[at])
}

# ---- what follows --------------------------------------------------------------------------------

# The cells, when what was found is accepted. Without trees a total may hold some levels only, which
# are searched for.
settle_totals <- function(found, x, y, listed, problem, nodes) {
  beyond <- abs(found$difference) > problem$tolerance
  if (!any(beyond)) {
    tell_accepted(nrow(found), problem$tolerance)
    return(y)
  }
  if (length(problem$hierarchies) == 0 && problem$tolerance == 0) {
    held <- lapply(nodes, function(node) names(node$held))
    partial <- tryCatch(drop_totals(x, held), sdc_error_input = function(cnd) NULL)
    if (!is.null(partial)) {
      return(partial)
    }
  }
  abort_contradictions(
    found[beyond, ], "Totals must be the sums of their cells.",
    c(i = if (problem$tolerance == 0) "{.arg tolerance} accepts totals that were rounded.",
      i = if (length(problem$hierarchies) == 0) {
        "If a total holds some levels only, a tree in {.arg hierarchies} says which."
      },
      missing_cells_advice(found[beyond, ], y, listed, nodes))
  )
}

# What to do where totals show more than the cells that are listed.
missing_cells_advice <- function(found, y, listed, nodes) {
  if (is.null(listed)) {
    return(NULL)
  }
  gone <- length(y) - length(cells_of_nodes(listed, nodes)$counts)
  if (gone == 0 || !any(found$difference > 0)) {
    return(NULL)
  }
  n <- paste(plural(gone, "cell has", "cells have"), "no row and")
  c(i = paste(n, if (gone == 1) "counts" else "count", "as zero. If cells are missing, the frame is
      a release with gaps: {.fn constraints} takes it, and {.fn bounds_margins} and
      {.fn count_tables} work from that."))
}
