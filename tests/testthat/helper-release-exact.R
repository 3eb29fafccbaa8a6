# Widths by listing every table of the same total: `width(sets)` of the result is that of a release,
# sets of variable numbers. Slow and independent of everything in the package.
every_table <- function(x, at_risk = 1:2) {
  level <- arrayInd(seq_along(x), dim(x))
  code <- function(set) {
    as.vector((level[, set, drop = FALSE] - 1) %*% cumprod(c(1, dim(x)[set]))[seq_along(set)])
  }
  holds <- function(sets) all(which(dim(x) > 1) %in% unlist(sets))
  list(width = listed_width(x, code, one_way_tables(x), holds, at_risk))
}

# The width of a release, whose sub-tables `code()` gives: a number for each cell. Most releases
# hold the one-way tables `one_way`: only the few tables that agree with these are looked at then.
listed_width <- function(counts, code, one_way, holds_one_way, at_risk) {
  all <- listed_tables(all_compositions(sum(counts), length(counts)), as.vector(counts), code)
  few <- NULL
  cells <- which(as.vector(counts) %in% at_risk)
  function(sets) {
    from <- all
    if (holds_one_way(sets)) {
      if (is.null(few)) few <<- listed_tables(all(one_way), as.vector(counts), code)
      from <- few
    }
    min(apply(from(sets)[cells, , drop = FALSE], 1, function(v) max(v) - min(v)))
  }
}

# Of `tables`, a column for each, those that agree with sub-tables.
listed_tables <- function(tables, counts, code) {
  same <- list()
  agrees <- function(set) {
    key <- paste(set, collapse = " ")
    if (is.null(same[[key]])) {
      at <- code(set)
      same[[key]] <<- colSums(rowsum(tables, at) != as.vector(rowsum(counts, at))) == 0
    }
    same[[key]]
  }
  function(sets) tables[, Reduce(`&`, lapply(sets, agrees), rep(TRUE, ncol(tables))), drop = FALSE]
}

# What compositions() gives, and its parts, kept.
all_compositions <- local({
  known <- list()
  function(t, k) {
    key <- paste(t, k)
    if (is.null(known[[key]])) {
      known[[key]] <<- if (k == 1) matrix(t, 1, 1) else {
        do.call(cbind, lapply(0:t, function(first) {
          rbind(first, all_compositions(t - first, k - 1), deparse.level = 0)
        }))
      }
    }
    known[[key]]
  }
})

# A table with a cell at risk and zeros, few enough to list all of its total.
risky_table <- function(dim, total) {
  repeat {
    weight <- stats::rexp(prod(dim))^2
    x <- lettered_table(tabulate(sample(prod(dim), total, TRUE, weight), prod(dim)), dim)
    if (any(x %in% 1:2)) return(x)
  }
}

one_way_tables <- function(x) as.list(seq_along(dim(x)))
one_way_sets <- function(x) as.list(names(dimnames(x)))

# All sets of sub-tables of k variables that hold the sub-tables of their own, but the empty ones:
# 2, 5, 19, 167 of them for k = 1, ..., 4 with the empty release (Dedekind's numbers less 1).
all_releases <- function(k) {
  bits <- 2^(seq_len(k) - 1)
  size <- function(m) sum(bitwAnd(m, bits) > 0)
  masks <- seq_len(2^k - 1)
  masks <- masks[order(vapply(masks, size, 0))]
  grow <- function(i, held) {
    if (i > length(masks)) {
      return(list(held))
    }
    m <- masks[i]
    parts <- setdiff(bitwAnd(m, bitwNot(as.integer(bits))), m)
    without <- grow(i + 1, held)
    if (all(parts %in% c(0, held))) c(without, grow(i + 1, c(held, m))) else without
  }
  lapply(grow(1, integer()), function(held) {
    lapply(held, function(m) which(bitwAnd(m, bits) > 0))
  })
}

# Is a graph chordal? Vertices whose neighbours are all joined are taken away while there are any.
chordal_by_hand <- function(joined) {
  left <- seq_len(nrow(joined))
  repeat {
    simplicial <- Filter(function(v) {
      near <- setdiff(left[joined[v, left]], v)
      all(joined[near, near] | diag(length(near)) == 1)
    }, left)
    if (length(simplicial) == 0) {
      return(length(left) == 0)
    }
    left <- setdiff(left, simplicial[1])
  }
}

# Each search for a release, as a function of a table and a rule.
release_searches <- list(
  greedy = function(x, risk) release_greedy(x, risk),
  exact = function(x, risk) release_exact(x, risk),
  decomposable = function(x, risk) release_exact(x, risk, among = "decomposable"),
  anneal = function(x, risk) {
    release_anneal(x, risk, seed = 1, chains = 1, proposals = 500, progress = FALSE)
  },
  reducible = function(x, risk) {
    release_reducible(x, risk, seed = 1, effort = .2, progress = FALSE)
  }
)
