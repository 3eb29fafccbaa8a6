# Posteriors of triads, of sets that skip zeros, of data cycles and merged sets, and of several
# publications. Single bands, chains and user sets are in test-posterior.R.

extra_cases <- function(kind) {
  cases <- read_fixture("posterior_extra.json", simplifyVector = FALSE)$cases
  Filter(function(case) case$kind == kind, cases)
}

triad_publication <- function(case) {
  published <- plain_table(unlist(case$published), unlist(case$dim))
  set <- cycles_banded(published, groups = list(1:3), rings = seq_len(ncol(published)), open = case$open)
  me <- mechanism(set, fraction(case$alpha), fraction(case$beta), zero_rule = case$zero_rule)
  publication(published, me)
}

test_that("published: triads, closed and open, under both rules", {
  for (case in extra_cases("triad")) {
    pub <- triad_publication(case)
    expect_equal(bare_moves(pub$mechanism$cycles), reference_moves(case))
    for (method in c("auto", "enumeration")) {
      po <- posterior(pub, method = method)
      expect_equal(po$log_evidence, log(fraction(case$evidence)))
      expect_identical(as.character(count_originals(po)), as.character(case$n_originals))
      laws <- laws_of(po)
      for (i in seq_along(laws)) {
        expect_law(
          laws[[i]], vapply(case$posterior[[i]], function(v) v$value, 0),
          fraction(vapply(case$posterior[[i]], function(v) v$fraction, ""))
        )
      }
    }
  }
})

test_that("published: sweeps that skip zeros", {
  for (case in extra_cases("zero-skipping sweep")) {
    published <- plain_table(matrix(unlist(case$published), case$rows, byrow = TRUE))
    set <- cycles_banded(
      published, group = 1 + length(case$sweeps), groups = list(unlist(case$sweeps[[1]])),
      rings = seq_len(case$n), skip_zeros = TRUE
    )
    po <- posterior(publication(published,
                                mechanism(set, fraction(case$alpha), fraction(case$beta))))
    evidence <- fraction(case$evidence)
    expect_equal(po$log_evidence, log(evidence))
    expect_identical(as.character(count_originals(po)), as.character(case$n_originals))
    likelihood <- vapply(case$originals, function(o) fraction(o[[2]]), 0)
    for (i in seq_along(likelihood)) {
      original <- plain_table(matrix(unlist(case$originals[[i]][[1]]), case$rows, byrow = TRUE))
      expect_equal(density(po, original), likelihood[[i]] / evidence)
    }
    expect_equal(most_probable(po)$probability, max(likelihood) / evidence)
  }
})

test_that("published: the set for 4 x 4 x 3, as a margin set and cycle by cycle", {
  frame <- utils::read.csv(test_path("fixtures", "C_cycles_4x4x3.csv"))
  moves <- lapply(split(frame, frame$cycle), function(entries) {
    move <- array(0L, c(4, 4, 3))
    move[as.matrix(entries[c("i", "j", "k")])] <- as.integer(entries$coef)
    move
  })
  withr::local_seed(10)
  published <- plain_table(stats::rpois(48, 3) + 3, c(4, 4, 3))
  one_by_one <- posterior(publication(published, mechanism(cycles(unname(moves), published))))
  # nothing is blocked: 3^4 - 2^4 originals
  expect_identical(as.character(count_originals(one_by_one)), "65")
  # two bands of four cycles, or four bands of three
  four <- posterior(publication(published, mechanism(cycles_margin(published, ring = 2))))
  expect_identical(as.character(count_originals(four)), as.character(65^2))
  three <- posterior(publication(published, mechanism(cycles_margin(published))))
  expect_identical(as.character(count_originals(three)), as.character((3^3 - 2^3)^4))
  for (po in list(one_by_one, four, three)) {
    for (v in list(1:2, 2:3, c(1, 3))) {
      expect_equal(unname(apply(mean(po), v, sum)), unname(apply(published, v, sum)))
    }
  }
})

