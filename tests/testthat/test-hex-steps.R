# Distances and clusters on maps.

test_that("oracle: steps are the lengths of shortest walks", {
  ways <- rbind(c(1, 0), c(-1, 0), c(0, 1), c(0, -1), c(1, -1), c(-1, 1))
  reached <- matrix(0, 1, 2)
  for (steps in 0:4) {
    expect_true(all(steps_apart(reached[, 1], reached[, 2]) <= steps))
    far <- steps_apart(reached[, 1], reached[, 2]) == steps
    expect_identical(sum(far), if (steps == 0) 1L else 6L * as.integer(steps))
    reached <- unique(do.call(rbind, c(list(reached), lapply(1:6, function(w) {
      sweep(reached, 2, ways[w, ], `+`)
    }))))
  }
})

random_map <- function(seed) {
  withr::local_seed(seed)
  at <- expand.grid(q = 0:7, r = 0:7)
  at <- at[sample(64, 40), ]
  hex_table(cbind(at, n = stats::rpois(40, 4) + 1), c("q", "r"), "n")
}

test_that("oracle: the clusters, levelled in turn, give the map that redistribute() made", {
  for (seed in 1:6) for (order in c("smallest", "largest", "position")) {
    h <- redistribute(random_map(seed), 4, method = "local", order = order, outliers = "keep")
    clusters <- hex_clusters(h)
    expect_gt(length(clusters), 0)
    before <- counts_before_filling(h)
    expect_identical(before, as.numeric(h$original$count))
    # every sensitive cell is in a cluster, and no count moves but inside one
    expect_true(all(which(before < 4) %in% unlist(clusters)))
    from <- hex_match(list(q = h$moves$from_q, r = h$moves$from_r), h$map)
    to <- hex_match(list(q = h$moves$to_q, r = h$moves$to_r), h$map)
    together <- mapply(function(a, b) {
      any(vapply(clusters, function(cluster) all(c(a, b) %in% cluster), NA))
    }, from, to)
    expect_true(all(together))
    first <- vapply(clusters, `[`, 1L, 1)
    expect_true(all(before[first] < 4))
    if (order == "smallest") expect_false(is.unsorted(before[first]))
    # a cluster ends as soon as its counts suffice: the first is grown on the counts before
    one <- before[clusters[[1]]]
    expect_gte(mean(one), 4)
    expect_lt(mean(one[-length(one)]), 4)
  }
})

test_that("property: the picture of distances has all hexagons within reach, and counts of data", {
  skip_if_not_installed("ggplot2")
  x <- random_map(1)
  picture <- ggplot2::autoplot(x, "distance", from = list(q = x$q[3], r = x$r[3]), reach = 2)
  expect_identical(length(unique(ggplot2::layer_data(picture, 1)$group)), 19L)
  labels <- ggplot2::layer_data(picture, 3)$label
  near <- steps_apart(x$q - x$q[3], x$r - x$r[3]) <= 2
  expect_identical(sum(grepl("(", labels, fixed = TRUE)), sum(near))
  expect_true(paste0("0\n(", x$count[3], ")") %in% labels)
  expect_match(picture$labels$title, "Confidential")
})

test_that("property: the picture of clusters has a line from each first cell to each that joined", {
  skip_if_not_installed("ggplot2")
  h <- redistribute(random_map(2), 4, method = "local", outliers = "keep")
  picture <- ggplot2::autoplot(h, "clusters")
  lines <- ggplot2::layer_data(picture, 2)
  expect_identical(nrow(lines), sum(lengths(hex_clusters(h)) - 1L))
  expect_match(picture$labels$title, "Confidential")
  expect_error(plot(redistribute(random_map(2), 4), "clusters"), "local",
               class = "sdc_error_input")
})
