test_that("oracle: intervals are those of brute force, and protection that of the formulas", {
  set.seed(71)
  failures <- 0
  for (i in seq_len(rounds(6, 18))) {
    data <- firm_records(sample(5:9, 1), 0, .6, 3, 2)
    trees <- list(NULL, nation, list(nation, coast))[[i %% 3 + 1]]
    mg <- firm_table(data, hierarchies = if (!is.null(trees)) list(region = trees))
    rules <- c(rule_threshold(2), rule_p_percent(20), rule_nk(2, 90))
    frame <- as.data.frame(suppress(mg, rules, pattern = matrix(FALSE, 3, 2), audit = FALSE))
    inner <- frame$region %in% letters & frame$branch %in% LETTERS
    hidden <- sort(c(sample(which(inner), sample(1:4, 1)),
                     sample(which(!inner)[-sum(!inner)], sample(0:2, 1))))
    frame$suppressed <- seq_len(nrow(frame)) %in% hidden
    frame$sdcStatus <- NULL
    su <- suppress(mg, rules, pattern = frame)
    su$audit <- quiet_audit(su, readers = "outsider")
    all <- agreeing_units(frame, hidden, data, trees)
    records <- row_records(frame, data, trees)
    found <- as.data.frame(su$audit)
    expect_true(all(found$sharp))
    at <- match(paste(frame$region, frame$branch)[hidden], paste(found$region, found$branch))
    expect_identical(sort(at), seq_along(hidden))
    expect_equal(found$lower[at], apply(all, 2, min))
    expect_equal(found$upper[at], apply(all, 2, max))
    # what the rules ask for
    said <- lapply(records, function(r) by_formula(data$value[r], data$firm[r], 2, 20, 2, 90))
    fires <- vapply(said, `[[`, NA, "fires") & lengths(records) > 0
    up <- vapply(said, `[[`, 0, "up")
    first <- vapply(said, `[[`, 0, "first")
    second <- vapply(said, `[[`, 0, "second")
    expect_identical(found$primary[at], fires[hidden])
    expect_equal(found$need_upper[at], ifelse(fires, up, NA_real_)[hidden])
    floor <- pmax(0, 2 * frame$total - up)
    expect_equal(found$need_lower[at], ifelse(fires, floor, NA_real_)[hidden])
    low <- found$lower[at]
    high <- found$upper[at]
    safe <- high >= up[hidden] & low <= floor[hidden] & low < high
    expect_identical(found$protected[at], ifelse(fires[hidden], safe, NA))
    off <- 100 * cbind(low - second[hidden], high - second[hidden]) / first[hidden] - 100
    expect_equal(found$second_lower[at], ifelse(fires[hidden], off[, 1], NA_real_))
    expect_equal(found$second_upper[at], ifelse(fires[hidden], off[, 2], NA_real_))
    near <- fires[hidden] & off[, 2] < 20 - 1e-9 & off[, 1] > -20 + 1e-9
    expect_identical(found$near[at], near)
    bad <- sum(fires[hidden] & (!safe | near))
    expect_identical(found$primary & (!(found$protected %in% TRUE) | found$near),
                     seq_along(hidden) <= bad)
    expect_identical(nrow(su$audit$shown), sum(fires[-hidden]))
    expect_equal(su$audit$failures, bad + sum(fires[-hidden]) + su$audit$counts[["unions"]])
    failures <- failures + su$audit$failures
  }
  expect_gt(failures, rounds(5, 10))
})

test_that("property: primary cells are those that sensitive() names", {
  set.seed(72)
  rules <- c(rule_threshold(3), rule_p_percent(15), rule_max_share(80))
  for (i in 1:6) {
    mg <- firm_table(firm_records(40), hierarchies = if (i %% 2) list(region = list(nation, coast)),
                     total_label = "any")
    su <- suppress(mg, rules, pattern = matrix(TRUE, 3, 3), audit = FALSE)
    frame <- as.data.frame(su)
    said <- as.data.frame(sensitive(mg, rules, totals = TRUE))
    words <- function(frame) paste(frame$region, frame$branch)
    at <- match(words(said), words(frame))
    expect_false(anyNA(at))
    expect_equal(frame$total[at], said$total)
    expect_equal(frame$count[at], said$count)
    expect_identical(frame$rules[at], said$rules)
    expect_true(all(frame$total[-at] == 0) && all(frame$count[-at] == 0))
    again <- suppress(mg, rules, pattern = {
      frame$suppressed <- nzchar(frame$rules)
      frame$primary <- FALSE
      frame[setdiff(names(frame), "sdcStatus")]
    })
    expect_identical(again$cells$sdcStatus == "u", nzchar(frame$rules))
    expect_false("x" %in% again$cells$sdcStatus)
    expect_equal(again$audit$counts[["shown"]], 0)
  }
})

