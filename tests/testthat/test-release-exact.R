best <- function(beta, ...) release_exact(czech_workers, risk_width(beta), ...)

test_that("published: the best releases of the Czech table at the tested thresholds", {
  expected <- c(
    "3" = 62, "6" = 60, "7" = 60, "9" = 60, "10" = 57, "11" = 54, "14" = 54, "15" = 53, "17" = 53,
    "18" = 53, "19" = 53, "20" = 53, "23" = 48, "30" = 45, "45" = 41, "100" = 28
  )
  for (beta in names(expected)) {
    re <- best(as.numeric(beta))
    expect_equal(re$n_sub_tables + 1, expected[[beta]])
    expect_true(re$optimal)
    expect_equal(re$upper_bound, re$value)
    expect_gte(re$width[["inner"]], as.numeric(beta))
  }
})

test_that("published: the best decomposable releases and how many there are, by both searches", {
  expected <- utils::read.csv(test_path("fixtures/czech_best_decomposable.csv"))
  expected <- expected[expected$beta_min_width > 0, ]
  for (i in seq_len(nrow(expected))) {
    beta <- expected$beta_min_width[i]
    re <- best(beta, among = "decomposable")
    expect_equal(re$n_sub_tables + 1, expected$max_subtables_incl_empty[i])
    expect_equal(re$n_optima, expected$number_of_optima[i])
    expect_true(re$optimal)
    p <- re$problem
    searched <- cpp_best_decomposable(p, additive_utility(utility_tables(), p), 60, FALSE, NULL)
    expect_true(searched$optimal)
    expect_equal(searched$upper, re$value)
  }
})

test_that("property: at all distinct thresholds no method beats the best", {
  skip_on_cran()
  thresholds <- unique(critical_widths(czech_workers)$width)
  thresholds <- thresholds[thresholds > 0]
  for (beta in thresholds[seq(1, length(thresholds), rounds(2, 1))]) {
    re <- best(beta)
    expect_true(re$optimal)
    expect_gte(re$width[["inner"]], beta)
    filled <- release_greedy(czech_workers, risk_width(beta), fill = "first_fit")
    expect_gte(re$n_sub_tables, filled$n_sub_tables)
    expect_gte(re$n_sub_tables, best(beta, among = "decomposable")$n_sub_tables)
  }
})

test_that("oracle: the best of all releases by listing releases and tables", {
  set.seed(83)
  releases <- lapply(1:4, all_releases)
  expect_equal(lengths(releases), c(2, 5, 19, 167))
  for (case in seq_len(rounds(20, 60))) {
    dim <- list(c(2, 2, 2), c(3, 2), c(2, 1, 3), c(2, 2, 2, 1), c(4))[[case %% 5 + 1]]
    x <- risky_table(dim, sample(4:8, 1))
    truth <- every_table(x)
    ways <- releases[[length(dim)]]
    widths <- vapply(ways, truth$width, 0)
    for (measure in list(utility_tables(), utility_cells())) {
      most <- truth$width(one_way_tables(x))
      if (most == 0) next
      beta <- sample(most, 1)
      re <- release_exact(x, risk_width(beta), utility = measure)
      cells <- function(set) if (measure$kind == "tables") 1 else prod(dim[set])
      worth <- vapply(ways, function(sets) sum(vapply(sets, cells, 0)), 0)
      expect_equal(re$value, max(worth[widths >= beta]))
      expect_equal(re$upper_bound, re$value)
      expect_true(re$optimal)
    }
  }
})

test_that("oracle: the best decomposable release by listing graphs", {
  set.seed(84)
  k <- 4
  pairs <- utils::combn(k, 2)
  graphs <- lapply(0:63, function(g) {
    joined <- matrix(FALSE, k, k)
    for (e in which(bitwAnd(g, 2^(0:5)) > 0)) joined[pairs[1, e], pairs[2, e]] <- TRUE
    joined | t(joined)
  })
  graphs <- Filter(chordal_by_hand, graphs)
  expect_length(graphs, 61)
  subsets <- lapply(1:15, function(m) which(bitwAnd(m, 2^(0:3)) > 0))
  held <- lapply(graphs, function(joined) {
    Filter(function(set) all(joined[set, set] | diag(length(set)) == 1), subsets)
  })
  for (case in 1:15) {
    x <- risky_table(c(2, 2, 2, 1), sample(5:8, 1))
    truth <- every_table(x)
    most <- truth$width(one_way_tables(x))
    if (most == 0) next
    beta <- sample(most, 1)
    widths <- vapply(held, truth$width, 0)
    sizes <- lengths(held)
    re <- release_exact(x, risk_width(beta), among = "decomposable")
    expect_equal(re$n_sub_tables, max(sizes[widths >= beta]))
    expect_equal(re$n_optima, sum(sizes[widths >= beta] == re$n_sub_tables))
  }
})

