# Cycles of tables with any number of variables: those that keep all margins without one variable,
# and sets on a table whose variables are merged into ways.

#' Cycles of tables with many variables
#'
#' Makes cycles of a k-way table. Either they keep every margin that leaves out one variable
#' (`set = "margin"`), or variables are merged into ways first: the table is then seen as a table of
#' the ways, whose levels are the combinations of the levels of their variables, and the cycles keep
#' every margin that leaves out one **way**.
#'
#' @details
#' **Why to merge.** A cycle that keeps all margins of k - 1 variables has 2^k cells or more, and is
#' blocked when one of them is zero. On six variables of two levels there is one such move only,
#' with its negative, on all 64 cells: it protects nothing. So tables of more than three variables
#' (of at least two levels) are merged into two ways unless you say otherwise; the set prints which.
#' The two ways are those whose numbers of levels are as equal as possible; the first variable is in
#' the first. To keep all margins of k - 1 variables on a larger table, give each variable a way of
#' its own: `ways = as.list(names(dimnames(x)))`.
#'
#' **Two ways** get the set of [cycles_banded()], which protects small counts best, unless you
#' choose `set = "margin"`. Its rows are the levels of the first way, its columns those of the
#' second, both numbered with the first variable of the way running fastest; `...` goes to it.
#'
#' **The margin set.** One dimension is the ring, of n levels. Each other dimension is cut, in the
#' order of its levels, into blocks of two and, for an odd number, one last block of three. Each
#' choice of one block in every dimension is a band of n cycles, in which each cell is on two
#' cycles, once with +1 and once with -1. A combination of levels takes the step from 0 to 1 on the
#' ring; with blocks of three, step t of the triangle 0, 1, 2, 0, where t is the sum of the
#' positions in the blocks of three, modulo 3. Each second position in a block of two turns the step
#' round. Cycle c has +1 at the start of the step plus c, -1 at its end plus c, modulo n. A cycle
#' has 2 cells for each block of two, times 3 for each block of three, times 2.
#'
#' The ring is an odd dimension if there is one (which leaves the fewest odd others), and among
#' those the longest. A ring of two levels goes with even dimensions only; its second cycle is the
#' first one reversed. Variables of one level play no part.
#'
#' **The diagonal set** is that of the slides, for three variables: the ring, of n levels, the rows,
#' whose number is n or a multiple of it, and the layers, of any number (an even one if n = 2). It
#' has n cycles. Cycle c has +1 in layer k wherever ring minus row is `a_k + c` modulo n, and -1
#' wherever it is `a_(k+1) + c`; a is the walk 0, 1, 2, ... modulo n, which closes. A table of
#' 4 x 4 x 3 cells has 4 cycles of 24 cells. Each cell is on two cycles, once with +1 and once with
#' -1, as in the margin set. But the cycles are long: one zero blocks many more cells. So the margin
#' set protects sparse tables better; this one serves teaching and comparison.
#'
#' **Tables with trees or a `formula`** get a set for each block of siblings, as [cycles_banded()]
#' says, so that all published totals stay. Two variables get banded sets, others margin sets: no
#' variables are merged unless you name `ways`, because moves within a merged way change totals over
#' its variables ([changed_totals()] lists them, and [perturb()] wants `insist = TRUE`). Where the
#' `ring` has too few levels in a block, the block chooses one that fits.
#'
#' The cycles depend on nothing but shape, labels and the public choices: `x` is never asked for its
#' counts.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes; at least one variable of at least two
#'   levels) The table. Only its shape and labels are used.
#' @param ways (list of character vectors, or NULL) The variables that each way merges: each
#'   variable once. `NULL` gives each variable a way of its own, up to three variables, and makes
#'   two ways of more.
#' @param ring (variable's name, or number of a way, or NULL) The ring of a margin set; a variable
#'   stands for the way that holds it. `NULL` chooses; for a diagonal set the longest ring that
#'   fits.
#' @param set (string) `"margin"`, `"banded"` for two ways, or `"diagonal"` for three variables;
#'   `"auto"` takes `"banded"` for two ways unless `ring` is given, else `"margin"`.
#' @param ... Further arguments of [cycles_banded()], such as `seed`, for a banded set; nothing
#'   else.
#' @return An object of class `sdc_cycles`. Its `preserves` are margins of the variables themselves.
#' @section Errors:
#' `sdc_error_input` when no variable has two levels; when `ways` are no list of all variables, each
#' once; for a ring that is no way, has one level, or has two while another way has an odd number;
#' for `"banded"` on other than two ways of at least two levels; for `"diagonal"` with merged ways,
#' on other than three variables of at least two levels, or where no number of levels divides
#' another, or for a table with trees or crossings; for arguments that the set does not have.
#' `sdc_error_infeasible` when no cycle keeps all totals; `sdc_error_too_large` above 2^31 - 1
#' cells.
#' @section Guarantee:
#' All margins that leave out one way are kept; the core checks every cycle when the set is built.
#' Time and memory are linear in the number of cells.
#' @template ref-lenz
#' @template ref-slides
#' @family cycle
#' @examples
#' cycles_margin(array(0, c(4, 4, 3)))
#' cycles_margin(array(0, c(4, 4, 3)), ring = 1)
#' cycles_margin(array(0, c(4, 4, 3)), set = "diagonal")
#' x <- sdc_table(czech_workers)
#' cycles_margin(x, seed = 1)
#' cycles_margin(x, ways = list(c("A", "E"), c("B", "C"), c("D", "F")))
#' @export
cycles_margin <- function(x, ways = NULL, ring = NULL,
                          set = c("auto", "margin", "banded", "diagonal"), ...) {
  x <- one_level_argument(x)
  labels <- shape_labels(x)
  check_some_level(labels)
  set <- check_choice(set, c("auto", "margin", "banded", "diagonal"))
  if (set == "diagonal") {
    check_no_dots(...)
    check_no_ways(ways, labels)
    check_no_layout(x)
    return(new_diagonal_set(labels, number_of_ring(ring, as.list(seq_along(labels)), labels)))
  }
  ways <- if (is.null(ways)) choose_ways(labels, x) else check_ways(ways, labels)
  if (set == "auto") {
    two <- length(ways) == 2 && all(way_sizes(ways, labels) > 1)
    set <- if (two && is.null(ring)) "banded" else "margin"
  }
  if (set == "banded") {
    check_two_ways(ways, labels, "{.code set = \"margin\"} takes any number of ways.")
    check_no_ring(ring)
    check_no_dots_but(setdiff(names(formals(cycles_banded)), "x"), ...)
    return(banded_ways(x, labels, ways, ...))
  }
  check_no_dots(...)
  if (!is.null(ring)) ring <- check_ring(ring, ways, labels)
  cycles_of_ways(x, labels, ways, function(of) margin_rule(of, ring))
}

