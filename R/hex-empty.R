# Which sensitive cells to empty: all sets where there are few, else a mixed-integer programme.

# As many sensitive cells can be tried set by set, and as many pairs can be given to a solver.
hex_all_sets <- 10
hex_most_pairs <- 2e6

empty_hexagons <- function(map, ask) {
  sensitive <- map$count < ask$threshold
  if (!any(sensitive)) {
    return(c(emptied_result(map, sensitive, ask), list(bound = 0, solver = "none needed")))
  }
  if (sum(sensitive) <= hex_all_sets) {
    best <- with_core(cpp_best_emptying(hex_cells(map), ask$threshold, ask$empty_cost))
    found <- emptied_result(map, best, ask)
    return(c(found, list(bound = emptying_cost(found, ask), solver = "all sets")))
  }
  chosen <- emptied_by_programme(map, sensitive, ask)
  # all but the largest cell can always be emptied, for there are enough counts for one
  sets <- c(chosen$sets, list(replace(sensitive, which.max(map$count), FALSE), sensitive & FALSE))
  tries <- Filter(Negate(is.null), lapply(sets, function(set) emptied_result(map, set, ask)))
  costs <- vapply(tries, emptying_cost, 0, ask)
  lost <- vapply(tries, function(try) sum(try$count == 0), 0)
  best <- tries[[order(costs, lost)[1]]]
  bound <- min(chosen$bound, emptying_cost(best, ask))
  if (bound < emptying_cost(best, ask)) {
    warn_sdc("time", c(
      "The emptying is not proven to be the best.",
      i = "{.code $gap} says how far at most it is from it; more {.arg time_limit_s} may help."
    ))
  }
  c(best, list(bound = bound, solver = chosen$solver))
}

emptying_cost <- function(found, ask) found$mu + ask$empty_cost * sum(found$count == 0)

# NULL where the set cannot be emptied.
emptied_result <- function(map, emptied, ask) {
  tryCatch(
    with_core(cpp_empty_hexagons(hex_cells(map), ask$threshold, emptied)),
    sdc_error_infeasible = function(cnd) NULL
  )
}

emptied_by_programme <- function(map, sensitive, ask) {
  solver <- hex_solver(ask)
  if (is.null(solver)) {
    return(list(sets = list(), bound = 0, solver = "none installed"))
  }
  arcs <- with_core(
    cpp_emptying_arcs(hex_cells(map), ask$threshold, ask$empty_cost, hex_most_pairs)
  )
  if (is.null(arcs)) {
    return(list(sets = list(), bound = 0, solver = "none: too many pairs"))
  }
  cells <- which(sensitive)
  programme <- emptying_programme(map, cells, arcs, ask)
  if (solver == "exact") {
    found <- solve_programme(programme, ask$seconds, solver)
    return(list(sets = Filter(Negate(is.null), list(emptied_of(found, sensitive))),
                bound = emptying_bound(found$bound, length(cells), ask), solver = solver))
  }
  # without whole numbers first: that is quick, and often whole all the same
  found <- solve_programme(relaxed_programme(programme), ask$seconds, solver)
  bound <- emptying_bound(found$bound, length(cells), ask)
  sets <- list(emptied_of(found, sensitive))
  if (!is_whole_choice(found$solution[seq_along(cells)])) {
    found <- solve_programme(programme, ask$seconds, solver)
    bound <- max(bound, emptying_bound(found$bound, length(cells), ask))
    sets <- c(list(emptied_of(found, sensitive)), sets)
  }
  list(sets = Filter(Negate(is.null), sets), bound = bound, solver = solver)
}

# The package's own search where neither solver is installed: it takes whole costs only. NULL where
# none can do it.
hex_solver <- function(ask) {
  there <- vapply(c("highs", "lpSolve"), requireNamespace, NA, quietly = TRUE)
  if (any(there)) names(there)[there][1] else if (ask$empty_cost %% 1 == 0) "exact"
}

# The cells that a solution empties, rounded where it is not whole; NULL without a solution.
emptied_of <- function(found, sensitive) {
  if (is.null(found$solution)) {
    return(NULL)
  }
  replace(sensitive & FALSE, which(sensitive), found$solution[seq_len(sum(sensitive))] < .5)
}

# The programme leaves out a constant: what emptying all costs.
emptying_bound <- function(bound, cells, ask) {
  bound <- max(0, bound + ask$empty_cost * cells)
  if (ask$empty_cost %% 1 == 0) ceiling(bound - 1e-4) else bound
}

relaxed_programme <- function(programme) {
  programme$binary <- programme$whole <- NULL
  programme
}

is_whole_choice <- function(kept) !is.null(kept) && all(abs(kept - round(kept)) < 1e-6)

# Columns: kept (0 or 1) for each sensitive cell; the amount of each arc; what each sensitive cell
# gives to its nearest safe cell. An arc into a sensitive cell is used only if that is kept: said
# for each giver that is sensitive itself, which makes the relaxation strong. The amounts are whole
# in a best solution for given zeros and ones (a transportation problem). Solvers are told so: then
# a costly arc is either not used or costs a whole unit, which rules most arcs out early (a tenth of
# the time of highs, measured), and the mixed programmes of lpSolve cannot be trusted.
emptying_programme <- function(map, cells, arcs, ask) {
  k <- length(cells)
  m <- length(arcs$from)
  at <- match(seq_along(map$q), cells)
  count <- map$count[cells]
  spare <- map$count - ask$threshold
  has_haven <- arcs$haven[cells] > 0
  from <- at[arcs$from]
  to <- at[arcs$to]
  internal <- which(!is.na(from))
  giver <- which(is.na(from))
  donors <- unique(arcs$from[giver])
  need <- ask$threshold - count
  asked <- vapply(split(need[to[giver]], arcs$from[giver]), sum, 0)
  tight <- as.numeric(names(asked))[asked > spare[as.numeric(names(asked))]]
  capacity <- match(arcs$from, tight)
  limited <- which(is.na(from) & !is.na(capacity))
  arc <- k + seq_len(m)
  haven <- k + m + seq_len(k)
  n_internal <- length(internal)
  entries <- rbind(
    # 1, ..., k: what a cell has it gives, unless it is kept
    cbind(from[internal], arc[internal], rep(1, n_internal)),
    cbind(seq_len(k), haven, 1), cbind(seq_len(k), seq_len(k), count),
    # k + 1, ..., 2k: a kept cell gets what it needs
    cbind(k + to, arc, rep(1, m)), cbind(k + seq_len(k), seq_len(k), -need),
    # no gift to an emptied cell
    cbind(2 * k + seq_len(n_internal), arc[internal], rep(1, n_internal)),
    cbind(2 * k + seq_len(n_internal), to[internal], -count[from[internal]]),
    # nobody gives more than is above the threshold
    cbind(2 * k + n_internal + capacity[limited], arc[limited], rep(1, length(limited)))
  )
  entries <- entries[order(entries[, 1], entries[, 2]), , drop = FALSE]
  list(
    objective = c(rep(-ask$empty_cost, k), arcs$distance, arcs$way[cells]),
    entries = unname(entries),
    direction = c(rep("=", k), rep(">=", k), rep("<=", n_internal + length(tight))),
    rhs = c(count, numeric(k + n_internal), spare[tight]),
    binary = seq_len(k), whole = c(arc, haven),
    upper = c(
      rep(1, k), ifelse(is.na(from), pmin(spare[arcs$from], need[to]), count[from]),
      ifelse(has_haven, count, 0)
    )
  )
}
