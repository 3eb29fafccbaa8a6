# How much uncertainty does rounding of published rates add?

#' What rounding of rates protects
#'
#' For several numbers of digits, and for exact rates: how wide the sharp bounds of the counts are,
#' how many counts and row totals are disclosed, and how many tables agree. It answers, for a given
#' table, the question of the source: how much uncertainty does rounding introduce?
#'
#' @details
#' The figures are what an intruder can work out who knows the published rates, the total, and that
#' rates are rounded to the nearest unit of the last digit ([bounds_conditional()], `"sharp"`).
#' They are for the table over response and given variables; where variables are left out, its
#' cells are sums. **Confidential**: look at them before publishing.
#'
#' # Complexity
#' That of [bounds_conditional()] for each number of digits.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) the confidential table.
#' @param response,given as in [conditionals()].
#' @param digits (whole numbers from 0 to 15) the numbers of digits.
#' @param small (whole numbers of at least 0) the counts that are at risk.
#' @param exact (flag) add a row for exact rates?
#' @inheritParams bounds_conditional
#' @return A data frame with a row for each number of digits, `Inf` for exact rates:
#'   * `digits`;
#'   * `mean_width`, `median_width`: of the intervals (upper - lower) of the counts in published
#'     rows;
#'   * `n_cells`, and how many of them are `known` exactly (`known_positive`: and are not 0);
#'     `small_known`: known ones among the counts of `small`; `small_within`: those of them whose
#'     interval has a width of at most 2;
#'   * `rows_disclosed`: share of the rows whose total is known exactly;
#'   * `n_tables`: how many tables agree, a string with all digits; `NA` where counting would take
#'     too long.
#' @section Errors: those of [conditionals()] and [bounds_conditional()].
#' @template ref-conditional
#' @family conditional
#' @export
#' @examples
#' rounding_uncertainty(koch, "Recovery", c("Center", "Status", "Treatment"), digits = 1:3)
rounding_uncertainty <- function(x, response, given, digits = 1:4, tolerance = .5, small = 1:2,
                                 exact = TRUE, count = TRUE, max_products = 2e7,
                                 max_memory_mb = 512, progress = rlang::is_interactive(), ...) {
  check_no_dots(...)
  check_given(x)
  check_given(response)
  check_given(given)
  x <- one_level_argument(x)
  check_digits(digits)
  check_small(small)
  check_flag(exact)
  if (tolerance_fraction(tolerance)[1] < .5 * tolerance_fraction(tolerance)[2]) {
    abort_sdc("input", c(
      "{.arg tolerance} must be at least 0.5: rounding moves rates by up to half a unit.",
      x = "{describe(tolerance)}"
    ))
  }
  response <- variable_names(response, "response")
  given <- variable_names(given, "given")
  check_sides(response, given)
  rows <- lapply(c(sort(digits), if (exact) Inf), function(d) {
    co <- conditionals_from_table(x, response, given, if (is.finite(d)) d)
    b <- bounds_conditional(
      co, sum(x), "sharp", tolerance, "margins", count = count, max_products = max_products,
      max_memory_mb = max_memory_mb, progress = progress
    )
    uncertainty_figures(b, d, x, small)
  })
  do.call(rbind, rows)
}

check_digits <- function(digits) {
  ok <- is_whole_vector(digits) && length(digits) > 0 && all(digits >= 0 & digits <= 15) &&
    !anyDuplicated(digits)
  if (!ok) {
    abort_sdc("input", c(
      "{.arg digits} must be distinct whole numbers from 0 to 15.",
      x = if (!is.numeric(digits) || length(digits) < 2) {
        "{describe(digits)}"
      } else {
        "{.arg digits} is {.val {digits}}."
      }
    ))
  }
}

uncertainty_figures <- function(b, digits, x, small) {
  width <- b$upper - b$lower
  x <- take_margin(x, names(b$dimnames), "x")
  at_risk <- counts_at(x, b$codes) %in% small
  totals <- feasible_totals(b)
  data.frame(
    digits = digits, mean_width = mean(width), median_width = stats::median(width),
    n_cells = length(width), known = sum(width == 0),
    known_positive = sum(width == 0 & b$lower > 0), small_known = sum(width[at_risk] == 0),
    small_within = sum(width[at_risk] <= 2), rows_disclosed = mean(totals$n_totals == 1),
    n_tables = if (is.null(b$n_tables)) NA_character_ else as.character(b$n_tables)
  )
}