# Every sensitive cell is suppressed and no other called primary; the truth lies in each interval.
expect_sound <- function(su) {
  frame <- as.data.frame(su)
  expect_identical(frame$sdcStatus == "u", nzchar(frame$rules))
  expect_equal(su$audit$counts[["shown"]], 0)
  expect_equal(su$audit$counts[["known"]], 0)
  found <- su$audit$cells
  words <- function(frame) paste(frame$region, frame$branch)
  truth <- frame$total[match(words(found), words(frame))]
  expect_true(all(found$lower <= truth & truth <= found$upper))
  if (su$audit$failures > 0) {
    expect_error(publish(su), class = "sdc_error_refused")
  }
  pub <- publish(su, insist = su$audit$failures > 0)
  expect_identical(is.na(as.data.frame(pub)$total), frame$sdcStatus %in% c("u", "x"))
}

for (method in c("GaussSuppression", "sdcTable")) {
  test_that(paste0("property: patterns of ", method, " leave no sensitive cell known"), {
    skip_if_not_installed(method)
    set.seed(73)
    rules <- c(rule_threshold(3), rule_p_percent(10))
    added <- 0
    for (i in seq_len(rounds(4, 6))) {
      trees <- if (i %% 2) list(region = nation)
      mg <- firm_table(firm_records(50, 4), hierarchies = trees)
      su <- suppress(mg, rules, method = method)
      expect_sound(su)
      expect_identical(su$method, method)
      added <- added + sum(su$cells$sdcStatus == "x")
    }
    expect_gt(added, rounds(3, 5))
    line <- data.frame(region = rep(c("a", "b"), 2:3), value = c(9, 1, 5, 5, 5))
    su <- suppress(magnitude_table(line, "region", "value"), rule_p_percent(20), method = method)
    expect_identical(su$cells$sdcStatus, c("u", "x", "s"))
    expect_identical(su$audit$cells$upper, c(25, 25))
    safe <- magnitude_table(data.frame(region = "a", value = rep(1, 9)), "region", "value")
    su <- suppress(safe, rule_p_percent(20), method = method)
    expect_identical(su$cells$sdcStatus, c("s", "s"))
    expect_identical(format(su$audit), "no cell is sensitive")
  })

  test_that(paste0("property: labels, and cells without contributors, do not confuse ", method), {
    skip_if_not_installed(method)
    data <- data.frame(
      region = rep(c("x", "T1", ""), c(6, 5, 4)), branch = c(1, 1, 1, 2, 2, 2, 1, 1, 2, 2, 2, 1, 1,
                                                             1, 1),
      value = c(90, 5, 1, 30, 30, 30, 40, 35, 20, 20, 30, 8, 7, 9, 9)
    )
    mg <- magnitude_table(data, c("region", "branch"), "value", total_label = "@@")
    su <- suppress(mg, rule_p_percent(10), method = method)
    frame <- as.data.frame(su)
    expect_identical(frame$sdcStatus == "u", frame$rules != "")
    expect_identical(frame$sdcStatus[frame$total == 0], "z")
    expect_identical(levels(frame$region), c("", "T1", "x", "@@"))
    expect_identical(sort(frame$total[frame$sdcStatus == "u"]), c(75, 96))
  })
}

test_that("property: with a solver GaussSuppression reaches the protection levels", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  set.seed(74)
  rules <- c(rule_threshold(3), rule_p_percent(10))
  before <- after <- 0
  for (i in seq_len(rounds(2, 8))) {
    mg <- firm_table(firm_records(150, 4, 1.5, 5, 6))
    before <- before + suppress(mg, rules, method = "GaussSuppression", repair = FALSE)$audit$failures
    su <- suppress(mg, rules, method = "GaussSuppression", lpPackage = "lpSolve")
    expect_sound(su)
    after <- after + su$audit$failures
  }
  expect_gt(before, rounds(1, 3))
  expect_equal(after, 0)
})

test_that("property: several trees of a variable", {
  skip_if_not_installed("GaussSuppression")
  set.seed(75)
  mg <- firm_table(firm_records(40, 4), hierarchies = list(region = list(nation, coast)))
  su <- suppress(mg, rule_p_percent(30), method = "GaussSuppression")
  expect_true("x" %in% su$cells$sdcStatus)
  expect_sound(su)
  skip_if_not_installed("sdcTable")
  expect_error(suppress(mg, rule_p_percent(30), method = "sdcTable"), class = "sdc_error_input")
})

