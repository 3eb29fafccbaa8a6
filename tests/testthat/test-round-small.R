# Rounding of small counts: its rules recomputed by aggregate(), all choices of small tables, and
# SmallCountRounding on its own data.

# The sums of every combination of nodes: aggregate() over each leaf's nodes, crossing by crossing.
# `nodes`: for each variable a list of labels for each leaf.
slow_totals <- function(cells, value, nodes) {
  for (v in names(nodes)) {
    cells <- do.call(rbind, lapply(seq_len(nrow(cells)), function(i) {
      of_leaf <- nodes[[v]][[as.character(cells[[v]][i])]]
      out <- cells[rep(i, length(of_leaf)), ]
      out[[v]] <- of_leaf
      out
    }))
  }
  stats::aggregate(cells[value], cells[names(nodes)], sum)
}

area_tree <- data.frame(parent = c(NA, "all", "all", "A", "A", "B", "B", "B"),
                        child = c("all", "A", "B", "a1", "a2", "b1", "b2", "b3"))
other_tree <- data.frame(parent = c(NA, "all", "all", "town", "town", "land", "land", "land"),
                         child = c("all", "town", "land", "a1", "b1", "a2", "b2", "b3"))
area_nodes <- list(a1 = c("a1", "A", "town", "all"), a2 = c("a2", "A", "land", "all"),
                   b1 = c("b1", "B", "town", "all"), b2 = c("b2", "B", "land", "all"),
                   b3 = c("b3", "B", "land", "all"))
kind_nodes <- function(n) {
  rlang::set_names(lapply(seq_len(n), function(i) c(paste0("k", i), "Total")), paste0("k", seq_len(n)))
}

random_table <- function(mean, kinds) {
  cells <- expand.grid(area = names(area_nodes), kind = names(kind_nodes(kinds)),
                       stringsAsFactors = FALSE)
  cells$freq <- stats::rpois(nrow(cells), mean) * stats::rbinom(nrow(cells), 1, .7)
  cells
}

as_table_with_trees <- function(cells, ...) {
  sdc_table(cells, c("area", "kind"), freqVar = "freq",
            hierarchies = list(area = list(area_tree, other_tree)), ...)
}

test_that("property: published totals of trees add up, and none is small", {
  withr::local_seed(81)
  for (i in seq_len(rounds(8, 30))) {
    cells <- random_table(sample(c(.5, 2, 6), 1), sample(1:4, 1))
    base <- sample(1:6, 1)
    x <- as_table_with_trees(cells)
    ro <- round_small(x, base, seed = if (i %% 2 == 0) i)
    inner <- as.data.frame(ro)
    expect_identical(inner$original, as.data.frame(x, zeros = TRUE)$freq)
    changed <- inner$original != inner$rounded
    expect_true(all(inner$original[changed] < base & inner$rounded[changed] %in% c(0, base)))

    nodes <- list(area = area_nodes, kind = kind_nodes(length(unique(cells$kind))))
    slow <- merge(slow_totals(inner, "original", nodes), slow_totals(inner, "rounded", nodes))
    shown <- as.data.frame(ro, totals = TRUE)
    both <- merge(slow, shown, by = c("area", "kind"))
    expect_equal(nrow(both), nrow(shown))
    expect_equal(both$original.x, both$original.y)
    expect_equal(both$rounded.x, both$rounded.y)
    expect_true(all(slow$rounded == 0 | slow$rounded >= base))
    small <- slow$original > 0 & slow$original < base
    expect_true(all(slow$rounded[small] %in% c(0, base)))

    apart <- slow$rounded - slow$original
    found <- summary(ro)$published
    expect_equal(unlist(found), c(
      cells = nrow(slow), changed = sum(apart != 0), max = max(abs(apart)), mean = mean(abs(apart)),
      rms = sqrt(mean(apart^2)),
      utility = if (sum(cells$freq) == 0) 1 else 1 - sqrt(
        sum((sqrt(slow$original) - sqrt(slow$rounded))^2) / (2 * sum(slow$original))
      )
    ))
    expect_equal(ro$reach, max(abs(apart)))
    sparse <- as.data.frame(ro, totals = TRUE, zeros = FALSE)
    expect_equal(sparse$rounded, shown$rounded[shown$original > 0])
  }
})

