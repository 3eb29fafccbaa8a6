tiny <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))

exact_laws <- function(counts, me, max_tables = 1e5) {
  as.data.frame(cpp_forward_laws(as.double(counts), me, max_tables, 1e8))
}

law_table <- function(laws) {
  with(laws[order(laws$cell, laws$change), ], paste(cell, change, sprintf("%.10f", probability)))
}

# ---- laws of the cells ------------------------------------------------------------------------

test_that("published: Lenz's theorem 4, as corrected, is the law of a cell far from zero", {
  reference <- read_fixture("E_S1_S2.json")
  x <- plain_table(matrix(100, 4, 4))
  for (pair in names(reference)) {
    p <- fraction(strsplit(pair, ",")[[1]])
    for (r in 1:2) {
      pairs <- cycles_banded(x, group = 2, groups = list(1:2, 3:4))
      for (set in list(cycles_bidiagonal(x), pairs)) {
        laws <- exact_laws(x, mechanism(set, p[[1]], p[[2]], covers = r))
        wanted <- reference[[pair]][[paste0("S", r)]]
        for (cell in c(1, 7, 16)) {
          law <- laws[laws$cell == cell, ]
          expect_identical(as.character(law$change), names(wanted))
          expect_equal(law$probability, fraction(unlist(wanted)))
        }
        expect_true(all(laws$kind == 1))
      }
    }
  }
})

test_that("oracle: forward laws agree with the enumeration of all coins", {
  set.seed(71)
  for (i in seq_len(rounds(5, 40))) {
    x <- random_table(sample(2:4, 1), sample(2:3, 1), sample(c(1, 4), 1))
    if (sum(x) == 0) next
    set <- if (i %% 2) cycles_bidiagonal(x) else cycles_banded(x, group = 2, seed = i)
    p <- runif(2) / 2
    me <- mechanism(set, p[[1]], p[[2]], zero_rule = sample(c("blocked", "nonnegative"), 1))
    if (length(set) * 2 <= 6) me$covers <- 2L
    if (length(set) * me$covers > 6) next
    laws <- exact_laws(x, me)
    all <- all_results(x, me)
    for (cell in seq_along(x)) {
      wanted <- tapply(all$probability, all$tables[cell, ] - x[[cell]], sum)
      law <- laws[laws$cell == cell & laws$probability > 1e-15, ]
      expect_identical(as.character(law$change), names(wanted)[wanted > 1e-15])
      expect_equal(law$probability, as.vector(wanted)[wanted > 1e-15])
    }
  }
})

test_that("oracle: moves of any size, with one probability for each cycle", {
  set.seed(72)
  for (i in seq_len(rounds(5, 12))) {
    x <- random_table(3, 3, 3)
    moves <- lapply(1:4, function(j) {
      move <- matrix(0, 3, 3)
      move[sample(3, 2), sample(3, 2)] <- sample(1:2, 1) * c(1, -1, -1, 1)
      move
    })
    alpha <- runif(4) / 2
    beta <- runif(4) / 2
    rule <- sample(c("blocked", "nonnegative"), 1)
    me <- mechanism(cycles(moves, x), alpha, beta, zero_rule = rule)
    coins <- all_coins(4)
    p <- apply(coins, 1, function(s) {
      prod(ifelse(s == 1, alpha, ifelse(s == -1, beta, 1 - alpha - beta)))
    })
    out <- twin_run(matrix(as.vector(x), 9, nrow(coins)), me, t(coins))
    wanted <- rowSums((out - as.vector(x)) * rep(p, each = 9))
    found <- cpp_forward_figures(as.double(x), me, 1e5, 1e8)
    expect_equal(found$change, wanted)
    expect_equal(found$size, as.vector(abs(out - as.vector(x)) %*% p))
    expect_equal(found$same, as.vector((out == as.vector(x)) %*% p))
  }
})

test_that("oracle: convolution agrees with enumeration where both hold", {
  x <- plain_table(matrix(c(9, 9, 9, 9, 9, 9, 1, 9, 9, 9, 9, 9), 2))
  me <- mechanism(cycles_banded(x, group = 2, groups = list(1:2), rings = 1:6), .3, .2)
  all <- exact_laws(x, me)
  some <- exact_laws(x, me, max_tables = 1)
  expect_true(all(all$kind == 2) && all(some$kind == 1))
  expect_identical(law_table(some), law_table(all[all$cell %in% some$cell, ]))
  expect_setequal(unique(some$cell), c(1:4, 11:12))
})

