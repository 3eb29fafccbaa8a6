# Conditional rates from a data frame of published ones, read without loss.

conditionals_from_frame <- function(data, response, given, digits, rateVar, free) {
  variables <- c(given, response)
  if (rateVar %in% variables) {
    abort_sdc("input", c(
      "{.arg rateVar} must not be a variable.", x = "{.val {rateVar}} is one."
    ))
  }
  check_columns(data, c(variables, rateVar))
  if (nrow(data) == 0) {
    abort_sdc("input", c("{.arg x} must have a rate.", x = "It has no rows."))
  }
  columns <- rlang::set_names(
    lapply(variables, function(v) rate_levels(data[[v]], v)), variables
  )
  rates <- read_rates(data[[rateVar]], digits)
  labels <- lapply(columns, levels)
  codes <- lapply(columns, as.integer)
  size <- lengths(labels, FALSE)
  in_row <- combine_codes(codes[response], size[length(given) + seq_along(response)], nrow(data))
  row <- combine_codes(codes[given], size[seq_along(given)], nrow(data))
  rows <- sort(unique(row))
  check_all_rates(in_row, row, rows, prod(lengths(labels[response])))
  by <- order(row, in_row)
  first <- match(rows, row)
  shape <- c(prod(lengths(labels[response])), length(rows))
  found <- rates_of_rows(rates, by, shape, digits)
  shown <- names(data)[names(data) %in% variables]
  new_conditionals(
    c(labels[shown], free_labels(free, variables)), response, given,
    rlang::set_names(lapply(codes[given], function(v) v[first]), given),
    found$units, found$scale, digits
  )
}

check_columns <- function(data, names) {
  unknown <- setdiff(names, names(data))
  twice <- intersect(names, names(data)[duplicated(names(data))])
  if (length(unknown) + length(twice) > 0) {
    abort_sdc("input", c(
      "{.arg x} must have one column for each variable, and one for the rates.",
      x = if (length(unknown) > 0) "There is no column {.val {unknown}}.",
      i = did_you_mean(unknown, names(data), "column"),
      x = if (length(twice) > 0) "There is more than one column {.val {twice}}."
    ))
  }
  size <- vapply(unclass(data)[names], NROW, 0)
  if (any(size != nrow(data))) {
    abort_sdc("input", c(
      "All columns of {.arg x} must have as many entries as it has rows.",
      x = "Column {.val {names[size != nrow(data)][1]}} has {size[size != nrow(data)][1]}; {.arg x}
           has {nrow(data)} row{?s}."
    ))
  }
}

rate_levels <- function(column, name) {
  out <- if (is.factor(column)) column else factor(column)
  if (anyNA(out)) {
    abort_sdc("input", c(
      "Variables of published rates must have no missing values.",
      x = "Row {which(is.na(out))[1]} of {.val {name}} is missing."
    ))
  }
  out
}

# Each rate of each row, once.
check_all_rates <- function(in_row, row, rows, n_rates) {
  key <- cbind(in_row, row)
  again <- which(duplicated(key))[1]
  if (!is.na(again)) {
    first <- which(in_row == in_row[again] & row == row[again])[1]
    abort_sdc("input", c(
      "Each rate must stand in {.arg x} once.", x = "Rows {first} and {again} are the same rate."
    ))
  }
  short <- which(tabulate(match(row, rows), length(rows)) < n_rates)[1]
  if (!is.na(short)) {
    abort_sdc("input", c(
      "Each combination of the given variables must have all rates of the response.",
      x = "The one of row {match(rows[short], row)} of {.arg x} lacks some.",
      i = "Write rates of 0 as well."
    ))
  }
}

# `free`: labels, or numbers of levels.
free_labels <- function(free, variables) {
  if (is.null(free)) {
    return(NULL)
  }
  free <- as.list(free)
  named <- !is.null(names(free)) && all(nzchar(names(free))) && !anyDuplicated(names(free))
  whole <- function(f) is_whole_vector(f) && length(f) == 1 && f >= 1 && f <= 1e6
  good <- vapply(free, function(f) {
    whole(f) || (is.character(f) && length(f) > 0 && !anyNA(f) && !anyDuplicated(f))
  }, NA)
  if (!named || !all(good) || any(names(free) %in% variables)) {
    abort_sdc("input", c(
      "{.arg free} must be a list that names variables, each with its labels or its number of
       levels.",
      x = if (!named) {
        "{names_fault(free)}"
      } else if (!all(good)) {
        "{.val {names(free)[!good][1]}} has {show_value(free[!good][[1]])}."
      } else {
        "{.val {intersect(names(free), variables)[1]}} is a variable of the rates."
      }
    ))
  }
  lapply(free, function(f) if (whole(f)) as.character(seq_len(f)) else f)
}

# ---- reading ----------------------------------------------------------------------------------

# Numerators and denominators.
read_rates <- function(x, digits) {
  if (is.factor(x)) x <- as.character(x)
  if (!is.numeric(x) && !is.character(x)) {
    abort_sdc("input", c(
      "Rates must be numbers, or strings such as {.val 0.107} and {.val 3/28}.",
      x = "They are {.obj_type_friendly {x}}."
    ))
  }
  check_rate_values(!is.na(x), x, "is missing")
  read <- if (!is.null(digits)) {
    read_units(x, digits)
  } else if (is.numeric(x)) {
    read_numbers(x)
  } else {
    read_strings(x)
  }
  check_rate_values(read$top >= 0, x, "is negative")
  check_rate_values(read$top <= read$bottom, x, "is above 1")
  read
}

