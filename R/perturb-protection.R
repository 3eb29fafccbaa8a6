# What a mechanism is expected to change, before anything is drawn.

#' What protection to expect, before anything is drawn
#'
#' Runs a mechanism many times over the confidential table with random numbers of its own, and
#' counts how many cells would change. This is the moment to choose another set of cycles, more
#' covers or another zero rule: after the draw it is too late (see [perturb()]).
#'
#' The random numbers come from a fixed internal seed. They have nothing to do with the coins of
#' [perturb()], and the answer is always the same for the same arguments.
#'
#' @inheritParams perturb
#' @param replicates (whole number, or NULL) How often the mechanism is run. `NULL` chooses by the
#'   work of one run: between 4 and 1000.
#' @return An object of class `sdc_protection`, a data frame with the rows `small` (share of the
#'   cells with a count of 1 or 2 that change), `nonzero` (share of the cells with a count that
#'   change) and `prevented` (share of the coins that ask for a move and are not obeyed), and the
#'   columns `expected` and `std_error`; `NA` where there is no such cell or coin. The number of
#'   runs is in the attribute `replicates`. **The answer comes from the confidential table: keep it
#'   inside.**
#' @section Errors:
#' As for [perturb()].
#' @section Guarantee:
#' A simulation: unbiased, with standard errors.
#' @family perturb
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' expected_protection(x, mechanism(cycles_banded(x, seed = 11)))
#' @export
expected_protection <- function(x, mechanism, replicates = NULL, insist = FALSE) {
  x <- one_level_argument(x)
  check_class(mechanism, "sdc_mechanism", make = "mechanism")
  check_fits_cycles(x, mechanism$cycles)
  check_can_perturb(mechanism)
  if (!is.null(replicates)) {
    check_whole(replicates, min = 2, max = 1e6)
  }
  check_flag(insist)
  counts <- dense_counts(x)
  check_zero_pattern(counts, mechanism$cycles)
  if (!insist) {
    check_few_zeros(counts, mechanism)
  }
  rehearse(counts, mechanism, replicates)
}

rehearse <- function(counts, mechanism, replicates = NULL) {
  replicates <- replicates %||% choose_replicates(mechanism)
  run <- with_core(cpp_rehearse_mechanism(counts, mechanism, replicates, 20160180))
  shares <- list(
    small = run$changed_small / run$small,
    nonzero = run$changed_nonzero / run$nonzero,
    prevented = run$prevented / run$asked
  )
  shares <- lapply(shares, function(s) s[is.finite(s)])
  structure(
    data.frame(
      expected = vapply(shares, mean_or_na, 0),
      std_error = vapply(shares, function(s) stats::sd(s) / sqrt(length(s)), 0)
    ),
    replicates = as.integer(replicates),
    class = sdc_class("sdc_protection", mark = "confidential", of = "data.frame")
  )
}

# Some tens of millions of entries in all.
choose_replicates <- function(mechanism) {
  a_step <- count_entries(mechanism$cycles) / length(mechanism$cycles)
  entries <- a_step * step_count(mechanism) + prod(dim(mechanism$cycles))
  min(1000, max(4, floor(2e7 / entries)))
}

check_protection <- function(expected, min_protection) {
  what <- if (is.na(expected["small", "expected"])) "nonzero" else "small"
  share <- expected[what, "expected"]
  if (share >= min_protection) {
    return(invisible(expected))
  }
  cells <- c(small = "cells with a count of 1 or 2", nonzero = "cells with a count")[[what]]
  abort_sdc("refused", c(
    "At least {percent(min_protection)} of the {cells} must be expected to change.",
    x = "About {percent(share)} would be. Nothing was drawn.",
    i = "Try {.fn cycles_banded}, more {.arg covers} or another {.arg zero_rule};
         {.fn expected_protection} compares them.",
    i = "{.code insist = TRUE} perturbs the table nevertheless."
  ))
}

#' @export
format.sdc_protection <- function(x, ...) {
  words <- c(
    small = "small cells (1, 2) that change", nonzero = "non-zero cells that change",
    prevented = "moves prevented"
  )
  value <- ifelse(
    is.na(x$expected), "none there",
    sprintf("%.3f (s.e. %.3f)", x$expected, x$std_error)
  )
  c(
    paste0(words, ": ", value),
    paste0("expected shares, from ", attr(x, "replicates"), " simulated runs")
  )
}
