# Requests that are decided by another process than the one that answers them.

# ---- the process that judges --------------------------------------------------------------------

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
  rows <- queued_requests(store)
  waiting <- do.call(Map, c(list(list), rows, USE.NAMES = FALSE))
  n <- 0
  while (n < length(waiting) && hold_lease(store, lease) && cpp_signal_seen() == "") {
    left <- waiting[seq(n + 1, length(waiting))]
    taken <- judge_together(server, left)
    if (taken == 0) judge_queued(server, left[[1]])
    n <- n + max(1, taken)
  }
  length(waiting)
}

# Judges the first of them, as many as one commit should hold; gives their number. A commit waits
# for those that are judged until then, so that a long judgement holds up few others.
judge_together <- function(server, waiting) {
  began <- cpp_steady_s()
  rows <- append_batch(
    server$store, waiting, function(request) {
      judge <- judge_request(server, queued_set(server, request), request$form)
      # each judgement has a slot of its own
      function(state) within_slot(server, cpp_steady_s(), cpp_steady_s, judge(state))
    },
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

queued_set <- function(server, request) decode_masks(request$mask, server$k)[[1]]

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
  within_slot(server, arrival, clock, ask_store(
    server, set, request$user_id, request$request_id, request$form,
    judge_request(server, set, request$form)
  ))
}

# ---- a process that does not judge --------------------------------------------------------------

# How a process answers that does not judge: it puts the request into the queue, serves others, and
# looks for decisions now and then. An answer is made as soon as there is one, from the row of the
# ledger alone, whoever decided it, and waits for its moment: many answers of one moment are ready
# before it, however long they take to be made.

# How long between two looks, and how old what is known of the ledger may be then: one question to
# the store serves all that wait.
look_every_s <- 0.04
look_age_s <- 0.03
# Without news all are tried again after so long.
try_again_s <- 0.25
# Answers are made for so long before others are served again.
in_a_row_s <- 0.015
# When an answer is given up, the client is told to ask again, with the same key, and then hears
# what was decided meanwhile.
patience_s <- 30

# A response, or one whose `pending()` gives it as soon as there is a decision; its `key` is that of
# the row. `before`: the row that answered the request before, or NULL.
queue_request <- function(server, request, before) {
  request <- check_request(server$store, request)
  if (!is.null(before)) {
    return(answer_response(server, tell_row(server, request, before, replayed = TRUE)))
  }
  first <- enqueue(server$store, request)
  list(status = 202, key = row_key(request), pending = function() {
    told <- told_answer(server, request, replayed = !first)
    if (!is.null(told)) answer_response(server, told)
  })
}

# NULL as long as nothing is decided.
told_answer <- function(server, request, replayed, age = look_age_s) {
  refresh_reader(server, age)
  row <- known_row(server$store, request)
  if (!is.null(row)) tell_row(server, request, row, replayed)
}

# The anchor follows, as the judge may have died before.
tell_row <- function(server, request, row, replayed) {
  if (as.numeric(row$seq) > server$store$seq) refresh_server(server)
  answer <- repeat_answer(server$store, request, row)
  answer$replayed <- replayed
  new_answer(server, answer)
}

# Sends the response to `send` at its moment; a pending one at the end of the first slot that has
# it. By the door it goes as soon as it is ready.
at_its_moment <- function(service, request, response, send) {
  hold <- function(response) {
    if (request$by_door) {
      return(send(response))
    }
    later::later(function() send(response), max(0, response$leave_at - service$clock()))
  }
  if (is.null(response$pending)) {
    return(hold(response))
  }
  await_decision(service, response$key, function() {
    found <- finish_response(service, request, response)
    if (!is.null(found)) {
      tick_s <- service$server$policy$tick_s
      found$leave_at <- cpp_slot_end(request$arrival, service$clock(), tick_s)
      hold(found)
    }
    !is.null(found)
  })
}

# `answer`: gives the answer, or FALSE where there is no decision.
await_decision <- function(service, key, answer) {
  service$waiting <- c(service$waiting, list(list(key = key, answer = answer)))
  if (!service$looking) look_later(service)
}

look_later <- function(service) {
  service$looking <- length(service$waiting) > 0
  if (service$looking) later::later(function() look_for_decisions(service), look_every_s)
}

look_for_decisions <- function(service) {
  now <- service$clock()
  store <- service$server$store
  known <- tryCatch({
    refresh_reader(service$server, look_age_s)
    TRUE
  }, error = function(cnd) FALSE)
  # where the store fails, each is told so
  all <- !known || now - service$tried_at > try_again_s
  if (all) service$tried_at <- now
  ready <- all | vapply(service$waiting, function(one) !is.null(store$rows[[one$key]]), NA)
  asked <- service$waiting[ready]
  service$waiting <- service$waiting[!ready]
  answer_some(service, asked)
}

answer_some <- function(service, asked) {
  until <- service$clock() + in_a_row_s
  n <- 0
  while (n < length(asked) && service$clock() < until) {
    n <- n + 1
    if (!asked[[n]]$answer()) service$waiting <- c(service$waiting, asked[n])
  }
  left <- asked[seq_along(asked) > n]
  if (length(left) == 0) {
    return(look_later(service))
  }
  later::later(function() answer_some(service, left))
}

# NULL: look again.
finish_response <- function(service, request, response) {
  found <- tryCatch(response$pending(), error = function(cnd) {
    note_failure(service, response$id, cnd)
    problem_response(failure_problem(cnd), response$id)
  })
  if (is.null(found) && service$clock() - request$arrival > patience_s) {
    found <- problem_response(unavailable(1), response$id)
  }
  if (!is.null(found)) sign_response(found, response)
}
