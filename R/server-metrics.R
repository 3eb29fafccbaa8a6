# Figures for whoever watches a server, over all processes that answer, and the log. Each process
# keeps its own figures in a file of a common folder, and whoever is asked adds them up. The files
# of processes that have ended stay, so that sums never fall. What the store knows (decisions,
# queue) is asked of it.

# ---- what is shown ------------------------------------------------------------------------------

metrics_formats <- c(json = "application/json", prometheus = "text/plain")
metrics_text_type <- "text/plain; version=0.0.4; charset=utf-8"

get_metrics <- function(ask) {
  service <- ask$service
  if (wanted_format(ask, metrics_formats) == "json") {
    return(json_response(view_metrics(service), headers = negotiated))
  }
  new_response(metrics_text(service), metrics_text_type,
               headers = c(`Cache-Control` = "no-store", negotiated))
}

view_metrics <- function(service) {
  found <- all_metrics(service)
  store <- service$server$store
  status <- sub(".* ", "", as.character(names(found$counts)))
  answers <- vapply(split(as.numeric(unlist(found$counts)), status), sum, 0)
  list(
    uptime_s = round(service$clock() - service$began), processes = found$processes,
    answers = c(named_list(), as.list(answers)), decisions = store$seq,
    releases = store$release_no, queued = if (service$queued) count_queued(store) else 0,
    resident_bytes = found$resident_bytes
  )
}

# The text format of Prometheus.
metrics_text <- function(service) {
  store <- service$server$store
  found <- all_metrics(service)
  keys <- strsplit(as.character(names(found$counts)), " ", fixed = TRUE)
  labels <- vapply(keys, function(key) {
    sprintf("method=\"%s\",route=\"%s\",status=\"%s\"", key[1], key[2], key[3])
  }, "")
  decided <- count_outcomes(store)
  lines <- c(
    metric("requests_total", "Answers by route and status.", unlist(found$counts), labels,
           type = "counter"),
    metric("request_seconds", "From a request to its answer, with the fixed delay of decisions.",
           type = "histogram"),
    unlist(lapply(names(found$latencies), function(route) {
      latency_lines(route, found$latencies[[route]])
    })),
    metric("decisions_total", "Decisions in the ledger by outcome.", decided$n,
           sprintf("outcome=\"%s\"", decided$outcome), type = "counter"),
    metric("releases", "Releases in the ledger.", store$release_no),
    metric("processes", "Processes that answer.", found$processes),
    metric("resident_bytes", "Memory of the processes that answer.", found$resident_bytes),
    metric("uptime_seconds", "Since this process began.",
           round(service$clock() - service$began, 3)),
    if (service$queued) {
      c(metric("queue_length", "Requests that wait for the judge.", count_queued(store)),
        metric("judge_lease_age_seconds", "For how long the judge gave no sign.",
               round(lease_age(service), 3)))
    }
  )
  paste0(paste(lines, collapse = "\n"), "\n")
}

metric <- function(name, help, values = NULL, labels = "", type = "gauge") {
  name <- paste0("sdclattice_", name)
  c(paste("# HELP", name, help), paste("# TYPE", name, type), metric_values(name, labels, values))
}

metric_values <- function(name, labels, values) {
  if (length(values) == 0) {
    return(character())
  }
  paste0(name, ifelse(nzchar(labels), paste0("{", labels, "}"), ""), " ",
         format(unname(values), digits = 15, scientific = FALSE, trim = TRUE))
}

latency_lines <- function(route, values) {
  ends <- c(format(latency_ends, trim = TRUE, drop0trailing = TRUE), "+Inf")
  n <- length(ends)
  of <- sprintf("route=\"%s\"", route)
  line <- function(end, labels, values) {
    metric_values(paste0("sdclattice_request_seconds_", end), labels, values)
  }
  c(line("bucket", paste0(of, ",le=\"", ends, "\""), values[1:n]),
    line("sum", of, round(values[n + 1], 6)), line("count", of, values[n]))
}

# ---- alive, and ready ---------------------------------------------------------------------------

# The process answers; the store is not asked, and it says so while it ends.
get_live <- function(ask) json_response(list(status = "ok"))

# Without a sign of a judge for this long nobody decides.
judge_patience_s <- 30

# May requests be sent here? 503 while it ends, without its store, and without a judge.
get_ready <- function(ask) {
  service <- ask$service
  refresh_server(service$server)
  if (service$leaving || (!service$read_only && isTRUE(lease_age(service) > judge_patience_s))) {
    stop(unavailable(2))
  }
  json_response(list(status = "ok", read_only = service$read_only))
}

