given_koch <- c("Center", "Status", "Treatment")
# The reference has the treatment fastest.
order_koch <- rev(given_koch)
koch_exact <- function() conditionals(koch, "Recovery", order_koch)

expect_reference <- function(b, co, rows, lower, upper = lower, what) {
  shown <- by_rates(b, co)
  wanted <- lapply(rows, function(row) row[[what]])
  expect_equal(shown[[lower]], unlist(lapply(wanted, function(w) lapply(w, `[[`, 1))))
  expect_equal(shown[[upper]], unlist(lapply(wanted, function(w) lapply(w, `[[`, 2))))
}

# Rates as the source prints them.
printed_koch <- function() {
  rows <- read_fixture("D_rounded_printed.json", simplifyVector = FALSE)
  out <- expand.grid(
    Recovery = colnames(koch[1, 1, , ]), Treatment = 1:2, Status = 1:2, Center = 1:2
  )
  out$rate <- unlist(lapply(rows, `[[`, "printed"))
  conditionals(out, "Recovery", order_koch, digits = 3)
}

# ---- published numbers ------------------------------------------------------------------------

test_that("published: every bound of the 2 x 2 example", {
  reference <- read_fixture("D_2x2.json", simplifyVector = FALSE)
  co <- conditionals(downloads, "Download", "Sex")
  expect_reference(bounds_conditional(co, 50), co, reference$rows, "lower", "upper", "IP")
  lp <- bounds_conditional(co, 50, "lp")
  expect_reference(lp, co, reference$rows, "lower_real", "upper_real", "LP")
  formula2 <- bounds_conditional(co, 50, "formula2")
  raw <- "improved_formula2_raw"
  expect_reference(formula2, co, reference$rows, "lower_real", "upper_real", raw)
  expect_reference(formula2, co, reference$rows, "lower", "upper", "improved_formula2_int")
  improved <- bounds_conditional(co, 50, "improved")
  expect_reference(improved, co, reference$rows, "lower", "upper", "improved_worded_int")
})

test_that("published: every bound of Koch's table, its 15 tables and their row totals", {
  reference <- read_fixture("D_koch.json", simplifyVector = FALSE)
  co <- koch_exact()
  b <- bounds_conditional(co, 193)
  expect_reference(b, co, reference$rows, "lower", "upper", "IP")
  expect_identical(as.character(b$n_tables), "15")
  expect_identical(as.numeric(b$n_tables), 15)
  expect_true(all(b$sharp))
  totals <- feasible_totals(b, values = TRUE)
  expect_equal(unname(totals), lapply(reference$rows, function(r) unlist(r$feasible_totals)))
  solutions <- do.call(rbind, lapply(reference$all_solutions, unlist))
  expect_equal(unname(totals), lapply(1:8, function(r) sort(unique(solutions[, r]))))
  expect_identical(which(feasible_totals(b)$n_totals == 1), c(2L, 3L, 6L))
  expect_equal(co$scale, vapply(reference$rows, `[[`, 1, "L"))
  lp <- bounds_conditional(co, 193, "lp")
  expect_reference(lp, co, reference$rows, "lower_real", "upper_real", "LP")
  formula2 <- bounds_conditional(co, 193, "formula2")
  raw <- "improved_formula2_raw"
  expect_reference(formula2, co, reference$rows, "lower_real", "upper_real", raw)
  expect_reference(formula2, co, reference$rows, "lower", "upper", "improved_formula2_int")
  improved <- bounds_conditional(co, 193, "improved")
  expect_reference(improved, co, reference$rows, "lower", "upper", "improved_worded_int")
})

