# Certified suppression of magnitudes: codes of single cells, last year's pattern, totals that may be
# negative, and totals of nothing.

certified_units <- function(mg, rules, ...) {
  withCallingHandlers(suppress(mg, rules, ...),
                      sdc_warning_unsafe = function(cnd) rlang::cnd_muffle(cnd))
}

# All is certified, verified and audited alike.
expect_agreement <- function(su, info = NULL) {
  certified <- nrow(su$lacking) == 0
  expect_identical(verify_suppression(su)$verified, certified, info = info)
  expect_identical(quiet_audit(su)$failures == 0, certified, info = info)
  if (certified) {
    expect_no_error(publish(su))
  } else {
    expect_error(publish(su), class = "sdc_error_refused", info = info)
  }
  certified
}

row_of <- function(su, frame) {
  match(paste(frame$region, frame$branch), paste(su$cells$region, su$cells$branch))
}

small_rules <- c(rule_threshold(2), rule_p_percent(10), rule_nk(1, 70))

square_records <- function(negative) {
  n <- sample(7:10, 1)
  data.frame(
    region = factor(sample(c("a", "b"), n, TRUE), c("a", "b")),
    branch = factor(sample(c("A", "B"), n, TRUE), c("A", "B")),
    value = sample(if (negative) c(-3:-1, 1:5) else 0:5, n, TRUE), firm = sample(n, n, TRUE)
  )
}

# All tables of a square whose inner cells are among `values` and that agree with a suppression: a
# column for each of its rows.
agreeing_squares <- function(su, values) {
  inner <- which(su$cells$region != "Total" & su$cells$branch != "Total")
  grid <- as.matrix(expand.grid(rep(list(values), 4)))
  held <- vapply(seq_len(9), function(row) {
    same <- function(v) {
      label <- as.character(su$cells[[v]][row])
      label == "Total" | as.character(su$cells[[v]][inner]) == label
    }
    rowSums(grid[, same("region") & same("branch"), drop = FALSE])
  }, numeric(nrow(grid)))
  shown <- !su$cells$sdcStatus %in% c("u", "x")
  # cells without contributors are zeros for everybody
  held[colSums(t(held[, shown, drop = FALSE]) != su$cells$total[shown]) == 0, , drop = FALSE]
}

# What the rules, or else the user's code, say of a row of a square: how far above and below its
# total other tables must lie.
level_of_row <- function(su, data, row) {
  inside <- (su$cells$region[row] == "Total" | data$region == as.character(su$cells$region[row])) &
    (su$cells$branch[row] == "Total" | data$branch == as.character(su$cells$branch[row]))
  held <- as.vector(tapply(abs(data$value[inside]), data$firm[inside], sum))
  said <- by_formula(held, seq_along(held), 2, 10, 1, 70)
  level <- if (said$fires) said$up - sum(held) else ceiling(max(held) / 10 - 1e-9)
  list(level = level, firms = unique(data$firm[inside]))
}

# Do all tables that agree, listed, have what the certificates claim, for everybody and each firm?
expect_listed <- function(su, data, values, least, info) {
  all <- agreeing_squares(su, values)
  levels <- lapply(1:9, level_of_row, su = su, data = data)
  total <- su$cells$total
  for (row in which(su$cells$sdcStatus == "u")) {
    own <- levels[[row]]
    expect_gte(max(all[, row]), total[row] + own$level, label = paste(info, row))
    expect_lte(min(all[, row]), max(total[row] - own$level, least), label = paste(info, row))
    expect_gt(length(unique(all[, row])), 1)
    for (firm in unique(data$firm)) {
      alone <- which(vapply(levels, function(of) identical(of$firms, firm), NA))
      if (row %in% alone) next
      left <- all[colSums(t(all[, alone, drop = FALSE]) != total[alone]) == 0, row]
      expect_gt(length(unique(left)), 1, label = paste(info, row, firm))
      if (any(data$value < 0)) expect_gte(max(left), total[row] + own$level)
    }
  }
}

