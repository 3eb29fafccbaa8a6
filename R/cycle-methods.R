# What can be asked of a set of cycles: its entries, its chances, its picture.

#' Work with a set of cycles
#'
#' `length()` is the number of cycles; `dim()` and `dimnames()` are those of the table; `as.list()`
#' gives the cycles as arrays of coefficients, `as.data.frame()` as one row for each cell that a
#' cycle changes. `[[` gives one cycle, `[` a list of some. Of a set that skips zeros these are the
#' moves that are made where no cell is zero.
#'
#' @param x (sdc_cycles) The set.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with [data.frame()].
#' @param max_rows (whole number) `as.data.frame()` stops above this number of rows, `as.list()`
#'   above this number of numbers.
#' @param i (whole numbers; for `[` also a logical vector as long as the set) The cycles, by number;
#'   negative numbers leave out, for `[`. `[[` takes one number, or the name of a field of the
#'   object.
#' @return `as.data.frame()`: columns `cycle` (integer), one factor for each variable,
#'   `coefficient` (integer). `as.list()` and `[`: one integer array for each cycle. `[[`: one such
#'   array. A list of some cycles becomes a set again with [cycles()].
#' @section Errors:
#' `sdc_error_too_large` above `max_rows`, with the size in the message; `sdc_error_input` when a
#' variable is itself called `cycle` or `coefficient`, for a number that is no cycle's, and for
#' unknown arguments.
#' @family cycle
#' @name sdc_cycles-methods
#' @examples
#' set <- cycles_bidiagonal(matrix(0, 3, 3))
#' length(set)
#' head(as.data.frame(set))
#' set[[2]]
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
  check_no_dots(...)
  cycle_arrays(x, seq_len(length(x)), max_rows)
}

cycle_arrays <- function(x, numbers, limit) {
  cells <- prod(dim(x))
  check_size(cells * length(numbers), limit, "numbers in arrays of cycles")
  all <- expand_cycles(x)
  lapply(numbers, function(c) {
    at <- entries_of(all, c)
    move <- integer(cells)
    move[all$cell[at]] <- all$coefficient[at]
    array(move, dim = dim(x), dimnames = dimnames(x))
  })
}

# A string is the name of a field: what code that walks over lists asks for.
#' @rdname sdc_cycles-methods
#' @export
`[[.sdc_cycles` <- function(x, i, ...) {
  check_no_dots(...)
  if (is.character(i)) {
    return(unclass(x)[[i]])
  }
  check_whole(i, min = 1, max = length(x))
  cycle_arrays(x, i, Inf)[[1]]
}

#' @rdname sdc_cycles-methods
#' @export
`[.sdc_cycles` <- function(x, i, ...) {
  check_no_dots(...)
  numbers <- seq_len(length(x))
  if (!missing(i)) {
    check_cycle_numbers(i, length(x))
    numbers <- numbers[i]
  }
  cycle_arrays(x, numbers, 1e7)
}

# What R's own vectors take for an index, but nothing recycled, missing, mixed or cut off.
check_cycle_numbers <- function(i, n) {
  whole <- is_whole_vector(i) && all(abs(i) >= 1 & abs(i) <= n) && (all(i > 0) || all(i < 0))
  if (whole || (is.logical(i) && length(i) == n && !anyNA(i))) {
    return(invisible(i))
  }
  abort_sdc("input", c(
    "{.arg i} must hold numbers of cycles from 1 to {n} (or all negative), or one flag for each cycle.",
    x = "{describe_index(i, n)}",
    i = "{.fn as.list} gives all cycles."
  ))
}

describe_index <- function(i, n) {
  if (!is_whole_vector(i)) {
    return(describe(i, "i"))
  }
  bad <- which(abs(i) < 1 | abs(i) > n)
  if (length(bad)) paste0("Position ", bad[[1]], " is ", i[[bad[[1]]]], ".") else "It mixes signs."
}

#' @rdname sdc_cycles-methods
#' @export
as.data.frame.sdc_cycles <- function(x, row.names = NULL, optional = FALSE, ..., max_rows = 1e7,
                                     stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_free_names(dimnames(x), c("cycle", "coefficient"))
  check_size(count_entries(x), max_rows, "rows")
  all <- expand_cycles(x)
  out <- data.frame(cycle = rep(seq_len(length(x)), diff(all$start)))
  out[names(dimnames(x))] <- cell_factors(all$cell, dimnames(x))
  out$coefficient <- all$coefficient
  out
}

