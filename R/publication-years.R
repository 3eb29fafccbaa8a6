# The records of the years before: this year's publications are judged together with theirs, by how
# far a count of the table can have changed from year to year.

# One system of several years. `found`: what system_together() makes of each, this one first; the
# counts of a leaf cell of two neighbours differ by what `change` says.
join_years <- function(found, changes) {
  out <- found[[1]]
  out$asked_years <- out$system$asked[seq_len(out$n)]
  out$value_years <- out$system$value[seq_len(out$n)]
  offset <- 0
  for (k in seq_along(changes)) {
    later <- found[[k]]
    earlier <- found[[k + 1]]
    before <- offset
    offset <- length(out$system$lower)
    shift <- function(at, by) ifelse(at > 0, at + by, 0)
    system <- earlier$system
    system$rows$cell <- system$rows$cell + as.integer(offset)
    out$system$lower <- c(out$system$lower, system$lower)
    out$system$upper <- c(out$system$upper, system$upper)
    out$system$rows <- append_rows(out$system$rows, list(system$rows))
    first <- seq_len(earlier$n)
    out$asked_years <- c(out$asked_years, shift(system$asked[first], offset))
    out$value_years <- c(out$value_years, system$value[first])
    same <- match(label_words(later$leaves), label_words(earlier$leaves[names(later$leaves)]))
    link <- which(!is.na(same))
    out$system <- link_leaves(out$system, changes[[k]],
                              list(at = shift(leaf_at(later, "asked")[link], before),
                                   value = leaf_at(later, "value")[link]),
                              list(at = shift(leaf_at(earlier, "asked")[same[link]], offset),
                                   value = leaf_at(earlier, "value")[same[link]]))
  }
  out
}

leaf_at <- function(found, what) utils::tail(found$system[[what]], nrow(found$leaves))

# The later count less the earlier one lies within `change`. Where one of them is known, the other
# one has limits, as rows of one unknown are none.
link_leaves <- function(system, change, later, earlier) {
  known <- ifelse(earlier$at > 0, 0, earlier$value) - ifelse(later$at > 0, 0, later$value)
  low <- change[1] + known
  high <- change[2] + known
  both <- later$at > 0 & earlier$at > 0
  none <- later$at == 0 & earlier$at == 0
  if (any(none & (low > 0 | high < 0))) abort_outside_change()
  system <- narrow_unknowns(system, later$at, low, high, !both & !none & later$at > 0)
  system <- narrow_unknowns(system, earlier$at, -high, -low, !both & !none & earlier$at > 0)
  n <- sum(both)
  rows <- row_list(rep(seq_len(n), 2), c(later$at[both], earlier$at[both]), rep(c(1, -1), each = n),
                   low[both], high[both])
  system$rows <- append_rows(system$rows, list(rows))
  system
}

narrow_unknowns <- function(system, at, low, high, which) {
  at <- at[which]
  system$lower[at] <- pmax(system$lower[at], low[which])
  system$upper[at] <- pmin(system$upper[at], high[which])
  if (any(system$lower[at] > system$upper[at])) abort_outside_change()
  system
}

abort_outside_change <- function() {
  abort_sdc("infeasible", c(
    "The years must differ by no more than {.arg change}.", x = "A count differs by more."
  ))
}

# All leaf cells of the variables of a system.
all_leaves <- function(labels) {
  levels <- lapply(labels, `[[`, "levels")
  n <- prod(lengths(levels))
  check_size(n, 1e5, "cells, of a table that is judged with other years")
  list2data_frame(lapply(unclass(cell_factors(seq_len(n), levels)), as.character), n)
}

# Whose cells they are, for messages.
year_words <- function(words, k) {
  if (k == 0) words else
    paste0(words, if (k == 1) " (a year before)" else paste0(" (", k, " years before)"),
           recycle0 = TRUE)
}

check_yearly_change <- function(change) {
  ok <- is.numeric(change) && length(change) %in% 1:2 && !anyNA(change) &&
    all(!is.finite(change) | (change == floor(change) & abs(change) <= 2^53)) &&
    (if (length(change) == 1) change >= 0 else change[1] <= change[2]) &&
    !identical(change[1], Inf) && !identical(change[length(change)], -Inf)
  if (!ok) {
    abort_sdc("input", c(
      "{.arg change} must be one finite whole number from 0, or the least and the largest change,
       whole numbers or infinite.",
      x = "It is {show_value(change)}."
    ))
  }
  if (length(change) == 1) c(-change, change) else change
}

change_words <- function(change) {
  if (all(is.infinite(change))) {
    return("from last year to this year a count may change by any number")
  }
  paste("from last year to this year", if (identical(change, c(0, Inf))) {
    "no count falls"
  } else if (identical(change, c(-Inf, 0))) {
    "no count rises"
  } else {
    paste0("a count changes by ", if (is.finite(change[1])) format_count(change[1]),
           if (all(is.finite(change))) " to ",
           if (is.finite(change[2])) format_count(change[2]),
           if (!is.finite(change[1])) " at most", if (!is.finite(change[2])) " at least")
  })
}
