# The class of bounds: frames, prints, pictures.

test_that("property: frames hold the intervals", {
  b <- bounds_margins(margins(roehrig, list("row", "column")))
  frame <- as.data.frame(b)
  expect_named(frame, c("row", "column", "lower", "upper", "width", "sharp"))
  expect_equal(frame$width, frame$upper - frame$lower)
  expect_equal(frame$upper, as.vector(outer(rowSums(roehrig), colSums(roehrig), pmin)))
  lp <- as.data.frame(bounds_margins(margins(roehrig, list("row", "column")), method = "lp"))
  expect_true(all(c("lower_real", "upper_real") %in% names(lp)))
  none <- bounds_margins(margins(roehrig, list("row", "column")), cells = integer())
  expect_equal(nrow(as.data.frame(none)), 0)
  expect_output(print(none), "0 cells")
})

test_that("property: input: a variable with the name of a column is refused", {
  x <- as.table(matrix(1:4, 2, dimnames = list(lower = 1:2, B = 1:2)))
  expect_error(as.data.frame(bounds_margins(margins(x, list("lower", "B")))),
               class = "sdc_error_input")
})

test_that("property: what is not proved lies between what is proved and what is attained", {
  set.seed(22)
  x <- array(rpois(216, 3), c(6, 6, 6), list(a = 1:6, b = 1:6, c = 1:6))
  release <- margins(x, list(c("a", "b"), c("a", "c"), c("b", "c")))
  sharp <- bounds_margins(release)
  expect_true(all(sharp$sharp))
  expect_null(as.data.frame(sharp)$least)
  expect_warning(cut <- bounds_margins(release, time_limit_s = .004), class = "sdc_warning_outer")
  frame <- as.data.frame(cut)
  expect_true(all(frame$lower <= sharp$lower & frame$upper >= sharp$upper))
  attained <- !is.na(frame$least %||% rep(NA, 216))
  expect_true(all(frame$least[attained] >= sharp$lower[attained]))
  expect_true(all(frame$most[attained] <= sharp$upper[attained]))
  known <- frame$lower == frame$upper
  expect_true(all(frame$sharp[known]))
})

test_that("property: pictures are drawn", {
  skip_if_not_installed("ggplot2")
  b <- bounds_margins(margins(roehrig, list("row", "column")))
  picture <- ggplot2::autoplot(b, most = 5)
  expect_s3_class(picture, "ggplot")
  expect_equal(nrow(picture$data), 5)
  expect_silent(ggplot2::ggplot_build(picture))
})

test_that("snapshot: prints", {
  b <- bounds_margins(margins(roehrig, list("row", "column")))
  cells <- utils::head(as.data.frame(cps13)[as.data.frame(cps13)$freq == 1, ], 3)
  wide <- bounds_margins(margins(cps13, as.list(names(dimnames(cps13)))), cells = cells)
  expect_snapshot({
    b
    summary(b)
    bounds_margins(margins(roehrig, list("row", "column")), cells = 1, method = "shuttle")
    wide
  })
})
