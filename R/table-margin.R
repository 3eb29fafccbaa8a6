# Margins of a table, their verification, and tables that are put together of shards.

#' Margins: tables over some of the variables
#'
#' `margin()` sums a table over the variables that are not named. `margins()` makes several at once.
#' The variables of the result stand in the order in which they are named, so that
#' `margin(x, rev(names(dimnames(x))))` is the transposed table. Of a table by level (see
#' [level_table()]) the variables of a margin are at the finest of the levels that are named, in the
#' order of the table.
#'
#' ggplot2 has a `margin()` too, which masks this one when it is attached later. `table_margin()` is
#' the same function under a name that nobody masks.
#'
#' # Complexity
#' O(non-zero cells times variables), and a sort where the result has many cells; a margin of a
#' table with a million non-zero cells takes some 20 ms. The memory can be limited, see
#' [sdcLattice-memory].
#'
#' @param x (`sdc_table`, or what [as_sdc_table()] takes) the table.
#' @param variables (character vector or one-sided formula) names of the variables to keep;
#'   `character(0)` gives the table without variables, whose one cell is the grand total.
#' @return `margin()`: an `sdc_table`. `margins()`: an object of class `sdc_margins`, a list of
#'   `sdc_table`s with the names of `sets`, or else names such as `"A:B"`; the total is called
#'   `"(total)"`. `[` keeps the class, `[[` takes one table.
#' @section Errors: `sdc_error_input` when a name is unknown or is given twice, or when a margin is
#'   asked for twice or has the name of another.
#' @family table
#' @export
#' @examples
#' x <- sdc_table(Titanic)
#' as.table(margin(x, c("Class", "Survived")))
#' sum(margin(x, character(0)))
#' margins(x, list(c("Class", "Survived"), "Age"))
#' margins(x, list(ship = "Class", "Age"))
margin <- function(x, variables, ...) {
  check_no_dots(...)
  check_given(x)
  check_quoted(variables, substitute(variables), x)
  check_given(variables)
  x <- table_argument(x)
  if (is.null(table_steps(x))) {
    return(take_margin(x, variables, "variables"))
  }
  level_margin(x, close_set(table_steps(x), sort(margin_variables(x, variables, "variables"))))
}

#' @rdname margin
#' @export
table_margin <- margin

#' @param sets (list) the variables of each margin, as for `margin()`.
#' @param ... must be empty; for the generic: other classes, such as [sdc_release], have methods.
#' @rdname margin
#' @export
margins <- function(x, sets, ...) {
  check_given(x)
  UseMethod("margins")
}

#' @export
margins.default <- function(x, sets, ...) {
  check_no_dots(...)
  check_given(sets)
  x <- table_argument(x)
  check_set_list(sets)
  keep <- lapply(seq_along(sets), function(i) {
    margin_variables(x, sets[[i]], paste0("sets[[", i, "]]"))
  })
  steps <- table_steps(x)
  if (!is.null(steps)) keep <- lapply(keep, function(k) close_set(steps, sort(k)))
  check_distinct_sets(keep)
  out <- if (is.null(steps)) lapply(sets, function(set) take_margin(x, set, "sets")) else
    lapply(keep, level_margin, x = x)
  labels <- vapply(keep, function(k) margin_label(names(x$dimnames)[finest_steps(steps, k)]), "")
  names(out) <- margin_names(names(sets), labels)
  new_margins(out, if (is.null(steps)) names(x$dimnames))
}

margins_of_records <- function(x, sets, weightVar, na) {
  check_given(sets)
  na <- check_choice(na, c("error", "level"))
  check_set_list(sets)
  new_margins(count_sets(x, record_sets(records_shape(x), sets, weightVar), weightVar, na))
}

# The variables of each margin of records, by the names of the margins.
record_sets <- function(shape, sets, weightVar) {
  weight <- resolve_columns(weightVar, shape, "weightVar", one = TRUE)
  variables <- lapply(seq_along(sets), function(i) {
    arg <- paste0("sets[[", i, "]]")
    at <- resolve_columns(variable_names(sets[[i]], arg), shape, arg)
    check_that(
      !any(weight %in% at),
      "{.arg weightVar} must be no variable of a margin.",
      x = "{.arg {arg}} has {.val {names(shape)[weight]}}."
    )
    names(shape)[at]
  })
  check_distinct_sets(variables)
  rlang::set_names(variables, margin_names(names(sets), vapply(variables, margin_label, "")))
}

check_set_list <- function(sets) {
  check_that(
    is.list(sets) && length(sets) > 0,
    "{.arg sets} must be a list with the variables of each margin.",
    x = if (is.list(sets)) "{.arg sets} is empty.",
    x = if (!is.list(sets)) "{.arg sets} is {.obj_type_friendly {sets}}."
  )
}

# With a seal, so that publish() finds margins whose levels were changed by hand; and with the
# table's order of its variables, where the margins name them in another one.
new_margins <- function(tables, variables = NULL) {
  shown <- unique(unlist(lapply(unname(tables), function(table) names(table$dimnames))))
  ordered <- intersect(variables, shown)
  structure(tables, class = sdc_class("sdc_margins"),
            seal = seal_of("margins", margins_parts(tables)),
            variables = if (length(ordered) > 0 && !identical(ordered, shown)) ordered)
}

margins_parts <- function(x) {
  lapply(unclass(x), function(m) unclass(m)[c("dimnames", "keys", "counts")])
}

