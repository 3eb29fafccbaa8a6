# Weighted magnitudes: each record one contributor, or as many as its weight says.

# The cell that a sample stands for, by its definition: each contribution is repeated as often as
# its weight says, in parts of 1 / `parts`, and `parts` of them, largest first, make one.
inflated <- function(value, weight, parts = 1) {
  list <- sort(rep(value, round(weight * parts)), decreasing = TRUE) / parts
  unname(vapply(split(list, (seq_along(list) - 1) %/% parts), sum, 0))
}

# What the rules say of it; thresholds count respondents.
twin_sample <- function(value, weight, rules, parts = 1) {
  list <- inflated(value, weight, parts)
  any(mapply(function(kind, n, percent) {
    twin_fires(if (kind == "threshold") value else list, kind, n, percent / 1e6)
  }, rules$kind, rules$n, rules$percent))
}

sample_records <- function(n, weights) {
  data.frame(
    a = sample(letters[1:5], n, TRUE), b = sample(1:3, n, TRUE),
    v = ceiling(exp(rnorm(n, 3, 1.4))), w = sample(weights, n, TRUE), who = seq_len(n)
  )
}

test_that("published: the example of the tau-ARGUS manual 4.1, section 4.4.4, weights 4 and 7", {
  d <- data.frame(cell = "c", v = c(100, 10), w = c(4, 7))
  rule <- rule_p_percent(50)
  sample <- sensitive(magnitude_table(d, "cell", "v", weightVar = "w", weights = "sample"), rule)
  expect_identical(sample$total, 470)
  expect_identical(c(sample$share1, sample$share2), c(100, 100) / 470 * 100)
  expect_identical(sample$sdcStatus, "s")
  single <- sensitive(magnitude_table(d, "cell", "v", weightVar = "w"), rule)
  expect_identical(single$total, 470)
  expect_identical(c(single$share1, single$share2), c(400, 70) / 470 * 100)
  expect_identical(single$sdcStatus, "u")
  unweighted <- sensitive(magnitude_table(d, "cell", "v"), rule)
  expect_identical(unweighted$total, 110)
})

test_that("oracle: cells and totals of a sample are those of the repeated list", {
  rules <- c(rule_threshold(3), rule_nk(1, 60), rule_nk(3, 85), rule_p_percent(15))
  seen <- NULL
  for (seed in 1:6) {
    withr::local_seed(seed)
    parts <- c(1, 2, 4)[seed %% 3 + 1]
    d <- sample_records(60, c(0:6, 12) / parts)
    x <- magnitude_table(d, c("a", "b"), "v", weightVar = "w", weights = "sample")
    s <- sensitive(x, rules, totals = TRUE)
    for (i in seq_len(nrow(s))) {
      rows <- which((s$a[i] == "Total" | d$a == s$a[i]) & (s$b[i] == "Total" | d$b == s$b[i]))
      expect_equal(s$total[i], sum(d$v[rows] * d$w[rows]), tolerance = 1e-14)
      expect_identical(s$count[i], as.numeric(length(rows)))
      list <- inflated(d$v[rows], d$w[rows], parts)
      expect_equal(s$share1[i], if (length(list) > 0) 100 * list[1] / sum(list) else NA_real_)
      expect_identical(s$sdcStatus[i] == "u", twin_sample(d$v[rows], d$w[rows], rules, parts))
    }
    seen <- c(seen, s$sdcStatus)
  }
  expect_gt(min(table(seen)), 20)
})

test_that("oracle: holdings have one weight and are added up before they are repeated", {
  rules <- c(rule_nk(2, 60), rule_p_percent(20))
  seen <- NULL
  for (seed in 1:4) {
    withr::local_seed(seed)
    d <- sample_records(60, 1)
    d$who <- sample(20, 60, TRUE)
    d$w <- sample(c(1, 1.5, 2, 4), 20, TRUE)[d$who]
    x <- magnitude_table(d, c("a", "b"), "v", "who", "w", weights = "sample")
    s <- sensitive(x, rules, totals = TRUE)
    for (i in seq_len(nrow(s))) {
      rows <- which((s$a[i] == "Total" | d$a == s$a[i]) & (s$b[i] == "Total" | d$b == s$b[i]))
      size <- tapply(d$v[rows], d$who[rows], sum)
      weight <- tapply(d$w[rows], d$who[rows], max)
      expect_identical(s$sdcStatus[i] == "u", twin_sample(size, weight, rules, 2))
    }
    seen <- c(seen, s$sdcStatus)
    expect_equal(as.data.frame(x)$weight, d$w[match(as.data.frame(x)$contributor, d$who)])
  }
  expect_gt(min(table(seen)), 15)
})

