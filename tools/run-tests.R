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

# Files that run together have a copy of the folder to themselves, as testthat writes beside the tests:
# of their own tests and snapshots, and of what all share.
copy_for <- function(files, folder) {
  dir.create(file.path(folder, "_snaps"), recursive = TRUE)
  shared <- grep("^(test-|_snaps$)", list.files(source), value = TRUE, invert = TRUE)
  file.copy(file.path(source, c(files, shared)), folder, recursive = TRUE)
  own <- file.path(source, "_snaps", paste0(rep(test_name(files), each = 2), c("", ".md")))
  file.copy(own[file.exists(own)], file.path(folder, "_snaps"), recursive = TRUE)
}

test_name <- function(files) sub("^test-(.*)[.]R$", "\\1", files)

# The results of some files, and what their tests said.
run_files <- function(files) {
  # a fork of R compiles nothing unless it is told to, and the tests' own functions are not compiled;
  # their loops run once, and are not worth it
  compiler::enableJIT(1)
  before <- processor_seconds()
  names <- test_name(files)
  folder <- file.path(top, names[[1]])
  copy_for(files, folder)
  results <- NULL
  options(sdcLattice.passed = 0) # see tests/testthat/helper-expectations.R
  # what the package tells its user is not a result of a test
  said <- utils::capture.output(results <- suppressMessages(testthat::test_dir(
    folder,
    filter = paste0("^(", paste(names, collapse = "|"), ")$"), package = "sdcLattice",
    load_package = "installed", reporter = "check", stop_on_failure = FALSE, stop_on_warning = FALSE
  )))
  changed <- new_snapshots(file.path(source, "_snaps"), file.path(folder, "_snaps"))
  unlink(folder, recursive = TRUE)
  score <- as.data.frame(results)
  share <- tapply(score$real, factor(score$file, files), sum, default = 0)
  out <- list(
    results = results, changed = changed,
    seconds = (processor_seconds() - before) * share / max(sum(share), 1e-9),
    passed = sum(score$passed) + getOption("sdcLattice.passed"),
    failed = sum(score$failed) + sum(score$error) + length(changed), skipped = sum(score$skipped)
  )
  show_files(names, out, said)
  out
}

# In one piece, as several processes write.
show_files <- function(names, out, said) {
  lines <- strwrap(paste0(names, collapse = ", "), 90, prefix = "  ", initial = "")
  last <- length(lines)
  lines[last] <- sprintf("%-36s %7d passed, %d failed, %4.0f s", lines[last], out$passed, out$failed,
                         sum(out$seconds))
  if (out$failed > 0) lines <- c(lines, said)
  if (length(out$changed)) lines <- c(lines, paste("failed: the snapshot", out$changed, "is new or differs"))
  cat(paste0(lines, "\n", collapse = ""))
}

# Files that take less run in groups that take about as long.
group_s <- 10

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
# The longest first, so that no processor waits for another at the end. Short ones run several in a
# process: each process copies the memory of this one as soon as it looks for memory to free.
expected <- expected_seconds(files, known)
files <- files[order(-expected)]
expected <- sort(expected, decreasing = TRUE)
long <- expected >= group_s
groups <- c(as.list(files[long]),
            unname(split(files[!long], cumsum(expected[!long] + 0.3) %/% group_s)))
threads <- if (.Platform$OS.type == "unix") max(1, parallel::detectCores(), na.rm = TRUE) else 1
for (package in c("testthat", "sdcLattice")) invisible(loadNamespace(package))
# What most files load is loaded once, before their processes part.
often <- c("desc", "evaluate", "ggplot2", "hexbin", "jsonlite", "waldo", "withr", "GaussSuppression")
for (package in often) {
  suppressMessages(requireNamespace(package, quietly = TRUE))
}
done <- parallel::mclapply(groups, run_files, mc.cores = min(4, threads), mc.preschedule = FALSE)

lives <- vapply(done, is.list, NA)
died <- unlist(groups[!lives])
for (i in which(!lives)) {
  cat("failed:", groups[[i]], "did not come to their end:", as.character(done[[i]]), "\n")
}
done <- done[lives]
show_skipped(do.call(c, lapply(done, `[[`, "results")))
seconds <- sort(unlist(lapply(done, `[[`, "seconds")), decreasing = TRUE)
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
