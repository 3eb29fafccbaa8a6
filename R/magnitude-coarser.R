# Coarser tables of magnitudes: the finest categories of a variable merged, or the variable left
# out.

#' A coarser table of magnitudes
#'
#' Merges the finest categories of a variable into the groups above them, by the variable's tree;
#' without such groups the variable is left out. Contributors are added up anew, so that somebody
#' who was in two of the merged cells is one contributor of the new cell. Fewer, larger cells are
#' the oldest protection of all: see what [sensitive()][sensitive.sdc_magnitude] finds in them.
#'
#' @details
#' A group is merged when all that is directly below it are categories of the table. Others stay
#' until the groups below them have been merged, by a second call. Where the only such group is the
#' total, merging leaves nothing of the variable.
#'
#' @param x (sdc_magnitude) The table, of [magnitude_table()]. It must publish all its crossings,
#'   and hold all contributors, which tables of ready cells do not.
#' @param variable (string) The variable.
#' @param ... Must be empty.
#' @return An `sdc_magnitude` with fewer cells, as confidential as `x`.
#' @section Errors: `sdc_error_input` for anything else, and where the table has one variable
#'   without a group to merge.
#' @section Guarantee: Exact, in whole units: each new cell has the contributors of the cells that
#'   it is made of, and the grand total stays.
#' @family magnitude
#' @export
#' @examples
#' firms <- data.frame(
#'   town = c("a", "a", "b", "c", "c", "d"), branch = c("x", "y", "x", "x", "y", "y"),
#'   turnover = c(5, 3, 4, 8, 2, 7)
#' )
#' county <- c(a = "north", b = "north", c = "south", d = "south")
#' mg <- magnitude_table(firms, c("town", "branch"), "turnover", hierarchies = list(town = county))
#' coarser_table(mg, "town")
#' coarser_table(mg, "branch")
coarser_table <- function(x, variable, ...) {
  check_no_dots(...)
  check_given(x)
  validate_sdc_magnitude(x)
  check_given(variable)
  variable <- check_choice(variable, names(x$dimnames))
  check_can_be_coarser(x)
  trees <- x$hierarchies[[variable]]
  leaves <- x$dimnames[[variable]]
  group <- if (length(trees) == 1) groups_above(trees[[1]], leaves)
  merged_categories(x, variable, group)
}

check_can_be_coarser <- function(x) {
  fault <- if (!is.null(x$top)) {
    "It was made of ready cells, of which not all contributors are known."
  }
  if (!is.null(x$crossings)) fault <- "It was made with a formula, which says what is published."
  if (is.null(fault)) {
    return(invisible(x))
  }
  abort_sdc("input", c("{.arg x} must be a table of records, all of whose crossings are published.",
                       x = "{fault}"))
}

# For each leaf its group; NULL where there is none but the total. `tree`: parents and children.
groups_above <- function(tree, leaves) {
  # the total has no parent
  nodes <- intersect(tree$parent, tree$child[!is.na(tree$parent)])
  lowest <- nodes[vapply(nodes, function(node) {
    all(tree$child[tree$parent %in% node] %in% leaves)
  }, NA)]
  if (length(lowest) == 0) {
    return(NULL)
  }
  above <- tree$parent[match(leaves, tree$child)]
  ifelse(above %in% lowest, above, leaves)
}

# `group`: for each leaf of the variable its new category, or NULL to leave the variable out.
merged_categories <- function(x, variable, group) {
  if (is.null(group) && length(x$dimnames) == 1) {
    abort_sdc("input", c(
      "A coarser table must have a variable left.",
      x = "This one has a single variable, and no tree with groups of its categories."
    ))
  }
  codes <- rlang::set_names(split_codes(x$cell, lengths(x$dimnames, FALSE)), names(x$dimnames))
  labels <- x$dimnames
  trees <- x$hierarchies
  if (is.null(group)) {
    codes[[variable]] <- labels[[variable]] <- trees[[variable]] <- NULL
  } else {
    labels[[variable]] <- unique(group)
    codes[[variable]] <- match(group, labels[[variable]])[codes[[variable]]]
    tree <- trees[[variable]][[1]]
    kept <- !tree$child %in% setdiff(x$dimnames[[variable]], group)
    trees[[variable]] <- list(list2data_frame(lapply(tree, `[`, kept), sum(kept)))
  }
  cell <- combine_codes(codes, lengths(labels, FALSE), length(x$cell))
  grouped <- with_core(cpp_group_contributors(
    as.double(rep(cell, diff(x$start))), x$holder, x$value, default_threads()
  ))
  x[names(grouped)] <- grouped
  x$dimnames <- labels
  x["hierarchies"] <- list(if (length(trees) > 0) trees)
  x
}
