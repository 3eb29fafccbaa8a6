skip_if_no_store()

# A store with 8 decisions, closed; a copy of its files for each way to spoil it.
filled_place <- function(frame = parent.frame(), ...) {
  place <- local_place(frame)
  store <- open_test_store(place, ...)
  on.exit(close_store(store))
  for (i in 1:8) {
    ask(store, c(i, i + 1), id = paste0("r", i), outcome = if (i %% 3 == 0) "refused" else "released")
  }
  place
}

copy_place <- function(place, frame = parent.frame()) {
  to <- local_place(frame)
  for (end in c("", "-wal", "-anchor", "-anchor-wal")) {
    if (file.exists(paste0(place, end))) file.copy(paste0(place, end), paste0(to, end))
  }
  to
}

# Runs statements as somebody would who can write the file.
tamper <- function(path, ...) {
  con <- DBI::dbConnect(RSQLite::SQLite(), path, synchronous = NULL)
  on.exit(DBI::dbDisconnect(con))
  for (sql in c(...)) DBI::dbExecute(con, sql)
}

drop_triggers <- c("DROP TRIGGER decision_no_update", "DROP TRIGGER decision_no_delete")

# Why it does not open; NULL when it does.
open_test_store_fails <- function(place, ...) {
  store <- tryCatch(open_test_store(place, ...), sdc_error_server = function(e) e)
  if (inherits(store, "condition")) {
    return(store$reason)
  }
  close_store(store)
  NULL
}

refusal <- function(expr) {
  cnd <- expect_error(expr, class = "sdc_error_server")
  if (is.null(cnd)) NA else cnd$reason
}

test_that("property: a store opens again as it was", {
  place <- filled_place()
  store <- open_test_store(place)
  expect_identical(store$seq, 8)
  expect_identical(store$release_no, 6)
  expect_identical(store$refused, encode_masks(list(c(3, 4), c(6, 7)), 40))
  expect_identical(store$refuted, character())
  expect_identical(store$released,
                   encode_masks(lapply(c(1, 2, 4, 5, 7, 8), function(i) c(i, i + 1)), 40))
  state <- store_state(store)
  close_store(store)
  again <- open_test_store(place)
  expect_identical(store_state(again), state)
  close_store(again)
  expect_identical(refusal(ask(again, 1)), "database")
  expect_null(open_test_store_fails(place))
})

test_that("property: stores of others are refused, and left as they are", {
  place <- filled_place()
  expect_identical(open_test_store_fails(place, fingerprint = "another"), "other")
  expect_identical(open_test_store_fails(place, policy = list(rule = "myopic")), "other")
  expect_identical(open_test_store_fails(place, variables = rev(store_variables)), "other")
  expect_identical(open_test_store_fails(place, key = as.raw(1:32)), "other")
  empty <- local_place()
  close_store(open_test_store(empty))
  expect_identical(open_test_store_fails(empty, fingerprint = "another"), "other")
  expect_null(open_test_store_fails(empty))
  foreign <- local_place()
  tamper(foreign, "CREATE TABLE mine (a)")
  before <- tools::md5sum(foreign)
  expect_identical(open_test_store_fails(foreign), "other")
  expect_identical(tools::md5sum(foreign), before)
  junk <- local_place()
  writeLines(rep("no database", 1000), junk)
  expect_identical(open_test_store_fails(junk), "database")
  expect_identical(open_test_store_fails(file.path(local_place(), "no", "folder")), "database")
})

test_that("property: a key must be there again", {
  place <- filled_place(key = as.raw(1:32))
  expect_null(open_test_store_fails(place, key = as.raw(1:32)))
  expect_identical(open_test_store_fails(place), "other")
  expect_identical(open_test_store_fails(place, key = as.raw(2:33)), "other")
})

