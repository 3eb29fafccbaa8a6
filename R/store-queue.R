# The queue of requests, and who judges them. Processes that answer put requests into the queue;
# one judge takes them, and its decisions go into the ledger as always (store-decision.R). Nothing
# here is needed for a decision to be sound: when two judges take one request, it is decided once,
# and the other repeats the answer. So the queue need not survive a power cut: it has a connection
# of its own that does not wait for the disk, and who asked asks again. Beside a store in an SQLite
# file it is a file of its own, as SQLite has one writer at a time: who puts a request into the
# queue must not wait until the judge's decisions are on the disk.
#
# The judge holds a lease: a row with its name and a count that it raises. No clock is compared
# with that of another machine: a candidate takes over when it has seen the same count for as long
# as the lease lasts, by its own clock, and only if the count is still the same then.

# ---- the connection -----------------------------------------------------------------------------

with_queue <- function(store, expr) {
  check_store(store)
  check_files(store)
  if (is_queue_moved(store)) drop_queue(store)
  tryCatch(with_queue_errors(store, {
    if (is.null(store$queue)) store$queue <- connect_queue(store)
    expr
  }), error = function(cnd) {
    drop_queue(store)
    rlang::cnd_signal(cnd)
  })
}

# A queue may be lost: who finds its file damaged needs to know that.
with_queue_errors <- function(store, expr) {
  place <- queue_place(store)
  if (is.null(place)) {
    return(with_database(expr))
  }
  with_store_errors(expr, "database", c(
    "The queue of requests must answer.",
    x = "Its file {.file {place}} refused or failed.",
    i = "Nothing may be told of the request. If the file is damaged, remove it: no decision is in
         it, and who was waiting asks again."
  ))
}

drop_queue <- function(store) {
  if (!is.null(store$queue)) disconnect(store$queue)
  store$queue <- NULL
}

# NULL where it is in the database of the store.
queue_place <- function(store) if (!is.null(store$place)) paste0(store$place, "-queue")

# Who holds a file that others do not find waits in vain: all connect to the one that is there.
is_queue_moved <- function(store) {
  !is.null(store$queue) && !is.null(store$queue_id) &&
    !identical(cpp_file_identities(enc2native(queue_place(store))), store$queue_id)
}

connect_queue <- function(store) {
  place <- queue_place(store)
  con <- if (is.null(place)) connect_ledger(store$reach, store$busy_s) else
    connect_sqlite(place, store$busy_s)
  done <- FALSE
  on.exit(if (!done) disconnect(con))
  if (store$backend == "postgres") {
    set_postgres(con, store$busy_s)
    DBI::dbExecute(con, "SET synchronous_commit = off")
  } else {
    set_sqlite(con, store$durability, store$busy_s)
    if (store$durability == "wal") DBI::dbExecute(con, "PRAGMA synchronous = 1")
    if (!is.null(place)) {
      # processes that begin at once make it together
      DBI::dbExecute(con, "BEGIN IMMEDIATE")
      for (sql in shared_tables()) DBI::dbExecute(con, sql)
      DBI::dbExecute(con, "COMMIT")
      store$queue_id <- cpp_file_identities(enc2native(place))
    }
  }
  done <- TRUE
  con
}

# Other processes must find the same store.
check_shared <- function(store) {
  if (store$backend == "postgres" || length(store$files) > 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg workers} must have a store in a file or in PostgreSQL.",
    x = "This server keeps its decisions in memory, where no other process finds them.",
    i = "Make it with {.code table_server(store = )}."
  ))
}

# ---- requests -----------------------------------------------------------------------------------

fetch_queue <- function(store, sql, ...) with_queue(store, fetch_text(store$queue, sql, ...))
change_queue <- function(store, sql, ...) with_queue(store, execute(store$queue, sql, ...))

# FALSE when one of this user and name waits already.
enqueue <- function(store, request) {
  change_queue(
    store, "INSERT INTO queue (user_id, request_id, mask, form, asked_ms)
            VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT),
                    CAST($5 AS BIGINT)) ON CONFLICT DO NOTHING",
    request$user_id, request$request_id, request$mask, request$form,
    floor(1000 * as.numeric(Sys.time()))
  ) == 1
}

most_queued <- 100

