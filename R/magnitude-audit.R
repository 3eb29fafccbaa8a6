# What a redistributed magnitude table still gives away: the true contributors against what is
# published.

#' Audit a redistributed magnitude table
#'
#' Takes the published totals as a reader would, and compares what follows with the **true** values
#' of the largest contributors.
#'
#' @details From a published total T' contributor 2 estimates the largest contributor by T' - x2
#' with her true x2; an outsider, who knows nobody, by T' itself; any other contributor j by T' -
#' xj. An estimate that misses by less than p % of x1 counts as near. p is that of the strictest p
#' percent rule, or else the argument `p`.
#'
#' With `bound` there is an interval audit too: the reader knows that no cell was changed by more
#' than `bound`, and the totals that stay (`keep_margins` of [redistribute()] and the grand total).
#' The interval of each sensitive cell that follows, by linear programming, must contain both of its
#' protection levels (the lower one where there is one). It is a strict test: it needs a bound of
#' about twice the largest level.
#'
#' @param x (sdc_magnitude_redistribution) What [redistribute()] returned for a magnitude table.
#' @param p (number, percent, or `NULL`) By how much an estimate must miss; `NULL`: see below.
#' @param bound (number or `NULL`) The bound on changes that is published with the table; `NULL`:
#'   `max_change` of [redistribute()], and no interval audit if there is none.
#' @param ... Not used.
#' @return An object of class `sdc_magnitude_audit`, **confidential**: a list with
#'   * `cells`, a data frame with a row for each cell that was sensitive, or is near now and was
#'     not: the variables, `rules`, by how many percent of x1 contributor 2 misses it before and
#'     after (`second_before`, `second`), the same for an outsider (`outsider_before`,
#'     `outsider`), the nearest estimate of all readers (`nearest`), `exposed` (any of them is
#'     near), `nearer` (contributor 2 is nearer than before), `new` (exposed, and no estimate was
#'     near before); with an interval audit `lower`, `upper`, and `inside` (both levels lie in
#'     it);
#'   * `counts`: `sensitive`, `exposed`, `second` (sensitive cells near for contributor 2),
#'     `outsider`, `nearer`, `new`, `narrow` (intervals that miss a level), `remaining`;
#'   * `failures`: the number of exposed sensitive cells, newly exposed cells, narrow intervals and
#'     remaining cells; `p`, `bound`.
#' @section Errors:
#' `sdc_error_input` for bad arguments; `sdc_error_too_large` for an interval audit of more than
#' 2,000 sensitive cells.
#' @section Guarantee:
#' Estimates are compared in whole units. Intervals come from a solver in floating point.
#' @family magnitude
#' @export
#' @examples
#' firms <- data.frame(
#'   region = rep(c("north", "south"), c(3, 4)), turnover = c(132, 99, 12, 40, 35, 30, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' audit(redistribute(mg, rule_p_percent(10), method = "iterative"))
audit.sdc_magnitude_redistribution <- function(x, p = NULL, bound = NULL, ...) {
  call <- rlang::current_env()
  check_no_dots(...)
  percent <- if (is.null(p)) rules_percent(x$rules, x$p) / 1e6 else check_percent(p, 1000)
  if (is.null(bound)) bound <- x$max_change
  if (!is.null(bound)) check_number(bound, min = 0)
  held <- x$original
  known <- judge(held, x$rules, 0)
  sensitive <- rowSums(known$fired) > 0
  miss <- estimate_misses(held, x$units, percent)
  before <- estimate_misses(held, known$total, percent)
  exposed <- miss$any < miss$reach
  new <- exposed & before$any >= before$reach
  shown <- which(sensitive | new)
  share <- function(part) 100 * part[shown] / known$largest[shown]
  cells <- list2data_frame(c(
    cell_factors(held$cell[shown], held$dimnames),
    list(
      rules = fired_labels(known$fired[shown, , drop = FALSE], x$rules$label),
      second_before = share(before$second), second = share(miss$second),
      outsider_before = share(before$outsider), outsider = share(miss$outsider),
      nearest = share(miss$any), exposed = exposed[shown],
      nearer = (abs(miss$second) < abs(before$second))[shown], new = new[shown]
    )
  ), length(shown))
  if (!is.null(bound)) cells <- with_intervals(cells, shown, x, sensitive, bound, percent, call)
  new_magnitude_audit(cells, sensitive[shown], miss, shown, nrow(x$remaining), percent, bound)
}

new_magnitude_audit <- function(cells, sensitive, miss, shown, remaining, percent, bound) {
  near <- function(part) sum(sensitive & abs(part[shown]) < miss$reach[shown])
  counts <- c(
    sensitive = sum(sensitive), exposed = sum(sensitive & cells$exposed),
    second = near(miss$second), outsider = near(miss$outsider),
    nearer = sum(sensitive & cells$nearer), new = sum(cells$new),
    narrow = if (is.null(cells$inside)) NA else sum(!cells$inside, na.rm = TRUE),
    remaining = remaining
  )
  structure(
    list(
      cells = cells, counts = counts,
      failures = sum(cells$exposed) + sum(counts[["narrow"]], na.rm = TRUE) + remaining,
      p = percent, bound = bound
    ),
    class = "sdc_magnitude_audit"
  )
}

