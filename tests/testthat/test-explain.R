test_that("property: the moves of a cell are its change", {
  set.seed(8)
  for (rule in c("blocked", "nonnegative")) {
    x <- as_sdc_table(matrix(rpois(30, 4), 5))
    for (set in list(cycles_banded(x, seed = 3), cycles_bidiagonal(x))) {
      pe <- perturb(x, mechanism(set, covers = 2, zero_rule = rule), seed = 5, insist = TRUE)
      change <- as.vector(as.table(pe$published) - as.table(x))
      moved <- vapply(1:30, function(at) sum(moves_of_cell(pe, at)), 0)
      expect_equal(moved, change)
    }
  }
})

test_that("snapshot: explanations", {
  release <- margins(roehrig, list("row", "column"))
  ro <- round_controlled(roehrig, base = 3, seed = 1)
  pe <- perturb(roehrig, mechanism(cycles_banded(roehrig, seed = 11), covers = 2), seed = 1,
                insist = TRUE)
  expect_snapshot({
    explain(release, 2)
    explain(bounds_margins(release), data.frame(row = 2, column = 4))
    explain(constraints(release), matrix(c(1, 2), 1))
    explain(estimate_table(release), 5)
    explain(ro, 3)
    explain(ro, 2)
    explain(round_controlled(roehrig, 3, "nearest"), 2)
    explain(publish(ro, insist = TRUE), 5)
    explain(posterior_rounding(publish(ro, insist = TRUE), reader = "intervals"), 2)
    explain(pe, 1)
    explain(publish(pe, insist = TRUE), 1)
    explain(posterior(publish(pe, insist = TRUE)), 1)
  })
})

test_that("property: sets that skip zeros are explained without a list of steps", {
  x <- as_sdc_table(matrix(c(0, 3, 1, 0, 2, 5, 1, 0, 4, 2, 0, 3), 4))
  pe <- perturb(x, mechanism(cycles_banded(x, seed = 3, skip_zeros = TRUE)), seed = 5,
                insist = TRUE)
  expect_match(as.character(explain(pe, 2))[2], "reach over zeros")
})

test_that("property: private explanations say so, public ones do not", {
  ro <- round_controlled(roehrig, base = 3, seed = 1)
  expect_true(explain(ro, 1)$private)
  expect_false(explain(publish(ro, insist = TRUE), 1)$private)
  expect_type(as.character(explain(ro, 1)), "character")
})

test_that("property: explanations of rounding name what happened", {
  words <- function(x, at) paste(as.character(explain(x, at)), collapse = " ")
  no_way <- array(0, c(2, 2, 2))
  no_way[cbind(c(1, 1, 2, 2), c(1, 2, 1, 2), c(1, 2, 2, 1))] <- 1
  ro <- suppressWarnings(round_controlled(sdc_table(no_way), 2, "nearest", violation = "least"))
  skip_if_not_installed("lpSolve")
  said <- vapply(1:8, function(at) words(ro, at), "")
  n <- as.vector(no_way)
  shown <- as.vector(as.table(ro))
  expect_match(said[n %% 2 == 0 & shown == n], "is a multiple", all = TRUE)
  outside <- n %% 2 == 0 & shown != n
  if (any(outside)) expect_match(said[outside], "breaks the restriction", all = TRUE)
})

test_that("snapshot: bad input of explain()", {
  release <- margins(roehrig, list("row", "column"))
  expect_snapshot(error = TRUE, {
    explain()
    explain(3, 1)
    explain(release, 1:2)
    explain(release, 17)
    explain(release, data.frame(row = 9, column = 1))
    explain(bounds_margins(release, cells = 1:3), 5)
    explain(release, 1, 2)
  })
})

test_that("snapshot: explanations of suppressed cells", {
  hidden <- roehrig < 0
  hidden[c(1, 4), c(2, 4)] <- TRUE
  su <- suppress(roehrig, maxN = 1, pattern = hidden)
  expect_snapshot({
    explain(su, 5)
    explain(su, data.frame(row = "4", column = "2"))
    explain(su, 1)
    explain(su, data.frame(row = "1", column = "Total"))
    explain(publish(su, insist = TRUE), 5)
    explain(publish(su, insist = TRUE), 1)
  })
  expect_true(explain(su, 1)$private)
  expect_false(explain(publish(su, insist = TRUE), 5)$private)
  alone <- suppress(matrix(c(1, 5, 6, 7), 2), maxN = 1, pattern = matrix(c(TRUE, FALSE, FALSE, FALSE), 2))
  expect_match(as.character(explain(alone, 1)), "given away", all = FALSE)
})

