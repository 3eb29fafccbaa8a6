# Independent of the package: all tables of whole numbers with the same margins, by recursion over
# the cells, and how far apart their counts are at each cell.

margin_rows <- function(dims, sets) {
  at <- as.matrix(expand.grid(lapply(dims, seq_len)))
  rows <- lapply(c(list(integer()), sets), function(set) {
    if (length(set) == 0) {
      return(rep(1L, nrow(at)))
    }
    as.integer(factor(apply(at[, set, drop = FALSE], 1, paste, collapse = ".")))
  })
  rows
}

# Least and largest count of each cell over the fibre; NULL when that takes
# more than `limit` steps.
fibre_ranges <- function(counts, dims, sets, limit = 20000) {
  rows <- margin_rows(dims, sets)
  left <- lapply(rows, function(row) as.vector(tapply(counts, row, sum)))
  last <- lapply(rows, function(row) !duplicated(row, fromLast = TRUE))
  n <- length(counts)
  low <- rep(Inf, n)
  high <- rep(-Inf, n)
  steps <- 0
  now <- numeric(n)
  walk <- function(i, left) {
    steps <<- steps + 1
    if (steps > limit) {
      return(invisible())
    }
    if (i > n) {
      low <<- pmin(low, now)
      high <<- pmax(high, now)
      return(invisible())
    }
    room <- vapply(seq_along(rows), function(m) left[[m]][rows[[m]][i]], 0)
    closing <- vapply(last, function(l) l[i], NA)
    most <- min(room)
    least <- if (any(closing)) max(room[closing]) else 0
    if (least > most) {
      return(invisible())
    }
    for (value in least:most) {
      now[i] <<- value
      rest <- left
      for (m in seq_along(rows)) rest[[m]][rows[[m]][i]] <- room[m] - value
      walk(i + 1, rest)
    }
  }
  walk(1, left)
  if (steps > limit) NULL else list(low = low, high = high)
}
