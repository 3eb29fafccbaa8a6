# Perturbed counts, judged by the program in inst/checker, which lists all tables that a publication may
# come from: what is claimed of a design is true, and perturb() takes none that publishes certainty.

test_that("oracle: the shares of risk_utility() are those of all publications and all their origins", {
  set.seed(501)
  drawn <- draw_perturbed(rounds(20, 400))
  claims <- lapply(drawn, claimed_shares)
  found <- run_auditor(Map(function(one, claims) {
    case_of_perturbation(one$counts, one$pub, one$me, claims, limits = NULL)
  }, drawn, claims))
  verdicts <- vapply(found, `[[`, "", "verdict")
  expect_true(all(verdicts %in% c("safe", "undecided")))
  expect_gt(mean(verdicts == "safe"), .7)
  known <- unlist(claims[verdicts == "safe"])
  expect_true(any(known > 0 & known < 1))
  # another share is caught
  wrong <- run_auditor(Map(function(one, claims) {
    at <- sample.int(length(claims), 1)
    claims[at] <- abs(claims[at] - .01)
    case_of_perturbation(one$counts, one$pub, one$me, claims, limits = NULL)
  }, drawn, claims))
  said <- vapply(wrong, function(one) sum(grepl("^wrong claim", one$said)), 0)
  expect_true(all(said[verdicts == "safe"] == 1))
})

test_that("property: perturb() takes no design that makes small counts certain", {
  set.seed(502)
  drawn <- draw_perturbed(rounds(40, 1500))
  found <- run_auditor(lapply(drawn, function(one) case_of_perturbation(one$counts, one$pub, one$me)))
  verdicts <- vapply(found, `[[`, "", "verdict")
  refused <- vapply(drawn, `[[`, NA, "refused")
  expect_gt(mean(verdicts != "undecided"), .7)
  expect_false("open" %in% verdicts[!refused])
  # what is refused would have given counts away
  expect_true(all(verdicts[refused] %in% c("open", "undecided")))
  expect_true(any(verdicts[!refused] == "safe"))
})

test_that("property: other publications, designs and tables are caught, and counts that are told", {
  set.seed(503)
  exact <- function(one) !one$refused && "insider_cell" %in% names(claimed_shares(one))
  drawn <- Filter(exact, draw_perturbed(rounds(60, 400)))
  plain <- run_auditor(lapply(drawn, function(one) case_of_perturbation(one$counts, one$pub, one$me)))
  drawn <- drawn[vapply(plain, `[[`, "", "verdict") == "safe"]
  expect_gt(length(drawn), 5)
  verdicts <- function(edit) {
    vapply(run_auditor(lapply(drawn, edit)), `[[`, "", "verdict")
  }
  # one published count is another: some total that the cycles keep is wrong
  one_more <- function(x) x + (seq_along(x) == sample.int(length(x), 1))
  expect_true(all(verdicts(function(one) case_of_perturbation(one$counts, one_more(one$pub), one$me)) == "wrong"))
  expect_true(all(verdicts(function(one) case_of_perturbation(one_more(one$counts), one$pub, one$me)) == "wrong"))
  # a small count is told beside the publication
  told <- verdicts(function(one) {
    case_of_perturbation(one$counts, one$pub, one$me, told = which(one$counts %in% 1:2)[1])
  })
  expect_true(all(told == "open"))
  # of another mechanism the shares are others, or the promise is broken
  claims <- lapply(drawn, function(one) c(insider_cell = claimed_shares(one)[["insider_cell"]]))
  uncertain <- vapply(claims, function(claim) claim > 0 && claim < 1, NA)
  other <- vapply(run_auditor(Map(function(one, claims) {
    one$me$alpha <- one$me$beta <- .45
    case_of_perturbation(one$counts, one$pub, one$me, claims)
  }, drawn, claims)), `[[`, "", "verdict")
  expect_gt(sum(uncertain), 0)
  expect_true(all(other[uncertain] == "wrong"))
})
