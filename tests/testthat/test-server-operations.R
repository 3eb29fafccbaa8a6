# Metrics, live and ready, quotas, replicas that only read, and logs that are opened anew.

skip_if_no_store()

metrics_of <- function(service) {
  answer <- api_get(service, "/v1/metrics?format=prometheus", as = "olga")
  expect_identical(answer$headers[["Content-Type"]], metrics_text_type)
  lines <- strsplit(answer$text, "\n")[[1]]
  lines <- lines[!startsWith(lines, "#")]
  expect_true(all(grepl("^sdclattice_[a-z_]+([{][^}]*[}])? [0-9.]+$", lines)))
  stats::setNames(as.numeric(sub(".* ", "", lines)), sub(" [^ ]*$", "", lines))
}

answered <- function(service, path, status, seconds, n = 1) {
  for (i in seq_len(n)) {
    request <- list(method = "GET", arrival = service$clock() - seconds)
    count_answer(service, request, list(route = path, status = status))
  }
}

test_that("property: figures are added up over all processes, and do not fall when one ends", {
  folder <- file.path(withr::local_tempdir(), "metrics")
  clock <- function() 100
  service <- local_service(metrics = folder, clock = clock)
  other <- new_service(service$server, metrics = folder, clock = clock)
  answered(service, "/v1/me", 200, 0.02, 3)
  answered(other, "/v1/me", 200, 0.3, 2)
  answered(other, "/v1/me", 401, 20)
  close_service(other)
  post_wish(service, c("A", "B"))
  post_wish(service, c("A", "B"))
  found <- metrics_of(service)
  expect_identical(
    found[["sdclattice_requests_total{method=\"GET\",route=\"/v1/me\",status=\"200\"}"]], 5
  )
  le <- function(end) {
    found[[paste0("sdclattice_request_seconds_bucket{route=\"/v1/me\",le=\"", end, "\"}")]]
  }
  expect_identical(vapply(c("0.005", "0.05", "0.25", "0.5", "10", "+Inf"), le, 0, USE.NAMES = FALSE),
                   c(0, 3, 3, 5, 5, 6))
  expect_identical(found[["sdclattice_decisions_total{outcome=\"released\"}"]], 1)
  expect_identical(found[["sdclattice_decisions_total{outcome=\"already\"}"]], 1)
  expect_identical(found[["sdclattice_releases"]], 1)
  # a Prometheus server asks like this
  accept <- paste0("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,",
                   "*/*;q=0.1")
  asked <- api_get(service, "/v1/metrics", as = "olga", headers = list(accept = accept))
  expect_match(asked$text, "^# HELP sdclattice_requests_total ")
  expect_identical(as.numeric(api_get(service, "/v1/metrics", as = "olga")$json$answers$`401`), 1)
})

test_that("property: the queue and the judge are watched where another process judges", {
  server <- local_server(store = file.path(withr::local_tempdir(), "store.sqlite"))
  now <- 0
  service <- local_service(server, queued = TRUE, clock = function() now)
  enqueue(server$store, list(user_id = "ann", request_id = "k", mask = "03", form = "table"))
  found <- metrics_of(service)
  expect_identical(found[["sdclattice_queue_length"]], 1)
  expect_identical(api_get(service, "/v1/ready", as = NULL)$status, 200)
  now <- judge_patience_s + 1
  expect_problem(api_get(service, "/v1/ready", as = NULL), 503, "unavailable")
  expect_identical(metrics_of(service)[["sdclattice_judge_lease_age_seconds"]], now)
  expect_true(hold_lease(server$store, new_lease("judge", 1)))
  expect_identical(api_get(service, "/v1/ready", as = NULL)$status, 200)
})

test_that("property: a process that ends is alive and not ready", {
  service <- local_service()
  for (path in c("/v1/live", "/v1/ready")) {
    expect_identical(api_get(service, path, as = NULL)$status, 200)
  }
  service$leaving <- TRUE
  expect_problem(api_get(service, "/v1/ready", as = NULL), 503, "unavailable")
  service$stopping <- TRUE
  expect_identical(api_get(service, "/v1/live", as = NULL)$status, 200)
  # who asked before over the same connection may look up once more; nothing is decided
  expect_identical(api_get(service, "/v1/me")$status, 200)
  expect_problem(post_wish(service, c("A", "B")), 503, "unavailable")
  early <- function(method) {
    refuse_early(service, list(REQUEST_METHOD = method, PATH_INFO = "/v1/me", QUERY_STRING = "",
                               HEADERS = c(host = "x")))
  }
  expect_null(early("GET"))
  expect_identical(early("POST")$status, 503)
  expect_identical(early("POST")$headers$`Retry-After`, "2")
})

