skip_if_no_store()

test_that("property: a request is answered, and its table is then given in each format", {
  service <- local_service()
  answer <- post_wish(service, c("A", "B"), key = "k1")
  expect_identical(answer$status, 201)
  expect_identical(answer$json$outcome, "released")
  expect_identical(answer$headers[["Location"]], "/v1/requests/k1")
  expect_identical(answer$json$table$id, "03")
  expect_identical(answer$json$table$links$data, "/v1/tables/03/data")
  expect_identical(answer$json$ledger$seq, 1L)
  again <- post_wish(service, c("A", "B"), key = "k1")
  expect_identical(again$status, 200)
  expect_identical(again$text, answer$text)
  expect_identical(api_get(service, "/v1/requests/k1")$json, answer$json)
  expect_problem(api_get(service, "/v1/requests/k1", as = "bob"), 404, "not_found")

  csv <- api_get(service, "/v1/tables/03/data")
  expect_identical(csv$headers[["Content-Type"]], "text/csv; charset=utf-8")
  read <- utils::read.csv(text = csv$text)
  expect_equal(xtabs(count ~ A + B, read), as.table(margin(czech_workers, c("A", "B"))),
               ignore_attr = TRUE)
  for (format in names(table_formats)) {
    by_query <- api_get(service, paste0("/v1/tables/03/data?format=", format))
    by_accept <- api_get(service, "/v1/tables/03/data",
                         headers = list(accept = table_formats[[format]]))
    expect_identical(by_query$text, by_accept$text)
    expect_identical(by_query$headers[["Content-Type"]], table_formats[[format]])
    same <- api_get(service, paste0("/v1/tables/03/data?format=", format),
                    headers = list(`if-none-match` = by_query$headers[["ETag"]]))
    expect_identical(same$status, 304)
    expect_identical(same$text, "")
  }
  expect_problem(api_get(service, "/v1/tables/03/data", headers = list(accept = "image/png")), 406,
                 "not_acceptable")
  # formats that are not offered here are not named either, but known
  local_mocked_bindings_store(can_make_books = function() FALSE)
  wrong <- api_get(service, "/v1/tables/03/data?format=xls")
  expect_problem(wrong, 400, "bad_request")
  expect_match(wrong$text, "must be one of: csv, json")
  expect_no_match(wrong$text, "xlsx")
  expect_problem(api_get(service, "/v1/tables/03/data?format=xlsx"), 406, "not_acceptable")
})

test_that("property: downloads have the name of their table, in letters that all systems take", {
  service <- local_service()
  post_wish(service, c("A", "B"))
  names <- vapply(names(table_formats), function(format) {
    api_get(service, paste0("/v1/tables/03/data?format=", format))$headers[["Content-Disposition"]]
  }, "", USE.NAMES = FALSE)
  expect_identical(names, paste0("attachment; filename=\"table_A_B-03.",
                                 c("csv", "json", "sdmx.csv", "xml"), "\""))
  nasty <- stats::setNames(list(1:2, 1:2), c("a\"\r\nX: y", "\u00e4/../b"))
  x <- sdc_table(array(c(9, 9, 9, 2), c(2, 2), nasty))
  service <- local_service(server_of(server_policy(risk_width(2), time_limit_s = 5), x))
  for (id in c("1", "2")) {
    name <- api_get(service, paste0("/v1/tables/", id, "/data"))$headers[["Content-Disposition"]]
    expect_match(name, "^attachment; filename=\"[A-Za-z0-9_.-]+\"$")
  }
})

