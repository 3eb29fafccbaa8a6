test_release <- function(sets = list(2:6, c(1, 2, 4, 5)), risk = risk_width(3), x = czech_workers,
                         width = c(inner = NA_real_, outer = NA_real_), ...) {
  new_release(release_problem(sdc_table(x), risk), sets, "hand", width, "exact", ...)
}

test_that("property: utilities are sums over sub-tables", {
  x <- sdc_table(czech_workers)
  labels <- as.data.frame(test_release())$sub_table
  size <- function(label) prod(dim(x)[match(strsplit(label, ":")[[1]], names(dimnames(x)))])
  re <- test_release()
  expect_equal(utility(re), 39)
  expect_equal(utility(re, utility_tables(empty = TRUE)), 40)
  expect_equal(utility(re, utility_cells()), sum(vapply(labels, size, 1)))
  expect_equal(utility(re, utility_df()), 39)
  expect_equal(utility(re, utility_values(c("B:C" = 2, "A:F" = 7, "E:D:A" = .5))), 2.5)
  expect_equal(utility(c("A:B", "C"), x = x), 4)
})

test_that("property: degrees of freedom are those of the log-linear model", {
  y <- sdc_table(data.frame(a = 1:12 %% 3, b = 1:12 %% 2, c = 1:12 %% 4, n = 1:12),
                 c("a", "b", "c"),
                 freqVar = "n")
  expect_equal(utility(list(c("a", "b"), "c"), utility_df(), y), (3 * 2 - 1) + (4 - 1))
})

test_that("oracle: the accuracy in closed form is that of iterative proportional fitting", {
  set.seed(2)
  for (round in seq_len(rounds(13, 25))) {
    k <- sample(2:4, 1)
    size <- sample(1:3, k, replace = TRUE)
    x <- array(stats::rpois(prod(size), 2) * stats::rbinom(prod(size), 1, .7), size,
               rlang::set_names(lapply(size, seq_len), letters[seq_len(k)]))
    if (sum(x) == 0) next
    sets <- unique(lapply(1:3, function(i) sort(sample(letters[seq_len(k)], sample(k, 1)))))
    fit <- suppressWarnings(
      estimate_table(constraints(margins(sdc_table(x), sets), dimnames = dimnames(sdc_table(x))))
    )
    mse <- mean((as.numeric(x) - as.numeric(fit$table))^2)
    expect_equal(utility(sets, utility_accuracy(), x), -mse, tolerance = 1e-4)
  }
})

test_that("property: the accuracy needs no full table where the release is decomposable", {
  v <- names(dimnames(cps14))
  sets <- list(v[c(1, 5, 7)], v[c(5, 7, 8)], v[c(8, 14)])
  expect_lt(utility(sets, utility_accuracy(), cps14), 0)
  expect_error(utility(list(v[1:2], v[2:3], v[c(1, 3)]), utility_accuracy(), cps14),
               class = "sdc_error_too_large")
})

test_that("snapshot: a release answers its generics", {
  re <- test_release()
  expect_equal(re$frontier, c("B:C:D:E:F", "A:B:D:E"))
  expect_equal(re$n_sub_tables, 39)
  listed <- as.data.frame(re)
  expect_equal(nrow(listed), 39)
  expect_equal(listed$sub_table[listed$frontier], rev(re$frontier))
  expect_equal(as.data.frame(re, frontier = TRUE)$cells, c(32, 16))
  expect_equal(names(margins(re)), re$frontier)
  some <- margins(re, c("A:B", "(total)"))
  expect_equal(as.table(some[[1]]), as.table(margin(czech_workers, c("A", "B"))))
  expect_error(margins(re, "A:C"), class = "sdc_error_refused")
  expect_snapshot({
    re
    summary(re)
    test_release(utility = utility_cells(), upper_bound = 500, bound_class = "all releases",
                 stopped = TRUE)
  })
})

test_that("snapshot: a published release holds its tables and its rule, nothing else", {
  x <- sdc_table(czech_workers)
  pub <- publish(test_release())
  expect_equal(as.table(margins(pub)[[1]]), as.table(margin(x, c("B", "C", "D", "E", "F"))))
  expect_equal(as.table(margins(pub, "A:E")[[1]]), as.table(margin(x, c("A", "E"))))
  expect_error(margins(pub, "A:C"), class = "sdc_error_refused")
  long <- as.data.frame(pub)
  expect_equal(sum(long$count), 2 * sum(x))
  expect_true(all(is.na(long$A) == (long$sub_table == "B:C:D:E:F")))
  # another original with the same margins: the same bytes
  other <- as.table(x)
  move <- array(0, dim(other))
  # 1 up and down over two pairs of variables that no margin holds together
  move[cbind(c(1, 2, 1, 2), 1, c(1, 1, 2, 2), 1, 1, 1)] <- c(1, -1, -1, 1)
  expect_equal(unname(serialize(publish(test_release(x = other + move, risk = risk_width(1))),
                                NULL)),
               unname(serialize(publish(test_release(risk = risk_width(1))), NULL)))
  expect_snapshot(pub)
})

test_that("property: what is not certified is published on demand only", {
  re <- test_release(list(1:6))
  expect_error(publish(re), class = "sdc_error_refused")
  expect_s3_class(publish(re, insist = TRUE), "sdc_release_publication")
})

