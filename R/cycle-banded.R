#' Bands of rows, on shuffled columns: triads and pairs
#'
#' Cuts the rows of a two-way table at random into groups and gives each group a ring, a random
#' order of the columns. A pair of rows (a, b) is one band: cycle `s` is +1 at (a, ring\[s\]), -1 at
#' (b, ring\[s\]), -1 at (a, ring\[s + 1\]) and +1 at (b, ring\[s + 1\]): four cells, so that few
#' zeros block it. A triad (a, b, c) is three such bands on the same ring: (a, b), then (b, c), then
#' (c, a).
#'
#' @details
#' **`group = 3`** (default) makes triads, and pairs of the rows that are left: two pairs when the
#' number of rows is 4, 7, 10, ..., one when it is 2, 5, 8, ... One cover goes group after group:
#' the three bands of a triad, each along its ring, and a pair's band **twice**. So each cell has
#' four chances in one cover, two with +1 and two with -1. A triad keeps the sums of its three rows
#' in each column and nothing else beyond the margins: over three columns or more no single known
#' cell of a triad gives another one away. That is so for counts far from zero. Near zero a known
#' cell can settle others even in a triad, because counts are not negative, and under the rule
#' `"blocked"` because zeros do not move; [risk_utility()] measures it. In the pairs that are left
#' over a known cell always gives its partner away; the print says so, and whether the other
#' dimension can be cut into triads alone (`transposed`).
#'
#' **`group = 2`** makes pairs, swept once in one cover: two chances for each cell. It keeps the sum
#' of the two rows in each column: who knows one cell knows its partner. With an odd number of rows
#' the last three are one band of three rows: +1 at (a, s), -1 at (a, s + 1), +1 at (b, s + 1), -1
#' at (b, s + 2), +1 at (c, s + 2), -1 at (c, s), positions on its ring. Choose it where the
#' posterior of a large table must be fast on closed rings.
#'
#' **`open = TRUE`** leaves out the cycle that would close each ring: n - 1 cycles a band instead of
#' n. The two positions at the ends have half the chances; the posterior of triads costs much less.
#' Choose it for rings of more than about 100 positions. A band of three rows cannot be open.
#'
#' **`skip_zeros = TRUE`** (with open rings) makes sets for tables with many zeros, above the fifth
#' of the cells at which [perturb()] refuses fixed cycles. The steps depend on the table: step `i`
#' of a sweep over the rows (x, y) is void unless both cells of position `i` are 1 or more at that
#' time, and both cells of some later position; with `k` the first such position, the step adds
#' +1 (x, i), -1 (y, i), -1 (x, k), +1 (y, k), or takes it away. So a zero blocks its own position
#' only, not its neighbours. A zero never changes, and with `alpha = beta` the published table is
#' exactly unbiased. The pattern of zeros is not published. `as.list()`, `as.data.frame()` and
#' `plot()` show the moves that are made where no cell is zero: those with k = i + 1.
#'
#' **Tables with trees or a `formula`** keep every published total: their rows and columns are cut
#' into classes of *siblings*, levels that lie in the same totals of all trees, and each block of a
#' class of rows and a class of columns gets groups and rings of its own, for which the choices
#' above hold. A cell whose row or whose column has no sibling never changes; the print says how
#' many there are. Where a `formula` publishes few crossings, one variable may be free of totals
#' that no crossing shows beside single levels of the other, and more cells move. In a block with
#' no room for a band of three lines `transposed` is chosen.
#'
#' The cycles of a closed band sum to nothing. On a ring of two positions the second cycle is the
#' first one reversed. A band of three rows needs three positions, so under `group = 2` an odd
#' number of rows over two columns is cut the other way: the two columns are the pair, the rows the
#' ring.
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
#' @return An object of class `sdc_cycles`. Its cycles are numbered along the ring in each band,
#'   band after band, group after group.
#' @inheritSection cycles_bidiagonal Errors
#' @section Guarantee:
#' Both one-way margins are kept, and all published totals of a table with trees or crossings; the
#' core checks every cycle when the set is built, in time linear in the number of cells, times the
#' number of totals over one of them.
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(3, 0, 2, 5, 1, 4, 2, 2, 6, 1, 0, 3, 4, 2, 1), nrow = 5))
#' cycles_banded(x, seed = 11)
#' cycles_banded(x, groups = list(c(1, 4, 2), c(5, 3)), rings = 1:3, open = TRUE)
#' cycles_banded(x, group = 2, seed = 11)
#' @export
cycles_banded <- function(x, group = 3, seed = NULL, shuffle = TRUE, groups = NULL, rings = NULL,
                          transposed = NULL, open = FALSE, skip_zeros = FALSE) {
  x <- one_level_argument(x)
  labels <- two_way_labels(x)
  how <- band_choices(x, group, shuffle, groups, rings, transposed, open, skip_zeros)
  with_public_seed(seed, {
    sibling_cycles(x, labels, function(of) banded_rule(of, how), ways(labels, 1))
  })
}

