random_publication <- function(round) {
  dims <- list(c(3, 3), c(2, 4), c(4, 3), c(2, 2), c(3, 4), c(4, 4))[[1 + round %% 6]]
  published <- plain_table(stats::rpois(prod(dims), 2), dims)
  set <- switch(1 + round %% 4,
    cycles_bidiagonal(published),
    cycles_bidiagonal(published, walk = "chain"),
    if (all(dims == c(3, 4))) cycles_bidiagonal(published) else cycles_banded(published, group = 2,
                                                                              seed = round),
    cycles_bidiagonal(published)
  )
  covers <- if (length(set) <= 3) 1 + round %% 2 else 1
  order <- as.vector(replicate(covers, sample(length(set))))
  me <- mechanism(set, alpha = stats::runif(1, .05, .5), beta = stats::runif(1, .05, .5),
                  covers = covers, order = order,
                  zero_rule = c("blocked", "nonnegative")[1 + (round %/% 3) %% 2])
  publication(published, me)
}

test_that("oracle: forward runs of every original that a draw proposes", {
  withr::local_seed(4)
  for (round in seq_len(rounds(12, 24))) {
    pub <- random_publication(round)
    me <- pub$mechanism
    po <- posterior(pub)
    published <- as.array(as.table(pub$table))
    moves <- as.list(me$cycles)
    sequence <- if (length(me$order) == length(moves)) rep(me$order, me$covers) else me$order
    for (draw in simulate(po, nsim = 3, seed = round)) {
      original <- as.array(as.table(draw))
      likelihood <- forward_likelihood(
        unclass(original), unclass(published), moves, sequence, me$alpha, me$beta, me$zero_rule
      )
      expect_gt(likelihood, 0)
      expect_equal(density(po, draw), likelihood / exp(po$log_evidence), tolerance = 1e-9)
    }
  }
})

test_that("property: message passing equals enumeration, and laws are laws", {
  withr::local_seed(5)
  for (round in seq_len(rounds(15, 120))) {
    pub <- random_publication(round)
    prior <- if (round %% 3 == 0) prior_poisson(stats::runif(1, .5, 4)) else prior_uniform()
    po <- posterior(pub, prior)
    all <- posterior(pub, prior, method = "enumeration")
    expect_equal(po$log_evidence, all$log_evidence)
    expect_equal(laws_of(po), laws_of(all))
    expect_equal(unname(vapply(laws_of(po), sum, 0)), rep(1, prod(dim(pub$table))))
    expect_equal(mean(po), mean(all))
    # margins are kept by every original, so they are known
    expect_equal(rowSums(mean(po)), rowSums(as.table(pub$table)))
  }
})

test_that("property: draws are originals and have the posterior's frequencies", {
  pub <- example_publication()
  po <- posterior(pub)
  draws <- simulate(po, nsim = 3000, seed = 7)
  first <- vapply(draws, function(d) dense_counts(d)[5], 0)
  law <- laws_of(po)[[5]]
  found <- table(factor(first, names(law))) / 3000
  expect_lt(max(abs(found - law)), .05)
  for (d in draws[1:50]) {
    expect_equal(unname(rowSums(as.table(d))), unname(rowSums(as.table(pub$table))))
    expect_gt(density(po, d), 0)
  }
  expect_identical(simulate(po, 2, seed = 3), simulate(po, 2, seed = 3))
})

test_that("property: simulate() leaves the user's stream alone", {
  po <- posterior(example_publication())
  set.seed(1)
  a <- stats::runif(1)
  set.seed(1)
  simulate(po, 1, seed = 9)
  expect_identical(stats::runif(1), a)
})

test_that("property: priors multiply, and known cells are known", {
  pub <- example_publication()
  whole <- data.frame(A = "1", B = "2")
  po <- posterior(pub, prior_poisson(3) * prior_at_least(1, whole))
  law <- laws_of(po)[["1,2"]]
  expect_false("0" %in% names(law))
  insider <- posterior(pub, prior_known(1, whole))
  expect_equal(laws_of(insider)[["1,2"]], c("1" = 1))
  # one known cell of a bidiagonal set gives away its diagonal
  expect_equal(unname(lengths(laws_of(insider)[c("1,2", "2,3", "3,4", "4,1")])), rep(1L, 4))
  expect_output(print(prior_poisson(3) * prior_at_least(1)), "poisson (3) x at least (1)",
                fixed = TRUE)
})

