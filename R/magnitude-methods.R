#' Look at a magnitude table
#'
#' `print()`, `format()` and `summary()` show no value of a contributor and no total but the grand
#' one. `as.data.frame()` lists all contributors and is as confidential as the microdata.
#'
#' @param x,object (sdc_magnitude) The table.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Not used; they stand here because [data.frame()] gives
#'   them.
#' @return `as.data.frame()`: a row for each contributor of a cell, largest first in each cell: one
#'   factor for each variable, `contributor` (the labels of `contributorVar`, or row numbers) and
#'   `value`. `dim()`, `dimnames()`: of the table. `sum()`: the grand total. `summary()`: numbers of
#'   cells, contributors and contributors by cell.
#' @section Errors:
#' `sdc_error_input` for arguments that are not there, and from `as.data.frame()` when a variable is
#' itself called `contributor` or `value`.
#' @family magnitude
#' @name sdc_magnitude-methods
#' @examples
#' firms <- data.frame(region = c("a", "a", "b"), turnover = c(5, 3, 4))
#' mg <- magnitude_table(firms, "region", "turnover")
#' summary(mg)
#' as.data.frame(mg)
NULL

#' @rdname sdc_magnitude-methods
#' @export
dim.sdc_magnitude <- function(x) unname(lengths(.subset2(x, "dimnames")))

#' @rdname sdc_magnitude-methods
#' @export
dimnames.sdc_magnitude <- function(x) .subset2(x, "dimnames")

#' @rdname sdc_magnitude-methods
#' @param na.rm Ignored: a table has no missing values.
#' @export
sum.sdc_magnitude <- function(x, ..., na.rm = FALSE) {
  check_no_dots(..., call = environment())
  in_values(base::sum(x$value), x)
}

magnitude_words <- function(x) {
  unit <- if (x$divides) plain_number(x$unit) else "none: values are not whole"
  c(
    paste0("magnitude table of ", x$variable, ": ", paste(dim(x), collapse = " x "), " cells (",
           paste(names(x$dimnames), collapse = ", "), "), ",
           format_count(length(x$cell)), " with contributors"),
    paste0(plural(length(x$value), "contribution"), ", unit ", unit),
    if (length(x$hierarchies) > 0) {
      paste0("trees over ", paste(names(x$hierarchies), collapse = ", "))
    }
  )
}

#' @rdname sdc_magnitude-methods
#' @export
format.sdc_magnitude <- function(x, ...) {
  c("PRIVATE: holds the contributors", magnitude_words(x))
}

#' @rdname sdc_magnitude-methods
#' @export
print.sdc_magnitude <- function(x, ...) {
  cat("<sdc_magnitude>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @rdname sdc_magnitude-methods
#' @export
summary.sdc_magnitude <- function(object, ...) {
  check_no_dots(...)
  count <- diff(object$start)
  structure(
    list(
      header = format(object), total = sum(object),
      contributors = c(
        one = base::sum(count == 1), two = base::sum(count == 2), more = base::sum(count > 2)
      ),
      zeros = base::sum(object$value == 0)
    ),
    class = "sdc_magnitude_summary"
  )
}

#' @export
print.sdc_magnitude_summary <- function(x, ...) {
  cat("<summary of sdc_magnitude>", paste0("  ", x$header), sep = "\n")
  n <- vapply(x$contributors, format_count, "")
  cat("  CONFIDENTIAL: cells with one contributor: ", n[["one"]], ", two: ", n[["two"]], ", more: ",
      n[["more"]], "\n", sep = "")
  cat("  CONFIDENTIAL: contributions of value 0: ", format_count(x$zeros), "\n", sep = "")
  invisible(x)
}

#' @rdname sdc_magnitude-methods
#' @export
as.data.frame.sdc_magnitude <- function(x, row.names = NULL, optional = FALSE, ...,
                                        stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_free_names(x$dimnames, c("contributor", "value"))
  cells <- rep(x$cell, diff(x$start))
  holder <- if (is.null(x$holders)) x$holder else x$holders[x$holder]
  list2data_frame(
    c(cell_factors(cells, x$dimnames), list(contributor = holder, value = in_values(x$value, x))),
    length(cells)
  )
}
