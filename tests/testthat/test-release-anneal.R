random_table <- function(seed) {
  set.seed(seed)
  levels <- sample(2:3, sample(2:4, 1), TRUE)
  n <- prod(levels)
  counts <- stats::rpois(n, stats::runif(1, 1, 12)) * stats::rbinom(n, 1, stats::runif(1, .4, 1))
  counts[sample(n, 1)] <- sample(3, 1)
  sdc_table(array(counts, levels, stats::setNames(lapply(levels, seq_len),
                                                  LETTERS[seq_along(levels)])))
}

# The exact width, by integer programmes.
width_by_ip <- function(x, sets, at_risk) {
  cells <- which(as.vector(as.table(x)) %in% at_risk)
  b <- as.data.frame(bounds_margins(margins(x, sets), cells = cells, method = "ip",
                                    dimnames = dimnames(x)))
  min(b$upper - b$lower)
}

frontier_names <- function(re) strsplit(re$frontier, ":", fixed = TRUE)
parts_of <- function(re) re[c("frontier", "value", "width", "upper_bound", "optimal", "seed")]

test_that("published: best decomposable releases of the Czech table, each with certificate", {
  reference <- read.csv(test_path("fixtures", "czech_best_decomposable.csv"))
  for (i in which(reference$beta_min_width > 0)) {
    re <- release_anneal(czech_workers, risk_width(reference$beta_min_width[i]), seed = i)
    expect_equal(re$n_sub_tables + 1, reference$max_subtables_incl_empty[i])
    expect_true(re$optimal)
    expect_equal(re$upper_bound, re$n_sub_tables)
    expect_gte(re$width[["inner"]], reference$beta_min_width[i])
  }
  expect_equal(re$width[["inner"]], re$width[["outer"]])
  expect_equal(re$bound_class, "decomposable releases")
})

test_that("published: best decomposable releases of a real table, each with certificate", {
  skip_on_cran()
  reference <- jsonlite::read_json(test_path("fixtures", "cps13_best_decomposable.json"))
  for (beta in 3:5) {
    re <- release_anneal(cps13, risk_width(beta, at_risk = 1:3), seed = beta, progress = FALSE)
    expect_equal(re$n_sub_tables, reference$best_decomposable[[as.character(beta)]])
    expect_equal(re$n_admissible, reference$admissible_subtables[[as.character(beta)]])
    expect_true(re$optimal)
    expect_gte(re$width[["inner"]], beta)
  }
})

test_that("oracle: the width of the result is that of integer programmes, and safe", {
  n <- 0
  for (seed in seq_len(rounds(30, 60))) {
    x <- random_table(seed)
    beta <- 1 + seed %% 4
    re <- tryCatch(
      release_anneal(x, risk_width(beta, at_risk = 1:3), seed = seed, proposals = 500, chains = 1),
      sdc_error_infeasible = function(e) NULL
    )
    if (is.null(re)) next
    n <- n + 1
    exact <- width_by_ip(x, frontier_names(re), 1:3)
    expect_gte(exact, beta)
    expect_equal(re$width, c(inner = exact, outer = exact))
    expect_gte(re$upper_bound, re$value)
  }
  expect_gt(n, rounds(15, 30))
})

test_that("oracle: no better decomposable release, by trying all of the exact method", {
  for (seed in 1:12) {
    x <- random_table(100 + seed)
    risk <- risk_width(2, at_risk = 1:2)
    utility <- list(utility_tables(), utility_cells(), utility_df())[[1 + seed %% 3]]
    of <- function(f, ...) {
      tryCatch(f(x, risk, utility = utility, ...)$value, sdc_error = function(e) -1)
    }
    expect_equal(of(release_anneal, seed = 1, proposals = 5000),
                 of(release_exact, among = "decomposable"))
  }
})

test_that("property: values, other utilities, and the empty table", {
  risk <- risk_width(12)
  values <- c("A:B" = 3, "C:D:E" = 1.5, "F" = 2)
  for (utility in list(utility_cells(), utility_df(), utility_values(values))) {
    re <- release_anneal(czech_workers, risk, utility, seed = 1)
    expect_equal(re$value, utility(re, utility))
    expect_lte(re$value, re$upper_bound * (1 + 1e-12))
  }
  expect_equal(re$value, 6.5)
  with_empty <- release_anneal(czech_workers, risk, utility_tables(empty = TRUE), seed = 1)
  expect_equal(with_empty$value, 32)
  expect_equal(with_empty$upper_bound, 32)
})

