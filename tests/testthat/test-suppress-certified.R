# Suppression with certificates: what it promises is true, and its arguments do what they say.

# All tables of whole numbers that agree with the published cells, with at least 1 in each
# suppressed one: a row for each suppressed cell.
floor_tables <- function(su) {
  public <- public_suppression(su)
  tables <- enumerate_tables(reader_system(public), limit = 2e5, max_states = 1e7, max_steps = 1e9)
  tables <- matrix(tables, sum(public$cells$suppressed))
  tables[, colSums(tables < 1) == 0, drop = FALSE]
}

# Of each person who is alone in a cell the suppressed rows that she knows to be 1.
naive_knowers <- function(su) {
  cells <- su$cells
  inner <- inner_rows(cells, su$original$dimnames)
  held <- held_labels(su)
  ones <- inner[cells$freq[inner] == 1]
  lapply(ones, function(at) {
    above <- Reduce(`&`, lapply(names(held), function(v) {
      level <- as.character(cells[[v]][at])
      vapply(as.character(cells[[v]]), function(l) level %in% held[[v]][[l]], NA)
    }))
    unname(which(above & cells$freq == 1 & cells$sdcStatus %in% c("u", "x")))
  })
}

test_that("oracle: every certified cell has the interval claimed for every reader, by all tables that agree", {
  set.seed(231)
  tried <- 0
  for (k in seq_len(rounds(8, 40))) {
    x <- matrix(rpois(20, sample(c(2, 3, 4), 1)), 4, dimnames = list(A = 1:4, B = 1:5))
    # the listing needs an end
    totals <- rbind(data.frame(A = 1:4, B = "Total"), data.frame(A = "Total", B = c(1:5, "Total")))
    totals <- totals[c(rowSums(x), colSums(x), sum(x)) > 2, ]
    width <- sample(1:3, 1)
    su <- suppressWarnings(
      suppress(x, maxN = 2, method = sample(c("certified", "optimal"), 1), width = width, seed = k, time_limit_s = 1,
               published = totals),
      classes = "sdc_warning_unsafe"
    )
    primary <- which(su$cells$sdcStatus == "u")
    hidden <- which(su$cells$sdcStatus %in% c("u", "x"))
    if (length(primary) == 0) next
    tables <- tryCatch(floor_tables(su), sdc_error_too_large = function(cnd) NULL)
    if (is.null(tables)) next
    tried <- tried + 1
    ranges <- function(kept) apply(tables[match(primary, hidden), kept, drop = FALSE], 1, function(v) diff(range(v)))
    certified <- !primary %in% su$lacking$row[su$lacking$reader == "outsider"]
    expect_true(all(ranges(rep(TRUE, ncol(tables)))[certified] >= width), info = k)
    inner <- inner_rows(su$cells, su$original$dimnames)
    ones <- inner[su$cells$freq[inner] == 1]
    knows <- naive_knowers(su)
    for (i in seq_along(ones)) {
      kept <- colSums(tables[match(knows[[i]], hidden), , drop = FALSE] != 1) == 0
      open <- su$lacking$row[su$lacking$reader == "contributor" & su$lacking$who == ones[i]]
      asked <- certified & !primary %in% c(knows[[i]], open)
      expect_true(all(ranges(kept)[asked] >= width), info = paste(k, ones[i]))
    }
    # what is called impossible stays so when everything else is suppressed
    expect_true(all(su$lacking$row %in% primary))
  }
  expect_gt(tried, rounds(5, 10))
})

test_that("oracle: an audit finds no reader who learns a certified cell, with trees, links and single levels", {
  for (name in names(certified_cases())) {
    su <- certified_cases()[[name]]
    found <- audit(su, count = FALSE, readers = su$readers)
    cells <- found$cells
    own <- which(is_withheld(su))
    known <- own[cells$primary & cells$known == "exactly"]
    expect_true(all(known %in% su$lacking$row), info = name)
    if (NROW(su$lacking) == 0) expect_true(all(faults_of(found) == 0), info = name)
    expect_true(all(su$cells$sdcStatus[su$cells$freq %in% seq_len(su$maxN)] %in% c("u", "n")), info = name)
    expect_false(any(su$cells$freq[is_withheld(su)] == 0), info = name)
  }
})

