# Figures for whoever watches a server, over all processes that answer: each keeps its own in a file
# of a common folder, and whoever is asked adds them up. The files of processes that have ended
# stay, so that sums never fall. What the store knows (decisions, queue) is asked of it.

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
    counts = add_metrics(lapply(parts, `[[`, "counts")),
    latencies = add_metrics(lapply(parts, `[[`, "latencies")),
    resident_bytes = sum(unlist(lapply(living, `[[`, "resident_bytes"))), processes = length(living)
  )
}

is_living <- function(pid) pid == Sys.getpid() || isTRUE(tools::pskill(pid, 0))

add_metrics <- function(parts) {
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

# NULL where the system does not say.
resident_bytes <- function() {
  status <- "/proc/self/statm"
  if (file.exists(status)) scan(status, quiet = TRUE)[2] * 4096
}
