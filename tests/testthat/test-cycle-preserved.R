# Dense matrices: cells by cycles, and cells by sums of the claimed margins.
move_matrix <- function(set) vapply(bare_moves(set), as.vector, numeric(prod(dim(set))))

margin_matrix <- function(set) {
  names <- names(dimnames(set))
  sums <- lapply(set$preserves, function(margin) {
    level <- level_numbers(dim(set), match(margin, names))
    outer(level, seq_len(max(level)), `==`) + 0
  })
  do.call(cbind, c(list(matrix(0, prod(dim(set)), 0)), sums))
}

rank_of <- function(m) if (ncol(m)) qr(m, tol = 1e-9)$rank else 0L

function_matrix <- function(set) {
  found <- cpp_list_preserved(set)
  out <- matrix(0, prod(dim(set)), max(0, found$`function`))
  out[cbind(found$cell, found$`function`)] <- found$coefficient
  out
}

# Pairs of cells whose rows are parallel, by the definition.
slow_mates <- function(set) {
  m <- move_matrix(set)
  parallel <- function(i, j) any(m[i, ] != 0) && any(m[j, ] != 0) && rank_of(t(m[c(i, j), , drop = FALSE])) == 1
  cells <- seq_len(nrow(m))
  out <- expand.grid(determined = cells, known = cells)[2:1]
  out <- out[out$known != out$determined, ]
  keep <- mapply(parallel, out$known, out$determined)
  out <- out[keep, ]
  rownames(out) <- NULL
  out
}

expect_preserves <- function(set) {
  moves <- move_matrix(set)
  margins <- margin_matrix(set)
  functions <- function_matrix(set)
  found <- summary(set)
  expect_equal(found$preserved, nrow(moves) - rank_of(moves))
  expect_equal(found$beyond_margins, found$preserved - rank_of(margins))
  expect_equal(ncol(functions), found$beyond_margins)
  expect_true(all(crossprod(functions, moves) == 0))
  expect_equal(rank_of(cbind(margins, functions)), found$preserved)
}

random_moves <- function(dim) {
  lapply(seq_len(sample(8, 1)), function(i) {
    move <- array(0, dim)
    move[sample(length(move), 4)] <- sample(c(-3:-1, 1:3), 4, replace = TRUE)
    move
  })
}

test_that("oracle: functions are a basis of the left kernel, for all rules and small shapes", {
  for (m in 2:6) {
    for (n in 2:5) {
      x <- matrix(0, m, n)
      expect_preserves(cycles_bidiagonal(x))
      expect_preserves(cycles_bidiagonal(x, "chain"))
      expect_preserves(cycles_banded(x, seed = m))
      expect_preserves(cycles_banded(x, seed = n, open = TRUE, transposed = TRUE))
      expect_preserves(cycles_banded(x, seed = m, group = 2))
    }
  }
})

test_that("oracle: functions of user's moves with any coefficients and margins", {
  set.seed(41)
  for (i in 1:60) {
    dim <- list(c(3, 4), c(2, 2, 3), 5)[[i %% 3 + 1]]
    expect_preserves(cycles(random_moves(dim), plain_table(array(0, dim)), margins = list()))
  }
  move <- array(c(1, -1, -1, 1, -1, 1, 1, -1), c(2, 2, 2))
  x <- plain_table(array(0, c(2, 2, 2)))
  expect_preserves(cycles(list(move), x))
  expect_preserves(cycles(list(move, -2 * move), x, margins = list(c("A", "B"), "C", character())))
})

test_that("oracle: sets that skip zeros preserve what all moves over two columns do", {
  for (i in 1:10) {
    set <- cycles_banded(matrix(0, 3 + i %% 4, 4), seed = i, skip_zeros = TRUE)
    p <- set$parameters
    moves <- list()
    for (g in seq_along(p$groups)) {
      lines <- p$groups[[g]]
      for (band in if (length(lines) == 3) list(lines[1:2], lines[2:3],
                                                lines[c(3, 1)]) else list(lines)) {
        for (columns in utils::combn(4, 2, simplify = FALSE)) {
          move <- matrix(0, nrow(set), 4)
          move[band, columns] <- c(1, -1, -1, 1)
          moves <- c(moves, list(move))
        }
      }
    }
    wide <- cycles(moves, matrix(0, nrow(set), 4))
    expect_identical(summary(set)$preserved, summary(wide)$preserved)
    expect_true(all(crossprod(function_matrix(set), move_matrix(wide)) == 0))
    expect_identical(determined_cells(set), determined_cells(wide))
  }
})

