# serve(): a table server over HTTP, and its arguments.
#' Serve a table server over HTTP
#'
#' Puts a [table_server()] behind an API and a page for browsers, and answers until it is
#' interrupted (Ctrl-C). The page is at the address that is printed; the API, described at
#' `/openapi.json`, is below `/v1`.
#'
#' # Who may ask
#' Whoever has a token, made by [issue_server_token()] and sent as `Authorization: Bearer <token>`.
#' Users ask for sub-tables and see what is released and their own requests; operators also see all
#' decisions, refusals, [what_if()] and [audit()], write down outside releases ([record_release()])
#' and, where requests are collected, decide the next round of votes ([decide_votes()]). With
#' `open = TRUE`, for a first look, requests without a token count as those of one user, `"guest"`,
#' and only requests to this machine's own name are answered.
#'
#' # What people see
#' A page in plain English or German: what the table is about, variables by label and topic, and for
#' a selection whether its table can be had now, can be asked for, or cannot be given and what is
#' near. Released tables come with filters, percentages, a picture, a citation and downloads. Give
#' [table_server()] `metadata` ([server_metadata()]); without it the page shows the names and levels
#' of the table.
#' Excel workbooks are offered where the package openxlsx is installed. In CSV, what a spreadsheet
#' would take for a formula (texts that begin with =, +, -, @, a tab or a line's end) gets an
#' apostrophe before it. `?lang=de` in the address
#' chooses the language; else the browser does. Lattice, frontier and policy are for experts.
#'
#' # In production
#' Listen on `127.0.0.1` or on a Unix socket only, behind a reverse proxy that speaks TLS: see
#' `system.file("nginx", package = "sdcLattice")` for a configuration of nginx, which says how nginx
#' gets at the socket. Several processes may serve one store at once.
#'
#' # Several processes
#' With `workers = N` this process starts and watches others: N that answer, on
#' the ports from `port` on (or the sockets `<socket>-1`, `<socket>-2`, ...), for a proxy that
#' shares requests among them; and one that decides, with a second one in reserve. Requests for
#' sub-tables wait in the store until they are decided; answers to everything else are never held up
#' by a judgement. Each process that answers also has a *door*, on the ports from `port + N` on (or
#' the sockets `<socket>-1-door`, ...): it takes `POST /v1/requests` and nothing else, and a thread
#' of its own sends each answer exactly at its moment, however busy R is. The configuration of nginx
#' uses the doors; who asks at the first address gets the same answers, some milliseconds later.
#' Whatever ends is started anew; when the process that decides does not answer, the second one
#' takes over after 1.5 s and the time of a judgement. No decision is lost by that, and none is told
#' twice differently: an answer is made from the ledger only. SIGTERM ends all in order; SIGHUP
#' replaces all processes one after the other, on Unix sockets without a failed request. The
#' processes are forks, which share the table in memory: start them in a session of R that has
#' served nothing before, not on Windows, and not in a graphical front end. The store must be a
#' file, or PostgreSQL; several machines may serve one PostgreSQL store, each by its own processes.
#'
#' # Documents
#' A released table never changes. Each of its forms is written once, into a file that
#' is named by the hash of its bytes, and is sent by threads of httpuv, or by the proxy, from
#' `/v1/documents/<format>/<hash>/<name>`; the header `Content-Location` of `/v1/tables/{id}/data`
#' says that address. A document asks for no token: it holds what is published, and nothing else is
#' ever in that folder. Its address can be made by nobody who has neither the table nor the address
#' from the API; who passes it on passes on a published table. The folder grows with what is asked
#' for, up to all forms of all released tables. Cards and lists are made once for
#' each state of the ledger, with an ETag.
#'
#' What a process knows of the store is at most `r 1000 * look_s` ms old: then decisions of other
#' processes, new users and revoked tokens count.
#'
#' # How it ends
#' An interrupt (Ctrl-C) or the signal SIGTERM ends serving in order: what was asked before is
#' answered, each answer at its moment; what comes later is told to ask again (503; with `workers`
#' look-ups are answered to the end); then the socket is removed and `serve()` returns, after
#' SIGTERM with the server closed. A script that ends with `serve()` ends with status 0. A second
#' signal ends the process at once. A process that is killed (SIGKILL) leaves its socket: remove it
#' before the next one starts. On Windows only the interrupt is known.
#'
#' # For whoever watches it
#' `/v1/live` answers as long as the process does; `/v1/ready` says 503 while it ends, when the
#' store does not answer, and when nobody has judged for `r judge_patience_s` seconds. `/v1/metrics`
#' is for operators: figures of all processes, with `Accept: text/plain` in the format of
#' Prometheus. SIGUSR1 opens the log anew, after its file was moved away. [set_server_quota()]
#' limits the decisions of a user and day.
#'
#' # When the store fails
#' A process whose database does not answer says 503, also to `/v1/health`. It connects to
#' PostgreSQL again by itself, through the function that was given as `store` and with all settings,
#' and verifies the whole ledger before the next answer: a look-up is then answered, a request must
#' be sent again, with the same key. A process that finds a file of its store or its anchor moved,
#' removed or replaced says nothing more: 503 to everything, and `/v1/health` names the problem
#' `urn:sdc:stopped`. Stop it, put store and anchor back, and start it anew. (On Windows open files
#' cannot be moved, so there only their existence is checked.)
#'
#' # What answers tell besides their words
#' An answer to a request for a sub-table leaves the
#' policy's `tick_s` after the request came, whatever it says, because the time of a judgement
#' depends on the counts; the judge is stopped before. Only where the rest of the answer takes
#' longer, as with a slow database, it leaves at the next multiple; so do answers that had to wait
#' for others to be decided. Without `workers`, while one request is judged the process answers
#' nobody else: whoever sends others meanwhile can still see roughly how long it took, up to the
#' policy's `time_limit_s`. A proxy that passes each user's requests on one at a time takes that
#' away between a user's own requests.
#'
#' # Limits of requests
#' Each user has a bucket of requests (`burst`, `rate_per_s`). Requests without a valid token, for
#' `/v1/health` and for the description of the API share one for each address they come from; behind
#' a proxy that is one for all, so let the proxy count as well. Answers that anybody could have
#' worked out (the sub-table is out already, or not eligible) are written to the store like all
#' others; each user gets `r format_count(idle_burst)` of them at once and one each
#' `r 1 / idle_rate_per_s` seconds in the long run, and 429 beyond, before anything is decided.
#' Buckets are in memory, each process has its own. Requests for an upgrade are refused
#' by their headers. A process keeps at most `r most_bodies` bodies of requests that are not
#' complete yet, in memory; where there are more, the address that has most of them loses its
#' oldest, which is answered 503 if it is ever completed. On Linux a request over a port must be
#' complete within `r request_s` seconds, or its connection is shut; and of more than
#' `r most_of_address` connections of one address, or `r most_connections` in all, those that have
#' said nothing or half for `r held_patience_s` seconds. So half-sent requests keep nobody else from
#' an answer. Over a socket, and on other systems, the proxy must limit their number and their time
#' (`limit_conn`, `client_header_timeout` and `client_body_timeout`), and hand on complete requests
#' only (`proxy_request_buffering`).
#'
#' @param server (sdc_server) The server. It stays open when serving ends.
#' @param host (string) The address to listen on, in numbers (`"0.0.0.0"`: all of this machine), or
#'   `"localhost"`.
#' @param port (whole number from 1 to 65535) The port.
#' @param open (flag) Answer requests without a token? Refused for a `host` that others reach.
#' @param log (string, or `NULL`) Path of a file to which each answer adds a line of JSON: time,
#'   user, route, status, and of decisions their number and hash, so that it also bears witness to
#'   the ledger. As confidential as the store.
#' @param ... Must be empty.
#' @param socket (string, or `NULL`) Path of a Unix socket to listen on instead, of at most 103
#'   bytes, 86 with `workers`. It must not exist.
#' @param workers (whole number, or `NULL`) How many processes answer; see below. `NULL`: this one,
#'   which also decides.
#' @param documents (string, or `NULL`) Folder for documents, which a proxy may send by itself; made
#'   when it is not there. `NULL`: one that ends with serving.
#' @param rate_per_s,burst (number, requests per second; number, requests) Each user may send
#'   `burst` requests at once, and `rate_per_s` in the long run; more are answered 429.
#' @param agency (string) Who publishes: an SDMX id such as `"STAT"`.
#' @param read_only (flag) Answer look-ups only, as a replica? Requests for sub-tables are answered
#'   405, `urn:sdc:read_only`: the process that decides has another address.
#' @param metrics (string, or `NULL`) A folder where the processes keep their figures, if several
#'   calls of `serve()` should show them together. It must be empty at the start.
#' @param insist (flag) Allow `open = TRUE` although others reach `host`?
#' @param quiet (flag) Print no address?
#' @return `server`, invisibly, when serving ends.
#' @section Errors: `sdc_error_input` for arguments that do not fit, and when httpuv is not
#'   installed; `sdc_error_server` when the address is taken.
#' @section Limits: Bodies up to 16 kB, addresses up to 8 kB. Lists come in pages of some 10 kB.
#' @template ref-releases
#' @family server
#' @seealso [serve_example()] for a first look.
#' @export
#' @examples
#' \dontrun{
#' server <- table_server(czech_workers, server_policy(risk_width(3)), store = "releases.sqlite")
#' add_server_user(server, "mary")
#' issue_server_token(server, "mary", days = 30)
#' serve(server)
#' }
serve <- function(server, host = "127.0.0.1", port = 8080, open = FALSE, log = NULL, ...,
                  socket = NULL, workers = NULL, documents = NULL, rate_per_s = 50, burst = 200,
                  agency = "SDC", read_only = FALSE, metrics = NULL, insist = FALSE,
                  quiet = FALSE) {
  check_no_dots(...)
  check_server(server)
  host <- check_host(host)
  check_whole(port, min = 1, max = 65535)
  check_flag(open)
  check_log(log)
  check_socket(socket, workers)
  if (!is.null(documents)) check_string(documents)
  check_number(rate_per_s, min = 0.001, max = 1e6)
  check_number(burst, min = 1, max = 1e6)
  check_agency(agency)
  check_flag(read_only)
  if (!is.null(metrics)) check_string(metrics)
  check_flag(insist)
  check_flag(quiet)
  check_open(open, host, socket, insist)
  for (package in c("httpuv", "later", "promises")) {
    check_installed(package, "to serve tables over a network")
  }
  settings <- list(host = host, port = port, socket = socket, open = open, log = log,
                   documents = documents, rate_per_s = rate_per_s, burst = burst, agency = agency,
                   read_only = read_only, metrics = metrics, quiet = quiet)
  if (!read_only) note_served(server, settings, workers)
  if (!is.null(workers)) {
    return(serve_processes(server, workers, settings))
  }
  service <- settings_service(server, settings, queued = FALSE)
  on.exit(close_service(service))
  handle <- listen(service, host, port, socket)
  on.exit(httpuv::stopServer(handle), add = TRUE, after = FALSE)
  if (!is.null(socket)) on.exit(unlink(socket), add = TRUE)
  if (!quiet) say_address(server, settings)
  signal <- serve_until_signal(service)
  if (signal == "terminate") close(server)
  invisible(server)
}

