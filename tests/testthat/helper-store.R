# Stores in temporary folders, clusters of PostgreSQL that are thrown away, and processes that are
# at one store together.

store_variables <- paste0("v", 1:40)
store_policy <- list(risk = list(rule = "width", beta = 3, at_risk = c(1, 2)), rule = "one_step")

# Where a store is, in a form that can be sent to other processes: a path, or list(socket, schema).
make_place <- function(where) {
  if (is.character(where)) {
    return(where)
  }
  function() {
    DBI::dbConnect(
      RPostgres::Postgres(), dbname = "postgres", host = where$socket, user = where$user,
      options = paste0("-c search_path=", where$schema), bigint = "numeric"
    )
  }
}

# The tests' cluster has no fsync, which is said by a warning.
open_test_store <- function(where, ..., policy = store_policy, variables = store_variables,
                            fingerprint = "a table") {
  anchor <- if (is.list(where)) where$anchor
  withCallingHandlers(
    sdcLattice:::open_store(make_place(where), fingerprint, policy, variables, anchor = anchor,
                            ...),
    sdc_warning_server = function(w) invokeRestart("muffleWarning")
  )
}

skip_if_no_store <- function() {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  skip_on_cran()
}

local_place <- function(frame = parent.frame()) {
  file.path(withr::local_tempdir(.local_envir = frame), "store.sqlite")
}

local_store <- function(..., frame = parent.frame()) {
  store <- open_test_store(local_place(frame), ...)
  withr::defer(close_store(store), envir = frame)
  store
}

# In memory, for what does not depend on files.
trial_store <- function(variables = store_variables, frame = parent.frame()) {
  store <- open_store(NULL, "a table", store_policy, variables)
  withr::defer(close_store(store), envir = frame)
  store
}

mask_of <- function(set, k = 40) encode_masks(list(set), k)

ask <- function(store, set, user = "u", id = NULL, outcome = "released", ...) {
  reason <- if (outcome == "refused") "risk"
  append_decision(store, list(user_id = user, request_id = id, mask = mask_of(set, store$k)),
                  function(state) {
    list(outcome = outcome, reason_public = reason, ...)
  })
}

said <- function(answer) answer[names(answer) != "replayed"]

# ---- PostgreSQL ---------------------------------------------------------------------------------

# A cluster in a temporary folder, on a private socket, for the calling test; skips where there is
# no PostgreSQL. PostgreSQL does not run as root: then it runs as the user `postgres`.
local_cluster <- function(frame = parent.frame()) {
  # what it needs may warn of the machine's clock
  suppressWarnings(skip_if_not_installed("RPostgres"))
  bin <- dirname(c(Sys.glob("/usr/lib/postgresql/*/bin/initdb"), Sys.which("initdb")))
  bin <- bin[file.exists(file.path(bin, "pg_ctl"))]
  if (length(bin) == 0) skip("no initdb of PostgreSQL")
  root <- identical(Sys.info()[["effective_user"]], "root")
  if (root && !nzchar(Sys.which("runuser"))) skip("PostgreSQL does not run as root")
  folder <- tempfile("pg", tmpdir = "/tmp")
  dir.create(folder)
  as_user <- function(...) {
    command <- c(if (root) c("runuser", "-u", "postgres", "--"), file.path(bin[1], ..1), ...elt(2))
    withr::with_dir(folder,
                    system2(command[1], shQuote(command[-1]), stdout = FALSE, stderr = FALSE))
  }
  if (root) system2("chown", c("postgres", folder))
  data <- file.path(folder, "data")
  as_user("initdb", c("-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8"))
  log <- file.path(folder, "log")
  settings <- paste0("-c listen_addresses='' -c fsync=off -c unix_socket_directories=", folder)
  if (as_user("pg_ctl", c("-D", data, "-l", log, "-w", "-o", settings, "start")) != 0) {
    skip("PostgreSQL does not start")
  }
  withr::defer({
    as_user("pg_ctl", c("-D", data, "-m", "immediate", "-w", "stop"))
    unlink(folder, recursive = TRUE)
  }, envir = frame)
  folder
}

# Each store in a schema of its own.
postgres_place <- function(socket, schema, frame = parent.frame()) {
  where <- list(socket = socket, user = "postgres", schema = schema,
                anchor = file.path(withr::local_tempdir(.local_envir = frame), "anchor.sqlite"))
  con <- make_place(where)()
  DBI::dbExecute(con, paste("CREATE SCHEMA", schema))
  DBI::dbDisconnect(con)
  where
}

place_query <- function(where, sql, send = DBI::dbGetQuery) {
  con <- if (is.list(where)) make_place(where)() else DBI::dbConnect(RSQLite::SQLite(), where,
                                                                     synchronous = NULL)
  on.exit(DBI::dbDisconnect(con))
  send(con, sql)
}

place_execute <- function(where, sql) place_query(where, sql, DBI::dbExecute)

# ---- processes ----------------------------------------------------------------------------------

# Runs `worker(argument, i)` in n processes of their own, started as scripts; gives their values.
# `worker` and `argument` travel as files, so it may use nothing from here.
run_processes <- function(n, worker, argument, timeout_s = 300) {
  folder <- tempfile("processes")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  environment(worker) <- globalenv()
  saveRDS(list(worker = worker, argument = argument, paths = .libPaths(), folder = folder),
          file.path(folder, "job.rds"))
  script <- file.path(folder, "job.R")
  writeLines(c(
    "arguments <- commandArgs(TRUE)",
    "job <- readRDS(arguments[1])",
    ".libPaths(job$paths)",
    "suppressMessages(loadNamespace('sdcLattice'))",
    "i <- as.integer(arguments[2])",
    "value <- tryCatch(job$worker(job$argument, i), error = function(e) e)",
    "saveRDS(value, file.path(job$folder, paste0('part', i)))",
    "file.rename(file.path(job$folder, paste0('part', i)), file.path(job$folder, paste0('value', i)))"
  ), script)
  rscript <- file.path(R.home("bin"), "Rscript")
  for (i in seq_len(n)) {
    system2(rscript, shQuote(c("--vanilla", script, file.path(folder, "job.rds"), i)), wait = FALSE,
            stdout = FALSE, stderr = FALSE)
  }
  values <- file.path(folder, paste0("value", seq_len(n)))
  until <- Sys.time() + timeout_s
  while (!all(file.exists(values)) && Sys.time() < until) Sys.sleep(.02)
  lapply(values, readRDS)
}

# testthat's own comes with a later version.
local_mocked_bindings_store <- function(..., frame = parent.frame()) {
  new <- list(...)
  ns <- asNamespace("sdcLattice")
  set <- function(values) {
    for (name in names(values)) {
      unlockBinding(name, ns)
      assign(name, values[[name]], envir = ns)
    }
  }
  old <- mget(names(new), envir = ns)
  set(new)
  withr::defer(set(old), envir = frame)
}

wait_for <- function(file, step_s = .01, timeout_s = 60) {
  until <- Sys.time() + timeout_s
  while (!file.exists(file) && Sys.time() < until) if (step_s > 0) Sys.sleep(step_s)
  if (!file.exists(file)) stop("it did not come: ", basename(file))
}