test_that("property: a table of one sensitive cell", {
  line <- magnitude_table(data.frame(region = "a", value = c(9, 1)), "region", "value")
  su <- suppress(line, rule_p_percent(20))
  expect_identical(su$cells$sdcStatus, c("u", "u"))
  expect_true(verify_suppression(su)$verified)
  found <- quiet_audit(su)
  expect_identical(found$cells$upper, c(Inf, Inf))
  expect_identical(found$failures, 0L)
})

# Cells of four contributors, but for one that is sensitive; `shift` moves value around four cells.
corner_records <- function(values = c(900, 50, 10), shift = 0) {
  safe <- function(region, branch, more = 0) {
    data.frame(region = region, branch = branch, value = c(100 + more, 90, 80, 70))
  }
  rbind(
    data.frame(region = "a", branch = "A", value = values + c(shift, 0 * values[-1])),
    safe("a", "B", -shift), safe("a", "C"), safe("b", "A", -shift), safe("b", "B", shift),
    safe("b", "C"), safe("c", "A"), safe("c", "B"), safe("c", "C")
  )
}

corner_hidden <- outer(1:3 < 3, 1:3 < 3, "&")

corner <- function(values = c(900, 50, 10), rules = c(rule_p_percent(10), rule_threshold(3)), ...,
                   shift = 0) {
  mg <- firm_table(corner_records(values, shift), contributorVar = NULL)
  suppress(mg, rules, pattern = corner_hidden, ...)
}

test_that("property: a publication holds nothing of suppressed cells", {
  su <- corner()
  expect_identical(su$audit$failures, 0L)
  pub <- publish(su)
  # other contributors, another number of them, other sensitive cells, another unit, other rules
  others <- list(
    corner(c(700, 250, 10)), corner(c(300.25, 300.5, 300, 59.25)),
    corner(c(960, 0), rule_p_percent(25)), corner(960, rule_nk(2, 80), p = 5),
    corner(c(959.999, .001), audit = FALSE), corner(shift = 7), corner(shift = .25, audit = FALSE)
  )
  for (other in others) {
    expect_identical(serialize(publish(other, insist = TRUE), NULL), serialize(pub, NULL))
  }
  expect_named(pub, c("cells", "dimnames", "variable", "unit", "hierarchies", "total_label"))
  frame <- as.data.frame(pub)
  expect_named(frame, c("region", "branch", "total", "suppressed"))
  expect_identical(sum(frame$suppressed), 4L)
  counted <- as.data.frame(publish(su, counts = TRUE))
  expect_identical(is.na(counted$count), counted$suppressed)
  expect_identical(counted$count[counted$region == "c"], c(4, 4, 4, 12))
  words <- capture.output(print(su), print(summary(su)), print(su$audit), print(pub))
  expect_false(any(grepl("960|900|340", words)))
})

test_that("property: units of all kinds give the same values", {
  data <- corner_records()
  su <- corner()
  for (unit in list(.01, .3, 10)) {
    scaled <- transform(data, value = value * unit)
    mg <- firm_table(scaled, contributorVar = NULL, unit = unit)
    other <- suppress(mg, su$rules, pattern = corner_hidden)
    expect_equal(other$cells$total, su$cells$total * unit)
    expect_identical(other$cells$sdcStatus, su$cells$sdcStatus)
    expect_equal(other$audit$cells$upper, su$audit$cells$upper * unit)
    expect_equal(publish(other)$cells$total, publish(su)$cells$total * unit)
  }
})

test_that("property: publish() refuses what does not protect, whatever fails", {
  refused <- function(su) expect_error(publish(su), class = "sdc_error_refused")
  mg <- firm_table(corner_records(), contributorVar = NULL)
  alone <- outer(1:3 == 1, 1:3 == 1, "&")
  su <- suppress(mg, rule_p_percent(10), pattern = alone)
  expect_identical(su$audit$counts[["known"]], 1L)
  expect_true(su$audit$cells$near)
  refused(su)
  refused(suppress(mg, rule_p_percent(10), pattern = alone, audit = FALSE))
  refused(suppress(mg, rule_p_percent(10), pattern = !corner_hidden))
  # the neighbours are too small to hide it
  refused(corner(c(9000, 50, 10)))
  expect_s3_class(publish(su, insist = TRUE), "sdc_magnitude_suppressed")
  # outer intervals prove nothing
  local_own("unit_bounds", function(system, ...) {
    n <- length(system$lower)
    list(lower = rep(0, n), upper = rep(1e6, n), sharp = rep(FALSE, n), sure = rep(FALSE, n))
  })
  su <- corner()
  expect_identical(su$audit$counts[["unsure"]], 1L)
  expect_identical(su$audit$cells$protected, c(NA, NA, NA, NA))
  refused(su)
})