# Seconds for which this process has seen no sign of the judge; NULL without a queue. As clocks of
# machines differ, it counts from when it looked before.
lease_age <- function(service) {
  if (!service$queued) {
    return(NULL)
  }
  beat <- read_lease(service$server$store)$beat
  if (!identical(beat, service$lease_seen$beat)) {
    service$lease_seen <- list(beat = beat, at = service$clock())
  }
  service$clock() - service$lease_seen$at
}

# ---- counting -----------------------------------------------------------------------------------

# Upper ends of the classes of latencies, in seconds.
latency_ends <- c(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)

known_methods <- c("GET", "HEAD", "POST")

# How long what was counted may wait before others see it.
metrics_lag_s <- 1

# `counts`: by method, route and status; `latencies`: by route, the classes up to each end, all of
# them, and their sum.
start_metrics <- function(service, folder = NULL) {
  service$counts <- new.env(parent = emptyenv())
  service$latencies <- new.env(parent = emptyenv())
  service$metrics <- NULL
  service$metrics_written <- -Inf
  service$lease_seen <- list(beat = NULL, at = service$clock())
  if (!is.null(folder)) {
    dir.create(folder, showWarnings = FALSE, mode = "0700")
    service$metrics <- file.path(folder, paste0("process-", Sys.getpid(), "-", random_hex(4)))
  }
}

count_answer <- function(service, request, response) {
  route <- response$route %||% NA
  if (is.na(route)) route <- "none"
  method <- if (request$method %in% known_methods) request$method else "other"
  key <- paste(method, route, response$status)
  service$counts[[key]] <- (service$counts[[key]] %||% 0) + 1
  seconds <- max(0, answer_seconds(service, request, response))
  service$latencies[[route]] <- (service$latencies[[route]] %||% 0) +
    c(latency_ends >= seconds, 1, seconds)
  plan_metrics(service)
}

# Until it leaves: what the door holds is logged before.
answer_seconds <- function(service, request, response) {
  max(service$clock(), response$leave_at) - request$arrival
}

# Written now, or soon: others must see the last of many answers too.
plan_metrics <- function(service) {
  if (is.null(service$metrics) || isTRUE(service$metrics_planned)) {
    return(invisible())
  }
  wait <- service$metrics_written + metrics_lag_s - service$clock()
  if (wait <= 0) {
    return(write_metrics(service))
  }
  service$metrics_planned <- TRUE
  # not in the loop of the answer that leaves now, which would wait for it: see at_once()
  later::later(function() {
    service$metrics_planned <- FALSE
    write_metrics(service)
  }, wait, loop = later::global_loop())
}

write_metrics <- function(service) {
  if (is.null(service$metrics)) {
    return(invisible())
  }
  part <- paste0(service$metrics, ".part")
  saveRDS(own_metrics(service), part, compress = FALSE)
  file.rename(part, service$metrics)
  service$metrics_written <- service$clock()
}

own_metrics <- function(service) {
  # of memory nothing where the system does not say
  status <- "/proc/self/statm"
  list(pid = Sys.getpid(), counts = as.list(service$counts), latencies = as.list(service$latencies),
       resident_bytes = if (file.exists(status)) scan(status, quiet = TRUE)[2] * 4096)
}

# Of all processes, added up.
all_metrics <- function(service) {
  write_metrics(service)
  files <- if (!is.null(service$metrics)) {
    list.files(dirname(service$metrics), "^process-[0-9a-f-]+$", full.names = TRUE)
  }
  parts <- if (length(files) == 0) list(own_metrics(service)) else lapply(files, readRDS)
  living <- Filter(function(part) {
    part$pid == Sys.getpid() || isTRUE(tools::pskill(part$pid, 0))
  }, parts)
  add_up <- function(what) {
    out <- list()
    for (part in parts) {
      for (name in names(part[[what]])) out[[name]] <- (out[[name]] %||% 0) + part[[what]][[name]]
    }
    out[order(as.character(names(out)), method = "radix")]
  }
  list(
    counts = add_up("counts"), latencies = add_up("latencies"),
    resident_bytes = sum(unlist(lapply(living, `[[`, "resident_bytes"))), processes = length(living)
  )
}

# ---- the log ------------------------------------------------------------------------------------

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
