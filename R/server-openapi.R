# The description of the API for programs, at /openapi.json: made from the table of routes, words,
# and the examples in inst/api/examples.json, which are answers that a server gave. The schemas are
# those of the examples. The tests see that no route is missing, and that answers are of that shape.

openapi_bytes <- function(service) {
  service$openapi <- service$openapi %||% charToRaw(to_json(openapi_document()))
  service$openapi
}

openapi_document <- function() {
  examples <- jsonlite::read_json(system.file("api", "examples.json", package = "sdcLattice"))
  routes <- api_routes()
  paths <- vapply(routes, `[[`, "", "path")
  list(
    openapi = "3.0.3",
    info = list(
      title = "Table server", version = "1",
      description = paste(
        "Released sub-tables of one confidential table. Each request is judged by the risk of all",
        "that was released before together with it. A refusal is an answer like others (201), not",
        "an error. Errors are application/problem+json (RFC 9457)."
      )
    ),
    security = list(list(token = list())),
    paths = lapply(split(routes, factor(paths, unique(paths))), function(same) {
      methods <- tolower(vapply(same, `[[`, "", "method"))
      stats::setNames(lapply(same, openapi_operation, examples = examples), methods)
    }),
    components = list(
      securitySchemes = list(token = list(
        type = "http", scheme = "bearer", bearerFormat = "sdc_<id>_<secret>",
        description = "Made by the operator; a server that is open for a first look needs none."
      )),
      schemas = list(Problem = openapi_problem())
    )
  )
}

openapi_operation <- function(route, examples) {
  name <- paste(route$method, route$path)
  parameters <- c(
    lapply(route$names, openapi_parameter, place = "path"),
    lapply(route$query, openapi_parameter, place = "query", path = route$path),
    if (route$method == "POST") list(openapi_key())
  )
  out <- list(
    summary = route_words[[name]], operationId = operation_id(route),
    tags = list(if (route$role == "operator") "operators" else "users")
  )
  if (route$role == "none") out$security <- list()
  if (length(parameters) > 0) out$parameters <- parameters
  if (route$method == "POST") out$requestBody <- openapi_bodies()[[route$path]]
  out$responses <- c(openapi_successes(route, examples[[name]]), openapi_failures(route))
  out
}

operation_id <- function(route) {
  words <- gsub("[{}]", "", sub("^/(v1/)?", "", route$path))
  gsub("[^A-Za-z0-9]+", "_", paste(tolower(route$method), words))
}

route_words <- list(
  `GET /v1/health` = "Is the server able to answer?",
  `GET /v1/live` = "Is the process alive? The store is not asked",
  `GET /v1/ready` = "May requests be sent here? 503 while it ends, without its store or a judge",
  `GET /openapi.json` = "This description",
  `GET /v1/me` = "Who asks, and in which role",
  `GET /v1/policy` = "By which rules requests are decided",
  `GET /v1/metadata` = paste(
    "Title, description, source, licence and topics, in one language; null what was not given"
  ),
  `GET /v1/structure` = "The variables of the table; as SDMX structure message on request",
  `GET /v1/structure/{id}` = "The levels of a variable",
  `POST /v1/requests` = "Ask for a sub-table; the answer is in the ledger before it is given",
  `GET /v1/requests` = "Your own requests, newest first",
  `GET /v1/requests/{key}` = "Your own request of that Idempotency-Key, again",
  `GET /v1/tables` = "The released tables, in the order of their release",
  `GET /v1/tables/{id}` = "About a released table; its parts are released too",
  `GET /v1/tables/{id}/data` = "The counts of a released table",
  `GET /v1/tables/{id}/structure` = "The SDMX structure message that its data messages refer to",
  `GET /v1/catalogue` = paste(
    "All released tables: a collection of JSON-stat, or on request dataflows of SDMX; their",
    "parts are released too. The Link header leads on"
  ),
  `GET /v1/card` = "What is known of a sub-table: is it out, may it be asked for, what is near it",
  `GET /v1/levels` = paste(
    "How many sub-tables there are by dimension, among those that hold some variables"
  ),
  `GET /v1/space` = "Sub-tables of one dimension that hold some variables",
  `GET /v1/frontier` = "The maximal released sub-tables",
  `GET /v1/lattice` = paste(
    "The status of all sub-tables, up to 8 variables: a letter for each mask (variable v counts",
    "2^(v-1)), r released, o open, c closed, for operators u refused"
  ),
  `GET /v1/votes` = "The sub-tables that have your vote, newest first: waiting or released",
  `GET /v1/tally` = "The sub-tables with votes; those that would be decided next come first",
  `POST /v1/rounds` = "Decide the sub-tables of most worth, one after the other",
  `POST /v1/releases` = paste(
    "Write down a sub-table that was published by other means; `safe` says whether all that is out",
    "is still certified"
  ),
  `GET /v1/decisions` = "All decisions, newest first",
  `GET /v1/what-if` = "What the release of a sub-table would lead to; nothing is written",
  `GET /v1/history` = "What was out after a decision",
  `GET /v1/audit` = "The ledger and what is out, verified anew",
  `GET /v1/metrics` = "Figures of all processes that answer; for Prometheus as text"
)

