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
