set <- cycles_banded(matrix(0, 4, 5), group = 2, seed = 2)

test_that("property: a sequence that repeats a permutation is that permutation", {
  a <- mechanism(set, covers = 3, order = 10:1)
  b <- mechanism(set, covers = 3, order = rep(10:1, 3))
  expect_true(identical(a, b))
  c <- mechanism(set, covers = 2, order = c(1:10, 10:1))
  expect_identical(c$order, c(1:10, 10:1))
  expect_identical(steps_of(a), rep(10:1, 3))
  expect_identical(mechanism(set)$order, 1:10)
})

test_that("property: a cover of triads and pairs, in any order that holds it", {
  mixed <- cycles_banded(matrix(0, 5, 3), seed = 4)
  cover <- c(1:9, 10:12, 10:12)
  me <- mechanism(mixed, covers = 2)
  expect_identical(me$order, cover)
  expect_identical(steps_of(me), rep(cover, 2))
  expect_identical(mechanism(mixed, covers = 2, order = rep(cover, 2)), me)
  set.seed(1)
  any <- sample(cover)
  expect_identical(mechanism(mixed, covers = 3, order = rep(any, 3)),
                   mechanism(mixed, covers = 3, order = any))
  twice <- c(sample(cover), any)
  expect_identical(mechanism(mixed, covers = 2, order = twice)$order, twice)
  uneven <- c(cover[-15], cover, 12L)
  expect_identical(mechanism(mixed, covers = 2, order = uneven)$order, uneven)
  expect_equal(summary(me)$variance, rep(2 * 4 * .5, 15))
  expect_snapshot({
    me
    mechanism(mixed, order = rev(cover))
    mechanism(mixed, order = c(1:12, 1:3))
    mechanism(mixed, order = 1:12)
  }, error = TRUE)
})

test_that("property: a set that skips zeros has its own order and zero rule", {
  skipping <- cycles_banded(matrix(0, 5, 3), seed = 4, skip_zeros = TRUE)
  me <- mechanism(skipping, covers = 2)
  expect_identical(mechanism(skipping, covers = 2, order = rep(cover_order(skipping), 2)), me)
  expect_snapshot(error = TRUE, {
    me
    mechanism(skipping, zero_rule = "nonnegative")
    mechanism(skipping, zero_rule = "none")
    mechanism(skipping, order = rev(cover_order(skipping)))
    cycles_banded(matrix(0, 3, 3), skip_zeros = NA)
    cycles_banded(matrix(0, 3, 3), group = 2, skip_zeros = TRUE)
  })
})

test_that("published: variance without blocking is Lenz's 2 r (a + b - (a - b)^2)", {
  for (r in 1:3) {
    found <- summary(mechanism(set, alpha = .3, beta = .1, covers = r))
    expect_equal(found$variance, rep(2 * r * (.4 - .04), 20))
    expect_equal(found$mean, rep(0, 20))
    expect_equal(found$chance, rep(.4, 10))
  }
})

test_that("oracle: variance and mean of user's moves by enumeration of the coins", {
  x <- plain_table(matrix(100, 2, 2))
  move <- matrix(c(1, -1, -1, 1), 2)
  me <- mechanism(cycles(list(move, 2 * move), x), alpha = c(.3, .2), beta = c(.1, .5))
  coins <- all_coins(2)
  weight <- mapply(function(s, t) {
    c(.1, .6, .3)[s + 2] * c(.5, .3, .2)[t + 2]
  }, coins[, 1], coins[, 2])
  change <- coins[, 1] + 2 * coins[, 2]
  mean <- sum(weight * change)
  found <- summary(me)
  expect_equal(found$mean, mean * as.vector(move))
  expect_equal(found$variance, rep(sum(weight * (change - mean)^2), 4))
})

test_that("snapshot: print and summary", {
  expect_snapshot({
    mechanism(set)
    mechanism(set, alpha = seq(.1, .2, length.out = 10), covers = 2, order = 10:1, zero_rule = "nonnegative")
    mechanism(set, zero_rule = "roehrig")
    mechanism(cycles(list(matrix(c(1, -1, -1, 1), 2)), matrix(0, 2, 2)))
    summary(mechanism(set, alpha = .3, beta = .2, covers = 2))
  })
})

test_that("snapshot: errors", {
  expect_snapshot(error = TRUE, {
    mechanism("cycles")
    mechanism(set, alpha = .6, beta = .5)
    mechanism(set, alpha = -.1)
    mechanism(set, beta = NA_real_)
    mechanism(set, alpha = c(.1, .2))
    mechanism(set, alpha = rep(c(.1, 2), 5))
    mechanism(set, alpha = rep(c(.1, .8), 5))
    mechanism(set, alpha = "a")
    mechanism(set, covers = 0)
    mechanism(set, covers = 1.5)
    mechanism(set, covers = 1e9)
    mechanism(set, order = 1:9)
    mechanism(set, order = c(1:9, 9))
    mechanism(set, order = c(1:9, 11))
    mechanism(set, covers = 2, order = c(1:10, 1:9, 9))
    mechanism(set, order = "a")
    mechanism(set, zero_rule = "other")
    summary(mechanism(set), covers = 2)
  })
})

test_that("property: probabilities at their limits are taken", {
  expect_no_error(mechanism(set, alpha = 1, beta = 0))
  expect_no_error(mechanism(set, alpha = 0, beta = 0))
  expect_no_error(mechanism(set, alpha = .7, beta = .3))
  expect_no_error(mechanism(set, alpha = 1L, beta = 0L))
})
