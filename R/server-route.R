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
    new_route("GET", "/openapi.json", "none", get_openapi),
    new_route("GET", "/v1/me", "user", get_me),
    new_route("GET", "/v1/policy", "user", get_policy),
    new_route("GET", "/v1/structure", "user", get_structure),
    new_route("GET", "/v1/structure/{id}", "user", get_levels_of, c("cursor", "limit")),
    new_route("POST", "/v1/requests", "user", post_request),
    new_route("GET", "/v1/requests", "user", get_requests, c("cursor", "limit")),
    new_route("GET", "/v1/requests/{key}", "user", get_request),
    new_route("GET", "/v1/tables", "user", get_tables, c("cursor", "limit")),
    new_route("GET", "/v1/tables/{id}", "user", get_table),
    new_route("GET", "/v1/tables/{id}/data", "user", get_data, "format"),
    new_route("GET", "/v1/tables/{id}/structure", "user", get_table_structure),
    new_route("GET", "/v1/card", "user", get_card, "variables"),
    new_route("GET", "/v1/levels", "user", get_levels, "variables"),
    new_route("GET", "/v1/space", "user", get_space,
              c("variables", "dimension", "status", "cursor", "limit")),
    new_route("GET", "/v1/frontier", "user", get_frontier, c("cursor", "limit")),
    new_route("GET", "/v1/lattice", "user", get_lattice),
    new_route("GET", "/v1/decisions", "operator", get_decisions, c("cursor", "limit")),
    new_route("GET", "/v1/what-if", "operator", get_what_if, "variables"),
    new_route("GET", "/v1/history", "operator", get_history, "upto"),
    new_route("GET", "/v1/audit", "operator", get_audit),
    new_route("GET", "/v1/metrics", "operator", get_metrics)
  )
}

new_route <- function(method, path, role, run, query = character()) {
  names <- regmatches(path, gregexpr("\\{[a-z]+\\}", path))[[1]]
  pattern <- paste0("^", gsub("\\{[a-z]+\\}", "([^/]+)", gsub(".", "[.]", path, fixed = TRUE)), "$")
  list(method = method, path = path, pattern = pattern, names = gsub("[{}]", "", names),
       role = role, run = run, query = query)
}

max_body_bytes <- 16384
max_url_bytes <- 8192

# ---- from a request to a response ---------------------------------------------------------------

route <- function(service, request) {
  id <- random_hex(8)
  ask <- new.env(parent = emptyenv())
  ask$route <- ask$user <- NA_character_
  response <- tryCatch(
    answer_request(service, request, ask),
    sdc_problem = function(cnd) problem_response(cnd, id),
    error = function(cnd) {
      note_failure(service, id, cnd)
      problem_response(failure_problem(cnd), id)
    }
  )
  # the judge was asked, and its time must not be seen
  if (isTRUE(ask$judged)) {
    tick_s <- service$server$policy$tick_s
    response$leave_at <- slot_end(request$arrival, service$clock(), tick_s)
  }
  response$headers <- c(response$headers, security_headers, `X-Request-Id` = id)
  response$id <- id
  response$route <- ask$route
  response$user <- ask$user
  response
}

answer_request <- function(service, request, ask) {
  check_sent(service, request)
  found <- find_route(service$routes, request)
  ask$route <- found$route$path
  who <- if (found$route$role != "none") identify(service, request)
  ask$user <- who$user %||% NA_character_
  if (is.null(who)) spend_address(service, request) else spend(service, paste("user", who$user))
  if (found$route$role == "operator" && who$role != "operator") problem("forbidden")
  ask$service <- service
  ask$server <- service$server
  ask$request <- request
  ask$at <- found$at
  ask$role <- who$role
  ask$query <- read_query(request$query, found$route$query)
  if (found$route$role != "none") refresh_server(service$server)
  response <- found$route$run(ask)
  if (request$method == "POST") response else when_modified(response, request)
}

