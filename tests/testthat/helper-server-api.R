# Requests to the routes of a table server, without a socket.

server_of <- function(policy = server_policy(risk_width(3), time_limit_s = 5), x = czech_workers,
                      ...,
                      frame = parent.frame()) {
  local_server(x, policy, ..., frame = frame)
}

# A service with the users ann and bob and the operator olga; `tokens` has theirs.
local_service <- function(server = server_of(frame = frame), ..., frame = parent.frame()) {
  service <- new_service(server, ...)
  withr::defer(close_service(service), envir = frame)
  add_server_user(server, "ann")
  add_server_user(server, "bob")
  add_server_user(server, "olga", "operator")
  service$tokens <- vapply(c("ann", "bob", "olga"), function(id) issue_server_token(server, id), "")
  service
}

# `as`: a user, or NULL for a request without a token.
api <- function(service, method, address, as = "ann", headers = list(), body = raw()) {
  path <- sub("[?].*", "", address, useBytes = TRUE)
  query <- if (grepl("?", address, fixed = TRUE, useBytes = TRUE)) sub("^[^?]*", "", address,
                                                                       useBytes = TRUE) else ""
  if (!is.null(as)) headers$authorization <- paste("Bearer", service$tokens[[as]])
  if (is.character(body)) body <- charToRaw(enc2utf8(body))
  request <- list(method = method, path = path, query = query, headers = headers, body = body,
                  arrival = service$clock())
  response <- route(service, request)
  response$text <- if (!is.null(response$file)) {
    readChar(response$file, file.size(response$file), useBytes = TRUE)
  } else {
    rawToChar(response$body %||% raw())
  }
  Encoding(response$text) <- "UTF-8"
  if (grepl("json", response$headers[["Content-Type"]]) && nzchar(response$text)) {
    response$json <- jsonlite::parse_json(response$text)
  }
  response
}

api_get <- function(service, address, ...) api(service, "GET", address, ...)

post_wish <- function(service, variables, ..., key = NULL, as = "ann", if_refused = NULL) {
  body <- list(variables = as.list(variables))
  body$if_refused <- if_refused
  headers <- list(`content-type` = "application/json")
  headers$`idempotency-key` <- key
  api(service, "POST", "/v1/requests", as = as, headers = headers, body = to_json(body))
}

expect_problem <- function(response, status, kind) {
  expect_identical(as.numeric(response$status), status)
  expect_identical(response$headers[["Content-Type"]], "application/problem+json")
  expect_identical(response$json$type, paste0("urn:sdc:", kind))
  expect_identical(as.numeric(response$json$status), status)
  testthat::expect_match(response$json$request_id, "^[0-9a-f]{16}$")
  expect_identical(response$headers[["X-Request-Id"]], response$json$request_id)
  expect_true(all(names(response$json) %in%
                            c("type", "title", "status", "request_id", "detail")))
}

# All pages of a list.
all_items <- function(service, address, as = "ann") {
  items <- list()
  cursor <- NULL
  repeat {
    glue <- if (grepl("?", address, fixed = TRUE)) "&" else "?"
    page <- api_get(service, paste0(address, if (!is.null(cursor)) paste0(glue, "cursor=", cursor)),
                    as = as)
    expect_identical(as.numeric(page$status), 200)
    items <- c(items, page$json$items)
    cursor <- page$json$`next`
    if (is.null(cursor)) {
      return(items)
    }
  }
}
