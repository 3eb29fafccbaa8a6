# The scorecard of the papers, inst/validation: the rows that the vignette shows.

validation_folder <- function() system.file("validation", package = "sdcLattice")
source(file.path(validation_folder(), "items.R"), local = TRUE)

test_that("published: every settled item of the five papers gives what its row expects", {
  items <- run_items(read_items(validation_folder()), item_functions(validation_folder()))
  settled <- items[items$verdict != "open", ]
  failed <- settled[!settled$passed, ]
  expect_identical(paste(failed$call, failed$found, sep = " -> "), character())
})

test_that("property: the scorecard is complete, and each verdict has its reason", {
  items <- read_items(validation_folder())
  expect_identical(as.vector(table(factor(items$paper, unique(items$paper)))),
                   c(36L, 10L, 20L, 24L, 27L))
  expect_true(all(items$verdict %in% c("agrees", "corrected", "not recoverable", "open")))
  expect_gte(sum(items$verdict != "open"), 112)
  expect_true(all(nzchar(items$printed) & nzchar(items$item) & nzchar(items$place)))
  expect_identical(items$item[nzchar(items$call) != (items$verdict != "open")], character())
  expect_identical(anyDuplicated(items[c("paper", "item")]), 0L)
  judged <- items[items$verdict %in% c("corrected", "not recoverable"), ]
  expect_identical(judged$item[!nzchar(judged$erratum)], character())
})

test_that("property: what agrees is the printed value or holds, what is corrected differs from it", {
  items <- read_items(validation_folder())
  bare <- function(x) gsub("(?<=[0-9]),(?=[0-9]{3})", "", x, perl = TRUE)
  same <- bare(items$printed) == bare(items$computed)
  holds <- grepl("^holds$", items$computed)
  agrees <- items$verdict == "agrees"
  expect_identical(items$item[agrees & !same & !holds], character())
  expect_identical(items$item[items$verdict == "corrected" & same], character())
})

test_that("property: a wrong value, an error and a false statement are found", {
  functions <- item_functions(validation_folder())
  items <- data.frame(
    call = c("sum(roehrig)", "sum(roehrig)", "no_such_function()", "c(1 == 1, 1 == 2)"),
    computed = c("135", "136", "135", "holds")
  )
  found <- run_items(items, functions)
  expect_identical(found$passed, c(TRUE, FALSE, FALSE, FALSE))
  expect_match(found$found[[3]], "^error: ")
  expect_identical(found$found[[4]], "holds fails")
  expect_identical(run_item("c(1 == 1, 2 == 2)", functions), "holds")
  expect_false(run_item("c(TRUE, NA)", functions) == "holds")
})

test_that("property: verdicts are counted by paper and over all papers", {
  items <- data.frame(paper = c("a", "b", "b"), verdict = c("agrees", "open", "agrees"))
  counts <- count_verdicts(items)
  expect_identical(counts$paper, c("a", "b", "all"))
  expect_equal(counts$items, c(1, 2, 3))
  expect_equal(counts$agrees, c(1, 1, 2))
  expect_equal(counts$open, c(0, 1, 1))
})
