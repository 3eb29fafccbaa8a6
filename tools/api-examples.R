# Renews the examples in inst/api/openapi.json, the description of the API, and the schemas that
# follow from them: the answers of the installed package to one request on each route. The words of
# the description are written there by hand. Run from the top level, after a route was changed:
# Rscript tools/api-examples.R
suppressMessages(library(sdcLattice))
ns <- asNamespace("sdcLattice")
# Votes are of a second server: the first one decides at once.
metadata <- server_metadata(system.file("extdata", "czech-workers.yml", package = "sdcLattice"),
                            czech_workers)
server <- table_server(czech_workers, server_policy(risk_width(3)), metadata = metadata,
                       progress = FALSE)
service_of <- function(server) {
  service <- ns$new_service(server)
  add_server_user(server, "olga", "operator")
  service$token <- issue_server_token(server, "olga")
  service
}
service <- service_of(server)
voting <- table_server(czech_workers, server_policy(risk_width(3), rule = "value"), progress = FALSE)
votes <- service_of(voting)

ask <- function(method, path, query = "", body = NULL, key = NULL, of = service) {
  service <- of
  token <- service$token
  headers <- list(authorization = paste("Bearer", token), `content-type` = "application/json")
  headers$`idempotency-key` <- key
  request <- list(method = method, path = path, query = query, headers = headers,
                  body = charToRaw(if (is.null(body)) "" else body), arrival = service$clock())
  response <- ns$route(service, request)
  stopifnot(response$status %in% 200:202)
  response
}
wish <- function(variables, key) {
  body <- jsonlite::toJSON(list(variables = variables, if_refused = jsonlite::unbox("projected")))
  ask("POST", "/v1/requests", body = as.character(body), key = key)
}

queries <- c(card = "variables=A,C", `what-if` = "variables=A,C", levels = "variables=A,B",
             space = "dimension=2&variables=A&status=open&limit=2", tables = "limit=2&cursor=5",
             decisions = "limit=1", structure = "", metadata = "", catalogue = "limit=1", frontier = "limit=2", requests = "limit=1")
released <- wish(c("A", "B"), "0d4f1c5e-9a1b-4a53-8f0e-2f3f6b1f2a77")
invisible(ask("POST", "/v1/requests", body = "{\"variables\": [\"A\", \"C\"]}", of = votes))
posts <- c(`/v1/rounds` = "{\"n\": 5}",
           `/v1/releases` = "{\"variables\": [\"A\", \"D\"], \"note\": \"yearbook, table 7\"}")
examples <- list()
for (route in service$routes) {
  name <- paste(route$method, route$path)
  path <- sub("{key}", "0d4f1c5e-9a1b-4a53-8f0e-2f3f6b1f2a77", route$path, fixed = TRUE)
  path <- sub("structure/{id}", "structure/v1", path, fixed = TRUE)
  path <- sub("{id}", "03", path, fixed = TRUE)
  text <- c("GET /openapi.json", "GET /v1/tables/{id}/data", "GET /v1/tables/{id}/structure")
  if (name %in% text) next
  query <- if (length(route$query) > 0 && !grepl("{", route$path, fixed = TRUE)) queries[sub("/v1/", "", path)]
  of <- if (path %in% c("/v1/votes", "/v1/tally", names(posts))) votes else service
  response <- if (path %in% names(posts)) ask("POST", path, body = posts[[path]], of = of) else
    if (route$method == "POST") released else
      ask("GET", path, if (is.null(query) || is.na(query)) "" else paste0("?", query), of = of)
  examples[[name]] <- jsonlite::parse_json(rawToChar(response$body))
}

schema_of <- function(x) {
  if (is.null(x)) {
    return(list(nullable = TRUE))
  }
  if (is.list(x) && !is.null(names(x))) {
    return(list(type = "object", required = as.list(names(x)), properties = lapply(x, schema_of)))
  }
  if (is.list(x)) {
    items <- if (length(x) > 0) schema_of(x[[1]]) else stats::setNames(list(), character())
    return(list(type = "array", items = items))
  }
  list(type = if (is.character(x)) "string" else if (is.logical(x)) "boolean" else "number")
}

file <- file.path("inst", "api", "openapi.json")
document <- jsonlite::read_json(file)
for (name in names(examples)) {
  method <- tolower(sub(" .*", "", name))
  path <- sub(".* ", "", name)
  responses <- document$paths[[path]][[method]]$responses
  for (status in intersect(c("200", "201", "202"), names(responses))) {
    document$paths[[path]][[method]]$responses[[status]]$content$`application/json` <-
      list(schema = schema_of(examples[[name]]), example = examples[[name]])
  }
}
json <- jsonlite::toJSON(document, auto_unbox = TRUE, null = "null", digits = NA, pretty = TRUE)
writeLines(enc2utf8(as.character(json)), file, useBytes = TRUE)
close(server)
close(voting)