# With several processes the sockets have numbers, and names are taken over. The system cuts long
# paths, or refuses them; each of several processes first listens at a name that also has its number
# in the system, see socket_address().
most_in_path <- 103

check_socket <- function(socket, workers) {
  if (is.null(socket)) {
    return(invisible())
  }
  check_string(socket)
  free <- !file.exists(socket) || !is.null(workers)
  if (.Platform$OS.type == "windows" || !free || !dir.exists(dirname(socket))) {
    abort_sdc("input", c(
      "{.arg socket} must be the path of a new Unix socket in a folder that there is.",
      x = "There is a file of this name, or no such folder, or no such sockets here.",
      i = "Remove a file that was left by a server that is no more."
    ))
  }
  behind <- if (is.null(workers)) 0 else nchar("-256-door.4194304")
  length <- nchar(socket, "bytes")
  if (length + behind > most_in_path) {
    abort_sdc("input", c(
      "{.arg socket} must be a path of at most {most_in_path - behind} bytes.",
      x = "It has {length}.",
      i = if (behind > 0) "With {.arg workers}, up to {behind} bytes are put behind it."
    ))
  }
}

check_agency <- function(agency) {
  check_string(agency)
  if (grepl("^[A-Za-z][A-Za-z0-9_-]*([.][A-Za-z][A-Za-z0-9_-]*)*$", agency)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg agency} must be letters, digits, underscores and hyphens, after a first letter.",
    x = "{describe(agency)}"
  ))
}

