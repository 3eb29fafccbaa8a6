# Cycles of tables with trees: classes of siblings, conservation of all totals, exact posteriors.

# Every maker that takes a table of these sizes.
makers_of <- function(x) {
  two_way <- list(
    triads = function(y) cycles_banded(y, seed = 1), pairs = function(y) {
      cycles_banded(y, group = 2, seed = 2)
    },
    turned = function(y) cycles_banded(y, seed = 1, transposed = TRUE),
    open = function(y) cycles_banded(y, seed = 3, open = TRUE),
    skipping = function(y) cycles_banded(y, seed = 4, skip_zeros = TRUE),
    lenz = function(y) cycles_bidiagonal(y), chain = function(y) cycles_bidiagonal(y, "chain"),
    margin = function(y) cycles_margin(y, set = "margin"), data = function(y) cycles_data(y, seed = 5)
  )
  if (length(dim(x)) == 2) two_way else list(margin = function(y) cycles_margin(y))
}

# The levels that share all proper ancestors, level by level.
slow_classes <- function(x, v) {
  trees <- x$layout$trees[names(dimnames(x))[[v]]][[1]]
  key <- vapply(dimnames(x)[[v]], function(l) {
    paste(sort(ancestors_in(l, trees)), collapse = " ")
  }, "")
  unname(split(seq_along(key), match(key, key)))
}

movable_by_hand <- function(x) {
  inside <- lapply(seq_along(dim(x)), function(v) {
    classes <- slow_classes(x, v)
    alone <- unlist(classes[lengths(classes) == 1])
    if (dim(x)[[v]] == 1) TRUE else !seq_len(dim(x)[[v]]) %in% alone
  })
  as.vector(Reduce(function(a, b) outer(a, b, `&`), inside))
}

random_sizes <- list(c(5, 4), c(7, 6), c(9, 5), c(6, 1, 6), c(4, 3, 5), c(6, 2, 2, 3))

test_that("oracle: classes are the levels with the same proper ancestors in all trees", {
  withr::local_seed(1)
  for (size in rep(random_sizes, 3)) {
    x <- random_tree_table(size, sample(1:2, length(size), replace = TRUE))
    classes <- sibling_classes(dimnames(x), x$layout)
    for (v in seq_along(size)) expect_identical(classes[[v]], slow_classes(x, v))
  }
})

test_that("property: all totals of all trees stay, whatever set moves the cells", {
  withr::local_seed(2)
  moved <- 0
  for (size in rep(random_sizes, rounds(1, 2))) {
    x <- random_tree_table(size, sample(0:2, length(size), replace = TRUE), mean = 4)
    makers <- makers_of(x)
    if (!any(movable_by_hand(x)) || is.null(x$layout$trees)) next
    for (name in names(makers)) {
      set <- makers[[name]](x)
      expect_identical(nrow(changed_totals(set)), 0L, info = name)
      if (name != "data") {
        expect_identical(summary(set)$cells$movable, movable_by_hand(x), info = name)
      }
      pub <- publish(perturb(x, mechanism(set), seed = 7, insist = TRUE), insist = TRUE)
      before <- totals_by_aggregate(as.array(as.table(x)), x$layout$trees)
      expect_identical(totals_by_aggregate(as.array(as.table(pub)), x$layout$trees), before)
      expect_identical(pub$table$layout, x$layout)
      moved <- moved + !identical(as.vector(as.table(pub)), as.vector(as.table(x)))
    }
  }
  expect_gt(moved, rounds(7, 15))
})

test_that("property: nothing is preserved beyond totals where blocks are no larger than a triad", {
  labels <- paste0("a", 1:6)
  tree <- data.frame(parent = c(NA, "all", "all", rep("u", 3), rep("v", 3)),
                     child = c("all", "u", "v", labels))
  x <- sdc_table(expand.grid(a = labels, b = c("x", "y", "z"), KEEP.OUT.ATTRS = FALSE),
                 hierarchies = list(a = tree))
  kept <- summary(cycles_banded(x, seed = 1))
  expect_identical(kept$beyond_margins, 0)
  # 18 cells, and two blocks of 3 x 3 with 4 independent moves each
  expect_identical(kept$preserved, 10)
})

