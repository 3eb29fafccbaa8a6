# Controlled rounding by integer programming, for tables whose sums form no network, and by a
# search where that takes too long.
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
  if (is.null(found) || (found$gap > 0 && !found$interrupted)) {
    searched <- search_rounding(x, problem, distance, max(1, end - work_seconds()))
    # the one that breaks the restriction less, then the one at less distance
    kept <- !is.null(found) && (found$violation > 0 || searched$violation > 0 ||
                                  found$distance <= searched$distance)
    if (!kept) {
      return(found_by_search(searched, violation))
    }
  }
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

# The rounded table, its distance and gap; NULL when the time ends before any rounding is found. A
# flat table has all its cells in the programme, so that zeros, too, may break the restriction.
solve_table <- function(x, sets, problem, distance, violation, end) {
  if (!problem$linked) {
    sums <- released_sums(x$dimnames, sets, table_trees(x), table_total_label(x))
    problem <- rounding_problem(dense_counts(x), sums, problem$base)
  }
  found <- tryCatch({
    found <- solve_rounding(problem, distance, NULL, end)
    if (is.null(found) && violation == "error") {
      abort_sdc("infeasible", c(
        "An additive, zero-restricted rounding must exist.",
        x = "No such rounding exists for these margins and this base.",
        i = "Release fewer {.arg margins}, take another {.arg base}, or the rounding that breaks the
             restriction least: {.code violation = \"least\"}."
      ))
    }
    if (is.null(found)) {
      # cells and sums may go further, at one unit of violation for each multiple
      problem$free <- TRUE
      least <- solve_rounding(problem, "violation", NULL, end)
      found <- solve_rounding(problem, distance, least$violation, end)
    }
    found
  }, sdc_no_time = function(cnd) NULL)
  if (is.null(found)) {
    return(NULL)
  }
  counts <- problem$base * (problem$low + found$steps)
  found$rounded <- if (problem$linked) with_counts(x, counts) else
    set_layout(table_from_dense(counts, x$dimnames), x$layout)
  found
}

# Over all cells of a flat table, zeros included.
rounding_problem <- function(counts, sums, base) {
  all <- c(unclass(sums), list(list(part = rep(1L, length(counts)), n = 1)))
  offset <- cumsum(c(0, vapply(all, `[[`, 0, "n")))
  entries <- do.call(rbind, lapply(seq_along(all), function(k) {
    cell <- which(all[[k]]$part > 0)
    cbind(row = all[[k]]$part[cell] + offset[k], cell = cell)
  }))
  totals <- add_up(counts[entries[, "cell"]], entries[, "row"], offset[length(offset)])
  new_rounding_problem(base, counts, totals, entries, FALSE)
}

# Over the stored cells and the published cells that are not zero. Where all leaf cells are
# published, they are no sums. Where they are not, only published cells have a distance.
published_problem <- function(x, sets, base, most_pairs = 2e8) {
  found <- with_core(cpp_cell_sums(published_plan(x, sets), most_pairs))
  linked <- !is.null(table_crossings(x))
  codes <- stored_codes(new_table(node_labels(x), found))
  leaf <- Reduce(`&`, Map(function(code, n) code <= n, codes, unname(dim(x))))
  kept <- linked | !leaf
  row <- found$above
  cell <- rep(seq_along(x$counts), diff(found$start))
  entries <- cbind(row = cumsum(kept)[row], cell = cell)[kept[row], , drop = FALSE]
  new_rounding_problem(base, x$counts, found$counts[kept], entries, linked)
}

# `entries`: which cells are in which sums, the rows. `cost`: of going up instead of down, of cells
# and of sums. `free`: may the restriction be broken?
new_rounding_problem <- function(base, counts, totals, entries, linked) {
  low <- (counts - counts %% base) / base
  open <- which(counts %% base != 0)
  open_sums <- which(totals %% base != 0)
  below <- add_up(low[entries[, "cell"]], entries[, "row"], length(totals))
  list(
    base = base, low = low, open = open, open_sums = open_sums, entries = entries,
    n_rows = length(totals), rhs = (totals - totals %% base) / base - below,
    cost_cells = (!linked) * (base - 2 * (counts[open] %% base)),
    cost_sums = base - 2 * (totals[open_sums] %% base), linked = linked, free = FALSE
  )
}

# `steps`: of each cell, in multiples above its low one. NULL when there is no solution. The least
# violation must be proven, the least distance need not be.
solve_rounding <- function(problem, aim, violation, end) {
  programme <- rounding_programme(problem, aim, violation)
  n <- length(problem$low)
  if (length(programme$objective) == 0) {
    return(list(steps = numeric(n), violation = 0, distance = 0, gap = 0, interrupted = FALSE))
  }
  found <- with_progress("Rounding", function(tick) {
    solve_programme(programme, max(1, end - work_seconds()), "exact", tick)
  })
  if (found$status == "infeasible") {
    return(NULL)
  }
  proven <- found$status == "optimal"
  if (length(found$solution) == 0 || (aim == "violation" && !proven)) {
    if (found$interrupted) rlang::interrupt()
    rlang::signal("", "sdc_no_time")
  }
  steps <- replace(numeric(n), problem$open, found$solution[seq_along(problem$open)])
  broken <- found$solution[-programme$binary]
  if (problem$free) steps <- steps + broken[seq_len(n)] - broken[n + seq_len(n)]
  # the programme counts from where all cells and sums go down
  costs <- c(if (!problem$linked) problem$cost_cells, if (aim == "all") problem$cost_sums)
  down <- sum((problem$base - costs) / 2)
  list(steps = steps, violation = sum(broken), distance = down + found$objective,
       interrupted = found$interrupted,
       gap = if (proven) 0 else relative_gap(down + found$objective, down + found$bound))
}

# The columns, in order: `y` of open cells, `z` of open sums, and where restrictions may be broken,
# how far each cell is up and down, and each sum over and under.
rounding_programme <- function(problem, aim, violation) {
  cells <- seq_along(problem$low)
  rows <- seq_len(problem$n_rows)
  free <- problem$free
  n_open <- length(problem$open)
  n_binary <- n_open + length(problem$open_sums)
  first <- n_binary + cumsum(c(up = 0, down = length(cells), over = length(cells),
                               under = length(rows)))
  of_row <- problem$entries[, "row"]
  of_cell <- problem$entries[, "cell"]
  at <- match(of_cell, problem$open)
  entry <- function(row, column, value) cbind(row, column, rep(value, length(row)))
  entries <- rbind(
    entry(of_row[!is.na(at)], at[!is.na(at)], 1),
    entry(problem$open_sums, n_open + seq_along(problem$open_sums), -1),
    if (free) rbind(
      entry(of_row, first[["up"]] + of_cell, 1), entry(of_row, first[["down"]] + of_cell, -1),
      entry(rows, first[["over"]] + rows, -1), entry(rows, first[["under"]] + rows, 1),
      entry(length(rows) + cells, first[["down"]] + cells, 1)
    )
  )
  # where all cells and sums stay low, the sums of their differences are broken, and no column
  # breaks more in a best rounding
  broken <- rep(problem$base * c(1, aim == "all"), 2 * free * c(length(cells), length(rows)))
  columns <- n_binary + seq_along(broken)
  rhs <- c(problem$rhs, if (free) problem$low, violation)
  if (!is.null(violation)) {
    entries <- rbind(entries, entry(rep(length(rhs), length(columns)), columns, 1))
  }
  used <- sort(unique(entries[, 1]))
  entries[, 1] <- match(entries[, 1], used)
  list(
    objective = if (aim == "violation") rep(0:1, c(n_binary, length(broken))) else
      c(problem$cost_cells, (aim == "all") * problem$cost_sums, broken),
    entries = entries, rhs = rhs[used],
    direction = ifelse(used <= length(rows), "=", "<="), binary = seq_len(n_binary),
    whole = columns, upper = rep(c(1, sum(abs(problem$rhs))), c(n_binary, length(broken)))
  )
}

# Where the integer programme is too large or runs out of time: the rounded table, by how many
# multiples sums are outside of the adjacent ones, the distance and its gap.
search_rounding <- function(x, problem, distance, seconds) {
  rows <- search_rows(problem, distance)
  trials <- 1e5 + 2600 * length(problem$open)
  found <- with_progress("Rounding", function(tick) {
    with_core(cpp_search_rounding(rows, problem$cost_cells, trials, seconds, tick))
  })
  steps <- replace(numeric(length(problem$low)), problem$open, found$up)
  c(list(rounded = with_counts(x, problem$base * (problem$low + steps)),
         violation = found$violation), rounding_gap(problem, found$up, distance))
}

found_by_search <- function(found, violation) {
  if (found$violation > 0 && violation == "error") {
    abort_sdc("too_large", c(
      "The search must find an additive, zero-restricted rounding.",
      x = "It found none in its number of steps, and whether there is one is not known.",
      i = "Release fewer {.arg margins}, take another {.arg base}, or take the rounding that breaks
           the restriction little: {.code violation = \"least\"}."
    ))
  }
  warn_sdc("time", c(
    "The rounding was found by a search: that its distance is the least is not proven.",
    i = if (found$violation == 0) {
      "It is additive and zero-restricted. No such rounding is nearer by more than
       {percent(found$gap)} of its distance."
    } else {
      "It is additive, but breaks the zero restriction; {.code $violations} says where. Whether that
       could be avoided is not known."
    }
  ))
  list(rounded = found$rounded, solver = "search", gap = found$gap)
}

# The sums over open cells as the core takes them. Sums without open cells add up by themselves.
search_rows <- function(problem, distance) {
  cell <- match(problem$entries[, "cell"], problem$open)
  entries <- problem$entries[!is.na(cell), "row"]
  sorted <- order(entries)
  room <- seq_len(problem$n_rows) %in% problem$open_sums
  cost <- numeric(problem$n_rows)
  if (distance == "all") cost[problem$open_sums] <- problem$cost_sums
  size <- tabulate(entries, problem$n_rows)
  used <- size > 0
  list(start = cumsum(c(0, size[used])), cell = cell[!is.na(cell)][sorted],
       target = problem$rhs[used], room = as.integer(room[used]), cost = cost[used])
}

# The distance, and by what share it could be less: every open cell (and sum) moves at least to its
# nearer multiple. `cost` is what going up costs more than going down, which costs the residue.
rounding_gap <- function(problem, up, distance) {
  cost <- if (problem$linked) numeric() else problem$cost_cells
  up <- as.numeric(up)
  raised <- up[seq_along(cost)]
  if (distance == "all") {
    held <- problem$entries[, "cell"] %in% problem$open[up == 1]
    held <- tabulate(problem$entries[held, "row"], problem$n_rows)
    cost <- c(cost, problem$cost_sums)
    raised <- c(raised, (held - problem$rhs)[problem$open_sums])
  }
  distance_of <- function(up) sum((problem$base - cost) / 2 + cost * up)
  reached <- distance_of(raised)
  list(distance = reached, gap = relative_gap(reached, distance_of(cost < 0)))
}