test_that("property: what explain() says of a suppressed cell is what bounds say", {
  set.seed(3)
  for (trial in seq_len(rounds(10, 20))) {
    x <- as_sdc_table(matrix(rpois(12, 3), 3))
    hidden <- matrix(runif(12) < .5, 3)
    pub <- publish(suppress(x, maxN = 1, pattern = hidden, audit = FALSE), insist = TRUE)
    at <- which(hidden)[1]
    if (is.na(at)) next
    b <- bounds_margins(constraints(pub), cells = at)
    expect_match(paste(as.character(explain(pub, at)), collapse = " "),
                 paste0("leave it ", interval_words(b$lower, b$upper), "."), fixed = TRUE)
  }
})

test_that("snapshot: explanations of maps", {
  map <- hex_table(data.frame(q = c(0:4, 40), r = 0, n = c(2, 5, 1, 7, 3, 1)), c("q", "r"), "n")
  h <- redistribute(map, 3)
  expect_snapshot({
    explain(h, 1)
    explain(h, 4)
    explain(h, 5)
    explain(h, 6)
    explain(publish(h), data.frame(q = 2, r = 0))
  })
  expect_snapshot(error = TRUE, {
    explain(h, 9)
    explain(h, data.frame(q = 9, r = 0))
    explain(publish(h), 6)
  })
})

test_that("snapshot: explanations of magnitudes", {
  skip_if_not_installed("lpSolve")
  firms <- data.frame(cell = rep(c("a", "b", "c"), c(3, 4, 2)),
                      v = c(132, 99, 12, 40, 30, 20, 9, 5, 4))
  mg <- magnitude_table(firms, "cell", "v")
  rules <- c(rule_p_percent(10), rule_threshold(3))
  judged <- sensitive(mg, rules)
  least <- redistribute(mg, rule_p_percent(10), seed = 1)
  steps <- redistribute(mg, rules, method = "iterative")
  expect_snapshot({
    explain(judged, 1)
    explain(judged, data.frame(cell = "c"))
    explain(judged, 2)
    explain(least, 1)
    explain(steps, 3)
    explain(publish(least, insist = TRUE), data.frame(cell = "a"))
  })
  expect_snapshot(explain(judged, 4), error = TRUE)
})

test_that("property: explanations say no more than is so", {
  me <- mechanism(cycles_banded(roehrig, seed = 11), alpha = .5)
  pub <- publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE)
  zero <- which(as.vector(as.table(pub$table)) == 0)
  said <- vapply(seq_len(16), function(at) paste(as.character(explain(pub, at)), collapse = " "),
                 "")
  expect_no_match(said, "no reader can know more|zero before")
  drawn <- posterior(pub, method = "montecarlo", draws = 100, seed = 1)
  expect_match(as.character(explain(drawn, 1)), "come from 100 draws", all = FALSE)
  large <- margins(matrix(c(99998, 199999, 2, 4e12), 2), list("Var1", "Var2"))
  expect_match(as.character(explain(large, 1)), "100,000", all = FALSE)
  expect_match(as.character(explain(large, 4)), "4,000,000,000,002", all = FALSE)
  alone <- as.character(explain(margins(roehrig, list("row")), 1))
  expect_match(alone[1], "exactly 20, because margin [row] shows 20 at row = 1.", fixed = TRUE)
  tie <- round_controlled(matrix(1, 2, 2), 2, "nearest")
  expect_match(as.character(explain(tie, 1)), "equally near", all = FALSE)
  tree <- data.frame(parent = c("all", "all", "N", "N", "S", "S"),
                     child = c("N", "S", letters[1:4]))
  y <- as.table(matrix(c(5, 1, 9, 2, 7, 8, 10, 12), 4,
                       dimnames = list(reg = letters[1:4], sex = c("m", "f"))))
  hidden <- matrix(FALSE, 4, 2)
  hidden[1:2, ] <- TRUE
  su <- suppress(y, 1, pattern = hidden, hierarchies = list(reg = tree))
  expect_match(as.character(explain(su, 2)), "The total of reg N is 6", all = FALSE)
  shown <- suppress(y, 2, pattern = hidden, audit = FALSE)
  expect_match(as.character(explain(shown, 4)), "PUBLISHED", all = FALSE)
})

