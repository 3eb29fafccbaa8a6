# What a table answers, and what it refuses: base R would answer about its inner parts.

#' What a table answers
#'
#' An `sdc_table` answers the questions that one asks of an array, without ever being one: only
#' `as.table()` and `as.array()` make all cells, and refuse to make too many.
#'
#' # Indices
#' `x[i, j, ...]` takes one index for each variable: labels, numbers (positive or negative), logical
#' values of the length of the levels, or nothing for all levels. The result is an `sdc_table` with
#' these levels in the order of the index; it keeps variables with one level unless `drop = TRUE`.
#' No label may be chosen twice, and a single index into the cells is not offered. A factor counts
#' by its labels. An index that leaves levels out gives a table without trees and crossings: their
#' totals would no longer be those of the nodes. Indices are evaluated where they were written, so
#' that functions can pass them on
#' by `...`.
#'
#' # Printing
#' `print()` shows a window of the table with its totals: at most 12 rows and 8 columns, as many as
#' fit the console. Of a table with more than two variables it shows two of them, over all of the
#' others. Nodes of trees stand before what is below them. A table is an original: its print is as
#' confidential as the table.
#'
#' # What a table does not answer
#' Tables are not edited in place: `x[...] <-`, `x[[...]] <-`, `x$... <-`, `dim(x) <-` and
#' `dimnames(x) <-` are errors. Nor do tables calculate: arithmetic, comparisons, `range()`,
#' `mean()`, `sort()`, `cbind()` and their like are errors, which is better than an answer about the
#' inner parts of the object. Take the counts by `as.array()` or `as.data.frame()`, and make a
#' new table of the result by [sdc_table()].
#'
#' @param x,object (`sdc_table`) the table.
#' @param ... for `[`, the indices; for `sum()`, nothing else; else unused.
#' @param totals (flag) draw the table with its totals? The default is yes for tables with trees or
#'   crossings.
#' @param drop (flag) leave out variables of which one level is left?
#' @param na.rm ignored: a table has no missing counts.
#' @param most (whole number) how many variables `format()` shows.
#' @param max_cells (number) largest number of cells of a dense result; the default is the option
#'   `sdcLattice.max_cells`, or 5e7.
#' @return `dim()`: integer, the numbers of levels. `dimnames()`: a named list of level labels.
#'   `length()`: the number of cells, zero or not. `sum()`: the grand total. `as.table()` and
#'   `as.array()`: all cells, of type integer where that can hold them; `as.matrix()`: the same of
#'   two variables. `as.vector()` and `as.numeric()`: all counts, first variable fastest. `t()`: the
#'   table with its two variables exchanged. `summary()`: the numbers of
#'   cells, of non-zero cells, and of cells with small counts; of a table with trees or crossings
#'   also the trees, and `by_level`, a data frame of the published cells on each combination of
#'   levels: how many there are, are not zero, and have counts of 1, 2 and 3 (`n1`, `n2`, `n3`).
#'   `plot()`: a picture of the counts,
#'   drawn by `autoplot()`: bars for one variable, a heat map for two, else how many cells have
#'   which count; with totals a window as `print()` shows it, of at most 40 x 30.
#' @section Errors: `sdc_error_too_large` when a dense result would have more than `max_cells`
#'   cells; `sdc_error_input` when an index fits no level.
#' @family table
#' @name table-methods
#' @examples
#' x <- sdc_table(Titanic)
#' dim(x)
#' x["Crew", , , c("No", "Yes")]
#' as.table(x["Crew", , "Adult", , drop = TRUE])
#' summary(x)
NULL

#' @rdname table-methods
#' @export
sum.sdc_table <- function(x, ..., na.rm = FALSE) {
  check_no_dots(...)
  base::sum(x$counts)
}

