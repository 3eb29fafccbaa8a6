# How many threads are used, and that results do not depend on it.

test_that("property: two threads at most, unless the option says more or the system less", {
  withr::local_options(sdcLattice.threads = NULL)
  withr::local_envvar(OMP_THREAD_LIMIT = NA, OMP_NUM_THREADS = NA, `_R_CHECK_LIMIT_CORES_` = NA)
  expect_equal(default_threads(), 2)
  withr::local_envvar(OMP_NUM_THREADS = "3,2")
  expect_equal(default_threads(), 3)
  withr::local_options(sdcLattice.threads = 4)
  expect_equal(default_threads(), 4)
  withr::local_envvar(OMP_THREAD_LIMIT = "1")
  expect_equal(default_threads(), 1)
  withr::local_envvar(OMP_THREAD_LIMIT = "many")
  expect_equal(default_threads(), 4)
  withr::local_envvar(`_R_CHECK_LIMIT_CORES_` = "TRUE")
  expect_equal(default_threads(), 2)
  withr::local_envvar(`_R_CHECK_LIMIT_CORES_` = "false")
  expect_equal(default_threads(), 4)
  for (bad in list(0, 1.5, NA, "2", 1:2, 1025)) {
    withr::local_options(sdcLattice.threads = bad)
    expect_error(default_threads(), class = "sdc_error_input")
  }
})

test_that("property: threads of a call are those of all that it calls, and of nothing else", {
  withr::local_options(sdcLattice.threads = 1)
  inner <- function() default_threads()
  outer <- function(threads = default_threads()) {
    use_threads(threads)
    inner()
  }
  withr::local_envvar(OMP_THREAD_LIMIT = NA, `_R_CHECK_LIMIT_CORES_` = NA)
  expect_equal(c(outer(), outer(5), default_threads()), c(1, 5, 1))
  withr::local_envvar(OMP_THREAD_LIMIT = "3")
  expect_equal(outer(5), 3)
  expect_error(sdc_table(Titanic, threads = 0), class = "sdc_error_input")
  expect_error(sdc_table(Titanic, threads = "two"), class = "sdc_error_input")
})

test_that("oracle: counts are those of table(), with any number of threads", {
  set.seed(1)
  n <- 70000
  size <- c(3, 40, 60, 50, 7)
  data <- as.data.frame(lapply(size, function(k) {
    factor(sample.int(k, n, TRUE, .8^(1:k)), seq_len(k))
  }), col.names = letters[1:5])
  data$w <- sample(0:3, n, TRUE)
  for (variables in list("a", c("a", "b"), letters[1:5])) {
    weighted <- lapply(c(1, 2, 3, 7), function(threads) {
      sdc_table(data, variables, weightVar = "w", threads = threads, drop_unused = FALSE)
    })
    expect_equal(length(unique(weighted)), 1)
    plain <- sdc_table(data, variables, threads = 3, drop_unused = FALSE)
    codes <- vapply(data[variables], as.integer, integer(n))
    steps <- cumprod(c(1, size))[seq_along(variables)]
    at <- as.vector((codes - 1) %*% steps) + 1
    counts <- tabulate(at, prod(size[match(variables, letters)]))
    expect_equal(plain$counts, as.numeric(counts[counts > 0]))
    sums <- rowsum(data$w, at)
    expect_equal(weighted[[1]]$counts, sums[sums > 0])
  }
})

test_that("property: the pattern of a table is the same with one thread and with two", {
  x <- margin(cps13, names(dimnames(cps13))[1:3])
  made <- lapply(1:2, function(threads) {
    suppress(x, 3, method = "certified", seed = 1, threads = threads, progress = FALSE,
             time_limit_s = 5)
  })
  expect_identical(made[[1]]$cells, made[[2]]$cells)
  expect_identical(made[[1]]$certificates, made[[2]]$certificates)
  expect_error(suppress(x, 3, method = "certified", threads = 0), class = "sdc_error_input")
})

test_that("property: contributors are the same with any number of threads", {
  set.seed(2)
  n <- 40000
  data <- data.frame(a = factor(sample(40, n, TRUE)), b = sample(c("x", "y", NA), n, TRUE),
                     v = round(rlnorm(n), 1), who = sample(500, n, TRUE))
  for (contributor in list(NULL, "who")) {
    made <- lapply(c(1, 2, 3, 7), function(threads) {
      magnitude_table(data, c("a", "b"), "v", contributor, na = "level", threads = threads)
    })
    expect_equal(length(unique(made)), 1)
    sums <- tapply(data$v, list(data$a, addNA(data$b)), sum)
    expect_equal(cell_totals(made[[1]]) / 10, as.vector(sums))
  }
  expect_error(magnitude_table(data, "a", "v", threads = 1.5), class = "sdc_error_input")
})

test_that("property: judgements are the same with any number of threads", {
  set.seed(3)
  n <- 30000
  firms <- data.frame(a = sample(150, n, TRUE), b = sample(40, n, TRUE), v = round(rlnorm(n, 3), 1),
                      who = sample(3000, n, TRUE))
  firms$w <- firms$who %% 3 + 1
  rules <- c(rule_threshold(4), rule_p_percent(10), rule_nk(2, 85))
  for (weight in list(NULL, "w")) {
    x <- magnitude_table(firms, c("a", "b"), "v", "who", weight,
                         weights = if (is.null(weight)) "population" else "sample")
    judged <- lapply(c(1, 2, 3, 7), function(threads) {
      sensitive(x, rules, totals = TRUE, threads = threads)
    })
    expect_equal(length(unique(judged)), 1)
  }
  expect_error(sensitive(x, rules, threads = 0), class = "sdc_error_input")
})

test_that("oracle: tables with a common variable are a product, with any number of threads", {
  set.seed(4)
  x <- as_sdc_table(array(rpois(4 * 3 * 4, 3), c(4, 3, 4)))
  both <- margins(x, list(c("Var1", "Var2"), c("Var2", "Var3")))
  made <- lapply(c(1, 2, 3, 7), function(threads) count_tables(both, threads = threads))
  expect_equal(length(unique(made)), 1)
  alone <- lapply(1:3, function(k) {
    count_tables(margins(as_sdc_table(as.array(x)[, k, ]), list("Var1", "Var3")))
  })
  product <- Reduce(`*`, vapply(alone, as.double, 0))
  expect_equal(as.double(made[[1]]), product)
  refused <- lapply(1:3, function(threads) {
    expect_error(count_tables(both, method = "twoway", max_states = 2, max_steps = 2,
                              threads = threads), class = "sdc_error_too_large")
  })
  expect_equal(length(unique(vapply(refused, conditionMessage, ""))), 1)
  expect_error(count_tables(both, threads = 0), class = "sdc_error_input")
})
