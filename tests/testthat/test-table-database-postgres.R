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

# A table in two databases, one for each region, and a third that knows them as its partitions: it
# has both count their own records where the region is one of the variables. For a table without it,
# take the margin.
counted_in_parts <- function(socket, people) {
  main <- connect(socket)
  for (part in c("front", "north", "south")) DBI::dbExecute(main, paste("CREATE DATABASE", part))
  for (part in c("north", "south")) {
    there <- connect(socket, dbname = part)
    DBI::dbWriteTable(there, "people", people[people$region == part, ])
    DBI::dbExecute(there, "ANALYZE people")
  }
  front <- connect(socket, dbname = "front", bigint = "numeric")
  run <- function(...) DBI::dbExecute(front, paste0(...))
  loaded <- tryCatch(run("CREATE EXTENSION postgres_fdw"), error = function(e) NULL)
  if (is.null(loaded)) {
    return(invisible())
  }
  run("CREATE TABLE people (sex text, age int, \"it's \"\"odd\"\"\" text, member boolean, since date, region text, ",
      "w int) PARTITION BY LIST (region)")
  for (part in c("north", "south")) {
    run("CREATE SERVER at_", part, " FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '", socket,
        "', dbname '", part, "', use_remote_estimate 'true')")
    run("CREATE USER MAPPING FOR postgres SERVER at_", part, " OPTIONS (user 'postgres', password_required 'false')")
    run("CREATE FOREIGN TABLE people_", part, " PARTITION OF people FOR VALUES IN ('", part,
        "') SERVER at_", part, " OPTIONS (table_name 'people')")
  }
  records <- db_records(front, "people", chunk = 50, partition = "region")
  vars <- c("age", "member")
  for (v in list(vars, c("region", vars), character())) {
    expect_equal(sdc_table(records, v), sdc_table(people, v))
  }
  expect_equal(sdc_table(records, "age", weightVar = "w"), sdc_table(people, "age", weightVar = "w"))
  expect_equal(DBI::dbGetQuery(front, "SHOW enable_partitionwise_aggregate")[[1]], "off")

  explain <- paste("EXPLAIN (VERBOSE)", count_sql(records, vars))
  plan <- with_partitions(records, DBI::dbGetQuery(front, explain))[[1]]
  expect_length(grep("Relations: Aggregate on", plan), 2)
  remote <- grep("Remote SQL:", plan, value = TRUE)
  expect_length(remote, 2)
  expect_match(remote, "count\\(\\*\\).* GROUP BY ")
}

test_that("oracle: PostgreSQL counts as the package does, also behind other databases", {
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

  # lazy tables, and a table that lies in two databases
  lazy_in_postgres(con, people)
  counted_in_parts(socket, people)
})
