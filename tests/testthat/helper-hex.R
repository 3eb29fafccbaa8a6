hexagons <- function(q, r, count) {
  hex_table(data.frame(q = q, r = r, count = count), c("q", "r"), freqVar = "count")
}

row_of_hexagons <- function(q, count) hexagons(q, rep(0, length(q)), count)

random_hexagons <- function(cells, side, most) {
  at <- sample(side^2, cells) - 1
  hexagons(at %% side - 2, at %/% side - 2, sample(most, cells, replace = TRUE))
}

hex_steps <- function(q1, r1, q2, r2) pmax(abs(q1 - q2), abs(r1 - r2), abs(q1 + r1 - q2 - r2))

# Distances between all cells of a map.
all_steps <- function(x) {
  outer(seq_along(x$q), seq_along(x$q), function(i, j) hex_steps(x$q[i], x$r[i], x$q[j], x$r[j]))
}

# The least mu by brute force: all final maps that are allowed, and for each the best assignment of
# single counts by a search over what is still to be moved.
brute_mu <- function(x, t, empty = FALSE, cost = 0) {
  n <- length(x$q)
  steps <- all_steps(x)
  known <- new.env()
  way <- function(change) {
    if (all(change == 0)) return(0)
    key <- paste(change, collapse = " ")
    if (!is.null(known[[key]])) return(known[[key]])
    from <- which(change < 0)[1]
    to <- which(change > 0)
    found <- vapply(to, function(j) {
      change[c(from, j)] <- change[c(from, j)] + c(1, -1)
      steps[from, j] + way(change)
    }, 0)
    assign(key, min(found), known)
    min(found)
  }
  best <- Inf
  place <- function(target, left) {
    i <- length(target) + 1
    if (i > n) {
      if (left == 0) best <<- min(best, way(target - x$count) + cost * sum(target == 0))
      return()
    }
    if (empty && x$count[i] < t) place(c(target, 0), left)
    for (c in seq_len(max(0, left - t + 1)) + t - 1) place(c(target, c), left - c)
  }
  place(numeric(), sum(x$count))
  best
}

# Does the log of moves lead from the original to the result, and is mu its cost?
expect_sound <- function(h) {
  before <- h$original
  key <- paste(before$q, before$r)
  change <- numeric(length(key))
  m <- h$moves
  from <- match(paste(m$from_q, m$from_r), key)
  to <- match(paste(m$to_q, m$to_r), key)
  expect_false(anyNA(c(from, to)))
  for (k in seq_len(nrow(m))) {
    change[from[k]] <- change[from[k]] - m$count[k]
    change[to[k]] <- change[to[k]] + m$count[k]
  }
  gone <- match(paste(h$suppressed$q, h$suppressed$r), key)
  after <- replace(before$count, gone, 0) + change
  expect_identical(after[after > 0], h$map$count)
  expect_identical(key[after > 0], paste(h$map$q, h$map$r))
  expect_true(all(h$map$count >= h$threshold))
  expect_true(all(m$count > 0))
  expect_identical(m$distance, hex_steps(m$from_q, m$from_r, m$to_q, m$to_r))
  expect_identical(sum(m$count * m$distance), h$mu)
  expect_identical(sum(h$map$count) + sum(h$suppressed$count), sum(before$count))
}

or_na <- function(code) tryCatch(code, sdc_error_infeasible = function(cnd) NA_real_)

# The least mu when the marked cells end at 0 and all others at t or more, by tables of the best
# distance for every set of remaining needs, one single count after another (a dynamic programme
# over counts; no flow). An emptied count goes to any cell that stays; a count above t goes to a
# need, or stays.
least_by_single_counts <- function(u, t, steps, empty) {
  if (length(u) == 0) return(0)
  need <- ifelse(empty, 0, pmax(0, t - u))
  stays <- which(!empty)
  if (sum(u) < t * length(stays) || length(stays) == 0) return(Inf)
  size <- need + 1
  stride <- cumprod(c(1, size[-length(size)]))
  codes <- prod(size)
  # digits of each code: what is still needed
  digits <- outer(seq_len(codes) - 1, seq_along(u), function(k, j) (k %/% stride[j]) %% size[j])
  best <- rep(Inf, codes)
  best[codes] <- 0
  single <- function(from, must) {
    idle <- if (must) min(steps[from, stays]) else 0
    after <- best + idle
    for (j in which(need > 0)) {
      can <- digits[, j] > 0
      to <- which(can) - stride[j]
      after[to] <- pmin(after[to], best[can] + steps[from, j])
    }
    after
  }
  for (i in seq_along(u)) {
    spare <- if (empty[i]) u[i] else max(0, u[i] - t)
    for (k in seq_len(spare)) best <- single(i, empty[i])
  }
  best[1]
}
