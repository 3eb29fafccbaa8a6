# What a release says, as constraints.

narrowed <- function(x) sdcLattice:::cpp_tighten_constraints(x, FALSE)

# Does a table, given as the vector of its cells, satisfy constraints?
holds <- function(x, counts) {
  sums <- vapply(seq_along(x$rows$lower), function(r) {
    at <- seq(x$rows$start[r] + 1, length.out = x$rows$start[r + 1] - x$rows$start[r])
    sum(x$rows$coefficient[at] * counts[x$rows$cell[at]])
  }, 0)
  all(sums >= x$rows$lower & sums <= x$rows$upper, counts >= x$lower, counts <= x$upper)
}

# The number of cells that two objects bound alike.
same_intervals <- function(a, b) {
  a <- as.data.frame(a)
  b <- as.data.frame(b)
  both <- merge(a, b, by = setdiff(names(a), c("lower", "upper", "width", "sharp")))
  base::sum(both$lower.x == both$lower.y & both$upper.x == both$upper.y)
}

random_table <- function(dim, mean = 2) {
  array(rpois(prod(dim), mean), dim,
        lapply(rlang::set_names(seq_along(dim), LETTERS[seq_along(dim)]), function(v) {
          paste0(letters[v], seq_len(dim[v]))
        }))
}

test_that("published: the suppression pattern of three tables leaves four cells open", {
  cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$row %in% c("1", "4") & cells$column %in% c("2", "4")
  release <- constraints(cells)
  found <- narrowed(release)
  open <- found$lower < found$upper
  expect_equal(which(open), c(5, 8, 13, 16))
  expect_equal(found$upper[open] - found$lower[open], rep(2, 4))
  expect_equal(found$lower[!open], as.vector(roehrig)[!open])
})

test_that("property: the true table satisfies every release made of it", {
  withr::local_seed(1)
  for (dim in list(4, c(1, 1), c(3, 4), c(1, 5), c(2, 3, 2), c(2, 2, 2, 2))) {
    for (mean in c(.3, 3)) {
      x <- sdc_table(random_table(dim, mean))
      counts <- as.vector(as.array(x))
      cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
      cells$sdcStatus <- sample(c("s", "z", "u", "x"), nrow(cells), replace = TRUE)
      sets <- lapply(seq_len(3), function(i) sample(names(dimnames(x)), sample(0:length(dim), 1)))
      sets <- sets[!duplicated(lapply(sets, sort))]
      shown <- margins(x, sets)
      release <- constraints(cells, shown, wide = intervals(shown, 2, 1), dimnames = dimnames(x))
      expect_true(holds(release, counts))
      expect_equal(length(release$lower), length(counts))
      expect_equal(release$sets, c("part 1", names(shown), paste("wide", names(shown))))
      again <- constraints(release)
      expect_equal(again[names(again) != "call"], release[names(release) != "call"])
    }
  }
})

test_that("oracle: sums are those of the table with totals over trees", {
  withr::local_seed(2)
  tree <- data.frame(level = c("@", "@@", "@@@", "@@@", "@@", "@@@"),
                     code = c("all", "west", "a1", "a2", "east", "a3"))
  x <- sdc_table(random_table(c(3, 4)))
  cells <- as.data.frame(x, hierarchies = list(A = tree), zeros = TRUE)
  release <- constraints(cells, hierarchies = list(A = tree))
  expect_equal(dimnames(as.array(x)), release$dimnames)
  expect_true(holds(release, as.vector(as.array(x))))
  sums <- as.data.frame(release)
  expect_equal(sums$cells[sums$label == "A = west, B = Total"], 8)
  expect_equal(sums$cells[sums$label == "A = all, B = b2"], 3)
  # any other table breaks it
  expect_false(holds(release, as.vector(as.array(x)) + c(1, -1, rep(0, 10))))
})

test_that("oracle: the frames of GaussSuppression are read, with and without trees", {
  both <- read.csv(test_path("fixtures", "gauss_suppression.csv"))
  plain <- both[both$pattern == "plain", 1:5]
  release <- constraints(plain)
  expect_equal(release$dimnames, list(region = c("a", "b", "c", "d"), job = c("p", "q", "r", "s")))
  base <- plain[plain$region != "Total" & plain$job != "Total", ]
  truth <- xtabs(freq ~ region + job, base)
  expect_true(holds(release, as.vector(truth)))
  found <- narrowed(release)
  hidden <- as.vector(xtabs(suppressed ~ region + job, base)) > 0
  expect_equal(found$lower[!hidden], as.vector(truth)[!hidden])
  expect_true(all(found$lower[hidden] < found$upper[hidden]))

  tree <- data.frame(levels = c("@", "@@", "@@@", "@@@", "@@", "@@@", "@@@"),
                     codes = c("Total", "N", "a", "b", "S", "c", "d"))
  hierarchical <- constraints(both[both$pattern == "tree", 1:5], hierarchies = list(region = tree))
  expect_equal(hierarchical$dimnames, release$dimnames)
  expect_true(holds(hierarchical, as.vector(truth)))
})