test_that("property: a proved optimum costs no more than what the search finds, and no less than any bound", {
  set.seed(232)
  proved <- 0
  for (k in 1:7) {
    x <- matrix(rpois(16, 5), 4)
    cost <- sample(c("cells", "counts", "log"), 1)
    one <- function(method) {
      suppressWarnings(suppress(x, maxN = 2, method = method, cost = cost, seed = k, time_limit_s = 2),
                       classes = "sdc_warning_unsafe")
    }
    best <- one("optimal")
    found <- one("certified")
    for (su in list(best, found)) expect_lte(su$bound, su$cost * (1 + 1e-9))
    # only where both certify the same cells are their costs comparable
    if (!best$optimal || nrow(found$lacking) > nrow(best$lacking)) next
    proved <- proved + 1
    expect_lte(best$cost, found$cost * (1 + 1e-9))
    expect_lte(found$bound, best$cost * (1 + 1e-9))
    if (found$optimal) expect_equal(found$cost, best$cost)
  }
  expect_gt(proved, 4)
})

test_that("property: costs are those that the user names", {
  x <- certified_cases()$two$original
  at <- function(cost, ...) {
    suppress(x, maxN = 2, method = "certified", cost = cost, seed = 1, time_limit_s = 1, readers = "outsider", ...)
  }
  secondary <- function(su) su$cells[su$cells$sdcStatus == "x", ]
  cells <- at("cells", total_cost = 1)
  expect_identical(cells$cost, as.double(nrow(secondary(cells))))
  counts <- at("counts")
  expect_equal(counts$cost, sum(secondary(counts)$freq))
  expect_equal(at("log")$cost, sum(log1p(secondary(at("log"))$freq)), tolerance = 1e-5)
  asked <- at(function(cells) {
    expect_true(all(cells$freq > 0))
    cells$freq
  })
  expect_identical(asked$cells, counts$cells)
  dear <- at("cells", total_cost = 1000)
  totals <- function(su) sum(secondary(su)$A == "Total" | secondary(su)$B == "Total")
  expect_lte(totals(dear), totals(cells))
  expect_equal(dear$cost, nrow(secondary(dear)) + 999 * totals(dear))
  usual <- at("cells")
  expect_equal(usual$further$total_cost, 2)
  expect_equal(usual$cost, nrow(secondary(usual)) + totals(usual))
  expect_lte(totals(usual), totals(cells))
  expect_identical(at("counts")$further$total_cost, 1)
  # a dear cell is left alone where another does
  frame <- data.frame(A = secondary(cells)$A[1], B = secondary(cells)$B[1], cost = 1e6)
  expect_lte(at(frame)$cost, 1e6 + nrow(secondary(cells)))
})

test_that("property: with costs of all names a search can prove its answer, within their rounding", {
  set.seed(236)
  for (k in seq_len(rounds(1, 4))) {
    x <- array(rpois(24, 4), c(3, 4, 2))
    for (cost in cost_names) {
      su <- suppressWarnings(suppress(x, maxN = 2, method = "optimal", cost = cost), classes = "sdc_warning_unsafe")
      expect_true(su$optimal, info = paste(k, cost))
      expect_identical(su$cost, su$bound)
      again <- suppressWarnings(suppress(x, maxN = 2, cost = cost), classes = "sdc_warning_unsafe")
      expect_gte(again$cost, su$cost)
    }
  }
  expect_lt(max(abs(log_costs(1:1e5) - log1p(1:1e5))), 2^-20)
})

