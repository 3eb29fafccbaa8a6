released <- function(beta, ...) release_greedy(czech_workers, risk_width(beta), ...)

test_that("published: R* has 60 sub-tables, found by six checks", {
  for (beta in 6:9) {
    re <- released(beta, utility = utility_tables(empty = TRUE))
    expect_equal(re$value, 60)
    expect_equal(re$width, c(inner = 9, outer = 9))
    expect_equal(nrow(re$log), 6)
    expect_setequal(re$log$verdict, c("released", "refused"))
  }
  expect_equal(re$order[[63]], "A:B:C:D:E:F")
})

test_that("published: greedy and first fit at the tested thresholds", {
  expected <- data.frame(
    beta = c(3, 6, 9, 10, 11, 14, 15, 17, 18, 20, 23, 30, 45, 100),
    none = c(62, 60, 60, 54, 54, 54, 52, 52, 47, 46, 46, 45, 38, 28),
    fit = c(62, 60, 60, 57, 54, 54, 53, 53, 52, 52, 48, 45, 40, 28)
  )
  for (i in seq_len(nrow(expected))) {
    beta <- expected$beta[i]
    plain <- released(beta)
    filled <- released(beta, fill = "first_fit")
    expect_equal(plain$n_sub_tables + 1, expected$none[i])
    expect_equal(filled$n_sub_tables + 1, expected$fit[i])
    expect_gte(min(plain$width, filled$width), beta)
  }
})

test_that("property: inner bounds are certain and release no more than integer bounds", {
  for (beta in c(3, 9, 15, 40)) {
    inner <- released(beta, bounds = "inner", fill = "first_fit")
    exact <- width(inner)
    expect_true(exact$exact)
    expect_gte(exact$inner, beta)
    expect_gte(inner$width[["inner"]], beta)
    expect_lte(released(beta, bounds = "inner")$n_sub_tables, released(beta)$n_sub_tables)
  }
  expect_error(released(6, bounds = "shuttle"), class = "sdc_error_input")
})

test_that("property: what time does not decide is refused, and the log says so", {
  x <- margin(cps13, c("age", "workclass", "education", "marital", "tax"))
  re <- release_greedy(x, risk_width(5, at_risk = 1:10), fill = "first_fit", time_limit_s = 5)
  expect_gte(re$width[["inner"]], 5)
  expect_gte(width(re, time_limit_s = 5)$outer, 5)
  none <- released(10, time_limit_s = 0)
  expect_true(none$stopped)
  expect_true("undecided" %in% none$log$verdict)
  expect_false("released" %in% none$log$verdict[none$log$inner < 10])
  expect_gte(width(none)$inner, 10)
})

test_that("property: utilities value the result", {
  expect_equal(released(6, utility = utility_cells())$value,
               utility(released(6), utility_cells()))
})

test_that("property: bad input is named", {
  expect_error(release_greedy(), class = "sdc_error_input")
  expect_error(release_greedy(czech_workers), class = "sdc_error_input")
  expect_error(release_greedy(czech_workers, risk_n(3)), "release_exact", class = "sdc_error_input")
  expect_error(released(5000), class = "sdc_error_infeasible")
  expect_error(release_greedy(czech_workers, risk_width(3, at_risk = 1e5)), "at risk",
               class = "sdc_error_input")
  expect_error(released(6, fill = "most"), class = "sdc_error_input")
  expect_error(released(6, time_limit_s = -1), class = "sdc_error_input")
  expect_error(released(6, 1), class = "sdc_error_input")
  many <- as.data.frame(matrix(rep(1:2, 40), 2, 40))
  expect_error(release_greedy(sdc_table(many, names(many)), risk_width(1)), "25 variables",
               class = "sdc_error_too_large")
})

test_that("snapshot: print and log", {
  re <- released(15, fill = "first_fit")
  expect_snapshot(re)
  expect_snapshot(re$log[names(re$log) != "time_s"])
})

# The list and the search of greedy releases by level, with widths from all tables.
greedy_by_listing <- function(case, beta, first_fit) {
  names <- names(dimnames(case$counts))
  choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))[-1, , drop = FALSE]
  choices <- unname(lapply(seq_len(nrow(choices)), function(i) as.vector(choices[i, ])))
  label <- function(choice) choice_label(choice, names, case$ladders)
  widths <- vapply(choices, function(choice) case$width(c(list(choice), case$one_way)), 1)
  shown <- case$one_way[case$finest > 1]
  safe <- function(choices) case$width(c(shown, choices)) >= beta
  list(
    widths = stats::setNames(widths, vapply(choices, label, "")),
    releases = function(order) {
      ordered <- choices[match(order, vapply(choices, label, ""))]
      n <- max(which(vapply(seq_along(ordered), function(i) safe(ordered[seq_len(i)]), NA)))
      out <- c(ordered[seq_len(n)], case$one_way)
      for (choice in if (first_fit) ordered[-seq_len(n)]) {
        if (safe(c(out, list(choice)))) out <- c(out, list(choice))
      }
      below <- function(choice) any(vapply(out, function(o) all(choice <= o), NA))
      vapply(choices[vapply(choices, below, NA)], label, "")
    }
  )
}

test_that("oracle: by level, critical widths and releases are those of all tables", {
  set.seed(11)
  for (round in seq_len(rounds(1, 2))) {
    for (case in level_cases()) {
      x <- level_table(table_with_ladders(case$counts, case$ladders))
      for (beta in 2:3) {
        for (fill in c("none", "first_fit")) {
          re <- release_greedy(x, risk_width(beta), fill = fill)
          oracle <- greedy_by_listing(case, beta, fill == "first_fit")
          expect_setequal(re$order, names(oracle$widths))
          expect_false(is.unsorted(-oracle$widths[re$order]))
          expect_setequal(as.data.frame(re)$sub_table, oracle$releases(re$order))
          expect_true(verify_release(re)$verified)
        }
      }
    }
  }
})

test_that("property: with one level for each variable a release is found as without", {
  for (beta in c(6, 15)) {
    for (bounds in c("integer", "inner")) {
      plain <- released(beta, fill = "first_fit", bounds = bounds)
      steps <- release_greedy(in_single_steps(czech_workers), risk_width(beta),
                              fill = "first_fit", bounds = bounds)
      same <- c("sets", "frontier", "order", "width", "by_dimension", "value", "guarantee")
      expect_identical(plain[same], steps[same])
      expect_identical(plain$log[names(plain$log) != "time_s"],
                       steps$log[names(steps$log) != "time_s"])
    }
  }
})
