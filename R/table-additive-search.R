# The search for levels that are sums of others.
#
# Whether a sum would be believed is known before it is looked for: the evidence depends on the
# counts of the level, and what the choice takes away from it on the number of levels that fit below
# it. Most levels need no search therefore, or only a comparison with the sum of all others.

# Beyond that many levels only those with the name of a total are looked at.
max_levels_searched <- 5000

# The work on one variable, in numbers compared; a comparison counts for `least_work` at least. Each
# level adds an equal share to what may be spent. The largest levels come last: they are most often
# totals, and may spend what the smaller ones have left.
max_work <- 2e7
least_work <- 1000

# For each level that is believed to be a sum `level` and `at`, the levels that it sums. `used`: the
# levels with counts, the smallest first. A sum is looked for among the roots (what is not yet part
# of a total), then among the leaves (what is no total).
believed_sums <- function(x, v, a, used, needed) {
  few <- length(needed) <= max_levels_searched
  needed <- needed[used]
  spare <- level_bits(x, v)[used] - needed
  looked_at <- spare >= 0 & (few | needed == 0)
  if (!any(looked_at)) {
    return(list())
  }
  columns <- t(a[used, colSums(a) > 0, drop = FALSE])
  is_root <- is_leaf <- logical(length(used))
  roots <- leaves <- numeric(nrow(columns))
  out <- list()
  purse <- 0
  for (k in seq_along(used)) {
    purse <- purse + max_work / length(used)
    some <- NULL
    kinds <- list(is_root, if (!identical(is_root, is_leaf)) is_leaf)
    for (kind in if (looked_at[k]) kinds[lengths(kinds) > 0]) {
      # a level with the name of a total may spend all
      most <- purse / if (needed[k] < evidence_of_others) 1 else 4
      whole <- if (identical(kind, is_root)) roots else leaves
      tried <- believed_sum(columns, k, which(kind), whole, spare[k], length(x$dimnames[[v]]), most)
      purse <- purse - tried$work
      enough <- length(tried$some) >= if (needed[k] == 0) 1 else 2
      if (enough && is_sum(x, v, used[k], used[tried$some])) {
        some <- tried$some
        break
      }
    }
    parts <- some[is_root[some]]
    roots <- roots - rowSums(columns[, parts, drop = FALSE]) + columns[, k]
    is_root[parts] <- FALSE
    is_root[k] <- TRUE
    if (is.null(some)) {
      is_leaf[k] <- TRUE
      leaves <- leaves + columns[, k]
    } else {
      out <- c(out, list(list(level = used[k], at = sort(used[some]))))
    }
  }
  out
}

# `some`: levels of `among`, whose sum is `whole`, with the sum of level `k`, if the choice takes no
# more than `spare` bits: those of one level of `n` for the sum of all, else those of a subset.
believed_sum <- function(columns, k, among, whole, spare, n, most) {
  sum <- columns[, k]
  none <- list(some = NULL, work = 0)
  if (length(among) == 0 || any(whole < sum)) {
    return(none)
  }
  if (all(whole == sum)) {
    if (log2(n) <= spare) none$some <- among
    return(none)
  }
  if (most <= 0) {
    return(none)
  }
  fit <- levels_that_fit(columns, among, whole, sum, most)
  if (length(fit$at) == 0 || length(fit$at) > spare) {
    return(list(some = NULL, work = fit$work))
  }
  found <- some_that_add_up(columns, fit$at, sum, most - fit$work)
  list(some = found$some, work = found$work + fit$work)
}

# The levels that exceed `sum` nowhere; none where that takes more work than `most`. The few columns
# where it is the smallest part of `whole` leave out most of the others.
levels_that_fit <- function(columns, among, whole, sum, most) {
  work <- 0
  for (i in utils::head(order(sum / whole), 8)) {
    work <- work + length(among)
    among <- among[columns[i, among] <= sum[i]]
  }
  if (work + length(among) * length(sum) > most) {
    return(list(at = integer(), work = work))
  }
  list(at = those_below(columns, among, sum), work = work + length(among) * length(sum))
}

those_below <- function(columns, open, left) {
  open[colSums(columns[, open, drop = FALSE] > left) == 0]
}

# `some`: the candidates (columns) whose sum is `sum`, or NULL where there are none, or where they
# are not found in 1000 steps with `most` numbers compared; `work`: the numbers compared.
some_that_add_up <- function(columns, candidates, sum, most = Inf) {
  steps <- work <- 0
  search <- function(inside, open, left) {
    steps <<- steps + 1
    repeat {
      work <<- work + max(least_work, length(open) * length(left))
      if (steps > 1000 || work > most) {
        return(NULL)
      }
      open <- those_below(columns, open, left)
      spare <- rowSums(columns[, open, drop = FALSE]) - left
      if (any(spare < 0)) {
        return(NULL)
      }
      if (all(spare == 0)) {
        return(c(inside, open))
      }
      must <- colSums(columns[, open, drop = FALSE] > spare) > 0
      if (!any(must)) break
      inside <- c(inside, open[must])
      left <- left - rowSums(columns[, open[must], drop = FALSE])
      open <- open[!must]
      if (any(left < 0)) {
        return(NULL)
      }
    }
    found <- search(c(inside, open[1]), open[-1], left - columns[, open[1]])
    if (is.null(found)) search(inside, open[-1], left) else found
  }
  some <- if (length(candidates) > 0) sort(search(integer(), candidates, sum))
  list(some = some, work = work)
}

# The evidence of the counts of each level, if it were a sum.
level_bits <- function(x, v) {
  bits <- log2(4 * pi * x$counts / common_divisor(x$counts)) / 2
  code <- cpp_unpack_levels(dim(x), x$keys, x$counts, v)
  # a factor without the texts that factor() makes and matches
  levels(code) <- as.character(seq_along(x$dimnames[[v]]))
  class(code) <- "factor"
  vapply(split(bits, code), sum, 0, USE.NAMES = FALSE)
}

# Bits that a level without the name of a total needs.
evidence_of_others <- 10

is_sum <- function(x, v, level, some) {
  one <- level_cells(x, v, level)
  several <- level_cells(x, v, some)
  identical(one$keys, several$keys) && identical(one$counts, several$counts)
}

# The cells of one level, or of several together, as a table of the other variables.
level_cells <- function(x, v, levels) {
  map <- integer(length(x$dimnames[[v]]))
  map[levels] <- 1L
  maps <- vector("list", length(x$dimnames))
  maps[[v]] <- map
  dimnames <- x$dimnames
  dimnames[[v]] <- "these"
  project_table(x, seq_along(dimnames), maps, dimnames)
}

# Values in thousands say no more than their thousandth.
common_divisor <- function(counts) {
  out <- counts[1]
  for (count in utils::head(unique(counts), 1000)) {
    while (count > 0) {
      rest <- out %% count
      out <- count
      count <- rest
    }
    if (out == 1) break
  }
  out
}
