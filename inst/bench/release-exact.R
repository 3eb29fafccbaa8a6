# Widths, greedy releases and proved ones: figures for inst/bench/README.md.
# Rscript inst/bench/release-exact.R

library(sdcLattice)

seconds <- function(code) system.time(code, gcFirst = FALSE)[["elapsed"]]
row <- function(...) cat(paste0("| ", paste(..., sep = " | "), " |\n"))

# ---- the Czech table ----------------------------------------------------------------------------

thresholds <- setdiff(unique(critical_widths(czech_workers)$width), 0)
times <- vapply(thresholds, function(beta) {
  c(
    greedy = seconds(release_greedy(czech_workers, risk_width(beta))),
    first_fit = seconds(release_greedy(czech_workers, risk_width(beta), fill = "first_fit")),
    all = seconds(stopifnot(release_exact(czech_workers, risk_width(beta))$optimal)),
    decomposable = seconds(release_exact(czech_workers, risk_width(beta), "decomposable"))
  )
}, numeric(4))
for (method in rownames(times)) {
  row(method, length(thresholds), sprintf("%.3f", median(times[method, ])),
      sprintf("%.3f", max(times[method, ])))
}

# ---- seven variables ----------------------------------------------------------------------------

set.seed(1)
for (case in 1:2) {
  x <- as.table(array(rpois(128, exp(rnorm(128, 2, 1.2))), rep(2, 7),
                      setNames(rep(list(c("a", "b")), 7), LETTERS[1:7])))
  for (beta in c(3, 6, 15)) {
    re <- release_exact(x, risk_width(beta))
    row("2^7", sum(x %in% 1:2), beta, re$n_sub_tables, re$optimal, round(re$time_s, 1))
  }
}

# ---- the CPS tables -----------------------------------------------------------------------------

for (beta in 3:5) {
  re <- release_exact(cps13, risk_width(beta, at_risk = 1:3), "decomposable")
  row("cps13", beta, re$n_sub_tables, re$optimal, round(re$time_s, 1))
}
re <- release_exact(cps14, risk_width(3, at_risk = 1:3), "decomposable")
row("cps14", 3, re$n_sub_tables, re$optimal, round(re$time_s, 1))

re <- release_exact(cps13, risk_width(3, at_risk = 1:3), "decomposable")
row("width, closed form, 32,445 cells", width(re)$inner, seconds(width(re)))

six <- c("age", "workclass", "education", "marital", "tax", "employment")
x <- margin(cps13, six)
three <- utils::combn(six, 3, simplify = FALSE)
row("width, all 3-way margins of 810 cells", width(three, x, risk_width(3))$inner,
    seconds(width(three, x, risk_width(3))))
for (bounds in c("inner", "integer")) {
  re <- release_greedy(x, risk_width(3, at_risk = 1:3), "first_fit", bounds)
  row("greedy, 810 cells", bounds, re$n_sub_tables, round(re$time_s, 1))
}
