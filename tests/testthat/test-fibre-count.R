# The fibre of a release: numbers, laws, draws and lists of tables.

# All tables of a system whose coefficients are positive, by brute force: cell by cell, without
# those that hold too much already.
brute_tables <- function(release) {
  rows <- release$rows
  of_row <- rep(seq_along(rows$lower), diff(rows$start))
  all <- matrix(0, 1, 0)
  for (i in seq_along(release$lower)) {
    values <- seq(release$lower[i], min(release$upper[i], 20))
    all <- cbind(all[rep(seq_len(nrow(all)), each = length(values)), , drop = FALSE], rep(values, nrow(all)))
    for (r in seq_along(rows$lower)) {
      e <- which(of_row == r & rows$cell <= i)
      sums <- all[, rows$cell[e], drop = FALSE] %*% rows$coefficient[e]
      done <- i == length(release$lower)
      all <- all[sums <= rows$upper[r] & (!done | sums >= rows$lower[r]), , drop = FALSE]
    }
  }
  unname(all)
}

random_release <- function(round) {
  dim <- list(c(2, 3), c(3, 2), c(2, 2, 2), c(1, 4), c(3, 3))[[1 + round %% 5]]
  x <- sdc_table(plain_table(stats::rpois(prod(dim), .6), dim))
  variables <- names(dimnames(x))
  sets <- c(list(variables), as.list(variables), list(character(0)), utils::combn(variables, 2, simplify = FALSE))
  sets <- unique(sets)[-1]
  sets <- sets[lengths(sets) < length(variables)]
  chosen <- sets[stats::runif(length(sets)) < .7]
  parts <- lapply(c(chosen, list(character(0))), function(set) {
    if (stats::runif(1) < .4) intervals(margin(x, set), 1) else margin(x, set)
  })
  cells <- if (round %% 2 == 0) intervals(x, 2)
  do.call(constraints, c(parts, list(cells)[!is.null(cells)], list(dimnames = dimnames(x))))
}

rounded_release <- function(rounded) {
  x <- sdc_table(plain_table(matrix(rounded, 4, byrow = TRUE)))
  constraints(intervals(margins(x, list(c("A", "B"), "A", "B", character(0))), 2))
}

test_that("published: the tables with the margins of the slides", {
  release <- margins(roehrig, list("row", "column"))
  for (method in c("auto", "twoway", "polynomial")) {
    expect_identical(as.character(count_tables(release, method)), "18272363056")
  }
  expect_identical(as.numeric(count_tables(release)), 18272363056)
  rows <- constraints(
    A = plain_margin("A", c(220, 215, 93, 64)), B = plain_margin("B", c(108, 286, 71, 127))
  )
  expect_identical(as.character(count_tables(rows)), "1225914276768514")
})

test_that("published: originals of the five kinds of controlled roundings", {
  cases <- list(
    "1025908683" = c(15, 3, 3, 0, 21, 9, 12, 15, 3, 9, 9, 3, 12, 15, 6, 0),
    "1181720787" = c(15, 0, 3, 3, 21, 9, 12, 15, 3, 9, 9, 3, 12, 15, 6, 0),
    "1849846153" = c(15, 3, 3, 0, 21, 9, 12, 15, 3, 9, 9, 3, 12, 12, 6, 3),
    "576598396" = c(15, 0, 3, 0, 21, 9, 12, 15, 3, 12, 9, 3, 12, 15, 6, 0),
    "679283937" = c(15, 0, 3, 3, 21, 9, 12, 15, 3, 12, 9, 0, 12, 15, 6, 0)
  )
  for (name in names(cases)) {
    expect_identical(as.character(count_tables(rounded_release(cases[[name]]))), name)
  }
  law <- fibre_distribution(rounded_release(cases[[1]]))
  expect_identical(as.character(law$count), "1025908683")
  expect_equal(as.vector(rowsum(law$law$probability, law$law$at)), rep(1, 16))
})

