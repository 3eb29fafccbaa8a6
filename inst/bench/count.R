# Numbers of tables with given margins, by each method, in one run: the median of some repetitions.
# Run: Rscript inst/bench/count.R
library(sdcLattice)

margin_of <- function(variable, counts) {
  labels <- stats::setNames(list(as.character(seq_along(counts))), variable)
  sdc_table(as.table(array(counts, length(counts), labels)))
}
two_way <- function(rows, columns) constraints(margin_of("A", rows), margin_of("B", columns))

seconds <- function(code, times = 5) {
  code <- substitute(code)
  at <- parent.frame()
  stats::median(vapply(seq_len(times), function(i) {
    took <- system.time(tryCatch(eval(code, at), sdc_error_too_large = function(e) NULL),
                        gcFirst = FALSE)
    took[["user.self"]]
  }, 0))
}

show <- function(name, release, methods = c("auto", "twoway", "polynomial"), times = 5) {
  digits <- nchar(as.character(count_tables(release)))
  figures <- vapply(methods, function(m) {
    count <- tryCatch(count_tables(release, m), sdc_error_too_large = function(e) NULL)
    if (is.null(count)) NA else seconds(count_tables(release, m), times)
  }, 0)
  cat(sprintf("%-34s %3d digits ", name, digits),
      paste0(methods, " ", ifelse(is.na(figures), "too large", sprintf("%.4f s", figures)), collapse = "  "), "\n")
}

cat("Numbers of tables\n")
slides <- two_way(c(20, 55, 25, 35), c(50, 35, 30, 20))
show("slides, 4 x 4, N = 135", slides, c("auto", "twoway", "polynomial", "diagram"), 3)
show("4 x 4, N = 592", two_way(c(220, 215, 93, 64), c(108, 286, 71, 127)), times = 1)
show("5 x 5, N = 100, even", two_way(rep(20, 5), rep(20, 5)))
show("5 x 5, N = 100, uneven", two_way(c(20, 21, 22, 19, 18), c(20, 20, 20, 15, 25)))
show("6 x 6, N = 60, even", two_way(rep(10, 6), rep(10, 6)))
show("6 x 6, N = 60, uneven", two_way(c(8, 9, 10, 11, 12, 10), c(13, 7, 9, 11, 10, 10)),
     c("auto", "twoway"))

cat("\nGrowth with the counts: the margins of the slides times a factor\n")
for (by in c(1, 2, 4)) {
  show(paste("factor", by), two_way(by * c(20, 55, 25, 35), by * c(50, 35, 30, 20)), c("twoway", "polynomial"), 1)
}
for (by in c(1e3, 1e6)) {
  show(paste("factor", by), two_way(by * c(20, 55, 25, 35), by * c(50, 35, 30, 20)), "polynomial")
}
show("4 x 4, margins of 10^8, uneven", two_way(
  c(123456789, 98765432, 55555555, 145678901), c(87654321, 111111111, 99999999, 124691246)
), "auto")

cat("\nGrowth with the size, margins near 10^6\n")
for (shape in list(c(3, 3), c(6, 3), c(12, 3), c(4, 4), c(6, 4), c(8, 4), c(5, 5), c(6, 5))) {
  rows <- 1e6 + seq_len(shape[1])^2
  columns <- rep(floor(sum(rows) / shape[2]), shape[2]) + seq_len(shape[2])^2
  columns[1] <- columns[1] + sum(rows) - sum(columns)
  show(paste(shape, collapse = " x "), two_way(rows, columns), "polynomial", 1)
}

# Plain programmes in C++ that use nothing of the package: sums over triangles for three columns,
# cell by cell for more, modulo as many primes as the digits need. Processor time: the machine may
# have other work.
cat("\nAgainst plain programmes, uneven margins\n")
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
Rcpp::sourceCpp(file.path(folder, "count_peer.cpp"))
worked <- function(code) {
  code <- substitute(code)
  at <- parent.frame()
  stats::median(replicate(3, sum(system.time(eval(code, at))[c("user.self", "sys.self")])))
}
uneven <- function(m, n, near, seed) {
  set.seed(seed)
  rows <- round(near * stats::runif(m, .8, 1.2))
  list(rows = rows, columns = as.vector(stats::rmultinom(1, sum(rows), rep(1, n))))
}
for (shape in list(c(20, 3, 100), c(7, 7, 10), c(6, 6, 100), c(9, 9, 10), c(10, 10, 5),
                   c(10, 10, 10), c(12, 12, 10), c(15, 15, 10))) {
  margins <- uneven(shape[1], shape[2], shape[3], seed = 1)
  release <- two_way(margins$rows, margins$columns)
  ours <- worked(count <- count_tables(release))
  cat(sprintf("%d x %d, margins near %d: %.3f s (%s)", shape[1], shape[2], shape[3], ours,
              names(which(count$methods > 0))))
  if (shape[3]^(shape[2] - 1) < 1e7) {
    peer <- worked(agrees <- peer_agrees(margins$rows, margins$columns[-shape[2]],
                                         as.character(count)))
    cat(sprintf(", plain programme %.3f s, ratio %.1f, same count: %s", peer, peer / ours, agrees))
  }
  cat("\n")
}

cat("\nCritical widths, processor time\n")
cat(sprintf("all 8,191 of 13 variables: %.2f s\n", worked(critical_widths(cps13))))
set.seed(1)
codes <- as.data.frame(matrix(sample(1:2, 25 * 3000, replace = TRUE), ncol = 25))
large <- sdc_table(codes, dimVar = names(codes))
took <- system.time(cw <- suppressWarnings(critical_widths(large, time_limit_s = 5)))
cat(sprintf("25 variables, limit 5 s: %.1f s, %s widths, complete to dimension %d\n",
            sum(took[c("user.self", "sys.self")]), format(nrow(cw), big.mark = ","),
            attr(cw, "complete")))

cat("\nLaws of all cells, and 1000 draws\n")
rounded <- sdc_table(as.table(matrix(
  c(15, 3, 3, 0, 21, 9, 12, 15, 3, 9, 9, 3, 12, 15, 6, 0), 4, byrow = TRUE,
  dimnames = list(A = 1:4, B = 1:4)
)))
around <- constraints(intervals(margins(rounded, list(c("A", "B"), "A", "B", character(0))), 2))
for (case in list(list("slides, margins only", slides), list("slides, controlled rounding", around))) {
  release <- case[[2]]
  cat(sprintf("%-34s count %.4f s  laws %.4f s  draws %.4f s\n", case[[1]], seconds(count_tables(release)),
              seconds(fibre_distribution(release)), seconds(sample_tables(release, 1000, seed = 1))))
}

cat("\nEstimates by 10,000 draws\n")
for (case in list(list("slides", slides), list("10 x 10, margins of 50", two_way(rep(50, 10), rep(50, 10))))) {
  release <- case[[2]]
  time <- seconds(about <- count_tables(release, "importance", seed = 1), 1)
  cat(sprintf("%-34s %.2f s  %s\n", case[[1]], time, format(about)))
}