margins_are_sealed <- function(x) {
  made <- tryCatch(seal_of("margins", margins_parts(x)), error = function(cnd) NA)
  identical(attr(x, "seal"), made)
}

# The user's names where there are some.
margin_names <- function(given, labels) {
  named <- !is.na(given) & nzchar(given)
  labels[which(named)] <- given[which(named)]
  check_that(
    !anyDuplicated(labels),
    "The margins of {.arg sets} must have unique names.",
    x = "{.val {unique(labels[duplicated(labels)])}} is used more than once."
  )
  labels
}

#' @export
`[.sdc_margins` <- function(x, i) {
  at <- if (missing(i)) seq_along(x) else rlang::set_names(seq_along(x), names(x))[i]
  check_that(
    !anyNA(at),
    "Indices must be names or positions of margins.",
    x = "Index {which(is.na(at))[1]} is {show_value(i[[which(is.na(at))[1]]])}.",
    i = "The margins are {.val {names(x)}}."
  )
  some <- unclass(x)[at]
  if (margins_are_sealed(x)) new_margins(some, attr(x, "variables")) else
    structure(some, class = sdc_class("sdc_margins"))
}

check_distinct_sets <- function(keep) {
  sorted <- lapply(keep, sort)
  again <- which(duplicated(sorted))[1]
  check_that(
    is.na(again),
    "{.arg sets} must hold each margin once.",
    x = "Elements {match(sorted[again], sorted)} and {again} are the same margin."
  )
}

margin_label <- function(names) {
  if (length(names) == 0) "(total)" else paste(names, collapse = ":")
}

#' @export
print.sdc_margins <- function(x, ...) {
  cat("<sdc_margins> ", plural(length(x), "margin"), "\n", sep = "")
  lines <- format(x)
  shown <- utils::head(lines, 8)
  cat(paste0("  ", shown, "\n"), sep = "")
  if (length(lines) > 8) cat("  and", format_count(length(lines) - 8), "more\n")
  invisible(x)
}

table_parts <- function(x) list(x$dimnames, sealed_numbers(dense_counts(x)))

# ---- verification --------------------------------------------------------------------------------

# Margins come without their table: besides their seal, what they can be asked is whether they are
# those of one.
verify_margins <- function(x) {
  verified("margins", {
    check_seal(list(seal = attr(x, "seal")), "margins", margins_parts(x), "margins")
    whole <- function(m) tryCatch(is_whole_table(m), error = function(cnd) FALSE)
    if (!all(vapply(unclass(x), whole, NA))) {
      abort_untrue("The levels and cells of a margin do not fit each other.", "margins")
    }
    check_agree(x)
  })
}

# Each stored cell has a place of its own among the levels.
is_whole_table <- function(x) {
  labels <- x$dimnames
  whole <- inherits(x, "sdc_table") && is.list(labels) &&
    (length(labels) == 0 || any(lengths(labels) == 0) || are_levels(labels)) &&
    are_whole(x$counts, length(x$counts), 1, 2^53)
  if (!whole) {
    return(FALSE)
  }
  counts <- dense_counts(x)
  sum(counts > 0) == length(x$counts) && sum(counts) == sum(x$counts)
}

check_agree <- function(x) {
  for (i in seq_along(x)[-1]) {
    for (j in seq_len(i - 1)) {
      check_that(
        agree_on_common(x[[i]], x[[j]]),
        "Only margins of one table can be published.",
        x = "{.val {names(x)[j]}} and {.val {names(x)[i]}} contradict each other.",
        i = "Make them again with {.fn margins}.", .kind = "refused"
      )
    }
  }
}

agree_on_common <- function(x, y) {
  common <- intersect(names(x$dimnames), names(y$dimnames))
  over <- lapply(list(x, y), margin, common)
  identical(over[[1]]$dimnames, over[[2]]$dimnames) &&
    identical(dense_counts(over[[1]]), dense_counts(over[[2]]))
}

# ---- shards --------------------------------------------------------------------------------------

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
  check_masked_margin(sys.nframe())
  merge_tables(list(...))
}

#' @rdname merge-tables
#' @export
rbind.sdc_table <- function(..., deparse.level = 1) merge_tables(list(...))

merge_tables <- function(tables) {
  first <- tables[[1]]
  for (k in seq_along(tables)) check_mergeable(tables[[k]], first, k)
  check_that(
    base::sum(vapply(tables, sum, 1)) <= 2^53,
    "The grand total must not exceed 2^53 (9,007,199,254,740,992).",
    x = "The sum of the tables does.", .kind = "too_large"
  )
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
  check_that(
    is_sdc_table(x),
    "Only tables can be put together with a table.",
    x = "Argument {k} is {.obj_type_friendly {x}}."
  )
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

# ggplot2's margin(), which puts its arguments into one vector, was called for ours.
check_masked_margin <- function(n) {
  theirs <- if (isNamespaceLoaded("ggplot2")) getExportedValue("ggplot2", "margin")
  callers <- if (!is.null(theirs)) lapply(seq_len(n), sys.function)
  check_that(
    !any(vapply(callers, identical, NA, theirs)),
    "{.fn margin} of this package must be called for a table.",
    x = "The one of {.pkg ggplot2} was called: it was attached later and masks ours.",
    i = "Write {.fn table_margin}, which nobody masks, or {.code sdcLattice::margin()}."
  )
}