test_that("published: the best decomposable release of the 13-way table, proved", {
  skip_on_cran()
  re <- release_exact(cps13, risk_width(3, at_risk = 1:3), among = "decomposable")
  expect_equal(re$n_sub_tables, 271)
  expect_true(re$optimal)
  expect_equal(width(re)$inner, 3)
})

test_that("property: values of one's own decide, whole or not", {
  values <- c("A:B" = 10, "B:C" = .25, "A:B:C:D:E:F" = 1000)
  re <- best(6, utility = utility_values(values))
  expect_equal(re$value, 10.25)
  expect_true(re$optimal)
  third <- best(6, utility = utility_values(values / 3))
  expect_equal(third$value, 10.25 / 3)
  expect_equal(best(6, among = "decomposable", utility = utility_values(values))$value, 10.25)
  counted <- best(6, utility = utility_tables(empty = TRUE))
  expect_equal(c(counted$value, counted$upper_bound), c(60, 60))
})

test_that("property: rules that judge sub-tables alone: all safe ones", {
  set.seed(85)
  for (case in 1:10) {
    x <- sdc_table(lettered_table(rpois(24, 20), c(2, 3, 2, 2)))
    re <- tryCatch(release_exact(x, risk_n(12)), sdc_error_infeasible = function(cnd) NULL)
    if (is.null(re)) next
    subsets <- lapply(1:15, function(m) which(bitwAnd(m, 2^(0:3)) > 0))
    safe <- vapply(subsets, function(set) all(margin(x, names(dimnames(x))[set])$counts >= 12), NA)
    expect_equal(re$n_sub_tables, sum(safe))
    expect_true(re$optimal)
    expect_equal(re$upper_bound, re$value)
  }
  expect_error(release_exact(czech_workers, risk_n(5), among = "decomposable"),
               class = "sdc_error_input")
  records <- data.frame(A = rep(c("x", "y"), each = 8), B = rep(c("u", "v"), 8), v = 1:16)
  magnitudes <- magnitude_table(records, dimVar = c("A", "B"), numVar = "v")
  expect_equal(release_exact(magnitudes, risk_np(3, 60))$n_sub_tables, 3)
  expect_equal(release_exact(magnitudes, risk_np(5, 60))$n_sub_tables, 2)
})

test_that("property: time may end a search: the release is safe and the bound holds", {
  for (among in c("all", "decomposable")) {
    re <- best(20, among = among, time_limit_s = 0)
    expect_true(re$stopped)
    expect_false(re$optimal)
    expect_gte(re$upper_bound, best(20, among = among)$value)
    expect_gte(width(re)$inner, 20)
  }
})

test_that("property: what is too large is said, with what to use instead", {
  expect_error(release_exact(cps13, risk_width(3)), "release_reducible",
               class = "sdc_error_too_large")
  expect_error(best(6, max_cells = 63), "release_reducible", class = "sdc_error_too_large")
  expect_error(best(5000), class = "sdc_error_infeasible")
  expect_error(release_exact(czech_workers, risk_width(3, at_risk = 1e5)), "at risk",
               class = "sdc_error_input")
  expect_error(best(6, among = "trees"), class = "sdc_error_input")
  expect_error(best(6, utility = utility_accuracy()), class = "sdc_error_input")
  expect_error(best(6, utility = utility_values(c("A:Z" = 1))), class = "sdc_error_input")
  expect_error(release_exact(czech_workers), class = "sdc_error_input")
  expect_error(best(6, 1), class = "sdc_error_input")
})

test_that("snapshot: print says what is proved", {
  expect_snapshot(best(6, utility = utility_tables(empty = TRUE)))
  expect_snapshot(best(10, among = "decomposable"))
})

# The most that a release by level can be worth, over all sets of choices of levels that hold the
# coarser ones and the variables of several levels at their finest; widths come from all tables.
best_by_listing <- function(case, beta, worth) {
  choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))[-1, , drop = FALSE]
  n <- nrow(choices)
  shown <- do.call(rbind, case$one_way[case$finest > 1])
  needed <- vapply(seq_len(n), function(i) any(apply(shown, 1, function(s) {
    all(choices[i, ] <= s)
  })), NA)
  each <- worth(choices)
  all <- families_of_choices(choices, needed)
  best <- -1
  for (i in seq_len(nrow(all$families))) {
    family <- all$families[i, ]
    value <- sum(each[family])
    if (value <= best) next
    frontier <- which(family & rowSums(all$inside[, family, drop = FALSE]) == 1)
    width <- case$width(lapply(frontier, function(j) as.vector(choices[j, ])))
    if (width >= beta) best <- value
  }
  best
}