test_that("oracle: problems of sdcTable are read, protected or not, with their trees", {
  skip_if_not_installed("sdcTable")
  cells <- expand.grid(region = letters[1:4], job = c("p", "q", "r", "s"), stringsAsFactors = FALSE)
  withr::local_seed(1)
  cells$freq <- rpois(16, 4)
  tree <- data.frame(level = c("@", "@@", "@@@", "@@@", "@@", "@@@", "@@@"),
                     code = c("Total", "N", "a", "b", "S", "c", "d"))
  flat <- data.frame(level = c("@", rep("@@", 4)), code = c("all", "p", "q", "r", "s"))
  problem <- sdcTable::makeProblem(
    cells, dimList = list(region = tree, job = flat), dimVarInd = 1:2, freqVarInd = 3
  )
  problem <- sdcTable::primarySuppression(problem, type = "freq", maxN = 2)
  truth <- xtabs(freq ~ region + job, cells)
  open <- constraints(problem = problem)
  expect_equal(open$dimnames, lapply(dimnames(truth), identity))
  expect_true(holds(open, as.vector(truth)))
  # four cells are suppressed alone, and every one can be computed
  expect_equal(narrowed(open)$lower, as.vector(truth))

  protected <- constraints(sdcTable::protectTable(problem, method = "SIMPLEHEURISTIC"))
  expect_true(holds(protected, as.vector(truth)))
  found <- narrowed(protected)
  expect_true(all(found$lower[truth <= 2] < found$upper[truth <= 2]))
})

test_that("property: counts of suppressed cells are not read", {
  both <- read.csv(test_path("fixtures", "gauss_suppression.csv"))
  plain <- both[both$pattern == "plain", 1:5]
  masked <- plain
  masked$freq[masked$suppressed] <- NA
  expect_identical(constraints(masked), constraints(plain))
  # what everybody knows of them is
  near <- constraints(plain, known = c(1, 2))
  hidden <- plain$suppressed
  expect_equal(near$rows$lower[hidden], pmax(0, plain$freq[hidden] - 1))
  expect_equal(near$rows$upper[hidden], plain$freq[hidden] + 2)
})

test_that("property: linked tables share a variable", {
  withr::local_seed(3)
  x <- sdc_table(random_table(c(2, 3, 2)))
  one <- as.data.frame(margin(x, c("A", "B")), totals = TRUE, zeros = TRUE)
  two <- as.data.frame(margin(x, c("C", "B")), totals = TRUE, zeros = TRUE)
  release <- constraints(one = one, two = two)
  expect_equal(names(release$dimnames), c("A", "B", "C"))
  expect_true(holds(release, as.vector(as.array(x))))
})

test_that("oracle: rates as constraints give the bounds and the number of their own programme", {
  given <- c("Center", "Status", "Treatment")
  co <- conditionals(koch, "Recovery", given)
  release <- constraints(co, data.frame(freq = sum(koch)))
  expect_true(holds(release, as.vector(koch)))
  expect_equal(as.character(count_tables(release)), "15")
  expect_equal(same_intervals(bounds_margins(release), bounds_conditional(co, sum(koch))), 24)

  withr::local_seed(4)
  for (trial in seq_len(rounds(5, 10))) {
    x <- sdc_table(random_table(c(2, 3), 2))
    if (sum(x) == 0) next
    for (digits in list(NULL, 1, 2)) {
      co <- conditionals(x, "B", "A", digits = digits)
      release <- constraints(co, data.frame(freq = sum(x)))
      expect_true(holds(release, as.vector(as.array(x))))
      rates <- bounds_conditional(co, sum(x))
      expect_equal(same_intervals(bounds_margins(release), rates), length(rates$lower))
      expect_equal(as.character(count_tables(release)), as.character(rates$n_tables))
    }
  }
})

test_that("property: a published perturbation leaves the original", {
  for (seed in 1:20) {
    me <- mechanism(cycles_banded(roehrig, group = 2, seed = seed), covers = 2)
    pub <- publish(perturb(roehrig, me, seed = seed, insist = TRUE), insist = TRUE)
    expect_true(holds(constraints(pub), as.vector(roehrig)))
  }
})

test_that("property: a release holds nothing but what is released", {
  other <- roehrig
  other[1:2, 1:2] <- other[1:2, 1:2] + c(1, -1, -1, 1)
  expect_identical(constraints(margins(roehrig, list("row", "column"))),
                   constraints(margins(other, list("row", "column"))))
})

