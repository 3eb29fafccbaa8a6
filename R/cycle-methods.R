# What can be asked of a set of cycles: its entries, its chances, its picture.

#' Work with a set of cycles
#'
#' `length()` is the number of cycles; `dim()` and `dimnames()` are those of the table; `as.list()`
#' gives the cycles as arrays of coefficients, `as.data.frame()` as one row for each cell that a
#' cycle changes.
#'
#' @param x (sdc_cycles) The set.
#' @param ... Not used.
#' @param row.names,optional Not used; they stand here because the generic has them.
#' @param max_rows (whole number) `as.data.frame()` stops above this number of rows, `as.list()`
#'   above this number of numbers.
#' @return `as.data.frame()`: columns `cycle` (integer), one factor for each variable,
#'   `coefficient` (integer). `as.list()`: one integer array for each cycle.
#' @section Errors:
#' `sdc_error_too_large` above `max_rows`, with the size in the message; `sdc_error_input` when a
#' variable is itself called `cycle` or `coefficient`.
#' @family cycle
#' @name sdc_cycles-methods
#' @examples
#' set <- cycles_bidiagonal(matrix(0, 3, 3))
#' length(set)
#' head(as.data.frame(set))
NULL

#' @rdname sdc_cycles-methods
#' @export
length.sdc_cycles <- function(x) as.integer(cpp_count_cycles(x))

#' @rdname sdc_cycles-methods
#' @export
dim.sdc_cycles <- function(x) lengths(x$dimnames, use.names = FALSE)

#' @rdname sdc_cycles-methods
#' @export
dimnames.sdc_cycles <- function(x) x$dimnames

#' @rdname sdc_cycles-methods
#' @export
as.list.sdc_cycles <- function(x, ..., max_rows = 1e7) {
  cells <- prod(dim(x))
  check_size(cells * length(x), max_rows, "numbers in arrays of all cycles")
  all <- expand_cycles(x)
  lapply(seq_len(length(x)), function(c) {
    at <- entries_of(all, c)
    move <- integer(cells)
    move[all$cell[at]] <- all$coefficient[at]
    array(move, dim = dim(x), dimnames = dimnames(x))
  })
}

#' @rdname sdc_cycles-methods
#' @export
as.data.frame.sdc_cycles <- function(x, row.names = NULL, optional = FALSE, ..., max_rows = 1e7) {
  clash <- intersect(names(dimnames(x)), c("cycle", "coefficient"))
  if (length(clash)) {
    abort_sdc("input", c(
      "The frame's own columns {.field cycle} and {.field coefficient} must not be variables too.",
      x = "The table has a variable {.field {clash}}.",
      i = "Use {.fn as.list}."
    ))
  }
  check_size(count_entries(x), max_rows, "rows")
  all <- expand_cycles(x)
  out <- data.frame(cycle = rep(seq_len(length(x)), diff(all$start)))
  out[names(dimnames(x))] <- cell_factors(all$cell, dimnames(x))
  out$coefficient <- all$coefficient
  out
}

# Two entries for each cell in the rule sets: known before anything is expanded.
count_entries <- function(x) {
  if (x$rule == "user") length(x$parameters$cell) else 2 * prod(dim(x))
}

expand_cycles <- function(x) with_core(cpp_expand_cycles(x), call = caller_env())

entries_of <- function(all, c) seq.int(all$start[[c]] + 1, all$start[[c + 1]])

check_size <- function(size, limit, what, call = caller_env()) {
  if (size <= limit) {
    return(invisible(size))
  }
  abort_sdc("too_large", c(
    "At most {format(limit, big.mark = ',', scientific = FALSE)} {what} are made at once.",
    x = "These would be {format(size, big.mark = ',', scientific = FALSE)}.",
    i = "Raise the limit argument if there is memory for it."
  ), call = call)
}

#' @rdname sdc_cycles-methods
#' @export
format.sdc_cycles <- function(x, ...) {
  kept <- vapply(x$preserves, margin_name, "")
  kept <- if (length(kept) > 4) c(kept[1:4], paste(length(kept) - 4, "more")) else kept
  c(
    paste0(rule_name(x), " on ", paste(dim(x), collapse = " x "), " cells"),
    paste0("cycles: ", format(length(x), big.mark = ",")),
    paste0("margins kept: ", if (length(kept)) paste(kept, collapse = ", ") else "none claimed")
  )
}

