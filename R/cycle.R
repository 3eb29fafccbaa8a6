# Sets of cycles: moves on the cells of a table that leave margins as they are.

#' Two-chance cycles over a whole two-way table
#'
#' Makes the cycles of a closed walk over all rows of an m x n table: cycle `i` adds 1 in row `k` at
#' column `a_k + i` and takes 1 at column `a_{k+1} + i` (columns modulo n). There are `n` cycles
#' (`m` when the walk runs along the columns); each keeps every row sum and column sum; and each
#' cell is on exactly two of them, once with +1 and once with -1.
#'
#' @details
#' **`walk = "lenz"`** always steps one column on, and returns to the start in the last row (Lenz's
#' program). It does not keep the margins when m mod n = 1; the walk then runs along the columns of
#' the table. That always works: m mod n = 1 makes m > n, and then n mod m = n, which is not 1. For
#' m < n, cycles at distance m - 1 share cells too, so the posterior costs more.
#'
#' **`walk = "chain"`** takes steps of one column to the right or left only, so that cycles share
#' cells with their two neighbours only, and the posterior costs least. For even m the steps
#' alternate (all to the right when m = n); for odd m and odd n <= m there are n steps to the right
#' and the rest alternates; in all other cases the walk runs along the columns. An alternating walk
#' touches two neighbouring columns only, so a zero blocks it more often, and it spreads changes
#' less.
#'
#' For m = n both walks are the same. In these sets a zero anywhere among the `2m` cells of a cycle
#' blocks it, and one known cell gives away the others on its diagonal; [cycles_banded()] protects
#' tables with small counts better.
#'
#' The cycles depend on nothing but shape and labels: `x` is never asked for its counts.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes; two variables of at least two levels each)
#'   The table. Only its shape and labels are used.
#' @param walk (string) `"lenz"` or `"chain"`.
#' @return An object of class `sdc_cycles`, for [mechanism()]. `length()` is the number of cycles.
#' @section Errors:
#' `sdc_error_input` when `x` has not two variables, or one of them has fewer than two levels;
#' `sdc_error_too_large` above 2^31 - 1 cells.
#' @section Guarantee:
#' Both one-way margins are kept; the core checks every cycle when the set is built, in time linear
#' in the number of cells.
#' @template ref-lenz
#' @template ref-slides
#' @family cycle
#' @examples
#' x <- as_sdc_table(table(a = c("u", "v", "w"), b = c("k", "l", "m")))
#' set <- cycles_bidiagonal(x)
#' set
#' as.list(set)[[1]]
#' @export
cycles_bidiagonal <- function(x, walk = c("lenz", "chain")) {
  labels <- two_way_labels(x)
  walk <- check_choice(walk, c("lenz", "chain"))
  n <- lengths(labels, use.names = FALSE)
  turned <- cpp_is_transposed_walk(walk, n[[1]], n[[2]])
  new_sdc_cycles("bidiagonal", labels, list(walk = walk, transposed = turned), ways(labels, 1))
}

