# Tables of weighted counts: the estimates are published, and respondents are protected. Such a
# table is a table of magnitudes whose contributors are the respondents, each with her weight.

#' Weighted counts of a survey, and their respondents
#'
#' A table of a sample survey shows **estimates**: the sums of the survey weights of the respondents
#' in each cell. Whether a cell may be shown depends on the number of its **respondents**. This
#' object holds both. It is **private**.
#'
#' @details
#' `weighted_table()` makes a table of magnitudes, as [magnitude_table()] does: each respondent is a
#' contributor, and her value is her weight. So its estimates are sums of weights in whole units.
#' [suppress()] with `maxN` calls a cell or total primary that has 1 to `maxN` respondents,
#' [audit()] gives the interval of each suppressed estimate, and [publish()] what may leave the
#' building: estimates and no numbers of respondents, unless `counts = TRUE`.
#'
#' * **Respondents.** Each record is one. A record of weight 0 is none: package survey keeps such
#'   records where a part of a design is taken. A cell without respondents has the estimate 0.
#' * **Units.** Estimates are published as multiples of `unit`, and add up. `unit = NULL` finds the
#'   unit of the weights. Calibrated weights have none; then [suppress()] asks for a table with a
#'   `unit`. `unit = 1, round = TRUE` rounds **each weight** to whole persons, so that all totals
#'   are sums of their cells.
#' * **Designs.** Of an object of `survey::svydesign()` or `svrepdesign()` the records and the
#'   sampling weights are taken. Replicate weights are for variances and not used.
#' * **Tables of estimates.** What `survey::svytable()` returns says nothing of the respondents:
#'   give their numbers as `respondents`, a table of counts in the same shape. It says nothing of
#'   single weights either, so that the respondents of a cell are taken to have equal ones. That
#'   matters to the audit of those who know their own weight. With the design itself it is exact.
#'
#' # What weights give away
#' The rule protects cells with few respondents. Some things it does not protect from:
#' * **Known weights are fingerprints.** A reader who has the weights (of a public file of the
#'   microdata, say) finds out which weights sum to an estimate with many decimals, and so who is
#'   in the cell. A coarse `unit` leaves many sums possible. Publish estimates in units that are
#'   large against the differences of weights.
#' * **Equal weights.** Where all respondents of a stratum have the same weight, an estimate divided
#'   by it is the number of respondents. Then the table is one of counts in disguise, and the
#'   estimates of cells with more than `maxN` respondents still show their number.
#' * **One's own weight.** A respondent who knows her weight, and sees an estimate that is equal to
#'   it, knows that she is alone in the cell. Such a cell is primary for every `maxN` from 1 on.
#'   [audit()] credits all respondents with their weights.
#'
#' @param data (data frame, survey design, or table of estimates) Records with weights, an object of
#'   `survey::svydesign()` or `survey::svrepdesign()`, or what `survey::svytable()` returns.
#' @param dimVar (character vector or one-sided formula) Names of the dimension variables.
#' @param weightVar (string) The column of weights, 0 or more.
#' @param respondents (table, array or sdc_table of counts) The respondents of each cell.
#' @param unit (number or `NULL`) The unit in which weights are whole.
#' @param round (flag) Round weights (of a table: estimates) to the nearest unit?
#' @param hierarchies,dimList,formula,total_label,na As in [magnitude_table()].
#' @param ... Not used.
#' @return `weighted_table()`: an object of class `sdc_weighted` and `sdc_magnitude`.
#'   `respondents()`: an [sdc_table()] of the numbers of respondents, without weights.
#' @section Errors:
#' `sdc_error_input` for arguments that do not fit, weights that are missing or negative, no
#' respondents, a table whose estimates and respondents do not fit each other, and where package
#' survey is needed and not installed; `sdc_error_too_large` as in [magnitude_table()].
#' @section Guarantee:
#' Estimates are exact sums of whole units.
#' @section Complexity:
#' Time O(n log n) in the number of respondents, memory O(n), whatever the number of cells.
#' @references Hundepool, A., Domingo-Ferrer, J., Franconi, L., Giessing, S., Schulte Nordholt, E.,
#'   Spicer, K. and de Wolf, P.-P. (2012). *Statistical Disclosure Control*. Wiley, chapter
#'   5: tables of frequencies.
#' @family magnitude
#' @seealso [sdc_weighted-methods]
#' @export
#' @examples
#' people <- data.frame(
#'   region = rep(c("north", "middle", "south"), c(5, 6, 4)),
#'   employed = c("no", "yes", "yes", "yes", "yes", "no", "no", "no", "yes", "yes", "yes",
#'                "no", "yes", "yes", "yes"),
#'   w = c(10.5, 12, 9.5, 20, 10, 11, 12.5, 10, 14, 30, 9, 13, 12, 16, 11.5)
#' )
#' x <- weighted_table(people, c("region", "employed"), "w")
#' x
#' as.data.frame(x, totals = TRUE)
#' as.table(respondents(x))
#' hidden <- matrix(TRUE, 3, 2)
#' su <- suppress(x, maxN = 1, pattern = hidden)
#' su
#' as.table(publish(su), totals = TRUE)
#' @examplesIf requireNamespace("survey", quietly = TRUE)
#' design <- survey::svydesign(ids = ~1, weights = ~w, data = people)
#' weighted_table(design, ~ region + employed)
weighted_table <- function(data, ...) {
  check_given(data)
  UseMethod("weighted_table")
}

