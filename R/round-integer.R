# Controlled rounding by integer programming, for tables whose sums form no network.
#
# A cell is (low + y) multiples of the base, y 0 or 1, and 0 where the cell is a multiple; a sum
# likewise with z. What sums to each sum: for each, sum of y - z = low of the sum - sum of the lows.

# `rounded`, the table; `solver`; `gap`: by what share at most the distance could be less. Where the
# time ends before the least distance is proven, the search has a word, too.
round_by_programme <- function(x, sets, base, distance, violation, seconds) {
  problem <- published_problem(x, sets, base)
  end <- work_seconds() + seconds
  small <- length(problem$open) + length(problem$open_sums) <= most_programme_columns
  found <- if (small) solve_table(x, sets, problem, distance, violation, end)
  if (!is.null(found) && (found$gap == 0 || found$interrupted)) {
    return(found_by_programme(found))
  }
  searched <- search_rounding(x, problem, distance, max(1, end - work_seconds()))
  if (is_nearer(found, searched)) {
    return(found_by_programme(found))
  }
  found_by_search(searched, violation)
}

# Of two roundings the one that breaks the restriction less, then the one at less distance.
is_nearer <- function(found, searched) {
  !is.null(found) && (found$violation > 0 || searched$violation > 0 ||
                        found$distance <= searched$distance)
}

found_by_programme <- function(found) {
  if (found$gap > 0) {
    warn_sdc("time", c(
      "The time ended before the least distance was proven.",
      i = "No such rounding is nearer by more than {percent(found$gap)} of its distance."
    ))
  }
  list(rounded = found$rounded, solver = "integer programme", gap = found$gap)
}

# Larger programmes are searched: they are not solved in any reasonable time.
most_programme_columns <- 1000

# The rounded table, its distance and gap. A flat table has all its cells in the programme, so that
# zeros, too, may break the restriction.
solve_table <- function(x, sets, problem, distance, violation, end) {
  linked <- !is.null(table_crossings(x))
  if (!linked) {
    sums <- released_sums(x$dimnames, sets, table_trees(x), table_total_label(x))
    problem <- rounding_problem(dense_counts(x), sums, problem$base)
  }
  found <- solve_or_relax(problem, distance, violation, end)
  if (is.null(found)) {
    return(NULL)
  }
  counts <- problem$base * (problem$low + found$steps)
  found$rounded <- if (linked) {
    with_counts(x, counts)
  } else {
    set_layout(table_from_dense(counts, x$dimnames), x$layout)
  }
  found
}

# NULL when the time ends before any rounding is found.
solve_or_relax <- function(problem, distance, violation, end) {
  tryCatch({
    found <- solve_rounding(problem, distance, NULL, end)
    if (is.null(found) && violation == "error") abort_no_rounding()
    if (is.null(found)) {
      least <- solve_rounding(relax_restriction(problem), "violation", NULL, end)
      found <- solve_rounding(relax_restriction(problem), distance, least$violation, end)
    }
    found
  }, sdc_no_time = function(cnd) NULL)
}

