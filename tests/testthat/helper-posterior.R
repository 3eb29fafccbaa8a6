# "3/4" or "2" as a number.
fraction <- function(x) {
  parts <- strsplit(as.character(x), "/", fixed = TRUE)
  vapply(parts, function(p) as.numeric(p[1]) / if (length(p) == 2) as.numeric(p[2]) else 1, 0)
}

read_fixture <- function(name, ...) {
  jsonlite::fromJSON(test_path("fixtures", name), ...)
}

# A square (or other) table with plain labels.
plain_table <- function(counts, dim = NULL) {
  if (is.null(dim)) dim <- dim(counts)
  labels <- lapply(dim, function(n) as.character(seq_len(n)))
  names(labels) <- LETTERS[seq_along(dim)]
  as.table(array(counts, dim, labels))
}

# The posterior as a list with a named vector of probabilities for each cell.
laws_of <- function(po) {
  long <- as.data.frame(po)
  labels <- dimnames(po$publication$table)
  key <- do.call(paste, c(unname(long[names(labels)]), sep = ","))
  cells <- do.call(paste, c(unname(expand.grid(labels, stringsAsFactors = FALSE)), sep = ","))
  laws <- split(long[c("value", "probability")], factor(key, levels = cells))
  lapply(laws, function(law) stats::setNames(law$probability, law$value))
}

expect_law <- function(found, values, probabilities, tolerance = 1e-10) {
  expect_identical(names(found), as.character(values))
  expect_equal(unname(found), probabilities, tolerance = tolerance)
}

# The slow twin: every original in the box of tables within reach of the published one, each run
# forward through all coin sequences by the definition of the mechanism.
forward_likelihood <- function(original, published, moves, sequence, alpha, beta, rule) {
  tables <- list(original)
  weights <- 1
  for (cycle in sequence) {
    move <- moves[[cycle]]
    next_tables <- list()
    next_weights <- numeric()
    for (i in seq_along(tables)) {
      t <- tables[[i]]
      support <- move != 0
      open <- all(t[support] >= abs(move[support]))
      plus <- if (rule == "blocked") open else all(t + move >= 0)
      minus <- if (rule == "blocked") open else all(t - move >= 0)
      stay <- 1 - alpha * plus - beta * minus
      next_tables <- c(next_tables, list(t + move)[plus], list(t - move)[minus], list(t))
      next_weights <- c(next_weights, (weights[i] * alpha)[plus], (weights[i] * beta)[minus],
                        weights[i] * stay)
    }
    key <- vapply(next_tables, paste, "", collapse = " ")
    weights <- as.vector(tapply(next_weights, factor(key, unique(key)), sum))
    tables <- next_tables[!duplicated(key)]
  }
  sum(weights[vapply(tables, function(t) all(t == published), NA)])
}

# The cases of posterior_cases.json.
case_moves <- function(case) {
  lapply(case$cycles, function(cycle) {
    move <- array(0L, unlist(case$dim))
    for (entry in cycle) move[t(unlist(entry$cell))] <- entry$coef
    move
  })
}

case_prior <- function(case) {
  prior <- case$prior
  switch(prior$kind,
    uniform = prior_uniform(),
    poisson = prior_poisson(array(fraction(unlist(prior$lambda)), unlist(case$dim))),
    weights = prior_weights(do.call(rbind, lapply(prior$values, function(w) fraction(unlist(w)))))
  )
}

case_publication <- function(case) {
  published <- plain_table(unlist(case$published), unlist(case$dim))
  set <- cycles(case_moves(case), published)
  me <- mechanism(
    set, alpha = fraction(unlist(case$alpha)), beta = fraction(unlist(case$beta)),
    covers = case$covers, order = unlist(case$sequence), zero_rule = case$zero_rule
  )
  publication(published, me)
}

# ---- a slow twin for any mechanism ------------------------------------------------------------

# For each step of a mechanism, in order, a function that gives for tables (columns) the moves that
# the step makes there; NA in columns where it is prevented for that side.
twin_steps <- function(me) {
  if (isTRUE(me$cycles$parameters$skip_zeros)) {
    return(twin_sweep_steps(me))
  }
  moves <- lapply(bare_moves(me$cycles), as.vector)
  alpha <- rep_len(me$alpha, length(moves))
  beta <- rep_len(me$beta, length(moves))
  lapply(steps_of(me), function(c) {
    list(alpha = alpha[[c]], beta = beta[[c]], rule = me$zero_rule,
         move = function(tables) matrix(moves[[c]], nrow(tables), ncol(tables)))
  })
}

# The rule of sets that skip zeros, table by table.
twin_sweep_steps <- function(me) {
  p <- me$cycles$parameters
  dim <- dim(me$cycles)
  steps <- list()
  add <- function(band, ring, i) {
    force(band)
    force(ring)
    force(i)
    move <- function(tables) {
      apply(tables, 2, function(t) {
        x <- matrix(t, dim[[1]])
        step <- array(0, dim)
        active <- which(x[band[[1]], ring] >= 1 & x[band[[2]], ring] >= 1)
        later <- active[active > i]
        if (!i %in% active || length(later) == 0) return(as.vector(step))
        step[band, ring[c(i, later[[1]])]] <- c(1, -1, -1, 1)
        as.vector(step)
      })
    }
    list(alpha = me$alpha, beta = me$beta, rule = "nonnegative", move = move)
  }
  for (g in seq_along(p$groups)) {
    lines <- p$groups[[g]]
    bands <- if (length(lines) == 3) list(lines[1:2], lines[2:3], lines[c(3, 1)]) else list(lines)
    if (p$group == 3 && length(lines) == 2) bands <- rep(bands, 2)
    for (band in bands) {
      for (i in seq_len(length(p$rings[[g]]) - 1)) steps <- c(steps,
                                                              list(add(band, p$rings[[g]], i)))
    }
  }
  rep(steps, me$covers)
}

