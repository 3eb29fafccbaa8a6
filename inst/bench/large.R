# Tables of many cells: in memory, within a limit of memory, from shards, and from a file.
#   Rscript large.R [non-zero cells, 1e7] [limit in MB, 1.25 tables] [cases, all]
# Each case is a process of its own. Its peak is what the kernel saw (VmHWM) beyond what the process
# held when the case began, so that Linux is needed.

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) > 0) as.numeric(args[1]) else 1e7
limit <- if (length(args) > 1) as.numeric(args[2]) else 1.25 * 16 * n / 1e6
cases <- c("counted in memory", "counted within the limit", "margin in memory",
           "margin within the limit", "two shards", "file within the limit")
if (length(args) > 2) cases <- strsplit(args[3], ",")[[1]]

size_of_process <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1000
}
# The result, processor time, and megabytes at the peak beyond what there was.
measured <- function(f) {
  invisible(gc())
  cat("5", file = "/proc/self/clear_refs")
  before <- size_of_process("VmRSS")
  time <- system.time(value <- f(), gcFirst = FALSE)
  list(value = value, seconds = time[["user.self"]] + time[["sys.self"]], wall = time[["elapsed"]],
       peak = size_of_process("VmHWM") - before)
}
# Records that are all different, in no order: i * 38742049 runs through all numbers below 10^9.
records <- function(n, from = 0) {
  at <- (seq(from, length.out = n) * 38742049) %% 1e9
  as_factor <- function(code) {
    structure(as.integer(code) + 1L, levels = as.character(1:1000), class = "factor")
  }
  list2DF(list(a = as_factor(at %% 1000), b = as_factor(at %/% 1000 %% 1000),
               c = as_factor(at %/% 1e6)))
}
say <- function(case, found, cells) {
  cat(sprintf("%-26s %9.0f MB beyond (%5.1f bytes a cell) %8.2f s of processor, %8.2f s\n", case,
              found$peak, 1e6 * found$peak / cells, found$seconds, found$wall))
}
counted <- function(data) sdcLattice::sdc_table(data, names(data), drop_unused = FALSE)

one_case <- function(case) {
  within <- grepl("limit", case)
  if (startsWith(case, "counted")) {
    data <- records(n)
    if (within) options(sdcLattice.memory = limit)
    found <- measured(function() counted(data))
    stopifnot(length(found$value$counts) == n)
  } else if (startsWith(case, "margin")) {
    x <- counted(records(n))
    options(sdcLattice.memory = if (within) limit else 1e6)
    found <- measured(function() sdcLattice::margin(x, c("c", "b", "a")))
    stopifnot(sum(found$value) == n)
  } else if (case == "two shards") {
    shards <- list(counted(records(n)), counted(records(n, n)))
    bytes <- lapply(shards, function(x) list(x$keys, x$counts))
    copies <- replicate(5, {
      took <- measured(function() lapply(bytes, lapply, function(x) {
        x[1] <- x[2]
        x
      }))
      found <<- measured(function() do.call(c, shards))
      c(took$seconds, found$seconds)
    })
    cat(sprintf("%-26s %.2f s of processor for as many bytes, c() takes %.1f times that\n",
                "copying two shards", min(copies[1, ]), min(copies[2, ]) / min(copies[1, ])))
  } else {
    path <- tempfile(fileext = ".csv")
    write_records(path)
    on.exit(unlink(path))
    options(sdcLattice.memory = limit)
    cat(sprintf("%-26s %9.0f MB\n", "the file", file.size(path) / 1e6))
    found <- measured(function() {
      sdcLattice::sdc_table(sdcLattice::file_records(path), c("a", "b", "c"), drop_unused = FALSE)
    })
    stopifnot(length(found$value$counts) == n)
  }
  say(case, found, length(found$value$counts))
}
write_records <- function(path) {
  for (from in seq(0, n - 1, by = 1e6)) {
    some <- records(min(1e6, n - from), from)
    data.table::fwrite(some, path, append = from > 0)
  }
}

if (Sys.getenv("SDCLATTICE_LARGE_CASE") != "") {
  one_case(Sys.getenv("SDCLATTICE_LARGE_CASE"))
} else {
  file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  cat(sprintf("%g non-zero cells, a table of %.0f MB, a limit of %.0f MB\n", n, 16 * n / 1e6,
              limit))
  for (case in cases) {
    system2(file.path(R.home("bin"), "Rscript"), shQuote(c(file, n, limit)),
            env = paste0("SDCLATTICE_LARGE_CASE=", shQuote(case)))
  }
}
