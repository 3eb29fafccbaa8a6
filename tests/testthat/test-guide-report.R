# Reports before and after: the private one shows the original, the public one nothing of it.

read_page <- function(path) paste(readLines(path, encoding = "UTF-8"), collapse = "\n")

test_that("oracle: the private page has each cell before and after", {
  done <- protect(roehrig, plan = "suppression")
  text <- read_page(write_report(done, withr::local_tempdir(), overwrite = TRUE))
  cells <- as.data.frame(done)
  count <- function(pattern) lengths(regmatches(text, gregexpr(pattern, text)))
  expect_identical(count("<td class=\"hidden\">"), sum(is.na(cells$published)))
  expect_identical(count("<td class="), nrow(cells))
  expect_match(text, "Private: this page shows original values", fixed = TRUE)
  expect_match(text, "What single contributors learn", fixed = TRUE)
  inside <- sum(!cells$total)
  expect_match(text, paste0("The original is inside in [0-9]+ of ", inside, " cells|",
                            "The original is inside in [0-9]+ of "))
})

test_that("property: certain intervals hold every original value", {
  set.seed(11)
  for (k in 1:5) {
    x <- as_sdc_table(matrix(rpois(12, 2) + 1, 3, dimnames = list(a = 1:3, b = 1:4)))
    done <- protect(x, plan = "rounding")
    words <- report_reader_words(before_after(done$protected), reader_intervals(done$published))
    n <- regmatches(words[1], regexec("inside in ([0-9]+) of ([0-9]+) cells", words[1]))[[1]]
    expect_identical(n[2], n[3])
  }
})

test_that("property: the public report depends on the publication alone", {
  done <- protect(roehrig, plan = "suppression")
  other <- done
  other$protected <- other$code <- other$plan <- NULL
  folders <- c(withr::local_tempdir(), withr::local_tempdir())
  write_report(done, folders[1], audience = "public")
  write_report(other, folders[2], audience = "public")
  files <- list.files(folders[1], recursive = TRUE)
  expect_identical(files, list.files(folders[2], recursive = TRUE))
  for (file in files) {
    bytes <- lapply(file.path(folders, file), function(f) readBin(f, "raw", file.size(f)))
    expect_identical(bytes[[1]], bytes[[2]])
  }
  text <- read_page(file.path(folders[1], "index.html"))
  hidden <- as.data.frame(done)
  expect_identical(lengths(regmatches(text, gregexpr("<td class=\"hidden\">\u00d7</td>", text))),
                   sum(is.na(hidden$published)))
})

test_that("snapshot: a large table is listed, not drawn, and errors", {
  x <- as_sdc_table(matrix(rep(5:9, 600), 60))
  done <- protect(x, plan = "rounding")
  expect_match(read_page(write_report(done, withr::local_tempdir(), overwrite = TRUE)),
               "The table is too large for a page", fixed = TRUE)
  expect_snapshot(error = TRUE, {
    write_report(roehrig, "r")
    write_report(done, 3)
    write_report(done, "r", audience = "all")
  })
})
