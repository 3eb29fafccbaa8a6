# The formats of trees but correspondence frames, files of tau-ARGUS among them: each is read
# into nodes. And trees of nested variables.

#' Read a hierarchy file of tau-ARGUS
#'
#' Reads an `.hrc` file into a tree for the argument `hierarchies`, which also takes the path
#' itself. The function is for files with another lead string, or for a look at the tree.
#'
#' Each line of the file is a node: the lead string once for each level below the first, then the
#' code. The total has no line; the tree gets `total_label` as its root. Spaces around codes and
#' empty lines are no part of the tree. A file that is not valid UTF-8 is read as Latin-1.
#'
#' @param file (string) path to the file.
#' @param lead (string) the lead string, in tau-ARGUS the `HIERLEADSTRING`.
#' @param total_label (string) name of the root, the total over all levels.
#' @param ... Must be empty.
#' @return A data frame with columns `parent` and `child`: a row for each node, the root first, with
#'   parent `NA`.
#' @section Errors: `sdc_error_input` when there is no such file, when a line has no code or is more
#'   than one level below the line before it, or when a code stands in it twice (a node with a
#'   single child of the same code is one node).
#' @section Complexity: O(lines times levels).
#' @family table
#' @seealso [hierarchies] for all formats of trees.
#' @export
#' @examples
#' file <- tempfile(fileext = ".hrc")
#' writeLines(c("North", "@@n1", "@@n2", "South", "@@s1"), file)
#' read_hrc(file)
#' x <- sdc_table(data.frame(region = c("n1", "n1", "n2", "s1")))
#' as.data.frame(x, hierarchies = list(region = file))
read_hrc <- function(file, lead = "@", total_label = "Total", ...) {
  check_no_dots(...)
  check_string(file)
  check_string(lead)
  check_string(total_label)
  stop_file <- function(what, hint = "Each line is a node: the lead string once for each level below
                                      the first, then the code.", .envir = parent.frame()) {
    abort_sdc("input", c("{.file {file}} must hold a hierarchy of tau-ARGUS.", x = what, i = hint),
              .envir = rlang::env(.envir, file = file))
  }
  nodes <- hrc_nodes(hrc_lines(file, stop_file), lead, total_label, stop_file)
  check_tree(nodes, NULL, stop_file)
  plain_tree(nodes)
}

