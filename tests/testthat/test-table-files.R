# ---- a writer and the levels, apart from the package ---------------------------------------------

quoted <- function(x) paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\"")

# One line for each row; fields are quoted where they must be, and here and there.
write_records <- function(data, path, sep = ",", header = TRUE) {
  fields <- lapply(data, function(x) {
    x <- enc2utf8(as.character(x))
    must <- grepl("[\"\r\n]", x) | grepl(sep, x, fixed = TRUE) |
      (x %in% "" & length(data) == 1)
    x <- ifelse(is.na(x), sample(c("NA", "\"NA\""), length(x), TRUE),
                ifelse(must | runif(length(x)) < .2, quoted(x), x))
  })
  lines <- do.call(paste, c(unname(fields), sep = sep))
  if (header) lines <- c(paste(quoted(names(data)), collapse = sep), lines)
  ends <- sample(c("\n", "\r\n", "\n\n", "\r\n\n"), length(lines), TRUE, c(.45, .45, .05, .05))
  if (runif(1) < .5) ends[length(ends)] <- ""
  text <- paste(paste0(lines, ends), collapse = "")
  con <- file(path, "wb")
  on.exit(close(con))
  writeBin(charToRaw(enc2utf8(text)), con)
}

as_levels <- function(x) {
  values <- unique(x[!is.na(x)])
  numbers <- suppressWarnings(as.numeric(values))
  plain <- !anyNA(numbers) && all(format(numbers, scientific = FALSE, trim = TRUE,
                                         drop0trailing = TRUE, digits = 15) == values |
                                    vapply(numbers, format, "", scientific = FALSE) == values)
  factor(x, if (plain) values[order(numbers)] else levels(factor(values)))
}

random_column <- function(n) {
  kinds <- list(
    c("a", "b", "a,b", "say \"no\"", "two\nlines", "r\r\nn", " a", "a ", "'", "#", "\\", "a;b\tc"),
    c("\u00e4", "\u6771\u4eac", "e\u0301", "\u00e9"), c("1", "2", "10", "-3", "100000"),
    c("1", "01", "1.0", "1e3"), c("0.5", "1.25", "10", "-7"), c("TRUE", "F", "T", "NaN", "Inf"),
    c("x")
  )
  x <- sample(kinds[[sample(length(kinds), 1)]], n, TRUE)
  if (runif(1) < .3) x[sample(n, n %/% 7)] <- NA
  x
}

file_of <- function(data, ..., frame = parent.frame()) {
  path <- withr::local_tempfile(fileext = ".csv", .local_envir = frame)
  write_records(data, path, ...)
  path
}

table_of <- function(data, variables = names(data), ...) {
  data[variables] <- lapply(data[variables], as_levels)
  suppressWarnings(sdc_table(data, variables, na = "level", drop_unused = FALSE, ...))
}

count <- function(records, ...) suppressWarnings(sdc_table(records, na = "level", ...))

# ---- tests ----------------------------------------------------------------------------------------

test_that("oracle: files make the table of their data frame", {
  set.seed(1)
  for (round in seq_len(rounds(20, 400))) {
    n <- sample(c(0, 1, 2, 40, 400), 1)
    k <- sample(4, 1)
    data <- as.data.frame(lapply(seq_len(k), function(v) random_column(n)),
                          col.names = paste0("v", seq_len(k)))
    names(data)[1] <- sample(c("v1", "odd \"name\", with\nall", "\u00e4"), 1)
    data$w <- sample(0:3, n, TRUE)
    sep <- sample(c(",", ";", "\t"), 1)
    path <- file_of(data, sep = sep)
    records <- file_records(path, sep = sep, missing = "NA", chunk = 1000)
    variables <- sample(names(data)[seq_len(k)], sample(0:k, 1))
    expect_identical(count(records, dimVar = variables), table_of(data, variables))
    expect_identical(count(records, dimVar = variables, weightVar = "w"),
                     table_of(data, variables, weightVar = "w"))
    bare <- file_of(data, sep = sep, header = FALSE)
    expect_identical(count(file_records(bare, sep, "NA", names(data), chunk = 1000), variables),
                     table_of(data, variables))
  }
})

