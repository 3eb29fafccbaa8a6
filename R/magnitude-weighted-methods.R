#' Look at weighted counts, and suppress small ones
#'
#' `as.data.frame()` has both the estimates and the numbers of respondents, and is as confidential
#' as the table. `sensitive()` and `suppress()` judge by respondents.
#'
#' @details
#' **The rule.** A cell or total is *primary* when it has from 1 to `maxN` respondents, whatever its
#' estimate. Cells without respondents are zeros and published. [suppress()][suppress.sdc_magnitude]
#' of magnitudes does the rest, with [rule_threshold()] of `maxN + 1`: its page explains libraries,
#' repair and patterns, [audit()][audit.sdc_magnitude_suppression] what readers learn. The interval
#' of a primary estimate must reach `p` percent of the largest weight in it beyond the estimate, and
#' as far below.
#'
#' @param x (sdc_weighted) The table of [weighted_table()].
#' @param totals (flag) The totals over variables and trees too?
#' @param threshold (whole number from 2 on) A cell of 1 to `threshold - 1` respondents is
#'   sensitive.
#' @param maxN (whole number >= 0) The largest number of respondents that is too small.
#' @param pattern,method,p,audit,repair As in [suppress()][suppress.sdc_magnitude] of magnitudes.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param ... For `suppress()` further arguments of the library; otherwise not used.
#' @return `as.data.frame()`: a row for each cell with respondents: a factor for each variable,
#'   `respondents` and `estimate`. `as.table()`: the estimates as an array. `sensitive()`: as
#'   [sensitive.sdc_magnitude()]. `suppress()`: an object of class `sdc_magnitude_suppression`,
#'   whose `total` are the estimates and `count` the respondents.
#' @section Errors:
#' `sdc_error_input` for arguments that do not fit and for weights without a unit; those of
#' [suppress()][suppress.sdc_magnitude].
#' @family magnitude
#' @family suppress
#' @name sdc_weighted-methods
#' @examples
#' people <- data.frame(
#'   region = rep(c("a", "b", "c"), c(2, 6, 5)), w = c(10.4, 12.2, 9, 9.8, 11, 10, 14, 12, 8:12)
#' )
#' x <- weighted_table(people, "region", "w", unit = 1, round = TRUE)
#' as.data.frame(x, totals = TRUE)
#' sensitive(x)
#' suppress(x, maxN = 2, pattern = c(TRUE, TRUE, FALSE))
NULL

#' @rdname sdc_weighted-methods
#' @export
as.data.frame.sdc_weighted <- function(x, row.names = NULL, optional = FALSE, ..., totals = FALSE,
                                       stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  validate_sdc_magnitude(x)
  check_free_names(x$dimnames, c("respondents", "estimate"))
  families <- if (totals) total_families(x) else list(leaf_family(x))
  labels <- family_labels(x, families)
  out <- bind_frames(lapply(families, function(family) {
    held <- family_contributors(x, family)
    list2data_frame(c(
      family_factors(held$cell, family, labels),
      list(respondents = as.double(diff(held$start)), estimate = in_values(cell_totals(held), x))
    ), length(held$cell))
  }))
  if (!totals || is.null(table_crossings(x))) {
    return(out)
  }
  out <- out[open_rows(out, table_crossings(x)), ]
  rownames(out) <- NULL
  out
}

#' @rdname sdc_weighted-methods
#' @export
as.table.sdc_weighted <- function(x, ...) {
  check_no_dots(...)
  validate_sdc_magnitude(x)
  n <- check_cells(prod(lengths(x$dimnames)), getOption("sdcLattice.max_cells", 5e7))
  estimates <- numeric(n)
  estimates[x$cell] <- in_values(cell_totals(x), x)
  structure(array(estimates, lengths(x$dimnames, FALSE), x$dimnames), class = "table")
}

#' @rdname sdc_weighted-methods
#' @export
sensitive.sdc_weighted <- function(x, threshold = 3, totals = !is.null(x$crossings), ...) {
  check_no_dots(...)
  check_threshold(threshold)
  sensitive.sdc_magnitude(x, rule_threshold(threshold), totals)
}

#' @export
format.sdc_weighted <- function(x, ...) {
  unit <- if (x$divides) plain_number(x$unit) else "none: weights are not whole"
  c(
    "PRIVATE: holds the respondents and their weights",
    paste0("table of weighted counts: ", paste(dim(x), collapse = " x "), " cells (",
           paste(names(x$dimnames), collapse = ", "), "), ", format_count(length(x$cell)),
           " with respondents"),
    paste0(plural(length(x$value), "respondent"), ", unit ", unit),
    if (length(x$hierarchies) > 0) {
      paste0("trees over ", paste(names(x$hierarchies), collapse = ", "))
    }
  )
}
