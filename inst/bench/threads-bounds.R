# Bounds of some 10^4 suppressed cells, and checks of certificates, with one thread and with two, in
# turns; the results are compared.
#   Rscript inst/bench/threads-bounds.R [pairs, 5 unless given] [seconds of the search, 30]
#   Rscript inst/bench/threads-bounds.R 3 0     # without the certificates
# From the top of the source tree: the cases are made by a program that is compiled here. Elapsed
# times mean something on an idle machine only, and the load is printed; the seconds of the
# processor that R's own thread took (Linux) show the share of the work on any machine.
suppressPackageStartupMessages(library(sdcLattice))

script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
bench <- dirname(script)
source(file.path(bench, "bounds_cases.R"))

args <- commandArgs(trailingOnly = TRUE)
number <- function(i, default) if (length(args) < i) default else as.numeric(args[i])
pairs <- number(1, 5)
load <- function() {
  if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
}
# Seconds of the processor that this thread has taken, without those of its helpers.
own_seconds <- function() {
  file <- sprintf("/proc/self/task/%d/schedstat", Sys.getpid())
  if (file.exists(file)) as.numeric(strsplit(readLines(file), " ")[[1]][1]) / 1e9 else NA
}
# The least of the pairs: elapsed and processor seconds of all threads and of the first, with one
# thread and with two.
timed <- function(f) {
  once <- function(threads) {
    gc()
    before <- own_seconds()
    time <- system.time(f(threads))
    c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]], own_seconds() - before)
  }
  apply(replicate(pairs, cbind(one = once(1), two = once(2))), 1:2, min)
}
compare <- function(case, f) {
  same <- lapply(1:3, f)
  stopifnot(identical(same[[1]], same[[2]]), identical(same[[1]], same[[3]]))
  found <- timed(f)
  cat(sprintf("%-34s %8.2f %8.2f %6.2f %8.2f %8.2f %8.2f %8.2f %6.2f\n", case, found[1, 1],
              found[1, 2], found[1, 1] / found[1, 2], found[2, 1], found[2, 2], found[3, 1],
              found[3, 2], found[3, 1] / found[3, 2]))
}
head_line <- function() {
  cat("load", load(), "\n")
  cat(sprintf("%-34s %8s %8s %6s %8s %8s %8s %8s %6s\n", "case", "elapsed", "2 thr.", "ratio",
              "all", "2 thr.", "first", "2 thr.", "ratio"))
}

folder <- tempfile("threads-bounds")
dir.create(folder)
maker <- case_maker(bench, folder)
head_line()
for (case in c("h3c", "l3a", "h3e", "s12")) {
  system2(maker, c(case, shQuote(folder)))
  held <- read_case(case, folder)
  asked <- held$asked[held$variables]
  compare(sprintf("%s: bounds of %d cells", case, nrow(asked)), function(threads) {
    found <- do.call(bounds_margins, c(held$release, list(
      cells = asked, threads = threads, time_limit_s = 300, max_cells = 1e9, progress = FALSE
    )))
    stopifnot(found$sharp)
    list(as.data.frame(found), found$effort)
  })
}
if (number(2, 30) == 0) quit(save = "no")

release <- lapply(c(cps13 = "cps13", cps14 = "cps14"), function(name) {
  release_reducible(get(name), risk_width(3, at_risk = 1:3), seed = 1,
                    time_limit_s = number(2, 30), progress = FALSE)
})
head_line()
for (name in names(release)) {
  compare(paste0("verify_release() of ", name), function(threads) {
    found <- verify_release(release[[name]], threads = threads, progress = FALSE)
    stopifnot(found$verified)
    found[setdiff(names(found), "time_s")]
  })
}
cat("load", load(), "\n")
