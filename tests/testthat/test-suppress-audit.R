# All tables of whole numbers >= `least` with the row sums and column sums of `x`, a row each.
tables_with_sums <- function(x, least) {
  rows <- lapply(rowSums(x), function(n) {
    tries <- as.matrix(expand.grid(rep(list(least:n), ncol(x))))
    tries[rowSums(tries) == n, , drop = FALSE]
  })
  out <- matrix(0, 1, 0)
  for (row in rows) {
    out <- cbind(out[rep(seq_len(nrow(out)), each = nrow(row)), , drop = FALSE],
                 row[rep(seq_len(nrow(row)), nrow(out)), , drop = FALSE])
  }
  column <- rep(seq_len(ncol(x)), nrow(x))
  fits <- apply(out, 1, function(one) all(tapply(one, column, sum) == colSums(x)))
  out[fits, , drop = FALSE]
}

test_that("oracle: an audit asks about readers who know that no zero is suppressed", {
  set.seed(441)
  n <- c(refused = 0, safe = 0, zeros = 0)
  for (i in seq_len(rounds(12, 60))) {
    x <- matrix(sample(0:3, 9, TRUE, c(i %% 3, 6, 3, 1)), 3, dimnames = list(A = 1:3, B = 1:3))
    x[rowSums(x) == 0, 1] <- 1
    x[1, colSums(x) == 0] <- 1
    zeros <- any(x == 0)
    # everything but the margins is suppressed, so that the tables with these agree
    su <- suppress(x, 1, pattern = x >= 0, audit = FALSE)
    tables <- tables_with_sums(x, if (zeros) 0 else 1)
    alike <- apply(tables, 2, function(column) length(unique(column)) == 1)
    primary <- as.vector(t(x)) == 1
    found <- quiet_audit(su, readers = "outsider", count = FALSE)
    known <- sum(found$cells$primary & found$cells$known == "exactly") + nrow(found$learned)
    expect_identical(known, sum(alike & primary))
    if (zeros) expect_identical(nrow(found$learned), 0L)
    if (any(alike & primary)) {
      expect_error(publish(su), class = "sdc_error_refused")
      n[["refused"]] <- n[["refused"]] + 1
    } else {
      n[["safe"]] <- n[["safe"]] + 1
    }
    n[["zeros"]] <- n[["zeros"]] + zeros
  }
  expect_true(all(n > 2))
})

test_that("property: what only the knowledge of zeros gives away is repaired", {
  x <- matrix(1, 3, 3, dimnames = list(A = 1:3, B = 1:3))
  su <- suppress(x, 1, pattern = x > 0, audit = FALSE)
  expect_true(all(audit(su)$cells$known != "exactly"))
  expect_error(publish(su), "9 primary cells are learned by readers who know more",
               class = "sdc_error_refused")
  skip_if_not_installed("GaussSuppression")
  set.seed(442)
  for (i in seq_len(rounds(3, 12))) {
    x <- matrix(sample(1:4, 12, TRUE), 3, dimnames = list(A = 1:3, B = 1:4))
    su <- suppress(x, 1, method = "GaussSuppression")
    if (nrow(su$audit$learned) == 0) expect_no_error(publish(su))
  }
})
