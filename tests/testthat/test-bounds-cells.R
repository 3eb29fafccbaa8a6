# Systems in cells: the same bounds as the systems in leaves, whose totals are long rows, and as all
# tables of a given total.

# The bounds of asked cells from constraints in leaves, as before cells were laid out.
bounds_by_leaves <- function(parts, labels, cells) {
  style <- list(method = "auto", solver = "exact", seconds = 60, max_cells = 1e6,
                progress = FALSE)
  bounds_of_sums(parts, labels, cells, style)
}

read_parts <- function(frames, hierarchies = NULL) {
  style <- list(freqVar = "freq", total_label = "Total", tolerance = .5)
  parts <- release_parts(frames, style)
  list(parts = parts, labels = part_labels(parts, hierarchies, "Total", NULL))
}

expect_as_by_leaves <- function(frames, hierarchies, asked) {
  read <- read_parts(frames, hierarchies)
  truth <- bounds_by_leaves(read$parts, read$labels, asked)
  style <- list(method = "auto", seconds = 60, max_cells = 1e6)
  held <- list(parts = read$parts, labels = read$labels)
  found <- bounds_of_cells(frames, held, asked, TRUE,
                           c(style, list(solver = "exact", progress = FALSE)))
  expect_true(all(truth$sharp) && all(found$sharp))
  expect_equal(found$lower, truth$lower)
  expect_equal(found$upper, truth$upper)
  found$upper - found$lower
}

trees_of_two <- list(
  A = data.frame(parent = c("all", "all", "n", "n"), child = c("n", "a3", "a1", "a2")),
  B = list(data.frame(parent = c("Total", "Total", "west", "west"),
                      child = c("west", "b3", "b1", "b2")),
           data.frame(parent = c("Total", "Total", "coast", "coast"),
                      child = c("b1", "coast", "b2", "b3"))),
  C = data.frame(parent = c("Total", "Total", "m"), child = c("m", "c2", "c1"))
)

random_counts <- function() {
  array(stats::rpois(18, 1.3), c(3, 3, 2),
        list(A = paste0("a", 1:3), B = paste0("b", 1:3), C = paste0("c", 1:2)))
}

# A frame of some variables, all nodes of them; `open`: the share that is published.
nodes_frame <- function(x, variables, open, keep = 1) {
  counts <- array(apply(x, variables, base::sum), dim(x)[match(variables, names(dimnames(x)))],
                  dimnames(x)[variables])
  table <- sdc_table(as.table(counts), hierarchies = trees_of_two[variables])
  out <- as.data.frame(table, totals = TRUE, zeros = TRUE)
  out$suppressed <- stats::runif(nrow(out)) > open
  out$suppressed[out$freq == max(out$freq)] <- FALSE
  out[stats::runif(nrow(out)) <= keep, ]
}

test_that("property: trees, codes of two trees and gaps have the bounds of the leaves", {
  withr::local_seed(71)
  widths <- numeric()
  for (i in seq_len(rounds(10, 20))) {
    x <- random_counts()
    variables <- list(c("A", "B"), c("A", "C"), c("A", "B", "C"), "B")[[i %% 4 + 1]]
    frame <- nodes_frame(x, variables, stats::runif(1, .1, .5), if (i > 10) .7 else 1)
    asked <- nodes_frame(x, variables, 1)[variables]
    widths <- c(widths, expect_as_by_leaves(list(frame), trees_of_two[variables],
                                            asked[sample(nrow(asked), 6), , drop = FALSE]))
  }
  expect_gt(sum(widths > 0), rounds(10, 30))
})

test_that("property: linked tables with trees have the bounds of the leaves", {
  withr::local_seed(72)
  designs <- list(list(c("A", "B"), c("A", "C")), list(c("A", "B"), c("B", "C"), c("A", "C")),
                  list("A", c("B", "C")))
  widths <- numeric()
  for (i in seq_len(rounds(8, 15))) {
    x <- random_counts()
    sets <- designs[[i %% 3 + 1]]
    frames <- lapply(sets, function(set) nodes_frame(x, set, .15, if (i > 8) .8 else 1))
    asked <- frames[[1]][sets[[1]]]
    asked <- asked[sample(nrow(asked), min(5, nrow(asked))), , drop = FALSE]
    trees <- trees_of_two[unique(unlist(sets))]
    widths <- c(widths, expect_as_by_leaves(frames, trees, asked))
  }
  expect_gt(sum(widths > 0), rounds(7, 15))
})

