# A random small table with cells at risk; NULL when the rule leaves nothing to release.
random_case <- function(i) {
  set.seed(1000 + i)
  k <- 2 + i %% 4
  dims <- sample(2:3, k, replace = TRUE, prob = c(if (k < 4) 1 else 3, 1))
  mean <- c(.7, 2, 6)[1 + i %% 3]
  counts <- rpois(prod(dims), mean) * rbinom(prod(dims), 1, c(1, .6)[1 + i %% 2])
  if (!any(counts %in% 1:2)) counts[1] <- 1
  labels <- lapply(dims, function(d) as.character(seq_len(d)))
  names(labels) <- LETTERS[seq_along(dims)]
  x <- sdc_table(as.table(array(counts, dims, dimnames = labels)))
  list(x = x, counts = counts, dims = dims, beta = c(1, 2, 3)[1 + i %% 3])
}

reduced <- function(case, ...) {
  tryCatch(
    release_reducible(case$x, risk_width(case$beta), seed = 1, effort = .01, progress = FALSE,
                      time_limit_s = 1, ...),
    sdc_error_infeasible = function(cnd) NULL
  )
}

test_that("property: what is said to be safe on small tables is, by enumeration", {
  checked <- tried <- 0
  for (i in seq_len(rounds(12, 120))) {
    case <- random_case(i)
    release <- reduced(case, root_size = c(2, 3, 5)[1 + i %% 3])
    if (is.null(release)) next
    tried <- tried + 1
    expect_true(verify_release(release)$verified)
    fibre <- fibre_ranges(case$counts, case$dims, release$sets, limit = 2000)
    if (is.null(fibre)) next
    checked <- checked + 1
    at <- case$counts %in% 1:2
    exact <- min((fibre$high - fibre$low)[at])
    expect_gte(exact, case$beta)
    expect_lte(release$width[["inner"]], exact)
    expect_gte(release$width[["outer"]], exact)
  }
  expect_gt(tried, rounds(8, 30))
  expect_gt(checked, rounds(3, 10))
})

test_that("property: where enumeration is too long, whole-number bounds agree", {
  checked <- 0
  for (i in seq(162, 182, 4)) {
    case <- random_case(i)
    release <- reduced(case)
    if (is.null(release)) next
    exact <- bounds_margins(margins(release), which(case$counts %in% 1:2), method = "ip",
                            time_limit_s = 2)
    if (!all(exact$sharp)) next
    checked <- checked + 1
    expect_gte(min(exact$upper - exact$lower), case$beta)
  }
  expect_gt(checked, 0)
})

test_that("published: on the Czech table it comes near the optimum over all releases", {
  # 61, 59, 44 without the empty table are optimal (exact search)
  for (case in list(c(3, 60), c(6, 57), c(30, 42))) {
    release <- release_reducible(czech_workers, risk_width(case[1]), seed = 1, effort = .2,
                                 progress = FALSE)
    expect_gte(release$n_sub_tables, case[2])
    expect_true(verify_release(release)$verified)
    exact <- bounds_margins(margins(release), which(as.vector(as.table(czech_workers)) %in% 1:2),
                            method = "ip")
    expect_gte(min(exact$upper - exact$lower), case[1])
  }
})

test_that("property: trees of components release more than the best clique trees, with proof", {
  skip_on_cran()
  release <- release_reducible(cps13, risk_width(3, at_risk = 1:3), root_size = 8, seed = 1,
                               effort = .1, time_limit_s = 20, progress = FALSE)
  expect_gte(release$n_sub_tables, 510)
  expect_gte(release$width[["inner"]], 3)
  expect_gte(release$upper_bound, release$n_sub_tables)
  expect_true(verify_release(release)$verified)
  # separators belong to both neighbours, and to the release
  released <- release$components$separator[-1]
  for (label in released) {
    set <- match(strsplit(label, ":")[[1]], release$problem$variables)
    expect_true(any(vapply(release$sets, function(s) all(set %in% s), NA)))
  }
})

test_that("property: the same seed gives the same release", {
  one <- release_reducible(czech_workers, risk_width(10), seed = 7, effort = .2, time_limit_s = 600,
                           progress = FALSE)
  two <- release_reducible(czech_workers, risk_width(10), seed = 7, effort = .2, time_limit_s = 600,
                           progress = FALSE)
  expect_identical(one$sets, two$sets)
  expect_identical(unclass(one$certificates), unclass(two$certificates))
  set.seed(4)
  drawn <- release_reducible(czech_workers, risk_width(10), effort = .2, progress = FALSE)$seed
  expect_true(drawn >= 0 && drawn == floor(drawn))
})

