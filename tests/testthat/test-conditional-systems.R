# Several sets of rates at once, with margins: against all tables one by one.

# Which of the tables, a column each of cells with the first variable fastest, have the rates?
have_rates <- function(tables, co, tolerance = .5) {
  limits <- rate_limits(co, tolerance)
  at <- arrayInd(seq_len(nrow(tables)), lengths(co$dimnames, FALSE))
  colnames(at) <- names(co$dimnames)
  key <- function(codes) do.call(paste, c(list(""), unname(as.data.frame(codes))))
  row <- match(key(at[, co$given, drop = FALSE]), key(as.data.frame(co$rows)))
  if (length(co$given) == 0) row <- rep(1, nrow(tables))
  of <- at[, co$response, drop = FALSE]
  rate <- as.vector(1 + (of - 1) %*% cumprod(c(1, lengths(co$dimnames[co$response])))[seq_along(
    co$response)])
  ok <- colSums(tables[is.na(row), , drop = FALSE]) == 0
  for (r in seq_along(co$scale)) {
    total <- colSums(tables[which(row == r), , drop = FALSE])
    ok <- ok & total > 0
    for (j in seq_len(nrow(co$units))) {
      x <- colSums(tables[which(row == r & rate == j), , drop = FALSE]) * limits$scale[r]
      ok <- ok & x >= limits$low[j, r] * total & x <= limits$high[j, r] * total
    }
  }
  ok
}

tables_with <- function(sets, totals, tolerance = .5, keep = NULL) {
  n_cells <- prod(lengths(sets[[1]]$dimnames))
  all <- do.call(cbind, lapply(totals, compositions, k = n_cells))
  for (co in sets) all <- all[, have_rates(all, co, tolerance), drop = FALSE]
  if (!is.null(keep)) all <- all[, apply(all, 2, keep), drop = FALSE]
  all
}

expect_range <- function(b, all) {
  expect_true(all(b$sharp))
  expect_equal(b$lower, apply(all, 1, min))
  expect_equal(b$upper, apply(all, 1, max))
}

small_table <- function(size, n) {
  x <- array(0, size, lapply(rlang::set_names(size, LETTERS[seq_along(size)]), seq_len))
  at <- sample(length(x), n, replace = TRUE, prob = stats::rexp(length(x)))
  x[] <- tabulate(at, length(x))
  as.table(x)
}

random_digits <- function() sample(list(NULL, 1, 2, 3), 1)[[1]]

test_that("oracle: rates in both directions, exact and rounded, against enumeration", {
  withr::local_seed(301)
  for (case in seq_len(rounds(20, 40))) {
    x <- small_table(c(2, sample(2:3, 1)), sample(2:8, 1))
    sets <- list(conditionals(x, "B", "A", random_digits()),
                 conditionals(x, "A", "B", random_digits()))
    all <- tables_with(sets, sum(x))
    b <- bounds_conditional(sets, sum(x))
    expect_range(b, all)
    expect_identical(as.character(b$n_tables), as.character(ncol(all)))
  }
})

test_that("oracle: three variables, some of them left out, against enumeration", {
  withr::local_seed(302)
  for (case in 1:15) {
    x <- small_table(c(2, 2, 2), sample(2:5, 1))
    sets <- list(conditionals(x, "B", "A", random_digits()),
                 conditionals(x, c("C", "A"), "B", random_digits()),
                 conditionals(x, "C", character(), random_digits()))
    all <- tables_with(sets, sum(x))
    expect_range(bounds_conditional(sets, sum(x), count = FALSE), all)
    sums <- data.frame(A = rep(1:2, 2), B = rep(1:2, each = 2))
    found <- bounds_conditional(sets, sum(x), cells = sums, count = FALSE)
    expect_range(found, all[1:4, , drop = FALSE] + all[5:8, , drop = FALSE])
  }
})

test_that("oracle: with margins, row totals in intervals, and an interval for n", {
  withr::local_seed(303)
  for (case in seq_len(rounds(8, 15))) {
    x <- small_table(c(2, 3), sample(3:6, 1))
    co <- conditionals(x, "B", "A", random_digits())
    n <- sum(x)
    column <- margin(sdc_table(x), "B")
    all <- tables_with(list(co), n, keep = function(t) {
      all(t[c(1, 3, 5)] + t[c(2, 4, 6)] == colSums(x))
    })
    expect_range(bounds_conditional(co, n, margins = margins(x, list("B")), count = FALSE), all)
    expect_range(bounds_conditional(co, margins = column, count = FALSE), all)
    first <- sum(x[1, ])
    rows <- data.frame(A = "1", lower = max(0, first - 1), upper = first)
    all <- tables_with(list(co), n - 1:0, keep = function(t) {
      sum(t[c(1, 3, 5)]) %in% (first - 1:0)
    })
    expect_range(bounds_conditional(co, c(n - 1, n), margins = rows, count = FALSE), all)
  }
})

