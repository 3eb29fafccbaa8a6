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
queue_request <- function(ask, wish, key, before) {
  server <- ask$server
  request <- check_request(server$store, list(
    user_id = ask$user, request_id = key, mask = set_id(server, wish$set),
    form = if (wish$if_refused == "projected") "projected" else "table"
  ))
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

answer_response <- function(server, answer) {
  status <- if (answer$replayed) 200 else if (answer$outcome == "deferred") 202 else 201
  response <- json_response(view_answer(server, answer), status, c(
    if (status == 201) c(Location = paste0("/v1/requests/", answer$request_id)),
    `Cache-Control` = "no-store"
  ))
  response$ledger <- c(answer$ledger, outcome = answer$outcome)
  response
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
      found$leave_at <- slot_end(request$arrival, service$clock(), tick_s)
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
  late <- service$clock() - request$arrival > patience_s
  if (is.null(found) && late) {
    found <- problem_response(new_problem("unavailable", headers = c(`Retry-After` = "1")),
                              response$id)
  }
  if (!is.null(found)) sign_response(found, response)
}