test_that("property: n-rules and (n, p)-rules judge each sub-table", {
  x <- sdc_table(data.frame(a = c("x", "x", "y"), b = c("u", "v", "u"), n = c(5, 2, 9)),
                 c("a", "b"),
                 freqVar = "n")
  expect_error(release_problem(x, risk_n(3)), "b", class = "sdc_error_infeasible")
  problem <- release_problem(x, risk_n(2))
  expect_true(is_safe_alone(problem, 1:2))
  set.seed(4)
  firms <- data.frame(a = sample(3, 40, TRUE), b = sample(2, 40, TRUE), c = sample(2, 40, TRUE),
                      v = sample(100, 40), firm = sample(25, 40, TRUE))
  mg <- magnitude_table(firms, c("a", "b", "c"), "v", contributorVar = "firm")
  problem <- release_problem(mg, risk_np(2, 60))
  for (set in list(1, 2, c(1, 2), c(2, 3), 1:3)) {
    held <- aggregate(firms["v"], firms[c("firm", letters[set])], sum)
    cells <- split(held$v, held[letters[set]], drop = TRUE)
    risky <- vapply(cells, function(v) length(v) < 2 || max(v) > .6 * sum(v), NA)
    expect_equal(is_safe_alone(problem, set), !any(risky))
  }
  re <- new_release(problem, list(1, 2), "hand", c(inner = NA, outer = NA), "each alone")
  totals <- expect_no_warning(as.data.frame(publish(re)))
  expect_equal(totals$total[totals$sub_table == "a"], as.numeric(tapply(firms$v, firms$a, sum)))
  expect_error(margins(re), class = "sdc_error_input")
})

test_that("property: sensitive cells may be named", {
  x <- sdc_table(czech_workers)
  cells <- as.data.frame(x)
  at <- which(cells[[length(cells)]] %in% 1:2)
  named <- risk_width(3, cells = cells[at, 1:6])
  expect_equal(release_problem(x, named)$at_risk, release_problem(x, risk_width(3))$at_risk)
  expect_output(print(named), "those named")
  empty <- sdc_table(data.frame(a = 1:2, b = 1:2, n = 9), c("a", "b"), freqVar = "n")
  expect_error(release_problem(empty, risk_width(3, cells = data.frame(a = "1", b = "2"))),
               class = "sdc_error_input")
})

test_that("snapshot: wrong rules, utilities and problems", {
  x <- sdc_table(czech_workers)
  expect_snapshot(error = TRUE, {
    risk_width()
    risk_width(0)
    risk_width(2.5)
    risk_width(3, at_risk = 0:2)
    risk_width(3, at_risk = 1, cells = 1)
    risk_n(0)
    risk_np(3, .6)
    utility_values(c(1, 2))
    utility_values(c("A:B" = -1))
    utility_tables(NA)
    release_problem(x)
    release_problem(x, 3)
    release_problem(x, risk_np())
    release_problem(x, risk_width(3, at_risk = 1000))
    release_problem(x, risk_width(500))
    release_problem(x, risk_width(1000))
    release_problem(sdc_table(array(3, rep(1, 65))), risk_width(1, 3))
    utility(c("A:B", "A:G"), x = x)
    utility("A:B")
    utility(test_release(), utility_values(c("A:B" = 1, "B:A" = 2)))
  })
})

test_that("snapshot: rules and utilities in words", {
  expect_snapshot({
    risk_width(3)
    risk_width(3, c(1, 4))
    risk_width(4, 1:3)
    risk_n(3)
    risk_np(3, 60)
    utility_tables()
    utility_accuracy()
  })
})

test_that("property: releases are drawn", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  re <- test_release(log = data.frame(chain = 1, proposal = 1:3, value = c(6, 20, 39)),
                     upper_bound = 40, bound_class = "decomposable releases")
  for (type in c("frontier", "graph", "lattice", "dimension", "log")) {
    expect_s3_class(plot(re, type), "ggplot")
  }
  expect_error(plot(test_release(), "log"), class = "sdc_error_input")
  expect_s3_class(plot(publish(re)), "ggplot")
})

test_that("property: what attackers found stays mended", {
  # a name with a colon of its own
  y <- czech_workers
  names(dimnames(y))[3] <- "A:B"
  re <- release_greedy(y, risk_width(6))
  expect_equal(re$n_sub_tables, 59)
  expect_equal(sum(as.data.frame(re)$frontier), length(re$sets))
  expect_equal(nrow(summary(critical_widths(y))$most_dangerous), 6)
  # nothing released but the total
  expect_equal(width(list(), czech_workers, risk_width(3))$inner, 1841)
  # another rule finds its own cells at risk
  other <- risk_width(40, at_risk = c(145, 129))
  expect_equal(sub_tables(re, "D:E", risk = risk_width(6))$unreleasable,
               sub_tables(y, "D:E", risk = risk_width(6))$unreleasable)
  expect_equal(sub_tables(re, "D:E", risk = other)$unreleasable,
               sub_tables(y, "D:E", risk = other)$unreleasable)
  # the one-way tables belong to what is released
  b <- array(0, rep(2, 4), dimnames = list(A = 1:2, B = 1:2, C = 1:2, D = 1:2))
  b[c(5, 12, 13)] <- 1
  expect_equal(release_greedy(b, risk_width(1))$frontier, c("A:B:C", "D"))
  # no tolerance decides between whole values
  a <- array(c(1, 4, 2, 2, 3, 3, 1, 2, 3, 3, 3, 3, 3, 3, 5, 4), rep(2, 4),
             list(A = 1:2, B = 1:2, C = 1:2, D = 1:2))
  for (values in list(c("A:B" = 1e10, "A:C" = 1, "C:D" = 1), c("A:B" = 1e-10, "A:C" = 2e-10))) {
    best <- release_exact(a, risk_width(2), "decomposable", utility_values(values))
    expect_equal(best$value, sum(values), tolerance = 1e-15)
  }
  # structure of private objects is not shown
  expect_output(str(re), "PRIVATE")
  # changed by hand
  re$sets <- list(1:9)
  expect_error(verify_release(re), class = "sdc_error_input")
})
