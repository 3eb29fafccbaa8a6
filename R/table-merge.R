# One table of several: the shards of a data set.

#' Tables of shards, put together
#'
#' `c()` and `rbind()` add up tables with the same variables and levels: the tables of the parts of
#' a data set, be they months, regions or files, become the table of all its records. Factors with
#' the same levels in each part give such tables.
#'
#' @param ... (`sdc_table`) The tables. Their variables, levels, trees and crossings must be the
#'   same, in the same order.
#' @param deparse.level Ignored; the generic has it.
#' @return An `sdc_table`.
#' @section Errors: `sdc_error_input` for something that is no `sdc_table` and for tables that
#'   differ, with the first difference; `sdc_error_too_large` when the grand total exceeds 2^53, or
#'   the cells have no room (see [sdcLattice-memory]).
#' @section Complexity: O(cells log2(number of tables)): sorted keys are merged in one pass, after
#'   another one that counts them. See `system.file("bench", "large.R", package = "sdcLattice")`.
#' @family table
#' @name merge-tables
#' @examples
#' months <- factor(c("May", "May", "June"), levels = c("May", "June"))
#' people <- data.frame(month = months, sex = factor(c("f", "m", "f"), levels = c("f", "m")))
#' first <- sdc_table(people[1:2, ], drop_unused = FALSE)
#' second <- sdc_table(people[3, ], drop_unused = FALSE)
#' identical(c(first, second), sdc_table(people))
NULL

#' @rdname merge-tables
#' @export
c.sdc_table <- function(...) {
  if (is_called_by_ggplot2_margin(sys.nframe())) abort_masked_margin()
  merge_tables(list(...))
}

#' @rdname merge-tables
#' @export
rbind.sdc_table <- function(..., deparse.level = 1) merge_tables(list(...))

merge_tables <- function(tables) {
  first <- tables[[1]]
  for (k in seq_along(tables)) check_mergeable(tables[[k]], first, k)
  if (base::sum(vapply(tables, sum, 1)) > 2^53) {
    abort_sdc("too_large", c(
      "The grand total must not exceed 2^53 (9,007,199,254,740,992).",
      x = "The sum of the tables does."
    ))
  }
  n <- base::sum(vapply(tables, function(x) length(x$counts), 1))
  size <- dim(first)
  cells <- with_core(cpp_merge_tables(
    size, lapply(tables, function(x) x$keys), lapply(tables, function(x) x$counts),
    memory_plan(n * cell_bytes(size))
  ))
  new_table(first$dimnames, cells, first$layout)
}

# Of a table, the number `k` of those to be merged, and the first of them.
check_mergeable <- function(x, first, k) {
  if (!is_sdc_table(x)) {
    abort_sdc("input", c(
      "Only tables can be put together with a table.",
      x = "Argument {k} is {.obj_type_friendly {x}}."
    ))
  }
  names <- names(x$dimnames)
  same_names <- identical(names, names(first$dimnames))
  differs <- if (same_names) which(!mapply(identical, x$dimnames, first$dimnames))[1] else NA
  if (same_names && is.na(differs) && identical(x$layout, first$layout)) {
    return(invisible(x))
  }
  order <- !is.na(differs) && setequal(x$dimnames[[differs]], first$dimnames[[differs]])
  abort_sdc("input", c(
    "Tables that are put together must have the same variables and levels.",
    x = if (!same_names) {
      "The variables of table {k} are {.val {names}}, those of table 1
       {.val {names(first$dimnames)}}."
    } else if (is.na(differs)) {
      "Table {k} has other trees or crossings than table 1."
    } else if (order) {
      "Table {k} has the levels of {.val {names[differs]}} in another order."
    } else {
      "Table {k} has other levels of {.val {names[differs]}} than table 1."
    },
    i = if (!is.na(differs)) "Make factors with the same levels before {.fn sdc_table} counts the
                              parts."
  ))
}