test_that("oracle: dominance and p percent are those of GaussSuppression with domWeightMethod", {
  skip_if_not_installed("GaussSuppression")
  for (seed in 1:4) {
    withr::local_seed(seed)
    d <- sample_records(70, c(1, 1.25, 2, 3.5, 8))
    x <- magnitude_table(d, c("a", "b"), "v", weightVar = "w", weights = "sample")
    theirs <- function(...) {
      m <- SSBtools::ModelMatrix(d, formula = ~ a * b, crossTable = TRUE)
      found <- GaussSuppression::MagnitudeRule(
        d, x = m$modelMatrix, crossTable = m$crossTable, numVar = "v", sWeightVar = "w",
        domWeightMethod = "tauargus", ...
      )
      out <- if (is.list(found)) found$primary else found
      rlang::set_names(out, paste(m$crossTable$a, m$crossTable$b))
    }
    ours <- function(rule) {
      s <- sensitive(x, rule, totals = TRUE)
      rlang::set_names(s$sdcStatus == "u", paste(s$a, s$b))
    }
    for (case in list(list(rule_nk(2, 55), n = 2, k = 55), list(rule_nk(1, 40), n = 1, k = 40),
                      list(rule_p_percent(30), pPercent = 30))) {
      a <- ours(case[[1]])
      b <- do.call(theirs, case[-1])
      expect_identical(a, b[names(a)])
    }
  }
})

test_that("property: a sample is never stricter than a population, nor are weights of one", {
  rules <- c(rule_nk(2, 70), rule_p_percent(25), rule_threshold(3))
  stricter <- 0
  for (seed in 1:10) {
    withr::local_seed(seed)
    d <- sample_records(50, c(1, 2, 3.25, 9))
    make <- function(data, weights) {
      x <- magnitude_table(data, c("a", "b"), "v", weightVar = "w", weights = weights)
      sensitive(x, rules, totals = TRUE)
    }
    a <- make(d, "sample")
    b <- make(d, "population")
    expect_identical(a$total, b$total)
    expect_false(any(a$sdcStatus == "u" & b$sdcStatus == "s"))
    stricter <- stricter + sum(a$sdcStatus == "s" & b$sdcStatus == "u")
    d$w <- 1
    expect_equal(make(d, "sample"), make(d, "population"))
  }
  expect_gt(stricter, 50)
})

test_that("property: a suppressed sample is judged, audited and published by its own reading", {
  withr::local_seed(4)
  d <- sample_records(60, c(1, 2, 5))
  x <- magnitude_table(d, c("a", "b"), "v", weightVar = "w", weights = "sample")
  rules <- c(rule_p_percent(15), rule_nk(2, 60))
  primary <- sensitive(x, rules, totals = TRUE)
  hidden <- array(TRUE, dim(x))
  su <- suppress(x, rules, pattern = hidden)
  cells <- as.data.frame(su)
  at <- match(paste(primary$a, primary$b), paste(cells$a, cells$b))
  expect_identical(cells$rules[at], primary$rules)
  expect_s3_class(publish(su, insist = TRUE), "sdc_magnitude_suppressed")
  # weights of one: the audit is that of the plain table, sums of cells included
  for (seed in 1:5) {
    withr::local_seed(seed)
    d <- sample_records(40, 1)
    hidden <- array(runif(15) < .5, c(5, 3))
    audited <- function(...) {
      y <- magnitude_table(transform(d, a = factor(a, letters[1:5])), c("a", "b"), "v", ...)
      as.data.frame(summary(audit(suppress(y, rules, pattern = hidden, audit = FALSE))))
    }
    expect_equal(audited(weightVar = "w", weights = "sample"), audited())
  }
})

