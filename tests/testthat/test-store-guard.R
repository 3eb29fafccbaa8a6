skip_if_no_store()

reason_of <- function(expr) expect_error(expr, class = "sdc_error_server")$reason

# What is done to the files of an open store at `place`; each must end its answers.
removals <- list(
  `store and anchor removed` = function(place) unlink(paste0(place, c("", "-wal", "-shm", "-anchor", "-anchor-wal"))),
  `store removed` = function(place) unlink(place),
  `store moved` = function(place) file.rename(place, paste0(place, "-old")),
  `store replaced by its copy` = function(place) {
    file.copy(place, paste0(place, "-copy"))
    file.rename(paste0(place, "-copy"), place)
  },
  `log removed` = function(place) unlink(paste0(place, "-wal")),
  `anchor removed` = function(place) unlink(paste0(place, "-anchor")),
  `anchor moved` = function(place) file.rename(paste0(place, "-anchor"), paste0(place, "-old")),
  `folder moved` = function(place) file.rename(dirname(place), paste0(dirname(place), "-old"))
)

local_folder_place <- function(frame = parent.frame()) {
  outer <- withr::local_tempdir(.local_envir = frame)
  dir.create(file.path(outer, "in"))
  file.path(outer, "in", "store.sqlite")
}

test_that("property: files of an open store that are moved or removed end its answers, for good", {
  skip_on_os("windows")
  for (kind in names(removals)) {
    place <- local_folder_place()
    store <- open_test_store(place)
    first <- ask(store, 1, id = "a")
    expect_identical(said(ask(store, 1, id = "a")), said(first))
    removals[[kind]](place)
    expect_identical(reason_of(ask(store, 2)), "moved", info = kind)
    expect_identical(reason_of(ask(store, 1, id = "a")), "moved", info = kind)
    expect_identical(reason_of(check_token(store, paste0("sdc_", strrep("0", 16), "_",
                                                         strrep("0", 64)))), "moved", info = kind)
    expect_identical(reason_of(store_history(store)), "moved", info = kind)
    close_store(store)
  }
})

test_that("property: a file that came back does not bring the answers back", {
  skip_on_os("windows")
  place <- local_place()
  store <- open_test_store(place)
  ask(store, 1)
  file.rename(place, paste0(place, "-away"))
  expect_identical(reason_of(ask(store, 2)), "moved")
  file.rename(paste0(place, "-away"), place)
  expect_identical(reason_of(ask(store, 2)), "moved")
  close_store(store)
  again <- open_test_store(place)
  expect_identical(ask(again, 2)$seq, 2)
  close_store(again)
})

test_that("property: nothing is told of a decision whose file is taken away while it is made", {
  skip_on_os("windows")
  for (kind in names(removals)) {
    # while the judge thinks
    place <- local_folder_place()
    store <- open_test_store(place)
    ask(store, 1)
    judge <- function(state) {
      removals[[kind]](place)
      list(outcome = "released")
    }
    request <- list(user_id = "u", request_id = "b", mask = mask_of(2))
    expect_identical(reason_of(append_decision(store, request, judge)), "moved", info = kind)
    close_store(store)
  }
  # between the commit and the answer
  for (kind in names(removals)) {
    place <- local_folder_place()
    store <- open_test_store(place)
    ask(store, 1)
    moves <- move_anchor
    local({
      local_mocked_bindings_store(move_anchor = function(...) {
        moves(...)
        removals[[kind]](place)
      })
      expect_identical(reason_of(ask(store, 2)), "moved", info = kind)
    })
    close_store(store)
  }
})

test_that("property: two processes at one place never each release what is unsafe together", {
  skip_on_os("windows")
  # the frontiers of the two would be safe each, and not together
  place <- local_place()
  policy <- server_policy(risk_width(6), rule = "myopic", time_limit_s = 5)
  first <- local_server(policy = policy, store = place)
  request_table(first, c("A", "B"))
  unlink(paste0(place, c("", "-wal", "-shm", "-anchor", "-anchor-wal", "-anchor-shm")))
  second <- local_server(policy = policy, store = place)
  expect_identical(request_table(second, c("C", "D"))$seq, 1)
  for (set in utils::combn(LETTERS[1:6], 2, simplify = FALSE)) {
    expect_identical(reason_of(request_table(first, set)), "moved")
  }
  expect_identical(as.data.frame(second)$seq, 1)
})

