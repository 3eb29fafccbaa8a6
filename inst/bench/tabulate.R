# Tabulation with one thread and with two, beside data.table and a sum over the columns.
#   Rscript tabulate.R [records, 1e7 unless given]
# Elapsed times mean something on an idle machine only; the load is printed.

suppressPackageStartupMessages(library(sdcLattice))
args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) > 0) as.numeric(args[1]) else 1e7

load <- function() {
  if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
}
as_factor <- function(code, k) {
  structure(code, levels = paste("level", seq_len(k)), class = "factor")
}
columns <- function(size, skew = 1) {
  lapply(size, function(k) as_factor(sample.int(k, n, TRUE, skew^seq_len(k)), k))
}
cases <- list(
  "3 variables, 125 cells" = function() columns(rep(5L, 3)),
  "8 variables, dense" = function() columns(rep(5L, 8)),
  "8 variables, sparse" = function() columns(c(5:10, 10L, 10L), .6),
  "4 variables, all different" = function() columns(rep(1000L, 4))
)
# The least of some runs, in turns, so that a busy moment hits all alike: elapsed and processor.
timed <- function(methods, times = 5) {
  all <- replicate(times, vapply(methods, function(f) {
    gc()
    time <- system.time(f())
    c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
  }, c(0, 0)))
  apply(all, 1:2, min)
}

cat(format(n, big.mark = ",", scientific = FALSE), "records; load", load(), "\n")
cat(sprintf("%-27s %9s %9s %6s %12s %12s %11s %9s\n", "case", "1 thread", "2 threads", "ratio",
            "processor 1", "processor 2", "data.table", "sum"))
for (case in names(cases)) {
  set.seed(1)
  data <- list2DF(cases[[case]]())
  names(data) <- letters[seq_along(data)]
  methods <- list(
    one = function() sdc_table(data, names(data), threads = 1, drop_unused = FALSE),
    two = function() sdc_table(data, names(data), threads = 2, drop_unused = FALSE),
    # what reading all columns once costs
    sum = function() for (column in data) sum(unclass(column))
  )
  stopifnot(identical(methods$one(), methods$two()), sum(methods$one()) == n)
  found <- timed(methods)
  peer <- NA
  if (requireNamespace("data.table", quietly = TRUE)) {
    data.table::setDTthreads(1)
    table <- data.table::as.data.table(data)
    peer <- timed(list(function() table[, .N, by = c(names(table))]), 2)[1, 1]
  }
  cat(sprintf("%-27s %9.3f %9.3f %6.2f %12.3f %12.3f %11.3f %9.3f\n", case, found[1, "one"],
              found[1, "two"], found[1, "one"] / found[1, "two"], found[2, "one"], found[2, "two"],
              peer, found[1, "sum"]))
}

set.seed(1)
firms <- list2DF(list(industry = as_factor(sample.int(400L, n, TRUE), 400L),
                      region = as_factor(sample.int(250L, n, TRUE), 250L),
                      value = round(stats::rlnorm(n, 3, 1.3), 1)))
group <- function(threads) {
  function() magnitude_table(firms, c("industry", "region"), "value", threads = threads)
}
found <- timed(list(one = group(1), two = group(2)), 2)
cat(sprintf("%-27s %9.3f %9.3f %6.2f %12.3f %12.3f\n", "contributors to 10^5 cells",
            found[1, 1], found[1, 2], found[1, 1] / found[1, 2], found[2, 1], found[2, 2]))
cat("load", load(), "\n")
