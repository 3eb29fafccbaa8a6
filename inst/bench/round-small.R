# Rounding with trees, and of small counts: Rscript inst/bench/round-small.R
# Baseline in the same run: SmallCountRounding::PLSrounding(), on a table that comes with SSBtools:
# 437 regions with two trees, 4 sources of income, 3 periods; 9,440 published cells and totals.
library(sdcLattice)

z <- SSBtools::SSBtoolsData("sosialFiktiv")
trees <- list(region = list(nested_tree(z, c("fylke", "region")),
                            nested_tree(z, c("kostragr", "region"))))
x <- sdc_table(z, c("region", "hovedint", "mnd"), freqVar = "ant", hierarchies = trees)

# processor time: the machine may have other work
timed <- function(code, times = 3) {
  code <- substitute(code)
  frame <- parent.frame()
  best <- Inf
  for (i in seq_len(times)) {
    time <- system.time(value <- suppressWarnings(eval(code, frame)))
    best <- min(best, sum(time[c("user.self", "sys.self")]))
  }
  list(s = best, value = value)
}
line <- function(what, s, base_s, max, mean, rms, utility) {
  cat(sprintf("%-32s %7.3f s %6.2f x  max %3.0f  mean %.4f  rms %.4f  utility %.4f\n", what, s,
              s / base_s, max, mean, rms, utility))
}
ours <- function(what, found, base_s) {
  p <- summary(found$value)$published
  line(what, found$s, base_s, p$max, p$mean, p$rms, p$utility)
}

for (base in c(3, 5, 10)) {
  theirs <- timed(SmallCountRounding::PLSrounding(
    z, "ant", base, dimVar = c("region", "fylke", "kostragr", "hovedint", "mnd"), printInc = FALSE
  ))
  stopifnot(nrow(theirs$value$publish) == summary(round_small(x, base))$published$cells)
  m <- theirs$value$metrics
  line(sprintf("base %d, PLSrounding", base), theirs$s, theirs$s, m[["maxdiff"]],
       m[["meanAbsDiff"]], m[["rootMeanSquare"]], m[["HDutility"]])
  ours(sprintf("base %d, round_small", base), timed(round_small(x, base)), theirs$s)
  all <- timed(round_controlled(x, base, "nearest", violation = "least"))
  ours(sprintf("base %d, round_controlled", base), all, theirs$s)
  cat(sprintf("  outside of the adjacent multiples: %d of %d, by %d multiples in all; gap %.0f%%\n",
              nrow(all$value$violations), nrow(theirs$value$publish),
              sum(abs(all$value$violations$by)), 100 * all$value$gap))
}

# Tables without short sums, where one cell is moved at a time.
set.seed(1)
for (d in list(c(14, 12, 10), c(30, 30, 30))) {
  cube <- as_sdc_table(array(stats::rpois(prod(d), 8), d))
  found <- timed(round_controlled(cube, 5, "nearest", violation = "least"), 1)
  cat(sprintf("%s, all margins, base 5: %.2f s, %d sums outside, gap %.0f%%\n",
              paste(d, collapse = " x "), found$s, nrow(found$value$violations),
              100 * found$value$gap))
}

# Sparse: the cells that are not zero decide about time and memory.
for (n in c(1e5, 1e6)) {
  areas <- 3000
  cells <- data.frame(
    area = sample(areas, n, TRUE), work = sample(75, n, TRUE), age = sample(10, n, TRUE),
    school = sample(10, n, TRUE), sex = sample(2, n, TRUE)
  )
  cells$county <- paste0("c", cells$area %% 20)
  large <- sdc_table(cells, c("area", "work", "age", "school", "sex"),
                     hierarchies = list(area = list(nested_tree(cells, c("county", "area")))))
  gc(reset = TRUE)
  found <- timed(round_small(large, 3), 1)
  p <- summary(found$value)$published
  peak <- grep("VmHWM", readLines("/proc/self/status"), value = TRUE)
  cat(sprintf("%g cells that are not zero of %g: %.1f s, max %g, mean %.5f; %s\n",
              length(large$counts), length(large), found$s, p$max, p$mean, peak))
}
