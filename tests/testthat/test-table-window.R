# The window of a table with trees, as a picture.

test_that("property: a window is drawn on a device of 8-bit text without warnings", {
  skip_if_not(l10n_info()[["UTF-8"]])
  tree <- data.frame(
    parent = c("All", "All", "N", "N", "S", "S"), child = c("N", "S", "n1", "n2", "s1", "s2")
  )
  x <- sdc_table(
    data.frame(region = rep(c("n1", "n2", "s1", "s2"), 4:1), sex = rep(c("f", "m"), 5)),
    hierarchies = list(region = tree)
  )
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file, encoding = "ISOLatin1.enc")
  withr::defer(grDevices::dev.off())
  expect_no_warning(print(ggplot2::autoplot(x)))
})

test_that("property: columns that do not fit the console are left out, and the print says so", {
  x <- sdc_table(matrix(1:20, 2, dimnames = list(a = c("x", "y"), b = paste("column", 1:10))))
  withr::local_options(width = 60)
  narrow <- utils::capture.output(print(x))
  counts <- grep(" column [0-9]", narrow, value = TRUE)
  expect_true(all(nchar(counts) <= 60))
  expect_match(counts, "Total", all = FALSE, fixed = TRUE)
  expect_match(narrow, "(first rows and columns", all = FALSE, fixed = TRUE)
  wide <- sdc_table(matrix(1:4, 2, dimnames = list(a = c("x", "y"), b = c("p", "q"))))
  expect_no_match(utils::capture.output(print(wide)), "first rows", fixed = TRUE)
})
