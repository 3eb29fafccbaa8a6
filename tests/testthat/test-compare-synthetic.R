test_that("property: the one-way margins are met", {
  set.seed(91)
  for (shape in list(5, c(3, 4), c(2, 3, 4), c(2, 2, 2, 2, 3))) {
    x <- as_sdc_table(plain_table(rpois(prod(shape), 3), shape))
    y <- synthetic_table(x, seed = 1)
    expect_identical(dimnames(y), dimnames(x))
    for (v in names(dimnames(x))) {
      expect_identical(as.table(margin(y, v)), as.table(margin(x, v)))
    }
    expect_identical(synthetic_table(one_way_margins(x), seed = 1), y)
  }
})

test_that("oracle: the law is the hypergeometric one", {
  margins <- list(a = c(u = 3, v = 4), b = c(k = 5, l = 2))
  set.seed(92)
  found <- replicate(3000, as.table(synthetic_table(margins))["u", "k"])
  wanted <- stats::dhyper(0:3, 5, 2, 3)
  off <- tabulate(found + 1, 4) / 3000 - wanted
  expect_true(all(abs(off) <= 5 * sqrt(wanted * (1 - wanted) / 3000)))
})

test_that("property: the user's stream is left alone with a seed", {
  set.seed(5)
  before <- .Random.seed
  a <- synthetic_table(czech_workers, seed = 2)
  expect_identical(.Random.seed, before)
  expect_identical(a, synthetic_table(czech_workers, seed = 2))
  expect_identical(sum(a), sum(as_sdc_table(czech_workers)))
})

test_that("property: an empty table stays empty", {
  expect_identical(sum(synthetic_table(matrix(0, 2, 3), seed = 1)), 0)
})

test_that("snapshot: errors", {
  expect_snapshot(error = TRUE, {
    synthetic_table()
    synthetic_table("table")
    synthetic_table(matrix(-1, 2, 2))
    synthetic_table(list())
    synthetic_table(list(c(u = 1)))
    synthetic_table(list(a = c(u = 1), a = c(v = 1)))
    synthetic_table(list(a = c(1, 2)))
    synthetic_table(list(a = c(u = -1, v = 2)))
    synthetic_table(list(a = c(u = NA, v = 2)))
    synthetic_table(list(a = c(u = 1.5, v = 2)))
    synthetic_table(list(a = c(u = 1, u = 2)))
    synthetic_table(list(a = "u"))
    synthetic_table(list(a = c(u = 1, v = 2), b = c(k = 4)))
    synthetic_table(list(a = c(u = 1e9)))
    synthetic_table(matrix(1, 2, 2), seed = "a")
  })
})
