# What hiding a cell costs, for methods that choose the cells with the least cost.

cost_names <- c("cells", "counts", "log")
unit_cost_names <- c("cells", "totals", "log")

# What `total_cost` is where the user does not say: other costs than those of cells are the user's,
# or totals are dearer by themselves.
usual_total_cost <- function(cost) if (identical(cost, "cells")) 2 else 1

check_total_cost <- function(total_cost) {
  ok <- is.numeric(total_cost) && length(total_cost) == 1 && is.finite(total_cost) &&
    total_cost > 0 && total_cost <= 1e12
  if (!ok) {
    abort_sdc("input", c(
      "{.arg total_cost} must be one number above 0 and at most 10^12.",
      x = "{describe(total_cost, 'total_cost')}"
    ))
  }
}

# A number above 0 for each row of the measure's cells. `total_cost`: how much dearer a total is,
# for each variable in which it is one.
cell_costs <- function(cost, total_cost, measure) {
  cells <- measure$cells
  out <- rep(1, nrow(cells))
  at <- which(measure$open & measure$amount > 0)
  out[at] <- if (is.function(cost)) {
    asked_costs(cost, costed_cells(measure, at))
  } else if (is.data.frame(cost)) {
    listed_costs(cost, measure)[at]
  } else {
    freq <- measure$amount[at]
    names <- if (measure$rule$given) unit_cost_names else cost_names
    switch(check_cost_name(cost, names), cells = 1, log = log_costs(freq), freq)
  }
  out <- out * total_cost^depth_of_totals(cells, measure$table$dimnames)
  check_cost_range(out[at])
  if (total_cost > 1) {
    out[at] <- dear_grand_total(out[at], measure$amount[at] == max(measure$amount, 0))
  }
  out
}

# Multiples of 2^-20, so that sums of costs are exact and a search can prove that none is less.
log_costs <- function(freq) round(log1p(freq) * 2^20) / 2^20

# In how many variables each cell is a total.
depth_of_totals <- function(cells, dimnames) {
  Reduce(`+`, lapply(names(dimnames), function(v) {
    as.integer(cells[[v]]) > length(dimnames[[v]])
  }))
}

# What holds everybody costs as much as all other cells together: it is suppressed only where no
# pattern does without. Which cells these are follows from the zeros of the table.
dear_grand_total <- function(cost, top) {
  most <- min(sum(cost[!top]), 1e12 * min(cost, Inf))
  cost[top] <- pmax(cost[top], most)
  cost
}

# What a user's function is told of cells: their counts, or totals with the numbers of contributors.
costed_cells <- function(measure, at) {
  if (!measure$rule$given) {
    return(measure$cells[at, ])
  }
  columns <- c(unclass(measure$cells)[names(measure$table$dimnames)],
               measure$shown[c("total", "count")])
  list2data_frame(lapply(columns, function(column) column[at]), length(at))
}

# Costs become whole numbers whose sum the search can hold.
check_cost_range <- function(cost) {
  if (length(cost) == 0 || max(cost) <= 1e12 * min(cost)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "The largest cost of a cell may be at most 10^12 times the smallest.",
    x = "It is {signif(max(cost) / min(cost), 2)} times the smallest, with {.arg total_cost}.",
    i = "{.arg published} names cells that must stay published."
  ))
}

check_cost_name <- function(cost, names = cost_names) {
  if (is.character(cost) && length(cost) == 1 && cost %in% names) {
    return(cost)
  }
  abort_sdc("input", c(
    "{.arg cost} must be one of {.or {.val {names}}}, a function, or a data frame.",
    x = if (is.character(cost) && length(cost) == 1) "{.arg cost} is {.val {cost}}." else
      "{.arg cost} is {.obj_type_friendly {cost}}."
  ))
}

# `cells`: the published cells and totals that are not zero, with `freq`.
asked_costs <- function(cost, cells) {
  rownames(cells) <- NULL
  found <- cost(cells)
  if (is.numeric(found) && length(found) == nrow(cells) && all(is.finite(found)) &&
        all(found > 0)) {
    return(as.double(found))
  }
  abort_sdc("input", c(
    "The function {.arg cost} must return a finite number above 0 for each row that it is given.",
    x = if (!is.numeric(found)) {
      "It returned {.obj_type_friendly {found}}."
    } else if (length(found) != nrow(cells)) {
      "It returned {length(found)} number{?s} for {nrow(cells)} row{?s}."
    } else {
      "Another value stands at place {which(!is.finite(found) | found <= 0)[1]}."
    }
  ))
}

# A cell without a row costs 1.
listed_costs <- function(cost, measure) {
  column <- cost[["cost"]]
  if (!is.numeric(column)) {
    abort_sdc("input", c(
      "A data frame as {.arg cost} must have a column {.field cost} of numbers.",
      x = if (is.null(column)) "It has no such column." else
        "Its column {.field cost} is {.obj_type_friendly {column}}."
    ))
  }
  bad <- which(!is.finite(column) | column <= 0)[1]
  if (!is.na(bad)) {
    abort_sdc("input", c(
      "Costs must be finite numbers above 0.",
      x = "Row {bad} of {.arg cost} has another value.",
      i = "{.arg published} names cells that must stay published."
    ))
  }
  row <- pattern_rows(cost, measure$table, measure$cells, "cost")
  replace(rep(1, nrow(measure$cells)), row[!is.na(row)], as.double(column)[!is.na(row)])
}

# ---- cells that stay published ------------------------------------------------------------------

# Which rows a user wants to see: an array of flags, or a frame that names cells and totals.
kept_rows <- function(published, measure) {
  out <- logical(nrow(measure$cells))
  if (is.null(published)) {
    return(out)
  }
  x <- measure$table
  if (is.data.frame(published)) {
    at <- pattern_rows(published, x, measure$cells, "published")
    said <- published[["published"]]
    if (!is.null(said)) at <- at[check_stay_flags(said)]
  } else {
    check_flags(published, x, "published")
    at <- flagged_rows(published, x, measure$cells)
  }
  # zeros without a row are published in any case
  out[at[!is.na(at)]] <- TRUE
  check_kept(out, measure)
}

check_kept <- function(kept, measure) {
  both <- sum(kept & measure$primary)
  if (both > 0) {
    abort_sdc("input", c(
      "No cell of {.arg published} may be primary.",
      x = "{both} of its cells {cli::qty(both)}{?is/are} withheld by the rule.",
      i = if (measure$rule$given) {
      "Leave {cli::qty(both)}{?it/them} out of {.arg published}."
    } else {
      "Leave {cli::qty(both)}{?it/them} out of {.arg published}, or lower {.arg maxN}."
    }
    ))
  }
  kept
}

# A frame may say of each of its rows whether the cell must stay.
check_stay_flags <- function(said) {
  if (is.logical(said) && !anyNA(said)) {
    return(said)
  }
  abort_sdc("input", c(
    "The column {.field published} of {.arg published} must be `TRUE` or `FALSE` in each row.",
    x = if (is.logical(said)) "Row {which(is.na(said))[1]} is NA." else
      "The column is {.obj_type_friendly {said}}."
  ))
}
