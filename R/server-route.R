# The routes of the API, as functions without any network: `route(service, request)` gives the
# response to a request. server-http.R puts them behind a socket.
#
# * A request is a list: `method`, `path` and `query` as they were sent (not decoded), `headers`
#   (named, lower case), `body` (raw), `arrival` (seconds of the service's clock), `address` (of
#   who sent it).
# * A response is a list: `status`, `headers`, and `body` (raw) or `file` (a path); for the log,
#   `route`, `user`, `kind` (of a problem) and `ledger`; and `leave_at`, the time before which it
#   must not be sent.
# * A handler is a function of one `ask`: list(service, server, request, query, at, user, role), of
#   which `at` has the parts of the path. It stops by `problem(kind)`.
#
# Who asks is known from the token alone. Whatever is wrong with a request, the response says so in
# application/problem+json, in our words: no condition's text ever leaves.

# `role`: "none" (no token), "user" (any token) or "operator". `query`: the parameters there are.
api_routes <- function() {
  list(
    new_route("GET", "/v1/health", "none", get_health),
    new_route("GET", live_path, "none", get_live),
    new_route("GET", "/v1/ready", "none", get_ready),
    new_route("GET", "/openapi.json", "none", get_openapi),
    new_route("GET", "/v1/me", "user", get_me),
    new_route("GET", "/v1/policy", "user", get_policy),
    new_route("GET", "/v1/metadata", "user", get_metadata, "lang"),
    new_route("GET", "/v1/structure", "user", get_structure, "lang"),
    new_route("GET", "/v1/structure/{id}", "user", get_levels_of, c("cursor", "limit", "lang")),
    new_route("POST", "/v1/requests", "user", post_request),
    new_route("GET", "/v1/requests", "user", get_requests, c("cursor", "limit")),
    new_route("GET", "/v1/requests/{key}", "user", get_request),
    new_route("GET", "/v1/tables", "user", get_tables, c("cursor", "limit")),
    new_route("GET", "/v1/tables/{id}", "user", get_table),
    new_route("GET", "/v1/tables/{id}/data", "user", get_data, c("format", "lang")),
    new_route("GET", "/v1/tables/{id}/structure", "user", get_table_structure),
    new_route("GET", "/v1/catalogue", "user", get_catalogue,
              c("format", "lang", "cursor", "limit")),
    new_route("GET", "/v1/card", "user", get_card, "variables"),
    new_route("GET", "/v1/levels", "user", get_levels, "variables"),
    new_route("GET", "/v1/space", "user", get_space,
              c("variables", "dimension", "status", "cursor", "limit")),
    new_route("GET", "/v1/frontier", "user", get_frontier, c("cursor", "limit")),
    new_route("GET", "/v1/lattice", "user", get_lattice),
    new_route("GET", "/v1/votes", "user", get_votes, c("cursor", "limit")),
    new_route("GET", "/v1/tally", "operator", get_tally, c("worth", "cursor", "limit")),
    new_route("POST", "/v1/rounds", "operator", post_round),
    new_route("POST", "/v1/releases", "operator", post_release),
    new_route("GET", "/v1/decisions", "operator", get_decisions, c("cursor", "limit")),
    new_route("GET", "/v1/what-if", "operator", get_what_if, "variables"),
    new_route("GET", "/v1/history", "operator", get_history, "upto"),
    new_route("GET", "/v1/audit", "operator", get_audit),
    new_route("GET", "/v1/metrics", "operator", get_metrics, "format")
  )
}

# Names in braces are parameters: one part of the path each.
new_route <- function(method, path, role, run, query = character()) {
  parts <- path_parts(path)
  at <- grep("^\\{[a-z]+\\}$", parts)
  list(method = method, path = path, at = at, names = gsub("[{}]", "", parts[at]), role = role,
       run = run, query = query)
}

# Answered until the last moment: a process that ends in order must not be killed for it.
live_path <- "/v1/live"

max_body_bytes <- 16384
max_url_bytes <- 8192

# ---- from a request to a response ---------------------------------------------------------------

