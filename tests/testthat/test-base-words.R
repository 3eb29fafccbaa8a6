# Digits in groups of three, by hand from the right.
slow_marks <- function(digits) {
  digits <- rev(strsplit(digits, "")[[1]])
  groups <- split(digits, (seq_along(digits) - 1) %/% 3)
  paste(rev(vapply(groups, function(g) paste(rev(g), collapse = ""), "")), collapse = ",")
}

test_that("oracle: whole numbers carry marks for thousands and all their digits", {
  withr::local_seed(1)
  n <- c(0:12, 10^(1:15), 2^(1:53), 2^53 - 1, floor(10^stats::runif(200, 0, 15)))
  expect_identical(format_count(n), vapply(sprintf("%.0f", n), slow_marks, "", USE.NAMES = FALSE))
  expect_identical(format_count(-n[-1]), paste0("-", format_count(n[-1])))
  expect_identical(format_count(100000L), "100,000")
  expect_identical(format_count(c(NA, Inf, 2.5)), c("NA", "Inf", "2.5"))
  long <- vapply(1:60, function(k) paste(sample(1:9, k, TRUE), collapse = ""), "")
  expect_identical(format_count(long), vapply(long, slow_marks, "", USE.NAMES = FALSE))
})

test_that("property: a double that stands for its neighbours too is said to be about itself", {
  expect_identical(format_count(2^53 + c(0, 2)), c("9,007,199,254,740,992", "about 9.01 x 10^15"))
  expect_identical(format_count(1.148e38), "about 1.15 x 10^38")
})

# One less than a power of two, by adding the halves digit by digit.
slow_sets <- function(k, empty) {
  digits <- 1
  for (i in seq_len(k)) {
    digits <- 2 * digits
    carry <- c(0, digits %/% 10)
    digits <- c(digits %% 10, 0) + carry
    if (digits[length(digits)] == 0) digits <- digits[-length(digits)]
  }
  if (!empty) digits[1] <- digits[1] - 1
  slow_marks(paste(rev(digits), collapse = ""))
}

test_that("oracle: numbers of sets of variables are exact", {
  for (k in c(1:10, 52:54, 60, 64, 100)) {
    expect_identical(format_sets(k), slow_sets(k, FALSE))
    expect_identical(format_sets(k, empty = TRUE), slow_sets(k, TRUE))
  }
})

test_that("property: words follow their number", {
  expect_identical(plural(c(0, 1, 2, 1e5), "cell"),
                   c("0 cells", "1 cell", "2 cells", "100,000 cells"))
  expect_identical(plural(2, "count is", "counts are"), "2 counts are")
  expect_identical(percent(c(.123456, 1, 20000)), c("12%", "100%", "2,000,000%"))
  expect_identical(format_number(c(.5, 123.456, 123456.7)), c("0.5", "123", "123,457"))
  expect_identical(format_mean(c(4, 4.5, 123456.25)), c("4", "4.5", "123,456.25"))
  expect_identical(cut_text(c("short", "longer than that"), 9), c("short", "longer..."))
})

test_that("property: numbers in messages are shown like those of prints, and choose their noun", {
  said <- function(n, m = 1:3) {
    text <- tryCatch(
      abort_sdc("input", c("{n} cell{?s} of {.val {m}}.", x = "{.arg a} is {n / 8}.")),
      error = conditionMessage
    )
    strsplit(cli::ansi_strip(text), "\n")[[1]]
  }
  expect_match(said(1e5)[1], "100,000 cells of 1, 2, and 3.", fixed = TRUE)
  expect_match(said(1, 2e6)[1], "1 cell of 2,000,000.", fixed = TRUE)
  expect_match(said(20)[2], "`a` is 2.5.", fixed = TRUE)
  expect_match(tryCatch(abort_sdc("input", "a {{b}} {{1e5}}"), error = conditionMessage),
               "a {b} {1e5}", fixed = TRUE)
})

# Whatever an object of a table with round numbers says.
said_by <- function(...) {
  utils::capture.output(for (object in list(...)) {
    print(object)
    cat(format(object), sep = "\n")
    print(summary(object))
  })
}

expect_plain <- function(lines) {
  expect_gt(length(lines), 0)
  expect_identical(grep("[0-9]e\\+?[0-9]", lines, value = TRUE), character())
}

