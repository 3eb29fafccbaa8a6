random_table <- function(most = 5) {
  dim <- sample.int(4, sample.int(most, 1), replace = TRUE)
  names <- lapply(dim, function(n) letters[seq_len(n)])
  names(names) <- LETTERS[seq_along(dim)]
  as.table(array(rpois(prod(dim), sample(c(.2, 2), 1)), dim, names))
}

test_that("oracle: margins agree with base R, in any order of the variables", {
  set.seed(1)
  for (round in seq_len(rounds(200, 500))) {
    y <- random_table(6)
    keep <- sample(names(dimnames(y)), sample.int(length(dim(y)), 1))
    found <- as.table(margin(sdc_table(y), keep))
    expected <- aperm(marginSums(y, sort(keep)), match(keep, sort(keep)))
    expect_equal(found, expected, ignore_attr = "class")
  }
})

test_that("oracle: large margins, sorted and not", {
  set.seed(2)
  data <- lapply(1:6, function(v) factor(sample.int(30, 2e4, TRUE, (30:1)^2), 1:30))
  names(data) <- letters[1:6]
  data <- list2data_frame(data, 2e4)
  x <- sdc_table(data)
  for (keep in list(letters[1:5], letters[2:6], c("f", "a", "c", "b", "e"), letters[6:1])) {
    expect_identical(margin(x, keep), sdc_table(data, keep))
  }
})

test_that("property: the total and smaller margins are margins of margins", {
  set.seed(3)
  for (round in 1:100) {
    x <- sdc_table(random_table())
    keep <- sample(names(dimnames(x)))
    expect_identical(sum(margin(x, character(0))), sum(x))
    expect_identical(margin(x, names(dimnames(x))), x)
    expect_identical(margin(margin(x, keep), keep[1]), margin(x, keep[1]))
  }
})

test_that("snapshot: margins() names what it holds", {
  x <- sdc_table(Titanic)
  m <- margins(x, list(c("Class", "Sex"), "Age", character(0), ~ Sex + Age))
  expect_s3_class(m, "sdc_margins")
  expect_named(m, c("Class:Sex", "Age", "(total)", "Sex:Age"))
  expect_identical(m[["Age"]], margin(Titanic, "Age"))
  expect_snapshot(m)
  expect_snapshot(margins(x, as.list(combn(names(dimnames(x)), 2, simplify = FALSE))[1]))
})

test_that("snapshot: margins that are refused", {
  x <- sdc_table(Titanic)
  expect_snapshot(error = TRUE, {
    margin(x, "class")
    margin(x, c("Age", "Age"))
    margin(x, 2)
    margin(1:3, "a")
    margins(x, "Age")
    margins(x, list())
    margins(x, list("Age", c("Sex", "Odd")))
    margins(x, list("Age", c("Sex", "Age"), c("Age", "Sex")))
  })
})

test_that("snapshot: margins() keeps the user's names, and `[` the class", {
  x <- sdc_table(Titanic)
  m <- margins(x, list(a = "Sex", "Age", both = c("Sex", "Age")))
  expect_named(m, c("a", "Age", "both"))
  expect_s3_class(m["Age"], "sdc_margins")
  expect_identical(m["Age"], margins(x, list("Age")))
  expect_identical(m[-2], margins(x, list(a = "Sex", both = c("Sex", "Age"))))
  expect_identical(m[], m)
  expect_snapshot(m["a"])
  expect_snapshot(error = TRUE, {
    m["b"]
    m[4]
    margins(x, list(Age = "Sex", "Age"))
    margin()
    margin(x)
    margins()
    margins(x)
  })
  expect_error(margin(x), class = "sdc_error_input")
})

test_that("property: tables that agree with margins have the table's order of variables", {
  withr::local_seed(44)
  labels <- list(A = c("a1", "a2"), B = c("k", "l", "m"), C = c("u", "v"))
  all <- as_sdc_table(as.table(array(rpois(12, 1) + 1, lengths(labels, FALSE), labels)))
  for (sets in list(list("B", "A"), list(c("B", "A")), list("C", c("B", "A")), list("A", "B"))) {
    own <- labels[sort(unlist(sets))]
    m <- margins(margin(all, names(own)), sets)
    expect_identical(dimnames(sample_tables(m, 2, seed = 1))[names(own)], own)
    expect_identical(dimnames(enumerate_tables(m[rev(seq_along(sets))], 1e6))[names(own)], own)
    expect_identical(dimnames(estimate_table(m)$table), own)
    expect_identical(constraints(total = m)$dimnames, own)
    # a file keeps the order
    path <- withr::local_tempdir()
    write_publication(m, file.path(path, "margins"))
    expect_identical(read_publication(file.path(path, "margins")), m)
  }
  # margins that were not taken from one table have the order in which they come first
  loose <- list(margin(all, "B"), margin(all, "A"))
  expect_named(constraints(loose[[1]], loose[[2]])$dimnames, c("B", "A"))
})
