# What people learn who are in a cell: from posteriors and intervals of those who also know that its
# count is at least 1.

test_that("oracle: the posterior of a person in a cell is that of a prior of at least 1", {
  small <- as_sdc_table(matrix(c(4, 1, 2, 6, 3, 5, 7, 2, 1), 3, dimnames = list(a = 1:3, b = 1:3)))
  me <- mechanism(cycles_margin(small), alpha = .25, beta = .25, zero_rule = "nonnegative")
  published <- publish(perturb(small, me, seed = 2, insist = TRUE), insist = TRUE)
  people <- people_of_laws(posterior(published))
  expect_true(any(people$zero > 0))
  for (cell in 1:9) {
    own <- as.data.frame(posterior(published, prior_at_least(1, cells = cell)), cells = cell)
    own <- own[own$probability > 0, ]
    expect_equal(people$best[cell], max(own$probability))
    expect_equal(people$alone[cell], sum(own$probability[own$value == 1]))
    expect_identical(people$known[cell], nrow(own) == 1L)
  }
  all <- as.data.frame(summary(posterior(published)))
  expect_equal(people$best_outside, all$p_mode)
})

test_that("oracle: the interval of the others in a rounded cell is that of all such tables", {
  small <- as_sdc_table(matrix(c(1, 2, 0, 2), 2, dimnames = list(a = 1:2, b = 1:2)))
  done <- protect(small, plan = "rounding")
  known <- reader_intervals(done$published)
  tables <- matrix(enumerate_tables(constraints(done$published)), 4)
  truth <- truth_of(known, before_after(done$protected))
  there <- which(truth > 0)
  ends <- vapply(there, function(cell) range(tables[cell, tables[cell, ] >= 1]), c(0, 0))
  words <- people_interval_words(known, truth)
  expect_match(words[1], paste0("In ", sum(known$lower[there] < 1), " of 3 cells|Outsiders know"))
  expect_match(words[2], paste("exactly in", sum(ends[1, ] == ends[2, ]), "of 3 cells"))
  expect_match(words[3], paste("least", format_mean(mean(ends[1, ] - 1)), "and at most",
                               format_mean(mean(ends[2, ] - 1))), fixed = TRUE)
})

test_that("property: reports say it of all plans for counts, on the private page alone", {
  set.seed(2)
  people <- data.frame(region = sample(c("N", "S", "W"), 80, TRUE),
                       trade = sample(c("A", "B", "C"), 80, TRUE),
                       size = sample(c("s", "m", "l"), 80, TRUE, c(.7, .2, .1)))
  sets <- list(c("region", "trade"), c("region", "size"))
  for (plan in list("rounding", insisting_plan())) {
    for (done in list(protect(roehrig, plan = plan), protect(people, dimVar = sets, plan = plan))) {
      pages <- vapply(c("private", "public"), function(audience) {
        page <- write_report(done, withr::local_tempdir(), audience = audience, overwrite = TRUE)
        paste(readLines(page), collapse = "\n")
      }, "")
      expect_match(pages[1], "<h2>What single contributors learn</h2>", fixed = TRUE)
      expect_match(pages[1], "People who are in a cell know its count exactly in [0-9]+ of [0-9]+")
      expect_false(grepl("single contributors|People who are", pages[2]))
    }
  }
  # the print is for small tables, and for what takes no time
  expect_output(print(protect(roehrig, plan = "rounding")), "in 0 of 16 cells with people")
  expect_output(print(done), "hidden and [0-9]+ are changed.\n  In R:")
})

test_that("property: where outsiders know that nobody is missing, people learn no more", {
  known <- list(lower = c(2, 1, 5), upper = c(4, 1, 7))
  words <- people_interval_words(known, c(3, 1, 6))
  expect_match(words[1], "people learn no more than outsiders")
  expect_match(words[2], "exactly in 1 of 3 cells with people, and outsiders in 1")
  expect_match(words[4], "1 person is alone in a cell; 1 can be sure of it")
  expect_identical(people_interval_words(known, c(0, 0, 0)), "There is nobody in the cells.")
  laws <- list(zero = c(0, 0), alone = c(1, 0), best_outside = c(1, .5), best = c(1, .5),
               known_outside = c(TRUE, FALSE), known = c(TRUE, FALSE))
  words <- people_law_words(laws, c(1, 9))
  expect_match(words[1], "people learn no more than outsiders")
  expect_match(words[4], "1 person is alone in a cell. .* mean probability of 100%; 1 can be sure")
})