test_that("published: partial conditionals", {
  reference <- read_fixture("D_partial.json", simplifyVector = FALSE)
  co <- conditionals(koch, "Recovery", c("Status", "Center"))
  sums <- bounds_conditional(co, 193, of = "margins")
  expect_reference(sums, co, reference$rows, "lower", "upper", "IP")
  expect_equal(
    unname(feasible_totals(sums, values = TRUE)),
    lapply(reference$rows, function(r) unlist(r$feasible_totals))
  )
  sums <- bounds_conditional(co, 193, "improved", of = "margins")
  expect_reference(sums, co, reference$rows, "lower", "upper", "improved_worded_int")
  cells <- bounds_conditional(co, 193)
  expect_identical(names(cells$dimnames), names(dimnames(koch)))
  lp <- bounds_conditional(co, 193, "lp")
  for (treatment in 1:2) {
    frame <- subset(as.data.frame(cells), Treatment == treatment)
    frame <- frame[order(frame$Center, frame$Status, frame$Recovery), ]
    wanted <- unlist(lapply(reference$rows, `[[`, "cell_IJK_bounds_sharp"))
    expect_equal(as.vector(rbind(frame$lower, frame$upper)), wanted)
    frame <- subset(as.data.frame(lp), Treatment == treatment)
    frame <- frame[order(frame$Center, frame$Status, frame$Recovery), ]
    wanted <- unlist(lapply(reference$rows, `[[`, "cell_IJK_LP"))
    expect_equal(as.vector(rbind(frame$lower_real, frame$upper_real)), wanted)
  }
})

test_that("published: rounded to two and three decimals", {
  reference <- read_fixture("D_rounded_2_3.json", simplifyVector = FALSE)
  for (digits in 2:3) {
    rows <- reference[[as.character(digits)]]
    co <- conditionals(koch, "Recovery", order_koch, digits = digits)
    expect_identical(as.data.frame(co)$rate_exact, unlist(lapply(rows, `[[`, "printed")))
    b <- bounds_conditional(co, 193)
    expect_reference(b, co, rows, "lower", "upper", "bounds")
    expect_equal(
      unname(feasible_totals(b, values = TRUE)),
      lapply(rows, function(r) unlist(r$feasible_totals_given_N))
    )
  }
})

test_that("published: printed rates agree with no table at half a unit, and disclose all at one", {
  co <- printed_koch()
  cnd <- tryCatch(bounds_conditional(co, 193), sdc_error_infeasible = identity)
  expect_s3_class(cnd, "sdc_error_infeasible")
  expect_identical(as.character(unlist(cnd$rows[given_koch])), c("1", "1", "2")) # .243 for 8/33
  expect_equal(cnd$row_tolerance, (33 * .243 - 8) / 33 * 1000)
  expect_equal(cnd$tolerance, .576)
  expect_no_error(bounds_conditional(co, 193, tolerance = .576))
  expect_error(bounds_conditional(co, 193, tolerance = .575), class = "sdc_error_infeasible")
  rows <- read_fixture("D_printed_tol_1unit.json", simplifyVector = FALSE)
  b <- bounds_conditional(co, 193, tolerance = 1)
  expect_reference(b, co, rows, "lower", "upper", "bounds")
  expect_equal(
    unname(feasible_totals(b, values = TRUE)), lapply(rows, function(r) unlist(r$totals))
  )
  exact <- bounds_conditional(koch_exact(), 193)
  for (field in c("lower", "upper")) {
    expect_identical(by_rates(b, co)[[field]], by_rates(exact, koch_exact())[[field]])
  }
})

test_that("published: three right decimals disclose as much as exact rates", {
  found <- rounding_uncertainty(koch, "Recovery", given_koch, digits = 3)
  expect_equal(found$digits, c(3, Inf))
  expect_identical(found$n_tables, c("15", "15"))
  expect_equal(found$mean_width[1], found$mean_width[2])
  expect_equal(found$rows_disclosed, c(3, 3) / 8)
})

# ---- against enumeration and integer programmes -----------------------------------------------

expect_enumerated <- function(co, n, tolerance = .5) {
  all <- all_rate_tables(co, n, tolerance)
  if (is.null(all)) {
    expect_error(bounds_conditional(co, n, tolerance = tolerance), class = "sdc_error_infeasible")
    return(NULL)
  }
  b <- bounds_conditional(co, n, tolerance = tolerance)
  shown <- by_rates(b, co)
  expect_equal(shown$lower, unname(apply(all$cells, 1, min)))
  expect_equal(shown$upper, unname(apply(all$cells, 1, max)))
  expect_identical(as.character(b$n_tables), as.character(ncol(all$cells)))
  totals <- lapply(seq_len(nrow(all$totals)), function(r) sort(unique(all$totals[r, ])))
  expect_equal(unname(feasible_totals(b, values = TRUE)), totals)
  b
}