test_that("oracle: all small tables that agree have what certificates claim, with codes and signs", {
  n <- rounds(10, 200)
  certified <- coded <- 0
  for (i in seq_len(n)) {
    set.seed(900 + i)
    negative <- i %% 3 > 0
    data <- square_records(negative)
    mg <- magnitude_table(data, c("region", "branch"), "value", "firm", unit = 1,
                          negative = if (negative) "absolute" else "error")
    cells <- tapply(data$value, data[c("region", "branch")], sum, default = 0)
    lowest <- if (negative) list(min(cells, 0), min(cells, 0) - 2, -Inf)[[i %/% 3 %% 3 + 1]]
    codes <- data.frame(region = sample(c("a", "b", "Total"), 1), branch = sample(c("A", "B"), 1),
                        sdcStatus = "u")
    su <- tryCatch(certified_units(mg, small_rules, lowest = lowest, status = codes),
                   sdc_error_input = function(cnd) NULL)
    if (is.null(su)) next
    expect_identical(su$cells$sdcStatus[row_of(su, codes)], "u")
    if (!expect_agreement(su, i)) next
    least <- if (negative) max(lowest, -12) else 0
    expect_listed(su, data, least + 0:24, if (isTRUE(lowest == -Inf)) -Inf else least, i)
    certified <- certified + 1
    coded <- coded + (su$cells$rules[row_of(su, codes)] == "status")
  }
  expect_gt(certified, n / 2)
  expect_gt(coded, n / 6)
})

test_that("property: tables that may be negative are certified where the audit passes", {
  n <- if (is_long()) 150 else 6
  certified <- 0
  for (i in seq_len(n)) {
    set.seed(i)
    data <- firm_records(sample(c(20, 40, 70), 1))
    data$value <- round(rnorm(nrow(data), 4, 12))
    mg <- magnitude_table(data, c("region", "branch"), "value", if (i %% 2) "firm",
                          negative = "absolute", hierarchies = if (i %% 4 == 2) list(region = nation),
                          formula = if (i %% 4 == 3) ~ region + branch)
    low <- min(in_values(cell_totals(mg), mg), 0)
    lowest <- list(-Inf, low, low * 2)[[i %% 3 + 1]]
    rules <- list(rule_nk(1, 60), rule_p_percent(20), rule_threshold(3))[[i %/% 3 %% 3 + 1]]
    su <- certified_units(mg, rules, lowest = lowest, cost = if (i %% 5) "cells" else "totals")
    certified <- certified + expect_agreement(su, i)
    expect_lte(su$bound, su$cost * (1 + 1e-9))
  }
  expect_gt(certified, n / 2)
})

test_that("property: a limit that certificates pass is refused, and so is one that the table is below", {
  set.seed(4)
  data <- firm_records(40)
  data$value <- round(rnorm(40, 4, 12))
  mg <- magnitude_table(data, c("region", "branch"), "value", "firm", negative = "absolute")
  low <- min(in_values(cell_totals(mg), mg))
  su <- certified_units(mg, rule_nk(1, 60), lowest = low - 500)
  expect_true(verify_suppression(su)$verified)
  wide <- as.data.frame(verify_suppression(certified_units(mg, rule_nk(1, 60), lowest = -Inf)))
  expect_true(all(wide$least == -Inf & wide$most == Inf))
  # the same certificates, for readers who know more
  edited <- su
  edited$lowest <- low
  edited$seal <- seal_of(suppression_kind(edited), suppression_parts(edited))
  expect_false(verify_suppression(edited)$verified)
  expect_error(publish(edited), class = "sdc_error_refused")
  expect_error(certified_units(mg, rule_nk(1, 60)), "lowest", class = "sdc_error_input")
})

test_that("property: contributors with nothing are protected, too", {
  data <- data.frame(region = c("x", "x", "y", "z", "z", "z"),
                     branch = c("p", "q", "p", "p", "q", "q"), value = c(0, 0, 3, 4, 5, 60))
  mg <- firm_table(data, contributorVar = NULL)
  su <- suppress(mg, rule_threshold(2))
  expect_identical(as.data.frame(su)$sdcStatus[c(1, 5)], c("u", "u"))
  expect_true(expect_agreement(su))
  expect_identical(is.na(as.data.frame(publish(su))$total), su$cells$sdcStatus %in% c("u", "x"))
})

