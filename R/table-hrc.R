# Hierarchy files of tau-ARGUS: a line for each node, with a lead string for each level below the
# first; the total is not in the file.

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