test_that("oracle: exact rates of random tables against enumeration", {
  set.seed(201)
  for (i in seq_len(rounds(10, 50))) {
    case <- random_rates(sample(1:3, 1), sample(1:4, 1), sample(c(.5, 1.5), 1))
    if (case$n > 18) next
    expect_enumerated(case$co, case$n)
    if (i %% 3 == 0) expect_enumerated(case$co, case$n + 1)
  }
})

test_that("oracle: rounded rates of random tables against enumeration", {
  set.seed(202)
  for (i in seq_len(rounds(25, 60))) {
    case <- random_rates(sample(2:3, 1), sample(1:3, 1), sample(c(.6, 1.5), 1), sample(0:3, 1))
    if (case$n > 14) next
    expect_enumerated(case$co, case$n, sample(c(.5, .5, .75, 1), 1))
    if (i %% 3 == 0) expect_enumerated(case$co, case$n + 1)
  }
})

test_that("oracle: rates that were published wrongly, and what tolerance would do", {
  set.seed(203)
  seen <- 0
  for (i in seq_len(rounds(20, 50))) {
    case <- random_rates(2, sample(1:3, 1), 1.5, sample(1:2, 1))
    if (case$n > 14) next
    co <- case$co
    at <- sample(length(co$units), 1)
    co$units[at] <- min(max(0, co$units[at] + sample(c(-2, -1, 1, 2), 1)), co$scale[1])
    cnd <- tryCatch(bounds_conditional(co, case$n), sdc_error_infeasible = identity)
    expect_equal(inherits(cnd, "error"), is.null(all_rate_tables(co, case$n)))
    if (!inherits(cnd, "error")) next
    seen <- seen + 1
    expect_false(is.null(all_rate_tables(co, case$n, cnd$tolerance)))
    expect_null(all_rate_tables(co, case$n, cnd$tolerance - .001))
    for (r in seq_along(cnd$row_tolerance)) {
      # The row alone with this tolerance mends it; with a little less it does not.
      expect_gt(cnd$row_tolerance[r], .5)
      expect_gte(cnd$row_tolerance[r], cnd$tolerance - .001)
    }
  }
  expect_gt(seen, 10)
})

test_that("oracle: random tables against integer programmes", {
  skip_if_not_installed("lpSolve")
  set.seed(204)
  for (i in 1:14) {
    case <- random_rates(sample(2:3, 1), sample(2:4, 1), sample(c(1, 4, 8), 1), if (i %% 2) 2)
    found <- by_rates(bounds_conditional(case$co, case$n), case$co)
    wanted <- ilp_rate_bounds(case$co, case$n)
    expect_equal(found$lower, wanted$lower)
    expect_equal(found$upper, wanted$upper)
  }
})

test_that("oracle: Koch against integer programmes", {
  skip_if_not_installed("lpSolve")
  co <- koch_exact()
  found <- by_rates(bounds_conditional(co, 193), co)
  cells <- c(1, 2, 6, 11, 14, 19, 24)
  wanted <- ilp_rate_bounds(co, 193, cells = cells)
  expect_equal(found$lower[cells], wanted$lower)
  expect_equal(found$upper[cells], wanted$upper)
})

test_that("oracle: the number of whole tables when variables are left out", {
  set.seed(205)
  for (i in seq_len(rounds(10, 20))) {
    case <- random_rates(2, sample(1:3, 1), 1, if (i %% 2) 1)
    if (case$n > 12) next
    co <- case$co
    all <- all_rate_tables(co, case$n)
    free <- sample(1:3, 1)
    co$dimnames$free <- as.character(seq_len(free))
    wanted <- sum(apply(choose(all$cells + free - 1, free - 1), 2, prod))
    expect_equal(as.numeric(bounds_conditional(co, case$n)$n_tables), wanted)
    sums <- bounds_conditional(co, case$n, of = "margins")
    expect_equal(as.numeric(sums$n_tables), ncol(all$cells))
  }
})

