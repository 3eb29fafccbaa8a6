# The slides' 4 x 4 table with the four suppressed cells, and a mask of any cells of a table.
slides_mask <- function(rows = c(1, 4), columns = c(2, 4)) {
  hidden <- roehrig < 0
  hidden[rows, columns] <- TRUE
  hidden
}

# Which levels each label of a variable holds, totals included: itself, or all, or those of a tree's
# node, looked up leaf by leaf.
held_by_label <- function(levels, trees = NULL, total = "Total") {
  held <- lapply(rlang::set_names(levels), identity)
  if (is.null(trees)) {
    return(c(held, rlang::set_names(list(levels), total)))
  }
  if (is.data.frame(trees)) trees <- list(trees)
  for (tree in trees) {
    for (leaf in levels) {
      at <- leaf
      while (length(at) > 0 && at %in% tree$child) {
        at <- tree$parent[tree$child == at]
        held[[at]] <- union(held[[at]], leaf)
      }
    }
  }
  held
}

# All tables of whole numbers that agree with a publication, by trying every value of every hidden
# cell: a row for each table, a column for each row of the publication. `held`: for each variable
# the levels of each label.
all_agreeing <- function(pub, held) {
  cells <- as.data.frame(pub)
  variables <- names(held)
  labels <- lapply(cells[variables], as.character)
  inner <- as.data.frame(pub, totals = FALSE)
  holds <- sapply(seq_len(nrow(inner)), function(i) {
    Reduce(`&`, lapply(variables, function(v) {
      vapply(labels[[v]], function(l) as.character(inner[[v]][i]) %in% held[[v]][[l]], NA)
    }))
  })
  shown <- !cells$suppressed
  open <- which(inner$suppressed)
  most <- vapply(open, function(i) min(cells$freq[shown & holds[, i]]), 0)
  known <- inner$freq
  known[open] <- 0
  # cell after cell; what goes beyond a published count is dropped at once
  sums <- t(holds %*% known)
  for (k in seq_along(open)) {
    tries <- 0:most[k]
    sums <- sums[rep(seq_len(nrow(sums)), each = length(tries)), , drop = FALSE] +
      rep(tries, nrow(sums)) %o% as.vector(holds[, open[k]])
    within <- apply(t(sums[, shown, drop = FALSE]) <= cells$freq[shown], 2, all)
    sums <- sums[within, , drop = FALSE]
  }
  fits <- apply(t(sums[, shown, drop = FALSE]) == cells$freq[shown], 2, all)
  sums[fits, , drop = FALSE]
}

# Cells that GaussSuppression chooses.
gauss <- function(x, ...) suppress(x, ..., method = "GaussSuppression")

# Another function in the place of one of the package's own, for the rest of a test.
local_own <- function(name, value, frame = parent.frame()) {
  own <- asNamespace("sdcLattice")
  before <- get(name, own)
  put <- function(what) {
    if (bindingIsLocked(name, own)) unlockBinding(name, own)
    assign(name, what, own)
  }
  put(value)
  withr::defer(put(before), frame)
}

# Found by random search: with zeros protected, GaussSuppression suppresses 20 cells at maxN = 2,
# all of which are known.
leaky <- array(
  c(2, 1, 5, 5, 2, 2, 2, 4, 4, 5, 4, 4, 1, 1, 4, 4, 1, 2, 3, 4, 2, 6, 4, 3, 3, 3, 7), c(3, 3, 3)
)
leaky_hidden <- array(!seq_along(leaky) %in% c(3, 8, 10, 15, 20, 22, 27), dim(leaky))

# The same with published zeros and maxN = 3: a block of a random table with trees, in which 36
# cells are suppressed.
leaky_block <- array(
  c(20, 33, 8, 16, 19, 15, 36, 17, 119, 41, 6, 67, 1, 15, 26, 17, 32, 7, 3, 37, 10, 0, 29, 16, 12,
    18, 5, 0, 17, 21, 26, 66, 3, 2, 2, 2, 3, 51, 9, 24, 16, 21, 10, 75, 71, 27, 17, 35, 5, 10, 8, 0,
    8, 4, 41, 47, 2, 3, 3, 21, 8, 11, 2, 4, 32, 107, 67, 69, 2, 0, 57, 5, 2, 3, 19), c(5, 3, 5)
)
leaky_block_hidden <- array(
  seq_along(leaky_block) %in% c(1, 3, 6, 8, 11, 13, 16, 19, 21, 25, 29, 30, 33:37, 39:43, 47, 50,
                                53, 54, 57:60, 62, 63, 67, 69, 73, 74), c(5, 3, 5)
)

# The picture of a suppression marks which of its cells are primary; that of its publication, of
# which `n` cells are hidden, does not.
expect_marks <- function(su, pub, n) {
  skip_if_not_installed("ggplot2")
  marks <- function(x) {
    picture <- ggplot2::autoplot(x)
    words <- Filter(function(layer) inherits(layer$geom, "GeomText"), picture$layers)
    expect_length(words, 1)
    picture$data$.label[is.na(picture$data$.amount)]
  }
  expect_identical(marks(pub), rep("x", n))
  status <- su$cells$sdcStatus[inner_rows(su$cells, su$original$dimnames)]
  expect_identical(marks(su), as.character(status[status %in% c("u", "x")]))
  expect_true("u" %in% marks(su))
}
