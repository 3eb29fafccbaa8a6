# Processes that are at one store at the same time: races, and deaths.

# The same rounds for the store and for versions that must not pass: in each round every process
# asks, at the same instant, for a sub-table of the round's own; at most `cap` of a round may be
# out. A round's sub-tables have the round's number in the bits of the first variables.

# Runs in a process of its own. The versions that must not pass write the same table without the
# chain.
race_worker <- function(job, i) {
  mask <- function(round) sprintf("%06x%04x", i, round)
  of_round <- function(masks, round) sum(substr(masks, 7, 10) == sprintf("%04x", round))
  think <- function() Sys.sleep((openssl::rand_num(1) * job$think_ms) / 1000)
  make_place <- job$make_place
  environment(make_place) <- globalenv()
  ns <- asNamespace("sdcLattice")
  if (job$version == "store") {
    store <- job$open
    environment(store) <- list2env(list(make_place = make_place, store_policy = job$policy,
                                        store_variables = job$variables), parent = globalenv())
    store <- store(job$where)
    decide <- function(round) {
      request <- list(user_id = paste0("u", i), request_id = paste0("r", round), mask = mask(round))
      ns$append_decision(store, request, function(state) {
        think()
        if (of_round(state$released, round) < job$cap) {
          list(outcome = "released")
        } else {
          list(outcome = "refused", reason_public = "risk")
        }
      })$outcome
    }
  } else {
    con <- if (is.list(job$where)) {
      make_place(job$where)()
    } else {
      DBI::dbConnect(RSQLite::SQLite(), job$where, synchronous = NULL)
    }
    if (!is.list(job$where)) RSQLite::sqliteSetBusyHandler(con, 20000L)
    begin <- if (job$version == "repeatable read") "BEGIN ISOLATION LEVEL REPEATABLE READ"
    decide <- function(round) {
      if (!is.null(begin)) DBI::dbExecute(con, begin)
      out <- DBI::dbGetQuery(con, "SELECT mask FROM decision WHERE outcome = 'released'")$mask
      think()
      outcome <- if (of_round(out, round) < job$cap) "released" else "refused"
      id <- paste0("r", i, "-", round)
      DBI::dbExecute(con, sprintf(
        "INSERT INTO decision (seq, v, at, user_id, request_id, mask, form, outcome, release_no, prev, hash)
         VALUES (%d, 0, '', 'u', '%s', '%s', '', '%s', 0, '%s', '%s')",
        1000 * round + i, id, mask(round), outcome, id, id
      ))
      if (!is.null(begin)) DBI::dbExecute(con, "COMMIT")
      outcome
    }
  }
  # each round begins when all have come
  gates <- function(i, round) paste0(job$gate, i, "-", round)
  vapply(seq_len(job$rounds), function(round) {
    file.create(gates(i, round))
    while (!all(file.exists(gates(seq_len(job$n), round)))) Sys.sleep(.0005)
    decide(round)
  }, "")
}

run_race <- function(where, n, version = "store", rounds, cap = max(1, n - 2), think_ms = 3) {
  folder <- withr::local_tempdir()
  job <- list(
    where = where, n = n, version = version, rounds = rounds, cap = cap, think_ms = think_ms,
    gate = file.path(folder, "gate"), make_place = make_place, open = open_test_store,
    policy = store_policy, variables = store_variables
  )
  said <- run_processes(n, race_worker, job)
  died <- Filter(function(x) inherits(x, "error"), said)
  if (length(died) > 0) stop(died[[1]])
  list(said = do.call(cbind, said), cap = cap)
}

# How many releases each round has in the table.
out_by_round <- function(where, rounds) {
  out <- place_query(where, "SELECT mask FROM decision WHERE outcome = 'released'")$mask
  tabulate(strtoi(substr(out, 7, 10), 16), rounds)
}

expect_sound_race <- function(where, race, n, rounds) {
  force(race)
  expect_identical(out_by_round(where, rounds), rep(as.integer(race$cap), rounds))
  expect_equal(unname(rowSums(race$said == "released")), rep(race$cap, rounds))
  store <- open_test_store(where)
  on.exit(close_store(store))
  history <- store_history(store)
  expect_identical(nrow(history), as.integer(n * rounds))
  for (i in seq_len(n)) {
    own <- history[history$user_id == paste0("u", i), ]
    expect_identical(own$outcome[match(paste0("r", seq_len(rounds)), own$request_id)],
                     unname(race$said[, i]))
  }
}

# ---- deaths -------------------------------------------------------------------------------------

# Each round two processes decide a request each, and one is killed: in every second round at a
# random moment, else at the very moment when its client has the answer. Then the client asks again.
# Gives what went wrong, by count. `speaks_first`: a version that must not pass.
run_deaths <- function(where, rounds, speaks_first = FALSE) {
  folder <- withr::local_tempdir()
  serve <- function(id, user) {
    store <- open_test_store(where)
    file.create(file.path(folder, paste0("open-", id)))
    answer_file <- file.path(folder, id)
    speak <- function(answer) {
      saveRDS(answer, paste0(answer_file, "-part"))
      file.rename(paste0(answer_file, "-part"), answer_file)
    }
    request <- list(user_id = user, request_id = id, mask = mask_of(1))
    if (speaks_first) {
      speak(list(outcome = "released"))
      Sys.sleep(.005)
    }
    answer <- append_decision(store, request,
                              function(state) list(outcome = "released", reason_private = "first"))
    if (!speaks_first) speak(answer)
    close_store(store)
  }
  wrong <- c(lost = 0, changed = 0, doubled = 0, cut_off = 0)
  typical <- .02
  for (round in seq_len(rounds)) {
    ids <- paste0(c("k", "b"), round)
    jobs <- lapply(ids, function(id) parallel::mcparallel(serve(id, "u"), silent = TRUE))
    heard <- file.path(folder, ids)
    wait_for(file.path(folder, paste0("open-", ids[1])), step_s = 0)
    started <- Sys.time()
    moment <- if (round %% 2 == 1) stats::runif(1, 0, 1.5 * typical) else Inf
    while (!file.exists(heard[1]) && Sys.time() - started < moment) NULL
    tools::pskill(jobs[[1]]$pid, tools::SIGKILL)
    if (round %% 2 == 0) typical <- as.numeric(Sys.time() - started, units = "secs")
    suppressWarnings(parallel::mccollect(jobs))
    if (!file.exists(heard[1])) wrong[["cut_off"]] <- wrong[["cut_off"]] + 1
    retried <- retry_all(where, ids)
    for (i in which(file.exists(heard))) {
      told <- readRDS(heard[i])
      if (!ids[i] %in% retried$before$request_id) wrong[["lost"]] <- wrong[["lost"]] + 1
      same <- identical(said(retried$answers[[i]])[names(said(told))], said(told))
      if (!same) wrong[["changed"]] <- wrong[["changed"]] + 1
    }
  }
  rows <- place_query(where, "SELECT user_id, request_id FROM decision")
  wrong[["doubled"]] <- 2 * rounds - nrow(rows)
  wrong
}

# Another process would decide otherwise.
retry_all <- function(where, ids) {
  store <- open_test_store(where)
  on.exit(close_store(store))
  before <- store_history(store)
  list(before = before,
       answers = lapply(ids, function(id) ask(store, 1, id = id, outcome = "refused")))
}

skip_if_no_fork <- function() {
  skip_on_os("windows")
  skip_if_not_installed("parallel")
}
