p10 <- rule_p_percent(10)

example_firms <- function() {
  data.frame(region = factor(rep(c("n", "m", "s"), c(3, 4, 4)), c("n", "m", "s")),
             v = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20))
}

test_that("published: the p percent example of the report, 178 becomes 120", {
  d <- data.frame(a = rep(1:2, c(7, 4)), v = c(178, 99, 2, 1, 4, 3, 2, 40, 40, 40, 40))
  mg <- magnitude_table(d, "a", "v")
  for (scale in c("cap", "paper")) {
    re <- redistribute(mg, p10, "iterative", scale = scale)
    expect_identical(re$contributors$value[1:2], c(120, 99))
    expect_identical(re$cells$change, c(-58, 58))
  }
})

test_that("published: after the report's step contributor 2's estimate can be exactly right", {
  mg <- magnitude_table(example_firms(), "region", "v")
  re <- redistribute(mg, p10, "iterative", scale = "paper")
  expect_identical(re$cells$published, c(231, 137, 148))
  cells <- audit(re)$cells
  expect_equal(cells$second_before, 100 * 12 / 132)
  expect_identical(cells$second, 0)
  expect_true(cells$exposed && cells$nearer)
  expect_identical(nrow(re$remaining), 0L)
  expect_error(publish(re), class = "sdc_error_refused")
  expect_s3_class(publish(re, insist = TRUE), "sdc_magnitude_publication")
})

# The least sum of absolute changes by trying all, cells up to `reach` away.
brute_change <- function(held, rules, p, reach) {
  judged <- sdcLattice:::apply_rules(held, sdcLattice:::ends_rules(rules, p), p)
  sensitive <- rowSums(judged$fired[, seq_along(rules$kind), drop = FALSE]) > 0
  total <- judged$total
  allowed <- lapply(seq_along(total), function(c) {
    to <- max(0, total[c] - reach):(total[c] + reach)
    ok <- if (!sensitive[c]) {
      to >= min(total[c], judged$up[c])
    } else {
      to >= judged$up[c] | (!is.na(judged$down[c]) & to <= judged$down[c] & to >= judged$low[c])
    }
    (to - total[c])[ok]
  })
  all <- expand.grid(allowed)
  all <- all[rowSums(all) == 0, , drop = FALSE]
  if (nrow(all) == 0) Inf else min(rowSums(abs(all)))
}

test_that("oracle: the least change with free directions is that of trying all tables", {
  skip_if_not_installed("highs")
  set.seed(4)
  done <- 0
  for (i in 1:15) {
    d <- data.frame(a = rep(1:3, each = 3), v = sample(c(1:3, 20, 30), 9, TRUE))
    mg <- magnitude_table(d, "a", "v")
    rules <- list(p10, rule_nk(2, 85), c(rule_p_percent(20), rule_max_share(70)))[[i %% 3 + 1]]
    best <- brute_change(mg, rules, 10, 60)
    re <- tryCatch(
      redistribute(mg, rules, directions = "free", spread = 0, totals = FALSE, seed = i),
      sdc_error_infeasible = function(e) NULL
    )
    if (is.null(re)) next
    expect_equal(sum(abs(re$cells$change)), best)
    done <- done + 1
  }
  expect_gt(done, 7)
})

test_that("property: the least change protects true contributors, cells and totals, by any solver",
          {
  skip_if_not_installed("lpSolve")
  set.seed(5)
  done <- 0
  for (i in seq_len(rounds(13, 25))) {
    n <- 120
    d <- data.frame(a = factor(sample(5, n, TRUE)), b = factor(sample(4, n, TRUE)),
                    v = ceiling(exp(rnorm(n, 3, 1.6))), who = sample(60, n, TRUE))
    mg <- magnitude_table(d, c("a", "b"), "v", contributorVar = "who")
    rules <- list(p10, c(rule_threshold(4), p10), rule_nk(2, 80))[[i %% 3 + 1]]
    keep <- if (i %% 2) list("a", "b")
    re <- tryCatch(redistribute(mg, rules, seed = i, keep_margins = keep),
                   sdc_error_infeasible = function(e) NULL)
    if (is.null(re)) next
    done <- done + 1
    expect_identical(sum(re$cells$published), sum(mg))
    expect_true(all(re$cells$published >= 0 & re$cells$published == floor(re$cells$published)))
    expect_identical(re$audit$failures, 0L)
    frame <- as.data.frame(re)
    if (i %% 2) {
      expect_identical(tapply(frame$change, frame$a, sum, default = 0)[["1"]], 0)
      expect_true(all(tapply(frame$change, frame$b, sum, default = 0) == 0))
    }
    # totals: whoever takes the published one misses the largest holder by 10 %
    out <- as.data.frame(publish(re, insist = TRUE), totals = TRUE)
    s <- sensitive(mg, rules, totals = TRUE)
    for (k in which(s$sdcStatus == "u")) {
      a <- as.character(s$a[k])
      b <- as.character(s$b[k])
      rows <- (a == "Total" | d$a == a) & (b == "Total" | d$b == b)
      held <- sort(tapply(d$v[rows], d$who[rows], sum), decreasing = TRUE)
      now <- out$total[out$a == a & out$b == b]
      expect_true(all(abs(now - c(0, held[-1]) - held[1]) >= held[1] / 10))
    }
  }
  expect_gt(done, rounds(7, 15))
})

