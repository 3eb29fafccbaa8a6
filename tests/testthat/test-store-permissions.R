# What Windows would be asked, and what follows from its answers. Windows itself is not needed.

new_folder <- function(frame = parent.frame()) {
  folder <- withr::local_tempfile(.local_envir = frame)
  dir.create(folder)
  folder
}

# The guard, as if the folder were not among R's temporary ones.
guard_outside <- function(place, answer = TRUE) {
  asked <- character()
  restrict <- function(path) {
    asked <<- c(asked, path)
    answer
  }
  kept <- sdcLattice:::guard_new_store(place, "windows", restrict, own = file.path(tempdir(), "own"))
  expect_identical(kept, place)
  asked
}

test_that("property: on Windows an empty folder is restricted before a store is made in it", {
  folder <- new_folder()
  expect_identical(guard_outside(file.path(folder, "store")), folder)
})

test_that("property: a folder that cannot be restricted, or that others may use, gets no new store", {
  folder <- new_folder()
  place <- file.path(folder, "store")
  expect_error(guard_outside(place, FALSE), "did not restrict", class = "sdc_error_input")
  file.create(file.path(folder, "other"))
  expect_error(guard_outside(place), "holds other files", class = "sdc_error_input")
  withr::local_options(sdcLattice.files_are_private = TRUE)
  expect_identical(guard_outside(place), character())
})

test_that("property: nothing is asked of other systems, of memory, of stores that exist or of R's folder", {
  never <- function(path) stop("asked")
  guard <- function(place, os = "windows") sdcLattice:::guard_new_store(place, os, never)
  folder <- new_folder()
  expect_identical(guard(file.path(folder, "store"), "unix"), file.path(folder, "store"))
  expect_null(guard(NULL))
  expect_identical(guard(file.path(folder, "store")), file.path(folder, "store"))
  file.create(file.path(folder, "store"))
  expect_identical(guard_outside(file.path(folder, "store")), character())
})

test_that("property: a backup is restricted as a file, or refused", {
  guard <- function(answer, os = "windows") {
    sdcLattice:::guard_new_backup("a.backup", os, function(path) answer)
  }
  expect_identical(guard(TRUE), "a.backup")
  expect_identical(guard(FALSE, "unix"), "a.backup")
  expect_error(guard(FALSE), "a file that nobody else may read", class = "sdc_error_input")
})

test_that("property: where there is no icacls, nothing was restricted", {
  skip_on_os("windows")
  expect_false(sdcLattice:::restrict_to_user(new_folder()))
})