test_that("oracle: intervals in a larger table with a tree are those of lpSolve", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  set.seed(76)
  data <- firm_records(60, 9, 1.5, 3, 6)
  su <- suppress(firm_table(data, hierarchies = list(region = nation)),
                 c(rule_threshold(3), rule_p_percent(10)), method = "GaussSuppression")
  frame <- as.data.frame(su)
  hidden <- frame$sdcStatus %in% c("u", "x")
  inner <- frame$region %in% letters & frame$branch %in% LETTERS
  unknown <- which(hidden & inner)
  labels <- list(held_levels(letters[1:3], nation), held_levels(LETTERS[1:6], NULL))
  parts <- lapply(seq_len(nrow(frame)), function(row) {
    which(inner & frame$region %in% labels[[1]][[as.character(frame$region[row])]] &
            frame$branch %in% labels[[2]][[as.character(frame$branch[row])]])
  })
  inside <- t(vapply(parts, function(p) as.numeric(unknown %in% p), numeric(length(unknown))))
  given <- which(!hidden & rowSums(inside) > 0)
  shown <- vapply(parts, function(p) sum(frame$total[setdiff(p, unknown)]), 0)
  rest <- (frame$total - shown)[given] / 1e4
  ends <- vapply(which(hidden), function(row) {
    vapply(c("min", "max"), function(way) {
      lpSolve::lp(way, inside[row, ], inside[given, ], rep("=", length(given)), rest)$objval
    }, 0) * 1e4 + shown[row]
  }, c(0, 0))
  found <- as.data.frame(su$audit)
  at <- match(paste(frame$region, frame$branch)[hidden], paste(found$region, found$branch))
  expect_gt(length(at), 5)
  expect_true(all(abs(ends[1, ] - found$lower[at]) < 1.5))
  expect_true(all(abs(ends[2, ] - found$upper[at]) < 1.5))
})

test_that("property: the percentage of cells below the threshold is p", {
  su <- corner(c(500, 400), rule_threshold(3), p = 30)
  expect_identical(su$audit$cells$need_upper[1], 1050)
  expect_identical(su$audit$p, 30)
  expect_identical(quiet_audit(su, p = 10)$cells$need_upper[1], 950)
  zero <- corner(c(0, 0), rule_threshold(3))
  expect_identical(zero$audit$cells$need_upper[1], 0)
  expect_identical(zero$audit$failures, 0L)
})

test_that("property: frames, tables and pictures", {
  su <- corner()
  pub <- publish(su)
  shown <- matrix(340, 3, 3)
  shown[corner_hidden] <- NA
  expect_equal(unclass(as.table(pub)), shown, ignore_attr = TRUE)
  expect_identical(as.table(su, totals = TRUE), as.table(pub, totals = TRUE))
  expect_identical(as.table(pub, totals = TRUE)["Total", "Total"], 960 + 8 * 340)
  expect_identical(nrow(as.data.frame(pub, totals = FALSE)), 9L)
  expect_identical(summary(pub)$suppressed, c(4L, 0L))
  expect_equal(summary(su$audit)$cells[1:2], c(4, 1))
  expect_marks(su, pub, 4)
})

test_that("snapshot: prints", {
  expect_snapshot({
    su <- corner()
    su
    summary(su)
    su$audit
    publish(su)
    publish(su, counts = TRUE)
    corner(c(9000, 50, 10))
    audit(corner(c(9000, 50, 10)))
    corner(audit = FALSE)
  })
})

test_that("snapshot: a library that fails shows none of its words", {
  skip_if_not_installed("GaussSuppression")
  mg <- firm_table(corner_records(), contributorVar = NULL)
  local_own("run_gauss_given", function(...) stop("The total is 12345."))
  expect_snapshot(error = TRUE, suppress(mg, rule_p_percent(10), method = "GaussSuppression"))
})

