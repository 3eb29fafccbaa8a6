# Methods on tables with trees and crossings: the published cells with their totals.

figure <- function(co, measure, method) {
  rows <- as.data.frame(co)
  rows$value[rows$measure == measure & rows$method == method]
}

# A table of 4 x 3 with a tree each, of which some totals are small.
tree_table <- function() {
  cells <- expand.grid(a = paste0("a", 1:4), b = c("x", "y", "z"))
  cells$n <- c(1, 2, 3, 2, 2, 1, 1, 4, 1, 1, 2, 1)
  sdc_table(cells, ~ a + b, freqVar = "n", hierarchies = list(
    a = data.frame(parent = c(NA, "all", "all", "u", "u", "v", "v"),
                   child = c("all", "u", "v", paste0("a", 1:4))),
    b = data.frame(parent = c(NA, "any", "any", "xy", "xy"), child = c("any", "xy", "z", "x", "y"))
  ))
}

# Every published cell as a sum of numbers of cells, from the frames of parents and children.
members_of <- function(x) {
  labels <- dimnames(x)
  records <- expand.grid(labels, stringsAsFactors = FALSE)
  shown <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  lapply(seq_len(nrow(shown)), function(i) {
    which(Reduce(`&`, lapply(names(labels), function(v) {
      node <- as.character(shown[[v]][i])
      vapply(records[[v]], function(l) node %in% c(l, ancestors_in(l, x$layout$trees[[v]])), NA)
    })))
  })
}

test_that("oracle: what a reader of margins infers of cells and totals, by listing all tables", {
  x <- tree_table()
  co <- compare_methods(x, method_margins(list("a", "b")), small = 1:3)
  truth <- as.vector(as.table(x))
  all <- matrix(enumerate_tables(margins(x, list("a", "b"))), nrow = length(truth))
  members <- members_of(x)
  true <- vapply(members, function(at) sum(truth[at]), 0)
  width <- vapply(members, function(at) diff(range(colSums(all[at, , drop = FALSE]))), 0)
  small <- true %in% 1:3
  expect_gt(sum(small & lengths(members) > 1), 2)
  expect_equal(figure(co, "width_small", "margins only"), mean(width[small]))
  expect_equal(figure(co, "known_small", "margins only"), mean(width[small] == 0))
  expect_equal(10^figure(co, "log10_tables", "margins only"), ncol(all))
  # levels and nodes of one variable beside the total of the other are shown
  shown <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  seen <- shown$a == "all" | shown$b == "any"
  expect_equal(figure(co, "withheld", "margins only"), mean(!seen))
})

test_that("oracle: changes are those of all published cells, by aggregate()", {
  withr::local_seed(1)
  x <- tree_table()
  co <- compare_methods(x, list(method_cyclic(covers = 3, label = "cycles"),
                                method_rounding(3, "nearest", label = "rounding")), replicates = 1)
  truth <- as.vector(as.table(x))
  members <- members_of(x)
  true <- vapply(members, function(at) sum(truth[at]), 0)
  total <- !Reduce(`&`, Map(function(v, l) as.data.frame(x, totals = TRUE, zeros = TRUE)[[v]] %in% l,
                            names(dimnames(x)), dimnames(x)))
  expect_identical(sum(total), length(true) - 12L)
  for (k in 1:2) {
    name <- c("cycles", "rounding")[k]
    counts <- as.vector(as.table(co$publications[[k]]$table))
    change <- abs(vapply(members, function(at) sum(counts[at]), 0) - true)
    expect_equal(figure(co, "abs_change", name), mean(change))
    expect_equal(figure(co, "abs_change_small", name), mean(change[true %in% 1:2]))
    expect_equal(figure(co, "total_change", name), mean(change[total]))
    expect_identical(figure(co, "additivity", name), 0)
    expect_identical(figure(co, "withheld", name), 0)
  }
  expect_identical(figure(co, "total_change", "cycles"), 0)
  expect_gt(figure(co, "abs_change", "cycles"), 0)
  # readers of the cycles know the small totals
  po <- posterior(co$publications[[1]])
  s <- as.data.frame(summary(po, level = 1))
  width <- c((s$upper - s$lower)[truth %in% 1:2], rep(0, sum(true[total] %in% 1:2)))
  expect_equal(figure(co, "width_small", "cycles"), mean(width))
})

