skip_if_not_installed("DBI")
skip_on_cran()

connect <- function(socket, ..., dbname = "postgres", frame = parent.frame()) {
  con <- DBI::dbConnect(RPostgres::Postgres(), dbname = dbname, host = socket, user = "postgres", ...)
  withr::defer(DBI::dbDisconnect(con), envir = frame)
  con
}

# Labels that need quotes, a missing one, numbers, flags, dates, and weights.
people_of <- function(n) {
  data.frame(
    sex = sample(c("f", "m", NA), n, TRUE, c(.5, .45, .05)), age = sample(20:29, n, TRUE),
    `it's "odd"` = sample(c("a'b", "c;d", "", "\u00e4"), n, TRUE), member = sample(c(TRUE, FALSE), n, TRUE),
    since = as.Date("2020-01-01") + sample(0:3, n, TRUE), region = sample(c("north", "south"), n, TRUE),
    w = sample(0:3, n, TRUE), check.names = FALSE
  )
}

judged_cells <- function(x, rules) {
  found <- as.data.frame(sensitive(x, rules, totals = TRUE))
  found <- found[do.call(order, lapply(found[c("a", "b")], as.character)), ]
  rownames(found) <- NULL
  found
}

lazy_in_postgres <- function(con, people) {
  if (!requireNamespace("dbplyr", quietly = TRUE) || !requireNamespace("dplyr", quietly = TRUE)) {
    return(invisible())
  }
  lazy <- dplyr::tbl(con, "people")
  for (v in list("age", c("region", "member"))) {
    expect_equal(sdc_table(lazy, v), sdc_table(people, v))
  }
  old <- dplyr::filter(lazy, .data$age > 24L)
  expect_equal(sdc_table(old, c("age", "region"), weightVar = "w"),
               sdc_table(people[people$age > 24, ], c("age", "region"), weightVar = "w"))
  expect_equal(sdc_table(dplyr::tbl(con, dbplyr::sql("SELECT * FROM people WHERE w = 2")), "age"),
               sdc_table(people[people$w == 2, ], "age"))
}

# Three clusters: a front, and two servers that have a region each.
local_servers <- function(frame = parent.frame()) {
  suppressWarnings(skip_if_not_installed("RPostgres"))
  script <- system.file("cluster", "postgres-servers.sh", package = "sdcLattice")
  folder <- tempfile("servers", tmpdir = "/tmp")
  run <- function(...) suppressWarnings(system2("sh", c(script, ...), stdout = TRUE, stderr = FALSE))
  front <- run("start", folder, "2")
  if (!identical(dirname(front), folder)) skip("no servers of PostgreSQL with postgres_fdw on this machine")
  withr::defer(run("stop", folder), envir = frame)
  folder
}

split_by_region <- function(folder, people) {
  front <- connect(file.path(folder, "front"), bigint = "numeric", frame = parent.frame())
  DBI::dbExecute(front, paste(
    "CREATE TABLE people (sex text, age int, \"it's \"\"odd\"\"\" text, member boolean, since date,",
    "region text, w int) PARTITION BY LIST (region)"
  ))
  for (i in 1:2) {
    there <- connect(file.path(folder, paste0("server", i)))
    region <- c("north", "south")[i]
    DBI::dbWriteTable(there, "people", people[people$region == region, ])
    DBI::dbExecute(there, "ANALYZE people")
    DBI::dbExecute(front, paste0(
      "CREATE FOREIGN TABLE people_", region, " PARTITION OF people FOR VALUES IN ('", region,
      "') SERVER server", i, " OPTIONS (table_name 'people')"
    ))
  }
  front
}

test_that("oracle: each server of a table counts its own records", {
  withr::local_timezone("UTC")
  folder <- local_servers()
  set.seed(12)
  people <- people_of(2000)
  front <- split_by_region(folder, people)
  records <- db_records(front, "people", chunk = 50, partition = "region")
  vars <- c("age", "member")
  for (v in list(vars, c("region", vars), character())) {
    expect_equal(sdc_table(records, v), sdc_table(people, v))
  }
  expect_equal(sdc_table(records, "age", weightVar = "w"), sdc_table(people, "age", weightVar = "w"))
  several <- margins(records, list(c("age", "sex"), "member", c("region", "age")), na = "level")
  expect_equal(several[[1]], sdc_table(people, c("age", "sex"), na = "level"))
  expect_equal(several[[3]], sdc_table(people, c("region", "age"), na = "level"))
  expect_equal(DBI::dbGetQuery(front, "SHOW enable_partitionwise_aggregate")[[1]], "off")

  # the database's own word for it: groups and counts are asked of each server
  for (sql in c(count_sql(records, vars), grouping_sql(records, list("sex", vars), NULL, TRUE))) {
    plan <- with_partitions(records, DBI::dbGetQuery(front, paste("EXPLAIN (VERBOSE)", sql)))[[1]]
    expect_length(grep("Relations: Aggregate on", plan), 2)
    remote <- grep("Remote SQL:", plan, value = TRUE)
    expect_length(remote, 2)
    expect_match(remote, "count\\(\\*\\).* GROUP BY ")
  }
})

