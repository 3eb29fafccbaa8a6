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

# Whether numbers agree one by one, which is more than testthat asks of their mean difference.
surely_near <- function(x, y, tolerance) {
  is.numeric(x) && is.numeric(y) && length(x) == length(y) && !is.object(x) && !is.object(y) &&
    identical(attributes(x), attributes(y)) && is.numeric(tolerance) &&
    isTRUE(all(abs(x - y) <= tolerance / 2 * abs(y)))
}

expect_equal <- function(object, expected, ..., tolerance = testthat::testthat_tolerance(),
                         label = named(substitute(object)),
                         expected.label = named(substitute(expected))) {
  if (identical(object, expected) || surely_near(object, expected, tolerance)) return(pass(object))
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
