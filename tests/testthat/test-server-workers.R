skip_if_no_socket()
skip_if_no_fork()

local_workers <- function(store, workers = 2, ..., frame = parent.frame()) {
  policy <- server_policy(risk_width(3), time_limit_s = .2, tick_s = .3)
  arguments <- list(open = TRUE, insist = TRUE, workers = workers, quiet = TRUE, ...)
  process <- local_process(store, policy, arguments, frame = frame)
  withr::defer(wait_for_all(process), envir = frame, priority = "last")
  process
}

# The processes that the first one has started.
members_of <- function(process) {
  status <- Sys.glob("/proc/[0-9]*/stat")
  lines <- vapply(status, function(file) {
    suppressWarnings(tryCatch(readLines(file, 1), error = function(e) "0 () Z 0"))
  }, "")
  after <- strsplit(sub(".*[)] ", "", lines), " ")
  own <- vapply(after, function(x) x[2] == process$pid && x[1] != "Z", NA)
  sort(as.integer(sub(" .*", "", lines[own])))
}

wait_for_all <- function(process) {
  until <- Sys.time() + 5
  while (length(members_of(process)) > 0 && Sys.time() < until) Sys.sleep(.05)
}

at_port <- function(process, i) {
  process$port <- process$port + i - 1
  process$url <- paste0("http://127.0.0.1:", process$port)
  process
}

# As a client behind a proxy does it: the same request until there is an answer, by turns.
ask_until <- function(process, workers, variables, key, wait_s = 20) {
  until <- Sys.time() + wait_s
  repeat {
    for (i in seq_len(workers)) {
      answer <- tryCatch(ask_http(at_port(process, i), variables, key, timeout_ms = 5000),
                         error = function(e) NULL)
      if (isTRUE(answer$status %in% c(200L, 201L))) {
        return(answer)
      }
    }
    if (Sys.time() > until) stop("no answer in time")
    Sys.sleep(.02)
  }
}

test_that("property: several processes give one answer to a request, from one ledger", {
  store <- local_place()
  process <- local_workers(store)
  expect_length(members_of(process), 4)
  heard <- lapply(1:2, function(i) ask_http(at_port(process, i), c("A", "B"), "k1"))
  expect_identical(vapply(heard, `[[`, 0L, "status"), c(201L, 200L))
  expect_identical(heard[[1]]$text, heard[[2]]$text)
  for (i in 1:2) {
    data <- http(at_port(process, i), "GET", "/v1/tables/01/data")
    expect_match(data$text, "^A,count\r\n")
  }
  expect_identical(ask_http(at_port(process, 2), c("A", "C"), "k1")$json$type,
                   "urn:sdc:key_reused")
  # the same key at all at once
  pool <- curl::new_pool()
  answers <- list()
  for (i in c(1, 2, 1, 2)) {
    handle <- http_handle(process, "POST", wish_headers("same"), wish_body(c("B", "C")))
    curl::curl_fetch_multi(paste0(at_port(process, i)$url, "/v1/requests"), pool = pool,
                           handle = handle,
                           done = function(x) answers[[length(answers) + 1]] <<- read_http(x))
  }
  curl::multi_run(pool = pool)
  expect_length(unique(vapply(answers, `[[`, "", "text")), 1)
  expect_identical(nrow(place_query(store, "SELECT seq FROM decision")), 2L)
  expect_equal(place_query(paste0(store, "-queue"), "SELECT COUNT(*) AS n FROM queue")$n, 0)
})

test_that("property: whichever process is killed, no answer is lost or told differently", {
  skip_if_not(dir.exists("/proc/self"), "no /proc")
  store <- local_place()
  process <- local_workers(store)
  sets <- utils::combn(LETTERS[1:6], 2, simplify = FALSE)
  kills <- rounds(6, 60)
  heard <- list()
  withr::local_seed(1)
  for (i in seq_len(kills)) {
    key <- paste0("k", i)
    set <- sets[[(i - 1) %% length(sets) + 1]]
    pool <- curl::new_pool()
    first <- NULL
    handle <- http_handle(process, "POST", wish_headers(key), wish_body(set), timeout_ms = 3000)
    curl::curl_fetch_multi(paste0(at_port(process, i %% 2 + 1)$url, "/v1/requests"), pool = pool,
                           handle = handle, done = function(x) first <<- read_http(x),
                           fail = identity)
    # in the middle, or when it has been heard
    curl::multi_run(timeout = if (i %% 2 == 0) stats::runif(1, 0, .3) else 5, pool = pool)
    members <- members_of(process)
    tools::pskill(members[(i - 1) %% length(members) + 1], tools::SIGKILL)
    again <- ask_until(process, 2, set, key)
    if (isTRUE(first$status %in% c(200L, 201L))) expect_identical(again$text, first$text)
    heard[[key]] <- again$text
  }
  for (i in seq_len(kills)) {
    key <- paste0("k", i)
    set <- sets[[(i - 1) %% length(sets) + 1]]
    expect_identical(ask_until(process, 2, set, key)$text, heard[[key]])
  }
  expect_identical(nrow(place_query(store, "SELECT seq FROM decision")), as.integer(kills))
  until <- Sys.time() + 20
  while (length(members_of(process)) < 4 && Sys.time() < until) Sys.sleep(.05)
  expect_length(members_of(process), 4)
})

