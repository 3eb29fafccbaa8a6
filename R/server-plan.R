# The plan: sub-tables that are certified together before anybody asks. As long as only such ones
# are out, any of them may follow, and its decision is a look-up. It is the envelope, which is
# published, or what release_reducible() found for a table that is too large for exact bounds, which
# is not.
#
# A release by other means may not fit the plan. Then the operator's process, or the next one that
# starts, makes another, of which everything that is out is a part; the others find it in the store.
# So plans have numbers, from 0, and the last that fits is in force: with_plan() looks for it.
#
# Plans are kept in the store, so that all processes have the same. They are caches that prove
# themselves: the certificates are checked whenever one is read.

start_plan <- function(server, seed, progress) {
  if (!is.null(server$envelope)) {
    server$now <- take_plan(server$now, envelope_plan(server, progress), 1)
  }
  refresh_server(server)
  renew_plan(server, seed, progress)
}

# What proves it, where there is anything, is kept for whoever looks at the ledger later, and for
# the next start of a server whose plan was made by plan_server() (server-planned.R).
envelope_plan <- function(server, progress) {
  if (!is.null(server$asked)) {
    return(planned_envelope(server, progress))
  }
  given <- server$policy$envelope
  plan <- list(kind = "envelope", sets = server$envelope,
               certificates = if (inherits(given, "sdc_release")) given$certificates)
  plan$hash <- read_note(server$store, plan_key(0)) %||% note_plan(server, plan, 0)
  plan
}

take_plan <- function(now, plan, n_plans) {
  now$plan <- plan
  now$n_plans <- n_plans
  now$planned <- fits_plan(plan, now$frontier)
  now
}

# NULL when there is none that holds all that is out.
plan_in_force <- function(now) if (now$planned) now$plan
planned_sets <- function(now) plan_in_force(now)$sets

# Are plans made for such a server? Small tables are judged by exact bounds.
may_plan <- function(server) {
  server$policy$plan && inherits(server$problem$risk, "sdc_risk_width") && !is_small(server)
}

# With what this or another process has planned, when the plan at hand does not fit.
with_plan <- function(server, now) {
  while (!now$planned && may_plan(server) &&
           !is.null(hash <- read_note(server$store, plan_key(now$n_plans)))) {
    plan <- read_plan(server, now, hash)
    now <- if (is.null(plan)) replace(now, "n_plans", now$n_plans + 1) else
      take_plan(now, plan, now$n_plans + 1)
  }
  with_undecided(server, now)
}

# A plan with all that is out, when the one at hand does not fit. The first process that has one is
# followed by all others.
renew_plan <- function(server, seed, progress) {
  server$now <- with_plan(server, server$now)
  if (!may_plan(server) || server$now$planned) {
    return(invisible())
  }
  found <- tryCatch(
    release_reducible(server$problem$x, server$problem$risk, seed = seed, progress = progress,
                      forced = variables_of(server, server_frontier(server)),
                      time_limit_s = server$policy$plan_time_s),
    sdc_error_infeasible = function(cnd) NULL, sdc_error_too_large = function(cnd) NULL
  )
  if (!is.null(found$certificates)) {
    note_plan(server, found, server$now$n_plans)
    server$now <- with_plan(server, server$now)
  }
  invisible()
}

# NULL when it is not there, lacks something that is out, or does not prove itself.
read_plan <- function(server, now, hash) {
  kept <- read_certificate(server$store, hash)
  if (is.null(kept)) {
    return(NULL)
  }
  plan <- tryCatch(decode_plan(kept$body, server), error = function(cnd) NULL)
  if (!fits_plan(plan, now$frontier)) {
    return(NULL)
  }
  checked <- tryCatch(check_plan(server, plan), error = function(cnd) NULL)
  if (isTRUE(checked$verified)) c(list(kind = "plan", hash = hash), plan)
}

check_plan <- function(server, plan) {
  verify_release(sets_release(server$problem, plan$sets, plan$certificates), progress = FALSE)
}

# Number `n`, unless another process was first.
note_plan <- function(server, plan, n) {
  hash <- write_certificate(server$store, "plan", encode_plan(plan, server))
  claim_note(server$store, plan_key(n), hash)
}

# What a judgement starts from.
state_with_plan <- function(server, state) with_plan(server, follow_state(server, state))
