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

margin_sets <- list(c("age", "sex"), "sex", odd = "it's \"odd\"", character(), c("sex", "k"))

# One by one, from the records themselves.
expect_margins <- function(records, people, sets = margin_sets, ...) {
  found <- margins(records, sets, ...)
  if (!is.null(names(sets))) expect_equal(names(found)[3], "odd")
  for (i in seq_along(sets)) expect_equal(found[[i]], sdc_table(people, sets[[i]], ...))
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
  expect_margins(lazy, people, list("sex", "age"))
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

test_that("oracle: pieces and parts give the same cells", {
  set.seed(3)
  people <- random_people(300)
  people$w[5] <- 1e6
  people$x <- sample(c(.1, 1 / 3, 2^60, NA, -1e-9), 300, TRUE)
  people$s <- sample(c("it's", "a", NA, ""), 300, TRUE)
  con <- local_people(people)
  for (first in c("x", "s", "age")) {
    vars <- c(first, "sex", names(people)[3])
    for (pieces in c(1, 2, 1000)) {
      records <- db_records(con, "people", chunk = 20, pieces = pieces, partition = "age")
      expect_equal(sdc_table(records, vars, na = "level"), sdc_table(people, vars, na = "level"))
      expect_equal(sdc_table(records, vars, weightVar = "w", na = "level"),
                   sdc_table(people, vars, weightVar = "w", na = "level"))
    }
  }
  expect_equal(sum(sdc_table(records, character())), 300)
  none <- db_records(con, query = "SELECT * FROM people WHERE age > 99", pieces = 3, partition = "age")
  expect_equal(sdc_table(none, character()), sdc_table(people[0, ], character()))
  expect_equal(dim(sdc_table(none, c("sex", "age"))), c(0, 0))
  expect_error(sdc_table(db_records(con, "people", partition = "zz"), "age"), "zz",
               class = "sdc_error_input")
  # records that come while they are counted
  changing <- db_records(con, query = "SELECT age FROM people WHERE age > abs(random() % 28)", pieces = 4)
  expect_error(sdc_table(changing, "age"), "not as many records", class = "sdc_error_input")
})

test_that("oracle: margins of one pass are those of the records", {
  set.seed(5)
  people <- random_people(1500)
  people$k <- seq_len(1500) %/% 2
  con <- local_people(people)
  records <- db_records(con, "people", chunk = 100, pieces = 2)
  # the first records have almost as many groups as there are, or not
  expect_false(finest_is_short(records, c("age", "sex", "k")))
  expect_true(finest_is_short(records, c("age", "sex")))
  expect_margins(records, people)
  expect_margins(records, people, margin_sets[1:4], weightVar = "w")
  expect_margins(records, people, list(~ age))
  expect_margins(db_records(con, query = "SELECT * FROM people WHERE age > 99"), people[0, ])
  people$sex[7] <- NA
  records <- db_records(local_people(people), "people", partition = "k")
  expect_margins(records, people, margin_sets[1:4], na = "level")
  expect_error(margins(records, margin_sets), "missing", class = "sdc_error_input")
})

test_that("property: margins of records judge their sets", {
  records <- db_records(local_people(random_people(9)), "people")
  expect_error(margins(records, list("sex", "sex")), "once", class = "sdc_error_input")
  expect_error(margins(records, list("sex", "zz")), "zz", class = "sdc_error_input")
  expect_error(margins(records, "sex"), "list", class = "sdc_error_input")
  expect_error(margins(records, list("sex", c("w", "age")), weightVar = "w"), "no variable",
               class = "sdc_error_input")
  expect_error(margins(records, list("sex"), 1), class = "sdc_error_input")
  many <- paste0("v", 1:33)
  expect_equal(grouping_numbers(many, many[c(1:29, 31, 33)]), c(1, 2))
})

test_that("property: chunks may widen a type, and not change it", {
  chunks <- function(...) {
    stream <- new_cell_stream("v", repeats = TRUE)
    for (x in list(...)) add_chunk(stream, list(x), rep(1, length(x)))
    stream_table(stream, "level")
  }
  agrees <- function(...) {
    expect_equal(chunks(...), sdc_table(data.frame(v = c(...)), "v", na = "level"))
  }
  agrees(c(NA, NA), 3L, c(2.5, NA), 3, NaN)
  agrees(NA, c("b", NA), "a", NA)
  agrees(TRUE, NA, FALSE)
  days <- as.Date("2020-01-09") + 0:3
  agrees(days[2:3], days[c(1, NA)], days[2])
  agrees(as.POSIXct(c(1.5, 1.25), origin = "1970-01-01", tz = "UTC"),
         as.POSIXct(1.25, origin = "1970-01-01", tz = "UTC"))
  agrees(factor("b", c("c", "b")), factor(c("c", "b"), c("c", "b")))
  big <- structure(c(5e-324, 4.940656e-322), class = "integer64")
  expect_equal(dimnames(chunks(3L, big))$v, c("1", "3", "100"))
  expect_error(chunks(.5, big), "several types", class = "sdc_error_input")
  expect_error(chunks("a", 1), "several types", class = "sdc_error_input")
  expect_error(chunks(days, 1), "several types", class = "sdc_error_input")
  expect_error(chunks(list(1)), class = "sdc_error_input")
})

random_firms <- function(n, holdings) {
  data.frame(
    region = sample(c("n", "s", "w"), n, TRUE), size = sample(c(1, 2, 10), n, TRUE),
    holding = sample(holdings, n, TRUE), turnover = sample(c(0:5, 40, 300), n, TRUE) / 10
  )
}

test_that("oracle: the database finds the largest contributors that microdata have", {
  set.seed(7)
  rules <- c(rule_threshold(3), rule_p_percent(15), rule_nk(2, 85))
  judged <- function(x) {
    found <- as.data.frame(sensitive(x, rules, totals = TRUE))
    found[vapply(found, is.numeric, NA)] <- lapply(found[vapply(found, is.numeric, NA)], round, 9)
    found <- found[do.call(order, lapply(found[c("region", "size")], as.character)), ]
    rownames(found) <- NULL
    found
  }
  for (round in seq_len(rounds(3, 6))) {
    firms <- random_firms(c(1, 4, 25, 60, 60, 60)[round], 12)
    con <- local_people(firms, "firms")
    records <- db_records(con, "firms", chunk = 5)
    for (holder in list(NULL, "holding")) {
      found <- db_magnitude(records, c("region", "size"), "turnover", holder, unit = .1)
      want <- magnitude_table(firms, c("region", "size"), "turnover", holder, unit = .1, rows = "records")
      expect_equal(judged(found), judged(want))
    }
  }
})

test_that("property: magnitudes in a database judge their values", {
  firms <- data.frame(a = c("x", "y", NA), b = c("u", "u", "v"), v = c(1, 2.5, 3), neg = c(1, -2, 0),
                      gap = c(1, NA, 2))
  records <- db_records(local_people(firms, "firms"), "firms")
  bad <- function(pattern, ...) {
    expect_error(db_magnitude(records, ...), pattern, class = "sdc_error_input")
  }
  bad("multiples", "b", "v")
  bad("negative", "b", "neg")
  bad("missing", "b", "gap")
  bad("missing", "a", "v", "b", unit = .5)
  bad("zz", "b", "zz")
  bad("whole number", "b", "v", unit = .3)
  bad("contributorVar", "b", "v", "a", hierarchies = list(b = data.frame(parent = "t", child = "u")))
  expect_equal(sum(as.data.frame(db_magnitude(records, "b", "v", unit = .5, top = 1))$total), 6.5)
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
