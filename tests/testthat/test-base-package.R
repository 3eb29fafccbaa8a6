# What the package says of itself in several places.

test_that("property: codemeta.json says what DESCRIPTION says", {
  root <- source_folder()
  file <- file.path(root, "codemeta.json")
  skip_if_not(file.exists(file))
  folder <- withr::local_tempdir()
  file.copy(file.path(root, "DESCRIPTION"), folder)
  withr::with_dir(folder, source(file.path(root, "tools", "codemeta.R"), local = new.env()))
  expect_identical(readLines(file.path(folder, "codemeta.json")), readLines(file))
})

test_that("published: the citation names the package and its five sources", {
  cited <- utils::citation("sdcLattice")
  expect_length(cited, 6)
  expect_match(format(cited[[1]], "text"), "sdcLattice")
  expect_identical(unlist(cited$doi), "10.1007/s11943-016-0180-6")
})
