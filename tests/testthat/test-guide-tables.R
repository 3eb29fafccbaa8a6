# Several tables of the same people: how they are given, what they show together, and the plans.

two_sets <- list(trade = c("region", "nace"), c("region", "size"))

some_people <- function(seed = 1, n = 150) {
  set.seed(seed)
  data.frame(
    region = factor(sample(c("N", "S", "W", "E"), n, TRUE, c(.5, .3, .15, .05))),
    nace = factor(sample(LETTERS[1:3], n, TRUE)),
    size = factor(sample(c("s", "m", "l"), n, TRUE, c(.6, .3, .1)))
  )
}

tables_in <- function(data, sets) lapply(sets, function(set) table(data[set]))

test_that("oracle: tables put together have each of them as a margin", {
  shapes <- list(
    list(c("a", "b"), c("b", "c"), c("c", "d")), list(c("a", "b", "c"), c("d", "b"), "d"),
    list("a", "b"), list(c("b", "a"), c("d", "c")), list(c("a", "b"), c("b", "c"), c("c", "a"))
  )
  for (k in 1:10) {
    set.seed(k)
    data <- data.frame(lapply(list(a = 3, b = 4, c = 2, d = 3), function(size) {
      factor(sample(size, 30, TRUE), seq_len(size))
    }))
    tables <- tables_in(data, shapes[[(k - 1) %% 5 + 1]])
    x <- link_tables(tables)
    for (one in tables) {
      expect_equal(as.vector(as.table(margin(x, names(dimnames(one))))), as.vector(one))
    }
  }
})

test_that("oracle: lines of R make the same of every form in which tables are given", {
  people <- some_people()
  tables <- tables_in(people, two_sets)
  cells <- lapply(tables, as.data.frame)
  all <- margins(sdc_table(people), unname(two_sets))
  for (plan in c("suppression", "rounding")) {
    forms <- if (plan == "rounding") list(protect(tables, plan = plan)) else list(
      protect(people, dimVar = two_sets, plan = plan),
      protect(people, formula = ~ region * nace + region * size, plan = plan),
      protect(tables, plan = plan), protect(cells, freqVar = "Freq", plan = plan),
      protect(all, plan = plan)
    )
    for (done in forms) {
      room <- environment()
      for (line in done$code) eval(parse(text = line), room)
      expect_identical(done$published, room$published)
      # 4 x 4 and 4 x 3 cells with their totals, of which the regions are in both
      expect_identical(nrow(as.data.frame(done)), 35L)
    }
  }
  expect_identical(protect(tables, plan = forms[[1]]$plan)$published, forms[[1]]$published)
})

# Readers of all that is published, by programmes over the cells inside.
# `hidden`: cells of which readers know that somebody is in them.
exact_small <- function(shown, dimnames, small, hidden = shown[0, ]) {
  inner <- expand.grid(lapply(dimnames, as.character), stringsAsFactors = FALSE)
  row <- function(cell) {
    as.numeric(Reduce(`&`, lapply(names(dimnames), function(v) {
      cell[[v]] == "Total" | cell[[v]] == inner[[v]]
    })))
  }
  rows <- rbind(shown[names(dimnames)], hidden[names(dimnames)])
  A <- t(apply(rows, 1, function(cell) row(as.list(cell))))
  sense <- rep(c("=", ">="), c(nrow(shown), nrow(hidden)))
  sums <- c(shown$count, rep(1, nrow(hidden)))
  apply(small, 1, function(cell) {
    goal <- row(as.list(cell))
    ends <- vapply(c("min", "max"), function(dir) {
      lpSolve::lp(dir, goal, A, sense, sums, all.int = TRUE)$objval
    }, 0)
    ends[[1]] == ends[[2]]
  })
}

test_that("oracle: differences are the small counts inside that the tables determine", {
  skip_if_not_installed("lpSolve")
  for (seed in c(3, 7)) {
    x <- sdc_table(some_people(seed, 40), formula = ~ region * nace + region * size)
    cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    shown <- data.frame(lapply(cells[1:3], as.character), count = cells$freq)
    inner <- as.data.frame(as.table(x), stringsAsFactors = FALSE)
    inner <- inner[inner$Freq %in% 1:2, ]
    known <- exact_small(shown, dimnames(x), inner[1:3])
    expect_identical(risks_of(x, maxN = 2)$n[5], as.numeric(sum(known)))
  }
})

