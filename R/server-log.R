# The log, and what an operator reads of a server that is at work.

# A line of JSON for each answer: no query strings, no headers, nothing of a body. With the number
# and hash of each decision, it is also a witness of the ledger.
open_log <- function(log) {
  if (is.null(log)) {
    return(NULL)
  }
  before <- Sys.umask("077")
  on.exit(Sys.umask(before))
  file(log, open = "a", encoding = "UTF-8")
}

# Before processes are started, none of which could say it.
check_log <- function(log) {
  if (is.null(log)) {
    return(invisible())
  }
  check_string(log)
  place <- if (file.exists(log)) log else dirname(log)
  if (!dir.exists(log) && file.access(place, 2) == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg log} must be a file that can be written, or a new one in such a folder.",
    x = "{.file {log}} is not: there is no such folder, or it belongs to somebody else."
  ))
}

# After the file was moved away: what is written from now on goes to a new one.
reopen_log <- function(service) {
  if (!is.null(service$log)) {
    close(service$log)
    service$log <- open_log(service$log_path)
  }
}

write_log <- function(service, entry) {
  if (is.null(service$log)) {
    return(invisible())
  }
  cat(to_json(Filter(function(x) length(x) > 0 && !is.na(x[[1]]), entry)), "\n", sep = "",
      file = service$log)
  flush(service$log)
}

log_answer <- function(service, request, response) {
  count_answer(service, request, response)
  write_log(service, list(
    at = utc_now(), request_id = response$id, user = response$user, method = request$method,
    route = response$route, status = response$status, problem = response$kind,
    ms = round(1000 * answer_seconds(service, request, response), 1),
    seq = response$ledger$seq, outcome = response$ledger$outcome, hash = response$ledger$hash
  ))
}

# For the operator: what kind of failure it was. Its text may quote the database.
note_failure <- function(service, id, cnd) {
  write_log(service, list(
    at = utc_now(), request_id = id, failure = class(cnd)[1], reason = cnd$reason,
    message = conditionMessage(cnd)
  ))
}

# Settings of serve() are events of access, when they are others than before: they say who may ask
# and how much.
note_served <- function(server, settings, workers) {
  detail <- list(host = settings$host, socket = settings$socket %||% "none",
                 port = settings$port, open = settings$open, rate_per_s = settings$rate_per_s,
                 burst = settings$burst, agency = settings$agency, workers = workers %||% 0)
  change_access(server$store, {
    last <- fetch_text(server$store$con, "SELECT detail FROM access_event WHERE kind = 'served'
                                          ORDER BY access_event.seq DESC LIMIT 1")$detail
    if (!identical(last, canonical_json(detail))) {
      append_event(server$store, "served", "server", detail)
    }
  })
}
