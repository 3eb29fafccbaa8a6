# The least change of published totals that protects true contributors, by linear programming.
#
# A condition is a sum of cells, its true total T, and where T' may lie: at least `up` or from `low`
# to `down` for a sensitive one, at least `floor` for the others. Columns of the programme: how far
# a cell rises and falls beyond what is drawn for it.

least_change <- function(x, rules, p, directions, spread, totals, keep, limit, secret, seconds) {
  problem <- change_problem(x, rules, p, totals, keep, limit)
  end <- work_seconds() + seconds
  for (attempt in 1:8) {
    drawn <- draw_ends(problem, directions, spread, secret, attempt)
    found <- solve_change(problem, drawn, end)
    if (!is.null(found)) break
  }
  if (is.null(found) && directions == "random" && requireNamespace("highs", quietly = TRUE)) {
    drawn <- draw_ends(problem, "free", spread, secret, 9)
    found <- solve_change(problem, drawn, end)
  }
  if (is.null(found)) abort_no_change(directions)
  totals <- problem$cells$total + found
  list(contributors = NULL, totals = totals, moves = no_moves(), settled = TRUE)
}

abort_no_change <- function(directions) {
  abort_sdc("infeasible", c(
    "There must be a table that keeps what shall stay and protects all sensitive cells.",
    x = "None was found.",
    i = "Allow more change ({.arg max_change}, {.arg spread}), keep fewer margins, or leave the
         totals out.",
    i = if (directions == "up") "With other {.arg directions} there may be one."
  ))
}

# Rules for protected ends: with a p percent rule in any case.
ends_rules <- function(rules, p) {
  if (any(rules$kind == "p_percent")) rules else c(rules, rule_p_percent(p))
}

# `cells` and `sums`: conditions on cells, and on sums of more than one cell. `kept`: for each total
# that stays, its cells.
change_problem <- function(x, rules, p, totals, keep, limit) {
  leaf <- conditions_of(x, x, rules, p)
  problem <- list(
    cells = leaf, sums = NULL, members = list(), limit = limit, total = sum(x$value),
    kept = kept_parts(x, keep)
  )
  if (totals) problem <- add_sums(problem, x, rules, p)
  check_kept_sums(problem, x, rules)
  problem
}

conditions_of <- function(held, x, rules, p) {
  judged <- apply_rules(held, ends_rules(rules, p), p)
  fired <- judged$fired[, seq_along(rules$kind), drop = FALSE]
  data.frame(
    total = judged$total, sensitive = rowSums(fired) > 0,
    up = judged$up, down = judged$down, low = judged$low, floor = pmin(judged$up, judged$total)
  )
}

# Sums of a single cell say nothing new, and a sensitive sum is not listed twice.
add_sums <- function(problem, x, rules, p) {
  families <- Filter(function(f) !is_leaf_family(f), total_families(x))
  check_entries(length(families) * length(x$cell), 5e7, "entries")
  for (family in families) {
    held <- family_contributors(x, family)
    found <- conditions_of(held, x, rules, p)
    part <- family_part(x, family)
    members <- unname(split(seq_along(part), factor(part, held$cell)))
    many <- lengths(members) > 1
    problem$sums <- rbind(problem$sums, found[many, ])
    problem$members <- c(problem$members, members[many])
  }
  again <- duplicated(problem$members)
  problem$sums <- problem$sums[!again, ]
  problem$members <- problem$members[!again]
  problem
}

# A total that stays cannot be protected by change.
check_kept_sums <- function(problem, x, rules) {
  kept <- lapply(problem$kept, sort)
  sensitive <- c(problem$members[problem$sums$sensitive], as.list(which(problem$cells$sensitive)))
  bad <- sum(sensitive %in% kept)
  if (bad == 0) {
    return(invisible(problem))
  }
  abort_sdc("infeasible", c(
    "The grand total and the totals of {.arg keep_margins} must not be sensitive: they stay.",
    x = "{bad} of them {cli::qty(bad)}{?is/are}.",
    i = "Keep fewer margins, or merge categories."
  ))
}

kept_margins <- function(x, keep_margins) {
  if (is.null(keep_margins)) {
    return(list(character()))
  }
  if (!is.list(keep_margins)) {
    abort_sdc("input", c(
      "{.arg keep_margins} must be a list with the variables of each margin, or NULL.",
      x = "{.arg keep_margins} is {.obj_type_friendly {keep_margins}}."
    ))
  }
  sets <- lapply(seq_along(keep_margins), function(i) {
    sort(margin_variables(x, keep_margins[[i]], paste0("keep_margins[[", i, "]]")))
  })
  unique(c(list(character()), lapply(sets, function(at) names(x$dimnames)[at])))
}

