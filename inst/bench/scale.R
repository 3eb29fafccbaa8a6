# What each main function costs for a million cells or records, with one thread and with two.
#   Rscript inst/bench/scale.R [size, 1 unless given] [file for the figures]
# A size of 0.1 makes all tables a tenth as large. Each case is a process of its own, for its memory.
# The chapter "scale" shows the figures of inst/book/scale.csv, which this wrote. Processor time is
# what one thread needs; elapsed times mean something on an idle machine only, so the load is written
# down beside them.

args <- commandArgs(trailingOnly = TRUE)
size <- if (length(args) < 1) 1 else as.numeric(args[[1]])
file <- if (length(args) < 2) "" else args[[2]]
one_case <- if (length(args) > 2) args[[3]]

suppressPackageStartupMessages(library(sdcLattice))

scaled <- function(n) max(1, round(n * size))
side <- function(n) max(4, round(sqrt(n * size)))

records_of <- function(n, levels) {
  set.seed(1)
  draw <- function(k) factor(sample.int(k, n, TRUE, 1 / seq_len(k)), seq_len(k))
  as.data.frame(lapply(levels, draw), col.names = letters[seq_along(levels)])
}
two_way <- function(n, mean) {
  set.seed(1)
  k <- side(n)
  as_sdc_table(array(rpois(k * k, mean), c(k, k), list(row = seq_len(k), column = seq_len(k))))
}
firms <- function(n) {
  set.seed(1)
  k <- ceiling(sqrt(n / 4))
  data.frame(branch = sample.int(k, n, TRUE), region = sample.int(k, n, TRUE),
             turnover = ceiling(1000 * stats::rexp(n)), firm = seq_len(n))
}
areas <- function(n) {
  k <- max(2, round(n / 500))
  data <- records_of(20 * n, c(area = k, age = 10, class = 50))
  sdc_table(data, c("a", "b", "c"))
}
# A third of the cells is suppressed, with no look at what follows.
hidden <- function(x) {
  cells <- as.data.frame(x, zeros = TRUE, totals = TRUE)
  inner <- cells$row != "Total" & cells$column != "Total"
  cells$freq[inner & stats::runif(nrow(cells)) < .35] <- NA
  cells
}
seeded <- function(x) mechanism(cycles_banded(x, group = 2, seed = 1))

# `make` is not measured; `run` is, and `cells` counts what the figure is a million of. A `run` without
# `threads` has one thread.
cases <- list(
  list(job = "count records", call = "sdc_table()", unit = "records",
       make = function() records_of(scaled(1e7), c(5, 6, 7, 8, 9, 10, 10, 10)),
       cells = nrow, run = function(d, threads) sdc_table(d, letters[1:8], threads = threads)),
  list(job = "sum contributors", call = "magnitude_table()", unit = "contributors",
       make = function() firms(scaled(2e6)), cells = nrow,
       run = function(d, threads) {
         magnitude_table(d, c("branch", "region"), "turnover", "firm", unit = 1, threads = threads)
       }),
  list(job = "add up to a margin", call = "table_margin()", unit = "non-zero cells",
       make = function() sdc_table(records_of(scaled(1e7), c(5, 6, 7, 8, 9, 10, 10, 10))),
       cells = function(x) nrow(as.data.frame(x)),
       run = function(x) table_margin(x, letters[2:8])),
  list(job = "perturb", call = "perturb()", unit = "cells", make = function() {
    x <- two_way(1e6, 30)
    list(x = x, me = seeded(x))
  }, cells = function(a) prod(dim(a$x)), run = function(a) {
    perturb(a$x, a$me, seed = 1, insist = TRUE)
  }),
  list(job = "what a reader infers", call = "posterior()", unit = "cells", make = function() {
    x <- two_way(1e6, 30)
    list(p = publication(x, seeded(x)), n = prod(dim(x)))
  }, cells = function(a) a$n,
  run = function(a, threads) posterior(a$p, prior = prior_uniform(), threads = threads)),
  list(job = "round small counts", call = "round_small()", unit = "cells",
       make = function() two_way(1e5, 3), cells = function(x) prod(dim(x)),
       run = function(x) round_small(x, base = 3)),
  list(job = "suppress", call = "suppress()", unit = "cells and totals",
       make = function() areas(5e4), cells = function(x) nrow(as.data.frame(x, totals = TRUE)),
       run = function(x, threads) {
         suppress(x, 2, time_limit_s = 1, threads = threads, progress = FALSE)
       }),
  list(job = "bound suppressed cells", call = "bounds_margins()", unit = "cells",
       make = function() hidden(two_way(2e5, 3)), cells = nrow,
       run = function(d, threads) bounds_margins(d, threads = threads))
)

status_mb <- function(what) {
  file <- "/proc/self/status"
  if (!file.exists(file)) return(NA_real_)
  as.numeric(gsub("[^0-9]", "", grep(what, readLines(file), value = TRUE))) / 1024
}

has_threads <- function(case) "threads" %in% names(formals(case$run))

# The least of three: processor and elapsed seconds, and the peak of memory above what was there.
measure <- function(case, data, threads) {
  given <- c(list(data), if (has_threads(case)) threads)
  gc()
  if (file.exists("/proc/self/clear_refs")) try(writeLines("5", "/proc/self/clear_refs"), TRUE)
  before <- status_mb("VmRSS")
  times <- replicate(3, {
    time <- system.time(suppressWarnings(suppressMessages(do.call(case$run, given))))
    c(processor = sum(time[c("user.self", "sys.self")]), elapsed = time[["elapsed"]])
  })
  c(apply(times, 1, min), mb = status_mb("VmHWM") - before)
}

run_case <- function(case) {
  data <- suppressMessages(case$make())
  found <- vapply(seq_len(1 + has_threads(case)), function(threads) {
    measure(case, data, threads)
  }, numeric(3))
  n <- suppressMessages(case$cells(data))
  data.frame(
    job = case$job, call = case$call, unit = case$unit, n = n,
    seconds = signif(found["processor", 1], 3),
    seconds_per_million = signif(found["processor", 1] / n * 1e6, 3),
    speedup_of_two = if (has_threads(case)) {
      round(found["elapsed", 1] / found["elapsed", 2], 2)
    } else {
      NA
    },
    bytes_each = signif(found["mb", 1] * 2^20 / n, 2)
  )
}

in_child <- function(i) {
  this_file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  lines <- system2(file.path(R.home("bin"), "Rscript"),
                   c(shQuote(this_file), size, "''", i), stdout = TRUE)
  utils::read.csv(text = lines)
}

if (!is.null(one_case)) {
  utils::write.csv(run_case(cases[[as.integer(one_case)]]), row.names = FALSE)
} else {
  figures <- do.call(rbind, lapply(seq_along(cases), function(i) {
    row <- in_child(i)
    message(row$job, ": ", row$seconds, " s")
    row
  }))
  print(figures, row.names = FALSE)
  if (nzchar(file)) utils::write.csv(figures, file, row.names = FALSE)
  if (file.exists("/proc/loadavg")) cat("load", readLines("/proc/loadavg"), "\n")
}
