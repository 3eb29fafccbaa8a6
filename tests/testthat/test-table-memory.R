local_memory <- function(bytes, frame = parent.frame()) {
  scratch <- withr::local_tempdir(.local_envir = frame)
  withr::local_options(sdcLattice.memory = bytes / 1e6, sdcLattice.scratch = scratch,
                       .local_envir = frame)
  scratch
}

# Files that are open without a name, on systems that say so.
open_files <- function() {
  links <- suppressWarnings(Sys.readlink(list.files("/proc/self/fd", full.names = TRUE)))
  grep("sdcLattice-", links, value = TRUE)
}

expect_nothing_left <- function(scratch) {
  expect_identical(list.files(scratch), character())
  expect_identical(open_files(), character())
}

random_records <- function(dim, n) {
  as.data.frame(lapply(dim, function(k) factor(sample(k, n, TRUE), seq_len(k))),
                col.names = paste0("v", seq_along(dim)))
}

counted <- function(data, ...) sdc_table(data, names(data)[1:3], drop_unused = FALSE, ...)

test_that("oracle: tables and margins are the same within a limit of memory", {
  set.seed(1)
  for (round in seq_len(rounds(5, 60))) {
    dim <- if (round %% 2 == 0) rep(7, 26) else c(40, 50, 60)
    n <- sample(c(300, 3000, 9000), 1)
    records <- random_records(dim, n)
    variables <- names(records)
    count <- function(...) sdc_table(records, variables, drop_unused = FALSE, ...)
    whole <- count()
    weights <- sample(0:3, n, TRUE)
    records$w <- weights
    weighted <- count(weightVar = "w")
    reverse <- margin(whole, rev(variables))
    some <- margin(whole, variables[c(3, 1)])
    index <- lapply(dim, function(k) sample(k, k - 2))
    chosen <- select_levels(whole, index)
    bytes <- cell_bytes(dim) * length(whole$counts) * 16 / 15
    scratch <- local_memory(bytes + 1)
    expect_false(is.null(tabulation_plan(dim, n)))
    expect_identical(count(), whole)
    expect_identical(count(weightVar = "w"), weighted)
    expect_identical(margin(whole, rev(variables)), reverse)
    expect_identical(margin(whole, variables[c(3, 1)]), some)
    expect_identical(select_levels(whole, index), chosen)
    options(sdcLattice.memory = (bytes - 17) / 1e6)
    expect_error(count(), "there is room for", class = "sdc_error_too_large")
    expect_error(c(whole, whole), "there is room for", class = "sdc_error_too_large")
    expect_nothing_left(scratch)
    options(sdcLattice.memory = NULL)
  }
})

test_that("oracle: databases are counted within the limit", {
  skip_if_not_installed("RSQLite")
  set.seed(2)
  people <- data.frame(a = sample(500, 4000, TRUE), b = sample(500, 4000, TRUE), w = 1:4)
  whole <- sdc_table(people, c("a", "b"), weightVar = "w")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "people", people)
  scratch <- local_memory(16 * length(whole$counts) * 16 / 15 + 1)
  records <- db_records(con, "people", chunk = 300)
  expect_identical(sdc_table(records, c("a", "b"), weightVar = "w"), whole)
  expect_identical(margins(records, list(c("a", "b"), "a"), weightVar = "w")[[1]], whole)
  expect_nothing_left(scratch)
})

test_that("property: missing values are named within the limit as without it", {
  records <- random_records(c(40, 50, 60), 3000)
  records$v2[5:9] <- NA
  scratch <- local_memory(5e4)
  expect_error(counted(records), "\"v2\" is missing in 5 rows", class = "sdc_error_input")
  expect_nothing_left(scratch)
})

test_that("property: nothing is left of a file when reading ends in the middle", {
  records <- random_records(c(90, 90, 90), 5000)
  path <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(records, path, row.names = FALSE)
  cat("1,2\n", file = path, append = TRUE)
  scratch <- local_memory(5e4)
  expect_error(sdc_table(file_records(path, chunk = 1000)), "Record 5001",
               class = "sdc_error_input")
  expect_nothing_left(scratch)
})

test_that("property: the memory that Linux says is there is found", {
  skip_if_not(file.exists("/proc/meminfo"))
  expect_gt(available_memory(), 1e6)
  expect_lt(available_memory(), 1e15)
  file <- withr::local_tempfile(lines = c("MemFree: 1 kB", "MemAvailable:   2048 kB"))
  expect_equal(number_in_file(file, "^MemAvailable: *([0-9]+) kB$"), 2048)
  expect_identical(number_in_file(file, "^Other: ([0-9]+)$"), NA_real_)
  expect_identical(number_in_file(tempfile(), "^([0-9]+)$"), NA_real_)
})

test_that("property: the size of a cell is that of the core", {
  set.seed(3)
  for (round in 1:40) {
    dim <- sample(c(1, 2, 3, 8, 9, 1000), sample(12, 1), TRUE)
    records <- random_records(dim, 1)
    x <- sdc_table(records, names(records), drop_unused = FALSE)
    expect_equal(cell_bytes(dim), length(x$keys) + 8)
  }
  expect_equal(cell_bytes(integer()), 16)
})

test_that("snapshot: options that are no limit", {
  x <- sdc_table(Titanic)
  expect_snapshot(error = TRUE, {
    withr::with_options(list(sdcLattice.memory = 0), margin(x, "Class"))
    withr::with_options(list(sdcLattice.memory = "2 GB"), margin(x, "Class"))
    withr::with_options(list(sdcLattice.memory = .001, sdcLattice.scratch = "no-such-folder"),
                        margin(x, c("Class", "Survived", "Sex", "Age")))
  })
})
