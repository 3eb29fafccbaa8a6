# Figures for whoever watches a server, over all processes that answer: each keeps its own in a file
# of a common folder, and whoever is asked adds them up. The files of processes that have ended stay,
# so that sums never fall. What the store knows (decisions, queue) is asked of it.

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
  seconds <- max(0, service$clock() - request$arrival)
  service$latencies[[route]] <- (service$latencies[[route]] %||% 0) +
    c(latency_ends >= seconds, 1, seconds)
  plan_metrics(service)
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
  later::later(function() {
    service$metrics_planned <- FALSE
    write_metrics(service)
  }, wait)
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
  list(pid = Sys.getpid(), counts = as.list(service$counts), latencies = as.list(service$latencies),
       resident_bytes = resident_bytes())
}

# Of all processes, added up.
all_metrics <- function(service) {
  write_metrics(service)
  files <- if (!is.null(service$metrics)) {
    list.files(dirname(service$metrics), "^process-[0-9a-f-]+$", full.names = TRUE)
  }
  parts <- if (length(files) == 0) list(own_metrics(service)) else lapply(files, readRDS)
  living <- Filter(function(part) is_living(part$pid), parts)
  list(
    counts = add_up(lapply(parts, `[[`, "counts")),
    latencies = add_up(lapply(parts, `[[`, "latencies")),
    resident_bytes = sum(unlist(lapply(living, `[[`, "resident_bytes"))), processes = length(living)
  )
}

is_living <- function(pid) pid == Sys.getpid() || isTRUE(tools::pskill(pid, 0))

add_up <- function(parts) {
  out <- list()
  for (part in parts) {
    for (name in names(part)) out[[name]] <- (out[[name]] %||% 0) + part[[name]]
  }
  out[order(as.character(names(out)), method = "radix")]
}

# ---- the judge ----------------------------------------------------------------------------------

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

# ---- what is shown ------------------------------------------------------------------------------

metrics_formats <- c(json = "application/json", prometheus = "text/plain")
metrics_text_type <- "text/plain; version=0.0.4; charset=utf-8"

get_metrics <- function(ask) {
  format <- if (is.null(ask$query$format)) {
    negotiate(ask$request$headers[["accept"]], metrics_formats)
  } else {
    query_choice(ask, "format", names(metrics_formats))
  }
  if (format == "json") {
    return(json_response(view_metrics(ask$service), headers = c(Vary = "Accept, Authorization")))
  }
  list(status = 200, body = charToRaw(metrics_text(ask$service)), headers = c(
    `Content-Type` = metrics_text_type, `Cache-Control` = "no-store", Vary = "Accept, Authorization"
  ))
}

view_metrics <- function(service) {
  found <- all_metrics(service)
  status <- sub(".* ", "", as.character(names(found$counts)))
  answers <- vapply(split(as.numeric(unlist(found$counts)), status), sum, 0)
  list(
    uptime_s = round(service$clock() - service$began), processes = found$processes,
    answers = c(named_list(), as.list(answers)),
    decisions = service$server$store$seq, releases = service$server$store$release_no,
    queued = if (service$queued) count_queued(service$server$store) else 0,
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
  age <- lease_age(service)
  lines <- c(
    metric("requests_total", "counter", "Answers by route and status.", labels,
           unlist(found$counts)),
    latency_lines(found$latencies),
    metric("decisions_total", "counter", "Decisions in the ledger by outcome.",
           sprintf("outcome=\"%s\"", decided$outcome), decided$n),
    metric("releases", "gauge", "Releases in the ledger.", "", store$release_no),
    metric("processes", "gauge", "Processes that answer.", "", found$processes),
    metric("resident_bytes", "gauge", "Memory of the processes that answer.", "",
           found$resident_bytes),
    metric("uptime_seconds", "gauge", "Since this process began.", "",
           round(service$clock() - service$began, 3)),
    if (service$queued) {
      metric("queue_length", "gauge", "Requests that wait for the judge.", "", count_queued(store))
    },
    if (!is.null(age)) {
      metric("judge_lease_age_seconds", "gauge", "For how long the judge gave no sign.", "",
             round(age, 3))
    }
  )
  paste0(paste(lines, collapse = "\n"), "\n")
}

metric <- function(name, type, help, labels, values) {
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

latency_lines <- function(latencies) {
  name <- "sdclattice_request_seconds"
  ends <- c(format(latency_ends, trim = TRUE, drop0trailing = TRUE), "+Inf")
  n <- length(ends)
  c(
    paste("# HELP", name, "From a request to its answer, with the fixed delay of decisions."),
    paste("# TYPE", name, "histogram"),
    unlist(lapply(names(latencies), function(route) {
      values <- latencies[[route]]
      of <- sprintf("route=\"%s\"", route)
      c(metric_values(paste0(name, "_bucket"), paste0(of, ",le=\"", ends, "\""), values[1:n]),
        metric_values(paste0(name, "_sum"), of, round(values[n + 1], 6)),
        metric_values(paste0(name, "_count"), of, values[n]))
    }))
  )
}

# NULL where the system does not say.
resident_bytes <- function() {
  status <- "/proc/self/statm"
  if (file.exists(status)) scan(status, quiet = TRUE)[2] * 4096
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
    problem("unavailable", headers = c(`Retry-After` = "2"))
  }
  json_response(list(status = "ok", read_only = service$read_only))
}