test_that("oracle: triads with pairs that are swept twice", {
  withr::local_seed(11)
  shapes <- list(c(5, 2), c(7, 2), c(4, 3), c(5, 3), c(3, 4))
  for (round in seq_len(rounds(6, 20))) {
    dim <- shapes[[1 + round %% 5]]
    x <- plain_table(stats::rpois(prod(dim), 2), dim)
    open <- prod(dim) > 12 || round %% 2 == 0
    set <- cycles_banded(x, seed = round, open = open)
    me <- mechanism(
      set, stats::runif(1, .05, .5), stats::runif(1, .05, .5),
      zero_rule = c("blocked", "nonnegative")[1 + (round %/% 5) %% 2]
    )
    pub <- drawn_publication(x, me)
    po <- posterior(pub)
    slow <- slow_posterior(list(pub))
    expect_like_slow(po, slow)
    expect_identical(as.character(count_originals(po)), as.character(length(slow$p)))
    expect_equal(most_probable(po)$probability, max(slow$p))
  }
})

test_that("oracle: two covers, and probabilities of their own for each cycle", {
  withr::local_seed(12)
  for (round in 1:8) {
    x <- plain_table(stats::rpois(12, 2), c(4, 3))
    set <- cycles_banded(x, group = 2 + round %% 2, seed = round, open = TRUE)
    alpha <- stats::runif(length(set), 0, .5)
    alpha[[1]] <- 0
    me <- mechanism(set, alpha, .5 - alpha / 2, covers = 2 - round %% 2,
                    zero_rule = c("blocked", "nonnegative")[1 + (round %/% 2) %% 2])
    pub <- drawn_publication(x, me)
    expect_like_slow(posterior(pub), slow_posterior(list(pub)))
  }
})

test_that("oracle: sets that skip zeros", {
  withr::local_seed(13)
  shapes <- list(c(2, 5), c(4, 3), c(3, 3), c(5, 2), c(3, 4))
  for (round in seq_len(rounds(6, 15))) {
    dim <- shapes[[1 + round %% 5]]
    x <- plain_table(stats::rpois(prod(dim), .9), dim)
    group <- if (dim[[1]] %% 2) 3 else 2 + (round %/% 5) %% 2
    set <- cycles_banded(x, group = group, seed = round, skip_zeros = TRUE)
    me <- mechanism(set, stats::runif(1, .05, .5), stats::runif(1, .05, .5),
                    covers = 1 + (set$parameters$group == 2 && round %% 2 == 0))
    pub <- drawn_publication(x, me)
    slow <- slow_posterior(list(pub))
    po <- posterior(pub)
    expect_like_slow(po, slow)
    expect_identical(as.character(count_originals(po)), as.character(length(slow$p)))
    expect_equal(most_probable(po)$probability, max(slow$p))
    cells <- sample.int(prod(dim), 3)
    expect_equal(law_of_sum(po, cells = cells),
                 c(slow_law(slow, colSums(slow$tables[cells, , drop = FALSE]))))
  }
})

test_that("oracle: two publications of one table, by the same and by different sets", {
  withr::local_seed(14)
  for (round in seq_len(rounds(8, 16))) {
    x <- plain_table(stats::rpois(9, 2) + stats::rpois(9, 1), c(3, 3))
    if (round %% 2) x <- plain_table(stats::rpois(8, 2), c(4, 2))
    set <- function(k) {
      switch(1 + (round + k) %% 3,
        cycles_bidiagonal(x, walk = "chain"), cycles_banded(x, group = 2, seed = round + k),
        cycles_banded(x, seed = round + k, open = TRUE)
      )
    }
    rule <- function(k) c("blocked", "nonnegative")[1 + (round %/% 4 + k) %% 2]
    same <- round %% 3 == 0
    first <- drawn_publication(x, mechanism(set(0), .2, .3, zero_rule = rule(0)))
    second <- drawn_publication(x, if (same) first$mechanism else mechanism(set(1), .4, .1,
                                                                            zero_rule = rule(1)))
    slow <- slow_posterior(list(first, second))
    po <- posterior(list(first, second))
    expect_like_slow(po, slow)
    expect_identical(as.character(count_originals(po)), as.character(length(slow$p)))
    expect_equal(most_probable(po)$probability, max(slow$p))
    for (draw in simulate(po, 3, seed = 1)) {
      at <- match(keys_of(matrix(dense_counts(draw))), keys_of(slow$tables))
      expect_equal(density(po, draw), slow$p[[at]])
    }
    # the order of the publications says nothing
    expect_equal(laws_of(posterior(list(second, first))), laws_of(po))
  }
})

