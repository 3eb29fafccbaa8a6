# From the parts of a release to rows: sums of cells with a lower and an upper limit.

compose_constraints <- function(parts, labels, max_entries) {
  dimnames <- lapply(labels, function(label) label$levels)
  n <- prod(lengths(dimnames))
  check_entries(n, max_entries, "cells")
  limits <- list(lower = numeric(n), upper = rep(Inf, n))
  rows <- list()
  rates <- list()
  sets <- character()
  for (part in parts) {
    found <- part_rows(part, labels, max_entries)
    if (length(found$lower) == 0) next
    limits <- narrow_cells(limits, found, part)
    rows <- c(rows, list(found))
    sets <- c(sets, part$set)
    rates <- c(rates, lapply(found$rates, replace, "set", length(sets)))
  }
  codes <- lapply(cell_factors(seq_len(n), dimnames), as.integer)
  out <- new_constraints(dimnames, codes, limits$lower, limits$upper, join_rows(rows), sets)
  if (length(rates) > 0) out$rates <- rates
  out$made_of <- list(
    parts = unlist(lapply(parts, function(p) p$origin %||% list(p)), recursive = FALSE),
    labels = labels
  )
  out
}

check_entries <- function(n, max_entries, what) {
  if (n > max_entries) {
    abort_sdc("too_large", c(
      "The system may have {max_entries} {what}.",
      x = "It has {n}.",
      i = "Raise {.arg max_entries}, or look at a part of the variables."
    ))
  }
}

check_part_limits <- function(part) {
  if (any(part$upper > 2^53 & part$upper < Inf)) {
    abort_sdc("too_large", c(
      "Limits must not exceed 2^53 (9,007,199,254,740,992), unless they are infinite.",
      x = "Some of {.val {part$set}} do."
    ))
  }
}

# The rows of a part: for each, the numbers of its cells.
part_rows <- function(part, labels, max_entries) {
  check_part_limits(part)
  if (!is.null(part$make_rows)) {
    return(part$make_rows(labels))
  }
  codes <- lapply(names(labels), function(v) match_labels(part, v, labels[[v]]))
  sizes <- Map(function(code, label) {
    held <- c(length(label$levels), lengths(label$held))
    held[code + 1]
  }, codes, labels)
  n <- length(part$lower)
  entries <- base::sum(Reduce(`*`, sizes, rep(1, n)))
  check_entries(entries, max_entries, "entries")
  found <- cpp_expand_groups(
    unname(lapply(labels, function(label) label$held)),
    lengths(lapply(labels, function(label) label$levels), use.names = FALSE), codes, n
  )
  c(found, list(
    coefficient = rep(1, length(found$cell)), lower = part$lower, upper = part$upper,
    label = row_labels(part, n)
  ))
}

row_labels <- function(part, n) {
  if (length(part$columns) == 0) {
    return(rep("total", n))
  }
  label_words(part$columns)
}

# Rows of one cell are limits of the cell.
narrow_cells <- function(limits, rows, part) {
  single <- which(diff(rows$start) == 1 &
                  rows$coefficient[pmin(rows$start[-1], length(rows$cell))] == 1)
  cell <- rows$cell[rows$start[single] + 1]
  lower <- tapply_max(rows$lower[single], cell)
  upper <- tapply_max(-rows$upper[single], cell)
  at <- sort(unique(cell))
  limits$lower[at] <- pmax(limits$lower[at], lower)
  limits$upper[at] <- pmin(limits$upper[at], -upper)
  crossed <- at[limits$lower[at] > limits$upper[at]]
  if (length(crossed) > 0) {
    abort_sdc("infeasible", c(
      "The parts of a release must leave each cell some count.",
      x = "{.val {part$set}} contradicts the parts before it in {length(crossed)} cell{?s}."
    ))
  }
  limits
}

# The largest value for each group, groups in ascending order.
tapply_max <- function(x, group) {
  by <- order(group, -x)
  x[by][!duplicated(group[by])]
}

join_rows <- function(rows) {
  field <- function(name) unlist(lapply(rows, function(r) r[[name]]), use.names = FALSE)
  n <- vapply(rows, function(r) length(r$lower), 0)
  lengths <- unlist(lapply(rows, function(r) diff(r$start)), use.names = FALSE)
  list(
    start = cumsum(c(0, lengths)), cell = as.integer(field("cell")),
    coefficient = as.numeric(field("coefficient")), lower = as.numeric(field("lower")),
    upper = as.numeric(field("upper")), set = rep(seq_along(rows), n),
    label = as.character(field("label"))
  )
}

select_rows <- function(rows, at) {
  size <- diff(rows$start)[at]
  entries <- sequence(size, from = rows$start[at] + 1)
  list(
    start = cumsum(c(0, size)), cell = rows$cell[entries], coefficient = rows$coefficient[entries],
    lower = rows$lower[at], upper = rows$upper[at], label = rows$label[at]
  )
}

# Constraints with rates as the core takes them: without the rows that say the same.
with_rates_apart <- function(constraints) {
  of_rates <- vapply(constraints$rates, `[[`, 1, "set")
  kept <- which(!constraints$rows$set %in% of_rates)
  list(lower = constraints$lower, upper = constraints$upper,
       rows = select_rows(constraints$rows, kept), rates = constraints$rates)
}

# The constraints of rate j in all rows: from below (side -1), from above (1), or both at once (0).
one_rate <- function(x, room, side, j, sums, row, rate) {
  of_total <- room[2] * x$units[j, ] + side * room[1]
  coefficient <- room[2] * x$scale[row] * (rate == j) - of_total[row]
  keep <- coefficient != 0
  n <- length(x$scale)
  list(
    start = cumsum(c(0, tabulate(row[keep], n))), cell = sums$cell[keep],
    coefficient = coefficient[keep],
    lower = rep(if (side > 0) -Inf else 0, n), upper = rep(if (side < 0) Inf else 0, n),
    label = paste0(rate_row_labels(x), ": rate ", j)
  )
}

# `codes`: for each variable the levels (from 1) of the cells; `lower`, `upper`: their limits, which
# may be Inf; `rows`: start, cell, coefficient, lower, upper, set, label; `sets`: what families of
# rows there are.
new_constraints <- function(dimnames, codes, lower, upper, rows, sets) {
  structure(
    list(dimnames = dimnames, codes = codes, lower = lower, upper = upper, rows = rows,
         sets = sets),
    class = sdc_class("sdc_constraints")
  )
}


# Labels of rows, "A = a1, B = b2".
rate_row_labels <- function(x, at = seq_along(x$scale)) {
  if (length(x$given) == 0) {
    return(rep("(total)", length(at)))
  }
  labels <- lapply(rlang::set_names(x$given), function(v) x$dimnames[[v]][x$rows[[v]][at]])
  label_words(labels)
}
