# Certified suppression of magnitude tables beside GaussSuppression with the same primary cells, and
# beside it again with repair: secondary cells, what the audit finds, and processor time.
# Rscript inst/bench/suppress-magnitude.R

library(sdcLattice)

tree <- data.frame(
  parent = c("all", "all", "n", "n", "s", "s", "s"), child = c("n", "s", letters[1:5])
)

# Firms with several cells each are holdings.
records <- function(n, regions, branches, sd = 1.5) {
  data.frame(
    region = letters[sample(regions, n, TRUE)], branch = LETTERS[sample(branches, n, TRUE)],
    value = ceiling(exp(rnorm(n, 4, sd))), firm = sample(n, n, TRUE)
  )
}

p_ten <- rule_p_percent(10)
few <- c(rule_threshold(3), rule_p_percent(10))
two <- c("region", "branch")
set.seed(2)
tables <- list(
  "5 x 6, records" = list(magnitude_table(records(150, 5, 6), two, "value"), few),
  "5 x 6, holdings" = list(magnitude_table(records(150, 5, 6), two, "value", "firm"), few),
  "tree x 6, holdings" = list(
    magnitude_table(records(150, 5, 6), two, "value", "firm", hierarchies = list(region = tree)),
    few
  ),
  "12 x 10, holdings" = list(magnitude_table(records(700, 12, 10), two, "value", "firm"), p_ten)
)
if (requireNamespace("SSBtools", quietly = TRUE)) {
  firms <- SSBtools::SSBtoolsData("magnitude1")
  tables[["magnitude1"]] <- list(
    magnitude_table(firms, c("sector4", "geo"), "value", "company"), few
  )
  tables[["magnitude1, linked"]] <- list(
    magnitude_table(firms, numVar = "value", contributorVar = "company",
                    formula = ~ sector4 * eu + sector2 * geo), few
  )
}

ways <- list(
  certified = list(total_cost = 1),
  GaussSuppression = list(method = "GaussSuppression", audit = FALSE, repair = FALSE),
  repaired = list(method = "GaussSuppression", audit = FALSE, repair = TRUE)
)

# `failures`: primary cells and sums that do not keep the rules; `learned`: by contributors.
measured <- function(case, how) {
  time <- system.time(
    su <- suppressWarnings(do.call(suppress, c(case, how)))
  )
  found <- suppressWarnings(audit(su, progress = FALSE))
  c(primary = sum(su$cells$sdcStatus == "u"), secondary = sum(su$cells$sdcStatus == "x"),
    necessary = if (is.null(su$bound)) NA else ceiling(su$bound - 1e-9),
    failures = found$failures, learned = found$counts[["learned"]], seconds = time[["user.self"]])
}

for (name in names(tables)) {
  cat("\n", name, "\n", sep = "")
  print(round(t(sapply(ways, function(how) measured(tables[[name]], how))), 2))
}
