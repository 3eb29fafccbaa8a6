# Data cycles: cycles through the non-zero cells of one table. They publish its zero pattern.

#' Cycles through the non-zero cells of a table
#'
#' Makes cycles of +1 and -1 that touch no zero of the table `x`, so that no original zero blocks
#' them: they protect sparse tables best against somebody who knows single cells. The price is high
#' and plain: **the set publishes the zero pattern of the table, and some counts as well.**
#'
#' @details
#' **What the set discloses.** Everybody who has the set knows
#' * of every cell on a cycle that its original count is at least 1;
#' * of every cell on no cycle its original count, which is the published one: the zeros, and the
#'   **still cells**, non-zero cells that are on no cycle of non-zero cells. A still cell follows
#'   from the margins and the zero pattern alone, whatever is done to the other cells.
#'   [still_cells()] lists them: look at them before you publish.
#'
#' So use data cycles only where a zero tells nothing that must be kept secret: where it is
#' structural, or known anyway. Where existence is sensitive use [cycles_banded()] or
#' [cycles_margin()], with the zero rule `"nonnegative"` if need be. What data cycles protect well
#' are the counts of the other cells, also against an insider who knows some of them.
#'
#' The set is made from the table: until it is published it is as confidential as the zero pattern.
#'
#' **How the cycles are chosen.** The non-zero cells are the edges of a graph between rows and
#' columns (Lenz's theorem 2). Its bridges are the still cells. While another cell has too few
#' cycles, one of the least covered ones, random among equals, gets a cycle: the cheapest path
#' between its row and its column without it, where a cell costs 1, and 8 more for each chance that
#' it has beyond the least covered ones. Signs alternate, and the overall sign is random. The order
#' of the cycles is shuffled. Nothing but the zero pattern, the labels and public random numbers
#' goes into the choice: tables with the same zero pattern get the same set for the same `seed`.
#'
#' Tables of more than two variables are seen as two-way tables, see `ways`.
#'
#' In a table with trees or a `formula` cycles stay within blocks of siblings, as in
#' [cycles_banded()], so that all published totals of a table of two variables stay. Cells that lie
#' on no cycle within their block are still cells. In a table of more variables moves within a
#' merged way change totals over its variables: [changed_totals()] lists them.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The confidential table, with at least one
#'   count. Its zero pattern goes into the set, its counts do not.
#' @param chances (whole number from 1 to 1000) The number of cycles that each cell gets at least,
#'   but for still cells. Most cells get exactly this number, some one or two more.
#' @param seed (whole number between -2147483647 and 2147483647, or NULL) Seed of the public choice.
#'   `NULL` takes one from the operating system; it is not kept, the cycles are.
#' @param ways (list of two character vectors, or NULL) For tables of more than two variables: the
#'   variables of the rows and those of the columns. `NULL` takes those whose numbers of levels
#'   are as equal as possible.
#' @param progress (flag) Show a progress bar?
#' @return An object of class `sdc_cycles` with the rule `"data"`. [perturb()] takes only tables
#'   with the zero pattern from which it was made.
#' @section Errors:
#' `sdc_error_input` when `x` has no count, or no two ways of at least two levels;
#' `sdc_error_infeasible` when there is no cycle of non-zero cells: margins and zero pattern then
#' determine the whole table. `sdc_error_too_large` above 2^31 - 1 cells, or where the table has
#' too many cells for one array.
#' @section Guarantee:
#' Margins are kept, no zero is touched, and the cells on no cycle are exactly
#' the zeros and the still cells. Every other cell has at least `chances` cycles; how many more is a
#' matter of a greedy choice (in tests never more than twice as many). Time: a search for each
#' cycle, of a few cells in dense tables, of at most all non-zero cells: 0.4 s for 25,000 non-zero
#' cells in 200 x 200.
#' @template ref-lenz
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(3, 0, 2, 5, 1, 4, 0, 2, 6, 1, 0, 3, 0, 2, 1, 4), nrow = 4))
#' set <- cycles_data(x, seed = 1)
#' set
#' still_cells(set)
#' @export
cycles_data <- function(x, chances = 4, seed = NULL, ways = NULL,
                        progress = rlang::is_interactive()) {
  x <- one_level_argument(x)
  labels <- shape_labels(x)
  check_some_level(labels)
  check_whole(chances, min = 1, max = 1000)
  check_flag(progress)
  ways <- if (is.null(ways)) two_ways(labels) else check_ways(ways, labels)
  check_two_ways(ways, labels)
  seed <- public_seed(seed)
  counts <- dense_counts(x)
  check_some_count(counts)
  cells <- with_core(cpp_merged_cells(lengths(labels), ways))
  nonzero <- counts[cells] > 0
  layout <- cycle_layout(x)
  blocks <- if (is.null(layout)) {
    list(list(cells = seq_along(cells), size = way_sizes(ways, labels)))
  } else {
    way_blocks(labels, layout, ways)
  }
  drawn <- with_core(with_progress("Drawing cycles", show = progress, function(tick) {
    draw_in_blocks(nonzero, blocks, chances, seed, tick)
  }))
  check_some_cycle(drawn)
  drawn$cell <- cells[drawn$cell]
  drawn$still <- sort(cells[drawn$still])
  new_sdc_cycles("data", labels, drawn, margins_without_one(labels, ways), layout,
                 if (!is.null(layout)) keeps_totals(ways, labels))
}

