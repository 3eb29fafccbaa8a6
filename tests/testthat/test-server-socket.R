skip_if_no_socket()

ledger_of <- function(store) place_query(store, "SELECT * FROM decision")

test_that("property: over a socket: page, API, ticks, hostile requests, and the same request at once", {
  store <- local_place()
  log <- withr::local_tempfile()
  process <- local_process(store, server_policy(risk_width(3), time_limit_s = .4, tick_s = .5),
                           list(open = TRUE, log = log))

  # one key, four times at the same moment
  answers <- list()
  pool <- curl::new_pool()
  for (i in 1:4) {
    handle <- http_handle(process, "POST", wish_headers("same"), wish_body(c("A", "B")))
    curl::curl_fetch_multi(paste0(process$url, "/v1/requests"), handle = handle, pool = pool,
                           done = function(answer) {
      answers[[length(answers) + 1]] <<- read_http(answer)
    })
  }
  curl::multi_run(pool = pool)
  expect_identical(sort(vapply(answers, `[[`, 0L, "status")), c(200L, 200L, 200L, 201L))
  expect_identical(length(unique(vapply(answers, `[[`, "", "text"))), 1L)
  expect_identical(nrow(ledger_of(store)), 1L)

  # while an answer waits for its tick, others are served
  took <- c(post = NA, get = NA)
  began <- as.numeric(Sys.time())
  curl::curl_fetch_multi(paste0(process$url, "/v1/requests"), pool = pool, done = function(answer) {
    took[["post"]] <<- as.numeric(Sys.time()) - began
  }, handle = http_handle(process, "POST", wish_headers(), wish_body(c("B", "C"))))
  curl::curl_fetch_multi(paste0(process$url, "/v1/me"), pool = pool, done = function(answer) {
    took[["get"]] <<- as.numeric(Sys.time()) - began
  }, handle = http_handle(process, "GET"))
  curl::multi_run(pool = pool)
  expect_gte(took[["post"]], .49)
  expect_lt(took[["get"]], took[["post"]])

  # the page, and what is not below it
  page <- http(process, "GET", "/")
  if (nzchar(system.file("www", "index.html", package = "sdcLattice"))) {
    expect_identical(page$status, 200L)
    expect_match(page$headers$`content-type`, "text/html")
    expect_match(page$headers$`content-security-policy`, "default-src 'self'")
  }
  for (path in c("/../DESCRIPTION", "/%2e%2e/DESCRIPTION", "/..%2fDESCRIPTION",
                 "/www/../../DESCRIPTION", "//etc/passwd",
                 "/%2e%2e%2f%2e%2e%2fetc/passwd", "/..\\DESCRIPTION", "/./../DESCRIPTION",
                 "/v1/../../DESCRIPTION")) {
    answer <- http(process, "GET", path)
    expect_true(answer$status %in% c(400L, 404L), info = path)
    expect_false(grepl("Package:|root:", answer$text), info = path)
  }
  for (answer in list(http(process, "GET", "/v1/none"), http(process, "GET", "/none"))) {
    expect_identical(answer$json$type, "urn:sdc:not_found")
  }
  expect_identical(http(process, "DELETE", "/v1/me")$json$type, "urn:sdc:method_not_allowed")
  expect_identical(http(process, "OPTIONS", "/v1/me", list(Origin = "http://evil.example"))$status,
                   405L)
  expect_identical(http(process, "GET", "/v1/card?variables=%00")$json$type, "urn:sdc:bad_request")
  expect_identical(http(process, "GET", "/v1/me?user=olga")$json$type, "urn:sdc:bad_request")
  expect_identical(http(process, "GET", "/v1/me", list(Host = "evil.example"))$json$type,
                   "urn:sdc:misdirected")
  head <- http(process, "HEAD", "/v1/tables/03/data")
  expect_identical(head$status, 200L)
  expect_identical(head$text, "")
  data <- http(process, "GET", "/v1/tables/03/data")
  expect_match(data$text, "^A,B,count\r\n")
  expect_identical(http(process, "GET", "/v1/tables/03/data",
                        list(`If-None-Match` = data$headers$etag))$status, 304L)

  # bodies
  big <- http(process, "POST", "/v1/requests", wish_headers(), strrep(" ", 20000))
  expect_identical(big$json$type, "urn:sdc:too_large")
  expect_identical(http(process, "GET", paste0("/v1/card?variables=", strrep("A", 9000)))$json$type,
                   "urn:sdc:uri_too_long")
  begin <- c("POST /v1/requests HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json")
  lines <- function(...) paste0(paste(c(begin, ...), collapse = "\r\n"), "\r\n\r\n")
  expect_match(raw_http(process, paste0(lines("Transfer-Encoding: chunked"), "5\r\n{\"var")),
               " 411 |^$")
  raw_http(process, paste0(lines("Content-Length: 29"), "{\"variables\":[\"C\""))
  expect_match(raw_http(process, lines("Content-Length: -1")), " 413 | 400 |^$")
  expect_match(raw_http(process, "NONSENSE\r\n\r\n"), " 400 |^$")
  expect_identical(nrow(ledger_of(store)), 2L)
  expect_identical(http(process, "GET", "/v1/health")$status, 200L)
  said <- readLines(log)
  expect_true(all(vapply(said, jsonlite::validate, NA)))
})

