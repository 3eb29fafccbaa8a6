skip_if_no_socket()
skip_if_no_fork()

# Two or more requests at once on one connection, as they are; their answers, and the seconds until
# each had come.
pipeline_http <- function(process, requests) {
  con <- socketConnection("127.0.0.1", process$port, open = "r+b", blocking = FALSE, timeout = 5)
  on.exit(close(con))
  began <- cpp_steady_s()
  writeBin(charToRaw(paste(requests, collapse = "")), con)
  text <- ""
  at <- numeric()
  while (length(at) < length(requests) && cpp_steady_s() - began < 20) {
    Sys.sleep(.005)
    text <- paste0(text, rawToChar(readBin(con, "raw", 1e5)))
    heard <- lengths(regmatches(text, gregexpr("HTTP/1.1 ", text, fixed = TRUE)))
    at <- c(at, rep(cpp_steady_s() - began, heard - length(at)))
  }
  list(text = text, at = at)
}

raw_wish <- function(key, variables, ...) {
  body <- wish_body(variables)
  paste0(paste(c("POST /v1/requests HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
                 paste("Idempotency-Key:", key), paste("Content-Length:", nchar(body)), ...),
               collapse = "\r\n"), "\r\n\r\n", body)
}

test_that("property: by the door requests are answered as by R, and never before their moment", {
  store <- local_place()
  tick_s <- .3
  policy <- server_policy(risk_width(3), time_limit_s = .2, tick_s = tick_s)
  process <- local_process(store, policy, list(open = TRUE, workers = 1, quiet = TRUE))
  door <- process
  door$port <- process$port + 1
  door$url <- paste0("http://127.0.0.1:", door$port)
  timed <- function(...) {
    began <- cpp_steady_s()
    answer <- ask_http(...)
    c(answer, list(took = cpp_steady_s() - began))
  }

  first <- timed(door, c("A", "B"), "k1")
  expect_identical(first$status, 201L)
  expect_gte(first$took, tick_s)
  again <- list(timed(process, c("A", "B"), "k1"), timed(door, c("A", "B"), "k1"))
  for (answer in again) {
    expect_identical(answer[c("status", "text")], list(status = 200L, text = first$text))
    expect_gte(answer$took, tick_s)
    expect_false("x-leave" %in% names(answer$headers))
  }
  # R compresses what curl asks for, the door does not
  named <- lapply(again, function(answer) grep("length|encoding", names(answer$headers),
                                               value = TRUE, invert = TRUE))
  expect_identical(sort(named[[1]]), sort(named[[2]]))
  # what is wrong with a request is said at both alike
  wrong <- lapply(list(process, door), http, "POST", "/v1/requests", wish_headers(), "{\"a\":1}")
  expect_identical(wrong[[1]]$status, wrong[[2]]$status)
  expect_identical(wrong[[1]]$json$type, wrong[[2]]$json$type)

  # nobody else is believed when a request came
  for (where in list(process, door)) {
    headers <- c(wish_headers("k2"), `X-Door` = "guess 0.000000001 -", `X-Leave` = "0.001")
    began <- cpp_steady_s()
    answer <- http(where, "POST", "/v1/requests", headers, wish_body(c("A", "C")))
    expect_gte(cpp_steady_s() - began, tick_s)
    expect_true(answer$status %in% 200:201)
    expect_false("x-leave" %in% names(answer$headers))
  }
  both <- pipeline_http(door, c(raw_wish("k3", c("B", "C")),
                                raw_wish("k4", c("B", "D"), "Connection: close")))
  expect_true(all(both$at >= tick_s * 1:2))
  expect_match(both$text, "\"k3\".*Connection: close.*\"k4\"")

  # only one kind of request passes
  expect_identical(http(door, "GET", "/v1/me")$json$type, "urn:sdc:method_not_allowed")
  get <- http(door, "GET", "/v1/requests")
  expect_identical(get$status, 405L)
  expect_identical(get$headers$allow, "POST")
  expect_match(get$headers$`content-type`, "application/problem+json", fixed = TRUE)
  big <- http(door, "POST", "/v1/requests", wish_headers(), strrep(" ", 20000))
  expect_identical(big$json$type, "urn:sdc:too_large")
  long <- http(door, "POST", "/v1/requests", c(wish_headers(), `X-Long` = strrep("a", 9000)), "{}")
  expect_identical(long$json$type, "urn:sdc:headers_too_large")
  chunked <- "POST /v1/requests HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
  expect_match(raw_http(door, chunked, .1), "^HTTP/1.1 411 ")
  for (text in c("NONSENSE\r\n\r\n", "POST /v1/requests HTTP/1.1\nHost: a\n\n",
                 "POST /v1/requests?a=1 HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")) {
    expect_match(raw_http(door, text, .1), "^HTTP/1.1 400 ")
  }
  expect_identical(nrow(place_query(store, "SELECT seq FROM decision")), 4L)
})

