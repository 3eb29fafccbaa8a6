# What is made of releases by level: publications, and files of certificates.

ages <- data.frame(all = "all", half = rep(c("young", "old"), c(3, 3)),
                   third = c("y1", "y2", "y2", "o1", "o1", "o2"), age = paste0("a", 1:6))
homes <- data.frame(all = "all", side = c("N", "N", "S", "S"), home = paste0("h", 1:4))

some_people <- function(seed, n = 400) {
  set.seed(seed)
  kind <- sample(3, n, TRUE)
  data.frame(
    age = factor(paste0("a", pmin(6, kind + sample(0:3, n, TRUE))), paste0("a", 1:6)),
    home = factor(paste0("h", 1 + (kind + stats::rpois(n, 1)) %% 4), paste0("h", 1:4)),
    sex = factor(sample(c("f", "m"), n, TRUE))
  )
}

level_people <- function(seed = 3) {
  level_table(sdc_table(some_people(seed), hierarchies = list(age = ages, home = homes)))
}

greedy <- function(x, ...) release_greedy(x, risk_width(3), fill = "first_fit", ...)

test_that("oracle: published tables by level are those of the records, at all levels inside", {
  people <- some_people(3)
  people$`age@half` <- ages$half[as.integer(people$age)]
  people$`age@third` <- ages$third[as.integer(people$age)]
  people$`home@side` <- homes$side[as.integer(people$home)]
  re <- greedy(level_people())
  pub <- publish(re)
  expect_gt(length(grep("@", names(pub$tables))), 0)
  for (label in as.data.frame(re)$sub_table) {
    direct <- table(people[strsplit(label, ":", fixed = TRUE)[[1]]])
    own <- margins(pub, label)
    expect_identical(names(own), label)
    found <- as.array(own[[1]])
    found <- do.call(`[`, c(list(found), dimnames(direct), list(drop = FALSE)))
    expect_equal(as.vector(found), as.vector(direct))
    expect_identical(as.array(own[[1]]), as.array(margins(re, label)[[1]]))
  }
  frame <- as.data.frame(pub)
  expect_identical(names(frame), c("sub_table", names(dimnames(level_people())), "count"))
  expect_setequal(tapply(frame$count, frame$sub_table, sum), nrow(people))
  expect_error(margins(pub, "age:home:sex"), class = "sdc_error_refused")
  expect_error(bounds_margins(pub$tables, cells = 1), class = "sdc_error_input")
})

test_that("property: a publication by level is read as it was written, and edits are seen", {
  pub <- publish(greedy(level_people()))
  folder <- withr::local_tempdir()
  write_publication(pub, folder)
  expect_identical(read_publication(folder), pub)
  edited <- function(change) expect_error(as.data.frame(change(pub)), class = "sdc_error_input")
  edited(function(x) {
    x$steps$maps[[1]] <- rev(x$steps$maps[[1]])
    x
  })
  edited(function(x) {
    x$steps$categories[[2]][1] <- "y0"
    x
  })
  edited(function(x) {
    x$steps <- NULL
    x
  })
  edited(function(x) {
    at <- grep("@", names(x$tables))[1]
    x$tables[[at]]$counts[1] <- x$tables[[at]]$counts[1] + 1
    x
  })
  edited(function(x) {
    x$sets[[1]] <- setdiff(x$sets[[1]], 1)
    x
  })
})

test_that("snapshot: a publication by level in print, and what it refuses", {
  pub <- publish(greedy(level_people()))
  expect_snapshot({
    pub
    summary(pub)
    explain(pub)
  })
  expect_snapshot(sub_tables(pub))
})

test_that("property: with one level for each variable publications have the same tables", {
  plain <- publish(greedy(czech_workers))
  steps <- publish(greedy(in_single_steps(czech_workers)))
  same <- c("dimnames", "sets", "tables", "rule")
  expect_identical(unclass(plain)[same], unclass(steps)[same])
  expect_identical(as.data.frame(plain), as.data.frame(steps))
  expect_identical(unclass(margins(plain, "A:B"))[["A:B"]], unclass(margins(steps, "A:B"))[["A:B"]])
})

