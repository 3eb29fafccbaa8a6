# Lenz (2016): the copy at hand holds the abstract, the proofs and the program.

lenz_moves <- function(m, n) {
  lapply(as.list(cycles_bidiagonal(matrix(0, m, n), walk = "lenz")), function(move) {
    matrix(as.numeric(move), m)
  })
}

# The program of appendix B, line by line: cycle i on m x n cells.
program_cycle <- function(i, m, n) {
  move <- matrix(0, m, n)
  for (k in 0:(m - 1)) move[k + 1, 1 + (k + i) %% n] <- 1
  for (k in 0:(m - 2)) move[k + 1, 1 + (k + 1 + i) %% n] <- -1
  move[m, 1 + i %% n] <- -1
  move
}

run_program <- function(original, coins) {
  n <- ncol(original)
  for (step in seq_along(coins)) {
    cycle <- program_cycle((step - 1) %% n, nrow(original), n)
    if (any(original < abs(cycle))) coins[[step]] <- 0
    original <- original + coins[[step]] * cycle
  }
  list(published = original, reduced = coins)
}

program_is_perturb <- function() {
  me <- mechanism(cycles_bidiagonal(roehrig, walk = "lenz"), .25, .25, covers = 2)
  all(vapply(1:20, function(seed) {
    pe <- perturb(roehrig, me, seed = seed, insist = TRUE)
    coins <- pe$coefficients
    run <- run_program(unclass(roehrig), coins)
    length(coins) == 2 * ncol(roehrig) && all(run$published == as.table(pe$published))
  }, NA))
}

# The margins that the program breaks, of all shapes from 2 x 2 to 6 x 6: those with m mod n = 1.
shapes_that_break <- function() {
  shapes <- expand.grid(m = 2:6, n = 2:6)
  broken <- mapply(function(m, n) {
    any(rowSums(program_cycle(0, m, n)) != 0, colSums(program_cycle(0, m, n)) != 0)
  }, shapes$m, shapes$n)
  identical(broken, shapes$m %% shapes$n == 1)
}

# Lemma 1: the mean of k steps, by all outcomes of the coins, against (alpha - beta) sum M.
lemma_1 <- function(alpha = .3, beta = .15) {
  moves <- lenz_moves(3, 4)
  all(vapply(seq_along(moves), function(k) {
    coins <- as.matrix(expand.grid(rep(list(c(1, -1, 0)), k)))
    p <- apply(coins, 1, function(z) prod(c(beta, 1 - alpha - beta, alpha)[z + 2]))
    steps <- vapply(moves[seq_len(k)], as.vector, numeric(12))
    mean <- steps %*% colSums(coins * p)
    near(mean, (alpha - beta) * rowSums(steps))
  }, NA))
}

# Theorem 2: two blocks and one cell that joins them. Each line has two non-zero cells, yet the
# joining cell lies on no cycle of non-zero cells.
theorem_2 <- function() {
  x <- table_of(c(2, 3, 7, 0, 4, 1, 0, 0, 0, 0, 5, 2, 0, 0, 1, 6), 4)
  set <- cycles_data(x, seed = 1)
  paste("still:", paste(unlist(lapply(still_cells(set), as.character)), collapse = ","))
}

# The law of a cell far from zero after some covers, computed by the package.
law_of_change <- function(alpha, beta, covers) {
  big <- matrix(30, 4, 4)
  me <- mechanism(cycles_bidiagonal(big), alpha, beta, covers = covers)
  law <- as.data.frame(posterior(publication(big, me)), cells = 6)
  stats::setNames(law$probability, law$value - 30)
}

law_in_words <- function(law) {
  paste(names(law), plain(law, 4), sep = ": ", collapse = ", ")
}

# S_1 as printed, for some pairs of probabilities.
theorem_4_first <- function() {
  all(vapply(list(c(.25, .25), c(.2, .3), c(.5, .1)), function(p) {
    a <- p[[1]]
    b <- p[[2]]
    g <- 1 - a - b
    printed <- c(a * b, (1 - g) * g, a^2 + b^2 + g^2, (1 - g) * g, a * b)
    near(law_of_change(a, b, 1), printed)
  }, NA))
}

variance_of_change <- function(alpha, beta, covers) {
  law <- law_of_change(alpha, beta, covers)
  change <- as.numeric(names(law))
  c(mean = round(sum(law * change), 9), variance = round(sum(law * change^2), 9))
}

# Corollary 1: how many perturbations leave the first column as it is.
unperturbed_column <- function(m, n) {
  coins <- as.matrix(expand.grid(rep(list(-1:1), n)))
  changes <- unique(coins %*% t(vapply(lenz_moves(m, n), as.vector, numeric(m * n))))
  sum(rowSums(changes[, seq_len(m)] != 0) == 0)
}

# A map of designs: with more noise there is less risk and more loss.
designs_trade_off <- function() {
  set <- cycles_bidiagonal(roehrig)
  grid <- as.data.frame(tune(roehrig, list(cycles = set), alpha = c(.02, .25), covers = 1,
                             replicates = 20, insider = FALSE))
  grid <- grid[order(grid$alpha), ]
  all(diff(grid$abs_change) > 0, diff(grid$guess_small) < 0)
}

# The definition behind figures 1 and 2, which the copy lacks: each cell on two basic cycles.
basic_cycles <- function() {
  all(vapply(list(c(4, 4), c(3, 5), c(5, 3), c(4, 6)), function(size) {
    moves <- lenz_moves(size[[1]], size[[2]])
    length(moves) == size[[2]] && all(Reduce(`+`, lapply(moves, abs)) == 2)
  }, NA))
}
