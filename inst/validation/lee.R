# Lee, Choi and O'Keefe (2012): maps of hexagons, and magnitudes.

# Hexagons in a row, at the places q.
row_map <- function(q, n) hex_table(data.frame(q = q, r = 0, n = n), c("q", "r"), freqVar = "n")

# The map of a cloud of points, with 30 hexagons across, by the definition of hexagon binning.
bin_points <- function(d, bins = 30) {
  scaled <- function(v, size) size * (v - min(v)) / diff(range(v))
  x <- scaled(d$x1, bins)
  y <- scaled(d$residual, bins / sqrt(3))
  near <- (x - floor(x + .5))^2 + 3 * (y - floor(y + .5))^2
  far <- (x - floor(x) - .5)^2 + 3 * (y - floor(y) - .5)^2
  even <- near <= far
  r <- ifelse(even, 2 * floor(y + .5), 2 * floor(y) + 1)
  q <- ifelse(even, floor(x + .5), floor(x)) - floor(r / 2)
  cells <- as.data.frame(table(q = q, r = r), responseName = "n", stringsAsFactors = FALSE)
  cells[] <- lapply(cells, as.numeric)
  hex_table(cells[cells$n > 0, ], c("q", "r"), freqVar = "n")
}

simulated_map <- function(model, seed = 1) bin_points(reiter_data(model, seed = seed))

# Sensitive are the cells with one or two points.
threshold_rule <- function() {
  d <- reiter_data("piecewise", seed = 1)
  found <- sensitive(bin_points(d), 3)
  c(nrow(d) == 500, all((found$status != "safe") == (found$count < 3)))
}

# Steps from hexagon (0, 0) by walking from neighbour to neighbour, against the distance over which
# counts are moved.
distances <- function() {
  neighbours <- list(c(1, 0), c(0, 1), c(-1, 1), c(-1, 0), c(0, -1), c(1, -1))
  steps <- matrix(Inf, 13, 13)
  steps[7, 7] <- 0
  for (round in 1:4) {
    for (at in which(steps == round - 1)) {
      for (to in neighbours) {
        place <- arrayInd(at, dim(steps)) + to
        steps[place] <- min(steps[place], round)
      }
    }
  }
  cells <- which(steps > 0 & steps < 5, arr.ind = TRUE)
  moved <- apply(cells - 7, 1, function(place) {
    x <- hex_table(data.frame(q = c(0, place[[1]]), r = c(0, place[[2]]), n = c(1, 9)), c("q", "r"),
                   freqVar = "n")
    redistribute(x, 3, "local", outliers = "keep")$mu / 2
  })
  nrow(cells) == 60 && all(moved == steps[cells])
}

# One cell, a pair and five cells, each 4 steps from the rest; then one cell 3 steps away.
outlier_rule <- function() {
  status <- function(q, n) sensitive(row_map(q, n), 3)$status[[1]]
  c(status(c(0, 4, 5), c(2, 6, 7)), status(c(0, 1, 5), c(2, 1, 7)),
    status(c(0:4, 8), c(1, 2, 2, 1, 1, 20)), status(c(0, 3, 4), c(2, 6, 7)))
}

# Suppression of outliers loses their counts, and makes no new outlier.
suppressed_outliers <- function() {
  found <- vapply(1:10, function(seed) {
    x <- simulated_map("piecewise", seed)
    before <- sensitive(x, 3)
    after <- sensitive(redistribute(x, 3, "local", outliers = "suppress")$map, 3)
    c(lost = sum(before$count) - sum(after$count) - sum(before$count[before$outlier > 0]),
      new = sum(after$outlier > 0))
  }, c(0, 0))
  c(new = sum(found["new", ]), lost = sum(found["lost", ]))
}

published_counts <- function(x, ...) {
  map <- as.data.frame(redistribute(x, 3, ...)$map)
  map$count[order(map$q)]
}

worked_move <- function(q, n, ...) {
  h <- redistribute(row_map(q, n), 3, ...)
  map <- as.data.frame(h$map)
  paste0(paste(map$count[order(map$q)], collapse = " "), "; mu ", h$mu)
}

# The errors of the three models: standard normal, after the printed models are taken off.
generation_models <- function() {
  models <- list(
    piecewise = function(x) {
      ifelse(x < 4.5, 20, ifelse(x < 5.5, 10 + 8 * x, -4 + 14 * x))
    },
    outliers = function(x) 10 * x + 30 * (x == 3.8) - 25 * (x == 5.8),
    curvilinear = function(x) 10 * (x - 5) - 5 * (x - 5)^2
  )
  all(vapply(names(models), function(name) {
    d <- reiter_data(name, seed = 1)
    errors <- d$x2 - models[[name]](d$x1)
    nrow(d) == 500 && near(mean(errors), 0, .2) && near(stats::sd(errors), 1, .15) &&
      near(mean(d$x1), 5, .2) && near(stats::sd(d$x1), 1, .15)
  }, NA))
}

# 25 cells with 75 counts: all end at 3.
cluster_of_25 <- function() {
  counts <- published_counts(row_map(0:24, c(1, rep(3, 23), 5)), "local")
  c(length(counts), sum(counts), unique(counts))
}

# 41 cells above 3 and 34 below, which lack 67: how many cells give one, and how many give two.
deficit_of_67 <- function(method = "global") {
  redistribute(row_map(0:74, c(rep(9, 41), rep(1, 33), 2)), 3, method)
}

