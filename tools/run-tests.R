# Runs the installed package's tests on a copy, so that the checkout stays as it is.
#   Rscript tools/run-tests.R <checkout> <temporary folder>
# The last line is `N passed, N failed, N skipped`. A snapshot that is new or differs is a failure.

arguments <- commandArgs(trailingOnly = TRUE)
source <- file.path(arguments[[1]], "tests", "testthat")
folder <- file.path(arguments[[2]], "testthat")

# What is in `after` and not, with the same bytes, in `before`. What differs from a snapshot is in a
# file of its own beside it, and has been counted by its test already.
new_snapshots <- function(before, after) {
  files <- grep("[.]new[.]", list.files(after, recursive = TRUE), value = TRUE, invert = TRUE)
  same <- function(file) {
    identical(
      unname(tools::md5sum(file.path(after, file))),
      unname(tools::md5sum(file.path(before, file)))
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

Sys.setenv(NOT_CRAN = "true", TESTTHAT_PARALLEL = "false")
if (!file.copy(source, arguments[[2]], recursive = TRUE)) stop("there are no tests in ", source)
results <- testthat::test_dir(
  folder,
  package = "sdcLattice", load_package = "installed", reporter = "check",
  stop_on_failure = FALSE, stop_on_warning = FALSE
)
show_skipped(results)
changed <- new_snapshots(file.path(source, "_snaps"), file.path(folder, "_snaps"))
for (file in changed) cat("failed: the snapshot", file, "is new or differs\n")

score <- as.data.frame(results)
failed <- sum(score$failed) + sum(score$error) + length(changed)
cat(sprintf(
  "%d passed, %d failed, %d skipped\n",
  as.integer(sum(score$passed)), as.integer(failed), sum(score$skipped)
))
quit(status = as.integer(failed > 0 || sum(score$passed) == 0))
