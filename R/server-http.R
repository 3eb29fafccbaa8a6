# The service behind a socket, on httpuv alone.
#
# Everything that is not a file goes through one door to `route()`, so that no answer but ours is
# ever sent: httpuv would show the text of an error. Bodies that are too long are refused by their
# headers, before they are read, and so are upgrades to other protocols. Files
# are sent by httpuv's own threads.

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
    return(early_answer(service, req, "unavailable", c(`Retry-After` = "1")))
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
  held <- isTRUE(request$by_door) && !is.null(response$leave_at)
  if (held) {
    tick_s <- service$server$policy$tick_s
    response$leave_at <- slot_end(request$arrival, service$clock(), tick_s)
    response$headers <- c(response$headers, `X-Leave` = sprintf("%.9f", tick_s))
  }
  log_answer(service, request, response)
  bare <- request$method == "HEAD" || response$status == 304
  headers <- as.list(response$headers)
  if (service$leaving) headers$Connection <- "close"
  list(status = response$status, headers = headers,
       body = if (!bare) response_body(response))
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

# A file is streamed from the disk.
response_body <- function(response) {
  if (is.null(response$file)) response$body %||% raw() else c(file = response$file)
}

read_request <- function(req, body, arrival) {
  headers <- req$HEADERS
  Encoding(headers) <- "UTF-8"
  names(headers) <- lower_case(names(headers))
  list(
    method = req$REQUEST_METHOD %||% "", path = req$PATH_INFO %||% "/",
    query = req$QUERY_STRING %||% "", headers = as.list(headers), body = body, arrival = arrival,
    address = req$REMOTE_ADDR
  )
}

# In Latin-1 all bytes are letters, so that none stops tolower().
lower_case <- function(text) {
  text <- as.character(text)
  Encoding(text) <- "latin1"
  tolower(text)
}

# What can be told from the headers alone. NULL: go on.
refuse_early <- function(service, req) {
  length <- req$HTTP_CONTENT_LENGTH %||% "0"
  url_bytes <- nchar(req$PATH_INFO %||% "/", "bytes") + nchar(req$QUERY_STRING %||% "", "bytes")
  kind <- if (is_too_late(service, req$REQUEST_METHOD, req$PATH_INFO)) {
    "unavailable"
  } else if (!is.null(req$HTTP_UPGRADE)) {
    "bad_request"
  } else if (url_bytes > max_url_bytes) {
    "uri_too_long"
  } else if (!is.null(req$HTTP_TRANSFER_ENCODING)) {
    "length_required"
  } else if (!grepl("^[0-9]{1,9}$", length, useBytes = TRUE) ||
             as.numeric(length) > max_body_bytes) {
    "too_large"
  }
  if (is.null(kind)) {
    return(NULL)
  }
  early_answer(service, req, kind, if (kind == "unavailable") c(`Retry-After` = "2"))
}

# An answer to a request of which no more is read.
early_answer <- function(service, req, kind, headers = NULL) {
  id <- random_hex(8)
  response <- c(problem_response(new_problem(kind, headers = headers), id), id = id)
  log_answer(service, read_request(req, raw(), service$clock()), response)
  list(status = response$status, body = response$body,
       headers = as.list(c(response$headers, security_headers, `X-Request-Id` = id)))
}

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