test_that("oracle: the distance is near the least of all choices", {
  withr::local_seed(82)
  gaps <- numeric()
  for (i in seq_len(rounds(8, 40))) {
    cells <- random_table(1, 2)
    base <- sample(3:5, 1)
    x <- as_table_with_trees(cells)
    ro <- round_small(x, base)
    inner <- as.data.frame(ro)
    nodes <- list(area = area_nodes, kind = kind_nodes(2))
    expand <- function(v) slow_totals(data.frame(inner[c("area", "kind")], v = v), "v", nodes)$v
    open <- which(inner$original > 0 & inner$original < base)
    if (length(open) == 0 || length(open) > 8) next
    # sums of each leaf alone, so that all choices are a product of matrices
    members <- vapply(seq_len(nrow(inner)), function(k) expand(as.numeric(seq_len(nrow(inner)) == k)),
                      numeric(length(expand(inner$original))))
    ups <- as.matrix(expand.grid(rep(list(c(0, base)), length(open))))
    from <- as.vector(members %*% inner$original)
    tables <- matrix(inner$original, nrow(inner), nrow(ups))
    tables[open, ] <- t(ups)
    to <- members %*% tables
    fine <- colSums(to > 0 & to < base) == 0 &
      colSums(from > 0 & from < base & to != 0 & to != base) == 0
    squares <- colSums((to - from)^2)
    reached <- sum((as.vector(members %*% inner$rounded) - from)^2)
    least <- min(squares[fine])
    expect_gte(reached, least)
    gaps <- c(gaps, reached / max(least, 1) - 1)
  }
  expect_gt(length(gaps), rounds(5, 10))
  expect_gt(mean(gaps == 0), .9)
  expect_lt(max(gaps), .5)
})

test_that("property: of linked tables only the published crossings are rounded", {
  withr::local_seed(83)
  linked_nodes <- list(area = lapply(area_nodes, `[`, c(1, 2, 4)), kind = kind_nodes(3),
                       tier = list(A = c("A", "Total"), B = c("B", "Total")))
  n_strict <- 0
  for (i in seq_len(rounds(3, 15))) {
    cells <- random_table(1.5, 3)
    cells$tier <- ifelse(grepl("^a", cells$area), "A", "B")
    x <- sdc_table(cells, c("area", "kind", "tier"), freqVar = "freq",
                   hierarchies = list(area = area_tree), formula = ~ tier * kind + area)
    for (ro in list(round_small(x, 4), suppressWarnings(
      round_controlled(x, 4, "nearest", violation = "least")
    ))) {
      pub <- publish(ro)
      both <- as.data.frame(ro, totals = TRUE)
      expect_equal(as.data.frame(pub)$count, both$rounded)
      inner <- as.data.frame(ro)
      variables <- names(linked_nodes)
      slow <- merge(slow_totals(inner, "original", linked_nodes),
                    slow_totals(inner, "rounded", linked_nodes))
      same <- merge(both, slow, by = variables)
      expect_equal(nrow(same), nrow(both))
      expect_equal(same$original.x, same$original.y)
      expect_equal(same$rounded.x, same$rounded.y)
      # no cell of area and kind together is published
      expect_false(any(both$area != "all" & both$kind != "Total"))
      expect_lt(nrow(both), nrow(slow))
      if (ro$method == "small") {
        expect_true(all(both$rounded == 0 | both$rounded >= 4))
      } else {
        expect_true(all(both$rounded %% 4 == 0))
        multiple <- both$original %% 4 == 0
        outside <- abs(both$rounded - both$original) >= 4 | (multiple & both$rounded != both$original)
        expect_identical(nrow(ro$violations), sum(outside))
        n_strict <- n_strict + !any(outside)
      }
      expect_true(all(abs(both$rounded - both$original) <= ro$reach))
      release <- constraints(pub)
      expect_identical(lapply(release$dimnames, as.character), lapply(x$dimnames, as.character))
      sums <- vapply(seq_along(release$rows$start[-1]), function(r) {
        at <- (release$rows$start[r] + 1):release$rows$start[r + 1]
        sum(dense_counts(x)[release$rows$cell[at]])
      }, 0)
      limits <- as.data.frame(release)
      expect_length(sums, nrow(both))
      expect_true(all(sort(sums) == sort(both$original)))
      expect_true(all(limits$lower <= sums & sums <= limits$upper))
      expect_error(as.table(pub), class = "sdc_error_input")
    }
  }
  expect_gt(n_strict, rounds(1, 3))
  expect_error(round_controlled(x, 4, "nearest", distance = "cells"), class = "sdc_error_input")
  expect_error(round_controlled(x, 4, "nearest", margins = list("area")), class = "sdc_error_input")
  expect_error(round_controlled(x, 4), class = "sdc_error_input")
})

test_that("property: readers' limits of a published rounding hold the original", {
  withr::local_seed(84)
  for (i in 1:10) {
    cells <- random_table(2, 3)
    x <- as_table_with_trees(cells)
    pub <- publish(round_small(x, 4))
    inner <- as.data.frame(x, zeros = TRUE)
    bounds <- as.data.frame(bounds_margins(pub))
    both <- merge(inner, bounds, by = c("area", "kind"))
    expect_equal(nrow(both), nrow(inner))
    expect_true(all(both$freq >= both$lower & both$freq <= both$upper))
    shown <- merge(both, as.data.frame(pub), by = c("area", "kind"))
    exact <- shown$count > 4
    expect_equal(shown$lower[exact], shown$freq[exact])
  }
})