# One result for each limit, of a clock that moves when it is looked at.
course_to <- function(limit, problem, options) {
  options[c("clock_step", "time_limit_s", "give_up_s")] <- list(1e-3, limit, 1e9)
  find_certified(problem, options, 1, FALSE)
}

# Records of which some variables go together.
wide_records <- function(k, n, levels = 3) {
  group <- sample(levels, n, TRUE)
  frame <- as.data.frame(lapply(seq_len(k), function(v) {
    ifelse(stats::runif(n) < .6, group, sample(levels, n, TRUE))
  }))
  stats::setNames(frame, paste0("v", seq_len(k)))
}

expect_one_course <- function(x, beta, sizes, limits) {
  problem <- search_problem(x, risk_width(beta))
  options <- c(reducible_trees(problem, 1, sizes, 4e5),
               list(forced = list(), beta = beta, max_cells = 4e5, effort = .02, seed = 3,
                    left_out = list(), max_looks = Inf, threads = 1))
  found <- lapply(limits, course_to, problem, options)
  values <- vapply(found, function(f) below_sets(problem, f$sets), 1)
  expect_false(is.unsorted(values))
  expect_gt(max(values), min(values))
  course <- lapply(found, function(f) paste(f$log$step, f$log$size, f$log$value))
  whole <- course[[length(course)]]
  for (part in course) {
    # all but the steps that the limit has cut
    same <- utils::head(part, max(0, length(part) - 4))
    expect_identical(same, whole[seq_along(same)])
  }
  expect_false(found[[length(found)]]$stopped)
  expect_true(found[[1]]$stopped)
  found[[length(found)]]
}

test_that("property: a longer limit passes through the same course and is never worse", {
  expect_one_course(czech_workers, 12, NULL, c(0, .05, .1, .2, .4, .8, 2, 100))
  set.seed(6)
  grown <- expect_one_course(sdc_table(wide_records(10, 300)), 3, 3:5, c(0, .1, .3, 1, 3, 1000))
  expect_true("component grown" %in% grown$log$step)
})

test_that("property: threads change nothing, and more looks never give less", {
  set.seed(6)
  x <- sdc_table(wide_records(10, 300))
  reduce <- function(looks, threads) {
    release_reducible(x, risk_width(3), root_size = 3:5, seed = 3, effort = .02,
                      time_limit_s = Inf, max_looks = looks, threads = threads, progress = FALSE)
  }
  found <- lapply(c(0, 1e5, 1e6), reduce, threads = 1)
  values <- vapply(found, `[[`, 1, "n_sub_tables")
  expect_false(is.unsorted(values))
  expect_gt(values[3], values[1])
  expect_true(found[[1]]$stopped)
  for (threads in 2:3) {
    again <- reduce(1e6, threads)
    expect_identical(again$sets, found[[3]]$sets)
    expect_identical(unclass(again$certificates), unclass(found[[3]]$certificates))
    expect_identical(again$log[-1], found[[3]]$log[-1])
  }
})

test_that("property: tables of many variables have a safe release at once", {
  set.seed(5)
  re <- release_reducible(sdc_table(wide_records(16, 1500)), risk_width(3), seed = 1,
                          time_limit_s = 1, progress = FALSE)
  best_decomposable <- max(re$log$value[re$log$size == 0])
  expect_gt(best_decomposable, 16)
  expect_gt(re$n_sub_tables, best_decomposable)
  expect_true(re$stopped)
  expect_true(verify_release(re)$verified)
})

test_that("property: where nothing has certificates a decomposable release is returned", {
  x <- sdc_table(matrix(c(1, 2, 2, 4), 2))
  re <- release_reducible(x, risk_width(1), seed = 1, progress = FALSE)
  expect_true(verify_release(re)$verified)
})

test_that("property: roots can be given", {
  release <- release_reducible(czech_workers, risk_width(3),
                               roots = list(c("A", "B", "C"), ~ D + E), root_size = 3,
                               seed = 1, progress = FALSE)
  expect_true(release$components$variables[1] %in% c("A:B:C", "D:E"))
  expect_true(verify_release(release)$verified)
})

