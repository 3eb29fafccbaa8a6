# Certified suppression for two people who put together what they know.

certify_pairs <- function(x, ..., readers = "coalition") {
  suppressWarnings(classes = "sdc_warning_unsafe", suppress(
    x, ..., readers = readers, time_limit_s = 1, seed = 1, total_cost = 1
  ))
}

test_that("property: two people who are alone in cells know each other's, unless more is suppressed", {
  x <- matrix(c(1, 6, 7, 8, 1, 5, 9, 7, 8), 3, dimnames = list(A = 1:3, B = 1:3))
  alone <- certify_pairs(x, maxN = 2, readers = "contributor")
  both <- certify_pairs(x, maxN = 2)
  expect_identical(both$readers, c("outsider", "contributor", "coalition"))
  learned <- function(su) nrow(audit(su, readers = "coalition", count = FALSE, progress = FALSE)$learned)
  expect_equal(c(learned(alone), learned(both)), c(0, 0))
  # whoever is alone in x or y does not know z, and both together do
  row <- table(A = rep(c("x", "y", "z"), c(1, 1, 3)))
  total <- data.frame(A = "Total")
  su <- certify_pairs(row, maxN = 3, published = total)
  expect_identical(su$lacking, data.frame(row = 3, reader = "coalition", who = 1, with = 2,
                                          impossible = TRUE, exposed = TRUE))
  expect_warning(suppress(row, maxN = 3, published = total, readers = "coalition"),
                 class = "sdc_warning_unsafe")
  expect_error(publish(su), "not certified for pairs", class = "sdc_error_refused")
  expect_identical(nrow(certify_pairs(row, maxN = 3, published = total, readers = "contributor")$lacking), 0L)
})

test_that("property: what an audit of pairs finds is listed, and what is certified it does not find", {
  set.seed(77)
  found <- c(learned = 0, certified = 0, pairs = 0)
  for (k in seq_len(rounds(5, 12))) {
    x <- array(sample(c(0, 1, 1, 2, 3, 6, 9), 16, TRUE), c(4, 4), list(A = letters[1:4], B = LETTERS[1:4]))
    pattern <- as.data.frame(certify_pairs(x, maxN = 2, readers = "outsider"))
    # what is chosen for outsiders, and for pairs
    for (su in list(certify_pairs(x, maxN = 2),
                    certify_pairs(x, maxN = 2, pattern = pattern, method = "certified"))) {
      told <- audit(su, readers = "coalition", count = FALSE, progress = FALSE)
      rows <- match(paste(told$learned$A, told$learned$B), paste(su$cells$A, su$cells$B))
      expect_true(all(rows %in% su$lacking$row))
      found <- found + c(length(rows), nrow(su$lacking) == 0, sum(su$lacking$reader == "coalition"))
    }
  }
  expect_true(all(found > rounds(1, 3)))
})

test_that("property: where zeros are protected two people know their own cells alone", {
  # the two in row 1 would know of its total of 2 that nobody else is there
  x <- matrix(c(1, 1, 0, 0, 5, 6, 4, 0, 3, 4, 7, 5), 3, byrow = TRUE,
              dimnames = list(A = 1:3, B = letters[1:4]))
  su <- certify_pairs(x, maxN = 2, protectZeros = TRUE)
  total <- which(su$cells$A == "1" & su$cells$B == "Total")
  expect_identical(su$cells$freq[total], 2)
  for (pairs in list(paired_readers(su), paired_contributors(su))) {
    expect_false(total %in% which(is_hidden(su))[pairs$row])
    expect_false(total %in% pairs$known$row)
  }
  told <- audit(su, readers = "coalition", count = FALSE, progress = FALSE)
  expect_identical(nrow(told$learned), 0L)
  expect_identical(nrow(su$lacking), 0L)
  expect_true(verify_suppression(su)$verified)
})

test_that("property: exact search is as cheap as the other, and says that no pattern costs less", {
  set.seed(78)
  for (k in 1:4) {
    x <- array(sample(c(0, 1, 1, 2, 4, 6, 9), 12, TRUE), c(3, 4), list(A = letters[1:3], B = LETTERS[1:4]))
    best <- certify_pairs(x, maxN = 2, method = "optimal")
    own <- certify_pairs(x, maxN = 2)
    expect_true(best$optimal)
    expect_lte(best$cost, own$cost)
    expect_lte(own$bound, own$cost)
    expect_gte(best$cost, certify_pairs(x, maxN = 2, method = "optimal", readers = "contributor")$bound)
  }
})

test_that("property: linked tables and trees have their pairs, whom explain() and print() name", {
  frame <- expand.grid(A = c("a", "b", "c"), B = c("x", "y"), C = c("p", "q"))
  frame$n <- c(1, 4, 0, 5, 1, 3, 2, 0, 1, 1, 6, 4)
  linked <- sdc_table(frame, c("A", "B", "C"), freqVar = "n", formula = ~ A:B + A:C)
  su <- certify_pairs(linked, maxN = 2)
  # cells that no crossing shows have people, too
  pairs <- paired_contributors(su)
  expect_equal(length(pairs$who), 4 * 3 / 2 + 1)
  expect_true(all(pairs$who <= pairs$with))
  expect_output(print(su), "certified for pairs of people")
  expect_output(print(su), "more than two people who act together")
  expect_output(print(verify_suppression(su)), "pairs of people \\(7\\)")
  # chosen for outsiders: the two of one cell know what the cell beside it makes up for
  x <- matrix(c(1, 3, 1, 1, 3, 3, 6, 6, 3, 6, 2, 0, 0, 6, 9, 2), 4, byrow = TRUE,
              dimnames = list(A = letters[1:4], B = LETTERS[1:4]))
  given <- as.data.frame(certify_pairs(x, maxN = 2, readers = "outsider"))
  su <- certify_pairs(x, maxN = 2, pattern = given, method = "certified")
  open <- su$lacking[su$lacking$reader == "coalition", ]
  expect_identical(open$who, open$with)
  expect_true(all(open$exposed))
  expect_output(print(explain(su, cell = c(A = "a", B = "C"))), "1 pair of people who put together")
})

test_that("property: input: too many pairs are an error before the search", {
  many <- table_from_dense(rep(1, 400), list(A = 1:20, B = 1:20))
  expect_error(suppress(many, maxN = 1, readers = "coalition"), "50,000", class = "sdc_error_too_large")
  local_own("max_pair_questions", 10)
  expect_error(suppress(roehrig, maxN = 3, readers = "coalition"), class = "sdc_error_too_large")
  expect_s3_class(suppress(roehrig, maxN = 3), "sdc_suppression")
  firms <- magnitude_table(data.frame(a = c("x", "x", "y"), v = c(5, 4, 9)), "a", "v")
  expect_error(suppress(firms, rule_p_percent(10), readers = "coalition"), "readers", class = "sdc_error_input")
})
