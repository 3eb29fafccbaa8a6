# Population uniques among the uniques of a sample.

test_that("oracle: uniques of a sample are counted one by one", {
  withr::local_seed(91)
  for (i in 1:20) {
    size <- sample(2:4, 3, replace = TRUE)
    population <- plain_table(rpois(prod(size), 1.2), size)
    drawn <- plain_table(rbinom(prod(size), as.vector(population), .5), size)
    found <- sample_uniques(population, drawn)
    expect_equal(found[["sample_uniques"]], sum(drawn == 1))
    expect_equal(found[["population_uniques"]], sum(drawn == 1 & population == 1))
    expect_equal(found[["share"]], sum(drawn == 1 & population == 1) / sum(drawn == 1))
  }
})

test_that("oracle: expected numbers are the means over all samples", {
  counts <- c(1, 1, 2, 3, 0, 5)
  population <- plain_table(counts, c(2, 3))
  fraction <- .3
  all <- as.matrix(expand.grid(lapply(counts, function(n) 0:n)))
  p <- apply(all, 1, function(k) prod(stats::dbinom(k, counts, fraction)))
  alone <- all == 1
  found <- sample_uniques(population, fraction = fraction)
  expect_equal(found[["sample_uniques"]], sum(p * rowSums(alone)))
  expect_equal(found[["population_uniques"]],
               sum(p * rowSums(alone & rep(counts == 1, each = nrow(all)))))
})

test_that("property: a full sample has the population's uniques only", {
  found <- sample_uniques(czech_workers, fraction = 1)
  expect_equal(unname(found), c(sum(czech_workers == 1), sum(czech_workers == 1), 1))
  expect_equal(sample_uniques(czech_workers, czech_workers), found)
})

test_that("snapshot: errors of uniques", {
  x <- plain_table(c(1, 2, 0, 3), c(2, 2))
  more <- plain_table(c(1, 2, 1, 4), c(2, 2))
  expect_snapshot(error = TRUE, {
    sample_uniques()
    sample_uniques(x)
    sample_uniques(x, x, .5)
    sample_uniques(x, fraction = 0)
    sample_uniques(x, fraction = 2)
    sample_uniques(x, more)
    sample_uniques(x, plain_table(1:6, c(2, 3)))
  })
})
