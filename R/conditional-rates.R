# Rates as whole numbers of units, on a scale for each row.

new_conditionals <- function(dimnames, response, given, rows, units, scale, digits) {
  structure(
    list(
      dimnames = dimnames, response = response, given = given, rows = rows, units = units,
      scale = scale, digits = digits
    ),
    class = sdc_class("sdc_conditionals")
  )
}

greatest_divisor <- function(a, b) {
  while (any(b > 0)) {
    rest <- ifelse(b > 0, a %% b, 0)
    a <- ifelse(b > 0, b, a)
    b <- rest
  }
  a
}

check_rates <- function(n) {
  most <- getOption("sdcLattice.max_cells", 5e7)
  if (n <= most) {
    return(invisible(n))
  }
  abort_sdc("too_large", c(
    "There must be at most {format_count(most)} rates.",
    x = "There would be {format_count(n)}.",
    i = "Take fewer variables, or raise the option {.code sdcLattice.max_cells}."
  ))
}

free_variables <- function(x) setdiff(names(x$dimnames), c(x$response, x$given))

is_exact <- function(x) is.null(x$digits)

# A factor for each variable of the rates, first the given ones; the response fastest.
rate_codes <- function(x) {
  n_rates <- nrow(x$units)
  response <- split_codes(seq_len(n_rates), lengths(x$dimnames[x$response], FALSE))
  c(
    lapply(x$rows, rep, each = n_rates),
    rlang::set_names(lapply(response, rep, times = length(x$scale)), x$response)
  )
}

# "0.5" as c(1, 2).
tolerance_fraction <- function(tolerance) {
  check_number(tolerance, min = 0, max = 1e6, arg = "tolerance")
  top <- round(tolerance * 1e6)
  if (abs(top / 1e6 - tolerance) > 1e-12 * tolerance) {
    abort_sdc("input", c(
      "{.arg tolerance} must have at most 6 decimals.", x = "{describe(tolerance)}"
    ))
  }
  c(top, 1e6) / greatest_divisor(top, 1e6)
}

count_note <- function(n_tables) {
  if (is.null(n_tables)) {
    return("tables that agree: not counted, for their number is large; see max_products")
  }
  digits <- as.character(n_tables)
  if (digits == "1") {
    return("only one table agrees")
  }
  shown <- if (nchar(digits) <= 3) digits else format(n_tables)
  if (nchar(digits) > 24) shown <- paste("a number of", nchar(digits), "digits")
  paste("tables that agree:", shown)
}
