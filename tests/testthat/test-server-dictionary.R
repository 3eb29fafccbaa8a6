new_find <- function(...) {
  dictionary <- route_dictionary(list(...))
  function(method, path) {
    found <- tryCatch(find_route(dictionary, list(method = method, path = path)),
                      sdc_problem = function(cnd) cnd)
    if (inherits(found, "sdc_problem")) found$kind else c(found$route$path, unlist(found$at))
  }
}

test_that("property: a path finds its route by its parts, and parameters by their place", {
  find <- new_find(
    new_route("GET", "/v1/tables", "user", identity),
    new_route("GET", "/v1/tables/all", "user", identity),
    new_route("GET", "/v1/tables/{id}", "user", identity),
    new_route("POST", "/v1/tables/{id}", "user", identity),
    new_route("GET", "/v1/tables/{id}/data", "user", identity),
    new_route("GET", "/v1/tables/{id}/notes/{key}", "user", identity)
  )
  expect_identical(find("GET", "/v1/tables"), "/v1/tables")
  expect_identical(find("GET", "/v1/tables/all"), "/v1/tables/all")
  expect_identical(find("HEAD", "/v1/tables/03"), c("/v1/tables/{id}", id = "03"))
  expect_identical(find("POST", "/v1/tables/{}"), c("/v1/tables/{id}", id = "{}"))
  expect_identical(find("GET", "/v1/tables/a%20b/data"), c("/v1/tables/{id}/data", id = "a%20b"))
  expect_identical(find("GET", "/v1/tables/a/notes/b"),
                   c("/v1/tables/{id}/notes/{key}", id = "a", key = "b"))
  for (path in c("", "/", "v1/tables", "x/v1/tables/03", "/v1/tables/", "/v1/tables//",
                 "/v1/tables//data", "/v1/tables/03/data/", "/v1/tables/03/date", "/v1//tables",
                 "/v1/tables/a/notes/", "/v1/tables/a/b/c/d", "/v1/tables/\xff")) {
    expect_identical(find("GET", path), "not_found", info = path)
  }
  expect_identical(find("PUT", "/v1/tables/03"), "method_not_allowed")
  expect_identical(find("POST", "/v1/tables"), "method_not_allowed")
})

test_that("property: routes that could not be told apart are found when the table is made", {
  expect_error(new_find(new_route("GET", "/v1/a/{id}", "user", identity),
                        new_route("GET", "/v1/a/{key}", "user", identity)))
  expect_error(new_find(new_route("GET", "/v1/a/{id}/x", "user", identity),
                        new_route("GET", "/v1/a/b/{id}", "user", identity)))
})
