skip_if_no_store()

test_that("property: the store works on PostgreSQL as it does on SQLite", {
  socket <- local_cluster()

  # made by four processes at once
  where <- postgres_place(socket, "basic")
  worker <- function(job, i) {
    make_place <- job$make_place
    environment(make_place) <- globalenv()
    while (Sys.time() < job$start) Sys.sleep(.001)
    anchor <- paste0(job$where$anchor, i)
    store <- suppressWarnings(sdcLattice:::open_store(
      make_place(job$where), "a table", job$policy, job$variables, anchor = anchor,
      new_anchor = TRUE
    ))
    store$genesis
  }
  made <- run_processes(4, worker, list(
    where = where, make_place = make_place, policy = store_policy, variables = store_variables,
    start = Sys.time() + 3
  ))
  expect_identical(length(unique(made)), 1L)
  expect_type(made[[1]], "character")

  where$anchor <- paste0(where$anchor, 1)
  expect_warning(
    close_store(open_store(make_place(where), "a table", store_policy, store_variables,
                           anchor = where$anchor)),
    class = "sdc_warning_server"
  )
  store <- open_test_store(where)
  show <- function(name) DBI::dbGetQuery(store$con, paste("SHOW", name))[[1]]
  expect_identical(show("synchronous_commit"), "on")
  expect_identical(show("transaction_isolation"), "read committed")
  expect_identical(show("idle_in_transaction_session_timeout"), "20s")
  expect_output(print(store), "PostgreSQL")
  first <- ask(store, 1:3, user = "o'brien \u00e4", id = "a",
               certificate = list(kind = "k", body = "b"))
  expect_identical(said(ask(store, 1:3, user = "o'brien \u00e4", id = "a", outcome = "refused")),
                   said(first))
  ask(store, 5, outcome = "refused", reason_private = "refuted")
  expect_identical(read_certificate(store, first$certificate_hash), list(kind = "k", body = "b"))
  expect_identical(store_history(store)$sub_table, c("v1:v2:v3", "v5"))
  add_user(store, "ann", "operator")
  token <- issue_token(store, "ann")
  expect_identical(check_token(store, token)$role, "operator")
  revoke_token(store, strsplit(token, "_")[[1]][2])
  expect_null(check_token(store, token))
  expect_true(add_vote(store, "ann", mask_of(1)))
  expect_false(add_vote(store, "ann", mask_of(1)))
  expect_identical(count_votes(store)$votes, 1)
  expect_error(backup_store(store, tempfile()), class = "sdc_error_input")
  for (sql in c("UPDATE decision SET outcome = 'refused'", "DELETE FROM decision",
                "TRUNCATE decision")) {
    expect_error(DBI::dbExecute(store$con, sql), "never changed")
  }
  state <- store_state(store)
  close_store(store)
  again <- open_test_store(where)
  expect_identical(store_state(again), state)
  reason <- function(...) expect_error(open_test_store(where, ...),
                                       class = "sdc_error_server")$reason
  expect_identical(reason(fingerprint = "another"), "other")
  expect_identical(reason(policy = list()), "other")
  place_execute(where, "ALTER TABLE decision DISABLE TRIGGER decision_no_change")
  place_execute(where, "DELETE FROM decision WHERE seq = 2")
  expect_identical(reason(), "shortened")
  expect_identical(expect_error(ask(again, 9), class = "sdc_error_server")$reason, "altered")
  place_execute(where, "UPDATE decision SET outcome = 'recorded'")
  expect_identical(reason(), "altered")
  close_store(again)

  # races: the store, and what must be caught
  for (n in c(2, 4)) {
    where <- postgres_place(socket, paste0("race", n))
    close_store(open_test_store(where))
    total <- rounds(6, 300)
    expect_sound_race(where, run_race(where, n, rounds = total), n, total)
  }
  for (version in c("read, then write", "repeatable read")) {
    where <- postgres_place(socket, gsub("[^a-z]", "", version))
    close_store(open_test_store(where))
    total <- rounds(10, 300)
    run_race(where, 2, version, total)
    expect_gt(sum(out_by_round(where, total) > 1), total / 10)
  }

  skip_if_no_fork()
  where <- postgres_place(socket, "deaths")
  close_store(open_test_store(where))
  wrong <- run_deaths(where, rounds(4, 200))
  expect_identical(wrong[c("lost", "changed", "doubled")], c(lost = 0, changed = 0, doubled = 0))
  where <- postgres_place(socket, "speaks")
  close_store(open_test_store(where))
  wrong <- run_deaths(where, rounds(4, 60), speaks_first = TRUE)
  expect_gt(wrong[["lost"]] + wrong[["changed"]], 0)
})
