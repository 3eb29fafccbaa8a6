# Designs side by side on tables of Poisson counts, with the work of two covers of a bidiagonal set:
# four chances for each cell, alpha = beta = .25. Run: Rscript inst/bench/designs.R [tables]
# Prints lines ready for the README beside this file.
library(sdcLattice)

tables <- as.integer(c(commandArgs(trailingOnly = TRUE), "3")[[1]])

designs <- function(x, seed) {
  pairs <- cycles_banded(x, group = 2, seed = seed)
  triads <- cycles_banded(x, seed = seed)
  open <- cycles_banded(x, seed = seed, open = TRUE)
  list(
    `bidiagonal` = mechanism(cycles_bidiagonal(x), covers = 2),
    `pairs` = mechanism(pairs, covers = 2),
    `triads` = mechanism(triads),
    `triads, open` = mechanism(open),
    `triads that skip zeros` = mechanism(cycles_banded(x, seed = seed, skip_zeros = TRUE)),
    `data cycles` = mechanism(cycles_data(x, seed = seed)),
    `nonnegative: pairs` = mechanism(pairs, covers = 2, zero_rule = "nonnegative"),
    `nonnegative: triads, open` = mechanism(open, zero_rule = "nonnegative")
  )
}

wanted <- c(
  "prevented", "changed", "guess_small", "insider_cell", "abs_change", "chi_square", "bias_zero"
)

# The posterior of data cycles has a wide frontier: what they do is simulated, without an intruder.
judge <- function(x, me) {
  data <- me$cycles$rule == "data"
  ru <- risk_utility(
    x, me, insider = !data, max_tables = if (data) 1 else 2e6, time_limit_s = 10, progress = FALSE
  )
  figure <- stats::setNames(ru$overall$estimate, ru$overall$figure)
  c(figure, changed = 1 - figure[["unchanged_small"]])[wanted]
}

for (mean in c(1, 3)) {
  rows <- lapply(seq_len(tables), function(i) {
    set.seed(100 * mean + i)
    x <- as_sdc_table(matrix(stats::rpois(400, mean), 20))
    vapply(designs(x, i), function(me) judge(x, me), numeric(length(wanted)))
  })
  average <- Reduce(`+`, rows) / tables
  cat("\n| 20 x 20, mean ", mean, " | ", paste(wanted, collapse = " | "), " |\n", sep = "")
  cat("|---|", strrep("---|", length(wanted)), "\n", sep = "")
  for (design in colnames(average)) {
    figures <- sub("NaN|NA", "-", sprintf("%.2f", average[, design]))
    cat("| ", design, " | ", paste(figures, collapse = " | "), " |\n", sep = "")
  }
}
