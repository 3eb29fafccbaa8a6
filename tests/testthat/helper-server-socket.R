# Table servers in processes of their own, behind real sockets.

skip_if_no_socket <- function() {
  skip_on_cran()
  skip_on_os("windows")
  for (package in c("httpuv", "later", "promises", "curl",
                    "RSQLite")) skip_if_not_installed(package)
}

# Serves the Czech table from `store` in a process of its own, which ends with the test; waits until
# it answers. `arguments`: of serve(). Gives list(url, pid, port, log).
local_process <- function(store, policy = server_policy(risk_width(3), time_limit_s = .4, tick_s = .5),
                          arguments = list(open = TRUE), library = NULL,
                          tries = 3, frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  job <- list(
    store = store, policy = policy, arguments = arguments, paths = c(library, .libPaths()),
    pid = file.path(folder, "pid")
  )
  if (is.null(arguments$socket)) job$arguments$port <- httpuv::randomPort()
  saveRDS(job, file.path(folder, "job.rds"))
  script <- file.path(folder, "job.R")
  writeLines(c(
    "job <- readRDS(commandArgs(TRUE)[1])",
    ".libPaths(job$paths)",
    "suppressMessages(library(sdcLattice))",
    "writeLines(as.character(Sys.getpid()), job$pid)",
    "server <- table_server(czech_workers, job$policy, store = job$store, progress = FALSE)",
    "do.call(serve, c(list(server), job$arguments))"
  ), script)
  log <- file.path(folder, "log")
  system2(file.path(R.home("bin"), "Rscript"),
          shQuote(c("--vanilla", script, file.path(folder, "job.rds"))),
          wait = FALSE, stdout = log, stderr = log)
  socket <- arguments$socket
  # the first of several
  if (!is.null(socket) && !is.null(arguments$workers)) socket <- paste0(socket, "-1")
  process <- list(url = paste0("http://127.0.0.1:", job$arguments$port), port = job$arguments$port,
                  log = log, socket = socket)
  until <- Sys.time() + 60
  repeat {
    answer <- tryCatch(http(process, "GET", "/v1/health"), error = function(e) NULL)
    if (identical(answer$status, 200L)) break
    said <- if (file.exists(log)) readLines(log)
    # somebody else has taken the port
    if (tries > 1 && any(grepl("must be free", said))) {
      return(local_process(store, policy, arguments, library, tries - 1, frame))
    }
    if (Sys.time() > until || any(said == "Execution halted")) {
      stop("the server did not start: ", paste(said, collapse = "\n"))
    }
    Sys.sleep(.05)
  }
  process$pid <- as.integer(readLines(job$pid))
  withr::defer(end_process(process), envir = frame)
  process
}

# By its number, whatever state it is in.
end_process <- function(process) {
  tools::pskill(process$pid, tools::SIGCONT)
  tools::pskill(process$pid, tools::SIGKILL)
}

http_handle <- function(process, method, headers = list(), body = NULL, timeout_ms = 20000) {
  handle <- curl::new_handle(customrequest = method, timeout_ms = timeout_ms, path_as_is = TRUE,
                             nobody = method == "HEAD")
  if (!is.null(process$socket)) curl::handle_setopt(handle, unix_socket_path = process$socket)
  if (!is.null(body)) curl::handle_setopt(handle, postfields = body)
  curl::handle_setheaders(handle, .list = headers)
}

read_http <- function(answer) {
  text <- rawToChar(answer$content)
  Encoding(text) <- "UTF-8"
  headers <- curl::parse_headers_list(answer$headers)
  list(status = answer$status_code, headers = headers, text = text,
       json = if (grepl("json", headers$`content-type` %||% "") &&
                  nzchar(text)) jsonlite::parse_json(text))
}

http <- function(process, method, path, ...) {
  url <- paste0(if (is.null(process$socket)) process$url else "http://localhost", path)
  read_http(curl::curl_fetch_memory(url, http_handle(process, method, ...)))
}

ask_http <- function(process, variables, key = NULL, token = NULL, ...) {
  http(process, "POST", "/v1/requests", headers = wish_headers(key, token),
       body = wish_body(variables), ...)
}

wish_headers <- function(key = NULL, token = NULL) {
  headers <- list(`Content-Type` = "application/json", Expect = "")
  headers$`Idempotency-Key` <- key
  if (!is.null(token)) headers$Authorization <- paste("Bearer", token)
  headers
}

wish_body <- function(variables) {
  paste0("{\"variables\":[", paste0("\"", variables, "\"", collapse = ","), "]}")
}

# Bytes as they are; what came back in a while.
raw_http <- function(process, text, wait_s = .5) {
  con <- socketConnection("127.0.0.1", process$port, open = "r+b", blocking = FALSE, timeout = 5)
  on.exit(close(con))
  writeBin(charToRaw(text), con)
  Sys.sleep(wait_s)
  rawToChar(tryCatch(readBin(con, "raw", 1e5), error = function(e) raw(),
                     warning = function(w) raw()))
}
