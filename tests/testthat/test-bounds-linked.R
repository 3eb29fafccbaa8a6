# Bounds of the published cells of linked tables, against all tables of a given total.

agreeing <- function(parts, labels, tables) {
  for (part in parts) {
    shown <- part[!part$suppressed, ]
    found <- sums_in_tables(shown, labels, tables)
    tables <- tables[, colSums(found != shown$freq) == 0, drop = FALSE]
  }
  tables
}

hidden_part <- function(x, set) {
  part <- as.data.frame(margin(x, set), totals = TRUE, zeros = TRUE)
  part$suppressed <- stats::runif(nrow(part)) < .75
  part$suppressed[nrow(part)] <- FALSE
  part
}

test_that("oracle: published cells of linked tables have the bounds of all tables that agree", {
  withr::local_seed(31)
  labels <- list(A = c("a1", "a2"), B = c("b1", "b2"), C = c("c1", "c2"))
  tables <- all_with_total(8, 6)
  designs <- list(list(c("A", "B"), c("A", "C")), list(c("A", "B"), c("B", "C"), c("A", "C")),
                  list("A", c("B", "C")), list(c("A", "B"), "C"))
  widths <- numeric()
  for (i in seq_len(rounds(12, 24))) {
    x <- sdc_table(array(tables[, sample(ncol(tables), 1)], c(2, 2, 2), labels))
    parts <- lapply(designs[[i %% 4 + 1]], function(set) hidden_part(x, set))
    fits <- agreeing(parts, labels, tables)
    for (part in parts) {
      asked <- part[intersect(names(labels), names(part))]
      truth <- sums_in_tables(asked, labels, fits)
      found <- bounds_margins(parts, asked, progress = FALSE)
      expect_true(all(found$sharp))
      expect_equal(found$lower, apply(truth, 1, min))
      expect_equal(found$upper, apply(truth, 1, max))
      of_cross <- bounds_margins(do.call(constraints, parts), asked, progress = FALSE)
      expect_equal(of_cross$lower, found$lower)
      expect_equal(of_cross$upper, found$upper)
      widths <- c(widths, found$upper - found$lower)
    }
  }
  expect_gt(sum(widths > 0), rounds(25, 50))
})

test_that("oracle: sums that no table shows by itself, and nodes of trees", {
  labels <- list(A = c("a1", "a2"), B = c("b1", "b2"), C = c("c1", "c2"))
  x <- sdc_table(array(c(1, 0, 2, 1, 0, 1, 1, 0), c(2, 2, 2), labels))
  parts <- list(hidden_part(x, c("A", "B")), hidden_part(x, c("A", "C")))
  parts <- lapply(parts, transform, suppressed = FALSE)
  fits <- agreeing(parts, labels, all_with_total(8, 6))
  asked <- data.frame(B = c("b1", "b2"), C = c("c1", "c2"))
  found <- as.data.frame(bounds_margins(parts, asked, progress = FALSE))
  truth <- sums_in_tables(asked, labels, fits)
  expect_equal(found$lower, apply(truth, 1, min))
  expect_equal(found$upper, apply(truth, 1, max))
  expect_equal(as.character(found$A), c("Total", "Total"))

  tree <- data.frame(parent = c("all", "all", "n", "n"), child = c("n", "l3", "l1", "l2"))
  cells <- data.frame(v = c("all", "n", "l1", "l2", "l3"), freq = c(9, 5, 2, 3, 4),
                      suppressed = c(FALSE, TRUE, TRUE, FALSE, TRUE))
  release <- constraints(cells, hierarchies = list(v = tree))
  found <- bounds_margins(release, data.frame(v = c("n", "l1")), progress = FALSE)
  expect_equal(found$lower, c(3, 0))
  expect_equal(found$upper, c(9, 6))
  again <- bounds_margins(constraints(release), data.frame(v = c("n", "l1")), progress = FALSE)
  expect_equal(again$upper, c(9, 6))
})

test_that("property: the full cross of linked tables is never laid out", {
  withr::local_seed(32)
  frame <- function(b) {
    labels <- list(A = paste0("a", 1:30), B = paste0(b, 1:40))
    names(labels)[2] <- b
    as.data.frame(as.table(array(stats::rpois(1200, 3), c(30, 40), labels)), responseName = "freq")
  }
  parts <- lapply(c("B", "C", "D", "E", "F"), frame)
  for (i in 2:5) {
    parts[[i]]$freq <- parts[[1]]$freq
    parts[[i]]$suppressed <- FALSE
    parts[[i]]$suppressed[c(1, 2, 31, 32)] <- i == 3
  }
  rows <- data.frame(A = rep(parts[[1]]$A[1:30], 1),
  freq = as.vector(rowsum(parts[[1]]$freq, parts[[1]]$A)))
  release <- c(parts, list(rows))
  asked <- parts[[3]][c(1, 2, 31, 32), c("A", "D")]
  found <- bounds_margins(release, asked, progress = FALSE)
  expect_true(all(found$sharp))
  hidden <- parts[[3]]$freq[c(1, 2, 31, 32)]
  expect_equal(found$upper, rep(hidden[1:2] + hidden[3:4], 2))
  expect_equal(found$lower, rep(0, 4))
  expect_error(constraints(parts[[1]], parts[[2]], parts[[3]], parts[[4]]),
  class = "sdc_error_too_large")
  expect_error(bounds_margins(release, asked[1:2, ], max_cells = 1000),
               class = "sdc_error_too_large")
})

test_that("snapshot: what is asked must be sums of the release", {
  cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
  expect_snapshot(error = TRUE, {
    bounds_margins(constraints(cells), data.frame(colour = "red"))
    bounds_margins(constraints(cells), data.frame(row = "9"))
    bounds_margins(list(cells), data.frame(row = c("1", "1")))
  })
})
