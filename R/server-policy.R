# The policy of a table server, by which rules requests are decided: it is public, and fixed with
# the first row of the store. And how a request is decided by it.

#' The policy of a table server
#'
#' What a table server releases, and what it refuses. The policy is part of the store's first row: a
#' store that was begun with one is not opened with another. It is shown to everybody who asks.
#'
#' # Rules
#' * `"one_step"`: only sub-tables with one variable more than a released one are eligible (the
#'   report's prototype). Released from the start are the one-way tables. With `step = "frontier"`
#'   the smaller one must be a maximal released sub-table: the stricter reading of the report.
#' * `"myopic"`: any sub-table that is not too risky.
#' * `"guarded"`: as `"one_step"`, and a sub-table is refused when its release would make more than
#'   `max_closed` of the then eligible sub-tables certainly unreleasable, or when that cannot be
#'   seen in ten times `time_limit_s`. It may be asked for again. In tables of more than 25
#'   variables, those that are one step from a maximal released sub-table are counted.
#' * `"value"`: as `"one_step"`, but requests are collected as votes, and [decide_votes()] decides
#'   the sub-tables that most users asked for first.
#' * `"envelope"`: any sub-table inside of the envelope, and nothing else. **Recommended**, with an
#'   envelope that [plan_server()] chooses or checks before the server starts.
#'
#' Where the server offers levels of variables, one more is a variable at its coarsest level, or the
#' next finer level of one; `max_dimension` counts variables.
#'
#' # Undecided requests
#' A request is *certified* when tables consistent with everything released prove that every
#' at-risk interval is wide enough, *refuted* when bounds prove that some cell would be too narrow,
#' and *undecided* when neither is known in `time_limit_s`. Undecided requests are refused, unless
#' `undecided` is `"release"`: the report's own, optimistic, reading, which has made unsafe releases
#' (see [width()]).
#'
#' A request that was refused undecided may be asked again when there is more to prove with: under a
#' longer `time_limit_s` (the store may be opened with another limit at any time), with another
#' plan, or when the machine was too busy the first time. Otherwise it is refused again at once.
#' Both answers stay in the ledger. That is as safe as any release: what is released then is
#' certified together with all that is out by then, and the first refusal is known to have been for
#' want of a proof, which tells nothing about counts; [audit()] with `policy_aware = TRUE` reckons
#' so. What was proved to be too risky stays refused for good.
#'
#' # What refusals tell
#' A refusal for risk depends on the counts, so it tells something to whoever knows the policy: in
#' small tables two refusals can make small cells exact. Judging by the width of the cells at risk
#' cannot be done without telling (see the vignette `table-server`). What the policy can do:
#' * `rule = "envelope"`: the envelope is fixed and published before the first request, so that
#'   every answer is predictable. What its announcement tells depends on how it was found.
#'   [plan_server()] announces it for all tables with the same one-way tables at once, where they
#'   can be listed; then knowing how tells nothing beyond the promise. An envelope that was found
#'   from the counts in another way is one message that may tell more. One that was named without
#'   looking at the counts tells that it was accepted: that the original is a table for which it is
#'   safe. That, too, can narrow cells at risk; [audit()] computes it for small tables.
#' * `max_risk_refusals`: after so many nothing is judged any more.
#' * One reason, `"risk"`, for all refusals that are not structural.
#'
#' @param risk ([risk_width()] or [risk_n()]) When a set of sub-tables is too risky.
#' @param rule (string) See Rules.
#' @param ... Must be empty.
#' @param step (string) Eligible is what has one variable more than `"any"` released sub-table, or
#'   than a maximal one (`"frontier"`).
#' @param undecided (string) `"refuse"` or `"release"` what is neither certified nor refuted in
#'   time.
#' @param envelope (`NULL`, [sdc_release], or sub-tables as in [width()]) Nothing outside of it is
#'   ever released. It is checked once, when the server starts, and published. For a server that
#'   offers levels: a release of [level_table()], or labels such as `"age@decade:sex"`. `NULL` with
#'   `rule = "envelope"`: [plan_server()] chooses it.
#' @param origin (string) How the envelope was found: `"data_dependent"`, or `"data_free"` when it
#'   was named without looking at counts. Published with it.
#' @param max_closed (whole number) For `rule = "guarded"`.
#' @param max_risk_refusals (whole number, or `Inf`) How many different sub-tables are refused for
#'   risk, before all further requests are refused unjudged.
#' @param max_dimension (whole number, or `NULL`) The most variables of a released sub-table.
#' @param time_limit_s (number, seconds) For one judgement: time of the processor, so that a busy
#'   machine refuses hardly more than an idle one. The judge stops within a few milliseconds of it.
#' @param tick_s (number, seconds, or `NULL`) Answers over the network leave this long after the
#'   request came, whatever they say, because the time of a judgement depends on counts. It must
#'   leave room for the judgement: 1.05 times `time_limit_s` and 0.05 s for the rest, eleven times
#'   as much for the rule `"guarded"`. `NULL`: 1.5 times the limit and 0.1 s. On a machine so busy
#'   that a judgement would not end within `tick_s` by the clock on the wall, it ends undecided
#'   before.
#' @param plan (flag) For tables that are too large for exact bounds: search certificates for many
#'   sub-tables at once when the server starts, by [release_reducible()]? Requests inside of what
#'   was certified are decided at once; others are refused, since one of them could make it
#'   worthless. After [record_release()] the search is repeated with everything released. Without a
#'   plan each request is judged alone, and fewer sub-tables are released overall. Under
#'   `undecided = "release"` requests outside the plan are also judged individually, and releasing
#'   one of them ends the plan.
#' @param plan_time_s (number, seconds) For that search, as the `time_limit_s` of
#'   [release_reducible()]. Where it finds nothing in time the server starts without a plan, and
#'   certifies less.
#' @return An object of class `sdc_server_policy`.
#' @section Errors: `sdc_error_input` for arguments that do not fit each other.
#' @template ref-releases
#' @family server
#' @export
#' @examples
#' # small steps: a request may add one variable to what is released
#' steps <- server_policy(risk_width(3))
#' steps
#' explain(steps)
#' # a fixed envelope, named without looking at the counts: refusals outside of it tell nothing
#' server_policy(risk_width(3, at_risk = 1:2), rule = "envelope", envelope = c("A:B:C", "D:E"),
#'   origin = "data_free")
#' @examplesIf rlang::is_installed(c("DBI", "RSQLite"))
#' # under the first policy three variables at once are one step too many
#' server <- table_server(czech_workers, steps, progress = FALSE)
#' request_table(server, c("A", "B"))
#' request_table(server, c("D", "E", "F"))
#' close(server)
server_policy <- function(risk, rule = c("one_step", "myopic", "guarded", "value", "envelope"), ...,
                          step = c("any", "frontier"), undecided = c("refuse", "release"),
                          envelope = NULL, origin = c("data_dependent", "data_free"),
                          max_closed = 10, max_risk_refusals = Inf, max_dimension = NULL,
                          time_limit_s = 0.1, tick_s = NULL, plan = TRUE, plan_time_s = 30) {
  check_no_dots(...)
  check_release_risk(risk, c("width", "n"))
  out <- list(
    risk = risk, rule = check_choice(rule, server_rules), step = check_choice(step, server_steps),
    undecided = check_choice(undecided, c("refuse", "release")), envelope = envelope,
    origin = check_choice(origin, c("data_dependent", "data_free")), max_closed = max_closed,
    max_risk_refusals = max_risk_refusals, max_dimension = max_dimension,
    time_limit_s = time_limit_s, plan = plan, plan_time_s = plan_time_s
  )
  check_policy(out)
  out$tick_s <- checked_tick(tick_s, out)
  structure(out, class = sdc_class("sdc_server_policy"))
}

