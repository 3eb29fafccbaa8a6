# Weights of records in tables of magnitudes: each record is one contributor of its weighted value,
# or, in a sample, stands for as many contributors as its weight says.
#
# A table of a sample has `weight`, one for each holder, in parts of which `per_weight` make one.
# Its values are weight times size, so that sums of them are the estimates; apply_rules() hands the
# weights on.

weight_column <- function(data, at) {
  weights <- number_column(data, at$weight, "weightVar")
  if (any(weights < 0)) {
    abort_sdc("input", c(
      "{.arg weightVar} must hold weights of at least 0.",
      x = "The weight in row {which(weights < 0)[1]} is negative."
    ))
  }
  weights
}

magnitude_values <- function(data, at) {
  values <- number_column(data, at$num, "numVar")
  if (is.null(at$weight)) {
    return(values)
  }
  out <- values * weight_column(data, at)
  if (all(is.finite(out))) {
    return(out)
  }
  abort_sdc("too_large", c(
    "Weighted values must be finite.",
    x = "The product in row {which(!is.finite(out))[1]} overflows."
  ))
}

# Values, or weighted values, in whole units; of a sample `weight` and `per_weight` too.
units_of_records <- function(data, at, unit, round, weights) {
  if (weights == "sample") {
    return(sampled_units(data, at, unit, round))
  }
  found <- magnitude_unit(magnitude_values(data, at), unit, round)
  check_room_for_units(found$units)
  found
}

check_weights_given <- function(weights, weightVar) {
  if (weights == "population" || !is.null(weightVar)) {
    return(invisible(weights))
  }
  abort_sdc("input", c(
    "{.code weights = \"sample\"} needs the column of weights.",
    x = "{.arg weightVar} is missing."
  ))
}

# The unit of the products is that of the values times that of the weights.
sampled_units <- function(data, at, unit, round) {
  sizes <- magnitude_unit(number_column(data, at$num, "numVar"), unit, round)
  parts <- magnitude_unit(weight_column(data, at), NULL, FALSE)
  if (!parts$divides) {
    abort_sdc("input", c(
      "Weights of a sample must have at most six decimals, so that the rules are exact.",
      x = "Some of {.val {names(data)[at$weight]}} have more.",
      i = "Round them before the call, as by {.code round(w, 3)}."
    ))
  }
  products <- sizes$units * parts$units
  check_room_for_units(products)
  per_unit <- sizes$per_unit * parts$per_unit
  list(
    units = products, unit = if (is.na(per_unit)) sizes$unit / parts$per_unit else 1 / per_unit,
    per_unit = per_unit, divides = sizes$divides, weight = parts$units,
    per_weight = parts$per_unit
  )
}

# The weight of each contributor: whoever was drawn was drawn with one weight.
holder_weights <- function(found, code) {
  if (is.null(found$weight)) {
    return(NULL)
  }
  first <- match(seq_len(max(code)), code)
  at <- which(found$weight != found$weight[first[code]])[1]
  if (!is.na(at)) {
    abort_sdc("input", c(
      "In a sample all records of a contributor must have the same weight.",
      x = "Rows {first[code[at]]} and {at} are of one contributor and have different weights.",
      i = "{.code weights = \"population\"} takes weighted values as they are."
    ))
  }
  list(weight = found$weight[first], per_weight = found$per_weight)
}

is_sampled <- function(x) !is.null(x$weight)

# What cpp_judge_cells() asks of a sample: the weight of each contribution.
sampled_contributions <- function(x) {
  if (is_sampled(x)) list(weight = x$weight[x$holder], per_weight = x$per_weight)
}

# Contributors who were grouped anew, with the weights that go with their holders.
with_weights_of <- function(held, x) c(held, x[c("weight", "per_weight")[is_sampled(x)]])

check_not_sampled <- function(x, can) {
  if (!is_sampled(x)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "Only tables without sampling weights can {can}.",
    x = "This one was made with {.code weights = \"sample\"}.",
    i = "{.code weights = \"population\"} makes each weighted value one contribution."
  ))
}

weight_words <- function(x) {
  if (is_sampled(x)) {
    "sample: each contribution stands for as many as its weight says"
  }
}
