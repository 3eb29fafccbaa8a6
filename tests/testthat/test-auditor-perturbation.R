# Perturbed counts, judged by the program in inst/checker, which lists all tables that a publication may
# come from: what is claimed of a design is true, and perturb() takes none that publishes certainty.

test_that("oracle: the shares of risk_utility() are those of all publications and all their origins", {
  set.seed(501)
  drawn <- draw_perturbed(rounds(12, 400))
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
  drawn <- Filter(function(one) !one$refused, draw_perturbed(rounds(40, 400)))
  plain <- run_auditor(lapply(drawn, function(one) {
    case_of_perturbation(one$counts, one$pub, one$me, limits = c(certain_small = .01, insider_cell = 1))
  }), explain = TRUE)
  safe <- vapply(plain, `[[`, "", "verdict") == "safe"
  drawn <- drawn[safe]
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
  # of another mechanism the share is another
  said <- unlist(lapply(plain[safe], `[[`, "said"))
  claims <- as.numeric(sub("safe insider_cell ", "", grep("insider_cell", said, value = TRUE)))
  uncertain <- claims > 0 & claims < 1
  other <- vapply(run_auditor(Map(function(one, claim) {
    one$me$alpha <- one$me$beta <- .45
    case_of_perturbation(one$counts, one$pub, one$me, c(insider_cell = claim))
  }, drawn, claims)), `[[`, "", "verdict")
  expect_gt(sum(uncertain), 0)
  expect_true(all(other[uncertain] == "wrong"))
})

test_that("property: no edit of a private perturbation is published that the table does not lead to", {
  set.seed(504)
  with_mechanism <- function(pe, field, value) replace(pe, "mechanism", list(replace(pe$mechanism, field, list(value))))
  refused <- character()
  passed <- list()
  for (k in seq_len(rounds(4, 100))) {
    two <- lapply(1:2, function(i) {
      one <- c(draw_design(), seed = i)
      one$pe <- perturb(one$x, one$me, seed = 1, insist = TRUE)
      one
    })
    changed <- function(x) table_from_dense(dense_counts(x) + (seq_along(dense_counts(x)) == 1), dimnames(x))
    edits <- list(
      published = function(pe) replace(pe, "published", list(changed(pe$published))),
      original = function(pe) replace(pe, "original", list(changed(pe$original))),
      coefficients = function(pe) replace(pe, "coefficients", list(replace(pe$coefficients, 1, 2))),
      chances = function(pe) with_mechanism(pe, "alpha", 1 - pe$mechanism$beta),
      rule = function(pe) with_mechanism(pe, "zero_rule", "none"),
      whole = function(pe) two[[2]]$pe,
      attributes = function(pe) structure(pe, truth = pe$original)
    )
    for (name in names(edits)) {
      edited <- edits[[name]](two[[1]]$pe)
      sealed <- tryCatch(replace(edited, "seal", list(seal_of("perturbation", perturbation_parts(edited)))),
                         error = function(cnd) edited)
      # that other chances were in use is known to nobody without the key
      for (pe in if (name == "chances") list(edited) else list(edited, sealed)) {
        pub <- tryCatch(publish(pe, insist = TRUE), sdc_error = function(cnd) NULL)
        if (is.null(pub)) refused <- c(refused, name) else {
          one <- two[[if (name == "whole") 2 else 1]]
          one$name <- name
          one$me <- pub$mechanism
          passed <- c(passed, list(replace(one, "pub", list(pub))))
        }
      }
    }
  }
  expect_true(all(c("published", "original", "coefficients", "chances", "rule") %in% refused))
  said <- vapply(passed, `[[`, "", "name")
  expect_true(all(c("whole", "attributes") %in% said))
  found <- run_auditor(lapply(passed, function(one) {
    case_of_perturbation(one$counts, as.vector(as.array(one$pub$table)), one$me, limits = NULL)
  }))
  verdicts <- vapply(found, `[[`, "", "verdict")
  expect_true(all(verdicts %in% c("safe", "undecided")), info = paste(said, verdicts, collapse = "\n"))
  # nothing private comes along
  for (one in passed) expect_identical(names(attributes(one$pub)), c("names", "class"))
})
