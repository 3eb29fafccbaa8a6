# Why no table has the published rates, and what tolerance would do.

# `alone`: rows that have no possible total by themselves.
abort_infeasible_rates <- function(ask, alone) {
  if (is_exact(ask$x)) abort_exact(ask, alone)
  needed <- with_core(
    cpp_least_tolerances(ask$x$units, ask$x$scale, ask$room, ask$n, ask$max_sums)
  )
  at <- integer()
  if (any(needed >= 0)) at <- which(needed >= 0 & needed <= min(needed[needed >= 0]) + 1e-12)
  all <- joint_tolerance(ask, if (length(at) > 0) needed[at[1]])
  tolerance <- ask$room[1] / ask$room[2]
  shown <- utils::head(if (length(at) > 0) at else alone, 3)
  abort_sdc("infeasible", c(
    "The rates and {.arg n} must agree with a table, within {.arg tolerance} = {tolerance} units of
     the last digit.",
    x = fault_words(ask$x, at, alone, shown, if (length(at) > 0) show_up(needed[at[1]])),
    i = if (!is.null(all)) "With {.code tolerance = {all}} there is such a table."
  ), rows = fault_rows(ask$x, if (length(at) > 0) at else alone),
  row_tolerance = needed[at], tolerance = all)
}

fault_words <- function(x, at, alone, shown, needed) {
  rows <- paste0("(", rate_row_labels(x, shown), ")", collapse = ", ")
  more <- max(length(at), if (length(at) == 0) length(alone)) - length(shown)
  if (more > 0) rows <- paste0(rows, " and ", more, " more")
  rows <- escape_braces(rows)
  if (length(at) == 1) {
    return(paste0("Row ", rows, " is at fault: it needs a tolerance of ", needed,
                  "; the other rows may keep theirs."))
  }
  if (length(at) > 1) {
    return(paste0("One of the rows ", rows, " is at fault: it needs a tolerance of ", needed,
                  "; the other rows may keep theirs."))
  }
  if (length(alone) > 0) {
    return(paste0("No total is possible for ", rows, "."))
  }
  "No single row is at fault: more than one needs a larger tolerance."
}

# Three decimals, not less than the number.
show_up <- function(x) format(ceiling(x * 1000 - 1e-9) / 1000, digits = 15)

fault_rows <- function(x, at) {
  codes <- lapply(x$rows, function(v) v[at])
  list2data_frame(Map(as_level_factor, codes, x$dimnames[x$given]), length(at))
}

# The least tolerance for all rows, in thousandths of a unit. `enough`: one that is known to do.
joint_tolerance <- function(ask, enough) {
  fits <- function(thousandths) {
    with_core(
      cpp_rates_feasible(ask$x$units, ask$x$scale, c(thousandths, 1000), ask$n, ask$max_sums)
    )
  }
  low <- floor(1000 * ask$room[1] / ask$room[2])
  high <- if (is.null(enough)) max(1000, 2 * low) else ceiling(enough * 1000 - 1e-9)
  while (!fits(high)) {
    if (high > 1000 * max(ask$x$scale)) {
      return(NULL)
    }
    low <- high
    high <- 2 * high
  }
  while (high - low > 1) {
    middle <- floor((low + high) / 2)
    if (fits(middle)) high <- middle else low <- middle
  }
  high / 1000
}

abort_exact <- function(ask, alone) {
  x <- ask$x
  rows <- paste0("(", rate_row_labels(x, utils::head(alone, 3)), ")", collapse = ", ")
  if (length(alone) > 3) rows <- paste0(rows, " and ", format_count(length(alone) - 3), " more")
  rows <- escape_braces(rows)
  least <- format_count(sum(x$scale))
  n <- format_count(ask$n)
  abort_sdc("infeasible", c(
    "The exact rates must agree with a table that has the total {.arg n}.",
    x = if (length(alone) > 0) {
      paste0(
        "Least totals, the common denominators of rows, that do not leave 1 to each other row: ",
        rows, "."
      )
    } else if (sum(x$scale) > ask$n) {
      "The least totals of all rows, their common denominators, sum to {least}; {.arg n} is {n}."
    } else {
      "No multiples of the common denominators of the rows sum to {n}."
    },
    i = "Is {.arg n} the total of the table that the rates are from? Rounded rates need
         {.arg digits} in {.fn conditionals}."
  ), rows = fault_rows(x, alone), row_tolerance = numeric(), tolerance = NULL)
}