test_that("snapshot: input: arguments", {
  mg <- firm_table(corner_records(), contributorVar = NULL)
  rules <- rule_p_percent(10)
  expect_snapshot(error = TRUE, {
    suppress(mg)
    suppress(mg, 3)
    suppress(mg, rules, method = "magic")
    suppress(mg, rules, pattern = matrix(TRUE, 2, 2))
    suppress(mg, rules, pattern = corner_hidden, what = 1)
    publish(corner(c(9000, 50, 10)))
    suppress(magnitude_table(data.frame(a = 1, v = c(-1, 2)), "a", "v", negative = "absolute"),
             rules)
    suppress(magnitude_table(data.frame(a = 1, v = c(pi, exp(1))), "a", "v"), rules)
    suppress(magnitude_table(data.frame(near = 1, v = 2), "near", "v"), rules)
  })
  input <- function(...) expect_error(suppress(mg, rules, ...), class = "sdc_error_input")
  input(pattern = list())
  input(pattern = NA)
  input(pattern = corner_hidden, p = 0)
  input(pattern = corner_hidden, p = NA)
  input(pattern = corner_hidden, audit = NA)
  input(pattern = data.frame(region = "z", branch = "A", suppressed = TRUE))
  su <- corner()
  for (wrong in list(list(p = 0), list(time_limit_s = -1), list(progress = 2), list(what = 1))) {
    expect_error(do.call(audit, c(list(su), wrong)), class = "sdc_error_input")
  }
  expect_error(publish(su, 1), class = "sdc_error_input")
  expect_error(publish(su, counts = NA), class = "sdc_error_input")
  expect_error(publish(su, what = 1), class = "sdc_error_input")
  expect_error(as.table(su, totals = NA), class = "sdc_error_input")
  expect_error(as.data.frame(publish(su), totals = NA), class = "sdc_error_input")
  skip_if_not_installed("GaussSuppression")
  input(maxN = 3)
  input(primary = 1)
  input(method = "GaussSuppression", 5)
})

test_that("property: arguments that would have no effect on magnitudes are refused", {
  firms <- data.frame(region = rep(c("n", "m", "s"), c(3, 4, 4)),
                      turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20))
  mg <- magnitude_table(firms, "region", "turnover")
  hidden <- c(TRUE, TRUE, FALSE)
  input <- function(...) expect_error(suppress(mg, ...), class = "sdc_error_input")
  input(rule_p_percent(5), pattern = hidden, p = 10)
  input(c(rule_threshold(2), rule_p_percent(5)), pattern = hidden, p = 10)
  input(rule_p_percent(5), pattern = hidden, method = "sdcTable")
  input(rule_p_percent(5), pattern = hidden, repair = TRUE)
  input(rule_p_percent(5), method = "sdcTable", repair = TRUE)
  expect_identical(suppress(mg, rule_threshold(2), pattern = hidden, p = 20)$p, 20)
})

test_that("property: two names of one total are judged alike, and one alone is not enough", {
  data <- data.frame(r = c("a", "a", "b", "c", "c", "c", "c"), v = c(100, 1, 2, 40, 30, 30, 20))
  tree <- data.frame(parent = c("T", "T", "A", "B", "B"), child = c("c", "A", "B", "a", "b"))
  mg <- magnitude_table(data, "r", "v", hierarchies = list(r = tree))
  hide <- function(rows) {
    suppress(mg, rule_p_percent(10), pattern = data.frame(r = rows, suppressed = TRUE))
  }
  both <- hide(c("a", "b", "c", "A", "B"))
  cells <- as.data.frame(both)
  at <- match(c("A", "B"), cells$r)
  expect_equal(cells$count[at], c(3, 3))
  expect_equal(cells$sdcStatus[at], c("u", "u"))
  audited <- as.data.frame(both$audit)
  expect_equal(audited$need_upper[audited$r == "A"], audited$need_upper[audited$r == "B"])
  one <- hide(c("a", "b", "c", "A"))
  expect_equal(one$audit$counts[["shown"]], 1)
  expect_error(publish(one), class = "sdc_error_refused")
})

test_that("property: a table with levels that are sums of others by chance can be suppressed", {
  data <- expand.grid(r = c("a", "b", "c"), s = c("x", "y", "z"), i = 1:5)
  data$v <- 1000 * data$i + 17 * as.integer(data$s)
  data$v[data$r == "c"] <- data$v[data$r == "a"] + data$v[data$r == "b"]
  expect_error(magnitude_table(data, c("r", "s"), "v"), class = "sdc_error_input")
  mg <- magnitude_table(data, c("r", "s"), "v", total = FALSE)
  hidden <- matrix(FALSE, 3, 3)
  expect_no_error(suppress(mg, rule_p_percent(10), pattern = hidden))
})
