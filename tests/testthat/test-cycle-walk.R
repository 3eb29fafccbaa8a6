# A cycle walked through a table.

frames_of <- function(picture) split(picture$data, picture$data$stage)

test_that("oracle: the frames are the table, the cycle and their sum", {
  skip_if_not_installed("ggplot2")
  set <- cycles_bidiagonal(roehrig)
  for (which in seq_len(length(set))) for (step in c(1, -1)) {
    picture <- ggplot2::autoplot(set, "walk", table = roehrig, which = which, step = step)
    frames <- frames_of(picture)
    expect_equal(frames[[1]]$value, as.vector(roehrig))
    expect_equal(frames[[2]]$value, as.vector(step * set[[which]]))
    expect_equal(frames[[3]]$value, as.vector(roehrig + step * set[[which]]))
    expect_match(picture$labels$caption, "row, column")
  }
})

test_that("property: the arrows visit each cell of the cycle once, along rows and columns in turn", {
  move <- matrix(0, 4, 4)
  move[cbind(c(1, 1, 3, 3, 4, 4), c(2, 4, 4, 1, 1, 2))] <- c(1, -1, 1, -1, 1, -1)
  walk <- walk_order(move)
  expect_identical(nrow(walk), 6L)
  expect_setequal(paste(walk[, 1], walk[, 2]), paste(row(move), col(move))[move != 0])
  after <- walk[c(2:6, 1), ]
  same <- walk == after
  expect_true(all(rowSums(same) == 1))
  expect_identical(same[, 1], rep(c(TRUE, FALSE), 3))
  expect_equal(move[walk], -move[after])
  # two separate squares are no single walk, and layers have none
  two <- matrix(0, 4, 4)
  two[1:2, 1:2] <- two[3:4, 3:4] <- c(1, -1, -1, 1)
  expect_null(walk_order(two))
  expect_null(walk_order(array(c(1, -1, -1, 1, -1, 1, 1, -1), c(2, 2, 2))))
})

test_that("property: a step that the zero rule stops leaves the table as it was", {
  skip_if_not_installed("ggplot2")
  x <- matrix(c(0, 2, 3, 4), 2)
  set <- cycles_bidiagonal(x)
  stopped <- ggplot2::autoplot(set, "walk", table = x, step = set[[1]][1])
  expect_equal(frames_of(stopped)[[3]]$value, as.vector(x))
  expect_match(stopped$labels$caption, "blocked")
  up <- ggplot2::autoplot(set, "walk", table = x, step = set[[1]][1], zero_rule = "nonnegative")
  expect_equal(frames_of(up)[[3]]$value, as.vector(x) + c(1, -1, -1, 1))
  down <- ggplot2::autoplot(set, "walk", table = x, step = -set[[1]][1], zero_rule = "nonnegative")
  expect_equal(frames_of(down)[[3]]$value, as.vector(x))
  expect_match(down$labels$caption, "become negative")
})

test_that("property: layers of a three-way table are rows of panels", {
  skip_if_not_installed("ggplot2")
  x <- plain_table(array(5, c(2, 2, 3)))
  set <- cycles_margin(x)
  picture <- ggplot2::autoplot(set, "walk", table = x)
  expect_identical(length(unique(ggplot2::layer_data(picture, 1)$PANEL)), 9L)
})

test_that("snapshot: a walk refuses what does not fit", {
  skip_if_not_installed("ggplot2")
  set <- cycles_bidiagonal(roehrig)
  expect_snapshot(error = TRUE, {
    plot(set, "walk")
    plot(set, "walk", table = matrix(1, 2, 2))
    plot(set, "walk", table = roehrig, which = 9)
    plot(set, "walk", table = roehrig, step = 2)
    plot(set, "path")
  })
})
