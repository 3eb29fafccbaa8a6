# Requests that are never completed, many at once.

skip_if_no_socket()

request_head <- function(length, ...) {
  paste0(paste(c("POST /v1/requests HTTP/1.1", "Host: 127.0.0.1",
                 "Content-Type: application/json", paste0("Content-Length: ", length), ...),
               collapse = "\r\n"), "\r\n\r\n")
}

upgrade_lines <- c("Upgrade: websocket", "Connection: Upgrade",
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13")

# Opens connections that send `text` and nothing more.
hold <- function(process, text, times) {
  lapply(seq_len(times), function(i) {
    con <- socketConnection("127.0.0.1", process$port, open = "r+b", blocking = FALSE, timeout = 5)
    writeBin(charToRaw(text), con)
    con
  })
}

# This process has 128 connections, too: a child for each hundred, which ends with the test.
hold_many <- function(process, text, times, frame = parent.frame()) {
  lapply(seq_len(ceiling(times / 100)), function(part) {
    job <- parallel::mcparallel({
      held <- hold(process, text, 100)
      Sys.sleep(30)
      # without waiting for who collects what it found
      tools::pskill(Sys.getpid(), tools::SIGKILL)
    })
    withr::defer({
      tools::pskill(job$pid, tools::SIGKILL)
      suppressWarnings(parallel::mccollect(job))
    }, envir = frame)
  })
  Sys.sleep(1)
}

expect_others_answered <- function(process) {
  for (i in 1:10) {
    expect_identical(http(process, "GET", "/v1/me", timeout_ms = 5000)$status, 200L)
    answer <- http(process, "POST", "/v1/none", list(`Content-Type` = "application/json"), "{}",
                   timeout_ms = 5000)
    expect_identical(answer$json$type, "urn:sdc:not_found")
  }
}

test_that("property: hundreds of upgrades and half-sent requests keep nobody else from an answer", {
  process <- local_process(local_place())
  attacks <- c(
    paste0(request_head(23, upgrade_lines), strrep("x", 23)),
    paste0(request_head(3000), "abc"),
    "POST /v1/requests HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "
  )
  for (text in attacks) {
    hold_many(process, text, 300)
    expect_others_answered(process)
  }
  expect_identical(ask_http(process, c("A", "B"))$status, 201L)
  expect_false(any(grepl("all connections are in use", readLines(process$log))))
})

test_that("property: an upgrade is refused, whatever it asks for, and others are answered", {
  process <- local_process(local_place())
  for (path in c("/", "/v1/me", "/none")) {
    lines <- c(paste("GET", path, "HTTP/1.1"), "Host: 127.0.0.1", upgrade_lines)
    said <- raw_http(process, paste0(paste(lines, collapse = "\r\n"), "\r\n\r\n"))
    expect_match(said, "^HTTP/1.1 400 ", info = path)
    expect_match(said, "urn:sdc:bad_request", info = path)
  }
  expect_identical(http(process, "GET", "/v1/me")$status, 200L)
})

test_that("property: few unfinished bodies are kept; the address that has most loses its oldest", {
  service <- local_service()
  withr::defer(close_bodies(service))
  before <- nrow(showConnections())
  new_body <- function(address) {
    req <- new.env()
    req$HTTP_CONTENT_LENGTH <- "3000"
    req$REMOTE_ADDR <- address
    keep_body(service, req)
    writeBin(charToRaw("abc"), req$.bodyData)
    req
  }
  patient <- new_body("192.0.2.1")
  hostile <- lapply(1:200, function(i) new_body("192.0.2.2"))
  expect_length(service$bodies, most_bodies)
  expect_lte(nrow(showConnections()), before + most_bodies + 1)
  expect_null(patient$body_dropped)
  kept <- vapply(hostile, function(req) is.null(req$body_dropped), NA)
  expect_identical(which(kept), (200 - most_bodies + 2):200)
  # what still comes of a dropped one goes nowhere, and is told to ask again
  expect_no_error(writeBin(raw(100), hostile[[1]]$.bodyData))
  hostile[[1]]$HEADERS <- character()
  expect_identical(respond(service, hostile[[1]])$status, 503)
  # what is read makes room
  free_body(service, patient)
  expect_length(service$bodies, most_bodies - 1)
  close_bodies(service)
  expect_identical(nrow(showConnections()), before)
})

test_that("property: a body that was dropped is answered 503 when it is completed at last", {
  process <- local_process(local_place())
  first <- hold(process, paste0(request_head(23), "abc"), 1)[[1]]
  Sys.sleep(.3)
  others <- hold(process, paste0(request_head(23), "abc"), most_bodies)
  withr::defer(for (con in c(list(first), others)) close(con))
  Sys.sleep(.5)
  writeBin(charToRaw(strrep("x", 20)), first)
  Sys.sleep(.5)
  expect_match(rawToChar(readBin(first, "raw", 1e5)), "^HTTP/1.1 503 .*[Rr]etry-[Aa]fter: 1")
})

test_that("property: a name that the system finds too long is not found, and the page still is", {
  process <- local_process(local_place())
  for (path in c(strrep("a", 256), paste0("messages/", strrep("a", 4000)), strrep("a/", 2000))) {
    answer <- http(process, "GET", paste0("/", path))
    expect_identical(answer$json$type, "urn:sdc:not_found")
    expect_identical(answer$headers$`x-content-type-options`, "nosniff")
  }
  skip_if_not(nzchar(system.file("www", "index.html", package = "sdcLattice")))
  for (path in c("/", "/?lang=de", "/index.html")) {
    page <- http(process, "GET", path)
    expect_match(page$headers$`content-type`, "text/html")
    expect_match(page$text, "<!doctype html>", ignore.case = TRUE)
    expect_identical(page$headers$`x-content-type-options`, "nosniff")
  }
  expect_identical(http(process, "HEAD", "/")$status, 200L)
  expect_match(http(process, "GET", "/api.js")$headers$`content-type`, "javascript")
  expect_identical(http(process, "GET", "/messages/en.json")$status, 200L)
})

# ---- connections that are held ------------------------------------------------------------------

# `n` connections to a port of this process, both ends.
local_connections <- function(n, frame = parent.frame()) {
  # ports of the tests before stay taken for a while
  repeat {
    port <- httpuv::randomPort()
    listener <- tryCatch(serverSocket(port), error = function(cnd) NULL)
    if (!is.null(listener)) break
  }
  withr::defer(close(listener), envir = frame)
  ends <- lapply(seq_len(n), function(i) {
    client <- socketConnection("127.0.0.1", port, open = "r+b", blocking = FALSE, timeout = 5)
    server <- socketAccept(listener, open = "r+b", blocking = FALSE, timeout = 5)
    withr::defer(for (end in list(client, server)) close(end), envir = frame)
    list(client = client, server = server)
  })
  list(port = port, ends = ends)
}

say <- function(end, text) {
  writeBin(charToRaw(text), end)
  Sys.sleep(.05)
}

# A closed connection has something to read: its end.
is_shut <- function(ends) {
  vapply(ends, function(one) {
    socketSelect(list(one$client), timeout = .2) && length(readBin(one$client, "raw", 1)) == 0
  }, NA)
}

# Of those who are connected to a port.
client_ports <- function(port) {
  lines <- utils::read.table("/proc/self/net/tcp", skip = 1, fill = TRUE)[, 2:3]
  ports <- lapply(lines, function(column) strtoi(sub(".*:", "", column), 16L))
  ports[[2]][ports[[1]] == port & ports[[2]] > 0]
}

held_rules <- function(...) {
  utils::modifyList(list(request_s = 10, patience_s = 3, most_of_address = 100, most = 100),
                    list(...))
}

test_that("property: connections that say nothing, or half, for too long are shut", {
  skip_if_not(file.exists("/proc/self/fd"))
  all <- local_connections(4)
  watch <- cpp_watch_connections(all$port)
  look <- function(now, complete = integer()) {
    cpp_shut_connections(watch, now, held_rules(), complete)
  }
  ends <- all$ends
  # of 1 nothing comes, of 2 half a request; 3 is answered and at rest; 4 is answered and asks again
  for (i in 2:4) say(ends[[i]]$client, "GET / HTTP/1.1")
  for (i in 3:4) say(ends[[i]]$server, "HTTP/1.1 200 OK")
  for (i in 3:4) readBin(ends[[i]]$client, "raw", 100)
  expect_identical(look(0), 0)
  expect_identical(look(10), 0)
  # who waits for an answer is left alone
  expect_identical(look(11, client_ports(all$port)), 0)
  say(ends[[4]]$client, "GET")
  expect_identical(look(11), 2)
  expect_identical(is_shut(ends), c(TRUE, TRUE, FALSE, FALSE))
  # the half request of 4 began at 11
  expect_identical(look(21), 0)
  expect_identical(look(22), 1)
  expect_identical(is_shut(ends[3:4]), c(FALSE, TRUE))
})

test_that("property: of too many connections those go that have waited longest", {
  skip_if_not(file.exists("/proc/self/fd"))
  all <- local_connections(6)
  watch <- cpp_watch_connections(all$port)
  rules <- held_rules(most_of_address = 4, request_s = 1000)
  look <- function(now) cpp_shut_connections(watch, now, rules, integer())
  expect_identical(look(0), 0)
  # these move on
  for (i in c(1, 2, 4, 6)) {
    say(all$ends[[i]]$client, "GET / HTTP/1.1")
    say(all$ends[[i]]$server, "HTTP/1.1 200 OK")
  }
  expect_identical(look(2), 0)
  expect_identical(look(4), 2)
  for (i in c(1, 2, 4, 6)) readBin(all$ends[[i]]$client, "raw", 100)
  expect_identical(is_shut(all$ends), seq_len(6) %in% c(3, 5))
  # others have nothing to do with the port
  expect_identical(cpp_shut_connections(cpp_watch_connections(1), 1000, rules, integer()), 0)
})

test_that("property: a server ends requests that are never completed, and no other", {
  skip_if_not(file.exists("/proc/self/fd"))
  process <- local_process(local_place())
  texts <- c(paste0(request_head(3000), "abc"), "GET /v1/me HTTP/1.1\r\nX-A: ", "")
  held <- lapply(texts, function(text) hold(process, text, 1)[[1]])
  withr::defer(for (end in held) close(end))
  open <- rep(TRUE, length(held))
  turns <- 0
  while (any(open) && turns < 60) {
    expect_identical(http(process, "GET", "/v1/me")$status, 200L)
    Sys.sleep(.5)
    open[open] <- !is_shut(lapply(held[open], function(end) list(client = end)))
    turns <- turns + 1
  }
  expect_false(any(open))
  expect_gt(turns, 5)
})
