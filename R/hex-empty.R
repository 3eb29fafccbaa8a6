# Which sensitive cells to empty: all sets where there are few, else a mixed-integer programme.

# As many sensitive cells can be tried set by set, and as many pairs can be given to a solver.
hex_all_sets <- 10
hex_most_pairs <- 2e6

empty_hexagons <- function(map, ask, tick = NULL) {
  sensitive <- map$count < ask$threshold
  if (!any(sensitive)) {
    return(c(emptied_result(map, sensitive, ask), list(bound = 0, solver = "none needed")))
  }
  if (sum(sensitive) <= hex_all_sets) {
    best <- with_core(cpp_best_emptying(hex_cells(map), ask$threshold, ask$empty_cost))
    found <- emptied_result(map, best, ask)
    return(c(found, list(bound = emptying_cost(found, ask), solver = "all sets")))
  }
  chosen <- emptied_by_programme(map, sensitive, ask, tick)
  # all but the largest cell can always be emptied, for there are enough counts for one
  sets <- c(chosen$sets, list(replace(sensitive, which.max(map$count), FALSE), sensitive & FALSE))
  tries <- Filter(Negate(is.null), lapply(sets, function(set) emptied_result(map, set, ask)))
  costs <- vapply(tries, emptying_cost, 0, ask)
  lost <- vapply(tries, function(try) sum(try$count == 0), 0)
  best <- tries[[order(costs, lost)[1]]]
  cost <- emptying_cost(best, ask)
  # both are sums of the same fractions, and may differ in their last digits
  bound <- if (chosen$bound > cost - 1e-9 * max(1, cost)) cost else chosen$bound
  if (bound < cost) {
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

emptied_by_programme <- function(map, sensitive, ask, tick = NULL) {
  arcs <- with_core(
    cpp_emptying_arcs(hex_cells(map), ask$threshold, ask$empty_cost, hex_most_pairs)
  )
  if (is.null(arcs)) {
    return(list(sets = list(), bound = 0, solver = "none: too many pairs"))
  }
  programme <- emptying_programme(map, which(sensitive), arcs, ask)
  helped <- requireNamespace("highs", quietly = TRUE)
  seconds <- if (helped) hex_own_share * ask$seconds else ask$seconds
  found <- solve_programme(programme, seconds, "exact", tick)
  own <- emptying_of(found, sensitive, ask)
  if (!helped || is_proven(found) || found$interrupted) {
    return(own)
  }
  theirs <- emptying_of(solve_programme(programme, ask$seconds - seconds, "highs"), sensitive, ask)
  list(sets = c(own$sets, theirs$sets), bound = max(own$bound, rounded_bound(theirs$bound, ask)),
       solver = "highs")
}

# Costs that are no fractions are rounded, and the bound with them.
is_proven <- function(found) {
  !is.null(found$solution) && found$objective - found$bound <= 1e-9 * max(1, abs(found$objective))
}

# Of the time, for the package's own search where highs can follow: what it has not proven by then
# it seldom proves, and highs may.
hex_own_share <- .2

# The bound of highs is in floating point. All costs are multiples of one fraction: the next one is
# meant, unless it is too small for that.
rounded_bound <- function(bound, ask) {
  parts <- denominator_of(ask$empty_cost)
  if (parts <= 100) ceiling(bound * parts - 1e-3) / parts else bound
}

# The programme leaves out a constant: what emptying all costs.
emptying_of <- function(found, sensitive, ask) {
  list(sets = Filter(Negate(is.null), list(emptied_of(found, sensitive))),
       bound = max(0, found$bound + ask$empty_cost * sum(sensitive)), solver = "integer programme")
}

# The cells that a solution empties; NULL without a solution.
emptied_of <- function(found, sensitive) {
  if (is.null(found$solution)) {
    return(NULL)
  }
  replace(sensitive & FALSE, which(sensitive), found$solution[seq_len(sum(sensitive))] < .5)
}

# Columns: kept (0 or 1) for each sensitive cell; the amount of each arc; what each sensitive cell
# gives to its nearest safe cell. An arc into a sensitive cell is used only if that is kept: said
# for each giver that is sensitive itself, which makes the relaxation strong. The amounts are whole
# in a best solution for given zeros and ones (a transportation problem), and are said to be so:
# then a costly arc is either not used or costs a whole unit, which rules most arcs out early.
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
