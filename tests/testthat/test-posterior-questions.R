# What readers ask of a posterior beyond single cells. See helper-posterior.R for the slow twin.

test_that("published: the slides' example: number of originals and the most probable one", {
  reference <- read_fixture("A_posterior_4x4.json", simplifyVector = FALSE)
  published <- plain_table(matrix(unlist(reference$published), 4, byrow = TRUE))
  rules <- c(zero = "blocked", neg = "nonnegative", none = "none", slides = "roehrig")
  for (name in names(rules)) {
    expected <- reference$semantics[[name]]
    own <- rules[[name]] %in% c("blocked", "nonnegative")
    me <- mechanism(cycles_bidiagonal(published), zero_rule = if (own) rules[[name]] else "blocked")
    po <- posterior(publication(published, me), zero_rule = if (!own) rules[[name]])
    expect_identical(as.character(count_originals(po)), as.character(expected$n_originals))
    best <- most_probable(po)
    p <- vapply(expected$originals, function(o) o$posterior, 0)
    expect_equal(best$probability, max(p))
    expect_equal(density(po, best$table), best$probability)
    expect_true(best$exact)
  }
})

test_that("published: the exact cases with one and two covers", {
  for (case in read_fixture("G_enumeration_cases.json", simplifyVector = FALSE)) {
    published <- plain_table(matrix(unlist(case$published), case$n, byrow = TRUE))
    me <- mechanism(cycles_bidiagonal(published), fraction(case$alpha), fraction(case$beta),
                    covers = case$r)
    po <- posterior(publication(published, me))
    n <- count_originals(po)
    expect_identical(as.character(n), as.character(case$n_originals))
    expect_identical(as.numeric(n), as.numeric(case$n_originals))
    expect_equal(most_probable(po)$probability, density(po, most_probable(po)$table))
  }
})

test_that("published: numbers of originals and most probable originals of all other cases", {
  for (case in read_fixture("posterior_cases.json", simplifyVector = FALSE)$cases) {
    pub <- case_publication(case)
    for (method in c("auto", if (case$n_originals < 50) "enumeration")) {
      po <- posterior(pub, prior = case_prior(case), method = method)
      expect_identical(as.character(count_originals(po)), as.character(case$n_originals),
                       info = case$name)
      best <- most_probable(po)
      expect_equal(best$probability, fraction(case$map_probability), info = case$name)
      # several may be equally probable
      if (case$map_n_ties == 1) {
        expect_identical(dense_counts(best$table), as.numeric(unlist(case$map_table)),
                         info = case$name)
      }
      expect_equal(density(po, best$table), best$probability)
      expect_equal(best$bound, best$probability)
    }
  }
})

test_that("published: where nothing is blocked a ring has (2 r + 1)^n - (2 r)^n originals", {
  for (r in 1:2) {
    x <- plain_table(rep(1000, 12), c(2, 6))
    po <- posterior(publication(x, mechanism(cycles_banded(x, group = 2, seed = 1), covers = r)))
    expect_identical(as.character(count_originals(po)), as.character((2 * r + 1)^6 - (2 * r)^6))
  }
  # 40 columns: all digits, by exact arithmetic
  x <- plain_table(rep(9, 80), c(2, 40))
  n <- count_originals(posterior(publication(x, mechanism(cycles_banded(x, group = 2, seed = 1)))))
  expect_identical(as.character(n), "12157664359545301025")
})

test_that("oracle: sums of cells, with weights, of all kinds of sets", {
  withr::local_seed(31)
  for (round in seq_len(rounds(6, 24))) {
    pub <- random_question(round)
    slow <- slow_posterior(list(pub))
    po <- posterior(pub, method = if (round %% 6 == 0) "enumeration" else "auto")
    cells <- sample.int(nrow(slow$tables), 4)
    weights <- sample(c(-3:3), 4, replace = TRUE)
    expect_equal(
      law_of_sum(po, cells = cells),
      c(slow_law(slow, colSums(slow$tables[cells, , drop = FALSE])))
    )
    expect_equal(
      law_of_sum(po, cells = cells, weights = weights),
      c(slow_law(slow, colSums(weights * slow$tables[cells, , drop = FALSE])))
    )
  }
})

test_that("oracle: sums under a prior and with two publications", {
  withr::local_seed(32)
  for (round in 1:6) {
    first <- random_question(2)
    second <- drawn_publication(plain_table(dense_counts(first$table), dim(first$table)),
                                first$mechanism)
    lambda <- stats::runif(12, .5, 4)
    slow <- slow_posterior(list(first, second),
                           function(tables) exp(colSums(tables * log(lambda) - lfactorial(tables))))
    po <- posterior(list(first, second), prior_poisson(lambda))
    expect_equal(po$log_evidence, slow$log_evidence)
    expect_equal(law_of_sum(po, cells = c(1, 5, 6)),
                 c(slow_law(slow, colSums(slow$tables[c(1, 5, 6), ]))))
    expect_equal(most_probable(po)$probability, max(slow$p))
  }
})

