# What is said when a request cannot be answered: application/problem+json, in our words.

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
