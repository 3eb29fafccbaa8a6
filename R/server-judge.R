# How a request is decided. A judgement knows the state of the store and nothing else that changes;
# it says nothing to anybody (see store.R).

judge_request <- function(server, set, if_refused) {
  force(set)
  function(state) {
    follow_state(server, state)
    decision <- decide(server, set, state)
    if (decision$outcome == "refused" && if_refused == "projected") {
      parts <- released_parts(server, set)
      if (length(parts) > 0) {
        decision$outcome <- "projected"
        decision$parts <- encode_masks(parts, length(server$variables))
      }
    }
    decision
  }
}

decide <- function(server, set, state) {
  known <- decide_at_sight(server, set)
  if (!is.null(known)) {
    return(known)
  }
  if (server$policy$rule == "value") {
    return(list(outcome = "deferred"))
  }
  decide_by_risk(server, set, state)
}

# What anybody could work out; NULL when there is something to judge.
decide_at_sight <- function(server, set) {
  if (is_released(server, set)) {
    return(list(outcome = "already", table_hash = table_fingerprint(public_table(server, set))))
  }
  if (!is.null(structural_reason(server, set))) {
    return(refusal("structural"))
  }
}

# Have so many sub-tables been refused for risk that nothing is judged any more?
is_spent <- function(server, state) length(state$refused) >= server$policy$max_risk_refusals

decide_by_risk <- function(server, set, state) {
  policy <- server$policy
  if (is_spent(server, state)) {
    return(refusal("structural", "refusals are spent"))
  }
  depends <- if (is.finite(policy$max_risk_refusals)) "ledger" else "releases"
  if (holds_any(set, server$refused)) {
    return(refusal("risk", implied_reason, depends))
  }
  found <- judge_set(server, set)
  if (found$verdict == "refuted") {
    return(refusal("risk", refuted_reason, depends))
  }
  if (found$verdict == "undecided" && policy$undecided == "refuse") {
    return(refusal("risk", undecided_reason(server, found$how), depends))
  }
  if (policy$rule == "guarded" && closes_too_much(server, set)) {
    return(refusal("risk", guarded_reason, depends))
  }
  list(
    outcome = "released", reason_private = paste0(found$verdict, ": ", found$how),
    table_hash = table_fingerprint(public_table(server, set)),
    certificate = found$certificate, depends = depends
  )
}

refusal <- function(public, private = NULL, depends = "releases") {
  list(outcome = "refused", reason_public = public, reason_private = private, depends = depends)
}

# ---- risk ---------------------------------------------------------------------------------------

# list(verdict = "certified", "refuted" or "undecided", how, certificate) for the release with one
# more sub-table.
judge_set <- function(server, set) {
  problem <- server$problem
  if (inherits(problem$risk, "sdc_risk_n")) {
    safe <- is_safe_alone(problem, set)
    return(list(verdict = if (safe) "certified" else "refuted", how = "its own cells"))
  }
  plan <- plan_in_force(server)
  if (fits_plan(plan, list(set))) {
    return(list(verdict = "certified", how = plan$kind, certificate = plan$hash))
  }
  # what is released undecided ends the use of the plan anyway: there others are looked at closely
  keeps_plan <- !is.null(plan) && server$policy$undecided == "refuse"
  judge_addition_now(server, set, server$frontier, certify = !keeps_plan)
}

judge_addition_now <- function(server, set, frontier, certify,
                               seconds = server$policy$time_limit_s) {
  problem <- server$problem
  x <- problem$x
  limits <- width_limits(list(seconds = seconds, max_cells = max_exact_cells))
  found <- with_core(cpp_judge_addition(
    problem$dim, x$keys, x$counts, problem$at_risk, frontier, set, problem$risk$beta, certify,
    limits, slot_left(server), NULL
  ))
  if (found$verdict == "certified") {
    found$certificate <- list(kind = "width", body = canonical_json(list(
      beta = problem$risk$beta, how = found$how,
      frontier = as.list(encode_masks(c(frontier, list(set)), length(server$variables)))
    )))
  }
  found
}

# Components with more cells are not solved in whole numbers.
max_exact_cells <- 20000

# Would a release close too much, as far as time allows to see? Without time it counts as if.
closes_too_much <- function(server, set) {
  policy <- server$policy
  seconds <- guarded_limits * policy$time_limit_s
  found <- newly_closed(server, set, policy$max_closed + 1, seconds)
  length(found$sets) > policy$max_closed || found$stopped
}

# Seconds that this process has worked: what else the machine does decides nothing.
worked_s <- function() sum(proc.time()[c("user.self", "sys.self")])

# The eligible sub-tables that a release would make certainly unreleasable: up to `most` of them, as
# far as they are found in the time.
newly_closed <- function(server, set, most = Inf, seconds = Inf) {
  begin <- worked_s()
  after <- maximal_sets(c(server$frontier, list(set)))
  found <- list()
  for (other in touched_candidates(server, set)) {
    if (length(found) >= most) break
    left <- function() max(0, seconds - (worked_s() - begin))
    each <- function() min(left(), server$policy$time_limit_s)
    closed <- is_refuted(server, other, after, each()) &&
      !is_refuted(server, other, server$frontier, each())
    # the last answer may have been for want of time
    if (left() == 0 || slot_left(server) == 0) {
      return(list(sets = found, stopped = TRUE))
    }
    if (closed) found <- c(found, list(other))
  }
  list(sets = found, stopped = FALSE)
}

# Candidates of which more can be known with `set`. In large tables that is known from tables with
# one variable more, so that all but one variable must be in `set`.
touched_candidates <- function(server, set) {
  candidates <- one_step_candidates(server)
  apart <- vapply(candidates, function(s) sum(!s %in% set), 1)
  near <- if (is_small(server)) apart > 0 else apart == 1
  Filter(function(s) !holds_any(s, server$refused), candidates[near])
}

is_refuted <- function(server, set, frontier, seconds) {
  if (inherits(server$problem$risk, "sdc_risk_n")) {
    return(FALSE)
  }
  judge_addition_now(server, set, frontier, certify = is_small(server),
                     seconds = seconds)$verdict == "refuted"
}

is_small <- function(server) prod(server$dim) <= max_exact_cells
