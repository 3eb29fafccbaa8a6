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
#'   `max_change` of [redistribute()]; without either there is no interval audit.
#' @param totals (flag) Audit the totals over variables and trees too? They are sums of published
#'   cells, and holdings of one contributor in several cells are one there.
#' @param ... Not used.
#' @return An object of class `sdc_magnitude_audit`, **confidential**: a list with
#'   * `cells`, a data frame with a row for each cell or total that was sensitive, or is near now
#'     and was not: the variables, `rules`, by how many percent of x1 contributor 2 misses it
#'     before and after (`second_before`, `second`), the same for an outsider (`outsider_before`,
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
audit.sdc_magnitude_redistribution <- function(x, p = NULL, bound = NULL, totals = x$totals, ...) {
  check_no_dots(...)
  validate_sdc_magnitude(x$original, "x$original")
  check_flag(totals)
  percent <- if (is.null(p)) rules_percent(x$rules, x$p) / 1e6 else check_percent(p, 1000)
  if (is.null(bound)) bound <- x$max_change
  if (!is.null(bound)) check_number(bound, min = 0)
  held <- x$original
  families <- if (totals) total_families(held) else list(leaf_family(held))
  labels <- family_labels(held, families)
  parts <- lapply(families, audit_family, x = x, labels = labels, percent = percent)
  if (!is.null(bound)) parts <- with_intervals(parts, x, bound, percent)
  new_magnitude_audit(bind_frames(parts), nrow(x$remaining), percent, bound)
}

# One kind of sums, the cells among them: what is shown of those that were sensitive or are near
# now, and `.sensitive`, `.second`, `.outsider` to count.
audit_family <- function(family, x, labels, percent) {
  held <- family_contributors(x$original, family)
  units <- family_sums(x$units, x$original, family)
  known <- apply_rules(held, x$rules, 0)
  sensitive <- rowSums(known$fired) > 0
  miss <- estimate_misses(held, units, percent)
  before <- estimate_misses(held, known$total, percent)
  exposed <- miss$any < miss$reach
  new <- exposed & before$any >= before$reach
  shown <- which(sensitive | new)
  share <- function(part) 100 * part[shown] / known$largest[shown]
  list2data_frame(c(
    family_factors(held$cell[shown], family, labels),
    list(
      rules = fired_labels(known$fired[shown, , drop = FALSE], x$rules$label),
      second_before = share(before$second), second = share(miss$second),
      outsider_before = share(before$outsider), outsider = share(miss$outsider),
      nearest = share(miss$any), exposed = exposed[shown],
      nearer = (abs(miss$second) < abs(before$second))[shown], new = new[shown],
      .sensitive = sensitive[shown], .second = (abs(miss$second) < miss$reach)[shown],
      .outsider = (abs(miss$outsider) < miss$reach)[shown]
    )
  ), length(shown))
}

# Published units of a family's sums, in the order of their numbers.
family_sums <- function(units, held, family) {
  part <- family_part(held, family)
  inside <- part > 0
  as.vector(rowsum(units[inside], part[inside]))
}

new_magnitude_audit <- function(cells, remaining, percent, bound) {
  sensitive <- cells$.sensitive
  counts <- c(
    sensitive = sum(sensitive), exposed = sum(sensitive & cells$exposed),
    second = sum(sensitive & cells$.second), outsider = sum(sensitive & cells$.outsider),
    nearer = sum(sensitive & cells$nearer), new = sum(cells$new),
    narrow = if (is.null(bound)) NA else sum(!cells$inside, na.rm = TRUE),
    remaining = remaining
  )
  structure(
    list(
      cells = list2data_frame(
        unclass(cells)[setdiff(names(cells), c(".sensitive", ".second", ".outsider"))], nrow(cells)
      ),
      counts = counts,
      failures = sum(cells$exposed) + sum(counts[["narrow"]], na.rm = TRUE) + remaining,
      p = percent, bound = bound
    ),
    class = sdc_class("sdc_magnitude_audit", mark = "confidential")
  )
}

# By how many units estimates of the largest contributor from totals miss it: that of contributor 2,
# that of an outsider, and the least of all readers; `reach`: p percent of it, rounded up, so that
# whole units below it are near. A contributor alone in a cell has no contributor 2: the outsider
# stands in.
estimate_misses <- function(held, totals, percent) {
  rule <- rule_p_percent(percent)
  judged <- apply_rules(held, rule, 0)
  cell <- rep(seq_along(held$cell), diff(held$start))
  other <- setdiff(seq_along(held$value), held$start[-length(held$start)] + 1)
  guess <- c(totals, totals[cell[other]] - held$value[other])
  of <- c(seq_along(totals), cell[other])
  off <- abs(guess - judged$largest[of])
  sorted <- order(of, off)
  list(
    second = totals - judged$second - judged$largest, outsider = totals - judged$largest,
    any = off[sorted][!duplicated(of[sorted])],
    # a value of 0 has no p percent: being met exactly is near enough
    reach = pmax(1, judged$up - judged$largest - judged$second)
  )
}

# ---- what a bound on changes tells ------------------------------------------------------------

# Of cells only: the interval of a total is no narrower than what its cells leave.
with_intervals <- function(parts, x, bound, percent) {
  held <- x$original
  limit <- in_units(bound, held)
  cells <- parts[[1]]
  codes <- label_codes(cells, held$dimnames, "cells")
  at <- match(combine_codes(codes, lengths(held$dimnames, FALSE), nrow(cells)), held$cell)
  check_size(length(at), 2000, "interval audits")
  ends <- apply_rules(held, ends_rules(x$rules, percent), percent)
  low <- pmax(0, x$units - limit)
  programme <- interval_programme(held, x$units, low, limit, kept_families(x))
  found <- vapply(at, function(cell) {
    c(interval_end(programme, cell, 1), -interval_end(programme, cell, -1))
  }, c(0, 0)) + rep(low[at], each = 2)
  tolerance <- 1e-6 * max(1, x$units)
  below <- is.na(ends$down[at]) | found[1, ] <= ends$down[at] + tolerance
  cells$lower <- in_values(found[1, ], held)
  cells$upper <- in_values(found[2, ], held)
  cells$inside <- below & found[2, ] >= ends$up[at] - tolerance
  c(list(cells), lapply(parts[-1], function(part) {
    part$lower <- part$upper <- rep(NA_real_, nrow(part))
    part$inside <- rep(NA, nrow(part))
    part[names(cells)]
  }))
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

interval_end <- function(programme, cell, sign) {
  programme$objective[cell] <- sign
  found <- solve_programme(programme, 60)
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
    paste0("by the second largest contributor in ", of("second"), ", by an outsider in ",
           of("outsider"), ", by any reader in ", of("exposed")),
    paste0("the second largest contributor is nearer than before in ", of("nearer"),
           "; newly exposed cells: ", of("new")),
    if (!is.na(n[["narrow"]])) {
      paste0("intervals from the bound on changes that miss a protection level: ", of("narrow"))
    }
  )
}