test_that("property: tokens over a socket, and a Unix socket", {
  store <- local_place()
  server <- table_server(czech_workers, server_policy(risk_width(3)), store = store,
                         progress = FALSE)
  add_server_user(server, "ann")
  token <- issue_server_token(server, "ann")
  close(server)
  socket <- file.path(withr::local_tempdir(tmpdir = "/tmp"), "s")
  process <- local_process(store, arguments = list(socket = socket))
  expect_identical(http(process, "GET", "/v1/me")$status, 401L)
  expect_identical(http(process, "GET", "/v1/me",
                        list(Authorization = paste("Bearer", token)))$json$user, "ann")
  expect_identical(ask_http(process, c("A", "B"), token = token)$status, 201L)
  expect_identical(as.character(file.mode(socket)), "660")
})

test_that("property: a frozen server holds up no other; a killed one has said nothing that is lost",
          {
  store <- local_place()
  first <- local_process(store)
  second <- local_process(store)
  expect_identical(ask_http(first, c("A", "B"), "k1")$status, 201L)

  tools::pskill(first$pid, tools::SIGSTOP)
  pool <- curl::new_pool()
  late <- NULL
  curl::curl_fetch_multi(paste0(first$url, "/v1/requests"), pool = pool,
                         done = function(answer) late <<- read_http(answer),
                         handle = http_handle(first, "POST", wish_headers("k2"),
                                              wish_body(c("B", "C"))))
  curl::multi_run(timeout = .2, pool = pool)
  expect_null(late)
  expect_lt(system.time(there <- ask_http(second, c("B", "C"), "k3"))[["elapsed"]], 5)
  expect_identical(there$json$outcome, "released")
  tools::pskill(first$pid, tools::SIGCONT)
  curl::multi_run(timeout = 10, pool = pool)
  expect_identical(late$json$outcome, "already")

  # killed when its client has the answer: another has it, word for word
  heard <- ask_http(first, c("C", "D"), "k4")
  tools::pskill(first$pid, tools::SIGKILL)
  again <- ask_http(second, c("C", "D"), "k4")
  expect_identical(again$status, 200L)
  expect_identical(again$text, heard$text)
  expect_identical(http(second, "GET", "/v1/requests/k4")$json, heard$json)
  # killed in the middle: asked again, decided once
  curl::curl_fetch_multi(paste0(second$url, "/v1/requests"), pool = pool, done = identity,
                         fail = identity,
                         handle = http_handle(second, "POST", wish_headers("k5"),
                                              wish_body(c("D", "E"))))
  curl::multi_run(timeout = .02, pool = pool)
  tools::pskill(second$pid, tools::SIGKILL)
  third <- local_process(store)
  expect_identical(ask_http(third, c("D", "E"), "k5")$json$outcome, "released")
  ledger <- ledger_of(store)
  expect_identical(sum(ledger$request_id == "k5"), 1L)
  expect_identical(nrow(ledger), 5L)
})

