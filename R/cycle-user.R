#' Cycles of your own
#'
#' Makes a set of cycles from moves that you give: whole numbers on the cells of a table with any
#' number of variables, which leave the claimed margins as they are.
#'
#' @param moves (list of numeric arrays shaped like `x`, or a data frame) The moves, in the order of
#'   their numbers. A data frame has one row for each cell that a cycle changes: `cycle` (1, 2, ...,
#'   each at least once), one column of labels for each variable of `x`, and `coefficient`.
#'   Coefficients are whole numbers from -127 to 127; `dimnames`, where an array has them, must be
#'   those of `x`.
#' @param x (sdc_table, or what [as_sdc_table()] takes) The table. Only its shape and labels are
#'   used.
#' @param margins (list of character vectors, or NULL) The margins that the cycles keep, each by the
#'   names of its variables; `character()` is the total. `NULL` claims all margins that leave out
#'   one variable.
#' @return An object of class `sdc_cycles`. `as.list()` gives the moves back as arrays.
#' @details
#' For a table with trees or crossings the moves must keep all published totals; the error names
#' those that a move changes. With `margins` given they may change some: the print says so, and
#' [changed_totals()] lists them.
#' @section Errors:
#' `sdc_error_input` when a move has another shape, is empty, has a coefficient that is missing, not
#' whole or too large, or breaks a claimed margin; the message names the cycle, the margin and the
#' levels.
#' @section Guarantee:
#' Every cycle keeps every claimed margin: checked by the core in time linear in the number of
#' entries. Nothing more is claimed; a cell on no cycle never moves (see
#' [summary()][summary.sdc_cycles]).
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5), 2))
#' cycles(list(matrix(c(1, -1, -1, 1), 2)), x)
#' @export
cycles <- function(moves, x, margins = NULL) {
  check_given(moves)
  x <- one_level_argument(x)
  labels <- shape_labels(x)
  entries <- if (is.data.frame(moves)) frame_entries(moves, labels) else list_entries(moves, labels)
  layout <- cycle_layout(x)
  out <- new_sdc_cycles("user", labels, entries, check_margins(margins, labels), layout,
                        if (!is.null(layout)) is.null(margins))
  if (!is.null(layout) && !is.null(margins)) {
    out$totals_kept <- nrow(changed_nodes(out, layout, 1e9, first_cycle = TRUE)) == 0
  }
  out
}

# start (0-based, one more than cycles), cell (1-based) and coefficient, ordered by cell in a cycle.
list_entries <- function(moves, labels) {
  if (!is.list(moves) || is.object(moves)) {
    abort_sdc("input", c(
      "{.arg moves} must be a list of arrays, or a data frame.",
      x = "{.arg moves} is {.obj_type_friendly {moves}}."
    ))
  }
  for (i in seq_along(moves)) {
    check_move(moves[[i]], i, labels)
  }
  cell <- lapply(moves, function(move) which(as.vector(move) != 0))
  coefficient <- Map(function(move, at) move[at], moves, cell)
  pack_entries(lengths(cell), unlist(cell), unlist(coefficient))
}

check_move <- function(move, i, labels) {
  size <- lengths(labels, use.names = FALSE)
  shape <- if (is.null(dim(move))) length(move) else dim(move)
  if (!is.numeric(move) || !identical(as.double(shape), as.double(size))) {
    found <- if (is.numeric(move)) {
      paste0("has the wrong shape: ", paste(shape, collapse = " x "))
    } else {
      paste0("is ", show_value(move), ".")
    }
    abort_sdc("input", c(
      "Every move must be a numeric array shaped like {.arg x}: {paste(size, collapse = ' x ')}.",
      x = "Move {i} {found}"
    ))
  }
  named <- dimnames(move)
  fits <- mapply(function(mine, theirs) is.null(mine) || identical(mine, theirs), named, labels)
  if (!is.null(named) &&
      (!all(fits) || (!is.null(names(named)) && !identical(names(named), names(labels))))) {
    abort_sdc("input", c(
      "Where a move has dimnames, they must be those of {.arg x}.",
      x = "The dimnames of move {i} differ."
    ))
  }
  check_coefficients(as.vector(move), paste("Move", i))
  if (all(move == 0)) {
    abort_sdc("input", c("Every move must change a cell.", x = "Move {i} holds zeros only."))
  }
}

