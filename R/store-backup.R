# A copy of a store that is whole, while it is at work.

# `VACUUM INTO`: a copy of the file alone would lack what is still in the write-ahead log. The copy
# is on the disk and verified before it gets its name. Gives the number and hash of the newest
# decision in it, invisibly: note them elsewhere.
backup_store <- function(store, path) {
  check_store(store)
  check_string(path)
  if (store$backend != "sqlite") {
    abort_sdc("input", c(
      "{.fn backup_store} must have a store in SQLite.",
      x = "This one is in PostgreSQL.",
      i = "Use {.code pg_dump} or the server's own backups."
    ))
  }
  if (file.exists(path)) {
    abort_sdc("input", c("{.arg path} must be free.", x = "There is a file."))
  }
  part <- paste0(path, ".part")
  unlink(part)
  on.exit(unlink(part))
  before <- Sys.umask("077")
  on.exit(Sys.umask(before), add = TRUE)
  with_store(store, execute(store$con, "VACUUM INTO $1", part))
  guard_new_backup(part)
  newest <- verify_copy(store, part)
  if (!file.rename(part, path)) {
    abort_store("database", c(
      "The backup must get its name.",
      x = "The disk refuses."
    ))
  }
  invisible(newest)
}

# SQLite does not wait for the disk when it makes the copy; one more commit with full
# synchronisation does, for all of the file.
verify_copy <- function(store, part) {
  copy <- copy_store(store)
  copy$con <- connect_sqlite(part, store$busy_s)
  on.exit(DBI::dbDisconnect(copy$con))
  with_store(copy, {
    set_sqlite(copy$con, "delete", store$busy_s)
    version <- DBI::dbGetQuery(copy$con, "PRAGMA user_version")[[1]]
    DBI::dbExecute(copy$con, paste("PRAGMA user_version =", version + 1))
  })
  catch_up(copy)
  if (copy$seq < store$seq) abort_altered("Its copy is shorter than the store.")
  list(seq = copy$seq, hash = copy$hash)
}