test_that("property: input: what is wrong with a part is said", {
  expect_error(constraints(), class = "sdc_error_input")
  expect_error(constraints(list(1)), class = "sdc_error_input")
  cells <- data.frame(A = c("a", "b"), freq = c(1, 2))
  expect_error(constraints(cells["A"]), class = "sdc_error_input")
  for (bad in list(c(1, NaN), c(1, -1), c(1, .5), c(1, Inf), c("1", "2"))) {
    expect_error(constraints(transform(cells, freq = bad)), class = "sdc_error_input")
  }
  expect_error(constraints(transform(cells, A = c("a", NA))), class = "sdc_error_input")
  expect_error(constraints(transform(cells, sdcStatus = c("s", "q"))), class = "sdc_error_input")
  expect_error(constraints(transform(cells, suppressed = c(TRUE, NA))), class = "sdc_error_input")
  expect_error(constraints(cells, dimnames = list(A = c("a", "c"))), class = "sdc_error_input")
  expect_error(constraints(cells, dimnames = 1), class = "sdc_error_input")
  expect_error(constraints(cells, known = -1), class = "sdc_error_input")
  expect_error(constraints(cells, known = c(1, NA)), class = "sdc_error_input")
  expect_error(constraints(cells, hierarchies = list(B = cells)), class = "sdc_error_input")
  expect_error(constraints(setNames(cbind(cells, 1:2), c("A", "freq", "A"))),
               class = "sdc_error_input")
  expect_error(constraints(cells, max_entries = 1), class = "sdc_error_too_large")
  expect_error(constraints(data.frame(A = "a", lower = 2, upper = 1)),
               class = "sdc_error_infeasible")
  expect_error(constraints(data.frame(A = "a", lower = .5, upper = 1)), class = "sdc_error_input")
  expect_error(constraints(cells, transform(cells, freq = c(1, 3))), class = "sdc_error_infeasible")
  expect_error(constraints(margins(roehrig, list("row")), as.table(cbind(row = 1:4))), NA)
  wrong <- sdc_table(roehrig)
  rows <- margin(wrong, "row")
  expect_error(constraints(rows, table(row = factor(1:3))), class = "sdc_error_input")
  expect_error(intervals(roehrig, -1), class = "sdc_error_input")
  expect_error(intervals(roehrig, NA), class = "sdc_error_input")
  expect_error(intervals(roehrig), class = "sdc_error_input")
})

test_that("property: input: a slip in dimVar does not become another table", {
  cells <- data.frame(sex = c("f", "f", "m", "m"), age = c("1", "2", "1", "2"),
                      freq = c(3, 3, 4, 4))
  expect_error(constraints(cells, dimVar = c("sex", "aeg")), class = "sdc_error_input")
  expect_error(constraints(cells, dimVar = c("sex", "age", "job")), "job",
               class = "sdc_error_input")
  expect_error(constraints(cells, dimVar = 5), class = "sdc_error_input")
  expect_error(constraints(cells, dimVar = ~sex), "Rows 1 and 2", class = "sdc_error_input")
  expect_error(constraints(cells, tolerance = -1), class = "sdc_error_input")
  expect_error(constraints(data.frame(freq = 1:2)), class = "sdc_error_input")
  expect_error(constraints(margins(roehrig, list("row"))[0]), class = "sdc_error_input")
  expect_error(constraints(data.frame(A = "a", lower = factor(1), upper = 2)),
               class = "sdc_error_input")
})

test_that("property: a table without variables has one cell", {
  only <- bounds_margins(data.frame(freq = 5))
  expect_equal(c(only$lower, only$upper), c(5, 5))
  expect_output(print(only), "without variables")
  around <- bounds_margins(intervals(margin(sdc_table(roehrig), character()), 2))
  expect_equal(c(around$lower, around$upper), c(133, 137))
  expect_equal(as.character(count_tables(data.frame(freq = 5))), "1")
})

test_that("property: input: dimnames of bounds say what no part shows, or agree", {
  cells <- data.frame(A = c("a", "b"), freq = c(1, 2))
  all <- bounds_margins(cells, dimnames = list(A = c("a", "b", "c")))
  expect_equal(all$upper, c(1, 2, Inf))
  release <- constraints(cells)
  expect_error(bounds_margins(release, dimnames = list(zz = 1:4)), class = "sdc_error_input")
  expect_error(bounds_margins(NULL), "release", class = "sdc_error_input")
  expect_error(bounds_margins(margins(roehrig, list("row"))[0]), class = "sdc_error_input")
})

test_that("snapshot: prints and errors", {
  release <- constraints(margins(roehrig, list("row", "column")), cells = intervals(roehrig, 2))
  expect_snapshot({
    release
    intervals(roehrig, 2)
    head(as.data.frame(release), 9)
    constraints(data.frame(A = c("a", "b"), freq = c(1, 2)), data.frame(A = "c", freq = 1),
                dimnames = list(A = c("a", "b")))
    constraints(data.frame(A = c("a", "b"), freq = c(1, 2)), data.frame(A = c("a", "b"), freq = c(1, 3)))
  }, error = TRUE)
})
