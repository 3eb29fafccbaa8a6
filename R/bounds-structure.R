#' The structure of a set of released margins
#'
#' Which margins say everything, and into which parts the release falls. [bounds_margins()] uses it
#' to give sharp bounds by formulas where it can.
#'
#' # Terms
#' The **frontier** are the margins that lie inside no other. The **independence graph** joins two
#' variables when some margin holds both. A set of variables **separates** when it lies inside a
#' margin and the graph falls apart without it. Splitting along separators as often as possible
#' gives the **prime components** (Leimer; Tarjan). The release is **decomposable** when every
#' component is a margin: the graph is chordal and its cliques are the frontier. Then the components
#' are the cliques. It is **reducible** when there is more than one component.
#'
#' The search for separators takes those of a minimal triangulation, found by maximum cardinality
#' search (MCS-M); a chordal graph is its own.
#'
#' @param release (`sdc_margins`, table or list of tables) the released margins.
#' @return An object of class `sdc_release_structure`, a list of
#'   * `variables`: the variables of all margins;
#'   * `frontier`: names of the margins of the frontier;
#'   * `decomposable`, `reducible`, `chordal`: flags;
#'   * `components`: the prime components, each a character vector of variables;
#'   * `complete`: for each component, is it a released margin?
#'   * `separators`: one fewer than components, those that occur several times several times.
#' @section Errors: `sdc_error_input` when a variable has different levels in two margins;
#'   `sdc_error_infeasible` when margins contradict each other.
#' @section Complexity: O(k^3) for k variables and each separator that is tried; comparing the
#'   margins takes O(non-zero cells) for each pair.
#' @references A. Dobra and S. E. Fienberg (2000), Bounds for cell entries in contingency tables
#'   given marginal totals and decomposable graphs, PNAS 97, 11885-11892. A. Berry, J. R. S. Blair,
#'   P. Heggernes and B. W. Peyton (2004), Maximum cardinality search for computing minimal
#'   triangulations of graphs, Algorithmica 39, 287-298.
#' @family bounds
#' @export
#' @examples
#' x <- sdc_table(czech_workers)
#' release_structure(margins(x, list(c("B", "F"), c("A", "B", "C", "E"), c("A", "D", "E"))))
#' release_structure(margins(x, list(c("A", "B"), c("B", "C"), c("A", "C"), c("C", "D"))))
release_structure <- function(release) {
  check_given(release)
  tables <- released_tables(release)
  if (is.null(tables)) abort_no_margins(release)
  release <- read_release(tables, NULL)
  found <- release$structure
  names <- function(sets) lapply(sets, function(set) base::names(release$dimnames)[set])
  structure(
    list(
      variables = base::names(release$dimnames),
      frontier = base::names(tables)[found$frontier],
      decomposable = found$decomposable,
      reducible = length(found$components) > 1,
      chordal = found$chordal,
      components = names(found$components),
      complete = found$kinds == "margin",
      separators = names(found$separators)
    ),
    class = sdc_class("sdc_release_structure")
  )
}

abort_no_margins <- function(release) {
  abort_sdc("input", c(
    "{.arg release} must be released margins: an {.cls sdc_margins}, a table or a list of tables.",
    x = "{.arg release} is {.obj_type_friendly {release}}.",
    i = "Make one with {.fn margins}."
  ))
}

#' @export
format.sdc_release_structure <- function(x, ...) {
  kind <- if (x$decomposable) {
    "decomposable"
  } else if (x$reducible) {
    "reducible, not decomposable"
  } else {
    "irreducible"
  }
  sets <- function(sets) paste0("[", vapply(sets, paste, "", collapse = " "), "]", collapse = " ")
  open <- x$components[!x$complete]
  c(
    paste0("<sdc_release_structure> ", plural(length(x$frontier), "margin"), " on the frontier, ",
           plural(length(x$variables), "variable"), ": ", kind),
    cut_text(paste0("  frontier:   ", paste(x$frontier, collapse = " ")), 99),
    cut_text(
      paste0("  ", if (x$decomposable) "cliques:    " else "components: ", sets(x$components)), 99
    ),
    if (length(x$separators) > 0) cut_text(paste0("  separators: ", sets(x$separators)), 99),
    if (length(open) > 0) cut_text(paste0("  no margin:  ", sets(open)), 99)
  )
}