# The law of each cell, from the posteriors of the blocks as tables of their own.
laws_of_blocks <- function(pub) {
  me <- pub$mechanism
  set <- me$cycles
  counts <- as.array(as.table(pub))
  labels <- dimnames(set)
  laws <- lapply(as.vector(counts), function(n) stats::setNames(1, n))
  parts <- part_sets(set)
  for (i in seq_along(parts)) {
    at <- Map(function(of, k) of[[k]], set$parameters$classes, set$parameters$parts[[i]]$at)
    block <- do.call(`[`, c(list(counts), at, drop = FALSE))
    flat <- mechanism(validate_sdc_cycles(parts[[i]]), me$alpha, me$beta, me$covers,
                      zero_rule = me$zero_rule)
    pub_of_block <- publication(as.table(block), flat)
    cells <- as.matrix(expand.grid(at))
    laws[1 + (cells - 1) %*% cumprod(c(1, dim(counts)))[seq_along(at)]] <-
      if (skips_zeros(set)) {
        slow <- slow_posterior(list(pub_of_block))
        lapply(seq_along(block), function(i) slow_law(slow, slow$tables[i, ]))
      } else {
        laws_of(posterior(pub_of_block, method = "enumeration"))
      }
  }
  laws
}

test_that("oracle: the posterior is that of the blocks as tables of their own", {
  withr::local_seed(3)
  checked <- 0
  while (checked < 10) {
    x <- random_tree_table(c(6, 4), c(1, 1))
    sets <- makers_of(x)[c("triads", "pairs", "skipping", "chain", "margin")]
    if (!any(movable_by_hand(x))) next
    set <- tryCatch(sets[[checked %% length(sets) + 1]](x), sdc_error_infeasible = function(cnd) NULL)
    if (is.null(set) || set$rule != "nested") next
    checked <- checked + 1
    me <- mechanism(set, .3, .2, zero_rule = if (checked %% 2 || skips_zeros(set)) "blocked" else
      "nonnegative")
    pub <- publish(perturb(x, me, seed = checked, insist = TRUE), insist = TRUE)
    laws <- laws_of(posterior(pub))
    expected <- laws_of_blocks(pub)
    for (i in seq_along(laws)) {
      expect_law(laws[[i]], names(expected[[i]]), as.vector(expected[[i]]))
    }
  }
})

# Bayes' theorem over every vector of coefficients: each one that leads back from the published
# table to a table without negative counts is run forward with all vectors.
law_by_coefficients <- function(pub) {
  me <- pub$mechanism
  moves <- vapply(as.list(me$cycles), as.vector, numeric(prod(dim(me$cycles))))[, steps_of(me)]
  published <- as.vector(as.table(pub))
  vectors <- as.matrix(expand.grid(rep(list(-1:1), ncol(moves))))
  before <- unique(published - moves %*% t(vectors), MARGIN = 2)
  before <- before[, colSums(before < 0) == 0, drop = FALSE]
  chance <- apply(ifelse(vectors == 1, me$alpha, ifelse(vectors == -1, me$beta,
                                                        1 - me$alpha - me$beta)), 1, prod)
  weight <- apply(before, 2, function(original) {
    now <- matrix(original, length(original), nrow(vectors))
    for (s in seq_len(ncol(moves))) {
      on <- moves[, s] != 0
      open <- colSums(now[on, , drop = FALSE] == 0) == 0
      now <- now + outer(moves[, s], vectors[, s] * open)
    }
    sum(chance[colSums(now != published) == 0])
  })
  weight <- weight / sum(weight)
  lapply(seq_along(published), function(i) {
    law <- tapply(weight, before[i, ], sum)
    law <- law[law > 0]
    stats::setNames(as.vector(law), names(law))
  })
}

