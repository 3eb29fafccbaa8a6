# What was sent, and what all handlers answer with: reading requests, responses, problems.
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

negotiated <- c(Vary = "Accept, Authorization")

new_response <- function(text, type = "application/json", status = 200, headers = NULL) {
  usual <- c(`Content-Type` = type, `Cache-Control` = "private, no-cache", Vary = "Authorization")
  list(status = status, body = charToRaw(enc2utf8(text)),
       headers = c(usual[setdiff(names(usual), names(headers))], headers))
}

json_response <- function(view, status = 200, headers = NULL) {
  new_response(to_json(view), status = status, headers = headers)
}

# A view of what is out and what may be asked: made once for each state and all that `key` says,
# then a look-up.
state_document <- function(ask, key, view) {
  server <- ask$server
  if (length(server$views) > most_documents) server$views <- NULL
  remember(server, paste(c("document", key), collapse = " "), {
    response <- if ("next" %in% names(view)) page_response(ask, view) else json_response(view)
    with_etag(response)
  })
}

most_documents <- 5000

# A list, of which `next` also stands in a header.
page_response <- function(ask, page) {
  following <- page$`next`
  json_response(page, headers = if (!is.null(following)) next_link(ask, following))
}

next_link <- function(ask, cursor) {
  query <- ask$query
  query$cursor <- as.character(cursor)
  words <- vapply(query, function(value) {
    utils::URLencode(paste(value, collapse = ","), reserved = TRUE)
  }, "")
  c(Link = paste0("<?", paste0(names(query), "=", words, collapse = "&"), ">; rel=\"next\""))
}

# What has not changed is not sent again.
when_modified <- function(response, request) {
  if (response$status != 200) {
    return(response)
  }
  response <- with_etag(response)
  known <- strsplit(request$headers[["if-none-match"]] %||% "", ",", fixed = TRUE)[[1]]
  if (any(sub("^W/", "", trimws(known)) %in% c(response$headers[["ETag"]], "*"))) {
    response$status <- 304
    response$file <- NULL
    response$body <- raw()
  }
  response
}

with_etag <- function(response) {
  if (is.na(response$headers["ETag"])) {
    hash <- substr(sha256_of(rawToChar(response$body)), 1, 32)
    response$headers <- c(response$headers, ETag = paste0("\"", hash, "\""))
  }
  response
}

# What all responses to a request have. `of`: list(id, route, user), or a response that has them.
sign_response <- function(response, of) {
  response$headers <- c(response$headers, security_headers, `X-Request-Id` = of$id)
  response[c("id", "route", "user")] <- of[c("id", "route", "user")]
  response
}

# Becomes {} in JSON.
named_list <- function() stats::setNames(list(), character())

# ---- problems -----------------------------------------------------------------------------------

# What is said when a request cannot be answered: application/problem+json, in our words. Of each
# the status and a title.
problems <- list(
  bad_request = list(400, "The request cannot be read"),
  unauthorized = list(401, "A valid token is needed"),
  forbidden = list(403, "This is for operators only"),
  not_found = list(404, "There is nothing of this name"),
  method_not_allowed = list(405, "This method is not possible here"),
  not_acceptable = list(406, "None of the accepted formats is offered"),
  no_votes = list(409, "This server decides each request when it comes"),
  length_required = list(411, "The length of the body must be given"),
  too_large = list(413, "The body is too large"),
  uri_too_long = list(414, "The address is too long"),
  unsupported_media_type = list(415, "The body must be application/json"),
  misdirected = list(421, "This server is not known by that name"),
  unknown_variable = list(422, "A variable is unknown"),
  repeated_variable = list(422, "A variable is named twice"),
  key_reused = list(422, "The Idempotency-Key belongs to another request"),
  read_only = list(405, "This server only reads; ask the one that decides"),
  headers_too_large = list(431, "The headers are too long"),
  rate_limited = list(429, "Too many requests"),
  quota_spent = list(429, "The decisions of this day are spent"),
  internal = list(500, "The server has failed"),
  unavailable = list(503, "Nothing can be said now; ask again later"),
  stopped = list(503, "A file of the store was moved or removed: this server answers no more")
)

# `detail`: a sentence of ours.
problem <- function(kind, detail = NULL, headers = NULL) {
  stop(new_problem(kind, detail, headers))
}

# Of a request that cannot be read; what is said of it stands in parts.
bad_request <- function(...) problem("bad_request", paste0(...))

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
    contended = unavailable(1),
    moved = new_problem("stopped"),
    unavailable(10)
  )
}

# With the seconds after which asking again may help.
unavailable <- function(after_s) {
  new_problem("unavailable", headers = c(`Retry-After` = whole_text(after_s)))
}

# ---- reading ------------------------------------------------------------------------------------