# Known before anything is expanded: two entries for each line on a cycle's band.
count_entries <- function(x) {
  p <- x$parameters
  switch(x$rule,
    user = ,
    data = length(p$cell),
    banded = if (p$group == 3) 4 * length(x) else 2 * sum(lengths(p$groups)) * (length(p$rings[[1]]) - p$open),
    merged = count_entries(merged_set(x)),
    2 * prod(dim(x))
  )
}

# The cycles of one cover, in its order, and how often it applies each.
cover_order <- function(x) with_core(cpp_cover_cycles(x))

cover_length <- function(x) cpp_count_steps(x)

cover_times <- function(x) tabulate(cover_order(x), length(x))

expand_cycles <- function(x) with_core(cpp_expand_cycles(x))

entries_of <- function(all, c) seq.int(all$start[[c]] + 1, all$start[[c + 1]])

#' @rdname sdc_cycles-methods
#' @export
format.sdc_cycles <- function(x, ...) {
  kept <- vapply(x$preserves, margin_name, "")
  kept <- if (length(kept) > 4) c(kept[1:4], paste(length(kept) - 4, "more")) else kept
  c(
    paste0(rule_name(x), " on ", paste(dim(x), collapse = " x "), " cells"),
    if (x$rule == "merged") {
      paste0("ways: ", ways_words(x$dimnames, x$parameters$ways), " (", paste(dim(merged_set(x)), collapse = " x "), ")")
    },
    paste0("cycles: ", cycle_words(x)),
    paste0("margins kept: ", if (length(kept)) paste(kept, collapse = ", ") else "none claimed"),
    if (x$rule == "data") data_cycle_words(x)
  )
}

# "96", or "96, 128 steps a cover" where some cycles are applied more than once.
cycle_words <- function(x) {
  steps <- cover_length(x)
  again <- if (steps != length(x)) paste0(", ", plural(steps, "step"), " a cover")
  paste0(format_count(length(x)), again)
}

rule_name <- function(x) {
  parameters <- x$parameters
  turned <- isTRUE(parameters$transposed)
  switch(x$rule,
    bidiagonal = paste0("bidiagonal set, walk \"", parameters$walk, "\"", if (turned) " along the columns"),
    banded = paste0("banded set of ", band_words(parameters), ring_words(parameters)),
    user = "set of user's moves",
    data = "data cycles",
    margin = paste0("margin set along ", names(x$dimnames)[[parameters$ring]]),
    merged = paste0(rule_name(merged_set(x)), ", variables merged,")
  )
}

ring_words <- function(parameters) {
  if (parameters$skip_zeros) ", skipping zeros" else if (parameters$open) ", open rings"
}

skips_zeros <- function(x) {
  if (x$rule == "merged") skips_zeros(merged_set(x)) else isTRUE(x$parameters$skip_zeros)
}

# "2 triads and 1 pair of rows", "2 pairs of rows and 1 band of three rows"
band_words <- function(parameters) {
  size <- lengths(parameters$groups)
  lines <- if (parameters$transposed) "columns" else "rows"
  threes <- group_words(sum(size == 3), if (parameters$group == 3) "triad of" else "band of three", lines)
  pairs <- group_words(sum(size == 2), "pair of", lines)
  paste(if (parameters$group == 3) c(threes, pairs) else c(pairs, threes), collapse = " and ")
}

# "2 pairs of rows"; nothing for none.
group_words <- function(n, noun, lines) {
  if (n > 0) paste(n, if (n == 1) noun else sub("^([a-z]+)", "\\1s", noun), lines)
}

#' @rdname sdc_cycles-methods
#' @export
print.sdc_cycles <- function(x, ...) {
  cat("<sdc_cycles>", paste0("  ", c(format(x), pair_words(x))), sep = "\n")
  invisible(x)
}

# What the pairs that a number of lines leaves beside triads give away; nothing without any.
pair_words <- function(x) {
  if (x$rule != "banded" || x$parameters$group != 3 || all(lengths(x$parameters$groups) == 3)) {
    return(NULL)
  }
  turned <- x$parameters$transposed
  across <- if (turned) "row" else "column"
  other <- dim(x)[[if (turned) 1 else 2]]
  c(
    paste0("in a pair each known cell gives away the other one of its ", across),
    if (other %% 3 == 0) {
      paste0("`transposed = ", !turned, "` makes triads of all ", other, " ", across, "s")
    }
  )
}

