# Several machines at one store in PostgreSQL, and the drill of its backup, by the command.

skip_if_no_store()
skip_if_not_installed("yaml")

# A machine: a configuration with an anchor of its own.
local_machine <- function(socket, database, table, frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  config <- file.path(folder, "server.yml")
  writeLines(c(
    paste0("table: ", table), "policy:", "  risk: {kind: width, beta: 3}", "store:",
    paste0("  postgres: {host: ", socket, ", dbname: ", database, ", user: postgres}"),
    paste0("anchor: ", folder, "/anchor.sqlite")
  ), config)
  config
}

on_machine <- function(config, ...) {
  status <- NULL
  out <- utils::capture.output(suppressMessages(suppressWarnings(
    status <- server_command(c(..., "--config", config))
  )))
  list(status = status, out = out)
}

newest_of <- function(found) sub("newest: ", "", utils::tail(found$out, 1))

test_that("property: a second machine needs what the first one shows; a dump is restored with it", {
  socket <- local_cluster()
  dump <- Sys.which(c("pg_dump", "pg_restore", "createdb"))
  skip_if_not(all(nzchar(dump)), "no pg_dump")
  table <- withr::local_tempfile(fileext = ".rds")
  saveRDS(czech_workers, table)
  first <- local_machine(socket, "postgres", table)
  second <- local_machine(socket, "postgres", table)
  # before the first decision, number 0 and the first link do
  expect_identical(on_machine(first, "verify")$status, 0L)
  begun <- newest_of(on_machine(first, "verify"))
  expect_match(begun, "^0:")
  other_link <- paste0("0:", strrep("0", 64))
  expect_identical(on_machine(second, "verify", "--new-anchor", other_link)$status, 3L)
  early <- local_machine(socket, "postgres", table)
  expect_identical(on_machine(early, "verify", "--new-anchor", begun)$status, 0L)
  expect_identical(on_machine(first, "release", "A,B", "--note", "x")$status, 0L)
  noted <- newest_of(on_machine(first, "verify"))
  expect_identical(on_machine(second, "verify")$status, 3L)
  expect_identical(on_machine(second, "verify", "--new-anchor", noted)$status, 0L)
  # each goes on from what the other has decided
  expect_identical(on_machine(second, "release", "B,C", "--note", "y")$status, 0L)
  later <- newest_of(on_machine(first, "verify"))
  expect_match(later, "^2:")

  file <- withr::local_tempfile()
  reach <- c("-h", socket, "-U", "postgres")
  expect_identical(system2(dump[[1]], c(reach, "-Fc", "-f", file, "postgres")), 0L)
  on_machine(first, "release", "C,D", "--note", "z")
  newer <- newest_of(on_machine(first, "verify"))
  system2(dump[[3]], c(reach, "restored"))
  expect_identical(system2(dump[[2]], c(reach, "-d", "restored", file)), 0L)
  restored <- local_machine(socket, "restored", table)
  found <- on_machine(restored, "verify", "--new-anchor", later)
  expect_identical(found$status, 0L)
  expect_identical(newest_of(found), later)
  # the dump lacks what is known to have been decided since
  other <- local_machine(socket, "restored", table)
  expect_identical(on_machine(other, "verify", "--new-anchor", newer)$status, 3L)
})
