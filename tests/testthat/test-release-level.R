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
  expect_snapshot(error = TRUE, sub_tables(pub))
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
    expect_error(utility(labels, utility_accuracy(), x), class = "sdc_error_input")
  }
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
    for (type in c("graph", "tree", "lattice")) {
      expect_error(plot(x, type = type), "one level each", class = "sdc_error_input")
    }
  }
})
