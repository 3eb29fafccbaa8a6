# Controlled rounding by integer programming, for tables whose sums form no network.
#
# A cell is (low + y) multiples of the base, y 0 or 1, and 0 where the cell is a multiple; a sum
# likewise with z. What sums to each sum: for each, sum of y - z = low of the sum - sum of the lows.

# `rounded`, the table; `solver`; `gap`: by what share at most the distance could be less.
round_by_programme <- function(x, sets, base, distance, violation, seconds) {
  problem <- published_problem(x, sets, base)
  end <- work_seconds() + seconds
  small <- length(problem$open) + length(problem$open_sums) <= most_programme_columns
  found <- if (small) solve_table(x, sets, problem, distance, violation, end)
  if (is.null(found)) {
    left <- max(1, end - work_seconds())
    return(round_by_search(x, problem, distance, violation, left))
  }
  list(rounded = found, solver = "integer programme", gap = 0)
}

# Larger programmes are searched: they are not solved in any reasonable time.
most_programme_columns <- 1000

# The rounded table. A flat table has all its cells in the programme, so that zeros, too, may break
# the restriction.
solve_table <- function(x, sets, problem, distance, violation, end) {
  if (!is.null(table_crossings(x))) {
    found <- solve_or_relax(problem, distance, violation, end)
    return(if (!is.null(found)) with_counts(x, problem$base * (problem$low + found$steps)))
  }
  sums <- released_sums(x$dimnames, sets, table_trees(x), table_total_label(x))
  problem <- rounding_problem(dense_counts(x), sums, problem$base)
  found <- solve_or_relax(problem, distance, violation, end)
  if (is.null(found)) {
    return(NULL)
  }
  counts <- problem$base * (problem$low + found$steps)
  set_layout(table_from_dense(counts, x$dimnames), x$layout)
}

# NULL when the time ends before any rounding is found, or before the best is proven.
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
# and each sum how far above and below. NULL when there is no solution.
solve_rounding <- function(problem, aim, violation, end) {
  programme <- rounding_programme(problem, aim, violation)
  if (length(programme$objective) == 0) {
    return(list(steps = numeric(length(problem$low)), violation = 0))
  }
  seconds <- max(1, ceiling(end - work_seconds()))
  there <- requireNamespace("lpSolve", quietly = TRUE)
  if (!there) programme$upper <- rounding_limits(problem)
  found <- solve_programme(programme, seconds, if (there) "lpSolve" else "exact")
  if (found$status == "infeasible") {
    return(NULL)
  }
  read <- read_rounding(problem, found$solution)
  if (found$status != "optimal" || is.null(read)) rlang::signal("", "sdc_no_time")
  read
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
       binary = seq_len(sum(n[1:2])), whole = sum(n[1:2]) + seq_len(sum(n[3:6])))
}

# Whole steps of each cell above its low multiple, if the solution is one. It is NULL where the time
# ended first.
read_rounding <- function(problem, solution) {
  if (length(solution) == 0 || max(abs(solution - round(solution))) > 1e-6) {
    return(NULL)
  }
  whole <- round(solution)
  n <- length(problem$low)
  y <- seq_along(problem$open)
  steps <- numeric(n)
  steps[problem$open] <- whole[y]
  broken <- whole[-seq_len(length(y) + length(problem$open_sums))]
  if (problem$free) steps <- steps + broken[seq_len(n)] - broken[n + seq_len(n)]
  z <- numeric(problem$n_rows)
  z[problem$open_sums] <- whole[length(y) + seq_along(problem$open_sums)]
  found <- rowsum(steps[problem$entries[, "cell"]], problem$entries[, "row"])
  sums <- numeric(problem$n_rows)
  sums[as.integer(rownames(found))] <- found
  exact <- problem$free || all(sums - z == problem$rhs)
  if (exact && all(problem$low + steps >= 0)) list(steps = steps, violation = sum(broken))
}
