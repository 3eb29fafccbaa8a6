# Is a table of magnitudes as magnitude_table() made it? Its parts are lists that a user can edit,
# and what reads them relies on their lengths and order.

validate_sdc_magnitude <- function(x, arg = "x") {
  check_class(x, "sdc_magnitude", arg, "magnitude_table")
  fault <- tryCatch(magnitude_fault(x), error = function(cnd) "parts")
  if (is.null(fault)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be a table as {.fn magnitude_table} made it.",
    x = "Its field {.field {fault}} does not fit its other fields.",
    i = "Make the table again with {.fn magnitude_table}."
  ))
}

# The first field that does not fit, or NULL.
magnitude_fault <- function(x) {
  x <- unclass(x)
  one_text <- function(text) is.character(text) && length(text) == 1 && !is.na(text)
  fits <- list(
    dimnames = function() are_levels(x$dimnames),
    cell = function() {
      are_whole(x$cell, length(x$cell), 1, prod(lengths(x$dimnames))) && all(diff(x$cell) > 0)
    },
    start = function() {
      are_whole(x$start, length(x$cell) + 1, 0, length(x$value)) && all(diff(x$start) > 0) &&
        x$start[1] == 0 && x$start[length(x$start)] == length(x$value)
    },
    value = function() {
      are_whole(x$value, length(x$value), -2^53, 2^53) && sum(abs(x$value)) <= 2^53 &&
        are_sorted_in_cells(abs(x$value), x$start)
    },
    holder = function() {
      are_whole(x$holder, length(x$value), 1, .Machine$integer.max) &&
        !anyDuplicated(x$holder + max(x$holder, 0) * rep(seq_along(x$cell), diff(x$start)))
    },
    holders = function() {
      is.null(x$holders) || identical(class(x$holders), "character") &&
        length(x$holders) >= max(x$holder, 0) && !anyNA(x$holders)
    },
    weight = function() {
      is.null(x$weight) && is.null(x$per_weight) ||
        are_whole(x$weight, length(x$weight), 0, 2^53) &&
          length(x$weight) >= max(x$holder, 0) && are_whole(x$per_weight, 1, 1, 2^53)
    },
    signed = function() is.null(x$signed) || isTRUE(x$signed),
    unit = function() are_numbers(x$unit, 1) && x$unit > 0,
    per_unit = function() {
      identical(is.na(x$per_unit), TRUE) ||
        are_whole(x$per_unit, 1, 1, 2^53) && abs(x$unit * x$per_unit - 1) <= 1e-12
    },
    divides = function() isTRUE(x$divides) || isFALSE(x$divides),
    top = function() is.null(x$top) || are_whole(x$top, 1, 1, 2^31),
    totals = function() is.null(x$totals) || are_listed_totals(x),
    variable = function() one_text(x$variable),
    total_label = function() one_text(x$total_label) && nzchar(x$total_label),
    hierarchies = function() {
      is.null(x$hierarchies) || is.list(plain_trees(x$hierarchies, x$dimnames))
    },
    crossings = function() is.null(x$crossings) || are_crossings(x$crossings, x)
  )
  for (name in names(fits)) {
    if (!isTRUE(tryCatch(fits[[name]](), error = function(cnd) FALSE))) return(name)
  }
  NULL
}

# Does each crossing name nodes of each variable?
are_crossings <- function(crossings, x) {
  is.list(crossings) && length(crossings) > 0 && all(vapply(crossings, function(crossing) {
    is.list(crossing) && setequal(names(crossing), names(x$dimnames)) &&
      all(vapply(names(crossing), function(v) {
        totals <- variable_totals(x$hierarchies[[v]], x$dimnames[[v]], v, x$total_label)
        all(crossing[[v]] %in% c(x$dimnames[[v]], names(totals)))
      }, NA))
  }, NA))
}

# The totals that ready cells of holdings have rows for.
are_listed_totals <- function(x) {
  held <- x$totals
  n <- length(held$start) - 1
  is.list(held$labels) && identical(names(held$labels), names(x$dimnames)) &&
    all(lengths(held$labels) == n) && are_whole(held$start, n + 1, 0, length(held$value)) &&
    all(diff(held$start) > 0) && are_whole(held$value, length(held$value), 0, 2^53) &&
    are_sorted_in_cells(held$value, held$start) &&
    are_whole(held$holder, length(held$value), 1, length(x$holders))
}

# Largest first in each cell; only the first of a cell may exceed the one before it.
are_sorted_in_cells <- function(size, start) {
  all(which(diff(size) > 0) %in% start)
}

magnitude_parts <- function(x) {
  held <- c("dimnames", "cell", "start", "value", "holder", "variable", "unit", "per_unit",
            "divides", "total_label")
  if (!is.null(x$crossings)) held <- c(held, "crossings")
  if (is_sampled(x)) held <- c(held, "weight", "per_weight")
  if (is_signed(x)) held <- c(held, "signed")
  # only tables of ready cells have these
  held <- c(held, intersect(c("top", "totals"), names(unclass(x))))
  list(unclass(x)[held], lapply(x$hierarchies, lapply, unclass))
}

# What a method that works with whole units asks of a table: `can` and `which` say of which method.
check_units <- function(x, can, which) {
  if (has_negative(x)) {
    abort_sdc("input", c(
      "Only tables without negative values can {can}.",
      x = "{sum(x$value < 0)} contributor{?s} {?is/are} negative."
    ))
  }
  check_has_unit(x, which)
}

check_has_unit <- function(x, which) {
  if (x$divides) {
    return(invisible(x))
  }
  maker <- if (inherits(x, "sdc_weighted")) "weighted_table" else "magnitude_table"
  abort_sdc("input", c(
    "A table {which} must have a unit of which its values are multiples.",
    x = "None was found for this one.",
    i = "Make it by {.code {maker}(..., unit = , round = TRUE)}."
  ))
}

# May its values be negative? Said when it was made, whatever they are.
is_signed <- function(x) isTRUE(x$signed)
