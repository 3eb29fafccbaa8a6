test_that("published: the examples of the report on magnitude data", {
  firms <- data.frame(cell = rep(c("a", "b"), c(7, 5)),
                      v = c(178, 99, 2, 1, 4, 3, 2, 48, 7, 4, 9, 6))
  mg <- magnitude_table(firms, "cell", "v")
  s <- sensitive(mg, rule_p_percent(10))
  expect_identical(s$sdcStatus, c("u", "s"))
  expect_identical(s$upper, c(6, 0)) # 17.8 - 12, in whole units
  s <- sensitive(mg, rule_max_share(90))
  expect_identical(s$sdcStatus, c("s", "s"))
  expect_equal(s$share1[2], 100 * 48 / 74)
  expect_identical(sensitive(mg, rule_max_share(50))$sdcStatus, c("u", "u"))
})

test_that("property: at the limit a cell is not sensitive", {
  one <- function(v, rules) {
    sensitive(magnitude_table(data.frame(a = 1, v = v), "a", "v"), rules)$sdcStatus
  }
  expect_identical(one(c(50, 30, 20), rule_max_share(50)), "s")
  expect_identical(one(c(51, 30, 20), rule_max_share(50)), "u")
  expect_identical(one(c(50, 30, 20), rule_nk(2, 80)), "s")
  expect_identical(one(c(50, 30, 20), rule_nk(2, 79.999999)), "u")
  expect_identical(one(c(100, 50, 10), rule_p_percent(10)), "s")
  expect_identical(one(c(100, 50, 9), rule_p_percent(10)), "u")
  expect_identical(one(c(1, 1, 1), rule_threshold(3)), "s")
  expect_identical(one(c(1, 1), rule_threshold(3)), "u")
  expect_identical(one(c(0, 0, 0), c(rule_max_share(50), rule_p_percent(10))), "s")
  expect_identical(one(c(5, 0, 0), rule_threshold(3)), "s")
  expect_identical(one(c(5, 0, 0), rule_p_percent(1)), "u")
  # near 2^53, where products need 128 bits
  expect_identical(one(c(2^51, 2^51), rule_max_share(50)), "s")
  expect_identical(one(c(2^51 + 1, 2^51), rule_max_share(50)), "u")
})

test_that("oracle: rules agree with their slow twins, and cells with too few contributors fire", {
  set.seed(1)
  for (i in seq_len(rounds(20, 40))) {
    mg <- magnitude_table(random_firms(20, 1:7, zeros = .15), "a", "v")
    rules <- c(rule_threshold(sample(4, 1)), rule_max_share(sample(20:95, 1)),
               rule_nk(sample(4, 1), sample(30:99, 1)), rule_p_percent(sample(c(5, 25, 150), 1)))
    s <- sensitive(mg, rules)
    values <- cell_values(mg)
    expect_identical(s$sdcStatus == "u", vapply(unname(values), twin_sensitive, NA, rules))
    positive <- vapply(values, function(v) sum(v > 0), 0L)
    few <- s$total > 0 & positive < max(as.data.frame(rules)$contributors_needed[-1])
    expect_true(all(s$sdcStatus[few] == "u"))
    expect_true(all(s$needed[few] > 0))
  }
})

test_that("oracle: the upper protection level just ends the rules of dominance", {
  set.seed(2)
  mg <- magnitude_table(random_firms(60, 3:7), "a", "v")
  values <- cell_values(mg)
  for (rules in list(rule_p_percent(15), rule_nk(2, 80), c(rule_max_share(60), rule_nk(3, 90)))) {
    s <- sensitive(mg, rules)
    fires_at <- function(values, more) {
      # the rest grows by nobody's value that counts among the largest
      any(mapply(function(kind, n, percent) {
        v <- sort(values, decreasing = TRUE)
        total <- sum(v) + more
        if (kind == "nk") 100 * sum(head(v, n)) > percent / 1e6 * total
        else 100 * (total - v[1] - v[2]) < percent / 1e6 * v[1]
      }, rules$kind, rules$n, rules$percent))
    }
    at <- which(s$sdcStatus == "u")
    expect_gt(length(at), 5)
    for (c in at) {
      expect_false(fires_at(values[[c]], s$upper[c]))
      expect_true(fires_at(values[[c]], s$upper[c] - 1))
    }
  }
})

test_that("property: rules combine, and repeat nothing", {
  rules <- c(rule_threshold(3), rule_p_percent(10), rule_threshold(3))
  expect_length(rules, 2)
  expect_identical(rule_np(4, 60), c(rule_threshold(4), rule_max_share(60)))
  expect_identical(as.data.frame(c(rule_max_share(30), rule_nk(3, 60), rule_p_percent(150)))[[4]],
                   c(4, 5, 4))
  mg <- magnitude_table(random_firms(5), "a", "v")
  expect_error(sensitive(mg, "p"), class = "sdc_error_input")
  expect_error(sensitive(mg), class = "sdc_error_input")
  expect_error(c(rule_threshold(3), 4), class = "sdc_error_input")
})

test_that("snapshot: rules and their errors", {
  expect_snapshot(c(rule_threshold(3), rule_max_share(90), rule_nk(2, 85.5), rule_p_percent(10)))
  expect_snapshot(error = TRUE, {
    rule_max_share(0.9)
    rule_nk(2, 101)
    rule_nk(0, 80)
    rule_nk(2)
    rule_p_percent()
    rule_p_percent(NA)
    rule_p_percent(12.3456789)
    rule_threshold(2.5)
  })
})

test_that("property: some columns of a judgement say nothing of the number of sensitive cells", {
  judged <- sensitive(magnitude_table(data.frame(a = 1, v = c(9, 1)), "a", "v"), rule_threshold(3))
  expect_match(format(judged), "1 sensitive cell of 1$")
  expect_match(format(judged[c("count", "total")]), "CONFIDENTIAL: 1 cell$")
})