test_that("oracle: by level the best release is that of a list of all, for each measure", {
  set.seed(21)
  for (case in c(level_cases(), level_cases(c(1, 3)))) {
    table <- table_with_ladders(case$counts, case$ladders)
    x <- level_table(table)
    sizes <- lapply(names(dimnames(case$counts)), function(v) {
      c(1, vapply(case$ladders[[v]], max, 1), length(dimnames(case$counts)[[v]]))
    })
    cells <- function(choices) {
      apply(choices, 1, function(choice) prod(mapply(function(s, l) s[l + 1], sizes, choice)))
    }
    for (beta in 2:3) {
      re <- release_exact(x, risk_width(beta), progress = FALSE)
      expect_true(re$optimal)
      expect_equal(re$value, best_by_listing(case, beta, function(choices) rep(1, nrow(choices))))
      expect_true(verify_release(re)$verified)
      expect_gte(re$value, release_greedy(x, risk_width(beta))$value)
      by_cells <- release_exact(x, risk_width(beta), utility = utility_cells(), progress = FALSE)
      expect_equal(by_cells$value, best_by_listing(case, beta, cells))
    }
  }
})

test_that("property: with one level for each variable the best release is found as without", {
  for (utility in list(utility_tables(), utility_cells(), utility_df())) {
    plain <- release_exact(czech_workers, risk_width(15), utility = utility)
    steps <- release_exact(in_single_steps(czech_workers), risk_width(15), utility = utility)
    same <- c("sets", "frontier", "width", "value", "upper_bound", "optimal", "effort", "guarantee")
    expect_identical(plain[same], steps[same])
  }
  same <- c("sets", "width", "value", "upper_bound", "optimal", "n_optima", "effort", "guarantee")
  both <- function(...) {
    expect_identical(release_exact(czech_workers, ..., progress = FALSE)[same],
                     release_exact(in_single_steps(czech_workers), ..., progress = FALSE)[same])
  }
  both(risk_width(15), "decomposable")
  both(risk_n(3))
})

test_that("property: by level the search for a decomposable release meets the bound of annealing", {
  set.seed(5)
  people <- data.frame(a = sample(8, 900, TRUE), b = sample(6, 900, TRUE), c = sample(4, 900, TRUE),
                       d = sample(2, 900, TRUE), e = sample(3, 900, TRUE))
  people$c <- pmin(people$c, people$a)
  trees <- list(a = data.frame(half = rep(1:2, each = 4), pair = rep(11:14, each = 2), a = 1:8),
                b = data.frame(half = paste0("h", rep(1:2, each = 3)), b = 1:6))
  x <- level_table(sdc_table(people, hierarchies = trees))
  expect_length(table_steps(x)$variable, 8)
  risk <- risk_width(4, at_risk = 1:2)
  exact <- release_exact(x, risk, "decomposable", progress = FALSE)
  expect_match(exact$method, "branch and bound")
  expect_true(exact$optimal)
  expect_true(verify_release(exact)$verified)
  annealed <- release_anneal(x, risk, seed = 1, proposals = 2e4, chains = 2, progress = FALSE)
  expect_lte(annealed$value, exact$value)
  expect_lte(exact$value, annealed$upper_bound)
})

test_that("oracle: by level all sub-tables without small counts are found, as tables of the leaves", {
  set.seed(8)
  some <- 0
  for (case in level_cases()) {
    counts <- case$counts * 3 + 2 * (case$counts > 0)
    table <- table_with_ladders(counts, case$ladders)
    groups <- all_groups(counts, case$ladders)
    leaf <- arrayInd(seq_along(counts), dim(counts))
    choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))[-1, , drop = FALSE]
    least <- apply(choices, 1, function(choice) {
      code <- do.call(paste, lapply(seq_along(choice), function(v) {
        groups[[v]][[choice[v] + 1]][leaf[, v]]
      }))
      sums <- rowsum(as.vector(counts), code)
      min(sums[sums > 0])
    })
    labels <- apply(choices, 1, choice_label, names(dimnames(counts)), case$ladders)
    one_way <- vapply(case$one_way, choice_label, "", names(dimnames(counts)), case$ladders)
    for (n in c(5, 8, 11)) {
      found <- function() release_exact(level_table(table), risk_n(n))
      if (any(least[labels %in% one_way] < n)) {
        expect_error(found(), class = "sdc_error_infeasible")
      } else {
        re <- found()
        expect_true(re$optimal)
        expect_setequal(as.data.frame(re)$sub_table, labels[least >= n])
        expect_true(verify_release(re)$verified)
        some <- some + 1
      }
    }
  }
  expect_gt(some, 2)
})
