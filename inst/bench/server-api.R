# The API of the table server under load, on 127.0.0.1: 20 clients at once, who ask for cards,
# levels, released tables, and by POST for sub-tables; beside them, a bare answer of httpuv in the
# same run. And the memory of the server over many requests.
#
#   Rscript inst/bench/server-api.R [seconds] [requests]      60 and 10000 unless given
library(sdcLattice)
arguments <- as.numeric(commandArgs(TRUE))
seconds <- if (length(arguments) > 0) arguments[1] else 60
n_requests <- if (length(arguments) > 1) arguments[2] else 10000
n_clients <- 20

start <- function(code, port) {
  script <- tempfile(fileext = ".R")
  pid <- tempfile()
  writeLines(c(sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
               sprintf("writeLines(as.character(Sys.getpid()), '%s')", pid), code), script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), wait = FALSE,
          stdout = FALSE, stderr = FALSE)
  url <- paste0("http://127.0.0.1:", port)
  until <- Sys.time() + 60
  while (inherits(try(curl::curl_fetch_memory(url), silent = TRUE), "try-error") &&
           Sys.time() < until) Sys.sleep(.1)
  list(url = url, pid = as.integer(readLines(pid)))
}

# 20 requests are under way at any time, until the time is over or `most` have been answered.
load_with <- function(make_request, seconds, most = Inf, each = NULL) {
  pool <- curl::new_pool(total_con = n_clients, host_con = n_clients)
  ms <- numeric()
  kind <- character()
  errors <- 0
  n <- 0
  until <- Sys.time() + seconds
  send <- function() {
    request <- make_request()
    began <- as.numeric(Sys.time())
    n <<- n + 1
    finish <- function(failed) {
      ms[length(ms) + 1] <<- 1000 * (as.numeric(Sys.time()) - began)
      kind[length(kind) + 1] <<- request$kind
      errors <<- errors + failed
      if (!is.null(each)) each(length(ms))
      if (Sys.time() < until && n < most) send()
    }
    curl::curl_fetch_multi(request$url, handle = request$handle, pool = pool,
                           done = function(answer) finish(answer$status_code >= 400),
                           fail = function(text) finish(TRUE))
  }
  began <- Sys.time()
  for (i in seq_len(n_clients)) send()
  curl::multi_run(pool = pool)
  took <- as.numeric(difftime(Sys.time(), began, units = "secs"))
  list(ms = ms, kind = kind, errors = errors, per_s = length(ms) / took)
}

show <- function(what, found) {
  q <- stats::quantile(found$ms, c(.5, .99))
  cat(sprintf("%-28s %7d requests, %6.0f a second, median %5.1f ms, p99 %5.1f ms, errors %d\n", what,
              length(found$ms), found$per_s, q[1], q[2], as.integer(found$errors)))
}

page_bytes <- as.numeric(system2("getconf", "PAGESIZE", stdout = TRUE))
resident_mb <- function(pid) scan(paste0("/proc/", pid, "/statm"), quiet = TRUE)[2] * page_bytes / 2^20

port <- httpuv::randomPort()
bare <- start(c(
  "app <- list(call = function(req) list(status = 200L, headers = list(), body = 'ok'))",
  sprintf("httpuv::runServer('127.0.0.1', %d, app)", port)
), port)
show("a bare answer of httpuv", load_with(function() {
  list(url = bare$url, handle = curl::new_handle(), kind = "bare")
}, seconds / 4))
tools::pskill(bare$pid)

folder <- tempfile()
dir.create(folder)
store <- file.path(folder, "store.sqlite")
server <- table_server(czech_workers, server_policy(risk_width(3)), store = store)
tokens <- vapply(paste0("user", seq_len(n_clients)), function(id) {
  add_server_user(server, id)
  issue_server_token(server, id)
}, "")
close(server)
port <- httpuv::randomPort()
api <- start(c(
  "library(sdcLattice)",
  sprintf("server <- table_server(czech_workers, server_policy(risk_width(3)), store = '%s')", store),
  sprintf("serve(server, port = %d, rate_per_s = 1e5, burst = 1e6, log = '%s/log')", port, folder)
), port)

set.seed(1)
names <- LETTERS[1:6]
make_request <- function() {
  kind <- sample(c("card", "levels", "data", "post"), 1, prob = c(.4, .2, .3, .1))
  some <- function(n) sort(sample(names, n))
  path <- switch(kind,
    card = paste0("card?variables=", paste(some(sample(3, 1)), collapse = ",")),
    levels = "levels", data = paste0("tables/0", sample(c(1, 2, 4, 8), 1), "/data"), post = "requests"
  )
  handle <- curl::new_handle()
  headers <- list(Authorization = paste("Bearer", sample(tokens, 1)), Expect = "")
  if (kind == "post") {
    headers$`Content-Type` <- "application/json"
    body <- paste0("{\"variables\":[\"", paste(some(sample(2:4, 1)), collapse = "\",\""), "\"]}")
    curl::handle_setopt(handle, customrequest = "POST", postfields = body)
  }
  curl::handle_setheaders(handle, .list = headers)
  list(url = paste0(api$url, "/v1/", path), handle = handle, kind = kind)
}
found <- load_with(make_request, seconds)
show("the API", found)
for (kind in c("card", "levels", "data", "post")) {
  at <- found$kind == kind
  cat(sprintf("  %-6s %7d requests, median %5.1f ms, p99 %5.1f ms\n", kind, sum(at),
              stats::median(found$ms[at]), stats::quantile(found$ms[at], .99)))
}

memory <- c(`0` = resident_mb(api$pid))
found <- load_with(make_request, 3600, most = n_requests, each = function(n) {
  if (n %% (n_requests / 5) == 0) memory[as.character(n)] <<- resident_mb(api$pid)
})
cat("resident MB after requests more:", paste0(names(memory), ": ", round(memory, 1), collapse = ", "),
    "; errors", found$errors, "\n")
tools::pskill(api$pid)
unlink(folder, recursive = TRUE)