test_that("property: a historical table is a Poisson prior, by table or array", {
  pub <- example_publication()
  old <- as.table(pub$table) + 1
  a <- posterior(pub, prior_poisson(old))
  b <- posterior(pub, prior_poisson(as.vector(old)))
  expect_identical(a$laws, b$laws)
  c <- posterior(pub, prior_poisson(old), method = "enumeration")
  expect_equal(laws_of(a), laws_of(c))
})

test_that("property: summary, quantile and mean agree with the laws", {
  po <- posterior(example_publication())
  laws <- laws_of(po)
  cells <- as.data.frame(summary(po, level = .9))
  values <- lapply(laws, function(l) as.numeric(names(l)))
  expect_equal(cells$mean, unname(mapply(function(l, v) sum(l * v), laws, values)))
  expect_equal(cells$entropy, unname(vapply(laws, function(l) -sum(l * log2(l)), 0)))
  smallest <- function(prob) {
    unname(mapply(function(l, v) v[cumsum(l) >= prob - 1e-12][1], laws, values))
  }
  expect_equal(cells$lower, smallest(.05))
  expect_equal(cells$upper, smallest(.95))
  expect_equal(unname(quantile(po, .5)[, 1]), smallest(.5))
  expect_equal(as.vector(mean(po)), cells$mean)
  expect_equal(mean(po, cells = c(3, 1)), cells$mean[c(3, 1)])
  published <- dense_counts(po$publication$table)
  expect_equal(cells$p_published, unname(mapply(function(l, p) {
    if (as.character(p) %in% names(l)) l[[as.character(p)]] else 0
  }, laws, published)))
})

test_that("property: quantiles and intervals are possible values", {
  po <- posterior(example_publication())
  laws <- laws_of(po)
  lowest <- vapply(laws, function(l) min(as.numeric(names(l))), 0)
  highest <- vapply(laws, function(l) max(as.numeric(names(l))), 0)
  found <- quantile(po, c(0, 1))
  expect_equal(unname(found), unname(cbind(lowest, highest)))
  expect_identical(colnames(quantile(po, c(.025, .5))), c("2.5%", "50%"))
  cells <- as.data.frame(summary(po, level = 1))
  expect_equal(cells$lower, unname(lowest))
  expect_equal(cells$upper, unname(highest))
})

test_that("property: cells can be meant by number, array, index matrix and labels", {
  po <- posterior(example_publication())
  expected <- as.data.frame(po, cells = c(5, 14))
  at <- seq_len(16) %in% c(5, 14)
  expect_identical(as.data.frame(po, cells = array(at, c(4, 4))), expected)
  expect_identical(as.data.frame(po, cells = cbind(c(1, 2), c(2, 4))), expected)
  expect_identical(as.data.frame(po, cells = which(array(at, c(4, 4)), arr.ind = TRUE)), expected)
  expect_identical(as.data.frame(po, cells = data.frame(B = c("2", "4"), A = c(1, 2))), expected)
})

test_that("property: the mechanism's own rule can be named", {
  pub <- example_publication()
  expect_identical(posterior(pub, zero_rule = "blocked"), posterior(pub))
})

test_that("property: a set with a window of two places: Lenz's band and three-row bands", {
  published <- plain_table(matrix(c(2, 1, 3, 0, 2, 2, 1, 4, 2, 2, 3, 1, 5, 0, 2), 3))
  for (set in list(cycles_bidiagonal(published), cycles_banded(published, group = 2, seed = 2))) {
    for (rule in c("blocked", "nonnegative")) {
      pub <- publication(published, mechanism(set, .2, .3, zero_rule = rule))
      po <- posterior(pub)
      expect_equal(laws_of(po), laws_of(posterior(pub, method = "enumeration")))
    }
  }
})

test_that("snapshot: print and summary", {
  po <- posterior(example_publication())
  expect_snapshot({
    po
    summary(po)
    posterior(example_publication(), zero_rule = "roehrig", method = "enumeration")
    as.data.frame(po, cells = data.frame(A = "1", B = "2"))
  })
})

