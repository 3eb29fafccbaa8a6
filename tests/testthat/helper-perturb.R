# A matrix of counts of any shape, with labels.
random_table <- function(m, n, mean = 2) plain_table(matrix(rpois(m * n, mean), m, n))

# Moves as plain integer arrays.
bare_moves <- function(set) lapply(as.list(set), function(move) array(as.vector(move), dim(move)))

reference_moves <- function(case) {
  lapply(case$cycles, function(entries) {
    move <- array(0L, unlist(case$dim))
    for (e in entries) move[matrix(unlist(e$cell), 1)] <- as.integer(e$coef)
    move
  })
}

# Coins that say 1, -1 or 0 for the given probabilities: the first of each range, or the last coin.
coins_saying <- function(sides, alpha, beta) {
  low_bytes <- function(p) {
    bytes <- raw(8)
    for (i in 8:1) {
      p <- p * 256
      bytes[i] <- as.raw(floor(p))
      p <- p - floor(p)
    }
    bytes
  }
  of <- list(`-1` = low_bytes(alpha), `0` = rep(as.raw(255), 8), `1` = raw(8))
  unlist(of[as.character(sides)], use.names = FALSE)
}

run_forward <- function(counts, me, sides) {
  cpp_perturb_counts(as.double(counts), me, coins_saying(sides, me$alpha, me$beta))$counts
}

# Every sequence of coins with its probability.
all_coins <- function(steps) as.matrix(expand.grid(rep(list(-1:1), steps)))

coin_probability <- function(coins, alpha, beta) {
  apply(coins, 1, function(s) prod(ifelse(s == 1, alpha, ifelse(s == -1, beta, 1 - alpha - beta))))
}

# All results of a mechanism by enumeration through the core: tables (columns) and probabilities.
all_results <- function(counts, me) {
  coins <- all_coins(step_count(me))
  list(
    tables = apply(coins, 1, function(s) run_forward(counts, me, s)),
    probability = coin_probability(coins, me$alpha, me$beta)
  )
}

# Sets that skip zeros, in the words of the rule; the same result as twin_perturb().
twin_sweep <- function(counts, me, bytes) {
  p <- me$cycles$parameters
  x <- matrix(counts, nrow(me$cycles))
  if (p$transposed) x <- t(x)
  n <- ncol(x)
  applied <- integer()
  for (cover in seq_len(me$covers)) {
    for (g in seq_along(p$groups)) {
      lines <- p$groups[[g]]
      ring <- p$rings[[g]]
      bands <- if (length(lines) == 3) list(lines[1:2], lines[2:3], lines[c(3, 1)]) else list(lines)
      if (p$group == 3 && length(lines) == 2) bands <- rep(bands, 2)
      for (band in bands) {
        for (i in seq_len(n - 1)) {
          side <- twin_side(as.integer(bytes[8 * length(applied) + 1:8]), me$alpha, me$beta)
          later <- Filter(function(k) all(x[band, ring[[k]]] >= 1), seq(i + 1, n))
          if (any(x[band, ring[[i]]] < 1) || length(later) == 0) side <- 0
          if (side != 0) {
            pair <- ring[c(i, later[[1]])]
            x[band[[1]], pair] <- x[band[[1]], pair] + side * c(1, -1)
            x[band[[2]], pair] <- x[band[[2]], pair] - side * c(1, -1)
          }
          applied <- c(applied, side)
        }
      }
    }
  }
  list(counts = as.vector(if (p$transposed) t(x) else x), applied = as.integer(applied))
}

# The slow twin: dense arrays, one coin at a time, each coin as two halves of 32 bits.
twin_perturb <- function(counts, me, bytes) {
  moves <- bare_moves(me$cycles)
  alpha <- rep_len(me$alpha, length(moves))
  beta <- rep_len(me$beta, length(moves))
  applied <- integer()
  for (c in steps_of(me)) {
    at <- 8 * length(applied)
    side <- twin_side(as.integer(bytes[at + 1:8]), alpha[[c]], beta[[c]])
    new <- counts + side * as.vector(moves[[c]])
    stop <- if (me$zero_rule == "blocked") any(counts < abs(as.vector(moves[[c]]))) else any(new < 0)
    if (stop) side <- 0
    counts <- counts + side * as.vector(moves[[c]])
    applied <- c(applied, side)
  }
  list(counts = counts, applied = as.integer(applied))
}

twin_side <- function(bytes, alpha, beta) {
  coin <- c(sum(bytes[5:8] * 256^(0:3)), sum(bytes[1:4] * 256^(0:3)))
  halves <- function(p) {
    high <- floor(p * 2^32)
    c(high, floor((p * 2^32 - high) * 2^32))
  }
  below <- function(a, b) a[[1]] < b[[1]] || (a[[1]] == b[[1]] && a[[2]] < b[[2]])
  a <- halves(alpha)
  both <- a + halves(beta)
  both <- c(both[[1]] + both[[2]] %/% 2^32, both[[2]] %% 2^32)
  if (alpha >= 1 || below(coin, a)) return(1)
  if (alpha + beta >= 1 || below(coin, both)) return(-1)
  0
}
