# What differs between the two back ends, and how statements are sent.
#
# Statements are the same for both. Values are bound as text at placeholders $1, $2, ... in the
# order of their appearance, each used once, and cast: `CAST($1 AS BIGINT)`. Whole numbers are read
# as text, so that no back end's idea of large integers comes in.

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

# ---- settings -----------------------------------------------------------------------------------

# What a commit must mean: on the disk.
set_session <- function(store) {
  if (store$backend == "sqlite") {
    set_sqlite(store$con, store$durability, store$busy_s)
  } else {
    set_postgres(store$con, store$busy_s)
  }
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

# ---- statements ---------------------------------------------------------------------------------

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
  values <- list(...)
  withCallingHandlers(
    if (length(values) > 0) {
      DBI::dbGetQuery(con, sql, params = lapply(values, as_bound))
    } else {
      DBI::dbGetQuery(con, sql)
    },
    warning = function(w) {
      abort_store("altered", c(
        "The store's tables must hold what was written.",
        x = "A column holds values of another type.",
        i = "The store has been changed by other means: look into a backup."
      ))
    }
  )
}

# Rows affected.
execute <- function(con, sql, ...) {
  values <- list(...)
  if (length(values) == 0) {
    return(DBI::dbExecute(con, sql))
  }
  DBI::dbExecute(con, sql, params = lapply(unname(values), as_bound))
}

as_bound <- function(x) if (is.numeric(x)) whole_text(x) else enc2utf8(as.character(x))

utc_now <- function(plus_s = 0) {
  format(Sys.time() + plus_s, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
}

random_hex <- function(bytes) paste(as.character(openssl::rand_bytes(bytes)), collapse = "")
