# The table server under load, on 127.0.0.1, in one run: processes that answer, on Unix sockets or
# ports, and one that judges, on an SQLite store of `czech_workers`.
#
#   Rscript inst/bench/server-load.R [seconds] [requests] [clients] [seconds of the crowd] [kills] [delay]
#
# 5, 2000, 100, 5, 6 and .3 unless given; `20 100000 1000 60 200` for the figures of the book, and
# `20 0 100 5 0 2` for those of a delay of 2 s, which 200 clients on two processors need. Every
# part is bounded in time and in requests. Connections stay open; the load is made by wrk. Beside the
# clock stands the processor time of all processes of the server. Errors of files are connections
# that httpuv has closed: it does so when a connection has brought 80 KiB of headers of requests for
# files alone, and the client asks again by another one.
library(sdcLattice)
arguments <- as.numeric(commandArgs(TRUE))
given <- function(i, default) if (length(arguments) >= i) arguments[i] else default
seconds <- given(1, 5)
n_requests <- given(2, 2000)
n_crowd <- given(3, 100)
crowd_s <- given(4, 5)
n_kills <- given(5, 6)
workers <- 2
tick_s <- given(6, 0.3)

folder <- tempfile()
dir.create(folder)
store <- file.path(folder, "store.sqlite")
policy <- server_policy(risk_width(3), tick_s = tick_s)
server <- table_server(czech_workers, policy, store = store, progress = FALSE)
tokens <- vapply(paste0("user", 1:20), function(id) {
  add_server_user(server, id)
  issue_server_token(server, id)
}, "")
for (set in c("A:B", "A:C", "B:D")) request_table(server, set)
close(server)

# ---- processes ----------------------------------------------------------------------------------

start <- function(code, ready) {
  script <- tempfile(fileext = ".R")
  pid <- tempfile()
  writeLines(c(sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
               sprintf("writeLines(as.character(Sys.getpid()), '%s')", pid), code), script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), wait = FALSE,
          stdout = file.path(folder, "out"), stderr = file.path(folder, "errors"))
  until <- Sys.time() + 60
  while (!answers(ready)) {
    if (Sys.time() > until) stop(paste(readLines(file.path(folder, "errors")), collapse = "\n"))
    Sys.sleep(.05)
  }
  as.integer(readLines(pid))
}

answers <- function(url) {
  found <- try(curl::curl_fetch_memory(url, curl::new_handle(timeout_ms = 2000)), silent = TRUE)
  !inherits(found, "try-error") && found$status_code < 500
}

# list(parent, state) of all processes, by number.
all_processes <- function() {
  lines <- vapply(Sys.glob("/proc/[0-9]*/stat"), function(file) {
    suppressWarnings(tryCatch(readLines(file, 1), error = function(e) "0 () Z 0"))
  }, "")
  rest <- strsplit(sub(".*[)] ", "", lines), " ")
  alive <- vapply(rest, `[`, "", 1) != "Z"
  data.frame(pid = as.integer(sub(" .*", "", lines)),
             parent = as.integer(vapply(rest, `[`, "", 2)),
             ticks = vapply(rest, function(x) sum(as.numeric(x[12:13])), 0))[alive, ]
}

members <- function() {
  found <- all_processes()
  found[found$parent == pid, ]
}

# Of the processes that are there before and after.
processor_s <- function(before, after) {
  both <- intersect(before$pid, after$pid)
  sum(after$ticks[match(both, after$pid)] - before$ticks[match(both, before$pid)]) / 100
}

resident_mb <- function(pids) {
  pages <- vapply(pids, function(p) scan(paste0("/proc/", p, "/statm"), quiet = TRUE)[2], 0)
  sum(pages) * 4096 / 2^20
}

port <- httpuv::randomPort()
base <- function(i = 1) paste0("http://127.0.0.1:", port + i - 1)
# requests for sub-tables go to the doors, as nginx sends them
door <- function(i = 1) base(workers + i)
serving <- c(
  "library(sdcLattice)",
  sprintf("policy <- server_policy(risk_width(3), tick_s = %g)", tick_s),
  sprintf("server <- table_server(czech_workers, policy, store = '%s', progress = FALSE)", store),
  sprintf(paste("serve(server, port = %d, workers = %d, rate_per_s = 1e6, burst = 1e6,",
                "quiet = TRUE)"), port, workers)
)
pid <- start(serving, paste0(base(), "/v1/health"))
# also when this script fails
reg.finalizer(globalenv(), function(e) tools::pskill(pid, tools::SIGTERM), onexit = TRUE)

