# Coarser and finer tables in one record.

region_tree <- data.frame(parent = c("all", "all", "n", "n", "s", "s"),
                          child = c("n", "s", "n1", "n2", "s1", "s2"))

fine_table <- function(counts) {
  labels <- list(region = c("n1", "n2", "s1", "s2"), job = c("j1", "j2"))
  frame <- cbind(expand.grid(labels), freq = as.vector(counts))
  sdc_table(frame, c("region", "job"), freqVar = "freq", hierarchies = list(region = region_tree))
}

coarse_table <- function(counts) {
  as_sdc_table(matrix(rowsum(counts, c(1, 1, 2, 2)), 2,
                      dimnames = list(region = c("n", "s"), job = c("j1", "j2"))))
}

# Hides some rows at random, and small counts; never the totals over all regions.
hide_some <- function(x, root, share) {
  frame <- as.data.frame(suppress(x, 1, pattern = as.array(x) < 0, audit = FALSE))
  frame$suppressed <- frame$region != root & frame$job != "Total" &
    (frame$freq == 1 | frame$freq > 0 & stats::runif(nrow(frame)) < share)
  frame$sdcStatus <- NULL
  suppress(x, 1, pattern = frame, audit = FALSE)
}

# All ways to distribute a number over four regions, a row each.
in_four <- function(n) {
  grid <- as.matrix(expand.grid(0:n, 0:n, 0:n))
  grid <- grid[rowSums(grid) <= n, , drop = FALSE]
  cbind(grid, n - rowSums(grid))
}

# The rows of a publication as sums of the eight cells: a column each.
sums_of_rows <- function(cells, tables) {
  held <- list(all = 1:4, Total = 1:4, n = 1:2, s = 3:4, n1 = 1, n2 = 2, s1 = 3, s2 = 4)
  columns <- list(j1 = 0, j2 = 4, Total = c(0, 4))
  sums <- vapply(seq_len(nrow(cells)), function(i) {
    at <- outer(held[[as.character(cells$region[i])]], columns[[as.character(cells$job[i])]], "+")
    rowSums(tables[, as.vector(at), drop = FALSE])
  }, numeric(nrow(tables)))
  matrix(sums, nrow(tables))
}

test_that("oracle: a coarser and a finer table tell together what listed tables say", {
  skip_if_not_installed("RSQLite")
  set.seed(449)
  n <- c(known = 0, unknown = 0)
  for (k in seq_len(rounds(15, 60))) {
    counts <- matrix(sample(0:3, 8, TRUE, c(1, 4, 3, 2)), 4)
    counts[1, ] <- pmax(1, counts[1, ])
    one <- in_four(sum(counts[, 1]))
    two <- in_four(sum(counts[, 2]))
    tables <- cbind(one[rep(seq_len(nrow(one)), nrow(two)), ],
                    two[rep(seq_len(nrow(two)), each = nrow(one)), ])
    su <- list(hide_some(fine_table(counts), "all", .9),
               hide_some(coarse_table(counts), "Total", .7))
    if (k %% 2 == 0) su <- rev(su)
    for (one in su) {
      public <- publish(one, insist = TRUE)
      cells <- as.data.frame(public)
      sums <- sums_of_rows(cells, tables)
      fits <- rowSums(t(t(sums) == cells$freq), na.rm = TRUE) == sum(!cells$suppressed) &
        rowSums(sums[, cells$suppressed, drop = FALSE] == 0) == 0
      tables <- tables[fits, , drop = FALSE]
    }
    primary <- unique(do.call(rbind, lapply(su, function(one) {
      one$cells[one$cells$sdcStatus == "u", c("region", "job")]
    })))
    constant <- apply(sums_of_rows(primary, tables), 2, function(v) all(v == v[1]))
    entries <- lapply(su, function(one) suppression_entry(one, publish(one, insist = TRUE)))
    outsider <- lapply(entries, function(entry) replace(entry, "people", list(NULL)))
    found <- known_together(outsider)
    said <- if (length(found$cells) > 0) found$cells[found$how == "known"]
    expect_setequal(as.character(said),
                    as.character(label_words(lapply(primary[constant, ], as.character))))
    n <- n + c(any(constant), !any(constant))
  }
  expect_true(all(n > 2))
})

test_that("property: a coarser table is entered after a finer one, and the other way round", {
  skip_if_not_installed("RSQLite")
  set.seed(450)
  counts <- matrix(sample(c(0, 1, 2, 5, 9), 8, TRUE), 4)
  counts[, 1] <- c(9, 8, 1, 12)
  for (first in 1:2) {
    record <- publication_record()
    for (x in list(fine_table(counts), coarse_table(counts))[c(first, 3 - first)]) {
      expect_error(publish(round_controlled(x, 3), record = record), NA)
    }
    expect_identical(nrow(as.data.frame(record)), 2L)
  }
})

test_that("property: levels that no tree connects are refused in words of their own", {
  skip_if_not_installed("RSQLite")
  counts <- matrix(c(9, 8, 7, 12, 5, 9, 6, 8), 4)
  record <- publication_record()
  plain <- as_sdc_table(as.array(fine_table(counts)))
  enter_publication(record, plain)
  expect_error(enter_publication(record, coarse_table(counts)), "tree",
               class = "sdc_error_refused")
  expect_identical(nrow(as.data.frame(record)), 1L)
})
