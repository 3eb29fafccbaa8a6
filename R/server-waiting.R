# How a process answers that does not judge: it puts the request into the queue, serves others, and
# looks for the decision shortly before the answer may leave. The answer is made from the row of the
# ledger alone, whoever decided it.

# How long before the end of a slot it is looked for, and again where it is not there yet: answers
# of several clients often leave together, and should be ready then; the door sends one that is
# late a whole slot later. Beside it, how old what is known of the ledger may be: most decisions are
# older, so that one question serves several answers.
# When an answer is given up, the client is told to ask again, with the same key, and then hears
# what was decided meanwhile.
look_ahead_s <- c(0.14, 0.07, 0.02)
look_age_s <- c(0.05, 0.03, 0.005)
patience_s <- 30

# A response, or one whose `pending(age)` gives it as soon as there is a decision, by what was known
# of the ledger `age` seconds ago or later. `before`: the row that answered the request before, or
# NULL.
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
  list(status = 202, pending = function(age) {
    told <- told_answer(server, request, replayed = !first, age)
    if (!is.null(told)) answer_response(server, told)
  })
}

# NULL as long as nothing is decided.
told_answer <- function(server, request, replayed, age) {
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
  wait <- function(until, run) later::later(run, max(0, until - service$clock()))
  hold <- if (request$by_door) function(until, run) run() else wait
  if (is.null(response$pending)) {
    return(hold(response$leave_at, function() send(response)))
  }
  look <- function(leave_at, k = 1) {
    if (k > length(look_ahead_s)) {
      return(look(leave_at + service$server$policy$tick_s))
    }
    wait(leave_at - look_ahead_s[k], function() {
      found <- finish_response(service, request, response, look_age_s[k])
      if (!is.null(found)) {
        found$leave_at <- leave_at
        return(hold(leave_at, function() send(found)))
      }
      look(leave_at, k + 1)
    })
  }
  look(response$leave_at)
}

# NULL: look again.
finish_response <- function(service, request, response, age) {
  found <- tryCatch(response$pending(age), error = function(cnd) {
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