# ---- load ---------------------------------------------------------------------------------------

# By wrk, one process for each port: it takes little of the processors that the server needs too.
if (!nzchar(Sys.which("wrk"))) stop("this bench needs the program wrk (Debian: package wrk)")

# What a request is, as a script for wrk: by turns one of `paths`, or a POST for a random sub-table.
wrk_script <- function(paths = NULL) {
  file <- tempfile(fileext = ".lua")
  quoted <- function(x) paste0("{", paste0("\"", x, "\"", collapse = ", "), "}")
  writeLines(c(
    "function init(arguments) run = arguments[1] math.randomseed(tonumber(arguments[2])) end",
    sprintf("local tokens = %s", quoted(tokens)),
    "local n = 0",
    "local function head() return {Authorization = 'Bearer ' .. tokens[math.random(#tokens)]} end",
    if (!is.null(paths)) c(
      sprintf("local paths = %s", quoted(paths)),
      "request = function()",
      "  n = n + 1",
      "  return wrk.format('GET', paths[n % #paths + 1], head())",
      "end"
    ) else c(
      "request = function()",
      "  n = n + 1",
      "  local names = {'A', 'B', 'C', 'D', 'E', 'F'}",
      "  for i = 6, 2, -1 do",
      "    local j = math.random(i)",
      "    names[i], names[j] = names[j], names[i]",
      "  end",
      "  local wish = {}",
      "  for i = 1, math.random(2, 4) do wish[i] = names[i] end",
      "  local headers = head()",
      "  headers['Content-Type'] = 'application/json'",
      "  headers['Idempotency-Key'] = run .. n",
      "  local body = '{\"variables\":[\"' .. table.concat(wish, '\",\"') .. '\"]}'",
      "  return wrk.format('POST', '/v1/requests', headers, body)",
      "end"
    )
  ), file)
  file
}

start_wrk <- function(script, clients, seconds, ports = seq_len(workers),
                      to = if (identical(script, post)) door else base) {
  each <- max(1, clients / length(ports))
  lapply(ports, function(i) {
    out <- tempfile()
    ended <- paste0(out, ".ended")
    keys <- paste(sample(letters, 12, TRUE), collapse = "")
    command <- sprintf(
      "wrk -t1 -c%d -d%ds --timeout 20s --latency -s %s %s -- %s %d >%s 2>&1; touch %s",
      as.integer(each), as.integer(seconds), script, to(i), keys, sample(1e6, 1), out, ended
    )
    system2("sh", c("-c", shQuote(command)), wait = FALSE)
    list(out = out, ended = ended)
  })
}

# Of both ports the worse latency; -1 where wrk said none.
end_wrk <- function(running) {
  for (one in running) while (!file.exists(one$ended)) Sys.sleep(.02)
  parts <- lapply(running, function(one) {
    lines <- readLines(one$out)
    number <- function(pattern) {
      found <- grep(pattern, lines, value = TRUE)
      sub(pattern, "\\1", found)
    }
    ms <- function(share) {
      text <- number(paste0("^ +", share, "% +([0-9.]+[a-z]+) *$"))
      if (length(text) == 0) stop(paste(lines, collapse = "\n"))
      unit <- c(us = .001, ms = 1, s = 1000, m = 6e4)[[sub("[0-9.]+", "", text)]]
      as.numeric(sub("[a-z]+", "", text)) * unit
    }
    broken <- number("^ +Socket errors: (connect.*)$")
    list(
      n = as.numeric(number("^ +([0-9]+) requests in .*")),
      per_s = as.numeric(number("^Requests/sec: +([0-9.]+)$")), median = ms(50), p99 = ms(99),
      errors = sum(as.numeric(c(number("^ +Non-2xx or 3xx responses: ([0-9]+)$"),
                                unlist(strsplit(gsub("[^0-9,]", "", broken), ",")))))
    )
  })
  all <- function(part) vapply(parts, `[[`, 0, part)
  list(n = sum(all("n")), per_s = sum(all("per_s")), median = max(all("median")),
       p99 = max(all("p99")), errors = sum(all("errors")))
}

