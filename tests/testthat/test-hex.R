test_that("oracle: axial coordinates are those of the geometry of hexbin", {
  skip_if_not_installed("hexbin")
  set.seed(61)
  for (xbins in c(1, 2, 5, 17, 30)) {
    for (shape in c(.4, 1, 1.7)) {
      x <- stats::rnorm(300, 5)
      y <- stats::rexp(300) * 100
      bins <- hexbin::hexbin(x, y, xbins = xbins, shape = shape)
      map <- hex_table(x, y, xbins = xbins, shape = shape)
      frame <- as.data.frame(map)
      centres <- hexbin::hcell2xy(bins)
      key <- order(centres$y, centres$x)
      expect_equal(frame$x, centres$x[key])
      expect_equal(frame$y, centres$y[key])
      expect_identical(frame$count, as.numeric(bins@count)[key])
      expect_identical(unclass(map)[1:3], unclass(hex_table(bins))[1:3])
      width <- diff(range(x)) / xbins
      near <- hex_steps(frame$q[1], frame$r[1], frame$q, frame$r) == 1
      gap <- sqrt((frame$x - frame$x[1])^2 / width^2 +
                    (frame$y - frame$y[1])^2 / (map$geometry$dy / (sqrt(3) / 2))^2)
      expect_equal(near, abs(gap - 1) < 1e-9)
    }
  }
})

test_that("property: the three kinds of input", {
  skip_if_not_installed("hexbin")
  frame <- hex_table(quakes, dimVar = c("long", "lat"), xbins = 20)
  vectors <- hex_table(quakes$long, quakes$lat, xbins = 20)
  expect_identical(unclass(frame)[1:3], unclass(vectors)[1:3])
  expect_identical(sum(frame$count), 1000)
  expect_identical(frame$geometry$names, c("long", "lat"))
  again <- hex_table(as.data.frame(frame), c("q", "r"), freqVar = "count")
  expect_identical(unclass(again)[1:3], unclass(frame)[1:3])
  expect_identical(hex_table(frame), frame)
  shuffled <- as.data.frame(frame)[sample(length(frame$q)), ]
  expect_identical(hex_table(shuffled, c("q", "r"), freqVar = "count"), again)
  some <- hexagons(c(0, 1e9, -5), c(0, -1e9, 0), c(0, 1, 5e9))
  expect_identical(some$count, c(1, 5e9))
  expect_null(hex_table(quakes, c("long", "lat"), keep_points = FALSE)$points)
})

test_that("property: one point, one line, no points", {
  skip_if_not_installed("hexbin")
  one <- hex_table(3, 4, xbins = 5)
  expect_identical(one$count, 1)
  expect_identical(sum(hex_table(1:10, rep(1e12, 10), xbins = 5)$count), 10)
  none <- hex_table(numeric(), numeric(), xbnds = c(0, 1), ybnds = c(0, 1))
  expect_identical(length(none$q), 0L)
  expect_identical(redistribute(none, 3)$mu, 0)
  expect_identical(nrow(sensitive(none, 3)), 0L)
  expect_error(hex_table(numeric(), numeric()), class = "sdc_error_input")
})

test_that("published: data sets of the three models, with residuals of a straight line", {
  for (model in c("piecewise", "outliers", "curvilinear")) {
    d <- reiter_data(model, seed = 4)
    fit <- stats::lm(x2 ~ x1, d)
    expect_equal(d$residual, unname(stats::residuals(fit)))
    expect_equal(d$standardised, unname(stats::rstandard(fit)))
    expect_identical(d, reiter_data(model, seed = 4))
    expect_identical(nrow(d), 500L)
  }
  d <- reiter_data("outliers", n = 50, seed = 1)
  expect_identical(d$x1[1:2], c(3.8, 5.8))
  expect_lt(max(abs(d$x2[1:2] - c(68, 33))), 5)
  set.seed(5)
  before <- .Random.seed
  reiter_data(seed = 1)
  expect_identical(.Random.seed, before)
})