test_that("oracle: forward laws of triads and of steps that skip zeros", {
  set.seed(79)
  for (i in seq_len(rounds(5, 16))) {
    x <- random_table(sample(2:3, 1), 3, sample(1:2, 1))
    if (sum(x) == 0) next
    skip <- nrow(x) == 2 || i %% 2 == 0
    set <- cycles_banded(x, seed = i, open = TRUE, skip_zeros = skip)
    me <- mechanism(set, .3, .3)
    coins <- all_coins(step_count(me))
    p <- coin_probability(coins, .3, .3)
    out <- apply(coins, 1, function(s) run_forward(x, me, s))
    found <- cpp_forward_figures(as.double(x), me, 1e5, 1e8)
    expect_true(all(found$kind > 0))
    expect_equal(found$change, rep(0, length(x)))
    expect_equal(found$same, as.vector((out == as.vector(x)) %*% p))
    expect_equal(found$square, as.vector((out - as.vector(x))^2 %*% p))
  }
})

test_that("property: where zeros are skipped, one small cell makes the whole component wait", {
  x <- plain_table(matrix(c(9, 9, 9, 9, 9, 9, 1, 9, 9, 9, 9, 9), 2))
  set <- cycles_banded(x, group = 2, groups = list(1:2), rings = 1:6, skip_zeros = TRUE)
  expect_identical(nrow(exact_laws(x, mechanism(set), max_tables = 1)), 0L)
  laws <- exact_laws(x + 9, mechanism(set), max_tables = 1)
  expect_setequal(laws$cell, 1:12)
})

test_that("property: blocked with alpha = beta is exactly unbiased, nonnegative is not at zeros", {
  set.seed(73)
  for (i in seq_len(rounds(5, 10))) {
    x <- random_table(2, 4, 1.2)
    if (sum(x) == 0) next
    set <- cycles_banded(x, group = 2, seed = i)
    found <- cpp_forward_figures(as.double(x), mechanism(set, .3, .3, 2), 1e5, 1e8)
    expect_true(all(found$kind > 0))
    expect_equal(found$change, rep(0, 8))
    loose <- mechanism(set, .3, .3, 2, zero_rule = "nonnegative")
    found <- cpp_forward_figures(as.double(x), loose, 1e5, 1e8)
    expect_equal(sum(found$change), 0)
    expect_true(all(found$change[x == 0] >= -1e-12))
  }
})

test_that("property: cells on no cycle stay, also in an enumerated set", {
  move <- matrix(c(1, -1, 0, -1, 1, 0, 0, 0, 0), 3)
  x <- plain_table(matrix(1, 3, 3))
  ru <- risk_utility(x, mechanism(cycles(list(move), x)), replicates = 5)
  cells <- as.data.frame(ru)
  still <- as.vector(move) == 0
  expect_identical(cells$unchanged[still], rep(1, 5))
  expect_equal(cells$unchanged[!still], rep(.5, 4))
  expect_identical(cells$certain[still], rep(1, 5))
  expect_identical(cells$insider_row[still], rep(1, 5))
})

# ---- simulated publications -------------------------------------------------------------------

test_that("oracle: the figures of each simulated publication, by their definitions", {
  set.seed(74)
  shapes <- list(c(4, 5), c(3, 2, 4), c(2, 2, 2, 3), 6)
  for (shape in shapes) {
    x <- plain_table(rpois(prod(shape), 1.5) + c(1, rep(0, prod(shape) - 1)), shape)
    moves <- lapply(1:12, function(j) {
      move <- array(0, shape)
      move[sample(length(move), 2)] <- c(1, -1)
      move
    })
    me <- mechanism(cycles(moves, x, margins = list(character())), zero_rule = "nonnegative")
    small <- as.vector(x) %in% 1:2
    found <- cpp_simulate_publications(as.double(x), shape, small, me, 3, 4, 9, NULL)
    rownames(found$figures) <- simulated_figures
    change <- 0
    for (r in 1:4) {
      y <- x
      y[] <- cpp_simulate_publication(as.double(x), me, 9, r + 2)
      wanted <- if (length(shape) > 1) {
        twin_figures(x, y, array(small, shape))
      } else {
        c(abs_change = mean(abs(y - x)))
      }
      expect_equal(found$figures[names(wanted), r], wanted, tolerance = 1e-9)
      change <- change + as.vector(y - x)
    }
    expect_equal(found$change, change)
  }
})

