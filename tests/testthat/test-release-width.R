test_that("published: widths of all beginnings of the Czech table's list, in whole numbers", {
  curve <- utils::read.csv(test_path("fixtures/czech_greedy_curve.csv"))
  sets <- strsplit(curve$subtable_report_label, "")
  x <- sdc_table(czech_workers)
  found <- lapply(seq_along(sets), function(l) width(sets[seq_len(l)], x, risk_width(3)))
  expect_equal(vapply(found, function(w) w$outer, 0), curve$ip_width)
  expect_true(all(vapply(found, function(w) w$exact && w$inner == w$outer, NA)))
  narrower <- curve$shuttle_width > curve$ip_width
  expect_equal(sum(narrower), 23)
})

test_that("oracle: inner <= width <= outer on random tables, and both meet", {
  set.seed(81)
  for (case in seq_len(rounds(35, 70))) {
    dim <- list(c(2, 2), c(2, 3), c(2, 2, 2), c(3, 1, 2), c(2, 2, 1, 2))[[case %% 5 + 1]]
    x <- risky_table(dim, sample(3:8, 1))
    truth <- every_table(x)
    k <- length(dim)
    sets <- unique(replicate(sample(1:4, 1), sort(sample(k, sample(k, 1))), simplify = FALSE))
    w <- width(named_sets(x, sets), x, risk_width(1))
    expect_true(w$exact)
    expect_equal(w$inner, truth$width(sets))
    rough <- width(named_sets(x, sets), x, risk_width(1), max_cells = 1)
    expect_lte(rough$inner, truth$width(sets))
    expect_gte(rough$outer, truth$width(sets))
    stopped <- width(named_sets(x, sets), x, risk_width(1), time_limit_s = 0)
    expect_lte(stopped$inner, truth$width(sets))
    expect_gte(stopped$outer, truth$width(sets))
  }
})

test_that("oracle: the bounds of each cell at risk hold what bounds_margins() finds", {
  set.seed(82)
  for (case in seq_len(rounds(13, 25))) {
    x <- sdc_table(risky_table(c(2, 3, 2, 2), 60))
    sets <- named_sets(x, random_release(4))
    risk <- as.data.frame(x)[x$counts %in% 1:2, ]
    sharp <- bounds_frame(margins(x, sets), sdc_table(risk, freqVar = "freq"), method = "ip",
                          dimnames = dimnames(x))
    for (size in c(20000, 1)) {
      w <- width(margins(x, sets), x, risk_width(1), max_cells = size)
      found <- merge(as.data.frame(w), sharp, by = names(dimnames(x)))
      expect_true(all(found$lower.x <= found$lower.y & found$upper.x >= found$upper.y))
      expect_true(all(found$least >= found$lower.y & found$most <= found$upper.y))
      if (size > 1) expect_equal(w$inner, min(sharp$upper - sharp$lower))
    }
  }
})

test_that("oracle: decomposable releases of large tables come in closed form", {
  sets <- list(c("age", "education", "marital"), c("marital", "tax", "household"), "sex",
               c("tax", "employment"))
  time <- system.time(w <- width(sets, cps13, risk_width(3, at_risk = 1:3)))[["elapsed"]]
  expect_lt(time, 5)
  expect_equal(w$certificate, "closed form")
  at_risk <- as.data.frame(cps13)
  at_risk <- at_risk[at_risk$freq <= 3, names(at_risk) != "freq"]
  b <- bounds_frame(margins(cps13, sets), at_risk, method = "decomposable",
                    dimnames = dimnames(cps13))
  expect_equal(w$inner, min(b$upper - b$lower))
  expect_equal(w$outer, w$inner)
  expect_equal(length(w$cells$lower), 32445)
})

test_that("property: components glue: one open part among margins, and variables in no margin", {
  x <- sdc_table(czech_workers)
  ring <- list(c("A", "B"), c("B", "C"), c("C", "A"), c("C", "D"), "E")
  w <- width(ring, x, risk_width(3))
  expect_equal(c(w$components, w$open), c(4, 1))
  risk <- as.data.frame(x)[x$counts <= 2, ]
  b <- bounds_frame(margins(x, ring), risk[1:6], method = "ip", dimnames = dimnames(x))
  expect_equal(c(w$inner, w$outer), rep(min(b$upper - b$lower), 2))
  expect_equal(width(list(character()), x, risk_width(3))$inner, sum(x))
})

test_that("property: cells of interest may be named, and levels may be single or empty", {
  x <- sdc_table(czech_workers)
  cells <- as.data.frame(x)[c(5, 9), 1:6]
  w <- width(c("A:B", "B:C"), x, risk_width(1, cells = cells))
  expect_equal(nrow(as.data.frame(w)), 2)
  y <- lettered_table(c(1, 0, 4, 3, 0, 0), c(2, 3))
  expect_equal(width(list("A", "B"), y, risk_width(1))$inner, every_table(y)$width(list(1, 2)))
})

test_that("property: a walk meets what programmes find on middle-sized tables of large counts", {
  x <- margin(cps13, c("age", "workclass", "education", "marital", "tax"))
  three <- utils::combn(names(dimnames(x)), 3, simplify = FALSE)
  w <- width(three, x, risk_width(3, at_risk = 1:10), time_limit_s = 20)
  expect_gte(w$inner, 1)
  expect_lte(w$inner, w$outer)
  expect_false(w$stopped)
})

test_that("property: a release knows certificates of its own", {
  re <- release_exact(czech_workers, risk_width(6), among = "decomposable")
  re$width[["inner"]] <- 6
  re$sets <- utils::combn(6, 4, simplify = FALSE)
  # what is said of other sets counts for nothing
  expect_equal(width(re, max_cells = 1, time_limit_s = 0)$inner, 0)
  re$frontier <- set_labels(re$sets, re$problem$variables)
  w <- width(re, max_cells = 1, time_limit_s = 0)
  expect_equal(w$inner, 6)
  expect_equal(w$certificate, "certificates of the release")
  other <- width(re, risk = risk_width(1, at_risk = 1:5), max_cells = 1, time_limit_s = 0)
  expect_lt(other$inner, 6)
})

test_that("property: bad input is named", {
  x <- sdc_table(czech_workers)
  expect_error(width(), class = "sdc_error_input")
  expect_error(width("A:Z", x, risk_width(3)), "variables of the table", class = "sdc_error_input")
  expect_error(width("A:B", x), class = "sdc_error_input")
  expect_error(width("A:B", risk = risk_width(3)), class = "sdc_error_input")
  expect_error(width("A:B", x, risk_n(3)), class = "sdc_error_input")
  expect_error(width(3, x, risk_width(3)), class = "sdc_error_input")
  expect_error(width("A:B", x, risk_width(3), limit = 2), class = "sdc_error_input")
  expect_error(width("A:B", x, risk_width(3), time_limit_s = NA), class = "sdc_error_input")
  expect_error(width("A:B", x, risk_width(3, at_risk = 1e5)), "at risk", class = "sdc_error_input")
  other <- margins(sdc_table(2 * czech_workers), list(c("A", "B")))
  expect_error(width(other, x, risk_width(3)), "margins of",
               class = "sdc_error_input")
})

test_that("snapshot: a width says how it is known, and shows no cell", {
  x <- sdc_table(czech_workers)
  two_way <- utils::combn(LETTERS[1:6], 2, simplify = FALSE)
  expect_snapshot(width(two_way, x, risk_width(3)))
  expect_snapshot(width(two_way, x, risk_width(3), max_cells = 1))
  expect_snapshot(str(width(c("A:B", "C"), x, risk_width(3))))
})
