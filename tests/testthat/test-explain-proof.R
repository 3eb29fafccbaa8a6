certified <- function(...) bounds_margins(..., certificates = TRUE, progress = FALSE)

said <- function(b, cell) as.character(explain(b, cell))

suppressed_frame <- function() {
  cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$row %in% c("1", "4") & cells$column %in% c("2", "4")
  cells
}

test_that("snapshot: sums of margins and of suppressed tables in words", {
  b <- certified(margins(roehrig, list("row", "column")))
  expect_snapshot(explain(b, list(row = "2", column = "2")))
  b <- certified(constraints(suppressed_frame()))
  expect_snapshot(explain(b, list(row = "1", column = "2")))
  expect_snapshot(explain(b, list(row = "2", column = "1")))
  open <- certified(constraints(data.frame(row = c("1", "2"), freq = 3:4),
                                dimnames = list(row = c("1", "2", "3"))))
  expect_snapshot(explain(open, 3))
})

# Which of several proofs is found is left to the programme.
test_that("property: halves, thirds and cases are said", {
  two_way <- margins(czech_workers, combn(names(dimnames(czech_workers)), 2, simplify = FALSE))
  b <- certified(two_way, c(5, 40))
  expect_match(said(b, 5)[2], "^At most 172, because .* less .* leaves 172, and no count is neg")
  expect_match(said(b, 40)[2], "third of .* leaves 99 2/3, and counts are whole numbers, and no")
  x <- array(c(4, 2, 3, 1, 5, 3), c(3, 2), list(A = 1:3, B = 1:2))
  rates <- constraints(conditionals(x, "B", "A", digits = 1), data.frame(freq = sum(x)))
  expect_match(said(certified(rates), 1)[2], "^At most 11, because [0-9]+ cases are ruled out, each")
})

test_that("property: the numbers of a sentence make its bound", {
  set.seed(1)
  for (case in seq_len(rounds(13, 25))) {
    x <- array(rpois(18, 2), c(3, 2, 3), list(A = 1:3, B = 1:2, C = 1:3))
    released <- margins(x, combn(c("A", "B", "C"), 2, simplify = FALSE))
    b <- certified(released)
    stated <- stated_system(b, NULL)
    sums <- which(proof_kinds(b$certificates) == "sums")
    for (e in sums) {
      end <- b$certificates$ends[e, ]
      is_upper <- end$end == "upper"
      parts <- combination_parts(b, stated, end, is_upper)
      total <- sum(parts$weight * parts$value)
      expect_equal(if (is_upper) floor(total + 1e-9) else ceiling(total - 1e-9), end$value)
    }
  }
})

test_that("property: fractions are said as they are", {
  expect_identical(times_words(1), "")
  expect_identical(times_words(2), "twice ")
  expect_identical(times_words(.5), "half of ")
  expect_identical(times_words(1 / 3), "a third of ")
  expect_identical(times_words(.25), "a quarter of ")
  expect_identical(times_words(2 / 3), "2/3 of ")
  expect_identical(times_words(5), "5 times ")
  expect_identical(mixed_number(299 / 3), "99 2/3")
  expect_identical(mixed_number(7), "7")
  expect_identical(mixed_number(.5), "1/2")
  expect_identical(mixed_number(-1.5), "-1 1/2")
})

test_that("property: a published cell is said once, a sum beside its own parts not at all", {
  b <- certified(constraints(suppressed_frame()))
  words <- said(b, list(row = "2", column = "1"))
  expect_identical(sum(grepl("^Exactly 20", words)), 1L)
  expect_false(any(grepl("At most", words)))
  cells <- suppressed_frame()
  b <- certified(constraints(cells), data.frame(row = "2", column = "Total"))
  expect_true(any(grepl("55", said(b, data.frame(row = "2", column = "Total")))))
})