test_that("property: what publish() lets out is verified and holds nothing else", {
  x <- as_table_with_trees(random_table(2, 3))
  ro <- round_small(x, 3)
  pub <- publish(ro)
  expect_s3_class(pub, "sdc_rounded_publication")
  expect_false(any(c("original", "violations", "reproducible") %in% names(pub)))
  expect_error(publish(round_small(x, 3, seed = 1)), class = "sdc_error_refused")
  expect_s3_class(publish(round_small(x, 3, key = as.raw(1:32))), "sdc_rounded_publication")
  again <- function(change) {
    out <- change(ro)
    out$seal <- seal_of("rounding", rounding_parts(out))
    expect_error(publish(out), class = "sdc_error_refused")
  }
  again(function(x) replace(x, "reach", 0))
  again(function(x) replace(x, "rounded", list(x$original)))
  again(function(x) replace(x, "rounded", list(with_counts(x$rounded, x$rounded$counts + 3))))
  # a directory, written and read
  path <- withr::local_tempdir()
  write_publication(pub, file.path(path, "p"))
  expect_identical(read_publication(file.path(path, "p")), pub)
})

test_that("property: a key gives one rounding, without one nothing is drawn", {
  x <- as_table_with_trees(random_table(2, 3))
  expect_identical(round_small(x, 5)$rounded, round_small(x, 5)$rounded)
  key <- as.raw(1:32)
  expect_identical(round_small(x, 5, key = key)$rounded, round_small(x, 5, key = key)$rounded)
  expect_warning(ro <- round_small(x, 5, time_limit_s = 0), class = "sdc_warning_time")
  expect_true(all(as.data.frame(ro, totals = TRUE)$rounded %in% c(0, 5:1000)))
})

test_that("property: a table of any size is rounded in the memory of its cells", {
  withr::local_seed(85)
  levels <- paste0("l", 1:5000)
  column <- function() factor(sample(levels, 400), levels)
  cells <- data.frame(a = column(), b = column(), c = column(), freq = stats::rpois(400, 3) + 1)
  x <- sdc_table(cells, c("a", "b", "c"), freqVar = "freq")
  ro <- round_small(x, 3)
  shown <- as.data.frame(ro, zeros = FALSE)
  expect_equal(nrow(shown), 400)
  expect_true(all(shown$rounded == 0 | shown$rounded >= 3))
  expect_equal(summary(ro)$published$cells, 5001^3)
  expect_lt(nrow(as.data.frame(publish(ro), zeros = FALSE)), 401)
})

test_that("oracle: distances are no more than those of SmallCountRounding on its data", {
  skip_if_not_installed("SmallCountRounding")
  skip_if_not_installed("SSBtools")
  metrics <- function(theirs, ro) {
    ours <- summary(ro)$published
    shown <- theirs$publish
    expect_equal(nrow(shown), ours$cells)
    data.frame(
      ours = c(ours$mean, ours$rms, -ours$utility),
      theirs = c(theirs$metrics[["meanAbsDiff"]], theirs$metrics[["rootMeanSquare"]],
                 -theirs$metrics[["HDutility"]])
    )
  }
  z3 <- SSBtools::SSBtoolsData("z3")
  trees <- list(region = list(nested_tree(z3, c("fylke", "region")),
                              nested_tree(z3, c("kostragr", "region"))),
                mnd = list(nested_tree(z3, c("mnd2", "mnd"))))
  x <- sdc_table(z3, c("region", "hovedint", "mnd"), freqVar = "ant", hierarchies = trees)
  for (base in c(3, 5, 10)) {
    theirs <- SmallCountRounding::PLSrounding(
      z3, "ant", base, dimVar = c("region", "fylke", "kostragr", "hovedint", "mnd", "mnd2"),
      printInc = FALSE
    )
    both <- metrics(theirs, round_small(x, base))
    expect_true(all(both$ours <= both$theirs))
  }
})

test_that("snapshot: prints and errors of small-count rounding", {
  cells <- data.frame(area = rep(names(area_nodes), each = 2), kind = c("k1", "k2"),
                      freq = c(5, 1, 0, 2, 9, 4, 1, 1, 7, 3))
  x <- as_table_with_trees(cells)
  ro <- round_small(x, 3)
  expect_snapshot({
    ro
    summary(ro)
    publish(ro)
    explain(ro)
    explain(ro, list(area = "a1", kind = "k2"))
    explain(ro, list(area = "b1", kind = "k1"))
    explain(publish(ro), list(area = "a1", kind = "k2"))
  })
  expect_snapshot(error = TRUE, {
    round_small(x, 2.5)
    round_small(x, 3, hierarchies = list(area = area_tree))
    round_small(x, 3, margins = "area")
    round_small(x, 3, seed = 1, key = as.raw(1:32))
    round_small(x, 3, time_limit_s = -1)
    posterior_rounding(publish(ro))
  })
})

test_that("property: originals with one rounding have one publication", {
  # the greatest distance, 3 or 2, would be the count that became 0
  public <- function(small) {
    x <- sdc_table(data.frame(a = c("u", "v", "w"), n = c(small, 50, 60)), "a", freqVar = "n")
    publish(round_small(x, base = 10))
  }
  three <- public(3)
  expect_identical(serialize(three, NULL), serialize(public(2), NULL))
  found <- as.data.frame(bounds_margins(three))
  expect_equal(found$lower, c(0, 50, 60))
  expect_equal(found$upper, c(9, 50, 60))
})
