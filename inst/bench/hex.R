# Speed and findings of redistribution on maps of hexagons. Run from anywhere:
# Rscript hex.R [seeds]   (the number of seeds for the emptying of the three simulated data sets)
library(sdcLattice)

seconds <- function(code) unname(system.time(code, gcFirst = TRUE)["elapsed"])

normal_map <- function(n, xbins) {
  set.seed(1)
  hex_table(stats::rnorm(n), stats::rnorm(n), xbins = xbins, keep_points = FALSE)
}

filling <- function(n, xbins, threshold = 3) {
  x <- normal_map(n, xbins)
  grid <- (diff(range(x$r)) + 1) * (xbins + 1)
  cat(sprintf("%g points, xbins %d: %d data cells in a grid of %d\n", n, xbins, length(x$q), grid))
  for (method in c("local", "global", "optimal")) {
    took <- seconds(h <- redistribute(x, threshold, method, outliers = "suppress"))
    cat(sprintf("  %-8s %7.2f s  mu %g\n", method, took, h$mu))
  }
}

emptying <- function(n, xbins, limit) {
  x <- normal_map(n, xbins)
  took <- seconds(h <- suppressWarnings(
    redistribute(x, 3, empty = TRUE, outliers = "suppress", time_limit_s = limit)
  ))
  fill <- redistribute(x, 3, outliers = "suppress")$mu
  cat(sprintf("%5d data cells (%d sensitive): %6.1f s  mu %g (filling %g), lost %d, gap %.3f\n",
              length(h$map$q) + h$lost_cells, sum(x$count < 3), took, h$mu, fill, h$lost_cells,
              h$gap))
}

cat("Filling\n")
for (case in list(c(1e4, 40), c(1e5, 80), c(1e6, 130), c(4e6, 250), c(2e6, 400))) {
  filling(case[1], case[2])
}

cat("Far apart: pairs of distances in the place of a grid\n")
set.seed(2)
far <- data.frame(q = round(stats::runif(4000, 0, 1e9)), r = round(stats::runif(4000, 0, 1e9)),
                  n = stats::rgeom(4000, .15) + 1)
x <- hex_table(far, c("q", "r"), freqVar = "n")
for (method in c("local", "global", "optimal")) {
  cat(sprintf("  %-8s %7.2f s\n", method, seconds(redistribute(x, 3, method, outliers = "keep"))))
}

cat("Emptying\n")
for (case in list(c(2e3, 30), c(1e4, 40), c(1e5, 80), c(1e6, 130))) {
  emptying(case[1], case[2], if (case[1] < 1e6) 110 else 60)
}

cat("Three simulated data sets, 200 seeds\n")
seeds <- as.numeric(c(commandArgs(TRUE), "200")[1])
for (model in c("piecewise", "outliers", "curvilinear")) {
  for (outliers in c("suppress", "keep")) {
    mu <- vapply(1:200, function(seed) {
      x <- hex_table(reiter_data(model, seed = seed), dimVar = c("x1", "residual"))
      vapply(c("local", "global", "optimal"), function(method) {
        redistribute(x, 3, method, outliers = outliers)$mu
      }, 0)
    }, numeric(3))
    cat(sprintf("%-12s %-9s medians %s; local < global in %d, optimal <= both in %d\n", model,
                outliers, paste(apply(mu, 1, stats::median), collapse = " / "),
                sum(mu[1, ] < mu[2, ]), sum(mu[3, ] <= pmin(mu[1, ], mu[2, ]))))
  }
  both <- vapply(seq_len(seeds), function(seed) {
    x <- hex_table(reiter_data(model, seed = seed), dimVar = c("x1", "residual"))
    h <- redistribute(x, 3, empty = TRUE)
    c(h$mu, redistribute(x, 3)$mu, h$lost_cells, h$gap)
  }, numeric(4))
  cat(sprintf("%-12s emptying: median mu %g, lost %g, never above filling: %s, largest gap %g\n",
              model, stats::median(both[1, ]), stats::median(both[3, ]),
              all(both[1, ] <= both[2, ]), max(both[4, ])))
}
