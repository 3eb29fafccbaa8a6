# A record of what is out: publications are judged together.

test_that("property: a sub-table suppressed by a call of its own is safe with the whole, or refused", {
  skip_if_not_installed("RSQLite")
  exposed <- refused <- again <- 0
  for (seed in if (is_long()) 1:60 else 1:12) {
    x <- three_way(seed)
    record <- publication_record()
    whole <- suppress(x, 3)
    first <- publish(whole, record = record)
    part <- suppress(margin(x, c("A", "B")), 3)
    alone <- known_primary(whole, first, publish(part))
    second <- entered(part, record)
    exposed <- exposed + (alone > 0)
    refused <- refused + is.null(second)
    if (alone > 0) expect_null(second)
    if (!is.null(second)) expect_identical(known_primary(whole, first, second), 0L)
    # chosen beside what is out
    beside <- suppressWarnings(suppress(margin(x, c("A", "B")), 3, record = record))
    third <- entered(beside, record)
    again <- again + !is.null(third)
    if (!is.null(third)) expect_identical(known_primary(whole, first, third), 0L)
  }
  expect_gt(exposed, 2)
  expect_gt(refused, exposed - 1)
  expect_gt(again, 10)
})

test_that("oracle: what two patterns of one table tell together is what listed tables say", {
  skip_if_not_installed("RSQLite")
  set.seed(8)
  bad <- good <- 0
  for (k in 1:25) {
    x <- as_sdc_table(matrix(sample(c(1, 1, 2, 3, 4), 6, TRUE), 2,
                             dimnames = list(r = c("r1", "r2"), c = c("c1", "c2", "c3"))))
    hide <- function() array(stats::runif(6) < .85 | as.array(x) == 1, c(2, 3))
    pubs <- lapply(1:2, function(i) suppress(x, 1, pattern = hide(), audit = FALSE))
    shown <- lapply(pubs, publish, insist = TRUE)
    # the grand total is out in both
    tables <- agreeing(x, shown[[1]], shown[[2]])
    values <- vapply(tables, as.vector, numeric(6))
    constant <- apply(matrix(values, 6), 1, function(v) all(v == v[1]))
    expect_true(length(tables) > 0)
    entries <- Map(suppression_entry, pubs, shown)
    outsider <- lapply(entries, function(entry) replace(entry, "people", list(NULL)))
    found <- known_together(outsider)
    small <- which(as.vector(as.array(x)) == 1)
    cells <- expand.grid(r = c("r1", "r2"), c = c("c1", "c2", "c3"), stringsAsFactors = FALSE)
    inner <- grep("Total", found$cells, invert = TRUE, value = TRUE)
    expect_setequal(inner, label_words(cells)[intersect(which(constant), small)])
    bad <- bad + any(constant[small])
    good <- good + !any(constant[small])
  }
  expect_gt(bad, 3)
  expect_gt(good, 3)
})

test_that("property: two seeds of one table, a rounding, and others' tables are judged together", {
  skip_if_not_installed("RSQLite")
  x <- as_sdc_table(matrix(c(1, 8, 2, 9, 7, 1, 12, 3, 1), 3, dimnames = list(A = 1:3, B = 1:3)))
  record <- publication_record()
  su <- suppress(x, 2)
  first <- publish(su, record = record)
  # the same once more adds nothing
  expect_identical(publish(su, record = record), first)
  # all counts give everything away
  expect_error(enter_publication(record, x), "known", class = "sdc_error_refused")
  expect_error(enter_publication(record, margin(x, "A")), NA)
  # other people
  other <- as_sdc_table(as.array(x) + 50)
  expect_error(enter_publication(record, margin(other, "A")), "same people", class = "sdc_error_refused")
  rounded <- entered(round_controlled(x, 3), record)
  n <- nrow(as.data.frame(record))
  expect_identical(n, 3L + !is.null(rounded))
  expect_error(enter_publication(record, structure(list(), class = "sdc_hex_publication")),
               "without one", class = "sdc_error_refused")
  expect_identical(nrow(as.data.frame(record)), n)
  expect_true(is_private(record))
})

test_that("property: a record is kept in its file, and a changed line is seen", {
  skip_if_not_installed("RSQLite")
  path <- withr::local_tempfile(fileext = ".sqlite")
  x <- as_sdc_table(HairEyeColor)
  record <- publication_record(path)
  publish(suppress(x, 3), record = record)
  enter_publication(record, margin(x, "Hair"), note = "yearbook")
  again <- publication_record(path)
  expect_identical(as.data.frame(again), as.data.frame(record))
  expect_identical(as.data.frame(again)$note, c("", "yearbook"))
  con <- DBI::dbConnect(RSQLite::SQLite(), path)
  DBI::dbExecute(con, "UPDATE publications SET note = 'other' WHERE id = 1")
  DBI::dbDisconnect(con)
  expect_error(publication_record(path), "Line 1", class = "sdc_error_refused")
  expect_error(publish(suppress(x, 3), record = record), "Line 1", class = "sdc_error_refused")
  # another database is left as it is
  foreign <- withr::local_tempfile(fileext = ".sqlite")
  con <- DBI::dbConnect(RSQLite::SQLite(), foreign)
  DBI::dbWriteTable(con, "people", data.frame(a = 1))
  expect_error(publication_record(foreign), "another database", class = "sdc_error_input")
  expect_identical(DBI::dbListTables(con), "people")
  DBI::dbDisconnect(con)
})

test_that("property: nothing leaves when it cannot be entered", {
  skip_if_not_installed("RSQLite")
  path <- withr::local_tempfile(fileext = ".sqlite")
  record <- publication_record(path)
  RSQLite::sqliteSetBusyHandler(record$held$con, 10L)
  x <- as_sdc_table(HairEyeColor)
  su <- suppress(x, 3)
  con <- DBI::dbConnect(RSQLite::SQLite(), path)
  DBI::dbExecute(con, "BEGIN EXCLUSIVE")
  out <- NULL
  expect_error(out <- publish(su, record = record))
  expect_null(out)
  DBI::dbExecute(con, "ROLLBACK")
  DBI::dbDisconnect(con)
  expect_identical(nrow(as.data.frame(record)), 0L)
  out <- publish(su, record = record)
  expect_identical(nrow(as.data.frame(record)), 1L)
  expect_error(publish(su, record = 1), class = "sdc_error_input")
})