test_that("oracle: the posterior is Bayes' theorem over all vectors of coefficients", {
  withr::local_seed(4)
  labels <- paste0("a", 1:5)
  tree <- data.frame(parent = c(NA, "all", "all", "all", rep("u", 2), rep("v", 2)),
                     child = c("all", "u", "v", "a5", labels[1:4]))
  cells <- expand.grid(a = labels, b = c("x", "y", "z"))
  for (run in 1:3) {
    cells$n <- rpois(15, 2)
    x <- sdc_table(cells, ~ a + b, freqVar = "n", hierarchies = list(a = tree))
    me <- mechanism(cycles_banded(x, group = 2, seed = run), .3, .25)
    expect_identical(length(me$cycles), 6L)
    pub <- publish(perturb(x, me, seed = run, insist = TRUE), insist = TRUE)
    laws <- laws_of(posterior(pub))
    expected <- law_by_coefficients(pub)
    for (i in seq_along(laws)) {
      expect_law(laws[[i]], names(expected[[i]]), unname(expected[[i]]))
    }
  }
})

test_that("property: publications with trees come back from their files and from their parts", {
  withr::local_seed(5)
  for (size in random_sizes[c(1, 4, 5)]) {
    x <- random_tree_table(size, rep(2, length(size)), mean = 4)
    if (!any(movable_by_hand(x))) next
    for (make in makers_of(x)) {
      me <- mechanism(make(x))
      pub <- publish(perturb(x, me, seed = 1, insist = TRUE), insist = TRUE)
      expect_identical(read_publication(write_publication(pub, tempfile())), pub)
      expect_identical(publication(pub$table, me), pub)
      expect_identical(publication(as.table(pub), me), pub)
    }
  }
})

test_that("property: totals stand in the data frames of perturbed tables", {
  withr::local_seed(6)
  repeat {
    x <- random_tree_table(c(7, 5), c(2, 1), mean = 4)
    if (any(movable_by_hand(x))) break
  }
  pe <- perturb(x, mechanism(cycles_banded(x, seed = 1)), seed = 1, insist = TRUE)
  both <- as.data.frame(pe, totals = TRUE)
  shown <- as.data.frame(publish(pe, insist = TRUE), totals = TRUE)
  expect_identical(both$published, shown$count)
  expect_identical(both$original, as.data.frame(x, totals = TRUE, zeros = TRUE)$freq)
  total <- !(both$a %in% dimnames(x)$a & both$b %in% dimnames(x)$b)
  expect_identical(both$original[total], both$published[total])
  expect_false(identical(both$original, both$published))
  expected <- totals_by_aggregate(as.array(as.table(x)), x$layout$trees)
  at <- match(paste(expected$a, expected$b), paste(both$a, both$b))
  expect_identical(both$published[at], as.numeric(expected$n))
  flat <- publication(as.table(x), mechanism(cycles_banded(as.table(x), seed = 1)))
  expect_identical(nrow(as.data.frame(flat, totals = TRUE)), 48L)
})

# ---- crossings ----------------------------------------------------------------------------------

county_table <- function(formula_like) {
  cells <- expand.grid(county = c("a1", "a2", "a3", "b1", "b2", "c1"),
                       sector = c("p1", "p2", "q1", "q2"))
  cells$n <- c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4)
  trees <- list(
    county = data.frame(parent = c(NA, rep("all", 3), rep("a", 3), rep("b", 2), "c"),
                        child = c("all", "a", "b", "c", "a1", "a2", "a3", "b1", "b2", "c1")),
    sector = data.frame(parent = c(NA, "any", "any", "p", "p", "q", "q"),
                        child = c("any", "p", "q", "p1", "p2", "q1", "q2"))
  )
  x <- sdc_table(cells, ~ county + sector, freqVar = "n", hierarchies = trees)
  county <- dimnames(x)$county
  sector <- dimnames(x)$sector
  crossings <- switch(formula_like,
    full = NULL,
    linked = list(list(county = c("a", "b", "c", "all"), sector = c("p", "q", "any")),
                  list(county = c(county, "all"), sector = c(sector, "any"))),
    totals = list(list(county = c("a", "b", "c", "all"), sector = c(sector, "any")),
                  list(county = c(county, "all"), sector = "any"))
  )
  set_layout(x, new_layout(x$layout$trees, "Total", crossings))
}