band_choices <- function(x, group = 3, shuffle = TRUE, groups = NULL, rings = NULL,
                         transposed = NULL, open = FALSE, skip_zeros = FALSE) {
  check_whole(group, min = 2, max = 3)
  check_flag(shuffle)
  check_flag(open)
  check_flag(skip_zeros)
  if (!is.null(transposed)) check_flag(transposed)
  check_no_bands(groups, rings, x)
  list(group = as.integer(group), shuffle = shuffle, groups = groups, rings = rings,
       transposed = transposed, open = open || skip_zeros, skip_zeros = skip_zeros,
       block = !is.null(cycle_layout(x)))
}

# From the current random stream.
banded_rule <- function(labels, how) {
  n <- lengths(labels, use.names = FALSE)
  transposed <- is_transposed_band(how, n)
  if (transposed) {
    n <- rev(n)
  }
  groups <- if (!is.null(how$groups)) check_groups(how$groups, n[[1]], n[[2]])
  rings <- if (!is.null(how$rings)) check_rings(how$rings, n[[2]])
  bands <- draw_bands(n[[1]], n[[2]], how$group, how$shuffle, groups, rings, how$open)
  list(rule = "banded", parameters = list(
    group = how$group, groups = bands$groups, rings = bands$rings, transposed = transposed,
    open = how$open, skip_zeros = how$skip_zeros
  ))
}

# A band of three lines has no room on a ring of two: a block of siblings is then cut the other way
# whatever was asked for the table.
is_transposed_band <- function(how, n) {
  no_room <- how$group == 2 && n[[1]] %% 2 == 1 && n[[2]] == 2
  no_room_across <- how$group == 2 && n[[2]] %% 2 == 1 && n[[1]] == 2
  if (is.null(how$transposed) || (how$block && (no_room || no_room_across))) {
    return(no_room)
  }
  how$transposed
}

# Lines of one group, and positions of one ring, would have to be siblings.
check_no_bands <- function(groups, rings, x) {
  if (is.null(cycle_layout(x)) || (is.null(groups) && is.null(rings))) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg groups} and {.arg rings} are for tables without trees and crossings.",
    x = "{.arg x} has {layout_words_of(cycle_layout(x))}: groups are made of siblings.",
    i = "{.fn cycles} takes moves of your own."
  ))
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
      i = "{.code group = 3} makes a triad of them; or cut the other dimension, with the other value
           of {.arg transposed}."
    ))
  }
  if (n_ring < 3) {
    abort_sdc("input", c(
      "A band of three lines needs a ring of at least three positions.",
      x = "This table leaves rings of {n_ring}.",
      i = "{.code group = 3} makes a triad of them; or cut the other dimension, with the other value
           of {.arg transposed}."
    ))
  }
}

check_groups <- function(groups, n_lines, n_ring) {
  ok <- is.list(groups) && all(vapply(groups, is_whole_vector, NA)) && all(lengths(groups) %in% 2:3)
  if (!ok) {
    labels <- is.character(unlist(groups))
    abort_sdc("input", c(
      "{.arg groups} must be a list of whole-number vectors of 2 or 3 lines (rows or
       columns) each.",
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

# The first line that does not exist, is named twice or is left out; NULL when the groups cut all
# lines.
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
    ok <- is_whole_vector(each[[i]]) && identical(sort(as.double(each[[i]])),
    as.double(seq_len(n_ring)))
    if (!ok) {
      some <- is.numeric(each[[i]]) && length(each[[i]]) > 0
      abort_sdc("input", c(
        "{.arg rings} must hold permutations of 1 to {n_ring}.",
        x = if (some) "Ring {i} is {utils::head(each[[i]], 10)}.",
        x = if (!some) "Ring {i} is {.obj_type_friendly {each[[i]]}}."
      ))
    }
  }
  rings
}