check_sent <- function(service, request) {
  if (isTRUE(service$stopping)) problem("unavailable", headers = c(`Retry-After` = "2"))
  if (nchar(request$path, "bytes") + nchar(request$query, "bytes") > max_url_bytes) {
    problem("uri_too_long")
  }
  if (length(request$body) > max_body_bytes) problem("too_large")
  # what shows who asks is told nothing but that it is no token
  values <- as.character(unlist(request$headers[names(request$headers) != "authorization"]))
  if (!all(validUTF8(values))) problem("bad_request", "A header holds bytes that are no text.")
}

# HEAD is GET, of which only the headers are sent.
find_route <- function(routes, request) {
  method <- if (request$method == "HEAD") "GET" else request$method
  path <- request$path
  if (!validUTF8(path)) problem("not_found")
  fits <- Filter(function(route) grepl(route$pattern, path, useBytes = TRUE), routes)
  if (length(fits) == 0) problem("not_found")
  methods <- vapply(fits, `[[`, "", "method")
  if (!method %in% methods) {
    allowed <- c(methods, if ("GET" %in% methods) "HEAD")
    problem("method_not_allowed", headers = c(Allow = paste(allowed, collapse = ", ")))
  }
  found <- fits[[match(method, methods)]]
  at <- regmatches(path, regexec(found$pattern, path, useBytes = TRUE))[[1]][-1]
  list(route = found, at = stats::setNames(as.list(at), found$names))
}

# ---- who asks -----------------------------------------------------------------------------------

identify <- function(service, request) {
  if (service$open && !is_own_host(service, request$headers[["host"]])) problem("misdirected")
  given <- request$headers[["authorization"]]
  if (is.null(given) && service$open) {
    return(list(user = guest, role = "user"))
  }
  shape <- "^[Bb]earer +([^ ]+) *$"
  who <- if (!is.null(given) && grepl(shape, given, useBytes = TRUE)) {
    check_token(service$server$store, sub(shape, "\\1", given, useBytes = TRUE))
  }
  if (is.null(who)) {
    spend_address(service, request)
    problem("unauthorized", headers = c(`WWW-Authenticate` = "Bearer"))
  }
  list(user = who$user_id, role = who$role)
}

guest <- "guest"

# Without tokens, a page from elsewhere whose name is made to lead here must not be answered.
is_own_host <- function(service, host) {
  is.null(host) || tolower(sub(":[0-9]+$", "", host)) %in% service$hosts
}

# ---- problems -----------------------------------------------------------------------------------

problems <- list(
  bad_request = list(400, "The request cannot be read"),
  unauthorized = list(401, "A valid token is needed"),
  forbidden = list(403, "This is for operators only"),
  not_found = list(404, "There is nothing of this name"),
  method_not_allowed = list(405, "This method is not possible here"),
  not_acceptable = list(406, "None of the accepted formats is offered"),
  length_required = list(411, "The length of the body must be given"),
  too_large = list(413, "The body is too large"),
  uri_too_long = list(414, "The address is too long"),
  unsupported_media_type = list(415, "The body must be application/json"),
  misdirected = list(421, "This server is not known by that name"),
  unknown_variable = list(422, "A variable is unknown"),
  repeated_variable = list(422, "A variable is named twice"),
  key_reused = list(422, "The Idempotency-Key belongs to another request"),
  rate_limited = list(429, "Too many requests"),
  internal = list(500, "The server has failed"),
  unavailable = list(503, "Nothing can be said now; ask again later"),
  stopped = list(503, "A file of the store was moved or removed: this server answers no more")
)

# `detail`: a sentence of ours.
problem <- function(kind, detail = NULL, headers = NULL) {
  stop(new_problem(kind, detail, headers))
}

new_problem <- function(kind, detail = NULL, headers = NULL) {
  structure(list(message = kind, call = NULL, kind = kind, detail = detail, headers = headers),
            class = c("sdc_problem", "error", "condition"))
}