test_that("property: fewer crossings leave more cells free, and all that is published stays", {
  full <- county_table("full")
  linked <- county_table("linked")
  # c1 is alone in its region, but no crossing shows regions beside single sectors
  expect_identical(sum(summary(cycles_banded(full, seed = 1))$cells$movable), 20L)
  set <- cycles_banded(linked, seed = 1)
  expect_identical(sum(summary(set)$cells$movable), 24L)
  expect_identical(nrow(changed_totals(set)), 0L)
  expect_gt(nrow(changed_totals(set, full)), 0)
  for (seed in 1:5) {
    pe <- perturb(linked, mechanism(set), seed = seed, insist = TRUE)
    all <- as.data.frame(pe, totals = TRUE)
    leaf <- all$county %in% dimnames(full)$county & all$sector %in% dimnames(full)$sector
    expect_identical(sum(!leaf), 12L + 11L - 1L)
    expect_identical(all$original[!leaf], all$published[!leaf])
  }
})

test_that("published: sets and perturbations of a table with trees say what stays", {
  withr::local_options(cli.width = 80)
  x <- county_table("full")
  set <- cycles_banded(x, seed = 1)
  expect_snapshot({
    set
    summary(set)
    cycles_margin(x, seed = 1)
    cycles_bidiagonal(x)
    cycles_data(x, seed = 1)
    explain(set)
    cycles_banded(county_table("linked"), seed = 1)
  })
})

test_that("published: what does not keep the totals is refused, and the totals are named", {
  withr::local_options(cli.width = 80)
  x <- county_table("full")
  move <- array(0, dim(x))
  move[cbind(c(1, 4, 1, 4), c(1, 3, 3, 1))] <- c(1, 1, -1, -1)
  mine <- cycles(list(move), x, margins = list("county", "sector"))
  flat <- cycles_banded(as.table(x), seed = 1)
  alone <- sdc_table(data.frame(a = c("u", "v"), b = c("x", "y")), hierarchies = list(
    a = data.frame(parent = c(NA, "all", "all", "one"), child = c("all", "u", "one", "v"))
  ))
  expect_snapshot(error = TRUE, cycles(list(move), x))
  expect_snapshot({
    mine
    changed_totals(mine)
  })
  expect_snapshot(error = TRUE, perturb(x, mechanism(mine), seed = 1))
  expect_snapshot(error = TRUE, perturb(x, mechanism(flat), seed = 1))
  expect_snapshot(error = TRUE, cycles_banded(county_table("totals")))
  expect_snapshot(error = TRUE, cycles_banded(alone))
  expect_snapshot(error = TRUE, cycles_banded(x, groups = list(1:3, 4:6)))
  expect_snapshot(error = TRUE, cycles_margin(x, set = "diagonal"))
  expect_snapshot(error = TRUE, changed_totals(flat))
  expect_s3_class(perturb(x, mechanism(mine), seed = 1, insist = TRUE), "sdc_perturbation")
})

test_that("property: a table whose totals were changed by hand is not published", {
  x <- county_table("full")
  pe <- perturb(x, mechanism(cycles_banded(x, seed = 1)), seed = 1, insist = TRUE)
  expect_identical(totals_alone(x, x$layout), totals_alone(pe$published, x$layout))
  other <- as.array(as.table(x))
  other[1] <- other[1] + 1
  expect_false(identical(totals_alone(x, x$layout), totals_alone(as_sdc_table(as.table(other)),
                                                                 x$layout)))
  pe$published <- set_layout(as_sdc_table(as.table(other)), x$layout)
  expect_error(publish(pe, insist = TRUE), class = "sdc_error_refused")
})

