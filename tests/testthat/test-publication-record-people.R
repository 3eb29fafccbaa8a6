# Single people who are alone in cells of several tables of one record.

cube_of <- function(counts) {
  as_sdc_table(array(counts, c(2, 2, 2),
                     list(A = c("a1", "a2"), B = c("b1", "b2"), C = c("c1", "c2"))))
}

# All ways to put `n` people into 8 cells, a row each.
in_eight <- function(n) {
  bars <- t(utils::combn(n + 7, 7))
  cbind(bars, n + 8) - cbind(0, bars) - 1
}

# Which of the 8 cells each row of a two-way publication holds.
held_by <- function(cells) {
  box <- expand.grid(A = c("a1", "a2"), B = c("b1", "b2"), C = c("c1", "c2"), stringsAsFactors = FALSE)
  vapply(seq_len(nrow(cells)), function(i) {
    Reduce(`&`, lapply(intersect(names(cells), names(box)), function(v) {
      as.character(cells[[v]][i]) %in% c("Total", NA) | box[[v]] == as.character(cells[[v]][i])
    }))
  }, logical(8))
}

test_that("oracle: nobody who is alone in cells of crossing tables learns a protected count", {
  skip_if_not_installed("RSQLite")
  set.seed(451)
  n <- c(accepted = 0, refused = 0, questions = 0)
  for (k in seq_len(rounds(25, 150))) {
    counts <- sample(c(0, 0, 1, 1, 2, 3), 8, TRUE)
    if (sum(counts) > 9 || sum(counts) < 3) next
    x <- cube_of(counts)
    record <- publication_record()
    tables <- in_eight(sum(counts))
    primary <- known <- NULL
    refused <- FALSE
    for (set in list(c("B", "C"), c("A", "C"), c("A", "B"))[sample(3, 2)]) {
      su <- suppressWarnings(suppress(table_margin(x, set), sample(2, 1), record = record))
      public <- tryCatch(publish(su, record = record), sdc_error_refused = function(cnd) NULL)
      refused <- refused || is.null(public)
      # how many people there are is not known where no table shows it
      if (is.null(public) || is.na(as.table(public, totals = TRUE)["Total", "Total"])) next
      holds <- held_by(su$cells)
      sums <- tables %*% holds
      hidden <- public$cells$suppressed
      fits <- colSums(t(sums) == su$cells$freq | hidden) == nrow(su$cells) &
        rowSums(sums[, hidden, drop = FALSE] == 0) == 0
      tables <- tables[fits, , drop = FALSE]
      primary <- cbind(primary, holds[, su$cells$sdcStatus == "u", drop = FALSE])
      known <- cbind(known, holds[, su$cells$freq == 1, drop = FALSE])
    }
    n <- n + c(!refused, refused, 0)
    if (is.null(primary)) next
    for (cell in which(counts > 0)) {
      # what she knows, who is alone there
      facts <- known[, known[cell, ], drop = FALSE]
      left <- tables[rowSums(tables %*% facts == 1) == ncol(facts), , drop = FALSE]
      others <- primary[, !(primary[cell, ] & colSums(primary * counts) == 1), drop = FALSE]
      sums <- left %*% others
      told <- apply(sums, 2, function(v) all(v == v[1]))
      expect_false(any(told), info = paste(c(k, counts), collapse = " "))
      n[["questions"]] <- n[["questions"]] + ncol(others)
    }
  }
  expect_true(all(n > c(3, 0, 50)))
})

test_that("property: who may be alone in cells of two tables is asked with both", {
  skip_if_not_installed("RSQLite")
  x <- cube_of(c(0, 1, 3, 0, 2, 0, 2, 1))
  readers <- c("outsider", "contributor")
  record <- publication_record()
  publish(suppress(table_margin(x, c("B", "C")), 3, seed = 963914, readers = readers), record = record)
  su <- suppress(table_margin(x, c("A", "C")), 1, record = record, seed = 919754)
  # a1, c1 is 3: the woman in a2, b1, c1 knows that all others of c1 are
  expect_error(publish(su, record = record), "B = b2, C = c1", class = "sdc_error_refused")
  # a coarser cell and a finer one below it
  counts <- matrix(c(0, 1, 1, 0, 1, 2, 2, 2, 2), 3,
                   dimnames = list(A = c("a1", "a2", "a3"), B = c("b1", "b2", "b3")))
  tree <- data.frame(parent = c("Total", "Total", "AB", "AB"), child = c("AB", "a3", "a1", "a2"))
  coarse <- rbind(AB = counts[1, ] + counts[2, ], a3 = counts[3, ])
  names(dimnames(coarse)) <- c("A", "B")
  record <- publication_record()
  publish(suppress(coarse, 2, readers = readers, seed = 259763), record = record)
  fine <- sdc_table(as.data.frame(as.table(counts)), c("A", "B"), freqVar = "Freq",
                    hierarchies = list(A = tree))
  su <- suppress(fine, 3, protectZeros = TRUE, seed = 3582)
  expect_error(publish(su, record = record), "A = a1, B = b1", class = "sdc_error_refused")
})

test_that("oracle: the largest sets are those of all subsets", {
  set.seed(452)
  for (k in seq_len(rounds(20, 200))) {
    n <- sample(7, 1)
    fits <- matrix(stats::runif(n^2) < .5, n)
    fits <- fits & t(fits)
    diag(fits) <- FALSE
    all <- lapply(seq_len(2^n - 1), function(code) which(bitwAnd(code, 2^(seq_len(n) - 1)) > 0))
    ok <- Filter(function(set) all(fits[set, set] | diag(length(set)) == 1), all)
    largest <- Filter(function(set) {
      !any(vapply(ok, function(other) length(other) > length(set) && all(set %in% other), NA))
    }, ok)
    words <- function(sets) vapply(sets, function(set) paste(sort(set), collapse = " "), "")
    expect_setequal(words(largest_sets(fits)), words(largest))
  }
  # where there are too many, nothing is judged
  local_own("most_people", 2)
  fits <- matrix(TRUE, 6, 6)
  fits[cbind(1:6, c(2, 1, 4, 3, 6, 5))] <- diag(fits) <- FALSE
  expect_error(largest_sets(fits), "person can be alone in", class = "sdc_error_too_large")
})

test_that("property: the same table is entered with a tree after it was without one, and with another", {
  skip_if_not_installed("RSQLite")
  frame <- cbind(expand.grid(A = c("a1", "a2", "a3"), B = c("b1", "b2")), n = c(5, 7, 9, 4, 5, 6))
  tree <- function(node, below, beside) {
    data.frame(parent = c("Total", "Total", node, node), child = c(node, beside, below))
  }
  make <- function(tree) {
    sdc_table(frame, c("A", "B"), freqVar = "n", hierarchies = if (!is.null(tree)) list(A = tree))
  }
  kinds <- list(NULL, tree("AB", c("a1", "a2"), "a3"), tree("BC", c("a2", "a3"), "a1"))
  for (order in list(1:3, 3:1, c(2, 1, 3))) {
    record <- publication_record()
    for (one in kinds[order]) {
      expect_error(publish(round_controlled(make(one), 3), record = record), NA)
    }
    expect_identical(nrow(as.data.frame(record)), 3L)
  }
})
