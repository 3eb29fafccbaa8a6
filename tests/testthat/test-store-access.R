skip_if_no_store()

access_place <- function(frame = parent.frame()) {
  place <- local_place(frame)
  store <- open_test_store(place)
  on.exit(close_store(store))
  add_user(store, "ann")
  add_user(store, "olga", "operator")
  token <- issue_token(store, "ann")
  revoke_token(store, strsplit(issue_token(store, "ann", days = NULL), "_")[[1]][2])
  disable_user(store, "olga")
  place
}

why_not_open <- function(place, ...) {
  tryCatch({
    close_store(open_test_store(place, ...))
    NULL
  }, sdc_error_server = function(cnd) cnd$reason)
}

change_file <- function(place, ...) {
  for (sql in c(...)) place_execute(place, sql)
}

free_events <- c("DROP TRIGGER access_event_no_update", "DROP TRIGGER access_event_no_delete")

test_that("property: each change of users and tokens is an event, in a chain that is verified", {
  place <- access_place()
  store <- open_test_store(place)
  events <- load_access(store)
  expect_identical(events$kind, c("begun", "user_added", "user_added", "token_issued",
                                  "token_issued", "token_revoked", "user_disabled"))
  expect_identical(store$access_seq, 7)
  close_store(store)
  expect_null(why_not_open(place))
  expect_error(change_file(place, "DELETE FROM access_event"), "never changed")
})

test_that("property: whoever changes users, tokens or events by other means is found", {
  ways <- list(
    "UPDATE users SET role = 'operator' WHERE user_id = 'ann'",
    "UPDATE users SET disabled_at = NULL WHERE user_id = 'olga'",
    "INSERT INTO users VALUES ('eve', 'operator', '2026-01-01T00:00:00Z', NULL)",
    "UPDATE tokens SET revoked_at = NULL",
    "UPDATE tokens SET expires_at = '2099-01-01T00:00:00Z'",
    "UPDATE tokens SET user_id = 'olga'",
    "UPDATE tokens SET hash = lower(hex(randomblob(32)))",
    "DELETE FROM tokens WHERE revoked_at IS NOT NULL",
    c(free_events, "UPDATE access_event SET detail = '{}' WHERE seq = 3"),
    c(free_events, "DELETE FROM access_event WHERE seq = 3"),
    c(free_events, "DELETE FROM access_event"),
    c(free_events, "UPDATE access_event SET by_user = 'x' WHERE seq = 7")
  )
  for (way in ways) {
    place <- access_place()
    change_file(place, way)
    expect_identical(why_not_open(place), "altered", info = way[length(way)])
  }
  # events cut off together with what they did
  place <- access_place()
  change_file(place, free_events, "DELETE FROM access_event WHERE seq = 7",
              "UPDATE users SET disabled_at = NULL")
  expect_identical(why_not_open(place), "shortened")
})

test_that("property: a store of the first version gets its ledger of access when it is opened", {
  place <- access_place()
  store <- open_test_store(place)
  ask(store, 1)
  close_store(store)
  change_file(place, free_events, "DROP TABLE access_event", "DROP TABLE queue",
              "DROP TABLE judge", "UPDATE meta SET value = '1' WHERE key = 'schema_version'")
  change_file(paste0(place, "-anchor"), "DROP TABLE access_anchor")
  before <- place_query(place, "SELECT * FROM decision")
  store <- open_test_store(place)
  events <- load_access(store)
  expect_identical(sort(events$kind), c("begun", "token_issued", "token_issued", "token_revoked",
                                        "user_added", "user_added", "user_disabled"))
  expect_identical(place_query(place, "SELECT * FROM decision"), before)
  expect_true(enqueue(store, list(user_id = "u", request_id = "q", mask = mask_of(1),
                                  form = "table")))
  close_store(store)
  expect_null(why_not_open(place))
  expect_equal(place_query(paste0(place, "-anchor"), "SELECT seq FROM access_anchor")$seq, 7)
})

test_that("property: another process sees a revoked token and a new user at its next look", {
  place <- local_place()
  one <- open_test_store(place)
  two <- open_test_store(place)
  withr::defer(for (store in list(one, two)) close_store(store))
  add_user(one, "ann")
  token <- issue_token(one, "ann")
  expect_identical(check_token(two, token)$user_id, "ann")
  two$look_s <- 1e6
  two$looked <- cpp_steady_s()
  revoke_token(one, strsplit(token, "_")[[1]][2])
  # from memory, until the next look
  expect_identical(check_token(two, token)$user_id, "ann")
  look_at_store(two, age_s = 0)
  expect_null(check_token(two, token))
  # decisions come by the same look
  ask(one, 1)
  look_at_store(two, age_s = 0)
  expect_identical(two$seq, 1)
})

test_that("property: a noted head is in the store that is opened, or it is refused", {
  place <- file.path(withr::local_tempdir(), "releases.sqlite")
  server <- server_of(store = place)
  request_table(server, c("A", "B"))
  add_server_user(server, "ann")
  early <- server_head(server)
  backup <- paste0(place, "-backup")
  at_backup <- backup_server(server, backup)
  revoke_server_token(server, strsplit(issue_server_token(server, "ann"), "_")[[1]][2])
  middle <- server_head(server)
  request_table(server, c("B", "C"))
  late <- server_head(server)
  expect_identical(late$decisions$seq, 2)
  expect_identical(late$access, middle$access)
  events <- server_access(server)
  expect_identical(tail(events$kind, 2), c("token_issued", "token_revoked"))
  expect_identical(tail(events$hash, 1), late$access$hash)
  close(server)
  open <- function(place, noted, ...) {
    tryCatch(close(server_of(store = place, noted = noted, ...)),
             sdc_error_server = function(cnd) cnd$reason)
  }
  for (noted in list(early, middle, late)) expect_null(open(place, noted))
  for (noted in list(middle, late)) {
    expect_identical(open(backup, noted, new_anchor = at_backup), "shortened")
    unlink(paste0(backup, "-anchor"))
  }
  expect_null(open(backup, early, new_anchor = at_backup))
  wrong <- early
  wrong$access$hash <- strrep("0", 64)
  expect_identical(open(place, wrong), "altered")
  wrong <- early
  wrong$decisions$hash <- strrep("0", 64)
  expect_identical(open(place, wrong), "altered")
  expect_error(server_of(store = place, noted = "x"), "server_head", class = "sdc_error_input")
})