test_that("property: step by step: totals, contributors and rules", {
  set.seed(6)
  for (i in seq_len(rounds(15, 30))) {
    mg <- magnitude_table(random_firms(12, 1:6, zeros = .1), "a", "v")
    rules <- list(c(rule_threshold(3), rule_p_percent(20)), rule_max_share(60),
                  c(rule_nk(2, 85), p10))[[i %% 3 + 1]]
    re <- redistribute(mg, rules, "iterative")
    expect_true(re$settled)
    expect_identical(sum(re$cells$published), sum(mg))
    expect_identical(length(re$contributors$value), length(mg$value))
    fired <- vapply(cell_values(re$contributors), twin_sensitive, NA, rules)
    expect_identical(sum(fired), nrow(re$remaining))
    expect_identical(re$mu, sum(re$moves$distance[re$moves$kind == "contributor"]))
  }
})

test_that("property: the least change of contributors obeys the rules and is no larger", {
  skip_if_not_installed("lpSolve")
  set.seed(7)
  moved <- c(0, 0)
  for (i in 1:12) {
    mg <- magnitude_table(random_firms(10, 4:7), "a", "v")
    rules <- list(p10, rule_max_share(50), c(rule_nk(3, 90), p10))[[i %% 3 + 1]]
    re <- redistribute(mg, rules, "contributors")
    expect_identical(sum(re$cells$published), sum(mg))
    expect_false(any(vapply(cell_values(re$contributors), twin_sensitive, NA, rules)))
    steps <- redistribute(mg, rules, "iterative")
    by_holder <- function(x) x$value[order(x$holder)]
    moved <- moved + c(sum(abs(by_holder(re$contributors) - by_holder(mg))),
                       sum(abs(by_holder(steps$contributors) - by_holder(mg))))
  }
  expect_lt(moved[1], moved[2])
})

test_that("oracle: the least change of contributors is that of trying all values near", {
  skip_if_not_installed("lpSolve")
  set.seed(8)
  near <- as.matrix(expand.grid(rep(list(-3:3), 6)))
  near <- near[rowSums(near) == 0, ]
  near <- near[order(rowSums(abs(near))), ]
  done <- 0
  for (i in seq_len(rounds(3, 6))) {
    x <- c(sort(c(8, 5, sample(1:2, 1)), decreasing = TRUE), sample(4:6, 3, TRUE))
    # in hundredths of what is tried, so that rounding takes little
    mg <- magnitude_table(data.frame(a = rep(1:2, each = 3), v = 100 * x), "a", "v")
    rules <- rule_p_percent(sample(c(30, 40), 1))
    fires <- function(v) twin_fires(v, "p_percent", 0, rules$percent / 1e6)
    least <- Position(function(k) {
      y <- x + near[k, ]
      all(y >= 0) && !fires(y[1:3]) && !fires(y[4:6])
    }, seq_len(nrow(near)))
    # the first changes nothing
    if (is.na(least) || least == 1) next
    cost <- sum(abs(near[least, ]))
    re <- redistribute(mg, rules, "contributors")
    ours <- sum(abs(re$contributors$value[order(re$contributors$holder)] - 100 * x))
    expect_identical(nrow(re$remaining), 0L)
    expect_lte(ours, 100 * cost + 20)
    expect_gt(ours, 100 * (cost - 2))
    done <- done + 1
  }
  expect_gt(done, 2)
})