test_that("property: linked frames take trees, and constraints have their own", {
  withr::local_seed(75)
  x <- random_counts()
  frames <- lapply(list(c("A", "B"), c("A", "C")), function(set) nodes_frame(x, set, .3))
  asked <- frames[[2]][c("A", "C")]
  found <- bounds_margins(frames, asked, hierarchies = trees_of_two, progress = FALSE)
  both <- do.call(constraints, c(frames, list(hierarchies = trees_of_two)))
  truth <- bounds_margins(both, asked, dimnames = NULL, progress = FALSE)
  expect_equal(as.data.frame(found), as.data.frame(truth))
  shown <- !frames[[2]]$suppressed
  expect_equal(found$lower[shown], frames[[2]]$freq[shown])
  expect_true(all(found$sharp))
  again <- bounds_margins(frames, asked, dimList = trees_of_two, progress = FALSE)
  expect_equal(as.data.frame(found), as.data.frame(again))
  expect_error(bounds_margins(both, asked, hierarchies = trees_of_two), class = "sdc_error_input")
})

test_that("property: each row says which cells add up, and with the published ones it is true", {
  withr::local_seed(76)
  x <- random_counts()
  frame <- nodes_frame(x, c("A", "B"), .4)
  read <- read_parts(list(frame), trees_of_two[c("A", "B")])
  asked <- frame[c("A", "B")]
  system <- cell_system(read$parts, read$labels, asked_sums(asked, read$labels)$codes, nrow(asked),
                        1e6)
  n <- length(system$rows$lower)
  expect_gt(n, 10)
  for (r in seq_len(n)) {
    said <- row_cells(system, r)
    same <- setdiff(c("A", "B"), said$along)
    expect_length(unique(said$cells[[same]]), 1)
    row <- match(paste(said$cells$A, said$cells$B), paste(frame$A, frame$B))
    expect_equal(frame$freq[row[1]], sum(frame$freq[row[-1]]))
    entries <- seq(system$rows$start[r] + 1, system$rows$start[r + 1])
    expect_setequal(system$rows$cell[entries], system$asked[row[frame$suppressed[row]]])
  }
})

# Frames that publish one variable down to its levels and the other by its nodes of the first level.
crossed_levels <- function(x) {
  frame <- nodes_frame(x, c("A", "B"), .2)
  shown <- list(A = c("all", "n", "a3"), B = c("Total", "west", "b3"))
  coarse <- Map(function(column, nodes) column %in% nodes, frame[c("A", "B")], shown)
  one_tree <- !frame$B %in% "coast"
  list(frame[coarse$A & one_tree, ], frame[coarse$B & one_tree, ])
}

test_that("property: crossings by levels of trees need no finer cells, and have the same bounds", {
  withr::local_seed(73)
  trees <- list(A = trees_of_two$A, B = trees_of_two$B[[1]])
  widths <- numeric()
  for (i in 1:10) {
    frames <- crossed_levels(random_counts())
    frames[[2]] <- frames[[2]][!paste(frames[[2]]$A, frames[[2]]$B) %in%
                                 paste(frames[[1]]$A, frames[[1]]$B), ]
    asked <- rbind(frames[[1]], frames[[2]])[c("A", "B")]
    read <- read_parts(frames, trees)
    codes <- asked_sums(asked, read$labels)$codes
    system <- cell_system(read$parts, read$labels, codes, nrow(asked), 1e6)
    expect_equal(system$cells, nrow(asked))
    widths <- c(widths, expect_as_by_leaves(frames, trees, asked))
  }
  expect_gt(sum(widths > 0), 30)
})

