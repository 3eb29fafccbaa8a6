# The posterior through R with all its objects: time, and peak memory beyond what the process held
# with the publication loaded. Each case runs in a fresh process that reads its publication from a
# file. Linux only (reads /proc/self).
# Run: Rscript inst/bench/posterior.R

megabytes <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

make_case <- function(file, set, n, covers) {
  library(sdcLattice)
  set.seed(1)
  labels <- list(row = as.character(seq_len(n)), column = as.character(seq_len(n)))
  x <- as_sdc_table(array(stats::rpois(n * n, 10), c(n, n), labels))
  cycles <- switch(set,
    bidiagonal = cycles_bidiagonal(x),
    pairs = cycles_banded(x, group = 2, seed = 1),
    triads = cycles_banded(x, open = TRUE, seed = 1),
    skipping = cycles_banded(x, skip_zeros = TRUE, seed = 1)
  )
  saveRDS(publication(x, mechanism(cycles, covers = covers)), file, compress = FALSE)
}

run_case <- function(file, set, n, covers) {
  library(sdcLattice)
  pub <- readRDS(file)
  invisible(gc())
  cat("5", file = "/proc/self/clear_refs") # the peak starts from here
  before <- megabytes("VmRSS")
  seconds <- system.time(po <- posterior(pub, progress = FALSE))[["elapsed"]]
  bytes <- (megabytes("VmHWM") - before) * 2^20 / n^2
  cat(sprintf("%-11s %4d x %-4d r = %d  %7.3f s  %6.1f bytes a cell\n", set, n, n, covers,
              seconds, bytes))
}

arguments <- commandArgs(TRUE)
if (length(arguments) == 5) {
  act <- if (arguments[1] == "make") make_case else run_case
  act(arguments[2], arguments[3], as.integer(arguments[4]), as.integer(arguments[5]))
} else {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  rscript <- file.path(R.home("bin"), "Rscript")
  file <- tempfile(fileext = ".rds")
  for (set in c("bidiagonal", "pairs", "triads", "skipping")) {
    for (n in c(300, 1000, 2000)) {
      for (covers in if (set %in% c("triads", "skipping")) 1 else 1:2) {
        system2(rscript, c(script, "make", file, set, n, covers))
        system2(rscript, c(script, "run", file, set, n, covers))
      }
    }
  }
}