own_processes <- function() {
  found <- all_processes()
  found[found$pid == pid | found$parent == pid, ]
}

load_with <- function(script, clients, seconds, meanwhile = NULL, ...) {
  before <- own_processes()
  running <- start_wrk(script, clients, seconds, ...)
  beside <- if (!is.null(meanwhile)) meanwhile()
  found <- end_wrk(running)
  if (!is.null(beside)) found$beside <- end_wrk(beside)
  found$cpu_ms <- 1000 * processor_s(before, own_processes()) / found$n
  found
}

show <- function(what, found) {
  words <- paste("%-44s %7d requests %6.0f /s  median %6.1f p99 %6.1f ms ",
                 "processor %6.3f ms  errors %d\n")
  cat(sprintf(words, what, as.integer(found$n), found$per_s, found$median, found$p99, found$cpu_ms,
              as.integer(found$errors)))
}

set.seed(1)
some <- function(n) sort(sample(LETTERS[1:6], n))
wish <- function() {
  paste0("{\"variables\":[\"", paste(some(sample(2:4, 1)), collapse = "\",\""), "\"]}")
}
card <- function() paste0("/v1/card?variables=", paste(some(sample(3, 1)), collapse = ","))

new_request <- function(path, i = sample(workers, 1), body = NULL, key = NULL, timeout_ms = 20000) {
  handle <- curl::new_handle(timeout_ms = timeout_ms)
  headers <- list(Authorization = paste("Bearer", sample(tokens, 1)), Expect = "")
  if (!is.null(body)) {
    headers$`Content-Type` <- "application/json"
    headers$`Idempotency-Key` <- key
    curl::handle_setopt(handle, customrequest = "POST", postfields = body)
  }
  curl::handle_setheaders(handle, .list = headers)
  at <- if (is.null(body)) base(i) else door(i)
  list(url = paste0(at, path), handle = handle)
}

first <- curl::curl_fetch_memory(paste0(base(), "/v1/tables/03/data"),
                                 new_request("/v1/tables/03/data", 1)$handle)
document <- curl::parse_headers_list(first$headers)$`content-location`
cards <- wrk_script(vapply(1:50, function(i) card(), ""))
post <- wrk_script()

# The first requests of a process compile what they run, and are not measured. What clients asked for
# who have gone is still answered for a while: each part waits for the one before.
settle <- function() Sys.sleep(2)
for (script in list(cards, post)) load_with(script, 20, 2)

for (clients in c(20, 200)) {
  settle()
  cat(sprintf("\n-- %d clients --\n", clients))
  run <- function(what, ...) show(what, load_with(wrk_script(c(...)), clients, seconds))
  run("a file of the page (the bare file server)", "/icon.svg")
  run("a released table, by its document", document)
  run("a released table, through R", "/v1/tables/03/data")
  show("cards", load_with(cards, clients, seconds))
  run("lists", "/v1/space?dimension=3")
  run("who am I", "/v1/me")
  around <- load_with(post, clients, seconds, to = base)
  show("POST for a sub-table, not by the doors", around)
  found <- load_with(post, clients, seconds)
  show("POST for a sub-table", found)
  cat(sprintf("  POST: p99 minus the fixed delay of %g ms: %.1f ms\n", 1000 * tick_s,
              found$p99 - 1000 * tick_s))
}

cat("\n-- look-ups while another client's requests are judged --\n")
for (clients in c(2, 20)) {
  settle()
  lookups <- wrk_script(c("/v1/tables/03/data", vapply(1:9, function(i) card(), "")))
  found <- load_with(lookups, clients, seconds,
                     meanwhile = function() start_wrk(post, 1, seconds, ports = 1))
  show(sprintf("%d clients beside a poster", clients), found)
  cat(sprintf("  the poster: p99 minus the fixed delay: %.1f ms\n",
              found$beside$p99 - 1000 * tick_s))
}

