# Figures of a server (server-metrics.R) as JSON and for Prometheus, and whether it is alive and
# ready.

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