test_that("property: totals are audited where they are published", {
  # firm p is small in each cell and large in the total of a = 1
  d <- data.frame(a = c(rep(1, 8), rep(2, 8)), b = rep(rep(1:2, each = 4), 2),
                  v = c(40, 42, 2, 1, 40, 42, 2, 1, rep(30, 8)),
                  who = c("p", "q", "r", "s", "p", "t", "r", "s", 1:8))
  mg <- magnitude_table(d, c("a", "b"), "v", contributorVar = "who")
  rules <- rule_p_percent(10)
  all <- redistribute(mg, rules, "iterative")
  cells <- redistribute(mg, rules, "iterative", totals = FALSE)
  expect_identical(all$cells, cells$cells)
  expect_gte(all$audit$counts[["sensitive"]], cells$audit$counts[["sensitive"]])
  expect_identical(audit(cells, totals = TRUE)$counts, all$audit$counts)
  expect_identical(nlevels(all$audit$cells$a), 3L)
  s <- sensitive(mg, rules, totals = TRUE)
  expect_identical(all$audit$counts[["sensitive"]], sum(s$sdcStatus == "u"))
})

test_that("property: trees, three variables and kept margins", {
  skip_if_not_installed("lpSolve")
  set.seed(9)
  n <- 600
  d <- data.frame(a = sample(letters[1:4], n, TRUE), b = sample(3, n, TRUE), c = sample(3, n, TRUE),
                  v = ceiling(exp(rnorm(n, 5, 1.6))) / 10, who = sample(150, n, TRUE))
  tree <- data.frame(parent = c("all", "all", "low", "low", "high", "high"),
                     child = c("low", "high", letters[1:4]))
  mg <- magnitude_table(d, c("a", "b", "c"), "v", "who", hierarchies = list(a = tree))
  rules <- c(rule_threshold(3), rule_p_percent(15))
  for (keep in list(NULL, list("a", "b"), list(c("a", "b"), c("b", "c"), c("a", "c")))) {
    re <- redistribute(mg, rules, seed = 1, keep_margins = keep)
    expect_identical(re$audit$failures, 0L)
    frame <- as.data.frame(re)
    for (set in keep) {
      expect_true(all(abs(tapply(frame$change, frame[set], sum)) < 1e-8))
    }
    out <- as.data.frame(publish(re, insist = TRUE), totals = TRUE)
    expect_equal(out$total[out$a == "all" & out$b == "Total" & out$c == "Total"], sum(mg))
    low <- out$total[out$a == "low" & out$b == "Total" & out$c == "Total"]
    expect_equal(low, sum(frame$published[frame$a %in% c("a", "b")]))
  }
})

test_that("property: neighbours by steps, along a variable, on hexagons, by a table", {
  d <- data.frame(q = rep(c(0, 1, 1, 2), c(2, 4, 4, 4)), r = rep(c(0, 1, -1, 0), c(2, 4, 4, 4)),
                  v = c(9, 9, 1, 5, 5, 5, 2, 5, 5, 5, 3, 5, 5, 5))
  mg <- magnitude_table(d, c("q", "r"), "v")
  r3 <- rule_threshold(3)
  hex <- redistribute(mg, r3, "iterative", neighbours = "hexagon")
  expect_identical(hex$moves$distance, 1)
  expect_identical(hex$moves$value, 2)
  steps <- redistribute(mg, r3, "iterative")
  expect_identical(c(steps$moves$distance, steps$moves$value), c(2, 1))
  along <- redistribute(mg, r3, "iterative", along = "q")
  expect_identical(c(along$moves$distance, along$moves$value), c(2, 3))
  expect_identical(nrow(redistribute(mg, r3, "iterative", max_distance = 1)$moves), 0L)
  cell <- function(q, r) match(paste(q, r), with(expand.grid(q = 0:2, r = -1:1), paste(q, r)))
  pairs <- data.frame(from = cell(0, 0), to = cell(2, 0))
  graph <- redistribute(mg, r3, "iterative", neighbours = pairs)
  expect_identical(c(graph$moves$distance, graph$moves$value), c(1, 3))
  one <- magnitude_table(example_firms(), "region", "v")
  named <- data.frame(from = "n", to = "s")
  expect_identical(redistribute(one, p10, "iterative", neighbours = named)$cells$change,
                   c(-12, 0, 12))
})

test_that("property: coins come from the key, and only a secret one is published", {
  skip_if_not_installed("lpSolve")
  mg <- magnitude_table(example_firms(), "region", "v")
  again <- function(...) redistribute(mg, p10, ...)$cells
  expect_identical(again(seed = 1), again(seed = 1))
  changes <- vapply(1:12, function(s) again(seed = s)$change[1], 0)
  expect_true(any(changes > 0) && any(changes < 0) && length(unique(changes)) > 3)
  expect_true(all(vapply(1:6, function(s) again(seed = s, directions = "up")$change[1], 0) >= 2))
  expect_error(publish(redistribute(mg, p10, seed = 1)), class = "sdc_error_refused")
  pub <- publish(redistribute(mg, p10, key = as.raw(1:16)))
  expect_null(pub$cells$count)
  before <- get0(".Random.seed", globalenv())
  redistribute(mg, p10)
  expect_identical(get0(".Random.seed", globalenv()), before)
})