server_rules <- c("one_step", "myopic", "guarded", "value", "envelope")
server_steps <- c("any", "frontier")

check_policy <- function(x) {
  check_envelope(x$envelope)
  check_whole(x$max_closed, min = 0, max = 1e6, arg = "max_closed")
  if (!identical(x$max_risk_refusals, Inf)) {
    check_whole(x$max_risk_refusals, min = 0, max = 1e9, arg = "max_risk_refusals")
  }
  if (!is.null(x$max_dimension)) {
    check_whole(x$max_dimension, min = 1, max = 64, arg = "max_dimension")
  }
  check_number(x$time_limit_s, min = 0, max = 3600, arg = "time_limit_s")
  check_flag(x$plan, "plan")
  check_number(x$plan_time_s, min = 0, max = 86400, arg = "plan_time_s")
}

check_envelope <- function(envelope) {
  named <- is.character(envelope) || rlang::is_formula(envelope) ||
    (is.list(envelope) && !is.object(envelope))
  known <- is.null(envelope) || inherits(envelope, "sdc_release")
  if (known || (named && length(envelope) > 0 && !anyNA(envelope))) {
    return(invisible(envelope))
  }
  abort_sdc("input", c(
    "{.arg envelope} must be an {.cls sdc_release}, or sub-tables as character vectors, formulas or
     labels.",
    x = "{.arg envelope} is {.obj_type_friendly {envelope}}."
  ))
}

