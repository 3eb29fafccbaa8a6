# The service behind a socket, on httpuv alone, and the door beside it.
#
# Everything that is not a file goes through one door to `route()`, so that no answer but ours is
# ever sent: httpuv would show the text of an error. Bodies that are too long are refused by their
# headers, before they are read, and so are upgrades to other protocols. Files
# are sent by httpuv's own threads.

start_service <- function(service, host, port, socket) {
  app <- service_app(service)
  if (is.null(socket)) {
    handle <- httpuv::startServer(host, port, app, quiet = TRUE)
    cpp_send_at_once(port)
    service$watch <- cpp_watch_connections(port)
    return(handle)
  }
  # for the owner and the group: a proxy runs as another user
  httpuv::startPipeServer(socket, strtoi("0117", 8L), app, quiet = TRUE)
}

service_app <- function(service) {
  list(
    call = function(req) if (is_page(req)) send_page(req) else respond(service, req),
    onHeaders = function(req) {
      req$headers_at <- service$clock()
      refused <- refuse_early(service, req)
      if (is.null(refused)) keep_body(service, req)
      refused
    },
    # refused by its headers already
    onWSOpen = function(socket) socket$close(),
    staticPaths = c(list(`/` = httpuv::excludeStaticPath()), page_paths(), document_paths(service))
  )
}

page_headers <- function() c(security_headers, `Cache-Control` = "no-cache")

# The files of the page, each by its name: of a folder httpuv would answer names that the system
# finds too long by itself, by 500.
page_paths <- function() {
  www <- system.file("www", package = "sdcLattice")
  files <- list.files(www, recursive = TRUE)
  paths <- lapply(file.path(www, files), httpuv::staticPath, indexhtml = FALSE, fallthrough = TRUE,
                  headers = as.list(page_headers()))
  stats::setNames(paths, paste0("/", files))
}

is_page <- function(req) {
  identical(req$PATH_INFO, "/") && isTRUE(req$REQUEST_METHOD %in% c("GET", "HEAD")) &&
    is.null(req$.bodyData)
}

send_page <- function(req) {
  page <- system.file("www", "index.html", package = "sdcLattice")
  headers <- c(page_headers(), `Content-Type` = "text/html; charset=utf-8")
  list(status = 200, headers = as.list(headers),
       body = if (req$REQUEST_METHOD == "GET") c(file = page))
}

# What httpuv sends, or a promise of it where the answer must wait for its tick: others are served
# meanwhile.
respond <- function(service, req) {
  if (isTRUE(req$body_dropped)) {
    req$.bodyData <- NULL
    return(early_answer(service, req, unavailable(1)))
  }
  request <- read_request(req, req$rook.input$read(), arrival_of(service, req))
  free_body(service, req)
  request <- read_door(service, request)
  response <- route(service, request)
  if (is.null(response$leave_at) || (request$by_door && is.null(response$pending))) {
    return(leave(service, request, response))
  }
  client <- as.integer(req$REMOTE_PORT %||% 0)
  service$clients <- c(service$clients, client)
  promises::promise(function(resolve, reject) {
    at_its_moment(service, request, response, function(response) {
      service$clients <- service$clients[-match(client, service$clients)]
      at_once(function() resolve(leave(service, request, response)))
    })
  })
}

# When a request came: where several come at once, those that R takes first are not to make the
# answer late. A client may take its time to send the body; and a judge in this very process needs
# its whole slot.
arrival_of <- function(service, req) {
  now <- service$clock()
  if (isTRUE(service$queued)) max(req$headers_at %||% now, now - most_at_once_s) else now
}

most_at_once_s <- 0.1

# The request, with what the door says of it: when it was complete, and who sent it.
read_door <- function(service, request) {
  note <- request$headers[["x-door"]]
  request$headers[["x-door"]] <- NULL
  request$by_door <- !is.null(note) && !is.null(service$secret) &&
    startsWith(note, paste0(service$secret, " "))
  if (request$by_door) {
    said <- strsplit(note, " ", fixed = TRUE)[[1]]
    request$arrival <- as.numeric(said[2])
    if (said[3] != "-") request$address <- said[3]
  }
  request
}

# In the form of httpuv. What came by the door waits there for its moment. Where no body may be sent
# it is NULL: after one of no bytes httpuv does not understand the connection's next request.
leave <- function(service, request, response) {
  if (isTRUE(request$by_door) && !is.null(response$leave_at)) {
    tick_s <- service$server$policy$tick_s
    response$leave_at <- cpp_slot_end(request$arrival, service$clock(), tick_s)
    response$headers <- c(response$headers, `X-Leave` = sprintf("%.9f", tick_s))
  }
  log_answer(service, request, response)
  headers <- as.list(response$headers)
  if (service$leaving) headers$Connection <- "close"
  bare <- request$method == "HEAD" || response$status == 304
  # a file is streamed from the disk
  file <- if (!is.null(response$file)) c(file = response$file)
  list(status = response$status, headers = headers,
       body = if (!bare) file %||% response$body %||% raw())
}

