# Checks of certificates with one thread and with two, in turns.
#   Rscript inst/bench/threads-bounds.R [pairs, 5 unless given] [seconds of the search, 30]
# Elapsed times mean something on an idle machine only; the load is printed.
suppressPackageStartupMessages(library(sdcLattice))

args <- commandArgs(trailingOnly = TRUE)
number <- function(i, default) if (length(args) < i) default else as.numeric(args[i])
pairs <- number(1, 5)
load <- function() {
  if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
}
# The least of the pairs: elapsed and processor seconds, with one thread and with two.
timed <- function(f) {
  once <- function(threads) {
    gc()
    time <- system.time(f(threads))
    c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
  }
  apply(replicate(pairs, cbind(one = once(1), two = once(2))), 1:2, min)
}
compare <- function(case, f) {
  same <- lapply(1:3, f)
  stopifnot(identical(same[[1]], same[[2]]), identical(same[[1]], same[[3]]))
  found <- timed(f)
  cat(sprintf("%-34s %9.3f %9.3f %6.2f %12.3f %12.3f\n", case, found[1, 1], found[1, 2],
              found[1, 1] / found[1, 2], found[2, 1], found[2, 2]))
}

release <- lapply(c(cps13 = "cps13", cps14 = "cps14"), function(name) {
  release_reducible(get(name), risk_width(3, at_risk = 1:3), seed = 1,
                    time_limit_s = number(2, 30), progress = FALSE)
})
cat("load", load(), "\n")
cat(sprintf("%-34s %9s %9s %6s %12s %12s\n", "case", "1 thread", "2 threads", "ratio",
            "processor 1", "processor 2"))
for (name in names(release)) {
  compare(paste0("verify_release() of ", name), function(threads) {
    found <- verify_release(release[[name]], threads = threads, progress = FALSE)
    stopifnot(found$verified)
    found[setdiff(names(found), "time_s")]
  })
}
cat("load", load(), "\n")
