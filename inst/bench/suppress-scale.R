# A table of the size of a public report, certified, verified and published through R:
#   Rscript inst/bench/suppress-scale.R              # a tenth of the areas and of the rows
#   Rscript inst/bench/suppress-scale.R 3000 650000  # areas and rows of the report
#   Rscript inst/bench/suppress-scale.R 300 65000 1 60   # one thread, 60 s of processor time
# Areas in three tiers x 10 x 2 x 75 x 10, all cells and totals published, counts up to 3 primary,
# for readers of the publication and people who are alone in a cell. The search goes on until the
# time limit; what the construction alone needs is shown by shorter limits that leave nothing open.

suppressPackageStartupMessages(library(sdcLattice))

given <- as.numeric(commandArgs(TRUE))
asked <- c(300, 65000, 2, 60)
asked[seq_along(given)] <- given

# The k-th level is 1 / k times as frequent as the first.
skewed <- function(n_levels, n, prefix) {
  labels <- paste0(prefix, seq_len(n_levels))
  factor(labels[sample.int(n_levels, n, replace = TRUE, prob = 1 / seq_len(n_levels))], labels)
}
# Districts of 20 areas, regions of 300.
area_tree <- function(areas) {
  at <- seq_along(areas) - 1
  district <- paste0("district", at %/% 20 + 1)
  region <- paste0("region", at %/% 300 + 1)
  unique(data.frame(parent = c(rep("all", length(at)), region, district),
                    child = c(region, district, areas)))
}
report_table <- function(n_areas, n_rows) {
  sizes <- c(area = n_areas, age = 10, sex = 2, work = 75, class = 10)
  data <- as.data.frame(Map(skewed, sizes, n_rows, names(sizes)))
  sdc_table(data, dimVar = names(sizes), hierarchies = list(area = area_tree(levels(data$area))))
}
peak_memory <- function() {
  status <- "/proc/self/status"
  lines <- if (file.exists(status)) readLines(status)
  sub("VmHWM:\\s*", "", grep("^VmHWM", lines, value = TRUE))
}
timed <- function(what, code) {
  time <- system.time(value <- code)
  cat(sprintf("%-10s %8.1f s of processor time, %8.1f s, peak %s\n", what,
              sum(time[c("user.self", "sys.self")]), time[["elapsed"]], peak_memory()))
  value
}

set.seed(1)
x <- timed("tabulate", report_table(asked[1], asked[2]))
su <- timed("suppress", suppressWarnings(suppress(
  x, 3, method = "certified", threads = asked[3], time_limit_s = asked[4], seed = 1,
  progress = FALSE
)))
print(su)
check <- timed("verify", verify_suppression(su))
print(check)
public <- timed("publish", publish(su, insist = !check$verified))
print(public)
cat(format(nrow(su$cells), big.mark = ","), "cells and totals that are not zero,",
    format(max(su$certificates$certificate), big.mark = ","), "certificates\n")
