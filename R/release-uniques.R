# Uniques of a sample, and how many of them are unique in the population.

#' Uniques of a sample and of the population
#'
#' A cell of a sample table that holds one person is a risk if this person is also the only one in
#' the population. `sample_uniques()` gives the share of such cells among the sample's uniques: for
#' a sample at hand, or as expected for a sampling fraction.
#'
#' @details
#' With a `fraction` f, every person is in the sample with probability f, independently of all
#' others. A cell with F persons in the population is then unique in the sample with probability
#' `F f (1 - f)^(F - 1)`. Expected numbers are sums of this over cells; the share is their ratio.
#'
#' @param population (sdc_table, or what [as_sdc_table()] takes) The table of the population.
#' @param sample (sdc_table, or what [as_sdc_table()] takes, or NULL) The table of the sample, with
#'   the same variables and levels; no count is above that of the population.
#' @param fraction (number above 0, up to 1, or NULL) The sampling fraction. Give either `sample` or
#'   `fraction`.
#' @return A named numeric vector: `sample_uniques`, the number of cells with count 1 in the sample;
#'   `population_uniques`, how many of these have count 1 in the population; `share`, their ratio
#'   (`NaN` where the sample has no unique). It is as confidential as the tables.
#' @section Errors: `sdc_error_input` when neither or both of `sample` and `fraction` are given, or
#'   when the sample does not fit the population.
#' @section Guarantee: Time is linear in the number of cells that are not zero.
#' @template ref-releases
#' @family release
#' @examples
#' sample_uniques(cps13, fraction = .01)
#' sample_uniques(cps13, fraction = .5)
#' @export
sample_uniques <- function(population, sample = NULL, fraction = NULL) {
  check_given(population)
  population <- as_sdc_table(population)
  if (is.null(sample) == is.null(fraction)) {
    abort_sdc("input", c(
      "Supply either {.arg sample} or {.arg fraction}.",
      x = if (is.null(sample)) "Neither was supplied." else "Both were supplied."
    ))
  }
  found <- if (is.null(sample)) {
    expected_uniques(population, check_fraction(fraction))
  } else {
    counted_uniques(population, as_sdc_table(sample))
  }
  c(sample_uniques = found[[1]], population_uniques = found[[2]], share = found[[2]] / found[[1]])
}

check_fraction <- function(fraction) {
  check_number(fraction, min = 0, max = 1)
  if (fraction > 0) return(fraction)
  abort_sdc("input", c(
    "{.arg fraction} must be above 0.",
    x = "It is 0: the sample is empty."
  ))
}

expected_uniques <- function(population, fraction) {
  counts <- population$counts
  c(sum(counts * fraction * (1 - fraction)^(counts - 1)), sum(counts == 1) * fraction)
}

counted_uniques <- function(population, sample) {
  check_same_labels(population, sample)
  at <- match(cell_places(sample), cell_places(population))
  behind <- ifelse(is.na(at), 0, population$counts[at])
  if (any(sample$counts > behind)) {
    abort_sdc("input", c(
      "No count of {.arg sample} may be above that of {.arg population}.",
      x = "{sum(sample$counts > behind)} cell{?s} {?holds/hold} more people in the sample.",
      i = "The sample must be drawn from this population."
    ))
  }
  alone <- sample$counts == 1
  c(sum(alone), sum(behind[alone] == 1))
}

# The numbers of the cells that are not zero, the first variable running fastest.
cell_places <- function(x) {
  codes <- as.data.frame(x)[seq_along(x$dimnames)]
  stride <- cumprod(c(1, lengths(x$dimnames)))
  as.vector(as.matrix(as.data.frame(lapply(codes, as.integer))) %*% stride[seq_along(codes)])
}

check_same_labels <- function(population, sample) {
  if (identical(population$dimnames, sample$dimnames)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg sample} must have the variables and levels of {.arg population}, in the same order.",
    x = "They differ."
  ))
}
