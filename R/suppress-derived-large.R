# Sums of suppressed cells in large groups of connected cells: the core asks about each firm by
# herself, on one programme that goes from one question to the next. What it finds is proved there,
# and judged here by its true contributors.

# As ask_shares().
ask_shares_large <- function(group, rule, watch) {
  found <- cpp_share_sums(sorted_entries(group), group$held, as.double(group$total), rule,
                          max(0, watch$end - work_seconds()))
  name_sums(group, found, rule$label, watch)
}

# As ask_few().
ask_few_large <- function(group, n, label, watch) {
  found <- cpp_few_sums(sorted_entries(group), group$held, as.double(group$total), n,
                        max(0, watch$end - work_seconds()))
  name_sums(group, found, label, watch)
}

# `found`: sums that failed, and doubtful ones, with what was left of the cells of their rows.
name_sums <- function(group, found, label, watch) {
  out <- list(sums = list(), unsure = found$stopped)
  seen <- list()
  for (sum in c(found$failed, found$doubtful)) {
    fails <- length(sum$cells) > 0
    if (fails && list(sum$cells) %in% seen) next
    seen <- c(seen, list(sum$cells))
    cells <- smallest_within(group, sum, watch)
    fired <- if (length(cells) > 0) group$judge(cells)
    # weights other than 0 and 1
    if (length(fired) == 0 && fails && group$exact) {
      fired <- label
      if (length(cells) == 0) cells <- sum$cells
    }
    if (length(fired) == 0) out$unsure <- TRUE else
      out$sums <- c(out$sums, list(list(cells = cells, rules = fired)))
  }
  out
}

# Of a sum's rows a sum that fails and holds no smaller one of these rows; NULL where that was not
# found.
smallest_within <- function(group, sum, watch) {
  at <- which(group$row %in% sum$rows)
  if (length(at) == 0) {
    return(NULL)
  }
  part <- list(cells = sum$near, row = match(group$row[at], sum$rows),
               cell = match(group$cell[at], sum$near), coefficient = group$coefficient[at])
  free <- is.na(sum$left) | length(sum$cells) > 0 & !sum$near %in% sum$cells
  left <- replace(sum$left, free, 0)
  if (!isFALSE(is_cleared(part, left, free, watch))) {
    return(NULL)
  }
  sum$near[smallest_sum(part, left, free, watch)]
}