test_that("oracle: measures of releases by level are cells, ranks of models, and own values", {
  set.seed(31)
  for (case in level_cases()) {
    x <- level_table(table_with_ladders(case$counts, case$ladders))
    names <- names(dimnames(case$counts))
    groups <- all_groups(case$counts, case$ladders)
    leaf <- arrayInd(seq_along(case$counts), dim(case$counts))
    choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))[-1, , drop = FALSE]
    codes <- apply(choices, 1, function(choice) {
      do.call(paste, lapply(seq_along(choice), function(v) {
        groups[[v]][[choice[v] + 1]][leaf[, v]]
      }))
    })
    for (round in seq_len(rounds(2, 3))) {
      chosen <- choices[sample(nrow(choices), 3), , drop = FALSE]
      held <- apply(choices, 1, function(choice) any(apply(chosen, 1, function(top) {
        all(choice <= top)
      })))
      labels <- apply(chosen, 1, choice_label, names, case$ladders)
      cells <- apply(codes[, held, drop = FALSE], 2, function(code) length(unique(code)))
      expect_equal(utility(labels, utility_tables(), x), sum(held))
      expect_equal(utility(labels, utility_cells(), x), sum(cells))
      models <- do.call(cbind, lapply(which(held), function(i) {
        outer(codes[, i], unique(codes[, i]), "==") + 0
      }))
      expect_equal(utility(labels, utility_df(), x), qr(models)$rank - 1)
      own <- stats::setNames(c(3, 5), apply(choices[c(1, nrow(choices)), ], 1, choice_label, names,
                                            case$ladders))
      expect_equal(utility(labels, utility_values(own), x),
                   sum(c(3, 5)[held[c(1, nrow(choices))]]))
    }
  }
})

# The least squares of a fit that a reader makes of a release: proportional fitting of the leaves, by
# the groups that each released choice puts them into.
fitted_leaves <- function(counts, codes) {
  fit <- rep(sum(counts) / length(counts), length(counts))
  groups <- lapply(codes, function(code) outer(unique(code), code, "==") + 0)
  for (i in seq_len(1000)) {
    before <- fit
    for (group in groups) {
      now <- as.vector(group %*% fit)
      wanted <- as.vector(group %*% as.vector(counts))
      fit <- fit * as.vector(ifelse(now > 0, wanted / now, 0) %*% group)
    }
    if (max(abs(fit - before)) < 1e-9) break
  }
  fit
}

test_that("oracle: the accuracy by level is that of a fit of the leaves, and needs all one-way tables", {
  set.seed(12)
  open <- 0
  for (case in c(level_cases(), level_cases())) {
    x <- level_table(table_with_ladders(case$counts, case$ladders))
    groups <- all_groups(case$counts, case$ladders)
    leaf <- arrayInd(seq_along(case$counts), dim(case$counts))
    choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))[-1, , drop = FALSE]
    chosen <- rbind(choices[sample(nrow(choices), 3), ], do.call(rbind, case$one_way))
    codes <- apply(chosen, 1, function(choice) {
      do.call(paste, lapply(seq_along(choice), function(v) {
        groups[[v]][[choice[v] + 1]][leaf[, v]]
      }))
    }, simplify = FALSE)
    labels <- apply(chosen, 1, choice_label, names(dimnames(case$counts)), case$ladders)
    squared <- mean((case$counts - fitted_leaves(case$counts, codes))^2)
    expect_equal(utility(labels, utility_accuracy(), x), -squared, tolerance = 1e-4)
    sets <- sub_table_sets(labels, names(dimnames(x)), "sets", table_steps(x))
    open <- open + any(study_release(length(dim(x)), maximal_sets(sets))$kinds == "open")
    coarse <- choice_label(replace(0 * case$finest, 1, 1), names(dimnames(case$counts)), case$ladders)
    expect_error(utility(coarse, utility_accuracy(), x), "at their finest", class = "sdc_error_input")
  }
  expect_lt(open, 6)
})