check_coefficients <- function(x, where) {
  ok <- is.numeric(x) && !anyNA(x) && all(x == floor(x)) && all(abs(x) <= 127)
  if (ok) {
    return(invisible(x))
  }
  bad <- if (is.numeric(x)) x[is.na(x) | x != floor(x) | abs(x) > 127][[1]] else x
  abort_sdc("input", c(
    "Coefficients must be whole numbers from -127 to 127.",
    x = "{where} holds {show_value(bad)}."
  ))
}

pack_entries <- function(size, cell, coefficient) {
  if (length(size) == 0) {
    abort_sdc("input", c("{.arg moves} must hold at least one move.", x = "{.arg moves} is empty."))
  }
  list(
    start = as.integer(c(0, cumsum(size))),
    cell = as.integer(cell),
    coefficient = as.integer(coefficient)
  )
}

frame_entries <- function(moves, labels) {
  wanted <- c("cycle", names(labels), "coefficient")
  if (anyDuplicated(names(moves)) || !setequal(names(moves), wanted) || anyDuplicated(wanted)) {
    abort_sdc("input", c(
      "A data frame of {.arg moves} must have the columns {.field {wanted}}, each once.",
      x = "It has {.field {names(moves)}}."
    ))
  }
  cycle <- frame_cycle_numbers(moves[["cycle"]])
  check_coefficients(moves[["coefficient"]], "Column `coefficient`")
  if (any(moves[["coefficient"]] == 0)) {
    abort_sdc("input", c(
      "A row of {.arg moves} must change a cell.",
      x = "Row {which(moves[['coefficient']] == 0)[[1]]} has the coefficient 0."
    ))
  }
  cell <- frame_cells(moves, labels)
  twice <- anyDuplicated(cbind(cycle, cell))
  if (twice) {
    abort_sdc("input", c(
      "No cell may stand twice in one cycle.",
      x = "Row {twice} of {.arg moves} repeats a cell of cycle {cycle[[twice]]}."
    ))
  }
  by <- order(cycle, cell)
  pack_entries(tabulate(cycle), cell[by], moves[["coefficient"]][by])
}

frame_cycle_numbers <- function(cycle) {
  ok <- is_whole_vector(cycle) && length(cycle) > 0 && all(cycle >= 1)
  if (ok && all(tabulate(cycle, max(cycle)) > 0)) {
    return(as.integer(cycle))
  }
  abort_sdc("input", c(
    "The column {.field cycle} of {.arg moves} must number the cycles 1, 2, ...",
    x = if (!ok) "It holds something else, or nothing.",
    x = if (ok) "It leaves out {which(tabulate(cycle) == 0)[[1]]}."
  ))
}

frame_cells <- function(moves, labels) {
  cell <- 1
  stride <- 1
  for (v in names(labels)) {
    at <- match(as.character(moves[[v]]), labels[[v]])
    if (anyNA(at)) {
      row <- which(is.na(at))[[1]]
      abort_sdc("input", c(
        "The labels of {.arg moves} must be levels of {.arg x}.",
        x = "Row {row} has {.val {as.character(moves[[v]][[row]])}} in column {.field {v}}."
      ))
    }
    cell <- cell + (at - 1) * stride
    stride <- stride * length(labels[[v]])
  }
  cell
}

check_margins <- function(margins, labels) {
  if (is.null(margins)) {
    return(ways(labels, length(labels) - 1))
  }
  ok <- is.list(margins) && !is.object(margins) && all(vapply(margins, is.character, NA))
  if (!ok) {
    abort_sdc("input", c(
      "{.arg margins} must be a list of character vectors: the variables of each margin.",
      x = "{.arg margins} is {.obj_type_friendly {margins}}."
    ))
  }
  for (i in seq_along(margins)) {
    strange <- setdiff(margins[[i]], names(labels))
    if (length(strange) || anyDuplicated(margins[[i]])) {
      abort_sdc("input", c(
        "Each margin must name variables of {.arg x}, each once.",
        x = "Margin {i} is {.val {margins[[i]]}}; the variables are {.val {names(labels)}}."
      ))
    }
  }
  unname(lapply(margins, function(m) names(labels)[names(labels) %in% m]))
}
