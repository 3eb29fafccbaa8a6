# Quick forms of testthat's most frequent expectations. The tests hold millions of them, and testthat
# needs some 200 microseconds for each. What obviously holds is counted here; all else, and so each
# failure, is left to the function of the same name in testthat. The first expectation of a test is
# always testthat's, so that it knows that the test is not empty. tools/run-tests.R adds those that were
# counted, which it finds in the option `sdcLattice.passed`, to what testthat has counted.

passing <- new.env()
passing$n <- 0
passing$first <- FALSE

test_that <- function(desc, code) {
  call <- sys.call()
  call[[1]] <- quote(testthat::test_that)
  passing$n <- 0
  passing$first <- TRUE
  on.exit({
    passing$first <- FALSE
    options(sdcLattice.passed = getOption("sdcLattice.passed", 0) + passing$n)
  })
  eval(call, parent.frame())
}

pass <- function(value) {
  if (passing$first) {
    passing$first <- FALSE
    testthat::succeed()
  } else {
    passing$n <- passing$n + 1
  }
  invisible(value)
}

# What testthat would call an argument in its message: `what` is its expression.
named <- function(what) if (is.name(what)) paste0("`", what, "`") else deparse(what, nlines = 1)[[1]]

expect_true <- function(object, ..., label = named(substitute(object))) {
  if (isTRUE(object)) pass(object) else testthat::expect_true(object, ..., label = label)
}

expect_false <- function(object, ..., label = named(substitute(object))) {
  if (isFALSE(object)) pass(object) else testthat::expect_false(object, ..., label = label)
}

expect_null <- function(object, ..., label = named(substitute(object))) {
  if (is.null(object)) pass(object) else testthat::expect_null(object, ..., label = label)
}

expect_identical <- function(object, expected, ..., label = named(substitute(object)),
                             expected.label = named(substitute(expected))) {
  if (identical(object, expected)) return(pass(object))
  testthat::expect_identical(object, expected, ..., label = label, expected.label = expected.label)
}

# Whether the numbers that differ do so by half of what testthat allows, in the mean as there.
# Plain lists agree when their parts do; what has a class is left to testthat.
surely_near <- function(x, y, tolerance) {
  alike <- length(x) == length(y) && identical(attributes(x), attributes(y))
  if (!alike || is.object(x)) {
    return(FALSE)
  }
  if (is.list(x) && is.list(y)) {
    return(all(mapply(surely_same, x, y, MoreArgs = list(tolerance))))
  }
  if (!is.numeric(x) || !is.numeric(y) || !is.numeric(tolerance)) {
    return(FALSE)
  }
  differ <- which(is.na(x) | is.na(y) | x != y)
  size <- mean(abs(y[differ]))
  allowed <- tolerance / 2 * if (isTRUE(size > tolerance)) size else 1
  length(differ) == 0 || isTRUE(mean(abs(x[differ] - y[differ])) <= allowed)
}

surely_same <- function(x, y, tolerance) identical(x, y) || surely_near(x, y, tolerance)

expect_equal <- function(object, expected, ..., tolerance = testthat::testthat_tolerance(),
                         label = named(substitute(object)),
                         expected.label = named(substitute(expected))) {
  if (surely_same(object, expected, tolerance)) return(pass(object))
  testthat::expect_equal(object, expected,
    ..., tolerance = tolerance, label = label, expected.label = expected.label
  )
}

# The four comparisons of single numbers.
comparison <- function(name, holds) {
  slow <- getExportedValue("testthat", name)
  function(object, expected, label = named(substitute(object)),
           expected.label = named(substitute(expected))) {
    if (isTRUE(holds(object, expected))) return(pass(object))
    slow(object, expected, label = label, expected.label = expected.label)
  }
}
expect_lt <- comparison("expect_lt", `<`)
expect_lte <- comparison("expect_lte", `<=`)
expect_gt <- comparison("expect_gt", `>`)
expect_gte <- comparison("expect_gte", `>=`)
