tiny <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
sets <- list(bands = cycles_banded(tiny, group = 2, seed = 11), rings = cycles_bidiagonal(tiny))

test_that("oracle: the frontier is what no other design beats", {
  beaten <- function(r, l) {
    vapply(seq_along(r), function(i) {
      any(r <= r[[i]] & l <= l[[i]] & (r < r[[i]] | l < l[[i]]), na.rm = TRUE)
    }, NA)
  }
  set.seed(81)
  for (i in 1:300) {
    n <- sample(1:12, 1)
    r <- sample(c(NA, 0:5), n, replace = TRUE)
    l <- sample(c(NA, 0:5), n, replace = TRUE)
    either <- is.na(r) | is.na(l)
    wanted <- !beaten(ifelse(either, NA, r), ifelse(either, NA, l))
    wanted[either] <- NA
    expect_identical(on_frontier(r, l), wanted)
  }
})

test_that("oracle: each row is risk_utility() of its mechanism", {
  tu <- tune(tiny, sets, alpha = c(.1, .3), beta = c(.2, .4), covers = 1:2,
             zero_rule = c("blocked", "nonnegative"), replicates = 4, seed = 3)
  d <- as.data.frame(tu)
  expect_identical(nrow(d), 32L)
  expect_identical(anyDuplicated(d$design), 0L)
  expect_identical(names(tu$mechanisms), d$design)
  for (i in c(1, 14, 32)) {
    me <- mechanism(sets[[d$set[[i]]]], d$alpha[[i]], d$beta[[i]], d$covers[[i]],
                    zero_rule = d$zero_rule[[i]])
    expect_identical(tu$mechanisms[[i]], me)
    wanted <- as.data.frame(summary(risk_utility(tiny, me, replicates = 4, seed = 3)))
    expect_identical(unlist(d[i, wanted$figure], use.names = FALSE), wanted$estimate)
    expect_identical(d$risk_std_error[[i]], wanted$std_error[wanted$figure == "guess_small"])
  }
})

test_that("property: beta is alpha when it is not given, and names say what varies", {
  d <- as.data.frame(tune(tiny, sets$bands, alpha = c(.1, .3), replicates = 2))
  expect_identical(d$beta, d$alpha)
  expect_identical(d$design, c("banded, alpha 0.1", "banded, alpha 0.3"))
})

test_that("property: a design that cannot be made or judged keeps its row", {
  tu <- tune(tiny, sets["bands"], alpha = c(.2, .7), beta = c(.2, .7), replicates = 2)
  d <- as.data.frame(tu)
  impossible <- d$alpha + d$beta > 1
  expect_identical(is.na(d$frontier), impossible)
  expect_true(all(grepl("at most 1", d$reason[impossible])))
  expect_true(all(d$reason[!impossible] == ""))
  expect_null(tu$mechanisms[[which(impossible)[[1]]]])
  x <- plain_table(matrix(300, 2, 2))
  far <- cycles(list(100 * matrix(c(1, -1, -1, 1), 2)), x)
  few <- as.data.frame(tune(x, far, covers = 2, replicates = 2))
  expect_true(is.na(few$guess) && !is.na(few$unchanged))
  expect_match(few$reason, "not judged")
})

test_that("property: other axes, and a picture", {
  skip_if_not_installed("ggplot2")
  tu <- tune(tiny, sets, alpha = c(.1, .3), replicates = 4, risk = "unchanged", loss = "chi_square")
  expect_identical(tu$designs$frontier, on_frontier(tu$designs$unchanged, tu$designs$chi_square))
  expect_s3_class(ggplot2::autoplot(tu), "ggplot")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(tu, risk = "guess", loss = "hellinger")))
  expect_error(ggplot2::autoplot(tu, loss = "bias_zero"), class = "sdc_error_input")
})

test_that("snapshot: print", {
  expect_snapshot({
    tune(tiny, sets, alpha = c(.1, .3), replicates = 10)
    tune(tiny, sets["bands"], alpha = .7, beta = c(.1, .7), replicates = 10)
  })
})

test_that("snapshot: errors", {
  expect_snapshot(error = TRUE, {
    tune()
    tune(tiny)
    tune(tiny, list())
    tune(tiny, "bands")
    tune(tiny, unname(sets))
    tune(tiny, c(sets, list(other = 1)))
    tune(matrix(1, 3, 3), sets)
    tune(tiny, sets, alpha = 2)
    tune(tiny, sets, alpha = numeric())
    tune(tiny, sets, alpha = c(.1, NA))
    tune(tiny, sets, beta = "a")
    tune(tiny, sets, covers = 0)
    tune(tiny, sets, covers = 1.5)
    tune(tiny, sets, zero_rule = "none")
    tune(tiny, sets, zero_rule = character())
    tune(tiny, sets, risk = "positive_false")
    tune(tiny, sets, loss = "guess")
    tune(tiny, sets, whatever = 1)
    tune(tiny, sets, .25, .25, 1, "blocked", "guess_small", "abs_change", 1, 5)
    tune(tiny, sets, small = -1)
    tune(tiny, sets, replicates = 0)
    tune(tiny, sets, seed = "a")
    tune(tiny, sets, alpha = seq(0, .5, length.out = 600))
    as.data.frame(tune(tiny, sets, replicates = 2), cells = 1)
  })
})