check_open <- function(open, host, socket, insist) {
  if (!open || insist || (is.null(socket) && host %in% loopback_hosts)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg open} must be `FALSE` where others can ask.",
    x = "Requests without a token would be answered on {.val {socket %||% host}}.",
    i = "Make tokens with {.fn issue_server_token}, or say {.code insist = TRUE}."
  ))
}

#' A table server for a first look
#'
#' Serves [czech_workers] at `http://127.0.0.1:8080/`, from an SQLite store in a folder, until it is
#' interrupted. Started again with the same folder, it remembers what it released. From a shell:
#'
#' ```
#' Rscript -e 'sdcLattice::serve_example()'
#' ```
#'
#' Requests without a token are answered. An operator's token is printed when the folder is new:
#' sign in with it on the page to see decisions, refusals and what-if. A lost token cannot be found
#' again: open the store by [table_server()] and make another by [issue_server_token()].
#'
#' @param folder (string) Where the store is kept; made when it is not there.
#' @param risk ([risk_width()]) When a set of sub-tables is too risky.
#' @inheritParams serve
#' @param ... Further arguments of [serve()] by name, such as `host` or `open = FALSE`.
#' @return Nothing, when it is interrupted.
#' @template ref-releases
#' @family server
#' @export
#' @examples
#' \dontrun{
#' serve_example()
#' }
serve_example <- function(folder = "sdcLattice-server", port = 8080, ..., risk = risk_width(3)) {
  check_string(folder)
  check_whole(port, min = 1, max = 65535)
  check_serve_arguments(...)
  for (package in c("RSQLite", "httpuv")) {
    check_installed(package, "to serve tables from a store in a file")
  }
  # the message alone: who sees it has just typed the command
  rlang::local_options(rlang_backtrace_on_error = "none",
                       rlang_backtrace_on_error_report = "none")
  # processes that are forked must find no server that has been begun here
  if (is.null(list(...)$workers)) check_free(port)
  dir.create(folder, showWarnings = FALSE, recursive = TRUE, mode = "0700")
  server <- table_server(sdcLattice::czech_workers, server_policy(risk),
                         store = file.path(folder, "releases.sqlite"),
                         metadata = example_metadata())
  on.exit(close(server))
  if (nrow(server_users(server)) == 0) {
    add_server_user(server, "me", "operator")
    cat("Your operator's token, shown this once:\n  ", issue_server_token(server, "me"), "\n",
        sep = "")
  }
  asked <- list(...)
  own <- list(server = server, port = port, open = TRUE, log = file.path(folder, "log.jsonl"))
  do.call(serve, c(own[setdiff(names(own), names(asked))], asked))
  invisible()
}

# Everyday words for the first look, where there is the package that reads them.
example_metadata <- function() {
  if (requireNamespace("yaml", quietly = TRUE)) {
    file <- system.file("extdata", "czech-workers.yml", package = "sdcLattice")
    server_metadata(file, sdcLattice::czech_workers)
  }
}

# Before there is a folder or a token.
check_serve_arguments <- function(...) {
  given <- rlang::names2(list(...))
  wrong <- setdiff(given, setdiff(names(formals(serve)), c("server", "...")))
  if (length(wrong) > 0 || anyDuplicated(given) > 0) {
    abort_sdc("input", c(
      "{.arg ...} must be named arguments of {.fn serve}, each once.",
      x = if (any(nzchar(wrong))) "{.fn serve} takes no {.arg {wrong[nzchar(wrong)]}} here.",
      x = if ("" %in% wrong) "An argument has no name."
    ))
  }
}
