# Pictures of bounds: number lines.

test_that("property: number lines run from bound to bound, with a point for each possible count", {
  skip_if_not_installed("ggplot2")
  b <- bounds_margins(margins(roehrig, list("row", "column")))
  picture <- ggplot2::autoplot(b, table = roehrig)
  frame <- as.data.frame(b)
  lines <- ggplot2::layer_data(picture, 1)
  cells <- paste(frame$row, frame$column, sep = " / ")
  at <- match(cells, rev(cells))
  expect_equal(lines$xmin[match(at, lines$y)], frame$lower)
  expect_equal(lines$xmax[match(at, lines$y)], frame$upper)
  inner <- ggplot2::layer_data(picture, 2)
  expect_identical(nrow(inner), as.integer(sum(frame$width + 1)))
  truth <- ggplot2::layer_data(picture, 5)
  expect_equal(truth$x[match(at, truth$y)], as.vector(roehrig))
  expect_match(picture$labels$caption, "Confidential")
  public <- ggplot2::autoplot(b)
  expect_no_match(public$labels$caption, "Confidential")
  expect_length(public$layers, 4)
})

test_that("property: further releases have a line each, in the order that is given", {
  skip_if_not_installed("ggplot2")
  rows <- bounds_margins(margins(roehrig, list("row")), cells = c(1, 12), dimnames = dimnames(roehrig))
  both <- bounds_margins(margins(roehrig, list("row", "column")))
  picture <- ggplot2::autoplot(rows, also = list(object = "rows", `rows and columns` = both))
  expect_identical(levels(picture$data$release), c("rows and columns", "rows"))
  shown <- as.data.frame(both)[c(1, 12), ]
  own <- picture$data[picture$data$release == "rows and columns", ]
  expect_equal(own$upper, shown$upper)
  expect_equal(picture$data$upper[picture$data$release == "rows"], rows$upper)
  expect_error(ggplot2::autoplot(both, also = list(few = rows)), "of the same cells")
})

test_that("snapshot: pictures of bounds refuse what does not fit", {
  skip_if_not_installed("ggplot2")
  b <- bounds_margins(margins(roehrig, list("row", "column")))
  expect_snapshot(error = TRUE, {
    plot(b, table = t(roehrig))
    plot(b, also = list(b))
    plot(b, also = list(other = 3))
    plot(b, also = list(other = bounds_margins(margins(matrix(1, 2, 2), list("Var1", "Var2")))))
  })
})
