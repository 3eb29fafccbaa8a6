skip_if_not_installed("DBI")
skip_on_cran()

connect_mariadb <- function(folder, server, ..., frame = parent.frame()) {
  con <- DBI::dbConnect(RMariaDB::MariaDB(), dbname = "sdc", username = "sdc",
                        unix.socket = file.path(folder, server, "socket"), ...)
  withr::defer(DBI::dbDisconnect(con), envir = frame)
  con
}

# A front, and two servers that have a region each.
local_mariadb <- function(frame = parent.frame()) {
  suppressWarnings(skip_if_not_installed("RMariaDB"))
  script <- system.file("cluster", "mariadb-servers.sh", package = "sdcLattice")
  folder <- tempfile("mariadb", tmpdir = "/tmp")
  run <- function(...) suppressWarnings(system2("sh", c(script, ...), stdout = TRUE, stderr = FALSE))
  front <- run("start", folder, "2")
  if (!identical(dirname(front), folder)) skip("no servers of MariaDB with Spider on this machine")
  withr::defer(run("stop", folder), envir = frame)
  folder
}

# Labels that need quotes, a missing one, numbers, dates, weights, and values of firms.
mariadb_people <- function(n) {
  people <- data.frame(
    sex = sample(c("f", "m", NA), n, TRUE, c(.5, .45, .05)), age = sample(20:29, n, TRUE),
    `it's "odd"` = sample(c("a'b", "c;d", "", "\u00e4"), n, TRUE),
    since = as.Date("2020-01-01") + sample(0:3, n, TRUE),
    region = sample(c("north", "south"), n, TRUE), w = sample(0:3, n, TRUE),
    id = sample(99, n, TRUE), v = sample(0:300, n, TRUE), check.names = FALSE
  )
  people$x <- people$v / 100
  people
}

counts_as_the_package <- function(records, people, sets) {
  for (v in sets) {
    expect_equal(sdc_table(records, v, na = "level"), sdc_table(people, v, na = "level"))
    expect_equal(sdc_table(records, v, weightVar = "w", na = "level"),
                 sdc_table(people, v, weightVar = "w", na = "level"))
  }
  several <- margins(records, sets, na = "level")
  for (i in seq_along(sets)) {
    expect_equal(several[[i]], sdc_table(people, sets[[i]], na = "level"))
  }
}

finds_the_largest <- function(records, people, values) {
  rules <- c(rule_threshold(3), rule_p_percent(15))
  judged <- function(x) {
    found <- as.data.frame(sensitive(x, rules, totals = TRUE))
    found <- found[do.call(order, lapply(found[c("region", "age")], as.character)), ]
    rownames(found) <- NULL
    found
  }
  dims <- c("region", "age")
  for (v in values) {
    for (holder in list(NULL, "id")) {
      want <- magnitude_table(people, dims, v, holder, unit = .01, rows = "records")
      expect_equal(judged(db_magnitude(records, dims, v, holder, unit = .01)), judged(want))
    }
  }
}

# The table of all, sharded by region: the column types are those of the shards.
shard_people <- function(folder, people) {
  for (i in 1:2) {
    there <- connect_mariadb(folder, paste0("server", i))
    DBI::dbWriteTable(there, "people", people[people$region == c("north", "south")[i], ])
    DBI::dbExecute(there, "SET GLOBAL log_output = 'TABLE'")
    DBI::dbExecute(there, "SET GLOBAL general_log = 1")
  }
  front <- connect_mariadb(folder, "front", bigint = "numeric", frame = parent.frame())
  DBI::dbExecute(front, paste(
    "CREATE TABLE people (sex varchar(1), age int, `it's \"odd\"` varchar(3), since date,",
    "region varchar(5), w int, id int, v int, x double) ENGINE = Spider",
    "COMMENT 'wrapper \"mysql\", table \"people\"' PARTITION BY LIST COLUMNS (region)",
    "(PARTITION north VALUES IN ('north') COMMENT 'srv \"server1\"',",
    "PARTITION south VALUES IN ('south') COMMENT 'srv \"server2\"')"
  ))
  front
}

test_that("oracle: MariaDB counts as the package does, on one server and on several", {
  # what RMariaDB loads asks for the time zone, and may warn of the machine's clock
  withr::local_timezone("UTC")
  folder <- local_mariadb()
  set.seed(13)
  people <- mariadb_people(600)
  sets <- list("age", c("sex", "age"), names(people)[1:4], c("region", "since"))
  for (bigint in c("integer64", "numeric")) {
    con <- connect_mariadb(folder, "front", bigint = bigint)
    DBI::dbWriteTable(con, "whole", people, overwrite = TRUE)
    whole <- db_records(con, "whole", chunk = 13, pieces = 3)
    counts_as_the_package(whole, people, sets)
    expect_error(sdc_table(whole, "sex"), "missing", class = "sdc_error_input")
    DBI::dbExecute(con, "ALTER TABLE whole ADD COLUMN d decimal(9, 2)")
    DBI::dbExecute(con, "UPDATE whole SET d = x")
    finds_the_largest(whole, cbind(people, d = people$x), c("v", "x", "d"))

    # counts beyond 32 bits, exact to 2^53
    heavy <- paste("SELECT 'x' AS a, 5000000001 AS w UNION ALL SELECT 'x', 1",
                   "UNION ALL SELECT 'y', 9007199254740991 - 5000000002")
    expect_equal(as.numeric(sdc_table(db_records(con, query = heavy), "a", weightVar = "w")),
                 c(5000000002, 2^53 - 1 - 5000000002))
  }

  front <- shard_people(folder, people)
  for (partition in list(NULL, "region")) {
    shards <- db_records(front, "people", partition = partition)
    counts_as_the_package(shards, people, sets)
    finds_the_largest(shards, people, c("v", "x"))
  }

  # the servers' own word for it: each was asked for groups and counts
  for (i in 1:2) {
    asked <- DBI::dbGetQuery(
      connect_mariadb(folder, paste0("server", i)),
      "SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE command_type = 'Query'"
    )[[1]]
    expect_true(any(grepl("count\\(.*`people`.* group by ", asked)))
  }
})
