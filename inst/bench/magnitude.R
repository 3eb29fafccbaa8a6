# Magnitudes: Rscript inst/bench/magnitude.R
# Rules on 10^6 contributors in 10^5 cells, against base R in the same run; and what
# each method of redistribution protects, on random tables as in the vignette.
library(sdcLattice)

seconds <- function(code, times = 3) {
  code <- substitute(code)
  frame <- parent.frame()
  min(vapply(seq_len(times), function(i) system.time(eval(code, frame))[["elapsed"]], 0))
}
line <- function(what, s) cat(sprintf("%-62s %8.3f s\n", what, s))
rules <- c(rule_threshold(3), rule_nk(2, 85), rule_p_percent(10))

# ---- size -------------------------------------------------------------------------------------
# Values and numbers of contributors like those of SSBtools' magnitude1: skewed, in tenths.
set.seed(1)
n <- 1e6
records <- data.frame(
  industry = factor(sample(400, n, TRUE)), region = factor(sample(250, n, TRUE)),
  company = sample(3e5, n, TRUE), value = round(rlnorm(n, 3, 1.3), 1)
)
line("10^6 records into 10^5 cells", seconds(
  mg <- magnitude_table(records, c("industry", "region"), "value"), 1
))
line("the same with 300,000 companies", seconds(
  held <- magnitude_table(records, c("industry", "region"), "value", "company"), 1
))
line("three rules on all cells", seconds(sensitive(mg, rules)))
line("three rules on all cells and totals", seconds(sensitive(held, rules, totals = TRUE), 1))
line("the largest two by cell in base R (order, one pass)", seconds({
  cell <- (as.integer(records$region) - 1L) * 400L + as.integer(records$industry)
  o <- order(cell, -records$value)
  first <- !duplicated(cell[o])
  second <- c(FALSE, first[-n]) & !first
  total <- rowsum(records$value, cell)
}, 1))
line("iterative redistribution of all cells", seconds(
  redistribute(mg, rules, method = "iterative"), 1
))

# ---- protection -------------------------------------------------------------------------------
random_table <- function(cells = 15) {
  size <- sample(3:10, cells, TRUE)
  data.frame(a = factor(rep(seq_len(cells), size), seq_len(cells)),
             v = ceiling(exp(rnorm(sum(size), 4, 1.5))))
}
methods <- list(
  iterative = list(method = "iterative"),
  paper = list(method = "iterative", scale = "paper"),
  contributors = list(method = "contributors"),
  up = list(method = "minimal", directions = "up"),
  random = list(method = "minimal"),
  free = list(method = "minimal", directions = "free")
)
compare <- function(p, tables = 60) {
  set.seed(10)
  sums <- matrix(0, length(methods), 6, dimnames = list(
    names(methods), c("tables", "sensitive", "within", "nearer", "new", "change %")
  ))
  for (i in seq_len(tables)) {
    mg <- magnitude_table(random_table(), "a", "v")
    for (m in names(methods)) {
      seed <- if (methods[[m]]$method == "minimal") list(seed = i)
      re <- tryCatch(
        do.call(redistribute, c(list(mg, rule_p_percent(p)), methods[[m]], seed)),
        sdc_error_infeasible = function(e) NULL
      )
      if (is.null(re)) next
      n <- re$audit$counts
      sums[m, ] <- sums[m, ] + c(
        1, n[["sensitive"]], n[["exposed"]], sum(re$audit$cells$exposed & re$audit$cells$nearer),
        n[["new"]], 100 * sum(abs(re$cells$change)) / sum(mg)
      )
    }
  }
  sums[, 6] <- sums[, 6] / sums[, 1]
  sums
}
for (p in c(10, 25)) {
  cat("\n60 tables of 15 cells, p =", p, "\n")
  print(round(compare(p), 2))
}

region <- function(n) {
  d <- data.frame(a = factor(sample(n, 8 * n^2, TRUE), seq_len(n)),
                  b = factor(sample(n, 8 * n^2, TRUE), seq_len(n)),
                  v = ceiling(exp(rnorm(8 * n^2, 4, 1.5))))
  magnitude_table(d, c("a", "b"), "v")
}
for (n in c(10, 30, 60)) {
  mg <- region(n)
  line(sprintf("%d x %d, least change, all totals additive and protected", n, n),
       seconds(redistribute(mg, rule_p_percent(10), seed = 1), 1))
  line(sprintf("%d x %d, least change, margins kept", n, n),
       seconds(redistribute(mg, rule_p_percent(10), seed = 1, keep_margins = list("a", "b")), 1))
}
