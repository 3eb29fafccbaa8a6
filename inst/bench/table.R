# Tabulates records and takes margins, with data.table in the same run, one thread each.
#   Rscript table.R [records, 1e7 unless given]
# Peak memory is what a fresh process needs above its data (Linux only): one process per method.

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) > 0) as.numeric(args[1]) else 1e7
one_method <- args[2]
one_case <- args[3]

suppressPackageStartupMessages({
  library(sdcLattice)
  library(data.table)
})
setDTthreads(1)

variables <- letters[1:8]
as_factor <- function(code) {
  structure(code, levels = paste("level", seq_len(max(code))), class = "factor")
}
cases <- list(
  dense = function() lapply(rep(5L, 8), function(k) as_factor(sample.int(k, n, TRUE))),
  sparse = function() {
    lapply(c(5:10, 10, 10), function(k) as_factor(sample.int(k, n, TRUE, .6^(1:k))))
  },
  integers = function() lapply(c(5:10, 10, 10), function(k) sample.int(k, n, TRUE, .6^(1:k))),
  strings = function() {
    lapply(c(5:10, 10, 10), function(k) c("", letters)[sample.int(k, n, TRUE, .6^(1:k))])
  },
  numbers = function() lapply(c(5:10, 10, 10), function(k) sample.int(k, n, TRUE, .6^(1:k)) / 4)
)
make_data <- function(case) {
  set.seed(1)
  setDT(stats::setNames(cases[[case]](), variables))[]
}
methods <- list(
  sdcLattice = function(data) sdc_table(data, variables),
  data.table = function(data) data[, .N, by = variables]
)

seconds <- function(expr, times = 3) {
  expr <- substitute(expr)
  envir <- parent.frame()
  min(vapply(seq_len(times), function(i) system.time(eval(expr, envir))[["elapsed"]], 1))
}

memory <- function(what) {
  lines <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep(what, lines, value = TRUE))) / 1024
}

# The peak above what is there before, in MB.
peak_above <- function(method, case) {
  data <- make_data(case)
  invisible(gc())
  writeLines("5", "/proc/self/clear_refs")  # sets the high water mark back
  before <- memory("VmRSS")
  result <- methods[[method]](data)
  memory("VmHWM") - before
}

if (!is.na(one_method)) {
  cat(peak_above(one_method, one_case), "\n")
  quit(status = 0)
}

this_file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
peak_in_child <- function(method, case) {
  if (!file.exists("/proc/self/clear_refs")) return(NA)
  command <- file.path(R.home("bin"), "Rscript")
  as.numeric(system2(command, c(shQuote(this_file), n, method, case), stdout = TRUE))
}

cat(format(n, big.mark = ","), "records by 8 variables, one thread each\n")
cat(sprintf("%-9s %10s %12s %12s %6s %14s %14s %6s\n", "case", "non-zero", "sdcLattice s",
            "data.table s", "ratio", "sdcLattice MB", "data.table MB", "ratio"))
for (case in names(cases)) {
  data <- make_data(case)
  ours <- seconds(x <- methods$sdcLattice(data))
  theirs <- seconds(y <- methods$data.table(data), if (case == "numbers") 1 else 3)
  stopifnot(nrow(y) == length(x$counts), sum(y$N) == sum(x), max(y$N) == max(x$counts))
  rm(data, y)
  mb <- vapply(names(methods), peak_in_child, 1, case = case)
  cat(sprintf("%-9s %10s %12.3f %12.3f %6.1f %14.0f %14.0f %6.2f\n", case,
              format(length(x$counts), big.mark = ","), ours, theirs, theirs / ours,
              mb[1], mb[2], mb[1] / mb[2]))
  if (case == "sparse") sparse <- x
}

cat("\nMargins of the sparse table (", format(length(sparse$counts), big.mark = ","),
    " non-zero cells)\n", sep = "")
sets <- list(variables[1:7], variables[2:8], variables[8:2], variables[c(1, 3, 5, 7)], "d",
             character(0))
for (keep in sets) {
  cat(sprintf("  %-20s %6.1f ms\n", paste0("(", paste(keep, collapse = " "), ")"),
              1000 * seconds(margin(sparse, keep), 5)))
}
