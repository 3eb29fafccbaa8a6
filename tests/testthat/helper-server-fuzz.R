# Malformed requests at random: parts of good ones, spoilt in one or more places.

# Bytes that are hard to read: no UTF-8, cut UTF-8, controls, what has a meaning elsewhere.
odd_bytes <- c("\xff", "\xc3", "\xed\xa0\x80", "\xf0\x9f\x98", "\x01", "\x7f", "'", "\"", "%00",
               "%ff", "%zz", "%", "..", "/", "\\",
               ";", ",", "&", "=", "?", "#", "+", "-1", "0", "1e9", "NaN", "NA", "NULL", "TRUE",
               "99999999999999999999",
               "\xe2\x80\xae", "\xc3\xa4", "${7*7}", "{{x}}", "<b>", "' OR 1=1--", "\t", " ", "")

spoil <- function(text) {
  bytes <- charToRaw(text)
  at <- sample(length(bytes) + 1, 1) - 1
  more <- charToRaw(sample(odd_bytes, 1))
  cut <- if (stats::runif(1) < .3) sample(0:3, 1) else 0
  rest <- utils::tail(bytes, max(0, length(bytes) - at - cut))
  rawToChar(c(utils::head(bytes, at), more, rest)[c(utils::head(bytes, at), more, rest) != 0])
}

fuzz_addresses <- function() {
  routes <- vapply(api_routes(), `[[`, "", "path")
  routes <- gsub("{id}", "03", gsub("{key}", "k", routes, fixed = TRUE), fixed = TRUE)
  queries <- c("", "cursor=abc", "limit=0", "limit=999", "limit=1e3", "cursor=-1", "variables=A,B",
               "variables=", "variables=A,A",
               "variables=Z", "dimension=x", "dimension=2&status=odd", "dimension=2&cursor=zz",
               "upto=x", "format=xls", "x=y",
               "limit=5&limit=6", "cursor=99999999999999999", "variables=%00", "variables=%ff",
               "variables=%zz", "&&&", "=")
  c(outer(routes, queries,
          function(route, query) paste0(route, ifelse(query == "", "", "?"), query)))
}

# list(method, address, headers, body)
random_request <- function(addresses, token) {
  pick <- function(x) sample(x, 1)
  address <- pick(addresses)
  if (stats::runif(1) < .4) address <- spoil(address)
  headers <- list(
    authorization = paste("Bearer", token), host = "127.0.0.1", accept = "text/csv, */*;q=.1",
    `content-type` = "application/json", `if-none-match` = "\"a\"", `idempotency-key` = "k"
  )
  headers <- headers[stats::runif(length(headers)) < .7 | names(headers) == "authorization"]
  if (stats::runif(1) < .5) {
    name <- pick(names(headers))
    headers[[name]] <- spoil(headers[[name]])
  }
  if (stats::runif(1) < .1) headers[[pick(c("content-encoding", "x-forwarded-for", "cookie",
                                            "range", "expect"))]] <- pick(odd_bytes)
  bodies <- c("", "{}", "[]", "{\"variables\":[\"A\",\"B\"]}",
              "{\"variables\":[\"A\"],\"if_refused\":\"x\"}", "{\"variables\":[\"\\ud800\"]}",
              "{\"variables\":[1e999]}", "{\"variables\":{\"A\":1}}",
              "{\"variables\":[[[[[[\"A\"]]]]]]}", strrep("[", 200),
              "{\"variables\":[\"A\"],\"variables\":[\"B\"]}", "null",
              "{\"variables\":[\"A\",\"B\"]} x", "{\"\\u0000\":1}", strrep("9", 5000))
  body <- pick(bodies)
  if (stats::runif(1) < .5) body <- spoil(body)
  method <- pick(c("GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"))
  list(method = method, address = address, headers = headers, body = body)
}

# As bytes, as a client would send it; sometimes what is no HTTP at all.
request_bytes <- function(request) {
  lines <- c(
    paste(request$method, request$address, "HTTP/1.1"),
    paste0(names(request$headers), ": ", unlist(request$headers)),
    paste0("Content-Length: ", nchar(request$body, "bytes"))
  )
  odd <- stats::runif(1)
  if (odd < .05) lines <- lines[-1]
  if (odd > .05 && odd < .1) lines <- c(lines, "Content-Length: -5")
  if (odd > .1 && odd < .15) lines <- c(lines, "Transfer-Encoding: chunked")
  if (odd > .15 && odd < .2) lines[1] <- spoil(lines[1])
  if (odd > .2 && odd < .25) lines <- c(lines, "\xff\xfe: x", "Bad Name: y")
  bytes <- charToRaw(paste0(paste(lines, collapse = "\r\n"), "\r\n\r\n", request$body))
  if (odd > .95) bytes <- utils::head(bytes, sample(length(bytes), 1))
  bytes
}

# The statuses of what came back, "none" where the connection was closed or nothing came.
send_bytes <- function(process, bytes, wait_s = 1) {
  con <- socketConnection("127.0.0.1", process$port, open = "r+b", blocking = FALSE, timeout = 5)
  on.exit(close(con))
  tryCatch(writeBin(bytes, con), error = function(e) NULL)
  found <- raw()
  until <- cpp_steady_s() + wait_s
  repeat {
    more <- tryCatch(readBin(con, "raw", 65536), error = function(e) raw(),
                     warning = function(w) raw())
    found <- c(found, more)
    if (length(found) > 12 || cpp_steady_s() > until) break
    Sys.sleep(.002)
  }
  text <- rawToChar(found[found != 0])
  status <- regmatches(text, regexpr("^HTTP/1[.][01] [0-9]{3}", text, useBytes = TRUE))
  if (length(status) == 0) "none" else sub(".* ", "", status)
}

resident_mb <- function(pid) {
  as.numeric(strsplit(readLines(file.path("/proc", pid, "statm")), " ")[[1]][2]) * 4096 / 1e6
}
