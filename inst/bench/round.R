# Controlled rounding: Rscript inst/bench/round.R
# Baselines in the same run: rounding every cell by itself at random (unbiased, does not add up), and
# the nearest rounding by integer programming (the package's own search) instead of minimum cost flow.
library(sdcLattice)

seconds <- function(code, times = 3) {
  code <- substitute(code)
  frame <- parent.frame()
  min(vapply(seq_len(times), function(i) system.time(eval(code, frame))[["elapsed"]], 0))
}
line <- function(what, s, baseline = NA) {
  ratio <- if (is.na(baseline)) "" else sprintf("%8.2f x baseline", s / baseline)
  cat(sprintf("%-58s %9.3f s %s\n", what, s, ratio))
}
by_cell <- function(x, base) x - x %% base + base * (stats::runif(length(x)) < (x %% base) / base)
counts <- function(n, mean = 20) matrix(stats::rpois(n * n, mean), n)

set.seed(1)
small <- lapply(1:1000, function(i) counts(4, 5))
line("1000 tables 4 x 4, base 3, stochastic", seconds(for (x in small) round_controlled(x, 3)))
line("1000 tables 4 x 4, base 3, nearest", seconds(for (x in small) round_controlled(x, 3, "nearest")))

for (n in c(200, 1000)) {
  x <- counts(n)
  table <- as_sdc_table(x)
  alone <- seconds(as_sdc_table(by_cell(as.array(table), 3)))
  line(sprintf("%d x %d, base 3, each cell by itself (baseline)", n, n), alone)
  line(sprintf("%d x %d, base 3, stochastic", n, n), seconds(round_controlled(table, 3)), alone)
  line(sprintf("%d x %d, base 10, stochastic", n, n), seconds(round_controlled(table, 10)), alone)
}
for (n in c(50, 200)) {
  x <- as_sdc_table(counts(n))
  for (base in c(3, 100)) {
    line(sprintf("%d x %d, base %d, nearest", n, n, base), seconds(round_controlled(x, base, "nearest"), 2))
  }
}

x <- counts(28)
programme <- seconds(
  sdcLattice:::round_by_programme(as_sdc_table(x), list("Var1", "Var2"), 3, "cells", "error", 60), 2
)
line("28 x 28, base 3, nearest by integer programme (baseline)", programme)
line("28 x 28, base 3, nearest by flow", seconds(round_controlled(x, 3, "nearest")), programme)
cube <- array(stats::rpois(6 * 5 * 4, 8), c(6, 5, 4))
line("6 x 5 x 4, base 3, all margins, integer programme", seconds(round_controlled(cube, 3, "nearest"), 1))
cube <- array(stats::rpois(1000, 8), c(10, 10, 10))
line("10 x 10 x 10, base 3, all margins, integer programme",
     seconds(round_controlled(cube, 3, "nearest"), 1))

pub <- publish(round_controlled(roehrig, 3, seed = 1), insist = TRUE)
line("posterior, 4 x 4, base 3, procedure, 100,000 draws",
     seconds(posterior_rounding(pub, method = "montecarlo", draws = 1e5, seed = 1), 1))
tiny <- publish(round_controlled(matrix(c(3, 6, 3, 3, 6, 9), 2), 3, seed = 1), insist = TRUE)
line("posterior, 2 x 3, base 3, procedure, enumeration",
     seconds(posterior_rounding(tiny, method = "enumeration")))
