# Why no table agrees with several sets of rates and margins: which parts contradict each other, and
# what tolerance would do.

abort_contradiction <- function(parts, asked, dimnames) {
  until <- work_seconds() + max(2, min(20, asked$seconds))
  fits <- function(at, tolerance) {
    has_table(parts, at, tolerance, dimnames, (until - work_seconds()) / 4)
  }
  at <- contradicting_parts(length(parts$values), function(at) fits(at, asked$tolerance))
  rounded <- vapply(parts$values[at], function(p) inherits(p, "sdc_conditionals") && !is_exact(p),
                    NA)
  all <- seq_along(parts$values)
  enough <- if (any(rounded)) {
    enough_tolerance(asked$tolerance, function(tolerance) fits(all, tolerance))
  }
  shown <- parts$shown[at]
  abort_sdc("infeasible", c(
    "All rates, totals and margins must agree with a table of whole numbers.",
    x = if (length(at) == 1) {
      "No table agrees with {.val {shown}}."
    } else {
      "No table agrees with all of {.val {shown}}."
    },
    i = if (!is.null(enough)) "With {.code tolerance = {enough}} there is such a table."
  ), parts = shown, tolerance = enough)
}

# Parts that contradict each other, none of which can be left out: each is tried in turn.
contradicting_parts <- function(n, fits) {
  at <- seq_len(n)
  for (part in rev(at)) {
    left <- setdiff(at, part)
    if (length(left) > 0 && identical(fits(left), FALSE)) at <- left
  }
  at
}

# TRUE, FALSE, or NA where the time did not suffice.
has_table <- function(parts, at, tolerance, dimnames, seconds) {
  if (seconds <= 0) {
    return(NA)
  }
  found <- tryCatch(
    solve_bounds(system_release(parts, tolerance, at, dimnames), integer(), FALSE, "exact",
                 seconds, "choose", NULL),
    sdc_error_infeasible = function(cnd) FALSE
  )
  if (isFALSE(found)) FALSE else if (found$effort$feasible) TRUE else NA
}

# A tolerance with which a table was found, in thousandths of a unit; with a thousandth less none
# was. NULL where the time did not suffice.
enough_tolerance <- function(tolerance, fits) {
  low <- floor(1000 * tolerance)
  high <- max(1000, 2 * low)
  while (!isTRUE(fits(high / 1000))) {
    if (high > 2^20) {
      return(NULL)
    }
    low <- high
    high <- 2 * high
  }
  while (high - low > 1) {
    middle <- floor((low + high) / 2)
    if (isTRUE(fits(middle / 1000))) high <- middle else low <- middle
  }
  high / 1000
}
