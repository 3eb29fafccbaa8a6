# Pictures of posteriors and cycles, from small to large tables.

expect_drawn <- function(picture) {
  testthat::expect_silent(built <- ggplot2::ggplot_build(picture))
  invisible(built)
}

test_that("property: single bars are not drawn while other cells have something to tell", {
  skip_if_not_installed("ggplot2")
  x <- plain_table(matrix(c(0, 0, 0, 4, 3, 5, 6, 2, 7, 3, 2, 4), 3))
  pub <- publication(x, mechanism(cycles_banded(x, seed = 1)))
  po <- posterior(pub)
  # zeros never change: they are known
  known <- vapply(laws_of(po), function(law) length(law) == 1, NA)
  expect_true(any(known))
  bars <- ggplot2::autoplot(po)$data
  expect_true(all(table(bars$panel) > 1))
  expect_lte(nlevels(bars$panel), sum(!known))
  # cells that are asked for are drawn, whatever they tell
  expect_identical(nlevels(ggplot2::autoplot(po, cells = which(known))$data$panel), sum(known))
  certain <- posterior(publication(x * 0, mechanism(cycles_banded(x, seed = 1))))
  expect_drawn(ggplot2::autoplot(certain))
})

test_that("property: many cells are cut, and the picture says so", {
  skip_if_not_installed("ggplot2")
  x <- plain_table(rep(5, 100), c(10, 10))
  po <- posterior(publication(x, mechanism(cycles_banded(x, seed = 1))))
  picture <- ggplot2::autoplot(po, cells = 1:100)
  expect_identical(nlevels(picture$data$panel), 36L)
  expect_match(picture$labels$caption, "first 36 of 100 cells")
})

test_that("property: pictures of cycles show the lines that move, from 2 x 2 to 50 x 50", {
  skip_if_not_installed("ggplot2")
  for (dim in list(c(2, 2), c(8, 5), c(43, 32), c(50, 50))) {
    x <- plain_table(rep(1, prod(dim)), dim)
    picture <- ggplot2::autoplot(cycles_banded(x, seed = 1))
    expect_drawn(picture)
    rows <- nlevels(picture$data$.row)
    expect_lte(rows, 12)
    expect_identical(!is.null(picture$labels$caption), dim[[2]] > 12)
    # a cycle of a band has two +1 and two -1, all of them shown
    expect_identical(unique(as.vector(table(picture$data$.move, picture$data$.panel)[c("-1", "1"),
                                                                                     ])), 2L)
  }
})

test_that("property: heat maps of uncertainty thin out the names of many levels", {
  skip_if_not_installed("ggplot2")
  x <- plain_table(rep(5, 2500), c(50, 50))
  po <- posterior(publication(x, mechanism(cycles_banded(x, seed = 1, open = TRUE))))
  built <- expect_drawn(ggplot2::autoplot(po, what = "uncertainty"))
  named <- built$layout$panel_params[[1]]$x$get_labels()
  expect_lte(sum(!is.na(named)), 30)
})