test_that("oracle: three publications sharpen, and a list of one is that one", {
  withr::local_seed(15)
  x <- plain_table(stats::rpois(9, 3), c(3, 3))
  me <- mechanism(cycles_bidiagonal(x))
  pubs <- replicate(3, drawn_publication(x, me), simplify = FALSE)
  expect_like_slow(posterior(pubs), slow_posterior(pubs))
  expect_identical(posterior(pubs[1]), posterior(pubs[[1]]))
  expect_identical(posterior(list(a = pubs[[1]], b = pubs[[2]])), posterior(pubs[1:2]))
})

test_that("property: publications that no one original can have led to are refused", {
  x <- plain_table(matrix(5, 3, 3))
  me <- mechanism(cycles_bidiagonal(x))
  other_margins <- x
  other_margins[1] <- 6
  far <- x + 5 * bare_moves(me$cycles)[[1]]
  off_lattice <- x
  off_lattice[1:2, 1:2] <- off_lattice[1:2, 1:2] + c(1, -1, -1, 1)
  for (other in list(other_margins, far, off_lattice)) {
    expect_error(
      posterior(list(publication(x, me), publication(other, me))), class = "sdc_error_infeasible"
    )
  }
})

# A small table with some zeros that has data cycles.
data_publication <- function(round, dim, mean = 1.2, covers = 1) {
  repeat {
    x <- plain_table(stats::rpois(prod(dim), mean), dim)
    set <- tryCatch(cycles_data(x, chances = 2, seed = round), sdc_error = function(cnd) NULL)
    if (!is.null(set)) break
  }
  drawn_publication(x, mechanism(set, .3, .2, covers = covers))
}

test_that("oracle: data cycles, with and without what their zero pattern tells", {
  withr::local_seed(16)
  for (round in seq_len(rounds(4, 12))) {
    pub <- data_publication(round, list(c(3, 3), c(3, 4), c(4, 4))[[1 + round %% 3]])
    told <- data_cycle_knowledge(pub$mechanism$cycles)
    published <- dense_counts(pub$table)
    knows <- function(tables) {
      as.numeric(colSums(tables[told$at_least_one, , drop = FALSE] < 1) == 0 &
                   colSums(tables[told$fixed, , drop = FALSE] != published[told$fixed]) == 0)
    }
    expect_like_slow(posterior(pub), slow_posterior(list(pub), knows))
    expect_like_slow(posterior(pub, zero_pattern = FALSE), slow_posterior(list(pub)))
    without <- posterior(pub, prior_at_least(1, told$at_least_one), zero_pattern = FALSE)
    expect_equal(laws_of(without), laws_of(posterior(pub)))
  }
})

test_that("property: data cycles and a banded set of one table are read together", {
  withr::local_seed(17)
  one <- data_publication(3, c(3, 3))
  told <- data_cycle_knowledge(one$mechanism$cycles)
  repeat {
    # some original that agrees with the set
    x <- plain_table(dense_counts(simulate(posterior(one))[[1]]), c(3, 3))
    two <- drawn_publication(x, mechanism(cycles_banded(x, seed = 1, open = TRUE)))
    one <- drawn_publication(x, one$mechanism)
    break
  }
  published <- dense_counts(one$table)
  knows <- function(tables) {
    as.numeric(colSums(tables[told$at_least_one, , drop = FALSE] < 1) == 0 &
                 colSums(tables[told$fixed, , drop = FALSE] != published[told$fixed]) == 0)
  }
  slow <- slow_posterior(list(one, two), knows)
  expect_like_slow(posterior(list(one, two)), slow)
  expect_like_slow(posterior(list(two, one)), slow)
})

test_that("property: runs that are lost prove nothing, and few that carry the answer are warned of",
          {
  withr::local_seed(2)
  x <- plain_table(matrix(stats::rpois(400, 1), 20))
  set <- cycles_data(x, seed = 1)
  pub <- publish(perturb(x, mechanism(set), seed = 3, insist = TRUE), insist = TRUE)
  expect_error(
    posterior(pub, method = "montecarlo", draws = 1000, seed = 1),
    "may still exist", class = "sdc_error_infeasible"
  )
  x <- plain_table(matrix(stats::rpois(3600, 1), 60))
  set <- cycles_data(x, seed = 1)
  pub <- publish(perturb(x, mechanism(set), seed = 3, insist = TRUE), insist = TRUE)
  expect_warning(
    po <- posterior(pub, method = "montecarlo", draws = 200, seed = 1, zero_pattern = FALSE),
    class = "sdc_warning_uneven"
  )
  expect_gt(po$evidence_error, .3)
})

