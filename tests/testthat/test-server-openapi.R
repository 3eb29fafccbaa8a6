skip_if_no_store()

pluck <- function(x, path) Reduce(function(x, name) x[[name]], path, x)

test_that("property: the description has every route, and no other", {
  service <- local_service()
  answer <- api_get(service, "/openapi.json", as = NULL)
  expect_identical(answer$status, 200)
  document <- answer$json
  described <- unlist(lapply(names(document$paths), function(path) {
    paste(toupper(names(document$paths[[path]])), path)
  }))
  expect_setequal(described,
                  vapply(service$routes, function(route) paste(route$method, route$path), ""))
  described_of <- function(route) document$paths[[route$path]][[tolower(route$method)]]
  parameters_of <- function(route, place) {
    parameters <- Filter(function(one) one$`in` == place, described_of(route)$parameters)
    vapply(parameters, `[[`, "", "name")
  }
  for (route in service$routes) {
    expect_setequal(parameters_of(route, "path"), route$names)
    expect_setequal(parameters_of(route, "query"), route$query)
    expect_identical(length(described_of(route)$security %||% "token") == 0, route$role == "none")
    expect_identical("403" %in% names(described_of(route)$responses), route$role == "operator")
    expect_identical("Idempotency-Key" %in% parameters_of(route, "header"),
                     route$method == "POST")
  }
  operations <- unlist(unname(document$paths), recursive = FALSE)
  ids <- vapply(operations, `[[`, "", "operationId")
  expect_false(anyDuplicated(ids) > 0)
  for (operation in operations) {
    expect_true(is.character(operation$summary))
    for (parameter in operation$parameters) {
      expect_true(is.character(parameter$description))
      expect_true(parameter$`in` %in% c("path", "query", "header"))
    }
    expect_true("503" %in% names(operation$responses))
    expect_true(any(c("200", "201") %in% names(operation$responses)))
  }
  references <- unlist(regmatches(answer$text, gregexpr("#/components/[A-Za-z0-9/]+", answer$text)))
  for (reference in unique(references)) {
    expect_false(is.null(pluck(document, strsplit(sub("#/", "", reference), "/")[[1]])))
  }
})

test_that("property: the description offers what the server takes", {
  service <- local_service()
  document <- api_get(service, "/openapi.json", as = NULL)$json
  paths <- document$paths
  schema_of <- function(path, name) {
    named <- vapply(paths[[path]]$get$parameters, `[[`, "", "name")
    paths[[path]]$get$parameters[[match(name, named)]]$schema
  }
  choices <- function(path, name) unlist(schema_of(path, name)$enum)
  expect_identical(choices("/v1/tables/{id}/data", "format"), names(download_formats))
  expect_identical(choices("/v1/catalogue", "format"), names(catalogue_formats))
  expect_identical(choices("/v1/metrics", "format"), names(metrics_formats))
  expect_identical(choices("/v1/tally", "worth"), names(worth_measures))
  expect_identical(choices("/v1/space", "status"), c(space_states, "refused"))
  expect_equal(schema_of("/v1/catalogue", "limit")$maximum, max_catalogue)
  body_of <- function(path) {
    paths[[path]]$post$requestBody$content$`application/json`$schema$properties
  }
  expect_equal(body_of("/v1/rounds")$n$maximum, max_round)
  expect_identical(unlist(body_of("/v1/rounds")$worth$enum), names(worth_measures))
  expect_equal(body_of("/v1/releases")$note$maxLength, max_note)
  # each kind of problem is one that the server has
  said <- unlist(lapply(document$components$responses, `[[`, "description"))
  named <- unlist(regmatches(said, gregexpr("urn:sdc:[a-z_]+", said)))
  expect_true(all(sub("urn:sdc:", "", named) %in% names(problems)))
})

# The names that an answer must have, and the kinds of its values, all the way down.
expect_fits <- function(x, schema, at) {
  if (is.null(x) || length(schema) == 0 || isTRUE(schema$nullable)) {
    return(invisible())
  }
  if (schema$type == "object" && length(schema$properties) > 0 && at != "GET /v1/metrics$answers") {
    expect_setequal(names(x), names(schema$properties))
    for (name in names(x)) expect_fits(x[[name]], schema$properties[[name]], paste0(at, "$", name))
  } else if (schema$type == "array") {
    expect_true(is.list(x) && is.null(names(x)), info = at)
    for (item in x) expect_fits(item, schema$items, at)
  } else {
    kind <- switch(class(x)[1], character = "string", logical = "boolean", list = "object",
                   "number")
    expect_identical(kind, schema$type, info = at)
  }
}

test_that("property: answers are of the shape that is described", {
  service <- local_service()
  document <- api_get(service, "/openapi.json", as = NULL)$json
  post_wish(service, c("A", "B"), key = "k")
  post_wish(service, c("A", "B", "D"), key = "k2")
  post_wish(service, LETTERS[1:6], if_refused = "projected")
  schema <- function(method, path, status = "200") {
    document$paths[[path]][[method]]$responses[[status]]$content$`application/json`$schema
  }
  addresses <- c(
    `/v1/card` = "/v1/card?variables=A,B,C", `/v1/card` = "/v1/card?variables=A,B",
    `/v1/space` = "/v1/space?dimension=2", `/v1/what-if` = "/v1/what-if?variables=A,D",
    `/v1/structure/{id}` = "/v1/structure/v2", `/v1/tables/{id}` = "/v1/tables/01",
    `/v1/requests/{key}` = "/v1/requests/k"
  )
  plain_routes <- Filter(function(route) {
    route$method == "GET" && !route$path %in%
      c(names(addresses), "/openapi.json", "/v1/tables/{id}/data",
                                                  "/v1/tables/{id}/structure")
  }, service$routes)
  paths <- vapply(plain_routes, `[[`, "", "path")
  addresses <- c(addresses, stats::setNames(paths, paths))
  post_wish(service, c("A", "B"), key = "k", as = "olga")
  for (i in seq_along(addresses)) {
    path <- names(addresses)[i]
    answer <- api_get(service, addresses[[i]], as = "olga")
    expect_identical(answer$status, 200, info = path)
    expect_fits(answer$json, schema("get", path), paste("GET", path))
  }
  expect_fits(post_wish(service, c("C", "D"))$json, schema("post", "/v1/requests", "201"), "POST")
})
