# What the contributors to a magnitude table learn from a publication with suppressed cells.
#
# A contributor knows her own value in each cell, so that no table that agrees with her has less
# there; and where she is alone, or the two of a coalition are, the total. The search is in
# core/linear/reader_search.hpp. All numbers are units.

# Each contribution to a cell or total: its row, whose it is, and how much, largest first in a row.
row_holders <- function(x, cells) {
  labels <- lapply(unclass(cells)[names(x$dimnames)], levels)
  seen <- rep(FALSE, nrow(cells))
  parts <- lapply(total_families(x), function(family) {
    held <- family_contributors(x, family)
    codes <- lapply(family_factors(held$cell, family, labels), as.integer)
    row <- combine_codes(codes, lengths(labels, FALSE), length(held$cell))
    # the same node may be one of several trees
    new <- rep(!seen[row], diff(held$start))
    seen[row] <<- TRUE
    list2data_frame(c(
      list(row = rep(row, diff(held$start))[new], holder = held$holder[new],
           value = held$value[new]),
      lapply(sampled_contributions(held), function(of) rep_len(of, length(new))[new])
    ), sum(new))
  })
  with_twin_rows(bind_frames(parts), same_rows(x, cells), seen)
}

# Rows that are another name of the same total have its contributors too. `one`: see same_rows();
# `seen`: the rows that have contributors already.
with_twin_rows <- function(held, one, seen) {
  first <- which(seen)[match(one, one[seen])]
  twins <- which(!seen & !is.na(first))
  if (length(twins) == 0) {
    return(held)
  }
  pairs <- matches(first[twins], held$row)
  more <- held[pairs$y, ]
  more$row <- twins[pairs$x]
  out <- rbind(held, more)
  rownames(out) <- NULL
  out
}

# `held`: row_holders() of the hidden rows, `row` from 1 among them. `judged`: of the hidden rows.
# `safe`: the primary rows that keep their protection from the outsider; the others fail anyway.
magnitude_readers <- function(kind, x, held, judged, safe, rules, p, view, whole, single, seconds,
                              progress) {
  targets <- which(safe)
  if (length(targets) == 0) held <- held[0, ]
  readers <- if (kind == "contributor") single_holders(held) else paired_holders(held)
  if (nrow(readers) == 0) {
    return(list(reader = integer(), row = integer(), lower = numeric(), upper = numeric(),
                unsure = integer(), interrupted = FALSE, holders = readers,
                counts = c(readers = 0, questions = 0, programmes = 0)))
  }
  parts <- reader_parts(readers, held)
  size <- tabulate(held$row, nrow(judged))
  alone <- parts$members == size[parts$row]
  known <- list(reader = parts$reader, cell = parts$row, lower = parts$value,
                upper = ifelse(alone, parts$value, Inf))
  if (view$signed) known <- signed_knowledge(parts, alone, view)
  needed <- if (view$signed) signed_needs(judged, view) else
    reader_needs(judged, held, size, rules, p)
  largest <- top_holders(held, nrow(judged))$value[targets, 1]
  general <- needed(targets, numeric(length(targets)), largest)
  at <- which(parts$row %in% targets)
  who <- readers[parts$reader[at], , drop = FALSE]
  other <- largest_other(held, nrow(judged), parts$row[at], who)
  own <- c(list(target = match(parts$row[at], targets), reader = parts$reader[at]),
           needed(parts$row[at], parts$value[at], other), list(asked = !alone[at]))
  if (!is.null(single)) own <- leave_out_single(own, single, readers, targets)
  found <- search_readers(view$system, nrow(readers), known, c(list(cell = targets), general), own,
                          !whole, seconds, progress, view$value)
  row <- targets[found$target]
  ends <- if (view$signed) signed_findings(found, row, view) else found
  list(reader = found$reader, row = row, lower = ends$lower, upper = ends$upper,
       unsure = targets[found$unsure], interrupted = found$interrupted, counts = found$counts,
       holders = readers[found$reader, , drop = FALSE])
}

single_holders <- function(held) {
  who <- sort(unique(held$holder))
  list2data_frame(list(first = who, second = rep(NA_integer_, length(who))), length(who))
}

paired_holders <- function(held) {
  who <- sort(unique(held$holder))
  n <- length(who) * (length(who) - 1) / 2
  if (n > most_pairs) {
    abort_sdc("too_large", c(
      "{.code readers = \"coalition\"} asks about at most {format_count(most_pairs)} pairs of
       contributors.",
      x = "{format_count(length(who))} contributors have a part in suppressed cells, which makes
           {format_count(n)} pairs.",
      i = "Leave {.val coalition} out of {.arg readers}."
    ))
  }
  pairs <- if (n > 0) utils::combn(who, 2) else matrix(0L, 2, 0)
  list2data_frame(list(first = pairs[1, ], second = pairs[2, ]), ncol(pairs))
}

most_pairs <- 100000

