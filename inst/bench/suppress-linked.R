# What it costs that counts which follow are judged, too: suppression and publication of linked tables
# and of tables with two trees over one variable. Processor times.
#   Rscript inst/bench/suppress-linked.R        # all seeds, some two minutes
#   Rscript inst/bench/suppress-linked.R 1 6    # seeds from and to
# Run it with the libraries of two versions to compare these.

suppressPackageStartupMessages(library(sdcLattice))

counts <- function(d, mean) {
  names <- LETTERS[seq_along(d)]
  labels <- Map(function(k, name) paste0(tolower(name), seq_len(k)), d, names)
  as.table(array(stats::rpois(prod(d), mean), d, stats::setNames(labels, names)))
}

random_linked <- function(seed) {
  set.seed(seed)
  d <- sample(4:9, 3)
  mean <- sample(c(.5, 1, 3), 1)
  formula <- list(~ A * B + A * C, ~ A * B + A * C + B * C)[[seed %% 2 + 1]]
  list(sdc_table(as.data.frame(counts(d, mean)), formula = formula, freqVar = "Freq"), 3)
}

# Two groupings of A that have nothing to do with each other.
random_trees <- function(seed) {
  set.seed(seed)
  x <- as_sdc_table(counts(c(if (seed %% 2 == 0) 12 else 30, 6), 1.5))
  levels <- dimnames(x)$A
  tree <- function(name) {
    group <- paste0(name, sample(length(levels)) %% ceiling(length(levels) / 3) + 1)
    data.frame(parent = c(rep("all", length(unique(group))), group),
               child = c(unique(group), levels))
  }
  list(x, 3, hierarchies = list(A = list(tree("g"), tree("h"))))
}

seconds <- function(code) sum(system.time(code)[c("user.self", "sys.self")])

measured <- function(case) {
  how <- list(progress = FALSE, seed = 1, time_limit_s = 10)
  searched <- seconds(su <- suppressWarnings(do.call(suppress, c(case, how))))
  published <- seconds(suppressMessages(publish(su)))
  c(suppress = searched, publish = published, cost = sum(su$cells$sdcStatus == "x"),
    optimal = su$optimal)
}

asked <- as.numeric(commandArgs(TRUE))
if (length(asked) == 0) asked <- c(1, 16)
seeds <- asked[1]:asked[2]
found <- list("linked" = lapply(seeds, function(seed) measured(random_linked(seed))),
              "two trees" = lapply(seeds, function(seed) measured(random_trees(seed))))
for (kind in names(found)) {
  sums <- colSums(do.call(rbind, found[[kind]]))
  cat(sprintf("%-10s %2d tables: suppress() %6.2f s, publish() %5.2f s, %d secondary cells, %d proved\n",
              kind, length(seeds), sums[["suppress"]], sums[["publish"]], sums[["cost"]],
              sums[["optimal"]]))
}