rule_name <- function(x) {
  parameters <- x$parameters
  turned <- isTRUE(parameters$transposed)
  switch(x$rule,
    bidiagonal = paste0("bidiagonal set, walk \"", parameters$walk, "\"", if (turned) " along the columns"),
    banded = paste0("banded set of ", band_words(lengths(parameters$groups), if (turned) "column" else "row")),
    user = "set of user's moves"
  )
}

band_words <- function(size, line) {
  pairs <- sum(size == 2)
  threes <- sum(size == 3)
  words <- c(
    if (pairs) paste(pairs, if (pairs == 1) "pair" else "pairs"),
    if (threes) paste(threes, if (threes == 1) "three" else "threes")
  )
  paste0(paste(words, collapse = " and "), " of ", line, "s")
}

#' @rdname sdc_cycles-methods
#' @export
print.sdc_cycles <- function(x, ...) {
  cat("<sdc_cycles>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

# length() counts cycles, which the default method would take for the number of fields.
#' @importFrom utils str
#' @export
str.sdc_cycles <- function(object, ...) {
  cat(" <sdc_cycles> ", paste(format(object), collapse = "; "), "\n", sep = "")
}

#' What a set of cycles can do to each cell
#'
#' For each cell: the number of cycles that touch it (its chances in one cover), how far one cover
#' can move it, and whether it can move at all. Without a table the answer depends on the set only.
#' With one, a cell is fixed under the zero rule "blocked" when each cycle of its touches a zero,
#' and the feasibility interval runs from the count minus the reach (at least 0) to the count plus
#' the reach.
#'
#' @param object (sdc_cycles) The set.
#' @param x (sdc_table or what [as_sdc_table()] takes, or NULL) The original table. **Confidential:
#'   the answer with a table is confidential too.**
#' @param covers (whole number) The number of covers that the interval counts.
#' @param ... Not used.
#' @return An object of class `sdc_cycles_summary`; `as.data.frame()` of it has one row for each
#'   cell: one factor for each variable, `chances`, `reach` (largest change, either way), `movable`
#'   and, with a table, `lower` and `upper`.
#' @section Errors:
#' `sdc_error_input` when `x` has other levels than the set.
#' @section Guarantee:
#' Cells that are not `movable` never change. The interval is what the reach allows; zeros and other
#' cells may narrow it. Time and memory are linear in the entries of the set.
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(0, 1, 2, 5, 3, 4), 2))
#' summary(cycles_banded(x, seed = 1), x)
#' @export
summary.sdc_cycles <- function(object, x = NULL, covers = 1, ...) {
  check_whole(covers, min = 1)
  counts <- NULL
  if (!is.null(x)) {
    x <- table_argument(x)
    check_fits_cycles(x, object)
    counts <- dense_counts(x)
  }
  found <- with_core(cpp_summarise_cycles(object, counts))
  cells <- data.frame(row.names = seq_along(found$cycles))
  cells$chances <- found$cycles
  cells$reach <- found$reach * covers
  cells$movable <- if (is.null(counts)) found$cycles > 0 else found$free
  if (!is.null(counts)) {
    cells$lower <- ifelse(cells$movable, pmax(0, counts - cells$reach), counts)
    cells$upper <- ifelse(cells$movable, counts + cells$reach, counts)
  }
  structure(
    list(cycles = object, covers = covers, cells = cells, private = !is.null(counts)),
    class = "sdc_cycles_summary"
  )
}

check_fits_cycles <- function(x, set, arg = "x", call = caller_env()) {
  mine <- lapply(dimnames(x), plain_strings)
  theirs <- dimnames(set)
  if (identical(mine, theirs)) {
    return(invisible(x))
  }
  where <- if (!identical(lengths(mine, use.names = FALSE), lengths(theirs, use.names = FALSE))) {
    paste0("It has ", paste(lengths(mine), collapse = " x "), ", the cycles ", paste(lengths(theirs), collapse = " x "), " levels.")
  } else if (!identical(names(mine), names(theirs))) {
    "Its variables have other names."
  } else {
    "The labels or their order differ."
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have the variables and levels for which the cycles were made.",
    x = "{where}"
  ), call = call)
}