test_that("oracle: suppressed tables withhold what their publication says", {
  x <- tree_table()
  co <- compare_methods(x, method_suppression(1, label = "holes"), small = 1)
  shown <- as.data.frame(co$publications[[1]])
  published <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  expect_identical(nrow(shown), nrow(published))
  expect_equal(figure(co, "withheld", "holes"), mean(is.na(shown$freq)))
  expect_gt(figure(co, "width_small", "holes"), 0)
  expect_identical(figure(co, "known_small", "holes"), 0)
})

test_that("oracle: the cell key method changes each total by itself, the same one in all trees", {
  for (package in c("cellKey", "ptable", "sdcHierarchies")) skip_if_not_installed(package)
  withr::local_seed(2)
  for (size in list(c(5, 4), c(6, 3))) {
    x <- random_tree_table(size, c(2, 1), mean = 3)
    co <- compare_methods(x, method_cell_key(3, 1, label = "keys"), replicates = 1)
    pub <- co$publications[[1]]
    shown <- as.data.frame(pub)
    true <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    expect_identical(shown[names(dimnames(x))], true[names(dimnames(x))])
    expect_lte(max(abs(shown$count - true$freq)), 3)
    expect_identical(dense_counts(pub$table),
                     shown$count[match(
                       do.call(paste, expand.grid(dimnames(x))),
                       do.call(paste, shown[names(dimnames(x))])
                     )])
    # the same records, the same noise
    same <- vapply(members_of(x), paste, "", collapse = " ")
    expect_true(all(tapply(shown$count, same, function(n) length(unique(n)) == 1)))
    expect_gt(figure(co, "additivity", "keys"), 0)
    change <- abs(shown$count - true$freq)
    expect_equal(figure(co, "abs_change", "keys"), mean(change))
  }
})

test_that("property: linked tables are compared by the cells of their crossings", {
  x <- tree_table()
  crossings <- list(list(a = c("u", "v", "all"), b = c("xy", "z", "any")),
                    list(a = c(paste0("a", 1:4), "all"), b = c("x", "y", "z", "any")))
  linked <- set_layout(x, new_layout(x$layout$trees, "Total", crossings))
  co <- compare_methods(linked, list(method_margins(), method_cyclic(label = "cycles")),
                        replicates = 2)
  expect_match(co$shape, "27 published cells, 15 of them totals", fixed = TRUE)
  expect_identical(figure(co, "total_change", "cycles"), 0)
  expect_identical(co$publications[[2]]$table$layout, linked$layout)
  # a rounding of linked tables shows every published cell as a multiple, and totals add up
  round <- compare_methods(linked, method_rounding(3, "nearest", label = "rounding"))
  shown <- as.data.frame(round$publications[[1]], totals = TRUE)
  true <- as.data.frame(linked, totals = TRUE, zeros = TRUE)
  at <- match(paste(true$a, true$b), paste(shown$a, shown$b))
  change <- abs(shown$count[at] - true$freq)
  expect_equal(figure(round, "abs_change", "rounding"), mean(change))
  expect_identical(figure(round, "additivity", "rounding"), 0)
  expect_identical(figure(round, "withheld", "rounding"), 0)
})

test_that("property: a perturbed table with trees tells its totals to every reader", {
  x <- tree_table()
  pub <- publish(perturb(x, mechanism(cycles_banded(x, seed = 1)), seed = 1, insist = TRUE),
                 insist = TRUE)
  release <- constraints(pub)
  totals <- as.data.frame(pub, totals = TRUE)
  totals <- totals[!(totals$a %in% dimnames(x)$a & totals$b %in% dimnames(x)$b), ]
  found <- bounds_margins(release, cells = totals[c("a", "b")], progress = FALSE)
  expect_identical(found$lower, totals$count)
  expect_identical(found$upper, totals$count)
  # the truth is among the tables that agree
  truth <- as.vector(as.table(x))
  cells <- bounds_margins(release, progress = FALSE)
  expect_true(all(cells$lower <= truth & truth <= cells$upper))
})

test_that("snapshot: a comparison of a table with trees", {
  withr::local_options(cli.width = 80)
  co <- compare_methods(tree_table(), list(method_margins(), method_cyclic()), replicates = 2)
  expect_snapshot(co)
})
