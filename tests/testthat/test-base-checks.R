# Checks of arguments and of packages that only some users need.

# A package in a library of its own whose loading runs `code`.
fake_package <- function(name, code, lib) {
  source <- file.path(lib, "source", name)
  dir.create(file.path(source, "R"), recursive = TRUE)
  writeLines(c(
    paste("Package:", name), "Version: 1.0", "Title: Title", "Description: Text.", "License: GPL-3",
    "Author: A", "Maintainer: A <a@example.org>"
  ), file.path(source, "DESCRIPTION"))
  file.create(file.path(source, "NAMESPACE"))
  writeLines(paste(".onLoad <- function(libname, pkgname)", code), file.path(source, "R", "a.R"))
  arguments <- c("CMD", "INSTALL", "--no-test-load", "-l", shQuote(lib), shQuote(source))
  system2(file.path(R.home("bin"), "R"), arguments, stdout = FALSE, stderr = FALSE)
}

test_that("property: a package that is missing is told from one that does not load", {
  skip_on_cran()
  lib <- withr::local_tempdir()
  expect_identical(fake_package("sdcbroken", "stop(\"no {engine} here\")", lib), 0L)
  expect_identical(fake_package("sdcsound", "invisible()", lib), 0L)
  withr::local_libpaths(lib, action = "prefix")
  message_of <- function(package) {
    cnd <- expect_error(check_installed(package, "to test"), class = "sdc_error_input")
    conditionMessage(cnd)
  }
  expect_match(message_of("sdcabsent"), "sdcabsent is not installed")
  expect_match(message_of("sdcabsent"), "install.packages")
  broken <- message_of("sdcbroken")
  expect_match(broken, "sdcbroken is installed, but does not load")
  expect_match(broken, "no {engine} here", fixed = TRUE)
  expect_no_match(broken, "not installed")
  expect_true(check_installed("sdcsound", "to test"))
  unloadNamespace("sdcsound")
})

test_that("property: an argument of the wrong kind is refused, also where nothing reads it", {
  refused <- function(expr, found) {
    e <- expect_error(expr, class = "sdc_error_input")
    expect_match(gsub("\\s+", " ", conditionMessage(e)), found, fixed = TRUE)
  }
  x <- table(a = c(1, 1, 1, 2, 2, 3), b = c(1, 2, 2, 3, 1, 3))
  me <- mechanism(cycles_bidiagonal(x))
  refused(posterior(publication(x, me), seed = "1"), "`seed` is \"1\".")
  rounded <- publish(round_controlled(x, 3))
  refused(posterior_rounding(rounded, seed = list()), "`seed` is an empty list.")
  refused(count_tables(margins(x, list("a", "b")), seed = NA), "`seed` is NA.")
  refused(conditionals(x, "a", "b", rateVar = 3), "`rateVar` is 3.")
  refused(magnitude_table(data.frame(a = 1, v = 2), "a", NULL), "`numVar` is NULL.")
  # right numbers in the wrong form, and none at all
  refused(risk_utility(x, me, small = matrix(1:4, 2)), "`small` is an integer matrix.")
  refused(cycles_banded(x, rings = numeric()), "Ring 1 is an empty numeric vector.")
  refused(rounding_uncertainty(x, "a", "b", digits = numeric()), "`digits` has length 0.")
  refused(rounding_uncertainty(x, "a", "b", digits = globalenv()), "`digits` is an environment.")
  refused(cycles_bidiagonal(table(a = 1, b = 1)), "a and b have one.")
})
