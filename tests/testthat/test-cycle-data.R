# A random table with a cycle of non-zero cells.
cyclic_table <- function(m, n, mean) {
  repeat {
    x <- random_table(m, n, mean)
    if (!all(x == 0) && !all(is_bridge(x)[x > 0])) return(x)
  }
}

# Whether the ends of each non-zero cell hang together through it only: by painting rows and
# columns.
is_bridge <- function(x) {
  alone <- function(at) {
    y <- x > 0
    y[at] <- FALSE
    rows <- seq_len(nrow(x)) == row(x)[at]
    repeat {
      columns <- colSums(y[rows, , drop = FALSE]) > 0
      more <- rowSums(y[, columns, drop = FALSE]) > 0 | rows
      if (identical(more, rows)) break
      rows <- more
    }
    !columns[[col(x)[at]]]
  }
  array(vapply(seq_along(x), function(at) x[at] > 0 && alone(at), NA), dim(x))
}

test_that("oracle: margins are kept, zeros and bridges stay, all others have their chances", {
  set.seed(31)
  for (i in seq_len(rounds(18, 60))) {
    x <- cyclic_table(sample(2:9, 1), sample(2:9, 1), sample(c(.5, 1, 3), 1))
    chances <- sample(2:5, 1)
    set <- cycles_data(x, chances)
    moves <- bare_moves(set)
    expect_true(all(vapply(moves, function(a) all(rowSums(a) == 0) && all(colSums(a) == 0), NA)))
    expect_true(all(unlist(moves) %in% -1:1))
    bridge <- is_bridge(x)
    found <- as.data.frame(summary(set))$chances
    movable <- as.vector(x > 0 & !bridge)
    expect_true(all(found[!movable] == 0))
    expect_true(all(found[movable] >= chances & found[movable] <= 2 * chances))
    expect_identical(set$parameters$still, which(bridge))
    expect_identical(still_cells(set), cell_labels(which(bridge), dimnames(x)))
    expect_identical(data_cycle_knowledge(set),
                     list(at_least_one = which(movable), fixed = which(!movable)))
  }
})

# The largest and the least value of a cell, given margins and zero pattern, by going through all
# tables.
test_that("oracle: still cells follow from margins and zero pattern", {
  x <- plain_table(matrix(c(1, 2, 0, 1, 1, 0, 0, 2, 3), 3))
  set <- cycles_data(x, seed = 1)
  all <- as.matrix(expand.grid(rep(list(0:3), 7)))
  cells <- which(x > 0)
  same <- apply(all[, seq_along(cells)], 1, function(v) {
    y <- array(0, dim(x))
    y[cells] <- v
    all(rowSums(y) == rowSums(x)) && all(colSums(y) == colSums(x))
  })
  values <- apply(unique(all[same, seq_along(cells)]), 2, function(v) length(unique(v)))
  expect_identical(cells[values == 1], set$parameters$still)
})

test_that("property: nothing but the zero pattern, the labels and the seed plays a part", {
  set.seed(32)
  before <- .Random.seed
  for (i in seq_len(rounds(6, 20))) {
    x <- withr::with_seed(i, cyclic_table(6, 7, 1))
    y <- x
    y[x > 0] <- withr::with_seed(i, rpois(sum(x > 0), 50) + 1)
    a <- cycles_data(x, seed = i)
    expect_true(identical(a, cycles_data(y, seed = i)))
    expect_identical(serialize(a, NULL), serialize(cycles_data(y, seed = i), NULL))
    expect_false(identical(a, cycles_data(x, seed = -i)))
  }
  expect_identical(.Random.seed, before)
  x[] <- 1
  expect_false(identical(cycles_data(x), cycles_data(x)))
  expect_identical(.Random.seed, before)
})

test_that("published: the cycles of seed 11, on every platform", {
  x <- plain_table(matrix(c(3, 0, 2, 5, 1, 4, 0, 2, 6, 1, 0, 3, 0, 2, 1, 4), 4))
  expect_snapshot(str(cycles_data(x, chances = 2, seed = 11)$parameters))
})

