# Values of records as whole units.

number_column <- function(data, at, arg) {
  x <- labelled_numbers(unclass(data)[[at]], names(data)[at])
  if (inherits(x, "integer64")) x <- cpp_read_integer64(x)
  if (!is.numeric(x) || is.factor(x) || !is.null(dim(x))) {
    abort_sdc("input", c(
      "{.arg {arg}} must name a column of numbers.",
      x = "{.val {names(data)[at]}} is {.obj_type_friendly {x}}."
    ))
  }
  x <- as.double(x)
  if (all(is.finite(x))) {
    return(x)
  }
  row <- which(!is.finite(x))[1]
  abort_sdc("input", c(
    "{.arg {arg}} must hold finite numbers.",
    x = "Row {row} is {if (is.na(x[row])) 'missing' else 'infinite'}."
  ))
}

# Whole units. `per_unit` is units in one where that is whole, else NA: 966 / 10 is 96.6, and
# 966 * 0.1 is not. `divides`: FALSE where values were rounded to make them whole.
magnitude_unit <- function(values, unit, round) {
  if (!is.null(unit)) {
    return(given_unit(values, unit, round))
  }
  some <- utils::head(values, 1000)  # tell most often that a unit is none
  for (per_unit in 10^(0:6)) {
    units <- cpp_find_units(some, per_unit, 1L)
    if (!is.null(units)) units <- cpp_find_units(values, per_unit, default_threads())
    if (!is.null(units)) {
      return(list(units = units, unit = 1 / per_unit, per_unit = per_unit, divides = TRUE))
    }
  }
  unit <- 2^(ceiling(log2(sum(abs(values)))) - 52)
  list(units = base::round(values / unit), unit = unit, per_unit = NA, divides = FALSE)
}

given_unit <- function(values, unit, round) {
  per_unit <- base::round(1 / unit)
  if (per_unit < 1 || abs(per_unit * unit - 1) > 1e-12) per_unit <- NA
  units <- if (is.na(per_unit)) values / unit else values * per_unit
  whole <- base::round(units)
  off <- abs(units - whole) > 4e-15 * abs(units)
  if (!round && any(off)) {
    abort_sdc("input", c(
      "All values must be multiples of {.arg unit}.",
      x = "The value in row {which(off)[1]} is no multiple of it, and {sum(off) - 1} other{?s}.",
      i = "{.code unit = NULL} finds one; {.code round = TRUE} rounds values to it."
    ))
  }
  list(units = whole, unit = unit, per_unit = per_unit, divides = TRUE)
}

check_room_for_units <- function(units) {
  if (sum(abs(units)) <= 2^53) {
    return(invisible(units))
  }
  abort_sdc("too_large", c(
    "The sum of all absolute values must not exceed 2^53 (9,007,199,254,740,992) units.",
    x = "It does.", i = "Take a larger {.arg unit}, with {.code round = TRUE}."
  ))
}

# The totals of cells, in whole units, are counts like others.
units_table <- function(x, units = cell_totals(x)) {
  columns <- encode_columns(unname(cell_factors(x$cell, x$dimnames)), names(x$dimnames), "error")
  tabulate_records(columns, length(x$cell), units)
}
