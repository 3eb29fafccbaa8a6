# Runs the installed package's tests on a copy, so that the checkout stays as it is, file by file, on
# as many processors as there are.
#   Rscript tools/run-tests.R <checkout> <temporary folder>
# The last line is `N passed, N failed, N skipped`. A snapshot that is new or differs is a failure.

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

# The results of one file, and what its tests said. Each file has a copy of the folder to itself, as
# testthat writes beside the tests.
run_file <- function(file) {
  before <- processor_seconds()
  name <- sub("^test-(.*)[.]R$", "\\1", file)
  folder <- file.path(top, name)
  dir.create(folder, recursive = TRUE)
  file.copy(list.files(source, full.names = TRUE), folder, recursive = TRUE)
  results <- NULL
  # what the package tells its user is not a result of a test
  said <- utils::capture.output(results <- suppressMessages(testthat::test_dir(
    folder,
    filter = paste0("^", name, "$"), package = "sdcLattice", load_package = "installed",
    reporter = "check", stop_on_failure = FALSE, stop_on_warning = FALSE
  )))
  changed <- new_snapshots(file.path(source, "_snaps"), file.path(folder, "_snaps"))
  unlink(folder, recursive = TRUE)
  list(results = results, said = said, changed = changed, seconds = processor_seconds() - before)
}

# Of this process and of those that it started and that have ended.
processor_seconds <- function() sum(proc.time()[-3], na.rm = TRUE)

# Some tests read the sources.
Sys.setenv(
  NOT_CRAN = "true", TESTTHAT_PARALLEL = "false",
  SDCLATTICE_SOURCE = normalizePath(arguments[[1]])
)
files <- list.files(source, "^test-.*[.]R$")
if (length(files) == 0) stop("there are no tests in ", source)
# The longest first, so that no processor waits for another at the end.
files <- files[order(-file.size(file.path(source, files)))]
threads <- if (.Platform$OS.type == "unix") max(1, parallel::detectCores(), na.rm = TRUE) else 1
for (package in c("testthat", "sdcLattice")) invisible(loadNamespace(package))
done <- parallel::mclapply(files, run_file, mc.cores = min(4, threads), mc.preschedule = FALSE)
names(done) <- files

died <- files[!vapply(done, is.list, NA)]
for (file in died) cat("failed:", file, "did not come to its end:", as.character(done[[file]]), "\n")
done <- done[setdiff(files, died)]
scores <- lapply(done, function(d) as.data.frame(d$results))
score <- do.call(rbind, scores)
bad <- vapply(scores, function(s) sum(s$failed) + sum(s$error) > 0, NA)
for (d in done[bad]) cat(d$said, sep = "\n")
show_skipped(do.call(c, lapply(done, `[[`, "results")))
changed <- unlist(lapply(done, `[[`, "changed"))
for (file in changed) cat("failed: the snapshot", file, "is new or differs\n")
seconds <- sort(vapply(done, `[[`, 0, "seconds"), decreasing = TRUE)
shown <- utils::head(seconds, 12)
cat("seconds of processor time:", round(sum(seconds)), "in all;",
    paste(names(shown), round(shown), collapse = ", "), "\n")

failed <- sum(score$failed) + sum(score$error) + length(changed) + length(died)
cat(sprintf(
  "%d passed, %d failed, %d skipped\n",
  as.integer(sum(score$passed)), as.integer(failed), sum(score$skipped)
))
quit(status = as.integer(failed > 0 || sum(score$passed) == 0))
