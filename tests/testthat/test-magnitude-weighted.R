# Weighted counts: estimates are published, and respondents are protected.

survey_people <- function(n = 60, weights = c(1, 1.5, 2.25, 8)) {
  data.frame(
    a = factor(sample(letters[1:4], n, TRUE, c(6, 4, 2, 1)), letters[1:4]),
    b = factor(sample(LETTERS[1:3], n, TRUE), LETTERS[1:3]), w = sample(weights, n, TRUE)
  )
}

test_that("oracle: estimates are sums of weights, with the respondents beside them", {
  tree <- data.frame(parent = c("all", "all", "x", "x", "y", "y"),
                     child = c("x", "y", "a", "b", "c", "d"))
  below <- list(x = c("a", "b"), y = c("c", "d"), all = letters[1:4])
  for (seed in 1:3) {
    withr::local_seed(seed)
    d <- survey_people()
    x <- weighted_table(d, ~ a + b, "w", hierarchies = list(a = tree))
    cells <- as.data.frame(x, totals = TRUE)
    for (i in seq_len(nrow(cells))) {
      a <- as.character(cells$a[i])
      rows <- d$a %in% (if (a %in% names(below)) below[[a]] else a) &
        (cells$b[i] == "Total" | d$b == as.character(cells$b[i]))
      expect_identical(cells$estimate[i], sum(d$w[rows]))
      expect_identical(cells$respondents[i], as.numeric(sum(rows)))
    }
    expect_identical(sum(cells$respondents[cells$a == "all" & cells$b == "Total"]), 60)
    expect_identical(as.array(respondents(x)), as.array(sdc_table(d[c("a", "b")], drop_unused = FALSE)))
    expect_equal(as.table(x), xtabs(w ~ a + b, d), ignore_attr = TRUE)
    expect_identical(as.data.frame(x)$estimate,
                     subset(cells, a %in% letters[1:4] & b != "Total")$estimate)
  }
})

test_that("property: trees and crossings go with the estimates and with the respondents", {
  withr::local_seed(5)
  d <- survey_people()
  tree <- data.frame(parent = c("all", "all", "x", "x", "y", "y"),
                     child = c("x", "y", "a", "b", "c", "d"))
  x <- weighted_table(d, c("a", "b"), "w", hierarchies = list(a = tree), formula = ~ a + b)
  counts <- sdc_table(d[c("a", "b")], hierarchies = list(a = tree), formula = ~ a + b,
                      drop_unused = FALSE)
  expect_equal(as.data.frame(respondents(x), totals = TRUE), as.data.frame(counts, totals = TRUE))
  su <- suppress(x, maxN = 0, pattern = data.frame(a = "all", b = "A", suppressed = TRUE))
  expect_identical(su$cells$sdcStatus[su$cells$a == "a" & su$cells$b == "A"], "n")
  shown <- as.data.frame(x, totals = TRUE)
  expect_false(any(shown$a != "all" & shown$b != "Total"))
  expect_identical(nrow(shown), nrow(as.data.frame(counts, totals = TRUE)))
})

test_that("oracle: the rule is on respondents, of totals too, and zeros are published", {
  sizes <- NULL
  for (seed in 1:5) {
    withr::local_seed(seed)
    d <- survey_people(40)
    x <- weighted_table(d, c("a", "b"), "w")
    counts <- sdc_table(d[c("a", "b")], drop_unused = FALSE)
    pattern <- array(seq_len(12) %% 2 == 0, c(4, 3))
    su <- suppress(x, maxN = 2, pattern = pattern, audit = FALSE)
    plain <- suppress(counts, maxN = 2, pattern = pattern, audit = FALSE)
    expect_identical(su$cells$count, plain$cells$freq)
    expect_identical(nzchar(su$cells$rules), plain$cells$freq %in% 1:2)
    expect_identical(su$cells$sdcStatus, plain$cells$sdcStatus)
    expect_identical(sum(sensitive(x, 3, totals = TRUE)$sdcStatus == "u"),
                     sum(plain$cells$freq %in% 1:2))
    sizes <- c(sizes, plain$cells$freq)
  }
  expect_gt(sum(sizes %in% 1:2), 10)
  expect_gt(sum(sizes == 0), 0)
})

test_that("property: a publication holds estimates, and who has no part learns no primary one", {
  skip_if_not_installed("GaussSuppression")
  withr::local_seed(11)
  d <- survey_people(80)
  x <- weighted_table(d, c("a", "b"), "w")
  su <- suppress(x, maxN = 3)
  pub <- publish(su)
  expect_s3_class(pub, "sdc_magnitude_suppressed")
  shown <- as.data.frame(pub)
  expect_identical(names(shown), c("a", "b", "total", "suppressed"))
  true <- merge(shown, as.data.frame(x, totals = TRUE), by = c("a", "b"))
  kept <- !true$suppressed
  expect_identical(true$total[kept], true$estimate[kept])
  expect_true(all(true$suppressed[true$respondents <= 3]))
  found <- audit(su, progress = FALSE)
  expect_identical(found$failures, 0L)
  # each interval holds the true estimate
  cells <- merge(as.data.frame(found), true, by = c("a", "b"))
  expect_true(all(cells$lower <= cells$estimate & cells$estimate <= cells$upper))
})

