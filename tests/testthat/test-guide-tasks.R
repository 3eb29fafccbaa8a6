# What newcomers want in the first quarter of an hour, and the calls that do it.

first_tasks <- function() {
  utils::read.csv(system.file("book", "first-tasks.csv", package = "sdcLattice"))
}

test_that("published: each of ten tasks of newcomers takes at most three calls, which work", {
  skip_if_not_installed("RSQLite")
  tasks <- first_tasks()
  expect_gte(nrow(tasks), 10)
  withr::local_dir(withr::local_tempdir())
  for (i in seq_len(nrow(tasks))) {
    room <- new.env(parent = globalenv())
    for (code in parse(text = tasks$given[i])) eval(code, room)
    calls <- parse(text = tasks$calls[i])
    expect_lte(length(calls), 3)
    result <- NULL
    utils::capture.output(suppressMessages(
      for (code in calls) print(result <- eval(code, room))
    ))
    expect_true(inherits(result, tasks$result[i]), label = tasks$task[i])
    if (exists("server", room)) close(room$server)
  }
})