check_rate_values <- function(good, x, what, hint = NULL) {
  bad <- which(!good)[1]
  if (is.na(bad)) {
    return(invisible(x))
  }
  value <- if (is.na(x[bad])) NULL else paste0(" (", x[bad], ")")
  abort_sdc("input", c(
    "Rates must be numbers from 0 to 1.", x = "The rate of row {bad}{value} {what}.", i = hint
  ))
}

# Rounded rates as whole units of the last digit. A number must be the one that the decimals stand
# for.
read_units <- function(x, digits) {
  scale <- 10^digits
  more <- paste("has more digits than", digits)
  hint <- "Give the number of decimals in {.arg digits}; without it rates are exact."
  if (is.numeric(x)) {
    top <- round(x * scale)
    check_rate_values(is.finite(x) & top / scale == x, x, more, hint)
    return(list(top = top, bottom = rep(scale, length(x))))
  }
  parts <- decimal_parts(x)
  check_rate_values(!is.na(parts$top), x, "is no decimal number")
  check_rate_values(parts$digits <= digits, x, more, hint)
  list(top = parts$top * 10^(digits - parts$digits), bottom = rep(scale, length(x)))
}

# "0.107" is 107 and 3 digits; NA for what is no decimal of at most 15 digits.
decimal_parts <- function(x) {
  x <- trimws(x)
  good <- grepl("^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)$", x)
  digits <- ifelse(grepl(".", x, fixed = TRUE), nchar(sub("^[^.]*[.]", "", x)), 0)
  plain <- sub(".", "", x, fixed = TRUE)
  good <- good & nchar(sub("^[+-]?0*", "", plain)) <= 15
  list(top = suppressWarnings(ifelse(good, as.numeric(plain), NA)), digits = digits)
}

read_strings <- function(x) {
  fraction <- grepl("^\\s*[0-9]{1,15}\\s*/\\s*[0-9]{1,15}\\s*$", x)
  decimal <- decimal_parts(x)
  top <- bottom <- rep(NA_real_, length(x))
  top[fraction] <- as.numeric(sub("/.*", "", x[fraction]))
  bottom[fraction] <- as.numeric(sub(".*/", "", x[fraction]))
  top[!fraction] <- decimal$top[!fraction]
  bottom[!fraction] <- 10^decimal$digits[!fraction]
  good <- !is.na(top) & bottom > 0 & bottom <= 1e15
  check_rate_values(good, x, "is no decimal number and no fraction")
  list(top = top, bottom = bottom)
}

# The convergent of the continued fraction that is the number itself.
read_numbers <- function(x) {
  distinct <- unique(x)
  found <- vapply(distinct, simplest_fraction, c(0, 0))
  at <- match(x, distinct)
  check_rate_values(
    !is.na(found[1, at]), x, "is no fraction of small numbers",
    "Give exact rates as strings, {.val 3/28}, and rounded ones with {.arg digits}."
  )
  list(top = found[1, at], bottom = found[2, at])
}

simplest_fraction <- function(x, most = 2^26) {
  if (!is.finite(x) || abs(x) > 2^26) {
    return(c(NA, NA))
  }
  rest <- abs(x)
  top <- c(0, 1)
  bottom <- c(1, 0)
  repeat {
    whole <- floor(rest)
    top <- c(top[2], whole * top[2] + top[1])
    bottom <- c(bottom[2], whole * bottom[2] + bottom[1])
    if (bottom[2] > most) {
      return(c(NA, NA))
    }
    if (top[2] / bottom[2] == abs(x)) {
      return(c(sign(x) * top[2], bottom[2]))
    }
    rest <- 1 / (rest - whole)
  }
}

# A column for each row. Exact rates get the least common denominator of their row.
rates_of_rows <- function(rates, by, shape, digits) {
  top <- matrix(rates$top[by], shape[1])
  bottom <- matrix(rates$bottom[by], shape[1])
  if (!is.null(digits)) {
    return(list(units = top, scale = bottom[1, ]))
  }
  common <- matrix(greatest_divisor(top, bottom), shape[1])
  top <- top / common
  bottom <- bottom / common
  scale <- rep(1, shape[2])
  for (j in seq_len(shape[1])) {
    scale <- scale / greatest_divisor(scale, bottom[j, ]) * bottom[j, ]
    check_denominators(scale, by, shape)
  }
  units <- top * (rep(scale, each = shape[1]) / bottom)
  wrong <- which(colSums(units) != scale)[1]
  if (!is.na(wrong)) {
    sum <- format(sum(units[, wrong] / scale[wrong]), digits = 15)
    abort_sdc("input", c(
      "Exact rates of each combination of the given variables must sum to 1.",
      x = "The rates in the group of row {by[(wrong - 1) * shape[1] + 1]} of {.arg x} sum
           to {sum}.",
      i = "Give the number of decimals of rounded rates in {.arg digits}."
    ))
  }
  list(units = units, scale = scale)
}

check_denominators <- function(scale, by, shape) {
  bad <- which(scale > 2^53)[1]
  if (is.na(bad)) {
    return(invisible(scale))
  }
  abort_sdc("too_large", c(
    "The exact rates of a group must have a common denominator of at most 2^53.",
    x = "The rates in the group of row {by[(bad - 1) * shape[1] + 1]} of {.arg x} need a larger
         one.",
    i = "Give rounded rates with {.arg digits}."
  ))
}