test_that("property: ready tables are certified as their contributors are", {
  for (i in 1:2) {
    set.seed(610 + i)
    data <- firm_records(40, mean = 3)
    tree <- if (i %% 2 == 0) nation
    ready <- ready_table_of(ready_of_firms(data, 3, tree), 3,
                            hierarchies = if (!is.null(tree)) list(region = tree))
    su <- certified_units(ready, c(rule_threshold(3), rule_p_percent(10)))
    expect_agreement(su, i)
  }
})

test_that("property: codes are followed, and edits of them refused", {
  set.seed(34)
  mg <- firm_table(firm_records(90, 3, 1.3, 4, 3))
  rules <- rule_p_percent(15)
  whole <- certified_units(mg, rules)
  s <- which(whole$cells$sdcStatus == "s" & whole$cells$total > 0)
  x <- which(whole$cells$sdcStatus == "x")[1]
  at <- c(x, s[1:4])
  codes <- data.frame(whole$cells[at, 1:2], sdcStatus = c("z", "u", "x", "w", "s"),
                      cost = c(NA, NA, NA, .5, 7))
  su <- certified_units(mg, rules, status = codes)
  expect_identical(su$cells$sdcStatus[at[1:3]], c("s", "u", "x"))
  expect_true(expect_agreement(su))
  expect_identical(su$cells$rules[at[2]], "status")
  expect_true(any(grepl("by the user's status: 1 primary, 1 suppressed, 1 kept", format(su))))
  sealed <- function(out) {
    out$seal <- seal_of(suppression_kind(out), suppression_parts(out))
    out
  }
  without <- su
  without$status <- without$status[without$status$sdcStatus != "u", ]
  shown <- su
  shown$cells$sdcStatus[at[2]] <- "s"
  kept <- su
  kept$status$sdcStatus[1] <- "x"
  for (edit in list(without, shown, kept)) {
    expect_false(verify_suppression(sealed(edit))$verified)
    expect_error(publish(sealed(edit)), class = "sdc_error_refused")
  }
  u <- which(whole$cells$sdcStatus == "u")[1]
  wrong <- function(...) {
    expect_error(certified_units(mg, rules, ...), class = "sdc_error_input")
  }
  wrong(status = data.frame(whole$cells[u, 1:2], sdcStatus = "z"))
  wrong(status = codes, method = "GaussSuppression")
  wrong(status = codes, pattern = as.data.frame(whole), method = "certified")
  wrong(total_cost = 0)
})

test_that("property: cells of last year are suppressed again where they protect", {
  set.seed(35)
  data <- firm_records(90, 3, 1.3, 4, 3)
  rules <- rule_p_percent(15)
  before <- certified_units(firm_table(data), rules)
  data$value <- ceiling(data$value * exp(rnorm(90, 0, .05)))
  now <- certified_units(firm_table(data), rules)
  same <- function(su) sum(is_withheld(su) & is_withheld(before))
  for (old in list(before, publish(before), as.data.frame(before))) {
    again <- certified_units(firm_table(data), rules, previous = old)
    expect_true(expect_agreement(again))
    expect_gte(same(again), same(now))
  }
  expect_true(any(grepl(paste("suppressed before and now:", same(again)), format(again))))
})

test_that("property: a cell costs as much as its published names", {
  skip_if_not_installed("SSBtools")
  mg <- magnitude_table(SSBtools::SSBtoolsData("magnitude1"), numVar = "value",
                        contributorVar = "company", formula = ~ sector4 * eu + sector2 * geo)
  su <- certified_units(mg, c(rule_threshold(3), rule_p_percent(10)), total_cost = 1)
  expect_true(expect_agreement(su))
  expect_equal(su$cost, sum(su$cells$sdcStatus == "x"))
  expect_lte(su$bound, su$cost)
})
