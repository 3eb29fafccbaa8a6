# Threads share the components of a set; whatever their number, the result is the same, bit by bit.

# Enough laws for several pieces of work.
threads_table <- function(n_rows, n_columns, mean, seed) {
  withr::with_seed(seed, as_sdc_table(matrix(stats::rpois(n_rows * n_columns, mean), n_rows)))
}

same_for_threads <- function(f) {
  one <- f(1)
  for (threads in c(2, 3, 7)) expect_identical(f(threads), one)
  one
}

test_that("property: posteriors do not depend on the number of threads", {
  x <- threads_table(36, 44, 3, 1)
  sets <- list(
    pairs = cycles_banded(x, group = 2, seed = 1), triads = cycles_banded(x, open = TRUE, seed = 2),
    skipping = cycles_banded(x, group = 2, skip_zeros = TRUE, seed = 3)
  )
  for (set in sets) {
    pub <- publish(perturb(x, mechanism(set), seed = 4, insist = TRUE), insist = TRUE)
    for (prior in list(prior_uniform(), prior_poisson(3))) {
      found <- same_for_threads(function(threads) {
        posterior(pub, prior = prior, threads = threads)[c("law", "laws", "reach", "log_evidence")]
      })
      expect_equal(colSums(found$laws), rep(1, ncol(found$laws)))
    }
  }
})

test_that("property: components of different forms, and several publications, with threads", {
  x <- threads_table(36, 44, 2, 5)
  set <- cycles_banded(x, group = 2, seed = 1)
  alpha <- rep(c(.1, .2, .3), length.out = length(set))
  mechanisms <- list(mechanism(set, alpha = alpha, beta = .25), mechanism(set, covers = 2))
  pubs <- lapply(mechanisms, function(me) {
    publish(perturb(x, me, seed = 6, insist = TRUE), insist = TRUE)
  })
  for (asked in list(pubs[[1]], pubs)) {
    same_for_threads(function(threads) {
      po <- posterior(asked, threads = threads)
      withr::with_options(list(sdcLattice.threads = threads), {
        list(po$laws, po$log_evidence, density(po, x, log = TRUE))
      })
    })
  }
})

test_that("property: an impossible publication is one with any number of threads", {
  x <- threads_table(36, 44, 3, 1)
  pub <- publication(x, mechanism(cycles_banded(x, group = 2, seed = 1)))
  prior <- prior_known(x)
  far <- as_sdc_table(as.array(x) + 9)
  for (threads in c(1, 2, 3, 7)) {
    expect_error(posterior(publication(far, pub$mechanism), prior = prior, threads = threads),
                 class = "sdc_error_infeasible")
  }
})

test_that("property: risks and utilities do not depend on the number of threads", {
  x <- threads_table(8, 12, 2, 7)
  me <- mechanism(cycles_banded(x, group = 2, seed = 1), covers = 2)
  n <- rounds(60L, 120L)
  found <- same_for_threads(function(threads) {
    risk_utility(x, me, replicates = n, insider = FALSE, time_limit_s = 1e5, threads = threads)
  })
  expect_identical(found$publications[["cells"]], n)
})

test_that("snapshot: a wrong number of threads", {
  x <- threads_table(4, 4, 3, 1)
  me <- mechanism(cycles_banded(x, group = 2, seed = 1))
  expect_snapshot(error = TRUE, {
    posterior(publication(x, me), threads = 0)
    risk_utility(x, me, threads = 1.5)
  })
})