# The cells of each block of siblings, in the order of the two ways, and its shape.
way_blocks <- function(labels, layout, ways) {
  kept <- keeps_totals(ways, labels)
  classes <- sibling_classes(labels, layout, free = kept)
  of_way <- lapply(ways, function(at) class_of_way(classes[at]))
  n <- lengths(of_way)
  block <- rep(of_way[[1]], n[[2]]) + max(of_way[[1]]) * (rep(of_way[[2]], each = n[[1]]) - 1)
  lapply(unname(split(seq_along(block), block)), function(cells) {
    rows <- length(unique((cells - 1) %% n[[1]]))
    list(cells = cells, size = c(rows, length(cells) / rows))
  })
}

# Of each level of a way the number of its class, the first variable fastest.
class_of_way <- function(classes) {
  out <- 1
  for (of in classes) {
    number <- integer(sum(lengths(of)))
    number[unlist(of)] <- rep(seq_along(of), lengths(of))
    out <- rep(out, length(number)) + max(out) * (rep(number, each = length(out)) - 1)
  }
  out
}

# Block after block, each with a seed of its own. No cycle fits into a single line.
draw_in_blocks <- function(nonzero, blocks, chances, seed, tick) {
  each <- lapply(seq_along(blocks), function(b) {
    cells <- blocks[[b]]$cells
    size <- blocks[[b]]$size
    if (any(size < 2)) {
      return(list(length = integer(), cell = integer(), coefficient = integer(),
                  still = cells[nonzero[cells]]))
    }
    drawn <- cpp_draw_data_cycles(nonzero[cells], size[[1]], size[[2]], chances, seed + b - 1, tick)
    list(length = diff(drawn$start), cell = cells[drawn$cell], coefficient = drawn$coefficient,
         still = cells[drawn$still])
  })
  join <- function(name) as.integer(unlist(lapply(each, `[[`, name)))
  list(start = as.integer(c(0, cumsum(join("length")))), cell = join("cell"),
       coefficient = join("coefficient"), still = join("still"))
}

# A whole number that goes into the generator of the core.
public_seed <- function(seed) {
  if (is.null(seed)) {
    return(sum(as.integer(openssl::rand_bytes(6)) * 256^(0:5)))
  }
  largest <- .Machine$integer.max
  check_whole(seed, min = -largest, max = largest, arg = "seed")
}

check_some_cycle <- function(drawn) {
  if (length(drawn$cell)) {
    return(invisible(drawn))
  }
  abort_sdc("infeasible", c(
    "{.arg x} must have a cycle of non-zero cells.",
    x = "It has no such cycle: the margins and the zero pattern determine all its counts.",
    i = "Cycles that take no notice of zeros, such as {.fn cycles_banded}, do not publish the zero
         pattern."
  ))
}

#' Cells that a set of data cycles discloses
#'
#' Lists the still cells of [cycles_data()]: the non-zero cells that are on no cycle. Their
#' published counts are their original counts, and everybody can know that.
#'
#' @param cycles (sdc_cycles) A set made by [cycles_data()].
#' @return A data frame with one row for each still cell and one factor for each variable, in the
#'   order of the cells of the table.
#' @section Errors:
#' `sdc_error_input` for anything else than a set of data cycles.
#' @section Guarantee:
#' All of them, and no other. The original zeros, which the set discloses as well, are the rest of
#' the cells that [summary()][summary.sdc_cycles] calls not movable.
#' @family cycle
#' @examples
#' x <- as_sdc_table(matrix(c(3, 2, 0, 1, 4, 0, 0, 5, 7), nrow = 3))
#' still_cells(cycles_data(x, seed = 1))
#' @export
still_cells <- function(cycles) {
  check_class(cycles, "sdc_cycles", make = "cycles_data")
  if (cycles$rule != "data") {
    abort_sdc("input", c(
      "{.arg cycles} must be data cycles.",
      x = "{.arg cycles} is a set of the rule {.val {cycles$rule}}, which does not depend on the
           counts.",
      i = "{.code summary(cycles)} tells which cells cannot move."
    ))
  }
  cell_labels(cycles$parameters$still, dimnames(cycles))
}

