# The words of the page: one file a language, the same keys in all, none without use.

message_files <- function() list.files(system.file("www", "messages", package = "sdcLattice"),
                                       full.names = TRUE)

page_sources <- function() {
  files <- list.files(system.file("www", package = "sdcLattice"), "[.]js$", full.names = TRUE)
  paste(unlist(lapply(files, readLines, encoding = "UTF-8")), collapse = "\n")
}

test_that("property: all languages have the same messages, with the same places to fill in", {
  messages <- lapply(message_files(), jsonlite::read_json)
  names(messages) <- sub("[.]json$", "", basename(message_files()))
  expect_setequal(names(messages), c("de", "en"))
  places <- function(text) sort(unlist(regmatches(text, gregexpr("\\{[a-z]+\\}", text))))
  for (own in messages) {
    expect_identical(names(own), names(messages$en))
    expect_false(anyDuplicated(names(own)) > 0)
    expect_identical(lapply(own, places), lapply(messages$en, places))
    expect_true(all(nzchar(trimws(unlist(own)))))
  }
  # one and other go together
  keys <- names(messages$en)
  expect_setequal(sub("[.]one$", "", grep("[.]one$", keys, value = TRUE)),
                  sub("[.]other$", "", grep("[.]other$", keys, value = TRUE)))
})

test_that("property: each message is used, and each that is used is there", {
  keys <- unique(sub("[.](one|other)$", "", names(jsonlite::read_json(message_files()[1]))))
  source <- page_sources()
  quoted <- unlist(regmatches(source, gregexpr("\"[a-z_]+([.][a-z_]+)?\"", source)))
  quoted <- gsub("\"", "", quoted)
  expect_identical(setdiff(keys, quoted), character())
  called <- unlist(regmatches(source, gregexpr("\\btn?\\(\\s*\"[^\"]+\"", source, perl = TRUE)))
  called <- sub(".*\"([^\"]+)\"$", "\\1", called)
  expect_gt(length(called), 100)
  expect_identical(setdiff(called, keys), character())
})

test_that("property: the page has no text of its own beside the messages", {
  source <- page_sources()
  # strings of two words or more, but for class names and the like, in lower case
  texts <- unlist(regmatches(source, gregexpr("\"[A-Z][a-z]+ [a-z][^\"]*\"", source)))
  expect_identical(texts, character())
})