test_that("property: other stores and other files do not matter; both ways of keeping a file are watched", {
  skip_on_os("windows")
  for (durability in c("wal", "delete")) {
    place <- local_place()
    store <- open_test_store(place, durability = durability)
    twin <- open_test_store(place, durability = durability)
    other <- open_test_store(local_place())
    ask(store, 1)
    ask(twin, 2)
    unlink(other$place)
    close_store(twin)
    expect_identical(ask(store, 3)$seq, 3)
    backup_store(store, paste0(place, "-backup"))
    expect_identical(ask(store, 4)$seq, 4)
    unlink(place)
    expect_identical(reason_of(ask(store, 5)), "moved")
    close_store(store)
    close_store(other)
  }
  trial <- trial_store()
  expect_identical(ask(trial, 1)$seq, 1)
})

test_that("property: what is exchanged while a store is opened is refused", {
  skip_on_os("windows")
  place <- local_place()
  close_store(open_test_store(place))
  begins <- start_anchor
  local_mocked_bindings_store(start_anchor = function(store, ...) {
    begins(store, ...)
    removals$`store replaced by its copy`(place)
  })
  expect_identical(reason_of(open_test_store(place)), "moved")
})

test_that("property: a server whose store was moved answers 503, and its health says so", {
  skip_on_os("windows")
  place <- local_place()
  service <- local_service(server_of(store = place))
  expect_identical(post_wish(service, c("A", "B"), key = "a")$status, 201)
  unlink(paste0(place, "-anchor"))
  expect_problem(post_wish(service, c("A", "C")), 503, "stopped")
  expect_problem(post_wish(service, c("A", "B"), key = "a"), 503, "stopped")
  for (path in c("/v1/tables", "/v1/me", "/v1/card?variables=A", "/v1/tables/03/data",
                 "/v1/health")) {
    expect_problem(api_get(service, path), 503, "stopped")
  }
})

# ---- PostgreSQL ---------------------------------------------------------------------------------

# As an operator may connect: with settings of the session, sent as statements.
own_place <- function(where) {
  function() {
    con <- DBI::dbConnect(RPostgres::Postgres(), dbname = "postgres", host = where$socket,
                          user = where$user,
                          bigint = "numeric")
    DBI::dbExecute(con, paste("SET search_path =", where$schema))
    DBI::dbExecute(con, "SET application_name = 'table server'")
    con
  }
}

open_own <- function(where) {
  open_store(own_place(where), "a table", store_policy, store_variables, anchor = where$anchor)
}

