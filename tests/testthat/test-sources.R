# The map from papers to functions, files of the core and tests: inst/extdata/sources.csv.

read_sources <- function() {
  utils::read.csv(system.file("extdata", "sources.csv", package = "sdcLattice"), colClasses = "character",
                  check.names = FALSE)
}

test_that("property: every function of the map is exported, and has a help page", {
  map <- read_sources()
  expect_identical(names(map), c("source", "place", "what", "function", "core", "test"))
  expect_gt(nrow(map), 50)
  expect_true(all(nzchar(as.matrix(map[c("source", "place", "what", "function", "test")]))))
  expect_identical(setdiff(map[["function"]], getNamespaceExports("sdcLattice")), character())
  expect_identical(anyDuplicated(map[c("source", "place", "what")]), 0L)
})

test_that("property: every file of the map exists, and the test calls the function", {
  map <- read_sources()
  folder <- source_folder()
  core <- file.path(folder, "src", "core", map$core[nzchar(map$core)])
  expect_identical(core[!file.exists(core)], character())
  tests <- file.path(folder, "tests", "testthat", map$test)
  expect_identical(tests[!file.exists(tests)], character())
  calls <- mapply(function(path, name) any(grepl(paste0("\\b", name, "\\b"), readLines(path))),
                  tests, map[["function"]])
  expect_identical(unique(paste(map$test, map[["function"]])[!calls]), character())
})

test_that("property: every room of the core is on the map", {
  map <- read_sources()
  rooms <- list.dirs(file.path(source_folder(), "src", "core"), full.names = FALSE,
                     recursive = FALSE)
  # what all rooms use comes from no paper
  expect_identical(setdiff(rooms, c("base", "table", unique(dirname(map$core)))), character())
})

# What the braces of messages call is looked up when a message is shown, and nothing else sees it.
test_that("property: every function that a message calls exists", {
  space <- asNamespace("sdcLattice")
  called <- function(text) {
    inside <- regmatches(text, gregexpr("\\{[^{}]*\\}", text))[[1]]
    inside <- substring(inside, 2, nchar(inside) - 1)
    unlist(lapply(inside[!grepl("^[.?]", inside)], function(code) {
      code <- gsub("[a-z]+::[A-Za-z_.]+", "list", code)
      code <- tryCatch(parse(text = code), error = function(cnd) expression())
      setdiff(all.names(code, unique = TRUE), all.vars(code))
    }))
  }
  seen <- 0
  for (file in list.files(file.path(source_folder(), "R"), "[.]R$", full.names = TRUE)) {
    for (code in as.list(parse(file, keep.source = TRUE))) {
      parts <- utils::getParseData(parse(text = deparse(code), keep.source = TRUE))
      texts <- parts$text[parts$token == "STR_CONST"]
      wanted <- unique(as.character(unlist(lapply(texts, called))))
      seen <- seen + length(wanted)
      local <- parts$text[parts$token %in% c("SYMBOL", "SYMBOL_FORMALS")]
      there <- vapply(wanted, function(name) name %in% local || exists(name, space), NA)
      expect_identical(wanted[!there], character(), info = file)
    }
  }
  expect_gt(seen, 100)
})