problem_response <- function(cnd, id) {
  known <- problems[[cnd$kind]]
  body <- list(type = paste0("urn:sdc:", cnd$kind), title = known[[2]], status = known[[1]],
               request_id = id)
  if (!is.null(cnd$detail)) body$detail <- cnd$detail
  list(
    status = known[[1]], kind = cnd$kind, body = charToRaw(to_json(body)),
    headers = c(`Content-Type` = "application/problem+json", `Cache-Control` = "no-store",
                cnd$headers)
  )
}

# Of an error that was not foreseen here. Only its class is looked at.
failure_problem <- function(cnd) {
  if (!inherits(cnd, "sdc_error_server")) {
    return(new_problem("internal"))
  }
  switch(
    cnd$reason %||% "",
    reused = new_problem("key_reused"),
    contended = new_problem("unavailable", headers = c(`Retry-After` = "1")),
    moved = new_problem("stopped"),
    new_problem("unavailable", headers = c(`Retry-After` = "10"))
  )
}

# ---- responses ----------------------------------------------------------------------------------

security_headers <- c(
  `Content-Security-Policy` = paste(
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';",
    "object-src 'none'"
  ),
  `X-Content-Type-Options` = "nosniff",
  `X-Frame-Options` = "DENY",
  `Referrer-Policy` = "no-referrer",
  `Cross-Origin-Opener-Policy` = "same-origin",
  `Cross-Origin-Resource-Policy` = "same-origin"
)

json_response <- function(view, status = 200, headers = NULL) {
  usual <- c(`Content-Type` = "application/json", `Cache-Control` = "private, no-cache",
             Vary = "Authorization")
  list(status = status, body = charToRaw(to_json(view)),
       headers = c(usual[setdiff(names(usual), names(headers))], headers))
}

# A list, of which `next` also stands in a header.
page_response <- function(ask, page) {
  following <- page$`next`
  headers <- if (!is.null(following)) {
    query <- ask$query
    query$cursor <- following
    words <- vapply(query, function(value) {
      utils::URLencode(paste(value, collapse = ","), reserved = TRUE)
    }, "")
    c(Link = paste0("<?", paste0(names(query), "=", words, collapse = "&"), ">; rel=\"next\""))
  }
  json_response(page, headers = headers)
}

# What has not changed is not sent again.
when_modified <- function(response, request) {
  if (response$status != 200) {
    return(response)
  }
  if (is.na(response$headers["ETag"])) {
    hash <- paste(as.character(openssl::sha256(response$body)), collapse = "")
    response$headers <- c(response$headers, ETag = paste0("\"", substr(hash, 1, 32), "\""))
  }
  known <- request$headers[["if-none-match"]]
  if (!is.null(known) && matches_etag(known, response$headers[["ETag"]])) {
    response$status <- 304
    response$file <- NULL
    response$body <- raw()
  }
  response
}

matches_etag <- function(known, etag) {
  known <- sub("^W/", "", trimws(strsplit(known, ",", fixed = TRUE)[[1]]))
  any(known %in% c(etag, "*"))
}

# ---- reading what was sent ----------------------------------------------------------------------

# Named list of decoded values: each parameter at most once, and only those that there are.
read_query <- function(query, known) {
  query <- sub("^[?]", "", query, useBytes = TRUE)
  if (!nzchar(query)) {
    return(list())
  }
  parts <- strsplit(query, "&", fixed = TRUE, useBytes = TRUE)[[1]]
  parts <- parts[nzchar(parts)]
  name <- vapply(sub("=.*", "", parts, useBytes = TRUE), decode_part, "", USE.NAMES = FALSE)
  if (!all(name %in% known)) {
    problem("bad_request", if (length(known) == 0) "There are no parameters here." else
      paste0("The parameters are: ", paste(known, collapse = ", "), "."))
  }
  if (anyDuplicated(name)) problem("bad_request", "A parameter is given twice.")
  value <- ifelse(grepl("=", parts, fixed = TRUE, useBytes = TRUE),
                  sub("^[^=]*=", "", parts, useBytes = TRUE), "")
  stats::setNames(lapply(value, decode_part), name)
}

