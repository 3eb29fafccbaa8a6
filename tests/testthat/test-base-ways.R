# The way of a call through the files of R/, see tools/ways.R. ways.csv has the ceilings, which only
# fall: a call that goes through fewer files, or comes back less often, gets lower ones.

test_that("property: no call goes through more files than it did, or comes back more often", {
  folder <- source_folder()
  found <- withr::with_dir(folder, withr::with_envvar(
    c(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)),
    system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "tools/ways.R"), stdout = TRUE)
  ))
  found <- utils::read.csv(text = found)
  most <- utils::read.csv(test_path("ways.csv"))
  expect_identical(found$call, most$call)
  expect_true(all(found$files > 1))
  expect_identical(found$call[found$files > most$files], character())
  expect_identical(found$call[found$returns > most$returns], character())
})
