# Trees in all their formats.

cells <- function(x, ...) {
  found <- as.data.frame(x, ..., stringsAsFactors = FALSE)
  found[do.call(order, found), ]
}

# Totals by aggregate(), level by level.
summed <- function(data, wide, leaf) {
  wide$Total <- "Total"
  by <- lapply(wide, function(column) column[match(data[[leaf]], wide[[leaf]])])
  rows <- lapply(by, function(code) {
    other <- rbind(data.frame(code = code, sex = data$sex), data.frame(code = code, sex = "Total"))
    stats::aggregate(list(freq = rep(1, nrow(other))), other, sum)
  })
  out <- unique(do.call(rbind, rows))
  names(out)[1] <- leaf
  out[do.call(order, out), ]
}

test_that("oracle: a tree in each format gives the totals of aggregate()", {
  withr::local_seed(71)
  for (round in seq_len(rounds(4, 12))) {
    wide <- random_wide(sample(2:4, 1), sample(2:9, 1))
    leaf <- names(wide)[ncol(wide)]
    data <- data.frame(code = sample(wide[[leaf]], 30, replace = TRUE),
                       sex = sample(c("f", "m"), 30, replace = TRUE))
    names(data)[1] <- leaf
    expected <- summed(data, wide, leaf)
    x <- sdc_table(data)
    for (format in all_formats(wide, withr::local_tempfile(fileext = ".hrc"))) {
      found <- cells(x, hierarchies = stats::setNames(list(format), leaf))
      expect_equal(found, expected, ignore_attr = TRUE)
    }
  }
})

test_that("property: random trees written in all formats are read back", {
  withr::local_seed(72)
  edges <- function(tree) sort(paste(tree$parent, tree$child))
  for (round in seq_len(rounds(5, 60))) {
    wide <- random_wide(sample(1:5, 1), sample(1:12, 1))
    leaves <- wide[[ncol(wide)]]
    written <- c("NA Total", do.call(paste, pairs_of_wide(wide)))
    for (format in all_formats(wide, withr::local_tempfile(fileext = ".hrc"))) {
      trees <- plain_trees(list(v = format), list(v = leaves))$v
      for (tree in trees) expect_identical(edges(tree), sort(written))
      # plain trees stay as they are
      expect_identical(plain_trees(list(v = trees), list(v = leaves))$v, trees)
    }
  }
})

test_that("oracle: trees of sdcHierarchies and SSBtools, and back", {
  withr::local_seed(73)
  skip_if_not_installed("sdcHierarchies")
  skip_if_not_installed("SSBtools")
  for (round in seq_len(rounds(3, 5))) {
    wide <- random_wide(3, 8)
    while (!has_plain_columns(wide)) wide <- random_wide(3, 8)
    pairs <- pairs_of_wide(wide)
    data <- data.frame(three = sample(wide$three, 40, replace = TRUE), sex = "f")
    expected <- cells(sdc_table(data), hierarchies = list(three = pairs))
    h <- sdcHierarchies::hier_create("Total", pairs$child[pairs$parent == "Total"])
    for (p in setdiff(pairs$parent, "Total")) {
      h <- sdcHierarchies::hier_add(h, root = p, nodes = pairs$child[pairs$parent == p])
    }
    file <- withr::local_tempfile(fileext = ".hrc")
    utils::capture.output(suppressMessages(
      sdcHierarchies::hier_export(h, as = "argus", path = file)
    ))
    at <- as.data.frame(sdcHierarchies::hier_convert(h, as = "df"))
    names(at) <- c("levels", "codes")
    formats <- list(
      h, sdcHierarchies::hier_convert(h, as = "df"), file, SSBtools::DimList2Hrc(at),
      SSBtools::DimList2Hierarchy(at), SSBtools::AutoHierarchies(list(three = at))$three
    )
    for (format in formats) {
      expect_equal(cells(sdc_table(data), hierarchies = list(three = format)), expected,
                   ignore_attr = TRUE)
    }
  }
})

test_that("property: levels have the names of their columns", {
  wide <- data.frame(region = c("03", "1101", "1102", "1501"), county = c("03", "11", "11", "15"))
  tree <- plain_trees(list(region = wide), list(region = wide$region))$region
  # the county with one region of its own code is one node, on both levels
  expect_identical(tree[[1]]$child, c("Total", "03", "11", "15", "1101", "1102", "1501"))
  expect_identical(level_nodes(tree, "county"), c("03", "11", "15"))
  expect_setequal(level_nodes(tree, "region"), wide$region)
  expect_null(level_nodes(tree, "nuts"))
  # a table of counties leaves out what is finer
  expect_message(
    by_county <- plain_trees(list(county = wide), list(county = c("03", "11", "15"))),
    class = "sdc_message_trees"
  )
  expect_identical(by_county$county[[1]]$child, c("Total", "03", "11", "15"))
})

