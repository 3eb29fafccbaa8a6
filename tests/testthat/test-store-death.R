skip_if_no_store()

test_that("property: what a client heard is in the ledger, whenever a process dies", {
  skip_if_no_fork()
  where <- local_place()
  close_store(open_test_store(where))
  wrong <- run_deaths(where, rounds(8, 200))
  expect_identical(wrong[c("lost", "changed", "doubled")], c(lost = 0, changed = 0, doubled = 0))
})

test_that("property: the rounds catch a version that speaks before the commit", {
  skip_if_no_fork()
  where <- local_place()
  close_store(open_test_store(where))
  wrong <- run_deaths(where, rounds(6, 60), speaks_first = TRUE)
  expect_gt(wrong[["lost"]] + wrong[["changed"]], 0)
})

# A script that opens the store, then decides and prints until it cannot; `prefix`: the shell's
# words before it.
run_script <- function(lines, prefix, folder) {
  script <- file.path(folder, "script.R")
  writeLines(c(paste0(".libPaths(", deparse1(.libPaths()), ")"), lines), script)
  command <- paste(prefix, shQuote(file.path(R.home("bin"), "Rscript")), "--vanilla",
                   shQuote(script))
  suppressWarnings(system2("sh", c("-c", shQuote(command)), stdout = TRUE, stderr = FALSE))
}

open_line <- function(place, ...) {
  paste0("store <- sdcLattice:::open_store(", deparse(place), ", 'a table', ",
         deparse1(store_policy), ", ",
         deparse1(store_variables), ...,  ")")
}

ask_lines <- function(id) {
  c(paste0("request <- list(user_id = 'u', request_id = ", id, ", mask = '0000000001')"),
    "answer <- sdcLattice:::append_decision(store, request, function(state) list(outcome = 'released'))")
}

test_that("property: on a full disk the judge does not speak", {
  skip_on_os("windows")
  for (where in c("store", "anchor")) {
    folder <- withr::local_tempdir()
    place <- file.path(folder, "store.sqlite")
    close_store(open_test_store(place))
    limit <- if (where == "store") 400 else 280
    # the anchor's log grows more slowly than the store's, so it is given less
    lines <- c(
      open_line(place),
      if (where == "anchor") "DBI::dbExecute(store$con, 'PRAGMA wal_autocheckpoint = 5')",
      "for (i in 1:1000) {",
      ask_lines("paste0('r', i)"),
      "cat(i, answer$hash, '\\n')", "}"
    )
    said <- run_script(c("told <- tryCatch({", lines,
                         "}, error = function(e) cat(class(e)[1], e$reason, '\\n'))"),
                       paste0("trap '' XFSZ; ulimit -f ", limit, ";"), folder)
    last <- strsplit(said[length(said)], " ")[[1]]
    expect_identical(last[1], "sdc_error_server")
    expect_true(last[2] %in% c("database", "anchor"))
    if (where == "anchor") expect_identical(last[2], "anchor")
    told <- said[-length(said)]
    expect_gt(length(told), 3)
    store <- open_test_store(place)
    history <- store_history(store)
    expect_identical(paste0(seq_along(told), " ", history$hash[seq_along(told)], " "), told)
    # at most one more was decided and not told; who asks again is told
    expect_true(nrow(history) - length(told) <= 1)
    again <- ask(store, 1, id = paste0("r", length(told) + 1), outcome = "released")
    expect_identical(again$seq, length(told) + 1)
    close_store(store)
  }
})

# Nothing is written to the file after it was synced last; without a log the folder is synced after
# the journal's removal.
expect_synced <- function(calls, file, durability, folder) {
  log <- if (durability == "wal") paste0(file, "-wal") else file
  writes <- grep(paste0("write.*/", log, ">"), calls)
  syncs <- grep(paste0("sync.*/", log, ">"), calls)
  expect_gt(length(writes), 0)
  expect_gt(max(syncs, 0), max(writes))
  if (durability == "delete") {
    gone <- grep(paste0("unlink.*/", file, "-journal"), calls)
    expect_gt(max(grep(paste0("sync.*", basename(folder), ">"), calls), 0), max(gone))
  }
}

test_that("property: the disk has decision and anchor before the answer leaves", {
  strace <- Sys.which("strace")
  if (!nzchar(strace) ||
      system2(strace, c("-o", "/dev/null", "true"), stdout = FALSE, stderr = FALSE) != 0) {
    skip("no strace that may trace")
  }
  for (durability in c("wal", "delete")) {
    folder <- withr::local_tempdir()
    place <- file.path(folder, "store.sqlite")
    close_store(open_test_store(place, durability = durability))
    trace <- file.path(folder, "trace")
    run_script(
      c(open_line(place, ", durability = '", durability, "'"), "cat('OPEN\n')", ask_lines("'a'"),
        "cat('ANSWER\n')"),
      paste("strace -f -y -e trace=write,pwrite64,fsync,fdatasync,unlink -o", shQuote(trace)),
      folder
    )
    calls <- readLines(trace)
    calls <- calls[seq(grep("write\\(1.*OPEN", calls)[1], grep("write\\(1.*ANSWER", calls)[1])]
    expect_synced(calls, basename(place), durability, folder)
    expect_synced(calls, paste0(basename(place), "-anchor"), durability, folder)
    # the anchor never leads
    log <- if (durability == "wal") "-wal>" else ">"
    expect_lt(max(grep(paste0("sync.*store.sqlite", log), calls)),
              min(grep(paste0("write.*-anchor", log), calls)))
  }
})
