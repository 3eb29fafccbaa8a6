# What README shows is what happens, also with packages attached that have functions of the same
# names; so do the lines of the book run.

# What one of the scripts beside this file prints.
said_by <- function(script, ..., frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  # named before the folder changes
  arguments <- shQuote(c(normalizePath(test_path(script)), ...))
  # most lines run once: compiling them takes longer than it saves
  withr::local_envvar(R_ENABLE_JIT = "0")
  withr::with_dir(folder, suppressWarnings(
    system2(file.path(R.home("bin"), "Rscript"), arguments, stdout = TRUE, stderr = TRUE)
  ))
}

pages_of_the_book <- function() {
  Sys.glob(file.path(source_folder(), c("vignettes", "inst/exercises"), "*.Rmd"))
}

test_that("published: README prints what it says, with other packages attached after this one", {
  for (package in c("ggplot2", "RSQLite", "DBI")) skip_if_not_installed(package)
  said <- said_by("readme-run.R", file.path(source_folder(), "README.md"),
                  normalizePath(test_path("helper-lines.R")))
  expect_identical(utils::tail(said, 1), "end")
  expect_identical(grep("^differs:", said, value = TRUE), character())
})

test_that("property: names on every page are ours, or lead here, whatever is attached", {
  # Exported names that these packages are known to have: each has a twin that nobody masks.
  twins <- c(margin = "table_margin", attack = "attack_map", explain = "explain_cell")
  for (name in names(twins)) expect_true(twins[[name]] %in% getNamespaceExports("sdcLattice"))
  there <- Filter(function(rival) requireNamespace(rival, quietly = TRUE), rivals)
  theirs <- unlist(lapply(there, getNamespaceExports))
  both <- intersect(getNamespaceExports("sdcLattice"), theirs)
  expect_identical(setdiff(both, names(twins)), character())
  # pages use those that work when they are masked
  files <- c(file.path(source_folder(), "README.md"), pages_of_the_book(),
             Sys.glob(file.path(source_folder(), "inst", "validation", "*.R")))
  lines <- unlist(lapply(files, readLines, encoding = "UTF-8"))
  expect_identical(grep("(^|[^a-z_.$:`])(margin|attack)\\(", lines, value = TRUE), character())
})

test_that("property: lines of the book that call a masked function run, with others attached", {
  skip_if_not_installed("ggplot2")
  helper <- normalizePath(test_path("helper-lines.R"))
  said <- said_by("vignettes-run.R", "clashes", helper, pages_of_the_book())
  expect_identical(utils::tail(said, 1), "end")
  expect_identical(grep("^fails:", said, value = TRUE), character())
  if (requireNamespace("dplyr", quietly = TRUE)) {
    expect_match(grep("^clashing:", said, value = TRUE), " explain ")
  }
})

test_that("property: all lines of the book run, with others attached", {
  skip_if(Sys.getenv("SDCLATTICE_LONG") != "1", "takes minutes")
  skip_if_not_installed("knitr")
  helper <- normalizePath(test_path("helper-lines.R"))
  chapters <- grep("/vignettes/", pages_of_the_book(), value = TRUE)
  said <- said_by("vignettes-run.R", "all", helper, chapters)
  expect_identical(utils::tail(said, 1), "end")
  expect_identical(grep("^fails:", said, value = TRUE), character())
})

test_that("oracle: what a line needs is found, back to where a name was made anew", {
  code <- expression(a <- 1, b <- a + 1, a <- 5, b[2] <- 3, f <- function(x) b, names(b) <- "u",
                     for (i in 1:2) d <- i, explain(b), b <- 0)
  wanted <- seq_along(code) == 8
  expect_identical(which(needed_for(code, wanted)), c(1L, 2L, 4L, 6L, 8L))
  expect_identical(which(needed_for(code, seq_along(code) == 5)), c(1L, 2L, 4L, 5L))
  called <- called_in(quote(f(x, g(1), dplyr::h(2), lapply(y, k))))
  expect_setequal(called, c("f", "g", "x", "y", "k", "lapply"))
  expect_identical(assigned_in(quote(names(x)[2] <- "a")), "x")
})

test_that("oracle: an S4 generic that was made of a function does what that function does", {
  made <- new.env()
  of_mean <- methods::setGeneric("mean", where = made)
  expect_true(still_the_same(get("mean", made), base::mean))
  expect_false(still_the_same(get("mean", made), stats::median))
  expect_false(still_the_same(function(x) x, base::mean))
  expect_true(still_the_same(sum, sum))
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
