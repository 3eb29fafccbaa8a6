# Suppression of tables of magnitudes that may be negative.
#
# Rules judge absolute values. What changes is the reader: a total need not be 0 or more. `lowest`
# says what she knows instead: no cell of the table is below it. A limit L > -Inf is one of the
# shifted table, which has L less in each cell and is not negative. Without a limit nothing bounds a
# suppressed total but the equations: it is known, or may be any number. That is a question about
# directions: can the total change when all equations are kept? It may be asked of a table that has
# the same number in all suppressed cells, as any direction fits below it after scaling.

is_signed <- function(x) isTRUE(x$signed)

# The number in all suppressed cells and totals of a free system. A direction changes a whole unit
# of a total within it unless it changes others by a million times as much.
free_value <- 2^20

check_lowest <- function(lowest, x) {
  if (is.null(lowest) && !is_signed(x)) {
    return(invisible())
  }
  if (!is_signed(x)) {
    abort_sdc("input", c(
      "{.arg lowest} is for tables that may be negative.",
      x = "{.arg x} was made without {.code negative = \"absolute\"}: readers know that no total is
           negative."
    ))
  }
  if (is.null(lowest)) {
    abort_sdc("input", c(
      "{.arg lowest} must say what readers know of the least total of a cell, as {.arg x} may be
       negative.",
      x = "{.arg lowest} is missing.",
      i = "{.code lowest = -Inf}: nothing. {.code lowest = 0}: no total of a cell is negative."
    ))
  }
  check_number(lowest, max = 0)
  check_not_sampled(x, "be negative and have cells suppressed")
  if (all(cell_totals(x) >= lowest_units(lowest, x))) {
    return(invisible(lowest))
  }
  abort_sdc("input", c(
    "{.arg lowest} must not be above the least total of a cell.",
    x = "Some cell is below it: readers cannot know what is not true."
  ))
}

lowest_units <- function(lowest, x) if (is.finite(lowest)) ceiling(in_units(lowest, x)) else lowest

lowest_words <- function(lowest) {
  if (is.null(lowest)) {
    return(NULL)
  }
  if (is.finite(lowest)) {
    paste0("contributions may be negative; readers know that no cell is below ",
           plain_number(lowest))
  } else {
    "contributions may be negative, and readers know no limit"
  }
}

# An interval of numbers that are not negative is all that a solver of the libraries knows.
check_no_solver <- function(lowest, further) {
  if (is.null(lowest) || is.null(further$lpPackage)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg lpPackage} must not be given for a table that may be negative.",
    x = "{.pkg GaussSuppression} would compute intervals of totals that are not negative."
  ))
}

# ---- the cells ----------------------------------------------------------------------------------

# All cells and totals of leaf values that are not negative, as an array has them.
summed_cells <- function(units, x) {
  whole <- with_totals(units_table(x, units), x$hierarchies, x$total_label, max_suppressed_cells)
  as.data.frame(whole, zeros = TRUE)
}

# The same of any values: sums of what is above 0, less those of what is below.
signed_cells <- function(x) {
  total <- cell_totals(x)
  out <- summed_cells(pmax(total, 0), x)
  if (any(total < 0)) out$freq <- out$freq - summed_cells(pmax(-total, 0), x)$freq
  out
}

# What a library is given in place of signed totals: the sums of absolute values, which are 0 in the
# same cells as contributors are.
absolute_cells <- function(x) {
  sizes <- x
  sizes$value <- abs(x$value)
  summed_cells(cell_totals(sizes), x)
}

# For each cell and total the least value that a reader reckons with; NULL where it is 0.
least_values <- function(cells, dimnames, hierarchies, total_label, lowest) {
  if (is.null(lowest)) {
    return(NULL)
  }
  if (!is.finite(lowest)) {
    return(rep(-Inf, nrow(cells)))
  }
  ones <- table_from_dense(rep(1, prod(lengths(dimnames))), dimnames)
  whole <- with_totals(ones, hierarchies, total_label, max_suppressed_cells)
  lowest * as.data.frame(whole, zeros = TRUE)$freq
}

# The ends that a primary total must be able to reach, and its two largest contributions, signed.
signed_levels <- function(out, held, judged, least) {
  if (is.null(least)) {
    return(out)
  }
  total <- cell_totals(held)
  level <- judged$up - judged$total
  first <- held$start[-length(held$start)]
  out$highest <- total + level
  out$lowest <- pmax(least[out$row], total - level)
  out$largest <- held$value[first + 1]
  out$second <- ifelse(judged$count > 1, held$value[pmin(first + 2, length(held$value))], 0)
  out
}

# ---- the reader ---------------------------------------------------------------------------------

# A reader's system, and how its numbers become totals: `shift` is what to add; `free`: a total is
# known or may be anything; `value`: the numbers of the true table in the system.
reader_view <- function(cells, dimnames, hierarchies, least) {
  system_of <- function(freq) {
    cells$freq <- freq
    reader_system(list(cells = cells, dimnames = dimnames, hierarchies = hierarchies))
  }
  hidden <- which(cells$suppressed)
  if (is.null(least)) {
    return(list(system = system_of(cells$freq), signed = FALSE, free = FALSE))
  }
  total <- cells$freq[hidden]
  if (all(is.finite(least))) {
    return(list(system = system_of(cells$freq - least), signed = TRUE, free = FALSE, total = total,
                shift = least[hidden], value = total - least[hidden]))
  }
  list(system = free_system(system_of(numeric(nrow(cells)))), signed = TRUE, free = TRUE,
       total = total, value = rep(free_value, length(hidden)))
}