decode_part <- function(text) {
  bad <- function() problem("bad_request", "The address holds bytes that are no text.")
  if (grepl("%(?![0-9A-Fa-f]{2})|%00", text, perl = TRUE, useBytes = TRUE)) bad()
  text <- utils::URLdecode(gsub("+", " ", text, fixed = TRUE, useBytes = TRUE))
  Encoding(text) <- "UTF-8"
  if (!validUTF8(text)) bad()
  text
}

query_whole <- function(ask, name, default, min, max) {
  text <- ask$query[[name]]
  if (is.null(text)) {
    return(default)
  }
  value <- if (grepl("^[0-9]{1,15}$", text)) as.numeric(text) else NA
  if (is.na(value) || value < min || value > max) {
    problem("bad_request", paste0("The parameter ", name, " must be a whole number from ",
                                  whole_text(min), " to ", whole_text(max), "."))
  }
  value
}

query_limit <- function(ask, max) query_whole(ask, "limit", min(50, max), 1, max)
query_cursor <- function(ask, default = 0) query_whole(ask, "cursor", default, 0, 2^49)

query_choice <- function(ask, name, values, default = values[1]) {
  text <- ask$query[[name]] %||% default
  if (!text %in% values) {
    problem("bad_request", paste0("The parameter ", name, " must be one of: ",
                                  paste(values, collapse = ", "), "."))
  }
  text
}

# Names or ids of variables, with commas between them.
query_set <- function(ask, needed = FALSE) {
  text <- ask$query$variables
  if (is.null(text) || !nzchar(text)) {
    if (needed) problem("bad_request", "The parameter variables must be given.")
    return(integer())
  }
  named_set(ask$server, strsplit(text, ",", fixed = TRUE)[[1]])
}

named_set <- function(server, named) {
  set <- match_variables(server, named)
  if (anyNA(set)) problem("unknown_variable")
  if (anyDuplicated(set)) problem("repeated_variable")
  sort(set)
}

# Never released, or nonsense: nobody is told which.
path_table <- function(ask) {
  set <- id_set(ask$server, ask$at$id)
  if (is.null(set) || !is_released(ask$server, set)) problem("not_found")
  set
}

read_body <- function(request) {
  type <- tolower(request$headers[["content-type"]] %||% "")
  if (!grepl("^application/json *(; *charset=\"?utf-8\"? *)?$", type, useBytes = TRUE)) {
    problem("unsupported_media_type")
  }
  if (!is.null(request$headers[["content-encoding"]])) problem("unsupported_media_type")
  bad <- function(...) problem("bad_request", "The body must be a JSON object.")
  if (any(request$body == 0)) bad()
  text <- rawToChar(request$body)
  Encoding(text) <- "UTF-8"
  # a zero would cut the text short
  if (!validUTF8(text) || too_deep(request$body) || grepl("\\u0000", text, fixed = TRUE)) bad()
  body <- tryCatch(jsonlite::parse_json(text), error = bad, warning = bad)
  if (!is.list(body) || (length(body) > 0 && is.null(names(body)))) bad()
  body
}

# Brackets within brackets, which no body of ours has.
too_deep <- function(bytes) sum(bytes == charToRaw("[")) + sum(bytes == charToRaw("{")) > 16

read_wish <- function(ask) {
  body <- read_body(ask$request)
  is_text <- function(x) is.character(x) && length(x) == 1 && !is.na(x)
  if (!all(names(body) %in% c("variables", "if_refused")) || anyDuplicated(names(body))) {
    problem("bad_request", "The body has the members variables and if_refused, each once.")
  }
  named <- body$variables
  if (!is.list(named) || !is.null(names(named)) || !all(vapply(named, is_text, NA))) {
    problem("bad_request", "The member variables must be an array of strings.")
  }
  if_refused <- body$if_refused %||% "nothing"
  if (!is_text(if_refused) || !if_refused %in% c("nothing", "projected")) {
    problem("bad_request", "The member if_refused must be \"nothing\" or \"projected\".")
  }
  list(set = named_set(ask$server, as.character(unlist(named))), if_refused = if_refused)
}

