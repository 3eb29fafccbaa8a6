# The first call: what it finds, what it proposes, and that a plan does what its lines of R do.

test_that("oracle: risks are the numbers of small counts, of single people and of groups of one kind", {
  set.seed(3)
  for (k in 1:10) {
    counts <- array(rpois(24, .8), c(a = 2, b = 3, c = 4),
                    list(a = 1:2, b = 1:3, c = 1:4))
    if (sum(counts) == 0) next
    risks <- risks_of(as_sdc_table(as.table(counts)), maxN = 2)
    all <- stats::addmargins(counts)
    expect_identical(risks$n[1], as.numeric(sum(all %in% 1:2)))
    expect_identical(risks$n[2], as.numeric(sum(all == 1)))
    kinds <- lapply(1:3, function(v) apply(counts, setdiff(1:3, v), function(line) sum(line > 0)))
    expect_identical(risks$n[3], as.numeric(sum(unlist(kinds) == 1)))
    expect_identical(risks$of[3], as.numeric(sum(unlist(kinds) > 0)))
  }
})

test_that("oracle: figures are those of compare_methods(), and the rule of choice is the stated one", {
  proposal <- protect(roehrig, replicates = 2, seed = 5)
  found <- summary(compare_methods(
    roehrig, list(method_suppression(2, label = "suppression"),
                  method_rounding(3, label = "rounding")),
    replicates = 2, seed = 5
  ))
  # test-guide-design.R has the figures of perturbation
  f <- proposal$figures[1:2, ]
  row <- function(name) unlist(found[found$measure == name, f$plan], use.names = FALSE)
  expect_equal(f$guess, row("guess_small"))
  expect_equal(f$known, row("known_small"))
  expect_equal(f$loss, row("hellinger"))
  fine <- f$known == 0 & f$guess <= .8
  expect_true(any(fine))
  expect_identical(proposal$proposed, f$plan[fine][which.min(f$loss[fine])])
  strict <- protect(roehrig, replicates = 1, seed = 5, guess = 0)
  expect_match(strict$reason, "no plan is acceptable")
})

test_that("oracle: a plan does what its lines of R do", {
  done <- protect(roehrig, plan = "suppression")
  room <- environment()
  for (line in done$code) eval(parse(text = line), room)
  expect_identical(done$published, room$published)
  again <- protect(roehrig, plan = done$plan)
  expect_identical(again$published, done$published)
  expect_identical(protect(protect(roehrig, replicates = 1), plan = "suppression")$published,
                   done$published)
})

test_that("property: every plan of every kind of table is carried out, with the cells before and after", {
  mg <- magnitude_table(town_firms, c("county", "sector"), "turnover", "firm")
  map <- hex_table(data.frame(q = 0:4, r = 0, n = c(7, 1, 2, 4, 6)), c("q", "r"), freqVar = "n")
  three <- as_sdc_table(array(c(3, 0, 5, 2, 4, 6, 1, 7), c(a = 2, b = 2, c = 2)))
  for (x in list(three, mg, map)) {
    rules <- rule_threshold(3)
    plans <- plans_for(x, maxN = 2, rules = rules)
    for (name in setdiff(names(plans), if (identical(x, three)) "perturbation")) {
      done <- protect(x, plan = plans[[name]])
      cells <- as.data.frame(done)
      expect_false(anyNA(cells$original))
      expect_identical(sum(cells$original[!cells$total]),
                       if (identical(x, mg)) sum(town_firms$turnover) else if (identical(x, map)) 20 else 28)
      expect_output(print(done), "published")
    }
  }
})

test_that("property: the cells before are those of the table, with its totals", {
  x <- sdc_table(town_firms, c("county", "sector"))
  for (plan in c("suppression", "rounding")) {
    cells <- as.data.frame(protect(x, plan = plan))
    all <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    at <- match(paste(cells$county, cells$sector), paste(all$county, all$sector))
    expect_identical(cells$original, all$freq[at])
    expect_identical(sum(cells$original[!cells$total]), sum(x))
  }
})

test_that("property: microdata go to the function that makes their table", {
  counts <- protect(town_firms, c("county", "sector"), plan = "suppression")
  expect_identical(counts$published,
                   protect(sdc_table(town_firms, c("county", "sector")),
                           plan = "suppression")$published)
  sums <- protect(town_firms, c("county", "sector"), numVar = "turnover", contributorVar = "firm",
                  rules = rule_threshold(2))
  expect_match(sums$code$suppression[1],
               "x <- magnitude_table(town_firms, c(\"county\", \"sector\"), numVar = \"turnover\"",
               fixed = TRUE)
  expect_match(sums$code$suppression[2], "rules <- rule_threshold(2)", fixed = TRUE)
})

test_that("property: a plan whose settings hold other code is refused", {
  plan <- protect(roehrig, plan = "suppression")$plan
  plan$settings$maxN <- quote(stop("run"))
  expect_error(protect(roehrig, plan = plan), "settings", class = "sdc_error_input")
  plan$settings <- list(other = 1)
  expect_error(protect(roehrig, plan = plan), "settings", class = "sdc_error_input")
})

test_that("property: what was edited by hand, and tables without a plan, are errors of the package", {
  done <- protect(roehrig, plan = "suppression")
  for (field in c("plan", "protected")) {
    for (value in list(NULL, NA, "x", list())) {
      edited <- done
      edited[field] <- list(value)
      expect_error(print(edited), class = "sdc_error_input")
      expect_error(write_report(edited, tempfile()), class = "sdc_error_input")
    }
  }
  proposal <- protect(roehrig, measured_cells = 0)
  show <- list(print, as.data.frame, summary, function(x) protect(x, plan = "suppression"))
  for (field in c("table", "risks", "figures", "plans", "reason", "code")) {
    edited <- proposal
    edited[field] <- list(NULL)
    for (f in show[if (field == "figures") 1:4 else 1]) {
      expect_error(f(edited), field, class = "sdc_error_input")
    }
  }
  weighted <- weighted_table(data.frame(a = 1:4, w = 1.5), "a", "w")
  expect_error(protect(weighted), "weighted", class = "sdc_error_input")
})

test_that("snapshot: prints and errors", {
  expect_snapshot(protect(roehrig, replicates = 2))
  expect_snapshot(protect(roehrig, plan = "suppression"))
  expect_snapshot(error = TRUE, {
    protect()
    protect("a")
    protect(roehrig, plan = "magic")
    protect(roehrig, plan = protect(town_firms, c("county", "sector"), numVar = "turnover",
                                    contributorVar = "firm", plan = "suppression")$plan)
    protect(roehrig, guess = 2)
    protect(roehrig, maxN = 0)
    protect(0 * roehrig)
  })
})

test_that("property: plans for a table that is too large are not carried out for a proposal", {
  local_mocked_bindings_store(tried_cells = 10, run_plan = function(...) stop("it was tried"))
  proposal <- protect(roehrig, measured_cells = 10)
  expect_true(all(is.na(proposal$figures$change)))
  expect_match(proposal$reason, "too large to try")
})