cat("\n-- a crowd, and memory --\n")
mixed <- wrk_script(ifelse(stats::runif(50) < .7, document, vapply(1:50, function(i) card(), "")))
show(sprintf("%d clients, documents and cards", n_crowd), load_with(mixed, n_crowd, crowd_s))
memory <- c(`0` = resident_mb(members()$pid))
asked <- errors <- 0
while (asked < n_requests) {
  found <- load_with(cards, 20, max(1, seconds))
  asked <- asked + found$n
  errors <- errors + found$errors
  memory[as.character(asked)] <- resident_mb(members()$pid)
}
keep <- unique(round(seq(1, length(memory), length.out = 6)))
words <- paste0(names(memory), ": ", round(memory, 1))
cat("resident MB of all processes after requests more:", paste(words[keep], collapse = ", "),
    "; errors", errors, "\n")

# ---- kills --------------------------------------------------------------------------------------

# By turns to all processes, until there is an answer; what a proxy and its client do.
until_answered <- function(body, key, wait_s = 30) {
  began <- Sys.time()
  repeat {
    for (i in seq_len(workers)) {
      request <- new_request("/v1/requests", i, body, key, timeout_ms = 5000)
      curl::handle_setheaders(request$handle, Authorization = paste("Bearer", tokens[[1]]),
                              `Content-Type` = "application/json", `Idempotency-Key` = key,
                              Expect = "")
      answer <- try(curl::curl_fetch_memory(request$url, request$handle), silent = TRUE)
      if (!inherits(answer, "try-error") && answer$status_code %in% c(200, 201)) {
        return(list(text = rawToChar(answer$content),
                    took = as.numeric(difftime(Sys.time(), began, units = "secs"))))
      }
    }
    if (as.numeric(difftime(Sys.time(), began, units = "secs")) > wait_s) {
      return(list(text = NA, took = wait_s))
    }
    Sys.sleep(.01)
  }
}

cat("\n-- kill -9 at random under load --\n")
lost <- different <- 0
back <- numeric()
for (i in seq_len(n_kills)) {
  body <- wish()
  key <- paste0("kill", i)
  heard <- NULL
  pool <- curl::new_pool()
  request <- new_request("/v1/requests", body = body, key = key, timeout_ms = 2000)
  curl::handle_setheaders(request$handle, Authorization = paste("Bearer", tokens[[1]]),
                          `Content-Type` = "application/json", `Idempotency-Key` = key, Expect = "")
  curl::curl_fetch_multi(request$url, handle = request$handle, pool = pool, fail = identity,
                         done = function(x) if (x$status_code < 400) heard <<- rawToChar(x$content))
  for (other in 1:10) {
    request <- new_request(card(), timeout_ms = 2000)
    curl::curl_fetch_multi(request$url, handle = request$handle, pool = pool, done = identity,
                           fail = identity)
  }
  curl::multi_run(timeout = stats::runif(1, 0, 1.5 * tick_s), pool = pool)
  now <- members()$pid
  tools::pskill(now[sample(length(now), 1)], tools::SIGKILL)
  again <- until_answered(body, key)
  back <- c(back, again$took)
  # the answer itself, told again from the store
  once_more <- until_answered(body, key)$text
  lost <- lost + is.na(again$text)
  different <- different + (!identical(again$text, once_more)) +
    (!is.null(heard) && !identical(heard, again$text))
}
cat(sprintf("%d kills: %d lost, %d told twice differently, answered again after %.2f s at most\n",
            n_kills, lost, different, max(0, back - tick_s)))

# ---- restart ------------------------------------------------------------------------------------

cat("\n-- all processes are replaced --\n")
before <- members()$pid
tools::pskill(pid, 1L)
failed <- asked <- retried <- 0
until <- Sys.time() + 60
while (any(before %in% members()$pid) && Sys.time() < until) {
  asked <- asked + 1
  for (i in c(1:workers, 1:workers)) {
    request <- new_request(card(), i, timeout_ms = 5000)
    answer <- try(curl::curl_fetch_memory(request$url, request$handle), silent = TRUE)
    ok <- !inherits(answer, "try-error") && answer$status_code == 200
    if (ok) break
    retried <- retried + 1
  }
  failed <- failed + !ok
}
cat(sprintf("%d requests, %d sent to the next process as a proxy does it, %d failed\n", asked,
            retried, failed))

tools::pskill(pid, tools::SIGTERM)
until <- Sys.time() + 30
while (nrow(members()) > 0 && Sys.time() < until) Sys.sleep(.1)
server <- table_server(czech_workers, policy, store = store, progress = FALSE)
print(audit(server))
close(server)
unlink(folder, recursive = TRUE)