test_that("property: input: bad coordinates, frames, bounds and models", {
  skip_if_not_installed("hexbin")
  bad <- function(...) expect_error(hex_table(...), class = "sdc_error_input")
  bad()
  bad(1:3)
  bad(1:3, 1:2)
  bad("a", 1)
  bad(1:2, c(1, NA))
  bad(c(1, Inf), 1:2)
  bad(1:2, c(NaN, 1))
  bad(matrix(1:4, 2), 1:4)
  for (xbins in list(0, -1, 2.5, NA, "3", 1e6, c(3, 4))) bad(1:3, 1:3, xbins = xbins)
  for (shape in list(0, -1, NA, Inf)) bad(1:3, 1:3, shape = shape)
  for (b in list(1, c(3, 1), c(1, 1), c(NA, 1), c(0, Inf), "ab", c(2, 5), c(0, 2))) {
    bad(1:3, 1:3, xbnds = b)
  }
  bad(1:3, 1:3, keep_points = NA)
  bad(1:3, 1:3, bins = 4)
  bad(c(-1e308, 1e308), 1:2)
  d <- data.frame(q = 0:1, r = 0:1, n = 1:2, s = c("a", "b"))
  bad(d)
  bad(d, "q")
  bad(d, c("q", "q"))
  bad(d, c("q", "z"))
  bad(d, c("q", "s"))
  bad(d, c("q", "r"), freqVar = "z")
  bad(d, c("q", "r"), freqVar = "s")
  bad(stats::setNames(d, c("q", "q", "r", "n")), c("q", "r"))
  cells <- function(q = 0:1, r = 0:1, n = 1:2) hexagons(q, r, n)
  for (n in list(c(1, -1), c(1, NA), c(1, .5), c(1, Inf), c(1, 2^54))) {
    expect_error(cells(n = n), class = "sdc_error_input")
  }
  for (q in list(c(0, .5), c(0, 2^41), c(0, NA))) {
    expect_error(cells(q = q), class = "sdc_error_input")
  }
  expect_error(hexagons(c(1, 1), c(2, 2), 1:2), class = "sdc_error_input")
  expect_error(cells(n = c(2^53, 1)), class = "sdc_error_too_large")
  expect_error(hex_table(1:3, 1:3, xbins = 1e4, shape = 100), class = "sdc_error_too_large")
  expect_error(reiter_data("linear"), class = "sdc_error_input")
  expect_error(reiter_data(n = 2), class = "sdc_error_input")
  expect_error(reiter_data(seed = .5), class = "sdc_error_input")
  expect_error(sensitive(cells(), 1), class = "sdc_error_input")
  expect_error(sensitive(cells()), class = "sdc_error_input")
  for (f in list(sensitive, redistribute, attack)) {
    expect_error(f(quakes), class = "sdc_error_input")
  }
})

test_that("snapshot: maps and their errors", {
  skip_if_not_installed("hexbin")
  x <- hex_table(quakes, dimVar = c("long", "lat"), xbins = 20)
  expect_snapshot(x)
  expect_snapshot(summary(x))
  expect_snapshot(hexagons(0:2, c(0, 0, 0), c(5, 1, 2)))
  expect_snapshot(sensitive(hexagons(c(0, 1, 2, 9), c(0, 0, 0, 0), c(6, 1, 2, 1)), 3))
  expect_snapshot(error = TRUE, {
    hex_table(1:3, 1:2)
    hex_table(1:2, c(1, NA))
    hex_table(quakes, c("long", "height"))
    hex_table(numeric(), numeric())
    hex_table(1:3, 1:3, xbnds = c(2, 9))
    hexagons(c(1, 1), c(2, 2), 1:2)
  })
})

test_that("property: pictures", {
  skip_if_not_installed("hexbin")
  skip_if_not_installed("ggplot2")
  x <- hex_table(reiter_data("piecewise", seed = 1), dimVar = c("x1", "residual"))
  h <- redistribute(x, 3, "local")
  pub <- suppressWarnings(publish(h))
  risk <- c(risk_utility(h), risk_utility(redistribute(x, 3, "global")))
  pictures <- list(
    ggplot2::autoplot(x), ggplot2::autoplot(h), ggplot2::autoplot(h, what = "moves"),
    ggplot2::autoplot(pub),
    ggplot2::autoplot(risk), ggplot2::autoplot(risk, "U3"), ggplot2::autoplot(risk, "counts")
  )
  for (picture in pictures) expect_error(ggplot2::ggplot_build(picture), NA)
  built <- ggplot2::ggplot_build(pictures[[2]])$data[[1]]
  expect_identical(nrow(built), 6L * (length(x$q) + length(h$map$q)))
  expect_identical(nrow(ggplot2::layer_data(pictures[[3]], 2)), nrow(h$moves))
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  for (object in list(x, h, pub, risk)) expect_invisible(plot(object))
  grDevices::dev.off()
  expect_error(plot(h, what = "all"), class = "sdc_error_input")
})

test_that("property: ranges that hexbin cannot divide by are refused", {
  skip_if_not_installed("hexbin")
  expect_error(hex_table(0, 0, xbnds = c(0, 1e-310), ybnds = 0:1), class = "sdc_error_input")
  expect_error(hex_table(c(5e-324, 1e-323), 1:2), class = "sdc_error_input")
})
