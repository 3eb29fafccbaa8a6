# The door for requests: in each process that answers beside others, a thread at an address of its
# own takes POST /v1/requests, notes when each came, hands it to R and sends R's answer at the end
# of its slot (src/core/server/door.hpp). R has only to be ready by then.
#
# R believes what the door says of an arrival by a secret that this process alone knows: whoever
# could claim an earlier arrival would see when the judge was ready.

# `at`: where the door listens; `to`: where R does.
open_door <- function(service, settings, at, to) {
  secret <- random_hex(16)
  tick_s <- service$server$policy$tick_s
  door <- listen_at_last(service, settings$host, at, function() {
    cpp_open_door(
      list(path = at$part %||% "", host = settings$host, port = at$port %||% 0),
      list(path = to$socket %||% "", host = own_host(settings$host), port = to$port %||% 0),
      secret, tick_s, 2 * (tick_s + patience_s), door_answers()
    )
  })
  service$secret <- secret
  service$door <- door
}

close_door <- function(service) {
  if (!is.null(service$door)) cpp_close_door(service$door)
  service$door <- NULL
}

# Where this machine reaches itself, if a process listens at `host`.
own_host <- function(host) switch(host, `0.0.0.0` = "127.0.0.1", `::` = "::1", host)

# Whole answers, by their status, to what R never sees or does not answer. They are made once for
# all who get them.
door_answers <- function() {
  problems <- list(
    new_problem("bad_request"), new_problem("method_not_allowed", headers = c(Allow = "POST")),
    new_problem("length_required"), new_problem("too_large"), new_problem("headers_too_large"),
    new_problem("unavailable", headers = c(`Retry-After` = "1"))
  )
  id <- random_hex(8)
  statuses <- vapply(problems, function(problem) problem_response(problem, id)$status, 0)
  stats::setNames(vapply(problems, door_answer, "", id), statuses)
}

door_answer <- function(problem, id) {
  response <- problem_response(problem, id)
  body <- rawToChar(response$body)
  headers <- c(response$headers, security_headers, `X-Request-Id` = id,
               `Content-Length` = as.character(nchar(body, "bytes")), Connection = "close")
  paste0("HTTP/1.1 ", response$status, " ", problems[[problem$kind]][[2]], "\r\n",
         paste0(names(headers), ": ", headers, "\r\n", collapse = ""), "\r\n", body)
}
