# What perturb() refuses because it would publish certainty.

share_certain <- function(x, me, publications = 200) {
  counts <- as.double(x)
  found <- cpp_certain_cells(counts, counts %in% 1:2, me, 1, publications, 1000, 1e9)
  found[["certain"]] / found[["seen"]]
}

test_that("oracle: the share of certain cells is that of all drawings and all originals", {
  set.seed(44)
  shares <- numeric()
  for (case in 1:24) {
    shape <- list(c(2, 3), c(2, 2), c(3, 2))[[case %% 3 + 1]]
    x <- random_table(shape[[1]], shape[[2]], 1.3)
    if (!any(x %in% 1:2)) next
    set <- if (case %% 2) cycles_bidiagonal(x) else cycles_banded(x, group = 2, seed = case)
    chances <- list(c(.25, .25), c(.4, .2), c(.5, .3))[[sample(3, 1)]]
    me <- mechanism(set, chances[[1]], chances[[2]],
                    zero_rule = sample(c("blocked", "nonnegative"), 1))
    if (length(twin_likelihood(matrix(as.double(x)), me)[[1]]) == 1) next
    targets <- which(as.vector(x) %in% 1:2)
    wanted <- twin_intruder(as.double(x), me, targets, .95, slice.index(x, 1))$certain[targets]
    shares <- c(shares, mean(wanted))
    expect_equal(share_certain(x, me, 1e5), mean(wanted))
  }
  expect_gt(sum(shares > 0 & shares < 1), 2)
  expect_gt(sum(shares == 0), 2)
})

test_that("oracle: sets that skip zeros, and coins that never stay, leave certain what risk_utility() says", {
  set.seed(45)
  shares <- vapply(1:8, function(case) {
    x <- random_table(if (case <= 6) 3 else 2, 4, 1.5)
    x[1] <- 1
    me <- if (case <= 6) {
      mechanism(cycles_banded(x, seed = case, skip_zeros = TRUE))
    } else {
      mechanism(cycles_banded(x, seed = case), alpha = .5, beta = .5, zero_rule = "nonnegative")
    }
    figures <- as.data.frame(summary(risk_utility(x, me, insider = FALSE)))
    figure <- figures[figures$figure == "certain_small", ]
    expect_identical(figure$method, "exact")
    expect_equal(share_certain(x, me, 1e5), figure$estimate)
    figure$estimate
  }, 0)
  expect_gt(sum(shares > 0 & shares < 1), 2)
})

test_that("property: simulated publications agree with all of them", {
  set.seed(46)
  for (case in 1:6) {
    x <- random_table(2, 6, 1.5)
    x[1] <- 1
    me <- mechanism(cycles_banded(x, seed = case))
    # a share near the exact one: four standard errors of at most .5 / sqrt(100)
    expect_lt(abs(share_certain(x, me, 100) - share_certain(x, me, 1e5)), .2)
  }
})

test_that("property: small cells on no cycle are certain, others are not in question", {
  x <- plain_table(matrix(c(1, 5, 5, 5, 5, 5, 2, 5, 5), 3))
  move <- matrix(0, 3, 3)
  move[1:2, 1:2] <- c(1, -1, -1, 1)
  me <- mechanism(cycles(list(move), x))
  expect_equal(share_certain(x, me), .5)
  expect_equal(judge_certainty(as.double(x + 5), me), c(certain = 0, given = 0))
})

test_that("property: a design is refused for all keys, and the one that is named passes for all", {
  set.seed(47)
  named <- 0
  for (case in 1:8) {
    x <- random_table(sample(4:8, 1), sample(4:6, 1), 2.5)
    me <- mechanism(cycles_banded(x, group = 2, seed = case), zero_rule = "nonnegative")
    refusals <- lapply(1:3, function(seed) {
      tryCatch(perturb(x, me, seed = seed, min_protection = 0), error = identity)
    })
    for (refusal in refusals) expect_s3_class(refusal, "sdc_error_refused")
    said <- unique(vapply(refusals, conditionMessage, ""))
    expect_length(said, 1)
    said <- gsub("[[:space:]]+", " ", cli::ansi_strip(said))
    expect_match(said, "gives [0-9.]+% away|would be known for certain")
    if (!grepl("This design would do", said)) next
    other <- eval(parse(text = sub(".*would do: `([^`]*)`.*", "\\1", said))[[1]])
    for (seed in 1:3) {
      expect_s3_class(perturb(x, other, seed = seed, min_protection = 0), "sdc_perturbation")
    }
    named <- named + 1
  }
  expect_gt(named, 4)
})

test_that("published: the rule for few zeros no longer publishes counts that are certain", {
  variables <- c("occupation", "age", "education", "salary")
  cells <- as.data.frame(table_margin(cps13, variables))
  cells <- cells[cells$education == "no high school diploma (incl. children)" &
                   cells$salary == "over 50000", ]
  sparse <- sdc_table(cells, dimVar = c("occupation", "age"), freqVar = "freq")
  for (seed in 1:12) {
    me <- mechanism(cycles_banded(sparse, seed = seed))
    expect_error(perturb(sparse, me, seed = 1), "may be known for certain",
                 class = "sdc_error_refused")
  }
  me <- mechanism(cycles_banded(sparse, seed = 3), zero_rule = "nonnegative")
  expect_s3_class(perturb(sparse, me, seed = 1), "sdc_perturbation")
})

test_that("snapshot: refusals of certainty", {
  x <- plain_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3, 4, 2, 1), 5))
  pairs <- mechanism(cycles_banded(x, group = 2, seed = 1))
  few <- plain_table(matrix(c(1, 2, 2, 5), 2))
  expect_snapshot(error = TRUE, {
    perturb(x, pairs)
    perturb(few, mechanism(cycles_bidiagonal(few)))
  })
  expect_s3_class(perturb(x, pairs, insist = TRUE), "sdc_perturbation")
})