#' @export
format.sdc_cycles_summary <- function(x, ...) {
  cells <- x$cells
  span <- function(v) paste(unique(range(v)), collapse = " to ")
  c(
    format(x$cycles),
    paste0("cells: ", format(nrow(cells), big.mark = ",")),
    paste0("chances of a cell in one cover: ", span(cells$chances)),
    paste0("largest change in ", x$covers, if (x$covers == 1) " cover: " else " covers: ", span(cells$reach)),
    paste0(
      "cells that cannot move", if (x$private) " (zero rule blocked, this table)", ": ",
      format(sum(!cells$movable), big.mark = ",")
    ),
    if (x$private) "CONFIDENTIAL: computed from the original table"
  )
}

#' @export
print.sdc_cycles_summary <- function(x, ...) {
  cat("<summary of sdc_cycles>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @export
as.data.frame.sdc_cycles_summary <- function(x, row.names = NULL, optional = FALSE, ...) {
  labels <- dimnames(x$cycles)
  out <- as.data.frame(cell_factors(seq_len(nrow(x$cells)), labels), optional = TRUE)
  cbind(out, x$cells)
}

#' Draw the first cycles of a set
#'
#' Small multiples: one panel for each cycle (and each combination of the third and further
#' variables), rows and columns as in the table, +1 and -1 in colour.
#'
#' @param x,object (sdc_cycles) The set.
#' @param n (whole number) How many cycles to draw.
#' @param ... Not used.
#' @return `autoplot()`: a ggplot object. `plot()` prints it and returns it invisibly.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is not installed or the table has one variable only;
#' `sdc_error_too_large` above a million cells to draw.
#' @family cycle
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(cycles_bidiagonal(matrix(0, 4, 4)))
#' @export
plot.sdc_cycles <- function(x, n = 6, ...) {
  check_installed("ggplot2", "to draw cycles")
  picture <- autoplot.sdc_cycles(x, n = n)
  print(picture)
  invisible(picture)
}

#' @rdname plot.sdc_cycles
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_cycles <- function(object, n = 6, ...) {
  check_installed("ggplot2", "to draw cycles")
  check_whole(n, min = 1)
  labels <- dimnames(object)
  if (length(labels) < 2) {
    abort_sdc("input", "A table must have at least two variables to be drawn.")
  }
  n <- min(n, length(object))
  check_size(n * prod(dim(object)), 1e6, "cells")
  all <- expand_cycles(object)
  cells <- prod(dim(object))
  frame <- as.data.frame(cell_factors(rep(seq_len(cells), n), labels), optional = TRUE)
  names(frame)[1:2] <- c(".row", ".column")
  frame$.panel <- panel_names(frame, rep(seq_len(n), each = cells))
  frame$.move <- 0L
  for (c in seq_len(n)) {
    at <- entries_of(all, c)
    frame$.move[(c - 1) * cells + all$cell[at]] <- all$coefficient[at]
  }
  draw_moves(frame, names(labels))
}

panel_names <- function(frame, cycle) {
  further <- frame[setdiff(names(frame), c(".row", ".column"))]
  names <- do.call(paste, c(list(paste("cycle", cycle)), lapply(further, as.character), sep = ", "))
  factor(names, levels = unique(names))
}

draw_moves <- function(frame, variables) {
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$.column, y = .data$.row, fill = .data$.move)) +
    ggplot2::geom_tile(colour = "grey80") +
    ggplot2::geom_text(ggplot2::aes(label = ifelse(.data$.move == 0, "", sprintf("%+d", .data$.move)))) +
    ggplot2::scale_fill_gradient2(guide = "none") +
    ggplot2::scale_y_discrete(limits = rev) +
    ggplot2::facet_wrap(~.panel) +
    ggplot2::labs(x = variables[[2]], y = variables[[1]]) +
    ggplot2::theme_minimal()
}
