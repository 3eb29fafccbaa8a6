# How often suppression of magnitude tables fails its audit, and how long it takes.
# Rscript inst/bench/suppress-magnitude.R

library(sdcLattice)

tree <- data.frame(
  parent = c("all", "all", "n", "n", "s", "s", "s"), child = c("n", "s", letters[1:5])
)
rules <- c(rule_threshold(3), rule_p_percent(10))
ways <- list(
  GaussSuppression = list(), "GaussSuppression, lpSolve" = list(lpPackage = "lpSolve"),
  sdcTable = list(method = "sdcTable")
)

records <- function(n, regions, branches) {
  data.frame(
    region = letters[sample(regions, n, TRUE)], branch = LETTERS[sample(branches, n, TRUE)],
    value = ceiling(exp(rnorm(n, 4, 1.5)))
  )
}

set.seed(2)
tables <- lapply(1:40, function(i) {
  magnitude_table(records(150, 5, 6), c("region", "branch"), "value",
                  hierarchies = if (i %% 2) list(region = tree))
})
cat("40 tables of 5 x 6 cells, 150 contributors, every other with a tree: means\n")
print(round(t(sapply(ways, function(how) {
  rowMeans(sapply(tables, function(mg) {
    time <- system.time(su <- do.call(suppress, c(list(mg, rules), how)))[["elapsed"]]
    c(su$audit$counts[c("primary", "suppressed", "unprotected", "known", "near")], seconds = time)
  }))
})), 2))

large <- magnitude_table(records(3000, 26, 20), c("region", "branch"), "value")
cat("\n26 x 20 cells, 3,000 contributors\n")
print(round(t(sapply(ways, function(how) {
  time <- system.time(su <- do.call(suppress, c(list(large, rules, audit = FALSE), how)))
  audit <- system.time(found <- audit(su, progress = FALSE))
  c(found$counts[c("primary", "suppressed", "unprotected")], seconds = time[["elapsed"]],
    audit = audit[["elapsed"]])
})), 2))
