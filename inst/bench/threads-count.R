# Counts of tables, and judgements of magnitudes, with one thread and with two in turns.
#   Rscript inst/bench/threads-count.R [pairs, 5 unless given] [contributors, 4e6]
# The results are compared. Elapsed times mean something on an idle machine only; the load is
# printed.
suppressPackageStartupMessages(library(sdcLattice))

args <- commandArgs(trailingOnly = TRUE)
number <- function(i, default) if (length(args) < i) default else as.numeric(args[i])
pairs <- number(1, 5)
n <- number(2, 4e6)
load <- function() {
  if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
}
seconds <- function(f, ...) {
  gc()
  time <- system.time(f(...))
  c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
}
compare <- function(case, f) {
  same <- lapply(1:3, f)
  stopifnot(identical(same[[1]], same[[2]]), identical(same[[1]], same[[3]]))
  found <- apply(replicate(pairs, cbind(seconds(f, 1), seconds(f, 2))), 1:2, min)
  cat(sprintf("%-42s %9.3f %9.3f %6.2f %12.3f %12.3f\n", case, found[1, 1], found[1, 2],
              found[1, 1] / found[1, 2], found[2, 1], found[2, 2]))
}

cat("load", load(), "\n")
cat(sprintf("%-42s %9s %9s %6s %12s %12s\n", "case", "1 thread", "2 threads", "ratio",
            "processor 1", "processor 2"))
set.seed(1)
x <- as_sdc_table(array(stats::rpois(5 * 8 * 4, 6), c(5, 8, 5)))
both <- margins(x, list(c("Var1", "Var2"), c("Var2", "Var3")))
compare("count_tables(), 8 parts of 5 x 5", function(threads) {
  count_tables(both, threads = threads, progress = FALSE)
})
firms <- data.frame(branch = sample.int(400L, n, TRUE), region = sample.int(250L, n, TRUE),
                    turnover = round(stats::rlnorm(n, 3, 1.3), 1))
mg <- magnitude_table(firms, c("branch", "region"), "turnover")
rules <- c(rule_threshold(3), rule_p_percent(10))
compare("sensitive(), cells", function(threads) {
  sensitive(mg, rules, totals = FALSE, threads = threads)
})
compare("sensitive(), cells and totals", function(threads) {
  sensitive(mg, rules, totals = TRUE, threads = threads)
})
cat("load", load(), "\n")