test_that("property: one set has the same bounds by both engines, rounded to 1 to 3 digits", {
  withr::local_seed(304)
  for (case in 1:25) {
    case <- random_rates(sample(2:4, 1), sample(2:6, 1), sample(c(1, 5, 12), 1), random_digits())
    own <- bounds_conditional(case$co, case$n, count = FALSE)
    cells <- as.data.frame(own)[c("response", "given")]
    general <- bounds_conditional(list(case$co), c(case$n, case$n), cells = cells, count = FALSE)
    expect_true(all(general$sharp))
    expect_equal(general$lower, own$lower)
    expect_equal(general$upper, own$upper)
  }
})

test_that("property: each further set, digit and margin only narrows, and the truth is inside", {
  withr::local_seed(305)
  for (case in seq_len(rounds(4, 8))) {
    x <- small_table(c(4, 3), 60)
    one <- conditionals(x, "B", "A", 2)
    two <- conditionals(x, "A", "B", 2)
    fine <- conditionals(x, "A", "B")
    steps <- list(
      bounds_conditional(one, 60, count = FALSE, cells = seq_along(x)),
      bounds_conditional(list(one, two), 60, count = FALSE),
      bounds_conditional(list(one, fine), 60, count = FALSE),
      bounds_conditional(list(one, fine), 60, count = FALSE, margins = margins(x, list("A")))
    )
    for (k in 2:4) {
      expect_true(all(steps[[k]]$lower >= steps[[k - 1]]$lower))
      expect_true(all(steps[[k]]$upper <= steps[[k - 1]]$upper))
    }
    expect_true(all(steps[[4]]$lower <= x & x <= steps[[4]]$upper))
  }
})

test_that("property: the same system by constraints(), made at once and in steps", {
  sets <- list(conditionals(koch, "Recovery", c("Center", "Status", "Treatment"), 1),
               conditionals(koch, c("Center", "Treatment"), "Status", 2))
  b <- bounds_conditional(sets, 193, count = FALSE)
  total <- data.frame(freq = 193)
  for (release in list(constraints(sets[[1]], sets[[2]], total),
                       constraints(constraints(sets[[1]], sets[[2]]), total))) {
    same <- bounds_margins(release)
    expect_identical(same[c("lower", "upper")], b[c("lower", "upper")])
  }
  expect_true(all(b$sharp))
  expect_true(all(b$lower <= koch & koch <= b$upper))
})

test_that("oracle: parts that contradict each other, and what tolerance would do", {
  withr::local_seed(306)
  seen <- 0
  for (case in seq_len(rounds(4, 8))) {
    x <- small_table(c(2, 2), sample(4:8, 1))
    y <- small_table(c(2, 2), sum(x))
    sets <- list(conditionals(x, "B", "A", 2), conditionals(y, "A", "B", 2))
    all <- tables_with(sets, sum(x))
    cnd <- tryCatch(bounds_conditional(sets, sum(x), count = FALSE),
                    sdc_error_infeasible = identity)
    expect_equal(inherits(cnd, "error"), ncol(all) == 0)
    if (ncol(all) > 0) next
    seen <- seen + 1
    expect_true(all(c("rates of B given A", "rates of A given B") %in% cnd$parts))
    expect_gt(ncol(tables_with(sets, sum(x), cnd$tolerance)), 0)
    expect_identical(ncol(tables_with(sets, sum(x), cnd$tolerance - .001)), 0L)
  }
  expect_gt(seen, 2)
})

test_that("snapshot: errors and prints of systems of rates", {
  one <- conditionals(downloads, "Download", "Sex", digits = 1)
  two <- conditionals(downloads, "Sex", "Download", digits = 1)
  other <- downloads
  other[] <- c(1, 9, 20, 20)
  wrong <- conditionals(other, "Sex", "Download", digits = 2)
  expect_snapshot(error = TRUE, {
    bounds_conditional(list(one, two), 50)
    bounds_conditional(list(one, two), 50, "lp")
    bounds_conditional(list())
    bounds_conditional(list(one, koch), 50)
    bounds_conditional(list(one, two))
    bounds_conditional(list(one, two), c(50, 40))
    bounds_conditional(list(one, two), 50:52)
    bounds_conditional(list(one, two), 50, "improved")
    bounds_conditional(list(one, two), 50, of = "margins")
    bounds_conditional(list(one, two), 50, time_limit_s = -1)
    bounds_conditional(list(one, two), 50, margins = "all")
    bounds_conditional(list(men = one, two), 3)
    bounds_conditional(list(one, wrong), 50)
    bounds_conditional(one, 50, margins = margins(downloads + 1, list("Sex")))
  })
})
