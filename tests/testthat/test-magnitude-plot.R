# Contributors as bars, with the rules.

# One row for each contributor of a random table.
random_contributors <- function(seed) {
  withr::local_seed(seed)
  data.frame(r = sample(letters[1:6], 40, TRUE), v = round(stats::rlnorm(40, 3, 1.3)))
}

test_that("oracle: a bar ends before a mark exactly where sensitive() says that the rule fires", {
  skip_if_not_installed("ggplot2")
  fired <- 0
  for (seed in 1:5) {
    mg <- magnitude_table(random_contributors(seed), "r", "v")
    for (rule in list(rule_p_percent(10), rule_p_percent(60), rule_nk(2, 70), rule_nk(3, 85),
                      rule_max_share(45))) {
      judged <- sensitive(mg, rule)
      total <- judged$total
      marks <- rule_marks(
        data.frame(cell = rep(seq_along(mg$cell), diff(mg$start)), rank = sequence(diff(mg$start)),
                   value = mg$value), total, rule, FALSE
      )
      expect_identical(marks$need[marks$cell] > total, judged$sdcStatus == "u")
      short <- judged$sdcStatus == "u"
      # the protection level is what is missing, rounded up to whole units
      expect_equal(ceiling(round(marks$need[short] - total[short], 6)), judged$upper[short])
      fired <- fired + sum(short)
    }
  }
  expect_gt(fired, 10)
})

test_that("property: bars have the lengths of the totals and the colours of the contributors", {
  skip_if_not_installed("ggplot2")
  mg <- magnitude_table(random_contributors(1), "r", "v")
  rules <- c(rule_threshold(8), rule_p_percent(10))
  judged <- sensitive(mg, rules)
  for (picture in list(ggplot2::autoplot(mg, rules = rules), ggplot2::autoplot(judged))) {
    bars <- ggplot2::layer_data(picture, 1)
    expect_equal(rev(as.vector(tapply(bars$xmax - bars$xmin, bars$y, sum))), judged$total)
    largest <- bars[bars$fill == "#08519c", ]
    expect_equal(largest$xmax[order(-largest$y)], judged$share1 / 100 * judged$total)
    expect_true(all(largest$xmin == 0))
    expect_identical(nrow(ggplot2::layer_data(picture, 2)), nrow(judged))
    expect_match(levels(picture$data$line), "^[a-f] \\([0-9]+( < 8)?\\)$")
    expect_match(picture$labels$title, "Confidential")
  }
  shares <- ggplot2::autoplot(mg, rules = rules, share = TRUE)
  bars <- ggplot2::layer_data(shares, 1)
  expect_equal(as.vector(tapply(bars$xmax - bars$xmin, bars$y, sum)), rep(100, nrow(judged)))
})

test_that("property: sensitive cells are drawn first where not all are", {
  skip_if_not_installed("ggplot2")
  mg <- magnitude_table(random_contributors(2), "r", "v")
  judged <- sensitive(mg, rule_max_share(45))
  n <- sum(judged$sdcStatus == "u")
  expect_true(n > 0 && n < nrow(judged))
  few <- ggplot2::autoplot(mg, rules = rule_max_share(45), most = n)
  expect_setequal(sub(" .*", "", levels(few$data$line)),
                  as.character(judged$r[judged$sdcStatus == "u"]))
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(mg)))
})
