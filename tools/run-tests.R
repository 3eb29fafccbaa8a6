# Runs the installed package's tests on a copy, so that the checkout stays as it is, on as many
# processors as there are, and shows files as they end.
#   Rscript tools/run-tests.R <checkout> <temporary folder> [keep]
# The last line is `N passed, N failed, N skipped`. A snapshot that is new or differs is a failure.
# Files that take long, by tests/tools/seconds.csv, come first; `keep` writes there what they took this time.

arguments <- commandArgs(trailingOnly = TRUE)
source <- file.path(arguments[[1]], "tests", "testthat")
top <- file.path(arguments[[2]], "testthat")

# What is in `after` and not, with the same bytes, in `before`. What differs from a snapshot is in a
# file of its own beside it, and has been counted by its test already.
new_snapshots <- function(before, after) {
  files <- grep("[.]new[.]", list.files(after, recursive = TRUE), value = TRUE, invert = TRUE)
  same <- function(file) {
    identical(
      unname(tools::md5sum(file.path(before, file))),
      unname(tools::md5sum(file.path(after, file)))
    )
  }
  files[!vapply(files, same, NA)]
}

show_skipped <- function(results) {
  why <- unlist(lapply(results, function(test) {
    skips <- Filter(function(r) inherits(r, "expectation_skip"), test$results)
    vapply(skips, conditionMessage, "")
  }))
  for (reason in sort(unique(why))) cat("skipped:", sum(why == reason), "x", reason, "\n")
}

# Each file has a copy of the folder to itself, as testthat writes beside the tests: of its own tests and
# snapshots, and of what all share.
copy_for <- function(file, folder) {
  dir.create(file.path(folder, "_snaps"), recursive = TRUE)
  shared <- grep("^(test-|_snaps$)", list.files(source), value = TRUE, invert = TRUE)
  file.copy(file.path(source, c(file, shared)), folder, recursive = TRUE)
  own <- file.path(source, "_snaps", paste0(test_name(file), c("", ".md")))
  file.copy(own[file.exists(own)], file.path(folder, "_snaps"), recursive = TRUE)
}

test_name <- function(file) sub("^test-(.*)[.]R$", "\\1", file)

# The results of one file, and what its tests said.
run_file <- function(file) {
  before <- processor_seconds()
  name <- test_name(file)
  folder <- file.path(top, name)
  copy_for(file, folder)
  results <- NULL
  options(sdcLattice.passed = 0) # see tests/testthat/helper-expectations.R
  # what the package tells its user is not a result of a test
  said <- utils::capture.output(results <- suppressMessages(testthat::test_dir(
    folder,
    filter = paste0("^", name, "$"), package = "sdcLattice",
    load_package = "installed", reporter = "check", stop_on_failure = FALSE, stop_on_warning = FALSE
  )))
  changed <- new_snapshots(file.path(source, "_snaps"), file.path(folder, "_snaps"))
  unlink(folder, recursive = TRUE)
  score <- as.data.frame(results)
  out <- list(
    results = results, changed = changed, seconds = processor_seconds() - before,
    passed = sum(score$passed) + getOption("sdcLattice.passed"),
    failed = sum(score$failed) + sum(score$error) + length(changed), skipped = sum(score$skipped)
  )
  show_file(name, out, said)
  out
}

# A browser that falls silent is no fault of ours, unless it does so twice.
fell_silent <- function(out) {
  text <- unlist(lapply(out$results, function(test) vapply(test$results, conditionMessage, "")))
  any(grepl("the browser does not answer", text, fixed = TRUE))
}

run_again <- function(file) {
  out <- run_file(file)
  if (!fell_silent(out)) {
    return(out)
  }
  cat(test_name(file), "is run again, as the browser fell silent\n")
  run_file(file)
}

# Those of a share, one after the other, in a process of their own.
run_files <- function(files) {
  # a fork of R compiles nothing unless it is told to, and the tests' own functions are not compiled;
  # their loops run once, and are not worth it
  compiler::enableJIT(1)
  sapply(files, run_again, simplify = FALSE)
}