test_that("snapshot: bad input is named", {
  pub <- example_publication()
  po <- posterior(pub)
  clash <- matrix(c(3, 1, 2, 5), 2, dimnames = list(value = c("p", "q"), mean = c("k", "l")))
  clash <- publication(clash, mechanism(cycles_bidiagonal(clash)))
  odd <- pub
  odd$mechanism$alpha <- .9
  long <- plain_table(rep(4, 400), c(20, 20))
  long <- publication(long, mechanism(cycles_bidiagonal(long), covers = 7))
  expect_snapshot(error = TRUE, {
    posterior(roehrig)
    posterior(perturb(pub$table, pub$mechanism, seed = 1, insist = TRUE))
    posterior(pub, prior = 3)
    posterior(pub, prior = prior_at_least(100))
    posterior(pub, prior = prior_known(c(1, 2)))
    posterior(pub, prior = prior_known(1, data.frame(A = "9", B = "1")))
    posterior(pub, prior = prior_known(1, data.frame(A = "1")))
    posterior(pub, prior = prior_poisson(matrix(1, 2, 2)))
    posterior(pub, prior = prior_weights(matrix(1, 2, 2)))
    posterior(pub, zero_rule = "nonnegative")
    posterior(pub, method = "magic")
    posterior(pub, method = "enumeration", max_tables = 5)
    prior_poisson(-1)
    prior_poisson("a")
    prior_at_least(1.5)
    prior_known(numeric())
    prior_uniform() + prior_uniform()
    density(po, matrix(1, 2, 2))
    quantile(po, 2)
    simulate(po, nsim = 0)
    summary(po, level = 2)
    as.data.frame(po, cells = 17)
    as.data.frame(po, cells = cbind(2, 5))
    as.data.frame(po, cell = 1)
    posterior(pub, prior_known(c(15, 16), c(1, 1)))
    as.data.frame(posterior(clash))
    as.data.frame(summary(posterior(clash)))
    posterior(replace(pub, "table", list(as_sdc_table(matrix(1:4, 2)))))
    posterior(replace(pub, "table", list("a")))
    posterior(odd)
    posterior(long, progress = FALSE)
  })
})

test_that("property: bad input has its class", {
  pub <- example_publication()
  expect_error(posterior(roehrig), class = "sdc_error_input")
  expect_error(posterior(pub, prior_at_least(100)), class = "sdc_error_infeasible")
  expect_error(posterior(pub, method = "enumeration", max_tables = 5),
               class = "sdc_error_too_large")
})

test_that("property: pictures are drawn", {
  skip_if_not_installed("ggplot2")
  po <- posterior(example_publication())
  for (what in c("cells", "uncertainty")) {
    picture <- ggplot2::autoplot(po, what = what)
    expect_s3_class(picture, "ggplot")
    expect_silent(ggplot2::ggplot_build(picture))
  }
})

test_that("property: a Poisson prior with one rate says nothing, however extreme the rate", {
  x <- plain_table(rep(5, 16), c(4, 4))
  pub <- publication(x, mechanism(cycles_bidiagonal(x)))
  flat <- posterior(pub, prior_poisson(1))
  for (rate in c(1e-300, 1e-13, 1e300)) {
    po <- posterior(pub, prior_poisson(rate))
    expect_equal(po$laws, flat$laws)
    expect_equal(po$log_evidence, flat$log_evidence + 80 * log(rate))
  }
})

test_that("property: large counts keep the precision of a Poisson prior", {
  for (size in c(1e6, 1e12)) {
    x <- plain_table(rep(size, 9), c(3, 3))
    pub <- publication(x, mechanism(cycles_bidiagonal(x)))
    po <- posterior(pub, prior_poisson(size))
    expect_equal(po$laws, posterior(pub)$laws, tolerance = 1e-5)
  }
})

test_that("snapshot: what must be given", {
  x <- plain_table(matrix(1:4, 2))
  po <- example_publication()
  expect_snapshot(error = TRUE, {
    cycles_bidiagonal()
    cycles_banded()
    cycles()
    cycles(list())
    mechanism()
    perturb(x)
    expected_protection()
    publish()
    publication(x)
    write_publication(po)
    read_publication()
    posterior()
    density(posterior(po))
    write_report(posterior(po))
  })
})

test_that("property: the walk that has an exact posterior is named where there is one", {
  wide <- plain_table(matrix(3, 20, 24))
  cnd <- rlang::catch_cnd(
    posterior(publication(wide, mechanism(cycles_bidiagonal(wide), covers = 2)), progress = FALSE),
    "sdc_error_too_large"
  )
  expect_match(cli::ansi_strip(rlang::cnd_message(cnd)), "walk = \"chain\"", fixed = TRUE)
  chain <- mechanism(cycles_bidiagonal(wide, walk = "chain"), covers = 2)
  expect_s3_class(posterior(publication(wide, chain), progress = FALSE), "sdc_posterior")
  # eight covers are too many for either walk
  many <- lapply(c(lenz = "lenz", chain = "chain"), function(walk) {
    rlang::catch_cnd(
      posterior(publication(wide, mechanism(cycles_bidiagonal(wide, walk), covers = 8)),
                progress = FALSE),
      "sdc_error_too_large"
    )
  })
  for (cnd in many) expect_no_match(rlang::cnd_message(cnd), "chain")
})
