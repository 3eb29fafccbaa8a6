# The two tables of a certificate.

test_that("property: both tables have the released margins, and differ by beta at the cell", {
  skip_if_not_installed("ggplot2")
  re <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
  x <- czech_workers
  at_risk <- which(as.vector(x) %in% 1:2)
  expect_gt(length(at_risk), 0)
  for (cell in at_risk) {
    pair <- certificate_tables(re, cell)
    counts <- vapply(pair$tables, function(t) t[cell], 0)
    expect_gte(counts[2] - counts[1], 3)
    for (t in pair$tables) {
      expect_true(all(t >= 0))
      for (set in re$sets) {
        expect_equal(apply(array(t, dim(x)), set, sum), apply(array(x, dim(x)), set, sum))
      }
    }
  }
  picture <- ggplot2::autoplot(re, "certificate", cell = at_risk[2])
  pair <- certificate_tables(re, at_risk[2])
  shown <- ggplot2::layer_data(picture, 3)
  expect_setequal(sub("[+-]$", "", shown$label[shown$PANEL == 1]), format_count(pair$tables[[1]]))
  expect_identical(nrow(ggplot2::layer_data(picture, 2)), 2L)
  expect_match(picture$labels$caption, "Confidential")
})

test_that("property: of a large table only the cells that change are drawn", {
  skip_if_not_installed("ggplot2")
  set.seed(2)
  x <- plain_table(array(rpois(512, 4), rep(2, 9)))
  re <- release_reducible(x, risk_width(2), seed = 1, time_limit_s = .5, progress = FALSE)
  picture <- ggplot2::autoplot(re, "certificate")
  pair <- certificate_tables(re, NULL)
  expect_lte(nrow(picture$data), 80)
  expect_equal(picture$data$count[1], pair$tables[[1]][pair$at])
})

test_that("snapshot: certificates that are not there", {
  skip_if_not_installed("ggplot2")
  re <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
  expect_snapshot(error = TRUE, {
    plot(release_greedy(czech_workers, risk_width(6)), "certificate")
    plot(re, "certificate", cell = 1)
    plot(verify_release(re))
    plot(re$certificates)
  })
})
