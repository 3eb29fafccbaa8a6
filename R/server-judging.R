# The process that judges, where others answer: it takes requests from the queue one after the
# other. Its decisions are in the ledger before they leave the queue, so that it may die at any
# moment: whoever follows takes the same requests again and repeats what was decided.

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
      1
    })
    if (done == 0) Sys.sleep(if (lease$holds) judge_pause_s else candidate_pause_s)
  }
  try(end_lease(store, lease), silent = TRUE)
  invisible(server)
}

judge_pause_s <- 0.01
candidate_pause_s <- 0.1

# A judge says nothing while it judges, so the lease outlasts what one judgement may take.
lease_s <- function(policy) 1.5 + judge_limit_s(policy)

new_holder <- function() paste(Sys.info()[["nodename"]], Sys.getpid(), random_hex(4), sep = "-")

# How many requests were taken from the queue.
judge_turn <- function(server, lease) {
  if (!hold_lease(server$store, lease) || !may_be_new(server$store)) {
    return(0)
  }
  waiting <- queued_requests(server$store)
  for (i in seq_len(nrow(waiting))) {
    if (!hold_lease(server$store, lease) || cpp_signal_seen() != "") break
    judge_queued(server, as.list(waiting[i, ]))
  }
  nrow(waiting)
}

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
  set <- decode_masks(request$mask, length(server$variables))[[1]]
  within_slot(server, arrival, clock, {
    request_table(server, server$variables[set], user = request$user_id,
                  request_id = request$request_id,
                  if_refused = if (request$form == "projected") "projected" else "nothing")
  })
}
