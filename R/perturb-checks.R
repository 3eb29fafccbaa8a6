# Which mechanisms perturb() takes at all, whatever the counts.

check_can_perturb <- function(mechanism) {
  if (is_analysis_only(mechanism)) {
    abort_sdc("refused", c(
      "A table is perturbed under the zero rules {.val blocked} or {.val nonnegative} only.",
      x = "The rule of {.arg mechanism} is {.val {mechanism$zero_rule}}, which is for analysis
           only."
    ))
  }
  check_sweep_count(mechanism)
}

# Whoever made such a set was told; who perturbs by it may not know.
check_all_totals_stay <- function(cycles) {
  if (is.null(cycles$layout) || cycles$totals_kept) {
    return(invisible(cycles))
  }
  abort_sdc("refused", c(
    "The cycles must keep the published totals of the table.",
    x = "They change some of them, because they merge variables or were made to keep single margins.
         Nothing was drawn.",
    i = "{.fn changed_totals} lists these totals; {.fn cycles_banded} and {.fn cycles_margin} make
         cycles that keep all.",
    i = "{.code insist = TRUE} perturbs the table nevertheless."
  ))
}

most_sweeps <- 6

# No method of posterior() follows more sweeps that skip zeros: nobody could say what such a
# publication tells.
check_sweep_count <- function(mechanism) {
  if (!skips_zeros(mechanism$cycles)) {
    return(invisible(mechanism))
  }
  sweeps <- mechanism$covers * sweeps_per_cover(mechanism$cycles)
  if (sweeps <= most_sweeps) {
    return(invisible(mechanism))
  }
  abort_sdc("refused", c(
    "A set that skips zeros may sweep over a group of lines at most {most_sweeps} times: no
     posterior can be computed beyond.",
    x = "{mechanism$covers} cover{?s} sweep {sweeps} times over some group. Nothing was drawn.",
    i = "Use at most {most_sweeps %/% sweeps_per_cover(mechanism$cycles)} {.arg covers}."
  ))
}

# The most sweeps over one group in a cover: three over a triad, two over a pair beside triads.
sweeps_per_cover <- function(cycles) {
  if (cycles$rule == "merged") cycles <- merged_set(cycles)
  if (cycles$rule == "nested") {
    return(max(vapply(part_sets(cycles), sweeps_per_cover, 0)))
  }
  lines <- lengths(cycles$parameters$groups)
  if (cycles$parameters$group == 2) 1 else max(lines)
}
