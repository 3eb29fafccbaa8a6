# The service behind a socket: plumber's router with one door, on httpuv.
#
# Everything that is not a file of the page goes through one filter to `route()`, so that no answer
# of plumber's own is ever sent: its endpoints would take arguments from the query string, its
# parsers would make errors of their own, and so would its 404 and 405. Bodies that are too long are
# refused by their headers, before they are read. Files are sent by httpuv's own threads.

service_app <- function(service) {
  router <- service_router(service)
  www <- system.file("www", package = "sdcLattice")
  pages <- httpuv::staticPath(
    www, indexhtml = TRUE, fallthrough = TRUE,
    headers = as.list(c(security_headers, `Cache-Control` = "no-cache"))
  )
  aside <- httpuv::excludeStaticPath()
  list(
    call = function(req) router$call(req),
    onHeaders = function(req) refuse_early(service, req),
    staticPaths = list(`/` = pages, `/v1` = aside, `/openapi.json` = aside)
  )
}

service_router <- function(service) {
  router <- plumber::pr(filters = NULL)
  router$filter("door", function(req, res) respond(service, req, res))
  router
}

# A response of plumber, or a promise of one where the answer must wait for its tick: others are
# served meanwhile.
respond <- function(service, req, res) {
  request <- read_request(req, req$rook.input$read(), service$clock())
  response <- route(service, request)
  res$status <- response$status
  res$headers <- as.list(response$headers)
  # NULL for HEAD: after a body of no bytes httpuv does not understand the connection's next request
  res$body <- if (request$method != "HEAD") response_body(response)
  wait <- (response$leave_at %||% request$arrival) - service$clock()
  if (wait <= 0) {
    log_answer(service, request, response)
    return(res)
  }
  service$n_waiting <- service$n_waiting + 1
  promises::promise(function(resolve, reject) {
    later::later(function() {
      service$n_waiting <- service$n_waiting - 1
      log_answer(service, request, response)
      at_once(function() resolve(res))
    }, wait)
  })
}

# Runs all that waits for a promise as soon as it is resolved: each step of plumber's would else
# queue up behind all requests that have come in meanwhile.
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
  headers <- lapply(as.list(req$HEADERS), function(value) {
    Encoding(value) <- "UTF-8"
    value
  })
  names(headers) <- lower_case(names(headers))
  list(
    method = req$REQUEST_METHOD %||% "", path = req$PATH_INFO %||% "/",
    query = req$QUERY_STRING %||% "", headers = headers, body = body, arrival = arrival,
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
  request <- read_request(req, raw(), service$clock())
  length <- request$headers[["content-length"]] %||% "0"
  kind <- if (isTRUE(service$stopping)) {
    "unavailable"
  } else if (nchar(request$path, "bytes") + nchar(request$query, "bytes") > max_url_bytes) {
    "uri_too_long"
  } else if (!is.null(request$headers[["transfer-encoding"]])) {
    "length_required"
  } else if (!grepl("^[0-9]{1,9}$", length, useBytes = TRUE) ||
             as.numeric(length) > max_body_bytes) {
    "too_large"
  }
  if (is.null(kind)) {
    return(NULL)
  }
  id <- random_hex(8)
  response <- c(problem_response(new_problem(kind), id), id = id)
  log_answer(service, request, response)
  list(status = response$status, body = response$body,
       headers = as.list(c(response$headers, security_headers, `X-Request-Id` = id)))
}

start_service <- function(service, host, port, socket) {
  app <- service_app(service)
  if (is.null(socket)) {
    return(httpuv::startServer(host, port, app, quiet = TRUE))
  }
  # for the owner and the group: a proxy runs as another user
  httpuv::startPipeServer(socket, strtoi("0117", 8L), app, quiet = TRUE)
}
