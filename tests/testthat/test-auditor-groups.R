# Groups of people: nobody learns that all people of a row are in one category.

draw_groups <- function(n) {
  drawn <- lapply(rep("groups", n), draw_publication)
  Filter(function(one) length(one$su$groups) > 0, drawn)
}

case_of_groups <- function(one, more = character()) {
  case_of_suppression("x", one$su, one$pub, c(row_lines(one$su, as.data.frame(one$pub)), "limit 5000", more))
}

test_that("property: nobody learns from outside that a row of people is all alike", {
  set.seed(481)
  drawn <- draw_groups(rounds(24, 2000))
  found <- run_auditor(lapply(drawn, case_of_groups))
  verdicts <- vapply(found, `[[`, "", "verdict")
  listed <- !is.na(vapply(found, `[[`, 0, "tables"))
  expect_gt(mean(listed), .9)
  expect_identical(unique(verdicts[listed]), "safe")
  # without the promise such rows are told
  plain <- lapply(drawn, function(one) {
    su <- quietly_suppress(one$arguments$counts, maxN = one$arguments$maxN, readers = "outsider")
    pub <- publish(su, insist = TRUE)
    su$groups <- one$su$groups
    c("case x", grep("^truth", case_of_groups(one), value = TRUE),
      grep("^sum", case_of_counts("x", pub, as.array(su$original), held_labels(su), list(
        maxN = 0, protectZeros = FALSE, width = 1, readers = "outsider", known_zeros = TRUE
      )), value = TRUE), row_lines(su, as.data.frame(pub)), "limit 5000", "end")
  })
  said <- unlist(lapply(run_auditor(plain), `[[`, "said"))
  expect_gt(sum(grepl("^row outsider", said)), 1)
})

test_that("oracle: whoever is alone in her category learns that of all others of her row", {
  # a row of one and five, published as it is; another one, of which two cells are not
  case <- c(
    "case x", "truth 0 1 5 0 4 1 5 2", "readers contributor", "sum is 0 : 1", "sum is 5 : 3", "sum is 0 : 4",
    "sum is 1 : 2", "sum is 6 : 1 2 3 4", "sum hidden 1 : 5", "sum hidden 1 : 6", "sum is 5 : 7", "sum is 2 : 8",
    "sum is 12 : 5 6 7 8", "sum is 5 : 5 6", "person 2", "person 6", "row 5 : 1 2 3 4", "row 10 : 6 7 8 9"
  )
  said <- function(...) run_auditor(list(c(case, ..., "end")))[[1]]$said
  expect_identical(said(), character())
  expect_identical(said("insiders"), "row contributor 2 : 5 2")
  # of a row of two categories she knows how many are in the other
  expect_identical(said("row 11 : 6 7"), character())
  expect_identical(said("row 11 : 6 7", "insiders"), c("row contributor 2 : 5 2", "row contributor 6 : 11 6"))
  alike <- c("case x", "truth 0 3", "sum is 0 : 1", "sum is 3 : 2", "sum is 3 : 1 2", "row 3 : 1 2", "end")
  expect_identical(run_auditor(list(alike))[[1]]$said, "row outsider - : 3 2")
})

test_that("oracle: two people who act together learn that of all others of their row", {
  # the two of one cell, and two who are alone in theirs
  case <- c(
    "case x", "truth 0 2 5 1 1 4", "readers contributor coalition", "sum is 0 : 1", "sum hidden 1 : 2",
    "sum hidden 1 : 3", "sum is 7 : 1 2 3", "sum hidden 1 : 4", "sum hidden 1 : 5", "sum hidden 1 : 6",
    "sum is 6 : 4 5 6", "row 4 : 1 2 3", "row 8 : 5 6 7"
  )
  said <- function(case, ...) run_auditor(list(c(case, ..., "end")))[[1]]$said
  expect_identical(said(case), character())
  expect_identical(said(case, "insiders"), c("row coalition 2 : 4 3", "row coalition 4,5 : 8 7"))
  expect_identical(said(sub(" coalition", "", case), "insiders"), character())
  # somebody else may be in the first category
  open <- sub("sum is 0 : 1", "sum hidden 0 : 1", case)
  expect_identical(said(open, "insiders"), "row coalition 4,5 : 8 7")
})

test_that("property: nobody learns by two people from outside what is certified for these", {
  set.seed(482)
  # rows where no zero can rise are left out: there the publication does not tell two that they are all
  case_of_pairs <- function(su) {
    lines <- sub("^readers.*", "readers outsider contributor coalition",
                 case_of_groups(list(su = su, pub = publish(su)), "insiders"))
    closed <- vapply(split(hides_zero(su), su$cells$A), function(zeros) !any(zeros), NA)
    rows <- grep("^row", lines)
    at <- as.numeric(sub("^row ([0-9]+) .*", "\\1", lines[rows]))
    gone <- rows[closed[as.character(su$cells$A[at])]]
    sub("^sum primary", "sum hidden", lines[setdiff(seq_along(lines), gone)])
  }
  told <- function(...) {
    made <- lapply(tables, function(counts) quietly_suppress(counts, maxN = 0, groups = "B", ...))
    cases <- lapply(Filter(function(su) nrow(su$lacking) == 0, made), case_of_pairs)
    expect_gt(length(cases), rounds(15, 300))
    grep("^row", unlist(lapply(run_auditor(cases), `[[`, "said")), value = TRUE)
  }
  tables <- lapply(seq_len(rounds(30, 600)), function(k) {
    auditor_table(list(c(2, 3), c(3, 3), c(4, 3))[[k %% 3 + 1]], 2)
  })
  expect_identical(told(readers = "coalition"), character())
  # the choice for single people is not enough
  expect_match(told(), "^row coalition", all = FALSE)
})