test_that("property: a released table has the structure that its data messages refer to", {
  service <- local_service()
  post_wish(service, c("A", "B"), key = "k1")
  about <- api_get(service, "/v1/tables/03")$json
  expect_true(about$zeros)
  expect_identical(about$links$structure, "/v1/tables/03/structure")
  structure <- api_get(service, about$links$structure)
  expect_identical(structure$headers[["Content-Type"]], structure_media_type)
  data <- api_get(service, "/v1/tables/03/data?format=sdmx-ml")
  expect_match(data$text, "id=\"DSD_03\"", fixed = TRUE)
  expect_match(structure$text, "<structure:DataStructure id=\"DSD_03\"", fixed = TRUE)
  ids <- function(text, pattern) unique(regmatches(text, gregexpr(pattern, text))[[1]])
  for (id in ids(data$text, "V[0-9]+_[A-Z]")) expect_match(structure$text, id, fixed = TRUE)
  expect_no_match(structure$text, "CL_V3_C")
  expect_problem(api_get(service, "/v1/tables/07/structure"), 404, "not_found")
})

test_that("property: a refusal is an answer, and tells its reason in one word", {
  service <- local_service()
  far <- post_wish(service, c("A", "B", "C"))
  expect_identical(far$status, 201)
  expect_identical(far$json[c("outcome", "reason")],
                   list(outcome = "refused", reason = "structural"))
  expect_null(far$json$table)
  parts <- post_wish(service, c("A", "B", "C"), if_refused = "projected")
  expect_identical(parts$json$outcome, "projected")
  expect_identical(vapply(parts$json$parts, `[[`, "", "id"), c("01", "02", "04"))
  expect_identical(length(api_get(service, "/v1/requests")$json$items), 2L)
  expect_identical(api_get(service, "/v1/requests", as = "bob")$json$items, list())
})

test_that("property: votes are deferred", {
  service <- local_service(server_of(server_policy(risk_width(3), rule = "value")))
  expect_identical(post_wish(service, c("A", "B"), key = "v")$status, 202)
  expect_identical(post_wish(service, c("A", "B"), key = "v")$status, 200)
})

test_that("property: who asks is known by the token alone", {
  service <- local_service()
  gets <- Filter(function(route) route$method == "GET" && route$role != "none", service$routes)
  for (route in gets) {
    path <- gsub("{id}", "01", gsub("{key}", "k", route$path, fixed = TRUE), fixed = TRUE)
    none <- api_get(service, path, as = NULL)
    expect_problem(none, 401, "unauthorized")
    expect_identical(none$headers[["WWW-Authenticate"]], "Bearer")
    if (route$role == "operator") expect_problem(api_get(service, path), 403, "forbidden")
  }
  wrong <- c("", "Bearer", "Bearer ", "Basic abc", "Bearer sdc_1_2",
             paste0("Bearer ", service$tokens["ann"], "0"),
             paste("Bearer", service$tokens["ann"], service$tokens["olga"]), "Bearer \xff",
             paste0("Bearer ", service$tokens["ann"], ", Bearer ", service$tokens["olga"]))
  for (header in wrong) {
    expect_problem(api_get(service, "/v1/me", as = NULL, headers = list(authorization = header)),
                   401, "unauthorized")
  }
  expect_identical(api_get(service, "/v1/me", as = "olga")$json,
                   list(user = "olga", role = "operator"))
  for (more in c("?user=olga", "?role=operator", "?req=1", "?res=1", "?server=x")) {
    expect_problem(api_get(service, paste0("/v1/me", more)), 400, "bad_request")
    expect_problem(api_get(service, paste0("/v1/decisions", more)), 403, "forbidden")
  }
  body <- "{\"variables\":[\"A\"],\"user\":\"olga\"}"
  expect_problem(api(service, "POST", "/v1/requests",
                     headers = list(`content-type` = "application/json"), body = body),
                 400, "bad_request")
  revoke_server_token(service$server, strsplit(service$tokens[["bob"]], "_")[[1]][2])
  expect_problem(api_get(service, "/v1/me", as = "bob"), 401, "unauthorized")
  disable_server_user(service$server, "ann")
  expect_problem(api_get(service, "/v1/me"), 401, "unauthorized")
  expect_identical(api_get(service, "/v1/health", as = NULL)$json, list(status = "ok"))
})

