# The width of any release: how narrowly it pins down the cells at risk.

#' How narrowly a release pins down the cells at risk
#'
#' The width of a set of released sub-tables: the least, over the cells at risk, of the upper less
#' the lower bound that all of them together imply. A release is safe under [risk_width()] when its
#' width is at least `beta`.
#'
#' # How it is found
#' The release is split into its prime components, as in [bounds_margins()].
#' * **All components are sub-tables** (a decomposable release): the closed form, exact. Of
#'   variables in no sub-table only the total is known.
#' * **Other components** are bounded each in the table of its own variables, from outside by its
#'   margins, their chains, their equations and the generalized shuttle, and from inside by counts
#'   that tables with these margins attain: decomposable covers in closed form, and walks of basic
#'   moves that start from the true table. Where the component has at most `max_cells` cells the
#'   interval is closed by the search over whole numbers of [bounds_margins()].
#'
#' Cells come in the order of their outer intervals, narrowest first; the remaining cells
#' are bounded only as far as needed to show that they are no narrower. So the width is exact long
#' before all bounds are.
#'
#' # Why both ends matter
#' Outer bounds, such as those of the shuttle, contain the true interval: a width computed from them
#' is too large, and errs towards releasing. They can refute a release and never certify it.
#' Attained counts certify. Cells that are not stored count as possibly positive throughout: an
#' intruder does not know which cells of the full table are zero.
#'
#' @param release (`sdc_release`, `sdc_margins`, or the sub-tables as a list of character vectors or
#'   formulas, or labels like `"A:B"`) What is released.
#' @param x (`sdc_table`, or what [as_sdc_table()] takes) The full table; an `sdc_release` has its
#'   own.
#' @param risk (sdc_release_risk) A rule by [risk_width()], which says which cells are at risk; its
#'   `beta` plays no part.
#' @param ... For the methods; otherwise must be empty.
#' @param time_limit_s (number of at least 0, seconds of processor time) How long to search.
#' @param max_cells (number) Components with more cells are not solved in whole numbers.
#' @param progress (flag) Show a progress bar?
#' @return An object of class `sdc_width`, which is **private**: it holds bounds of cells that are
#'   found by their counts. A list with
#'   * `inner`, `outer`: the width lies between them; `exact`: are they equal?
#'   * `certificate`: how `inner` is known: `"closed form"`, `"whole numbers"`,
#'     `"covers and moves"`, or `"certificates of the release"`;
#'   * `stopped`: did time end the search? `components`, `open`: how many prime components there
#'     are, and how many of them are no sub-table; `programmes`: linear programmes in whole numbers;
#'   * `cells`: for each cell at risk the outer bounds `lower` and `upper`, and `least` and `most`,
#'     the smallest and largest count found in a table with the same margins.
#'
#'   `as.data.frame()` gives `cells` with the variables, and `narrowest`: may the width be attained
#'   at this cell?
#' @section Guarantee: inner <= width <= outer, always, in whole numbers without any tolerance.
#' @section Errors: `sdc_error_input` for unknown variables, margins that are not those of `x`, or a
#'   table without cells at risk.
#' @section Complexity: Closed form: O(sub-tables x stored cells). Otherwise exponential at worst;
#'   `time_limit_s` holds.
#' @references A. Dobra and S. E. Fienberg (2000), Bounds for cell entries in contingency tables
#'   given marginal totals and decomposable graphs, PNAS 97, 11885-11892.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' width(c("A:B:C", "B:C:D", "E", "F"), czech_workers, risk_width(3))
#' two_way <- combn(LETTERS[1:6], 2, simplify = FALSE)
#' w <- width(two_way, czech_workers, risk_width(3))
#' w
#' as.data.frame(w)
width <- function(release, ...) {
  check_given(release)
  UseMethod("width")
}

#' @rdname width
#' @export
width.sdc_release <- function(release, risk = release$risk, ..., time_limit_s = 60,
                              max_cells = 20000, progress = rlang::is_interactive()) {
  check_no_dots(...)
  style <- check_width_style(time_limit_s, max_cells, progress)
  problem <- bare_problem(release$problem$x, risk, "width")
  out <- measure_width(problem, release$sets, style)
  same <- identical(problem$at_risk, release$problem$at_risk) &&
    identical(labels_in(problem, release$sets), release$frontier)
  if (same) certify_width(out, release$width) else out
}

#' @rdname width
#' @export
width.sdc_margins <- function(release, x, risk, ..., time_limit_s = 60, max_cells = 20000,
                              progress = rlang::is_interactive()) {
  check_no_dots(...)
  style <- check_width_style(time_limit_s, max_cells, progress)
  problem <- bare_problem(x, risk, "width")
  tables <- released_tables(release)
  sets <- if (is.null(problem$steps)) {
    sub_table_sets(lapply(unname(tables), function(t) names(t$dimnames)), problem$variables,
                   "release")
  } else {
    lapply(unname(tables), margin_level_set, problem$steps, "release")
  }
  for (i in seq_along(tables)) {
    if (!has_same_cells(own_margin(problem, tables[[i]], sets[[i]]), tables[[i]])) {
      abort_sdc("input", c(
        "{.arg release} must hold margins of {.arg x}.",
        x = "{.val {labels_in(problem, sets[i])}} differs from the margin
             of {.arg x}.",
        i = "Make them with {.code margins(x, ...)}."
      ))
    }
  }
  measure_width(problem, check_level_sets(sets, problem$steps), style)
}