test_that("property: on Unix sockets all processes are replaced without a failed request", {
  store <- local_place()
  socket <- file.path(withr::local_tempdir(tmpdir = "/tmp"), "s")
  process <- local_workers(store, socket = socket)
  door <- process
  door$socket <- paste0(process$socket, "-door")
  before <- members_of(process)
  tools::pskill(process$pid, tools::SIGHUP)
  failed <- asked <- 0
  until <- Sys.time() + 30
  while (any(before %in% members_of(process)) && Sys.time() < until) {
    asked <- asked + 1
    status <- tryCatch(http(process, "GET", "/v1/me")$status, error = function(e) 0L)
    failed <- failed + !identical(status, 200L)
    # the first one is decided, the others hear it again
    status <- tryCatch(ask_http(door, c("A", "B"), "k")$status, error = function(e) 0L)
    failed <- failed + !status %in% c(200L, 201L)
  }
  expect_gt(asked, 0)
  expect_identical(failed, 0)
  expect_identical(sum(before %in% members_of(process)), 0L)
  # ends in order, and leaves no socket
  tools::pskill(process$pid, tools::SIGTERM)
  wait_for_all(process)
  expect_identical(list.files(dirname(socket)), character())
  expect_false(file.exists(paste0(store, "-wal")))
})

test_that("property: a frozen judge is followed by the second one", {
  skip_if_not(dir.exists("/proc/self"), "no /proc")
  store <- local_place()
  process <- local_workers(store, 1)
  holder <- place_query(store, "SELECT holder FROM judge")$holder
  expect_identical(ask_http(process, c("A", "B"), "k1")$status, 201L)
  judges <- utils::head(members_of(process), 2)
  tools::pskill(judges[1], tools::SIGSTOP)
  expect_identical(ask_until(process, 1, c("B", "C"), "k2")$json$request_id, "k2")
  tools::pskill(judges[1], tools::SIGCONT)
  expect_identical(ask_until(process, 1, c("C", "D"), "k3")$json$request_id, "k3")
  expect_identical(nrow(place_query(store, "SELECT seq FROM decision")), 3L)
})

test_that("property: several processes need a store that they can share", {
  server <- server_of()
  expect_error(serve(server, workers = 2), "in memory", class = "sdc_error_input")
  place <- local_place()
  shared <- server_of(store = place)
  expect_error(serve(shared, workers = 0), class = "sdc_error_input")
  expect_error(serve(shared, port = 65535, workers = 2), "must leave room",
               class = "sdc_error_input")
})

test_that("property: what ends before it is ready is started anew ever later; else at once", {
  crew <- new.env()
  crew$names <- "judge-1"
  started <- numeric()
  now <- 0
  begin <- function(crew, name, failed = 0) {
    started <<- c(started, now)
    mark <- tempfile()
    crew$members[[name]] <- list(pid = 1, mark = mark, started = now, failed = failed)
  }
  local_mocked_bindings_store(cpp_steady_s = function() now, start_member = begin,
                              is_running = function(member) FALSE)
  begin(crew, "judge-1")
  for (at in seq(0, 100, .25)) {
    now <- at
    restart_dead(crew)
  }
  expect_identical(diff(started), c(1, 2, 4, 8, 16, 32, 32))
  file.create(crew$members[["judge-1"]]$mark)
  now <- 100.5
  restart_dead(crew)
  expect_identical(tail(started, 1), 100.5)
  expect_identical(crew$members[["judge-1"]]$failed, 0)
})
