# What is said about trees that cannot be right.

x <- sdc_table(data.frame(A = c("a1", "a2", "b1", "b2"), B = c("x", "y", "x", "y")))
tree <- data.frame(parent = c("All", "All", "north", "north", "south", "south"),
                   child = c("north", "south", "a1", "a2", "b1", "b2"))
changed <- function(column, row, value) {
  tree[[column]][row] <- value
  tree
}

test_that("property: each fault of a tree is an error of class sdc_error_input", {
  wide <- data.frame(county = c("n", "n", "s", "s"), code = c("a1", "a2", "b1", "b2"))
  faults <- list(
    cycle = changed("parent", 1, "a1"), roots = changed("parent", 3, "nort"),
    twice = rbind(tree, tree[6, ]), two_parents = rbind(tree, data.frame(parent = "south",
                                                                         child = "a1")),
    missing = tree[-6, ], inner = rbind(tree, data.frame(parent = "a1", child = "a11")),
    misspelled = changed("child", 3, "a7"), na = changed("child", 2, NA),
    na_parent = changed("parent", 2, NA), empty = tree[0, ], no_columns = data.frame(),
    spaces = changed("child", 3, "  a1"), spaces_inside = changed("child", 1, "north "),
    swapped = data.frame(parent = "All", child = c("x", "y")), list_column = {
      bad <- tree
      bad$parent <- as.list(bad$parent)
      bad
    },
    number = 3, no_tree = NULL, no_file = "no/such/file.hrc", nothing = list(),
    unnamed_vector = c("a1", "a2"), sign = data.frame(mapsFrom = tree$child, mapsTo = tree$parent,
                                                      sign = c(1, 1, 1, 1, 1, -1)),
    gap = transform(wide, county = c("n", NA, "s", "s")), two = rbind(wide, c("n", "b1")),
    three_columns = data.frame(levels = "@", codes = "All", text = "t"),
    depth = data.frame(levels = c("@", "x"), codes = c("All", "a1")),
    jump = data.frame(levels = c("@", "@@@"), codes = c("All", "a1")),
    own = rbind(tree, data.frame(parent = "a1", child = c("a1", "a11"))),
    no_code = c("north", "@"), nameless = c(a1 = "north", "south")
  )
  faults["no_tree"] <- list(NULL)
  for (name in setdiff(names(faults), "no_tree")) {
    hierarchies <- list(A = faults[[name]])
    expect_error(as.data.frame(x, hierarchies = hierarchies), class = "sdc_error_input",
                 info = name)
    expect_error(suppress(x, 1, hierarchies = hierarchies), class = "sdc_error_input", info = name)
    expect_error(dimnames_with_leaves(dimnames(x), hierarchies), class = "sdc_error_input",
                 info = name)
  }
})

test_that("snapshot: what is said about faulty trees", {
  use <- function(tree, variable = "A") {
    as.data.frame(x, hierarchies = stats::setNames(list(tree), variable))
  }
  expect_snapshot(error = TRUE, {
    use(changed("parent", 1, "a1"))
    use(changed("parent", 2, "south"))
    use(changed("parent", 3, "nort"))
    use(changed("parent", 3, "east"))
    use(rbind(tree, data.frame(parent = "south", child = "a1")))
    use(tree[-6, ])
    use(changed("child", 6, "B3"))
    use(rbind(tree, data.frame(parent = "a1", child = "a11")))
    use(changed("child", 3, "  a1"))
    use(changed("child", 3, ""))
    use(tree[0, ])
    use(tree, "B")
    use(tree, "a")
    use(tree, "region")
    use(data.frame(mapsFrom = tree$child, mapsTo = tree$parent, sign = c(1, 1, 1, 1, 1, -1)))
    use(data.frame(mapsFrom = tree$child, mapsTo = tree$parent, sign = 2))
    use("geography.hrc")
    use(c("north", "@a1", "@"))
    use(c("north", "@@a1"))
    use(c("a1", "a2"))
    use(rbind(tree, data.frame(parent = "a1", child = c("a1", "a11"))))
    use(data.frame(county = c("n", NA, "s", "s"), code = c("a1", "a2", "b1", "b2")))
    use(data.frame(county = c("n", "n", "s", "s"), code = c("a1", "a2", "b1", "a1")))
    use(data.frame(county = c("n", "n"), code = c("a1", "a2")))
    use(data.frame(levels = "@", codes = "All", text = "t"))
    use(data.frame(levels = c("@", "x"), codes = c("All", "a1")))
    use(data.frame(county = c("Total", "Total", "s", "s"), code = c("a1", "a2", "b1", "b2")))
    use(c(a1 = "Total", a2 = "Total", b1 = "south", b2 = "south"))
    use(list(tree, c(a1 = "north", a2 = "south", b1 = "south", b2 = "south")))
    as.data.frame(x, hierarchies = "auto")
    read_hrc("geography.hrc")
  })
})

