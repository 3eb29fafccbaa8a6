# Codes of single cells, their costs, and last year's pattern.

with_status <- function(x, status, ..., maxN = 2, method = "certified", time_limit_s = 1) {
  suppress(x, maxN = maxN, method = method, status = status, seed = 1, time_limit_s = time_limit_s, ...)
}

codes <- function(A, B, sdcStatus, ...) data.frame(A = A, B = B, sdcStatus = sdcStatus, ...)

named_matrix <- function(x) {
  dimnames(x) <- list(A = seq_len(nrow(x)), B = seq_len(ncol(x)))
  x
}

within_cells <- function(su, row, code) {
  su$cells$sdcStatus[row] <- code
  su
}

test_that("oracle: cells that the user calls primary are unknown in all tables that agree, and others as asked", {
  set.seed(321)
  tried <- 0
  for (k in seq_len(rounds(5, 10))) {
    x <- named_matrix(matrix(rpois(16, 5), 4))
    at <- arrayInd(sample(which(x > 2), 4), dim(x))
    status <- codes(at[, 1], at[, 2], c("u", "u", "x", "z"))
    totals <- rbind(data.frame(A = 1:4, B = "Total"), data.frame(A = "Total", B = c(1:4, "Total")))
    su <- with_status(x, status, method = sample(c("certified", "optimal"), 1), readers = "outsider",
                      published = totals)
    row <- match(paste(status$A, status$B), paste(su$cells$A, su$cells$B))
    expect_identical(su$cells$sdcStatus[row], c("u", "u", "x", "s"), info = k)
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0)
    expect_lte(su$bound, su$cost)
    tables <- matrix(enumerate_tables(reader_system(public_suppression(su)), limit = 1e5, max_states = 1e6,
                                      max_steps = 1e8), sum(is_withheld(su)))
    tables <- tables[, colSums(tables < 1) == 0, drop = FALSE]
    known <- which(is_withheld(su))[apply(tables, 1, function(v) diff(range(v)) == 0)]
    expect_true(all(intersect(known, which(su$cells$sdcStatus == "u")) %in% su$lacking$row), info = k)
    tried <- tried + (nrow(su$lacking) == 0)
  }
  expect_gt(tried, rounds(3, 6))
})

test_that("property: edits of codes are refused", {
  x <- named_matrix(matrix(c(5, 1, 8, 4, 7, 9, 6, 2, 3, 8, 5, 6), 3))
  su <- with_status(x, codes(c(1, 3, 2), c(1, 3, 4), c("u", "x", "z")))
  expect_true(verify_suppression(su)$verified)
  expect_s3_class(publish(su), "sdc_suppressed")
  expect_match(format(su), "by the user's status: 1 primary, 1 suppressed, 1 kept published", all = FALSE)
  expect_match(format(explain(su, data.frame(A = 1, B = 1))), "`status` says so", all = FALSE)
  expect_match(format(explain(su, data.frame(A = 3, B = 3))), "`status` says so", all = FALSE)
  expect_error(explain(su, data.frame(A = 3, B = 3), without = TRUE), "status", class = "sdc_error_input")
  row <- su$status$row
  edits <- list(
    demoted = function(su) within_cells(su, row[1], "x"), shown = function(su) within_cells(su, row[1], "s"),
    forced = function(su) within_cells(su, row[2], "s"), kept = function(su) within_cells(su, row[3], "x"),
    forgotten = function(su) {
      su$status <- NULL
      su
    },
    recoded = function(su) {
      su$status$sdcStatus[1] <- "s"
      su
    },
    damaged = function(su) {
      su$status$row <- as.character(su$status$row)
      su
    }
  )
  for (name in names(edits)) {
    edited <- resealed(edits[[name]](su))
    expect_false(verify_suppression(edited)$verified, info = name)
    expect_error(publish(edited), class = "sdc_error_refused", info = name)
  }
  edited <- su
  edited$status$cost[3] <- 2
  expect_error(publish(edited), class = "sdc_error_refused")
})