# ---- explanations and further tables ------------------------------------------------------------

test_that("published: totals of perturbed tables are explained", {
  withr::local_options(cli.width = 80)
  x <- county_table("full")
  set <- cycles_banded(x, seed = 1)
  pe <- perturb(x, mechanism(set), seed = 1, insist = TRUE)
  pub <- publish(pe, insist = TRUE)
  total <- list(county = "a", sector = "q1")
  expect_snapshot({
    explain(x, total)
    explain(set, total)
    explain(mechanism(set), total)
    explain(pe, total)
    explain(pub, total)
    explain(posterior(pub), total)
    explain(cycles_banded(as.table(x), seed = 1), 1)
  })
  linked <- county_table("linked")
  expect_match(as.character(explain(linked, total))[[1]], "No crossing", fixed = TRUE)
  expect_error(explain(x, list(county = "nowhere", sector = "q1")), class = "sdc_error_input")
  mine <- array(0, dim(x))
  mine[cbind(c(1, 4, 1, 4), c(1, 3, 3, 1))] <- c(1, 1, -1, -1)
  other <- cycles(list(mine), x, margins = list("county", "sector"))
  expect_match(paste(as.character(explain(other, list(county = "a", sector = "p1"))), collapse = " "),
               "1 cycle changes it", fixed = TRUE)
  expect_match(paste(as.character(explain(other, list(county = "all", sector = "p1"))),
                     collapse = " "), "No cycle changes it", fixed = TRUE)
})

test_that("oracle: explained totals are sums of their cells", {
  withr::local_seed(8)
  repeat {
    x <- random_tree_table(c(6, 4), c(2, 1), mean = 4)
    if (any(movable_by_hand(x))) break
  }
  pub <- publish(perturb(x, mechanism(cycles_banded(x, seed = 1)), seed = 1, insist = TRUE),
                 insist = TRUE)
  totals <- totals_by_aggregate(as.array(as.table(x)), x$layout$trees)
  for (i in sample(nrow(totals), 10)) {
    words <- as.character(explain(pub, totals[i, c("a", "b")]))
    expect_match(words, paste0("Published as ", totals$n[i], "."), fixed = TRUE, all = FALSE)
  }
})

test_that("property: originals drawn from a posterior and synthetic tables have the trees", {
  x <- county_table("full")
  pub <- publish(perturb(x, mechanism(cycles_banded(x, seed = 1)), seed = 1, insist = TRUE),
                 insist = TRUE)
  po <- posterior(pub)
  totals <- totals_by_aggregate(as.array(as.table(x)), x$layout$trees)
  for (drawn in c(simulate(po, 5, seed = 1), list(most_probable(po)$table))) {
    expect_identical(drawn$layout, x$layout)
    expect_identical(totals_by_aggregate(as.array(as.table(drawn)), x$layout$trees), totals)
  }
  expect_identical(synthetic_table(x, seed = 1)$layout, x$layout)
  two <- publish(perturb(x, mechanism(cycles_banded(x, seed = 2)), seed = 2, insist = TRUE),
                 insist = TRUE)
  both <- posterior(list(pub, two))
  expect_identical(simulate(both, 1, seed = 1)[[1]]$layout, x$layout)
  expect_identical(nrow(risk_utility(x, mechanism(cycles_banded(x, seed = 1)),
                                     replicates = 5)$original$layout$trees$county[[1]]), 10L)
})

