test_that("published: the tables have the totals and cells of their sources", {
  expect_identical(rowSums(roehrig), c("1" = 20, "2" = 55, "3" = 25, "4" = 35))
  expect_identical(roehrig[1, 2], 1L)
  expect_identical(sum(downloads), 50L)
  expect_identical(unname(downloads["Female", ]), c(5L, 20L))
  expect_identical(sum(koch), 193L)
  expect_identical(unname(koch["2", "1", "2", ]), c(11L, 10L, 0L))
  expect_identical(unname(koch["1", "2", "1", ]), c(3L, 14L, 12L))
  expect_identical(sum(czech_workers), 1841L)
  expect_identical(tabulate(czech_workers, 2), c(1L, 2L))
})

# Least width, over the cells at risk, of the bounds from a sub-table and the one-way tables of the
# other variables.
critical_width <- function(y, keep) {
  others <- setdiff(names(dimnames(y)), keep)
  at <- which(array(y %in% 1:2, dim(y)), arr.ind = TRUE)
  colnames(at) <- names(dimnames(y))
  sub <- marginSums(y, keep)
  margins <- cbind(
    sub[at[, keep, drop = FALSE]],
    sapply(others, function(v) marginSums(y, v)[at[, v]])
  )
  lower <- pmax(0, rowSums(margins) - sum(y) * (ncol(margins) - 1))
  min(apply(margins, 1, min) - lower)
}

test_that("published: all 35 critical widths of the Czech table", {
  printed <- c(
    ACDEF = 3, ABCDE = 5, ABDEF = 6, BCDEF = 9, ACDE = 10, ABCEF = 10, ABCDF = 10, ADEF = 12,
    ABDE = 12, BDEF = 20, ABDF = 20, ACDF = 21, CDEF = 22, BCDE = 23, ABEF = 23, ADE = 25,
    ACEF = 25, ABCE = 26, ABCF = 30, ABCD = 30, DEF = 45, ADF = 49, BCEF = 52, CDE = 54, AEF = 55,
    BDE = 56, ABD = 57, ACE = 58, ABF = 58, ACF = 59, ACD = 61, ABE = 61, ABC = 64, BCDF = 68,
    DE = 119
  )
  keep <- strsplit(names(printed), "")
  found <- vapply(keep, function(k) critical_width(czech_workers, k), 1)
  expect_identical(found, unname(printed))
})

test_that("property: the survey tables have their documented sizes and agree", {
  expect_s3_class(cps13, "sdc_table")
  expect_identical(c(length(cps13), length(cps13$counts), sum(cps13)), c(2592000, 41684, 299285))
  expect_identical(c(length(cps14), length(cps14$counts), sum(cps14)), c(435456000, 70829, 299285))
  same <- c("age", "industry", "occupation", "race", "sex", "household", "citizenship", "salary")
  expect_identical(margin(cps14, same), margin(cps13, same))
  expect_identical(vapply(1:3, function(k) sum(cps13$counts == k), 1L), c(22993L, 6421L, 3031L))
  expect_identical(vapply(1:3, function(k) sum(cps14$counts == k), 1L), c(48195L, 9262L, 3964L))
})
