# What README shows is what happens, also with packages attached that have functions of the same
# names.

test_that("published: README prints what it says, with other packages attached after this one", {
  for (package in c("ggplot2", "RSQLite", "DBI")) skip_if_not_installed(package)
  folder <- withr::local_tempdir()
  script <- normalizePath(test_path("readme-run.R"))
  helper <- normalizePath(test_path("helper-lines.R"))
  readme <- normalizePath(file.path(source_folder(), "README.md"))
  said <- withr::with_dir(folder, suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), shQuote(c(script, readme, helper)), stdout = TRUE,
    stderr = TRUE
  )))
  expect_identical(utils::tail(said, 1), "end")
  expect_identical(grep("^differs:", said, value = TRUE), character())
})

test_that("property: names on every page are ours, or lead here, whatever is attached", {
  # Exported names that these packages are known to have: each has a twin that nobody masks.
  twins <- c(margin = "table_margin", attack = "attack_map", explain = "explain_cell")
  for (name in names(twins)) expect_true(twins[[name]] %in% getNamespaceExports("sdcLattice"))
  rivals <- c("ggplot2", "dplyr", "tidyr", "data.table", "sdcTable", "sdcMicro", "Matrix")
  there <- Filter(function(rival) requireNamespace(rival, quietly = TRUE), rivals)
  theirs <- unlist(lapply(there, getNamespaceExports))
  both <- intersect(getNamespaceExports("sdcLattice"), theirs)
  expect_identical(setdiff(both, names(twins)), character())
  # pages use those that work when they are masked
  files <- c("README.md", Sys.glob(file.path(source_folder(), "vignettes", "*.Rmd")),
             Sys.glob(file.path(source_folder(), "inst", "exercises", "*.Rmd")))
  files[1] <- file.path(source_folder(), "README.md")
  lines <- unlist(lapply(files, readLines, encoding = "UTF-8"))
  expect_identical(grep("(^|[^a-z_.$:`])(margin|attack)\\(", lines, value = TRUE), character())
})

test_that("property: a page whose lines differ from what is printed is found", {
  block <- c("x <- 1:2", "x", "#> [1] 1 2", "rev(x)", "#> [1] 2 1", "list(1)", "#> ...", "#> [1] 1",
             "#> ...")
  steps <- shown_steps(block)
  expect_identical(lengths(lapply(steps, `[[`, "said")), c(0L, 1L, 1L, 3L))
  page <- new.env()
  same <- vapply(steps[-1], function(step) {
    invisible(eval(steps[[1]]$code, page))
    says_the_same(printed_by(step$code, page), step$said)
  }, NA)
  expect_identical(same, c(TRUE, TRUE, TRUE))
  expect_false(says_the_same(c("a", "b"), "a"))
  expect_false(says_the_same("a", c("a", "b")))
  expect_true(says_the_same(c("a", "b", "c"), c("a", "...", "c")))
  expect_true(says_the_same(c("a", "b", "c"), c("a", "...")))
  expect_false(says_the_same(c("a", "b", "c"), c("a", "...", "b")))
})