# P(published | original) for all originals at once, from the last step to the first: the
# probability of ending at `published` from t before a step is alpha times that from t + move, and
# so on. `tables` (columns): where to look; NULL: everything that steps of fixed cycles can have
# left.
slow_likelihood <- function(published, me, tables = NULL) {
  grow <- is.null(tables)
  if (grow) tables <- matrix(as.vector(published))
  keys <- keys_of(tables)
  p <- as.numeric(keys == keys_of(matrix(as.vector(published))))
  for (step in rev(twin_steps(me))) {
    if (grow) {
      move <- step$move(tables)
      wider <- unique(cbind(tables, tables - move, tables + move), MARGIN = 2)
      wider <- wider[, colSums(wider < 0) == 0, drop = FALSE]
      p <- p[match(keys_of(wider), keys)]
      p[is.na(p)] <- 0
      tables <- wider
      keys <- keys_of(tables)
    }
    move <- step$move(tables)
    at <- function(after) {
      out <- p[match(keys_of(after), keys)]
      ifelse(is.na(out), 0, out)
    }
    open <- colSums(tables < abs(move)) == 0
    plus <- step$alpha * (if (step$rule == "blocked") open else colSums(tables + move < 0) == 0)
    minus <- step$beta * (if (step$rule == "blocked") open else colSums(tables - move < 0) == 0)
    p <- plus * at(tables + move) + minus * at(tables - move) + (1 - plus - minus) * p
    if (grow) {
      tables <- tables[, p > 0, drop = FALSE]
      keys <- keys[p > 0]
      p <- p[p > 0]
    }
  }
  list(tables = tables[, p > 0, drop = FALSE], p = p[p > 0])
}

# All tables with the margins of a two-way table.
all_tables <- function(counts) {
  rows <- rowSums(counts)
  fill <- function(left, columns) {
    if (length(columns) == 1) return(if (sum(left) == columns) matrix(left) else NULL)
    firsts <- as.matrix(expand.grid(lapply(left, function(r) 0:r)))
    firsts <- firsts[rowSums(firsts) == columns[[1]], , drop = FALSE]
    do.call(cbind, lapply(seq_len(nrow(firsts)), function(k) {
      rest <- fill(left - firsts[k, ], columns[-1])
      if (!is.null(rest)) rbind(matrix(firsts[k, ], length(left), ncol(rest)), rest)
    }))
  }
  fill(unname(rows), unname(colSums(counts)))
}

# The posterior over whole originals: several publications, prior weights by a function of the
# tables (columns).
slow_posterior <- function(publications, weight = function(tables) rep(1, ncol(tables))) {
  each <- lapply(publications, function(pub) {
    x <- as.array(as.table(pub$table))
    skips <- isTRUE(pub$mechanism$cycles$parameters$skip_zeros)
    slow_likelihood(x, pub$mechanism, if (skips) all_tables(x))
  })
  tables <- each[[1]]$tables
  keys <- keys_of(tables)
  joint <- each[[1]]$p
  for (more in each[-1]) {
    p <- more$p[match(keys, keys_of(more$tables))]
    joint <- joint * ifelse(is.na(p), 0, p)
  }
  joint <- joint * weight(tables)
  keep <- joint > 0
  list(tables = tables[, keep, drop = FALSE], p = joint[keep] / sum(joint),
       log_evidence = log(sum(joint)))
}

# Law of a function of the originals, with values as names.
slow_law <- function(slow, values) {
  law <- tapply(slow$p, values, sum)
  law[order(as.numeric(names(law)))]
}

# Everything that a posterior says, against the slow twin.
expect_like_slow <- function(po, slow) {
  expect_equal(po$log_evidence, slow$log_evidence, tolerance = 1e-9)
  laws <- laws_of(po)
  for (i in seq_along(laws)) {
    law <- slow_law(slow, slow$tables[i, ])
    expect_law(laws[[i]], names(law), as.vector(law))
  }
}

law_of_sum <- function(po, ...) {
  found <- posterior_sum(po, ...)
  stats::setNames(found$probability, found$value)
}

# A table perturbed by the mechanism, with coins from R's stream.
drawn_publication <- function(x, me) {
  bytes <- as.raw(sample.int(256, 8 * step_count(me), replace = TRUE) - 1)
  out <- cpp_perturb_counts(as.double(as.vector(x)), me, bytes)$counts
  publication(table_from_dense(out, dimnames(as_sdc_table(x))), me)
}

example_publication <- function(zero_rule = "blocked") {
  reference <- read_fixture("A_posterior_4x4.json", simplifyVector = FALSE)
  published <- matrix(unlist(reference$published), 4, byrow = TRUE)
  me <- mechanism(cycles_bidiagonal(plain_table(published)), zero_rule = zero_rule)
  publication(plain_table(published), me)
}

random_question <- function(round) {
  dim <- list(c(3, 3), c(4, 3), c(3, 4), c(2, 5))[[1 + round %% 4]]
  x <- plain_table(stats::rpois(prod(dim), 2), dim)
  set <- if (round %% 3 == 0) cycles_bidiagonal(x, walk = "chain") else cycles_banded(x, seed = round, open = TRUE)
  drawn_publication(x, mechanism(
    set, stats::runif(1, .05, .5), stats::runif(1, .05, .5),
    zero_rule = c("blocked", "nonnegative")[1 + (round %/% 4) %% 2]
  ))
}

question_publication <- function() {
  x <- plain_table(matrix(c(4, 2, 3, 1, 5, 2, 6, 0, 3, 2, 2, 1), 3))
  publication(x, mechanism(cycles_banded(x, seed = 3, open = TRUE)))
}