# The columns as strings, as sdc_table() makes levels of them.
tree_columns <- function(tree, levels, stop_tree) {
  columns <- unclass(tree)[seq_along(tree)]
  atomic <- vapply(columns, function(x) is.atomic(x) && is.null(dim(x)), NA)
  if (!all(atomic)) {
    stop_tree("Its column {.val {names(tree)[!atomic][1]}} is
               {.obj_type_friendly {columns[!atomic][[1]]}}.")
  }
  Map(tree_codes, columns, names(tree), list(levels))
}

# A number that R writes as 1e+05 or as 100000 is written as the level is.
tree_codes <- function(x, name, levels) {
  if (is_labelled(x)) x <- labelled_factor(x, name)
  if (inherits(x, "integer64")) {
    x <- cpp_read_integer64(x)
    return(ifelse(is.na(x), NA_character_, whole_text(x)))
  }
  x[is.na(x)] <- NA
  codes <- as.character(x)
  if (is.numeric(x) && !is.object(x)) {
    for (other in list(whole_text(x), as.character(as.double(x)))) {
      fits <- !is.na(x) & x == floor(x) & other %in% levels & !codes %in% levels
      codes[fits] <- other[fits]
    }
  }
  codes
}

# Which columns hold parent and child, by the names that sdcHierarchies, SSBtools and others use.
pair_columns <- function(names) {
  pairs <- list(
    c("root", "leaf"), c("mapsTo", "mapsFrom"), c("parent", "child"), c("parentCode", "code"),
    c("to", "from")
  )
  found <- vapply(pairs, function(pair) all(pair %in% names), NA)
  if (any(found)) pairs[[which(found)[1]]]
}

pair_frame <- function(columns, pair, stop_tree) {
  if ("sign" %in% names(columns) && pair[1] %in% c("mapsTo", "to")) {
    check_signs_of_tree(columns, pair, stop_tree)
  }
  parent_child(columns[[pair[1]]], columns[[pair[2]]], stop_tree,
               if (pair[1] == "parent") columns[["level"]])
}

# A row without a parent, or that is its own parent, marks a root. Below another parent, a row that
# is its own parent says that the node has a single child of the same code: one node.
parent_child <- function(parent, child, stop_tree, level = NULL) {
  level <- level %||% rep(NA_character_, length(child))
  if (any(is.na(parent) & is.na(child))) stop_tree("It has a node without a name.")
  own <- !is.na(parent) & !is.na(child) & parent == child
  again <- own & child %in% child[!own & !is.na(parent)]
  wrong <- intersect(parent[again], parent[!own])
  if (length(wrong) > 0) {
    stop_tree("The code {.val {wrong[1]}} stands on two levels: it is a child of itself, beside
               others.",
              "Give the coarser node another code, such as {.val {paste(wrong[1], 'total')}}.")
  }
  root <- is.na(parent) | own
  roots <- unique(c(child[root & !again], setdiff(parent[!root], child)))
  list(node = c(roots, child[!root]),
       parent = c(rep(NA_character_, length(roots)), parent[!root]),
       level = c(level[match(roots, child)], level[!root]))
}

# Depth as "@", "@@", ...: a column of its own, as sdcTable has it.
at_columns <- function(columns, stop_tree) {
  if (length(columns) != 2) {
    stop_tree("It is an `@`-frame with {length(columns)} columns, where depth and code make two.")
  }
  row <- which(!grepl("^@+$", columns[[1]]))[1]
  if (!is.na(row)) {
    stop_tree("Row {row} of its column of depths is {.val {columns[[1]][row]}}, not \"@\", \"@@\",
               ...")
  }
  at_frame(nchar(columns[[1]]), columns[[2]], stop_tree)
}

at_frame <- function(depth, node, stop_tree, where = paste("row", seq_along(node))) {
  jump <- which(c(depth[1] != 1, diff(depth) > 1))
  if (length(jump) > 0) {
    stop_tree("Its depths must start at the root and grow by one at a time; {where[jump[1]]} breaks
               this.")
  }
  above <- integer(length(node))
  for (d in seq_len(max(depth))[-1]) {
    last <- cummax(ifelse(depth == d - 1, seq_along(node), 0L))
    above[depth == d] <- last[depth == d]
  }
  # a node with a single child of the same code is one node
  single <- tabulate(above, length(node)) == 1
  same <- (above > 0 & single[pmax(above, 1L)] & node == node[pmax(above, 1L)]) %in% TRUE
  parent <- rep(NA_character_, length(node))
  parent[above > 0] <- node[above]
  list(node = node[!same], parent = parent[!same], level = rep(NA_character_, sum(!same)))
}

# ---- text ---------------------------------------------------------------------------------------

# A vector that maps codes to their parents; the lines of an .hrc file, or its path; or the label of
# the total over all levels.
tree_of_text <- function(text, levels, total_label, stop_tree) {
  if (length(text) == 0) stop_tree("It is an empty vector.")
  if (!is.null(names(text))) {
    return(tree_of_vector(text, total_label, stop_tree))
  }
  if (anyNA(text)) stop_tree("It is a vector with missing values.")
  if (any(startsWith(text, "@"))) {
    return(hrc_nodes(text, "@", total_label, stop_tree))
  }
  if (length(text) > 1) {
    stop_tree("It is a character vector of length {length(text)} without names.")
  }
  if (!is_total_name(text)) {
    return(hrc_nodes(hrc_lines(text, stop_tree), "@", total_label, stop_tree))
  }
  if (!is.null(attr(text, "hier_format"))) {
    stop_tree("It is a tree of sdcHierarchies that was converted to
               {.val {attr(text, 'hier_format')}}.", "Give the tree before it was converted.")
  }
  if (is.null(levels)) {
    stop_tree("It is the string {.val {text}}, and there are no levels to add up.")
  }
  parent_child(rep(text, length(levels)), levels, stop_tree)
}

# Is the tree the name of a total over all levels, and no path?
is_total_name <- function(tree) {
  is.character(tree) && length(tree) == 1 && is.null(names(tree)) && !is.na(tree) &&
    !grepl("^@|[.]hrc$|[/\\\\]", tree, ignore.case = TRUE) && !file_exists(tree)
}

# Where no single node is above all others, the root is the total.
tree_of_vector <- function(text, total_label, stop_tree) {
  child <- names(text)
  if (anyNA(text) || anyNA(child) || !all(nzchar(child))) {
    stop_tree("It is a vector with missing values or names.")
  }
  tops <- setdiff(text, child)
  if (length(tops) > 1) {
    check_free_label(total_label, c(child, tops), stop_tree)
    child <- c(tops, child)
    text <- c(rep(total_label, length(tops)), text)
  }
  parent_child(unname(text), child, stop_tree)
}

hrc_lines <- function(file, stop_tree) {
  if (!file_exists(file)) {
    stop_tree("There is no file {.file {file}}.",
              "A path is relative to the working directory, {.code getwd()}.")
  }
  lines <- readLines(file, warn = FALSE)
  valid <- validUTF8(lines)
  lines[!valid] <- iconv(lines[!valid], "latin1", "UTF-8")
  Encoding(lines) <- "UTF-8"
  sub("^\ufeff", "", lines)
}

file_exists <- function(path) file.exists(path) && !dir.exists(path)

hrc_nodes <- function(lines, lead, total_label, stop_tree) {
  row <- which(nzchar(trimws(lines)))
  if (length(row) == 0) stop_tree("It has no lines.")
  run <- paste0("^(?:\\Q", lead, "\\E)*")
  code <- sub(run, "", lines[row], perl = TRUE)
  depth <- (nchar(lines[row]) - nchar(code)) / nchar(lead)
  code <- trimws(code)
  if (!all(nzchar(code))) {
    stop_tree("Line {row[!nzchar(code)][1]} has no code.")
  }
  if (!identical(code[depth == 0], total_label)) check_free_label(total_label, code, stop_tree)
  at_frame(c(1, depth + 2), c(total_label, code), stop_tree,
           where = paste("line", c(0L, row)))
}

# The nodes as a data frame.
plain_tree <- function(nodes) {
  nodes <- lapply(nodes, function(n) plain(as.vector(n)))
  columns <- list(parent = nodes$parent, child = nodes$node)
  if (!all(is.na(nodes$level))) columns$level <- nodes$level
  list2data_frame(columns, length(nodes$node))
}

# ---- nested variables ----------------------------------------------------------------------------

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
  again <- unique(out$child[duplicated(out$child) | out$child == total_label])
  check_that(
    length(again) == 0,
    "All levels of the nested variables, and the total, must have different names.",
    x = "{.val {again}} {?is/are} the name of more than one.",
    i = "Rename the levels of one variable, or choose another {.arg total_label}."
  )
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
  size <- lengths(x$dimnames)
  if (length(size) < 2 || length(x$counts) == 0) {
    return(list())
  }
  codes <- stored_codes(some_cells(x, 2000))
  inside <- matrix(FALSE, length(size), length(size))
  for (i in which(size > 2)) for (j in setdiff(which(size > 1), i)) {
    inside[i, j] <- determines(codes[[i]], codes[[j]]) && is_nested(x, i, j)
  }
  direct <- which(inside & inside %*% inside == 0, arr.ind = TRUE)
  lapply(seq_len(nrow(direct)), function(k) direct[k, ])
}

# Does each code of a come with one code of b?
determines <- function(a, b) {
  of <- integer(max(a))
  of[a] <- b
  all(of[a] == b)
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