#' @rdname table-methods
#' @export
`[.sdc_table` <- function(x, ..., drop = FALSE) {
  check_flag(drop)
  levels <- unname(x$dimnames)
  # missing() also sees an index that is empty further up: f <- function(i, j) x[i, j]
  here <- environment()
  empty <- vapply(seq_len(...length()), function(k) {
    eval(call("missing", as.name(paste0("..", k))), here)
  }, NA)
  if (length(empty) <= 1 && all(empty)) {
    empty <- rep(TRUE, length(levels))
  }
  n <- length(empty)
  check_that(
    n == length(levels),
    "There must be one index for each variable.",
    x = "The table has {length(levels)} variable{?s}; there {cli::qty(n)}{?is/are} {n}
         {?index/indices}.",
    i = "For cells in order, use {.code as.array(x)}."
  )
  index <- lapply(seq_along(levels), function(v) {
    if (empty[v]) {
      return(seq_along(levels[[v]]))
    }
    at <- index_positions(...elt(v), levels[[v]])
    name <- names(x$dimnames)[v]
    if (anyNA(at)) abort_index(...elt(v), at, levels[[v]], name)
    twice <- levels[[v]][at[duplicated(at)]]
    check_that(
      length(twice) == 0,
      "Indices must choose a level once.",
      x = "Level {.val {twice[1]}} of {.val {name}} is chosen more than once."
    )
    at
  })
  out <- select_levels(x, index)
  whole <- all(lengths(index) == dim(x))
  if (whole) out <- set_layout(out, x$layout)
  if (drop) margin(out, names(x$dimnames)[lengths(index) != 1]) else out
}

abort_index <- function(i, at, levels, name) {
  n <- length(levels)
  first <- utils::head(levels, 5)
  wrong <- if (is.numeric(i)) !i %in% c(-seq_len(n), seq_len(n)) else
    if (is.logical(i)) is.na(i) else is.na(at)
  # NA when each one alone would do
  bad <- which(wrong)[1]
  value <- if (is.factor(i)) as.character(i)[bad] else if (is.atomic(i)) i[bad]
  abort_sdc("input", c(
    "Indices must be labels or positions of levels.",
    x = if (is.logical(i) && length(i) != n) {
      "The logical index of {.val {name}} has length {length(i)}; it must have length {n}."
    } else if (!is.factor(i) && !is.character(i) && !is.numeric(i) && !is.logical(i)) {
      "The index of {.val {name}} is {.obj_type_friendly {i}}."
    } else if (is.na(bad)) {
      "The indices of {.val {name}} are positive and negative."
    } else if (is.numeric(i) && isTRUE(value > n && value == floor(value)) && n > 0) {
      "Index {bad} of {.val {name}} is {value}, but {.val {name}} has only {n} level{?s}."
    } else {
      "Index {bad} of {.val {name}} is {.val {value}}, which is not a level."
    },
    i = if (is.character(value)) did_you_mean(value, levels),
    i = paste0("{.val {name}} has {n} level{?s}", if (n > 5) ", the first of which are ",
               if (n > 0 && n <= 5) ": ", if (n > 0) "{.val {first}}", ".")
  ))
}

# Positions, NA where an index fits no level.
index_positions <- function(i, levels) {
  n <- length(levels)
  if (is.factor(i) || is.character(i)) {
    return(match(as.character(i), levels))
  }
  if (is.logical(i) && length(i) == n && !anyNA(i)) {
    return(which(i))
  }
  ok <- is.numeric(i) && !anyNA(i) && all(i == floor(i) & i != 0 & abs(i) <= n) &&
    length(unique(sign(i))) <= 1
  if (!ok) {
    return(NA_integer_)
  }
  seq_len(n)[i]
}

#' @rdname table-methods
#' @export
as.array.sdc_table <- function(x, ..., max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  all_cells(x, max_cells)
}

all_cells <- function(x, max_cells) {
  check_that(
    length(x$dimnames) != 0,
    "An array must have at least one dimension.",
    x = "The table has no variables.",
    i = "Its one count is {.code sum(x)}."
  )
  counts <- dense_counts(x, max_cells)
  if (all(x$counts <= .Machine$integer.max)) {
    storage.mode(counts) <- "integer"
  }
  array(counts, dim(x), dimnames(x))
}

#' @rdname table-methods
#' @export
as.table.sdc_table <- function(x, ..., max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  structure(all_cells(x, max_cells), class = "table")
}

#' @rdname table-methods
#' @export
as.matrix.sdc_table <- function(x, ..., max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_two_variables(x)
  all_cells(x, max_cells)
}

#' @rdname table-methods
#' @export
t.sdc_table <- function(x) {
  check_two_variables(x)
  margin(x, rev(names(x$dimnames)))
}

check_two_variables <- function(x) {
  check_that(
    length(x$dimnames) == 2,
    "A matrix must have two variables.",
    x = "The table has {length(x$dimnames)}.",
    i = "{.fn margin} takes some of them, in any order."
  )
}

#' @param mode (string) as for [as.vector()].
#' @rdname table-methods
#' @export
as.vector.sdc_table <- function(x, mode = "any") as.vector(dense_counts(x), mode)