test_that("property: files of a perturbed table with trees have all its totals", {
  x <- county_table("linked")
  pub <- publish(perturb(x, mechanism(cycles_banded(x, seed = 1)), seed = 1, insist = TRUE),
                 insist = TRUE)
  expected <- as.data.frame(pub, totals = TRUE)
  expect_identical(nrow(expected), 46L)
  folder <- write_publication(pub, withr::local_tempfile(), format = "sdmx-csv")
  file <- list.files(folder, pattern = "csv$", full.names = TRUE)
  shown <- utils::read.csv(file[[1]])
  expect_identical(nrow(shown), 46L)
  expect_identical(sort(as.numeric(shown$OBS_VALUE)), sort(expected$count))
  skip_if_not_installed("openxlsx")
  folder <- write_publication(pub, withr::local_tempfile(), format = "xlsx")
  file <- file.path(folder, "table.xlsx")
  cells <- openxlsx::read.xlsx(file, "Table")
  expect_identical(as.numeric(cells[[3]]), expected$count)
  metadata <- openxlsx::read.xlsx(file, "Metadata", colNames = FALSE)
  expect_true(any(grepl("A step is skipped", metadata[[2]], fixed = TRUE)))
})

test_that("oracle: still cells of data cycles are those of the blocks as tables of their own", {
  withr::local_seed(9)
  checked <- 0
  while (checked < 8) {
    x <- random_tree_table(c(7, 6), c(1, 1), mean = 1.2)
    set <- tryCatch(cycles_data(x, seed = 1), sdc_error_infeasible = function(cnd) NULL)
    if (is.null(set)) next
    checked <- checked + 1
    counts <- as.array(as.table(x))
    number <- array(seq_along(counts), dim(counts))
    still <- integer()
    for (rows in slow_classes(x, 1)) for (columns in slow_classes(x, 2)) {
      block <- counts[rows, columns, drop = FALSE]
      flat <- if (min(dim(block)) > 1 && any(block > 0)) {
        tryCatch(cycles_data(as.table(block), seed = 1), sdc_error_infeasible = function(cnd) NULL)
      }
      of_block <- if (is.null(flat)) which(block > 0) else flat$parameters$still
      still <- c(still, number[rows, columns][of_block])
    }
    expect_identical(set$parameters$still, sort(still))
    expect_identical(nrow(changed_totals(set)), 0L)
  }
})

test_that("property: documents of nested sets that were changed are refused", {
  x <- county_table("full")
  set <- cycles_banded(x, group = 2, seed = 1)
  labels <- dimnames(set)
  document <- jsonlite::parse_json(pretty_json(cycles_document(set)))
  expect_identical(read_cycles(document, labels, x$layout), set)
  changed <- function(edit) {
    d <- document
    d$parameters <- edit(d$parameters)
    expect_error(read_cycles(d, labels, x$layout))
  }
  swap <- function(p) {
    p$classes[[1]][[1]][[1]] <- 4L
    p
  }
  changed(swap)
  changed(function(p) {
    p$parts <- list()
    p
  })
  changed(function(p) {
    p$parts[[1]]$at[[1]] <- 9L
    p
  })
  changed(function(p) {
    p$parts[[1]]$words <- 2L
    p
  })
  # classes that are no siblings do not keep the totals
  changed(function(p) {
    p$classes[[1]] <- list(list(1L, 2L, 4L), list(3L, 5L), list(6L))
    p
  })
  document$totals_kept <- "all"
  expect_error(read_cycles(document, labels, x$layout))
  document$totals_kept <- TRUE
  expect_error(read_cycles(document, labels, NULL))
})

test_that("property: a label of totals alone changes no cycles, and stays with what is published", {
  cells <- expand.grid(a = c("u", "v", "w"), b = c("x", "y"))
  cells$n <- c(3, 5, 2, 4, 1, 6)
  x <- sdc_table(cells, ~ a + b, freqVar = "n", total_label = "All")
  set <- cycles_banded(x, seed = 1)
  expect_identical(set, cycles_banded(as.table(x), seed = 1))
  pub <- publish(perturb(x, mechanism(set), seed = 1, insist = TRUE), insist = TRUE)
  expect_identical(table_total_label(pub$table), "All")
  expect_identical(read_publication(write_publication(pub, withr::local_tempfile())), pub)
  expect_true("All" %in% as.data.frame(pub, totals = TRUE)$a)
})
