# Bounds from chains of margins, each of which adds to what those before it say.

# Upper: the least margin. Lower: the best chain, 0 when a variable of several levels is in none.
bound_by_chains <- function(release, asked) {
  sets <- release$sets[release$structure$frontier]
  missing <- setdiff(seq_along(release$dimnames), unlist(sets))
  chained <- all(lengths(release$dimnames)[missing] == 1)
  plan <- if (chained) cpp_plan_chains(unname(sets), max_chain_steps)
  values <- function(set) release_values(release, set, asked)
  margins <- lapply(sets, values)
  lower <- if (chained) {
    cpp_run_chains(plan, margins, lapply(plan$shared, values), asked$n)
  } else {
    numeric(asked$n)
  }
  exact <- !any(release$structure$kinds == "open") && (!chained || plan$all)
  list(
    lower = lower, upper = do.call(pmin, unname(margins)), sharp = rep(exact, asked$n),
    note = if (chained && !plan$all) "Some chains of margins only: the lower bounds may be raised."
  )
}

max_chain_steps <- 20000

# Outer bounds may be narrowed by others; only a single value is thereby sharp.
narrow_by_chains <- function(found, release, asked) {
  other <- bound_by_chains(release, asked)
  open <- !found$sharp
  found$lower[open] <- pmax(found$lower, other$lower)[open]
  found$upper[open] <- pmin(found$upper, other$upper)[open]
  found
}
