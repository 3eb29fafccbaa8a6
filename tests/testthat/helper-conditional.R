# Slow twins for conditional rates.

# All rows of `k` whole numbers >= 0 that sum to t, a column each.
compositions <- function(t, k) {
  if (k == 1) {
    return(matrix(t, 1, 1))
  }
  do.call(cbind, lapply(0:t, function(first) {
    rbind(first, compositions(t - first, k - 1), deparse.level = 0)
  }))
}

# Limits of the rates of an sdc_conditionals, in whole units of 1 / scale.
rate_limits <- function(co, tolerance) {
  if (is.null(co$digits)) {
    return(list(low = co$units, high = co$units, scale = co$scale))
  }
  by <- 1000 # thousandths of a unit
  scale <- co$scale * by
  list(
    low = pmax(co$units * by - tolerance * by, 0),
    high = pmin(co$units * by + tolerance * by, rep(scale, each = nrow(co$units))), scale = scale
  )
}

# All tables with the rates and the total n: a list with a matrix of cells, a column each table,
# and the totals of rows; NULL when there is none.
all_rate_tables <- function(co, n, tolerance = .5) {
  limits <- rate_limits(co, tolerance)
  n_rows <- length(co$scale)
  rows <- lapply(seq_len(n_rows), function(r) {
    x <- do.call(cbind, lapply(seq_len(n - n_rows + 1), compositions, k = nrow(co$units)))
    t <- colSums(x)
    fits <- colSums(x * limits$scale[r] < outer(limits$low[, r], t)) == 0 &
      colSums(x * limits$scale[r] > outer(limits$high[, r], t)) == 0
    x[, fits, drop = FALSE]
  })
  if (any(vapply(rows, ncol, 1) == 0)) {
    return(NULL)
  }
  pick <- as.matrix(expand.grid(lapply(rows, function(x) seq_len(ncol(x)))))
  totals <- vapply(seq_len(n_rows), function(r) colSums(rows[[r]])[pick[, r]], numeric(nrow(pick)))
  totals <- matrix(totals, ncol = n_rows)
  keep <- rowSums(totals) == n
  if (!any(keep)) {
    return(NULL)
  }
  cells <- do.call(rbind, lapply(seq_len(n_rows), function(r) {
    rows[[r]][, pick[keep, r], drop = FALSE]
  }))
  list(cells = cells, totals = t(totals[keep, , drop = FALSE]))
}

# Bounds in the order of the rates: the response fastest, then the rows.
by_rates <- function(b, co) {
  frame <- as.data.frame(b)
  frame[do.call(order, unname(rev(frame[c(co$response, co$given)]))), ]
}

random_rates <- function(n_rates, n_rows, mean, digits = NULL) {
  repeat {
    counts <- matrix(rpois(n_rates * n_rows, mean), n_rates)
    if (sum(counts) > 0 && sum(counts) >= sum(colSums(counts) > 0)) break
  }
  x <- as.table(counts)
  dimnames(x) <- list(
    response = paste0("r", seq_len(n_rates)), given = paste0("g", seq_len(n_rows))
  )
  list(x = x, n = sum(counts), co = conditionals(x, "response", "given", digits = digits))
}

# The same bounds by integer programmes.
ilp_rate_bounds <- function(co, n, tolerance = .5, cells = seq_along(co$units)) {
  limits <- rate_limits(co, tolerance)
  n_rates <- nrow(co$units)
  n_rows <- length(co$scale)
  row <- rep(seq_len(n_rows), each = n_rates)
  own <- outer(row, row, "==") * 1
  at_least <- diag(limits$scale[row]) - own * as.vector(limits$low)
  at_most <- diag(limits$scale[row]) - own * as.vector(limits$high)
  totals <- t(vapply(seq_len(n_rows), function(r) as.numeric(row == r), numeric(length(row))))
  a <- rbind(at_least, at_most, totals, 1)
  direction <- rep(c(">=", "<=", ">=", "="), c(length(row), length(row), n_rows, 1))
  b <- c(rep(0, 2 * length(row)), rep(1, n_rows), n)
  solve <- function(cell, to) {
    found <- lpSolve::lp(to, as.numeric(seq_along(row) == cell), a, direction, b, all.int = TRUE)
    if (found$status != 0) NA else round(found$objval)
  }
  list(
    lower = vapply(cells, solve, 1, to = "min"),
    upper = vapply(cells, solve, 1, to = "max")
  )
}
