test_that("oracle: the measures, written out", {
  skip_if_not_installed("hexbin")
  for (outliers in c("suppress", "redistribute", "keep")) {
    x <- hex_table(reiter_data("piecewise", seed = 7), dimVar = c("x1", "residual"))
    h <- redistribute(x, 3, "local", outliers = outliers)
    frame <- as.data.frame(h)
    if (outliers == "suppress") frame <- frame[frame$status != "outlier", ]
    p <- frame$redistributed - frame$original
    by <- function(f) unname(vapply(split(seq_along(p), frame$original), f, 0))
    risk <- risk_utility(h)
    found <- as.data.frame(risk)
    expect_equal(found$u, sort(unique(frame$original)))
    expect_equal(found$cells, unname(as.vector(table(frame$original))))
    expect_equal(found$R1, by(function(i) if (length(i) < 2) NA_real_ else 1 / stats::var(p[i])))
    expect_equal(found$R2, by(function(i) mean(p[i] == 0)))
    expect_equal(found$U1, by(function(i) 100 * mean(abs(p[i]) / frame$original[i])))
    expect_equal(found$U2, by(function(i) mean(abs(p[i]))))
    steps <- numeric(nrow(frame))
    for (k in seq_len(nrow(h$moves))) {
      m <- h$moves[k, ]
      for (end in list(c(m$from_q, m$from_r), c(m$to_q, m$to_r))) {
        at <- which(frame$q == end[1] & frame$r == end[2])
        steps[at] <- steps[at] + m$count * m$distance / 2
      }
    }
    expect_equal(found$U3, by(function(i) sum(steps[i])))
    expect_equal(sum(found$U3), h$mu)
    overall <- summary(risk)
    expect_equal(overall$U2_sum, sum(abs(p)))
    expect_equal(overall$U3, h$mu)
    expect_equal(overall$suppressed, sum(x$count) - sum(h$map$count))
  }
})

test_that("published: for filling the sum of changes is twice the deficit", {
  skip_if_not_installed("hexbin")
  x <- hex_table(reiter_data("curvilinear", seed = 2), dimVar = c("x1", "residual"))
  for (method in c("local", "global", "optimal")) {
    h <- redistribute(x, 3, method)
    kept <- as.data.frame(h)[as.data.frame(h)$status != "outlier", ]
    expect_equal(summary(risk_utility(h))$U2_sum, 2 * sum(pmax(0, 3 - kept$original)))
  }
})

test_that("property: edges of the measures, and several together", {
  same <- risk_utility(redistribute(row_of_hexagons(0:2, c(5, 5, 3)), 3, outliers = "keep"))
  expect_equal(as.data.frame(same)$R1, c(NA, Inf))
  none <- risk_utility(redistribute(row_of_hexagons(numeric(), numeric()), 3))
  expect_identical(nrow(as.data.frame(none)), 0L)
  both <- c(same, none <- risk_utility(redistribute(row_of_hexagons(0, 9), 3), label = "other"))
  expect_identical(summary(both)$label, c("optimal", "other"))
  expect_error(c(same, same), class = "sdc_error_input")
  expect_error(c(same, 3), class = "sdc_error_input")
  one <- redistribute(row_of_hexagons(0, 9), 3)
  expect_error(risk_utility(one, label = NA), class = "sdc_error_input")
  expect_error(risk_utility(one, seed = 1), class = "sdc_error_input")
  h <- redistribute(row_of_hexagons(0:2, c(5, 1, 5)), 3, outliers = "keep")
  expect_snapshot(risk_utility(h))
})

# All originals on the same cells, by trying every composition of the total.
brute_originals <- function(pub) {
  n <- length(pub$q)
  cuts <- utils::combn(sum(pub$count) - 1, n - 1)
  all <- apply(cuts, 2, function(cut) diff(c(0, cut, sum(pub$count))))
  keep <- apply(all, 2, function(count) {
    x <- hexagons(pub$q, pub$r, count)
    h <- tryCatch(redistribute(x, pub$threshold, pub$method, outliers = pub$outliers),
                  sdc_error_infeasible = function(cnd) NULL)
    !is.null(h) && identical(list(h$map$q, h$map$r, h$map$count), list(pub$q, pub$r, pub$count))
  })
  t(all[, keep, drop = FALSE])
}

test_that("oracle: the attack finds all originals", {
  maps <- list(
    hexagons(c(0, 1, 0, -1), c(0, 0, 1, 1), rounds(c(4, 1, 4, 3), c(4, 1, 4, 4))),
    row_of_hexagons(c(0, 1, 3), c(2, 6, 3)),
    row_of_hexagons(c(0, 4, 5), c(6, 2, 5))
  )
  for (x in maps) {
    for (method in c("optimal", "local", "global")) {
      for (outliers in c("keep", "suppress")) {
        pub <- publish(redistribute(x, 3, method, outliers = outliers))
        at <- attack(pub)
        expected <- brute_originals(pub)
        rows <- function(m) sort(apply(m, 1, paste, collapse = " "))
        expect_identical(rows(at$originals), rows(expected))
        expect_equal(at$cells$sensitive, colMeans(expected < 3))
        expect_true(all(at$cells$sensitive < 1))
      }
    }
  }
})

test_that("property: priors of the attack, limits and bad input", {
  pub <- publish(redistribute(row_of_hexagons(0:3, c(5, 1, 2, 5)), 3, outliers = "keep"))
  weights <- function(count) 2^-count
  at <- attack(pub, weights = weights)
  w <- apply(at$originals, 1, function(count) prod(weights(count)))
  expect_equal(at$probability, w / sum(w))
  expect_equal(at$cells$mean, as.vector(at$probability %*% at$originals))
  expect_snapshot(attack(pub))
  expect_identical(as.data.frame(at), summary(at))
  expect_error(attack(pub, max_originals = 3), class = "sdc_error_too_large")
  many <- publish(redistribute(row_of_hexagons(0:7, rep(4, 8)), 3))
  expect_error(attack(many), class = "sdc_error_too_large")
  for (w in list(1, function(x) -1, function(x) x / 0, function(x) "a")) {
    expect_error(attack(pub, weights = w), class = "sdc_error_input")
  }
  expect_error(attack(pub, weights = function(x) 0 * x), class = "sdc_error_infeasible")
  expect_error(attack(pub, seed = 1), class = "sdc_error_input")
  emptied <- publish(redistribute(row_of_hexagons(0:2, c(5, 1, 2)), 3, empty = TRUE))
  expect_error(attack(emptied), class = "sdc_error_input")
  expect_error(attack(), class = "sdc_error_input")
  none <- attack(publish(redistribute(row_of_hexagons(numeric(), numeric()), 3)))
  expect_identical(nrow(none$cells), 0L)
})
