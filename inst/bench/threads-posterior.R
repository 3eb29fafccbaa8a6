# The posterior with one thread and with two, in turns, and the bidiagonal posterior against a bare
# kernel in the same run.
#   Rscript inst/bench/threads-posterior.R [rows and columns, 1000 unless given] [pairs, 5]
# Elapsed times mean something on an idle machine only; the load is printed.
suppressPackageStartupMessages(library(sdcLattice))

args <- commandArgs(trailingOnly = TRUE)
number <- function(i, default) if (length(args) < i) default else as.numeric(args[i])
n <- number(1, 1000)
pairs <- number(2, 5)
# Beside this script, wherever it is started.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "thread_pairs.R"))

set.seed(1)
labels <- list(row = as.character(seq_len(n)), column = as.character(seq_len(n)))
x <- as_sdc_table(array(stats::rpois(n * n, 10), c(n, n), labels))
show_head()
sets <- list(pairs = cycles_banded(x, group = 2, seed = 1),
             "open triads" = cycles_banded(x, open = TRUE, seed = 1))
for (name in names(sets)) {
  for (covers in if (name == "pairs") 1:2 else 1) {
    pub <- publication(x, mechanism(sets[[name]], covers = covers))
    compare(sprintf("posterior(), %s, r = %d", name, covers), function(threads) {
      posterior(pub, threads = threads, progress = FALSE)[c("laws", "log_evidence")]
    })
  }
}
small <- as_sdc_table(array(stats::rpois(2500, 2), c(50, 50)))
me <- mechanism(cycles_banded(small, group = 2, seed = 1), covers = 2)
compare("risk_utility(), 50 x 50, 1000 runs", function(threads) {
  risk_utility(small, me, replicates = 1000, insider = FALSE, time_limit_s = 1e6,
               threads = threads)[c("overall", "unchanged")]
})

# The kernel: least counts along the diagonals, forward and backward messages round the ring, and
# the law of each cell.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
Rcpp::sourceCpp(file.path(here, "posterior_kernel.cpp"))
pub <- publication(x, mechanism(cycles_bidiagonal(x)))
counts <- as.double(as.array(x))
po <- posterior(pub, progress = FALSE)
bare <- bare_posterior(counts, n, .25)
changes <- function(cell) {
  law <- po$laws[, abs(po$law[[cell]])]
  if (po$law[[cell]] > 0) law else rev(law)
}
cells <- c(1, n, n + 1, sample(n * n, 200))
stopifnot(all.equal(bare$log_evidence, po$log_evidence),
          all.equal(bare$laws[, bare$law[cells]], vapply(cells, changes, numeric(5))))
least <- function(f) timed(f, f)[2, 1]
found <- c(
  kernel = least(function() bare_posterior(counts, n, .25)),
  `kernel from the table` = least(function() bare_posterior(as.double(as.array(x)), n, .25)),
  `posterior()` = least(function() posterior(pub, progress = FALSE))
)
cat(sprintf("bidiagonal, processor: %-22s %.4f s\n", names(found), found), sep = "")
cat("load", load(), "\n")
