# The layout of a table: the trees over its variables, and which crossings of their nodes are
# published. A table stores its leaves alone; every total is computed where it is asked for.
#
# A node of a variable is a leaf, an inner node of a tree, or the total. Nodes are numbered: leaves
# first, in the order of the levels, then the others. A crossing names some nodes for each variable;
# its cells are all their combinations. What is published is the union of the crossings.

# NULL, for a flat table of which every total is published, unless something differs from that.
new_layout <- function(trees = NULL, total_label = "Total", crossings = NULL, formula = NULL) {
  if (length(trees) == 0 && is.null(crossings) && total_label == "Total") {
    return(NULL)
  }
  list(trees = if (length(trees) > 0) trees, total_label = total_label, crossings = crossings,
       formula = formula)
}

table_trees <- function(x) x$layout$trees

table_total_label <- function(x) if (is.null(x$layout)) "Total" else x$layout$total_label

# Also of a table of magnitudes.
table_crossings <- function(x) if (is_sdc_table(x)) x$layout$crossings else x$crossings

set_layout <- function(x, layout) {
  new_table(x$dimnames, list(keys = x$keys, counts = x$counts), layout)
}

# The table with the trees, the label of totals and the crossings that a function was given, or with
# its own: the leaves of its trees are levels, and its layout holds plain trees.
laid_out <- function(x, hierarchies = NULL, total_label = NULL, formula = NULL) {
  check_own_layout(x, hierarchies, total_label)
  asked <- if (is.null(x$layout)) c(hierarchies, total_label)
  if (is.null(asked) && is.null(formula)) {
    return(x)
  }
  label <- total_label %||% table_total_label(x)
  trees <- table_trees(x)
  if (is.null(x$layout)) {
    dimnames <- dimnames_with_leaves(x$dimnames, hierarchies, label)
    if (!identical(dimnames, x$dimnames)) {
      x <- project_table(x, seq_along(dimnames), lapply(unname(x$dimnames), seq_along), dimnames)
    }
    trees <- plain_trees(hierarchies, dimnames, label)
  }
  x <- set_layout(x, new_layout(trees, label))
  if (is.null(formula)) {
    return(x)
  }
  set_layout(x, new_layout(trees, label, formula_crossings(formula, x),
                           paste(deparse(formula, width.cutoff = 500L), collapse = " ")))
}

# A table that has a layout keeps it: a second one would contradict it.
check_own_layout <- function(x, hierarchies, total_label) {
  if (!is.null(total_label)) check_string(total_label)
  if (is.null(x$layout)) {
    return(invisible(x))
  }
  same <- is.null(hierarchies) &&
    (is.null(total_label) || identical(total_label, table_total_label(x)))
  check_that(
    same,
    "Trees and the label of totals belong to the table, or are given here, but not both.",
    x = if (is.null(hierarchies)) {
      "{.arg total_label} is {.val {total_label}}, and the totals of the table are called
       {.val {table_total_label(x)}}."
    } else {
      "{.arg hierarchies} is given, and the table has {layout_words(x)} of its own."
    },
    i = "Make the table without {.arg hierarchies}, or leave {.arg hierarchies} out here."
  )
}

# For functions that choose which sub-tables are published: a formula has chosen already.
check_no_crossings <- function(x) {
  if (is.null(table_crossings(x))) {
    return(x)
  }
  abort_sdc("input", c(
    "A table whose sub-tables are released must be without crossings.",
    x = "Its {.arg formula} says already what is published.",
    i = "Make it by {.fn sdc_table} without {.arg formula}; trees may stay."
  ))
}

layout_words <- function(x) {
  if (is.null(table_trees(x))) "crossings or a label of totals" else "trees"
}

# ---- nodes --------------------------------------------------------------------------------------

# For each variable its totals: the leaves of each, by name.
table_totals <- function(x) {
  lapply(rlang::set_names(names(x$dimnames)), function(v) {
    variable_totals(table_trees(x)[[v]], x$dimnames[[v]], v, table_total_label(x))
  })
}

node_labels <- function(x, totals = table_totals(x)) {
  Map(function(levels, total) c(levels, names(total)), x$dimnames, totals)
}

# The node of each variable that holds all leaves.
root_nodes <- function(x, totals = table_totals(x)) {
  unlist(Map(function(total, levels) {
    names(total)[lengths(total) == length(levels)][1]
  }, totals, x$dimnames))
}

# For each crossing and variable: may the node be in it?
crossing_flags <- function(x, labels = node_labels(x)) {
  crossings <- table_crossings(x)
  if (is.null(crossings)) {
    return(list(lapply(labels, function(nodes) rep(TRUE, length(nodes)))))
  }
  lapply(crossings, function(crossing) {
    Map(function(nodes, some) nodes %in% some, labels, crossing[names(labels)])
  })
}