test_that("oracle: what is forced is released, and certified", {
  skip_on_cran()
  # all thirteen variables take twice as long
  x <- if (is_long()) cps13 else margin(cps13, names(dimnames(cps13))[3:13])
  free <- release_reducible(x, risk_width(3, at_risk = 1:3), root_size = 7, seed = 1,
                            effort = .1, time_limit_s = .5, progress = FALSE)
  variables <- free$problem$variables
  safe <- function(set) is_safe_alone(free$problem, set)
  set.seed(1)
  outside <- list()
  for (set in sample(utils::combn(length(variables), 3, simplify = FALSE))) {
    if (!is_inside(set, free$sets) && safe(set)) outside <- c(outside, list(set))
    if (length(outside) > 5) break
  }
  expect_gt(length(outside), 5)
  asked <- lapply(outside[1:3], function(set) variables[set])
  forced <- release_reducible(x, risk_width(3, at_risk = 1:3), root_size = 7, seed = 1,
                              effort = .1, time_limit_s = 2, progress = FALSE, forced = asked)
  expect_true(all(vapply(asked, function(set) is_inside(match(set, variables), forced$sets), NA)))
  expect_true(verify_release(forced)$verified)
  expect_gt(forced$n_sub_tables, rounds(190, 300))
  expect_setequal(forced$forced, vapply(asked, paste, "", collapse = ":"))
  risky <- Find(Negate(safe), utils::combn(length(variables), 4, simplify = FALSE))
  expect_error(release_reducible(x, risk_width(3, at_risk = 1:3), seed = 1, progress = FALSE,
                                 forced = list(variables[risky])), class = "sdc_error_infeasible")
})

test_that("property: forced sub-tables of small tables stay, whatever the trees", {
  set.seed(12)
  found <- 0
  for (i in seq_len(rounds(20, 40))) {
    levels <- sample(2:3, 5, TRUE)
    x <- as.table(array(stats::rpois(prod(levels), sample(c(1, 4), 1)), levels))
    dimnames(x) <- stats::setNames(lapply(levels, seq_len), LETTERS[1:5])
    forced <- lapply(sample(2:3, 2, TRUE), function(n) sample(LETTERS[1:5], n))
    re <- tryCatch(
      release_reducible(x, risk_width(2), root_size = sample(3:5, 1), seed = i, effort = .05,
                        progress = FALSE, forced = forced),
      sdc_error_infeasible = function(cnd) NULL, sdc_error_input = function(cnd) NULL
    )
    if (is.null(re)) next
    found <- found + 1
    expect_true(verify_release(re)$verified)
    expect_true(all(vapply(forced, function(set) is_inside(match(set, LETTERS), re$sets), NA)))
  }
  expect_gt(found, 5)
})

test_that("snapshot: errors", {
  x <- czech_workers
  expect_snapshot(error = TRUE, {
    release_reducible()
    release_reducible(x)
    release_reducible(x, risk_n(3))
    release_reducible(x, risk_width(3), 1, 8, 2)
    release_reducible(x, risk_width(3), roots = 0)
    release_reducible(x, risk_width(3), roots = NA)
    release_reducible(x, risk_width(3), roots = list())
    release_reducible(x, risk_width(3), roots = list("A:Z"))
    release_reducible(x, risk_width(3), roots = list("A:B:C:D"), max_cells = 8)
    release_reducible(x, risk_width(3), roots = list("A:B:C"), root_size = 2)
    release_reducible(x, risk_width(3), forced = "A:Z")
    release_reducible(x, risk_width(3), forced = "A:B:C:D:E:F")
    release_reducible(x, risk_width(3), root_size = 1)
    release_reducible(x, risk_width(3), root_size = c(8, NA))
    release_reducible(x, risk_width(3), effort = 0)
    release_reducible(x, risk_width(3), seed = .5)
    release_reducible(x, risk_width(3), time_limit_s = -1)
    release_reducible(x, risk_width(3), time_limit_s = NA)
    release_reducible(x, risk_width(3), max_looks = -1)
    release_reducible(x, risk_width(3), threads = 0)
    release_reducible(x, risk_width(3), progress = 1)
    release_reducible(x, risk_width(1000))
    release_reducible(sdc_table(as.table(matrix(1e6, 2, 2))), risk_width(20000, 1e6))
  })
})

test_that("property: of several searches the best is kept, and the first is that of one", {
  ask <- function(searches) {
    release_reducible(czech_workers, risk_width(3), searches = searches, seed = 2, max_looks = 1e4,
                      time_limit_s = Inf, progress = FALSE)
  }
  one <- ask(1)
  some <- ask(3)
  expect_identical(some$searches$value[1], one$n_sub_tables)
  expect_identical(some$n_sub_tables, max(some$searches$value))
  expect_identical(which(some$searches$kept), which.max(some$searches$value))
  expect_true(verify_release(some)$verified)
  expect_error(ask(0), class = "sdc_error_input")
})