test_that("property: nginx takes the configuration that is shipped", {
  nginx <- Sys.which("nginx")
  if (!nzchar(nginx)) nginx <- "/usr/sbin/nginx"
  skip_if_not(file.exists(nginx), "no nginx")
  folder <- withr::local_tempdir()
  key <- openssl::rsa_keygen(2048)
  shipped <- readLines(system.file("nginx", "table-server.conf", package = "sdcLattice"))
  openssl::write_pem(key, file.path(folder, "key.pem"))
  status <- system2("openssl", c("req", "-x509", "-key", file.path(folder, "key.pem"), "-subj",
                                 "/CN=localhost", "-out",
                                 file.path(folder, "certificate.pem")), stdout = FALSE,
                                 stderr = FALSE)
  skip_if(status != 0, "no openssl")
  shipped <- gsub("CERTIFICATE.PEM", file.path(folder, "certificate.pem"), shipped, fixed = TRUE)
  shipped <- gsub("KEY.PEM", file.path(folder, "key.pem"), shipped, fixed = TRUE)
  store <- local_place()
  socket <- file.path(withr::local_tempdir(tmpdir = "/tmp"), "s")
  port <- httpuv::randomPort()
  # the other worker's socket is not there: nginx asks the one that is; alone, it is the door too
  shipped <- gsub("unix:/run/sdclattice/socket-1(-door)?", paste0("unix:", socket), shipped)
  shipped <- gsub("/var/cache/nginx/table-server", file.path(folder, "cache"), shipped,
                  fixed = TRUE)
  shipped <- gsub("listen 443", paste("listen", port),
                  grep("::", shipped, value = TRUE, invert = TRUE))
  shipped <- gsub("listen 80", paste("listen", httpuv::randomPort()), shipped)
  configuration <- file.path(folder, "nginx.conf")
  writeLines(c(
    "daemon off;", paste0("pid ", folder, "/pid;"), paste0("error_log ", folder, "/error.log;"),
    if (identical(Sys.info()[["effective_user"]], "root")) "user root;",
    "events { worker_connections 64; }", "http {",
    paste0(c("client_body", "proxy", "fastcgi", "uwsgi", "scgi"), "_temp_path ", folder, "/temp;"),
    shipped, "}"
  ), configuration)
  checked <- suppressWarnings(system2(nginx, c("-t", "-c", configuration), stdout = TRUE,
                                      stderr = TRUE))
  expect_match(paste(checked, collapse = "\n"), "test is successful")

  process <- local_process(store, arguments = list(socket = socket, open = TRUE, insist = TRUE))
  system2(nginx, c("-c", configuration), wait = FALSE, stdout = FALSE, stderr = FALSE)
  wait_for(file.path(folder, "pid"))
  withr::defer(tools::pskill(as.integer(readLines(file.path(folder, "pid"))), tools::SIGTERM))
  ask <- function(path, ...) {
    handle <- curl::new_handle(ssl_verifypeer = FALSE, ssl_verifyhost = FALSE, ...)
    curl::handle_setheaders(handle, Host = "localhost")
    read_http(curl::curl_fetch_memory(paste0("https://127.0.0.1:", port, path), handle))
  }
  until <- Sys.time() + 10
  while (inherits(try(ask("/v1/health"), silent = TRUE), "try-error") &&
         Sys.time() < until) Sys.sleep(.05)
  expect_identical(ask("/v1/me")$json$user, "guest")
  expect_identical(ask("/v1/tables/01/data")$status, 200L)
  expect_match(ask("/v1/tables/01/data")$headers$`strict-transport-security`, "max-age")
  expect_identical(ask("/v1/none")$json$type, "urn:sdc:not_found")
  expect_length(ask("/v1/requests?limit=5")$json$requests, 0)
  wish <- curl::new_handle(ssl_verifypeer = FALSE, ssl_verifyhost = FALSE,
                           postfields = wish_body(c("A", "B")))
  curl::handle_setheaders(wish, .list = c(wish_headers("k"), Host = "localhost"))
  asked <- curl::curl_fetch_memory(paste0("https://127.0.0.1:", port, "/v1/requests"), wish)
  expect_identical(asked$status_code, 201L)
  # a document that was sent once is sent without R
  document <- ask("/v1/tables/01/data?format=csv")$headers$`content-location`
  sent <- ask(document)
  expect_identical(sent$status, 200L)
  end_process(process)
  again <- ask(document)
  expect_identical(again[c("status", "text")], sent[c("status", "text")])
  expect_identical(ask("/v1/tables/01/data")$status, 502L)
})

test_that("property: what listens on a port sends each part of an answer at once", {
  port <- httpuv::randomPort()
  expect_false(cpp_send_at_once(1))
  handle <- httpuv::startServer("127.0.0.1", port, list(), quiet = TRUE)
  withr::defer(httpuv::stopServer(handle))
  expect_identical(cpp_send_at_once(port), .Platform$OS.type != "windows")
})
