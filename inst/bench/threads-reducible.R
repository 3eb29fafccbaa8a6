# Certified releases with one thread and with two: the same release, for the same work.
#   Rscript threads-reducible.R [table] [cells looked at] [times]
# Elapsed times mean something on an idle machine only. The load is printed, and, where the system
# tells it, how long R's own thread waited for a core that others used.

suppressPackageStartupMessages(library(sdcLattice))
args <- commandArgs(trailingOnly = TRUE)
name <- if (length(args) > 0) args[1] else "cps14"
looks <- if (length(args) > 1) as.numeric(args[2]) else 1e10
times <- if (length(args) > 2) as.numeric(args[3]) else 2

load <- function() {
  if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
}
waited <- function() {
  file <- "/proc/self/schedstat"
  if (file.exists(file)) as.numeric(strsplit(readLines(file), " ")[[1]][2]) / 1e9 else NA
}
cat(sprintf("%s, %s cells looked at; load %s\n", name, format(looks, big.mark = ","), load()))
result <- time <- list()
for (turn in rep(1:2, times)) {
  before <- waited()
  time[[length(time) + 1]] <- system.time(
    release <- release_reducible(get(name), risk_width(3, at_risk = 1:3), seed = 1,
                                 time_limit_s = Inf, max_looks = looks, threads = turn,
                                 progress = FALSE)
  )
  result[[turn]] <- list(release$sets, release$certificates, release$log[-1])
  last <- time[[length(time)]]
  cat(sprintf("%d threads: %d sub-tables, %.1f s elapsed (%.1f waiting), %.1f of the processor\n",
              turn, as.integer(release$n_sub_tables), last[["elapsed"]], waited() - before,
              last[["user.self"]] + last[["sys.self"]]))
}
elapsed <- vapply(time, `[[`, 1, "elapsed")
least <- c(min(elapsed[c(TRUE, FALSE)]), min(elapsed[c(FALSE, TRUE)]))
cat(sprintf("2 threads are %.2f times as fast; the same release: %s\n", least[1] / least[2],
            identical(result[[1]], result[[2]])))