test_that("oracle: hidden one by one are cells that the tables, each protected alone, give away", {
  skip_if_not_installed("lpSolve")
  x <- sdc_table(some_people(10, 60), formula = ~ region * nace + region * size + nace * size)
  alone <- lapply(tables_of(x), function(one) {
    as.data.frame(suppress(one_table_of(x, one), maxN = 2, readers = "outsider"))
  })
  cells <- do.call(rbind, alone)
  cells[1:3] <- lapply(cells[1:3], as.character)
  key <- do.call(paste, cells[1:3])
  open <- !cells$sdcStatus %in% c("u", "x")
  shown <- cells[key %in% key[open] & !duplicated(key), ]
  names(shown)[names(shown) == "freq"] <- "count"
  primary <- cells[cells$sdcStatus == "u" & !duplicated(key), 1:3]
  hidden <- cells[!key %in% key[open] & !duplicated(key), ]
  given <- primary[exact_small(shown, dimnames(x), primary, hidden), ]
  risk <- risks_of(x, maxN = 2)
  expect_identical(risk$n[risk$risk == "hidden one by one"], as.numeric(nrow(given)))
  expect_gt(nrow(given), 0)
})

test_that("property: perturbed one after the other, equal cells stay equal", {
  done <- protect(some_people(2), dimVar = two_sets, plan = insisting_plan())
  expect_named(done$published, c("region:nace", "region:size"))
  both <- lapply(done$published, function(one) {
    unclass(as.table(margin(one$table, "region")))
  })
  expect_identical(both[[1]], both[[2]])
  expect_identical(as.vector(both[[1]]), as.vector(table(some_people(2)$region)))
  cells <- as.data.frame(done)
  expect_true(any(cells$published != cells$original))
  expect_identical(cells$published[cells$total], cells$original[cells$total])
})

test_that("property: groupings that overlap are named, and suppression protects what they tell", {
  age <- c(rep(0:14, each = 6), 15, rep(16:20, each = 6))
  people <- data.frame(age = factor(age), sex = rep(c("f", "m"), length.out = length(age)),
                       under15 = ifelse(age < 15, "0-14", "15-20"),
                       under16 = ifelse(age < 16, "0-15", "16-20"))
  guess <- protect(people, dimVar = list(c("under15", "sex"), c("under16", "sex")))
  expect_match(guess$risks$risk[6], "overlap of under15 and under16")
  expect_identical(guess$risks$n[6], 1)
  expect_identical(guess$proposed, "rounding")
  # with the finest grouping as a variable plans are measured by it
  exact <- suppressWarnings(
    protect(people, dimVar = c("age", "sex"), formula = ~ under15 * sex + under16 * sex)
  )
  expect_identical(exact$risks$n[exact$risks$risk == "differences"], 1)
  expect_identical(exact$figures$known[1:2], c(0, 0))
  expect_identical(exact$proposed, "suppression")
})

test_that("property: tables of magnitudes are suppressed together", {
  set.seed(1)
  people <- data.frame(
    region = sample(c("N", "S", "W", "E"), 200, TRUE, c(.5, .3, .15, .05)),
    nace = sample(LETTERS[1:4], 200, TRUE),
    size = sample(c("s", "m", "l"), 200, TRUE, c(.7, .2, .1)), pay = round(exp(rnorm(200, 4, 1.4)))
  )
  done <- protect(people, dimVar = two_sets, numVar = "pay", rules = rule_threshold(3),
                  plan = "suppression")
  room <- environment()
  for (line in done$code) eval(parse(text = line), room)
  expect_identical(done$published, room$published)
  # redistribution would publish the cells inside
  expect_named(plans_for(room$x, rules = rule_threshold(3)), "suppression")
  expect_named(tables_of(room$x), c("region x nace", "region x size"))
})

test_that("snapshot: prints and errors of several tables", {
  people <- some_people(3, 60)
  tables <- tables_in(people, two_sets)
  local_mocked_bindings_store(check_key = function(...) charToRaw("no secret at all"))
  expect_snapshot(protect(people, dimVar = two_sets, measured_cells = 100))
  expect_snapshot(protect(tables, plan = "suppression"))
  expect_snapshot(error = TRUE, {
    protect(list())
    protect(list(tables$trade, 3))
    protect(list(tables$trade, tables$trade))
    protect(list(a = tables$trade, b = tables[[2]] + 1))
    protect(list(table(people$region), table(people$nace)))
    protect(list(map = hex_table(data.frame(q = 0, r = 0, n = 4), c("q", "r"), freqVar = "n")))
    protect(people, dimVar = list())
    protect(people, dimVar = list("region", NULL))
    protect(people, dimVar = list("region", c("region", "trade")))
    protect(people, dimVar = list(c("region", "nace"), c("nace", "region")))
    protect(people, dimVar = two_sets, formula = ~ region)
    protect(tables, freqVar = "n")
    link_tables(list(ab = table(a = 1:2, b = 1:2), bc = table(b = 2:1, c = 1:2),
                     ac = table(a = 1:2, c = 1:2)))
  })
})