test_that("property: a publication holds nothing but what it shows", {
  pub <- publish(redistribute(magnitude_table(example_firms(), "region", "v"), p10, "iterative"),
                 insist = TRUE)
  other <- example_firms()
  other$v[1:3] <- c(119, 100, 12) # the table that the first one was made into
  other$v[4:7] <- c(137 - 85, 35, 30, 20)
  mg <- magnitude_table(other, "region", "v")
  same <- publish(redistribute(mg, rule_max_share(99), "iterative"), insist = TRUE)
  expect_identical(serialize(pub, NULL), serialize(same, NULL))
  expect_identical(as.data.frame(pub)$total, c(231, 137, 148))
  expect_identical(as.data.frame(pub, totals = TRUE)$total[4], 516)
  expect_identical(as.data.frame(pub)$count, c(3, 4, 4))
  bare <- publish(redistribute(mg, p10, "iterative"), insist = TRUE, counts = FALSE)
  expect_null(bare$cells$count)
})

test_that("property: a bound on changes leaves intervals that are audited", {
  skip_if_not_installed("lpSolve")
  mg <- magnitude_table(example_firms(), "region", "v")
  re <- redistribute(mg, p10, directions = "up", spread = 0, seed = 1)
  wide <- audit(re, bound = 60)
  expect_true(all(wide$cells$inside))
  expect_identical(wide$counts[["narrow"]], 0L)
  # |T - 245| <= 60, and no true total is far enough below
  expect_identical(c(wide$cells$lower, wide$cells$upper), c(185, 305))
  narrow <- audit(re, bound = 1)
  expect_false(narrow$cells$inside)
  expect_identical(narrow$failures, 1L)
  kept <- redistribute(mg, p10, seed = 1, max_change = 40)
  expect_lte(max(abs(kept$cells$change)), 40)
  expect_identical(audit(kept)$bound, 40)
  expect_error(redistribute(mg, p10, seed = 1, max_change = 1), class = "sdc_error_infeasible")
})

test_that("property: every bad input has its answer", {
  mg <- magnitude_table(example_firms(), "region", "v")
  bad <- function(expr, class = "sdc_error_input") expect_error(expr, class = class)
  bad(redistribute(mg))
  bad(redistribute(mg, "p"))
  bad(redistribute(mg, p10, "best"))
  bad(redistribute(mg, p10, "iterative", seed = 1))
  bad(redistribute(mg, p10, "iterative", along = "x"))
  bad(redistribute(mg, p10, "iterative", neighbours = "hexagon"))
  bad(redistribute(mg, p10, "iterative", neighbours = "near"))
  bad(redistribute(mg, p10, "iterative", neighbours = data.frame(from = "n")))
  bad(redistribute(mg, p10, "iterative", neighbours = data.frame(from = "n", to = "x")))
  bad(redistribute(mg, p10, "iterative", neighbours = data.frame(from = 1, to = 9)))
  bad(redistribute(mg, p10, "iterative", neighbours = data.frame(from = 1, to = 2),
                   along = "region"))
  bad(redistribute(mg, p10, "iterative", max_distance = 0))
  bad(redistribute(mg, p10, "iterative", max_steps = .5))
  bad(redistribute(mg, p10, "iterative", steps = 2))
  bad(redistribute(mg, p10, p = .1))
  bad(redistribute(mg, p10, spread = -1))
  bad(redistribute(mg, p10, keep_margins = "region"))
  bad(redistribute(mg, p10, keep_margins = list("x")))
  bad(redistribute(mg, p10, key = as.raw(1)))
  bad(redistribute(mg, p10, max_change = -1))
  bad(redistribute(magnitude_table(data.frame(a = 1, v = log(2:5)), "a", "v"), p10))
  bad(redistribute(magnitude_table(data.frame(a = 1, v = -2:5), "a", "v", negative = "absolute"),
                   p10))
  re <- redistribute(mg, p10, "iterative")
  bad(audit(re, p = .5))
  bad(audit(re, bound = NA))
  bad(audit(re, level = 1))
  bad(publish(re, insist = NA))
  bad(publish(re, insist = TRUE, counts = 2))
  skip_if_not_installed("lpSolve")
  bad(redistribute(mg, p10, keep_margins = list("region")), "sdc_error_infeasible")
  alone <- magnitude_table(data.frame(a = 1:2, v = c(900, 1)), "a", "v")
  bad(redistribute(alone, p10), "sdc_error_infeasible")
})