test_that("property: an open server takes guests, as users, and under its own name only", {
  service <- local_service(open = TRUE)
  expect_identical(api_get(service, "/v1/me", as = NULL)$json, list(user = "guest", role = "user"))
  expect_identical(api_get(service, "/v1/me", as = "olga")$json$role, "operator")
  expect_problem(api_get(service, "/v1/decisions", as = NULL), 403, "forbidden")
  expect_problem(api_get(service, "/v1/me", as = NULL, headers = list(authorization = "Bearer x")),
                 401, "unauthorized")
  for (host in c("127.0.0.1:8080", "LOCALHOST", "[::1]:80")) {
    expect_identical(api_get(service, "/v1/me", as = NULL, headers = list(host = host))$status, 200)
  }
  for (host in c("evil.example", "127.0.0.1.evil.example:80")) {
    expect_problem(api_get(service, "/v1/me", as = NULL, headers = list(host = host)), 421,
                   "misdirected")
  }
})

test_that("property: paths and methods that there are not", {
  service <- local_service()
  for (path in c("/v1", "/v1/", "/v2/me", "/v1/me/", "/v1/tables/03%2Fdata",
                 "/v1/tables/..%2f..%2fetc", "/v1//me",
                 "/v1/tables/%00", "/V1/me", "/v1/requests/a%20b", "/v1/structure/A",
                 "/v1/structure/v7",
                 "/v1/tables/\xff", "")) {
    expect_problem(api_get(service, path), 404, "not_found")
  }
  for (method in c("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO", "get")) {
    answer <- api(service, method, "/v1/requests")
    expect_problem(answer, 405, "method_not_allowed")
    expect_identical(answer$headers[["Allow"]], "POST, GET, HEAD")
  }
  expect_identical(api(service, "POST", "/v1/me")$headers[["Allow"]], "GET, HEAD")
  expect_identical(api(service, "HEAD", "/v1/me")$status, 200)
})

test_that("property: what is not out cannot be told from nonsense", {
  service <- local_service()
  post_wish(service, c("A", "B", "C"))
  missing <- lapply(c("03", "07", "ff", "0", "xx", "003", "%30%33", "-1", "AB"), function(id) {
    for (tail in c("", "/data", "/data?format=csv")) {
      answer <- api_get(service, paste0("/v1/tables/", id, tail))
      expect_problem(answer, 404, "not_found")
      answer$json$request_id <- NULL
      answer$headers <- answer$headers[names(answer$headers) != "X-Request-Id"]
      expect_identical(answer$headers,
                       c(`Content-Type` = "application/problem+json", `Cache-Control` = "no-store",
                                         security_headers))
    }
    answer$json
  })
  expect_identical(length(unique(missing)), 1L)
})

test_that("property: queries that cannot be read", {
  service <- local_service()
  for (query in c("variables=A&variables=B", "variables=%00", "variables=%ff", "variables=%zz",
                  "variables=%2",
                  "variables=A%00", "Variables=A", "variables=A&x", "=A",
                  "%76ariables=A&variables=B", "")) {
    expect_problem(api_get(service, paste0("/v1/card?", query)), 400, "bad_request")
  }
  expect_identical(api_get(service, "/v1/card?%76ariables=%41")$json$variables, list("A"))
  expect_problem(api_get(service, "/v1/card?variables=A,Z"), 422, "unknown_variable")
  expect_problem(api_get(service, "/v1/card?variables=A'%20OR%201=1--"), 422, "unknown_variable")
  expect_problem(api_get(service, "/v1/card?variables=A,v1"), 422, "repeated_variable")
  for (query in c("limit=0", "limit=201", "limit=1e2", "limit=-1", "limit=", "limit=1.5",
                  "limit=NA", "cursor=x",
                  "cursor=9999999999999999", "limit=9999999999999999999999")) {
    expect_problem(api_get(service, paste0("/v1/tables?", query)), 400, "bad_request")
  }
  for (query in c("dimension=7", "", "dimension=2&status=refused", "dimension=2&cursor=zz",
                  "dimension=2&cursor=01",
                  "dimension=2&limit=51")) {
    expect_problem(api_get(service, paste0("/v1/space?", query)), 400, "bad_request")
  }
  long <- paste0("/v1/card?variables=", strrep("A", 8200))
  expect_problem(api_get(service, long), 414, "uri_too_long")
})

