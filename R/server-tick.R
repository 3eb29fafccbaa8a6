# When answers leave. The time of a judgement depends on counts, so that every answer of the judge
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
usual_tick_s <- function(policy) 1.5 * judge_limit_s(policy) + 2 * slot_rest_s

checked_tick <- function(tick_s, policy) {
  if (is.null(tick_s)) {
    return(usual_tick_s(policy))
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

# The end of the slot; of a later one where the rest of the answer took too long.
slot_end <- function(arrival, now, tick_s) cpp_slot_end(arrival, now, tick_s)

# Runs `expr`, which judges, so that its judgements end in time. `clock`: seconds.
within_slot <- function(server, arrival, clock, expr) {
  until <- arrival + server$policy$tick_s - slot_rest_s
  server$left_s <- function() until - clock()
  on.exit(server$left_s <- NULL)
  expr
}

# Seconds that may pass; without end for who asks from R.
slot_left <- function(server) if (is.null(server$left_s)) Inf else max(0, server$left_s())