#' Bands of rows, on shuffled columns: triads and pairs
#'
#' Cuts the rows of a two-way table at random into groups and gives each group a ring, a random
#' order of the columns. A pair of rows (a, b) is one band: cycle `s` is +1 at (a, ring\[s\]), -1 at
#' (b, ring\[s\]), -1 at (a, ring\[s + 1\]) and +1 at (b, ring\[s + 1\]): four cells, so that few zeros
#' block it. A triad (a, b, c) is three such bands on the same ring: (a, b), then (b, c), then (c, a).
#'
#' @details
#' **`group = 3`** (default) makes triads, and pairs of the rows that are left: two pairs when the
#' number of rows is 4, 7, 10, ..., one when it is 2, 5, 8, ... One cover goes group after group: the
#' three bands of a triad, each along its ring, and a pair's band **twice**. So each cell has four
#' chances in one cover, two with +1 and two with -1. A triad keeps the sums of its three rows in
#' each column and nothing else beyond the margins: over three columns or more no single known cell
#' of a triad gives another one away. In the pairs that are left over it gives its partner away; the
#' print says so, and whether the other dimension can be cut into triads alone (`transposed`).
#'
#' **`group = 2`** makes pairs, swept once in one cover: two chances for each cell. It keeps the sum
#' of the two rows in each column: who knows one cell knows its partner. With an odd number of rows
#' the last three are one band of three rows: +1 at (a, s), -1 at (a, s + 1), +1 at (b, s + 1), -1 at
#' (b, s + 2), +1 at (c, s + 2), -1 at (c, s), positions on its ring. Choose it where the posterior
#' of a large table must be fast on closed rings.
#'
#' **`open = TRUE`** leaves out the cycle that would close each ring: n - 1 cycles a band instead of
#' n. The two positions at the ends have half the chances; the posterior of triads costs much less.
#' Choose it for rings of more than about 100 positions. A band of three rows cannot be open.
#'
#' **`skip_zeros = TRUE`** (with open rings) makes sets for tables with many zeros, from about a
#' quarter of the cells on. The steps depend on the table: step `i` of a sweep over the rows (x, y)
#' is void unless both cells of position `i` are 1 or more at that time, and both cells of some later
#' position; with `k` the first such position, the step adds +1 (x, i), -1 (y, i), -1 (x, k),
#' +1 (y, k), or takes it away. So a zero blocks its own position only, not its neighbours. A zero
#' never changes, and with `alpha = beta` the published table is exactly unbiased. The pattern of
#' zeros is not published. `as.list()`, `as.data.frame()` and `plot()` show the moves that are made
#' where no cell is zero: those with k = i + 1.
#'
#' The cycles of a closed band sum to nothing. On a ring of two positions the second cycle is the
#' first one reversed. A band of three rows needs three positions, so under `group = 2` an odd number
#' of rows over two columns is cut the other way: the two columns are the pair, the rows the ring.
#'
#' Groups and rings are published with the table. They depend on the shape and on `seed` only. They
#' are drawn with fixed generators of their own; your random stream stays where it is.
#'
#' @inheritParams cycles_bidiagonal
#' @param group (2 or 3) Rows per group: 3 for triads, 2 for pairs.
#' @param seed (whole number between -2147483647 and 2147483647, or NULL) Seed of the public
#'   grouping. `NULL` takes one from the operating system; it is not kept, the groups are.
#' @param shuffle (flag) Whether rows and columns are shuffled. `FALSE` groups the rows in their
#'   order, triads first, and leaves the columns in theirs.
#' @param groups (list of whole-number vectors of 2 or 3 rows each, or NULL) The groups, when you
#'   want to choose them yourself: each row once. Groups of three are triads under `group = 3` and
#'   bands of three rows under `group = 2`.
#' @param rings (a permutation of the columns, or a list of one for each group, or NULL) The order
#'   of the columns on the rings, when you want to choose it yourself.
#' @param transposed (flag, or NULL) Whether to cut the columns into groups, with rings of rows.
#'   `NULL` does so for an odd number of rows over two columns under `group = 2` only.
#' @param open (flag) Whether the rings stay open.
#' @param skip_zeros (flag) Whether the steps reach over zeros. `TRUE` makes open rings.
#' @return An object of class `sdc_cycles`. Its cycles are numbered along the ring in each band, band
#'   after band, group after group.
#' @inheritSection cycles_bidiagonal Errors
#' @section Guarantee:
#' Both one-way margins are kept; the core checks every cycle when the set is built, in time linear
#' in the number of cells.
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(3, 0, 2, 5, 1, 4, 2, 2, 6, 1, 0, 3, 4, 2, 1), nrow = 5))
#' cycles_banded(x, seed = 11)
#' cycles_banded(x, groups = list(c(1, 4, 2), c(5, 3)), rings = 1:3, open = TRUE)
#' cycles_banded(x, group = 2, seed = 11)
#' @export
cycles_banded <- function(x, group = 3, seed = NULL, shuffle = TRUE, groups = NULL, rings = NULL,
                          transposed = NULL, open = FALSE, skip_zeros = FALSE) {
  labels <- two_way_labels(x)
  check_whole(group, min = 2, max = 3)
  check_flag(shuffle)
  check_flag(open)
  check_flag(skip_zeros)
  open <- open || skip_zeros
  n <- lengths(labels, use.names = FALSE)
  if (is.null(transposed)) {
    transposed <- group == 2 && n[[1]] %% 2 == 1 && n[[2]] == 2
  }
  check_flag(transposed)
  if (transposed) {
    n <- rev(n)
  }
  if (!is.null(groups)) {
    groups <- check_groups(groups, n[[1]], n[[2]])
  }
  if (!is.null(rings)) {
    rings <- check_rings(rings, n[[2]])
  }
  bands <- with_public_seed(seed, draw_bands(n[[1]], n[[2]], group, shuffle, groups, rings, open))
  parameters <- list(
    group = as.integer(group), groups = bands$groups, rings = bands$rings, transposed = transposed,
    open = open, skip_zeros = skip_zeros
  )
  new_sdc_cycles("banded", labels, parameters, ways(labels, 1))
}

