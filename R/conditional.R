# Published conditional rates: what is stored of them, and how they are made from a table.

#' Conditional rates, as they are published
#'
#' The rates of the levels of some variables (the response) within each combination of levels of
#' others (the given ones): P(response | given). From a table of counts, or from rates that
#' somebody else has published. [bounds_conditional()] tells what they disclose.
#'
#' # What is stored
#' The object is for publication and holds the rates and nothing else: no total, no count, no call.
#' * **Exact** rates (`digits = NULL`) are whole numbers over the least common denominator of the
#'   row. Exact rates disclose just this: the total of the row is a multiple of that denominator.
#' * **Rounded** rates are whole units of the last digit. They are rounded half up, exactly and in
#'   whole numbers: 9/16 = .5625 becomes .563. (`round(.5625, 3)` gives .562, and what it gives for
#'   decimals in general depends on their binary form.) Whoever draws conclusions from rounded rates
#'   need not know the rule: [bounds_conditional()] takes closed intervals, which hold for half up,
#'   half down and half to even.
#'
#' # Rows
#' A row is a combination of levels of the given variables. **Combinations without any count have no
#' rates and are absent**; readers see that, and the total of an absent row is known to be 0, as in
#' the source, where R is the number of rows that are not zero. Every row that is published has a
#' total of at least 1. A rate of 0 stays: when exact it says that the count is 0, when rounded
#' that it is small. Variables of the table that are neither response nor given are **left out**:
#' the rates are then those of the table summed over them (partial conditionals), and the object
#' knows these variables' names and levels only.
#'
#' # Rates that others have published
#' A data frame has a column for each variable, and the rates in `rateVar`. All rates of a row must
#' be there, also those of 0.
#' * With `digits` the rates are taken as rounded to so many decimals: `"0.107"` or `0.107`.
#' * Without, they are exact: fractions `"3/28"`, decimals (`"0.25"` is 1/4), or numbers, which are
#'   read as the fraction with the least denominator that is the same number of type double.
#'   Exact rates of a row sum to exactly 1.
#'
#' # Complexity
#' Proportional to the number of rows times the number of rates of each.
#'
#' @param x (sdc_table, table, matrix or array, or data frame of rates) the confidential table, or
#'   published rates.
#' @param response (character vector or formula) the variables whose rates these are.
#' @param given (character vector or formula) the variables on which they are conditioned;
#'   `character(0)` gives the rates in the whole table.
#' @param digits (whole number from 0 to 15, or `NULL`) decimals of rounded rates; `NULL`: exact.
#' @param ... must be empty.
#' @param rateVar (string) the column of a data frame that holds rates.
#' @param free (named list or `NULL`) for a data frame: the variables of the table that were left
#'   out, each with its labels or its number of levels.
#' @return An object of class `sdc_conditionals`. `as.data.frame()` has the variables, `rate` (a
#'   number) and `rate_exact` (a string: a fraction, or all the decimals), a row for each rate;
#'   `conditionals()` of that data frame gives the object back. `summary()` counts rows, zeros and
#'   denominators.
#' @section Errors: `sdc_error_input` for unknown variables, a variable on both sides, a table
#'   without counts, rates that are missing, negative, above 1, have more digits than `digits`,
#'   appear twice, or, if exact, do not sum to 1; `sdc_error_too_large` for exact rates
#'   whose common denominator exceeds 2^53, and for more rates than the option
#'   `sdcLattice.max_cells` (or 5e7).
#' @template ref-conditional
#' @family conditional
#' @export
#' @examples
#' co <- conditionals(koch, response = "Recovery", given = c("Center", "Status", "Treatment"))
#' co
#' conditionals(koch, "Recovery", c("Center", "Status"), digits = 2) # Treatment is left out
#'
#' published <- data.frame(
#'   Sex = rep(c("Male", "Female"), each = 2), Download = c("Yes", "No"),
#'   rate = c("0.6", "0.4", "0.2", "0.8")
#' )
#' conditionals(published, "Download", "Sex", digits = 1)
conditionals <- function(x, response, given, digits = NULL, ..., rateVar = "rate", free = NULL) {
  check_no_dots(...)
  check_given(x)
  check_given(response)
  check_given(given)
  response <- variable_names(response, "response")
  given <- variable_names(given, "given")
  check_sides(response, given)
  check_string(rateVar)
  if (!is.null(digits)) {
    check_whole(digits, min = 0, max = 15)
  }
  if (is.data.frame(x)) {
    return(conditionals_from_frame(x, response, given, digits, rateVar, free))
  }
  if (!is.null(free)) {
    abort_sdc("input", c(
      "{.arg free} is for data frames of rates.",
      x = "{.arg x} is a table, which has all variables."
    ))
  }
  conditionals_from_table(one_level_argument(x), response, given, digits)
}

check_sides <- function(response, given) {
  check_names_given(response, "response")
  check_names_given(given, "given")
  if (length(response) == 0) {
    abort_sdc("input", c("{.arg response} must name a variable.", x = "{.arg response} is empty."))
  }
  both <- intersect(response, given)
  if (length(both) > 0) {
    abort_sdc("input", c(
      "A variable is a response or a given one.",
      x = "{.val {both}} {?is/are} on both sides."
    ))
  }
}

# ---- from a table -----------------------------------------------------------------------------