test_that("property: a table of zeros is simulated, too", {
  x <- plain_table(matrix(0, 3, 3))
  po <- posterior(publication(x, mechanism(cycles_bidiagonal(x))), method = "montecarlo",
                  draws = 100, seed = 1)
  expect_equal(unname(lengths(laws_of(po))), rep(1L, 9))
})

# A set on a table with plain labels.
of_shape <- function(set) {
  cycles(bare_moves(set), plain_table(numeric(prod(dim(set))), dim(set)))
}

test_that("property: four variables, merged into two ways: end to end", {
  withr::local_seed(18)
  x <- plain_table(stats::rpois(24, 3), c(2, 3, 2, 2))
  set <- cycles_margin(x, seed = 5)
  expect_identical(set$rule, "merged")
  pub <- drawn_publication(x, mechanism(set))
  po <- posterior(pub)
  # the ways keep all margins that leave out one of them
  for (kept in set$preserves) {
    expect_equal(apply(mean(po), kept, sum), apply(as.array(as.table(pub$table)), kept, sum))
  }
  path <- withr::local_tempfile()
  write_publication(pub, path)
  again <- posterior(read_publication(path))
  expect_identical(again[c("law", "laws", "log_evidence")], po[c("law", "laws", "log_evidence")])
  # the same table, flat: its rows and columns are the levels of the ways
  cells <- cpp_merged_cells(dim(x), set$parameters$ways)
  of <- merged_set(set)
  flat <- publication(plain_table(dense_counts(pub$table)[cells], dim(of)), mechanism(of_shape(of)))
  expect_equal(unname(laws_of(posterior(flat))), unname(laws_of(po))[cells])
})

test_that("property: what is read back from files has the same posterior", {
  withr::local_seed(19)
  x <- plain_table(stats::rpois(30, 2), c(5, 6))
  sets <- list(
    cycles_banded(x, seed = 1), cycles_banded(x, seed = 2, open = TRUE),
    cycles_banded(x, seed = 3, skip_zeros = TRUE), cycles_data(x, seed = 4, chances = 1),
    cycles_bidiagonal(x)
  )
  for (set in sets) {
    pub <- drawn_publication(x, mechanism(set))
    path <- withr::local_tempfile()
    write_publication(pub, path)
    for (method in if (isTRUE(set$parameters$skip_zeros)) "auto" else c("auto", "montecarlo")) {
      ask <- function(pub) posterior(pub, method = method, draws = 200, seed = 1)
      expect_identical(
        ask(read_publication(path))[c("law", "laws", "log_evidence")],
        ask(pub)[c("law", "laws", "log_evidence")]
      )
    }
  }
})

test_that("property: laws are laws for all sets and for tables with zeros, ones and ties", {
  withr::local_seed(20)
  for (round in seq_len(rounds(20, 60))) {
    dim <- sample(2:7, 2, replace = TRUE)
    counts <- switch(1 + round %% 5, stats::rpois(prod(dim), 1), rep(0, prod(dim)),
                     rep(1, prod(dim)),
                     rep(2, prod(dim)), stats::rpois(prod(dim), 50))
    x <- plain_table(counts, dim)
    set <- switch(1 + round %% 4,
      cycles_banded(x, group = 3, seed = round, open = dim[[2]] == 2 || round %% 8 < 4),
      cycles_banded(x, seed = round, skip_zeros = TRUE),
      cycles_banded(x, groups = NULL, group = 3 - (dim[[1]] %% 2 == 0), seed = round,
      skip_zeros = TRUE),
      cycles_margin(x, set = "margin")
    )
    fixed <- !isTRUE(set$parameters$skip_zeros)
    rule <- if (fixed) c("blocked", "nonnegative")[1 + (round %/% 4) %% 2] else "blocked"
    pub <- drawn_publication(x, mechanism(set, zero_rule = rule))
    po <- posterior(pub)
    expect_identical(posterior(pub), po)
    expect_equal(unname(vapply(laws_of(po), sum, 0)), rep(1, prod(dim)))
    expect_true(all(as.data.frame(po)$value >= 0))
    cells <- as.data.frame(summary(po))
    expect_true(all(cells$lower <= cells$mode & cells$mode <= cells$upper))
    rows <- slice.index(x, 1)
    known <- posterior_sum(po, cells = which(rows == 1))
    expect_equal(known, data.frame(value = sum(as.table(pub$table)[1, ]), probability = 1))
    if (rule == "nonnegative") expect_equal(po$log_evidence, 0)
  }
})

