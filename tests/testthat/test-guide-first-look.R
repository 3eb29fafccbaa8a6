# The first look: its scenes on its own table and on files of users, and the columns it guesses.

write_csv_lines <- function(...) {
  file <- tempfile(fileext = ".csv")
  writeLines(c(...), file)
  file
}

test_that("snapshot: the first look says what the package does, on its own table", {
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("RSQLite")
  folder <- withr::local_tempdir()
  script <- system.file("scripts", "first-look.R", package = "sdcLattice")
  libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
  said <- withr::with_envvar(c(R_LIBS = libraries), system2(
    file.path(R.home("bin"), "Rscript"), c("--no-init-file", shQuote(script), shQuote(folder)),
    stdout = TRUE, stderr = FALSE
  ))
  expect_null(attr(said, "status"))
  expect_length(grep("Not for this table", said), 0)
  # the coins of the perturbation are secret, and folders have random names
  said <- sub("^  [0-9]+ of 40 cells were", "  <n> of 40 cells were", said)
  said <- sub("probability of [0-9]+%", "probability of <p>%", said)
  said <- said[!grepl("^All of it|^What readers would", said)]
  expect_snapshot(cat(said, sep = "\n"))
  files <- c("index.html", "table.png", "perturbation.png", "suppression.png", "rates.png",
             "server.png", "perturbation/index.html", "suppression/index.html",
             "published/table.csv", "published/mechanism.json")
  expect_true(all(file.exists(file.path(folder, files))))
})

test_that("oracle: files of users are read as tables, and what was taken is said", {
  file <- write_csv_lines(
    "Region;Sex;Anzahl;Note", "North;f;12;", "North;m;3;x", "South;f;1;", "South;m;7;y",
    "East;f;2;", "East;m;30;", "Total;f;15;"
  )
  found <- look_table(file, NULL, NULL)
  expect_identical(sum(found$x$counts), 55)
  expect_identical(dim(found$x), c(3L, 2L))
  expect_match(found$said, "The counts are in Anzahl", all = FALSE)
  expect_match(found$said, "Left out: Note", all = FALSE)
  expect_match(found$said, "1 of 7", all = FALSE)
  rows <- paste(1:40, c("A", "B"), c("x", "y", "z", "x"), sep = ",")
  people <- write_csv_lines("id,town,job", rows)
  found <- look_table(people, NULL, NULL)
  expect_identical(names(found$x$dimnames), c("town", "job"))
  expect_identical(sum(found$x$counts), 40)
  expect_match(found$said, "Each row is one person", all = FALSE)
  named <- look_table(people, c("job"), NULL)
  expect_identical(names(named$x$dimnames), "job")
})

test_that("property: empty fields are a category, and a byte order mark is no part of a name", {
  file <- tempfile(fileext = ".csv")
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw("a,b\nx,\ny,q\n,q\nx,q\n")), file)
  found <- look_table(file, NULL, NULL)
  expect_identical(names(found$x$dimnames), c("a", "b"))
  expect_true("(empty)" %in% found$x$dimnames$a)
  expect_identical(sum(found$x$counts), 4)
})

test_that("property: what is no table is a clear error", {
  expect_error(look_table("no such file.csv", NULL, NULL), class = "sdc_error_input")
  numbers <- write_csv_lines("a", seq(1, 40))
  expect_error(look_table(numbers, NULL, NULL), "2 to 30 categories", class = "sdc_error_input")
  wide <- as.data.frame(matrix(c("x", "y"), 2, 7))
  expect_error(look_table(wide, names(wide), NULL), "at most 6", class = "sdc_error_input")
  skip_if_not_installed("ggplot2")
  folder <- withr::local_tempdir()
  writeLines("mine", file.path(folder, "index.html"))
  expect_error(first_look(folder), class = "sdc_error_input")
  expect_identical(readLines(file.path(folder, "index.html")), "mine")
})

test_that("oracle: counts that came as text are read, and what is no count is named", {
  cells <- data.frame(a = c("x", "y", "z"), b = c("p", "q", "p"), n = c("5", " 2", "90"))
  for (counts in list(cells$n, factor(cells$n), c(5L, 2L, 90L))) {
    cells$n <- counts
    expect_identical(sum(look_table(cells, c("a", "b"), "n")$x$counts), 97)
  }
  cells$n <- c("5", "two", "90")
  file <- tempfile(fileext = ".csv")
  utils::write.csv(cells, file, row.names = FALSE)
  for (data in list(cells, file)) {
    wrong <- expect_no_warning(rlang::catch_cnd(look_table(data, c("a", "b"), "n")))
    expect_s3_class(wrong, "sdc_error_input")
    expect_match(conditionMessage(wrong), "Row 2 is \"two\"", fixed = TRUE)
  }
  # digits may be a confidential count
  cells$n[2] <- "1,234"
  wrong <- rlang::catch_cnd(look_table(cells, c("a", "b"), "n"))
  expect_match(conditionMessage(wrong), "Row 2 has \",\" beside digits", fixed = TRUE)
  expect_false(grepl("234", conditionMessage(wrong)))
  cells$n[2] <- NA
  expect_error(look_table(cells, c("a", "b"), "n"), "Row 2 is missing", class = "sdc_error_input")
  for (name in list("k", c("n", "k"), 3)) {
    expect_error(look_table(cells, c("a", "b"), name), class = "sdc_error_input")
  }
})

test_that("property: a scene that a table does not allow says why, and the others go on", {
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("RSQLite")
  folder <- withr::local_tempdir()
  said <- capture.output(
    first_look(folder, data.frame(a = c("x", "y", "z"), n = c(5, 2, 9)), "a", "n", overwrite = TRUE)
  )
  expect_match(said, "no rates within rows", all = FALSE)
  expect_length(grep("^== ", said), 5)
})