test_that("oracle: simulation agrees with the exact laws", {
  me <- mechanism(cycles_banded(tiny, group = 2, seed = 11), .3, .1, covers = 2)
  law <- cpp_forward_figures(as.double(tiny), me, 1e5, 1e8)
  expect_true(all(law$kind == 2))
  n <- 20000
  run <- cpp_simulate_publications(as.double(tiny), c(4, 3), rep(TRUE, 12), me, 0, n, 1, NULL)
  expect_true(all(abs(run$same / n - law$same) < 5 * sqrt(.25 / n)))
  spread <- sqrt((law$square - law$change^2) / n)
  expect_true(all(abs(run$change / n - law$change) < 5 * spread))
  expect_true(all(abs(run$size / n - law$size) < 5 * sqrt(law$square / n)))
})

test_that("property: batches of a simulation add up to one run", {
  me <- mechanism(cycles_banded(tiny, group = 2, seed = 11))
  run <- function(first, n) {
    cpp_simulate_publications(as.double(tiny), c(4, 3), rep(TRUE, 12), me, first, n, 1, NULL)
  }
  expect_equal(add_runs(run(0, 3), run(3, 4)), run(0, 7)[names(add_runs(run(0, 1), run(1, 1)))])
  other <- cpp_simulate_publications(as.double(tiny), c(4, 3), rep(TRUE, 12), me, 0, 7, 2, NULL)
  expect_false(identical(other$change, run(0, 7)$change))
})

test_that("oracle: the share of prevented coins", {
  x <- plain_table(matrix(c(1, 1, 1, 1), 2))
  me <- mechanism(cycles(list(matrix(c(1, -1, -1, 1), 2)), x), covers = 2)
  ru <- risk_utility(x, me, replicates = rounds(1200, 5000), insider = FALSE, target = 1)
  overall <- as.data.frame(summary(ru))
  # the second of two coins that both ask is prevented: shares 0, 0 or 1/2 of those asked
  wanted <- (.25 * .5) / .75
  found <- overall[overall$figure == "prevented", ]
  expect_lt(abs(found$estimate - wanted), 5 * found$std_error)
})

# ---- the intruder -----------------------------------------------------------------------------

corner <- function(rows, columns, by = 1) {
  move <- matrix(0, 3, 3)
  move[rows, columns] <- by * c(1, -1, -1, 1)
  move
}

overlapping <- function(x, rule = "blocked") {
  moves <- list(corner(1:2, 1:2), corner(2:3, 2:3), corner(c(1, 3), c(1, 3)), corner(1:2, 2:3))
  mechanism(cycles(moves, x), .25, .2, zero_rule = rule)
}

test_that("oracle: intruder and insiders agree with full enumeration, over all publications", {
  replicates <- rounds(100, 400)
  for (rule in c("blocked", "nonnegative")) {
    x <- plain_table(matrix(c(1, 2, 0, 3, 1, 2, 2, 1, 4), 3))
    me <- overlapping(x, rule)
    small <- which(x %in% 1:2)
    wanted <- twin_intruder(as.vector(x), me, small, .8, rep(1:3, 3))
    ru <- risk_utility(x, me, level = .8, replicates = replicates, max_tables = 1e5)
    found <- as.data.frame(ru)
    for (name in names(wanted)) {
      error <- sqrt(pmax(wanted[[name]] * (1 - wanted[[name]]), .01) / replicates)
      off <- abs(found[[name]] - wanted[[name]]) / error
      slack <- if (name == "insider_cell") 8 else 5 # a share near the level may fall on either side
      expect_true(all(off[!is.na(off)] < slack), label = paste(rule, name))
      expect_identical(is.na(found[[name]]), is.na(wanted[[name]]))
    }
  }
})