test_that("property: round numbers are never in E-notation, nor is any text without marks", {
  skip_if_not_installed("lpSolve")
  x <- sdc_table(plain_table(matrix(c(0, 1e5, 1e5, 0), 2)))
  half <- sdc_table(plain_table(matrix(c(0, 5e4, 5e4, 0), 2)))
  m <- margins(x, list("A", "B"))
  b <- bounds_margins(m)
  expect_plain(said_by(x, half, b, count_tables(m), constraints(m),
                       sdc_table(as.table(c(a = 1e5)))))
  expect_identical(b$upper - b$lower, rep(1e5, 4))
  expect_match(format(b), "width: 100,000 to 100,000, median 100,000", fixed = TRUE, all = FALSE)
  lines <- capture.output(print(disclosed(b, width = 1e5)), print(explain(b, 1)))
  expect_plain(lines)
  expect_match(lines, "from 0 to 100,000, because margin [A] shows 100,000", fixed = TRUE,
               all = FALSE)
  expect_plain(said_by(estimate_table(m)))
  expect_plain(capture.output(print(explain(estimate_table(m), 1))))
  me <- mechanism(cycles_banded(x, group = 2, seed = 1), covers = 1)
  expect_plain(said_by(me, publication(x, me), publication(half, me), me$cycles))
  expect_match(format(publication(half, me)), "total 100,000", fixed = TRUE, all = FALSE)
  expect_plain(said_by(posterior(publication(half, me))))
  expect_plain(capture.output(print(explain(posterior(publication(half, me)), 1))))
  wide <- sdc_table(plain_table(matrix(c(1, 1e5, 1e5, 1e5), 2)))
  expect_plain(said_by(release_greedy(wide, risk_width(2, at_risk = 1)),
                       critical_widths(wide, at_risk = 1)))
})

test_that("property: limits in messages and the report have no E-notation", {
  x <- sdc_table(plain_table(matrix(c(0, 1e5, 1e5, 0), 2)))
  set <- cycles_banded(x, group = 2, seed = 1)
  text <- tryCatch(tune(x, set, alpha = seq(.01, .25, length.out = 1001)), error = conditionMessage)
  expect_match(text, "The grid has 1,001", fixed = TRUE)
  text <- tryCatch(mechanism(set, covers = 1e9), error = conditionMessage)
  expect_match(text, "2,000,000,000", fixed = TRUE)
  skip_if_not_installed("ggplot2")
  me <- mechanism(set, covers = 1)
  folder <- withr::local_tempdir()
  page <- write_report(posterior(publication(x, me)), file.path(folder, "r"), small = 1e5)
  expect_plain(gsub("<img[^>]*>", "", readLines(page)))
})

test_that("oracle: files for machines hold round counts as plain digits", {
  x <- sdc_table(plain_table(matrix(c(0, 1e5, 1e5, 3e5), 2)))
  folder <- withr::local_tempdir()
  me <- mechanism(cycles_banded(x, group = 2, seed = 1), covers = 1)
  write_publication(publication(x, me), file.path(folder, "p"))
  csv <- utils::read.csv(file.path(folder, "p", "table.csv"), colClasses = "character")
  expect_identical(csv$count, c("0", "100000", "100000", "300000"))
  expect_plain(gsub("\"[0-9a-f]{16,}\"", "", readLines(file.path(folder, "p", "mechanism.json"))))
  for (kind in names(table_formats)) {
    text <- paste(write_table_format(x, kind), collapse = "\n")
    expect_match(text, "(?<![0-9])100000(?![0-9])", perl = TRUE)
    expect_no_match(text, "1e+05", fixed = TRUE)
  }
  expect_identical(to_json(list(n = 1e5)), "{\"n\":100000}")
})

test_that("property: one file writes numbers for people", {
  lines <- source_lines("R", "[.]R$")
  expect_identical(grep("big[.]mark", grep("^base-words[.]R", names(lines), invert = TRUE,
                                           value = TRUE)), integer())
  marked <- names(lines)[grepl("big[.]mark", lines)]
  expect_gt(length(marked), 0)
  # of the table of a report the user says how thousands are parted
  expect_identical(unique(sub(":.*", "", marked)), c("base-words.R", "publication-marks.R"))
})

test_that("property: singular and plural go by numbers beyond the whole ones of R", {
  n <- 1e10
  expect_identical(say("{n} cell{?s} {?is/are} zero"), "10,000,000,000 cells are zero")
  expect_identical(say("{1} cell{?s}", if (n < 1) "none", "{0} entr{?y/ies}"),
                   c("1 cell", "0 entries"))
  expect_error(abort_sdc("input", "{n} cell{?s} {?is/are} too many."),
               "10,000,000,000 cells are too many", fixed = TRUE)
})

test_that("property: sentences stand where they are said, so that no label is read as code", {
  written <- function(part) {
    if (!is.call(part)) return(is.character(part))
    kind <- as.character(part[[1]])[1]
    kind %in% c("if", "switch") && all(vapply(as.list(part)[-(1:2)], written, NA))
  }
  unsafe <- character()
  walk <- function(code, name) {
    if (is.call(code) && identical(code[[1]], quote(say))) {
      parts <- as.list(code)[-1]
      if (!all(vapply(parts, written, NA))) unsafe <<- c(unsafe, name)
    }
    if (is.call(code)) for (part in as.list(code)) if (!missing(part)) walk(part, name)
  }
  # some functions have a say() of their own
  own <- function(f) "say" %in% names(formals(f)) || any(grepl("say <- ", deparse(body(f))))
  ns <- asNamespace("sdcLattice")
  for (name in ls(ns, all.names = TRUE)) {
    each <- if (is.list(ns[[name]])) unlist(ns[[name]]) else list(ns[[name]])
    for (f in Filter(is.function, each)) if (!own(f)) walk(body(f), name)
  }
  expect_identical(unsafe, character())
  expect_false(written(quote(paste("a", x))))
})