# length() counts cycles, which the default method would take for the number of fields.
#' @importFrom utils str
#' @export
str.sdc_cycles <- function(object, ...) {
  cat(" <sdc_cycles> ", paste(format(object), collapse = "; "), "\n", sep = "")
}

#' What a set of cycles can do to each cell
#'
#' For each cell: the number of steps in one cover that touch it (its chances), how far one cover
#' can move it, and whether it can move at all. Without a table the answer depends on the set only.
#' With one, a cell is fixed under the zero rule "blocked" when each cycle of its touches a zero (in a
#' set that skips zeros: when its position, or all others of its bands, have one),
#' and the feasibility interval runs from the count minus the reach (at least 0) to the count plus
#' the reach.
#'
#' @param object (sdc_cycles) The set.
#' @param x (sdc_table or what [as_sdc_table()] takes, or NULL) The original table. **Confidential:
#'   the answer with a table is confidential too.**
#' @param covers (whole number) The number of covers that the interval counts.
#' @param ... Not used.
#' @details
#' A set preserves more than its margins. Who knows the published table and the set knows every
#' linear function of the original cells that no move changes: `preserved` is the number of
#' independent ones, `beyond_margins` that of those that the margins do not give. Of m rows and n
#' columns a bidiagonal ring keeps (m - 2)(n - 1) of them, pairs (m / 2 - 1)(n - 1), triads
#' (m / 3 - 1)(n - 1). [preserved_functions()] lists them, [determined_cells()] the cells that one known
#' cell gives away.
#' @return An object of class `sdc_cycles_summary`, with `preserved` and `beyond_margins` (`NA` for
#'   sets of a user's moves that take too long); `as.data.frame()` of it has one row for each
#'   cell: one factor for each variable, `chances`, `reach` (largest change, either way), `movable`,
#'   with a table `lower` and `upper`, and `determines`: how many other cells it gives away.
#' @section Errors:
#' `sdc_error_input` when `x` has other levels than the set, and from `as.data.frame()` when a
#' variable is itself called `chances`, `reach`, `movable`, `lower`, `upper` or `determines`.
#' @section Guarantee:
#' Cells that are not `movable` never change. The interval is what the reach allows; zeros and other
#' cells may narrow it. Preserved functions are counted exactly, by elimination over the integers.
#' Time and memory are linear in the entries of the set, for sets of a user's moves up to elimination.
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(0, 1, 2, 5, 3, 4), 2))
#' summary(cycles_banded(x, seed = 1), x)
#' @export
summary.sdc_cycles <- function(object, x = NULL, covers = 1, ...) {
  check_no_dots(...)
  check_whole(covers, min = 1)
  counts <- NULL
  if (!is.null(x)) {
    x <- table_argument(x)
    check_fits_cycles(x, object)
    counts <- dense_counts(x)
  }
  found <- with_core(cpp_summarise_cycles(object, counts))
  kept <- with_core(cpp_count_preserved(object))
  cells <- data.frame(row.names = seq_along(found$cycles))
  cells$chances <- found$cycles
  cells$reach <- found$reach * covers
  cells$movable <- if (is.null(counts)) found$cycles > 0 else found$free
  if (!is.null(counts)) {
    cells$lower <- ifelse(cells$movable, pmax(0, counts - cells$reach), counts)
    cells$upper <- ifelse(cells$movable, counts + cells$reach, counts)
  }
  cells$determines <- mates_of(kept$class)
  structure(
    list(
      cycles = object, covers = covers, cells = cells, private = !is.null(counts),
      preserved = length(kept$class) - kept$rank,
      beyond_margins = length(kept$class) - kept$rank - margin_rank(object)
    ),
    class = "sdc_cycles_summary"
  )
}

check_fits_cycles <- function(x, set, arg = "x") {
  mine <- lapply(dimnames(x), plain_strings)
  theirs <- dimnames(set)
  if (identical(mine, theirs)) {
    return(invisible(x))
  }
  where <- if (!identical(lengths(mine, use.names = FALSE), lengths(theirs, use.names = FALSE))) {
    paste0("It has ", paste(lengths(mine), collapse = " x "), ", the cycles ", paste(lengths(theirs), collapse = " x "), " levels.")
  } else if (!identical(names(mine), names(theirs))) {
    first_difference("Variable", names(mine), names(theirs))
  } else {
    v <- which(!mapply(identical, mine, theirs))[[1]]
    first_difference(paste("In", in_quotes(names(mine)[[v]]), "level"), mine[[v]], theirs[[v]])
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have the variables and levels for which the cycles were made.",
    x = "{where}"
  ))
}