conditionals_from_table <- function(x, response, given, digits) {
  margin_variables(x, response, "response")
  margin_variables(x, given, "given")
  m <- take_margin(x, c(response, given), "given")
  if (length(m$counts) == 0) {
    abort_sdc("input", c("{.arg x} must have a count.", x = "All its counts are 0."))
  }
  at <- seq_along(response)
  code <- stored_codes(m)
  row <- combine_codes(code[-at], dim(m)[-at], length(m$counts))
  rows <- unique(row) # cells are in order, the response fastest
  n_rates <- prod(dim(m)[at])
  check_rates(n_rates * length(rows))
  counts <- matrix(0, n_rates, length(rows))
  counts[cbind(combine_codes(code[at], dim(m)[at], length(m$counts)), match(row, rows))] <- m$counts
  first <- match(rows, row)
  if (is.null(digits)) {
    common <- cpp_common_factors(counts)
    units <- counts / rep(common, each = n_rates)
    scale <- colSums(units)
  } else {
    units <- cpp_round_rates(counts, colSums(counts), 10^digits)
    scale <- rep(10^digits, length(rows))
  }
  new_conditionals(
    x$dimnames, response, given, rlang::set_names(lapply(code[-at], function(v) v[first]), given),
    units, scale, digits
  )
}

# ---- methods ----------------------------------------------------------------------------------

#' @rdname conditionals
#' @param row.names,optional not used.
#' @export
as.data.frame.sdc_conditionals <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  codes <- rate_codes(x)
  labels <- x$dimnames[names(codes)]
  check_free_names(labels, c("rate", "rate_exact"))
  scale <- rep(x$scale, each = nrow(x$units))
  units <- as.vector(x$units)
  columns <- list(rate = units / scale, rate_exact = rate_strings(units, scale, x$digits))
  list2data_frame(c(Map(as_level_factor, codes, labels), columns), length(units))
}

# Fractions in their lowest terms, or decimals with all digits.
rate_strings <- function(units, scale, digits) {
  whole <- function(k) format(k, scientific = FALSE, trim = TRUE, digits = 16)
  if (is.null(digits)) {
    common <- greatest_divisor(units, scale)
    bottom <- scale / common
    return(ifelse(bottom == 1, whole(units), paste0(whole(units / common), "/", whole(bottom))))
  }
  if (digits == 0) {
    return(whole(units))
  }
  tail <- formatC(units %% scale, width = digits, flag = "0", format = "f", digits = 0)
  paste0(whole(units %/% scale), ".", tail)
}

#' @export
format.sdc_conditionals <- function(x, ...) {
  free <- free_variables(x)
  n <- length(x$scale)
  possible <- prod(lengths(x$dimnames[x$given]))
  c(
    paste0(
      "<sdc_conditionals> ", paste(x$response, collapse = ", "),
      if (length(x$given) > 0) paste(" given", paste(x$given, collapse = ", ")), ": ",
      plural(n, "row"), " of ", plural(nrow(x$units), "rate"), ", ",
      if (is_exact(x)) "exact" else paste("rounded to", plural(x$digits, "digit"))
    ),
    if (length(free) > 0) paste("  left out:", cut_text(paste(free, collapse = ", "), 80)),
    if (possible > n) paste0("  absent: ", plural(possible - n, "row"), " without counts")
  )
}

#' @export
print.sdc_conditionals <- function(x, ...) {
  NextMethod()
  shown <- utils::head(seq_along(x$scale), 6)
  text <- rate_strings(
    as.vector(x$units[, shown]), rep(x$scale[shown], each = nrow(x$units)), x$digits
  )
  text <- apply(utils::head(matrix(text, nrow(x$units)), 8), 2, paste, collapse = " ")
  more <- if (nrow(x$units) > 8) " ..."
  lines <- paste0("  ", format(paste0(text, more)), " | ", rate_row_labels(x, shown))
  cat(cut_text(lines, 100), sep = "\n")
  if (length(x$scale) > 6) cat("  and ", plural(length(x$scale) - 6, "more row"), "\n", sep = "")
  invisible(x)
}

#' @rdname conditionals
#' @param object (sdc_conditionals) published rates.
#' @export
summary.sdc_conditionals <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(
      rows = length(object$scale), rates = length(object$units), zeros = sum(object$units == 0),
      absent = prod(lengths(object$dimnames[object$given])) - length(object$scale),
      digits = object$digits, free = lengths(object$dimnames[free_variables(object)]),
      denominators = if (is_exact(object)) range(object$scale)
    ),
    class = sdc_class("sdc_conditionals_summary")
  )
}

#' @export
format.sdc_conditionals_summary <- function(x, ...) {
  c(
    paste("<sdc_conditionals>", if (is.null(x$digits)) "exact" else plural(x$digits, "digit")),
    paste0("rows: ", format_count(x$rows), ", absent: ", format_count(x$absent)),
    paste0("rates: ", format_count(x$rates), ", zero: ", format_count(x$zeros)),
    if (length(x$free) > 0) {
      paste0("left out: ", paste0(names(x$free), " (", x$free, ")", collapse = ", "))
    },
    if (is.null(x$digits)) paste0(
      "least common denominators of rows: ",
      paste(unique(format_count(x$denominators)), collapse = " to "),
      " (the total of a row is a multiple)"
    )
  )
}
