# Sensitive sums of suppressed cells that follow from published ones in any way: not only what is
# below one total, but also differences such as row 1 + row 2 - column 1.
#
# Let A z = b be the outsider's equations for the hidden cells z. What she can work out exactly are
# the combinations u = A'y, and those with u >= 0 are sums. There may be too many to list, but one
# judgement of all of them is one linear programme. A rule for named firms is linear: p percent with
# X the largest and s the second asks whether c.u < 0, where c = T - x_X (1 + p / 100) - x_s in each
# cell. By Farkas' lemma there is such a u if and only if no z >= 0 solves A z = A c. (If c.u < 0
# for any X and s, then for the two largest of the sum, as they make c.u least.)
#
# So the firms are not asked one by one: c of the least that any firms of a set leave in each cell
# is a lower limit of all their c, and a solution z for it clears them all. Where there is none the
# set is halved. For (n, k) rules with n > 2 only the first firm is named and the others are each
# cell's largest: what that does not clear is judged by the sum itself, and unsure where no rule
# fires. In large groups each firm is asked about by herself, see R/suppress-derived-large.R.
#
# A threshold rule asks for sums whose contributors all belong to a set H of fewer than n: u = 0 in
# the cells with others, so that z may have any sign there, and c = -1 in the cells inside.
#
# Cells that are known are no longer unknown: they stand on the other side of the equations. A sum
# may count a cell more than once where the variables are three or more, or have several trees; its
# holdings are then judged with these weights.

# `system`: reader_system(); `hidden`: the rows of its unknowns; `known`: a flag for each; `held`:
# row_holders() of hidden rows; `nested`: the rows of sensitive unions that were found already:
# their groups fail anyway. As sensitive_unions(), with `unsure`: the number of groups of connected
# cells that were not settled.
derived_unions <- function(system, hidden, known, held, nested, rules, p, seconds) {
  watch <- new.env()
  watch$end <- work_seconds() + seconds
  out <- list(rows = list(), rules = character(), unsure = 0L)
  for (group in open_groups(system, known)) {
    rows <- hidden[group$cells]
    if (any(unlist(nested) %in% rows)) next
    group <- add_holdings(group, held, rows)
    group$judge <- function(cells) sensitive_unions(list(rows[cells]), held, rules, p)$rules
    found <- lapply(seq_along(rules$label), function(r) {
      if (rules$kind[r] == "threshold") ask_few(group, rules$n[r], rules$label[r], watch) else
        ask_shares(group, share_rule(unclass(rules), r), watch)
    })
    sums <- unlist(lapply(found, `[[`, "sums"), recursive = FALSE)
    cells <- lapply(sums, function(sum) sort(rows[sum$cells]))
    new <- !duplicated(cells)
    out$rows <- c(out$rows, cells[new])
    out$rules <- c(out$rules, vapply(sums[new], `[[`, "", "rules"))
    out$unsure <- out$unsure + any(vapply(found, `[[`, NA, "unsure"))
  }
  out
}

# The unknowns that equations connect, but for known ones: `cells`, and the entries of their
# equations: `row`, `cell` (from 1 in the group), `coefficient`.
open_groups <- function(system, known) {
  entries <- list2data_frame(list(
    row = rep(seq_along(system$rows$lower), diff(system$rows$start)), cell = system$rows$cell,
    coefficient = system$rows$coefficient
  ), length(system$rows$cell))
  entries <- entries[!known[entries$cell], ]
  label <- seq_along(known)
  repeat {
    before <- label
    # of several labels the last one, the least, remains
    by <- order(label[entries$cell], decreasing = TRUE)
    least <- integer(length(system$rows$lower))
    least[entries$row[by]] <- label[entries$cell[by]]
    by <- order(least[entries$row], decreasing = TRUE)
    label[entries$cell[by]] <- least[entries$row[by]]
    label <- label[label]
    if (identical(label, before)) break
  }
  parts <- split(seq_len(nrow(entries)), label[entries$cell])
  lapply(unname(parts), function(at) {
    cells <- sort(unique(entries$cell[at]))
    list(cells = cells, row = match(entries$row[at], unique(entries$row[at])),
         cell = match(entries$cell[at], cells), coefficient = entries$coefficient[at])
  })
}