# The arguments of cycles_banded(), for a set on the ways.
banded_ways <- function(x, labels, ways, seed = NULL, ...) {
  how <- band_choices(x, ...)
  with_public_seed(seed, cycles_of_ways(x, labels, ways, function(of) banded_rule(of, how)))
}

# Where the ring has too few levels in a block of siblings, the block chooses one that fits.
margin_rule <- function(labels, ring) {
  size <- lengths(labels, use.names = FALSE)
  if (is.null(ring) || !is_ring(ring, size)) ring <- cpp_choose_ring(size)
  list(rule = "margin", parameters = list(ring = as.integer(ring)))
}

is_ring <- function(ring, size) {
  odd <- size[-ring] %% 2 == 1 & size[-ring] > 1
  size[[ring]] > 2 || (size[[ring]] == 2 && !any(odd))
}

# A margin set keeps the margins that leave out one variable of at least two levels.
new_margin_set <- function(labels, ring) {
  new_sdc_cycles("margin", labels, list(ring = as.integer(ring)), margins_without_one(labels))
}

# The set that `make` makes of the labels of the ways, as a set on the table itself. `ways` are the
# numbers of their variables. Moves within a way that merges variables change totals over them.
cycles_of_ways <- function(x, labels, ways, make) {
  long <- way_sizes(ways, labels) > 1
  is_movable <- function(size) {
    all(vapply(ways, function(at) prod(size[at]), 0) > 1 | !long)
  }
  sibling_cycles(x, labels, function(of) merged_rule(of, ways, make),
                 margins_without_one(labels, ways), is_movable, keeps_totals(ways, labels))
}

