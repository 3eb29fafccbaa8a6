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

check_set_list <- function(sets) {
  if (is.list(sets) && length(sets) > 0) {
    return(invisible(sets))
  }
  abort_sdc("input", c(
    "{.arg sets} must be a list with the variables of each margin.",
    x = if (is.list(sets)) "{.arg sets} is empty.",
    x = if (!is.list(sets)) "{.arg sets} is {.obj_type_friendly {sets}}."
  ))
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
  if (anyDuplicated(labels)) {
    abort_sdc("input", c(
      "The margins of {.arg sets} must have unique names.",
      x = "{.val {unique(labels[duplicated(labels)])}} is used more than once."
    ))
  }
  labels
}

#' @export
`[.sdc_margins` <- function(x, i) {
  at <- if (missing(i)) seq_along(x) else rlang::set_names(seq_along(x), names(x))[i]
  if (anyNA(at)) {
    abort_sdc("input", c(
      "Indices must be names or positions of margins.",
      x = "Index {which(is.na(at))[1]} is {show_value(i[[which(is.na(at))[1]]])}.",
      i = "The margins are {.val {names(x)}}."
    ))
  }
  some <- unclass(x)[at]
  if (margins_are_sealed(x)) new_margins(some, attr(x, "variables")) else
    structure(some, class = sdc_class("sdc_margins"))
}

check_distinct_sets <- function(keep) {
  sorted <- lapply(keep, sort)
  again <- which(duplicated(sorted))[1]
  if (is.na(again)) {
    return(invisible())
  }
  first <- match(sorted[again], sorted)
  abort_sdc("input", c(
    "{.arg sets} must hold each margin once.",
    x = "Elements {first} and {again} are the same margin."
  ))
}

margin_label <- function(names) {
  if (length(names) == 0) "(total)" else paste(names, collapse = ":")
}

#' @export
format.sdc_margins <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  vapply(seq_along(x), function(i) {
    paste0(names(x)[i], ": ", table_shape(x[[i]]))
  }, "")
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