test_that("property: no sensitive sum of a sample is missed", {
  rules <- c(rule_p_percent(20), rule_nk(2, 75))
  sensitive_sums <- 0
  for (seed in seq_len(rounds(13, 25))) {
    withr::local_seed(seed)
    d <- data.frame(a = factor(rep(1:5, 3)), v = ceiling(exp(rnorm(15, 3, 3))),
                    w = sample(c(.5, 1, 1, 2), 15, TRUE))
    x <- magnitude_table(d, "a", "v", weightVar = "w", weights = "sample")
    hidden <- runif(5) < .6
    if (sum(hidden) < 2) next
    found <- audit(suppress(x, rules, pattern = hidden, audit = FALSE))
    # the published total less the published cells
    rows <- hidden[as.integer(d$a)]
    expected <- twin_sample(d$v[rows], d$w[rows], rules, 2)
    sensitive_sums <- sensitive_sums + expected
    expect_identical(found$counts[["unions"]] > 0, expected)
    if (!expected && min(d$w[rows]) >= 1) expect_identical(found$counts[["unions_unsure"]], 0)
  }
  expect_gt(sensitive_sums, rounds(1, 2))
})

test_that("oracle: no sum that follows by differences of totals is missed either", {
  rules <- rule_p_percent(25)
  sensitive_sums <- unsure <- 0
  for (seed in seq_len(rounds(13, 25))) {
    withr::local_seed(seed)
    d <- data.frame(a = factor(sample(3, 22, TRUE), 1:3), b = factor(sample(3, 22, TRUE), 1:3),
                    v = ceiling(exp(rnorm(22, 3, 2))), w = sample(c(.5, 1, 1, 2, 3), 22, TRUE))
    x <- magnitude_table(d, c("a", "b"), "v", weightVar = "w", weights = "sample")
    su <- suppress(x, rules, pattern = array(runif(9) < .6, c(3, 3)), audit = FALSE)
    audited <- audit(su, progress = FALSE, readers = "outsider")
    found <- as.data.frame(audited)
    cells <- su$cells
    inner <- which(cells$a != "Total" & cells$b != "Total")
    m <- t(vapply(which(!cells$sdcStatus %in% c("u", "x")), function(i) {
      as.numeric((cells$a[i] == "Total" | cells$a[inner] == cells$a[i]) &
                   (cells$b[i] == "Total" | cells$b[inner] == cells$b[i]))
    }, numeric(9)))
    open <- paste(cells$a, cells$b)[inner] %in% paste(found$a, found$b)[!found$known]
    sets <- lapply(seq_len(2^sum(open) - 1), function(i) which(open)[bitwAnd(i, 2^(0:8)) > 0])
    expected <- any(vapply(sets[lengths(sets) > 1], function(set) {
      rows <- paste(d$a, d$b) %in% paste(cells$a, cells$b)[inner][set]
      flags <- as.numeric(seq_along(inner) %in% set)
      twin_sample(d$v[rows], d$w[rows], rules, 2) && qr(rbind(m, flags))$rank == qr(m)$rank
    }, NA))
    if (expected) {
      expect_gt(audited$counts[["unions"]] + audited$counts[["unions_unsure"]], 0)
    } else {
      expect_identical(audited$counts[["unions"]], 0L)
    }
    sensitive_sums <- sensitive_sums + expected
    unsure <- unsure + (!expected && audited$counts[["unions_unsure"]] > 0)
  }
  expect_gt(sensitive_sums, rounds(1, 2))
  expect_lt(unsure, 5)
})

test_that("property: bad weights of a sample are refused", {
  d <- data.frame(a = c("x", "x", "y"), v = 1:3, w = c(1, 2, 1), who = c("p", "q", "q"))
  bad <- function(...) {
    expect_error(magnitude_table(d, "a", "v", ...), class = "sdc_error_input")
  }
  bad(weights = "sample")
  bad(weightVar = "w", weights = "samples")
  bad(contributorVar = "who", weightVar = "w", weights = "sample")
  d$w <- c(1, pi, 1)
  bad(weightVar = "w", weights = "sample")
  d$w <- c(1, 2, 2)
  x <- magnitude_table(d, "a", "v", "who", "w", weights = "sample")
  expect_error(redistribute(x, rule_p_percent(10), seed = 1), class = "sdc_error_input")
  x$weight <- x$weight[1]
  expect_error(sensitive(x, rule_p_percent(10)), class = "sdc_error_input")
})

test_that("snapshot: a sample says what it is", {
  d <- data.frame(a = "x", v = c(100, 10), w = c(4, 7))
  expect_snapshot({
    magnitude_table(d, "a", "v", weightVar = "w", weights = "sample")
  })
  expect_snapshot(error = TRUE, {
    magnitude_table(d, "a", "v", weights = "sample")
    magnitude_table(transform(d, who = 1), "a", "v", "who", "w", weights = "sample")
    magnitude_table(transform(d, w = w + pi), "a", "v", weightVar = "w", weights = "sample")
  })
})
