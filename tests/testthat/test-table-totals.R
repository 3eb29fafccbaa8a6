long <- function(y) as.data.frame(as.table(y), responseName = "freq")
same_rows <- function(found, expected) {
  names <- setdiff(names(expected), "freq")
  text <- function(d) do.call(paste, c(lapply(d[names], as.character), list(d$freq), sep = "|"))
  expect_setequal(text(found), text(expected))
}

test_that("oracle: the long frame is that of a base table", {
  set.seed(1)
  for (round in seq_len(rounds(25, 100))) {
    dim <- sample.int(4, sample.int(5, 1), replace = TRUE)
    names <- stats::setNames(lapply(dim, function(n) letters[seq_len(n)]), LETTERS[seq_along(dim)])
    y <- array(rpois(prod(dim), 1), dim, names)
    found <- as.data.frame(sdc_table(y), zeros = TRUE)
    expect_equal(found, long(y))
    expect_equal(as.data.frame(sdc_table(y)), found[found$freq > 0, ], ignore_attr = "row.names")
  }
})

test_that("oracle: totals over every variable are those of addmargins()", {
  set.seed(2)
  for (round in seq_len(rounds(25, 100))) {
    dim <- 1L + sample.int(3, sample.int(4, 1), replace = TRUE)
    names <- stats::setNames(lapply(dim, function(n) letters[seq_len(n)]), LETTERS[seq_along(dim)])
    y <- as.table(array(rpois(prod(dim), 1), dim, names))
    expected <- addmargins(y, FUN = list(Total = sum), quiet = TRUE)
    found <- as.data.frame(sdc_table(y), totals = TRUE, zeros = TRUE)
    expect_equal(found, long(expected))
    stored <- as.data.frame(sdc_table(y), totals = TRUE)
    expect_equal(stored, found[found$freq > 0, ], ignore_attr = "row.names")
  }
})

region <- data.frame(
  parent = c("All", "All", "North", "North", "South"),
  child = c("North", "South", "a", "b", "c")
)

# Totals by hand: for each combination of nodes the sum of the cells below.
totals_twin <- function(y, held) {
  grid <- do.call(expand.grid, c(lapply(held, names), stringsAsFactors = FALSE))
  grid$freq <- vapply(seq_len(nrow(grid)), function(i) {
    index <- Map(function(h, node) h[[node]], held, grid[i, names(held)])
    sum(do.call(`[`, c(list(y), unname(index), drop = FALSE)))
  }, 1)
  grid
}

test_that("oracle: totals over several trees are the sums of their leaves", {
  set.seed(3)
  size <- data.frame(level = c("@", "@@", "@@@", "@@@", "@@", "@@"),
                     code = c("any", "small", "1", "2", "3", "4"))
  parity <- data.frame(parent = rep(c("any", "odd", "even"), each = 2),
                       child = c("odd", "even", "1", "3", "2", "4"))
  held <- list(
    A = list(a = "a", b = "b", c = "c", All = c("a", "b", "c"), North = c("a", "b"), South = "c"),
    B = list("1" = "1", "2" = "2", "3" = "3", "4" = "4", any = c("1", "2", "3", "4"),
             small = c("1", "2"), odd = c("1", "3"), even = c("2", "4")),
    C = list(x = "x", y = "y", Sum = c("x", "y"))
  )
  for (round in seq_len(rounds(6, 20))) {
    y <- array(rpois(24, 1), c(3, 4, 2), list(A = c("a", "b", "c"), B = 1:4, C = c("x", "y")))
    found <- as.data.frame(sdc_table(y), hierarchies = list(B = list(size, parity), A = region),
                           total_label = "Sum", zeros = TRUE)
    same_rows(found, totals_twin(y, held))
    expect_identical(levels(found$B), names(held$B))
  }
})

test_that("property: the three ways to write a tree agree", {
  x <- sdc_table(array(1:6, c(3, 2), list(A = c("a", "b", "c"), B = 1:2)))
  expected <- as.data.frame(x, hierarchies = list(A = region))
  ats <- data.frame(d = c("@", "@@", "@@@", "@@@", "@@", "@@@"),
                    n = c("All", "North", "a", "b", "South", "c"))
  expect_identical(as.data.frame(x, hierarchies = list(A = ats)), expected)
  expect_identical(as.data.frame(x, dimList = list(A = ats), totals = TRUE), expected)
  rooted <- data.frame(root = c("All", "All", "All", "North", "North", "South"),
                       leaf = c("All", "North", "South", "a", "b", "c"),
                       level = c(1, 2, 2, 3, 3, 3))
  expect_identical(as.data.frame(x, hierarchies = list(A = rooted)), expected)
  factors <- as.data.frame(lapply(region, factor))
  expect_identical(as.data.frame(x, hierarchies = list(A = factors)), expected)
})