check_no_layout <- function(x) {
  if (is.null(cycle_layout(x))) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "A diagonal set is for tables without trees and crossings.",
    x = "{.arg x} has {layout_words_of(cycle_layout(x))}, whose totals its cycles would change.",
    i = "{.code set = \"margin\"} moves counts within siblings."
  ))
}

# A table without a count: the makers of cycles look at shape and labels only.
empty_table <- function(labels) {
  new_table(labels, cpp_compress_dense(lengths(labels), numeric(prod(lengths(labels)))))
}

check_no_dots_but <- function(known, ...) {
  names <- as.character(...names())
  strange <- setdiff(names[!is.na(names)], c(known, ""))
  nameless <- ...length() - sum(nzchar(names) & !is.na(names))
  if (length(strange) == 0 && nameless == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "Further arguments must be those of {.fn cycles_banded}, by name.",
    x = if (length(strange)) "There is no argument {.arg {strange}}.",
    x = if (nameless) "{nameless} argument{?s} {?has/have} no name.",
    i = did_you_mean(strange, known, style = "arg")
  ))
}

check_some_level <- function(labels) {
  if (any(lengths(labels) > 1)) {
    return(invisible(labels))
  }
  abort_sdc("input", c(
    "{.arg x} must have a variable of at least two levels: nothing can move otherwise.",
    x = "It has one cell."
  ))
}

# Each variable for itself, up to three; two ways otherwise. Variables of one level do not count. No
# two are merged where all totals of trees or crossings must stay.
choose_ways <- function(labels, x) {
  long <- sum(lengths(labels) > 1)
  alone <- long %in% c(1, 3) || (!is.null(cycle_layout(x)) && long != 2)
  if (alone) as.list(seq_along(labels)) else two_ways(labels)
}

# Variables of one level join the first way.
two_ways <- function(labels) {
  second <- split_evenly(lengths(labels, use.names = FALSE))
  list(setdiff(seq_along(labels), second), second)
}

# The variables of the second of two ways whose sizes are as equal as possible. All sizes that a
# product of some levels can have are found variable by variable, each with the first choice that
# has it: below 2^31 a table has at most 1,536 of them.
split_evenly <- function(size) {
  products <- 1
  chosen <- list(integer())
  for (v in which(size > 1)) {
    more <- products * size[[v]]
    new <- !more %in% products
    chosen <- c(chosen, lapply(chosen[new], c, v))
    products <- c(products, more[new])
  }
  best <- order(pmax(products, prod(size) / products))[[1]]
  first_long <- which(size > 1)[[1]]
  part <- chosen[[best]]
  if (first_long %in% part) setdiff(which(size > 1), part) else part
}

# The numbers of the variables of each way.
check_ways <- function(ways, labels) {
  ok <- is.list(ways) && !is.object(ways) && length(ways) > 0 &&
    all(vapply(ways, is.character, NA)) && all(lengths(ways) > 0)
  if (!ok) {
    abort_sdc("input", c(
      "{.arg ways} must be a list of character vectors: the variables that each way merges.",
      x = if (is.list(ways)) "It holds something else, or nothing.",
      x = if (!is.list(ways)) "{.arg ways} is {.obj_type_friendly {ways}}."
    ))
  }
  named <- unlist(ways)
  strange <- setdiff(named, names(labels))
  missing <- setdiff(names(labels), named)
  found <- if (length(strange)) {
    "There is no variable {.val {strange[[1]]}}; there are {.val {names(labels)}}."
  } else if (anyDuplicated(named)) {
    "{.val {named[[anyDuplicated(named)]]}} stands in more than one place."
  } else if (length(missing)) {
    "{.val {missing[[1]]}} is in no way."
  }
  if (!is.null(found)) {
    abort_sdc("input", c(
      "{.arg ways} must hold each variable of {.arg x} once.",
      x = found
    ))
  }
  unname(lapply(ways, match, names(labels)))
}

check_two_ways <- function(ways, labels, hint = NULL) {
  size <- way_sizes(ways, labels)
  if (length(ways) == 2 && all(size > 1)) {
    return(invisible(ways))
  }
  abort_sdc("input", c(
    "There must be two ways of at least two levels each.",
    x = if (length(ways) == 2) "Way {which(size == 1)[[1]]} has one level.",
    x = if (length(ways) != 2) "There {?is/are} {length(ways)} way{?s}.",
    i = hint
  ))
}

