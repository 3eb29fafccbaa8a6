skip_if_no_socket()

# As local_process(), by a shell that writes down with what number the process ended.
local_script <- function(store, arguments = list(open = TRUE, insist = TRUE), tick_s = 2, frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame, tmpdir = "/tmp")
  arguments$socket <- file.path(folder, "socket")
  job <- list(store = store, arguments = arguments, paths = .libPaths(), tick_s = tick_s,
              pid = file.path(folder, "pid"))
  saveRDS(job, file.path(folder, "job.rds"))
  script <- file.path(folder, "job.R")
  writeLines(c(
    "job <- readRDS(commandArgs(TRUE)[1])",
    ".libPaths(job$paths)",
    "suppressMessages(library(sdcLattice))",
    "policy <- server_policy(risk_width(3), tick_s = job$tick_s)",
    "server <- table_server(czech_workers, policy, store = job$store, progress = FALSE)",
    "writeLines(as.character(Sys.getpid()), job$pid)",
    "do.call(serve, c(list(server, quiet = TRUE), job$arguments))",
    "cat('open:', !is.null(server$store$con), '\\n')"
  ), script)
  status <- file.path(folder, "status")
  command <- paste(shQuote(file.path(R.home("bin"), "Rscript")), "--vanilla", shQuote(script),
                   shQuote(file.path(folder, "job.rds")), ">", shQuote(file.path(folder, "log")), "2>&1; echo $? >",
                   shQuote(status))
  system2("sh", c("-c", shQuote(command)), wait = FALSE)
  process <- list(socket = arguments$socket, status = status, log = file.path(folder, "log"))
  until <- cpp_steady_s() + 60
  while (!identical(tryCatch(http(process, "GET", "/v1/health")$status, error = function(e) 0L), 200L)) {
    if (cpp_steady_s() > until || file.exists(status)) stop("it did not start: ", readLines(process$log))
    Sys.sleep(.05)
  }
  process$pid <- as.integer(readLines(job$pid))
  withr::defer(if (!file.exists(status)) tools::pskill(process$pid, tools::SIGKILL), envir = frame)
  process
}

test_that("property: a signal lets what is under way be answered, and ends the process in order", {
  for (signal in c(tools::SIGINT, tools::SIGTERM)) {
    store <- local_place()
    process <- local_script(store)
    pool <- curl::new_pool()
    answer <- NULL
    handle <- http_handle(process, "POST", wish_headers("k"), wish_body(c("A", "B")))
    curl::curl_fetch_multi("http://localhost/v1/requests", pool = pool, handle = handle,
                           done = function(x) answer <<- read_http(x),
                           fail = function(x) answer <<- x)
    # it is decided, and waits for the end of its slot
    until <- cpp_steady_s() + 20
    while (nrow(place_query(store, "SELECT seq FROM decision")) == 0 && cpp_steady_s() < until) {
      curl::multi_run(timeout = .02, pool = pool)
    }
    tools::pskill(process$pid, signal)
    curl::multi_run(timeout = 30, pool = pool)
    expect_identical(answer$status, 201L)
    expect_identical(answer$json$outcome, "released")
    wait_for(process$status)
    Sys.sleep(.1)
    expect_identical(readLines(process$status), "0")
    expect_false(file.exists(process$socket))
    expect_identical(readLines(process$log), paste("open:", signal == tools::SIGINT, ""))
    expect_identical(nrow(place_query(store, "SELECT seq FROM decision")), 1L)
    # closed in order: the log of SQLite is gone
    expect_false(file.exists(paste0(store, "-wal")))
  }
})

test_that("property: while a server stops it decides nothing more", {
  service <- local_service()
  service$stopping <- TRUE
  expect_problem(post_wish(service, c("A", "B")), 503, "unavailable")
  expect_identical(service$server$store$seq, 0)
  request <- list(REQUEST_METHOD = "GET", PATH_INFO = "/v1/me", QUERY_STRING = "",
                  HEADERS = c(host = "x"))
  expect_identical(refuse_early(service, request)$status, 503)
})

test_that("property: a busy port is said before a token is made or shown", {
  skip_if_not_installed("RSQLite")
  port <- httpuv::randomPort()
  busy <- httpuv::startServer("127.0.0.1", port, list(), quiet = TRUE)
  on.exit(httpuv::stopServer(busy))
  folder <- file.path(withr::local_tempdir(), "new")
  expect_output(
    expect_error(serve_example(folder, port = port), "must be free", class = "sdc_error_server"),
    NA
  )
  expect_false(file.exists(folder))
})

test_that("property: wrong arguments of serve_example() are named before there is a folder or a token", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("httpuv")
  folder <- tempfile()
  expect_output(
    expect_error(serve_example(folder, prt = 8001), "prt", class = "sdc_error_input"), NA
  )
  expect_error(serve_example(folder, 8001, "127.0.0.1"), "no name", class = "sdc_error_input")
  expect_false(dir.exists(folder))
})

test_that("property: a socket whose path the system would cut is refused", {
  skip_if_no_server()
  skip_on_os("windows")
  folder <- tempfile("s", "/tmp")
  dir.create(folder)
  withr::defer(unlink(folder, recursive = TRUE))
  path <- function(bytes) file.path(folder, strrep("s", bytes - nchar(folder) - 1))
  server <- local_server()
  expect_error(serve(server, socket = path(104)), "at most 103 bytes", class = "sdc_error_input")
  expect_error(serve(server, socket = path(87), workers = 2), "at most 86 bytes", class = "sdc_error_input")
  expect_silent(check_socket(path(103), NULL))
  expect_silent(check_socket(path(86), 2))
})

test_that("property: addresses are numbers, or this machine's own name", {
  skip_if_no_server()
  good <- c(localhost = "127.0.0.1", LocalHost = "127.0.0.1", `[::1]` = "::1", `::` = "::",
            `0.0.0.0` = "0.0.0.0", `::ffff:127.0.0.1` = "::ffff:127.0.0.1")
  expect_identical(vapply(names(good), check_host, ""), good)
  server <- local_server()
  for (host in c("example.org", "256.1.1.1", "1.2.3", "[localhost]", "1.2.3.4.5", "abc")) {
    expect_error(serve(server, host = host), "must be the number of an address",
                 class = "sdc_error_input")
  }
  expect_error(serve(server, host = 1), "one string", class = "sdc_error_input")
})