# The families of sums that stay.
kept_families <- function(x) {
  original <- x$original
  lapply(kept_margins(original, x$keep_margins), margin_family, x = original)
}

margin_family <- function(set, x) {
  family <- leaf_family(x)
  for (v in setdiff(names(family), set)) {
    family[[v]]$group[] <- 1L
    family[[v]]$depth <- 0
    family[[v]]$names <- x$total_label
  }
  family
}

kept_parts <- function(x, keep) {
  unique(unlist(lapply(keep, function(set) {
    part <- family_part(x, margin_family(set, x))
    unname(split(seq_along(part), part))
  }), recursive = FALSE))
}

change_limit <- function(max_change, x) {
  if (is.null(max_change)) {
    return(Inf)
  }
  check_number(max_change, min = 0)
  per_unit <- if (is.na(x$per_unit)) max_change / x$unit else max_change * x$per_unit
  floor(per_unit * (1 + 4e-15))
}

# ---- what is drawn ----------------------------------------------------------------------------

# For each sensitive condition `way` (1 up, -1 down, NA free) and by how much to rise or fall.
draw_ends <- function(problem, directions, spread, secret, attempt) {
  conditions <- rbind(problem$cells, problem$sums)
  limit <- rep(c(problem$limit, Inf), c(nrow(problem$cells), NROW(problem$sums)))
  n <- nrow(conditions)
  coins <- matrix(uniform_coins(c(secret, as.raw(attempt)), 3 * n), 3)
  beyond <- function(need, coin, most) {
    pmax(need, pmin(need + floor(coin * (spread * need + 1)), most))
  }
  up <- beyond(conditions$up - conditions$total, coins[2, ], limit)
  down <- beyond(conditions$total - conditions$down, coins[3, ],
                 pmin(conditions$total - conditions$low, limit))
  can_fall <- !is.na(conditions$down) & down <= limit
  can_rise <- up <= limit
  way <- switch(
    directions, up = rep(1, n), free = rep(NA_real_, n), random = ifelse(coins[1, ] < .5, 1, -1)
  )
  way[!can_fall] <- 1
  if (directions != "up") way[can_fall & !can_rise] <- -1
  way[!conditions$sensitive] <- 0
  list(way = way, up = up, down = down)
}

# Numbers from 0 to 1 of 48 bits each.
uniform_coins <- function(secret, n) {
  bytes <- matrix(as.integer(coin_bytes(secret, n)), 8)
  colSums(bytes[1:6, , drop = FALSE] * 256^-(1:6))
}

# ---- the programme ----------------------------------------------------------------------------

# The change of each cell, or NULL when the programme has no solution.
solve_change <- function(problem, drawn, end) {
  n <- nrow(problem$cells)
  of_cells <- lapply(drawn, `[`, seq_len(n))
  base <- ifelse(of_cells$way %in% 1, of_cells$up, ifelse(of_cells$way %in% -1, -of_cells$down, 0))
  columns <- change_columns(problem, of_cells, base)
  if (any(columns$upper < 0)) {
    return(NULL)
  }
  programme <- change_programme(problem, drawn, base, columns)
  whole <- solve_in_whole_units(programme, problem$total, end)
  if (is.null(whole)) {
    return(NULL)
  }
  moved <- seq_along(columns$cell)
  change <- base
  steps <- rowsum(whole[moved] * columns$sign, columns$cell)
  change[as.integer(rownames(steps))] <- change[as.integer(rownames(steps))] + steps
  check_change(problem, change)
  change
}

# A column for each way in which a cell may go on: the cell, the sign, and how far.
change_columns <- function(problem, drawn, base) {
  cells <- problem$cells
  least <- ifelse(is.na(drawn$way), 0, ifelse(drawn$way == 0, cells$floor, cells$low))
  can_fall <- cells$total + base - least
  rises <- which(is.na(drawn$way) | drawn$way >= 0)
  falls <- which((is.na(drawn$way) | drawn$way <= 0) & can_fall != 0)
  list(
    cell = c(rises, falls), sign = rep(c(1, -1), c(length(rises), length(falls))),
    upper = c(rep(problem$limit, length(rises)) - base[rises],
              pmin(can_fall, problem$limit + base)[falls])
  )
}