test_that("property: the grand total is suppressed only where nothing else will do", {
  set.seed(237)
  top <- function(su) su$cells$sdcStatus[su$cells$freq == sum(su$original$counts)]
  for (k in 1:6) {
    x <- array(rpois(6, 4) + 1, list(6, c(2, 3))[[k %% 2 + 1]])
    su <- suppressWarnings(suppress(x, maxN = 2, readers = "outsider"), classes = "sdc_warning_unsafe")
    if (nrow(su$lacking) == 0 && sum(x) > 2) expect_identical(top(su), "s")
  }
  x <- array(c(1, 7), 2)
  su <- suppress(x, maxN = 2, readers = "outsider", published = c(FALSE, TRUE))
  expect_identical(su$cells$sdcStatus, c("u", "s", "x"))
  # as dear as all others together
  measure <- measure_of(suppress(HairEyeColor))
  cost <- cell_costs("cells", 2, measure)
  at <- which.max(measure$cells$freq)
  expect_identical(cost[at], sum(cost[-at]))
  expect_setequal(cost[-at], c(1, 2, 4))
  # a margin over one of three variables, over two, and the cells
  expect_identical(tabulate(cost[-at])[c(1, 2, 4)], c(32L, 32L, 10L))
})

test_that("property: small tables are searched for 2 seconds unless the user says more", {
  su <- suppress(roehrig)
  expect_identical(su$further$time_limit_s, 2)
  expect_identical(suppress(roehrig, time_limit_s = 5)$further$time_limit_s, 5)
  expect_identical(suppress(roehrig, method = "optimal")$further$time_limit_s, 30)
  # the same call, the same cells
  expect_identical(suppress(roehrig), su)
})

test_that("property: cells of `published` stay published, or the result says what is lacking", {
  x <- certified_cases()$two$original
  su <- certified_cases()$two
  keep <- su$cells[su$cells$sdcStatus == "x", ][1, c("A", "B")]
  again <- suppressWarnings(
    suppress(x, maxN = 2, method = "certified", published = keep, seed = 1, time_limit_s = 1),
    classes = "sdc_warning_unsafe"
  )
  at <- again$cells$A == keep$A & again$cells$B == keep$B
  expect_identical(again$cells$sdcStatus[at], "s")
  flags <- as.array(x) > 2
  all <- suppressWarnings(
    suppress(x, maxN = 2, method = "certified", published = flags, seed = 1, time_limit_s = 1),
    classes = "sdc_warning_unsafe"
  )
  inner <- inner_rows(all$cells, x$dimnames)
  expect_identical(all$cells$sdcStatus[inner][as.vector(flags)], rep("s", sum(flags)))
})

test_that("property: the same seed gives the same suppression, and its method can be run again", {
  x <- matrix(c(5, 1, 8, 4, 7, 9, 2, 6, 3, 8, 7, 4), 3)
  x[2:3, 4] <- 4
  totals <- data.frame(Var1 = "Total", Var2 = c(1:4, "Total"))
  one <- function(...) suppress(x, maxN = 2, method = "certified", seed = 3, published = totals)
  first <- one()
  second <- one()
  expect_identical(first, second)
  expect_identical(publish(first), publish(second))
  found <- audit(first, readers = "method", count = FALSE, max_tables = 1e4)
  expect_gte(found$reader_counts$method[["tables_after"]], 1)
})