# ---- properties -------------------------------------------------------------------------------

test_that("property: the truth is inside, sharp inside improved inside formula 2 inside lp", {
  set.seed(206)
  for (i in seq_len(rounds(25, 60))) {
    digits <- if (i %% 2) sample(1:4, 1)
    case <- random_rates(sample(1:4, 1), sample(1:8, 1), sample(c(.3, 1, 5, 40), 1), digits)
    inner <- list(lower = -Inf, upper = Inf)
    for (method in c("lp", "formula2", "improved", "sharp")) {
      b <- bounds_conditional(case$co, case$n, method, count = FALSE)
      expect_true(all(b$lower >= inner$lower & b$upper <= inner$upper))
      inner <- b
    }
    truth <- as.data.frame(case$x)
    frame <- as.data.frame(b)
    at <- match(paste(frame$response, frame$given), paste(truth$response, truth$given))
    expect_true(all(b$lower <= truth$Freq[at] & truth$Freq[at] <= b$upper))
    totals <- feasible_totals(b)
    true_totals <- colSums(case$x)[as.character(totals$given)]
    expect_true(all(totals$lower <= true_totals & true_totals <= totals$upper))
  }
})

test_that("property: more digits tell no less, a larger tolerance no more", {
  set.seed(207)
  for (i in seq_len(rounds(12, 25))) {
    case <- random_rates(3, 4, 4)
    outer <- NULL
    for (digits in list(1, 2, 3, NULL)) {
      co <- conditionals(case$x, "response", "given", digits = digits)
      b <- bounds_conditional(co, case$n, count = FALSE)
      wide <- bounds_conditional(co, case$n, tolerance = 1.25, count = FALSE)
      expect_true(all(wide$lower <= b$lower & wide$upper >= b$upper))
    }
  }
})

test_that("property: equal rows are one kind, and their order does not matter", {
  x <- as.table(rbind(a = c(1, 2), b = c(1, 2), c = c(2, 4), d = c(3, 1), e = c(0, 0)))
  names(dimnames(x)) <- c("given", "response")
  co <- conditionals(x, "response", "given")
  b <- bounds_conditional(co, sum(x))
  expect_identical(length(unique(b$totals$kind)), 2L)
  expect_enumerated(co, sum(x))
  turned <- bounds_conditional(conditionals(x[5:1, ], "response", "given"), sum(x))
  one <- as.data.frame(b)
  two <- as.data.frame(turned)
  at <- match(paste(one$given, one$response), paste(two$given, two$response))
  expect_equal(one$lower, two$lower[at])
  expect_equal(one$upper, two$upper[at])
})

test_that("property: absent rows are not listed, and 0 when asked for", {
  x <- as.table(rbind(a = c(1, 2), b = c(0, 0)))
  names(dimnames(x)) <- c("given", "response")
  co <- conditionals(x, "response", "given")
  expect_identical(length(co$scale), 1L)
  expect_identical(nrow(as.data.frame(bounds_conditional(co, 3))), 2L)
  asked <- as.data.frame(bounds_conditional(co, 3, cells = c(1, 2, 4)))
  expect_identical(asked$lower, c(1, 0, 0))
  expect_identical(asked$upper, c(1, 0, 0))
  expect_identical(as.character(asked$given), c("a", "b", "b"))
})

test_that("property: chosen cells are those of all cells", {
  co <- conditionals(koch, "Recovery", c("Center", "Status"))
  all <- as.data.frame(bounds_conditional(co, 193))
  some <- as.data.frame(bounds_conditional(co, 193, cells = c(24, 3, 3)))
  expect_equal(some, all[c(24, 3, 3), ], ignore_attr = "row.names")
})

