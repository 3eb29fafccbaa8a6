# What a magnitude table with suppressed cells still gives away.

#' What a magnitude table with suppressed cells still gives away
#'
#' Looks at a suppression as a reader of its publication would: who has the published totals, knows
#' that they add up, that values are not negative and in which unit they are whole. For each
#' suppressed cell and total it gives the interval in which the true total T must lie, and for each
#' primary one whether that interval is as wide as its rules ask for.
#'
#' @details
#' The reader's system is that of [audit.sdc_suppression], in units of the table. Linear programmes
#' in exact arithmetic give the intervals. Where an end of one is not attained by whole units, and
#' no suppressed total can exceed 1,000 units, whole numbers are searched; in larger tables such an
#' interval is that of a reader who reasons over real numbers.
#'
#' **What the rules ask for.** Let U be the upper protection level of
#' [sensitive()][sensitive.sdc_magnitude]: if T rose by U, no rule would fire. A primary cell is
#' *protected* when its interval reaches up to T + U at least and down to T - U (or 0) at most, and
#' is no point. For a p percent rule the upper end keeps contributor 2, who subtracts her own x2,
#' from knowing that x1 is less than x1 + p %. The lower level is the customary symmetric one: her
#' estimate there is x1 - p % and twice the rest. Cells below the threshold have the level of the
#' strictest p percent rule, or of `p`, as if there were no rest.
#'
#' **Contributor 2** subtracts her own value from both ends and so gets an interval for the estimate
#' of x1, which is given in percent of x1. The cell is *near* when all of it is within p % of x1.
#'
#' **What the reader is not credited with**: to know all of another suppressed cell, as the only
#' contributor of it does; the rules, the levels, and the way in which the cells were chosen.
#'
#' @param x (sdc_magnitude_suppression) What [suppress()][suppress.sdc_magnitude] returned.
#' @param p (number, percent) As in [suppress()][suppress.sdc_magnitude].
#' @param time_limit_s (number, seconds of processor time) How long bounds may be searched for.
#' @param progress (flag) Show a progress bar?
#' @param object (sdc_magnitude_suppression_audit) The audit.
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @return An object of class `sdc_magnitude_suppression_audit`, **confidential**: a list with
#'   * `cells`, a data frame with a row for each suppressed cell or total, failures first: the
#'     variables, `primary`, `rules` (that fire), `lower` and `upper` (the interval), `need_lower`
#'     and `need_upper` (what it must reach; `NA` for secondary cells), `sharp` (both ends are
#'     attained by whole units), `known` (it is a point), `protected` (`NA` for secondary cells, and
#'     where the time ended before that was sure), `second_lower` and `second_upper` (by how many
#'     percent of x1 the ends of contributor 2's interval miss it) and `near`;
#'   * `shown`: a data frame of primary cells that a pattern publishes;
#'   * `counts`: `suppressed`, `primary` (of those), `unprotected`, `known` (primary, a point),
#'     `near`, `unsure` (`protected` is `NA`), `shown`;
#'   * `failures`: cells that are unprotected, near, unsure or shown; `p`.
#'
#'   `as.data.frame()` gives `cells`, `summary()` the counts as a data frame.
#' @section Errors:
#' `sdc_error_input` for arguments that do not fit. A warning `sdc_warning_outer` when the time
#' ended before all intervals were sharp.
#' @section Guarantee:
#' Exact: where `sharp`, both ends of an interval are attained by tables of whole units that agree
#' with all that is published. Other intervals are exact over real numbers, and rounded inwards to
#' whole units. When the time ended they are outer: what fails does fail, and what does not fail
#' counts as unsure, which is a failure too.
#' @family magnitude
#' @family suppress
#' @export
#' @examples
#' firms <- data.frame(
#'   region = rep(c("north", "middle", "south"), c(3, 4, 4)),
#'   turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' su <- suppress(mg, rule_p_percent(10), pattern = c(TRUE, TRUE, FALSE))
#' audit(su)
#' as.data.frame(audit(su))
audit.sdc_magnitude_suppression <- function(x, p = x$p, time_limit_s = 60,
                                            progress = rlang::is_interactive(), ...) {
  call <- rlang::current_env()
  check_no_dots(...)
  check_percent(p, 1000)
  check_number(time_limit_s, min = 0)
  check_flag(progress)
  held <- x$original
  cells <- unit_cells(held, units_table(held), call)
  judged <- judged_cells(held, cells, x$rules, p, call)
  cells$suppressed <- is_hidden(x)
  reader <- list(cells = cells, dimnames = held$dimnames, hierarchies = held$hierarchies)
  bounds <- unit_bounds(reader_system(reader), time_limit_s, progress, call)
  labels <- unclass(cells)[names(held$dimnames)]
  percent <- rules_percent(x$rules, p) / 1e6
  new_suppression_audit(labels, cells$suppressed, judged, bounds, held, percent)
}

# `sure`: no outer interval. A search over whole numbers takes steps that grow with their size, and
# what it adds goes down with it.
unit_bounds <- function(system, time_limit_s, progress, call) {
  out <- reader_bounds(system, time_limit_s, progress, call, "lp")
  if (!all(out$sharp) && all(out$upper <= 1000)) {
    out <- reader_bounds(system, time_limit_s, progress, call)
  }
  list(lower = out$lower, upper = out$upper, sharp = out$sharp,
       sure = out$sharp | !isTRUE(out$effort$stopped))
}

