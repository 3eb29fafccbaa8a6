# Reads the log of R CMD check and judges it. What CRAN would only note, and what no change of ours
# can remove, stands in `expected`; every other error, warning and note is a failure.
#   Rscript tools/read-check.R <00check.log>
# The last line is `N passed, N failed`, counted in steps of the check.

# Heavy packages; the tests that want them are skipped where they are not installed.
rare <- paste0(
  ".(cellKey|highs|learnr|openxlsx|ptable|RMariaDB|RPostgres|sdcHierarchies|",
  "sdcTable|SmallCountRounding|survey)."
)

# Each entry: the step it may come from, and the pattern that every line of the note must match.
expected <- list(
  # The address of the maintainer lies in a domain that is set aside for examples.
  list(step = "CRAN incoming feasibility", lines = "Maintainer|New submission|^$"),
  list(
    step = "package dependencies",
    lines = paste0(
      "^Packages? suggested but not available for checking:(,? ", rare, ")*$|",
      "^ +", rare, "(, ", rare, ")*,?$|^$"
    )
  ),
  # Debian's package of BH leaves the headers to those of the system.
  list(step = "DESCRIPTION meta-information", lines = "LinkingTo. for .BH. is unused|^$"),
  # Rd cross-references to a suggested package that is not there.
  list(step = "Rd cross-references", lines = "unavailable to check Rd xrefs|^$"),
  # Tables of millions of cells need compiled code.
  list(step = "installed package size", lines = "installed size is|sub-directories|Mb$|^$"),
  # A machine without the programs that check HTML.
  list(step = "HTML version of manual", lines = "Skipping checking|^$"),
  # The flags with which the distribution built R.
  list(step = "compilation flags used", lines = "Compilation used|^ +.-[A-Za-z]|^$")
)

is_expected <- function(step, lines) {
  any(vapply(expected, function(e) {
    grepl(e$step, step, fixed = TRUE) && all(grepl(e$lines, lines))
  }, NA))
}

log <- readLines(commandArgs(trailingOnly = TRUE)[[1]], encoding = "UTF-8", warn = FALSE)
start <- grep("^\\* (checking|creating) ", log)
end <- c(start[-1] - 1, length(log))
passed <- 0
failed <- 0
for (i in seq_along(start)) {
  step <- log[start[i]:end[i]]
  step <- step[!grepl("^\\* (DONE|using)|^Status:", step)]
  bad <- grep("\\.\\.\\.( \\[[^]]*\\])* (ERROR|WARNING|NOTE)$|^ *(ERROR|WARNING|NOTE)$", step)
  if (length(bad) == 0) {
    passed <- passed + 1
    next
  }
  kind <- sub(".* ", "", step[bad[1]])
  if (kind == "NOTE" && is_expected(step[1], step[-seq_len(bad[1])])) {
    cat("expected note:", step[1], "\n")
    passed <- passed + 1
  } else {
    failed <- failed + 1
    cat(step, sep = "\n")
  }
}
if (!any(grepl("^Status: ", log))) {
  cat(utils::tail(log, 5), "The check did not come to its end.", sep = "\n")
  failed <- failed + 1
}
cat(sprintf("%d passed, %d failed\n", as.integer(passed), as.integer(failed)))
quit(status = as.integer(failed > 0))