test_that("oracle: patterns of others are certified, or proved to give cells away, and repaired", {
  set.seed(235)
  seen <- c(whole = 0, exposed = 0)
  for (k in 1:12) {
    x <- matrix(rpois(20, 4), 4, dimnames = list(A = 1:4, B = 1:5))
    by <- suppress(x, maxN = 2, method = "certified", readers = "outsider", seed = k, time_limit_s = 1)
    frame <- by$cells[setdiff(names(by$cells), "freq")]
    # one secondary cell less
    second <- which(frame$sdcStatus == "x")
    if (k > 4 && length(second) > 0) frame$sdcStatus[second[1]] <- "s"
    certify <- function(...) {
      suppressWarnings(suppress(x, maxN = 2, pattern = frame, method = "certified", readers = "outsider",
                                seed = k, time_limit_s = 2, ...), classes = "sdc_warning_unsafe")
    }
    su <- certify()
    expect_identical(is_withheld(su), frame$sdcStatus %in% c("u", "x"))
    whole <- nrow(su$lacking) == 0
    expect_identical(verify_suppression(su)$verified, whole)
    if (k <= 4) expect_true(whole)
    seen <- seen + c(whole, any(su$lacking$exposed))
    # tables of whole numbers that agree, with at least 1 in each suppressed cell
    tables <- tryCatch(floor_tables(su), sdc_error = function(cnd) NULL)
    if (!is.null(tables)) {
      hidden <- which(is_withheld(su))
      known <- hidden[apply(tables, 1, function(v) diff(range(v)) == 0)]
      expect_true(all(su$lacking$row[su$lacking$exposed] %in% known))
      expect_setequal(su$lacking$row, known[su$cells$sdcStatus[known] == "u"])
    }
    again <- certify(repair = TRUE)
    expect_true(all(is_withheld(again)[is_withheld(su)]))
    expect_true(verify_suppression(again)$verified)
    expect_identical(again$added, sum(is_withheld(again)) - sum(is_withheld(su)))
  }
  expect_true(all(seen > 2))
})

test_that("property: a pattern that cannot be certified is refused", {
  x <- matrix(c(5, 1, 0, 4, 7, 9), 2, dimnames = list(A = 1:2, B = 1:3))
  fails <- function(words, ...) {
    expect_error(suppress(x, maxN = 2, method = "certified", seed = 1, ...), words, class = "sdc_error_input")
  }
  fails("1 zero", pattern = x < 2)
  fails("1 primary cell", pattern = x > 8)
  fails("published", pattern = x > 0, published = x > 8)
  fails("as primary", pattern = data.frame(A = c(2, 1), B = c(1, 1), sdcStatus = "u"))
  expect_error(suppress(x, maxN = 2, method = "optimal", pattern = x == 1), class = "sdc_error_input")
  su <- suppress(x, maxN = 2, method = "certified", seed = 1, pattern = x == 9, repair = TRUE)
  expect_true(verify_suppression(su)$verified)
  expect_match(format(su), "by repair", all = FALSE)
})

test_that("property: nothing is suppressed where nothing is primary", {
  su <- suppress(matrix(5:8, 2), maxN = 3, method = "certified", seed = 1)
  expect_false(any(is_withheld(su)))
  expect_true(su$optimal)
  expect_true(verify_suppression(su)$verified)
  expect_s3_class(publish(su), "sdc_suppressed")
})

test_that("property: a cell that no table can protect is named, and publish() refuses it", {
  # with the total published the one person knows the two
  x <- array(c(1, 2, 7), 3, list(A = 1:3))
  expect_warning(su <- suppress(x, maxN = 2, method = "certified", seed = 1,
                                published = data.frame(A = c("3", "Total"))),
                 "not certified", class = "sdc_warning_unsafe")
  expect_identical(su$lacking, data.frame(row = 2, reader = "contributor", who = 1, with = NA_real_,
                                           impossible = TRUE, exposed = TRUE))
  expect_warning(su <- suppress(array(c(1, 7), 2), maxN = 2, method = "certified", seed = 1, published = c(FALSE, TRUE),
                                readers = "outsider"), NA)
  expect_warning(su <- suppress(array(c(1, 7), 2), maxN = 2, method = "certified", seed = 1,
                                published = data.frame(Var1 = c("2", "Total"))), "cannot be protected")
  expect_identical(su$lacking$reader, "outsider")
  expect_match(format(su), "FAILS", all = FALSE)
  expect_error(publish(su), "not certified", class = "sdc_error_refused")
  expect_s3_class(publish(su, insist = TRUE), "sdc_suppressed")
  expect_false(verify_suppression(su)$verified)
})