test_that("property: rates are rounded half up in whole numbers, also where R's rounding errs", {
  x <- as.table(rbind(c(9, 7), c(1, 7), c(1, 199)))
  dimnames(x) <- list(given = 1:3, response = 1:2)
  co <- conditionals(x, "response", "given", digits = 3)
  shown <- c("0.563", "0.438", "0.125", "0.875", "0.005", "0.995")
  expect_identical(as.data.frame(co)$rate_exact, shown)
  co <- conditionals(x, "response", "given", digits = 2)
  expect_identical(as.data.frame(co)$rate_exact, c("0.56", "0.44", "0.13", "0.88", "0.01", "1.00"))
  expect_no_error(bounds_conditional(co, sum(x)))
  many <- as.table(matrix(c(2^53 - 4, 3), 1, dimnames = list(given = 1, response = 1:2)))
  expect_identical(
    as.data.frame(conditionals(many, "response", "given", digits = 15))$rate_exact,
    c("1.000000000000000", "0.000000000000000")
  )
})

test_that("property: a publication holds rates only, and none of the counts", {
  x <- koch * 7919
  co <- conditionals(x, "Recovery", given_koch)
  expect_identical(co, conditionals(koch, "Recovery", given_koch))
  expect_setequal(
    names(co), c("dimnames", "response", "given", "rows", "units", "scale", "digits")
  )
  rounded <- conditionals(x, "Recovery", given_koch, digits = 2)
  expect_identical(rounded, conditionals(koch, "Recovery", given_koch, digits = 2))
})

test_that("property: a frame of the rates gives the object back", {
  for (digits in list(NULL, 2, 5)) {
    co <- conditionals(koch, "Recovery", given_koch, digits = digits)
    frame <- as.data.frame(co)
    exact <- conditionals(frame, "Recovery", given_koch, digits = digits, rateVar = "rate_exact")
    expect_identical(exact, co)
    expect_identical(conditionals(frame, "Recovery", given_koch, digits = digits), co)
  }
  partial <- conditionals(koch, "Recovery", c("Center", "Status"), digits = 3)
  back <- conditionals(
    as.data.frame(partial), "Recovery", c("Center", "Status"),
    digits = 3, free = list(Treatment = 2)
  )
  one <- as.data.frame(bounds_conditional(partial, 193))
  two <- as.data.frame(bounds_conditional(back, 193))
  expect_setequal(do.call(paste, one), do.call(paste, two[names(one)]))
})

test_that("property: without given variables the rates are those of the whole table", {
  co <- conditionals(koch, "Recovery", character())
  b <- bounds_conditional(co, 193)
  expect_identical(b$lower, numeric(24))
  sums <- bounds_conditional(co, 193, of = "margins")
  expect_equal(sums$lower, as.vector(margin(koch, "Recovery")))
  expect_identical(names(feasible_totals(sums, values = TRUE)), "(total)")
})

test_that("property: several variables in the response", {
  co <- conditionals(koch, c("Treatment", "Recovery"), c("Center", "Status"))
  b <- bounds_conditional(co, 193)
  truth <- as.data.frame(koch)
  at <- match(do.call(paste, as.data.frame(b)[names(dimnames(koch))]), do.call(paste, truth[1:4]))
  expect_true(all(b$lower <= truth$Freq[at] & truth$Freq[at] <= b$upper))
})

test_that("property: large tables, exact and rounded, contain the truth", {
  set.seed(208)
  x <- as.table(matrix(rpois(900, 15) + 1, 300, dimnames = list(given = 1:300, response = 1:3)))
  for (digits in list(NULL, 2, 3)) {
    co <- conditionals(x, "response", "given", digits = digits)
    b <- bounds_conditional(co, sum(x), count = FALSE)
    expect_true(all(b$lower <= as.vector(x) & as.vector(x) <= b$upper))
    expect_null(b$n_tables)
  }
})

# ---- rounding ---------------------------------------------------------------------------------

