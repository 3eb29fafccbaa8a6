# How a request is decided. What is said, and why, is a function of the core
# (core/server/judge.hpp): of the table, the policy, a plan and `now`, which is what was decided so
# far (server-state.R). Here its answer becomes a decision for the store. Nothing in this file
# changes the server, and a judgement says nothing to anybody (see store.R).

# `form`: "projected" when the parts that are out are to be named.
judge_request <- function(server, set, form = "table") {
  force(set)
  function(state) {
    now <- state_with_plan(server, state)
    decision <- decide(server, now, set)
    if (decision$outcome == "refused" && form == "projected") {
      parts <- sets_of_space(server, now, "parts", set)
      if (length(parts) > 0) {
        decision$outcome <- "projected"
        decision$parts <- encode_masks(parts, server$k)
      }
    }
    decision
  }
}

# `votes`: are requests collected, as the rule "value" wants it, or decided?
decide <- function(server, now, set, votes = server$policy$rule == "value") {
  found <- ask_judge(server, now, set, votes)
  # when refusals are counted, another refusal may change a judgement as a release does
  depends <- if (is.finite(server$policy$max_risk_refusals)) "ledger" else "releases"
  switch(found$answer,
    already = list(outcome = "already", table_hash = published_hash(server, set)),
    structural = list(outcome = "refused", reason_public = "structural",
                      reason_private = if (found$reason == "spent") "refusals are spent"),
    deferred = list(outcome = "deferred"),
    refused = list(
      outcome = "refused", reason_public = "risk", depends = depends,
      reason_private = switch(found$reason,
        implied = implied_reason, refuted = refuted_reason, guarded = guarded_reason,
        undecided = undecided_reason(server, now, found$risk$how)
      )
    ),
    released = list(
      outcome = "released", reason_private = paste0(found$risk$verdict, ": ", found$risk$how),
      table_hash = published_hash(server, set),
      certificate = certificate_of(server, now, set, found$risk), depends = depends
    )
  )
}

# Have so many sub-tables been refused for risk that nothing is judged any more?
is_spent <- function(server, now) now$n_refused >= server$policy$max_risk_refusals

# ---- the core -----------------------------------------------------------------------------------

# list(answer, reason, risk): see core/server/judge.hpp.
ask_judge <- function(server, now, set, votes) {
  found <- with_core(cpp_judge(
    judge_problem(server), judge_policy(server, votes), judge_limits(server),
    server_space(server, now), planned_sets(now), set, now$n_refused
  ))
  found$risk <- named_plan(found$risk, now)
  found
}

# list(verdict, how, width), whatever may be requested.
judge_risk <- function(server, now, set) {
  found <- with_core(cpp_judge_risk(
    judge_problem(server), judge_policy(server, FALSE), judge_limits(server),
    server_space(server, now), planned_sets(now), set
  ))
  named_plan(found, now)
}

named_plan <- function(risk, now) {
  if (risk$how == "plan") risk$how <- now$plan$kind
  risk
}

# The eligible sub-tables that a release would make certainly unreleasable.
newly_closed <- function(server, now, set) {
  with_core(cpp_newly_closed(judge_problem(server), judge_limits(server),
                             server_space(server, now), set))
}

# By risk_n() all stored cells count.
judge_problem <- function(server) {
  problem <- server$problem
  x <- problem$x
  list(dim = problem$dim, keys = x$keys, counts = x$counts,
       at_risk = problem$at_risk %||% seq_along(x$counts))
}

judge_policy <- function(server, votes) {
  policy <- server$policy
  list(
    votes = votes, releases_undecided = policy$undecided == "release",
    guarded = policy$rule == "guarded", max_closed = policy$max_closed,
    guarded_seconds = guarded_limits * policy$time_limit_s,
    max_refused = policy$max_risk_refusals
  )
}

judge_limits <- function(server) {
  risk <- server$problem$risk
  style <- list(seconds = server$policy$time_limit_s, max_cells = max_exact_cells)
  c(width_limits(style), list(
    alone = inherits(risk, "sdc_risk_n"), least = risk$n %||% risk$beta,
    passing = slot_left(server), small = is_small(server)
  ))
}

# A plan's hash, or a note of what is certified by the width; NULL when nothing is.
certificate_of <- function(server, now, set, risk) {
  if (risk$verdict != "certified" || risk$how == "its own cells") {
    return(NULL)
  }
  if (identical(risk$how, now$plan$kind)) {
    return(now$plan$hash)
  }
  list(kind = "width", body = canonical_json(list(
    beta = server$problem$risk$beta, how = risk$how,
    frontier = as.list(encode_masks(c(now$frontier, list(set)), server$k))
  )))
}
