# The formats of trees but correspondence frames, files of tau-ARGUS among them: each is read
# into nodes.

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
  stop_file <- function(what, ..., hint = NULL) {
    envir <- list2env(list(..., file = file), parent = baseenv())
    abort_sdc("input", c(
      "{.file {file}} must hold a hierarchy of tau-ARGUS.", x = what,
      i = hint %||% "Each line is a node: the lead string once for each level below the first, then
                     the code."
    ), .envir = envir)
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
    stop_tree("Its column {.val {column}} is {.obj_type_friendly {values}}.",
              column = names(tree)[!atomic][1], values = columns[!atomic][[1]])
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
  level <- if (pair[1] == "parent") columns[["level"]]
  if (is.null(level)) level <- rep(NA_character_, length(columns[[1]]))
  parent_child(columns[[pair[1]]], columns[[pair[2]]], level, stop_tree)
}

# A row without a parent, or that is its own parent, marks a root. Below another parent, a row that
# is its own parent says that the node has a single child of the same code: one node.
parent_child <- function(parent, child, level, stop_tree) {
  if (any(is.na(parent) & is.na(child))) stop_tree("It has a node without a name.")
  own <- !is.na(parent) & !is.na(child) & parent == child
  again <- own & child %in% child[!own & !is.na(parent)]
  check_single_child(parent[again], parent[!own], stop_tree)
  root <- is.na(parent) | own
  roots <- unique(c(child[root & !again], setdiff(parent[!root], child)))
  list(node = c(roots, child[!root]),
       parent = c(rep(NA_character_, length(roots)), parent[!root]),
       level = c(level[match(roots, child)], level[!root]))
}

# Depth as "@", "@@", ...: a column of its own, as sdcTable has it.
at_columns <- function(columns, stop_tree) {
  if (length(columns) != 2) {
    stop_tree("It is an `@`-frame with {n} columns, where depth and code make two.",
              n = length(columns))
  }
  bad <- !grepl("^@+$", columns[[1]])
  if (any(bad)) {
    stop_tree("Row {row} of its column of depths is {.val {text}}, not \"@\", \"@@\", ...",
              row = which(bad)[1], text = columns[[1]][bad][1])
  }
  at_frame(nchar(columns[[1]]), columns[[2]], stop_tree)
}

at_frame <- function(depth, node, stop_tree, where = paste("row", seq_along(node))) {
  jump <- which(c(depth[1] != 1, diff(depth) > 1))
  if (length(jump) > 0) {
    stop_tree("Its depths must start at the root and grow by one at a time; {where} breaks this.",
              where = where[jump[1]])
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
    stop_tree("It is a character vector of length {n} without names.", n = length(text))
  }
  if (!is_total_name(text)) {
    return(hrc_nodes(hrc_lines(text, stop_tree), "@", total_label, stop_tree))
  }
  if (!is.null(attr(text, "hier_format"))) {
    stop_tree("It is a tree of sdcHierarchies that was converted to {.val {format}}.",
              format = attr(text, "hier_format"), hint = "Give the tree before it was converted.")
  }
  if (is.null(levels)) {
    stop_tree("It is the string {.val {text}}, and there are no levels to add up.", text = text)
  }
  parent_child(rep(text, length(levels)), levels, rep(NA_character_, length(levels)), stop_tree)
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
  parent_child(unname(text), child, rep(NA_character_, length(child)), stop_tree)
}

hrc_lines <- function(file, stop_tree) {
  if (!file_exists(file)) {
    stop_tree("There is no file {.file {path}}.", path = file,
              hint = "A path is relative to the working directory, {.code getwd()}.")
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
    stop_tree("Line {line} has no code.", line = row[!nzchar(code)][1])
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
