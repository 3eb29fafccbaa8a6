small_table <- function(seed, levels, most = 12) {
  set.seed(seed)
  counts <- stats::rpois(prod(levels), 2) * stats::rbinom(prod(levels), 1, .7)
  counts[1] <- 1
  counts[length(counts)] <- most
  array(counts, levels, stats::setNames(lapply(levels, seq_len), LETTERS[seq_along(levels)]))
}

# A 2^4 table whose most dangerous pair lies outside of its most dangerous triple.
no_chain <- array(c(34, 35, 15, 28, 18, 13, 42, 34, 29, 12, 3, 41, 20, 2, 26, 25), rep(2, 4),
                  list(A = 1:2, B = 1:2, C = 1:2, D = 1:2))

test_that("published: all 63 critical widths of the Czech table, 35 of them as printed", {
  reference <- read.csv(test_path("fixtures", "czech_critical_widths.csv"))
  labels <- gsub("(?<=.)(?=.)", ":", reference$subtable_report_label, perl = TRUE)
  cw <- critical_widths(czech_workers)
  expect_equal(nrow(cw), 63)
  expect_setequal(cw$sub_table, labels)
  expect_equal(cw$width[match(labels, cw$sub_table)], reference$critical_width)
  expect_equal(cw$dimension[match(labels, cw$sub_table)], reference$dim)
  printed <- !is.na(reference$table3_value)
  expect_equal(cw$width[match(labels[printed], cw$sub_table)], reference$table3_value[printed])
  worst <- summary(cw)
  expect_true(worst$chain)
  expect_equal(worst$most_dangerous$sub_table[2:5], c("D:E", "A:D:E", "A:C:D:E", "A:C:D:E:F"))
})

test_that("published: the most dangerous sub-tables need not form a chain", {
  worst <- summary(critical_widths(no_chain))
  expect_false(worst$chain)
  expect_equal(worst$most_dangerous$sub_table[2:3], c("B:C", "A:B:D"))
  expect_equal(worst$most_dangerous$width[2:3], c(53, 14))
})

test_that("oracle: widths are those of bounds_margins() for the most parsimonious release", {
  for (seed in 1:8) {
    x <- sdc_table(small_table(seed, c(2, 3, 2, 2)[seq_len(2 + seed %% 3)]))
    cw <- critical_widths(x, at_risk = 1:3)
    variables <- names(dimnames(x))
    cells <- which(as.vector(as.table(x)) %in% 1:3)
    for (i in seq_len(nrow(cw))) {
      set <- strsplit(cw$sub_table[i], ":", fixed = TRUE)[[1]]
      sets <- c(list(set), as.list(setdiff(variables, set)))
      b <- as.data.frame(bounds_margins(margins(x, sets), cells = cells, method = "ip",
                                        dimnames = dimnames(x)))
      expect_equal(min(b$upper - b$lower), cw$width[i])
    }
  }
})

test_that("property: order, monotony, a rule in the place of counts, and named cells", {
  cw <- critical_widths(small_table(3, c(2, 3, 2, 2)))
  expect_false(is.unsorted(-cw$width))
  same <- diff(cw$width) == 0
  expect_true(all(diff(cw$dimension)[same] <= 0))
  again <- same & diff(cw$dimension) == 0
  expect_true(all(cw$sub_table[-1][again] > cw$sub_table[-nrow(cw)][again]))
  for (i in seq_len(nrow(cw))) {
    parts <- vapply(strsplit(cw$sub_table, ":"), function(set) {
      all(set %in% strsplit(cw$sub_table[i], ":")[[1]])
    }, NA)
    expect_gte(min(cw$width[parts]), cw$width[i])
  }
  expect_identical(critical_widths(czech_workers, risk = risk_width(5, at_risk = 1:3)),
                   critical_widths(czech_workers, at_risk = 1:3))
  one <- critical_widths(czech_workers, risk = risk_width(5, cells = 38))
  expect_true(all(one$width >= 0) && nrow(one) == 63)
})

test_that("property: tables with few variables, with one level, and with many words of labels", {
  expect_equal(as.list(critical_widths(array(c(1, 5), 2, list(A = 1:2)))[, ]),
               list(sub_table = "A", dimension = 1L, width = 0))
  x <- array(c(1, 5, 3, 4), c(2, 1, 2), list(A = 1:2, `B C` = "b", D = 1:2))
  cw <- critical_widths(x)
  expect_equal(nrow(cw), 7)
  expect_true("A:B C:D" %in% cw$sub_table)
})

test_that("property: all 8,191 of a real table, soon", {
  skip_on_cran()
  took <- system.time(cw <- critical_widths(cps13, progress = FALSE))
  expect_equal(nrow(cw), 8191)
  expect_lt(took[["elapsed"]], 30)
  expect_equal(range(cw$width), c(0, 4490))
})

