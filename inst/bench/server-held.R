# The table server while others hold connections, on 127.0.0.1: upgrades to other protocols, and
# requests whose headers or bodies never come to their end. Somebody else looks something up every
# 50 ms over a new connection; each fourth time it is a POST to a path that does not exist.
#
#   Rscript inst/bench/server-held.R [connections] [seconds]
#
# 300 connections and 14 seconds unless given. First without any attack, then one attack after the
# other, for one process and for two with a judge. Look-ups and attacks come from processes of their
# own.
library(sdcLattice)
arguments <- as.numeric(commandArgs(TRUE))
given <- function(i, default) if (length(arguments) >= i) arguments[i] else default
n_held <- given(1, 300)
seconds <- given(2, 14)

head_of <- function(length, ...) {
  paste0(paste(c("POST /v1/requests HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
                 paste0("Content-Length: ", length), ...), collapse = "\r\n"), "\r\n\r\n")
}
attacks <- list(
  nobody = NULL,
  upgrades = paste0(head_of(23, "Upgrade: websocket", "Connection: Upgrade",
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                            "Sec-WebSocket-Version: 13"), strrep("x", 23)),
  headers = "POST /v1/requests HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
  bodies = paste0(head_of(3000), "abc")
)

connect <- function(port) {
  socketConnection("127.0.0.1", port, open = "r+b", blocking = TRUE, timeout = 3)
}

# R has 128 connections: a process for each hundred.
hold <- function(port, text) {
  lapply(seq_len(ceiling(n_held / 100)), function(part) parallel::mcparallel({
    held <- lapply(seq_len(min(100, n_held - 100 * (part - 1))), function(i) {
      con <- connect(port)
      try(writeBin(charToRaw(text), con), silent = TRUE)
      con
    })
    Sys.sleep(seconds)
    length(held)
  }))
}

# Was it answered as it should be, and after how many ms?
look_up <- function(port, post) {
  text <- if (post) {
    paste0("POST /v1/none HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n",
           "Content-Length: 2\r\nConnection: close\r\n\r\n{}")
  } else {
    "GET /v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
  }
  began <- proc.time()[["elapsed"]]
  said <- tryCatch({
    con <- connect(port)
    on.exit(close(con))
    writeBin(charToRaw(text), con)
    rawToChar(readBin(con, "raw", 12))
  }, error = function(cnd) "")
  c(ok = said == if (post) "HTTP/1.1 404" else "HTTP/1.1 200",
    ms = 1000 * (proc.time()[["elapsed"]] - began))
}

measure <- function(port, name) {
  jobs <- if (is.null(attacks[[name]])) list() else hold(port, attacks[[name]])
  until <- Sys.time() + seconds
  found <- list()
  while (Sys.time() < until) {
    next_at <- Sys.time() + .05
    found <- c(found, list(look_up(port, length(found) %% 4 == 3)))
    Sys.sleep(max(0, as.numeric(next_at - Sys.time(), units = "secs")))
  }
  # what the server shuts is warned about when it is closed
  if (length(jobs) > 0) suppressWarnings(parallel::mccollect(jobs))
  found <- do.call(rbind, found)
  data.frame(attack = name, look_ups = nrow(found), answered = mean(found[, "ok"]),
             p50_ms = stats::median(found[, "ms"]), p99_ms = stats::quantile(found[, "ms"], .99),
             max_ms = max(found[, "ms"]), row.names = NULL)
}

for (workers in c(0, 2)) {
  port <- httpuv::randomPort(20000, 30000)
  log <- tempfile()
  code <- sprintf(".libPaths(%s); sdcLattice::serve_example(%s, port = %d%s)",
                  paste(deparse(.libPaths()), collapse = ""), deparse(tempfile()), port,
                  if (workers > 0) paste(", workers =", workers) else "")
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "-e", shQuote(code)), stdout = log,
          stderr = log, wait = FALSE)
  for (turn in 1:120) if (look_up(port, FALSE)[["ok"]] == 1) break else Sys.sleep(.5)
  cat(if (workers > 0) paste(workers, "processes and a judge\n") else "one process\n")
  print(do.call(rbind, lapply(names(attacks), measure, port = port)), digits = 3,
        row.names = FALSE)
  pids <- system(paste("pgrep -f", shQuote(paste0("serve_example.*port.*", port))), intern = TRUE)
  tools::pskill(setdiff(as.integer(pids), Sys.getpid()), tools::SIGTERM)
}
