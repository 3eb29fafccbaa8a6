# Sums of suppressed cells that a publication gives away.
#
# What is below a published total, less the published parts, is the sum of the hidden parts. Where a
# hidden total is one of these, its own hidden parts may take its place, as the others are
# published. Such a union is a cell like others: its contributors are those of its parts, what one
# has in several added up.
#
# A union with published parts, which are not sensitive, need not be judged with them: the measures
# of all rules are subadditive (Cox 1981).
#
# These are not all sums that follow: differences of published sums give more, which
# R/suppress-derived.R judges all at once. This first pass is cheap and finds what is commonest, so
# that to stop at `most_unions` loses nothing.

# `suppressed`: a flag for each row; `known`: rows whose total everybody knows. The rows of each
# union.
hidden_unions <- function(cells, dimnames, hierarchies, known) {
  sums <- hidden_sums(cells, dimnames, hierarchies, which(cells$suppressed))
  open <- cells$suppressed & !known
  parts <- open_parts(sums, open)
  start <- which(!open[sums$parent] & parts$size > 0)
  # the sum along each way whose total a row is
  sum_of <- lapply(unique(sums$way), function(way) {
    at <- which(sums$way == way)
    replace(integer(length(open)), sums$parent[at], at)
  })
  further <- found <- list()
  seen <- new.env()
  i <- 0
  while (i < length(start) + length(further) && length(found) < most_unions) {
    i <- i + 1
    rows <- if (i <= length(start)) sort(parts$of(start[i])) else further[[i - length(start)]]
    key <- rlang::hash(rows)
    if (!is.null(seen[[key]])) next
    seen[[key]] <- TRUE
    found[[length(found) + 1]] <- rows
    for (sums_of_way in sum_of) {
      hit <- sums_of_way[rows]
      if (all(hit == 0)) next
      rest <- sort(unique(c(rows[hit == 0], parts$of(hit[hit > 0]))))
      if (length(rest) > 0) further[[length(further) + 1]] <- rest
    }
  }
  found[lengths(found) > 1]
}

# The parts of sums that nobody knows: `size`, their number, and `of`, a function of sums.
open_parts <- function(sums, open) {
  keep <- open[sums$child]
  sum <- rep(seq_along(sums$parent), sums$size)
  child <- sums$child[keep]
  size <- tabulate(sum[keep], length(sums$parent))
  before <- cumsum(size) - size
  list(size = size, of = function(at) child[sequence(size[at], before[at] + 1L)])
}

most_unions <- 20000

# The unions that are sensitive: their rows, and the rules that fire. `held`: row_holders().
sensitive_unions <- function(unions, held, rules, p) {
  if (length(unions) == 0) {
    return(list(rows = list(), rules = character()))
  }
  union <- rep(seq_along(unions), lengths(unions))
  part <- matches(unlist(unions), held$row)
  merged <- cpp_group_contributors(as.double(union[part$x]), held$holder[part$y],
                                   held$value[part$y])
  if (is_sampled(held)) {
    merged$weight <- replace(numeric(max(held$holder)), held$holder, held$weight)
    merged$per_weight <- held$per_weight[1]
  }
  judged <- apply_rules(merged, rules, p)
  fired <- rowSums(judged$fired) > 0
  list(rows = unions[merged$cell[fired]],
       rules = fired_labels(judged$fired[fired, , drop = FALSE], rules$label))
}

# A row for each part of a sensitive union.
unions_frame <- function(found, labels) {
  union <- rep(seq_along(found$rows), lengths(found$rows))
  row <- unlist(found$rows)
  list2data_frame(c(list(union = union), lapply(labels, function(column) column[row]),
                    list(rules = found$rules[union])), length(union))
}