test_that("property: trees of sdcHierarchies are trees", {
  skip_if_not_installed("sdcHierarchies")
  x <- sdc_table(array(1:6, c(3, 2), list(A = c("a", "b", "c"), B = 1:2)))
  h <- sdcHierarchies::hier_create("All", nodes = c("North", "South"))
  h <- sdcHierarchies::hier_add(h, root = "North", nodes = c("a", "b"))
  h <- sdcHierarchies::hier_add(h, root = "South", nodes = "c")
  expected <- as.data.frame(x, hierarchies = list(A = region))
  expect_identical(as.data.frame(x, hierarchies = list(A = h)), expected)
  frame <- sdcHierarchies::hier_convert(h, as = "df")
  same_rows(as.data.frame(x, hierarchies = list(A = frame)), expected)
})

test_that("property: a leaf that no record has is a level of zeros", {
  x <- sdc_table(array(1:6, c(3, 2), list(A = c("a", "b", "c"), B = 1:2)))
  tree <- data.frame(parent = c("All", "All", "All", "Q", "Q", "All"),
                     child = c("a", "b", "Q", "d", "e", "c"))
  found <- as.data.frame(x, hierarchies = list(A = tree), zeros = TRUE)
  expect_equal(levels(found$A), c("a", "b", "c", "d", "e", "All", "Q"))
  expect_equal(found$freq[found$A %in% c("d", "e", "Q")], rep(0, 9))
  without <- as.data.frame(x, hierarchies = list(A = tree))
  plain <- as.data.frame(x, hierarchies = list(
    A = data.frame(parent = "All", child = c("a", "b", "c"))
  ))
  expect_equal(lapply(without, as.character), lapply(plain, as.character))
  rounded <- round_controlled(x, 2, hierarchies = list(A = tree), seed = 1)
  expect_equal(dim(rounded$rounded), c(5, 2))
  expect_equal(sum(rounded$rounded["d", ]) + sum(rounded$rounded["e", ]), 0)
  mg <- magnitude_table(data.frame(A = c("a", "b", "c"), v = 1:3), "A", "v",
                        hierarchies = list(A = tree))
  expect_equal(dimnames(mg)$A, c("a", "b", "c", "d", "e"))
})

test_that("property: a variable that is named twice has two trees", {
  x <- sdc_table(array(1:6, c(3, 2), list(A = c("a", "b", "c"), B = 1:2)))
  one <- data.frame(parent = c("T", "T", "N", "N"), child = c("N", "c", "a", "b"))
  two <- data.frame(levels = c("@", "@@", "@@@", "@@@", "@@"), codes = c("T", "S", "b", "c", "a"))
  twice <- list(A = one, A = two)
  as_list <- list(A = list(one, two))
  expect_equal(as.data.frame(x, hierarchies = twice), as.data.frame(x, hierarchies = as_list))
  expect_equal(as.data.frame(x, dimList = twice), as.data.frame(x, hierarchies = as_list))
  cells <- as.data.frame(x, hierarchies = twice)
  expect_equal(as.data.frame(constraints(cells, hierarchies = twice)),
               as.data.frame(constraints(cells, hierarchies = as_list)))
})

test_that("oracle: the trees of SSBtools::FindDimLists() give the totals of aggregate()", {
  skip_if_not_installed("SSBtools")
  data <- data.frame(geo = c("I", "P", "S", "S"), eu = c("no", "yes", "yes", "yes"),
                     south = c("n", "n", "s", "s"))
  trees <- SSBtools::FindDimLists(data)
  expect_equal(names(trees), c("geo", "geo"))
  found <- as.data.frame(sdc_table(data, "geo"), hierarchies = trees)
  for (v in c("eu", "south")) {
    counts <- table(data[[v]])
    shown <- found$freq[match(names(counts), found$geo)]
    # levels that hold one leaf only may be left out of the trees
    expect_equal(shown[!is.na(shown)], as.vector(counts)[!is.na(shown)])
  }
  expect_equal(found$freq[found$geo == "Total"], 4)
})

test_that("snapshot: trees that do not add up", {
  x <- sdc_table(array(1:6, c(3, 2), list(A = c("a", "b", "c"), B = 1:2)))
  tree <- function(parent, child) {
    as.data.frame(x, hierarchies = list(A = data.frame(parent = parent, child = child)))
  }
  expect_snapshot(error = TRUE, {
    tree(c("All", "All"), c("a", "b"))
    tree(c("P", "P", "Q"), c("a", "b", "c"))
    tree(c("All", "All", "All", "All"), c("a", "b", "c", "c"))
    tree(c("All", "All", "a"), c("a", "b", "c"))
    tree(c("All", "All", "All", "p", "q"), c("a", "b", "c", "q", "p"))
    as.data.frame(x, hierarchies = list(A = data.frame(d = c("@", "@@@"), n = c("All", "a"))))
    as.data.frame(x, hierarchies = list(A = 3))
    as.data.frame(x, hierarchies = list(A = data.frame(x = 1)))
    as.data.frame(x, hierarchies = list(Z = region))
    as.data.frame(x, hierarchies = list(region))
    as.data.frame(x, hierarchies = list(A = list(
      region,
      data.frame(parent = c("T", "T", "North", "North"), child = c("a", "North", "b", "c"))
    )))
    as.data.frame(x, totals = FALSE, hierarchies = list(A = region))
    as.data.frame(x, hierarchies = list(A = region), dimList = list(A = region))
    as.data.frame(x, totals = TRUE, total_label = "a")
    as.data.frame(x, responseName = "A")
    as.data.frame(x, total = TRUE)
    as.data.frame(x, totals = TRUE, max_cells = 5)
  })
})

