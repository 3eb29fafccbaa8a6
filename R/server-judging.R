# The process that judges, where others answer: it takes requests from the queue and decides them
# one after the other, several in one commit where several wait. Its decisions are in the ledger
# before they leave the queue, so that it may die at any moment: whoever follows takes the same
# requests again and repeats what was decided.

# Until a signal comes, or the process that started this one has ended. `dead`: the judge whose
# place this one takes.
run_judge <- function(server, holder = new_holder(), dead = "", ready = function() NULL) {
  cpp_watch_signals(TRUE)
  on.exit(cpp_watch_signals(FALSE))
  store <- server$store
  check_shared(store)
  lease <- new_lease(holder, lease_s(server$policy), dead)
  parent <- cpp_parent_pid()
  ready()
  while (cpp_signal_seen() == "" && cpp_parent_pid() == parent) {
    done <- tryCatch(judge_turn(server, lease), sdc_error_server = function(cnd) {
      if (identical(cnd$reason, "moved")) rlang::cnd_signal(cnd)
      Sys.sleep(0.2)
      0
    })
    if (done < most_queued) {
      Sys.sleep(if (lease$holds) judge_pause_s(server$policy) else candidate_pause_s)
    }
  }
  try(end_lease(store, lease), silent = TRUE)
  invisible(server)
}

# Answers leave at the end of their slots, so that the judge may wait for more requests: several
# take little more time than one. What a judgement needs of the slot stays.
judge_pause_s <- function(policy) {
  max(0.01, min(0.03, (policy$tick_s - least_tick_s(policy)) / 4))
}
candidate_pause_s <- 0.1

# A judge says nothing while it judges, so the lease outlasts what one judgement may take.
lease_s <- function(policy) 1.5 + judge_limit_s(policy)

new_holder <- function() paste(Sys.info()[["nodename"]], Sys.getpid(), random_hex(4), sep = "-")

# How many requests were taken from the queue.
judge_turn <- function(server, lease) {
  store <- server$store
  if (!hold_lease(store, lease) || !may_be_new(store)) {
    return(0)
  }
  waiting <- row_lists(queued_requests(store))
  n <- 0
  while (n < length(waiting) && hold_lease(store, lease) && cpp_signal_seen() == "") {
    n <- n + take_requests(server, waiting[seq(n + 1, length(waiting))])
  }
  length(waiting)
}

row_lists <- function(rows) do.call(Map, c(list(list), rows, USE.NAMES = FALSE))

# Judges the first of them, as many as one commit should hold; gives their number.
take_requests <- function(server, waiting) {
  n <- judge_together(server, waiting)
  if (n == 0) judge_queued(server, waiting[[1]])
  max(1, n)
}

# A commit waits for those that are judged until then, so that a long judgement holds up few others.
judge_together <- function(server, waiting) {
  began <- cpp_steady_s()
  rows <- append_batch(
    server$store, waiting, function(request) queued_judge(server, request),
    go_on = function(n) cpp_steady_s() - began < batch_s
  )
  for (i in which(rows$outcome == "deferred")) {
    add_vote(server$store, rows$user_id[i], rows$mask[i])
  }
  server$now <- state_with_plan(server, store_state(server$store))
  if (nrow(rows) > 0) dequeue(server$store, rows)
  nrow(rows)
}

batch_s <- 0.04

# Each judgement has a slot of its own.
queued_judge <- function(server, request) {
  judge <- judge_request(server, queued_set(server, request), queued_form(request))
  function(state) within_slot(server, cpp_steady_s(), cpp_steady_s, judge(state))
}

queued_set <- function(server, request) decode_masks(request$mask, length(server$variables))[[1]]
queued_form <- function(request) if (request$form == "projected") "projected" else "nothing"

# What cannot be decided for a fault of its own leaves the queue, so that it holds nobody up.
judge_queued <- function(server, request) {
  tryCatch(
    decide_request(server, request, cpp_steady_s(), cpp_steady_s),
    error = function(cnd) {
      passing <- inherits(cnd, "sdc_error_server") && !identical(cnd$reason, "reused")
      if (passing) rlang::cnd_signal(cnd)
    }
  )
  dequeue(server$store, request)
}

# An answer, whoever asked and wherever: `request` as append_decision() takes it.
decide_request <- function(server, request, arrival, clock) {
  set <- queued_set(server, request)
  within_slot(server, arrival, clock, {
    request_table(server, server$variables[set], user = request$user_id,
                  request_id = request$request_id, if_refused = queued_form(request))
  })
}
