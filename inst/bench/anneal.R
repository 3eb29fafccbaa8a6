# Annealing over decomposable releases, and critical widths. Run from anywhere: Rscript anneal.R
library(sdcLattice)

seconds <- function(code) unname(system.time(code, gcFirst = TRUE)["elapsed"])

cat("Certificates from a cold start\n")
search <- function(name, x, beta, ...) {
  took <- seconds(re <- release_anneal(x, risk_width(beta, at_risk = 1:3), seed = 1,
                                       progress = FALSE, ...))
  done <- colSums(re$chains[c("proposals", "judged", "accepted")])
  cat(sprintf("%-8s beta %d: %d sub-tables, at most %g, proved %s; %.1f s, %g proposals\n", name,
              beta, re$n_sub_tables, re$upper_bound, re$optimal, took, done[["proposals"]]))
  re
}
for (beta in 4:5) last <- search("cps13", cps13, beta)
best <- search("cps13", cps13, 3)
invisible(search("cps14", cps14, 3))

# A search that cannot meet its bound: the first chain computes the margins, the others find them.
cat("Time of a model whose bounds are computed, at each of 32,445 cells\n")
values <- utility_values(stats::setNames(1 + seq_len(78) / 97, utils::combn(names(dimnames(cps13)),
                                                                            2, paste,
                                                                            collapse = ":")))
cpu <- system.time(
  re <- release_anneal(cps13, risk_width(3, at_risk = 1:3), values, seed = 1, progress = FALSE)
)[["user.self"]]
chains <- re$chains
chains$us_per_judged <- 1e6 * chains$time_s / chains$judged
chains$us_per_proposal <- 1e6 * chains$time_s / chains$proposals
print(chains, digits = 3)
cat(sprintf("  processor time with the list of admissible sub-tables and all margins: %.1f s,
  %.0f microseconds a judged model\n", cpu, 1e6 * cpu / sum(chains$judged)))

cat("All clique margins of the best release from the cells, by the package's own margins()\n")
anew <- seconds(for (i in 1:10) margins(best)) / 10
warm <- chains$us_per_judged[-1]
cat(sprintf("  %.1f ms a model: %.0f times the time of a judged model, chains 2 on\n", 1e3 * anew,
            1e6 * anew / mean(warm)))

cat("Critical widths\n")
for (name in c("cps13", "cps14")) {
  took <- seconds(cw <- critical_widths(get(name), progress = FALSE))
  cat(sprintf("  %s: %d sub-tables in %.1f s\n", name, nrow(cw), took))
}

cat("40 variables of 4 categories, 100,000 records\n")
set.seed(1)
z <- stats::rnorm(1e5)
records <- as.data.frame(lapply(1:40, function(v) {
  latent <- v %% 3 / 2 * z + stats::rnorm(1e5)
  factor(findInterval(latent, stats::quantile(latent, c(.6, .85, .95))), 0:3)
}), col.names = paste0("v", 1:40))
x <- sdc_table(records)
for (beta in c(3, 50)) {
  took <- seconds(re <- release_anneal(x, risk_width(beta, at_risk = 1:3), seed = 1, chains = 1,
                                       time_limit_s = 30, progress = FALSE))
  cat(sprintf("  beta %d: %s admissible, %d released, at most %g, %.0f s\n", beta,
              format(re$n_admissible), re$n_sub_tables, re$upper_bound, took))
}
cat(sprintf("Memory at most %.0f MB\n", sum(gc()[, 6])))