#' @rdname width
#' @export
width.default <- function(release, x, risk, ..., time_limit_s = 60, max_cells = 20000,
                          progress = rlang::is_interactive()) {
  check_no_dots(...)
  style <- check_width_style(time_limit_s, max_cells, progress)
  problem <- bare_problem(x, risk, "width")
  sets <- sub_table_sets(release, problem$variables, "release", problem$steps)
  measure_width(problem, check_level_sets(sets, problem$steps), style)
}

check_width_style <- function(time_limit_s, max_cells, progress) {
  check_number(time_limit_s, min = 0)
  check_number(max_cells, min = 1)
  check_flag(progress)
  list(seconds = time_limit_s, max_cells = max_cells, progress = progress)
}

# With its variables in the order of `table`.
own_margin <- function(problem, table, set) {
  names <- names(table$dimnames)
  if (is.null(problem$steps)) {
    return(sub_table(problem, match(names, problem$variables)))
  }
  own <- level_margin(problem$x, set)
  at <- match(names, names(own$dimnames))
  project_table(own, at, vector("list", length(at)), own$dimnames[at])
}

# Components that are laid out for walks and the shuttle.
max_component_cells <- 4e6

width_limits <- function(style, programmes = TRUE) {
  list(seconds = style$seconds, programmes = programmes, max_programme_cells = style$max_cells,
       max_entries = max_tableau(), max_cells = max_component_cells)
}

measure_width <- function(problem, sets, style) {
  x <- problem$x
  found <- with_progress("Width", function(tick) {
    with_core(cpp_release_width(problem, sets, width_limits(style), tick))
  }, style$progress)
  exact <- found$inner == found$outer
  structure(
    list(
      inner = found$inner, outer = found$outer, exact = exact,
      certificate = if (found$open == 0) "closed form" else if (exact && found$programmes > 0)
        "whole numbers" else "covers and moves",
      stopped = found$stopped, components = found$components, open = found$open,
      programmes = found$programmes,
      cells = list(
        dimnames = x$dimnames, codes = asked_at_risk(problem)$codes, lower = found$lower,
        upper = found$upper, least = found$least, most = found$most
      ),
      n_sets = length(maximal_sets(sets))
    ),
    class = sdc_class("sdc_width", mark = "private")
  )
}

# The width of what was chosen: it is safe already, so at least beta whatever the time allows.
final_width <- function(problem, sets, style, programmes) {
  style$seconds <- min(style$seconds, 10)
  found <- with_core(cpp_release_width(problem, sets, width_limits(style, programmes), NULL))
  inner <- max(found$inner, problem$risk$beta)
  exact <- inner == found$outer
  list(
    width = c(inner = inner, outer = found$outer),
    guarantee = paste0(
      if (exact) "width exactly " else "width certified to be at least ", format_count(inner),
      if (found$open == 0) ", by closed form" else if (programmes) ", by whole numbers" else
        ", by covers and moves"
    )
  )
}

# What a release knows of itself: certificates that were found when it was made.
certify_width <- function(x, known) {
  inner <- known[["inner"]]
  if (isTRUE(inner > x$outer)) {
    return(x)
  }
  if (isTRUE(inner > x$inner)) {
    x$inner <- inner
    x$certificate <- "certificates of the release"
  }
  x$outer <- min(x$outer, known[["outer"]], na.rm = TRUE)
  x$exact <- x$inner == x$outer
  x
}

#' @export
format.sdc_width <- function(x, ...) {
  n <- length(x$cells$lower)
  c(
    paste0("<sdc_width> ", width_words(x$inner, x$outer), " over ", plural(n, "cell"), " at risk"),
    "PRIVATE: holds bounds of the cells at risk",
    paste0("  by ", x$certificate, "; ", plural(x$n_sets, "maximal sub-table"), ", ",
           plural(x$components, "prime component"),
           if (x$open > 0) paste0(", ", x$open, " of them no sub-table")),
    if (!x$exact) "  the width lies between: certified from below, refuted from above",
    if (x$stopped) "  stopped by the time limit: the interval may become narrower"
  )
}

width_words <- function(inner, outer) {
  if (inner == outer) format_count(inner) else
    paste0("from ", format_count(inner), " to ", format_count(outer))
}

#' @rdname width
#' @param row.names,optional Not used.
#' @export
as.data.frame.sdc_width <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  cells <- x$cells
  columns <- cells[c("lower", "upper", "least", "most")]
  columns$narrowest <- cells$most - cells$least <= x$outer & cells$upper - cells$lower >= x$inner
  check_free_names(cells$dimnames, names(columns))
  list2data_frame(c(code_factors(cells), columns), length(cells$lower))
}