kill_connections <- function(where) {
  place_query(where, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                      WHERE application_name = 'table server'")
  Sys.sleep(.1)
}

# The first statement finds the connection gone.
lose_connection <- function(store, where) {
  kill_connections(where)
  expect_identical(reason_of(catch_up(store)), "database")
}

test_that("property: after a lost connection all settings are made anew, and the ledger is verified", {
  socket <- local_cluster()
  withr::local_options(warn = 1)
  where <- postgres_place(socket, "kept")
  for (setting in c("synchronous_commit = off", "lock_timeout = 0",
                    "default_transaction_isolation = 'serializable'")) {
    place_execute(where, paste("ALTER SYSTEM SET", setting))
  }
  place_query(where, "SELECT pg_reload_conf()")
  quietly <- function(expr) withCallingHandlers(expr, sdc_warning_server = function(w) invokeRestart("muffleWarning"))
  store <- quietly(open_own(where))
  on.exit(close_store(store))
  show <- function(name) DBI::dbGetQuery(store$con, paste("SHOW", name))[[1]]
  settings <- c("synchronous_commit", "lock_timeout", "default_transaction_isolation",
                "search_path", "client_encoding")
  before <- vapply(settings, show, "")
  expect_identical(before[["synchronous_commit"]], "on")
  expect_identical(before[["search_path"]], "kept")
  ask(store, 1, id = "a")
  lose_connection(store, where)
  expect_identical(quietly(ask(store, 2, id = "b"))$seq, 2)
  expect_identical(vapply(settings, show, ""), before)
  expect_identical(show("application_name"), "table server")
  expect_identical(ask(store, 1, id = "a")$seq, 1)

  # lost in the middle of a request: nothing is told, and asked again it is decided once
  request <- list(user_id = "u", request_id = "c", mask = mask_of(3))
  judge <- function(state) {
    if (state$seq == 2) kill_connections(where)
    list(outcome = "released")
  }
  expect_identical(reason_of(append_decision(store, request, judge)), "database")
  expect_identical(quietly(append_decision(store, request,
                                           function(state) list(outcome = "released")))$seq, 3)

  # lost inside of a transaction
  expect_identical(reason_of(with_store(store, with_lock(store, {
    kill_connections(where)
    try(fetch_text(store$con, "SELECT 1"), silent = TRUE)
    read_note(store, "x")
  }))), "database")
  expect_identical(quietly(catch_up(store)), 0)

  # the ledger was changed, shortened or exchanged meanwhile: never answered from
  tamper <- function(sql) {
    place_execute(where, "ALTER TABLE decision DISABLE TRIGGER decision_no_change")
    place_execute(where, sql)
  }
  lose_connection(store, where)
  place_execute(where, "CREATE TABLE kept_rows AS SELECT * FROM decision")
  tamper("UPDATE decision SET outcome = 'recorded' WHERE seq = 1")
  expect_identical(reason_of(quietly(ask(store, 4))), "altered")
  expect_identical(reason_of(quietly(ask(store, 4))), "altered")
  tamper("DELETE FROM decision WHERE seq IN (1, 3)")
  expect_identical(reason_of(quietly(ask(store, 4))), "altered")
  place_execute(where, "DELETE FROM decision")
  expect_identical(reason_of(quietly(ask(store, 4))), "altered")
  place_execute(where, "INSERT INTO decision SELECT * FROM kept_rows")
  expect_identical(quietly(ask(store, 4))$seq, 4)

  # an empty schema, and that of another store
  other <- postgres_place(socket, "other")
  for (step in 1:2) {
    lose_connection(store, where)
    place_execute(where, "ALTER SCHEMA kept RENAME TO away")
    place_execute(other, "ALTER SCHEMA other RENAME TO kept")
    expect_identical(reason_of(quietly(ask(store, 5))), "other")
    other$schema <- "kept"
    expect_identical(DBI::dbGetQuery(store$con, "SELECT 1 AS one")$one, 1L)
    place_execute(other, "ALTER SCHEMA kept RENAME TO other")
    place_execute(other, "ALTER SCHEMA away RENAME TO kept")
    other$schema <- "other"
    if (step == 1) close_store(open_test_store(other))
    expect_identical(quietly(ask(store, 5, id = "e"))$seq, 5)
  }
  unlink(where$anchor)
  expect_identical(reason_of(ask(store, 6)), "moved")
})

test_that("property: a server goes on after its connection was lost", {
  socket <- local_cluster()
  where <- postgres_place(socket, "serve")
  service <- suppressWarnings(local_service(server_of(store = own_place(where),
                                                      anchor = where$anchor)))
  expect_identical(post_wish(service, c("A", "B"), key = "a")$status, 201)
  # who looks up does not notice; who asks for a decision asks again
  for (path in c("/v1/frontier", "/v1/health")) {
    kill_connections(where)
    expect_identical(suppressWarnings(api_get(service, path))$status, 200)
  }
  kill_connections(where)
  expect_problem(suppressWarnings(post_wish(service, c("A", "B"), key = "a")), 503, "unavailable")
  expect_identical(suppressWarnings(post_wish(service, c("A", "B"), key = "a"))$status, 200)
  expect_identical(DBI::dbGetQuery(service$server$store$con, "SHOW synchronous_commit")[[1]], "on")
  expect_identical(post_wish(service, c("A", "C"))$status, 201)
})
