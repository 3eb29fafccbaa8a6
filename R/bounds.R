# The class sdc_bounds: an interval for each of some cells, whatever it was computed from.

# `codes`: for each variable the levels (from 1) of the bounded cells; `lower`, `upper`: whole
# numbers, inclusive; `sharp`: for each cell, are both attained? `real`: NULL, or the unrounded
# limits of a relaxation. Further fields by name.
new_bounds <- function(dimnames, codes, lower, upper, sharp, method, ..., real = NULL,
                       note = character()) {
  structure(
    list(
      dimnames = dimnames, codes = codes, lower = lower, upper = upper,
      sharp = rep_len(sharp, length(lower)), method = method, ..., real = real, note = note
    ),
    class = "sdc_bounds"
  )
}
