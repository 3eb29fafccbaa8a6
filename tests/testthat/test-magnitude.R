test_that("property: contributors are grouped, and holdings merged", {
  d <- data.frame(a = c("x", "x", "x", "y", "y"), b = c(1, 1, 2, 1, 1), v = c(3, 4, 5, 0, 2),
                  who = c("p", "p", "q", "p", "r"))
  mg <- magnitude_table(d, c("a", "b"), "v", contributorVar = "who")
  expect_identical(as.data.frame(mg)$value, c(7, 2, 0, 5))
  expect_identical(as.data.frame(mg)$contributor, c("p", "r", "p", "q"))
  expect_identical(sum(mg), 14)
  expect_identical(dim(mg), c(2L, 2L))
  s <- sensitive(mg, rule_threshold(3), totals = TRUE)
  total <- s[s$a == "Total" & s$b == "Total", ]
  expect_identical(total$count, 3) # p stands in two cells and counts once
  expect_identical(total$total, 14)
  alone <- magnitude_table(d, c("a", "b"), "v")
  expect_identical(sum(sensitive(alone, rule_threshold(3))$count), 5)
})

test_that("oracle: totals over variables and trees are judged by merged holdings", {
  set.seed(3)
  n <- 300
  d <- data.frame(a = sample(letters[1:6], n, TRUE), b = sample(1:4, n, TRUE),
                  v = ceiling(exp(rnorm(n, 3, 2))), who = sample(40, n, TRUE))
  tree <- data.frame(parent = c("all", "all", rep("low", 2), rep("high", 4)),
                     child = c("low", "high", letters[1:6]))
  mg <- magnitude_table(d, ~ a + b, "v", contributorVar = "who", hierarchies = list(a = tree))
  rules <- c(rule_nk(2, 70), rule_p_percent(20))
  s <- sensitive(mg, rules, totals = TRUE)
  expect_identical(nrow(s), 9L * 5L)
  inside <- list(low = c("a", "b"), high = letters[3:6], all = letters[1:6])
  for (i in seq_len(nrow(s))) {
    a <- as.character(s$a[i])
    b <- as.character(s$b[i])
    rows <- d$a %in% (if (a %in% names(inside)) inside[[a]] else a) & (b == "Total" | d$b == b)
    held <- tapply(d$v[rows], d$who[rows], sum)
    expect_identical(s$total[i], sum(d$v[rows]))
    expect_identical(s$count[i], as.numeric(length(held)))
    expect_identical(s$sdcStatus[i] == "u", twin_sensitive(held, rules))
  }
})

test_that("property: units are found, given, or none", {
  unit <- function(v, ...) magnitude_table(data.frame(a = 1, v = v), "a", "v", ...)$unit
  expect_identical(unit(c(2, 40)), 1)
  expect_identical(unit(c(96.6, 0.1 + 0.2)), 0.1)
  expect_identical(unit(c(1000, 3000), unit = 1000), 1000)
  mg <- magnitude_table(data.frame(a = 1, v = c(96.6, 0.3)), "a", "v")
  expect_identical(sensitive(mg, rule_threshold(1))$total, 96.9)
  logs <- magnitude_table(data.frame(a = 1, v = log(2:9)), "a", "v")
  expect_false(logs$divides)
  expect_equal(sum(logs), sum(log(2:9)), tolerance = 1e-14)
  expect_identical(sum(magnitude_table(data.frame(a = 1, v = c(1.4, 2.7)), "a", "v", unit = 1,
                                       round = TRUE)), 4)
})

test_that("property: weights multiply, negative values are counted or made absolute", {
  d <- data.frame(a = 1, v = c(10, 5, -3), w = c(1, 2, 2))
  e <- rlang::catch_cnd(magnitude_table(d, "a", "v"))
  expect_s3_class(e, "sdc_error_input")
  expect_match(conditionMessage(e), "1 of 3 contributors")
  mg <- magnitude_table(d, "a", "v", weightVar = "w", negative = "absolute")
  s <- sensitive(mg, rule_p_percent(50))
  expect_identical(s$total, 14)
  expect_identical(s$absolute, 26)
  expect_equal(s$share1, 1000 / 26)
  # a correction of the contributor's own record is none
  d$who <- c("p", "q", "p")
  expect_identical(sum(magnitude_table(d, "a", "v", contributorVar = "who")), 12)
})