test_that("property: bodies that cannot be read decide nothing", {
  service <- local_service()
  json <- list(`content-type` = "application/json")
  send <- function(body, headers = json) api(service, "POST", "/v1/requests", headers = headers,
                                             body = body)
  for (body in c("", "{", "{\"variables\":[\"A\"", "[]", "null", "1", "\"A\"",
                 "[{\"variables\":[\"A\"]}]", "{}",
                 "{\"variables\":\"A\"}", "{\"variables\":{\"x\":\"A\"}}", "{\"variables\":[1]}",
                 "{\"variables\":[null]}",
                 "{\"variables\":[[\"A\"]]}", "{\"variables\":[\"A\"],\"if_refused\":\"x\"}",
                 "{\"variables\":[\"A\"],\"if_refused\":1}",
                 "{\"variables\":[\"A\"],\"variables\":[\"B\"]}",
                 "{\"variables\":[\"A\"],\"x\":1}", "{\"variables\":[\"A\"]} x", strrep("[", 16000),
                 strrep("{\"a\":", 3000), "\xff\xfe")) {
    expect_problem(send(body), 400, "bad_request")
  }
  expect_problem(send(as.raw(c(0x7b, 0, 0x7d))), 400, "bad_request")
  expect_problem(send(paste0("{\"variables\":[\"A\"]}", strrep(" ", 16384))), 413, "too_large")
  wish <- "{\"variables\":[\"A\",\"B\"]}"
  for (type in c("text/plain", "application/xml", "", "application/jsonx",
                 "application/json; charset=latin1",
                 "multipart/form-data; boundary=x", "application/x-www-form-urlencoded")) {
    expect_problem(send(wish, list(`content-type` = type)), 415, "unsupported_media_type")
  }
  expect_problem(send(wish, list()), 415, "unsupported_media_type")
  expect_problem(send(wish, c(json, `content-encoding` = "gzip")), 415, "unsupported_media_type")
  for (key in c("", "a b", strrep("a", 65), "a/b", "\xff", "a,b", "ä")) {
    expect_problem(send(wish, c(json, `idempotency-key` = key)), 400, "bad_request")
  }
  expect_problem(send("{\"variables\":[\"A\",\"Q\"]}"), 422, "unknown_variable")
  expect_problem(send("{\"variables\":[\"A\",\"A\"]}"), 422, "repeated_variable")
  expect_problem(send("{\"variables\":[\"A\\u0000\"]}"), 400, "bad_request")
  expect_identical(service$server$store$seq, 0)
  expect_identical(send(wish, list(`content-type` = "application/JSON; charset=utf-8"))$status, 201)
  expect_identical(send("{\"variables\":[]}")$json$outcome, "already")
})

test_that("property: SQL in names, keys and levels stays text", {
  nasty <- c("a'); DROP TABLE decision;--", "b\"; DELETE FROM users; --",
             "<img src=x onerror=alert(1)>")
  dimnames <- stats::setNames(list(c("x'", "y"), c("=1+1", "\""), c("a,b", "c\n")), nasty)
  x <- sdc_table(as.table(array(c(9, 8, 7, 9, 8, 2, 9, 9), c(2, 2, 2), dimnames = dimnames)))
  service <- local_service(server_of(server_policy(risk_width(2)), x))
  answer <- post_wish(service, nasty[1:2])
  expect_identical(answer$json$variables, as.list(nasty[1:2]))
  expect_identical(answer$json$outcome, "released")
  for (format in names(table_formats)) {
    expect_identical(api_get(service, paste0("/v1/tables/3/data?format=", format))$status, 200)
  }
  expect_identical(api_get(service, "/v1/card?variables=v3")$json$variables, list(nasty[3]))
  expect_identical(nrow(as.data.frame(service$server)), 1L)
  expect_identical(nrow(server_users(service$server)), 3L)
})

