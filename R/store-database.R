# The databases of a store: what differs between SQLite and PostgreSQL, how statements are sent,
# what is looked at before and after each, and how the store fails.
#
# Statements are the same for both. Values are bound as text at placeholders $1, $2, ... in the
# order of their appearance, each used once, and cast: `CAST($1 AS BIGINT)`. Whole numbers are read
# as text, so that no back end's idea of large integers comes in.

# ---- asking the store ---------------------------------------------------------------------------

fetch_store <- function(store, sql, ...) with_store(store, fetch_text(store$con, sql, ...))

# Rows affected.
change_store <- function(store, sql, ...) with_store(store, execute(store$con, sql, ...))

# `from`: a table, and which of its rows.
count_store <- function(store, from, ...) {
  as.numeric(fetch_store(store, paste("SELECT CAST(COUNT(*) AS TEXT) AS n FROM", from), ...)$n)
}

# What a store rests on while it is open: that its files are those at their paths, and that its
# connection to PostgreSQL is the one whose settings were made here. Both are looked at before each
# statement, and again after a commit, before anything is said.
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
  DBI::dbExecute(con, if (store$backend == "sqlite") "BEGIN IMMEDIATE" else "BEGIN")
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

# ---- the connection to PostgreSQL ---------------------------------------------------------------

