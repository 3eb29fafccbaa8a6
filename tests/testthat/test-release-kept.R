# The best set of sub-tables of all that are safe, by listing every table of the same total.
best_by_listing <- function(x, beta) {
  truth <- every_table(x)
  sizes <- vapply(all_releases(length(dim(x))), function(sets) {
    if (length(sets) == 0 || truth$width(sets) < beta) 0 else length(sets)
  }, 0)
  max(sizes)
}

# Tables of which some one-way table, or all of them together, breaks the rule.
test_that("oracle: where one-way tables break the rule the exact search finds the best release", {
  set.seed(31)
  shapes <- list(c(2, 5), c(3, 3), c(2, 2, 2), c(2, 2, 3))
  seen <- c(best = 0, none = 0)
  for (i in seq_len(rounds(16, 400))) {
    x <- risky_table(shapes[[i %% 4 + 1]], sample(4:6, 1))
    truth <- every_table(x)
    beta <- truth$width(one_way_tables(x)) + sample(2, 1)
    best <- best_by_listing(x, beta)
    for (name in names(release_searches)) {
      found <- tryCatch(release_searches[[name]](x, risk_width(beta)),
                        sdc_error_infeasible = function(cnd) NULL)
      if (best == 0) {
        expect_null(found)
        next
      }
      expect_gte(truth$width(found$sets), beta)
      expect_lte(found$n_sub_tables, best)
      expect_gte(found$n_sub_tables, 1)
      expect_setequal(found$left_out,
                      setdiff(names(dimnames(x)), names(dimnames(x))[unlist(found$sets)]))
      if (name == "exact") {
        expect_true(found$optimal)
        expect_equal(found$n_sub_tables, best)
      }
      if (name == "decomposable") expect_true(found$optimal)
    }
    at <- if (best == 0) "none" else "best"
    seen[at] <- seen[at] + 1
  }
  expect_gt(seen[["best"]], rounds(3, 15))
})

test_that("published: a table of 2 x 5 whose first variable may be released", {
  x <- sdc_table(matrix(c(1, 9, 9, 9, 9, 9, 18, 9, 9, 9), 2, dimnames = list(A = 1:2, B = 1:5)))
  set <- function(re) re$frontier
  truth <- min(margin(x, "A")$counts)
  expect_gte(truth, 19)
  for (search in release_searches) expect_equal(set(search(x, risk_width(19))), "A")
  expect_error(release_exact(x, risk_width(1000)), class = "sdc_error_infeasible")
  re <- release_anneal(x, risk_width(19), seed = 1, progress = FALSE)
  expect_match(format(re), "left out, with all sub-tables that hold them: B", all = FALSE)
  expect_true(verify_release(re)$verified)
  expect_error(release_anneal(x, risk_width(19), seed = 1, forced = "B", progress = FALSE),
               class = "sdc_error_infeasible")
})

test_that("oracle: rules for single sub-tables leave out what breaks them", {
  x <- sdc_table(data.frame(a = c("x", "x", "y"), b = c("u", "v", "u"), n = c(5, 2, 9)),
                 c("a", "b"), freqVar = "n")
  expect_equal(release_exact(x, risk_n(3))$frontier, "a")
  expect_equal(release_exact(x, risk_n(2))$frontier, "a:b")
  expect_error(release_exact(x, risk_n(10)), class = "sdc_error_infeasible")
})
