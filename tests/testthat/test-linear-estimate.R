test_that("oracle: for margins it is the fit of loglin()", {
  set.seed(4)
  for (trial in 1:30) {
    dim <- sample(1:4, 3, replace = TRUE)
    x <- as.table(array(rpois(prod(dim), sample(c(.5, 3, 40), 1)), dim))
    if (sum(x) == 0) next
    sets <- list(c(1, 2), c(2, 3), c(1, 3))[seq_len(sample(3, 1))]
    names <- names(dimnames(sdc_table(x)))
    release <- margins(sdc_table(x), lapply(sets, function(s) names[s]))
    own <- suppressWarnings(estimate_table(release, tolerance = 1e-7))
    used <- sort(unique(unlist(sets)))
    fit <- stats::loglin(apply(x, used, sum), lapply(sets, match, used), fit = TRUE, eps = 1e-7,
                         iter = 10000, print = FALSE)$fit
    expect_equal(as.vector(aperm(as.table(own), order(match(names(dimnames(own$table)), names)))),
                 as.vector(fit), tolerance = 1e-4)
  }
})

test_that("property: everything released is met, suppressed cells too", {
  cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$row %in% c("1", "4") & cells$column %in% c("2", "4")
  fit <- estimate_table(constraints(cells))
  shown <- !cells$suppressed[match(paste(rep(1:4, 4), rep(1:4, each = 4)),
                                   paste(cells$row, cells$column))]
  expect_equal(as.vector(as.table(fit))[shown], as.vector(roehrig)[shown])
  expect_equal(unname(apply(as.table(fit), 1, sum)), unname(apply(roehrig, 1, sum)))
  expect_equal(unname(apply(as.table(fit), 2, sum)), unname(apply(roehrig, 2, sum)))
  expect_lte(fit$gap, 1e-6)
  start <- roehrig + 1
  from <- estimate_table(margins(roehrig, list("row", "column")), start = start)
  odds <- function(t) t[1, 1] * t[2, 2] / (t[1, 2] * t[2, 1])
  expect_equal(odds(as.table(from)), odds(start), tolerance = 1e-6)
  rounded <- publish(round_controlled(roehrig, 3, seed = 1), insist = TRUE)
  expect_lte(estimate_table(rounded)$gap, 1e-6)
})

test_that("snapshot: methods of estimates", {
  fit <- estimate_table(margins(roehrig, list("row", "column")))
  expect_snapshot(fit)
  frame <- as.data.frame(fit)
  expect_named(frame, c("row", "column", "estimate"))
  expect_equal(frame$estimate, as.vector(as.table(fit)))
  none <- estimate_table(margins(matrix(0, 2, 2), list("Var1", "Var2")))
  expect_equal(sum(as.table(none)), 0)
})

test_that("property: a copy of margins can be published", {
  m <- margins(sdc_table(roehrig), list("row", c("row", "column")))
  pub <- publish(m)
  expect_s3_class(pub, "sdc_margins")
  expect_identical(lapply(pub, as.table), lapply(m, as.table))
  other <- roehrig
  other[1:2, 1:2] <- other[1:2, 1:2] + c(1, -1, -1, 1)
  bytes <- function(x) serialize(publish(margins(x, list("row", "column"))), NULL)
  expect_identical(bytes(sdc_table(roehrig)), bytes(sdc_table(other)))
})

test_that("snapshot: bad input of estimate_table()", {
  release <- margins(roehrig, list("row", "column"))
  expect_snapshot(error = TRUE, {
    estimate_table()
    estimate_table(release, start = 1:3)
    estimate_table(release, start = -roehrig)
    estimate_table(release, tolerance = 0)
    estimate_table(release, max_rounds = .5)
    estimate_table(conditionals(downloads, "Download", "Sex"))
  })
  expect_error(estimate_table(conditionals(downloads, "Download", "Sex")), class = "sdc_error_input")
  slow <- constraints(margins(sdc_table(array(c(0, 3, 2, 0, 1, 0, 0, 5), c(2, 2, 2))),
                              list(c("Var1", "Var2"), c("Var2", "Var3"), c("Var1", "Var3"))))
  expect_warning(estimate_table(slow, max_rounds = 2, tolerance = 1e-9), class = "sdc_warning_time")
})