test_that("oracle: PostgreSQL counts as the package does", {
  socket <- local_cluster()
  # what RPostgres loads asks for the time zone, and may warn of the machine's clock
  withr::local_timezone("UTC")
  set.seed(11)
  people <- people_of(2000)
  vars <- list("sex", c("age", "sex"), names(people)[1:5], character())
  for (bigint in c("integer64", "numeric")) {
    con <- connect(socket, bigint = bigint)
    DBI::dbWriteTable(con, "people", people, overwrite = TRUE)
    for (v in vars) {
      want <- sdc_table(people, v, na = "level")
      expect_equal(sdc_table(db_records(con, "people", chunk = 13), v, na = "level"), want)
      expect_equal(sdc_table(db_records(con, "people"), v, weightVar = "w", na = "level"),
                   sdc_table(people, v, weightVar = "w", na = "level"))
    }
    expect_equal(sdc_table(db_records(con, DBI::Id(schema = "public", table = "people")), "age"),
                 sdc_table(people, "age"))
    expect_equal(sdc_table(db_records(con, query = "SELECT * FROM people WHERE age > 24"), ~ age +
                           member),
                 sdc_table(people[people$age > 24, ], ~ age + member))
    expect_error(sdc_table(db_records(con, "people"), "sex"), "missing", class = "sdc_error_input")
    for (v in c("since", "sex", "member", "w")) {
      expect_equal(sdc_table(db_records(con, "people", pieces = 3), c(v, "age"), na = "level"),
                   sdc_table(people, c(v, "age"), na = "level"))
    }
  }

  people$k <- seq_len(nrow(people))
  DBI::dbWriteTable(con, "people", people, overwrite = TRUE)
  wide <- paste0("v", 1:33)
  people[wide] <- matrix(sample(c("a", "b"), 33 * nrow(people), TRUE), nrow(people))
  DBI::dbWriteTable(con, "wide", people)
  for (extra in list("age", "k", wide)) {
    # the finest table has few cells, or as many as there are records
    sets <- list(c("age", "member"), character(), c("member", extra[1]), utils::tail(extra, 3), extra)
    sets <- sets[!duplicated(lapply(sets, sort))]
    for (weight in list(NULL, "w")) {
      found <- margins(db_records(con, "wide", chunk = 300), sets, weightVar = weight)
      for (i in seq_along(sets)) {
        want <- suppressMessages(suppressWarnings(
          sdc_table(people, sets[[i]], weightVar = weight)
        ))
        expect_equal(found[[i]], want)
      }
    }
  }
  missing <- margins(db_records(con, "wide"), list(c("sex", "age"), "age", "member"), na = "level")
  expect_equal(missing[[1]], sdc_table(people, c("sex", "age"), na = "level"))
  expect_error(margins(db_records(con, "wide"), list("sex", "age")), "missing", class = "sdc_error_input")

  # the largest contributors, by window functions: of whole numbers, decimals and doubles
  firms <- data.frame(a = people$region, b = people$age, id = sample(99, nrow(people), TRUE),
                      v = sample(0:300, nrow(people), TRUE))
  firms$x <- firms$v / 100
  DBI::dbWriteTable(con, "firms", firms[1:300, ])
  DBI::dbExecute(con, "ALTER TABLE firms ADD COLUMN d numeric(9, 2)")
  DBI::dbExecute(con, "UPDATE firms SET d = x")
  firms$d <- firms$x
  for (v in c("v", "x", "d")) {
    for (holder in list(NULL, "id")) {
      rules <- c(rule_threshold(3), rule_p_percent(15))
      found <- db_magnitude(db_records(con, "firms"), c("a", "b"), v, holder, unit = .01)
      want <- magnitude_table(firms[1:300, ], c("a", "b"), v, holder, unit = .01, rows = "records")
      expect_equal(judged_cells(found, rules), judged_cells(want, rules))
    }
  }

  # counts beyond 32 bits, exact to 2^53 and refused beyond
  DBI::dbExecute(con, "CREATE TABLE heavy (a text, w bigint)")
  DBI::dbExecute(con, "INSERT INTO heavy VALUES ('x', 5000000001), ('x', 1), ('y', 9007199254740991 - 5000000002)")
  for (bigint in c("integer64", "numeric")) {
    heavy <- db_records(connect(socket, bigint = bigint), "heavy")
    expect_equal(as.numeric(sdc_table(heavy, "a", weightVar = "w")),
                 c(5000000002, 2^53 - 1 - 5000000002))
  }
  DBI::dbExecute(con, "INSERT INTO heavy VALUES ('z', 9)")
  expect_error(sdc_table(heavy, "a", weightVar = "w"), class = "sdc_error_too_large")

  lazy_in_postgres(con, people)
})