test_that("oracle: clean files give what read.csv() and fread() give", {
  set.seed(2)
  data <- data.frame(sex = sample(c("f", "m"), 500, TRUE), age = sample(99, 500, TRUE),
                     share = sample(c(.5, .25, 2), 500, TRUE))
  path <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(data, path, row.names = FALSE)
  records <- file_records(path, chunk = 1000)
  expect_identical(sdc_table(records), sdc_table(utils::read.csv(path)))
  packed <- withr::local_tempfile(fileext = ".csv.gz")
  con <- gzfile(packed, "w")
  utils::write.csv(data, con, row.names = FALSE)
  close(con)
  expect_identical(sdc_table(file_records(packed)), sdc_table(data))
  skip_if_not_installed("data.table")
  expect_identical(sdc_table(records), sdc_table(data.table::fread(path)))
})

test_that("property: compressed files that are cut off or damaged are refused", {
  set.seed(7)
  data <- data.frame(a = sample(1e5, 4000, TRUE), b = stats::runif(4000))
  open <- list(gzip = gzfile, xz = xzfile, bzip2 = bzfile)
  for (type in names(open)) {
    path <- withr::local_tempfile(fileext = ".csv")
    con <- open[[type]](path, "wb")
    utils::write.csv(data, con, row.names = FALSE)
    close(con)
    people <- file_records(path, chunk = 5000)
    if (type != "bzip2") expect_equal(sum(sdc_table(people, "b")), 4000)
    bytes <- readBin(path, "raw", file.size(path))
    for (keep in list(seq_len(length(bytes) - 900), seq_along(bytes)[-(5000:5002)])) {
      writeBin(bytes[keep], path)
      expect_error(sdc_table(people, "b"), if (type == "bzip2") "bzip2" else "cut off",
                   class = "sdc_error_input")
    }
  }
})

test_that("property: several files are counted as one", {
  set.seed(3)
  data <- data.frame(a = random_column(300), b = sample(c("2", "10"), 300, TRUE))
  paths <- c(file_of(data[1:100, ]), file_of(data[101:150, 2:1]), file_of(data[0, ]),
             file_of(data[151:300, ]))
  records <- file_records(paths, missing = "NA")
  expect_identical(count(records), table_of(data))
  expect_output(print(records), "and 3 more files")
  shards <- lapply(paths, function(path) {
    levels <- lapply(data, function(x) levels(as_levels(x)))
    sdc_table(file_records(path, missing = "NA", levels = levels), "b")
  })
  expect_identical(do.call(c, shards), table_of(data, "b"))
})

test_that("oracle: margins of files from one pass are those of the data frame", {
  set.seed(4)
  data <- data.frame(a = sample(letters, 600, TRUE), b = sample(9, 600, TRUE),
                     c = sample(c("x", "y"), 600, TRUE), w = sample(0:2, 600, TRUE))
  sets <- list(c("a", "b"), "c", both = c("c", "a"), character())
  found <- margins(file_records(file_of(data), chunk = 1000), sets, weightVar = "w")
  expect_named(found, c("a:b", "c", "both", "(total)"))
  for (i in seq_along(sets)) {
    expect_identical(found[[i]], sdc_table(data, sets[[i]], weightVar = "w"))
  }
  expect_error(margins(file_records(file_of(data)), list("w"), weightVar = "w"), "no variable",
               class = "sdc_error_input")
})

test_that("oracle: files within a limit of memory", {
  set.seed(5)
  data <- data.frame(a = sample(900, 4000, TRUE), b = sample(900, 4000, TRUE))
  whole <- sdc_table(data, c("a", "b"))
  withr::local_options(sdcLattice.memory = 16 * 16 / 15 * length(whole$counts) / 1e6 + 1e-6)
  expect_identical(sdc_table(file_records(file_of(data), chunk = 1000)), whole)
})

test_that("property: cells in files are read as cells", {
  cells <- data.frame(a = c("x", "y", "x"), n = c(2, 3, 4))
  records <- file_records(file_of(cells))
  expect_error(sdc_table(records, "a", freqVar = "n"), "listed once", class = "sdc_error_input")
  expect_identical(sdc_table(records, "a", freqVar = "n", duplicates = "sum"),
                   sdc_table(cells, "a", freqVar = "n", duplicates = "sum"))
  expect_error(sdc_table(records, "a", "n", "n"), "Both are given", class = "sdc_error_input")
  expect_warning(sdc_table(records), "look", class = "sdc_warning_input")
})

