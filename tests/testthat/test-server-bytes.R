skip_if_no_store()

test_that("property: malformed parameters are 400, and no failure of the store", {
  log <- withr::local_tempfile()
  service <- local_service(log = log)
  for (address in c("/v1/requests?cursor=abc", "/v1/requests?limit=0", "/v1/requests?limit=201",
                    "/v1/requests?cursor=-1",
                    "/v1/decisions?limit=999", "/v1/decisions?cursor=x", "/v1/decisions?limit=",
                    "/v1/tables?limit=0",
                    "/v1/structure/v1?cursor=x", "/v1/frontier?limit=1e2", "/v1/history?upto=x",
                    "/v1/space?dimension=x")) {
    expect_problem(api_get(service, address, as = "olga"), 400, "bad_request")
  }
  said <- readLines(log)
  expect_false(any(grepl("failure", said)))
})

test_that("property: bytes that are no text are 400 in any header", {
  service <- local_service(open = TRUE)
  for (name in c("content-type", "host", "accept", "if-none-match", "content-encoding",
                 "idempotency-key", "cookie", "x-y")) {
    for (bytes in c("application/json\xff", "\xff", "\xed\xa0\x80", "a\xc3")) {
      Encoding(bytes) <- "UTF-8"
      headers <- stats::setNames(list(bytes), name)
      expect_problem(api_get(service, "/v1/me", as = NULL, headers = headers), 400, "bad_request")
      expect_problem(api(service, "POST", "/v1/requests", headers = headers, body = "{}"), 400,
                     "bad_request")
    }
  }
  request <- list(REQUEST_METHOD = "GET", PATH_INFO = "/v1/me", QUERY_STRING = "",
                  HEADERS = stats::setNames(c("127.0.0.1", "x"), c("HOST", "\xff\xfe")))
  expect_identical(names(read_request(request, raw(), 0)$headers)[1], "host")
  request$HTTP_CONTENT_LENGTH <- "5\xff"
  expect_identical(refuse_early(service, request)$status, 413)
})

test_that("property: no malformed request makes a server fail", {
  withr::local_seed(1)
  service <- local_service(rate_per_s = 1e6, burst = 1e6)
  post_wish(service, c("A", "B"))
  seq <- service$server$store$seq
  addresses <- fuzz_addresses()
  statuses <- vapply(seq_len(400), function(i) {
    wish <- random_request(addresses, service$tokens[[if (i %% 2 == 0) "ann" else "olga"]])
    headers <- lapply(wish$headers, function(x) {
      Encoding(x) <- "UTF-8"
      x
    })
    path <- sub("[?].*", "", wish$address, useBytes = TRUE)
    query <- if (grepl("?", wish$address, fixed = TRUE,
                       useBytes = TRUE)) sub("^[^?]*", "", wish$address, useBytes = TRUE) else ""
    request <- list(method = wish$method, path = path, query = query, headers = headers,
                    body = charToRaw(wish$body),
                    arrival = service$clock(), address = "127.0.0.1")
    response <- route(service, request)
    expect_type(response$headers, "character")
    response$status
  }, 0)
  expect_identical(sum(statuses >= 500), 0L)
  expect_gt(sum(statuses == 400), 40)
  expect_identical(sum(as.data.frame(service$server)$outcome == "released"), 1L)
})

test_that("property: raw bytes over a socket are never answered 5xx", {
  skip_if_no_socket()
  long <- is_long()
  n <- if (long) 6000 else 60
  withr::local_seed(2)
  store <- local_place()
  server <- table_server(czech_workers, server_policy(risk_width(3)), store = store,
                         progress = FALSE)
  add_server_user(server, "ann", "operator")
  token <- issue_server_token(server, "ann")
  close(server)
  log <- withr::local_tempfile()
  process <- local_process(store, arguments = list(rate_per_s = 1e6, burst = 1e6, log = log))
  addresses <- fuzz_addresses()
  before <- NULL
  statuses <- vapply(seq_len(n), function(i) {
    if (i == n / 2) before <<- resident_mb(process$pid)
    send_bytes(process, request_bytes(random_request(addresses, token)), wait_s = .05)
  }, "")
  expect_false(any(grepl("^5", statuses)))
  expect_gt(sum(grepl("^4", statuses)), n / 4)
  expect_identical(http(process, "GET", "/v1/health")$status, 200L)
  expect_false(any(grepl("\"failure\"", readLines(log))))
  if (long) {
    after <- resident_mb(process$pid)
    print(table(statuses))
    cat("resident MB after half, and at the end:", before, after, "\n")
    expect_lt(after, before + 20)
  }
})

