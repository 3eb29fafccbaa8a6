# What a table server needs to answer over a network, besides itself: limits, counts of what was
# answered, the log, and documents (server-document.R).

# An environment. `queued`: does another process judge? `clock`: seconds of a clock that nobody can
# set, so that neither the rate of requests nor the moment of an answer depends on what time the
# machine believes it is.
new_service <- function(server, open = FALSE, log = NULL, rate_per_s = 50, burst = 200,
                        agency = "SDC", hosts = loopback_hosts, documents = NULL, queued = FALSE,
                        read_only = FALSE, metrics = NULL, clock = cpp_steady_s) {
  service <- structure(new.env(parent = emptyenv()),
                       class = sdc_class("sdc_service", mark = "private"))
  service$server <- server
  service$routes <- api_routes()
  service$dictionary <- route_dictionary(service$routes)
  service$open <- open
  service$hosts <- hosts
  service$rate_per_s <- rate_per_s
  service$burst <- burst
  service$agency <- agency
  service$clock <- clock
  service$started <- utc_now()
  service$began <- clock()
  service$stopping <- service$leaving <- FALSE
  service$queued <- queued
  service$read_only <- read_only
  # the port of each client that waits for an answer
  service$clients <- integer()
  service$looked_at <- -Inf
  service$waiting <- list()
  service$looking <- FALSE
  service$tried_at <- -Inf
  service$buckets <- new.env(parent = emptyenv())
  start_metrics(service, metrics)
  service$own_documents <- is.null(documents)
  service$documents <- documents_folder(documents)
  service$made <- new.env(parent = emptyenv())
  server$store$asked <- new.env(parent = emptyenv())
  keep_rows(server$store)
  service$log_path <- log
  service$log <- open_log(log)
  service
}

# How old what is known of the store may be: decisions of others, tokens that were revoked. Less
# than what is kept of each slot for the rest of an answer, so that who was told of a release finds
# it in all processes.
look_s <- 0.04

# `settings`: the arguments of serve().
settings_service <- function(server, settings, queued) {
  server$store$look_s <- look_s
  new_service(
    server, documents = settings$documents, open = settings$open, log = settings$log,
    rate_per_s = settings$rate_per_s, burst = settings$burst, agency = settings$agency,
    hosts = unique(c(loopback_hosts, tolower(settings$host))), queued = queued,
    read_only = isTRUE(settings$read_only), metrics = settings$metrics
  )
}

loopback_hosts <- c("localhost", "127.0.0.1", "[::1]", "::1")

close_service <- function(service) {
  write_metrics(service)
  if (service$own_documents) unlink(service$documents, recursive = TRUE)
  if (!is.null(service$log)) close(service$log)
  service$log <- NULL
  close_bodies(service)
  invisible()
}
