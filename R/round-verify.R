# What publish() asks of a rounding: nothing goes on the word of a field that can be edited.

# Multiples of the base, each cell and each released sum next to its original or as far away as
# `reach` says; what a network rounds to the nearest is rounded again.
verify_rounding <- function(x) {
  verified("round_controlled", check_rounding(x))
}

check_rounding <- function(x) {
  check_seal(x, "rounding", rounding_parts(x), "round_controlled")
  untrue <- function(what) abort_untrue(what, "round_controlled")
  if (!identical(x$original$dimnames, x$rounded$dimnames)) {
    untrue("The rounded table has other levels than the original.")
  }
  counts <- dense_counts(x$original)
  rounded <- dense_counts(x$rounded)
  if (any(rounded %% x$base != 0)) {
    untrue("Some rounded counts are no multiples of the base.")
  }
  sums <- released_sums(x$rounded$dimnames, x$margins, x$hierarchies, x$total_label)
  network <- sum_network(sums)
  broken <- rounding_violations(counts, rounded, sums, x$base, x$rounded$dimnames)
  if (!is.null(network) && nrow(broken) > 0) {
    untrue("Some rounded counts or sums are not next to their originals.")
  }
  if (x$reach != x$base - 1 + x$base * max(0, abs(broken$by))) {
    untrue("Rounded counts or sums lie further from their originals than {.field reach} says.")
  }
  nearest <- !is.null(network) && x$method == "nearest"
  if (nearest && !identical(rounded, as.double(
    round_network(counts, sums, network, x$base, "nearest", x$distance, NULL)
  ))) {
    untrue("The rounded table is not the nearest one.")
  }
}