test_that("published: the suppression patterns with three tables", {
  patterns <- list(
    list(rows = c("1", "2"), cols = c("2", "4")), list(rows = c("1", "3"), cols = c("2", "4")),
    list(rows = c("1", "4"), cols = c("2", "4"))
  )
  for (p in patterns) {
    cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
    cells$suppressed <- cells$row %in% p$rows & cells$column %in% p$cols
    release <- constraints(cells)
    expect_identical(as.character(count_tables(release)), "3")
    expect_identical(dim(enumerate_tables(release)), c(4L, 4L, 3L))
  }
})

test_that("published: a table with margins of 10^8 has 69 digits", {
  rows <- constraints(plain_margin("A", rep(1e8, 4)), plain_margin("B", rep(1e8, 4)))
  expect_identical(
    as.character(count_tables(rows)),
    "970017811287492028219361552048755732352398595258730218888889250000001"
  )
  drawn <- sample_tables(rows, 1, seed = 1)
  expect_identical(unname(rowSums(drawn[, , 1])), rep(1e8, 4))
  expect_error(fibre_distribution(rows, cells = 1), class = "sdc_error_too_large")
})

test_that("oracle: numbers, laws and lists of random releases, by brute force", {
  withr::with_seed(5, for (round in seq_len(rounds(15, 30))) {
    release <- random_release(round)
    all <- brute_tables(release)
    if (nrow(all) == 0 || nrow(all) > 5000) next
    for (method in c("auto", "diagram")) {
      expect_identical(as.numeric(count_tables(release, method)), as.numeric(nrow(all)))
    }
    long <- as.data.frame(fibre_distribution(release), exact = TRUE)
    keys <- do.call(paste, c(unname(long[names(release$dimnames)]), sep = ","))
    cells <- do.call(paste,
                     c(unname(expand.grid(release$dimnames, stringsAsFactors = FALSE)), sep = ","))
    for (i in seq_along(cells)) {
      found <- long[keys == cells[i], ]
      expected <- table(all[, i])
      expect_identical(as.character(found$value), names(expected))
      expect_identical(as.numeric(found$tables), as.numeric(expected))
      expect_equal(found$probability, as.numeric(expected) / nrow(all))
    }
    listed <- matrix(enumerate_tables(release), ncol = nrow(all))
    expect_false(is.object(listed))
    sorted <- all[do.call(order, as.data.frame(all)), , drop = FALSE]
    expect_equal(t(listed), sorted)
  })
})

test_that("property: two cliques give a product over the levels of their separator", {
  withr::with_seed(3, for (round in 1:10) {
    x <- sdc_table(plain_table(stats::rpois(24, 3), c(3, 2, 4)))
    both <- count_tables(margins(x, list(c("A", "B"), c("B", "C"))))
    slices <- vapply(1:2, function(b) {
      slice <- sdc_table(plain_table(as.table(x)[, b, ]))
      as.numeric(count_tables(margins(slice, list("A", "B"))))
    }, 0)
    expect_equal(as.numeric(both), prod(slices))
  })
})

test_that("property: draws agree with the release, are uniform, and the same for a seed", {
  release <- margins(plain_table(matrix(c(2, 1, 0, 1, 1, 2), 2)), list("A", "B"))
  n <- as.numeric(count_tables(release))
  drawn <- sample_tables(release, 6000, seed = 4)
  expect_identical(dim(drawn), c(2L, 3L, 6000L))
  expect_identical(names(dimnames(drawn)), c("A", "B", "draw"))
  expect_true(all(apply(drawn, c(1, 3), sum) == rowSums(drawn[, , 1])))
  expect_true(all(apply(drawn, c(2, 3), sum) == colSums(drawn[, , 1])))
  times <- table(apply(drawn, 3, paste, collapse = " "))
  expect_length(times, n)
  expect_gt(stats::chisq.test(as.vector(times))$p.value, 1e-4)
  expect_identical(unclass(sample_tables(release, 5, seed = 4)), drawn[, , 1:5])
  expect_identical(withr::with_seed(1, sample_tables(release, 3)),
                   withr::with_seed(1, sample_tables(release, 3)))
})