new_suppression_audit <- function(labels, suppressed, judged, bounds, held, percent) {
  hidden <- which(suppressed)
  found <- protection_of(judged[hidden, ], bounds)
  primary <- judged$primary[hidden]
  percent_of <- function(part) ifelse(primary, 100 * part / judged$largest[hidden], NA_real_)
  needed <- function(end) ifelse(primary, in_values(end[hidden], held), NA_real_)
  cells <- list2data_frame(c(
    lapply(labels, function(column) column[hidden]),
    list(
      primary = primary, rules = judged$rules[hidden], lower = in_values(bounds$lower, held),
      upper = in_values(bounds$upper, held), need_lower = needed(judged$lowest),
      need_upper = needed(judged$highest), sharp = bounds$sharp, known = found$known,
      protected = found$protected, second_lower = percent_of(found$below),
      second_upper = percent_of(found$above), near = found$near
    )
  ), length(hidden))
  failed <- found$failed
  cells <- cells[order(!failed, !primary), ]
  rownames(cells) <- NULL
  shown <- which(judged$primary & !suppressed)
  counts <- c(
    suppressed = length(hidden), primary = sum(primary),
    unprotected = sum(found$protected %in% FALSE), known = sum(primary & found$known),
    near = sum(found$near), unsure = sum(primary & is.na(found$protected)), shown = length(shown)
  )
  structure(
    list(
      cells = cells,
      shown = list2data_frame(c(
        lapply(labels, function(column) column[shown]), list(rules = judged$rules[shown])
      ), length(shown)),
      counts = counts, failures = sum(failed) + length(shown), p = percent
    ),
    class = "sdc_magnitude_suppression_audit"
  )
}

# In units. An outer interval that is too narrow is proof; one that is wide enough is none.
protection_of <- function(judged, bounds) {
  primary <- judged$primary
  known <- bounds$lower == bounds$upper
  reached <- bounds$upper >= judged$highest & bounds$lower <= judged$lowest & !known
  protected <- ifelse(primary & (bounds$sure | !reached), reached, NA)
  below <- bounds$lower - judged$second - judged$largest
  above <- bounds$upper - judged$second - judged$largest
  near <- primary & above < judged$reach & below > -judged$reach
  list(known = known, protected = protected, below = below, above = above, near = near,
       failed = primary & (!(protected %in% TRUE) | near))
}

#' @rdname audit.sdc_magnitude_suppression
#' @export
format.sdc_magnitude_suppression_audit <- function(x, ...) {
  n <- x$counts
  of <- function(name) format_count(n[[name]])
  c(
    if (n[["shown"]] > 0) paste0("FAILS: ", plural(n[["shown"]], "sensitive cell"), " ",
                                 is_are(n[["shown"]]), " published"),
    if (n[["unprotected"]] > 0) paste0(
      "FAILS: ", of("unprotected"), " of ", plural(n[["primary"]], "primary cell"), " ",
      is_are(n[["unprotected"]]), " not protected, ", of("known"), " of them exactly known"
    ),
    if (n[["near"]] > 0) paste0("FAILS: contributor 2 knows the largest contributor of ",
                                plural(n[["near"]], "cell"), " within ", plain_number(x$p), " %"),
    if (n[["unsure"]] > 0) paste0("FAILS: of ", plural(n[["unsure"]], "primary cell"),
                                  " only an outer interval was found in time"),
    if (x$failures == 0) all_protected_words(n, x$p)
  )
}

all_protected_words <- function(n, p) {
  if (n[["primary"]] == 0) {
    return("no cell is sensitive")
  }
  paste0("each interval of ", plural(n[["primary"]], "primary cell"), " reaches its protection ",
         "levels; contributor 2 knows none within ", plain_number(p), " %")
}

#' @rdname audit.sdc_magnitude_suppression
#' @export
print.sdc_magnitude_suppression_audit <- function(x, ...) {
  cat("<sdc_magnitude_suppression_audit> CONFIDENTIAL", paste0("  ", format(x)), sep = "\n")
  cells <- x$cells[x$cells$primary & (!(x$cells$protected %in% TRUE) | x$cells$near), ]
  worst <- utils::head(cells, 5)
  variables <- seq_len(match("primary", names(cells)) - 1)
  words <- label_words(lapply(unclass(worst)[variables], as.character))
  how <- ifelse(worst$known, "exactly known",
                ifelse(worst$near, "near", ifelse(is.na(worst$protected), "unsure", "too narrow")))
  if (nrow(worst) > 0) cat(paste0("    ", cut_text(words, 60), ": ", how), sep = "\n")
  more <- nrow(cells) - nrow(worst)
  if (more > 0) cat("    and", plural(more, "more cell"), "\n")
  invisible(x)
}

#' @rdname audit.sdc_magnitude_suppression
#' @export
summary.sdc_magnitude_suppression_audit <- function(object, ...) {
  check_no_dots(...)
  data.frame(what = names(object$counts), cells = unname(object$counts))
}

#' @rdname audit.sdc_magnitude_suppression
#' @export
as.data.frame.sdc_magnitude_suppression_audit <- function(x, row.names = NULL, optional = FALSE,
                                                          ...) {
  check_no_dots(...)
  x$cells
}
