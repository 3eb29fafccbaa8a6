random_shards <- function(dim, n, k) {
  records <- as.data.frame(lapply(dim, function(levels) {
    factor(sample(levels, n, TRUE), seq_len(levels))
  }), col.names = paste0("v", seq_along(dim)))
  shard <- sample(k, n, TRUE)
  list(all = records, parts = lapply(seq_len(k), function(s) records[shard == s, , drop = FALSE]))
}

counted <- function(data, ...) sdc_table(data, names(data), drop_unused = FALSE, ...)

test_that("oracle: the tables of shards make the table of all records", {
  set.seed(1)
  for (round in seq_len(rounds(13, 200))) {
    dim <- sample(c(1, 2, 5, 40), sample(c(1:4, 30), 1), TRUE)
    made <- random_shards(dim, sample(c(0, 1, 30, 2000), 1), sample(1:9, 1))
    tables <- lapply(made$parts, counted)
    expect_identical(do.call(c, tables), counted(made$all))
    expect_identical(do.call(rbind, tables), counted(made$all))
  }
})

test_that("property: trees, crossings and tables without variables are merged as they are", {
  x <- sdc_table(Titanic)
  twice <- sdc_table(2 * as.array(x))
  expect_identical(c(x, x), twice)
  expect_identical(c(x), x)
  expect_identical(c(first = x, x, x[, , , , drop = FALSE]), sdc_table(3 * as.array(x)))
  none <- margin(x, character())
  expect_equal(sum(c(none, none)), 2 * sum(x))
  tree <- data.frame(parent = c("all", "all"), child = c("a", "b"))
  cells <- data.frame(region = c("a", "b"), n = c(1, 2))
  with_tree <- sdc_table(cells, "region", "n", hierarchies = list(region = tree))
  expect_identical(as.data.frame(c(with_tree, with_tree), totals = TRUE)$freq,
                   2 * as.data.frame(with_tree, totals = TRUE)$freq)
  expect_error(c(with_tree, sdc_table(cells, "region", "n")), "trees", class = "sdc_error_input")
})

test_that("snapshot: tables that differ are not merged", {
  x <- sdc_table(Titanic)
  expect_snapshot(error = TRUE, {
    c(x, 1)
    rbind(x, margin(x, c("Class", "Sex")))
    c(x, x[c("Crew", "1st", "2nd", "3rd"), , , ])
    c(x, x[1:2, , , ])
  })
  large <- sdc_table(as.table(c(a = 2^52, b = 2^52)))
  expect_error(c(large, large), class = "sdc_error_too_large")
})