# Runs all that waits for a promise as soon as it is resolved: its steps would else queue up behind
# all requests that have come in meanwhile.
at_once <- function(resolve) {
  loop <- later::create_loop(parent = NULL)
  on.exit(later::destroy_loop(loop))
  later::with_loop(loop, {
    resolve()
    while (!later::loop_empty(loop)) later::run_now(loop = loop)
  })
}

read_request <- function(req, body, arrival) {
  headers <- req$HEADERS
  Encoding(headers) <- "UTF-8"
  # in Latin-1 all bytes are letters, so that none stops tolower()
  name <- as.character(names(headers))
  Encoding(name) <- "latin1"
  list(
    method = req$REQUEST_METHOD %||% "", path = req$PATH_INFO %||% "/",
    query = req$QUERY_STRING %||% "", headers = stats::setNames(as.list(headers), tolower(name)),
    body = body, arrival = arrival, address = req$REMOTE_ADDR
  )
}

# What can be told from the headers alone. NULL: go on.
refuse_early <- function(service, req) {
  length <- req$HTTP_CONTENT_LENGTH %||% "0"
  url_bytes <- nchar(req$PATH_INFO %||% "/", "bytes") + nchar(req$QUERY_STRING %||% "", "bytes")
  found <- if (is_too_late(service, req$REQUEST_METHOD, req$PATH_INFO)) {
    unavailable(2)
  } else if (!is.null(req$HTTP_UPGRADE)) {
    new_problem("bad_request")
  } else if (url_bytes > max_url_bytes) {
    new_problem("uri_too_long")
  } else if (!is.null(req$HTTP_TRANSFER_ENCODING)) {
    new_problem("length_required")
  } else if (!grepl("^[0-9]{1,9}$", length, useBytes = TRUE) ||
             as.numeric(length) > max_body_bytes) {
    new_problem("too_large")
  }
  if (!is.null(found)) early_answer(service, req, found)
}

# An answer to a request of which no more is read.
early_answer <- function(service, req, found) {
  id <- random_hex(8)
  response <- c(problem_response(found, id), id = id)
  log_answer(service, read_request(req, raw(), service$clock()), response)
  list(status = response$status, body = response$body,
       headers = as.list(c(response$headers, security_headers, `X-Request-Id` = id)))
}

# ---- requests that are not complete yet ---------------------------------------------------------

# httpuv puts each body into a connection of R, of which there are 128 for everything, and keeps it
# as long as the client likes. So that nobody can hold them all by requests that are never
# completed, few bodies are kept, in memory; where there are more, the address that has most loses
# its oldest.
most_bodies <- 40

# What is in the place of a body for httpuv, from the headers on.
keep_body <- function(service, req) {
  if (as.numeric(req$HTTP_CONTENT_LENGTH %||% "0") == 0) {
    return(invisible())
  }
  if (length(service$bodies) >= most_bodies) drop_body(service)
  req$.bodyData <- rawConnection(raw(), "r+b")
  service$bodies <- c(service$bodies, list(req))
}

# What else comes of that body goes nowhere.
drop_body <- function(service) {
  addresses <- vapply(service$bodies, function(req) req$REMOTE_ADDR %||% "", "")
  often <- names(which.max(table(addresses)))
  oldest <- match(often, addresses)
  req <- service$bodies[[oldest]]
  close(req$.bodyData)
  service$nowhere <- service$nowhere %||% file(nullfile(), "w+b")
  req$.bodyData <- service$nowhere
  req$body_dropped <- TRUE
  service$bodies <- service$bodies[-oldest]
}

# The connection is given back as soon as the body has been read: more answers than R has
# connections may wait for their moment.
free_body <- function(service, req) {
  if (is.null(req$.bodyData)) {
    return(invisible())
  }
  close(req$.bodyData)
  req$.bodyData <- NULL
  service$bodies <- Filter(function(other) !identical(other, req), service$bodies)
}

close_bodies <- function(service) {
  for (req in service$bodies) {
    close(req$.bodyData)
    req$.bodyData <- NULL
  }
  service$bodies <- NULL
  if (!is.null(service$nowhere)) close(service$nowhere)
  service$nowhere <- NULL
}

# httpuv waits for the rest of a request for ever. So connections of a port are looked at each
# second, and shut where a request takes too long; and where there are too many, those that have
# said nothing, or half, for some time.
request_s <- 10
held_patience_s <- 3
most_of_address <- 400
most_connections <- 800
look_at_connections_s <- 1

shut_held_connections <- function(service) {
  now <- service$clock()
  if (is.null(service$watch) || now - service$looked_at < look_at_connections_s) {
    return(invisible())
  }
  service$looked_at <- now
  rules <- list(request_s = request_s, patience_s = held_patience_s,
                most_of_address = most_of_address, most = most_connections)
  cpp_shut_connections(service$watch, now, rules, service$clients)
}

