# One thread and two in turns: what benches of threads share.

load <- function() {
  if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
}
seconds <- function(f, ...) {
  gc()
  time <- system.time(f(...))
  c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
}
# The least of the pairs: elapsed and processor seconds, of both in turns.
timed <- function(one, two) {
  apply(replicate(pairs, cbind(seconds(one), seconds(two))), 1:2, min)
}
# `f` takes the number of threads; its results must not depend on it.
compare <- function(case, f) {
  same <- lapply(1:3, f)
  stopifnot(identical(same[[1]], same[[2]]), identical(same[[1]], same[[3]]))
  found <- timed(function() f(1), function() f(2))
  cat(sprintf("%-42s %9.3f %9.3f %6.2f %12.3f %12.3f\n", case, found[1, 1], found[1, 2],
              found[1, 1] / found[1, 2], found[2, 1], found[2, 2]))
}
show_head <- function() {
  cat("load", load(), "\n")
  cat(sprintf("%-42s %9s %9s %6s %12s %12s\n", "case", "1 thread", "2 threads", "ratio",
              "processor 1", "processor 2"))
}