# The driver makes a lost connection anew by itself, without the settings made here and without
# those of the operator. Each connection has the number of a process of its own, by which that is
# seen. What a commit must mean: on the disk.
begin_session <- function(store) {
  if (store$backend == "sqlite") {
    return(set_sqlite(store$con, store$durability, store$busy_s))
  }
  set_postgres(store$con, store$busy_s)
  store$session <- session_number(store$con)
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

# ---- connecting ---------------------------------------------------------------------------------

# Creates files for their owner only.
connect_ledger <- function(place, busy_s) {
  if (is.function(place)) {
    con <- with_database(place())
    if (inherits(con, "SQLiteConnection")) wait_when_busy(con, busy_s)
    if (inherits(con, "DBIConnection")) {
      return(con)
    }
    abort_sdc("input", c(
      "{.arg place} must make a connection to a database when it is called.",
      x = "It made {.obj_type_friendly {con}}."
    ))
  }
  if (!is.null(place)) check_string(place, "place")
  guard_new_store(place)
  connect_sqlite(place, busy_s)
}

connect_sqlite <- function(path, busy_s) {
  check_installed("RSQLite", "to keep a store in a file")
  before <- Sys.umask("077")
  on.exit(Sys.umask(before))
  # the defaults of RSQLite are to wait neither for the disk nor for others
  con <- with_database(DBI::dbConnect(
    RSQLite::SQLite(), path %||% ":memory:", synchronous = NULL, bigint = "numeric"
  ))
  wait_when_busy(con, busy_s)
  con
}

wait_when_busy <- function(con, busy_s) {
  RSQLite::sqliteSetBusyHandler(con, as.integer(1000 * busy_s))
}

backend_of <- function(con) {
  if (inherits(con, "SQLiteConnection")) {
    return("sqlite")
  }
  if (inherits(con, "PqConnection")) {
    return("postgres")
  }
  DBI::dbDisconnect(con)
  abort_sdc("input", c(
    "{.arg place} must lead to SQLite (package {.pkg RSQLite}) or PostgreSQL ({.pkg RPostgres}).",
    x = "It leads to {.cls {class(con)}}."
  ))
}

# WAL with FULL, or DELETE with EXTRA where the file is on a network: WAL needs shared memory.
# DELETE with FULL would not do: the journal's removal, which is the commit, is not synced to the
# folder.
set_sqlite <- function(con, durability, busy_s) {
  mode <- set_journal(con, durability, cpp_steady_s() + busy_s)
  in_memory <- identical(con@dbname, ":memory:")
  if (!identical(mode, if (in_memory) "memory" else durability)) {
    abort_store("settings", c(
      "The store must be in journal mode {.val {durability}}.",
      x = "SQLite keeps it in mode {.val {mode}}.",
      i = "Another process may use it in that mode, or the disk does not allow this one."
    ))
  }
  level <- c(wal = 2, delete = 3)[[durability]]
  DBI::dbExecute(con, paste("PRAGMA synchronous =", level))
  # only macOS knows these: there fsync alone does not reach the disk
  DBI::dbExecute(con, "PRAGMA fullfsync = 1")
  DBI::dbExecute(con, "PRAGMA checkpoint_fullfsync = 1")
  stopifnot(DBI::dbGetQuery(con, "PRAGMA synchronous")[[1]] == level)
}

# SQLite does not wait here when another process is about to set the mode too.
set_journal <- function(con, durability, until) {
  repeat {
    mode <- tryCatch(
      DBI::dbGetQuery(con, paste("PRAGMA journal_mode =", durability))[[1]],
      error = function(cnd) if (cpp_steady_s() > until) stop(cnd)
    )
    if (!is.null(mode)) {
      return(tolower(mode))
    }
    Sys.sleep(.01)
  }
}

# Each session for itself, whatever the cluster says.
set_postgres <- function(con, busy_s) {
  show <- function(name) DBI::dbGetQuery(con, paste("SHOW", name))[[1]]
  set <- function(name, value) DBI::dbExecute(con, paste0("SET ", name, " = '", value, "'"))
  set("client_encoding", "UTF8")
  set("default_transaction_isolation", "read committed")
  # zero would be for ever
  set("lock_timeout", paste0(whole_text(max(1, 1000 * busy_s)), "ms"))
  # a machine that fails in the middle of a transaction closes no connection: its lock would be held
  # until the network notices, which takes hours
  set("idle_in_transaction_session_timeout", paste0(whole_text(1000 * max(10, busy_s)), "ms"))
  if (show("synchronous_commit") != "remote_apply") set("synchronous_commit", "on")
  if (show("fsync") != "on") {
    warn_sdc("server", c(
      "The database must write to its disk before it says so.",
      x = "The setting {.code fsync} of this PostgreSQL is off.",
      i = "A power cut may lose answers that were given."
    ))
  }
}

# ---- statements and errors ----------------------------------------------------------------------

# Errors of the back end as ours; what it said is the parent.
with_database <- function(expr) {
  with_store_errors(expr, "database", c(
    "The store must answer.",
    x = "Its database refused or failed.",
    i = "Nothing may be told of the request. Open the store anew and ask again."
  ))
}

# A back end warns when a column holds what it cannot hold: somebody changed it.
fetch_text <- function(con, sql, ...) {
  withCallingHandlers(
    DBI::dbGetQuery(con, sql, params = bound_values(...)),
    warning = function(w) {
      abort_store("altered", c(
        "The store's tables must hold what was written.",
        x = "A column holds values of another type.",
        i = "The store has been changed by other means: look into a backup."
      ))
    }
  )
}

execute <- function(con, sql, ...) DBI::dbExecute(con, sql, params = bound_values(...))

bound_values <- function(...) {
  values <- lapply(unname(list(...)), function(x) {
    if (is.numeric(x)) whole_text(x) else enc2utf8(as.character(x))
  })
  if (length(values) > 0) values
}

utc_now <- function(plus_s = 0) {
  format(Sys.time() + plus_s, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
}

random_hex <- function(bytes) paste(as.character(openssl::rand_bytes(bytes)), collapse = "")

# `reason` is what programs look at; see the head of store.R.
abort_store <- function(reason, message, ..., .envir = parent.frame()) {
  abort_sdc("server", message, reason = reason, ..., .envir = .envir)
}

# Errors of `expr` that are not ours become one of the store.
with_store_errors <- function(expr, reason, message, .envir = parent.frame()) {
  force(.envir)
  tryCatch(expr, error = function(cnd) {
    # ours, and what a route has to say of an argument that is looked at only here
    if (inherits(cnd, c("sdc_error", "sdc_problem"))) rlang::cnd_signal(cnd)
    abort_store(reason, message, parent = cnd, .envir = .envir)
  })
}

# Open, and by this process: a connection that two processes share after a fork destroys files.
check_store <- function(store) {
  check_class(store, "sdc_store", "store", make = "open_store")
  if (is.null(store$con)) {
    abort_store("database", c("The store must be open.", x = "It has been closed."))
  }
  if (store$pid != Sys.getpid()) {
    abort_store("database", c(
      "A store must be used by the process that opened it.",
      x = "This one was opened by another process and came here by a fork.",
      i = "Open it anew in each process."
    ))
  }
  invisible(store)
}

abort_other <- function(found) {
  abort_store("other", c(
    "The store must be that of this table and this policy.",
    x = "{found}",
    i = "Another policy needs another store, and what was released before must be recorded in it."
  ))
}

abort_altered <- function(found) {
  abort_store("altered", c(
    "The store must be as it was written.",
    x = "{found}",
    i = "It has been changed by other means: look into a backup."
  ))
}
