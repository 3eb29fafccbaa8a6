# Frames for people who work with dplyr: tidy() and glance() of the package generics, as_tibble().

#' Tidy frames of results
#'
#' `tidy()` gives what [as.data.frame()] gives, as a tibble where that package is installed: a row
#' for each cell, interval or sub-table, so that `dplyr` and `ggplot2` take over. `glance()` gives
#' one row with the figures that matter, to put several results below one another. `as_tibble()` is
#' `tidy()` under the name that tibble users know.
#'
#' A frame of a private or confidential object is as confidential as the object.
#'
#' @param x (any object of this package that [as.data.frame()] takes; for `glance()` a table of
#'   counts or magnitudes, a suppression or its publication, a rounding, a publication, bounds, a
#'   number of tables or a release) The result.
#' @param ... For [as.data.frame()], such as `totals = TRUE`; `glance()` has no further arguments.
#' @return `tidy()` and `as_tibble()`: a tibble, or a data frame where tibble is not installed.
#'   `glance()`: the same with one row and, by kind of object,
#'   * tables of counts: `variables`, `cells`, `nonzero`, `total`, `n1`, `n2`, `n3` (numbers of
#'     cells with these counts);
#'   * tables of magnitudes: `variables`, `cells`, `with_contributors`, `contributions`, `total`;
#'   * suppressions: `cells` (published or withheld, totals included), `primary`, `secondary`,
#'     `method`, `audited`; of their publications only `cells` and `suppressed`;
#'   * roundings and their publications: `cells`, `base`, `method`; of roundings also `violations`;
#'   * perturbed publications: `cells`, `total`, `covers`;
#'   * bounds: `cells`, `known`, `sharp`, `narrowest`, `median_width`, `method`;
#'   * numbers of tables: `tables` (a string of all digits), `exact`;
#'   * releases: `sub_tables`, `frontier` (number of sets), `width` (that is certified), `value`,
#'     `upper_bound`,
#'     `optimal`.
#' @section Errors:
#' `sdc_error_input` when an object has no rows, or no such figures.
#' @name tidy
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' x <- sdc_table(Titanic, c("Class", "Survived"))
#' generics::tidy(x, totals = TRUE)
#' generics::glance(x)
#' found <- bounds_margins(margins(x, list("Class", "Survived")))
#' generics::glance(found)
NULL

#' @rdname tidy
#' @usage \method{tidy}{sdc_object}(x, ...)
#' @exportS3Method generics::tidy
tidy.sdc_object <- function(x, ...) as_tidy(as.data.frame(x, ...))

#' @rdname tidy
#' @usage \method{as_tibble}{sdc_object}(x, ...)
#' @exportS3Method tibble::as_tibble
as_tibble.sdc_object <- function(x, ...) as_tidy(as.data.frame(x, ...))

#' @rdname tidy
#' @usage \method{glance}{sdc_object}(x, ...)
#' @exportS3Method generics::glance
glance.sdc_object <- function(x, ...) {
  check_no_dots(...)
  figures <- glance_figures(x)
  as_tidy(list2data_frame(figures, 1))
}

as_tidy <- function(data) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(as.list(data)) else data
}

# The figures of one row, by name.
glance_figures <- function(x) UseMethod("glance_figures")

#' @export
glance_figures.default <- function(x) {
  abort_sdc("input", c(
    "{.fn glance} needs a table, suppression, rounding, publication, bounds, a number of tables or a
     release.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "{.fn summary} may have what you look for."
  ))
}

#' @export
glance_figures.sdc_table <- function(x) {
  small <- vapply(1:3, function(k) base::sum(x$counts == k), 1)
  list(variables = length(x$dimnames), cells = length(x), nonzero = length(x$counts),
       total = sum(x), n1 = small[1], n2 = small[2], n3 = small[3])
}

#' @export
glance_figures.sdc_magnitude <- function(x) {
  list(variables = length(x$dimnames), cells = prod(lengths(x$dimnames)),
       with_contributors = length(x$cell), contributions = length(x$value), total = sum(x))
}

#' @export
glance_figures.sdc_suppression <- function(x) {
  status <- x$cells$sdcStatus
  list(cells = sum(in_crossings(x)), primary = sum(status == "u"), secondary = sum(status == "x"),
       method = x$method, audited = !is.null(x$audit))
}

#' @export
glance_figures.sdc_suppressed <- function(x) {
  open <- in_crossings(x)
  list(cells = sum(open), suppressed = sum(x$cells$suppressed[open]))
}

#' @export
glance_figures.sdc_rounding <- function(x) {
  list(cells = length(x$original), base = x$base, method = x$method,
       violations = nrow(x$violations))
}

#' @export
glance_figures.sdc_rounded_publication <- function(x) {
  list(cells = length(x$table), base = x$base, method = x$method)
}

#' @export
glance_figures.sdc_publication <- function(x) {
  list(cells = length(x$table), total = sum(x$table), covers = x$mechanism$covers)
}

#' @export
glance_figures.sdc_bounds <- function(x) {
  width <- x$upper - x$lower
  some <- length(width) > 0
  list(cells = length(width), known = sum(width == 0), sharp = sum(x$sharp),
       narrowest = if (some) min(width) else NA_real_,
       median_width = if (some) stats::median(width) else NA_real_, method = x$method)
}

#' @export
glance_figures.sdc_count <- function(x) list(tables = as.character(x), exact = x$exact)

#' @export
glance_figures.sdc_release <- function(x) {
  list(sub_tables = x$n_sub_tables, frontier = length(x$frontier), width = x$width[["inner"]],
       value = x$value, upper_bound = x$upper_bound, optimal = isTRUE(x$optimal))
}