# Groups and one ring for each, from the current random stream where they are not given.
draw_bands <- function(n_lines, n_ring, group, shuffle, groups, rings, open) {
  if (is.null(groups)) {
    lines <- if (shuffle) sample.int(n_lines) else seq_len(n_lines)
    groups <- if (group == 3) cut_into_triads(lines) else cut_into_pairs(lines)
  }
  if (group == 2 && any(lengths(groups) == 3)) {
    check_band_of_three(n_ring, open)
  }
  if (is.null(rings)) {
    rings <- lapply(groups, function(g) if (shuffle) sample.int(n_ring) else seq_len(n_ring))
  }
  if (!is.list(rings)) {
    rings <- rep(list(rings), length(groups))
  }
  if (length(rings) != length(groups)) {
    abort_sdc("input", c(
      "{.arg rings} must be one ring, or one for each group.",
      x = "It holds {length(rings)} ring{?s} for {length(groups)} group{?s}."
    ))
  }
  list(groups = lapply(groups, as.integer), rings = lapply(rings, as.integer))
}

# 1 2 | 3 4 | 5 6 7: pairs, and the last three of an odd number together.
cut_into_pairs <- function(lines) {
  at <- pmin((seq_along(lines) + 1) %/% 2, length(lines) %/% 2)
  unname(split(lines, at))
}

# 1 2 3 | 4 5 | 6 7: triads, and no line alone.
cut_into_triads <- function(lines) {
  n <- length(lines)
  pairs <- (3 - n %% 3) %% 3
  size <- c(rep(3, (n - 2 * pairs) / 3), rep(2, pairs))
  unname(split(lines, rep(seq_along(size), size)))
}

# Its walk 0, 1, 2 needs three positions, and the cycle that closes the ring: without it the
# others would be cut off in the middle of their steps.
check_band_of_three <- function(n_ring, open) {
  if (open) {
    abort_sdc("input", c(
      "Open rings need pairs of lines, or triads.",
      x = "{.code group = 2} makes one band of three lines here.",
      i = "{.code group = 3} makes a triad of them; or cut the other dimension, with the other value of {.arg transposed}."
    ))
  }
  if (n_ring < 3) {
    abort_sdc("input", c(
      "A band of three lines needs a ring of at least three positions.",
      x = "This table leaves rings of {n_ring}.",
      i = "{.code group = 3} makes a triad of them; or cut the other dimension, with the other value of {.arg transposed}."
    ))
  }
}

check_groups <- function(groups, n_lines, n_ring) {
  ok <- is.list(groups) && all(vapply(groups, is_whole_vector, NA)) && all(lengths(groups) %in% 2:3)
  if (!ok) {
    labels <- is.character(unlist(groups))
    abort_sdc("input", c(
      "{.arg groups} must be a list of whole-number vectors of 2 or 3 lines (rows or columns) each.",
      x = "{describe_groups(groups)}",
      i = if (labels) "Give the numbers of the lines, not their labels."
    ))
  }
  found <- describe_cut(unlist(groups), n_lines)
  if (!is.null(found)) {
    abort_sdc("input", c(
      "{.arg groups} must name each of the lines 1 to {n_lines} once.",
      x = "{found}",
      i = "A line without a group has cells that never move."
    ))
  }
  lapply(groups, as.integer)
}

# The first group that is not one.
describe_groups <- function(groups) {
  if (!is.list(groups)) {
    return(cli::format_inline("`groups` is {.obj_type_friendly {groups}}."))
  }
  whole <- vapply(groups, is_whole_vector, NA)
  at <- which(!whole | !lengths(groups) %in% 2:3)[[1]]
  group <- groups[[at]]
  found <- if (whole[[at]]) {
    cli::format_inline("has {length(group)} line{?s}")
  } else if (is.numeric(group)) {
    "holds a number that is missing or not whole"
  } else {
    cli::format_inline("is {.obj_type_friendly {group}}")
  }
  paste0("Group ", at, " ", found, ".")
}

# The first line that does not exist, is named twice or is left out; NULL when the groups cut all lines.
describe_cut <- function(lines, n) {
  strange <- setdiff(lines, seq_len(n))
  left_out <- setdiff(seq_len(n), lines)
  if (length(strange)) {
    paste0("There is no line ", format(strange[[1]]), ".")
  } else if (anyDuplicated(lines)) {
    paste0("Line ", lines[[anyDuplicated(lines)]], " is named more than once.")
  } else if (length(left_out)) {
    paste0("Line ", left_out[[1]], " is in no group.")
  }
}

check_rings <- function(rings, n_ring) {
  each <- if (is.list(rings)) rings else list(rings)
  for (i in seq_along(each)) {
    ok <- is_whole_vector(each[[i]]) && identical(sort(as.double(each[[i]])), as.double(seq_len(n_ring)))
    if (!ok) {
      abort_sdc("input", c(
        "{.arg rings} must hold permutations of 1 to {n_ring}.",
        x = if (is.numeric(each[[i]])) "Ring {i} is {utils::head(each[[i]], 10)}.",
        x = if (!is.numeric(each[[i]])) "Ring {i} is {.obj_type_friendly {each[[i]]}}."
      ))
    }
  }
  rings
}