test_that("oracle: where a component has few tables, all is exact", {
  x <- plain_table(matrix(c(1, 2, 0, 3, 1, 2, 2, 1, 4), 3))
  y <- plain_table(matrix(c(1, 2, 1, 3, 1, 2, 2, 1), 4))
  pairs <- cycles_banded(y, group = 2, groups = list(1:2, 3:4))
  cases <- list(
    list(x, overlapping(x)), list(x, overlapping(x, "nonnegative")),
    list(y, mechanism(pairs, .3, .2)),
    list(y, mechanism(pairs, .3, .3, zero_rule = "nonnegative"))
  )
  for (case in cases) {
    t <- case[[1]]
    ru <- risk_utility(t, case[[2]], level = .7)
    expect_true(ru$all_publications)
    small <- which(t %in% 1:2)
    row <- rep_len(seq_len(nrow(t)), length(t))
    wanted <- twin_intruder(as.vector(t), case[[2]], small, .7, row)
    expect_equal(as.data.frame(ru)[names(wanted)], as.data.frame(wanted))
    overall <- as.data.frame(summary(ru))
    judged <- overall$figure %in% intruder_shares
    expect_identical(overall$method[judged], rep("exact", 6))
    expect_identical(overall$std_error[judged], rep(0, 6))
    expect_equal(overall$estimate[overall$figure == "guess_small"], mean(wanted$guess[small]))
    expect_equal(overall$estimate[overall$figure == "insider_row"], mean(wanted$insider_row[small]))
  }
})

test_that("property: one component with many tables is enough to simulate", {
  # the first pair of rows is held by its zeros, the second is not
  x <- plain_table(rbind(c(0, 1, 0, 2, 0), c(1, 0, 3, 0, 1), rep(9, 5), rep(9, 5)))
  me <- mechanism(cycles_banded(x, group = 2, shuffle = FALSE), covers = 2)
  expect_null(cpp_component_tables(as.double(x), me, 10, 1e7))
  expect_false(risk_utility(x, me, replicates = 2, insider = FALSE)$all_publications)
})

test_that("property: all publications and simulated ones agree, for several components", {
  set.seed(78)
  x <- plain_table(matrix(rpois(24, 1.5), 6))
  set <- cycles_banded(x, group = 2, groups = list(1:2, 3:4, 5:6), seed = 1)
  me <- mechanism(set, zero_rule = "nonnegative")
  all <- as.data.frame(summary(risk_utility(x, me)))
  some <- as.data.frame(summary(risk_utility(x, me, replicates = 300)))
  at <- all$figure %in% intruder_shares
  expect_identical(all$method[at], rep("exact", 6))
  off <- abs(all$estimate[at] - some$estimate[at])
  expect_true(all(off <= 5 * some$std_error[at] + 1e-9))
})

test_that("oracle: what one publication tells, exactly", {
  x <- plain_table(matrix(c(1, 2, 0, 3, 1, 2, 2, 1, 4), 3))
  me <- overlapping(x)
  counts <- as.double(x)
  targets <- which(counts %in% 1:2)
  ask <- list(
    counts = counts, small = counts %in% 1:2, mechanism = me, factors = list(), level = .8,
    max_tables = 1e5, seed = 1
  )
  plan <- plan_insiders(ask)
  for (r in 0:5) {
    published <- cpp_simulate_publication(counts, me, 4, r)
    every <- twin_reachable(published, me)
    weight <- vapply(twin_likelihood(every, me), function(l) {
      p <- l[paste(published, collapse = " ")]
      if (is.na(p)) 0 else p
    }, 0)
    wanted <- twin_knowledge(counts, every, weight / sum(weight), targets, .8, rep(1:3, 3))
    found <- infer_design(ask, published)
    seen <- judge_guess(found, published - counts)
    expect_equal(seen$guess, wanted$guess)
    expect_equal(seen$certain, wanted$certain)
    given <- replace(rep(NA_real_, 9), targets, as.numeric(seen$p_true[targets] >= .8))
    first <- match(seq_len(ncol(found$laws)), abs(found$law))
    passes <- cell_passes(first, plan$component[first])
    expect_equal(given_by_passes(ask, plan, given, published, passes), wanted$insider_cell)
    expect_equal(given_by_row(ask, plan, given, published, found), wanted$insider_row)
  }
})