test_that("property: a key belongs to one request of one user", {
  service <- local_service()
  post_wish(service, c("A", "B"), key = "k")
  expect_problem(post_wish(service, c("A", "C"), key = "k"), 422, "key_reused")
  expect_identical(post_wish(service, c("A", "C"), key = "k", as = "bob")$status, 201)
})

test_that("property: answers of the judge leave at ticks, others at once", {
  now <- 1000
  service <- local_service(server_of(server_policy(risk_width(3), tick_s = .25)),
                           clock = function() {
    now <<- now + .01
    now
  })
  for (variables in list(c("A", "B"), LETTERS[1:4], "A")) {
    arrival <- now + .01
    expect_equal(post_wish(service, variables)$leave_at - arrival, .25)
  }
  expect_null(post_wish(service, "Z")$leave_at)
  expect_null(api_get(service, "/v1/me")$leave_at)
  post_wish(service, c("A", "B"), key = "k")
  expect_false(is.null(post_wish(service, c("A", "C"), key = "k")$leave_at))
})

test_that("property: each user has a bucket of requests", {
  now <- 1000
  service <- local_service(rate_per_s = .5, burst = 3, clock = function() now)
  for (i in 1:3) expect_identical(api_get(service, "/v1/me")$status, 200)
  late <- api_get(service, "/v1/me")
  expect_problem(late, 429, "rate_limited")
  expect_identical(late$headers[["Retry-After"]], "2")
  expect_problem(post_wish(service, c("A", "B")), 429, "rate_limited")
  expect_identical(service$server$store$seq, 0)
  expect_identical(api_get(service, "/v1/me", as = "bob")$status, 200)
  expect_identical(api_get(service, "/v1/health", as = NULL)$status, 200)
  now <- now + 2
  expect_identical(api_get(service, "/v1/me")$status, 200)
  expect_identical(api_get(service, "/v1/me")$status, 429)
})

test_that("property: nothing is said when the store does not answer", {
  service <- local_service()
  failing <- function(reason) {
    local_mocked_bindings_store(append_decision = function(...) {
      abort_store(reason, c("SECRET words", x = "of the database"))
    })
    answer <- post_wish(service, c("A", "B"), key = "k")
    expect_false(grepl("SECRET|database", answer$text))
    expect_false(is.null(answer$leave_at))
    answer
  }
  busy <- failing("contended")
  expect_problem(busy, 503, "unavailable")
  expect_identical(busy$headers[["Retry-After"]], "1")
  for (reason in c("database", "anchor", "altered", "newer")) expect_problem(failing(reason), 503,
                                                                             "unavailable")
  local_mocked_bindings_store(view_card = function(...) stop("SECRET"))
  answer <- api_get(service, "/v1/card?variables=A")
  expect_problem(answer, 500, "internal")
  expect_false(grepl("SECRET", answer$text))
  close_store(service$server$store)
  for (path in c("/v1/health", "/v1/me", "/v1/tables")) {
    expect_problem(suppressWarnings(api_get(service, path)), 503, "unavailable")
  }
})

test_that("property: all responses have the headers of safety", {
  service <- local_service()
  for (answer in list(api_get(service, "/v1/me"), api_get(service, "/x"),
                      api_get(service, "/v1/tables/01/data"),
                      post_wish(service, c("A", "B")),
                      api_get(service, "/openapi.json", as = NULL))) {
    expect_identical(answer$headers[names(security_headers)], security_headers)
    expect_false(anyDuplicated(names(answer$headers)) > 0)
    expect_false(any(grepl("Access-Control", names(answer$headers))))
    expect_true("Cache-Control" %in% names(answer$headers))
  }
})