#' @rdname table-methods
#' @export
as.double.sdc_table <- function(x, ...) dense_counts(x)

#' Small counts of a table
#'
#' Lists the cells of a table of counts that are sensitive: those with at least one unit, and fewer
#' than a threshold. This is where protection begins.
#'
#' @param x (sdc_table, or an array of counts) The confidential table.
#' @param threshold (whole number from 2 on) A count from 1 to `threshold - 1` is sensitive.
#' @param totals (flag) Are the published totals judged as well, and nothing that is not published?
#'   By default they are when the table has trees or crossings.
#' @param ... Must be empty.
#' @return A data frame with the labels of each sensitive cell and its count in the column `freq`,
#'   the first variable running fastest; with totals, in the order of
#'   [as.data.frame()][as.data.frame.sdc_table]. It is as confidential as `x`. Zeros are not listed.
#' @section Errors: `sdc_error_input` for a threshold that is no whole number from 2 on, and for
#'   a variable with the name `freq`.
#' @section Guarantee: Time is linear in the number of cells that are not zero.
#' @family table
#' @examples
#' sensitive(roehrig)
#' sensitive(sdc_table(czech_workers), threshold = 4)
#' @export
sensitive.sdc_table <- function(x, threshold = 3, totals = !is.null(x$layout), ...) {
  check_no_dots(...)
  check_one_level(x)
  check_flag(totals)
  check_no_rules(threshold)
  check_threshold(threshold)
  check_free_names(x$dimnames, "freq")
  if (totals) x <- published_table(x)
  as.data.frame(small_cells(x, threshold - 1))
}
# What a table does not do. Without these methods base R would answer about the inner parts of the
# object, or spoil it.

abort_edit <- function(what) {
  abort_sdc("input", c(
    "Tables must not be edited in place.",
    x = "{.code {what}} would do so.",
    i = "Make a new one: {.code sdc_table(y)} of an edited {.code y <- as.array(x)}, or of an edited
         data frame."
  ))
}

#' @export
`[<-.sdc_table` <- function(x, ..., value) abort_edit("x[...] <- value")

#' @export
`[[<-.sdc_table` <- function(x, ..., value) abort_edit("x[[...]] <- value")

#' @export
`$<-.sdc_table` <- function(x, name, value) abort_edit(paste0("x$", name, " <- value"))

#' @export
`dim<-.sdc_table` <- function(x, value) {
  abort_edit(sub("<-", "(x) <- value", .Generic, fixed = TRUE))
}

#' @export
`dimnames<-.sdc_table` <- `dim<-.sdc_table`

#' @export
`names<-.sdc_table` <- `dim<-.sdc_table`

#' @export
`length<-.sdc_table` <- `dim<-.sdc_table`

#' @export
`is.na<-.sdc_table` <- `dim<-.sdc_table`

abort_no_array <- function(generic) {
  what <- if (generic == "[[") "x[[...]]" else
    if (grepl("^[[:alpha:]]", generic)) paste0(generic, "()") else generic
  abort_sdc("input", c(
    "{.code {what}} must have an array or a vector of counts.",
    x = "An {.cls sdc_table} is neither.",
    i = "Take {.code as.array(x)}, or {.code as.data.frame(x)} for the cells that are not zero."
  ))
}

#' @export
Ops.sdc_table <- function(e1, e2) abort_no_array(.Generic)

#' @export
Summary.sdc_table <- function(..., na.rm = FALSE) abort_no_array(.Generic)

#' @export
Math.sdc_table <- function(x, ...) abort_no_array(.Generic)

#' @export
`[[.sdc_table` <- Math.sdc_table

#' @export
as.list.sdc_table <- Math.sdc_table

#' @export
rep.sdc_table <- Math.sdc_table

#' @export
mean.sdc_table <- Math.sdc_table

#' @export
is.na.sdc_table <- function(x) abort_no_array(.Generic)

#' @export
rev.sdc_table <- is.na.sdc_table

#' @export
unique.sdc_table <- function(x, incomparables = FALSE, ...) abort_no_array(.Generic)

#' @export
duplicated.sdc_table <- unique.sdc_table

#' @export
sort.sdc_table <- function(x, decreasing = FALSE, ...) abort_no_array(.Generic)

#' @export
cbind.sdc_table <- function(..., deparse.level = 1) abort_no_array("cbind")