# Query, path, body and headers. Nothing of it is believed.

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
    bad_request(if (length(known) == 0) "There are no parameters here." else
      paste0("The parameters are: ", paste(known, collapse = ", "), "."))
  }
  if (anyDuplicated(name)) bad_request("A parameter is given twice.")
  value <- ifelse(grepl("=", parts, fixed = TRUE, useBytes = TRUE),
                  sub("^[^=]*=", "", parts, useBytes = TRUE), "")
  stats::setNames(lapply(value, decode_part), name)
}

decode_part <- function(text) {
  bad <- function() bad_request("The address holds bytes that are no text.")
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
    bad_request("The parameter ", name, " must be a whole number from ",
                whole_text(min), " to ", whole_text(max), ".")
  }
  value
}

query_limit <- function(ask, max = 200) query_whole(ask, "limit", min(50, max), 1, max)
query_cursor <- function(ask, default = 0) query_whole(ask, "cursor", default, 0, 2^49)

query_choice <- function(ask, name, values, default = values[1]) {
  text <- ask$query[[name]] %||% default
  if (!text %in% values) {
    bad_request("The parameter ", name, " must be one of: ",
                paste(values, collapse = ", "), ".")
  }
  text
}

# By the query, or by the header Accept.
wanted_format <- function(ask, offers) {
  if (is.null(ask$query$format)) negotiate(ask$request$headers[["accept"]], offers) else
    query_choice(ask, "format", names(offers))
}

# Names or ids of variables, with commas between them.
query_set <- function(ask, needed = FALSE) {
  text <- ask$query$variables
  if (is.null(text) || !nzchar(text)) {
    if (needed) bad_request("The parameter variables must be given.")
    return(integer())
  }
  named_set(ask$server, strsplit(text, ",", fixed = TRUE)[[1]])
}

named_set <- function(server, named) {
  set <- match_variables(server, named)
  if (anyNA(set)) problem("unknown_variable")
  if (anyDuplicated(server$steps$variable[set] %||% set)) problem("repeated_variable")
  close_set(server$steps, sort(set))
}

# Never released, or nonsense: nobody is told which.
path_table <- function(ask) {
  set <- id_set(ask$server, ask$at$id)
  if (is.null(set)) problem("not_found")
  # another process may have released it just now
  if (!is_released(ask$server, set)) refresh_reader(ask$server, age_s = 0)
  if (!is_released(ask$server, set)) problem("not_found")
  set
}

read_body <- function(request) {
  type <- tolower(request$headers[["content-type"]] %||% "")
  if (!grepl("^application/json *(; *charset=\"?utf-8\"? *)?$", type, useBytes = TRUE)) {
    problem("unsupported_media_type")
  }
  if (!is.null(request$headers[["content-encoding"]])) problem("unsupported_media_type")
  bad <- function(...) bad_request("The body must be a JSON object.")
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

# `form`: as the ledger has it.
read_wish <- function(ask) {
  body <- read_members(ask, c("variables", "if_refused", level_member(ask)))
  if_refused <- body$if_refused %||% "nothing"
  if (!is_text(if_refused) || !if_refused %in% c("nothing", "projected")) {
    bad_request("The member if_refused must be \"nothing\" or \"projected\".")
  }
  list(set = body_set(ask, body), form = if (if_refused == "nothing") "table" else if_refused)
}

# Where the server offers levels.
level_member <- function(ask) if (!is.null(ask$server$steps)) "levels"

# A body with these members and no others.
read_members <- function(ask, known) {
  body <- read_body(ask$request)
  if (!all(names(body) %in% known) || anyDuplicated(names(body))) {
    bad_request("The members of the body are ", paste(known, collapse = ", "),
                ", each at most once.")
  }
  body
}

body_set <- function(ask, body) {
  named <- body$variables
  if (!is.list(named) || !is.null(names(named)) || !all(vapply(named, is_text, NA))) {
    bad_request("The member variables must be an array of strings.")
  }
  named_set(ask$server, wish_at_levels(ask$server, as.character(unlist(named)), body$levels))
}

# Variables, with the levels that an object says for some of them.
wish_at_levels <- function(server, named, levels) {
  if (length(levels) == 0) {
    return(named)
  }
  ok <- is.list(levels) && !is.null(names(levels)) && all(vapply(levels, is_text, NA)) &&
    !anyDuplicated(names(levels)) && all(names(levels) %in% named)
  if (!ok) {
    bad_request("The member levels must be an object: for some of the variables the name of a ",
                "level.")
  }
  at <- match(names(levels), named)
  named[at] <- step_labels(server$steps, names(levels), as.character(unlist(levels)))
  named
}

read_key <- function(request) {
  key <- request$headers[["idempotency-key"]]
  if (!is.null(key) && !is_request_id(key)) {
    bad_request("The Idempotency-Key must have 1 to 64 letters, digits, underscores or hyphens.")
  }
  key
}

# The offer that is wanted most, by name; `offers`: media types, the first is for who takes any.
negotiate <- function(accept, offers) {
  if (is.null(accept) || accept == "*/*" || !nzchar(trimws(accept))) {
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