test_that("property: laws stay within sharp bounds and reach them", {
  law <- fibre_distribution(margins(roehrig, list("row", "column")))
  figures <- summary(law)
  frechet <- outer(rowSums(roehrig), colSums(roehrig), pmin)
  least <- pmax(outer(rowSums(roehrig), colSums(roehrig), `+`) - sum(roehrig), 0)
  expect_equal(figures$upper, as.vector(frechet))
  expect_equal(figures$lower, as.vector(least))
  expect_equal(sum(figures$mean), sum(roehrig))
  expect_equal(figures$mean[1:4], unname(summary(fibre_distribution(
    margins(roehrig, list("row", "column")), cells = 1:4
  ))$mean))
})

test_that("property: estimates are near, and say how near", {
  release <- margins(roehrig, list("row", "column"))
  about <- count_tables(release, "importance", n_draws = 2000, seed = 1)
  expect_s3_class(about, "sdc_count_estimate")
  expect_lt(abs(as.numeric(about) / 18272363056 - 1), 5 * about$relative_error)
  expect_lt(about$relative_error, .1)
  expect_match(as.character(about), "^about .* \\(standard error ")
  expect_identical(about, count_tables(release, "importance", n_draws = 2000, seed = 1))
  three <- margins(plain_table(rep(2, 27), c(3, 3, 3)), list(c("A", "B"), c("A", "C"), c("B", "C")))
  exact <- as.numeric(count_tables(three))
  about <- count_tables(three, "importance", n_draws = 2000, seed = 1)
  expect_lt(abs(as.numeric(about) / exact - 1), 5 * about$relative_error)
})

test_that("property: input: what cannot be counted is said", {
  release <- margins(roehrig, list("row", "column"))
  expect_error(count_tables(), class = "sdc_error_input")
  expect_error(count_tables("a"), class = "sdc_error_input")
  expect_error(count_tables(release, "barvinok"), class = "sdc_error_input")
  expect_error(count_tables(release, max_states = NA), class = "sdc_error_input")
  expect_error(count_tables(release, "importance", n_draws = 2.5), class = "sdc_error_input")
  expect_error(sample_tables(release), class = "sdc_error_input")
  expect_error(sample_tables(release, 0), class = "sdc_error_input")
  expect_error(sample_tables(release, 2, seed = "a"), class = "sdc_error_input")
  wide <- constraints(plain_margin("A", rep(1, 8)), plain_margin("B", rep(1, 8)))
  expect_error(sample_tables(wide, 1e8), class = "sdc_error_too_large")
  expect_error(enumerate_tables(release, limit = 10), class = "sdc_error_too_large")
  expect_error(fibre_distribution(release, cells = 17), class = "sdc_error_input")
  named <- constraints(plain_margin("draw", 1:2), plain_margin("B", c(1, 2)))
  expect_error(sample_tables(named, 1), class = "sdc_error_input")
  expect_error(count_tables(rounded_release(rep(3, 16)), "polynomial"), class = "sdc_error_input")
  expect_error(
    count_tables(rounded_release(rep(30, 16)), max_states = 100), class = "sdc_error_too_large"
  )
  open <- constraints(data.frame(A = c("a", "b"), lower = 1, upper = NA))
  expect_error(count_tables(open), class = "sdc_error_input")
})