test_that("property: releases of many variables, of one sum and of nothing are laid out", {
  frames <- lapply(1:30, function(i) {
    out <- data.frame(a = c("l1", "l2"), b = c("l1", "l2"), freq = c(2, NA))
    names(out)[1:2] <- paste0("v", 2 * i - 1:0)
    out
  })
  frames <- c(frames, list(data.frame(freq = 7)))
  found <- bounds_margins(frames, data.frame(v3 = c("l1", "l2")), progress = FALSE)
  expect_equal(found$lower, c(2, 0))
  expect_equal(found$upper, c(7, 5))
  expect_true(all(found$sharp))
  expect_equal(as.data.frame(bounds_margins(data.frame(freq = 3), progress = FALSE))$upper, 3)
})

test_that("property: limits that are too large and parts that contradict each other are errors", {
  cells <- data.frame(A = c("a1", "a2", "Total"), freq = c(1, NA, 5))
  read <- read_parts(list(cells))
  read$parts[[1]]$upper[2] <- 2^60
  style <- list(method = "auto", seconds = 60, max_cells = 1e6, solver = "exact", progress = FALSE)
  expect_error(bounds_of_cells(NULL, read, cells["A"], TRUE, style), class = "sdc_error_too_large")
  other <- data.frame(A = "Total", freq = 6)
  expect_error(bounds_margins(list(cells, other), cells["A"]), class = "sdc_error_infeasible")
  cells$freq <- c(1, 5, 5)
  expect_error(bounds_margins(list(cells), cells["A"]), class = "sdc_error_infeasible")
})

test_that("oracle: intervals and rounded totals have the bounds of all tables", {
  withr::local_seed(74)
  labels <- list(A = c("a1", "a2"), B = c("b1", "b2", "b3"))
  tables <- all_with_total(6, 7)
  for (i in 1:12) {
    x <- sdc_table(as.table(array(tables[, sample(ncol(tables), 1)], c(2, 3), labels)))
    part <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    below <- sample(0:2, nrow(part), TRUE)
    frame <- data.frame(part[c("A", "B")], lower = pmax(0, part$freq - below),
                        upper = part$freq + sample(0:2, nrow(part), TRUE))
    frame[nrow(frame), c("lower", "upper")] <- 7
    sums <- sums_in_tables(frame, labels, tables)
    fits <- colSums(sums < frame$lower | sums > frame$upper) == 0
    found <- bounds_margins(list(frame), frame[c("A", "B")], progress = FALSE)
    expect_true(all(found$sharp))
    expect_equal(found$lower, apply(sums[, fits, drop = FALSE], 1, min))
    expect_equal(found$upper, apply(sums[, fits, drop = FALSE], 1, max))
  }
})

test_that("property: a large linked release is laid out by its cells, and published cells are known", {
  n <- 60
  leaf <- function(v) paste0(v, seq_len(n))
  tree <- function(v) {
    data.frame(parent = c(rep("Total", 6), paste0(v, "n", rep(1:6, each = 10))),
               child = c(paste0(v, "n", 1:6), leaf(v)))
  }
  part <- function(v) {
    x <- as.table(array(1 + seq_len(n * n) %% 5, c(n, n), rlang::set_names(
      list(leaf("a"), leaf(v)), c("A", v)
    )))
    x <- sdc_table(x, hierarchies = rlang::set_names(list(tree("a"), tree(v)), c("A", v)))
    out <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    out$suppressed <- out$A %in% c("a1", "a2") & out[[v]] %in% paste0(v, 1:2)
    out
  }
  frames <- list(part("b"), part("c"))
  frames[[2]]$freq[1] <- frames[[2]]$freq[1]
  read <- read_parts(frames, list(A = tree("a"), b = tree("b"), c = tree("c")))
  asked <- frames[[1]][c("A", "b")]
  system <- cell_system(read$parts, read$labels, asked_sums(asked, read$labels)$codes, nrow(asked),
                        1e6)
  expect_equal(system$cells, 2 * 67^2 - 67)
  expect_length(system$lower, 8)
  shown <- system$asked == 0
  expect_equal(system$value[shown], frames[[1]]$freq[shown])
  expect_lt(length(system$rows$cell), 100)
})