#' @export
format.sdc_server_policy <- function(x, ...) {
  c(
    paste0("rule: ", policy_rule_words(x)),
    paste0("risk: ", format(x$risk)),
    if (!is.null(x$max_dimension)) {
      paste0("at most ", plural(x$max_dimension, "variable"), " in a sub-table")
    },
    if (!is.null(x$envelope)) {
      paste0("envelope: ", plural(length(envelope_labels(x$envelope)), "maximal sub-table"), ", ",
             c(data_free = "named without looking at counts",
               data_dependent = "found from the counts",
               self_consistent = "chosen so that knowing how tells nothing more")[[x$origin]])
    } else if (x$rule == "envelope") {
      "envelope: to be planned"
    },
    paste0("what is undecided is ", c(refuse = "refused", release = "released")[[x$undecided]]),
    if (is.finite(x$max_risk_refusals)) {
      paste0("at most ", plural(x$max_risk_refusals, "sub-table"), " refused for risk")
    }
  )
}

policy_rule_words <- function(x) {
  step <- c(any = "one variable more than a released sub-table",
            frontier = "one variable more than a maximal released sub-table")[[x$step]]
  switch(x$rule,
    one_step = step,
    myopic = "any sub-table that is not too risky",
    guarded = paste0(step, "; refused when more than ", x$max_closed, " others would be closed"),
    value = paste0(step, "; most wanted first"),
    envelope = "any sub-table inside of the envelope"
  )
}

envelope_labels <- function(envelope) {
  if (inherits(envelope, "sdc_release")) envelope$frontier else as.list(envelope)
}

# What is hashed into the store's first row. The limits of time are left out: they may change, as
# refusals only ever become more or fewer, and releases stay certified.
# `at_risk`: the positions of the cells at risk among the stored ones.
policy_identity <- function(policy, envelope, at_risk = integer()) {
  risk <- policy$risk
  # cells named by hand tell the table's small cells: a hash stands for them, the same in whatever
  # form and order they were named
  cells <- if (!is.null(risk$cells)) chain_hash()$text(paste(sort(at_risk), collapse = " "))
  out <- list(
    rule = policy$rule, step = policy$step, undecided = policy$undecided, origin = policy$origin,
    risk = Filter(Negate(is.null), list(
      kind = risk_kind(risk), beta = risk$beta, at_risk = as.list(risk$at_risk), n = risk$n,
      cells = cells
    )),
    max_closed = policy$max_closed,
    max_risk_refusals = if (is.finite(policy$max_risk_refusals)) policy$max_risk_refusals else
      "none",
    max_dimension = policy$max_dimension %||% "none",
    envelope = if (is.null(envelope)) "none" else as.list(envelope)
  )
  c(out, if (!is.null(policy$only)) list(only = as.list(policy$only)))
}

# ---- when answers leave -------------------------------------------------------------------------

# The time of a judgement depends on counts, so that every answer of the judge
# leaves at the end of one slot: `tick_s` after its request came. That the judge is ready by then is
# enforced twice: by the limit of time of the processor, and by what is left of the slot on a clock
# that nobody can set. Both are looked at in all inner loops (core/base/deadline.hpp).

# How many limits of time the rule "guarded" takes for what a release would close.
guarded_limits <- 10

# What the judge may take for one request.
judge_limit_s <- function(policy) {
  policy$time_limit_s * (if (policy$rule == "guarded") 1 + guarded_limits else 1)
}

# The most that the judge was seen to take beyond its limit, as a share of it; and what is kept for
# the rest of an answer: token, store, anchor, JSON.
overrun_share <- 0.05
slot_rest_s <- 0.05

least_tick_s <- function(policy) (1 + overrun_share) * judge_limit_s(policy) + slot_rest_s

checked_tick <- function(tick_s, policy) {
  if (is.null(tick_s)) {
    return(1.5 * judge_limit_s(policy) + 2 * slot_rest_s)
  }
  check_number(tick_s, min = 0, max = 86400, arg = "tick_s")
  least <- least_tick_s(policy)
  if (tick_s >= least - 1e-9) {
    return(tick_s)
  }
  abort_sdc("input", c(
    "{.arg tick_s} must leave room for a judgement: {seconds_text(least)} s at least.",
    x = "It is {seconds_text(tick_s)} s, with a {.arg time_limit_s} of
         {seconds_text(policy$time_limit_s)} s.",
    i = "Answers that take longer would show by their delay why they were given."
  ))
}

# Runs `expr`, which judges, so that its judgements end in time. `clock`: seconds.
within_slot <- function(server, arrival, clock, expr) {
  until <- arrival + server$policy$tick_s - slot_rest_s
  server$left_s <- function() until - clock()
  on.exit(server$left_s <- NULL)
  expr
}

# Seconds that may pass; without end for who asks from R.
slot_left <- function(server) if (is.null(server$left_s)) Inf else max(0, server$left_s())

# ---- deciding -----------------------------------------------------------------------------------

# How a request is decided. What is said, and why, is a function of the core
# (core/server/judge.hpp): of the table, the policy, a plan and `now`, which is what was decided so
# far (server-state.R). Here its answer becomes a decision for the store. Nothing of it
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
