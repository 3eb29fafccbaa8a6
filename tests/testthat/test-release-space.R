numbered <- function(sets) lapply(sets, function(set) paste0("v", set))

report_frontiers <- list(
  beta3 = list(c(1, 7, 8, 11, 12, 13), c(7, 8, 11, 12, 13), c(2, 3, 7, 8, 11, 12, 13),
               c(2, 3, 4, 7, 8, 11, 13), c(2, 5, 7, 8, 11, 13), c(5, 6, 7, 8, 11, 13),
               c(2, 4, 7, 9, 11, 13), c(2, 7, 8, 10, 11, 13)),
  beta4 = list(c(1, 2, 8, 11, 13), c(2, 3, 4, 7, 8, 11, 13), c(2, 3, 7, 8, 11, 12, 13),
               c(3, 4, 5, 7, 8, 13), c(3, 7, 8, 9, 11, 13), c(2, 7, 8, 10, 11, 13),
               c(3, 6, 8, 12, 13)),
  beta5 = list(c(1, 2, 7, 9, 13), c(2, 7, 8, 9, 11, 13), c(2, 3, 7, 8, 11, 13),
               c(2, 3, 4, 7, 11, 13), c(5, 7, 8, 11, 12, 13), c(3, 6, 8, 11, 13),
               c(7, 8, 10, 11, 12))
)

n_released <- function(sets, k = 13) {
  sum(sub_tables(paste0("v", seq_len(k)), numbered(sets))$by_dimension$released[-1])
}

test_that("published: the report's frontiers, recounted", {
  expect_equal(n_released(report_frontiers$beta3), 351)
  expect_equal(n_released(report_frontiers$beta4), 319)
  expect_equal(n_released(report_frontiers$beta5), 223)
  mended <- report_frontiers$beta5
  mended[[7]] <- c(7, 8, 10, 11, 12, 13)
  expect_equal(n_released(mended), 239)
  # also where nothing is laid out
  expect_equal(n_released(report_frontiers$beta3, 40), 351)
})

test_that("published: Table 1", {
  space <- sub_tables(paste0("v", 1:13), numbered(report_frontiers$beta3))
  table1 <- summary(space)$by_dimension
  expect_equal(table1$released[1:7], c(13, 52, 100, 105, 61, 18, 2))
  expect_equal(table1$total[1:7], choose(13, 1:7))
  expect_equal(round(table1$percent[1:7], 2), c(100, 66.67, 34.97, 14.69, 4.74, 1.05, .12))
  expect_equal(length(space$released), 7)
  expect_equal(unname(rowSums(as.matrix(space))), lengths(space$released))
  expect_equal(unname(which(as.matrix(space)[1, ])), space$released[[1]])
})

test_that("property: states of all sub-tables, against their definition", {
  set.seed(3)
  for (round in 1:40) {
    k <- sample(1:6, 1)
    variables <- letters[seq_len(k)]
    draw <- function(n) lapply(seq_len(n), function(i) sort(sample(k, sample(k, 1))))
    released <- draw(sample(0:4, 1))
    inside <- function(set) any(vapply(released, function(s) all(set %in% s), NA))
    above <- Filter(Negate(inside), draw(sample(0:3, 1)))
    space <- sub_tables(variables, lapply(released, function(s) variables[s]),
                        lapply(above, function(s) variables[s]))
    listed <- as.data.frame(space)
    sets <- lapply(listed$mask, function(m) which(bitwAnd(m, 2^(seq_len(k) - 1)) > 0))
    down <- vapply(sets, inside, NA) | lengths(sets) == 0
    up <- vapply(sets, function(set) any(vapply(above, function(s) all(s %in% set), NA)), NA)
    expect_equal(listed$state %in% c("direct", "indirect"), down)
    expect_equal(listed$state == "unreleasable", up)
    expect_equal(listed$dimension, lengths(sets))
    expect_equal(listed$sub_table[-1],
                 vapply(sets[-1], function(s) paste(variables[s], collapse = ":"), ""))
    count <- function(which) as.numeric(table(factor(lengths(sets)[which], 0:k)))
    expect_equal(space$by_dimension$released, count(down))
    expect_equal(space$by_dimension$unreleasable, count(up))
    # on the frontier: no released set above it, no unreleasable one below it
    larger <- function(i) vapply(sets, function(s) length(s) > length(sets[[i]]) &&
      all(sets[[i]] %in% s), NA)
    smaller <- function(i) vapply(sets, function(s) length(s) < length(sets[[i]]) &&
      all(s %in% sets[[i]]), NA)
    on_edge <- vapply(seq_along(sets), function(i) {
      (down[i] && lengths(sets)[i] > 0 && !any(larger(i) & down)) ||
        (up[i] && !any(smaller(i) & up))
    }, NA)
    expect_equal(listed$frontier, on_edge)
    outside <- vapply(seq_along(sets), function(i) !down[i] && !any(smaller(i) & !down), NA)
    expect_setequal(vapply(space$outside, function(s) paste(variables[s], collapse = ":"), ""),
                    listed$sub_table[outside])
  }
})

