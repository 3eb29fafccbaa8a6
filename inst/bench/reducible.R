# Certified releases by components on the two survey tables, and the check of their certificates.
# Rscript inst/bench/reducible.R [seconds]
library(sdcLattice)

arguments <- commandArgs(TRUE)
seconds <- if (length(arguments) > 0) as.numeric(arguments[1]) else 30
for (name in c("cps13", "cps14")) {
  table <- get(name)
  release <- release_reducible(table, risk_width(3, at_risk = 1:3), seed = 1,
                               time_limit_s = seconds, progress = FALSE)
  check <- verify_release(release)
  cat(sprintf("%s: %d sub-tables in %.1f s (at most %d); verified: %s, %d cells in %.1f s; %.0f MB",
              name, as.integer(release$n_sub_tables), release$time_s,
              as.integer(release$upper_bound), check$verified, check$n_cells, check$time_s,
              as.numeric(utils::object.size(release$certificates)) / 2^20), "\n")
  print(release$components)
  print(release$log)
}