# What a set of data cycles tells about the original: cells whose count is at least one, and cells
# whose count is the published one. Other sets tell nothing.
data_cycle_knowledge <- function(cycles) {
  if (cycles$rule != "data") {
    return(list(at_least_one = integer(), fixed = integer()))
  }
  covered <- logical(prod(dim(cycles)))
  covered[cycles$parameters$cell] <- TRUE
  list(at_least_one = which(covered), fixed = which(!covered))
}

# Data cycles tell the zero pattern, so they must be made from the table that is perturbed: another
# one would be misrepresented. No message says where it differs.
check_zero_pattern <- function(counts, cycles, arg = "x") {
  if (cycles$rule != "data") {
    return(invisible(counts))
  }
  nonzero <- logical(length(counts))
  nonzero[c(cycles$parameters$cell, cycles$parameters$still)] <- TRUE
  if (identical(counts > 0, nonzero)) {
    return(invisible(counts))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have the zero pattern from which its data cycles were made.",
    x = "It has another one.",
    i = "Make the cycles from {.arg {arg}} with {.fn cycles_data}."
  ))
}

# After the draw only the cells on no cycle are as they were.
check_published_pattern <- function(counts, cycles) {
  if (cycles$rule != "data") {
    return(invisible(counts))
  }
  fixed <- data_cycle_knowledge(cycles)$fixed
  if (identical(fixed[counts[fixed] > 0], cycles$parameters$still)) {
    return(invisible(counts))
  }
  abort_sdc("input", c(
    "A table published along data cycles must be zero on all cells that are neither on a cycle nor
     still, and not zero on the still cells.",
    x = "This table is inconsistent with the mechanism and cannot have been produced by it."
  ))
}

# Lines for the print of a set.
data_cycle_words <- function(x) {
  still <- length(x$parameters$still)
  c(
    "PUBLISHES THE ZERO PATTERN of the table: cells on cycles were not zero",
    if (still) {
      paste("DISCLOSES", plural(still, "non-zero cell"), "on no cycle: still_cells() lists them")
    } else {
      "all non-zero cells are on cycles"
    }
  )
}

#' @export
rule_in_words.rule_data <- function(set) {
  paste(
    "Every cycle is listed: its cells, each as one level number for each variable, and their",
    "coefficients. The cycles were drawn from the zero pattern of the original table and public",
    "random numbers, and from nothing else. A cell on a cycle was not zero in the original",
    "table. A cell on no cycle has its original count: the cells listed as 'still' were not",
    "zero, all others were zero."
  )
}

#' @export
rule_document.rule_data <- function(set) {
  p <- set$parameters
  list(cycles = moves_json(p, dim(set)), still = cells_json(p$still, dim(set)))
}

# [[1,1],[2,1]]: one level number for each variable.
cells_json <- function(cells, dim) {
  at <- arrayInd(cells, dim)
  each <- do.call(paste, c(lapply(seq_along(dim), function(v) at[, v]), sep = ","))
  each <- if (length(cells)) paste0("[", each, "]", collapse = ",") else ""
  structure(paste0("[", each, "]"), class = "json")
}

#' @export
read_rule.rule_data <- function(rule, p, labels, margins) {
  moves <- read_moves(p$cycles, labels, margins)
  still <- vapply(p$still, function(at) cell_of_levels(whole_numbers(at), lengths(labels)), 0L)
  entries <- moves$parameters
  need(all(abs(entries$coefficient) == 1), "a data cycle has other coefficients than 1 and -1")
  need(!is.unsorted(still, strictly = TRUE), "the still cells are in no order")
  need(!any(still %in% entries$cell), "a still cell is on a cycle")
  new_sdc_cycles("data", labels, c(entries, list(still = as.integer(still))), moves$preserves)
}

cell_of_levels <- function(at, size) {
  need(length(at) == length(size) && all(at >= 1 & at <= size), "a still cell is not in the table")
  as.integer(sum((at - 1) * c(1, cumprod(size))[seq_along(size)]) + 1)
}