# Of a graph as a matrix of TRUE and FALSE: its cliques, by going through all sets of vertices.
cliques_listed <- function(adjacency) {
  k <- nrow(adjacency)
  sets <- lapply(seq_len(2^k - 1), function(i) which(bitwAnd(i, 2^(seq_len(k) - 1)) > 0))
  complete <- Filter(function(s) all(adjacency[s, s] | diag(length(s)) == 1), sets)
  Filter(function(s) !any(vapply(complete, function(t) length(t) > length(s) && all(s %in% t), NA)),
         complete)
}

# A graph is chordal when vertices whose neighbours are all joined can be taken away until none is left.
chordal_by_elimination <- function(adjacency) {
  left <- seq_len(nrow(adjacency))
  while (length(left) > 0) {
    simplicial <- vapply(left, function(v) {
      near <- left[adjacency[v, left]]
      all(adjacency[near, near] | diag(length(near)) == 1)
    }, NA)
    if (!any(simplicial)) return(FALSE)
    left <- left[-which(simplicial)[1]]
  }
  TRUE
}

# The separators of a chordal graph: what the edges of a heaviest tree over its cliques share (Kruskal).
separators_by_tree <- function(cliques) {
  pairs <- if (length(cliques) > 1) utils::combn(length(cliques), 2, simplify = FALSE)
  shared <- lapply(pairs, function(p) intersect(cliques[[p[1]]], cliques[[p[2]]]))
  group <- seq_along(cliques)
  found <- list()
  for (i in order(-lengths(shared))) {
    ends <- group[pairs[[i]]]
    if (ends[1] == ends[2]) next
    group[group == ends[2]] <- ends[1]
    found <- c(found, shared[i])
  }
  found
}

test_that("oracle: cliques and separators are those of all sets of vertices, and a heaviest tree", {
  set.seed(8)
  n_chordal <- 0
  for (round in seq_len(rounds(15, 30))) {
    k <- sample(2:7, 1)
    variables <- letters[seq_len(k)]
    adjacency <- matrix(FALSE, k, k)
    adjacency[upper.tri(adjacency)] <- stats::runif(k * (k - 1) / 2) < stats::runif(1, .2, .9)
    adjacency <- adjacency | t(adjacency)
    cliques <- cliques_listed(adjacency)
    words <- function(sets) sort(vapply(sets, function(s) paste(sort(s), collapse = ""), ""))
    x <- sdc_table(array(1, rep(2, k), rep(list(1:2), k) |> setNames(variables)))
    structure <- release_structure(margins(x, lapply(cliques, function(s) variables[s])))
    expect_identical(structure$decomposable, chordal_by_elimination(adjacency))
    if (!structure$decomposable) next
    n_chordal <- n_chordal + 1
    expect_equal(words(structure$components), words(lapply(cliques, function(s) variables[s])))
    separators <- lapply(separators_by_tree(cliques), function(s) variables[s])
    expect_equal(words(structure$separators), words(separators))
  }
  expect_gt(n_chordal, rounds(4, 10))
  expect_lt(n_chordal, rounds(15, 30))
})

test_that("property: forty variables are counted, not listed", {
  v <- paste0("v", 1:40)
  space <- sub_tables(v, list(v[1:20], v[11:30], v[21:40]))
  expect_equal(sum(space$by_dimension$released), 3 * 2^20 - 2 * 2^10 - 1 + 1)
  expect_error(as.data.frame(space), class = "sdc_error_too_large")
  skip_if_not_installed("ggplot2")
  expect_error(plot(space), class = "sdc_error_too_large")
  expect_s3_class(ggplot2::autoplot(space, "dimension"), "ggplot")
})

test_that("snapshot: what sub-tables say", {
  space <- sub_tables(czech_workers, c("B:F", "A:B:C:E", "A:D:E"), ~ C + D)
  expect_snapshot({
    space
    summary(space)
    sub_tables(c("a", "b"))
    as.data.frame(sub_tables(c("a", "b"), "a"))
  })
})

test_that("snapshot: wrong sub-tables", {
  expect_snapshot(error = TRUE, {
    sub_tables()
    sub_tables(character())
    sub_tables(c("a", "a"))
    sub_tables(c("a", "b"), "c")
    sub_tables(c("a", "b"), 1)
    sub_tables(c("a", "b"), list(c("a", "a")))
    sub_tables(c("a", "b"), "a:b", "a")
    sub_tables(c("a", "b"), risk = risk_width(3))
  })
})

test_that("property: pictures are drawn", {
  skip_if_not_installed("ggplot2")
  space <- sub_tables(czech_workers, c("B:F", "A:B:C:E", "A:D:E"), ~ C + D)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (type in c("lattice", "frontier", "graph", "dimension")) {
    expect_s3_class(plot(space, type), "ggplot")
  }
  # nothing released, or only one-way tables
  for (type in c("lattice", "graph", "dimension")) {
    expect_s3_class(plot(sub_tables(letters[1:3]), type), "ggplot")
    expect_s3_class(plot(sub_tables(letters[1:3], letters[1:3]), type), "ggplot")
  }
})