test_that("property: levels that are given are kept, and others refused", {
  records <- file_records(file_of(data.frame(a = c("x", "y"))), levels = list(a = c("z", "y", "x")))
  expect_identical(dimnames(sdc_table(records, "a")), list(a = c("z", "y", "x")))
  expect_identical(dim(sdc_table(records, "a", drop_unused = TRUE)), 2L)
  records$levels$a <- "x"
  expect_error(sdc_table(records, "a"), "\"y\"", class = "sdc_error_input")
})

test_that("snapshot: files that are refused", {
  withr::local_dir(withr::local_tempdir())
  put <- function(text) {
    writeBin(if (is.raw(text)) text else charToRaw(text), "people.csv")
    invisible(text)
  }
  people <- function(...) sdc_table(file_records("people.csv", ...), "a")
  expect_snapshot(error = TRUE, {
    put("a,b\n1,2\n\n3\n")
    people()
    put("a,b\n\"1\n1\",2\n3,\"4\n")
    people()
    put("a,b\n\"1\"2,3\n")
    people()
    put(as.raw(c(0x61, 0x0a, 0x00, 0x0a)))
    people()
    put(as.raw(c(0x61, 0x0a, 0xe4, 0x0a)))
    people()
    put(as.raw(c(0xff, 0xfe, 0x61, 0x00)))
    people()
    put("")
    people()
    put("a,a\n1,2\n")
    people()
    put("b,c\n1,2\n")
    people()
    put("a,w\n1,2\nNA,x\n")
    people()
    sdc_table(file_records("people.csv"), "w", weightVar = "w")
    sdc_table(file_records("people.csv"), "a", weightVar = "w", na = "level")
    people(levels = list(b = "x"))
    file_records("other.csv")
    file_records(".")
    file_records(character())
    file_records("people.csv", sep = "::")
    file_records("people.csv", missing = NA)
    file_records("people.csv", levels = c(a = "x"))
    file_records("people.csv", levels = list(a = c("x", "x")))
    file_records("people.csv", chunk = 1)
  })
  put(as.raw(c(0xef, 0xbb, 0xbf, 0x61, 0x0a, 0x31, 0x0a)))
  expect_identical(people(), sdc_table(data.frame(a = 1)))
  put(as.raw(c(0x61, 0x0a, 0xe4, 0x0a)))
  expect_identical(dimnames(people(encoding = "latin1")), list(a = "\u00e4"))
})

test_that("oracle: Parquet files make the table of their data frame", {
  skip_if_not_installed("nanoparquet")
  set.seed(6)
  data <- data.frame(sex = sample(c("f", "m", NA), 300, TRUE), age = sample(20:29, 300, TRUE),
                     share = sample(c(.5, .25), 300, TRUE), old = sample(c(TRUE, NA), 300, TRUE),
                     day = as.Date("2020-01-01") + sample(3, 300, TRUE), w = sample(0:3, 300, TRUE))
  paths <- withr::local_tempfile(fileext = c(".parquet", ".parquet"))
  nanoparquet::write_parquet(data[1:200, ], paths[1])
  nanoparquet::write_parquet(data[201:300, 6:1], paths[2])
  records <- file_records(paths)
  for (variables in list("sex", c("age", "sex"), c("day", "old", "share"), character())) {
    expect_identical(sdc_table(records, variables, na = "level", weightVar = "w"),
                     sdc_table(data, variables, na = "level", weightVar = "w"))
  }
  found <- margins(records, list("age", c("day", "age")))
  expect_identical(found[[2]], sdc_table(data, c("day", "age")))
  expect_error(sdc_table(records, "sex"), "missing", class = "sdc_error_input")
  expect_error(sdc_table(records, "zz"), "zz", class = "sdc_error_input")
  given <- sdc_table(file_records(paths, levels = list(sex = c("m", "d", "f"))), "sex",
                     na = "level")
  expect_identical(dimnames(given)$sex, c("m", "d", "f", NA))
  expect_error(file_records(c(paths, file_of(data))), "one format", class = "sdc_error_input")
  cells <- unique(data["age"])
  cells$n <- seq_len(nrow(cells))
  nanoparquet::write_parquet(cells, paths[1])
  expect_identical(sdc_table(file_records(paths[1]), "age", freqVar = "n"),
                   sdc_table(cells, "age", freqVar = "n"))
})
