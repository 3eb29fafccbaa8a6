# Weighted counts from objects of package survey.

#' @rdname weighted_table
#' @export
weighted_table.survey.design <- function(data, dimVar, ...) {
  check_given(dimVar)
  weighted_design(data, dimVar, function() stats::weights(data), ...)
}

#' @rdname weighted_table
#' @export
weighted_table.svyrep.design <- function(data, dimVar, ...) {
  check_given(dimVar)
  weighted_design(data, dimVar, function() stats::weights(data, type = "sampling"), ...)
}

# The weights are known to methods of package survey alone.
weighted_design <- function(design, dimVar, weights, ...) {
  check_installed("survey", "to read the weights of a survey design")
  data <- design$variables
  if (!is.data.frame(data)) {
    abort_sdc("input", c(
      "A survey design must hold its records.",
      x = "Its field {.field variables} is {.obj_type_friendly {data}}.",
      i = "Read them from the database, and give a data frame with its weights."
    ))
  }
  at <- resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  columns <- unclass(data)[at]
  name <- "weights"
  while (name %in% names(columns)) name <- paste0(name, "_")
  columns[[name]] <- as.double(weights())
  weighted_table(list2data_frame(columns, nrow(data)), names(data)[at], name, ...)
}

#' @rdname weighted_table
#' @export
weighted_table.table <- function(data, respondents, unit = NULL, round = FALSE, hierarchies = NULL,
                                 dimList = NULL, total_label = "Total", ...) {
  check_no_dots(...)
  check_given(respondents)
  check_flag(round)
  check_unit(unit)
  respondents <- one_level_argument(respondents)
  dimnames <- array_dimnames(dim(data), base::dimnames(data))
  estimates <- estimated_cells(data, respondents, dimnames)
  n <- dense_counts(respondents)
  at <- rep(seq_along(n), n)
  found <- magnitude_unit(estimates, unit, round)
  records <- c(cell_factors(at, dimnames), list(share = equal_shares(found$units, n)))
  records$share <- in_values(records$share, found)
  records <- list2data_frame(records, length(at))
  check_microdata(records)
  names(records) <- c(names(dimnames), count_name(dimnames))
  x <- magnitude_table(records, names(dimnames), names(records)[ncol(records)],
                       hierarchies = hierarchies, dimList = dimList, total_label = total_label,
                       unit = if (found$divides) found$unit, total = FALSE, rows = "records")
  new_weighted(x, rep(1, length(at)))
}

# A share for each of the n respondents of a cell, as equal as whole units allow.
equal_shares <- function(units, n) {
  least <- floor(units / pmax(n, 1))
  more <- units - least * n
  place <- sequence(n)
  rep(least, n) + (place <= rep(more, n))
}

# Where the variables or levels of respondents are not those of the estimates: text for the caller,
# whose `respondents` and `dimnames` it names.
shape_difference <- function(found, needed) {
  if (!identical(names(found), names(needed))) {
    return("Its variables are {.val {names(respondents$dimnames)}}, and those of the estimates are
            {.val {names(dimnames)}}.")
  }
  "The levels of {.val {names(dimnames)[!mapply(identical, respondents$dimnames, dimnames)]}}
   are others, or in another order."
}

# The estimates as numbers, which respondents must fit.
estimated_cells <- function(data, respondents, dimnames) {
  if (!identical(dimnames, respondents$dimnames)) {
    abort_sdc("input", c(
      "{.arg respondents} must have the variables and levels of the estimates, in their order.",
      x = shape_difference(respondents$dimnames, dimnames),
      i = "{.code table()} of the same variables and records has the same form."
    ))
  }
  estimates <- as.double(data)
  fault <- which(is.na(estimates) | !is.finite(estimates) | estimates < 0)[1]
  if (!is.na(fault)) {
    abort_sdc("input", c(
      "Estimates must be numbers of at least 0.", x = "Cell {fault} is not."
    ))
  }
  at <- which((estimates > 0) != (dense_counts(respondents) > 0))[1]
  if (!is.na(at)) {
    abort_sdc("input", c(
      "A cell must have a positive estimate just where it has respondents.",
      x = "Cell {at} has one and not the other."
    ))
  }
  estimates
}
