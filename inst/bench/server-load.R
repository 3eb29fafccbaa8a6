# The table server under load, on 127.0.0.1, in one run: processes that answer, on Unix sockets or
# ports, and one that judges, on an SQLite store of `czech_workers`.
#
#   Rscript inst/bench/server-load.R [seconds] [requests] [clients] [seconds of the crowd] [kills]
#
# 5, 2000, 100, 5 and 6 unless given; `20 100000 1000 60 200` for the figures of the book. Every
# part is bounded in time and in requests. Connections stay open, as those of a proxy do. Beside the
# clock stands the processor time of all processes of the server.
library(sdcLattice)
arguments <- as.numeric(commandArgs(TRUE))
given <- function(i, default) if (length(arguments) >= i) arguments[i] else default
seconds <- given(1, 5)
n_requests <- given(2, 2000)
n_crowd <- given(3, 100)
crowd_s <- given(4, 5)
n_kills <- given(5, 6)
workers <- 2
tick_s <- 0.3

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
serving <- c(
  "library(sdcLattice)",
  sprintf("policy <- server_policy(risk_width(3), tick_s = %g)", tick_s),
  sprintf("server <- table_server(czech_workers, policy, store = '%s', progress = FALSE)", store),
  sprintf(paste("serve(server, port = %d, workers = %d, rate_per_s = 1e6, burst = 1e6,",
                "quiet = TRUE)"), port, workers)
)
pid <- start(serving, paste0(base(), "/v1/health"))

# ---- load ---------------------------------------------------------------------------------------

new_request <- function(path, i = sample(workers, 1), body = NULL, key = NULL, timeout_ms = 20000) {
  handle <- curl::new_handle(timeout_ms = timeout_ms)
  headers <- list(Authorization = paste("Bearer", sample(tokens, 1)), Expect = "")
  if (!is.null(body)) {
    headers$`Content-Type` <- "application/json"
    headers$`Idempotency-Key` <- key
    curl::handle_setopt(handle, customrequest = "POST", postfields = body)
  }
  curl::handle_setheaders(handle, .list = headers)
  list(url = paste0(base(i), path), handle = handle)
}

# `n` requests are under way at any time, for some seconds and at most `most`.
load_with <- function(make, n, seconds, most = Inf, each = identity) {
  pool <- curl::new_pool(total_con = n, host_con = n)
  ms <- numeric()
  errors <- sent <- 0
  until <- Sys.time() + seconds
  send <- function() {
    request <- make()
    began <- as.numeric(Sys.time())
    sent <<- sent + 1
    finish <- function(failed) {
      ms[length(ms) + 1] <<- 1000 * (as.numeric(Sys.time()) - began)
      errors <<- errors + failed
      each(length(ms))
      if (Sys.time() < until && sent < most) send()
    }
    curl::curl_fetch_multi(request$url, handle = request$handle, pool = pool,
                           done = function(answer) finish(answer$status_code >= 400),
                           fail = function(text) finish(TRUE))
  }
  before <- all_processes()
  began <- Sys.time()
  for (i in seq_len(n)) send()
  curl::multi_run(pool = pool)
  took <- as.numeric(difftime(Sys.time(), began, units = "secs"))
  after <- all_processes()
  own <- c(pid, after$pid[after$parent == pid])
  used <- processor_s(before[before$pid %in% own, ], after[after$pid %in% own, ])
  list(ms = ms, errors = errors, per_s = length(ms) / took, cpu_ms = 1000 * used / length(ms))
}

show <- function(what, found) {
  q <- stats::quantile(found$ms, c(.5, .99))
  words <- paste("%-44s %7d requests %6.0f /s  median %6.1f p99 %6.1f ms ",
                 "processor %6.3f ms  errors %d\n")
  cat(sprintf(words, what, length(found$ms), found$per_s, q[1], q[2], found$cpu_ms,
              as.integer(found$errors)))
}

set.seed(1)
some <- function(n) sort(sample(LETTERS[1:6], n))
wish <- function() {
  paste0("{\"variables\":[\"", paste(some(sample(2:4, 1)), collapse = "\",\""), "\"]}")
}
card <- function() paste0("/v1/card?variables=", paste(some(sample(3, 1)), collapse = ","))
first <- curl::curl_fetch_memory(paste0(base(), "/v1/tables/03/data"),
                                 new_request("/v1/tables/03/data", 1)$handle)
document <- curl::parse_headers_list(first$headers)$`content-location`

for (clients in c(20, 200)) {
  cat(sprintf("\n-- %d clients --\n", clients))
  run <- function(what, make) show(what, load_with(make, clients, seconds))
  run("a file of the page (the bare file server)", function() new_request("/icon.svg"))
  run("a released table, by its document", function() new_request(document))
  run("a released table, through R", function() new_request("/v1/tables/03/data"))
  run("cards", function() new_request(card()))
  run("lists", function() new_request("/v1/space?dimension=3"))
  run("who am I", function() new_request("/v1/me"))
  found <- load_with(function() new_request("/v1/requests", body = wish()), clients, seconds)
  show("POST for a sub-table", found)
  cat(sprintf("  POST: p99 minus the fixed delay of %g ms: %.1f ms\n", 1000 * tick_s,
              stats::quantile(found$ms, .99) - 1000 * tick_s))
}

cat("\n-- look-ups while another client's requests are judged --\n")
posts <- numeric()
posting <- TRUE
lookups <- load_with(local({
  turn <- 0
  function() {
    turn <<- turn + 1
    new_request(if (turn %% 2 == 0) card() else "/v1/tables/03/data")
  }
}), 20, seconds, each = function(n) {
  # one client asks without end
  if (posting && n %% 20 == 1) {
    posting <<- FALSE
    request <- new_request("/v1/requests", body = wish())
    began <- as.numeric(Sys.time())
    curl::curl_fetch_multi(request$url, handle = request$handle, done = function(answer) {
      posts[length(posts) + 1] <<- 1000 * (as.numeric(Sys.time()) - began)
      posting <<- TRUE
    }, fail = function(text) posting <<- TRUE)
  }
  curl::multi_run(timeout = 0)
})
show("look-ups beside a poster", lookups)

cat("\n-- a crowd, and memory --\n")
show(sprintf("%d clients, documents and cards", n_crowd), load_with(function() {
  new_request(if (stats::runif(1) < .7) document else card())
}, n_crowd, crowd_s))
memory <- c(`0` = resident_mb(members()$pid))
found <- load_with(function() new_request(card()), 20, 3600, most = n_requests, each = function(n) {
  if (n %% (n_requests / 5) == 0) memory[as.character(n)] <<- resident_mb(members()$pid)
})
cat("resident MB of all processes after requests more:",
    paste0(names(memory), ": ", round(memory, 1), collapse = ", "), "; errors", found$errors, "\n")

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