test_that("property: every bad input has its answer", {
  d <- data.frame(a = c("x", "y"), v = c(1, 2), w = c(1, 1), who = c("p", NA))
  bad <- function(expr, class = "sdc_error_input") expect_error(expr, class = class)
  bad(magnitude_table())
  bad(magnitude_table(d))
  bad(magnitude_table(d, "a"))
  bad(magnitude_table(as.list(d), "a", "v"))
  bad(magnitude_table(d[0, ], "a", "v"))
  bad(magnitude_table(d, "b", "v"))
  bad(magnitude_table(d, "a", "x"))
  bad(magnitude_table(d, "a", "a"))
  bad(magnitude_table(d, "v", "v"))
  bad(magnitude_table(d, "a", "who"))
  bad(magnitude_table(d, "a", "v", contributorVar = "who"))
  bad(magnitude_table(d, "a", "v", weightVar = "who"))
  bad(magnitude_table(transform(d, v = c(1, NA)), "a", "v"))
  bad(magnitude_table(transform(d, v = c(1, Inf)), "a", "v"))
  bad(magnitude_table(transform(d, w = c(1, -1)), "a", "v", weightVar = "w"))
  bad(magnitude_table(transform(d, v = 1e300, w = 1e300), "a", "v", weightVar = "w"),
      "sdc_error_too_large")
  bad(magnitude_table(transform(d, a = c("x", NA)), "a", "v"))
  bad(magnitude_table(transform(d, v = 2^53), "a", "v"), "sdc_error_too_large")
  bad(magnitude_table(transform(d, v = c(.5, 1)), "a", "v", unit = 1))
  bad(magnitude_table(d, "a", "v", unit = 0))
  bad(magnitude_table(d, "a", "v", unit = -1))
  bad(magnitude_table(d, "a", "v", unit = Inf))
  bad(magnitude_table(d, "a", "v", hierarchies = list(b = data.frame(parent = "t", child = "x"))))
  ragged <- structure(list(a = 1:2, v = 1:3), class = "data.frame", row.names = 1:2)
  bad(magnitude_table(ragged, "a", "v"))
  expect_identical(sum(magnitude_table(transform(d, a = c("x", NA)), "a", "v", na = "level")), 3)
  names(d)[1] <- "count"
  bad(sensitive(magnitude_table(d, "count", "v"), rule_threshold(3)))
})

test_that("oracle: real holdings of SSBtools, cells and totals", {
  skip_if_not_installed("SSBtools")
  d <- SSBtools::SSBtoolsData("magnitude1")
  mg <- magnitude_table(d, c("sector4", "geo"), "value", contributorVar = "company")
  expect_identical(mg$unit, 0.1)
  rules <- c(rule_threshold(2), rule_nk(2, 95), rule_p_percent(10))
  s <- sensitive(mg, rules, totals = TRUE)
  expect_identical(nrow(s), 18L)
  for (i in seq_len(nrow(s))) {
    rows <- (s$sector4[i] == "Total" | d$sector4 == s$sector4[i]) &
      (s$geo[i] == "Total" | d$geo == s$geo[i])
    held <- round(10 * tapply(d$value[rows], d$company[rows], sum))
    expect_identical(s$total[i], sum(held) / 10)
    expect_identical(s$sdcStatus[i] == "u", twin_sensitive(held, rules))
  }
})

test_that("snapshot: prints", {
  d <- data.frame(a = c("x", "x", "x", "y", "y", "y"), v = c(132, 99, 12, 40, 35, 30))
  mg <- magnitude_table(d, "a", "v")
  expect_snapshot(mg)
  expect_snapshot(summary(mg))
  s <- sensitive(mg, c(rule_threshold(3), rule_p_percent(10)), totals = TRUE)
  expect_snapshot(s)
  expect_snapshot(summary(s))
})

test_that("property: ready cells are refused, and records are not", {
  cells <- data.frame(region = c("a", "b", "a", "b"), branch = c("x", "x", "y", "y"),
                      total = c(100, 80, 60, 40), n = c(3, 1, 5, 2), max1 = c(60, 80, 20, 30))
  ready <- function(data, ...) magnitude_table(data, c("region", "branch"), "total", ...)
  for (name in c("n", "N", "freq", "Count", "nContr", "n_contributors", "nobs")) {
    named <- rlang::set_names(cells, replace(names(cells), 4, name))
    expect_error(ready(named), class = "sdc_error_input")
    expect_error(ready(named, weightVar = name), class = "sdc_error_input")
  }
  kept <- ready(cells, rows = "records")
  expect_equal(as.data.frame(kept), as.data.frame(ready(cells[1:3])))
  # one record for each cell, a column of ones, firms by name, two records in a cell
  expect_silent(ready(transform(cells, n = 1)))
  expect_silent(ready(rlang::set_names(cells, c("region", "branch", "total", "staff", "max1"))))
  expect_silent(ready(transform(cells, firm = 1:4), contributorVar = "firm"))
  expect_silent(ready(rbind(cells, cells[1, ])))
  expect_silent(ready(transform(cells, n = c(1.5, 2, 3, 4))))
})

test_that("snapshot: ready cells", {
  cells <- data.frame(region = c("a", "b"), total = c(100, 80), n = c(3, 1))
  expect_snapshot(error = TRUE, {
    magnitude_table(cells, "region", "total")
    magnitude_table(cells, "region", "total", rows = "cells")
  })
})

test_that("property: sensitive() says whether totals were judged, as suppress() always does", {
  data <- data.frame(a = rep(c("x", "y", "z"), c(4, 4, 1)), b = rep(c("p", "q"), c(8, 1)),
                     v = c(5, 4, 3, 4, 5, 4, 3, 4, 9))
  mg <- magnitude_table(data, c("a", "b"), "v")
  words <- function(x) capture.output(print(x), print(summary(x)))
  cells <- sensitive(mg, rule_p_percent(10))
  all <- sensitive(mg, rule_p_percent(10), totals = TRUE)
  expect_identical(sum(grepl("totals are not judged", words(cells))), 2L)
  expect_no_match(words(all), "not judged")
  expect_null(attr(as.data.frame(cells), "sdc_totals"))
  su <- suppress(mg, rule_p_percent(10), pattern = matrix(TRUE, 3, 2), audit = FALSE)
  primary <- sum(all$sdcStatus == "u")
  expect_gt(primary, sum(cells$sdcStatus == "u"))
  # the pattern publishes the totals
  expect_match(format(su),
               sprintf("1 of %d primary cells \\(%d of them totals\\) withheld", primary,
                                   primary - 1L), all = FALSE)
})
