# What a store rests on while it is open: that its files are those at their paths, and that its
# connection to PostgreSQL is the one whose settings were made here. Both are looked at before each
# statement, and again after a commit, before anything is said.

# ---- files --------------------------------------------------------------------------------------

# A file that is moved or removed stays open for whoever holds it: decisions would go on into a file
# that nobody finds again, while the next process begins another store in its place. So device and
# number of each file are kept from the opening on. They must be those of a file that this process
# holds open, so that nothing was exchanged between the opening and this look.
#
# On Windows an open database can be neither moved nor removed; there it is only seen that the files
# exist.
watch_files <- function(store) {
  ends <- c("", if (store$durability == "wal") c("-wal", "-shm"))
  files <- c(watched_files(store$con, ends), watched_files(store$anchor, ends))
  found <- cpp_file_identities(enc2native(files))
  held <- vapply(found, function(id) !is.na(id) && cpp_holds_open(id), NA, USE.NAMES = FALSE)
  if (!all(held)) abort_moved(store, files[!held][1])
  store$files <- enc2native(files)
  store$file_ids <- found
  invisible()
}

# The database, and its write-ahead log with the index of that, which are there as long as it is
# open; none for a database in memory or in PostgreSQL.
watched_files <- function(con, ends) {
  if (!inherits(con, "SQLiteConnection")) {
    return(character())
  }
  listed <- DBI::dbGetQuery(con, "PRAGMA database_list")
  main <- listed$file[listed$name == "main"]
  if (nzchar(main)) paste0(main, ends) else character()
}

# Once a file was away, this process says nothing more, even when the file is back: another may have
# decided meanwhile.
check_files <- function(store) {
  if (!is.null(store$moved)) abort_moved(store, store$moved)
  if (length(store$files) == 0) {
    return(invisible())
  }
  same <- cpp_file_identities(store$files) == store$file_ids
  same <- !is.na(same) & same
  if (!all(same)) abort_moved(store, store$files[!same][1])
}

abort_moved <- function(store, file) {
  store$moved <- file
  abort_store("moved", c(
    "The files of an open store must stay where they are.",
    x = "{.file {file}} was moved, removed or replaced.",
    i = "Nothing more is answered from this store. Close it, put store and anchor back, and open it
         anew; a backup lacks what was decided after it was made."
  ))
}

# ---- the connection to PostgreSQL ---------------------------------------------------------------

# The driver makes a lost connection anew by itself, without the settings made here and without
# those of the operator. Each connection has the number of a process of its own, by which that is
# seen.
begin_session <- function(store) {
  set_session(store)
  if (store$backend == "postgres") store$session <- session_number(store$con)
}

# NA when there is no connection. Asking the driver for it costs no statement.
session_number <- function(con) {
  tryCatch(
    as.numeric(DBI::dbGetInfo(con)$pid %||% DBI::dbGetQuery(con, "SELECT pg_backend_pid()")[[1]]),
    error = function(cnd) NA_real_
  )
}

is_session_lost <- function(store) {
  !is.null(store$session) && !identical(session_number(store$con), store$session)
}

check_session <- function(store) {
  if (is_session_lost(store)) {
    abort_store("database", c(
      "The store must answer.",
      x = "The connection to its database was lost.",
      i = "Nothing may be told of the request. Ask again, with the same request id."
    ))
  }
}

# Connects anew where the connection was lost: in the operator's way, with all settings, and only to
# the same ledger, verified from its first decision to the newest that is known here.
renew_session <- function(store) {
  if (!is_session_lost(store)) {
    return(invisible())
  }
  # in the middle of a transaction, which is gone
  if (isTRUE(store$in_lock)) check_session(store)
  renewed <- copy_store(store)
  renewed$session <- NULL
  renewed$con <- connect_ledger(store$reach, store$busy_s)
  done <- FALSE
  on.exit(disconnect(if (done) lost else renewed$con))
  with_database(begin_session(renewed))
  check_same_store(renewed)
  follow_ledger(renewed, store)
  lost <- store$con
  store$con <- renewed$con
  store$session <- renewed$session
  done <- TRUE
  invisible()
}

disconnect <- function(con) try(suppressWarnings(DBI::dbDisconnect(con)), silent = TRUE)

# It is never made here: where a connection leads to an empty database, it leads to the wrong one.
check_same_store <- function(store) {
  version <- check_version(store)
  genesis <- if (version > 0) with_store(store, find_meta(store, "genesis"))
  if (!identical(genesis, store$genesis)) {
    abort_other("The connection was lost, and the new one leads to another database.")
  }
  if (version != schema_version()) abort_new_version()
}

# Reads and verifies what `store` knows, anew from the first decision; gives the rows in parts.
follow_ledger <- function(reader, store) {
  parts <- list()
  while (reader$seq < store$seq) {
    rows <- fetch_decisions(reader, reader$seq, min(1e5, store$seq - reader$seq))
    if (nrow(rows) == 0) abort_altered("Decisions that were there are gone.")
    check_rows(reader, rows)
    extend_state(reader, rows)
    parts[[length(parts) + 1]] <- rows
  }
  if (reader$hash != store$hash) abort_altered("It was written anew.")
  parts
}

with_store <- function(store, expr) {
  check_store(store)
  check_files(store)
  renew_session(store)
  value <- with_database(expr)
  check_session(store)
  value
}

# A transaction that holds all others off, for work that is not one statement. Nothing of it is kept
# when it ends with a value that is not to be kept.
with_lock <- function(store, expr, keep = function(value) TRUE) {
  con <- store$con
  if (store$backend == "sqlite") {
    DBI::dbExecute(con, "BEGIN IMMEDIATE")
  } else {
    DBI::dbExecute(con, "BEGIN")
  }
  done <- FALSE
  store$in_lock <- TRUE
  on.exit({
    store$in_lock <- FALSE
    if (!done) try(DBI::dbExecute(con, "ROLLBACK"), silent = TRUE)
  })
  if (store$backend == "postgres") {
    DBI::dbGetQuery(con, "SELECT 1 FROM (SELECT pg_advisory_xact_lock(7364317)) AS held")
  }
  value <- force(expr)
  DBI::dbExecute(con, if (keep(value)) "COMMIT" else "ROLLBACK")
  done <- TRUE
  value
}

# Another reader of the same store, from the start.
copy_store <- function(store) {
  copy <- structure(rlang::env_clone(store), class = sdc_class("sdc_store", mark = "private"))
  copy$asked <- NULL
  forget_ledger(copy)
  copy
}

# As before the first decision.
forget_ledger <- function(store) {
  store$seq <- 0
  store$release_no <- 0
  store$hash <- store$genesis
  store$released <- store$refused <- store$closed <- store$refuted <- character()
  store$undecided <- stats::setNames(character(), character())
}