test_that("property: the widths of few variables, or of little time, are those of all", {
  all <- critical_widths(no_chain)
  for (d in 1:4) {
    some <- critical_widths(no_chain, max_dimension = d)
    expect_equal(some[], all[all$dimension <= d, ], ignore_attr = "row.names")
    expect_identical(attr(some, "complete"), as.numeric(d))
    worst <- summary(all)$most_dangerous
    expect_equal(summary(some)$most_dangerous[c("dimension", "width", "n_ties")],
                 worst[worst$dimension <= d, c("dimension", "width", "n_ties")])
  }
  expect_identical(critical_widths(no_chain, time_limit_s = Inf), all)
  # 22 variables: all sub-tables would take hours.
  large <- withr::with_seed(1, {
    codes <- matrix(sample(1:2, 22 * 3000, replace = TRUE), ncol = 22)
    sdc_table(stats::setNames(as.data.frame(codes), LETTERS[1:22]), dimVar = LETTERS[1:22])
  })
  expect_warning(some <- critical_widths(large, time_limit_s = .5), class = "sdc_warning_time")
  complete <- attr(some, "complete")
  expect_gte(complete, 1)
  expect_lt(nrow(some), 2^22 - 1)
  expect_identical(sum(some$dimension <= complete), as.integer(sum(choose(22, seq_len(complete)))))
  first <- critical_widths(large, max_dimension = 1)
  expect_equal(some$width[match(first$sub_table, some$sub_table)], first$width)
  expect_s3_class(summary(some), "sdc_critical_summary")
  expect_error(critical_widths(large, time_limit_s = 0), class = "sdc_error_too_large")
})

test_that("snapshot: what people see", {
  cw <- critical_widths(czech_workers)
  expect_snapshot(cw)
  expect_snapshot(summary(cw))
  expect_snapshot(summary(critical_widths(no_chain)))
  expect_snapshot(critical_widths(no_chain))
  expect_snapshot(critical_widths(no_chain, max_dimension = 2))
  expect_identical(class(cw[1:2, ]), "data.frame")
  expect_identical(class(head(cw)), "data.frame")
})

test_that("property: pictures have a point for each sub-table, and lines where they can be told apart", {
  skip_if_not_installed("ggplot2")
  few <- ggplot2::autoplot(critical_widths(czech_workers))
  expect_s3_class(few, "ggplot")
  sizes <- vapply(ggplot2::ggplot_build(few)$data, nrow, 1L)
  expect_equal(sizes, c(186, 6, 63, 6, 63))
  none <- ggplot2::ggplot_build(ggplot2::autoplot(critical_widths(no_chain)))
  expect_equal(vapply(none$data, nrow, 1L), c(28, 15, 4, 15))
  some <- ggplot2::ggplot_build(ggplot2::autoplot(critical_widths(no_chain, max_dimension = 2)))
  expect_true(10 %in% vapply(some$data, nrow, 1L))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_s3_class(plot(critical_widths(no_chain)), "ggplot")
  expect_error(plot(critical_widths(no_chain), type = 1), class = "sdc_error_input")
})

test_that("snapshot: errors say what to do", {
  expect_snapshot(error = TRUE, {
    critical_widths()
    critical_widths(czech_workers, at_risk = 0)
    critical_widths(czech_workers, at_risk = 3:4, risk = risk_width(3))
    critical_widths(czech_workers, risk = risk_n(3))
    critical_widths(czech_workers, at_risk = 10000)
    critical_widths(czech_workers, max_variables = 5)
    critical_widths(czech_workers, max_variables = 31)
    critical_widths(czech_workers, max_dimension = 0)
    critical_widths(czech_workers, time_limit_s = 0)
    critical_widths(czech_workers, beta = 3)
    critical_widths(sum(czech_workers))
  })
  expect_error(critical_widths(czech_workers, max_variables = 5), class = "sdc_error_too_large")
})

test_that("oracle: by level widths are those of all tables over the leaves, and chains are looked for", {
  # is there a chain of the most dangerous choices, each below the next?
  has_chain <- function(choices, width) {
    dimension <- rowSums(choices > 0)
    reached <- NULL
    for (d in seq_len(max(dimension))) {
      ties <- which(dimension == d & width == min(width[dimension == d]))
      if (d > 1) ties <- Filter(function(i) {
        any(vapply(reached, function(j) all(choices[j, ] <= choices[i, ]), NA))
      }, ties)
      reached <- ties
    }
    length(reached) > 0
  }
  withr::local_seed(11)
  for (case in c(level_cases(), if (rounds(1, 5) > 1) level_cases())) {
    x <- level_table(table_with_ladders(case$counts, case$ladders))
    choices <- as.matrix(expand.grid(lapply(case$finest, function(n) 0:n)))[-1, ]
    labels <- apply(choices, 1, choice_label, names(case$dim), case$ladders)
    width <- apply(unname(choices), 1, function(choice) case$width(c(case$one_way, list(choice))))
    cw <- critical_widths(x)
    expect_setequal(cw$sub_table, labels)
    expect_equal(cw$width[match(labels, cw$sub_table)], width)
    expect_equal(cw$dimension[match(labels, cw$sub_table)], unname(rowSums(choices > 0)))
    worst <- summary(cw)
    expect_identical(worst$chain, has_chain(choices, width))
    expect_equal(worst$most_dangerous$width, as.vector(tapply(width, rowSums(choices > 0), min)))
    few <- critical_widths(x, max_dimension = 1)
    expect_equal(few[], cw[cw$dimension == 1, ], ignore_attr = "row.names")
    expect_match(format(few)[3], paste("of", nrow(choices), "in all"))
  }
  expect_output(print(cw), "by level")
  expect_error(critical_widths(x, max_variables = 3), "levels counted", class = "sdc_error_too_large")
  skip_if_not_installed("ggplot2")
  expect_identical(nrow(ggplot2::autoplot(cw)$data), nrow(cw))
})

test_that("property: with one level for each variable the widths are those without levels", {
  x <- sdc_table(small_table(2, c(2, 3, 2)))
  for (table in list(x, as_sdc_table(no_chain))) {
    cw <- critical_widths(table)
    single <- critical_widths(in_single_steps(table))
    expect_identical(single[], cw[])
    expect_identical(summary(single), summary(cw))
  }
})