test_that("property: the study of rounding has the figures of the bounds", {
  found <- rounding_uncertainty(koch, "Recovery", given_koch, digits = c(2, 1), small = 0:3)
  expect_identical(found$digits, c(1, 2, Inf))
  co <- conditionals(koch, "Recovery", given_koch, digits = 2)
  b <- bounds_conditional(co, 193)
  width <- b$upper - b$lower
  expect_equal(found$mean_width[2], mean(width))
  expect_equal(found$known[2], sum(width == 0))
  expect_equal(found$known_positive[2], sum(width == 0 & b$lower > 0))
  at_risk <- as.vector(koch) <= 3
  expect_equal(found$small_known[2], sum(width[at_risk] == 0))
  expect_identical(found$n_tables[2], as.character(b$n_tables))
  free <- rounding_uncertainty(koch, "Recovery", "Center", digits = 1, exact = FALSE)
  expect_identical(free$n_cells, 6L)
  uncounted <- rounding_uncertainty(koch, "Recovery", "Center", 1, max_products = 0)
  expect_identical(uncounted$n_tables, c(NA_character_, NA))
})

# ---- bad input --------------------------------------------------------------------------------

rates <- function(rate, ...) {
  data.frame(A = rep(c("a", "b"), each = 2), B = c("x", "y"), rate = rate, ...)
}

test_that("snapshot: input: conditionals", {
  good <- c("1/3", "2/3", "0.5", ".5")
  expect_s3_class(conditionals(rates(good), "B", "A"), "sdc_conditionals")
  expect_snapshot(error = TRUE, {
    conditionals()
    conditionals(koch)
    conditionals(koch, "Recovery")
    conditionals(koch, "Recovery", "Centre")
    conditionals(koch, "recovery", "Center")
    conditionals(koch, c("Recovery", "Center"), "Center")
    conditionals(koch, "Recovery", c("Center", "Center"))
    conditionals(koch, character(), "Center")
    conditionals(koch, "Recovery", "Center", digits = 16)
    conditionals(koch, "Recovery", "Center", digits = -1)
    conditionals(koch, "Recovery", "Center", digits = 1.5)
    conditionals(koch * 0, "Recovery", "Center")
    conditionals(koch - 5, "Recovery", "Center")
    conditionals(koch, "Recovery", "Center", free = list(D = 2))
    conditionals(koch, "Recovery", "Center", 3, 4)
    conditionals("koch", "Recovery", "Center")
    conditionals(rates(good), "B", "A", rateVar = "A")
    conditionals(rates(good), "B", "A", rateVar = "share")
    conditionals(rates(good), "B", "C")
    conditionals(data.frame(rates(good), A = 1, check.names = FALSE), "B", "A")
    conditionals(rates(good)[0, ], "B", "A")
    conditionals(rates(c("1/3", NA, "0.5", ".5")), "B", "A")
    conditionals(rates(c("1/3", "half", "0.5", ".5")), "B", "A")
    conditionals(rates(c("1/0", "1", "0.5", ".5")), "B", "A")
    conditionals(rates(c("1/3", "-0.5", "0.5", ".5")), "B", "A")
    conditionals(rates(c(.5, 1.5, .5, .5)), "B", "A")
    conditionals(rates(c(.5, NaN, .5, .5)), "B", "A")
    conditionals(rates(c(.5, Inf, .5, .5)), "B", "A")
    conditionals(rates(c(.333, .666, .5, .5)), "B", "A")
    conditionals(rates(c(.5, .5, pi / 4, 1 - pi / 4)), "B", "A")
    conditionals(rates(c(.333, .667, .5, .5)), "B", "A", digits = 2)
    conditionals(rates(c(".333", ".667", ".5", ".5")), "B", "A", digits = 2)
    conditionals(rates(good), "B", "A", digits = 2)
    conditionals(rbind(rates(good), rates(good)[3, ]), "B", "A")
    conditionals(rates(good)[-4, ], "B", "A")
    conditionals(rates(good, C = c(NA, 1, 1, 1)), "B", c("A", "C"))
    conditionals(rates(list(1, 2, 3, 4) |> I()), "B", "A")
    conditionals(rates(good), "B", "A", free = 2)
    conditionals(rates(good), "B", "A", free = list(A = 2))
    conditionals(rates(good), "B", "A", free = list(C = 0))
    conditionals(rates(c("1/900719925474099", "1/899999999999989", "0.5", ".5")), "B", "A")
  })
})