test_that("property: a tree with random faults is an error, or adds up", {
  withr::local_seed(83)
  codes <- c("", NA, " x", "Total", "a1", "b1", "c1", "01", "@", "b1 ")
  faulty <- function(tree) {
    if (is.character(tree)) {
      tree[sample(length(tree), 1)] <- sample(codes, 1)
      return(tree)
    }
    tree[] <- lapply(tree, as.character)
    row <- sample(nrow(tree), 1)
    change <- sample(4, 1)
    if (change == 1) return(tree[-row, , drop = FALSE])
    if (change == 2) return(rbind(tree, tree[row, , drop = FALSE]))
    new <- if (change == 3) sample(codes, 1) else sample(unlist(tree), 1)
    tree[row, sample(ncol(tree), 1)] <- new
    tree
  }
  n_read <- 0
  for (round in seq_len(rounds(5, 25))) {
    wide <- random_wide(sample(4, 1), sample(8, 1))
    x <- sdc_table(data.frame(v = sample(wide[[ncol(wide)]], 20, TRUE)))
    formats <- all_formats(wide, withr::local_tempfile(fileext = ".hrc"))
    for (format in formats[setdiff(names(formats), c("file", "several"))]) {
      format <- faulty(format)
      cells <- tryCatch(
        suppressMessages(as.data.frame(x, hierarchies = list(v = format), zeros = TRUE)),
        sdc_error_input = function(e) NULL
      )
      if (is.null(cells)) next
      n_read <- n_read + 1
      leaves <- suppressMessages(dimnames_with_leaves(dimnames(x), list(v = format)))
      for (tree in suppressMessages(plain_trees(list(v = format), leaves))$v) {
        count <- stats::setNames(cells$freq, cells$v)
        below <- tapply(count[tree$child[-1]], tree$parent[-1], sum)
        expect_equal(as.vector(below), as.vector(count[names(below)]))
      }
    }
  }
  expect_gt(n_read, rounds(5, 10))
})

test_that("snapshot: numbers that have lost their zeros", {
  x <- sdc_table(data.frame(code = c("01", "02", "11")))
  expect_snapshot(error = TRUE, {
    as.data.frame(x, hierarchies = list(code = data.frame(parent = "All", child = c(1, 2, 11))))
  })
})

test_that("snapshot: what is said about trees that are read in another way than written", {
  expect_snapshot({
    wide <- data.frame(county = c(1, 1, 2, 2), region = 1:4, name = c("p", "q", "r", "s"))
    trees <- plain_trees(list(region = wide), list(region = as.character(1:4)))
    wide <- data.frame(county = c("n", "n", "s", "s"), police = c("p", "q", "q", "p"),
                       region = c("a", "b", "c", "d"))
    trees <- plain_trees(list(region = wide), list(region = wide$region))
    trees <- plain_trees(list(county = wide[-2]), list(county = c("n", "s")))
  })
})
