# Tables that have published margins and nothing else of a confidential table.

#' A random table with given one-way margins
#'
#' Draws a table by random matching: as many records as the total, each variable's values in the
#' numbers that its margin says, matched at random. The margins are met exactly, and the law of the
#' table is the (multiple) hypergeometric one: independence given the margins. Use it to show how
#' designs compare, by [tune()] or [risk_utility()], without any look at the confidential table: a
#' synthetic table from published margins is as public as these.
#'
#' @details
#' The original may be far from independent, so its risks may be other than those of the synthetic
#' table: it has fewer zeros and fewer large cells than a table with strong associations.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes; or a list) The table whose one-way margins
#'   are taken; nothing else of it is used. Or the margins themselves: a named list with one vector
#'   of counts for each variable, named by its levels, all with the same total.
#' @param seed (whole number, or NULL) Seed of R's generator for the matching; your random stream is
#'   left as it was. `NULL`: the draws continue that stream.
#' @return An [sdc_table()], with the trees and crossings of `x` where it has any.
#' @section Guarantee:
#' One-way margins are exact. Time and memory are linear in the total plus the number of cells.
#' @section Errors:
#' `sdc_error_input` for margins that are not counts, or differ in their totals;
#' `sdc_error_too_large` above a total of 1e8.
#' @references Patefield, W. M. (1981). Algorithm AS 159: An efficient method of generating random
#'   R x C tables with given row and column totals. *Applied Statistics* 30, 91-97: the law, for two
#'   variables.
#' @family risk
#' @export
#' @examples
#' margins <- list(region = c(north = 9, south = 11), sex = c(f = 12, m = 8))
#' x <- synthetic_table(margins, seed = 1)
#' as.table(x)
#' margin(x, "region")
synthetic_table <- function(x, seed = NULL) {
  check_given(x)
  margins <- if (is.list(x) && !is.object(x)) check_one_way(x) else one_way_margins(x)
  total <- sum(margins[[1]])
  if (total > 1e8) {
    abort_sdc("too_large", c(
      "A synthetic table may have a total of at most 1e8.",
      x = "Its margins have more."
    ))
  }
  labels <- lapply(margins, names)
  check_cells(prod(lengths(labels)), 5e7)
  cell <- with_seed_kept(seed, match_at_random(margins))$value
  out <- table_from_dense(tabulate(cell, prod(lengths(labels))), labels)
  if (is_sdc_table(x)) set_layout(out, x$layout) else out
}

# The cell of each record. The first variable's values need no shuffling.
match_at_random <- function(margins) {
  stride <- cumprod(c(1, lengths(margins)))
  cell <- rep.int(seq_along(margins[[1]]), margins[[1]])
  for (v in seq_along(margins)[-1]) {
    level <- rep.int(seq_along(margins[[v]]), margins[[v]])
    cell <- cell + stride[[v]] * (level[sample.int(length(level))] - 1)
  }
  cell
}

one_way_margins <- function(x) {
  x <- one_level_argument(x, "x", "a list of margins, an {.cls sdc_table},")
  lapply(rlang::set_names(names(dimnames(x))), function(variable) {
    rlang::set_names(dense_counts(margin(x, variable)), dimnames(x)[[variable]])
  })
}

check_one_way <- function(x) {
  named <- length(x) > 0 && !is.null(names(x)) && all(nzchar(names(x))) && !anyDuplicated(names(x))
  if (!named) {
    abort_sdc("input", c(
      "A list of margins must have a name for each variable, all different.",
      x = if (length(x) == 0) "{.arg x} is empty." else "{names_fault(x)}"
    ))
  }
  for (variable in names(x)) check_one_margin(x[[variable]], variable)
  totals <- vapply(x, sum, 0)
  if (any(totals != totals[[1]])) {
    abort_sdc("input", c(
      "All margins must have the same total.",
      x = "The totals of {.field {names(x)[[1]]}} and
           {.field {names(x)[totals != totals[[1]]][[1]]}} differ."
    ))
  }
  x
}

check_one_margin <- function(x, variable) {
  counts <- is.numeric(x) && length(x) > 0 && all(is.finite(x)) && all(x >= 0 & x == floor(x))
  if (counts && !is.null(names(x)) && !anyNA(names(x)) && !anyDuplicated(names(x))) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "A margin must be a vector of counts, named by the levels of its variable.",
    x = if (counts) {
      "The names of margin {.field {variable}} are missing or duplicated."
    } else {
      "Margin {.field {variable}} is not a vector of counts."
    }
  ))
}