test_that("property: a kept margin is a point, one cell is its law, and the rest follows from the part", {
  withr::local_seed(33)
  for (round in 1:12) {
    pub <- random_question(round)
    po <- posterior(pub)
    x <- as.array(as.table(pub$table))
    row <- slice.index(x, 1) == 1
    expect_equal(law_of_sum(po, cells = row), stats::setNames(1, sum(x[row])))
    expect_equal(law_of_sum(po, cells = slice.index(x, 2) == 2), stats::setNames(1, sum(x[, 2])))
    expect_equal(law_of_sum(po), stats::setNames(1, sum(x)))
    expect_equal(law_of_sum(po, cells = 2), laws_of(po)[[2]])
    part <- which(row)[1:2]
    rest <- setdiff(which(row), part)
    one <- law_of_sum(po, cells = part)
    expect_equal(rev(unname(one)), unname(law_of_sum(po, cells = rest)))
    # doubled weights double the sum; weights of 0 give 0
    two <- law_of_sum(po, cells = part, weights = c(2, 2))
    expect_equal(unname(two), unname(one))
    expect_equal(as.numeric(names(two)), 2 * as.numeric(names(one)))
    expect_equal(law_of_sum(po, cells = part, weights = c(0, 0)), c("0" = 1))
  }
})

test_that("property: sums of many cells of long tables: margins are known at once, others may be refused", {
  withr::local_seed(34)
  x <- random_table(3, 2000)
  po <- posterior(publication(x, mechanism(cycles_banded(x, seed = 1, open = TRUE))))
  row <- slice.index(x, 1) == 2
  expect_equal(law_of_sum(po, cells = row), stats::setNames(1, sum(x[row])))
  expect_error(posterior_sum(po, cells = which(row)[1:1000], max_products = 1e6),
               class = "sdc_error_too_large")
})

test_that("property: an expectation is told in the labels of the table", {
  po <- posterior(question_publication())
  seen <- NULL
  posterior_expectation(po, function(t) {
    seen <<- dimnames(t)
    1
  }, nsim = 2, seed = 1)
  expect_identical(seen, dimnames(po$publication$table))
  constant <- posterior_expectation(po, function(t) sum(t), nsim = 3, seed = 1)
  expect_equal(constant, data.frame(mean = sum(as.table(po$publication$table)), std_error = 0))
})

test_that("oracle: the distance between readers", {
  withr::local_seed(38)
  for (round in 1:6) {
    pub <- random_question(round)
    a <- posterior(pub)
    b <- posterior(pub, prior_poisson(1))
    c <- posterior(drawn_publication(plain_table(dense_counts(pub$table), dim(pub$table)),
                                     pub$mechanism))
    between <- function(one, two) {
      mapply(function(p, q) {
        values <- union(names(p), names(q))
        p <- ifelse(is.na(p[values]), 0, p[values])
        q <- ifelse(is.na(q[values]), 0, q[values])
        sum(abs(p - q)) / 2
      }, laws_of(one), laws_of(two), USE.NAMES = FALSE)
    }
    found <- compare_readers(a = a, b = b, c = c)
    expect_equal(found$distance, pmax(between(a, b), between(a, c), between(b, c)))
    expect_equal(compare_readers(a = a, b = b)$distance, between(a, b))
    expect_equal(compare_readers(a = a, same = a)$distance, numeric(nrow(found)))
    expect_equal(found$b_mean, as.vector(mean(b)))
    expect_equal(found$c_mode, summary(c)$cells$mode)
    some <- compare_readers(a = a, b = b, cells = c(3, 1))
    expect_equal(some$distance, between(a, b)[c(3, 1)])
    expect_identical(class(as.data.frame(found)), "data.frame")
  }
})

test_that("property: pictures of readers are drawn", {
  skip_if_not_installed("ggplot2")
  po <- posterior(question_publication())
  picture <- ggplot2::autoplot(compare_readers(a = po, b = po))
  expect_s3_class(picture, "ggplot")
  expect_silent(ggplot2::ggplot_build(picture))
})

test_that("property: questions leave the user's stream alone", {
  pub <- question_publication()
  po <- posterior(pub)
  f <- function(t) max(t)
  set.seed(1)
  expected <- stats::runif(1)
  set.seed(1)
  first <- posterior_expectation(po, f, nsim = 20, seed = 3)
  simulated <- posterior(pub, method = "montecarlo", draws = 200, seed = 3)
  count_originals(po)
  most_probable(po)
  posterior_sum(po, 1:2)
  expect_identical(stats::runif(1), expected)
  expect_identical(posterior_expectation(po, f, nsim = 20, seed = 3), first)
  expect_identical(posterior(pub, method = "montecarlo", draws = 200, seed = 3), simulated)
  # without a seed the stream goes on
  set.seed(2)
  a <- posterior_expectation(po, f, nsim = 20)
  b <- posterior_expectation(po, f, nsim = 20)
  set.seed(2)
  expect_identical(posterior_expectation(po, f, nsim = 20), a)
  expect_false(identical(a, b))
})

