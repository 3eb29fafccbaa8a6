# What the package says of itself in several places.

test_that("property: codemeta.json says what DESCRIPTION says", {
  root <- source_folder()
  file <- file.path(root, "codemeta.json")
  skip_if_not(file.exists(file))
  folder <- withr::local_tempdir()
  file.copy(file.path(root, "DESCRIPTION"), folder)
  withr::with_dir(folder, source(file.path(root, "tools", "codemeta.R"), local = new.env()))
  expect_identical(readLines(file.path(folder, "codemeta.json")), readLines(file))
})

test_that("published: the citation names the package and its five sources", {
  cited <- utils::citation("sdcLattice")
  expect_length(cited, 6)
  expect_match(format(cited[[1]], "text"), "sdcLattice")
  expect_identical(unlist(cited$doi), "10.1007/s11943-016-0180-6")
})

test_that("property: the generic of dplyr finds each method of explain()", {
  lines <- readLines(file.path(source_folder(), "NAMESPACE"))
  classes <- function(pattern) {
    sort(sub(".*[ ,]([a-z_]+)\\)$", "\\1", grep(pattern, lines, value = TRUE)))
  }
  ours <- setdiff(classes("^S3method\\(explain,"), "default")
  expect_gt(length(ours), 1)
  expect_identical(classes("^S3method\\(dplyr::explain,"), ours)
})

test_that("property: CONTRIBUTING says what each suggested package is for, and it is named there", {
  root <- source_folder()
  skip_if_not(file.exists(file.path(root, "CONTRIBUTING.md")))
  lines <- readLines(file.path(root, "CONTRIBUTING.md"), encoding = "UTF-8")
  heads <- grep("^## ", lines)
  from <- which(lines[heads] == "## Suggested packages")
  rows <- grep("^\\|", lines[heads[from]:heads[from + 1]], value = TRUE)
  rows <- strsplit(rows[-(1:2)], " *\\| *")
  said <- rlang::set_names(vapply(rows, `[[`, "", 3), vapply(rows, `[[`, "", 2))
  suggested <- read.dcf(file.path(root, "DESCRIPTION"), "Suggests")[[1]]
  suggested <- sub("[[:space:](].*", "", trimws(strsplit(suggested, ",")[[1]]))
  expect_identical(names(said), suggested)
  # help and comments call nothing
  text <- list(
    R = c(grep("^ *#", source_lines("R", "[.]R$"), value = TRUE, invert = TRUE),
          readLines(file.path(root, "NAMESPACE"))),
    tests = c(source_lines("tests/testthat", "[.]R$"), source_lines("tests", "[.]R$")),
    book = c(source_lines("vignettes", "[.](Rmd|yml)$"), source_lines("inst/scripts", "[.]R$"))
  )
  missing <- lapply(suggested, function(name) {
    word <- gsub(".", "[.]", name, fixed = TRUE)
    called <- paste0("\\b", word, "::|\"", word, "\"|library\\(", word, "\\b")
    places <- vapply(text, function(lines) any(grepl(called, lines, perl = TRUE)), NA)
    setdiff(strsplit(said[[name]], ", ")[[1]], names(text)[places])
  })
  expect_identical(suggested[lengths(missing) > 0], character())
})

test_that("property: what CONTRIBUTING calls experimental is marked in help, and nothing else", {
  lines <- readLines(file.path(source_folder(), "CONTRIBUTING.md"), encoding = "UTF-8")
  heads <- grep("^## ", lines)
  from <- which(lines[heads] == "## What may still change")
  rows <- grep("^\\| [a-z]+ \\| `", lines[heads[from]:heads[from + 1]], value = TRUE)
  cells <- vapply(strsplit(rows, "|", fixed = TRUE), `[[`, "", 3)
  listed <- unlist(regmatches(cells, gregexpr("[a-z_]+(?=\\(\\))", cells, perl = TRUE)))
  source <- source_lines("R", "[.]R$")
  marked <- vapply(which(source == "#' @template experimental"), function(at) {
    below <- source[-seq_len(at)]
    sub(" .*", "", grep("^#'", below, invert = TRUE, value = TRUE)[[1]])
  }, "")
  expect_setequal(unname(marked), listed)
})