test_that("property: a node that is the only child of itself is one node, in all formats", {
  formats <- list(
    data.frame(parent = c("Total", "Total", "03", "11", "11"),
               child = c("03", "11", "03", "1101", "1102")),
    data.frame(d = c("@", "@@", "@@@", "@@@@", "@@", "@@@", "@@@"),
               n = c("Total", "03", "03", "03", "11", "1101", "1102")),
    c("03", "@03", "11", "@1101", "@1102"), c("Total", "@03", "@@03", "@11", "@@1101", "@@1102"),
    data.frame(mapsFrom = c("03", "03", "11", "1101", "1102"),
               mapsTo = c("03", "Total", "Total", "11", "11"), sign = 1),
    data.frame(county = c("03", "11", "11"), region = c("03", "1101", "1102"))
  )
  for (format in formats) {
    tree <- plain_trees(list(v = format), list(v = c("03", "1101", "1102")))$v[[1]]
    expect_setequal(paste(tree$parent, tree$child),
                    c("NA Total", "Total 03", "Total 11", "11 1101", "11 1102"))
  }
})

test_that("property: a parent-child frame may name its levels, for formulas", {
  tree <- data.frame(parent = c(NA, "All", "All", "n", "n", "s"), child = c("All", "n", "s", 1:3),
                     level = c(NA, "county", "county", "region", "region", "region"))
  data <- data.frame(v = rep(1:3, 4:2), sex = c("f", "m", "m"))
  x <- sdc_table(data, hierarchies = list(v = tree), formula = ~ county * sex)
  found <- as.data.frame(x, totals = TRUE)
  expect_setequal(found$v, c("n", "s", "All"))
  expect_equal(found$freq[found$v == "n" & found$sex == "All" | found$v == "n" &
                            found$sex == "Total"], 7)
})

test_that("property: constraints() and magnitude_table() read all formats", {
  withr::local_seed(75)
  wide <- random_wide(3, 7)
  while (!has_plain_columns(wide)) wide <- random_wide(3, 7)
  data <- data.frame(three = wide$three, v = seq_len(nrow(wide)))
  pairs <- pairs_of_wide(wide)
  cells <- as.data.frame(sdc_table(data, "three"), hierarchies = list(three = pairs))
  system <- function(tree) as.data.frame(constraints(cells, hierarchies = list(three = tree)))
  turnover <- function(tree) {
    mg <- magnitude_table(data, "three", "v", hierarchies = list(three = tree))
    sort(do.call(paste, as.data.frame(sensitive(mg, rule_p_percent(10)))))
  }
  for (format in all_formats(wide, withr::local_tempfile(fileext = ".hrc"))) {
    expect_setequal(do.call(paste, system(format)), do.call(paste, system(pairs)))
    expect_identical(turnover(format), turnover(pairs))
    expect_gt(length(turnover(format)), 6)
  }
})

test_that("property: a code on two levels over different leaves gets the name of its column", {
  wide <- data.frame(county = c(1, 1, 2, 2, 3), region = 1:5)
  expect_message(
    trees <- plain_trees(list(region = wide), list(region = as.character(1:5))),
    "1 [county]", fixed = TRUE, class = "sdc_message_trees"
  )
  expect_identical(level_nodes(trees$region, "county"),
                   c("1 [county]", "2 [county]", "3 [county]"))
  x <- sdc_table(data.frame(region = c(1, 1, 2, 3, 4, 5)))
  found <- suppressMessages(as.data.frame(x, hierarchies = list(region = wide)))
  expect_equal(found$freq, c(2, 1, 1, 1, 1, 6, 3, 2, 1))
})

test_that("oracle: columns that do not lie inside each other make several trees", {
  withr::local_seed(74)
  for (round in seq_len(rounds(10, 20))) {
    n <- sample(6:12, 1)
    wide <- data.frame(leaf = paste0("l", seq_len(n)), x = paste0("x", sample(3, n, TRUE)),
                       y = paste0("y", sample(3, n, TRUE)), z = paste0("z", sample(2, n, TRUE)))
    data <- data.frame(leaf = sample(wide$leaf, 50, replace = TRUE))
    found <- suppressMessages(as.data.frame(sdc_table(data), hierarchies = list(leaf = wide)))
    for (v in c("x", "y", "z")) {
      if (anyDuplicated(lapply(wide, function(c) match(c, unique(c)))) > 0) next
      if (length(unique(wide[[v]])) == 1) next
      counts <- table(wide[[v]][match(data$leaf, wide$leaf)])
      expect_equal(found$freq[match(names(counts), found$leaf)], as.vector(counts))
    }
  }
})

