# Publications of suppressed counts, judged by the program in inst/checker, which lists all tables
# that agree with them and shares no code with the package.

verdicts_of <- function(found) vapply(found, `[[`, "", "verdict")

test_that("oracle: the program lists the tables that trying every value gives", {
  set.seed(441)
  drawn <- lapply(rep(c("plain", "tree", "trees", "zeros"), rounds(4, 40)), draw_publication)
  small <- vapply(drawn, function(one) sum(as.data.frame(one$pub, totals = FALSE)$suppressed) <= 7, NA)
  drawn <- drawn[small]
  expect_gt(length(drawn), 5)
  cases <- lapply(drawn, function(one) case_of_suppression("x", one$su, one$pub))
  # what is hidden is at least 1 only where zeros are published
  found <- run_auditor(cases, explain = TRUE)
  for (k in seq_along(drawn)) {
    su <- drawn[[k]]$su
    tables <- all_agreeing(drawn[[k]]$pub, held_labels(su))
    hidden <- as.data.frame(drawn[[k]]$pub)$suppressed
    if (!su$protectZeros) tables <- tables[apply(tables[, hidden, drop = FALSE] > 0, 1, all), , drop = FALSE]
    expect_equal(found[[k]]$tables, nrow(tables))
    # the limits that it names for everybody
    said <- strsplit(grep("^safe outsider", found[[k]]$said, value = TRUE), "[ :]+")
    expect_gt(length(said), 0)
    for (one in lapply(said, function(words) as.numeric(words[4:6]))) {
      expect_equal(range(tables[, one[1]]), one[2:3])
    }
  }
})

test_that("property: questions by a search for two tables have the answers of the list", {
  set.seed(442)
  drawn <- lapply(rep(c("plain", "tree", "groups", "linked"), rounds(10, 200)), draw_publication)
  # some cells are published that should not be
  cases <- lapply(drawn, function(one) {
    case_of_suppression("x", one$su, partly_shown(one), "limit 5000")
  })
  listed <- run_auditor(cases)
  searched <- run_auditor(lapply(cases, sub, pattern = "^limit 5000$", replacement = "limit 0"))
  told <- !is.na(vapply(listed, `[[`, 0, "tables"))
  expect_gt(sum(told), length(cases) / 2)
  sure <- told & verdicts_of(searched) != "undecided"
  expect_gt(mean(sure[told]), .8)
  expect_identical(verdicts_of(searched)[sure], verdicts_of(listed)[sure])
  expect_true(all(c("safe", "open") %in% verdicts_of(listed)))
  same <- function(found) lapply(found[sure], function(one) grep("^open", one$said, value = TRUE))
  expect_identical(same(searched), same(listed))
})

test_that("property: nobody learns from random publications what they promise to keep", {
  set.seed(445)
  slow <- c("default", "method", "library")
  kinds <- c(rep(setdiff(names(auditor_kinds), slow), rounds(27, 1210)), rep(slow, rounds(6, 220)))
  if (!requireNamespace("GaussSuppression", quietly = TRUE)) kinds <- kinds[kinds != "library"]
  n <- c(safe = 0, again = 0)
  for (some in split(kinds, ceiling(seq_along(kinds) / 500))) {
    drawn <- lapply(some, draw_publication)
    audits <- audit_drawn(drawn, rounds(3000, 100000), rounds(100, 100000))
    for (k in seq_along(drawn)) {
      one <- audits$found[[k]]
      # what is not settled is a table of which too many agree
      ok <- one$verdict == "safe" || one$verdict == "undecided" && is.na(one$tables)
      expect_true(ok, info = paste(c(one$name, one$said, deparse(drawn[[k]]$arguments)), collapse = "\n"))
    }
    n <- n + c(sum(verdicts_of(audits$found) == "safe"), length(audits$run_again))
  }
  expect_gt(n[["safe"]], .97 * length(kinds))
  expect_gt(n[["again"]], 0)
})

test_that("oracle: of two publications of one table it finds the limits of bounds_margins()", {
  set.seed(444)
  n <- 0
  for (k in seq_len(rounds(12, 300))) {
    counts <- auditor_table(c(3, 4), 2)
    two <- lapply(1:2, function(by) {
      quietly_suppress(counts, maxN = by, cost = c("cells", "counts")[by], seed = by, readers = "outsider")
    })
    pubs <- lapply(two, publish, insist = TRUE)
    # all sums that are not published, each more narrow than asked: the program says its limits
    cases <- Map(case_of_suppression, "x", two, pubs, known_zeros = FALSE)
    sums <- sub("^sum (hidden|primary) [01]", "sum primary 0",
                unlist(lapply(cases, grep, pattern = "^sum ", value = TRUE)))
    found <- run_auditor(list(c("case two", paste(c("truth", counts), collapse = " "), "width 1000", sums, "end")))[[1]]
    expect_identical(found$verdict, if (any(grepl("primary", sums))) "open" else "safe")
    limits <- as.data.frame(bounds_margins(constraints(pubs[[1]], pubs[[2]]), progress = FALSE))
    for (words in strsplit(grep("^open", found$said, value = TRUE), "[ :]+")) {
      leaf <- sub(".* : ", "", sums[as.numeric(words[4])])
      if (grepl(" ", leaf)) next
      at <- as.numeric(leaf)
      expect_equal(as.numeric(words[5:6]), c(limits$lower[at], limits$upper[at]))
      n <- n + 1
    }
  }
  expect_gt(n, 30)
})

test_that("property: two publications of one table are judged together", {
  # each of the two hides enough, and both together hide two cells too few
  counts <- array(c(5, 1, 8, 4, 7, 9, 6, 6, 7), c(3, 3), list(A = paste0("a", 1:3), B = paste0("b", 1:3)))
  masks <- list(counts < 0, counts < 0)
  masks[[1]][1:2, 1:2] <- TRUE
  masks[[2]][2:3, c(1, 3)] <- TRUE
  two <- lapply(masks, function(mask) suppress(counts, 3, pattern = mask, method = "certified"))
  cases <- lapply(two, function(su) case_of_suppression("x", su))
  expect_identical(verdicts_of(run_auditor(cases)), c("safe", "safe"))
  both <- c(head(cases[[1]], -1), grep("^sum ", cases[[2]], value = TRUE), "end")
  found <- run_auditor(list(both))[[1]]
  expect_identical(found$verdict, "open")
  expect_identical(found$tables, 1)
})

test_that("property: tables, kinds and lines that do not fit are named", {
  case <- function(...) c("case x", ..., "end")
  found <- run_auditor(list(
    case("kind graph", "truth 3 4"), case("truth 3 4", "sum is 8 : 1 2"), case("truth 3 4", "sum is 7 : 1 3"),
    case("truth 3 4", "sum is seven : 1 2"), case("truth 1 4", "small 3", "sum is 1 : 1")
  ))
  expect_identical(verdicts_of(found), c("refused", "wrong", "unreadable", "unreadable", "open"))
  expect_identical(unlist(lapply(found, `[[`, "said")), c(
    "refused kind graph is not audited", "wrong 1 the table has 7",
    "unreadable line 11 cannot be read: sum is 7 : 1 3",
    "unreadable line 15 cannot be read: sum is seven : 1 2", "shown 1"
  ))
})