test_that("property: large tables take a second, and cells have four or five chances", {
  set.seed(33)
  time <- system.time(cycles_data(random_table(200, 200, 1), seed = 1))[["elapsed"]]
  expect_lt(time, 10)
  # how often each cell moves is counted cell by cell
  x <- random_table(80, 80, 1)
  set <- cycles_data(x, seed = 1)
  found <- as.data.frame(summary(set))$chances[as.vector(x) > 0]
  expect_true(all(found %in% c(0, 4:8)))
  expect_gt(mean(found == 4), .9)
})

test_that("property: tables of many variables are two-way tables of their ways", {
  set.seed(34)
  x <- plain_table(array(rpois(120, 1), c(2, 3, 4, 5)))
  set <- cycles_data(x, seed = 1, ways = list(c("D", "A"), c("B", "C")))
  expect_identical(set$preserves, list(c("A", "D"), c("B", "C")))
  two_way <- matrix(aperm(unclass(x), c(4, 1, 2, 3)), 10)
  inside <- aperm(array(cycles_data(two_way, seed = 1)[[1]], c(5, 2, 3, 4)), c(2, 3, 4, 1))
  expect_identical(array(as.vector(set[[1]]), dim(x)), inside)
  expect_identical(cycles_data(x, seed = 1)$preserves, list(c("A", "D"), c("B", "C")))
  expect_true(all(x[set$parameters$cell] > 0))
  expect_true(all(diff(set$parameters$still) > 0))
})

test_that("property: perturbed, published, written, read: what stays, stays", {
  set.seed(35)
  for (i in 1:6) {
    x <- if (i == 6) plain_table(array(rpois(48, .8), c(4, 3, 4))) else cyclic_table(6, 6, .7)
    me <- mechanism(cycles_data(x, seed = i), covers = 2,
                    zero_rule = c("blocked", "nonnegative")[[i %% 2 + 1]])
    pe <- perturb(x, me, insist = TRUE)
    pub <- publish(pe)
    know <- data_cycle_knowledge(me$cycles)
    published <- dense_counts(pub$table)
    expect_identical(published[know$fixed], as.double(x)[know$fixed])
    expect_true(all(x[know$at_least_one] >= 1))
    folder <- withr::local_tempdir()
    back <- read_publication(write_publication(pub, file.path(folder, "pub")))
    expect_true(identical(back, pub))
    expect_identical(serialize(back, NULL), serialize(pub, NULL))
  }
})

test_that("oracle: the posterior of data cycles is the forward one", {
  x <- plain_table(matrix(c(2, 1, 1, 2), 2))
  set <- cycles_data(x, chances = 1, seed = 2)
  po <- posterior(publication(x, mechanism(set)))
  moves <- bare_moves(set)
  originals <- lapply(-2:2, function(e) unclass(x) + e * moves[[1]])
  originals <- originals[vapply(originals, function(y) all(y >= 0), NA)]
  weights <- vapply(originals, function(y) {
    forward_likelihood(array(y, dim(x)), array(x, dim(x)), moves, seq_along(moves), .25, .25,
                       "blocked")
  }, 0)
  expect_equal(exp(po$log_evidence), sum(weights))
})

test_that("property: tables with another zero pattern are refused", {
  x <- plain_table(matrix(c(3, 2, 0, 1, 4, 0, 0, 5, 7), 3))
  me <- mechanism(cycles_data(x, seed = 1))
  for (at in list(c(1, 0), c(8, 0), c(3, 2))) {
    y <- replace(x, at[[1]], at[[2]])
    expect_error(perturb(y, me), class = "sdc_error_input")
    expect_error(expected_protection(y, me), class = "sdc_error_input")
  }
  expect_no_error(expected_protection(replace(x, 8, 1), me))
  expect_no_error(publication(replace(x, 1, 0), me))
  expect_error(publication(replace(x, 8, 0), me), class = "sdc_error_input")
  expect_error(publication(replace(x, 3, 1), me), class = "sdc_error_input")
})

