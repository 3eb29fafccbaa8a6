# All results of a mechanism from many tables at once: `tables` has one table a column. Returns a
# list of the results for every sequence of coins (rows of `sides`), by the definition alone.
twin_run <- function(tables, me, sides) {
  moves <- vapply(bare_moves(me$cycles), as.vector, numeric(nrow(tables)))
  sequence <- rep_len(me$order, length(me$cycles) * me$covers)
  for (i in seq_along(sequence)) {
    move <- moves[, sequence[[i]]]
    after <- tables + outer(move, sides[i, ])
    stopped <- if (me$zero_rule == "blocked") {
      colSums(tables < abs(move)) > 0
    } else {
      colSums(after < 0) > 0
    }
    tables[, !stopped] <- after[, !stopped]
  }
  tables
}

# A number for each table, by which equal ones are found sooner than by their keys; NULL where these
# numbers would be too large.
codes_of <- function(tables) {
  place <- (max(tables) + 1)^(seq_len(nrow(tables)) - 1)
  if ((max(tables) + 1)^nrow(tables) < 2^53) colSums(tables * place)
}

keys_of <- function(tables) do.call(paste, lapply(seq_len(nrow(tables)), function(i) tables[i, ]))

# P(result | original) as a matrix: originals (columns of `tables`) by distinct results.
twin_likelihood <- function(tables, me) {
  coins <- all_coins(length(me$cycles) * me$covers)
  p <- coin_probability(coins, me$alpha, me$beta)
  sides <- t(coins)
  each <- lapply(seq_len(ncol(tables)), function(k) {
    out <- twin_run(matrix(tables[, k], nrow(tables), length(p)), me, sides)
    code <- codes_of(out) %||% keys_of(out)
    first <- !duplicated(code)
    stats::setNames(rowsum(p, code, reorder = FALSE)[, 1], keys_of(out[, first, drop = FALSE]))
  })
  names(each) <- keys_of(tables)
  each
}

# Everything that can have led to, or come from, the tables in the columns: all sums of moves.
twin_reachable <- function(counts, me) {
  coins <- unique(t(all_coins(length(me$cycles) * me$covers)), MARGIN = 2)
  moves <- vapply(bare_moves(me$cycles), as.vector, numeric(length(counts)))
  sequence <- rep_len(me$order, length(me$cycles) * me$covers)
  all <- unique(counts + moves[, sequence] %*% coins, MARGIN = 2)
  all[, colSums(all < 0) == 0, drop = FALSE]
}

# The expected figures of the intruder at `truth`, over all publications: slow and exact.
twin_intruder <- function(truth, me, targets, level, rows) {
  published <- twin_likelihood(matrix(truth), me)[[1]]
  tables <- lapply(strsplit(names(published), " "), as.numeric)
  candidates <- lapply(tables, twin_reachable, me = me)
  every <- unique(do.call(cbind, candidates), MARGIN = 2)
  likelihood <- twin_likelihood(every, me)
  # a row for each publication, a column for each table
  chances <- vapply(likelihood, function(l) as.vector(l[names(published)]),
                    numeric(length(published)))
  chances[is.na(chances)] <- 0
  out <- list(guess = 0, certain = 0, insider_cell = 0, insider_row = 0)
  for (j in seq_along(published)) {
    weight <- chances[j, ]
    seen <- twin_knowledge(truth, every, weight / sum(weight), targets, level, rows)
    out <- Map(function(a, b) a + published[[j]] * b, out, seen)
  }
  out
}

twin_knowledge <- function(truth, every, weight, targets, level, rows) {
  n <- length(truth)
  guess <- certain <- numeric(n)
  for (i in seq_len(n)) {
    law <- rowsum(weight, every[i, ])[, 1]
    best <- law > max(law) - 1e-9
    guess[[i]] <- if (isTRUE(best[as.character(truth[[i]])])) 1 / sum(best) else 0
    certain[[i]] <- as.numeric(max(law) > 1 - 1e-8)
  }
  p_given <- function(i, known) {
    agrees <- colSums(every[known, , drop = FALSE] != truth[known]) == 0
    sum(weight[agrees & every[i, ] == truth[[i]]]) / sum(weight[agrees])
  }
  by <- function(groups) {
    vapply(targets, function(i) {
      p <- vapply(groups, function(known) if (i %in% known) 0 else p_given(i, known), 0)
      as.numeric(max(p, p_given(i, integer())) >= level)
    }, 0)
  }
  spread <- function(v) replace(rep(NA_real_, n), targets, v)
  list(
    guess = guess, certain = certain, insider_cell = spread(by(as.list(seq_len(n)))),
    insider_row = spread(by(split(seq_len(n), rows)))
  )
}

# The figures of one published table, each by its definition.
twin_figures <- function(x, y, small) {
  d <- y - x
  share <- function(part, whole) if (sum(whole) > 0) sum(part & whole) / sum(whole) else NaN
  mean_of <- function(v) if (length(v)) mean(v) else NaN
  chi <- function(t) {
    p <- t / sum(t)
    e <- Reduce(outer, lapply(seq_along(dim(t)), function(v) apply(p, v, sum))) * sum(t)
    sum(ifelse(e > 0, (t - e)^2 / e, 0))
  }
  odds <- function(t) {
    unlist(lapply(utils::combn(length(dim(t)), 2, simplify = FALSE), function(ab) {
      flat <- aperm(log(t + .5), c(ab, setdiff(seq_along(dim(t)), ab)))
      flat <- array(flat, c(dim(flat)[1:2], length(flat) / prod(dim(flat)[1:2])))
      lapply(seq_len(dim(flat)[[3]]), function(k) {
        m <- flat[, , k]
        dim(m) <- dim(flat)[1:2]
        up <- m[-1, , drop = FALSE] - m[-nrow(m), , drop = FALSE]
        up[, -1, drop = FALSE] - up[, -ncol(up), drop = FALSE]
      })
    }))
  }
  c(
    unchanged = mean(d == 0), unchanged_small = share(d == 0, small),
    zero_true = share(x == 0, y == 0), positive_false = share(x == 0, y > 0),
    bias_zero = mean_of(d[x == 0]), bias_small = mean_of(d[small]),
    abs_change = mean(abs(d)), abs_change_small = mean_of(abs(d[small])),
    relative_change = mean_of((abs(d) / x)[x > 0]),
    chi_square = abs(chi(y) / chi(x) - 1), log_odds = mean_of(abs(odds(y) - odds(x))),
    hellinger = sqrt(max(0, 1 - sum(sqrt(x * y)) / sum(x)))
  )
}
