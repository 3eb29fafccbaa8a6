# How many threads are used, and that results do not depend on it.

test_that("property: two threads at most, unless the option says more or the system less", {
  withr::local_options(sdcLattice.threads = NULL)
  withr::local_envvar(OMP_THREAD_LIMIT = NA)
  expect_equal(default_threads(), 2)
  withr::local_options(sdcLattice.threads = 4)
  expect_equal(default_threads(), 4)
  withr::local_envvar(OMP_THREAD_LIMIT = "1")
  expect_equal(default_threads(), 1)
  withr::local_envvar(OMP_THREAD_LIMIT = "many")
  expect_equal(default_threads(), 4)
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