# A document that was changed and given a new checksum.
rewrite <- function(folder, from, to) {
  file <- file.path(folder, "mechanism.json")
  text <- readChar(file, file.size(file), useBytes = TRUE)
  open <- substr(text, 1, nchar(text) - nchar(checksum_line(strrep("0", 64))))
  changed <- sub(from, to, open, fixed = TRUE)
  stopifnot(changed != open)
  writeBin(charToRaw(paste0(changed, checksum_line(sha256_of(changed)))), file)
}

test_that("property: files of data cycles that lie are refused", {
  x <- plain_table(matrix(c(3, 2, 0, 1, 4, 0, 0, 5, 7), 3))
  pub <- publication(x, mechanism(cycles_data(x, seed = 1)))
  lies <- list(
    c("\"still\": [[2,3],[3,3]]", "\"still\": [[3,3],[2,3]]"),
    c("\"still\": [[2,3],[3,3]]", "\"still\": [[2,3]]"),
    c("\"still\": [[2,3],[3,3]]", "\"still\": [[2,3],[3,4]]"),
    c("\"still\": [[2,3],[3,3]]", "\"still\": [[1,1],[2,3],[3,3]]"),
    c("\"still\": [[2,3],[3,3]]", "\"still\": [[2,3],[3]]"),
    c("\"still\": [[2,3],[3,3]]", "\"still\": 5"),
    c("\"coefficients\": [1,-1,1,-1]", "\"coefficients\": [2,-2,2,-2]"),
    c("\"coefficients\": [1,-1,1,-1]", "\"coefficients\": [1,1,1,-1]"),
    c("Every cycle is listed", "Some cycles are listed")
  )
  for (lie in lies) {
    folder <- withr::local_tempdir()
    write_publication(pub, folder)
    rewrite(folder, lie[[1]], lie[[2]])
    expect_error(read_publication(folder), class = "sdc_error_input")
  }
})

test_that("snapshot: prints of data cycles say what they publish", {
  x <- plain_table(matrix(c(3, 2, 0, 1, 4, 0, 0, 5, 7), 3))
  set <- cycles_data(x, seed = 1)
  expect_snapshot({
    set
    still_cells(set)
    summary(set)
    mechanism(set)
    cycles_data(plain_table(matrix(1, 2, 2)), seed = 1)
    cat(rule_in_words(set))
    cat(rule_document(set)$cycles)
    cat(rule_document(set)$still)
  })
})

test_that("snapshot: errors of data cycles", {
  x <- plain_table(matrix(c(3, 2, 0, 1, 4, 0, 0, 5, 7), 3))
  expect_snapshot(error = TRUE, {
    cycles_data()
    cycles_data("a")
    cycles_data(x * 0)
    cycles_data(diag(3))
    cycles_data(plain_table(array(1, c(1, 1))))
    cycles_data(plain_table(array(1, 4)))
    cycles_data(plain_table(array(1, c(1, 4))))
    cycles_data(-x)
    cycles_data(x / 2)
    cycles_data(replace(x, 2, NA))
    cycles_data(x, chances = 0)
    cycles_data(x, chances = 1.5)
    cycles_data(x, chances = NA)
    cycles_data(x, chances = 1e4)
    cycles_data(x, seed = "a")
    cycles_data(x, seed = .5)
    cycles_data(x, ways = list("A"))
    cycles_data(x, ways = list("A", "C"))
    cycles_data(x, progress = NA)
    still_cells()
    still_cells(x)
    still_cells(cycles_bidiagonal(x))
    perturb(replace(x, 1, 0), mechanism(cycles_data(x, seed = 1)))
    publication(replace(x, 3, 1), mechanism(cycles_data(x, seed = 1)))
  })
  expect_error(cycles_data(diag(3)), class = "sdc_error_infeasible")
  expect_error(cycles_data(x * 0), class = "sdc_error_input")
})
