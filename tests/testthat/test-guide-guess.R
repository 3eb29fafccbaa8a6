# What an intruder guesses who has several tables: by all tables that agree with them together.

few_people <- data.frame(a = rep(c("x", "y", "z"), c(1, 2, 5)), b = rep(c("p", "q"), 4))

# By all tables of 6 cells that agree: for each small published cell the share of its likeliest
# value. Readers do not use here that a hidden count is no zero.
guesses_by_hand <- function(done) {
  cells <- as.data.frame(done)
  inner <- expand.grid(a = c("x", "y", "z"), b = c("p", "q"), stringsAsFactors = FALSE)
  held <- vapply(seq_len(nrow(cells)), function(i) {
    fits <- function(v) as.character(cells[[v]][i]) == "Total" | cells[[v]][i] == inner[[v]]
    as.numeric(fits("a") & fits("b"))
  }, numeric(6))
  sums <- as.matrix(expand.grid(rep(list(0:4), 6))) %*% held
  shown <- which(!is.na(cells$published))
  off <- abs(sweep(sums[, shown, drop = FALSE], 2, cells$published[shown]))
  agree <- rowSums(off) == 0
  small <- which(cells$original %in% 1:2)
  mean(vapply(small, function(i) max(table(sums[agree, i])) / sum(agree), 0))
}

test_that("oracle: the guess is by all tables that agree with what is published together", {
  proposal <- protect(few_people, dimVar = list("a", "b"))
  measured <- function(done) {
    linked_measures(proposal$table, before_after(done$protected), done$published,
                    list(maxN = 2, seconds = 5, seed = 1))
  }
  done <- protect(proposal, plan = "suppression")
  expect_true(anyNA(as.data.frame(done)$published))
  expect_equal(measured(done)$guess, guesses_by_hand(done))
  expect_match(proposal$reason, "An intruder's best guess of a small count is right")
})

both <- list(c("a", "b"), c("a", "c"))

test_that("oracle: perturbed tables are each guessed by their posterior", {
  set.seed(1)
  people <- data.frame(a = sample(c("x", "y", "z"), 90, TRUE),
                       b = sample(c("p", "q", "r"), 90, TRUE), c = sample(1:3, 90, TRUE, c(5, 5, 1)))
  x <- sdc_table(people, c("a", "b", "c"), formula = ~ a * b + a * c)
  done <- protect(x, plan = insisting_plan())
  found <- linked_measures(x, before_after(done$protected), done$published,
                           list(maxN = 4, seconds = 5, seed = 1))
  best <- lapply(done$published, function(one) summary(posterior(one))$cells$p_mode)
  small <- lapply(both, function(set) as.vector(table(people[set])) %in% 1:4)
  expect_gt(sum(unlist(small)), 0)
  expect_equal(found$guess, mean(unlist(Map(`[`, best, small))))
})

test_that("property: what is drawn, and what is a bound, lie as they must", {
  set.seed(2)
  people <- data.frame(a = sample(c("x", "y", "z"), 150, TRUE), c = sample(1:3, 150, TRUE),
                       b = sample(c("p", "q", "r"), 150, TRUE, c(5, 4, .2)))
  proposal <- protect(people, dimVar = both)
  figures <- proposal$figures
  expect_identical(figures$note[1], "")
  expect_identical(figures$note[2], at_least_note)
  expect_true(figures$guess[1] < 1 && figures$guess[1] > 0)
  expect_output(print(proposal), "probability at least")
  # rounded counts of 1 and 2 lie within 2 of what is shown
  expect_gte(figures$guess[2], 1 / 5)
})

test_that("oracle: totals that perturbation keeps are known", {
  x <- sdc_table(few_people, formula = ~ a + b)
  asked <- data.frame(a = c("x", "Total", "x", "Total"), b = c("Total", "p", "q", "Total"))
  expect_identical(is_exact_total(asked, x), c(TRUE, TRUE, NA, TRUE))
})

test_that("oracle: the plan is the first acceptable of those that leave fewest known", {
  figures <- new_figures(list(s = 1, r = 2, p = 3), known = c(0, 0, .5), guess = c(.9, .3, .1),
                         change = 1, hidden = 0, note = c("", at_least_note, ""))
  none <- new_risks("small counts", 3, 9, "")
  expect_identical(choose_linked_plan(figures, none, .8)$proposed, "r")
  expect_match(choose_linked_plan(figures, none, .8)$reason, "at least 30%")
  expect_identical(choose_linked_plan(figures, none, .95)$proposed, "s")
  expect_identical(choose_linked_plan(figures, none, .2)$proposed, "s")
  # what is only known to be "at least" comes after what is acceptable for certain
  figures$guess <- c(.3, .7, .1)
  figures$note <- c(at_least_note, "", "")
  expect_identical(choose_linked_plan(figures, none, .8)$proposed, "r")
  expect_identical(choose_linked_plan(figures[-2, ], none, .8)$proposed, "s")
  expect_match(choose_linked_plan(figures[-2, ], none, .8)$reason, "whether it is, was not measured")
  figures$guess <- NA_real_
  expect_match(choose_linked_plan(figures, none, .2)$reason, "was not measured")
})