read_key <- function(request) {
  key <- request$headers[["idempotency-key"]]
  if (!is.null(key) && !grepl("^[A-Za-z0-9_-]{1,64}$", key, useBytes = TRUE)) {
    problem("bad_request",
            "The Idempotency-Key must have 1 to 64 letters, digits, underscores or hyphens.")
  }
  key
}

# The offer that is wanted most, by name; `offers`: media types, the first is for who takes any.
negotiate <- function(accept, offers) {
  if (is.null(accept) || !nzchar(trimws(accept))) {
    return(names(offers)[1])
  }
  bare <- function(type) tolower(gsub(" ", "", sub(";.*", "", type)))
  wanted <- strsplit(accept, ",", fixed = TRUE)[[1]]
  q <- suppressWarnings(as.numeric(sub(".*; *q= *([0-9.]+).*", "\\1", wanted)))
  q[!grepl("; *q=", wanted)] <- 1
  q[is.na(q)] <- 0
  quality <- vapply(bare(offers), function(offer) {
    ranges <- c(offer, sub("/.*", "/*", offer), "*/*")
    at <- match(ranges, bare(wanted))
    if (all(is.na(at))) 0 else q[at[!is.na(at)][1]]
  }, 0)
  if (max(quality) == 0) problem("not_acceptable")
  names(offers)[which.max(quality)]
}

# ---- handlers -----------------------------------------------------------------------------------

get_health <- function(ask) {
  refresh_server(ask$service$server)
  json_response(list(status = "ok"))
}

get_openapi <- function(ask) {
  list(status = 200, body = openapi_bytes(ask$service),
       headers = c(`Content-Type` = "application/json", `Cache-Control` = "no-cache"))
}

get_me <- function(ask) json_response(list(user = ask$user, role = ask$role))

get_policy <- function(ask) json_response(view_policy(ask$server))

get_structure <- function(ask) {
  type <- negotiate(ask$request$headers[["accept"]],
                    c(json = "application/json", sdmx = structure_media_type))
  if (type == "json") {
    return(json_response(view_structure(ask$server), headers = c(Vary = "Accept, Authorization")))
  }
  structure_response(ask, seq_along(ask$server$variables), "structure")
}

# What the data messages of a released table refer to.
get_table_structure <- function(ask) {
  set <- path_table(ask)
  structure_response(ask, set, set_id(ask$server, set))
}

structure_response <- function(ask, set, id) {
  server <- ask$server
  text <- sdmx_structure(server$dimnames[set], list(
    id = id, agency = ask$service$agency, prepared = ask$service$started,
    variables = server$variables
  ))
  list(status = 200, body = charToRaw(enc2utf8(text)),
       headers = c(`Content-Type` = structure_media_type, Vary = "Accept, Authorization",
                   `Cache-Control` = "private, no-cache"))
}

get_levels_of <- function(ask) {
  v <- match(ask$at$id, variable_ids(ask$server$variables))
  if (is.na(v)) problem("not_found")
  page_response(ask, view_levels_of(ask$server, v, query_cursor(ask), query_limit(ask, 200)))
}

post_request <- function(ask) {
  key <- read_key(ask$request)
  wish <- read_wish(ask)
  server <- ask$server
  spend_idle(ask$service, ask$user, wish$set, key)
  ask$judged <- TRUE
  answer <- within_slot(server, ask$request$arrival, ask$service$clock, {
    request_table(server, server$variables[wish$set], user = ask$user, request_id = key,
                  if_refused = wish$if_refused)
  })
  status <- if (answer$replayed) 200 else if (answer$outcome == "deferred") 202 else 201
  response <- json_response(view_answer(server, answer), status, c(
    if (status == 201) c(Location = paste0("/v1/requests/", answer$request_id)),
    `Cache-Control` = "no-store"
  ))
  response$ledger <- c(answer$ledger, outcome = answer$outcome)
  response
}