test_that("property: arguments of certified methods belong to them alone, and theirs are checked", {
  x <- matrix(c(5, 1, 8, 4, 7, 9), 2, dimnames = list(A = 1:2, B = 1:3))
  fails <- function(code, words) expect_error(code, words, class = "sdc_error_input")
  certify <- function(...) suppress(x, maxN = 2, method = "certified", ...)
  fails(suppress(x, method = "GaussSuppression", width = 2), "width.*method")
  fails(suppress(x, pattern = x < 2, cost = "cells"), "pattern")
  fails(certify(width = 0), "width")
  fails(certify(readers = "holding"), "readers")
  fails(certify(readers = c("coalition", "method")), "coalition.*method")
  fails(certify(repair = TRUE), "repair")
  fails(certify(lpPackage = "lpSolve"), "GaussSuppression")
  fails(suppress(x, threshold = 3), "sdcTable")
  fails(suppress(x, pattern = x < 2, rangeMin = 3), "GaussSuppression")
  fails(suppress(x, repair = TRUE), "repair")
  fails(certify(cost = "persons"), "cost")
  fails(certify(cost = 1), "cost")
  fails(certify(cost = function(cells) -1), "cost")
  fails(certify(cost = function(cells) rep(0, nrow(cells))), "above 0")
  fails(certify(cost = data.frame(A = 1, B = 1)), "column")
  fails(certify(cost = data.frame(A = 1, B = 1, cost = -1)), "above 0")
  fails(certify(total_cost = 0), "total_cost")
  fails(certify(total_cost = Inf), "total_cost")
  fails(certify(cost = function(cells) 10^(3 * seq_len(nrow(cells)))), "10\\^12")
  fails(suppress(x, method = NULL), "method")
  fails(certify(published = data.frame(A = 2, B = 2, published = NA)), "TRUE")
  fails(certify(published = data.frame(A = 2, B = 1)), "primary")
  fails(certify(published = matrix(1, 2, 3)), "published")
  fails(certify(time_limit_s = -1), "time_limit_s")
  fails(certify(seed = "a"), "seed")
  fails(certify(wid = 2), "in full")
})

test_that("property: a frame may say of each row whether the cell stays published", {
  x <- matrix(c(5, 1, 8, 4, 7, 9), 2, dimnames = list(A = 1:2, B = 1:3))
  hidden <- function(...) {
    as.data.frame(suppress(x, maxN = 2, method = "certified", seed = 1, ...))$sdcStatus
  }
  expect_equal(hidden(published = data.frame(A = 1, B = 1, published = FALSE)), hidden())
  keep <- data.frame(A = 1, B = 1:2, published = TRUE)
  expect_equal(hidden(published = keep), hidden(published = keep[1:2]))
})

test_that("property: labels with the same leaves are one cell of a pattern", {
  x <- matrix(c(1, 5, 7, 9, 11), 1, dimnames = list(A = "only", B = 1:5))
  pattern <- expand.grid(A = c("only", "Total"), B = c("1", "2", "3"), stringsAsFactors = FALSE)
  pattern <- rbind(pattern, data.frame(A = "only", B = "4"))
  pattern$suppressed <- TRUE
  certify <- function(...) {
    suppress(x, maxN = 1, pattern = pattern, method = "certified", seed = 1, ...)
  }
  expect_error(certify(), "another label", class = "sdc_error_input")
  expect_error(certify(published = data.frame(A = "Total", B = "4")), "published",
               class = "sdc_error_input")
  pattern <- pattern[1:6, ]
  expect_equal(certify()$added, 0)
})

test_that("property: a published zero is explained as one", {
  x <- matrix(c(5, 0, 8, 1, 7, 9, 4, 6, 3), 3, dimnames = list(A = 1:3, B = 1:3))
  su <- suppress(x, maxN = 2, method = "certified", seed = 1)
  words <- format(explain(su, data.frame(A = 2, B = 1)))
  expect_match(words, "zeros are published", all = FALSE)
})