test_that("oracle: designs give what svytable() gives, and the numbers of their records", {
  skip_if_not_installed("survey")
  data("api", package = "survey", envir = environment())
  strata <- survey::svydesign(id = ~1, strata = ~stype, weights = ~pw, data = apistrat, fpc = ~fpc)
  clusters <- survey::svydesign(id = ~ dnum + snum, fpc = ~ fpc1 + fpc2, data = apiclus2)
  designs <- list(
    strata, clusters, subset(strata, stype != "M"), survey::as.svrepdesign(strata),
    survey::calibrate(strata, ~ api99, c(6194, 3914069))
  )
  for (design in designs) {
    x <- weighted_table(design, ~ stype + sch.wide)
    expected <- survey::svytable(~ stype + sch.wide, design)
    expect_equal(as.array(as.table(x)), as.array(expected), ignore_attr = TRUE, tolerance = 1e-12)
    weights <- if (inherits(design, "svyrep.design")) weights(design, "sampling") else
      weights(design)
    expect_equal(as.array(respondents(x)),
                 unclass(table(design$variables[weights > 0, c("stype", "sch.wide")])),
                 ignore_attr = TRUE)
  }
  # calibrated weights have no unit, and are published as whole persons
  expect_error(suppress(x, maxN = 3), "weighted_table", class = "sdc_error_input")
  whole <- weighted_table(design, ~ stype + sch.wide, unit = 1, round = TRUE)
  expect_identical(sum(whole), sum(round(weights(design))))
  expect_error(sdc_table(expected), "weighted_table", class = "sdc_error_input")
  expect_error(as_sdc_table(round(expected)), "weighted_table", class = "sdc_error_input")
  expect_error(sdc_table(strata), "weighted_table", class = "sdc_error_input")
})

test_that("property: a table of estimates takes its respondents from a table of counts", {
  skip_if_not_installed("survey")
  withr::local_seed(3)
  d <- survey_people(50)
  design <- survey::svydesign(ids = ~1, weights = ~w, data = d)
  estimates <- survey::svytable(~ a + b, design)
  counts <- table(d$a, d$b, dnn = c("a", "b"))
  x <- weighted_table(estimates, counts)
  exact <- weighted_table(design, ~ a + b)
  expect_equal(as.data.frame(x, totals = TRUE), as.data.frame(exact, totals = TRUE))
  expect_identical(x$unit, exact$unit)
  for (part in split(x$value, rep(seq_along(x$cell), diff(x$start)))) {
    expect_lte(max(part) - min(part), 1)
  }
  bad <- function(...) expect_error(weighted_table(...), class = "sdc_error_input")
  bad(estimates)
  expect_error(weighted_table(estimates, counts[4:1, ]), "levels of \"a\"",
               class = "sdc_error_input")
  expect_error(weighted_table(estimates, t(counts)), "\"b\" and \"a\"", class = "sdc_error_input")
  bad(estimates, 0 * counts)
  bad(estimates, replace(counts, 1, 0))
  bad(-estimates, counts)
  bad(replace(estimates, 2, NA), counts)
})

test_that("property: bad records are refused, and those of weight 0 are no respondents", {
  d <- data.frame(a = c("x", "x", "y"), w = c(1.5, 0, 2))
  x <- weighted_table(d, "a", "w")
  expect_identical(as.data.frame(x)$respondents, c(1, 1))
  # a weight that is rounded to 0 is one of a respondent
  few <- weighted_table(transform(d, w = c(1.5, 0.2, 2)), "a", "w", unit = 1, round = TRUE)
  expect_identical(as.data.frame(few)$respondents, c(2, 1))
  bad <- function(...) expect_error(weighted_table(...), class = "sdc_error_input")
  bad()
  bad(1:3)
  bad(d)
  bad(d, "a")
  bad(d, "a", "a")
  bad(d, "b", "w")
  bad(d, "a", "w", freqVar = "w")
  bad(d[0, ], "a", "w")
  bad(transform(d, w = 0), "a", "w")
  bad(transform(d, w = -w), "a", "w")
  bad(transform(d, w = NA), "a", "w")
  bad(transform(d, a = NA_character_), "a", "w")
  bad(d, "a", "w", unit = 1)
  expect_error(respondents(d), class = "sdc_error_input")
  expect_error(suppress(x, maxN = 1.5), class = "sdc_error_input")
  expect_error(as.data.frame(weighted_table(data.frame(estimate = "a", w = 1), "estimate", "w")),
               class = "sdc_error_input")
  expect_identical(names(dimnames(respondents(
    weighted_table(data.frame(respondents = "a", w = 1), "respondents", "w")
  ))), "respondents")
})

test_that("snapshot: weighted counts", {
  d <- data.frame(a = rep(c("x", "y", "z"), 2:4), w = c(1.5, 2, 3, 4, 5, 2.5, 3, 4, 5))
  x <- weighted_table(d, "a", "w")
  expect_snapshot({
    x
    summary(x)
    explain(x)
    suppress(x, maxN = 2, pattern = c(TRUE, TRUE, FALSE))
  })
  expect_snapshot(error = TRUE, {
    sdc_table(d, "a", weightVar = "w")
    weighted_table(d, "a", "w", unit = 1)
    weighted_table(1:3)
    weighted_table(table(d$a), 3 * table(d$a)[c(2, 1, 3)])
  })
})
