# Clique trees.

# The running intersection property, and by it what decomposable means: some order of the sets in
# which each shares with all before it only what it shares with one of them.
has_running_order <- function(sets, before = list()) {
  if (length(sets) == 0) return(TRUE)
  for (i in seq_along(sets)) {
    shared <- intersect(sets[[i]], unlist(before))
    fits <- length(before) == 0 || any(vapply(before, function(b) all(shared %in% b), NA))
    if (fits && has_running_order(sets[-i], c(before, sets[i]))) return(TRUE)
  }
  FALSE
}

test_that("oracle: a release has a clique tree exactly when its sets have a running order", {
  set.seed(5)
  kinds <- logical()
  for (trial in 1:60) {
    sets <- maximal_sets(replicate(sample(2:5, 1), sort(sample(6, sample(1:4, 1))),
                                   simplify = FALSE))
    tree <- clique_tree(sets)
    kinds <- c(kinds, tree$decomposable)
    expect_identical(tree$decomposable, has_running_order(sets))
    for (i in which(tree$parent > 0)) {
      expect_setequal(tree$separator[[i]], intersect(sets[[i]], sets[[tree$parent[i]]]))
    }
  }
  expect_true(any(kinds) && !all(kinds))
})

test_that("property: the picture has a box for each set and a label for each separator", {
  skip_if_not_installed("ggplot2")
  x <- sub_tables(LETTERS[1:10], c("A:B:C", "B:C:D", "D:E", "D:F", "F:G:H", "I:J"))
  picture <- ggplot2::autoplot(x, "tree")
  expect_setequal(ggplot2::layer_data(picture, 3)$label,
                  c("A B C", "B C D", "D E", "D F", "F G H", "I J"))
  expect_setequal(ggplot2::layer_data(picture, 2)$label, c("B C", "D", "D", "F"))
  boxes <- ggplot2::layer_data(picture, 3)[c("x", "y")]
  expect_false(anyDuplicated(boxes) > 0)
  # the ends of each line are boxes, one row apart
  lines <- ggplot2::layer_data(picture, 1)
  expect_true(all(lines$y - lines$yend == 1))
  expect_true(all(paste(lines$x, lines$y) %in% paste(boxes$x, boxes$y)))
})

test_that("snapshot: what has no clique tree", {
  skip_if_not_installed("ggplot2")
  expect_snapshot(error = TRUE, {
    plot(sub_tables(LETTERS[1:3], c("A:B", "B:C", "A:C")), "tree")
    plot(sub_tables(LETTERS[1:3]), "tree")
    plot(sub_tables(paste0("v", 1:41), as.list(paste0("v", 1:41))), "tree")
  })
})
