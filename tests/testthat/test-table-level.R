# Tables by level, and releases that choose levels.

people <- local({
  set.seed(7)
  n <- 1500
  kind <- sample(4, n, TRUE)
  data.frame(
    age = factor(paste0("a", pmin(6, kind + sample(0:2, n, TRUE))), paste0("a", 1:6)),
    job = factor(paste0("j", 1 + (kind + rpois(n, 2)) %% 8), paste0("j", 1:8)),
    sex = factor(sample(c("f", "m"), n, TRUE)),
    home = factor(paste0("h", pmin(5, 1 + rpois(n, kind / 2))), paste0("h", 1:5))
  )
})
ages <- data.frame(all = "all", half = rep(c("young", "old"), c(3, 3)),
                   third = c("y1", "y2", "y2", "o1", "o1", "o2"), age = paste0("a", 1:6))
jobs <- c(j1 = "A", j2 = "A", j3 = "B", j4 = "B", j5 = "B", j6 = "C", j7 = "C", j8 = "C", A = "AB",
          B = "AB", C = "CC")
by_tree <- function() sdc_table(people, hierarchies = list(age = ages, job = jobs))

level_release <- function(...) {
  release_reducible(level_table(by_tree()), risk_width(3), ..., seed = 1, time_limit_s = 60,
                    max_looks = 2e6, threads = 1, progress = FALSE)
}

test_that("oracle: margins of steps are margins at levels, for each choice of levels", {
  x <- by_tree()
  y <- level_table(x)
  steps <- table_steps(y)
  expect_identical(names(dimnames(y)), c("age@half", "age@third", "age", "job@level 1",
                                         "job@level 2", "job", "sex", "home"))
  expect_identical(sort(y$counts), sort(x$counts))
  at <- list(
    "age@half" = ages$half, "age@third" = ages$third, age = ages$age,
    "job@level 1" = rep(c("AB", "CC"), c(5, 3)), "job@level 2" = rep(c("A", "B", "C"), c(2, 3, 3)),
    job = levels(people$job)
  )
  for (a in 1:3) {
    for (j in 4:6) {
      direct <- table(at[[a]][people$age], at[[j]][people$job], people$sex)
      set <- close_set(steps, c(a, j, 7L))
      found <- as.array(level_margin(y, set))
      expect_equal(as.vector(found[rownames(direct), colnames(direct), ]), as.vector(direct))
      steps_margin <- sub_table(list(x = y), set)
      expect_identical(sort(as.numeric(steps_margin$counts)), sort(as.numeric(direct[direct > 0])))
    }
  }
})

test_that("property: levels that say nothing new are left out, and others are chosen by name", {
  same <- data.frame(all = "all", copy = paste0("c", 1:6), half = rep(c("y", "o"), c(3, 3)),
                     again = rep(c("Y", "O"), c(3, 3)), age = paste0("a", 1:6))
  labels <- function(x, ...) names(dimnames(level_table(x, ...)))
  expect_identical(labels(suppressMessages(sdc_table(people["age"],
                                                     hierarchies = list(age = same[-2])))),
                   c("age@half", "age"))
  x <- by_tree()
  expect_identical(level_table(x, list()), x)
  expect_identical(labels(x, list(age = "third")), c("age@third", "age", "job", "sex", "home"))
  two <- sdc_table(people["age"], hierarchies = list(age = list(
    ages, data.frame(other = rep(c("p", "q", "p"), c(2, 2, 2)), age = paste0("a", 1:6))
  )))
  expect_identical(labels(two, list(age = "other")), c("age@other", "age"))
  expect_identical(labels(two), c("age@half", "age@third", "age"))
  expect_snapshot(error = TRUE, {
    level_table(two, list(age = c("other", "third")))
    level_table(x, list(age = "fourth"))
    level_table(x, list(town = "half"))
    level_table(x, "half")
  })
})

test_that("property: a release by level is certified, closed, and holds what was forced", {
  re <- level_release(forced = list(c("age@half", "job@level 1"), "age:sex"))
  steps <- table_steps(re$problem$x)
  expect_true(all(vapply(re$sets, function(set) identical(set, close_set(steps, set)), NA)))
  expect_true(verify_release(re)$verified)
  frame <- as.data.frame(re)
  expect_identical(nrow(frame), as.integer(re$n_sub_tables))
  expect_true(all(c("age@half:job@level 1", "age:sex", "age@half:sex") %in% frame$sub_table))
  expect_identical(as.vector(table(frame$dimension)), as.integer(re$by_dimension[-1][1:max(
    frame$dimension)]))
  tables <- margins(re)
  expect_identical(names(tables), unname(re$frontier))
  expect_identical(sum(tables[[1]]), sum(by_tree()))
  # a set without a coarser level, and a release without a finest level
  broken <- re
  broken$sets[[1]] <- setdiff(broken$sets[[1]], 1L)
  expect_error(verify_release(broken), class = "sdc_error_input")
  expect_error(verify_release(c("age@half:sex", "job", "home"), level_table(by_tree()),
                              risk = risk_width(3)), class = "sdc_error_input")
  # other words for the categories are seen
  broken <- re
  layout <- broken$problem$x$layout
  layout$steps$categories[[1]] <- rev(layout$steps$categories[[1]])
  broken$problem$x <- set_layout(broken$problem$x, layout)
  expect_false(verify_release(broken)$verified)
})

test_that("property: with one level for each variable a release is found as without", {
  plain <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
  steps <- release_reducible(in_single_steps(czech_workers), risk_width(3), seed = 1,
                             progress = FALSE)
  expect_identical(plain$sets, steps$sets)
  expect_identical(plain$frontier, steps$frontier)
  expect_identical(plain$by_dimension, steps$by_dimension)
  expect_identical(plain$value, steps$value)
  expect_identical(as.data.frame(plain), as.data.frame(steps))
})

test_that("property: named cells at risk are those of the finest levels", {
  x <- by_tree()
  cells <- data.frame(age = "a1", job = "j3", sex = "f", home = "h1")
  skip_if(sum(as.array(x)["a1", "j3", "f", "h1"]) == 0)
  by_steps <- bare_problem(level_table(x), risk_width(3, cells = cells))
  plain <- bare_problem(x, risk_width(3, cells = cells))
  expect_identical(by_steps$x$counts[by_steps$at_risk], plain$x$counts[plain$at_risk])
})

test_that("property: methods for whole tables refuse a table by level, and say what to give", {
  x <- table_with_ladders(array(c(3, 1, 4, 1, 5, 9, 2, 6), c(4, 2), list(a = letters[1:4], b = c("k", "l"))),
                          list(a = list(two = c(1, 1, 2, 2)), b = list()))
  levels <- level_table(x)
  methods <- list(
    protect = protect, suppress = suppress, sensitive = sensitive, explore = explore,
    round_controlled = function(x) round_controlled(x, 3), round_small = function(x) round_small(x, 3),
    cycles_banded = cycles_banded, cycles_data = cycles_data, cycles_margin = cycles_margin,
    tune = tune, compare_methods = function(x) compare_methods(x, seed = 1),
    synthetic_table = function(x) synthetic_table(x, seed = 1),
    conditionals = function(x) conditionals(x, "a", "b"),
    write_tau_argus = function(x) write_tau_argus(x, withr::local_tempdir()),
    perturb = function(x) perturb(x, mechanism(cycles_banded(czech_workers)), key = "k")
  )
  for (name in names(methods)) {
    expect_error(methods[[name]](levels), "must be a table whose variables have one level each",
                 class = "sdc_error_input", label = name)
  }
  expect_silent(check_one_level(x))
})
