skip_if_no_store()

test_that("property: two and four processes never release too much", {
  for (n in c(2, 4)) {
    where <- local_place()
    close_store(open_test_store(where))
    total <- rounds(20, 300)
    expect_sound_race(where, run_race(where, n, rounds = total), n, total)
  }
})

test_that("property: the rounds catch a version that reads, judges and writes", {
  where <- local_place()
  close_store(open_test_store(where))
  total <- rounds(20, 300)
  run_race(where, 2, "read, then write", total)
  expect_gt(sum(out_by_round(where, total) > 1), total / 10)
})

test_that("property: one request at several processes is one decision", {
  where <- local_place()
  worker <- function(job, i) {
    make_place <- job$make_place
    store <- sdcLattice:::open_store(job$where, "a table", job$policy, job$variables)
    while (Sys.time() < job$start) Sys.sleep(.001)
    lapply(seq_len(job$rounds), function(round) {
      sdcLattice:::append_decision(
        store, list(user_id = "u", request_id = paste0("r", round), mask = sprintf("%010x", round)),
        function(state) list(outcome = "released", reason_private = paste("by process", i))
      )
    })
  }
  total <- rounds(20, 150)
  # the store is new to all of them: they make it at once
  heard <- run_processes(4, worker, list(
    where = where, policy = store_policy, variables = store_variables, rounds = total,
    start = Sys.time() + 3
  ))
  answers <- lapply(heard, function(own) lapply(own, said))
  for (i in 2:4) expect_identical(answers[[i]], answers[[1]])
  replayed <- vapply(heard, function(own) vapply(own, `[[`, NA, "replayed"), logical(total))
  expect_identical(rowSums(!replayed), rep(1, total))
  expect_identical(nrow(place_query(where, "SELECT seq FROM decision")), as.integer(total))
})

test_that("property: a store that another process makes between two looks is no database of others",
          {
  store <- open_test_store(local_place())
  expect_silent(sdcLattice:::check_empty(store))
  DBI::dbExecute(store$con, "ALTER TABLE meta RENAME TO other")
  expect_error(sdcLattice:::check_empty(store), class = "sdc_error_server")
  close_store(store)
})

test_that("property: a frozen process holds nobody up, and judges again when it thaws", {
  skip_on_os("windows")
  where <- local_place()
  close_store(open_test_store(where))
  folder <- withr::local_tempdir()
  worker <- function(job, i) {
    store <- sdcLattice:::open_store(job$where, "a table", job$policy, job$variables)
    sdcLattice:::append_decision(store, list(user_id = "frozen", mask = "0000000001"),
                                 function(state) {
      if (length(state$released) > 0) return(list(outcome = "refused", reason_public = "risk"))
      file.create(file.path(job$folder, "judging"))
      tools::pskill(Sys.getpid(), tools::SIGSTOP)
      list(outcome = "released")
    })
  }
  # started by hand: the test goes on while it is frozen
  job <- list(where = where, policy = store_policy, variables = store_variables, folder = folder)
  script <- file.path(folder, "job.R")
  environment(worker) <- globalenv()
  saveRDS(list(worker = worker, job = job, paths = .libPaths()), file.path(folder, "job.rds"))
  writeLines(c(
    "job <- readRDS(commandArgs(TRUE)[1]); .libPaths(job$paths); suppressMessages(loadNamespace('sdcLattice'))",
    "writeLines(as.character(Sys.getpid()), file.path(job$job$folder, 'pid'))",
    "saveRDS(job$worker(job$job, 1), file.path(job$job$folder, 'part'))",
    "file.rename(file.path(job$job$folder, 'part'), file.path(job$job$folder, 'value'))"
  ), script)
  system2(file.path(R.home("bin"), "Rscript"),
          shQuote(c("--vanilla", script, file.path(folder, "job.rds"))),
          wait = FALSE, stdout = FALSE, stderr = FALSE)
  wait_for(file.path(folder, "judging"))
  pid <- as.integer(readLines(file.path(folder, "pid")))
  withr::defer(tools::pskill(pid, tools::SIGKILL))
  Sys.sleep(.05)
  store <- open_test_store(where)
  took <- system.time(ask(store, 1:2))[["elapsed"]]
  expect_lt(took, 2)
  tools::pskill(pid, tools::SIGCONT)
  wait_for(file.path(folder, "value"))
  expect_identical(readRDS(file.path(folder, "value"))$outcome, "refused")
  close_store(store)
})
