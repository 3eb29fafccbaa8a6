# Totals of magnitudes, which may be negative, and what readers know of them.
#
# Rules judge absolute values. `lowest` says what readers know instead of "no total is negative": no
# cell of the table is below it.

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
absolute_cells <- function(x) summed_cells(absolute_totals(x), x)

absolute_totals <- function(x) {
  x$value <- abs(x$value)
  cell_totals(x)
}

# For each cell and total the least value that a reader reckons with; NULL where it is 0.
least_values <- function(cells, dimnames, hierarchies, total_label, lowest) {
  if (is.null(lowest)) {
    return(NULL)
  }
  if (!is.finite(lowest)) {
    return(rep(-Inf, nrow(cells)))
  }
  layout <- list(dimnames = dimnames, hierarchies = hierarchies, total_label = total_label)
  lowest * sums_of_leaves(rep(1, prod(lengths(dimnames))), layout)
}

# Numbers of 0 or more of all inner cells, in the order of rows, added up for each cell and total.
sums_of_leaves <- function(values, x) {
  whole <- with_totals(table_from_dense(as.numeric(values), x$dimnames), x$hierarchies,
                       x$total_label, max_suppressed_cells)
  as.data.frame(whole, zeros = TRUE)$freq
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