test_that("oracle: draws find the cells that exact passes find", {
  set.seed(75)
  x <- random_table(3, 3, 2) + 1
  bands <- list(1:2, 1:2, 2:3, 2:3, c(3, 1), c(3, 1))
  moves <- Map(corner, bands, rep(list(1:2, 2:3), 3))
  me <- mechanism(cycles(moves, x))
  ask <- list(
    counts = as.double(x), small = rep(TRUE, 9), mechanism = me, factors = list(), level = .6,
    max_tables = 1e5, seed = 1
  )
  plan <- plan_insiders(ask)
  apart <- 0
  for (r in 0:9) {
    published <- cpp_simulate_publication(ask$counts, me, 4, r)
    found <- infer_design(ask, published)
    given <- as.numeric(judge_guess(found, published - ask$counts)$p_true >= .6)
    first <- match(seq_len(ncol(found$laws)), abs(found$law))
    exact <- given_by_passes(ask, plan, given, published, cell_passes(first, plan$component[first]))
    if (all(given == 1)) next
    drawn <- given_by_draws(ask, plan, given, published, found, first, r)
    apart <- apart + sum(exact != drawn)
  }
  expect_lte(apart, 9) # of 90
})

test_that("property: a known partner gives away bands of two rows; designs compare as known", {
  set.seed(76)
  x <- plain_table(matrix(rpois(100, 3), 10))
  bands <- cycles_banded(x, group = 2, groups = unname(split(1:10, rep(1:5, each = 2))), seed = 1)
  pairs <- risk_utility(x, mechanism(bands, covers = 2), target = .05)
  square <- risk_utility(x, mechanism(cycles_bidiagonal(x), covers = 2), target = .05)
  of <- function(ru, name) ru$overall$estimate[ru$overall$figure == name]
  expect_gt(of(pairs, "insider_cell"), .9)
  expect_gt(of(pairs, "insider_row"), .9)
  expect_gt(of(square, "guess_small"), of(pairs, "guess_small") + .1)
  expect_gt(of(square, "prevented"), of(pairs, "prevented"))
  expect_lt(of(square, "abs_change"), of(pairs, "abs_change"))
  expect_identical(of(pairs, "positive_false"), 0)
})

test_that("property: nobody guesses what cannot be, and all know what stays", {
  x <- plain_table(matrix(c(0, 1, 2, 0, 1, 3, 2, 2, 1), 3))
  ru <- risk_utility(x, mechanism(cycles_bidiagonal(x)), replicates = 10)
  cells <- as.data.frame(ru)
  expect_identical(cells$unchanged, rep(1, 9))
  expect_identical(cells$variance, rep(0, 9))
  overall <- as.data.frame(summary(ru))
  expect_identical(overall$estimate[overall$figure == "prevented"], 1)
})

test_that("property: an intruder who knows a row is right there", {
  known <- prior_known(as.vector(as.table(tiny))[c(1, 5, 9)], cells = c(1, 5, 9))
  me <- mechanism(cycles_banded(tiny, group = 2, seed = 11), covers = 2)
  ru <- risk_utility(tiny, me, prior = known, replicates = 10)
  cells <- as.data.frame(ru)
  expect_identical(cells$guess[c(1, 5, 9)], rep(1, 3))
  expect_identical(cells$certain[c(1, 5, 9)], rep(1, 3))
})

test_that("property: rows are known together only where no component meets two of them", {
  set.seed(77)
  for (i in seq_len(rounds(6, 20))) {
    x <- random_table(sample(2:9, 1), sample(3:5, 1), 1)
    set <- if (i %% 2) cycles_banded(x, group = 2, seed = i) else cycles_bidiagonal(x)
    component <- cpp_cell_components(set)
    passes <- row_passes(component, dim(x))
    expect_setequal(unlist(passes), seq_along(x))
    row <- rep_len(seq_len(nrow(x)), length(x))
    for (known in passes) {
      rows <- tapply(row[known], component[known], function(r) length(unique(r)))
      expect_true(all(rows == 1))
      expect_true(all(table(row[known]) == ncol(x)))
    }
  }
})

test_that("property: cell passes take each law once, no two of one component together", {
  component <- c(1, 1, 2, 3, 3, 3)
  passes <- cell_passes(11:16, component)
  expect_setequal(unlist(passes), 11:16)
  expect_length(passes, 3)
  for (p in passes) expect_identical(anyDuplicated(component[p - 10]), 0L)
})

# ---- the whole --------------------------------------------------------------------------------

me <- mechanism(cycles_banded(tiny, group = 2, seed = 11), covers = 2)

test_that("property: one seed gives one answer and leaves the user's stream alone", {
  set.seed(5)
  before <- .Random.seed
  a <- risk_utility(tiny, me, replicates = 10)
  expect_identical(.Random.seed, before)
  b <- risk_utility(tiny, me, replicates = 10)
  expect_identical(a, b)
  expect_false(identical(a$overall, risk_utility(tiny, me, replicates = 10, seed = 2)$overall))
})