test_that("property: the report's scaling stops at its limit and says so", {
  d <- data.frame(a = rep(1:2, c(4, 9)), v = c(100, 1, 1, 1, rep(50, 9)))
  mg <- magnitude_table(d, "a", "v")
  rules <- rule_nk(2, 80)
  re <- redistribute(mg, rules, "iterative", scale = "paper", max_steps = 1)
  expect_false(re$settled)
  expect_identical(nrow(re$remaining), 1L)
  expect_error(publish(re), class = "sdc_error_refused")
  expect_true(redistribute(mg, rules, "iterative")$settled)
})

test_that("property: cells below the threshold are protected as cells without a rest", {
  skip_if_not_installed("lpSolve")
  d <- data.frame(a = rep(1:4, c(1, 2, 6, 7)), v = c(100, 60, 50, 40:45, 50:56))
  mg <- magnitude_table(d, "a", "v")
  for (s in 1:8) {
    re <- redistribute(mg, rule_threshold(3), seed = s)
    expect_identical(re$audit$failures, 0L)
    now <- re$cells$published
    expect_true(all(abs(now[1] - 100) >= 10))
    expect_true(all(abs(now[2] - c(0, 50) - 60) >= 6))
  }
  secret <- redistribute(mg, rule_threshold(3))
  expect_error(publish(secret, counts = TRUE), class = "sdc_error_refused")
  expect_null(publish(secret)$cells$count)
})

test_that("snapshot: prints", {
  skip_if_not_installed("lpSolve")
  mg <- magnitude_table(example_firms(), "region", "v")
  steps <- redistribute(mg, p10, "iterative")
  expect_snapshot(steps)
  expect_snapshot(summary(steps))
  expect_snapshot(audit(steps))
  least <- redistribute(mg, p10, directions = "up", seed = 1)
  expect_snapshot(least)
  expect_snapshot(publish(least, insist = TRUE))
  expect_snapshot(error = TRUE, publish(steps))
})

test_that("property: pictures", {
  skip_if_not_installed("ggplot2")
  d <- transform(example_firms(), b = c(1, 1, 1, 2, 1, 2, 1, 2, 1, 2, 2))
  re <- redistribute(magnitude_table(d, c("region", "b"), "v"), p10, "iterative")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_s3_class(plot(re), "ggplot")
  expect_s3_class(plot(publish(re, insist = TRUE)), "ggplot")
})

test_that("property: intervals are those of their cells, whatever the labels", {
  skip_if_not_installed("lpSolve")
  v <- list(c(16, 28, 15, 24, 14), c(165, 188, 154, 88), c(221, 50, 12), c(105, 155, 97, 59))
  made <- function(a, b) {
    data <- data.frame(A = factor(rep(c("a", "a", a, a), lengths(v)), c("a", a)),
                       B = factor(rep(c(b, "c", "c", b), lengths(v)), c(b, "c")), v = unlist(v))
    redistribute(magnitude_table(data, c("A", "B"), "v"), rule_p_percent(10), totals = FALSE,
                 max_change = 38, key = as.raw(1:32))
  }
  same <- c("lower", "upper", "inside")
  expect_equal(made("a b", "b c")$audit$cells[same], made("c", "z")$audit$cells[same])
})

test_that("property: publish() judges totals, and a lone contributor of 0 is exposed", {
  skip_if_not_installed("lpSolve")
  firm <- magnitude_table(data.frame(A = c("a", "b"), v = 100, f = 1), "A", "v",
                          contributorVar = "f")
  cells <- redistribute(firm, rule_p_percent(10), totals = FALSE)
  expect_error(publish(cells), class = "sdc_error_refused")
  none <- data.frame(r = c("a", "b", "b", "b"), v = c(0, 40, 35, 30))
  zero <- redistribute(magnitude_table(none, "r", "v"), rule_threshold(2), method = "iterative",
                       max_distance = 1)
  lone <- redistribute(magnitude_table(none, "r", "v"), rule_threshold(2))
  if (as.data.frame(publish(lone, insist = TRUE))$total[1] == 0) {
    expect_error(publish(lone), class = "sdc_error_refused")
  }
  expect_s3_class(zero, "sdc_magnitude_redistribution")
  tiny <- magnitude_table(data.frame(r = 1, v = c(3, 2, 2) * 1e-9), "r", "v", unit = 1e-9)
  expect_equal(publish(redistribute(tiny, rule_threshold(2)), insist = TRUE)$unit, 1e-9)
})