# Is a combination of nodes, a vector of numbers for each variable, published?
is_published <- function(x, codes, flags = crossing_flags(x)) {
  inside <- lapply(flags, function(flag) {
    Reduce(`&`, Map(function(f, code) f[code], unname(flag), unname(codes)), TRUE)
  })
  Reduce(`|`, inside)
}

# The rows of a frame, with the nodes of each variable as a factor, that are in a crossing.
open_rows <- function(cells, crossings) {
  if (is.null(crossings)) {
    return(rep(TRUE, length(cells[[1]])))
  }
  inside <- lapply(crossings, function(crossing) {
    flags <- Map(function(v, nodes) (levels(cells[[v]]) %in% nodes)[as.integer(cells[[v]])],
                 names(crossing), crossing)
    Reduce(`&`, flags)
  })
  Reduce(`|`, inside)
}

# ---- published cells ----------------------------------------------------------------------------

# The published cells that are not zero: a table whose levels are the nodes.
published_table <- function(x, max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  totals <- table_totals(x)
  labels <- node_labels(x, totals)
  crossings <- lapply(crossing_flags(x, labels), function(flags) {
    unname(Map(node_map, totals, unname(dim(x)), flags))
  })
  cells <- with_core(
    cpp_published_cells(dim(x), x$keys, x$counts, unname(lengths(labels)), crossings, max_cells),
    hints = list(too_large = paste(
      "Take a {.fn margin}, publish fewer crossings, give trees with fewer totals, or raise",
      "{.arg max_cells} or the option {.code sdcLattice.max_cells}."
    ))
  )
  new_table(labels, cells)
}

# The table with its totals as further levels: everything is published.
with_totals <- function(x, hierarchies, total_label, max_cells) {
  check_hierarchies(hierarchies, names(x$dimnames))
  published_table(set_layout(x, new_layout(hierarchies, total_label)), max_cells)
}

# For the core: each leaf and the nodes above it that the crossing holds (struct NodesOfLeaves),
# from 0.
node_map <- function(totals, n_leaves, flags) {
  leaf <- c(seq_len(n_leaves), unlist(totals, use.names = FALSE))
  node <- c(seq_len(n_leaves), rep(n_leaves + seq_along(totals), lengths(totals)))
  held <- flags[node]
  leaf <- leaf[held]
  node <- node[held]
  sorted <- order(leaf, node)
  list(start = as.integer(cumsum(c(0L, tabulate(leaf, n_leaves)))),
       node = as.integer(node[sorted] - 1L))
}

# All published cells, zero or not, as numbers in the box of all nodes, in increasing order.
published_numbers <- function(x, max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  labels <- node_labels(x)
  size <- lengths(labels, FALSE)
  flags <- crossing_flags(x, labels)
  check_cells(sum(vapply(flags, function(f) prod(vapply(f, sum, 0)), 0)), max_cells, "rows")
  numbers <- lapply(flags, function(flag) {
    stride <- cumprod(c(1, size))
    out <- 1
    for (v in seq_along(flag)) {
      out <- rep(out, times = sum(flag[[v]])) +
        rep((which(flag[[v]]) - 1) * stride[[v]], each = length(out))
    }
    out
  })
  if (length(numbers) == 1) numbers[[1]] else sort(unique(unlist(numbers)))
}

# All variables have trees, so that each total has a label in constraints.
full_trees <- function(x) {
  flat <- setdiff(names(x$dimnames), names(table_trees(x)))
  c(table_trees(x), lapply(x$dimnames[flat], function(levels) {
    n <- length(levels)
    list(list2data_frame(list(parent = rep(table_total_label(x), n), child = levels), n))
  }))
}

# ---- data frames ---------------------------------------------------------------------------------