get_request <- function(ask) {
  view <- if (grepl("^[A-Za-z0-9_-]{1,64}$", ask$at$key)) {
    view_request(ask$server, ask$user, ask$at$key)
  }
  if (is.null(view)) problem("not_found")
  json_response(view)
}

get_requests <- function(ask) {
  page_response(ask, view_requests(ask$server, ask$user, query_cursor(ask, 2^49),
                                   query_limit(ask, 200)))
}

get_tables <- function(ask) {
  page_response(ask, view_tables(ask$server, query_cursor(ask), query_limit(ask, 200)))
}

get_table <- function(ask) {
  set <- path_table(ask)
  json_response(view_table(ask$server, set, published_hash(ask$service, set)))
}

get_data <- function(ask) {
  set <- path_table(ask)
  format <- if (is.null(ask$query$format)) {
    negotiate(ask$request$headers[["accept"]], table_formats)
  } else {
    query_choice(ask, "format", names(table_formats))
  }
  hash <- published_hash(ask$service, set)
  etag <- paste0("\"", substr(hash, 1, 32), "-", format, "\"")
  response <- list(status = 200, headers = c(
    `Content-Type` = table_formats[[format]], ETag = etag,
    `Cache-Control` = "private, max-age=31536000, immutable", Vary = "Accept, Authorization",
    `Content-Disposition` = paste0("attachment; filename=\"", file_name(ask$server, set, format), "\"")
  ))
  known <- ask$request$headers[["if-none-match"]]
  if (is.null(known) || !matches_etag(known, etag)) {
    response$file <- published_file(ask$service, set, hash, format)
  }
  response
}

get_card <- function(ask) {
  set <- query_set(ask, needed = TRUE)
  json_response(view_card(ask$server, set, last_asked(ask$server, ask$user, set)))
}

get_levels <- function(ask) {
  json_response(view_levels(ask$server, query_set(ask), is_operator(ask)))
}

get_space <- function(ask) {
  server <- ask$server
  set <- query_set(ask)
  k <- length(server$variables)
  dimension <- query_whole(ask, "dimension", NULL, 0, k)
  if (is.null(dimension)) problem("bad_request", "The parameter dimension must be given.")
  status <- query_choice(ask, "status", c(space_states, if (is_operator(ask)) "refused"))
  page_response(ask, view_space(server, set, dimension, status, read_after(ask, set, dimension),
                                query_limit(ask, 50), is_operator(ask)))
}

read_after <- function(ask, set, dimension) {
  cursor <- ask$query$cursor
  if (is.null(cursor)) {
    return(NULL)
  }
  after <- id_set(ask$server, cursor)
  if (is.null(after) || length(after) != dimension || !all(set %in% after)) {
    problem("bad_request", "The cursor must be one that this list gave.")
  }
  after
}

get_frontier <- function(ask) {
  page_response(ask, view_frontier(ask$server, query_cursor(ask), query_limit(ask, 200)))
}

get_lattice <- function(ask) {
  if (length(ask$server$variables) > 8) problem("not_found")
  json_response(view_lattice(ask$server, is_operator(ask)))
}

is_operator <- function(ask) ask$role == "operator"

get_decisions <- function(ask) {
  page_response(ask, view_decisions(ask$server, query_cursor(ask, 2^49), query_limit(ask, 200)))
}

get_what_if <- function(ask) {
  json_response(view_what_if(ask$server, query_set(ask, needed = TRUE)))
}

get_history <- function(ask) {
  json_response(view_history(ask$server, query_whole(ask, "upto", Inf, 0, 2^49)))
}

get_audit <- function(ask) json_response(view_audit(ask$server))

get_metrics <- function(ask) json_response(view_metrics(ask$service))