route <- function(service, request) {
  id <- random_hex(8)
  ask <- new.env(parent = emptyenv())
  ask$route <- ask$user <- NA_character_
  response <- tryCatch(
    answer_again(service, request, ask),
    sdc_problem = function(cnd) problem_response(cnd, id),
    error = function(cnd) {
      note_failure(service, id, cnd)
      problem_response(failure_problem(cnd), id)
    }
  )
  # the judge was asked, and its time must not be seen
  if (isTRUE(ask$judged)) {
    tick_s <- service$server$policy$tick_s
    response$leave_at <- cpp_slot_end(request$arrival, service$clock(), tick_s)
  }
  sign_response(response, list(id = id, route = ask$route, user = ask$user))
}

# Who looks something up need not know that a connection was lost, where another is to be had. Who
# asks for a decision is told: it may have been written.
answer_again <- function(service, request, ask) {
  tryCatch(answer_request(service, request, ask), sdc_error_server = function(cnd) {
    if (request$method == "POST" || !is_session_lost(service$server$store)) stop(cnd)
    answer_request(service, request, ask)
  })
}

answer_request <- function(service, request, ask) {
  check_sent(service, request)
  found <- find_route(service$dictionary, request)
  ask$route <- found$route$path
  who <- if (found$route$role != "none") identify(service, request)
  ask$user <- who$user %||% NA_character_
  if (is.null(who)) spend_address(service, request) else spend(service, paste("user", who$user))
  if (found$route$role == "operator" && who$role != "operator") problem("forbidden")
  if (service$read_only && request$method == "POST") {
    problem("read_only", headers = c(Allow = "GET, HEAD"))
  }
  ask$service <- service
  ask$server <- service$server
  ask$request <- request
  ask$at <- found$at
  ask$role <- who$role
  ask$query <- read_query(request$query, found$route$query)
  if (found$route$role != "none") refresh_reader(service$server)
  response <- found$route$run(ask)
  if (request$method == "POST") response else when_modified(response, request)
}

check_sent <- function(service, request) {
  if (is_too_late(service, request$method, request$path)) stop(unavailable(2))
  if (nchar(request$path, "bytes") + nchar(request$query, "bytes") > max_url_bytes) {
    problem("uri_too_long")
  }
  if (length(request$body) > max_body_bytes) problem("too_large")
  # what shows who asks is told nothing but that it is no token
  values <- as.character(unlist(request$headers[names(request$headers) != "authorization"]))
  if (!all(validUTF8(values))) problem("bad_request", "A header holds bytes that are no text.")
}

# Who leaves a place to another answers look-ups to the end: over a connection that was kept they
# may come at any time.
is_too_late <- function(service, method, path) {
  kept <- service$leaving && isTRUE(method %in% c("GET", "HEAD"))
  isTRUE(service$stopping) && !identical(path, live_path) && !kept
}

# ---- who asks -----------------------------------------------------------------------------------

identify <- function(service, request) {
  if (service$open && !is_own_host(service, request$headers[["host"]])) problem("misdirected")
  given <- request$headers[["authorization"]]
  if (is.null(given) && service$open) {
    return(list(user = guest, role = "user"))
  }
  who <- if (!is.null(given)) check_token(service$server$store, bearer_of(given))
  if (is.null(who)) {
    spend_address(service, request)
    problem("unauthorized", headers = c(`WWW-Authenticate` = "Bearer"))
  }
  list(user = who$user_id, role = who$role)
}

# NULL where the header is not what it should be.
bearer_of <- function(given) {
  # as most clients write it
  if (startsWith(given, "Bearer sdc_") && nchar(given, "bytes") == 92) {
    return(substring(given, 8))
  }
  shape <- "^[Bb]earer +([^ ]+) *$"
  if (grepl(shape, given, useBytes = TRUE)) sub(shape, "\\1", given, useBytes = TRUE)
}

guest <- "guest"

# Without tokens, a page from elsewhere whose name is made to lead here must not be answered.
is_own_host <- function(service, host) {
  is.null(host) || tolower(sub(":[0-9]+$", "", host)) %in% service$hosts
}

# ---- from a path to its route -------------------------------------------------------------------

# Without trying patterns: routes are looked up by their path, in which each parameter is replaced
# by "{}". Where parameters stand follows from the first two parts of a path and the number of
# parts, which all routes of one kind must share. A path without parameters goes first, so that it
# may stand beside one with.