# The contributors to the cells of a group, largest first in a cell, and the totals.
add_holdings <- function(group, held, rows) {
  held <- held[held$row %in% rows, ]
  held$row <- match(held$row, rows)
  held <- held[order(held$row, -abs(held$value)), ]
  group$size <- tabulate(held$row, length(rows))
  group$total <- sum_by(least_parts(held), held$row, length(rows))
  group$exact <- !is_sampled(held) && !any(has_both_signs(held))
  held$value <- abs(held$value)
  group$held <- held
  group
}

# A firm with values of both signs in some cells may have less in their sum than in any of them. Its
# part counts by the sign of the whole, which is never more than what it holds of a sum.
least_parts <- function(held) {
  if (all(held$value >= 0)) {
    return(held$value)
  }
  total <- stats::ave(held$value, held$holder, FUN = sum)
  ifelse(has_both_signs(held), ifelse(total < 0, -held$value, held$value), abs(held$value))
}

has_both_signs <- function(held) {
  plus <- held$holder[held$value > 0]
  minus <- held$holder[held$value < 0]
  held$holder %in% intersect(plus, minus)
}

# ---- shares: p percent and (n, k) ---------------------------------------------------------------

# Whole numbers: the rule fires when
#   total T < lead x_1 + other (x_2 + ... of `others` more contributors).
share_rule <- function(rules, r) {
  p <- rules$percent[r]
  unit <- common_divisor(c(1e8, p))
  near <- rules$kind[r] == "p_percent"
  list(label = rules$label[r], total = (if (near) 1e8 else p) / unit,
       lead = (if (near) 1e8 + p else 1e8) / unit, other = 1e8 / unit,
       others = if (near) 1 else rules$n[r] - 1)
}

# What the rule leaves of each cell: the least that one firm of `lead` and others of `others` leave.
least_rest <- function(group, rule, lead, others) {
  taken <- if (is_sampled(group$held)) {
    sampled_rest(group, rule, lead, others)
  } else {
    largest_rest(group, rule, lead, others)
  }
  left <- rule$total * group$total
  size <- sum(left) + sum(taken)
  if (size < 2^52) {
    return(left - taken)
  }
  # too large for exact doubles: rounded down, by more than their error
  ifelse(group$total == 0, 0, floor((left - taken) * (2^50 / size)) - 2)
}

largest_rest <- function(group, rule, lead, others) {
  held <- group$held
  n <- length(group$cells)
  first <- which(held$holder %in% lead)
  first <- first[!duplicated(held$row[first])]
  rest <- setdiff(which(held$holder %in% others), first)
  rest <- rest[sequence(rle(held$row[rest])$lengths) <= rule$others]
  rule$lead * sum_by(held$value[first], held$row[first], n) +
    rule$other * sum_by(held$value[rest], held$row[rest], n)
}

# Of a sample: no less than what a contribution that some firm of `lead` stands for, and the largest
# others, take of each cell. The others may be of the same firm, where its weight is more than one.
# Where weights are below one a contribution is made of several firms, and never more than if one of
# them made it alone.
sampled_rest <- function(group, rule, lead, others) {
  held <- group$held
  n <- length(group$cells)
  whole <- held$per_weight[1]
  held$size <- ifelse(held$value == 0, 0, held$value / held$weight)
  held <- held[order(held$row, -held$size), ]
  if (length(lead) == 1) others <- setdiff(others, lead)
  others <- union(others, held$holder[held$holder %in% lead & held$weight > whole])
  one <- function(of) {
    at <- held[held$holder %in% of, ]
    at <- at[!duplicated(at$row), ]
    sum_by(at$size * whole, at$row, n)
  }
  many <- function(of, most) {
    at <- held[held$holder %in% of, ]
    before <- stats::ave(at$weight, at$row, FUN = cumsum) - at$weight
    sum_by(at$size * pmin(at$weight, pmax(0, most * whole - before)), at$row, n)
  }
  second <- if (rule$others == 1) one(others) else many(others, rule$others)
  rule$lead * one(lead) + rule$other * second
}