# In one piece, as several processes write.
show_file <- function(name, out, said) {
  lines <- sprintf("%-36s %7d passed, %d failed, %4.0f s", name, out$passed, out$failed, out$seconds)
  if (out$failed > 0) lines <- c(lines, said)
  if (length(out$changed)) lines <- c(lines, paste("failed: the snapshot", out$changed, "is new or differs"))
  cat(paste0(lines, "\n", collapse = ""))
}

# Shares of the files, which begin with those that take longest: each holds a part of what is left, so
# that there are few processes, as each copies the memory of this one, and none is long at the end.
shares_of <- function(seconds, threads) {
  shares <- integer(length(seconds))
  share <- 0
  while (any(shares == 0)) {
    left <- which(shares == 0)
    enough <- max(3, sum(seconds[left]) / (3 * threads))
    full <- cumsum(seconds[left]) >= enough
    share <- share + 1
    shares[left[seq_len(min(which(full), length(left)))]] <- share
  }
  shares
}

# The seconds that each file took when they were last written down; for a new one, by its size.
expected_seconds <- function(files, known) {
  last <- if (file.exists(known)) utils::read.csv(known) else data.frame(file = "", seconds = 0)
  seconds <- last$seconds[match(files, last$file)]
  ifelse(is.na(seconds), file.size(file.path(source, files)) / 1000, seconds)
}

# Of this process and of those that it started and that have ended.
processor_seconds <- function() sum(proc.time()[-3], na.rm = TRUE)

# Some tests read the sources, and some share what takes seconds to make.
common <- file.path(arguments[[2]], "shared")
dir.create(common, showWarnings = FALSE)
Sys.setenv(
  NOT_CRAN = "true", TESTTHAT_PARALLEL = "false",
  SDCLATTICE_SOURCE = normalizePath(arguments[[1]]), SDCLATTICE_SHARED = normalizePath(common)
)
files <- list.files(source, "^test-.*[.]R$")
if (length(files) == 0) stop("there are no tests in ", source)
known <- file.path(dirname(source), "tools", "seconds.csv")
# The longest first, so that no processor waits for another at the end.
expected <- expected_seconds(files, known)
files <- files[order(-expected)]
threads <- if (.Platform$OS.type == "unix") max(1, parallel::detectCores(), na.rm = TRUE) else 1
for (package in c("testthat", "sdcLattice")) invisible(loadNamespace(package))
# What most files load is loaded once, before their processes part.
often <- c("desc", "evaluate", "ggplot2", "hexbin", "jsonlite", "waldo", "withr", "GaussSuppression")
for (package in often) {
  suppressMessages(requireNamespace(package, quietly = TRUE))
}
threads <- min(4, threads)
shares <- unname(split(files, shares_of(sort(expected, decreasing = TRUE), threads)))
done <- parallel::mclapply(shares, run_files, mc.cores = threads, mc.preschedule = FALSE)

lives <- vapply(done, is.list, NA)
died <- unlist(shares[!lives])
for (i in which(!lives)) {
  cat("failed:", shares[[i]], "did not come to their end:", as.character(done[[i]]), "\n")
}
done <- do.call(c, done[lives])
show_skipped(do.call(c, lapply(done, `[[`, "results")))
seconds <- sort(vapply(done, `[[`, 0, "seconds"), decreasing = TRUE)
cat("seconds of processor time:", round(sum(seconds)), "in all\n")
if (length(arguments) > 2 && arguments[[3]] == "keep" && !length(died)) {
  utils::write.csv(data.frame(file = names(seconds), seconds = round(seconds)), known,
    row.names = FALSE, quote = FALSE
  )
}

total <- function(what) sum(vapply(done, `[[`, 0, what))
failed <- total("failed") + length(died)
cat(sprintf("%.0f passed, %.0f failed, %.0f skipped\n", total("passed"), failed, total("skipped")))
quit(status = as.integer(failed > 0 || total("passed") == 0))