test_that("oracle: the query space by level is that of all choices of levels", {
  set.seed(14)
  for (case in c(level_cases(), level_cases())) {
    x <- level_table(table_with_ladders(case$counts, case$ladders))
    choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))
    label <- function(at) {
      apply(choices[at, , drop = FALSE], 1, choice_label, names(dimnames(case$counts)),
            case$ladders)
    }
    below <- function(i, j) all(choices[i, ] <= choices[j, ])
    inside <- outer(seq_len(nrow(choices)), seq_len(nrow(choices)), Vectorize(below))
    direct <- sample(nrow(choices), 2)
    released <- rowSums(inside[, direct]) > 0
    wanted <- sample(which(!released), min(2, sum(!released)))
    closed <- colSums(inside[wanted, , drop = FALSE]) > 0 & !released
    space <- sub_tables(x, as.list(label(direct[direct > 1])), as.list(label(wanted)))
    listed <- as.data.frame(space)
    released[1] <- TRUE
    states <- ifelse(released, "released", ifelse(closed, "unreleasable", "open"))
    found <- ifelse(listed$state %in% c("direct", "indirect"), "released",
                    as.character(listed$state))
    expect_setequal(listed$sub_table[-1], label(-1))
    expect_identical(found[match(label(-1), listed$sub_table)], states[-1])
    dimension <- rowSums(choices > 0)
    expect_equal(listed$dimension[match(label(-1), listed$sub_table)], dimension[-1])
    counted <- table(factor(dimension, 0:max(dimension)),
                     factor(states, c("released", "unreleasable", "open")))
    expect_equal(unname(as.matrix(space$by_dimension[-(1:2)])), unname(unclass(counted)),
                 ignore_attr = TRUE)
    lowest <- Filter(function(i) !any(inside[, i] & !released & seq_along(released) != i),
                     which(!released))
    steps <- table_steps(x)
    expect_setequal(set_labels(space$outside, steps$names, steps), label(lowest))
    expect_identical(rownames(as.matrix(space)), set_labels(space$released, steps$names, steps))
  }
})

test_that("oracle: what may not be released any more by level is what makes a release too narrow", {
  set.seed(15)
  found_some <- 0
  for (case in level_cases()) {
    x <- level_table(table_with_ladders(case$counts, case$ladders))
    choices <- as.matrix(expand.grid(lapply(case$finest, seq, from = 0)))[-1, , drop = FALSE]
    labels <- apply(choices, 1, choice_label, names(dimnames(case$counts)), case$ladders)
    space <- sub_tables(x, risk = risk_width(3), time_limit_s = 60)
    expect_length(space$undecided, 0)
    narrow <- vapply(seq_len(nrow(choices)), function(i) {
      case$width(c(case$one_way, list(as.vector(choices[i, ])))) < 3
    }, NA)
    listed <- as.data.frame(space)
    expect_setequal(listed$sub_table[listed$state == "unreleasable"], labels[narrow])
    found_some <- found_some + any(narrow)
  }
  expect_gt(found_some, 0)
})

test_that("property: widths of margins by level are those of the release", {
  re <- greedy(level_people())
  x <- re$problem$x
  whole <- width(re, progress = FALSE)
  again <- width(margins(re), x, re$risk, progress = FALSE)
  expect_equal(again$cells, whole$cells)
  expect_identical(width(margins(publish(re)), x, re$risk, progress = FALSE)$cells, again$cells)
  expect_error(width(margins(re), level_people(4), re$risk), "differs from the margin",
               class = "sdc_error_input")
  expect_error(width(margins(re)[1], x, re$risk), class = "sdc_error_input")
  # made from the table itself, in another order, with names that look like labels
  expect_identical(margins(x, lapply(re$sets, function(set) names(dimnames(x))[set])), margins(re))
  expect_identical(margin(x, c("sex", "age@half")), margins(x, list(c("age@half", "sex")))[[1]])
  plain <- sdc_table(some_people(3), hierarchies = list(age = ages, home = homes))
  turned <- margins(plain, list(c("sex", "age"), "home"))
  expect_equal(width(turned, x, re$risk, progress = FALSE)$cells,
               width(list("age:sex", "home"), x, re$risk, progress = FALSE)$cells)
  odd <- level_table(sdc_table(stats::setNames(some_people(3), c("a:b", "c:d", "e")),
                               hierarchies = list(`a:b` = stats::setNames(ages, c(names(ages)[-4], "a:b")))))
  own <- greedy(odd)
  expect_equal(width(margins(own), odd, own$risk, progress = FALSE)$cells, width(own)$cells)
  other <- margins(sdc_table(data.frame(age = c("a1", "x"))), list("age"))
  expect_error(width(other, x, re$risk), "at levels", class = "sdc_error_input")
})

