# Posteriors by simulation, against exact ones. See helper-posterior.R for the slow twin.

# A column of probabilities of all changes for each cell.
laws_by_cell <- function(po) {
  at <- cell_laws(po)
  vapply(seq_along(at$law), function(i) {
    if (is.na(at$law[[i]])) return(as.numeric(seq(-po$reach, po$reach) == 0))
    law <- po$laws[, at$law[[i]]]
    if (at$sign[[i]] > 0) law else rev(law)
  }, numeric(2 * po$reach + 1))
}

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
