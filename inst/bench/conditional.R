# Sharp bounds from conditional rates: against integer programmes in the same run, and at scale.
#   Rscript conditional.R
# Integer programmes by the package highs when it is installed (in any library of R_LIBS), and by
# lpSolve when that is. Peak memory is what a fresh process needs above its data (Linux only).

suppressPackageStartupMessages(library(sdcLattice))

# The least of five averages: other work on the machine can only add.
seconds <- function(work, times) {
  work()
  min(vapply(1:5, function(k) {
    system.time(for (i in seq_len(times)) work())[["elapsed"]] / times
  }, 1))
}

memory <- function(what) {
  lines <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep(what, lines, value = TRUE))) / 1024
}

# ---- one case in a process of its own ---------------------------------------------------------

random_rows <- function(rows, total, n_rates) {
  set.seed(1)
  totals <- stats::rmultinom(1, total - rows, stats::rgamma(rows, 2))[, 1] + 1
  counts <- vapply(totals, function(t) {
    stats::rmultinom(1, t, stats::rgamma(n_rates, 1) + .05)[, 1]
  }, numeric(n_rates))
  as.table(t(matrix(counts, n_rates, dimnames = list(response = NULL, given = NULL))))
}

one_case <- function(rows, total, n_rates, digits) {
  x <- random_rows(rows, total, n_rates)
  dimnames(x) <- list(given = seq_len(rows), response = seq_len(n_rates))
  co <- conditionals(x, "response", "given", digits = if (is.finite(digits)) digits)
  invisible(gc())
  writeLines("5", "/proc/self/clear_refs") # sets the high water mark back
  before <- memory("VmRSS")
  took <- system.time(b <- bounds_conditional(co, total, count = FALSE))[["elapsed"]]
  above <- memory("VmHWM") - before
  cat(took, above, stats::median(b$upper - b$lower), "\n")
}

args <- as.numeric(commandArgs(trailingOnly = TRUE))
if (length(args) == 4) {
  one_case(args[1], args[2], args[3], args[4])
  quit(save = "no")
}

script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
fresh <- function(...) {
  out <- system2(file.path(R.home("bin"), "Rscript"), c(shQuote(script), ...), stdout = TRUE)
  as.numeric(strsplit(utils::tail(out, 1), " ")[[1]])
}

# ---- Koch against integer programmes ----------------------------------------------------------

# The source's programme: rates as constraints on pairs of cells of a row, here in whole numbers.
co <- conditionals(koch, "Recovery", c("Center", "Status", "Treatment"))
programme <- function(co, n) {
  n_rates <- nrow(co$units)
  row <- rep(seq_along(co$scale), each = n_rates)
  a <- matrix(0, 0, length(row))
  for (i in which(seq_along(row) %% n_rates != 0)) {
    pair <- numeric(length(row))
    pair[c(i, i + 1)] <- c(-co$units[i + 1], co$units[i])
    if (co$units[i] == 0) pair[c(i, i + 1)] <- c(1, 0)
    a <- rbind(a, pair)
  }
  totals <- t(vapply(seq_along(co$scale), function(r) as.numeric(row == r), numeric(length(row))))
  list(
    a = rbind(a, totals, 1), low = c(rep(0, nrow(a)), rep(1, nrow(totals)), n),
    high = c(rep(0, nrow(a)), rep(n, nrow(totals)), n)
  )
}
p <- programme(co, 193)
n_cells <- ncol(p$a)
by_highs <- function() {
  vapply(c(FALSE, TRUE), function(most) {
    vapply(seq_len(n_cells), function(cell) {
      highs::highs_solve(
        L = as.numeric(seq_len(n_cells) == cell),
        lower = rep(0, n_cells), upper = rep(193, n_cells),
        A = p$a, lhs = p$low, rhs = p$high, types = rep("I", n_cells), maximum = most
      )$objective_value
    }, 1)
  }, numeric(n_cells))
}
by_lpsolve <- function() {
  same <- p$low == p$high
  vapply(c("min", "max"), function(to) {
    vapply(seq_len(n_cells), function(cell) {
      lpSolve::lp(to, as.numeric(seq_len(n_cells) == cell), p$a, ifelse(same, "=", ">="), p$low,
                  all.int = TRUE)$objval
    }, 1)
  }, numeric(n_cells))
}
sharp <- function() {
  b <- as.data.frame(bounds_conditional(co, 193, count = FALSE))
  b <- b[do.call(order, unname(b[c("Treatment", "Status", "Center", "Recovery")])), ]
  unname(cbind(b$lower, b$upper))
}
core <- function() {
  sdcLattice:::cpp_sharp_rates(co$units, co$scale, c(0, 1), 193, 2^32, NULL)
}
cat("Koch, all 24 cells, seconds:\n")
ours <- seconds(function() bounds_conditional(co, 193, count = FALSE), 200)
counted <- seconds(function() bounds_conditional(co, 193), 200)
in_core <- seconds(core, 2000)
cat(sprintf(
  "  bounds_conditional %.6f, with the number of tables %.6f, its core alone %.6f\n",
  ours, counted, in_core
))
for (solver in c("highs", "lpSolve")) {
  if (!requireNamespace(solver, quietly = TRUE)) next
  solve <- if (solver == "highs") by_highs else by_lpsolve
  same <- isTRUE(all.equal(unname(round(solve())), sharp()))
  theirs <- seconds(solve, 1)
  cat(sprintf(
    "  %s: %.3f; same bounds: %s; ratio %.0f (%.0f with the count, %.0f to the core)\n",
    solver, theirs, same, theirs / ours, theirs / counted, theirs / in_core
  ))
}

# ---- size -------------------------------------------------------------------------------------

cat("Random rows, a fresh process each:\n")
cat("  rows      total rates digits  seconds   MB  median width\n")
for (n_rates in c(2, 3, 5)) {
  for (digits in c(Inf, 1, 2, 3, 4, 6)) {
    found <- fresh(2000, 300000, n_rates, digits)
    cat(sprintf(
      "  2000     300000 %5d %6s %8.2f %4.0f %g\n", n_rates, digits, found[1], found[2], found[3]
    ))
  }
}
for (size in list(c(200, 30000), c(20000, 3000000), c(2000, 30000000), c(20000, 30000000))) {
  for (digits in c(Inf, 3)) {
    found <- fresh(size[1], format(size[2], scientific = FALSE), 3, digits)
    cat(sprintf(
      "%6d %10.0f     3 %6s %8.2f %4.0f %g\n",
      size[1], size[2], digits, found[1], found[2], found[3]
    ))
  }
}

# ---- a real 8-way table -----------------------------------------------------------------------

variables <- c("age", "workclass", "education", "industry", "race", "sex", "employment", "salary")
x <- margin(cps13, variables)
cat("cps13 over", length(variables), "variables:\n")
took <- system.time(
  found <- rounding_uncertainty(
    x, "salary", setdiff(variables, "salary"), digits = 1:6, count = FALSE
  )
)[["elapsed"]]
print(found[setdiff(names(found), "n_tables")], digits = 4)
cat(sprintf("all of it in %.2f s\n", took))