# Those that wait longest.
queued_requests <- function(store, limit = most_queued) {
  fetch_queue(store, "SELECT user_id, request_id, mask, form FROM queue
                      ORDER BY asked_ms, request_id LIMIT CAST($1 AS BIGINT)", limit)
}

# `requests`: one, or several as columns.
dequeue <- function(store, requests) {
  change_queue(store, "DELETE FROM queue WHERE user_id = CAST($1 AS TEXT)
                       AND request_id = CAST($2 AS TEXT)", requests$user_id, requests$request_id)
  invisible()
}

# `where`: which of them, by default all.
count_queued <- function(store, where = "", ...) {
  sql <- paste("SELECT CAST(COUNT(*) AS TEXT) AS n FROM queue", where)
  as.numeric(fetch_queue(store, sql, ...)$n)
}

# Of one user, but for the request of that id.
count_queued_of <- function(store, user_id, but = "") {
  count_queued(store, "WHERE user_id = CAST($1 AS TEXT) AND request_id <> CAST($2 AS TEXT)",
               user_id, but)
}

# FALSE when nobody has written to the queue since it was read, as its log of writes shows:
# looking at a file costs less than a question. What is written within `stamp_s` may leave the stamp
# as it is.
may_be_new <- function(store) {
  place <- queue_place(store)
  if (is.null(place) || store$durability != "wal") {
    return(TRUE)
  }
  stamp <- unlist(file.info(paste0(place, "-wal"), extra_cols = FALSE)[c("size", "mtime")])
  now <- cpp_steady_s()
  if (!identical(stamp, store$stamp)) {
    store$stamp <- stamp
    store$stamped <- now
  }
  new <- now - store$stamped < stamp_s || now - (store$queue_read %||% 0) > 1
  if (new) store$queue_read <- now
  new
}

stamp_s <- 0.1

# ---- the lease ----------------------------------------------------------------------------------

# What a candidate knows: its name, and since when it has seen the count that it saw last. `dead`:
# the name of a judge that is known to have ended.
new_lease <- function(holder, lease_s, dead = "", clock = cpp_steady_s) {
  list2env(list(
    holder = holder, lease_ms = ceiling(1000 * lease_s), dead = dead, clock = clock, holds = FALSE,
    seen = NULL, since = -Inf, beaten = -Inf
  ), parent = emptyenv())
}

# TRUE when this candidate is the judge now. To be called more often than the lease lasts.
hold_lease <- function(store, lease) {
  if (lease$holds && lease$clock() - lease$beaten < lease$lease_ms / 4000) {
    return(TRUE)
  }
  lease$holds <- if (lease$holds) raise_beat(store, lease) else take_lease(store, lease)
  lease$beaten <- lease$clock()
  lease$holds
}

raise_beat <- function(store, lease) {
  change_queue(store, "UPDATE judge SET beat = beat + 1, lease_ms = CAST($1 AS BIGINT)
                       WHERE holder = CAST($2 AS TEXT)", lease$lease_ms, lease$holder) == 1
}

take_lease <- function(store, lease) {
  now <- read_lease(store)
  if (!identical(now, lease$seen)) {
    lease$seen <- now
    lease$since <- lease$clock()
  }
  free <- now$holder %in% c("", lease$dead, lease$holder)
  over <- 1000 * (lease$clock() - lease$since) >= as.numeric(now$lease_ms)
  (free || over) && change_queue(
    store, "UPDATE judge SET holder = CAST($1 AS TEXT), beat = beat + 1,
            lease_ms = CAST($2 AS BIGINT)
            WHERE holder = CAST($3 AS TEXT) AND beat = CAST($4 AS BIGINT)",
    lease$holder, lease$lease_ms, now$holder, now$beat
  ) == 1
}

read_lease <- function(store) {
  as.list(fetch_queue(
    store, "SELECT holder, CAST(beat AS TEXT) AS beat, CAST(lease_ms AS TEXT) AS lease_ms
            FROM judge"
  ))
}

# So that the next one need not wait.
end_lease <- function(store, lease) {
  if (lease$holds) {
    change_queue(
      store, "UPDATE judge SET holder = '', beat = beat + 1 WHERE holder = CAST($1 AS TEXT)",
      lease$holder
    )
  }
  lease$holds <- FALSE
}
