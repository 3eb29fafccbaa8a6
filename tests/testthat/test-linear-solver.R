# Integer programmes by the package's own search.

# Rows are random, and hold for a random point where `holds`.
random_programme <- function(n, rows, most, costs, holds = TRUE) {
  a <- matrix(sample(-2:3, n * rows, replace = TRUE), rows)
  at <- sample(0:most, n, replace = TRUE)
  direction <- sample(c("<=", "=", ">="), rows, replace = TRUE)
  slack <- sample(0:2, rows, replace = TRUE) * c("<=" = 1, "=" = 0, ">=" = -1)[direction]
  rhs <- if (holds) as.vector(a %*% at) + slack else sample(-9:9, rows, replace = TRUE)
  filled <- which(a != 0, arr.ind = TRUE)
  list(
    objective = sample(costs, n, replace = TRUE), entries = cbind(filled, a[filled]),
    direction = direction, rhs = unname(rhs), binary = integer(), whole = seq_len(n),
    upper = rep(most, n), dense = a
  )
}

all_solutions <- function(programme) {
  all <- t(as.matrix(expand.grid(lapply(programme$upper, function(most) 0:most))))
  over <- programme$dense %*% all - programme$rhs
  broken <- (programme$direction != ">=" & over > 0) | (programme$direction != "<=" & over < 0)
  all[, colSums(broken) == 0, drop = FALSE]
}

test_that("oracle: optima are those of the list of all solutions, with fractions as costs", {
  set.seed(81)
  empty <- 0
  for (i in seq_len(rounds(60, 120))) {
    costs <- if (i %% 2 == 0) -4:4 else c(-.5, .1, 1 / 3, -2 / 7, 1.25, 0)
    programme <- random_programme(sample(3:5, 1), sample(1:3, 1), 3, costs, i %% 3 > 0)
    all <- all_solutions(programme)
    found <- solve_programme(programme, 60, "exact")
    if (ncol(all) == 0) {
      expect_identical(found$status, "infeasible")
      empty <- empty + 1
      next
    }
    least <- min(colSums(all * programme$objective))
    expect_identical(found$status, "optimal")
    expect_equal(found$objective, least)
    expect_equal(found$bound, least)
    expect_true(any(colSums(all != found$solution) == 0))
    expect_equal(sum(programme$objective * found$solution), least)
  }
  expect_gt(empty, rounds(2, 5))
})

test_that("property: costs that are no fractions leave a bound that holds", {
  set.seed(82)
  for (i in 1:20) {
    programme <- random_programme(4, 2, 3, c(pi, -sqrt(2), exp(1), 1e-9, 12345.678))
    least <- min(colSums(all_solutions(programme) * programme$objective))
    found <- solve_programme(programme, 60, "exact")
    expect_lte(found$bound, least + 1e-12 * abs(least))
    expect_equal(found$bound, least, tolerance = 1e-6)
    expect_equal(sum(programme$objective * found$solution), least)
  }
})

test_that("property: a solution to start from is kept where the time ends at once", {
  set.seed(83)
  for (i in 1:20) {
    programme <- random_programme(5, 2, 3, -4:4)
    all <- all_solutions(programme)
    reached <- colSums(all * programme$objective)
    programme$start <- all[, which.max(reached)]
    found <- solve_programme(programme, 60, "exact")
    expect_equal(found$objective, min(reached))
    stopped <- solve_programme(programme, 0, "exact")
    expect_lte(stopped$bound, min(reached))
    if (stopped$status != "none") expect_lte(stopped$objective, max(reached))
  }
})

test_that("oracle: lpSolve finds the same optima", {
  skip_if_not_installed("lpSolve")
  set.seed(84)
  for (i in 1:15) {
    programme <- random_programme(12, 4, 5, -6:6)
    own <- solve_programme(programme, 60, "exact")
    theirs <- solve_programme(programme, 60, "lpSolve")
    expect_identical(own$status, "optimal")
    expect_equal(own$objective, theirs$objective)
  }
})

test_that("property: fractions are read as they are typed", {
  expect_identical(denominator_of(.1), 10)
  expect_identical(denominator_of(-2.75), 4)
  expect_identical(denominator_of(1 / 3), 3)
  expect_identical(common_multiple(12, 18), 36)
  set.seed(85)
  for (i in seq_len(rounds(200, 500))) {
    below <- sample(1e4, 1)
    above <- sample(-1e5:1e5, 1)
    d <- denominator_of(above / below)
    expect_identical(below %% d, 0)
    expect_identical(round(above / below * d) / d, above / below)
  }
  for (value in c(stats::rnorm(200), 1e-300, 1e300, 2^-60, .Machine$double.eps, 1e15 + .5)) {
    expect_gte(denominator_of(value), 1)
  }
})
