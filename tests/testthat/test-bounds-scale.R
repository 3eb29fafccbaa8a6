# Bounds of larger releases against integer programmes, cut short, and where they contradict
# themselves.

# A hierarchical table in three variables with all totals. `sums`: a row for each cell, 1 at the
# leaves that it sums. `rows`: the cells that are a sum and its parts.
larger_design <- function() {
  groups <- list(A = rep(1:3, each = 2), B = c(1, 1, 2, 2), C = rep(1, 3))
  nodes <- lapply(groups, function(g) {
    c(list(seq_along(g)), if (max(g) > 1) unname(split(seq_along(g), g)), as.list(seq_along(g)))
  })
  labels <- Map(function(v, n) c("Total", paste0(v, seq_along(n)[-1])), names(nodes), nodes)
  trees <- Map(function(label, g) {
    n_groups <- if (max(g) > 1) max(g) else 0
    parents <- if (n_groups > 0) label[1 + g] else rep("Total", length(g))
    data.frame(parent = c(rep("Total", n_groups), parents), child = label[-1])
  }, labels, groups)
  cells <- expand.grid(labels, stringsAsFactors = FALSE)
  of_node <- Map(function(n, g) t(vapply(n, function(at) +(seq_along(g) %in% at), numeric(length(g)))),
                 nodes, groups)
  list(cells = cells, trees = trees, sums = Reduce(kronecker, rev(of_node)),
       rows = unlist(lapply(names(trees), function(v) design_rows(cells, v, trees[[v]])), FALSE))
}

design_rows <- function(cells, v, tree) {
  others <- interaction(cells[setdiff(names(cells), v)])
  families <- lapply(unique(tree$parent), function(p) c(p, tree$child[tree$parent == p]))
  unlist(lapply(families, function(family) {
    inside <- which(cells[[v]] %in% family)
    unname(split(inside, others[inside]))
  }), FALSE)
}

# Small counts are suppressed, and then, in each row with one suppressed cell, another one.
larger_release <- function(k, design) {
  withr::local_seed(k)
  n <- ncol(design$sums)
  value <- as.vector(design$sums %*% stats::rpois(n, stats::rgamma(n, 1, .2)))
  hidden <- value >= 1 & value <= 2
  for (turn in 1:5) for (row in design$rows) {
    if (sum(hidden[row]) != 1) next
    rest <- row[!hidden[row] & value[row] > 0]
    hidden[rest[which.min(value[rest])]] <- TRUE
  }
  c(design, list(frame = data.frame(design$cells, freq = value, suppressed = hidden)))
}

bounds_of <- function(release, ..., cells = release$frame[release$frame$suppressed, ]) {
  bounds_margins(
    constraints(release$frame, hierarchies = release$trees), cells[c("A", "B", "C")],
    progress = FALSE, ...
  )
}

# Least and largest value of a cell, by an integer programme over all leaves.
programme_ends <- function(release, cell) {
  shown <- !release$frame$suppressed
  sums <- release$sums[shown, ]
  freq <- release$frame$freq[shown]
  n <- ncol(sums)
  vapply(c("min", "max"), function(way) {
    if (requireNamespace("highs", quietly = TRUE)) {
      highs::highs_solve(
        L = release$sums[cell, ], lower = numeric(n), upper = rep(max(freq), n), A = sums,
        lhs = freq, rhs = freq, types = rep("I", n), maximum = way == "max"
      )$objective_value
    } else {
      lpSolve::lp(way, release$sums[cell, ], sums, rep("=", length(freq)), freq,
                  all.int = TRUE)$objval
    }
  }, 1, USE.NAMES = FALSE)
}

test_that("oracle: ends of cells of 200 larger releases are those of integer programmes", {
  if (!requireNamespace("highs", quietly = TRUE)) skip_if_not_installed("lpSolve")
  design <- larger_design()
  widths <- 0
  for (k in seq_len(rounds(40, 200))) {
    release <- larger_release(k, design)
    found <- bounds_of(release)
    expect_true(all(found$sharp))
    hidden <- which(release$frame$suppressed)
    widest <- which.max(found$upper - found$lower)
    ends <- round(programme_ends(release, hidden[widest]))
    expect_equal(c(found$lower[widest], found$upper[widest]), ends)
    widths <- widths + sum(found$upper > found$lower)
  }
  expect_gt(widths, rounds(500, 1000))
})

test_that("property: a search that is cut short gives valid ends, and knows published cells", {
  design <- larger_design()
  for (k in 201:210) {
    release <- larger_release(k, design)
    all <- bounds_of(release, cells = release$frame)
    for (seconds in c(0, 1e-4, 1e-3)) {
      cut <- suppressWarnings(bounds_of(release, time_limit_s = seconds, cells = release$frame))
      expect_true(all(cut$lower <= all$lower & cut$upper >= all$upper))
      expect_true(all(!cut$sharp | (cut$lower == all$lower & cut$upper == all$upper)))
      shown <- !release$frame$suppressed
      expect_equal(cut$lower[shown], release$frame$freq[shown])
      expect_true(all(cut$sharp[shown]))
    }
  }
})

test_that("property: a release that contradicts itself is infeasible", {
  design <- larger_design()
  for (k in 211:220) {
    release <- larger_release(k, design)
    found <- bounds_of(release)
    at <- which(release$frame$suppressed)[which.max(found$upper)]
    release$frame$freq[at] <- max(found$upper) + 1
    release$frame$suppressed[at] <- FALSE
    expect_error(bounds_of(release), class = "sdc_error_infeasible")
  }
})