# The equations with the right sides that equal unknowns give them.
free_system <- function(system) {
  rows <- system$rows
  n <- length(rows$lower)
  if (n == 0) {
    return(system)
  }
  row <- rep(seq_len(n), diff(rows$start))
  rows$lower <- rows$upper <- sum_by(rows$coefficient * free_value, row, n)
  sums_system(rows, length(system$lower))
}

# The ends of intervals as totals. `found`: lower and upper in the numbers of the system.
view_ends <- function(view, found) {
  if (!view$signed) {
    return(found)
  }
  if (!view$free) {
    return(list(lower = found$lower + view$shift, upper = found$upper + view$shift))
  }
  known <- found$lower == found$upper
  list(lower = ifelse(known, view$total, -Inf), upper = ifelse(known, view$total, Inf))
}

# As unit_bounds(). Where nothing limits a total it is real numbers that count: a direction may
# change a total by part of a unit, and then by any number.
view_bounds <- function(view, time_limit_s, progress) {
  if (!view$free) {
    found <- unit_bounds(view$system, time_limit_s, progress)
    found[c("lower", "upper")] <- view_ends(view, found[c("lower", "upper")])
    return(found)
  }
  found <- reader_bounds(view$system, time_limit_s, progress, "lp")
  sure <- rep(!isTRUE(found$effort$stopped), length(view$total))
  real <- if (length(sure) > 0) found$real else found
  c(view_ends(view, real), list(sharp = sure, sure = sure))
}

# What a reader knows of the rows in which she has a part: the total where she is alone, and nothing
# otherwise, as the others may hold less than nothing.
signed_knowledge <- function(parts, alone, view) {
  value <- view$value[parts$row]
  list(reader = parts$reader, cell = parts$row, lower = ifelse(alone, value, 0),
       upper = ifelse(alone, value, Inf))
}

# She must reckon with a total at the upper protection level, as everybody must; or, where the total
# is there, with another total.
signed_needs <- function(judged, view) {
  function(row, own, other) {
    if (view$free) {
      n <- length(row)
      return(list(low = rep(free_value - 1, n), high = rep(free_value + 1, n)))
    }
    value <- view$value[row]
    high <- judged$highest[row] - view$shift[row]
    there <- high <= value
    list(low = ifelse(there, value - 1, -1), high = ifelse(there, value + 1, high))
  }
}

# What she learned, as totals.
signed_findings <- function(found, row, view) {
  if (view$free) {
    return(list(lower = view$total[row], upper = view$total[row]))
  }
  list(lower = found$lower + view$shift[row], upper = found$upper + view$shift[row])
}

# A firm with values of both signs in some cells may have less in their sum than in any of them. Its
# part counts by the sign of the whole, which is never more than what it holds of a sum.
least_parts <- function(held) {
  if (all(held$value >= 0)) {
    return(held$value)
  }
  total <- stats::ave(held$value, held$holder, FUN = sum)
  ifelse(has_both_signs(held), ifelse(total < 0, -held$value, held$value), abs(held$value))
}

has_both_signs <- function(held) {
  plus <- held$holder[held$value > 0]
  minus <- held$holder[held$value < 0]
  held$holder %in% intersect(plus, minus)
}

# ---- the publication ----------------------------------------------------------------------------

# The system of a published table, in the unit that its totals and the limit show.
public_view <- function(x, lowest = x$lowest) {
  unit <- public_unit(x)
  x$cells$freq <- in_units(x$cells$total, unit)
  limit <- if (!is.null(lowest)) lowest_units(lowest, unit)
  least <- least_values(x$cells, x$dimnames, x$hierarchies, x$total_label, limit)
  reader_view(x$cells, x$dimnames, x$hierarchies, least)
}

public_unit <- function(x) {
  lowest <- if (!is.null(x$lowest) && is.finite(x$lowest)) x$lowest
  magnitude_unit(c(x$cells$total[!x$cells$suppressed], lowest), NULL, FALSE)
}

# The ends as totals. In a free system the numbers are not those of the table: what is known is the
# same under any limit that leaves a table.
public_ends <- function(x, found, time_limit_s, progress) {
  view <- public_view(x)
  known <- view$free & found$lower == found$upper
  if (any(known)) {
    far <- limited_view(x, time_limit_s, progress)
    view$total[known] <- far[known]
  }
  view_ends(view, found)
}

limited_view <- function(x, time_limit_s, progress) {
  lowest <- -10 * sum(abs(x$cells$total), 1, na.rm = TRUE)
  repeat {
    view <- public_view(x, lowest)
    found <- tryCatch(reader_bounds(view$system, time_limit_s, progress, "lp"),
                      sdc_error_infeasible = function(cnd) NULL)
    if (!is.null(found)) {
      return(view_ends(view, found$real)$lower)
    }
    lowest <- 10 * lowest
  }
}
