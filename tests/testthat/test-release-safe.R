# Whatever a method calls safe is safe. A method is a function of a table and a rule; add more here.
release_methods <- c(release_searches, list(
  first_fit = function(x, risk) release_greedy(x, risk, fill = "first_fit"),
  inner = function(x, risk) release_greedy(x, risk, bounds = "inner"),
  inner_fit = function(x, risk) release_greedy(x, risk, fill = "first_fit", bounds = "inner")
))

# Tables with two to four variables: zeros, ones, empty levels, single levels, ties.
small_tables <- function(n) {
  shapes <- list(c(2, 2), c(2, 3), c(3, 3), c(2, 2, 2), c(3, 2, 1), c(1, 2, 2, 2), c(2, 1, 3, 1))
  lapply(seq_len(n), function(i) {
    dim <- shapes[[i %% length(shapes) + 1]]
    risky_table(dim, sample(4:7, 1))
  })
}

# One row for each release: the width asked for, certified, true and refuted, and its size. Gathered
# first, for an expectation takes longer than a release.
judged_releases <- function(tables) {
  rows <- lapply(tables, function(x) {
    truth <- every_table(x)
    most <- truth$width(one_way_tables(x))
    if (most == 0) return(NULL)
    risk <- risk_width(sample(most, 1))
    found <- lapply(release_methods, function(method) method(x, risk))
    data.frame(
      method = names(found), beta = risk$beta,
      inner = vapply(found, function(re) re$width[["inner"]], 0),
      width = vapply(found, function(re) truth$width(re$sets), 0),
      outer = vapply(found, function(re) re$width[["outer"]], 0),
      size = vapply(found, function(re) re$n_sub_tables, 0),
      best = found$exact$n_sub_tables
    )
  })
  do.call(rbind, rows)
}

test_that("oracle: every release called safe has at least the width asked for", {
  set.seed(86)
  found <- judged_releases(small_tables(rounds(18, 420)))
  expect_gt(nrow(found), rounds(90, 600))
  expect_true(all(found$width >= found$beta))
  expect_true(all(found$inner <= found$width & found$width <= found$outer))
  expect_true(all(found$size <= found$best))
})

test_that("oracle: the same where tables are too many to be listed, by integer programmes", {
  set.seed(87)
  for (case in seq_len(rounds(3, 12))) {
    x <- sdc_table(risky_table(list(c(2, 2, 3, 2), c(3, 3, 2))[[case %% 2 + 1]], 80))
    most <- width(one_way_sets(x), x, risk_width(1))$inner
    if (most == 0) next
    risk <- risk_width(sample(min(most, 12), 1))
    cells <- as.data.frame(x)[x$counts <= 2, names(dimnames(x))]
    for (method in release_methods) {
      re <- method(x, risk)
      b <- bounds_frame(margins(re), cells, method = "ip", dimnames = dimnames(x))
      expect_gte(min(b$upper - b$lower), risk$beta)
    }
  }
})
