# Data cycles: time, and how evenly the chances fall.
# Run: Rscript inst/bench/cycle.R

library(sdcLattice)

run_case <- function(n, mean, chances) {
  set.seed(1)
  labels <- list(row = as.character(seq_len(n)), column = as.character(seq_len(n)))
  x <- as_sdc_table(array(stats::rpois(n * n, mean), c(n, n), labels))
  seconds <- system.time(set <- cycles_data(x, chances, seed = 1, progress = FALSE))[["elapsed"]]
  of_cell <- as.data.frame(summary(set))$chances
  movable <- of_cell[of_cell > 0]
  cat(sprintf(
    "%4d x %-4d mean %-4g %7d non-zero cells  %6.2f s  %7d cycles  exactly %d chances: %.1f%%, most: %d\n",
    n, n, mean, nrow(as.data.frame(x)), seconds, length(set), chances, 100 * mean(movable == chances), max(movable)
  ))
}

run_case(20, 1, 4)
run_case(50, .3, 4)
run_case(200, 1, 4)
run_case(200, 1, 2)
run_case(1000, .01, 4)
run_case(500, 1, 4)