test_that("property: releases by level that time cut short are safe and hold the one-way tables", {
  set.seed(1)
  people <- as.data.frame(lapply(stats::setNames(nm = c("a", "b", "c", "d")), function(v) {
    sample(8, 3000, TRUE)
  }))
  trees <- lapply(stats::setNames(nm = names(people)), function(v) {
    stats::setNames(data.frame("all", rep(c("L", "H"), each = 4), 1:8), c("all", "half", v))
  })
  x <- level_table(sdc_table(people, hierarchies = trees))
  cut <- list(
    release_exact(x, risk_width(3, at_risk = 1:2), "decomposable", time_limit_s = 0),
    release_exact(x, risk_n(3), time_limit_s = 0)
  )
  for (re in cut) {
    expect_true(re$stopped)
    expect_setequal(re$frontier, names(people))
    expect_length(re$left_out, 0)
    expect_true(verify_release(re)$verified)
    expect_s3_class(publish(re), "sdc_release_publication")
  }
})

test_that("property: one-way tables that break the rule are unreleasable by level too", {
  people <- data.frame(age = rep(paste0("a", 1:4), c(3, 5, 1, 4)), sex = rep(c("f", "m"), c(6, 7)))
  decade <- c(a1 = "10-19", a2 = "10-19", a3 = "20-29", a4 = "20-29")
  x <- level_table(sdc_table(people, c("age", "sex"), hierarchies = list(age = decade)))
  states <- function(risk) {
    listed <- as.data.frame(sub_tables(x, risk = risk))
    stats::setNames(as.character(listed$state), listed$sub_table)[-1]
  }
  alone <- states(risk_n(3))
  expect_identical(names(alone)[alone == "unreleasable"], c("age", "age@level 1:sex", "age:sex"))
  expect_true(all(states(risk_width(3)) == "unreleasable"))
  expect_error(release_exact(x, risk_width(3)), class = "sdc_error_infeasible")
})

test_that("oracle: the pictures of releases by level show the frontier and the numbers of sub-tables", {
  skip_if_not_installed("ggplot2")
  re <- greedy(level_people())
  for (x in list(re, publish(re))) {
    crosses <- as.matrix(x)
    shown <- ggplot2::autoplot(x, type = "frontier")$data
    expect_identical(levels(shown$variable), colnames(crosses))
    expect_identical(unname(as.matrix(table(shown$row, shown$variable)) > 0), unname(crosses))
    bars <- ggplot2::autoplot(x, type = "dimension")$data
    bars <- stats::xtabs(sub_tables ~ dimension + state, bars)
    listed <- as.data.frame(re)
    expect_equal(as.vector(bars[, "released"]), as.vector(table(factor(listed$dimension, 1:3))))
    # the trees have 3, 2 and 1 levels: (1 + 3 t)(1 + 2 t)(1 + t)
    expect_equal(as.vector(rowSums(bars)), c(6, 11, 6))
    for (type in c("graph", "tree")) {
      expect_error(plot(x, type = type), "one level each", class = "sdc_error_input")
    }
    points <- ggplot2::autoplot(x, type = "lattice")
    expect_setequal(points$data$sub_table[points$data$state %in% c("direct", "indirect")],
                    c(margin_label(character()), listed$sub_table))
    # 4 * 3 * 2 sub-tables, by their number of levels: (1 + t + t^2 + t^3)(1 + t + t^2)(1 + t)
    expect_equal(as.vector(table(points$data$row)), c(1, 3, 5, 6, 5, 3, 1))
    lines <- ggplot2::layer_data(points, 1)
    expect_equal(nrow(lines), 3 * 3 * 2 + 4 * 2 * 2 + 4 * 3)
    expect_true(all(lines$yend - lines$y == 1))
  }
})