test_that("oracle: cells that one known cell gives away have parallel rows", {
  set.seed(42)
  x <- matrix(0, 4, 3)
  sets <- list(
    cycles_bidiagonal(x), cycles_bidiagonal(x, "chain"), cycles_banded(x, seed = 1),
    cycles_banded(x, group = 2, seed = 1),
    cycles_banded(matrix(0, 3, 2), seed = 1), cycles_banded(matrix(0, 2, 2), seed = 1)
  )
  for (i in 1:20) sets <- c(sets,
                            list(cycles(random_moves(c(3, 3)), matrix(0, 3, 3), margins = list())))
  for (set in sets) {
    slow <- slow_mates(set)
    found <- determined_cells(set)
    expect_equal(found[order(found$known, found$determined), ], slow, ignore_attr = TRUE)
    expect_equal(as.data.frame(summary(set))$determines, tabulate(slow$known, prod(dim(set))))
  }
})

test_that("published: how many functions sets preserve, and what one known cell gives away", {
  beyond <- function(set) summary(set)$beyond_margins
  mates <- function(set) unique(as.data.frame(summary(set))$determines)
  for (m in c(3, 6, 12)) {
    for (n in c(3, 4, 7)) {
      x <- matrix(0, m, n)
      for (open in c(FALSE, TRUE)) {
        expect_equal(beyond(cycles_banded(x, seed = 1, open = open)), (m / 3 - 1) * (n - 1))
        expect_identical(mates(cycles_banded(x, seed = 1, open = open)), 0L)
        if (m %% 2 == 0) expect_equal(beyond(cycles_banded(x, group = 2, seed = 1, open = open)),
                                      (m / 2 - 1) * (n - 1))
      }
      if (m %% n != 1) expect_equal(beyond(cycles_bidiagonal(x)), (m - 2) * (n - 1))
    }
  }
  expect_identical(mates(cycles_bidiagonal(matrix(0, 5, 5))), 4L)
  expect_identical(mates(cycles_banded(matrix(0, 6, 5), group = 2, seed = 1)), 1L)
})

test_that("property: large sets are counted in linear time", {
  seconds <- system.time({
    found <- summary(cycles_banded(matrix(0, 300, 300), seed = 1))
  })[["elapsed"]]
  expect_equal(found$beyond_margins, 99 * 299)
  expect_lt(seconds, 10)
})

test_that("snapshot: functions, cells and errors", {
  x <- plain_table(matrix(0, 4, 3))
  expect_snapshot({
    preserved_functions(cycles_banded(x, group = 2, shuffle = FALSE))
    head(determined_cells(cycles_banded(x, group = 2, shuffle = FALSE)), 3)
    determined_cells(cycles_banded(matrix(0, 3, 3), seed = 1))
    summary(cycles_bidiagonal(x))
    summary(cycles_banded(x, group = 2, seed = 1, transposed = TRUE))
    preserved_functions(cycles_banded(matrix(0, 3, 3), seed = 1))
  })
  clash <- x
  names(dimnames(clash)) <- c("function", "B")
  expect_snapshot(error = TRUE, {
    preserved_functions(x)
    preserved_functions()
    determined_cells("set")
    preserved_functions(cycles_bidiagonal(x), max_rows = 5)
    preserved_functions(cycles_bidiagonal(x), max_rows = 12)
    preserved_functions(cycles_bidiagonal(x), max_rows = NA)
    determined_cells(cycles_bidiagonal(x), max_rows = 10)
    determined_cells(cycles_bidiagonal(x), max_rows = 1.5)
    preserved_functions(cycles_bidiagonal(clash))
  })
})