test_that("property: quotas count decisions of the ledger, for a user and day", {
  service <- local_service()
  server <- service$server
  set_server_quota(server, 2)
  set_server_quota(server, 3, "bob")
  expect_identical(server_quotas(server),
                   data.frame(user_id = c(NA, "bob"), per_day = c(2, 3)))
  for (i in 1:2) expect_identical(post_wish(service, c("A", "B"), key = paste0("k", i))$status, 201)
  spent <- post_wish(service, c("A", "C"), key = "k3")
  expect_problem(spent, 429, "quota_spent")
  expect_true(as.numeric(spent$headers[["Retry-After"]]) %in% 1:86400)
  expect_identical(server$store$seq, 2)
  # what was answered before is said again, and look-ups go on
  expect_identical(post_wish(service, c("A", "B"), key = "k2")$status, 200)
  expect_identical(api_get(service, "/v1/card?variables=A")$status, 200)
  for (i in 1:3) expect_identical(post_wish(service, c("A", "B"), as = "bob")$status, 201)
  expect_problem(post_wish(service, c("A", "B"), as = "bob"), 429, "quota_spent")
  # another process counts the same; the next day begins anew
  other <- server
  expect_identical(count_decisions_of(other$store, "ann", substr(utc_now(), 1, 10)), 2)
  expect_identical(count_decisions_of(other$store, "ann", "2000-01-01"), 0)
  set_server_quota(server, NULL)
  expect_identical(post_wish(service, c("A", "C"), key = "k3")$status, 201)
  expect_error(set_server_quota(server, -1), class = "sdc_error_input")
})

test_that("property: what waits for the judge counts for the quota, but for the same request", {
  place <- file.path(withr::local_tempdir(), "releases.sqlite")
  service <- local_service(server_of(store = place), queued = TRUE)
  server <- service$server
  set_server_quota(server, 1)
  enqueue(server$store, list(user_id = "ann", request_id = "w", mask = set_id(server, 1:2),
                             form = "table"))
  expect_problem(post_wish(service, c("A", "C"), key = "v"), 429, "quota_spent")
  ask <- function(user) {
    rlang::new_environment(list(service = service, server = server, user = user))
  }
  expect_null(spend_quota(ask("ann"), "w"))
  expect_null(spend_quota(ask("bob"), "v"))
})

test_that("property: a replica that only reads answers look-ups, and decides nothing", {
  service <- local_service(server_of(server_policy(risk_width(3), rule = "value")),
                           read_only = TRUE)
  refused <- post_wish(service, c("A", "B"))
  expect_problem(refused, 405, "read_only")
  expect_identical(refused$headers[["Allow"]], "GET, HEAD")
  for (path in c("/v1/rounds", "/v1/releases")) {
    expect_problem(api(service, "POST", path, as = "olga"), 405, "read_only")
  }
  expect_identical(service$server$store$seq, 0)
  expect_identical(api_get(service, "/v1/tables/01/data?format=csv")$status, 200)
  expect_true(api_get(service, "/v1/ready", as = NULL)$json$read_only)
})

test_that("property: a log that was moved away is opened anew", {
  log <- file.path(withr::local_tempdir(), "log.jsonl")
  service <- local_service(log = log)
  request <- list(method = "GET", arrival = service$clock())
  answer <- function() log_answer(service, request, list(route = "/v1/me", status = 200))
  answer()
  file.rename(log, paste0(log, ".1"))
  answer()
  reopen_log(service)
  answer()
  expect_length(readLines(paste0(log, ".1")), 2)
  expect_length(readLines(log), 1)
})

test_that("property: an answer that leaves does not wait until figures are written", {
  skip_if_not_installed("later")
  folder <- file.path(withr::local_tempdir(), "metrics")
  service <- local_service(metrics = folder, clock = function() 100)
  service$metrics_written <- 100
  loop <- later::create_loop(parent = NULL)
  withr::defer(later::destroy_loop(loop))
  later::with_loop(loop, answered(service, "/v1/me", 200, 0.02))
  expect_true(service$metrics_planned)
  expect_true(later::loop_empty(loop))
})