abort_no_rounding <- function() {
  abort_sdc("infeasible", c(
    "An additive, zero-restricted rounding must exist.",
    x = "No such rounding exists for these margins and this base.",
    i = "Release fewer {.arg margins}, take another {.arg base}, or the rounding that breaks the
         restriction least: {.code violation = \"least\"}."
  ))
}

# Rows: a sum each. Columns: `y` of open cells, then `z` of open sums. `cost`: of cells, and of
# sums.
rounding_problem <- function(counts, sums, base) {
  everything <- list(part = rep(1L, length(counts)), n = 1)
  all <- c(unclass(sums), list(everything))
  low <- (counts - counts %% base) / base
  open <- which(counts %% base != 0)
  offset <- c(0, cumsum(vapply(all, `[[`, 0, "n")))
  n_rows <- offset[length(offset)]
  totals <- unlist(lapply(all, function(s) add_parts(counts, s)))
  below <- unlist(lapply(all, function(s) add_parts(low, s)))
  entries <- do.call(rbind, lapply(seq_along(all), function(k) {
    part <- all[[k]]$part
    cell <- which(part > 0)
    cbind(row = part[cell] + offset[k], cell = cell)
  }))
  open_sums <- which(totals %% base != 0)
  list(
    base = base, low = low, open = open, open_sums = open_sums, entries = entries, n_rows = n_rows,
    rhs = (totals - totals %% base) / base - below,
    cost_cells = base - 2 * (counts[open] %% base),
    cost_sums = base - 2 * (totals[open_sums] %% base),
    linked = FALSE, free = FALSE
  )
}

# Cells and sums may go further, at one unit of violation for each multiple.
relax_restriction <- function(problem) {
  problem$free <- TRUE
  problem
}

# The columns of the programme, in order: y, z, and where restrictions may be broken, for each cell
# and each sum how far above and below. NULL when there is no solution. The least violation must be
# proven, the least distance need not be.
solve_rounding <- function(problem, aim, violation, end) {
  programme <- rounding_programme(problem, aim, violation)
  if (length(programme$objective) == 0) {
    return(list(steps = numeric(length(problem$low)), violation = 0, distance = 0, gap = 0,
                interrupted = FALSE))
  }
  found <- with_progress("Rounding", function(tick) {
    solve_programme(programme, max(1, end - work_seconds()), "exact", tick)
  })
  if (found$status == "infeasible") {
    return(NULL)
  }
  read <- read_rounding(problem, found$solution)
  proven <- found$status == "optimal"
  if (is.null(read) || (aim == "violation" && !proven)) {
    if (found$interrupted) rlang::interrupt()
    rlang::signal("", "sdc_no_time")
  }
  down <- least_cost(problem, aim)
  c(read, list(distance = down + found$objective, interrupted = found$interrupted,
               gap = if (proven) 0 else relative_gap(down + found$objective, down + found$bound)))
}

# What it costs that all cells and sums go down: the programme counts from there.
least_cost <- function(problem, aim) {
  costs <- c(if (!problem$linked) problem$cost_cells, if (aim == "all") problem$cost_sums)
  sum((problem$base - costs) / 2)
}

# The largest values of the columns. Where all cells and sums stay at their low multiples, the sums
# of their differences are broken, and no column breaks more in a best rounding.
rounding_limits <- function(problem) {
  broken <- if (problem$free) 2 * (length(problem$low) + problem$n_rows) else 0
  rep(c(1, sum(abs(problem$rhs))), c(length(problem$open) + length(problem$open_sums), broken))
}

rounding_programme <- function(problem, aim, violation) {
  n_cells <- length(problem$low)
  n <- c(
    y = length(problem$open), z = length(problem$open_sums), up = n_cells, down = n_cells,
    over = problem$n_rows, under = problem$n_rows
  )
  if (!problem$free) n[-(1:2)] <- 0
  first <- cumsum(c(0, n))[seq_along(n)]
  names(first) <- names(n)
  at <- match(problem$entries[, "cell"], problem$open)
  kept <- !is.na(at)
  entry <- function(row, column, value) cbind(row, column, rep(value, length(row)))
  entries <- rbind(
    entry(problem$entries[kept, "row"], first[["y"]] + at[kept], 1),
    entry(problem$open_sums, first[["z"]] + seq_along(problem$open_sums), -1)
  )
  direction <- rep("=", problem$n_rows)
  rhs <- problem$rhs
  broken <- sum(n[1:2]) + seq_len(sum(n[-(1:2)]))
  if (problem$free) {
    of_cell <- problem$entries[, "cell"]
    rows <- seq_len(problem$n_rows)
    entries <- rbind(
      entries, entry(problem$entries[, "row"], first[["up"]] + of_cell, 1),
      entry(problem$entries[, "row"], first[["down"]] + of_cell, -1),
      entry(rows, first[["over"]] + rows, -1), entry(rows, first[["under"]] + rows, 1),
      entry(problem$n_rows + seq_len(n_cells), first[["down"]] + seq_len(n_cells), 1)
    )
    direction <- c(direction, rep("<=", n_cells))
    rhs <- c(rhs, problem$low)
  }
  if (!is.null(violation)) {
    entries <- rbind(entries, entry(rep(length(rhs) + 1, length(broken)), broken, 1))
    direction <- c(direction, "<=")
    rhs <- c(rhs, violation)
  }
  objective <- numeric(sum(n))
  objective[broken] <- if (aim == "violation") 1 else problem$base
  if (aim != "violation") objective[seq_along(problem$open)] <- problem$cost_cells
  if (aim == "all") objective[first[["z"]] + seq_along(problem$open_sums)] <- problem$cost_sums
  if (aim == "cells") objective[-seq_len(min(length(objective), first[["over"]]))] <- 0
  used <- sort(unique(entries[, 1]))
  entries[, 1] <- match(entries[, 1], used)
  list(objective = objective, entries = entries, direction = direction[used], rhs = rhs[used],
       binary = seq_len(sum(n[1:2])), whole = sum(n[1:2]) + seq_len(sum(n[3:6])),
       upper = rounding_limits(problem))
}

# Whole steps of each cell above its low multiple. NULL where the time ended first.
read_rounding <- function(problem, solution) {
  if (length(solution) == 0) {
    return(NULL)
  }
  n <- length(problem$low)
  steps <- numeric(n)
  steps[problem$open] <- solution[seq_along(problem$open)]
  broken <- solution[-seq_len(length(problem$open) + length(problem$open_sums))]
  if (problem$free) steps <- steps + broken[seq_len(n)] - broken[n + seq_len(n)]
  list(steps = steps, violation = sum(broken))
}