test_that("property: variables of one level make no difference", {
  withr::local_seed(21)
  x <- plain_table(stats::rpois(12, 2), c(3, 1, 4))
  pub <- drawn_publication(x, mechanism(cycles_margin(x, set = "margin")))
  flat <- plain_table(dense_counts(pub$table), c(3, 4))
  two <- publication(flat, mechanism(cycles_margin(flat, set = "margin")))
  expect_equal(unname(laws_of(posterior(pub))), unname(laws_of(posterior(two))))
})

test_that("property: a table without chances is known", {
  x <- plain_table(matrix(c(0, 1, 0, 0, 0, 2, 3, 0, 0), 3))
  po <- posterior(publication(x, mechanism(cycles_bidiagonal(x))))
  expect_equal(unname(lengths(laws_of(po))), rep(1L, 9))
  expect_equal(po$log_evidence, 0)
  expect_identical(as.character(count_originals(po)), "1")
})

test_that("property: publications that the mechanism cannot have made are said to be impossible", {
  x <- plain_table(matrix(c(1, 0, 0, 1), 2))
  sure <- function(rule) mechanism(cycles_bidiagonal(x), alpha = 1, beta = 0, zero_rule = rule)
  y <- plain_table(matrix(3, 2, 2))
  # two certain steps that undo each other: everything stays
  expect_equal(unname(lengths(laws_of(posterior(publication(y, sure("blocked")))))), rep(1L, 4))
  once <- list(matrix(c(1, -1, -1, 1), 2))
  me <- mechanism(cycles(once, x), alpha = 1, beta = 0, zero_rule = "nonnegative")
  z <- plain_table(matrix(c(0, 1, 1, 0), 2))
  # from (0, 1; 1, 0) the certain step leads away, and nothing leads there
  for (method in c("auto", "enumeration", "montecarlo")) {
    expect_error(posterior(publication(z, me), method = method), class = "sdc_error_infeasible")
  }
})

two_publications <- function() {
  x <- plain_table(matrix(c(4, 2, 3, 1, 5, 2, 6, 1, 3), 3))
  me <- mechanism(cycles_banded(x, seed = 3, open = TRUE))
  moved <- x + bare_moves(me$cycles)[[1]]
  list(publication(x, me), publication(moved, me))
}

test_that("snapshot: several publications and data cycles", {
  pubs <- two_publications()
  expect_snapshot({
    posterior(pubs)
    summary(posterior(pubs))
  })
})

test_that("snapshot: bad lists of publications and bad arguments are named", {
  pubs <- two_publications()
  renamed <- pubs[[2]]$table
  renamed <- as.table(renamed)
  dimnames(renamed)[[1]] <- c("x", "y", "z")
  renamed <- publication(renamed, mechanism(cycles_banded(renamed, seed = 3, open = TRUE)))
  skips <- publication(pubs[[1]]$table,
  mechanism(cycles_banded(pubs[[1]]$table, seed = 3, skip_zeros = TRUE)))
  large <- plain_table(matrix(3, 12, 12))
  closed <- lapply(1:2, function(k) publication(large, mechanism(cycles_banded(large, seed = k))))
  data <- publication(large, mechanism(cycles_data(large, seed = 1)))
  expect_snapshot(error = TRUE, {
    posterior(list())
    posterior(list(pubs[[1]], 3))
    posterior(list(pubs[[1]], NULL))
    posterior(list(pubs[[1]], renamed))
    posterior(pubs, zero_rule = "none")
    posterior(pubs[[1]], method = "montecarlo", draws = 5)
    posterior(pubs[[1]], method = "montecarlo", draws = 1e9)
    posterior(pubs[[1]], method = "montecarlo", draws = NA)
    posterior(pubs[[1]], method = "montecarlo", seed = "a")
    posterior(pubs[[1]], zero_pattern = NA)
    posterior(pubs[[1]], zero_pattern = c(TRUE, FALSE))
    posterior(skips, method = "montecarlo")
    posterior(skips, method = "enumeration")
    posterior(list(skips, pubs[[1]]))
    posterior(list(skips, skips), method = "enumeration")
    posterior(closed)
    posterior(list(closed[[1]], data))
    posterior(skips, zero_rule = "none")
  })
  expect_error(posterior(list()), class = "sdc_error_input")
  expect_error(posterior(skips, method = "montecarlo"), class = "sdc_error_too_large")
  expect_error(posterior(list(skips, pubs[[1]])), class = "sdc_error_too_large")
})
