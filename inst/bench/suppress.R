# Suppression and its audit: Rscript inst/bench/suppress.R
# Baseline in the same run: the library alone, called by hand on the same cells.
library(sdcLattice)

seconds <- function(code) system.time(code)[["elapsed"]]
line <- function(what, s, baseline = NA) {
  ratio <- if (is.na(baseline)) "" else sprintf("%8.2f x baseline", s / baseline)
  cat(sprintf("%-62s %9.2f s %s\n", what, s, ratio))
}
labelled <- function(d, mean, spread = 1) {
  names <- LETTERS[seq_along(d)]
  labels <- Map(function(k, name) paste0(tolower(name), seq_len(k)), d, names)
  counts <- stats::rnbinom(prod(d), size = spread, mu = mean)
  as_sdc_table(as.table(array(counts, d, stats::setNames(labels, names))))
}
# A tree over k levels with groups of `size`.
grouped <- function(levels, size) {
  group <- paste0("g", (seq_along(levels) - 1) %/% size + 1)
  data.frame(parent = c(rep("all", length(unique(group))), group), child = c(unique(group), levels))
}
at_frame <- function(levels, tree) {
  if (is.null(tree)) {
    return(data.frame(level = c("@", rep("@@", length(levels))), code = c("Total", levels)))
  }
  rows <- lapply(tree$child[tree$parent == "all"], function(g) {
    below <- tree$child[tree$parent == g]
    data.frame(level = c("@@", rep("@@@", length(below))), code = c(g, below))
  })
  rbind(data.frame(level = "@", code = "all"), do.call(rbind, rows))
}
by_hand <- function(x, trees) {
  data <- as.data.frame(x, zeros = TRUE)
  frames <- Map(function(levels, v) at_frame(levels, trees[[v]]), dimnames(x), names(dimnames(x)))
  GaussSuppression::SuppressSmallCounts(
    data, maxN = 3, freqVar = "freq", hierarchies = frames, protectZeros = FALSE, printInc = FALSE
  )
}

invisible(by_hand(labelled(c(3, 3), 5), NULL)) # loads the library
set.seed(1)
cases <- list(
  list("20 x 20", labelled(c(20, 20), 20), NULL),
  list("100 x 50", labelled(c(100, 50), 20), NULL),
  list("20 x 20 x 5", labelled(c(20, 20, 5), 20), NULL),
  list("60 (12 groups of 5) x 12 (4 of 3) x 5", labelled(c(60, 12, 5), 20), "trees")
)
for (case in cases) {
  x <- case[[2]]
  trees <- if (!is.null(case[[3]])) {
    list(A = grouped(dimnames(x)$A, 5), B = grouped(dimnames(x)$B, 3))
  }
  utils::capture.output(alone <- seconds(suppressWarnings(by_hand(x, trees))))
  line(paste0(case[[1]], ": GaussSuppression by hand (baseline)"), alone)
  both <- seconds(
    su <- suppress(x, 3, method = "GaussSuppression", hierarchies = trees, audit = FALSE)
  )
  line(paste0(case[[1]], ": suppress(audit = FALSE)"), both, alone)
  pub <- publish(su, insist = TRUE)
  intervals <- seconds(au <- audit(pub, count = FALSE, time_limit_s = 120, progress = FALSE))
  cells <- as.data.frame(au)
  line(sprintf("%s: audit, %d suppressed cells, %d known, %d sharp", case[[1]], nrow(cells),
               sum(cells$known == "exactly"), sum(cells$sharp)), intervals, alone)
  counted <- seconds(au <- suppressWarnings(audit(pub, time_limit_s = 0, progress = FALSE)))
  line(paste0(case[[1]], ": number of tables: ", if (is.null(au$tables)) au$no_count else
    paste(nchar(as.character(au$tables)), "digits")), counted)
}
if (requireNamespace("sdcTable", quietly = TRUE)) {
  x <- labelled(c(20, 20), 20)
  line("20 x 20: suppress(method = \"sdcTable\", audit = FALSE)",
       seconds(suppress(x, 3, method = "sdcTable", audit = FALSE)))
}
