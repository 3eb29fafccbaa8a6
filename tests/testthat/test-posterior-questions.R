# What readers ask of a posterior beyond single cells. See helper-posterior.R for the slow twin.

random_question <- function(round) {
  dim <- list(c(3, 3), c(4, 3), c(3, 4), c(2, 5))[[1 + round %% 4]]
  x <- plain_table(stats::rpois(prod(dim), 2), dim)
  set <- if (round %% 3 == 0) cycles_bidiagonal(x, walk = "chain") else cycles_banded(x, seed = round, open = TRUE)
  drawn_publication(x, mechanism(
    set, stats::runif(1, .05, .5), stats::runif(1, .05, .5),
    zero_rule = c("blocked", "nonnegative")[1 + (round %/% 4) %% 2]
  ))
}

# A column of probabilities of all changes for each cell.
laws_by_cell <- function(po) {
  at <- cell_laws(po)
  vapply(seq_along(at$law), function(i) {
    if (is.na(at$law[[i]])) return(as.numeric(seq(-po$reach, po$reach) == 0))
    law <- po$laws[, at$law[[i]]]
    if (at$sign[[i]] > 0) law else rev(law)
  }, numeric(2 * po$reach + 1))
}

question_publication <- function() {
  x <- plain_table(matrix(c(4, 2, 3, 1, 5, 2, 6, 0, 3, 2, 2, 1), 3))
  publication(x, mechanism(cycles_banded(x, seed = 3, open = TRUE)))
}

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

test_that("oracle: expectations are within four standard errors of the exact ones", {
  withr::local_seed(35)
  f <- function(t) c(chisq = sum(t^2), largest = max(t), zeros = sum(t == 0), corner = t[1, 1])
  for (round in seq_len(rounds(3, 6))) {
    pub <- random_question(round)
    slow <- slow_posterior(list(pub))
    exact <- apply(slow$tables, 2, function(t) f(matrix(t, dim(pub$table)[[1]]))) %*% slow$p
    for (method in c("auto", "montecarlo")) {
      po <- posterior(pub, method = method, seed = 7)
      found <- posterior_expectation(po, f, nsim = 4000, seed = round)
      expect_identical(rownames(found), c("chisq", "largest", "zeros", "corner"))
      if (method == "auto") expect_true(all(abs(found$mean - exact) <= 4 * found$std_error + 1e-12))
    }
  }
})

test_that("oracle: draws of a symmetric reverse run are independent, and their error is right", {
  withr::local_seed(36)
  x <- plain_table(matrix(c(2, 1, 3, 0, 2, 2, 1, 4, 2, 2, 3, 1), 3))
  pub <- publication(x, mechanism(cycles_banded(x, seed = 1), zero_rule = "nonnegative"))
  exact <- posterior(pub)
  po <- posterior(pub, method = "montecarlo", draws = 2000, seed = 1)
  f <- function(t) t[1, 1]
  several <- replicate(200, posterior_expectation(po, f, nsim = 200)$mean)
  variance <- summary(exact, cells = 1)$cells$sd^2 / 200
  # a ratio of variances of 200 means: four standard errors are .4
  expect_lt(abs(stats::var(several) / variance - 1), .4)
  expect_lt(abs(mean(several) - mean(exact, cells = 1)), 4 * sqrt(variance / 200))
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

test_that("oracle: Monte Carlo agrees with the exact posterior", {
  withr::local_seed(37)
  for (round in seq_len(rounds(8, 16))) {
    pub <- random_question(round)
    n <- length(dense_counts(pub$table))
    prior <- switch(1 + round %% 4, prior_uniform(), prior_poisson(2), prior_at_least(1, 1),
                    prior_weights(matrix(stats::runif(30 * n, .1, 1), n)))
    exact <- tryCatch(posterior(pub, prior), sdc_error_infeasible = function(cnd) NULL)
    if (is.null(exact)) next
    po <- posterior(pub, prior, method = "montecarlo", draws = 20000, seed = round)
    expect_lt(abs(exp(po$log_evidence - exact$log_evidence) - 1), 5 * po$evidence_error + 1e-9)
    apart <- max(abs(laws_by_cell(po) - laws_by_cell(exact)))
    expect_lt(apart, 5 * po$max_error + 1e-9)
    expect_identical(posterior(pub, prior, method = "montecarlo", draws = 20000, seed = round), po)
  }
})

test_that("published: symmetric runs in reverse have evidence 1 and equal weights", {
  for (case in read_fixture("posterior_extra.json", simplifyVector = FALSE)$cases) {
    if (!identical(case$zero_rule, "nonnegative")) next
    published <- plain_table(unlist(case$published), unlist(case$dim))
    set <- cycles_banded(published, groups = list(1:3), rings = 1:3, open = case$open)
    pub <- publication(published, mechanism(set, zero_rule = "nonnegative"))
    po <- posterior(pub, method = "montecarlo", seed = 1)
    expect_identical(po$log_evidence, 0)
    expect_true(po$independent)
    expect_identical(po$evidence_error, 0)
    expect_match(format(po), "independent exact draws", all = FALSE)
    blocked <- posterior(publication(published, mechanism(set)), method = "montecarlo", seed = 1)
    expect_false(any(grepl("independent exact draws", format(blocked))))
    expect_false(blocked$independent)
  }
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

test_that("oracle: the standard errors of probabilities are their spread over many seeds", {
  x <- plain_table(matrix(c(2, 1, 3, 0, 2, 2, 1, 4, 2, 2, 3, 1), 3))
  pub <- publication(x, mechanism(cycles_banded(x, seed = 1)))
  runs <- lapply(1:100, function(seed) {
    as.data.frame(posterior(pub, method = "montecarlo", draws = 1000, seed = seed))
  })
  exact <- as.data.frame(posterior(pub))
  expect_null(exact$std_error)
  key <- function(frame) do.call(paste, unname(frame[c("A", "B", "value")]))
  common <- which(exact$probability > .05 & exact$probability < .95)
  at <- lapply(runs, function(run) match(key(exact)[common], key(run)))
  of <- function(column) mapply(function(run, i) run[[column]][i], runs, at)
  probability <- of("probability")
  error <- of("std_error")
  expect_false(anyNA(error))
  expect_gt(length(common), 20)
  # the spread of 100 runs is known to 7 per cent: four standard errors are .28
  ratio <- sqrt(rowMeans(error^2)) / apply(probability, 1, stats::sd)
  expect_lt(max(abs(ratio - 1)), .35)
  # and the exact probability lies within two errors nearly always
  expect_gt(mean(abs(probability - exact$probability[common]) <= 2 * error), .9)
})

test_that("property: cells that no cycle changes have no error, and the largest is max_error", {
  pub <- question_publication()
  po <- posterior(pub, method = "montecarlo", draws = 400, seed = 1)
  frame <- as.data.frame(po)
  expect_equal(max(frame$std_error), po$max_error)
  still <- plain_table(matrix(0, 4, 4))
  set <- cycles_bidiagonal(still)
  fixed <- posterior(publication(still, mechanism(set)), prior_known(still), method = "montecarlo",
                     draws = 100, seed = 1)
  expect_lt(max(as.data.frame(fixed)$std_error), 1e-12)
})