test_that("property: the log has a line for each answer, and neither tokens nor what was asked in queries", {
  file <- withr::local_tempfile()
  service <- local_service(log = file)
  post_wish(service, c("A", "B"), key = "k")
  requests <- list(
    list(method = "GET", path = "/v1/card", query = "?variables=A&token=sdc_x"),
    list(method = "POST", path = "/v1/requests", query = "",
         body = charToRaw("{\"variables\":[\"A\",\"C\"]}"))
  )
  for (request in requests) {
    request$headers <- list(authorization = paste("Bearer", service$tokens[["ann"]]),
    `content-type` = "application/json")
    request$arrival <- service$clock()
    log_answer(service, request, route(service, request))
  }
  lines <- lapply(readLines(file), jsonlite::parse_json)
  expect_identical(lines[[1]]$problem, "bad_request")
  expect_identical(lines[[1]]$user, "ann")
  expect_identical(lines[[2]][c("route", "status", "seq", "outcome")],
                   list(route = "/v1/requests", status = 201L, seq = 2L, outcome = "released"))
  expect_identical(lines[[2]]$hash, service$server$store$hash)
  expect_false(any(grepl("sdc_|variables", readLines(file))))
  expect_identical(as.character(file.mode(file)), "600")
  expect_identical(api_get(service, "/v1/metrics", as = "olga")$json$answers,
                   list(`201` = 1L, `400` = 1L))
})

test_that("property: a full disk: nothing is decided, and nothing is said", {
  server <- server_of(store = local_place())
  service <- local_service(server)
  post_wish(service, c("A", "B"), key = "k1")
  con <- server$store$con
  full <- DBI::dbGetQuery(con, "PRAGMA page_count")[[1]]
  DBI::dbGetQuery(con, paste("PRAGMA max_page_count =", full))
  sets <- utils::combn(LETTERS[1:6], 2, simplify = FALSE)[-1]
  statuses <- vapply(seq_along(sets), function(i) post_wish(service, sets[[i]],
                     key = paste0("f", i))$status, 0)
  failed <- which(statuses == 503)
  expect_gt(length(failed), 0)
  expect_identical(sort(unique(statuses)), c(201, 503))
  ledger <- as.data.frame(server)
  expect_false(any(paste0("f", failed) %in% ledger$request_id))
  for (i in failed) {
    expect_problem(post_wish(service, sets[[i]], key = paste0("f", i)), 503, "unavailable")
    expect_problem(api_get(service,
                           paste0("/v1/tables/", encode_masks(list(match(sets[[i]], LETTERS)), 6),
                           "/data")),
                   404, "not_found")
  }
  DBI::dbGetQuery(con, "PRAGMA max_page_count = 1000000")
  expect_identical(post_wish(service, sets[[failed[1]]], key = paste0("f", failed[1]))$status, 201)
})

test_that("property: an anchor that cannot follow: decided, but not said until it does", {
  server <- server_of(store = local_place())
  service <- local_service(server)
  post_wish(service, c("A", "B"), key = "k1")
  DBI::dbExecute(server$store$anchor, "PRAGMA query_only = 1")
  expect_problem(post_wish(service, c("B", "C"), key = "k2"), 503, "unavailable")
  expect_problem(post_wish(service, c("B", "C"), key = "k2"), 503, "unavailable")
  DBI::dbExecute(server$store$anchor, "PRAGMA query_only = 0")
  again <- post_wish(service, c("B", "C"), key = "k2")
  expect_identical(again$status, 200)
  expect_identical(again$json$outcome, "released")
})

test_that("property: a store that another version has taken over is not written to", {
  place <- local_place()
  server <- server_of(store = place)
  service <- local_service(server)
  post_wish(service, c("A", "B"))
  place_execute(place, "UPDATE meta SET value = '99' WHERE key = 'schema_version'")
  expect_problem(post_wish(service, c("B", "C")), 503, "unavailable")
  expect_identical(place_query(place, "SELECT COUNT(*) AS n FROM decision")$n, 1L)
  expect_error(server_of(store = place), class = "sdc_error_server")
})

test_that("property: no user has a name under which the ledger keeps what is asked from R", {
  skip_if_no_server()
  server <- server_of()
  for (name in c("guest", "votes", "local", "operator")) {
    expect_error(add_server_user(server, name), "uses itself", class = "sdc_error_input")
  }
})