check_no_ring <- function(ring) {
  if (is.null(ring)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg ring} must be NULL for a banded set, whose groups have rings of their own.",
    x = "{describe(ring)}"
  ))
}

# The number of the way that is the ring.
check_ring <- function(ring, ways, labels) {
  size <- way_sizes(ways, labels)
  ring <- number_of_ring(ring, ways, labels)
  if (!is_ring(ring, size)) {
    abort_sdc("input", c(
      "The {.arg ring} must have at least two levels, and three where another way has an odd
       number.",
      x = "It has {size[[ring]]}.",
      i = "{.code ring = NULL} chooses one that does."
    ))
  }
  ring
}

# The way that a name or number stands for.
number_of_ring <- function(ring, ways, labels) {
  if (is.null(ring)) return(NULL)
  if (is.character(ring)) {
    check_choice(ring, names(labels))
    ring <- which(vapply(ways, function(at) match(ring, names(labels)) %in% at, NA))
  }
  check_whole(ring, min = 1, max = length(ways))
  ring
}

check_no_ways <- function(ways, labels) {
  if (is.null(ways) || all(lengths(check_ways(ways, labels)) == 1)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "A diagonal set must have each variable as a way of its own.",
    x = "{.arg ways} merges variables."
  ))
}

# "A, C | B, D"
ways_words <- function(labels, ways) {
  paste(vapply(ways, function(at) paste(names(labels)[at], collapse = ", "), ""), collapse = " | ")
}

#' @export
rule_in_words.rule_margin <- function(set) {
  paste(
    "Variable", set$parameters$ring,
    "is the ring, of n positions 0..n-1. The levels of every other variable of at least two",
    "levels are cut, in their order, into blocks of two and, where their number is odd, one last",
    "block of three. Each choice of one block in each of these variables is a band of n cycles.",
    "Number the levels in a block from 0. A combination of levels in the blocks has the step (a,",
    "b) = (0, 1) when no block has three levels, else (a, b) = (t, t+1 mod 3), t the sum of its",
    "positions in blocks of three, modulo 3; a and b are exchanged when the sum of its positions",
    "in blocks of two is odd. Cycle c (c = 0..n-1) of the band has +1 at ring position (a + c)",
    "mod n and -1 at (b + c) mod n for each combination. Bands are numbered with the blocks of",
    "the first variable running fastest, cycles along the ring in a band, band after band."
  )
}

#' @export
rule_in_words.rule_merged <- function(set) {
  ways <- set$parameters$ways
  variables <- vapply(ways, paste, "", collapse = ", ")
  paste(
    "The table is seen as a table of", length(ways), "ways, which merge variables:",
    paste0(paste0("way ", seq_along(ways), " the variables ", variables, collapse = "; "), "."),
    "A way has one level for each combination of the levels of its variables, numbered from 1 with",
    "its first variable running fastest. The cycles are those of the table of the ways",
    "(rows are levels of way 1, columns those of way 2, where there are two):",
    rule_in_words(merged_set(set))
  )
}

#' @export
rule_document.rule_merged <- function(set) {
  list(
    ways = I(lapply(set$parameters$ways, I)),
    cycles_of_the_ways = cycles_document(merged_set(set))
  )
}

#' @export
read_rule.rule_merged <- function(rule, p, labels, margins) {
  ways <- lapply(p$ways, whole_numbers)
  need(identical(sort(unlist(ways)), seq_along(labels)), "the ways do not hold each variable once")
  of <- read_cycles(p$cycles_of_the_ways, merged_labels(labels, ways))
  known <- c("margin", "banded", "bidiagonal")
  need(of$rule %in% known, "the rule of the ways is none of a table of ways")
  parameters <- merged_rule(labels, ways, function(labels) of)$parameters
  new_sdc_cycles("merged", labels, parameters, margins_without_one(labels, ways))
}

#' @export
rule_document.rule_margin <- function(set) set$parameters

#' @export
read_rule.rule_margin <- function(rule, p, labels, margins) {
  ring <- whole_numbers(list(p$ring))
  need(ring >= 1 && ring <= length(labels), "the ring is no variable")
  new_margin_set(labels, ring)
}

check_some_count <- function(counts) {
  if (any(counts > 0)) {
    return(invisible(counts))
  }
  abort_sdc("input", c(
    "{.arg x} must have at least one count.",
    x = "All its cells are zero, which its margins show anyway."
  ))
}
