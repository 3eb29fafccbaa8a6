# What levels bring on the large table: sub-tables certified by release_reducible() with the trees of
# cps14_trees and without, counted alike. Seconds of processor time of each search, 60 by default:
#   Rscript inst/bench/levels.R [seconds]
library(sdcLattice)

given <- commandArgs(trailingOnly = TRUE)
seconds <- if (length(given) > 0) as.numeric(given[1]) else 60
internal <- asNamespace("sdcLattice")
search <- function(x) {
  release_reducible(x, risk_width(3, at_risk = 1:3), seed = 1, time_limit_s = seconds, threads = 1,
                    progress = FALSE)
}

x <- level_table(sdc_table(cps14, hierarchies = cps14_trees))
steps <- internal$table_steps(x)
plain <- search(cps14)
by_level <- search(x)

# The sub-tables of `plain` are at the finest levels.
lifted <- lapply(plain$sets, function(set) which(steps$variable %in% set))
inside <- function(set, sets) any(vapply(sets, function(s) all(set %in% s), NA))
all_sets <- internal$unpack_masks(seq_len(2^14 - 1), 14)
at_some <- lapply(by_level$sets, function(set) unique(steps$variable[set]))
n_of <- function(has) sum(vapply(all_sets, has, NA))

data.frame(
  what = c("sub-tables by level", "sets of variables, at some level", "at the finest level"),
  without_levels = c(
    sum(internal$count_inside(list(variables = steps$names, steps = steps), lifted)[-1]),
    rep(plain$n_sub_tables, 2)
  ),
  by_level = c(
    by_level$n_sub_tables, n_of(function(set) inside(set, at_some)),
    n_of(function(set) inside(which(steps$variable %in% set), by_level$sets))
  )
)
verify_release(by_level)