change_programme <- function(problem, drawn, base, columns) {
  n <- nrow(problem$cells)
  conditions <- rbind(problem$cells, problem$sums)
  members <- c(as.list(seq_len(n)), problem$members)
  free <- which(is.na(drawn$way))
  far <- 2 * problem$total
  binary <- length(columns$cell) + seq_along(free)
  change_floor <- conditions$floor - conditions$total
  change_low <- conditions$low - conditions$total
  at <- n + seq_along(problem$members)
  open <- which(is.na(drawn$way))
  rows <- list(
    rows_of(problem$kept, rep("=", length(problem$kept)), 0, base),
    rows_of(members[at[drawn$way[at] %in% 0]], ">=", change_floor[at[drawn$way[at] %in% 0]], base),
    rows_of(members[at[drawn$way[at] %in% 1]], ">=", drawn$up[at[drawn$way[at] %in% 1]], base),
    rows_of(members[at[drawn$way[at] %in% -1]], "<=", -drawn$down[at[drawn$way[at] %in% -1]], base),
    rows_of(members[at[drawn$way[at] %in% -1]], ">=", change_low[at[drawn$way[at] %in% -1]], base),
    rows_of(members[open], ">=", change_low[open], base),
    rows_of(members[open], "<=", -drawn$down[open], base)
  )
  offset <- cumsum(c(0, vapply(rows, function(r) length(r$rhs), 0)))
  cell <- unlist(lapply(rows, `[[`, "cell"))
  row <- unlist(Map(function(r, o) r$row + o, rows, offset[-length(offset)]))
  entries <- change_entries(row, cell, columns)
  if (length(free) > 0) {
    entries <- rbind(
      entries, cbind(offset[6] + seq_along(free), binary, change_low[free] - drawn$up[free]),
      cbind(offset[7] + seq_along(free), binary, -far)
    )
  }
  list(
    objective = c(rep(1, length(columns$cell)), rep(0, length(free))), entries = entries,
    direction = unlist(lapply(rows, `[[`, "direction")), rhs = unlist(lapply(rows, `[[`, "rhs")),
    binary = binary, whole = integer(), upper = c(columns$upper, rep(1, length(free)))
  )
}

# Rows on sums of changes, without what the base brings.
rows_of <- function(members, direction, rhs, base) {
  cell <- unlist(members)
  row <- rep(seq_along(members), lengths(members))
  held <- if (length(members) > 0) as.vector(rowsum(base[cell], row)) else numeric()
  list(cell = cell, row = row, direction = rep_len(direction, length(members)),
       rhs = rep_len(rhs, length(members)) - held)
}

# The columns of each row's cells: a cell has one or two.
change_entries <- function(row, cell, columns) {
  pieces <- lapply(c(1, -1), function(sign) {
    of <- which(columns$sign == sign)
    column <- of[match(cell, columns$cell[of])]
    kept <- !is.na(column)
    cbind(row[kept], column[kept], rep(sign, sum(kept)))
  })
  do.call(rbind, pieces)
}

# First the linear programme; whole numbers are asked for only when its solution is not whole.
solve_in_whole_units <- function(programme, total, end) {
  for (whole in c(FALSE, TRUE)) {
    if (whole) {
      programme$whole <- setdiff(seq_along(programme$objective), programme$binary)
      programme$upper <- pmin(programme$upper, total)
    }
    seconds <- max(1, end - work_seconds())
    found <- solve_programme(programme, seconds)
    if (found$status %in% c("infeasible", "unbounded")) {
      return(NULL)
    }
    if (is.null(found$solution)) abort_no_time()
    rounded <- round(found$solution)
    if (all(abs(found$solution - rounded) < 1e-5)) {
      return(rounded)
    }
  }
  abort_no_time()
}

abort_no_time <- function() {
  abort_sdc("too_large", c(
    "The programme must be solved in whole units within {.arg time_limit_s}.",
    x = "No such solution was found.",
    i = "Allow more time, or take a table with a larger {.arg unit}."
  ))
}

# What was asked for, in whole units: nothing is left to the solver's floating point.
check_change <- function(problem, change) {
  conditions <- rbind(problem$cells, problem$sums)
  moved <- c(change, vapply(problem$members, function(cells) sum(change[cells]), 0))
  published <- conditions$total + moved
  safe <- published >= conditions$up |
    (!is.na(conditions$down) & published <= conditions$down & published >= conditions$low)
  ok <- ifelse(conditions$sensitive, safe, published >= conditions$floor)
  kept <- vapply(problem$kept, function(cells) sum(change[cells]) == 0, NA)
  if (all(ok) && all(kept) && all(problem$cells$total + change >= 0) &&
        all(abs(change) <= problem$limit)) {
    return(invisible(change))
  }
  abort_no_time()
}