test_that("property: whatever is changed, the store is refused", {
  place <- filled_place()
  ways <- list(
    "UPDATE decision SET outcome = 'refused', reason_public = 'risk' WHERE seq = 2",
    "UPDATE decision SET mask = '0000000fff' WHERE seq = 8",
    "UPDATE decision SET mask = x'00' WHERE seq = 4",
    "UPDATE decision SET reason_public = 'structural' WHERE seq = 3",
    "UPDATE decision SET reason_private = 'other' WHERE seq = 3",
    "UPDATE decision SET reason_private = 'null' WHERE seq = 3",
    "UPDATE decision SET parts = NULL WHERE seq = 5",
    "UPDATE decision SET user_id = 'v' WHERE seq = 5",
    "UPDATE decision SET request_id = 'r55' WHERE seq = 5",
    "UPDATE decision SET form = 'projected' WHERE seq = 5",
    "UPDATE decision SET at = '2020-01-01T00:00:00Z' WHERE seq = 1",
    "UPDATE decision SET table_hash = 'x' WHERE seq = 1",
    "UPDATE decision SET certificate_hash = 'x' WHERE seq = 1",
    "UPDATE decision SET release_no = 9 WHERE seq = 8",
    "UPDATE decision SET v = 0 WHERE seq = 8",
    "UPDATE decision SET v = 'one' WHERE seq = 8",
    "UPDATE decision SET seq = 9 WHERE seq = 8",
    "UPDATE decision SET hash = upper(hash) WHERE seq = 8",
    "UPDATE decision SET prev = 'x' WHERE seq = 1",
    "DELETE FROM decision WHERE seq = 4",
    "DELETE FROM decision WHERE seq = 1",
    c("DELETE FROM decision WHERE seq = 4", "UPDATE decision SET seq = seq - 1 WHERE seq > 4"),
    c("UPDATE decision SET seq = 100 WHERE seq = 2", "UPDATE decision SET seq = 2 WHERE seq = 5",
      "UPDATE decision SET seq = 5 WHERE seq = 100"),
    c("INSERT INTO decision SELECT 9, v, at, user_id, 'r9', mask, form, outcome, reason_public,
       reason_private, parts, 7, table_hash, certificate_hash, hash, 'abc' FROM decision WHERE seq = 8"),
    c("DROP TABLE decision"),
    c("UPDATE meta SET value = '0' WHERE key = 'genesis'"),
    c("UPDATE meta SET value = 'x' WHERE key = 'schema_version'"),
    c("DELETE FROM meta WHERE key = 'policy'"),
    c("DELETE FROM meta")
  )
  expect_null(open_test_store_fails(copy_place(place)))
  for (way in ways) {
    copy <- copy_place(place)
    tamper(copy, drop_triggers, way)
    expect_true(open_test_store_fails(copy) %in% c("altered", "database"), info = way[1])
  }
})

test_that("property: a ledger that is cut is refused, and so is one without its anchor", {
  place <- filled_place()
  for (last in c(7, 3, 0)) {
    copy <- copy_place(place)
    tamper(copy, drop_triggers, paste("DELETE FROM decision WHERE seq >", last))
    expect_identical(open_test_store_fails(copy), "shortened")
  }
  gone <- copy_place(place)
  unlink(paste0(gone, c("", "-wal", "-shm")))
  expect_identical(open_test_store_fails(gone), "shortened")
  # nothing of it is a store now
  expect_identical(open_test_store_fails(gone), "shortened")

  lost <- copy_place(place)
  unlink(paste0(lost, c("-anchor", "-anchor-wal")))
  expect_identical(open_test_store_fails(lost), "shortened")
  # a flag would take any old copy
  expect_identical(open_test_store_fails(lost, new_anchor = TRUE), "shortened")
  expect_identical(open_test_store_fails(lost), "shortened")
  heads <- place_query(lost, "SELECT seq, hash FROM decision ORDER BY seq")
  head <- function(n) list(seq = heads$seq[n], hash = heads$hash[n])
  for (n in c(1, nrow(heads))) {
    found <- copy_place(lost)
    unlink(paste0(found, c("-anchor", "-anchor-wal")))
    expect_null(open_test_store_fails(found, new_anchor = head(n)))
    expect_null(open_test_store_fails(found))
  }
  # an older copy, and another ledger, are refused, and stay refused without the number and hash
  old <- copy_place(lost)
  tamper(old, drop_triggers, "DELETE FROM decision WHERE seq > 3")
  for (wrong in list(head(nrow(heads)), list(seq = 2, hash = heads$hash[1]))) {
    tried <- copy_place(old)
    unlink(paste0(tried, c("-anchor", "-anchor-wal")))
    expect_true(open_test_store_fails(tried, new_anchor = wrong) %in% c("shortened", "altered"))
    expect_true(open_test_store_fails(tried) %in% c("shortened", "altered"))
  }
  for (bad in list(NA, 1, list(seq = 1), list(seq = -1, hash = heads$hash[1]),
                   list(seq = 1, hash = "x"))) {
    expect_error(open_test_store(copy_place(lost), new_anchor = bad), class = "sdc_error_input")
  }
  # number 0 is for a store without decisions, and no place becomes a store by what was noted
  genesis <- place_query(lost, "SELECT value FROM meta WHERE key = 'genesis'")$value
  none <- list(seq = 0, hash = genesis)
  expect_identical(open_test_store_fails(copy_place(lost), new_anchor = none), "shortened")
  nowhere <- file.path(withr::local_tempdir(), "store.sqlite")
  for (noted in list(none, head(1))) {
    expect_identical(open_test_store_fails(nowhere, new_anchor = noted), "shortened")
  }
  # where there is an anchor the number and hash must fit as well
  expect_identical(open_test_store_fails(copy_place(place),
                                         new_anchor = list(seq = 99, hash = heads$hash[1])),
                                         "shortened")

  other <- copy_place(place)
  tamper(paste0(other, "-anchor"), "UPDATE anchor SET genesis = 'x'")
  expect_identical(open_test_store_fails(other), "other")
  ahead <- copy_place(place)
  tamper(paste0(ahead, "-anchor"), "UPDATE anchor SET seq = 9")
  expect_identical(open_test_store_fails(ahead), "shortened")
})

test_that("property: a ledger written anew is told by its anchor", {
  place <- filled_place()
  forged <- local_place()
  store <- open_test_store(forged)
  for (i in 1:9) ask(store, c(i, i + 1), id = paste0("r", i), outcome = "refused")
  close_store(store)
  for (end in c("", "-wal", "-shm")) {
    unlink(paste0(place, end))
    if (file.exists(paste0(forged, end))) file.copy(paste0(forged, end), paste0(place, end))
  }
  expect_identical(open_test_store_fails(place), "altered")
})

test_that("property: an anchor that lags catches up; one that was lagging still guards", {
  place <- filled_place()
  tamper(paste0(place, "-anchor"), paste0(
    "UPDATE anchor SET seq = 7, hash = '",
    place_query(place, "SELECT hash FROM decision WHERE seq = 7")$hash, "'"
  ))
  expect_null(open_test_store_fails(place))
  expect_equal(place_query(paste0(place, "-anchor"), "SELECT seq FROM anchor")$seq, 8)
})

test_that("property: a newer store is refused, an older one brought up to date", {
  place <- filled_place()
  copy <- copy_place(place)
  tamper(copy, "UPDATE meta SET value = '9' WHERE key = 'schema_version'")
  before <- place_query(copy, "SELECT * FROM decision")
  expect_identical(open_test_store_fails(copy), "newer")
  known <- store_migrations()
  next_version <- c(known, function(backend) {
    c("ALTER TABLE decision ADD COLUMN note TEXT", "CREATE TABLE more (a TEXT)")
  })
  tamper(copy, paste0("UPDATE meta SET value = '", length(next_version),
                      "' WHERE key = 'schema_version'"))
  old <- open_test_store(place)
  local_mocked_bindings_store(store_migrations = function() next_version)
  expect_identical(open_test_store_fails(copy), NULL)
  expect_null(open_test_store_fails(place))
  expect_identical(place_query(place, "SELECT value FROM meta WHERE key = 'schema_version'")$value,
                   as.character(length(next_version)))
  expect_identical(place_query(place, "SELECT * FROM more")$a, character())
  expect_null(open_test_store_fails(place))
  # a process of the older version that is still at work decides nothing more
  local_mocked_bindings_store(store_migrations = function() known)
  expect_identical(refusal(ask(old, 30)), "newer")
  expect_equal(place_query(place, "SELECT COUNT(*) AS n FROM decision")$n, 8)
  close_store(old)
})

test_that("property: a migration that fails leaves the store as it was", {
  place <- filled_place()
  next_version <- c(store_migrations(), function(backend) c("CREATE TABLE more (a TEXT)", "no sql"))
  local_mocked_bindings_store(store_migrations = function() next_version)
  expect_identical(open_test_store_fails(place), "database")
  expect_false("more" %in% place_query(place, "SELECT name FROM sqlite_master")$name)
})

test_that("property: decisions are not changed by accident, and files are for their owner", {
  place <- filled_place()
  expect_error(tamper(place, "UPDATE decision SET outcome = 'refused'"), "never changed")
  expect_error(tamper(place, "DELETE FROM decision"), "never changed")
  skip_on_os("windows")
  modes <- file.info(paste0(place, c("", "-anchor")))$mode
  expect_true(all(modes == as.octmode("600")))
})

test_that("property: commits reach the disk", {
  for (durability in c("wal", "delete")) {
    store <- local_store(durability = durability)
    for (con in list(store$con, store$anchor)) {
      expect_equal(DBI::dbGetQuery(con, "PRAGMA synchronous")[[1]],
      if (durability == "wal") 2 else 3)
      expect_equal(DBI::dbGetQuery(con, "PRAGMA journal_mode")[[1]], durability)
      expect_equal(DBI::dbGetQuery(con, "PRAGMA busy_timeout")[[1]], 20000)
    }
  }
  store <- local_store()
  expect_identical(
    refusal(open_test_store(store$place, durability = "delete", busy_s = .05)), "database"
  )
})

test_that("property: a store without a place is for trials", {
  store <- open_store(NULL, "t", list(), c("a", "b"))
  expect_identical(ask(store, 1:2)$mask, "3")
  expect_identical(ask(store, 1)$seq, 2)
  expect_output(print(store), "2 decisions, 2 releases")
  close_store(store)
})

test_that("property: a store does not go over a fork", {
  skip_on_os("windows")
  store <- local_store()
  store$pid <- store$pid + 1L
  expect_identical(refusal(ask(store, 1)), "database")
  store$pid <- Sys.getpid()
})

test_that("property: backups are whole, whatever is in the log", {
  store <- local_store()
  for (i in 1:20) ask(store, i)
  path <- paste0(local_place(), "-copy")
  newest <- backup_store(store, path)
  expect_identical(newest, list(seq = 20, hash = store$hash))
  expect_false(file.exists(paste0(path, ".part")))
  # older than the anchor of the store that it was taken from; with an anchor of its own it opens
  expect_identical(open_test_store_fails(path), "shortened")
  expect_identical(open_test_store_fails(path, new_anchor = TRUE), "shortened")
  unlink(paste0(path, c("-anchor", "-anchor-wal", "-anchor-shm")))
  expect_null(open_test_store_fails(path, new_anchor = newest))
  expect_error(backup_store(store, path), class = "sdc_error_input")
  expect_identical(refusal(backup_store(store, file.path(path, "no", "folder"))), "database")
})

test_that("snapshot: stores, and what is said of them", {
  place <- filled_place()
  expect_snapshot(error = TRUE, {
    open_store()
    open_store(place)
    open_store(place, 1, list(), "a")
    open_store(place, "t", list(f = mean), "a")
    open_store(place, "t", list(f = NA), "a")
    open_store(place, "t", list(a = 1, a = 2), "a")
    open_store(place, "t", list(), c("a", "a"))
    open_store(place, "t", list(), "a", key = as.raw(1))
    open_store(place, "t", list(), "a", durability = "off")
    open_store(place, "t", list(), "a", busy_s = -1)
    open_store(function() 1, "t", list(), "a")
    open_store(function() 1, "t", list(), "a", anchor = "a")
    open_test_store(place, fingerprint = "another")
    open_test_store(place, policy = list(rule = "myopic", risk = 1))
    open_test_store(place, key = as.raw(1:32))
  })
  copy <- copy_place(place)
  tamper(copy, drop_triggers, "UPDATE decision SET outcome = 'recorded' WHERE seq = 4")
  expect_snapshot(error = TRUE, open_test_store(copy))
  copy <- copy_place(place)
  tamper(copy, drop_triggers, "DELETE FROM decision WHERE seq > 5")
  expect_snapshot(error = TRUE, open_test_store(copy))
})