test_that("property: unbalanced trees and leaves without records", {
  wide <- data.frame(a = c("p", "p", "s", "o", "o"), b = c("t", "g", NA, "bh", "pu"))
  x <- sdc_table(data.frame(v = c("t", "g", "g", "s", "bh")))
  found <- as.data.frame(x, hierarchies = list(v = wide), zeros = TRUE)
  expect_equal(stats::setNames(found$freq, found$v),
               c(bh = 1, g = 2, s = 1, t = 1, pu = 0, Total = 5, p = 3, o = 1))
  wide$b[3] <- ""
  expect_equal(as.data.frame(x, hierarchies = list(v = wide), zeros = TRUE), found)
})

test_that("property: a file with another lead string, empty lines and Latin-1 is read", {
  file <- withr::local_tempfile(fileext = ".hrc")
  writeLines(c("North ", "!! n1", "", "!!n2", "South", "!!s1"), file)
  tree <- read_hrc(file, lead = "!!", total_label = "All")
  expect_identical(tree$child, c("All", "North", "n1", "n2", "South", "s1"))
  expect_identical(tree$parent, c(NA, "All", "North", "North", "All", "South"))
  writeBin(as.raw(c(0xd8, 0x73, 0x74, 0x0a, 0x40, 0x61, 0x0a)), file)
  expect_identical(read_hrc(file)$child, c("Total", "\u00d8st", "a"))
})

test_that("property: a string is the name of the total", {
  x <- sdc_table(data.frame(v = c("a", "b", "b")))
  expect_equal(as.data.frame(x, hierarchies = list(v = "All")),
               as.data.frame(x, totals = TRUE, total_label = "All"))
})

test_that("property: the root has the name of totals, in frames with totals too", {
  wide <- data.frame(eu = c("in", "in", "out"), geo = c("a", "b", "c"))
  cells <- expand.grid(age = c("y", "o"), geo = wide$geo, stringsAsFactors = FALSE)
  cells$freq <- 1:6
  trees <- list(age = "All", geo = wide)
  x <- sdc_table(cells, c("age", "geo"), freqVar = "freq", hierarchies = trees,
                 total_label = "World")
  found <- as.data.frame(x, totals = TRUE)
  expect_equal(found$freq[found$age == "All" & found$geo == "World"], 21)
  expect_identical(sdc_table(found, c("age", "geo"), freqVar = "freq", hierarchies = trees,
                             total_label = "World"), x)
})

test_that("property: numbers are the levels that they are in a table", {
  data <- data.frame(code = c(100000, 200000, 300001))
  tree <- data.frame(parent = c(1e6, 1e6, 1e6), child = c(100000, 200000, 300001))
  tree_of_whole <- data.frame(parent = 9L, child = c(100000L, 200000L, 300001L))
  for (codes in list(data$code, as.integer(data$code))) {
    x <- sdc_table(data.frame(code = codes))
    expect_equal(as.data.frame(x, hierarchies = list(code = tree))$freq, c(1, 1, 1, 3))
    expect_equal(as.data.frame(x, hierarchies = list(code = tree_of_whole))$freq, c(1, 1, 1, 3))
  }
})

test_that("property: of columns that make the same groups one is kept, and one code is the root", {
  wide <- data.frame(country = "NO", name = c("North", "North", "South"),
                     county = c("n", "n", "s"), code = c("a", "b", "c"), text = c("A", "B", "C"))
  expect_message(trees <- plain_trees(list(code = wide), list(code = wide$code)),
                 class = "sdc_message_trees")
  expect_identical(trees$code[[1]]$child, c("NO", "North", "South", "a", "b", "c"))
  expect_identical(trees$code[[1]]$level, c("country", "name", "name", "code", "code", "code"))
})

test_that("property: large trees are read, deep ones too", {
  n <- 3000
  wide <- data.frame(leaf = seq_len(n) + 10000, mid = seq_len(n) %/% 3 + 20000,
                     top = seq_len(n) %/% 90 + 30000)
  trees <- plain_trees(list(leaf = wide), list(leaf = as.character(wide$leaf)))
  expect_identical(nrow(trees$leaf[[1]]), 1L + 3000L + 1001L + 34L)
  path <- data.frame(parent = paste0("n", 0:1999), child = paste0("n", 1:2000))
  expect_identical(lengths(variable_totals(path, "n2000", "v", "Total"))[["n0"]], 1L)
})

test_that("property: a total label that the table has already leaves it its trees", {
  tree <- c("1st" = "P", "2nd" = "P", "3rd" = "P", Crew = "All", P = "All")
  x <- sdc_table(Titanic, c("Class", "Survived"), hierarchies = list(Class = tree))
  expect_identical(as.data.frame(x, totals = TRUE, total_label = "Total"),
                   as.data.frame(x, totals = TRUE))
  with_label <- suppress(x, 170, total_label = "Total", seed = 1, progress = FALSE)
  expect_identical(as.data.frame(with_label),
                   as.data.frame(suppress(x, 170, seed = 1, progress = FALSE)))
})