donors <- function() {
  x <- c(rep(9, 41), rep(1, 33), 2)
  map <- as.data.frame(deficit_of_67()$map)
  given <- x[1:41] - map$count[order(map$q)][1:41]
  c(sum(3 - x[42:75]), sum(given > 0), sum(given == 2))
}

absolute_change <- function(method) summary(risk_utility(deficit_of_67(method)))$U2_sum

# Of a simulated map: nothing sensitive is left, and nothing but outliers is lost.
maps_are_safe <- function(model) {
  x <- simulated_map(model)
  outliers <- sensitive(x, 3)
  outliers <- sum(outliers$count[outliers$outlier > 0])
  all(vapply(c("local", "global"), function(method) {
    map <- as.data.frame(redistribute(x, 3, method)$map)
    all(map$count >= 3) && sum(map$count) == 500 - outliers
  }, NA))
}

mu_of_models <- function() {
  models <- c("piecewise", "outliers", "curvilinear")
  mu <- vapply(models, function(model) {
    x <- simulated_map(model)
    c(redistribute(x, 3, "local")$mu, redistribute(x, 3, "global")$mu)
  }, c(0, 0))
  all(mu[1, ] < mu[2, ])
}

three_mu <- function(q, n) {
  vapply(c("local", "global", "optimal"), function(method) {
    redistribute(row_map(q, n), 3, method, outliers = "keep")$mu
  }, 0)
}

# The measures by their formulas, from the moves, against the package's.
measures_by_hand <- function() {
  h <- redistribute(simulated_map("piecewise"), 3, "local", outliers = "keep")
  before <- as.data.frame(h$original)
  after <- as.data.frame(h$map)
  key <- function(q, r) paste(q, r)
  u <- before$count
  p <- after$count[match(key(before$q, before$r), key(after$q, after$r))] - u
  half <- h$moves$count * h$moves$distance / 2
  share <- function(q, r) {
    sums <- tapply(half, key(q, r), sum)[key(before$q, before$r)]
    replace(sums, is.na(sums), 0)
  }
  moved <- share(h$moves$from_q, h$moves$from_r) + share(h$moves$to_q, h$moves$to_r)
  r1 <- 1 / tapply(p, u, stats::var)
  mine <- as.data.frame(risk_utility(h))
  same <- is.na(mine$R1) | is.infinite(mine$R1) | abs(mine$R1 - r1) < 1e-9
  all(same) && near(mine$R2, tapply(p == 0, u, mean)) && near(mine$U3, tapply(moved, u, sum)) &&
    near(mine$U1, 100 * tapply(abs(p) / u, u, mean)) && near(mine$U2_sum, tapply(abs(p), u, sum))
}

# Fig. 5.1 and 5.2 on ten maps: the sums of the losses of the two algorithms.
losses <- function() {
  t(vapply(1:10, function(seed) {
    x <- simulated_map("piecewise", seed)
    measures <- lapply(c("local", "global"), function(method) {
      redistribute(x, 3, method)
    })
    overall <- lapply(measures, function(h) summary(risk_utility(h)))
    by_count <- lapply(measures, function(h) as.data.frame(risk_utility(h)))
    c(U1 = overall[[1]]$U1 - overall[[2]]$U1, U3 = overall[[1]]$U3 - overall[[2]]$U3,
      R1 = overall[[1]]$R1 - overall[[2]]$R1,
      sum = max(abs(sum(by_count[[1]]$U3) - measures[[1]]$mu),
                abs(sum(by_count[[2]]$U3) - measures[[2]]$mu)))
  }, numeric(4)))
}

# ---- magnitudes -------------------------------------------------------------------------------

cell_of <- function(...) magnitude_table(data.frame(cell = 1, value = c(...)), "cell", "value")

is_sensitive <- function(x, rule) any(sensitive(x, rule)$sdcStatus == "u")

threshold_steps <- function() {
  few <- data.frame(cell = factor(rep(1:3, c(2, 4, 3))),
                    value = c(30, 20, 9, 8, 7, 2, 50, 40, 1))
  moved <- redistribute(magnitude_table(few, "cell", "value"), rule_threshold(3), "iterative")
  taken <- setdiff(c(9, 8, 7, 2), moved$contributors$value[moved$contributors$start[[2]] + 1:3])
  paste0("value ", taken, " from ", moved$moves$from, " to ", moved$moves$to, ", distance ",
         moved$moves$distance)
}

with_neighbour <- function(values, neighbour) {
  d <- data.frame(cell = rep(1:2, c(length(values), length(neighbour))),
                  value = c(values, neighbour))
  magnitude_table(d, "cell", "value")
}

# The largest value by the wording, its share then, and the value to which the package goes.
maximum_share_steps <- function() {
  values <- c(48, 9, 7, 6, 4)
  worded <- sum(values) * .5
  share <- 100 * worded / (worded + sum(values[-1]))
  x <- with_neighbour(values, c(30, 30, 20, 20))
  scaled <- redistribute(x, rule_max_share(50), "iterative", scale = "paper")
  c(worded, half_up(share, 1), scaled$contributors$value[[1]])
}

nk_steps <- function(scale) {
  x <- with_neighbour(c(100, 1, 1, 1), rep(50, 9))
  nrow(redistribute(x, rule_nk(2, 80), "iterative", scale = scale)$moves)
}

p_percent_replacement <- function() {
  x <- with_neighbour(c(178, 99, 2, 1, 4, 3, 2), rep(40, 4))
  redistribute(x, rule_p_percent(10), "iterative", scale = "paper")$contributors$value[[1]]
}
