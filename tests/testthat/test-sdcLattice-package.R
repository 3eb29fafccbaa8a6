test_that("property: the package can be cited, with its title and version", {
  cited <- citation("sdcLattice")
  expect_s3_class(cited, "citation")
  description <- packageDescription("sdcLattice")
  expect_match(cited[[1]]$title, description$Title, fixed = TRUE)
  expect_match(cited[[1]]$note, description$Version, fixed = TRUE)
  # R makes a citation of its own where the package has none.
  expect_true(file.exists(system.file("CITATION", package = "sdcLattice")))
})

test_that("property: the start page names a function of each group and every vignette", {
  page <- tools::Rd_db("sdcLattice")
  skip_if(length(page) == 0, "installed without help pages")
  page <- paste(as.character(page[["sdcLattice-package.Rd"]]), collapse = "")
  named <- c(
    "sdc_table", "perturb", "posterior", "publish", "bounds_margins", "bounds_conditional",
    "count_tables", "round_controlled", "suppress", "audit", "release_exact", "table_server",
    "redistribute", "magnitude_table", "compare_methods"
  )
  for (name in named) expect_match(page, name, fixed = TRUE)
  vignettes <- tools::file_path_sans_ext(list.files(system.file("doc", package = "sdcLattice"),
                                                    "[.]Rmd$"))
  skip_if(length(vignettes) == 0, "installed without vignettes")
  for (name in vignettes) expect_match(page, name, fixed = TRUE)
})