# Public random choices: `seed`, or a seed from the operating system; never the user's stream.
with_public_seed <- function(seed, code) {
  if (is.null(seed)) {
    seed <- sum(as.integer(openssl::rand_bytes(3)) * c(1, 256, 65536))
  }
  with_seed_kept(seed, code)$value
}

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
#' @section Errors:
#' `sdc_error_input` when a move has another shape, is empty, has a coefficient that is missing, not
#' whole or too large, or breaks a claimed margin; the message names the cycle, the margin and the
#' levels.
#' @section Guarantee:
#' Every cycle keeps every claimed margin: checked by the core in time linear in the number of
#' entries. Nothing more is claimed; a cell on no cycle never moves (see [summary()][summary.sdc_cycles]).
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5), 2))
#' cycles(list(matrix(c(1, -1, -1, 1), 2)), x)
#' @export
cycles <- function(moves, x, margins = NULL) {
  check_given(moves)
  labels <- shape_labels(x)
  entries <- if (is.data.frame(moves)) frame_entries(moves, labels) else list_entries(moves, labels)
  margins <- check_margins(margins, labels)
  new_sdc_cycles("user", labels, entries, margins)
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
  if (!is.null(named) && (!all(fits) || (!is.null(names(named)) && !identical(names(named), names(labels))))) {
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
    x = if (!ok) "It holds something else, or nothing." else "It leaves out {which(tabulate(cycle) == 0)[[1]]}."
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

# All margins of `k` variables, as lists of their names.
ways <- function(labels, k) {
  lapply(utils::combn(length(labels), k, simplify = FALSE), function(at) names(labels)[at])
}

# Shape and labels of a table, and nothing else of it.
shape_labels <- function(x) {
  labels <- lapply(dimnames(table_argument(x, "x")), function(l) plain_strings(l))
  size <- prod(lengths(labels))
  if (length(labels) == 0 || size == 0) {
    abort_sdc("input", c("{.arg x} must have cells.", x = "It has none."))
  }
  if (size > .Machine$integer.max) {
    abort_sdc("too_large", c(
      "{.arg x} may have at most 2^31 - 1 cells to be moved along cycles.",
      x = "It has {size}."
    ))
  }
  labels
}

two_way_labels <- function(x) {
  labels <- shape_labels(x)
  if (length(labels) != 2) {
    abort_sdc("input", c(
      "{.arg x} must have two variables.",
      x = "It has {length(labels)}: {.val {names(labels)}}.",
      i = if (length(labels) > 2) "{.fn cycles_margin} makes cycles for tables of any number of variables."
    ))
  }
  short <- which(lengths(labels) < 2)
  if (length(short)) {
    abort_sdc("input", c(
      "{.arg x} must have at least two levels in each variable: no move keeps the margins otherwise.",
      x = "{.field {names(labels)[short]}} has one."
    ))
  }
  labels
}

# A copy that shares nothing with `x` but the strings themselves.
plain_strings <- function(x) {
  out <- character(length(x))
  out[] <- enc2utf8(as.character(x))
  out
}

new_sdc_cycles <- function(rule, labels, parameters, preserves) {
  set <- structure(
    list(rule = rule, version = 1L, dimnames = labels, parameters = parameters, preserves = preserves),
    class = "sdc_cycles"
  )
  validate_sdc_cycles(set)
}

# The core expands the set and checks every claimed margin.
validate_sdc_cycles <- function(set) {
  broken <- with_core(cpp_check_cycles(set))
  if (is.null(broken)) {
    return(set)
  }
  margin <- set$preserves[[broken$margin]]
  levels <- unique(margin_levels(broken$cells, set$dimnames, margin))
  shown <- utils::head(levels, 3)
  rest <- length(levels) - length(shown)
  abort_sdc("input", c(
    "Every cycle must keep the margin {.field {margin_name(margin)}}.",
    x = "Cycle {broken$cycle} changes it at {.val {shown}}{if (rest > 0) paste(' and', rest, 'more') else ''}."
  ))
}

margin_name <- function(margin) {
  if (length(margin)) paste(margin, collapse = " x ") else "total"
}

margin_levels <- function(cells, labels, margin) {
  if (length(margin) == 0) {
    return("total")
  }
  at <- arrayInd(cells, lengths(labels, use.names = FALSE))
  parts <- lapply(margin, function(v) labels[[v]][at[, match(v, names(labels))]])
  do.call(paste, c(parts, sep = ", "))
}
