# Counts of tables, and judgements of magnitudes, with one thread and with two in turns.
#   Rscript inst/bench/threads-count.R [pairs, 5 unless given] [contributors, 4e6]
# The results are compared. Elapsed times mean something on an idle machine only; the load is
# printed.
suppressPackageStartupMessages(library(sdcLattice))

args <- commandArgs(trailingOnly = TRUE)
number <- function(i, default) if (length(args) < i) default else as.numeric(args[i])
pairs <- number(1, 5)
n <- number(2, 4e6)
# Beside this script, wherever it is started.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "thread_pairs.R"))

show_head()
set.seed(1)
x <- as_sdc_table(array(stats::rpois(5 * 8 * 4, 6), c(5, 8, 5)))
both <- margins(x, list(c("Var1", "Var2"), c("Var2", "Var3")))
compare("count_tables(), 8 parts of 5 x 5", function(threads) {
  count_tables(both, threads = threads, progress = FALSE)
})
firms <- data.frame(branch = sample.int(400L, n, TRUE), region = sample.int(250L, n, TRUE),
                    turnover = round(stats::rlnorm(n, 3, 1.3), 1))
mg <- magnitude_table(firms, c("branch", "region"), "turnover")
rules <- c(rule_threshold(3), rule_p_percent(10))
compare("sensitive(), cells", function(threads) {
  sensitive(mg, rules, totals = FALSE, threads = threads)
})
compare("sensitive(), cells and totals", function(threads) {
  sensitive(mg, rules, totals = TRUE, threads = threads)
})
cat("load", load(), "\n")
