# Controlled rounding by a search, where the integer programme is too large or runs out of time.

round_by_search <- function(x, problem, distance, violation, seconds) {
  found_by_search(search_rounding(x, problem, distance, seconds), violation)
}

# The rounded table, by how many multiples sums are outside of the adjacent ones, the distance and
# its gap.
search_rounding <- function(x, problem, distance, seconds) {
  rows <- search_rows(problem, distance)
  steps <- 1e5 + 2600 * length(problem$open)
  found <- with_progress("Rounding", function(tick) {
    with_core(cpp_search_rounding(rows, problem$cost_cells, steps, seconds, tick))
  })
  steps <- numeric(length(problem$low))
  steps[problem$open] <- found$up
  c(list(rounded = with_counts(x, problem$base * (problem$low + steps)),
         violation = found$violation), rounding_gap(problem, steps, distance))
}

found_by_search <- function(found, violation) {
  if (found$violation > 0 && violation == "error") abort_none_found()
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

abort_none_found <- function() {
  abort_sdc("too_large", c(
    "The search must find an additive, zero-restricted rounding.",
    x = "It found none in its number of steps, and whether there is one is not known.",
    i = "Release fewer {.arg margins}, take another {.arg base}, or take the rounding that breaks
         the restriction little: {.code violation = \"least\"}."
  ))
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
# nearer multiple.
rounding_gap <- function(problem, steps, distance) {
  up <- steps[problem$open]
  cells <- if (problem$linked) numeric() else problem$cost_cells
  reached <- distance_of(problem$base, cells, up[seq_along(cells)])
  least <- distance_of(problem$base, cells, as.numeric(cells < 0))
  if (distance == "all") {
    held <- tabulate(problem$entries[problem$entries[, "cell"] %in% problem$open[up == 1], "row"],
                     problem$n_rows)[problem$open_sums]
    over <- held - problem$rhs[problem$open_sums]
    reached <- reached + distance_of(problem$base, problem$cost_sums, over)
    least <- least + distance_of(problem$base, problem$cost_sums, as.numeric(problem$cost_sums < 0))
  }
  list(distance = reached, gap = relative_gap(reached, least))
}

# `cost` is what going up costs more than going down, which costs the residue.
distance_of <- function(base, cost, up) sum((base - cost) / 2 + cost * up)
