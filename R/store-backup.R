# A copy of a store that is whole, while it is at work.

# `VACUUM INTO`: a copy of the file alone would lack what is still in the write-ahead log. The copy
# is on the disk and verified before it gets its name. Gives the number and hash of the newest
# decision in it, invisibly: note them elsewhere.
backup_store <- function(store, path, call = caller_env()) {
  check_store(store, call)
  check_string(path, call = call)
  if (store$backend != "sqlite") {
    abort_sdc("input", c(
      "{.fn backup_store} must have a store in SQLite.",
      x = "This one is in PostgreSQL.",
      i = "Use {.code pg_dump} or the server's own backups."
    ), call = call)
  }
  if (file.exists(path)) {
    abort_sdc("input", c("{.arg path} must be free.", x = "There is a file."), call = call)
  }
  part <- paste0(path, ".part")
  unlink(part)
  on.exit(unlink(part))
  before <- Sys.umask("077")
  on.exit(Sys.umask(before), add = TRUE)
  with_store(store, execute(store$con, "VACUUM INTO $1", part), call)
  newest <- verify_copy(store, part, call)
  if (!file.rename(part, path)) {
    abort_store("database", c(
      "The backup must get its name.",
      x = "The disk refuses."
    ), call = call)
  }
  invisible(newest)
}

# SQLite does not wait for the disk when it makes the copy; one more commit with full
# synchronisation does, for all of the file.
verify_copy <- function(store, part, call) {
  copy <- copy_store(store)
  copy$con <- connect_sqlite(part, store$busy_s, call)
  on.exit(DBI::dbDisconnect(copy$con))
  with_store(copy, {
    set_sqlite(copy$con, "delete", store$busy_s, call)
    version <- DBI::dbGetQuery(copy$con, "PRAGMA user_version")[[1]]
    DBI::dbExecute(copy$con, paste("PRAGMA user_version =", version + 1))
  }, call)
  catch_up(copy, call)
  if (copy$seq < store$seq) abort_altered("Its copy is shorter than the store.", call)
  list(seq = copy$seq, hash = copy$hash)
}
