# Small counts of a table.

test_that("oracle: the sensitive cells of a table are those that are found one by one", {
  withr::local_seed(92)
  for (threshold in c(2, 3, 5)) {
    x <- plain_table(rpois(24, 2), c(2, 3, 4))
    found <- sensitive(x, threshold)
    by_hand <- as.data.frame(as.table(unclass(x)), responseName = "freq")
    by_hand <- by_hand[by_hand$freq > 0 & by_hand$freq < threshold, ]
    expect_identical(names(found), c(names(dimnames(x)), "freq"))
    expect_equal(found$freq, by_hand$freq)
    expect_equal(lapply(found[1:3], as.character), lapply(by_hand[1:3], as.character))
    expect_identical(sensitive(sdc_table(x), threshold), found)
  }
})

test_that("property: a table without small counts has no sensitive cell", {
  expect_identical(nrow(sensitive(plain_table(c(0, 3, 9, 4), c(2, 2)))), 0L)
  expect_identical(nrow(sensitive(plain_table(c(0, 0, 0, 0), c(2, 2)))), 0L)
})

test_that("property: a variable with the name of the counts gets advice that can be followed", {
  e <- expect_error(sensitive(table(freq = 1:2, b = 1:2)), class = "sdc_error_input")
  expect_match(conditionMessage(e), "Give it another name", fixed = TRUE)
  expect_no_match(conditionMessage(e), "responseName")
})

test_that("snapshot: errors of small counts", {
  expect_snapshot(error = TRUE, {
    sensitive(sdc_table(roehrig), 1)
    sensitive(sdc_table(roehrig), 3, zeros = TRUE)
    sensitive("a")
  })
})