test_that("property: rules with a comma in their label are explained", {
  mg <- magnitude_table(data.frame(A = "a", v = c(80, 15, 4, 3)), "A", "v")
  judged <- sensitive(mg, c(rule_nk(2, 85), rule_threshold(3)))
  said <- as.character(explain(judged, 1))
  expect_match(said, "Sensitive by nk(2, 85)", fixed = TRUE, all = FALSE)
  expect_no_match(said, "No rule fires")
})

test_that("property: suppressed magnitudes are explained", {
  skip_if_not_installed("lpSolve")
  set.seed(1)
  firms <- data.frame(A = rep(c("a", "b", "c"), 12), B = rep(1:2, each = 18),
                      v = c(round(rlnorm(36, 3)) + 1))
  firms$v[1] <- 900
  mg <- magnitude_table(firms, c("A", "B"), "v")
  hidden <- data.frame(A = c("a", "b", "a", "b"), B = c("1", "1", "2", "2"), suppressed = TRUE)
  su <- suppress(mg, rule_p_percent(20), pattern = hidden)
  said <- as.character(explain(su, data.frame(A = "a", B = "1")))
  expect_match(said, "Sensitive by p_percent", all = FALSE)
  expect_match(said, "The published totals leave it from", all = FALSE)
  expect_match(as.character(explain(su, data.frame(A = "c", B = "1"))), "Published", all = FALSE)
  expect_match(as.character(explain(su, data.frame(A = "b", B = "2"))), "Secondary", all = FALSE)
  expect_true(explain(su, 1)$private)
})

test_that("property: the structure of private objects shows no counts", {
  objects <- list(
    round_controlled(roehrig, 3, seed = 1),
    perturb(roehrig, mechanism(cycles_banded(roehrig, seed = 11)), seed = 1, insist = TRUE),
    hex_table(data.frame(q = 0:1, r = 0, n = c(5, 2)), c("q", "r"), "n"),
    magnitude_table(data.frame(A = 1, v = 77), "A", "v")
  )
  for (x in objects) expect_output(str(x), "PRIVATE")
})

test_that("property: a list or vector of labels names a cell as a frame does", {
  cell <- list(row = "2", column = "4")
  hidden <- roehrig < 0
  hidden[c(1, 4), c(2, 4)] <- TRUE
  su <- suppress(roehrig, 1, pattern = hidden)
  firms <- data.frame(row = rep(1:2, each = 8), column = 1:4, value = 1:16)
  mg <- magnitude_table(firms, c("row", "column"), "value")
  of_units <- suppress(mg, rule_p_percent(10), pattern = matrix(TRUE, 2, 4), audit = FALSE)
  results <- list(
    margins(roehrig, list("row", "column")), su, publish(su, insist = TRUE), of_units,
    publish(of_units, insist = TRUE), round_controlled(roehrig, base = 3, seed = 1),
    sensitive(mg, rule_p_percent(10))
  )
  for (x in results) {
    expected <- explain(x, data.frame(row = "2", column = "4"))
    expect_identical(explain(x, cell), expected)
    expect_identical(explain(x, rev(cell)), expected)
    expect_identical(explain(x, unlist(cell)), expected)
    for (bad in list(list(), list("2", "4"), list(row = "2"), list(row = "9", column = "4"),
                     list(row = c("1", "2"), column = "4"))) {
      expect_error(explain(x, bad), class = "sdc_error_input")
    }
  }
  total <- list(row = "Total", column = "4")
  expect_match(as.character(explain(publish(su, insist = TRUE), total)), "Published as 20")
})

test_that("property: what would mend a sensitive cell is said without contradiction", {
  mg <- magnitude_table(data.frame(a = c("x", "x", "y", "y", "y", "z"), v = c(9, 1, 90, 3, 2, 0)),
                        "a", "v")
  few <- as.character(explain(sensitive(mg, rule_threshold(4)), list(a = "y")))
  expect_match(few, "1 contributor too few", all = FALSE)
  expect_no_match(few, "published at")
  both <- as.character(explain(sensitive(mg, c(rule_threshold(4), rule_p_percent(20))),
                               list(a = "x")))
  expect_match(both, "2 contributors too few", all = FALSE)
  expect_match(both, "withheld, or another total", all = FALSE)
  expect_no_match(both, "would keep")
  near <- as.character(explain(sensitive(mg, rule_p_percent(20)), list(a = "y")))
  expect_match(near, "would keep the largest contributor safe", all = FALSE)
  expect_no_match(near, "too few")
  none <- as.character(explain(sensitive(mg, rule_threshold(2)), list(a = "z")))
  expect_no_match(none, "NA")
})
