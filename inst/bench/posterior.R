# The posterior through R with all its objects: time, and peak memory beyond what the publication
# already takes. Each case runs in a process of its own. Linux (reads /proc/self/status).
# Run: Rscript inst/bench/posterior.R

peak_mb <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

run_case <- function(set, n, covers) {
  library(sdcLattice)
  set.seed(1)
  labels <- list(row = as.character(seq_len(n)), column = as.character(seq_len(n)))
  x <- as_sdc_table(array(stats::rpois(n * n, 10), c(n, n), labels))
  cycles <- if (set == "bidiagonal") cycles_bidiagonal(x) else cycles_banded(x, seed = 1)
  pub <- publication(x, mechanism(cycles, covers = covers))
  rm(x)
  invisible(gc())
  before <- peak_mb("VmRSS")
  high <- peak_mb("VmHWM")
  seconds <- system.time(po <- posterior(pub, progress = FALSE))[["elapsed"]]
  after <- peak_mb("VmHWM")
  bytes <- (max(after, high) - before) * 2^20 / n^2
  cat(sprintf("%-11s %4d x %-4d r = %d  %7.3f s  %6.1f bytes a cell%s\n", set, n, n, covers,
              seconds, bytes, if (after <= high) " (upper bound)" else ""))
}

arguments <- commandArgs(TRUE)
if (length(arguments) == 3) {
  run_case(arguments[1], as.integer(arguments[2]), as.integer(arguments[3]))
} else {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  for (set in c("bidiagonal", "banded")) {
    for (n in c(100, 300, 1000, 2000)) {
      for (covers in 1:2) {
        system2(file.path(R.home("bin"), "Rscript"), c(script, set, n, covers))
      }
    }
  }
}