test_that("snapshot: input: bounds", {
  co <- conditionals(koch, "Recovery", given_koch)
  rounded <- conditionals(koch, "Recovery", given_koch, digits = 2)
  expect_snapshot(error = TRUE, {
    bounds_conditional()
    bounds_conditional(koch, 193)
    bounds_conditional(co)
    bounds_conditional(co, NA)
    bounds_conditional(co, -1)
    bounds_conditional(co, 192.5)
    bounds_conditional(co, "193")
    bounds_conditional(co, 2^54)
    bounds_conditional(co, 193:195)
    bounds_conditional(co, 193, "exact")
    bounds_conditional(co, 193, of = "rows")
    bounds_conditional(rounded, 193, tolerance = -.5)
    bounds_conditional(rounded, 193, tolerance = NA)
    bounds_conditional(rounded, 193, tolerance = 1 / 3)
    bounds_conditional(co, 193, cells = 25)
    bounds_conditional(co, 193, count = NA)
    bounds_conditional(co, 193, max_products = -1)
    bounds_conditional(co, 193, max_memory_mb = 0)
    bounds_conditional(co, 193, digits = 3)
    feasible_totals(co)
    feasible_totals(bounds_conditional(co, 193, "lp"))
    feasible_totals(bounds_conditional(co, 193), values = 1)
    rounding_uncertainty(koch, "Recovery", "Center", digits = 17)
    rounding_uncertainty(koch, "Recovery", "Center", digits = c(2, 2))
    rounding_uncertainty(koch, "Recovery", "Center", tolerance = .4)
    rounding_uncertainty(koch, "Recovery", "Center", small = -1)
    rounding_uncertainty(koch, "Recovery", "Recovery")
  })
})

test_that("snapshot: input: totals that no table with the rates has", {
  co <- conditionals(koch, "Recovery", given_koch)
  rounded <- conditionals(koch, "Recovery", given_koch, digits = 3)
  bad <- conditionals(rates(c(".33", ".33", ".5", ".5")), "B", "A", digits = 2)
  worse <- conditionals(rates(c(".33", ".33", ".5", ".9")), "B", "A", digits = 2)
  expect_snapshot(error = TRUE, {
    bounds_conditional(co, 7)
    bounds_conditional(co, 30)
    bounds_conditional(co, 170)
    bounds_conditional(conditionals(downloads, "Download", "Sex"), 12)
    bounds_conditional(rounded, 150)
    bounds_conditional(bad, 10)
    bounds_conditional(worse, 10)
    bounds_conditional(bad, 10, "lp")
    bounds_conditional(conditionals(downloads, "Download", "Sex", digits = 1), 5)
    bounds_conditional(co, 30, "improved")
  })
})

test_that("property: input: sums that need too much memory", {
  x <- as.table(matrix(c(1, 2, 5, 3), 2, dimnames = list(given = 1:2, response = 1:2)))
  co <- conditionals(x, "response", "given")
  expect_error(bounds_conditional(co, 1e12), class = "sdc_error_too_large")
  expect_error(bounds_conditional(co, 1e9, max_memory_mb = 1), class = "sdc_error_too_large")
  expect_null(bounds_conditional(co, 1e6, max_products = 10)$n_tables)
})

test_that("snapshot: prints", {
  expect_snapshot({
    conditionals(koch, "Recovery", given_koch)
    conditionals(koch, "Recovery", c("Center", "Status"), digits = 3)
    summary(conditionals(koch, "Recovery", given_koch))
    summary(conditionals(koch, "Recovery", "Status", digits = 3))
    bounds_conditional(conditionals(koch, "Recovery", given_koch), 193)
    bounds_conditional(conditionals(koch, "Recovery", "Status", digits = 1), 193, "formula2")
    bounds_conditional(conditionals(koch, "Recovery", given_koch), 193, count = FALSE)
    feasible_totals(bounds_conditional(conditionals(koch, "Recovery", given_koch), 193))
  })
})