# By how many units estimates of the largest contributor from totals miss it: that of contributor 2,
# that of an outsider, and the least of all readers; `reach`: p percent of it, rounded up, so that
# whole units below it are near. A contributor alone in a cell has no contributor 2: the outsider
# stands in.
estimate_misses <- function(held, totals, percent) {
  rule <- rule_p_percent(percent)
  judged <- judge(held, rule, 0)
  cell <- rep(seq_along(held$cell), diff(held$start))
  other <- setdiff(seq_along(held$value), held$start[-length(held$start)] + 1)
  guess <- c(totals, totals[cell[other]] - held$value[other])
  of <- c(seq_along(totals), cell[other])
  off <- abs(guess - judged$largest[of])
  sorted <- order(of, off)
  list(
    second = totals - judged$second - judged$largest, outsider = totals - judged$largest,
    any = off[sorted][!duplicated(of[sorted])],
    reach = judged$up - judged$largest - judged$second
  )
}

# ---- what a bound on changes tells ------------------------------------------------------------

with_intervals <- function(cells, shown, x, sensitive, bound, percent, call) {
  held <- x$original
  at <- which(sensitive)
  check_size(length(at), 2000, "interval audits", call)
  limit <- in_units(bound, held)
  ends <- judge(held, ends_rules(x$rules, percent), percent)
  low <- pmax(0, x$units - limit)
  programme <- interval_programme(held, x$units, low, limit, kept_families(x, call))
  found <- vapply(at, function(cell) {
    c(interval_end(programme, cell, 1, call), -interval_end(programme, cell, -1, call))
  }, c(0, 0)) + rep(low[at], each = 2)
  place <- match(shown, at)
  cells$lower <- in_values(found[1, place], held)
  cells$upper <- in_values(found[2, place], held)
  tolerance <- 1e-6 * max(1, x$units)
  below <- is.na(ends$down[shown]) | found[1, place] <= ends$down[shown] + tolerance
  cells$inside <- below & found[2, place] >= ends$up[shown] - tolerance
  cells
}

# Columns: the true total of each cell above the least that the bound allows.
interval_programme <- function(held, units, low, limit, families) {
  parts <- lapply(families, function(family) family_part(held, family))
  rows <- do.call(rbind, lapply(seq_along(parts), function(f) {
    at <- which(parts[[f]] > 0)
    cbind(f, parts[[f]][at], at)
  }))
  row <- match(paste(rows[, 1], rows[, 2]), unique(paste(rows[, 1], rows[, 2])))
  list(
    objective = numeric(length(units)), entries = cbind(row, rows[, 3], 1),
    direction = rep("=", max(row)),
    rhs = as.vector(rowsum((units - low)[rows[, 3]], row)),
    upper = units + limit - low
  )
}

interval_end <- function(programme, cell, sign, call) {
  programme$objective[cell] <- sign
  found <- solve_programme(programme, 60, call = call)
  found$objective
}

in_units <- function(values, x) {
  if (is.na(x$per_unit)) round(values / x$unit) else round(values * x$per_unit)
}

#' @export
format.sdc_magnitude_audit <- function(x, ...) {
  n <- x$counts
  of <- function(name) format_count(n[[name]])
  c(
    if (x$failures > 0) paste0("NOT PROTECTED: ", plural(x$failures, "failure"), " (",
                               of("exposed"), " still exposed, ", of("new"), " newly exposed, ",
                               of("remaining"), " still sensitive",
                               if (!is.na(n[["narrow"]])) paste0(", ", of("narrow"), " narrow"),
                               ")"),
    paste0(plural(n[["sensitive"]], "sensitive cell"),
           "; estimates of the largest contributor within ", plain_number(x$p), " %:"),
    paste0("by contributor 2 in ", of("second"), ", by an outsider in ", of("outsider"),
           ", by any reader in ", of("exposed")),
    paste0("contributor 2 is nearer than before in ", of("nearer"), "; newly exposed cells: ",
           of("new")),
    if (!is.na(n[["narrow"]])) {
      paste0("intervals from the bound on changes that miss a protection level: ", of("narrow"))
    }
  )
}

#' @export
print.sdc_magnitude_audit <- function(x, ...) {
  cat("<sdc_magnitude_audit> CONFIDENTIAL", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @export
as.data.frame.sdc_magnitude_audit <- function(x, row.names = NULL, optional = FALSE, ...,
                                              stringsAsFactors = FALSE) {
  check_no_dots(...)
  x$cells
}
