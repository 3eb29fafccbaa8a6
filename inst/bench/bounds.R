# Bounds from margins and of suppressed tables: closed forms, flows, exact programmes, lpSolve.
#   Rscript bounds.R
# Each figure is the median of a few runs; ratios compare methods in the same run.

suppressPackageStartupMessages(library(sdcLattice))

seconds <- function(expr, times = 3) {
  call <- substitute(expr)
  frame <- parent.frame()
  stats::median(vapply(seq_len(times), function(i) {
    system.time(eval(call, frame), gcFirst = FALSE)[["elapsed"]]
  }, 1))
}
say <- function(...) cat(sprintf(...), "\n", sep = "")

# ---- cps13: all at-risk cells for a decomposable release of eight 6-way margins ---------------
v <- names(dimnames(cps13))
released <- margins(cps13, lapply(1:8, function(i) v[i:(i + 5)]))
cells <- as.data.frame(cps13)
risk <- sdc_table(cells[cells$freq <= 3, ], v, freqVar = "freq")
stopifnot(release_structure(released)$decomposable)
t <- seconds(bounds_margins(released, risk), 9)
say("cps13, eight 6-way margins, %d at-risk cells: %.0f ms", length(risk$counts), 1000 * t)

# ---- Czech: all 64 cells, every method, releases of all 2-, 3-, 4-way margins -----------------
x <- sdc_table(czech_workers)
has_lpsolve <- requireNamespace("lpSolve", quietly = TRUE)
for (way in 2:4) {
  released <- margins(x, combn(LETTERS[1:6], way, simplify = FALSE))
  times <- vapply(c("frechet", "shuttle", "lp", "ip"), function(method) {
    seconds(bounds_margins(released, method = method, progress = FALSE))
  }, 1)
  by_lpsolve <- if (has_lpsolve) {
    seconds(bounds_margins(released, method = "ip", solver = "lpSolve", progress = FALSE), 1)
  } else NA
  say("Czech, all %d-way margins, 64 cells: %s; ip through lpSolve %.2f s (%.0f times ip)", way,
      paste(names(times), sprintf("%.0f ms", 1000 * times), collapse = ", "), by_lpsolve,
      by_lpsolve / times[["ip"]])
}

# ---- 6 x 5 x 4 x 3 with all 3-way and all 2-way margins ---------------------------------------
set.seed(1)
dims <- c(6, 5, 4, 3)
y <- as.table(array(stats::rpois(prod(dims), 3), dims, lapply(
  c(A = 6, B = 5, C = 4, D = 3), function(k) as.character(seq_len(k))
)))
for (way in 3:2) {
  released <- margins(y, combn(LETTERS[1:4], way, simplify = FALSE))
  some <- seq(1, 360, 36)
  t_some <- seconds(b <- bounds_margins(released, some, "ip", progress = FALSE))
  t_all <- seconds(all <- bounds_margins(released, method = "ip", progress = FALSE), 1)
  say("6 x 5 x 4 x 3, all %d-way margins, ip: 10 cells %.0f ms, 360 cells %.0f ms, %d searches, %d branches; sharp %d", way,
      1000 * t_some, 1000 * t_all, all$effort$searches, all$effort$branches, sum(all$sharp))
  if (has_lpsolve) {
    t_lp <- seconds(o <- bounds_margins(released, some, "ip", solver = "lpSolve", progress = FALSE), 1)
    stopifnot(identical(o$lower, b$lower), identical(o$upper, b$upper))
    say("  the 10 cells through lpSolve: %.1f s (%.0f times)", t_lp, t_lp / t_some)
  }
}

# ---- suppressed two-way tables: attack() by two linear programmes a cell, and flows -----------
# sdcTable::attack() solves two programmes for each suppressed cell, in floating point.
attack <- function(counts, hidden) {
  at <- which(hidden)
  rows <- row(counts)[at]
  columns <- col(counts)[at]
  used_rows <- sort(unique(rows))
  used_columns <- sort(unique(columns))
  k <- seq_along(at)
  entries <- rbind(cbind(match(rows, used_rows), k, 1),
                   cbind(length(used_rows) + match(columns, used_columns), k, 1))
  rhs <- c(rowSums(counts * hidden)[used_rows], colSums(counts * hidden)[used_columns])
  one <- function(direction, i) {
    lpSolve::lp(direction, as.numeric(k == i), const.dir = rep("=", length(rhs)), const.rhs = rhs,
                dense.const = entries)$objval
  }
  cbind(vapply(k, function(i) one("min", i), 1), vapply(k, function(i) one("max", i), 1))
}
for (n in c(20, 50, 100)) {
  set.seed(n)
  counts <- matrix(stats::rpois(n * n, 5), n, n, dimnames = list(row = seq_len(n), column = seq_len(n)))
  hidden <- matrix(stats::runif(n * n) < .1, n, n)
  frame <- as.data.frame(sdc_table(as.table(counts)), totals = TRUE, zeros = TRUE)
  frame$suppressed <- FALSE
  inner <- frame$row != "Total" & frame$column != "Total"
  key <- cbind(as.integer(as.character(frame$row[inner])), as.integer(as.character(frame$column[inner])))
  frame$suppressed[inner] <- hidden[key]
  system <- constraints(frame)
  at <- which(hidden)
  t_flow <- seconds(b <- bounds_margins(system, at, progress = FALSE))
  stopifnot(all(b$sharp), b$effort$networks > 0)
  solve <- function(engine) sdcLattice:::cpp_bound_constraints(system, at, FALSE, 600, 2.5e7, engine, numeric(), NULL)
  t_core <- c(network = seconds(f <- solve("network")), simplex = seconds(s <- solve("simplex"), 1))
  stopifnot(identical(f$lower, s$lower), identical(f$upper, s$upper))
  say("%d x %d, %d cells suppressed: %.0f ms, of which flows %.1f ms; by exact programmes %.0f ms", n, n,
      length(at), 1000 * t_flow, 1000 * t_core[["network"]], 1000 * t_core[["simplex"]])
  if (has_lpsolve && n <= 50) {
    t_lp <- seconds(a <- attack(counts, hidden), 1)
    stopifnot(all(b$lower >= a[, 1] - 1e-6), all(b$upper <= a[, 2] + 1e-6))
    say("  two programmes a cell through lpSolve: %.1f s (%.0f times), no interval narrower than ours",
        t_lp, t_lp / t_flow)
  }
}
