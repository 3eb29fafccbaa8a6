# Responses: their headers, pages of a list, and what has not changed.

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
  known <- request$headers[["if-none-match"]]
  if (!is.null(known) && matches_etag(known, response$headers[["ETag"]])) {
    response$status <- 304
    response$file <- NULL
    response$body <- raw()
  }
  response
}

with_etag <- function(response) {
  if (is.na(response$headers["ETag"])) {
    hash <- paste(as.character(openssl::sha256(response$body)), collapse = "")
    response$headers <- c(response$headers, ETag = paste0("\"", substr(hash, 1, 32), "\""))
  }
  response
}

matches_etag <- function(known, etag) {
  known <- sub("^W/", "", trimws(strsplit(known, ",", fixed = TRUE)[[1]]))
  any(known %in% c(etag, "*"))
}

# What all responses to a request have. `of`: list(id, route, user), or a response that has them.
sign_response <- function(response, of) {
  response$headers <- c(response$headers, security_headers, `X-Request-Id` = of$id)
  response[c("id", "route", "user")] <- of[c("id", "route", "user")]
  response
}

# Becomes {} in JSON.
named_list <- function() stats::setNames(list(), character())
