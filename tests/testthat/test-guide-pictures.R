# Pictures of reports: what they draw, that they need no other file, and that public ones hold
# nothing private.
# private.

page_of <- function(done, audience) {
  paste(readLines(write_report(done, tempfile(), audience = audience), encoding = "UTF-8"),
        collapse = "\n")
}

count_of <- function(text, pattern) {
  lengths(regmatches(text, gregexpr(pattern, text, perl = TRUE)))
}

two_tables <- function(plan) {
  set.seed(8)
  people <- data.frame(region = sample(c("N & W", "S"), 90, TRUE),
                       age = sample(c("<9", "9+"), 90, TRUE),
                       work = sample(c("a", "b", "c"), 90, TRUE, c(5, 4, .3)))
  protect(people, dimVar = list(first = c("region", "age"), c("region", "work")),
          plan = if (plan == "perturbation") insisting_plan() else plan)
}

test_that("oracle: bars count the changes, and squares the cells", {
  done <- protect(roehrig, plan = "rounding")
  cells <- as.data.frame(done)
  change <- cells$published - cells$original
  bars <- change_bars(change)
  expect_identical(sum(bars$n), nrow(cells))
  expect_identical(bars$n[bars$labels == "0"], sum(change == 0))
  many <- change_bars(c(0, 0, seq(-10, 30, length.out = 200)))
  expect_identical(sum(many$n), 202L)
  expect_identical(many$n[1], 2L)
  picture <- paste(picture_of_places(before_after(done$protected)), collapse = "\n")
  expect_identical(count_of(picture, "<rect"), nrow(cells))
  expect_identical(count_of(picture, "l5 -8l5 8z"), sum(change > 0))
  expect_identical(count_of(picture, "l5 8l5 -8z"), sum(change < 0))
})

test_that("property: each picture is in the page, with a text and a sentence", {
  for (plan in c("suppression", "perturbation")) {
    for (audience in c("private", "public")) {
      text <- page_of(two_tables(plan), audience)
      figures <- count_of(text, "<figure>")
      expect_identical(figures, if (audience == "private") 4L else 3L)
      expect_identical(count_of(text, "<svg [^>]*role=\"img\" aria-label=\"[^\"]+\">"), figures)
      expect_identical(count_of(text, "<figcaption>[^<]+[.]</figcaption>"), figures)
      expect_identical(count_of(text, "<img|src=|url\\(|http"), 0L)
      expect_identical(count_of(text, "N & W|[^a-z]<9"), 0L)
      # points, arrows and bars tell of the original
      expect_identical(count_of(text, "<circle|raised|lowered|hidden in|Private") > 0L,
                       audience == "private")
    }
  }
})

test_that("property: pictures of the public page depend on the publication alone", {
  for (plan in c("suppression", "rounding", "perturbation")) {
    done <- two_tables(plan)
    other <- done
    other$protected <- other$code <- other$plan <- other$titles <- NULL
    folders <- c(tempfile(), tempfile())
    write_report(done, folders[1], audience = "public")
    write_report(other, folders[2], audience = "public")
    files <- list.files(folders[1], recursive = TRUE)
    expect_identical(files, list.files(folders[2], recursive = TRUE))
    sums <- lapply(folders, function(folder) unname(tools::md5sum(file.path(folder, files))))
    expect_identical(sums[[1]], sums[[2]])
  }
})