# What readers have together in each row, and how many of the contributors to it they are.
reader_parts <- function(readers, held) {
  sides <- lapply(readers, function(side) matches(side, held$holder))
  reader <- unlist(lapply(sides, `[[`, "x"), use.names = FALSE)
  at <- unlist(lapply(sides, `[[`, "y"), use.names = FALSE)
  order <- order(held$row[at], reader)
  reader <- as.integer(reader[order])
  row <- held$row[at][order]
  first <- !duplicated(list2data_frame(list(reader, row), length(row)))
  group <- cumsum(first)
  list(reader = reader[first], row = row[first], members = tabulate(group),
       value = as.vector(rowsum(held$value[at][order], group, reorder = FALSE)))
}

# The three largest contributions to each of n rows, and whose they are; 0 where there are fewer.
top_holders <- function(held, n) {
  place <- sequence(rle(held$row)$lengths)
  out <- list(value = matrix(0, n, 3), holder = matrix(0L, n, 3))
  for (k in 1:3) {
    at <- which(place == k)
    out$value[held$row[at], k] <- held$value[at]
    out$holder[held$row[at], k] <- held$holder[at]
  }
  out
}

# The largest contribution to each of some rows that is not a reader's own.
largest_other <- function(held, n, row, readers) {
  top <- top_holders(held, n)
  out <- rep(0, length(row))
  done <- rep(FALSE, length(row))
  for (k in 1:3) {
    holder <- top$holder[row, k]
    mine <- holder == readers$first | (holder == readers$second & !is.na(readers$second))
    take <- !done & !mine
    out[take] <- top$value[row, k][take]
    done <- done | !mine
  }
  out
}

# A function of rows, of what a reader has of each, and of the largest other value x there. She
# cannot tell when the total may be `high` or more, or `low` or less. Her estimate of x is at most
# the total less her own value v. So it must be able to reach
#   p percent: v + x + p % of x;    nk: v + x 100 / k;    threshold: T + p % of x,
# the largest of the rules that fire, and no more than where no rule would fire. A cell that is
# primary by a user's word is like one below a threshold. Where the true T
# reaches that already, T must not be the only value.
reader_needs <- function(judged, held, size, rules, p) {
  near <- rule_p_percent(rules_percent(rules, p) / 1e6)
  fired <- vapply(rules$label, function(label) {
    vapply(split_labels(judged$rules), function(words) label %in% words, NA)
  }, logical(nrow(judged)))
  fired <- matrix(fired, nrow(judged))
  total <- as.vector(tapply(held$value, factor(held$row, seq_len(nrow(judged))), sum, default = 0))
  function(row, own, other) {
    high <- rep(0, length(row))
    for (r in seq_along(rules$label)) {
      few <- rules$kind[r] == "threshold"
      rule <- if (few) near else new_rules_from(lapply(unclass(rules), `[`, r))
      reach <- protected_value(other, rule)
      reach <- if (few) total[row] - other + reach else own + reach
      high <- ifelse(fired[row, r], pmax(high, reach), high)
    }
    marked <- judged$rules[row] == marked_label
    high <- ifelse(marked, total[row] - other + protected_value(other, near), high)
    high <- pmin(high, judged$highest[row])
    there <- high <= total[row]
    list(low = ifelse(there, total[row] - 1, -1), high = ifelse(there, total[row] + 1, high))
  }
}

# The total that a rule asks for of a cell with one contributor: x + p % of x, or x 100 / k.
protected_value <- function(x, rule) {
  n <- length(x)
  if (n == 0) {
    return(numeric())
  }
  held <- list(cell = as.double(seq_len(n)), start = as.double(0:n), value = x,
               holder = rep(1L, n))
  pmax(x, apply_rules(held, rule, 0)$up)
}

# What a member of a coalition learns alone is not asked again.
leave_out_single <- function(own, single, readers, targets) {
  for (side in readers) {
    again <- matches(side, single$holders$first)
    own$target <- c(own$target, match(single$row[again$y], targets))
    own$reader <- c(own$reader, again$x)
    own$low <- c(own$low, rep(0, length(again$x)))
    own$high <- c(own$high, rep(0, length(again$x)))
    own$asked <- c(own$asked, rep(FALSE, length(again$x)))
  }
  # a pair of a reader and a cell that occurs twice is asked about only when both entries ask for it
  order <- order(own$target, own$reader, own$asked)
  own <- lapply(own, `[`, order)
  keep <- !duplicated(list2data_frame(own[c("target", "reader")], length(order)))
  lapply(own, `[`, keep)
}

# The rows of what readers learn, in the values of the table.
magnitude_learned <- function(kind, found, labels, x) {
  who <- if (is.null(x$holders)) as.character else function(holder) x$holders[holder]
  words <- who(found$holders$first)
  if (kind == "coalition") words <- paste(words, "and", who(found$holders$second))
  n <- length(found$row)
  learned_frame(
    rep(kind, n), words, lapply(labels, function(column) column[found$row]),
    in_values(found$lower, x), in_values(found$upper, x),
    ifelse(found$lower == found$upper, "exactly", "within the rule")
  )
}
