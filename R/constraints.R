# The class sdc_constraints: what is known about a table, as linear constraints over whole numbers.

# `codes`: for each variable the levels (from 1) of the cells; `lower`, `upper`: their limits, which
# may be Inf; `rows`: start, cell, coefficient, lower, upper, set, label; `sets`: what families of
# rows there are.
new_constraints <- function(dimnames, codes, lower, upper, rows, sets) {
  structure(
    list(dimnames = dimnames, codes = codes, lower = lower, upper = upper, rows = rows, sets = sets),
    class = "sdc_constraints"
  )
}