#' A table as a long data frame, with totals
#'
#' One row for each cell: a factor for each variable, with all its levels in their order (or
#' strings, by `stringsAsFactors = FALSE`, which forget the order and the levels without a count),
#' and the count. The rows stand in the order of the cells, first variable fastest. With
#' `totals = TRUE` there are rows for totals as well.
#'
#' # Totals
#' A total is a level of a variable that stands for several levels; its count is the sum of theirs.
#' With `totals = TRUE` every variable gets one, named `total_label`, over all its levels, unless
#' the table has trees for it, or `hierarchies` names some. There the variable gets a total for each
#' inner node of the tree. A table made with a `formula` has rows for the cells of its crossings
#' alone. Totals come after the levels of the table, in the order of the tree. See [hierarchies] for
#' the formats that a tree can have, and for what is checked. A leaf that does not occur in the
#' table has no records: the table gets it as a level of zeros, after its own levels. A variable may
#' have several trees, given as a list of them, or under its name several times.
#'
#' # Complexity
#' One variable after the other is aggregated. For each it takes time in proportion to the cells so
#' far that are not zero, times the nodes above a leaf; nothing is sorted unless a crossing has
#' fewer
#' nodes of a variable than it has leaves. `max_cells` is checked before the memory is taken.
#'
#' @param x (`sdc_table`) the table.
#' @param row.names,optional ignored; there for the generic.
#' @param ... must be empty.
#' @param totals (flag) add totals? The default is yes when `hierarchies` are given.
#' @param hierarchies (named list) for some variables a tree, or a list of trees; see [hierarchies].
#' @param dimList (named list) another name for `hierarchies`.
#' @param zeros (flag) add the rows of cells (and totals) whose count is zero?
#' @param responseName (string) name of the column of counts.
#' @param stringsAsFactors (flag) make the variables factors, or else strings?
#' @param total_label (string or `NULL`) name of the total of a variable without a tree; `NULL`:
#'   that
#'   of the table, which is "Total" unless it was made with another one. Trees and the label of
#'   totals belong to the table or are given here, but not both.
#' @param max_cells (number) largest number of rows; the default is the option
#'   `sdcLattice.max_cells`, or 5e7.
#' @return A data frame. `sdc_table(as.data.frame(x), freqVar = "freq")` gives `x` back.
#' @section Errors: `sdc_error_input` for a tree that would not add up, a total with the name of a
#'   level, or a `responseName` that is a variable; `sdc_error_too_large` when there would be more
#'   than `max_cells` rows.
#' @family table
#' @export
#' @examples
#' x <- margin(sdc_table(Titanic), c("Class", "Survived"))
#' as.data.frame(x, totals = TRUE)
#'
#' class <- data.frame(
#'   parent = c("All", "All", "Passengers", "Passengers", "Passengers"),
#'   child = c("Passengers", "Crew", "1st", "2nd", "3rd")
#' )
#' as.data.frame(x, hierarchies = list(Class = class))
#'
#' # the same, with the tree in the table
#' y <- sdc_table(Titanic, c("Class", "Survived"), hierarchies = list(Class = class))
#' y
#' as.data.frame(y, totals = TRUE)
as.data.frame.sdc_table <- function(x, row.names = NULL, optional = FALSE, ...,
                                    totals = !is.null(hierarchies) || !is.null(dimList),
                                    hierarchies = NULL, dimList = NULL, zeros = FALSE,
                                    responseName = "freq", stringsAsFactors = TRUE,
                                    total_label = NULL,
                                    max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_no_dots(...)
  check_flag(totals)
  check_flag(zeros)
  check_string(responseName)
  check_flag(stringsAsFactors)
  if (!is.null(total_label)) check_string(total_label)
  check_that(
    !responseName %in% names(x$dimnames),
    "The column of counts must not have the name of a variable.",
    x = "Pass {.arg responseName}: {.val {responseName}} is a variable of the table."
  )
  check_that(
    totals || is.null(one_of_two(hierarchies, dimList)),
    "{.arg hierarchies} are for totals.",
    x = "{.arg totals} is FALSE."
  )
  out <- if (totals) {
    x <- laid_out(x, one_of_two(hierarchies, dimList), total_label)
    published_rows(x, zeros, responseName, max_cells)
  } else if (zeros) {
    all_rows(x, responseName, max_cells)
  } else {
    stored_rows(x, responseName, max_cells)
  }
  if (!stringsAsFactors) {
    # not by name: names need not be unique to a data frame
    at <- seq_along(x$dimnames)
    out[at] <- lapply(unclass(out)[at], as.character)
  }
  out
}

# A row for each published cell, with its totals.
published_rows <- function(x, zeros, name,
                           max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  published <- published_table(x, max_cells)
  if (!zeros) {
    return(stored_rows(published, name, max_cells))
  }
  if (is.null(table_crossings(x))) {
    return(all_rows(published, name, max_cells))
  }
  at <- published_numbers(x, max_cells)
  held <- combine_codes(stored_codes(published), dim(published), length(published$counts))
  counts <- published$counts[match(at, held)]
  counts[is.na(counts)] <- 0
  count_frame(unname(cell_factors(at, published$dimnames)), counts, published, name)
}

stored_rows <- function(x, name, max_cells) {
  check_cells(length(x$counts), max_cells, "rows")
  columns <- Map(as_level_factor, stored_codes(x), unname(x$dimnames))
  count_frame(columns, x$counts, x, name)
}

all_rows <- function(x, name, max_cells) {
  check_cells(length(x), max_cells, "rows")
  n <- length(x)
  each <- cumprod(c(1, dim(x)))
  columns <- lapply(seq_along(x$dimnames), function(v) {
    as_level_factor(rep(rep(seq_len(dim(x)[v]), each = each[v]), length.out = n), x$dimnames[[v]])
  })
  count_frame(columns, dense_counts(x, max_cells), x, name)
}

count_frame <- function(columns, counts, x, name) {
  columns <- c(columns, list(counts))
  names(columns) <- c(names(x$dimnames), name)
  list2data_frame(columns, length(counts))
}