test_that("property: the same seed gives the same release, whatever R's generator does", {
  risk <- risk_width(45)
  a <- release_anneal(czech_workers, risk, seed = 5)
  set.seed(99)
  before <- .Random.seed
  b <- release_anneal(czech_workers, risk, seed = 5)
  expect_identical(.Random.seed, before)
  expect_identical(parts_of(a), parts_of(b))
  set.seed(1)
  drawn <- release_anneal(czech_workers, risk)
  set.seed(1)
  expect_identical(parts_of(release_anneal(czech_workers, risk)), parts_of(drawn))
  expect_identical(parts_of(release_anneal(czech_workers, risk, seed = drawn$seed)),
                   parts_of(drawn))
})

test_that("property: what is forced is there, what is forbidden is not", {
  risk <- risk_width(6)
  re <- release_anneal(czech_workers, risk, seed = 1, forced = "A:C:D", forbidden = "B:E")
  inside <- function(set) any(vapply(frontier_names(re), function(f) all(set %in% f), NA))
  expect_true(inside(c("A", "C", "D")))
  expect_false(inside(c("B", "E")))
  expect_equal(re$n_sub_tables, 39)
  expect_true(re$optimal)
  expect_equal(re$forced, "A:C:D")
  expect_equal(re$forbidden, "B:E")
  # a ring of forced pairs gets a chord
  ring <- release_anneal(czech_workers, risk_width(50), seed = 1, chains = 1, proposals = 2000,
                         forced = list(c("A", "B"), ~ B + C, "C:D", c("A", "D")))
  for (pair in list(c("A", "B"), c("B", "C"), c("C", "D"), c("A", "D"))) {
    re <- ring
    expect_true(inside(pair))
  }
  expect_gte(width_by_ip(sdc_table(czech_workers), frontier_names(ring), 1:2), 50)
})

test_that("property: a search can go on from a release", {
  risk <- risk_width(12)
  first <- release_anneal(czech_workers, risk, seed = 1, proposals = 5, chains = 1)
  again <- release_anneal(czech_workers, risk, seed = 1, start = first)
  expect_equal(again$log$value[1], first$value)
  expect_equal(again$value, 31)
  listed <- release_anneal(czech_workers, risk, seed = 1, start = list("A:B", ~ B + C), chains = 1,
                           proposals = 1, max_admissible = 0)
  expect_equal(listed$log$value[1], 8)
  best <- release_anneal(czech_workers, risk, seed = 2, start = again)
  expect_equal(best$chains$proposals, 0)
  expect_true(best$optimal)
})

test_that("property: without a list of admissible sub-tables the bound is that of a cover", {
  re <- release_anneal(czech_workers, risk_width(12), seed = 1, max_admissible = 10,
                       proposals = 3000, chains = 2)
  # the frontier of a small table is found in full, so that nothing is lost
  expect_equal(re$upper_bound, release_anneal(czech_workers, risk_width(12), seed = 1)$upper_bound)
  expect_true(is.na(re$n_admissible) && re$optimal)
  expect_equal(re$value, 31)
  shares <- release_anneal(czech_workers, risk_width(12), seed = 1, max_admissible = 10,
                           utility = utility_values(c("A:B" = .5, "B:C" = .25)), proposals = 300)
  expect_gte(shares$upper_bound, shares$value)
  listed <- release_anneal(czech_workers, risk_width(12), seed = 1, max_admissible = 63,
                           proposals = 1, chains = 1)
  expect_equal(listed$n_admissible, 56 - 1)  # the empty one is not listed
})

test_that("property: many variables", {
  set.seed(1)
  z <- stats::rnorm(2000)
  records <- as.data.frame(lapply(1:40, function(v) {
    factor(findInterval(v %% 3 * z + stats::rnorm(2000), c(-1, 0, 2)), 0:3)
  }), col.names = paste0("v", 1:40))
  x <- sdc_table(records)
  re <- release_anneal(x, risk_width(3, at_risk = 1:3), seed = 1, chains = 1, proposals = 5000)
  expect_gt(re$n_sub_tables, 60)
  expect_gte(re$width[["inner"]], 3)
  expect_true(re$upper_bound >= re$value)
  frontier <- lapply(frontier_names(re), function(set) min(margin(x, set)$counts))
  expect_true(all(unlist(frontier) >= 1))
})

