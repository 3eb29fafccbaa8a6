# What a table server needs to answer over a network, besides itself: limits, counts of what was
# answered, the log, and files of released tables that are made once.

# An environment. `queued`: does another process judge? `clock`: seconds of a clock that nobody can
# set, so that neither the rate of
# requests nor the moment of an answer depends on what time the machine believes it is.
new_service <- function(server, open = FALSE, log = NULL, rate_per_s = 50, burst = 200,
                        agency = "SDC", hosts = loopback_hosts, cache_bytes = 2e8,
                        queued = FALSE, read_only = FALSE, metrics = NULL,
                        clock = cpp_steady_s) {
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
  service$n_waiting <- 0
  service$buckets <- new.env(parent = emptyenv())
  start_metrics(service, metrics)
  service$cache <- tempfile("sdcLattice-tables")
  dir.create(service$cache, mode = "0700")
  service$cache_bytes <- cache_bytes
  service$log_path <- log
  service$log <- open_log(log)
  service
}

# `settings`: the arguments of serve().
settings_service <- function(server, settings, queued) {
  new_service(
    server, open = settings$open, log = settings$log, rate_per_s = settings$rate_per_s,
    burst = settings$burst, agency = settings$agency,
    hosts = unique(c(loopback_hosts, tolower(settings$host))), queued = queued,
    read_only = isTRUE(settings$read_only), metrics = settings$metrics
  )
}

loopback_hosts <- c("localhost", "127.0.0.1", "[::1]", "::1")

close_service <- function(service) {
  write_metrics(service)
  unlink(service$cache, recursive = TRUE)
  if (!is.null(service$log)) close(service$log)
  service$log <- NULL
  invisible()
}

# ---- released tables ----------------------------------------------------------------------------

# A file with the table, made when it is asked for first. The oldest ones go when there are
# too many.
# `mark`: see download_mark().
published_file <- function(service, set, mark, format, lang = NULL) {
  file <- file.path(service$cache, mark)
  if (file.exists(file)) {
    return(file)
  }
  server <- service$server
  meta <- file_meta(server, set, service$agency)
  part <- paste0(file, "-part")
  write_download(server, set, format, part, meta, lang)
  file.rename(part, file)
  drop_files(service, file)
  file
}

file_meta <- function(server, set, agency) {
  list(id = set_id(server, set), agency = agency, variables = server$variables,
       prepared = first_release(server, set)$at %||% server_began(server))
}

# The same for all processes: when the store was made.
server_began <- function(server) read_meta(server$store, "created_at")

drop_files <- function(service, keep) {
  files <- file.info(list.files(service$cache, full.names = TRUE), extra_cols = FALSE)
  files <- files[order(-as.numeric(files$mtime)), ]
  gone <- cumsum(files$size) > service$cache_bytes
  unlink(setdiff(rownames(files)[gone], keep))
}
