# What publish() asks of a rounding: nothing goes on the word of a field that can be edited.

# Multiples of the base, each cell and each released sum next to its original or as far away as
# `reach` says; what a network rounds to the nearest is rounded again.
verify_rounding <- function(x) {
  verified(rounding_function(x), check_rounding(x))
}

check_rounding <- function(x) {
  check_seal(x, "rounding", rounding_parts(x), rounding_function(x))
  untrue <- function(what) abort_untrue(what, rounding_function(x))
  if (!identical(x$original$dimnames, x$rounded$dimnames)) {
    untrue("The rounded table has other levels than the original.")
  }
  if (x$method == "small") {
    return(check_small_rounding(x, untrue))
  }
  if (any(x$rounded$counts %% x$base != 0)) {
    untrue("Some rounded counts are no multiples of the base.")
  }
  broken <- rounding_violations(x$original, x$rounded, x$margins, x$base)
  if (x$solver == "network" && nrow(broken) > 0) {
    untrue("Some rounded counts or sums are not next to their originals.")
  }
  if (x$reach != x$base - 1 + x$base * max(0, abs(broken$by))) {
    untrue("Rounded counts or sums lie further from their originals than {.field reach} says.")
  }
  if (x$solver == "network" && x$method == "nearest" && !is_nearest(x)) {
    untrue("The rounded table is not the nearest one.")
  }
}

is_nearest <- function(x) {
  again <- round_by_network(x$original, x$margins, x$base, "nearest", x$distance, NULL)$rounded
  identical(again$keys, x$rounded$keys) && identical(again$counts, as.double(x$rounded$counts))
}

rounding_function <- function(x) if (x$method == "small") "round_small" else "round_controlled"

# Only counts below the base changed, to 0 or the base; no published number is small; and none is
# further from its original than `reach` says.
check_small_rounding <- function(x, untrue) {
  at <- match_cells(x$original, x$rounded)
  from <- x$original$counts
  to <- x$rounded$counts[at]
  to[is.na(to)] <- 0
  if (anyNA(match_cells(x$rounded, x$original)) ||
        any(from != to & !(from < x$base & to %in% c(0, x$base)))) {
    untrue("Some counts changed that are not small, or to something else than 0 or the base.")
  }
  sets <- plan_sets(x$margins, names(x$original$dimnames))
  found <- published_distance(x$original, x$rounded, sets, x$base)
  if (found$small_left > 0 || found$far > 0) {
    untrue("Some published numbers are small, or were small and are more than the base.")
  }
  if (x$reach != found$max) {
    untrue("Published numbers lie further from their originals than {.field reach} says.")
  }
}