parameter_words <- list(
  id = "Id of a table or variable, as other answers give it",
  key = "The Idempotency-Key of the request",
  cursor = "Where to go on: what `next` said",
  limit = "The most items; a page may have fewer",
  variables = "Names or ids of variables, with commas between them",
  format = "Instead of the Accept header",
  dimension = "The number of variables",
  status = "Which sub-tables",
  lang = "Language of labels, such as en or de; where it is not offered, the first one",
  upto = "The number of a decision; by default the last",
  worth = "What a sub-table is worth: its votes, or these times the cells that it adds"
)

openapi_parameter <- function(name, place, path = "") {
  numbers <- c("limit", "dimension", "upto")
  schema <- list(type = if (name %in% numbers) "integer" else "string")
  if (name == "format") {
    offers <- switch(path, `/v1/catalogue` = catalogue_formats, `/v1/metrics` = metrics_formats,
                     download_formats)
    schema$enum <- as.list(names(offers))
  }
  if (name == "worth") schema$enum <- as.list(names(worth_measures))
  if (name == "status") schema$enum <- as.list(c(space_states, "refused"))
  most <- switch(path, `/v1/space` = 50, `/v1/catalogue` = max_catalogue, 200)
  if (name == "limit") schema <- c(schema, minimum = 1, maximum = most)
  needed <- place == "path" || name == "dimension" ||
    (name == "variables" && path %in% c("/v1/card", "/v1/what-if"))
  list(name = name, `in` = place, required = needed, description = parameter_words[[name]],
       schema = schema)
}

openapi_key <- function() {
  list(
    name = "Idempotency-Key", `in` = "header", required = FALSE,
    description = "Names the request: sent again with the same key, it gets the same answer.",
    schema = list(type = "string", pattern = "^[A-Za-z0-9_-]{1,64}$"),
    example = "0d4f1c5e-9a1b-4a53-8f0e-2f3f6b1f2a77"
  )
}

# The bodies that may be sent, by path.
openapi_bodies <- function() {
  text <- function(...) list(type = "string", ...)
  variables <- list(type = "array", items = list(type = "string"),
                    description = "Names or ids of variables")
  levels <- list(type = "object", additionalProperties = list(type = "string"),
                 description = "Where levels are offered: for some variables, which")
  list(
    `/v1/requests` = openapi_body(
      list(variables = variables, levels = levels,
           if_refused = text(enum = list("nothing", "projected"),
                             description = "projected: name the largest parts that are out")),
      "variables", list(variables = list("A", "B"), if_refused = "projected")
    ),
    `/v1/rounds` = openapi_body(
      list(n = list(type = "integer", minimum = 1, maximum = max_round,
                    description = "The most sub-tables to decide; by default 1"),
           worth = text(enum = as.list(names(worth_measures)),
                        description = parameter_words$worth)),
      character(), list(n = 5, worth = "votes")
    ),
    `/v1/releases` = openapi_body(
      list(variables = variables, levels = levels,
           note = text(maxLength = max_note, description = "Where it was published; private")),
      c("variables", "note"), list(variables = list("A", "B"), note = "yearbook, table 7")
    )
  )
}