test_that("property: an interrupt ends the search with the best so far and a warning", {
  task <- list(problem = release_problem(czech_workers, risk_width(12)), max_bytes = 1e6,
               most = 100, forced = list(), forbidden = list(), start = as.list(1:6), seed = 1,
               chains = 3, proposals = 1e5, end = Sys.time() + 60, temperature = c(20, 5))
  # A value that is never reached, so that the chain goes on.
  values <- utility_values(c("A:B" = 3, "B:C" = 1, "D:E" = 2.5, "A:B:C" = .3))
  task$parts <- additive_utility(values, task$problem)
  calls <- 0
  tick <- function(done) {
    calls <<- calls + 1
    if (calls > 20) rlang::interrupt()
  }
  found <- run_chains(task, tick)
  expect_length(found$chains, 1)
  expect_true(found$chains[[1]]$interrupted)
  expect_equal(found$chains[[1]]$proposals, 20 * 256 + 255)
  expect_gt(found$chains[[1]]$value, 3)
  expect_true(was_cut(found$chains))
  expect_warning(warn_interrupted(found$chains), class = "sdc_warning_stopped")
})

test_that("property: no time still gives a safe release", {
  re <- release_anneal(cps13, risk_width(3, at_risk = 1:3), seed = 1, time_limit_s = 0)
  expect_true(re$stopped && !re$optimal)
  expect_gte(re$width[["inner"]], 3)
  expect_gte(re$n_sub_tables, 13)
})

test_that("snapshot: what people see", {
  re <- release_anneal(czech_workers, risk_width(6), seed = 1)
  expect_snapshot(re)
  expect_named(re$log, c("chain", "proposal", "value", "time_s"))
  expect_named(re$chains, c("chain", "value", "proposals", "judged", "accepted", "time_s"))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(re, "log"), "ggplot")
})

test_that("snapshot: errors say what to do", {
  risk <- risk_width(6)
  expect_snapshot(error = TRUE, {
    release_anneal(risk = risk)
    release_anneal(czech_workers)
    release_anneal(czech_workers, risk_n(3))
    release_anneal(czech_workers, risk_width(1000))
    release_anneal(czech_workers, risk, utility_accuracy())
    release_anneal(czech_workers, risk, chains = 0)
    release_anneal(czech_workers, risk, proposals = 1.5)
    release_anneal(czech_workers, risk, temperature = c(1, 2))
    release_anneal(czech_workers, risk, temperature = 1)
    release_anneal(czech_workers, risk, seed = 1.5)
    release_anneal(czech_workers, risk, time_limit_s = NA)
    release_anneal(czech_workers, risk, forced = "A:X")
    release_anneal(czech_workers, risk, forced = "A:C:D:E:F")
    release_anneal(czech_workers, risk, forced = c("A:B:C:E:F", "A:B:C:D:F", "B:C:D:E:F"))
    release_anneal(czech_workers, risk, forced = "A:B:C", forbidden = "A:B")
    release_anneal(czech_workers, risk, forbidden = "A")
    release_anneal(czech_workers, risk, start = c("A:B", "B:C", "A:C"))
    release_anneal(czech_workers, risk, start = "A:C:D:E:F")
    release_anneal(czech_workers, risk, start = "A:B", forbidden = "A:B")
    release_anneal(czech_workers, risk, start = "A:B", forced = "A:C")
    release_anneal(czech_workers, risk, plan = 3)
  })
})

test_that("oracle: admissible sub-tables by dimension are those of the list, or bounded", {
  x <- margin(cps13, names(dimnames(cps13))[1:8])
  risk <- risk_width(3, at_risk = 1:2)
  listed <- release_anneal(x, risk, seed = 1, chains = 1, proposals = 100)$admissible
  counted <- release_anneal(x, risk, seed = 1, chains = 1, proposals = 100, max_admissible = 0)
  expect_identical(counted$admissible, listed)
  expect_true(is.na(counted$n_admissible))
  expect_identical(listed$least, listed$most)
  expect_identical(listed$total, choose(8, 1:8))
  # nothing is at risk above the least count: all sub-tables may be released, too many to count
  wide <- sdc_table(as.data.frame(matrix(rep(1:2, each = 4, times = 40), 8)))
  found <- release_anneal(wide, risk_width(1, at_risk = 1:9), seed = 1, chains = 1, proposals = 10,
                          max_admissible = 1000)
  expect_gte(sum(found$admissible$most), 2^40 - 1)
  expect_true(all(found$admissible$most <= choose(40, 1:40)))
  expect_match(format(found), "in any release at all", all = FALSE)
})