# Names and levels are public, so a message may show them.
first_difference <- function(what, mine, theirs) {
  at <- which(!mapply(identical, mine, theirs, USE.NAMES = FALSE))[[1]]
  paste0(what, " ", at, " is ", in_quotes(mine[[at]]), ", that of the cycles ", in_quotes(theirs[[at]]), ".")
}

in_quotes <- function(x) encodeString(x, quote = "\"")

#' @export
format.sdc_cycles_summary <- function(x, ...) {
  cells <- x$cells
  span <- function(v) paste(unique(format_count(range(v))), collapse = " to ")
  c(
    format(x$cycles),
    paste0("cells: ", format_count(nrow(cells))),
    paste0("chances of a cell in one cover: ", span(cells$chances)),
    paste0("largest change in ", plural(x$covers, "cover"), ": ", span(cells$reach)),
    paste0(
      "cells that cannot move", if (x$private) " (zero rule blocked, this table)", ": ",
      format_count(sum(!cells$movable))
    ),
    paste0("preserved beyond the margins: ", preserved_words(x)),
    paste0("other cells that one known cell gives away: ", span(cells$determines)),
    if (x$private) "CONFIDENTIAL: computed from the original table"
  )
}

#' @export
print.sdc_cycles_summary <- function(x, ...) {
  cat("<summary of sdc_cycles>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @export
as.data.frame.sdc_cycles_summary <- function(x, row.names = NULL, optional = FALSE, ...,
                                             stringsAsFactors = FALSE) {
  check_no_dots(...)
  labels <- dimnames(x$cycles)
  check_free_names(labels, names(x$cells))
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
  check_no_dots(...)
  check_installed("ggplot2", "to draw cycles")
  show_picture(autoplot.sdc_cycles(x, n = n))
}

#' @rdname plot.sdc_cycles
#' @usage \method{autoplot}{sdc_cycles}(object, n = 6, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_cycles <- function(object, n = 6, ...) {
  check_no_dots(...)
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
  names(frame) <- c(".row", ".column", paste0(".further", seq_along(labels)))[seq_along(labels)]
  frame$.panel <- panel_names(frame, rep(seq_len(n), each = cells))
  frame$.move <- 0L
  for (c in seq_len(n)) {
    at <- entries_of(all, c)
    frame$.move[(c - 1) * cells + all$cell[at]] <- all$coefficient[at]
  }
  draw_moves(frame, names(labels), dim(object))
}

# Of many lines only those that some shown cycle changes.
keep_moving_lines <- function(frame, size) {
  for (axis in c(".row", ".column")[size[1:2] > 12]) {
    moving <- unique(as.character(frame[[axis]])[frame$.move != 0])
    frame <- frame[frame[[axis]] %in% moving, , drop = FALSE]
    frame[[axis]] <- droplevels(frame[[axis]])
  }
  frame
}

panel_names <- function(frame, cycle) {
  further <- frame[setdiff(names(frame), c(".row", ".column"))]
  names <- do.call(paste, c(list(paste("cycle", cycle)), lapply(further, as.character), sep = ", "))
  factor(names, levels = unique(names))
}

# White figures on the tiles that the scale makes dark: those of the largest moves.
draw_moves <- function(frame, variables, size) {
  frame$.row <- named_level(frame$.row)
  frame$.column <- named_level(frame$.column)
  all <- c(nlevels(frame$.row), nlevels(frame$.column))
  frame <- keep_moving_lines(frame, size)
  shown <- c(nlevels(frame$.row), nlevels(frame$.column))
  frame$.ink <- ifelse(abs(frame$.move) > max(abs(frame$.move)) / 2, "white", "black")
  frame$.label <- ifelse(frame$.move == 0, "", sprintf("%+d", frame$.move))
  words <- tile_words(frame$.label, shown[2], shown[1], nlevels(frame$.panel))
  if (!is.null(words)) words$mapping$colour <- quote(.data$.ink)
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$.column, y = .data$.row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$.move),
                       colour = tile_border(prod(shown) * nlevels(frame$.panel))) +
    words +
    ggplot2::scale_colour_identity() +
    ggplot2::scale_fill_gradient2(guide = "none") +
    level_axes(levels(frame$.column), levels(frame$.row)) +
    ggplot2::facet_wrap(~.panel) +
    ggplot2::labs(
      x = variables[[2]], y = variables[[1]],
      caption = if (any(shown < all)) "Only the rows and columns that these cycles change are shown."
    )
}