# How long a process waits for its port, and then for that of its door: both within `ready_s`.
port_s <- 25

listen <- function(service, host, port, socket) {
  tryCatch(start_service(service, host, port, socket), error = function(cnd) {
    abort_address(socket %||% paste0(host, ":", port), parent = cnd)
  })
}

# A new socket takes the name over from an old one; a port must become free, and for a moment others
# may have it. `listen` fails, or gives NULL, as long as nobody can listen there.
listen_at_last <- function(service, host, at, listen) {
  if (!is.null(at$part)) unlink(at$part)
  until <- service$clock() + if (is.null(at$socket)) port_s else 0
  repeat {
    handle <- tryCatch(listen(), error = function(cnd) cnd)
    failed <- inherits(handle, "error")
    if (!failed && !is.null(handle)) {
      take_name(at)
      return(handle)
    }
    if (service$clock() >= until || cpp_signal_seen() != "") {
      abort_address(at$socket %||% paste0(host, ":", at$port), parent = if (failed) handle)
    }
    Sys.sleep(0.01)
  }
}

take_name <- function(at) {
  if (!is.null(at$socket)) {
    file.rename(at$part, at$socket)
    at$inode(TRUE)
  }
}

abort_address <- function(where, ...) {
  abort_sdc("server", c(
    "The address must be free.",
    x = "Nobody can listen on {.val {where}}.",
    i = "Another process may do so already: choose another {.arg port}."
  ), reason = "address", ...)
}

# ---- the door -----------------------------------------------------------------------------------

# In each process that answers beside others, a thread at an address of its own takes
# POST /v1/requests, notes when each came, hands it to R and sends R's answer at the end of its slot
# (src/core/server/door.hpp). R has only to be ready by then.
#
# R believes what the door says of an arrival by a secret that this process alone knows: whoever
# could claim an earlier arrival would see when the judge was ready.

# `at`: where the door listens; `to`: where R does.
open_door <- function(service, settings, at, to) {
  secret <- random_hex(16)
  tick_s <- service$server$policy$tick_s
  # where this machine reaches itself, if a process listens at `host`
  own <- switch(settings$host, `0.0.0.0` = "127.0.0.1", `::` = "::1", settings$host)
  door <- listen_at_last(service, settings$host, at, function() {
    cpp_open_door(
      list(path = at$part %||% "", host = settings$host, port = at$port %||% 0),
      list(path = to$socket %||% "", host = own, port = to$port %||% 0),
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

# Whole answers, by their status, to what R never sees or does not answer. They are made once for
# all who get them.
door_answers <- function() {
  id <- random_hex(8)
  found <- list(
    new_problem("bad_request"), new_problem("method_not_allowed", headers = c(Allow = "POST")),
    new_problem("length_required"), new_problem("too_large"), new_problem("headers_too_large"),
    unavailable(1)
  )
  responses <- lapply(found, problem_response, id)
  text <- vapply(responses, function(response) {
    body <- rawToChar(response$body)
    headers <- c(response$headers, security_headers, `X-Request-Id` = id,
                 `Content-Length` = as.character(nchar(body, "bytes")), Connection = "close")
    paste0("HTTP/1.1 ", response$status, " ", problems[[response$kind]][[2]], "\r\n",
           paste0(names(headers), ": ", headers, "\r\n", collapse = ""), "\r\n", body)
  }, "")
  stats::setNames(text, vapply(responses, `[[`, 0, "status"))
}

close_service <- function(service) {
  write_metrics(service)
  if (service$own_documents) unlink(service$documents, recursive = TRUE)
  if (!is.null(service$log)) close(service$log)
  service$log <- NULL
  close_bodies(service)
  invisible()
}

# ---- how serving ends ---------------------------------------------------------------------------

# By an interrupt (Ctrl-C) or by the signal that asks a process to end. Requests that came before
# are answered, each at its moment; those that come later are told to ask again.

# Until a signal comes. Where signals cannot be watched, R's own interrupt ends it.
serve_until_signal <- function(service) {
  cpp_watch_signals(TRUE)
  on.exit(cpp_watch_signals(FALSE))
  tryCatch(
    while (cpp_signal_seen() == "") serve_awhile(service, 200),
    interrupt = function(cnd) NULL
  )
  signal <- cpp_signal_seen()
  drain(service)
  signal
}

serve_awhile <- function(service, ms) {
  httpuv::service(ms)
  if (cpp_reopen_seen()) reopen_log(service)
  shut_held_connections(service)
}

# Answers that wait for the end of their slot leave; then the sockets get a moment to send them.
drain <- function(service, patience_s = service$server$policy$tick_s + 10) {
  service$stopping <- TRUE
  until <- service$clock() + patience_s
  while (is_waiting(service) && service$clock() < until) httpuv::service(50)
  for (turn in 1:4) httpuv::service(50)
}

is_waiting <- function(service) {
  length(service$clients) > 0 || (!is.null(service$door) && cpp_busy_door(service$door) > 0)
}
