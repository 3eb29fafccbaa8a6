skip_if_not_installed("ggplot2")

report_posterior <- function() {
  x <- plain_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), 4))
  dimnames(x) <- list("a <b>" = c("p & q", "r", "s", "t"), "col" = c("1", "2", "3"))
  me <- mechanism(cycles_banded(x, group = 2, seed = 2), covers = 1)
  posterior(publish(perturb(x, me, seed = 3, insist = TRUE), insist = TRUE))
}

# The lines of the page, without its pictures.
report_lines <- function(po) {
  unlist(strsplit(sdcLattice:::report_page(po, "A title", 2), "\n"))
}

caption_of <- function(po) {
  page <- report_lines(po)
  sub(".*<figcaption>(.*)</figcaption>.*", "\\1", grep("bits is certainty", page, value = TRUE))
}

test_that("property: a report has its page, pictures and files, and escapes labels", {
  po <- report_posterior()
  folder <- withr::local_tempdir()
  page <- write_report(po, file.path(folder, "r"), title = "A & B")
  expect_setequal(
    list.files(file.path(folder, "r"), recursive = TRUE),
    c("index.html", "published.png", "uncertainty.png", "cells.png",
      "publication/table.csv", "publication/mechanism.json")
  )
  text <- readLines(page)
  expect_true(any(grepl("<h1>A &amp; B</h1>", text, fixed = TRUE)))
  expect_true(any(grepl("p &amp; q", text, fixed = TRUE)))
  expect_false(any(grepl("a <b>", text, fixed = TRUE)))
  expect_equal(sum(grepl("<img src=\"[a-z]+.png\" alt=\"[^\"]+\">", text)), 3)
})

test_that("property: a report depends on the publication only", {
  po <- report_posterior()
  again <- posterior(publication(po$publication$table, po$publication$mechanism))
  expect_identical(report_lines(again), report_lines(po))
  page <- write_report(again, withr::local_tempfile(), title = "A title")
  expect_identical(readLines(page, encoding = "UTF-8"), report_lines(po))
})

test_that("snapshot: a report replaces nothing unasked", {
  po <- report_posterior()
  withr::local_dir(withr::local_tempdir())
  write_report(po, "r")
  expect_snapshot(error = TRUE, {
    write_report(po, "r")
    write_report(po$publication, "s")
    write_report(po, 3)
  })
  expect_no_error(write_report(po, "r", overwrite = TRUE))
})

test_that("property: the caption says how many cells are known for certain, or how near it comes", {
  po <- report_posterior()
  entropy <- as.data.frame(summary(po))$entropy
  known <- sum(entropy < 1e-9)
  expect_match(caption_of(po), if (known == 0) "No cell is known" else paste(known, "cell"))
  large <- plain_table(matrix(40, 3, 3))
  po <- posterior(publication(large, mechanism(cycles_bidiagonal(large))))
  least <- min(as.data.frame(summary(po))$entropy)
  expect_gt(least, .5)
  expect_match(caption_of(po), paste0("No cell is known for certain; the best known has ",
                                      format(least, digits = 2), " bits"), fixed = TRUE)
  blocked <- plain_table(matrix(c(0, 1, 1, 1), 2))
  po <- posterior(publication(blocked, mechanism(cycles_bidiagonal(blocked))))
  expect_match(caption_of(po), "4 cells are known for certain", fixed = TRUE)
})