test_that("property: input: a release that no table agrees with counts 0", {
  # Twice each cell, of 0 or 1, is to make 3.
  x <- constraints(data.frame(A = c("a", "b", "c"), lower = 0, upper = 1))
  x$rows <- list(start = c(0L, 3L), cell = 1:3, coefficient = c(2, 2, 2), lower = 3, upper = 3,
                 set = 1L, label = "odd")
  expect_identical(as.character(count_tables(x)), "0")
  expect_identical(dim(enumerate_tables(x)), c(3L, 0L))
  expect_error(sample_tables(x, 1), class = "sdc_error_infeasible")
  expect_error(fibre_distribution(x), class = "sdc_error_infeasible")
})

test_that("snapshot: prints", {
  release <- margins(roehrig, list("row", "column"))
  expect_snapshot({
    count_tables(release)
    count_tables(release, "importance", n_draws = 1000, seed = 1)
    fibre_distribution(release)
    summary(fibre_distribution(release, cells = 1:3))
    tail(as.data.frame(fibre_distribution(release, cells = 1), exact = TRUE), 2)
  })
  expect_snapshot(error = TRUE, {
    enumerate_tables(release)
    count_tables(rounded_release(rep(30, 16)), max_states = 100)
    count_tables(constraints(data.frame(A = c("a", "b"), lower = 1, upper = NA)))
  })
})

test_that("snapshot: a picture has a panel for each cell", {
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(fibre_distribution(margins(roehrig, list("row", "column")),
                                                  cells = 1:3))
  expect_s3_class(picture, "ggplot")
  expect_length(levels(picture$data$panel), 3)
})

test_that("property: one wide range neither hangs nor fills the memory", {
  x <- as.table(array(1e8 + 1:8, c(2, 2, 2)))
  pairs <- margins(x, list(c("Var1", "Var2"), c("Var1", "Var3"), c("Var2", "Var3")))
  expect_error(count_tables(pairs), class = "sdc_error_too_large")
  expect_error(fibre_distribution(pairs), class = "sdc_error_too_large")
  wide <- margins(as.table(matrix(c(2^51, 1, 2, 2^51 + 1, 5, 7, 11, 2^50, 3), 3)),
                  list("Var1", "Var2"))
  expect_error(count_tables(wide, "diagram"), class = "sdc_error_too_large")
})

test_that("oracle: estimates hold for counts of any size", {
  for (power in c(20, 40, 51)) {
    x <- as.table(matrix(c(2^power, 1, 2, 2^power + 1, 5, 7, 11, 2^(power - 1), 3), 3))
    release <- margins(x, list("Var1", "Var2"))
    ratio <- as.numeric(count_tables(release, "importance", n_draws = 4000, seed = 1)) /
      as.numeric(count_tables(release))
    expect_lt(abs(ratio - 1), .08)
  }
})

test_that("property: what is too large is said before the work starts", {
  ten <- constraints(plain_margin("A", 46:55), plain_margin("B", 55:46))
  cnd <- expect_error(count_tables(ten, "twoway"), class = "sdc_error_too_large")
  expect_match(conditionMessage(cnd), "10\\^[0-9]+ steps and 10\\^[0-9]+ states")
  cnd <- expect_error(count_tables(ten, max_steps = 1e6), class = "sdc_error_too_large")
  expect_match(conditionMessage(cnd), "10\\^[0-9]+ steps and 10\\^[0-9]+ states")
  # The label of a progress bar; what a count takes is no more than what the forecast says.
  options <- sdcLattice:::fibre_options("auto", 5e7, 5e10)
  expect_match(sdcLattice:::forecast_label("Counting", ten, options), "at most 10\\^11 steps$")
  small <- constraints(margins(roehrig, list("row", "column")))
  steps <- sdcLattice:::cpp_forecast_tables(small, options)
  expect_gt(steps, 1)
  for (limit in c(steps * 1.01, steps * .01)) {
    options$max_steps <- limit
    counted <- tryCatch(count_tables(small, "twoway", max_steps = limit),
                        sdc_error_too_large = function(e) NULL)
    expect_identical(is.null(counted), limit < steps)
  }
})