ask_shares <- function(group, rule, watch) {
  if (is_large(group) && !is_sampled(group$held)) {
    return(ask_shares_large(group, rule, watch))
  }
  out <- list(sums = list(), unsure = FALSE)
  none <- rep(FALSE, length(group$cells))
  all <- unique(group$held$holder)
  name <- function(c, exact) {
    cells <- smallest_sum(group, c, none, watch)
    fired <- if (!is.null(cells)) group$judge(cells)
    # weights other than 0 and 1
    if (length(fired) == 0 && !is.null(cells) && exact) fired <- rule$label
    if (length(fired) == 0) out$unsure <<- TRUE else
      out$sums <<- c(out$sums, list(list(cells = cells, rules = fired)))
  }
  # Was anything found? One second firm for each first one is enough.
  ask <- function(lead, others) {
    c <- least_rest(group, rule, lead, others)
    cleared <- is_cleared(group, c, none, watch)
    if (!isFALSE(cleared)) {
      out$unsure <<- out$unsure || is.na(cleared)
      return(is.na(cleared))
    }
    if (length(lead) > 1) {
      half <- seq_len(length(lead) %/% 2)
      ask(lead[half], others)
      ask(lead[-half], others)
    } else if (rule$others == 1 && length(setdiff(others, lead)) > 1) {
      others <- setdiff(others, lead)
      half <- seq_len(length(others) %/% 2)
      return(ask(lead, others[half]) || ask(lead, others[-half]))
    } else {
      name(c, rule$others <= 1 && group$exact)
    }
    TRUE
  }
  ask(all, all)
  out
}

# ---- thresholds ---------------------------------------------------------------------------------

most_few_sets <- 500

ask_few <- function(group, n, label, watch) {
  if (is_large(group)) {
    return(ask_few_large(group, n, label, watch))
  }
  few <- group$size < n
  # the sum of such cells that the equations give, if any
  ask <- function(inside) {
    c <- -as.numeric(inside & group$size > 0)
    cleared <- is_cleared(group, c, !inside, watch)
    if (isTRUE(cleared)) {
      return(list(sums = list(), unsure = FALSE))
    }
    cells <- if (isFALSE(cleared)) smallest_sum(group, c, !inside, watch)
    fired <- if (!is.null(cells)) group$judge(cells)
    list(sums = if (length(fired) > 0) list(list(cells = cells, rules = fired)) else list(),
         unsure = length(fired) == 0)
  }
  out <- ask(few)
  if (!out$unsure || work_seconds() > watch$end) {
    return(out)
  }
  at <- group$held$row %in% which(few)
  holders <- unname(split(group$held$holder[at], group$held$row[at]))
  sets <- joined_sets(unique(lapply(holders, sort)), n)
  if (is.null(sets)) {
    return(out)
  }
  for (set in sets) {
    outside <- group$held$row[!group$held$holder %in% set]
    out <- ask(!seq_along(few) %in% outside)
    if (out$unsure || length(out$sums) > 0) break
  }
  out
}

# All unions of the sets that have fewer than `n` members; NULL where they are too many.
joined_sets <- function(sets, n) {
  seen <- sets
  fresh <- sets
  while (length(fresh) > 0) {
    joined <- unlist(lapply(fresh, function(a) lapply(sets, function(b) sort(union(a, b)))),
                     recursive = FALSE)
    fresh <- setdiff(unique(joined[lengths(joined) < n]), seen)
    seen <- c(seen, fresh)
    if (length(seen) > most_few_sets) {
      return(NULL)
    }
  }
  seen
}