# ---- the clock ----------------------------------------------------------------------------------

test_that("property: a clock that is set back an hour locks nobody out", {
  now <- 1e4
  service <- local_service(rate_per_s = 1, burst = 2, clock = function() now)
  expect_identical(api_get(service, "/v1/me")$status, 200)
  now <- now - 3600
  expect_identical(api_get(service, "/v1/me")$status, 200)
  expect_problem(api_get(service, "/v1/me"), 429, "rate_limited")
  now <- now + 1
  expect_identical(api_get(service, "/v1/me")$status, 200)
  # and the clock of a service is one that cannot be set
  expect_identical(new_service(service$server)$clock, cpp_steady_s)
  first <- cpp_steady_s()
  expect_gte(cpp_steady_s(), first)
  expect_gt(abs(as.numeric(Sys.time()) - first), 1e6)
})

# ---- what asks without end ----------------------------------------------------------------------

test_that("property: failed tokens, health and the API's description have a rate", {
  now <- 1e4
  service <- local_service(rate_per_s = 1, burst = 5, clock = function() now)
  send <- function(address, header = NULL, from = "10.0.0.1") {
    route(service, list(method = "GET", path = address, query = "",
                        headers = list(authorization = header), body = raw(),
                        arrival = now, address = from))
  }
  wrong <- paste0("Bearer sdc_", strrep("0", 16), "_", strrep("0", 64))
  for (i in 1:2) expect_identical(send("/v1/me", wrong)$status, 401)
  for (i in 1:2) expect_identical(send("/v1/health")$status, 200)
  expect_identical(send("/openapi.json")$status, 200)
  for (answer in list(send("/v1/me", wrong), send("/v1/me"), send("/v1/health"),
                      send("/openapi.json"))) {
    expect_identical(answer$status, 429)
    expect_identical(answer$headers[["Retry-After"]], "1")
  }
  # others, and those who have a token, are not held up by it
  expect_identical(send("/v1/health", from = "10.0.0.2")$status, 200)
  expect_identical(send("/v1/me", paste("Bearer", service$tokens[["ann"]]))$status, 200)
  now <- now + 1
  expect_identical(send("/v1/me", wrong)$status, 401)
})

test_that("property: buckets do not grow without end", {
  # some more than nothing: each that is new counts all
  most <- 500
  local_mocked_bindings_store(max_buckets = most)
  now <- 1e4
  service <- local_service(rate_per_s = 1, burst = 5, clock = function() now)
  for (i in seq_len(most)) spend(service, paste("address", i))
  expect_identical(length(service$buckets), as.integer(most))
  now <- now + 3000
  spend(service, "address new")
  expect_lt(length(service$buckets), 10)
  for (i in seq_len(most + 10)) spend(service, paste("address", i))
  expect_lte(length(service$buckets), most)
})

test_that("property: one user cannot fill the ledger with what anybody could have worked out", {
  most <- 30
  local_mocked_bindings_store(idle_burst = most)
  now <- 1e4
  service <- local_service(rate_per_s = 1e6, burst = 1e6, clock = function() now)
  ask_far <- function(...) post_wish(service, LETTERS[1:6], ...)
  for (i in seq_len(most - 1)) ask_far()
  expect_identical(ask_far(key = "kept")$status, 201)
  n <- service$server$store$seq
  expect_identical(n, as.numeric(most))
  for (i in 1:20) expect_problem(ask_far(key = paste0("k", i)), 429, "rate_limited")
  expect_problem(post_wish(service, "A"), 429, "rate_limited")
  expect_identical(service$server$store$seq, n)
  # what was answered is answered again, what is to be judged is judged, and others may ask
  expect_identical(ask_far(key = "kept")$status, 200)
  expect_identical(post_wish(service, c("A", "B"))$json$outcome, "released")
  expect_identical(ask_far(as = "bob")$status, 201)
  now <- now + 10
  expect_identical(ask_far()$status, 201)
  expect_problem(ask_far(), 429, "rate_limited")
})
