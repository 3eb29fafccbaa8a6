# Slow twins of the rules, cell by cell in R.

twin_fires <- function(values, kind, n, percent) {
  v <- sort(values, decreasing = TRUE)
  total <- sum(v)
  tops <- c(v, 0, 0)
  switch(
    kind,
    threshold = length(v) < n,
    nk = 100 * sum(head(v, n)) > percent * total,
    p_percent = 100 * (total - tops[1] - tops[2]) < percent * tops[1]
  )
}

twin_sensitive <- function(values, rules) {
  any(mapply(function(kind, n, percent) twin_fires(values, kind, n, percent / 1e6),
             rules$kind, rules$n, rules$percent))
}

# Records in cells of a line or a grid: skewed whole values, and some of 0.
random_firms <- function(cells, per_cell = 2:6, zeros = 0, sd = 1.5) {
  n <- sample(per_cell, cells, TRUE)
  v <- ceiling(exp(stats::rnorm(sum(n), 3, sd)))
  v[stats::runif(length(v)) < zeros] <- 0
  data.frame(a = factor(rep(seq_len(cells), n), seq_len(cells)), v = v)
}

cell_values <- function(x) split(x$value, rep(seq_along(x$cell), diff(x$start)))