# `by_path`: lists of routes, by method; `places`: of the parameters.
route_dictionary <- function(routes) {
  by_path <- new.env(parent = emptyenv())
  places <- new.env(parent = emptyenv())
  for (route in routes) {
    parts <- path_parts(route$path)
    key <- with_places(parts, route$at)
    same <- by_path[[key]]
    stopifnot(!route$method %in% names(same))
    same[[route$method]] <- route
    by_path[[key]] <- same
    if (length(route$at) > 0) {
      kind <- path_kind(parts)
      stopifnot(is.null(places[[kind]]) || identical(places[[kind]], route$at))
      places[[kind]] <- route$at
    }
  }
  list(by_path = by_path, places = places)
}

path_parts <- function(path) strsplit(path, "/", fixed = TRUE, useBytes = TRUE)[[1]][-1]
path_kind <- function(parts) paste(parts[1], parts[2], length(parts))

with_places <- function(parts, at) {
  parts[at] <- "{}"
  paste0("/", parts, collapse = "")
}

# list(route, at): the route, and the parts of the path that its parameters name, not decoded. HEAD
# is GET, of which only the headers are sent.
find_route <- function(dictionary, request) {
  path <- request$path
  if (!startsWith(path, "/") || !validUTF8(path)) problem("not_found")
  found <- dictionary$by_path[[path]] %||% find_by_places(dictionary, path)
  if (is.null(found)) problem("not_found")
  method <- if (request$method == "HEAD") "GET" else request$method
  route <- found[[method]]
  if (is.null(route)) {
    allowed <- c(names(found), if ("GET" %in% names(found)) "HEAD")
    problem("method_not_allowed", headers = c(Allow = paste(allowed, collapse = ", ")))
  }
  at <- if (length(route$at) > 0) {
    stats::setNames(as.list(path_parts(path)[route$at]), route$names)
  }
  list(route = route, at = at)
}

find_by_places <- function(dictionary, path) {
  parts <- path_parts(path)
  at <- dictionary$places[[path_kind(parts)]]
  # a slash at the end makes no part
  if (!is.null(at) && all(nzchar(parts[at])) && !endsWith(path, "/")) {
    dictionary$by_path[[with_places(parts, at)]]
  }
}

# ---- the service --------------------------------------------------------------------------------

# What a table server needs to answer over a network, besides itself: limits, counts of what was
# answered, the log, and documents (server-download.R). An environment.
#
# `queued`: does another process judge? `clock`: seconds of a clock that nobody can set, so that
# neither the rate of requests nor the moment of an answer depends on what time the machine believes
# it is.
new_service <- function(server, open = FALSE, log = NULL, rate_per_s = 50, burst = 200,
                        agency = "SDC", hosts = loopback_hosts, documents = NULL, queued = FALSE,
                        read_only = FALSE, metrics = NULL, clock = cpp_steady_s) {
  routes <- api_routes()
  service <- list2env(list(
    server = server, routes = routes, dictionary = route_dictionary(routes), open = open,
    hosts = hosts, rate_per_s = rate_per_s, burst = burst, agency = agency, clock = clock,
    started = utc_now(), began = clock(), stopping = FALSE, leaving = FALSE, queued = queued,
    read_only = read_only, own_documents = is.null(documents),
    documents = documents_folder(documents), made = new.env(parent = emptyenv()),
    buckets = new.env(parent = emptyenv()),
    # the port of each client that waits for an answer
    clients = integer(), looked_at = -Inf, waiting = list(), looking = FALSE, tried_at = -Inf
  ), parent = emptyenv())
  start_metrics(service, metrics)
  server$store$asked <- new.env(parent = emptyenv())
  keep_rows(server$store)
  service$log_path <- log
  service$log <- open_log(log)
  structure(service, class = sdc_class("sdc_service", mark = "private"))
}

# How old what is known of the store may be: decisions of others, tokens that were revoked. Less
# than what is kept of each slot for the rest of an answer, so that who was told of a release finds
# it in all processes.
look_s <- 0.04

# `settings`: the arguments of serve().
settings_service <- function(server, settings, queued) {
  server$store$look_s <- look_s
  known <- intersect(names(settings), names(formals(new_service)))
  do.call(new_service, c(
    list(server, queued = queued, hosts = unique(c(loopback_hosts, tolower(settings$host)))),
    settings[known]
  ))
}

loopback_hosts <- c("localhost", "127.0.0.1", "[::1]", "::1")