test_that("property: the word of the door counts by its secret alone", {
  service <- list(secret = "aa")
  note <- function(text, address = "1.1.1.1") {
    read_door(service, list(headers = list(`x-door` = text, host = "h"), arrival = 5,
                            address = address))
  }
  expect_identical(note("aa 3.25 2.2.2.2"),
                   list(headers = list(host = "h"), arrival = 3.25, address = "2.2.2.2",
                        by_door = TRUE))
  expect_identical(note("aa 3.25 -")$address, "1.1.1.1")
  for (text in c("bb 3.25 2.2.2.2", "aaa 3.25 -", "aa", "", " 3.25 -", "AA 3.25 -", "\xff 1 -")) {
    expect_identical(note(text)[c("arrival", "address", "by_door")],
                     list(arrival = 5, address = "1.1.1.1", by_door = FALSE))
    expect_null(note(text)$headers$`x-door`)
  }
  service <- list()
  expect_false(note(" 3.25 -")$by_door)
  expect_false(note("NULL 3.25 -")$by_door)
})

test_that("property: whole answers of the door are those of R", {
  answers <- door_answers()
  expect_identical(names(answers), c("400", "405", "411", "413", "431", "503"))
  for (status in names(answers)) {
    parts <- strsplit(answers[[status]], "\r\n\r\n", fixed = TRUE)[[1]]
    expect_length(parts, 2)
    expect_true(startsWith(parts[1], paste0("HTTP/1.1 ", status, " ")))
    expect_match(parts[1], paste0("Content-Length: ", nchar(parts[2])))
    expect_identical(jsonlite::parse_json(parts[2])$status, as.integer(status))
  }
})

test_that("property: while an answer waits its body takes none of R's connections", {
  req <- new.env()
  service <- local_service()
  free_body(service, req)
  before <- nrow(showConnections())
  req$.bodyData <- file(open = "w+b")
  expect_identical(nrow(showConnections()), before + 1L)
  free_body(service, req)
  expect_null(req$.bodyData)
  expect_identical(nrow(showConnections()), before)
})

test_that("property: a port that somebody has for a moment is waited for, a socket is not", {
  service <- list(clock = cpp_steady_s)
  tries <- 0
  at_third <- function() {
    tries <<- tries + 1
    if (tries == 1) stop("taken")
    if (tries == 3) "listening"
  }
  expect_identical(listen_at_last(service, "127.0.0.1", list(port = 1), at_third), "listening")
  expect_identical(tries, 3)
  at <- socket_address(file.path(withr::local_tempdir(), "s"))
  tries <- 0
  cnd <- expect_error(listen_at_last(service, NULL, at, at_third), class = "sdc_error_server")
  expect_match(conditionMessage(cnd), "must be free")
  expect_identical(conditionMessage(cnd$parent), "taken")
  expect_identical(tries, 1)
})
