# The table of names, from other programs to this package.

test_that("property: each name of an argument in the table of other programs exists", {
  file <- system.file("book", "from-other-programs.csv", package = "sdcLattice")
  names <- utils::read.csv(file, check.names = FALSE)
  expect_setequal(unique(names$program),
                  c("sdcTable", "GaussSuppression", "easySdcTable", "tau-ARGUS"))
  expect_gt(nrow(names), 60)
  expect_identical(anyDuplicated(names[c("program", "where", "theirs")]), 0L)
  space <- asNamespace("sdcLattice")
  known <- c(getNamespaceExports("sdcLattice"), "as.data.frame")
  expect_identical(setdiff(names[["function"]], known), character())
  for (name in unique(names[["function"]])) {
    # the arguments of a generic are those of its methods
    own <- grep(paste0("^", name, "([.]|$)"), ls(space, all.names = TRUE), value = TRUE)
    functions <- Filter(is.function, mget(own, space))
    known <- unique(unlist(lapply(functions, function(f) names(formals(f)))))
    expect_identical(setdiff(names$argument[names[["function"]] == name], known), character(),
                     info = name)
  }
})

test_that("property: the names of the other packages are theirs", {
  file <- system.file("book", "from-other-programs.csv", package = "sdcLattice")
  names <- utils::read.csv(file, check.names = FALSE)
  for (package in c("GaussSuppression", "sdcTable")) {
    if (!requireNamespace(package, quietly = TRUE)) next
    some <- names[names$program == package, ]
    expect_identical(setdiff(some$where, getNamespaceExports(package)), character())
  }
  skip_if_not_installed("GaussSuppression")
  some <- names[names$program == "GaussSuppression", ]
  own <- unlist(strsplit(some$theirs, ", ", fixed = TRUE))
  spaces <- lapply(c("GaussSuppression", "SSBtools"), asNamespace)
  functions <- unlist(lapply(spaces, function(s) Filter(is.function, mget(ls(s), s))))
  theirs <- unique(unlist(lapply(functions, function(f) names(formals(f)))))
  expect_identical(setdiff(own, theirs), character())
})