test_that("published: tables of many columns with small sums (OEIS A110058, A361749)", {
  ten <- constraints(plain_margin("A", rep(10, 10)), plain_margin("B", rep(10, 10)))
  expect_identical(as.character(count_tables(ten)), "66880713903767740581650957184096513655153")
  uneven <- constraints(plain_margin("A", 1:10), plain_margin("B", 10:1))
  expect_identical(as.character(count_tables(uneven, "twoway")), "455845471095088280120142")
})

test_that("oracle: tables of three columns, with limits of cells, against a plain programme", {
  # By dictionary: rows one after the other, what the first two columns hold as the key.
  plain_count <- function(rows, columns, limit) {
    now <- c("0 0" = 1)
    for (i in seq_along(rows)) {
      x <- expand.grid(a = 0:rows[i], b = 0:rows[i])
      x$c <- rows[i] - x$a - x$b
      x <- x[x$c >= 0 & x$a <= limit[i, 1] & x$b <= limit[i, 2] & x$c <= limit[i, 3], ]
      held <- do.call(rbind, strsplit(names(now), " "))
      all <- merge(data.frame(u = as.numeric(held[, 1]), v = as.numeric(held[, 2]), n = now), x)
      all <- all[all$u + all$a <= columns[1] & all$v + all$b <= columns[2], ]
      now <- c(tapply(all$n, paste(all$u + all$a, all$v + all$b), sum))
    }
    unname(now[paste(columns[1], columns[2])])
  }
  withr::with_seed(8, for (round in seq_len(rounds(13, 25))) {
    x <- matrix(stats::rpois(12, sample(1:4, 1)), 4)
    limit <- x + matrix(sample(c(0:2, 99), 12, replace = TRUE), 4)
    table <- sdc_table(plain_table(x))
    cells <- data.frame(expand.grid(dimnames(as.table(table))), lower = 0, upper = c(limit))
    release <- constraints(margins(table, list("A", "B")), cells)
    for (method in c("auto", "twoway")) {
      expect_equal(as.numeric(count_tables(release, method)),
                   plain_count(rowSums(x), colSums(x), limit))
    }
  })
})

test_that("property: input: limits beyond 2^53 are refused, not rounded", {
  expect_error(count_tables(intervals(as.table(matrix(3, 1, 1)), 0, 2^53)),
               class = "sdc_error_too_large")
})

test_that("property: lists of tables are arrays, whose print is short", {
  few <- enumerate_tables(margins(sdc_table(matrix(c(2, 0, 1, 1), 2)), list("Var1", "Var2")))
  expect_true(is.array(few))
  expect_identical(dim(few), c(2L, 2L, 2L))
  for (plain in list(few > 0, few[, , 1], few + few, -few, apply(few, 3, sum))) {
    expect_false(is.object(plain))
  }
  expect_identical(few + few, 2 * unclass(few))
  expect_identical(as.data.frame(few), as.data.frame(unclass(few)))
  shown <- capture.output(print(few))
  expect_identical(shown[1],
                   "<sdc_tables> 2 tables of 2 x 2 (Var1, Var2), along dimension \"table\"")
  expect_identical(shown[-1], capture.output(print(unclass(few))))
  many <- sample_tables(margins(roehrig, list("row", "column")), 1000, seed = 1)
  shown <- capture.output(print(many))
  expect_lt(length(shown), 10)
  expect_identical(shown[length(shown)], "  and 999 more tables")
  expect_identical(shown[2:7], capture.output(print(many[, , 1])))
})

test_that("property: a list of tables is not taken for a table with one variable more", {
  several <- enumerate_tables(margins(table(a = c(1, 1, 2), b = c(1, 2, 2)), list("a", "b")))
  for (task in list(sdc_table, suppress, round_controlled, bounds_margins, explore)) {
    e <- expect_error(task(several), class = "sdc_error_input")
    expect_match(conditionMessage(e), "several tables")
  }
  expect_identical(sum(sdc_table(several[, , 1])), 3)
})