test_that("property: limits weaken an answer and say so", {
  withr::local_seed(5)
  x <- random_table(3, 30)
  po <- posterior(publication(x, mechanism(cycles_banded(x, seed = 1))))
  exact <- count_originals(po)
  rough <- count_originals(po, max_sets = 1)
  expect_true(exact$exact)
  expect_false(rough$exact)
  expect_gt(as.numeric(rough), as.numeric(exact))
  expect_match(format(rough), "^at most ")
  best <- most_probable(po)
  hasty <- most_probable(po, max_words = 1)
  expect_true(best$exact)
  expect_false(hasty$exact)
  expect_lte(hasty$probability, best$probability * (1 + 1e-9))
  expect_gte(hasty$bound, best$probability * (1 - 1e-9))
  expect_equal(density(po, hasty$table), hasty$probability)
})

test_that("property: counts are exact at any size", {
  n <- new_sdc_count("123456789012345678901234567890", TRUE)
  expect_identical(as.character(n), "123456789012345678901234567890")
  expect_equal(as.numeric(n), 1.2345678901234568e29)
  expect_identical(format(n), "123,456,789,012,345,678,901,234,567,890")
  expect_identical(format(new_sdc_count("7", FALSE)), "at most 7")
  expect_output(print(new_sdc_count("1000", TRUE)), "<sdc_count> 1,000", fixed = TRUE)
})

test_that("snapshot: prints of what a posterior answers", {
  pub <- question_publication()
  po <- posterior(pub)
  symmetric <- publication(pub$table, mechanism(pub$mechanism$cycles, zero_rule = "nonnegative"))
  expect_snapshot({
    count_originals(po)
    count_originals(po, max_sets = 1)
    most_probable(po)
    posterior_sum(po, cells = 1:2)
    posterior_expectation(po, function(t) c(largest = max(t), zeros = sum(t == 0)), nsim = 50, seed = 1)
    posterior(symmetric, method = "montecarlo", draws = 2000, seed = 1)
    posterior(pub, method = "montecarlo", draws = 2000, seed = 1)
    compare_readers(nothing = po, poisson = posterior(pub, prior_poisson(2)))
    compare_readers(nothing = po, poisson = posterior(pub, prior_poisson(2)), cells = 1)
  })
})

test_that("snapshot: bad input is named", {
  pub <- question_publication()
  po <- posterior(pub)
  drawn <- posterior(pub, method = "montecarlo", draws = 200, seed = 1)
  calls <- 0
  varying <- function(t) {
    calls <<- calls + 1
    seq_len(calls)
  }
  other <- posterior(publication(roehrig, mechanism(cycles_bidiagonal(roehrig))))
  expect_snapshot(error = TRUE, {
    count_originals()
    count_originals(3)
    count_originals(drawn)
    count_originals(po, max_sets = 0)
    count_originals(po, progress = NA)
    most_probable(pub)
    most_probable(drawn)
    most_probable(po, max_words = NA)
    posterior_sum(pub)
    posterior_sum(drawn)
    posterior_sum(po, cells = 13)
    posterior_sum(po, cells = 1:2, weights = 1)
    posterior_sum(po, cells = 1:2, weights = c(1, NA))
    posterior_sum(po, cells = 1:2, weights = c(1, .5))
    posterior_sum(po, cells = 1:2, weights = c(1, 1e7))
    posterior_sum(po, cells = 1:2, weights = "a")
    posterior_sum(po, cells = 1:2, weights = c(1e6, 1), max_products = 100)
    posterior_sum(po, max_products = 0)
    posterior_expectation(pub, max)
    posterior_expectation(po)
    posterior_expectation(po, 3)
    posterior_expectation(po, varying)
    posterior_expectation(po, function(t) NA)
    posterior_expectation(po, function(t) "a")
    posterior_expectation(po, function(t) numeric())
    posterior_expectation(po, max, nsim = 1)
    posterior_expectation(po, max, seed = "a")
    compare_readers()
    compare_readers(a = po)
    compare_readers(po, po)
    compare_readers(a = po, a = po)
    compare_readers(a = po, po)
    compare_readers(a = po, b = 3)
    compare_readers(a = po, b = other)
    compare_readers(a = po, b = po, cells = 99)
    density(drawn, pub$table)
  })
})

test_that("property: bad input has its class", {
  po <- posterior(question_publication())
  expect_error(count_originals(3), class = "sdc_error_input")
  expect_error(posterior_sum(po, 1:2, weights = 1), class = "sdc_error_input")
  expect_error(posterior_sum(po, 1:2, weights = c(1e6, 1), max_products = 100),
               class = "sdc_error_too_large")
  expect_error(posterior_expectation(po, function(t) NA), class = "sdc_error_input")
  expect_error(compare_readers(a = po), class = "sdc_error_input")
})