#' @export
weighted_table.default <- function(data, ...) {
  abort_sdc("input", c(
    "{.arg data} must be a data frame of records with weights, a survey design, or a table of
     estimates.",
    x = "{.arg data} is {.obj_type_friendly {data}}."
  ))
}

#' @rdname weighted_table
#' @export
weighted_table.data.frame <- function(data, dimVar, weightVar, unit = NULL, round = FALSE,
                                      hierarchies = NULL, dimList = NULL, formula = NULL,
                                      total_label = "Total", na = c("error", "level"), ...) {
  check_no_dots(...)
  check_microdata(data)
  check_quoted(dimVar, substitute(dimVar), data)
  check_quoted(weightVar, substitute(weightVar), data)
  check_given(dimVar)
  check_given(weightVar)
  check_string(weightVar)
  at <- resolve_columns(weightVar, data, "weightVar")
  check_whole_columns(data, at)
  weights <- weight_column(data, list(weight = at))
  data[[at]] <- weights
  x <- magnitude_table(data, dimVar, weightVar, hierarchies = hierarchies, dimList = dimList,
                       formula = formula, total_label = total_label, unit = unit, round = round,
                       na = na, total = FALSE, rows = "records")
  new_weighted(x, weights)
}

# `weights`: of each record. Those of weight 0 are no respondents.
new_weighted <- function(x, weights) {
  if (!any(weights > 0)) {
    abort_sdc("input", c(
      "{.arg data} must have respondents.", x = "All weights are 0."
    ))
  }
  there <- weights[x$holder] > 0
  cell <- rep(x$cell, diff(x$start))
  x[c("cell", "start", "value", "holder")] <-
    cpp_group_contributors(cell[there], x$holder[there], x$value[there])
  x$variable <- "weighted counts"
  class(x) <- sdc_class("sdc_weighted", "sdc_magnitude", mark = "private")
  x
}

#' @rdname weighted_table
#' @param x (sdc_weighted) The table of weighted counts.
#' @export
respondents <- function(x) {
  check_class(x, "sdc_weighted", make = "weighted_table")
  validate_sdc_magnitude(x)
  out <- units_table(x, as.double(diff(x$start)))
  set_layout(out, new_layout(x$hierarchies, x$total_label, table_crossings(x)))
}

# A name that no variable has.
count_name <- function(dimnames) {
  name <- "respondents"
  while (name %in% names(dimnames)) name <- paste0(name, "_")
  name
}