test_that("property: the target is reached, or the number of publications is the one asked for", {
  ru <- risk_utility(tiny, me, target = .03, insider = FALSE)
  shares <- ru$overall$figure %in% c(simulated_shares, intruder_shares)
  expect_lte(max(ru$overall$std_error[shares], na.rm = TRUE), .03)
  seven <- risk_utility(tiny, me, replicates = 7)
  expect_identical(seven$publications, c(cells = 7L, intruder = 7L))
  expect_true(all(is.na(as.data.frame(ru)$insider_cell)))
  hasty <- risk_utility(tiny, me, target = 1e-4, time_limit_s = 1e-9)
  expect_identical(hasty$publications[["intruder"]], 2L)
  expect_match(hasty$notes, "time limit")
})

test_that("property: tables, arrays and sdc_tables are judged alike", {
  expect_equal(
    risk_utility(as.table(tiny), me, replicates = 5)$overall,
    risk_utility(tiny, me, replicates = 5)$overall
  )
})

test_that("property: where the posterior is too large the rest is still given", {
  x <- plain_table(matrix(300, 3, 3))
  far <- mechanism(cycles(list(corner(1:2, 1:2, by = 100)), x), covers = 2)
  ru <- risk_utility(x, far, replicates = 5)
  expect_true(all(is.na(as.data.frame(ru)$guess)))
  expect_false(anyNA(as.data.frame(ru)$unchanged))
  expect_match(ru$notes, "intruder not judged")
  expect_identical(ru$publications, c(cells = 5L, intruder = 0L))
})

test_that("property: exact figures have no standard error, missing ones no method", {
  overall <- as.data.frame(summary(risk_utility(tiny, me, replicates = 5)))
  expect_true(all(overall$std_error[overall$method %in% "exact"] == 0))
  expect_true(all(is.na(overall$estimate) == is.na(overall$method)))
  expect_identical(overall$figure, names(figure_kinds))
})

test_that("property: the pictures are ggplots", {
  skip_if_not_installed("ggplot2")
  ru <- risk_utility(tiny, me, replicates = 5)
  expect_s3_class(ggplot2::autoplot(ru), "ggplot")
  expect_s3_class(ggplot2::autoplot(ru, what = "cells"), "ggplot")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(ru)))
})

test_that("snapshot: print and summary", {
  expect_snapshot({
    risk_utility(tiny, me, replicates = 40)
    summary(risk_utility(tiny, me, replicates = 40, insider = FALSE))
    head(as.data.frame(risk_utility(tiny, me, replicates = 40)), 2)
  })
})

test_that("snapshot: errors", {
  expect_snapshot(error = TRUE, {
    risk_utility()
    risk_utility("table")
    risk_utility(tiny)
    risk_utility(tiny, "mechanism")
    risk_utility(matrix(-1, 4, 3), me)
    risk_utility(matrix(.5, 4, 3), me)
    risk_utility(matrix(NA_real_, 4, 3), me)
    risk_utility(matrix(0, 4, 3), me)
    risk_utility(matrix(1, 3, 3), me)
    risk_utility(tiny, mechanism(me$cycles, zero_rule = "roehrig"))
    risk_utility(tiny, me, prior = "uniform")
    risk_utility(tiny, me, prior = prior_known(9, cells = 1))
    risk_utility(tiny, me, prior = prior_at_least(1:2))
    risk_utility(tiny, me, small = -1)
    risk_utility(tiny, me, small = 1.5)
    risk_utility(tiny, me, small = NA_real_)
    risk_utility(tiny, me, small = integer())
    risk_utility(tiny, me, small = "1")
    risk_utility(tiny, me, target = 0)
    risk_utility(tiny, me, replicates = 1)
    risk_utility(tiny, me, insider = NA)
    risk_utility(tiny, me, level = 2)
    risk_utility(tiny, me, seed = -1)
    risk_utility(tiny, me, max_tables = 0)
    risk_utility(tiny, me, time_limit_s = 0)
    risk_utility(tiny, me, progress = "no")
    risk_utility(tiny, me, whatever = 1)
    as.data.frame(risk_utility(tiny, me, replicates = 2), cells = 1)
  })
})