test_that("property: sparse totals have no more rows than they need", {
  data <- stats::setNames(rep(list(factor(c(1, 2), 1:4)), 10), letters[1:10])
  x <- sdc_table(list2data_frame(data, 2))
  found <- as.data.frame(x, totals = TRUE)
  expect_identical(nrow(found), 2L * 1024L - 1L)
  expect_error(as.data.frame(x, totals = TRUE, max_cells = 1000), class = "sdc_error_too_large")
})

test_that("snapshot: variables can be strings, so that a table is a tibble", {
  x <- sdc_table(Titanic)
  found <- as.data.frame(x, stringsAsFactors = FALSE)
  expect_type(found$Class, "character")
  expect_equal(found, as.data.frame(lapply(as.data.frame(x), function(v) {
    if (is.factor(v)) as.character(v) else v
  })))
  expect_type(as.data.frame(x, totals = TRUE, stringsAsFactors = FALSE)$Sex, "character")
  expect_identical(as.data.frame(margin(x, character()), stringsAsFactors = FALSE),
                   data.frame(freq = 2201))
  expect_snapshot(error = TRUE, as.data.frame(x, stringsAsFactors = NA))
  skip_if_not_installed("tibble")
  expect_identical(as.data.frame(tibble::as_tibble(x, stringsAsFactors = FALSE)), found)
})

test_that("snapshot: a leaf NA is the level NA", {
  x <- sdc_table(data.frame(A = c("a", "b", NA, NA), B = 1), na = "level")
  tree <- data.frame(parent = c("All", "All", "known", "known"), child = c("known", NA, "a", "b"))
  found <- as.data.frame(x, hierarchies = list(A = tree))
  found <- found[found$B == "Total", c("A", "freq")]
  expect_identical(levels(found$A), c("a", "b", NA, "All", "known"))
  expect_identical(found$freq, c(1, 1, 2, 4, 2))
  rooted <- data.frame(root = c("All", "All", "All", "known", "known"),
                       leaf = c("All", "known", NA, "a", "b"), level = c(1, 2, 2, 3, 3))
  expect_identical(as.data.frame(x, hierarchies = list(A = rooted)),
                   as.data.frame(x, hierarchies = list(A = tree)))
  ats <- data.frame(d = c("@", "@@", "@@@", "@@@", "@@"), n = c("All", "known", "a", "b", NA))
  expect_setequal(levels(as.data.frame(x, hierarchies = list(A = ats))$A), levels(found$A))
  without <- sdc_table(data.frame(A = c("a", "b")))
  grand <- function(parent, child) data.frame(parent = parent, child = child)
  expect_snapshot(error = TRUE, {
    as.data.frame(without, hierarchies = list(A = tree))
    as.data.frame(x, hierarchies = list(A = grand(c("All", "All"), c("a", "b"))))
    as.data.frame(x, hierarchies = list(A = grand(c(NA, "All", "All"), c(NA, "a", "b"))))
    as.data.frame(x, hierarchies = list(A = grand("All", c("a", "b", NA, NA))))
    as.data.frame(x, totals = TRUE, max_cells = 5)
  })
})

test_that("snapshot: a limit of rows is shown in groups of digits", {
  wide <- stats::setNames(rep(list(factor(1, 1:2)), 12), letters[1:12])
  x <- sdc_table(list2data_frame(wide, 1))
  expect_snapshot(error = TRUE, as.data.frame(x, totals = TRUE, max_cells = 1000))
})

test_that("property: an empty list of trees means none", {
  x <- sdc_table(roehrig)
  released <- list(margin(x, "row"), margin(x, "column"))
  asked <- data.frame(row = "1", column = c("2", "Total"))
  none <- bounds_margins(released, asked, certificates = TRUE)
  expect_identical(bounds_margins(released, asked, hierarchies = list(), certificates = TRUE), none)
  expect_identical(bounds_margins(released, asked, dimList = list(), certificates = TRUE), none)
  expect_true(verify_bounds(none, released, hierarchies = list())$verified)
  expect_identical(sdc_table(roehrig, hierarchies = list()), x)
  expect_identical(as.data.frame(x, totals = TRUE, hierarchies = list()),
                   as.data.frame(x, totals = TRUE))
  made <- constraints(released[[1]], released[[2]])
  expect_identical(constraints(released[[1]], released[[2]], hierarchies = list()), made)
  expect_identical(bounds_margins(made, hierarchies = list()), bounds_margins(made))
  firms <- data.frame(region = c("a", "a", "b"), turnover = c(5, 2, 9))
  expect_identical(magnitude_table(firms, "region", "turnover", hierarchies = list()),
                   magnitude_table(firms, "region", "turnover"))
})
