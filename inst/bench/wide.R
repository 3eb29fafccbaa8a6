# Releases of wide tables: variables of 4 levels, some of which go with a common trait.
# Rscript inst/bench/wide.R [variables] [records] [seconds], each several with commas
library(sdcLattice)

arguments <- commandArgs(TRUE)
numbers <- function(i, default) {
  if (length(arguments) < i) default else as.numeric(strsplit(arguments[i], ",")[[1]])
}
work <- function(code) sum(system.time(code, gcFirst = TRUE)[c("user.self", "sys.self")])

wide_table <- function(k, n) {
  set.seed(1)
  trait <- stats::rnorm(n)
  records <- as.data.frame(lapply(seq_len(k), function(v) {
    latent <- v %% 3 / 2 * trait + stats::rnorm(n)
    factor(findInterval(latent, stats::quantile(latent, c(.6, .85, .95))), 0:3)
  }), col.names = paste0("v", seq_len(k)))
  sdc_table(records)
}

risk <- risk_width(3, at_risk = 1:3)
for (k in numbers(1, c(16, 20, 30))) for (n in numbers(2, 20000)) {
  x <- wide_table(k, n)
  took <- work(best <- release_anneal(x, risk, seed = 1, chains = 1, progress = FALSE))
  cat(sprintf("%d variables, %g records: annealing %d sub-tables, at most %g, in %.1f s\n", k, n,
              as.integer(best$n_sub_tables), best$upper_bound, took))
  for (seconds in numbers(3, c(1, 10, 30))) {
    took <- work(re <- release_reducible(x, risk, seed = 1, time_limit_s = seconds,
                                         progress = FALSE))
    cat(sprintf("  limit of %g s: %d sub-tables, at most %g, in %.1f s; verified: %s\n", seconds,
                as.integer(re$n_sub_tables), re$upper_bound, took, verify_release(re)$verified))
  }
}