# The most that a decomposable release by level can be worth, over all sets of choices of levels
# with all one-way tables; widths come from all tables.
best_decomposable_by_listing <- function(case, steps, beta) {
  choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))[-1, , drop = FALSE]
  n <- nrow(choices)
  as_steps <- function(choice) {
    which(unlist(Map(function(level, finest) seq_len(finest) <= level, choice, case$finest)))
  }
  needed <- vapply(seq_len(n), function(i) any(vapply(case$one_way, function(s) {
    all(choices[i, ] <= s)
  }, NA)), NA)
  all <- families_of_choices(choices, needed)
  best <- 0
  for (i in seq_len(nrow(all$families))) {
    family <- all$families[i, ]
    if (sum(family) <= best) next
    frontier <- which(family & rowSums(all$inside[, family, drop = FALSE]) == 1)
    sets <- lapply(frontier, function(j) as_steps(choices[j, ]))
    if (!all(study_release(length(steps$variable), sets)$kinds == "margin")) next
    width <- case$width(lapply(frontier, function(j) as.vector(choices[j, ])))
    if (width >= beta) best <- sum(family)
  }
  best
}

test_that("oracle: by level the best decomposable release is found, and its bound holds", {
  set.seed(17)
  proved <- 0
  for (case in c(level_cases(), level_cases(2))) {
    x <- level_table(table_with_ladders(case$counts, case$ladders))
    for (beta in 2:3) {
      re <- release_anneal(x, risk_width(beta), seed = 1, proposals = 3000, chains = 2)
      best <- best_decomposable_by_listing(case, table_steps(x), beta)
      expect_equal(re$value, best)
      expect_gte(re$upper_bound, best)
      expect_true(verify_release(re)$verified)
      exact <- release_exact(x, risk_width(beta), "decomposable", progress = FALSE)
      expect_equal(exact[c("value", "upper_bound", "optimal")],
                   list(value = best, upper_bound = best, optimal = TRUE))
      expect_true(verify_release(exact)$verified)
      expect_equal(re$admissible$total, all_sets(re$problem)[-1])
      cells <- release_anneal(x, risk_width(beta), utility_cells(), seed = 1, proposals = 3000)
      expect_equal(cells$value, utility(cells, utility_cells()))
      expect_gte(cells$upper_bound, utility(re, utility_cells()))
      again <- release_anneal(x, risk_width(beta), seed = 2, start = re, proposals = 100)
      expect_gte(again$value, re$value)
      proved <- proved + re$optimal
    }
  }
  expect_gt(proved, 0)
})

test_that("property: forced and forbidden sub-tables may name levels", {
  upper <- c("1st" = "upper", "2nd" = "lower", "3rd" = "lower", "Crew" = "lower")
  x <- level_table(sdc_table(Titanic, hierarchies = list(Class = upper)))
  found <- function(...) {
    re <- release_anneal(x, risk_width(8, at_risk = 1:5), seed = 1, proposals = 500, ...)
    expect_true(verify_release(re)$verified)
    as.data.frame(re)$sub_table
  }
  expect_true("Class@level 1:Sex" %in% found())
  expect_false(any(c("Class@level 1:Sex", "Class:Sex") %in% found(forbidden = "Class@level 1:Sex")))
  expect_true("Class@level 1:Survived" %in% found(forced = "Class@level 1:Survived"))
  expect_error(found(forbidden = "Class@level 1"), class = "sdc_error_input")
})

test_that("property: with one level for each variable annealing goes the same way as without", {
  for (utility in list(utility_tables(), utility_cells())) {
    plain <- release_anneal(czech_workers, risk_width(6), utility, seed = 3, proposals = 2000,
                            forced = "A:C:D", forbidden = "B:E")
    steps <- release_anneal(in_single_steps(czech_workers), risk_width(6), utility, seed = 3,
                            proposals = 2000, forced = "A:C:D", forbidden = "B:E")
    same <- c("sets", "frontier", "width", "value", "upper_bound", "optimal", "temperature",
              "n_admissible", "admissible", "forced", "forbidden")
    expect_identical(plain[same], steps[same])
    expect_identical(plain$log[c("chain", "proposal", "value")],
                     steps$log[c("chain", "proposal", "value")])
  }
})
