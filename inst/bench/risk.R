# risk_utility() to a standard error of .01: seconds, publications and the largest standard error of
# a share. Run: Rscript inst/bench/risk.R
library(sdcLattice)

run_case <- function(name, x, mechanism) {
  seconds <- system.time(ru <- risk_utility(x, mechanism, progress = FALSE))[["elapsed"]]
  overall <- as.data.frame(summary(ru))
  of <- function(figure) overall$estimate[overall$figure == figure]
  shares <- overall$std_error[overall$kind == "risk"]
  cat(sprintf(
    "%-32s %6.1f s  %4d publications  s.e. %.3f  guess %.2f  insider %.2f\n", name, seconds,
    ru$publications[["intruder"]], max(shares, na.rm = TRUE), of("guess_small"), of("insider_cell")
  ))
}

set.seed(1)
for (n in c(20, 50, 100)) {
  x <- as_sdc_table(matrix(stats::rpois(n^2, 3), n))
  sets <- list(
    banded = cycles_banded(x, seed = 1), pairs = cycles_banded(x, group = 2, seed = 1),
    bidiagonal = cycles_bidiagonal(x)
  )
  for (set in names(sets)) {
    for (rule in c("blocked", "nonnegative")) {
      me <- mechanism(sets[[set]], covers = 2, zero_rule = rule)
      run_case(sprintf("%d x %d %s %s", n, n, set, rule), x, me)
    }
  }
}