openapi_body <- function(properties, required, example) {
  schema <- list(type = "object", additionalProperties = FALSE, properties = properties)
  if (length(required) > 0) schema$required <- as.list(required)
  list(required = TRUE, content = list(`application/json` = list(schema = schema,
                                                                 example = example)))
}

openapi_successes <- function(route, example) {
  content <- if (route$path == "/v1/tables/{id}/data") {
    stats::setNames(
      lapply(unique(download_formats), function(type) list(schema = list(type = "string"))),
      unique(download_formats)
    )
  } else if (route$path == "/v1/tables/{id}/structure") {
    stats::setNames(list(list(schema = list(type = "string"))), structure_media_type)
  } else {
    list(`application/json` = c(
      list(schema = if (is.null(example)) list(type = "object") else schema_of(example)),
      if (!is.null(example)) list(example = example)
    ))
  }
  if (route$path %in% c("/v1/structure", "/v1/catalogue")) {
    content[[structure_media_type]] <- list(schema = list(type = "string"))
  }
  if (route$path == "/v1/metrics") content$`text/plain` <- list(schema = list(type = "string"))
  said <- function(words) list(description = words, content = content)
  if (route$method == "POST") {
    done <- switch(route$path,
      `/v1/requests` = "Decided: released, already (it was out), refused or projected",
      `/v1/rounds` = "Decided, as far as there was something to decide",
      "Written down"
    )
    return(c(
      list(`200` = said("Answered before under this key: the same answer"), `201` = said(done)),
      if (route$path == "/v1/requests") list(`202` = said("Deferred: it counts as a vote"))
    ))
  }
  c(list(`200` = said("As asked")),
    if (route$role != "none") list(`304` = list(description = "Not changed (If-None-Match)")))
}

# Where the header Accept chooses among several forms.
negotiated_paths <- c("/v1/structure", "/v1/catalogue", "/v1/tables/{id}/data", "/v1/metrics")

openapi_failures <- function(route) {
  status <- c(
    if (route$role != "none") c(401, 429), if (route$role == "operator") 403,
    if (length(route$query) > 0) 400,
    if (length(route$names) > 0 || route$path == "/v1/lattice") 404,
    if ("variables" %in% route$query) 422, if (route$method == "POST") c(400, 405, 413, 415, 422),
    if (route$path == "/v1/rounds") 409,
    if (route$path %in% negotiated_paths) 406, 503
  )
  kinds <- names(problems)
  of <- vapply(problems, `[[`, 0, 1)
  status <- sort(status)
  out <- lapply(status, function(one) {
    at <- kinds[of == one]
    titles <- vapply(problems[at], `[[`, "", 2)
    list(
      description = paste0(titles, " (urn:sdc:", at, ")", collapse = "; "),
      content = list(`application/problem+json` = list(
        schema = list(`$ref` = "#/components/schemas/Problem"),
        example = list(type = paste0("urn:sdc:", at[1]), title = titles[[1]], status = one,
                       request_id = "8c1f0e6b2d9a4f35")
      ))
    )
  })
  stats::setNames(out, status)
}

openapi_problem <- function() {
  text <- list(type = "string")
  list(
    type = "object", required = list("type", "title", "status", "request_id"),
    properties = list(type = text, title = text, status = list(type = "integer"),
                      request_id = text, detail = text)
  )
}

schema_of <- function(x) {
  if (is.null(x)) {
    return(list(nullable = TRUE))
  }
  if (is.list(x) && !is.null(names(x))) {
    return(list(type = "object", required = as.list(names(x)), properties = lapply(x, schema_of)))
  }
  if (is.list(x)) {
    return(list(type = "array", items = if (length(x) > 0) schema_of(x[[1]]) else named_list()))
  }
  list(type = if (is.character(x)) "string" else if (is.logical(x)) "boolean" else "number")
}