test_that("property: costs of single cells count, and a dear cell is left alone where another does", {
  x <- named_matrix(matrix(c(5, 1, 8, 4, 7, 9, 6, 4, 3, 8, 5, 6), 3))
  su <- with_status(x, NULL)
  expect_null(su$status)
  second <- su$cells[su$cells$sdcStatus == "x", c("A", "B")]
  dear <- with_status(x, data.frame(second[1, ], sdcStatus = "w", cost = 50))
  expect_lt(dear$cost, 50)
  expect_identical(dear$cells$sdcStatus[dear$status$row], "s")
  expect_true(verify_suppression(dear)$verified)
  cheap <- with_status(x, data.frame(second, sdcStatus = "s", cost = .25))
  expect_equal(cheap$cost, .25 * nrow(second))
  expect_match(format(cheap), "cost 0.75", all = FALSE)
  # what must be suppressed is necessary
  forced <- with_status(x, data.frame(second, sdcStatus = "x"), method = "optimal")
  expect_equal(forced$bound, nrow(second))
  expect_true(forced$optimal)
  none <- suppressWarnings(with_status(x, codes(1, 1, "x"), maxN = 0), classes = "sdc_warning_input")
  expect_identical(none$cells$sdcStatus[none$status$row], "x")
  expect_equal(c(none$cost, none$bound), c(1, 1))
})

test_that("property: what cannot be asked is an error", {
  x <- named_matrix(matrix(c(5, 1, 0, 4, 7, 9, 6, 4, 3, 8, 5, 6), 3))
  fails <- function(words, ...) expect_error(with_status(x, ...), words, class = "sdc_error_input")
  fails("data frame", "u")
  fails("sdcStatus", data.frame(A = 1, B = 1))
  fails("Row 2", codes(1, 1:2, c("u", "p")))
  fails("Row 1 has none", codes(1, 1, "w"))
  fails("no choice", codes(1, 1, "z", cost = 2))
  fails("another value", codes(1, 1, "w", cost = 0))
  fails("1 zero", codes(3, 1, "u"))
  fails("withheld by the rule", codes(2, 1, "z"))
  fails("once", codes(1, c(1, 1), "u"))
  fails("without.*pattern", codes(1, 1, "u"), pattern = x == 1)
  fails("maxN", codes(1, 1, "u"), readers = c("outsider", "method"))
  fails("published", codes(1, 1, "u"), published = x == 5)
  expect_error(suppress(x, method = "GaussSuppression", status = codes(1, 1, "u")), "status", class = "sdc_error_input")
  one <- array(c(1, 5, 7, 9), c(1, 4), list(A = "only", B = 1:4))
  expect_error(with_status(one, codes(c("only", "Total"), 4, c("x", "z"))), "same leaves", class = "sdc_error_input")
})

test_that("property: last year's pattern is kept where it protects, and a reader who knows the method may know it", {
  set.seed(322)
  both <- c(with = 0, without = 0)
  for (k in seq_len(rounds(1, 5))) {
    last <- named_matrix(matrix(rpois(30, 4), 5))
    this <- last + sample(0:1, 30, TRUE)
    before <- suppressWarnings(with_status(last, NULL), classes = "sdc_warning_unsafe")
    run <- function(previous) {
      suppressWarnings(with_status(this, NULL, previous = previous), classes = "sdc_warning_unsafe")
    }
    again <- run(before)
    common <- function(su) sum(is_withheld(su) & is_withheld(before))
    both <- both + c(common(again), common(run(NULL)))
    expect_identical(run(public_suppression(before))$cells, again$cells)
    expect_identical(run(before$cells[c("A", "B", "sdcStatus")])$cells, again$cells)
    expect_identical(again$previous, list(row = as.double(which(is_withheld(before))), gone = 0))
    cost <- ifelse(is_withheld(before), .5, 1)
    expect_equal(again$cost, sum(cost[again$cells$sdcStatus == "x"]))
    expect_false("false" %in% verify_suppression(again)$claims$status)
    expect_match(format(again), paste0("before and now: ", common(again), ";"), all = FALSE)
  }
  expect_gte(both[["with"]], both[["without"]])
  frame <- data.frame(A = c("1", "9"), B = "1", suppressed = TRUE)
  su <- with_status(last, NULL, previous = frame, readers = c("outsider", "method"), time_limit_s = 5) |>
    suppressWarnings(classes = "sdc_warning_unsafe")
  expect_identical(su$previous, list(row = 1, gone = 1))
  expect_match(format(su), "1 of before are no cells", all = FALSE)
  fails <- function(words, previous) {
    expect_error(with_status(last, NULL, previous = previous), words, class = "sdc_error_input")
  }
  fails("data frame", 1)
  fails("\"B\"", frame[-2])
  fails("neither", frame[-3])
})
