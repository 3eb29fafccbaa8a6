# The fibre as points joined by moves.

test_that("oracle: lines join exactly the tables that a basic move leads between", {
  skip_if_not_installed("ggplot2")
  for (x in list(matrix(c(2, 0, 1, 1, 0, 1), 2), matrix(c(1, 0, 1, 0, 1, 1, 1, 0, 1), 3),
                 matrix(c(2, 1, 0, 1, 1, 0, 0, 1), 2))) {
    all <- enumerate_tables(margins(x, list("Var1", "Var2")))
    tables <- matrix(unclass(all), ncol = dim(all)[3])
    n <- ncol(tables)
    joined <- fibre_joins(tables)
    pairs <- paste(joined$from, joined$to)
    slow <- character()
    for (i in seq_len(n)) for (j in seq_len(n)) {
      d <- tables[, i] - tables[, j]
      if (i < j && sum(d == 1) == 2 && sum(d == -1) == 2 && sum(d == 0) == length(d) - 4) {
        slow <- c(slow, paste(i, j))
      }
    }
    expect_setequal(pairs, slow)
    picture <- ggplot2::autoplot(all)
    expect_identical(nrow(ggplot2::layer_data(picture, 1)), length(slow))
    expect_match(picture$labels$caption, "basic move")
    expect_identical(nrow(picture$data), n)
  }
})

test_that("property: no two tables lie on the same place, and 2 x 3 tables on a triangular lattice", {
  for (x in list(matrix(c(3, 0, 2, 2, 1, 2), 2), matrix(c(1, 1, 1, 1, 1, 1, 0, 1, 1), 3),
                 matrix(1, 2, 4), matrix(c(2, 1, 1, 0), 2))) {
    all <- enumerate_tables(margins(x, list("Var1", "Var2")))
    places <- fibre_places(matrix(unclass(all), ncol = dim(all)[3]), dim(x))
    expect_gt(min(stats::dist(cbind(places$x, places$y))), .05)
  }
  all <- enumerate_tables(margins(matrix(c(3, 0, 2, 2, 1, 2), 2), list("Var1", "Var2")))
  tables <- matrix(unclass(all), nrow = 6)
  places <- fibre_places(tables, c(2, 3))
  joined <- fibre_joins(tables)
  length <- sqrt((places$x[joined$from] - places$x[joined$to])^2 +
                   (places$y[joined$from] - places$y[joined$to])^2)
  expect_equal(length, rep(sqrt(3), length(length)))
})

test_that("property: a point is labelled by its table, line by line", {
  skip_if_not_installed("ggplot2")
  all <- enumerate_tables(margins(matrix(c(1, 0, 1, 10), 2), list("Var1", "Var2")))
  picture <- ggplot2::autoplot(all)
  expect_setequal(picture$data$label, c(" 1  1\n 0 10", " 0  2\n 1  9"))
  numbers <- ggplot2::autoplot(all, labels = "number")
  expect_identical(numbers$data$label, c("1", "2"))
  # of draws each different table once, with the number of its first draw
  drawn <- sample_tables(margins(matrix(c(1, 0, 1, 10), 2), list("Var1", "Var2")), 20, seed = 1)
  expect_identical(nrow(ggplot2::autoplot(drawn)$data), 2L)
})

test_that("snapshot: pictures of too many tables", {
  skip_if_not_installed("ggplot2")
  many <- enumerate_tables(margins(matrix(3, 3, 3), list("Var1", "Var2")))
  expect_snapshot(plot(many), error = TRUE)
})
