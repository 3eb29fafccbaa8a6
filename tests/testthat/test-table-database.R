skip_if_not_installed("DBI")
skip_if_not_installed("RSQLite")

local_people <- function(data, name = "people", frame = parent.frame()) {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con), envir = frame)
  DBI::dbWriteTable(con, name, data)
  con
}

random_people <- function(n) {
  data.frame(
    sex = sample(c("f", "m"), n, TRUE), age = sample(20:29, n, TRUE),
    `it's "odd"` = sample(c("a'b", "c;d", ""), n, TRUE), w = sample(0:3, n, TRUE), check.names = FALSE
  )
}

test_that("oracle: the database counts as the package does", {
  set.seed(1)
  for (n in c(0, 1, 50, 500)) {
    people <- random_people(n)
    con <- local_people(people)
    for (vars in list("sex", c("age", "sex"), names(people)[1:3], character())) {
      expect_equal(sdc_table(db_records(con, "people", chunk = 7), vars), sdc_table(people, vars))
      expect_equal(sdc_table(db_records(con, "people"), vars, weightVar = "w"),
                   sdc_table(people, vars, weightVar = "w"))
    }
    expect_equal(sdc_table(db_records(con, query = "SELECT * FROM people WHERE age > 24"), ~ age +
                           sex),
                 sdc_table(people[people$age > 24, ], ~ age + sex))
  }
})

test_that("property: cells in a database are read as cells", {
  cells <- data.frame(a = c("x", "y", "x"), n = c(2, 3, 4))
  con <- local_people(cells)
  expect_equal(sum(sdc_table(db_records(con, "people"), "a", freqVar = "n", duplicates = "sum")), 9)
  expect_error(sdc_table(db_records(con, "people"), "a", freqVar = "n"), class = "sdc_error_input")
  expect_equal(dim(sdc_table(db_records(con, query = "SELECT * FROM people LIMIT 2"),
                             freqVar = "n")), 2)
})

test_that("property: lazy tables of dbplyr are counted in the database", {
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  set.seed(2)
  people <- random_people(100)
  con <- local_people(people)
  lazy <- dplyr::tbl(con, "people")
  expect_equal(sdc_table(lazy, c("age", "sex")), sdc_table(people, c("age", "sex")))
  expect_equal(sdc_table(utils::head(lazy, 10), "sex"), sdc_table(people[1:10, ], "sex"))
})

test_that("property: missing values, weights and types are judged as in data frames", {
  people <- data.frame(a = c("x", NA, NA), w = c(1, .5, NA), k = 1:3)
  con <- local_people(people)
  records <- db_records(con, "people")
  expect_error(sdc_table(records, "a"), "missing in 2 rows", class = "sdc_error_input")
  expect_equal(sdc_table(records, "a", na = "level"), sdc_table(people, "a", na = "level"))
  expect_error(sdc_table(records, "k", weightVar = "w"), class = "sdc_error_input")
  expect_error(sdc_table(records, "zz"), class = "sdc_error_input")
  expect_error(sdc_table(records, "a", "k", "w"), class = "sdc_error_input")
  DBI::dbExecute(con, "CREATE TABLE mixed (v)")
  DBI::dbExecute(con, "INSERT INTO mixed VALUES (1), ('one')")
  expect_error(sdc_table(db_records(con, "mixed"), "v"), "one type", class = "sdc_error_input")
  DBI::dbExecute(con, "CREATE TABLE heavy (v, w)")
  DBI::dbExecute(con, "INSERT INTO heavy VALUES (1, 9007199254740992), (1, 9007199254740992)")
  expect_error(sdc_table(db_records(con, "heavy"), "v", weightVar = "w"), class = "sdc_error")
})

test_that("snapshot: where records are", {
  con <- local_people(data.frame(a = 1))
  expect_snapshot({
    db_records(con, "people")
    db_records(con, query = "SELECT a FROM people")
  })
  expect_snapshot(error = TRUE, {
    db_records()
    db_records("people.sqlite", "people")
    db_records(con)
    db_records(con, "people", "SELECT 1")
    db_records(con, 1)
    db_records(con, "people", chunk = 0)
  })
})
