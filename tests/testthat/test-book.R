# The chapters as they are installed: pictures with words, lines that fit, nothing from the network;
# and their exercises, which are tutorials too.

source(system.file("scripts", "exercises.R", package = "sdcLattice"), local = TRUE)

installed_pages <- function() {
  pages <- list.files(system.file("doc", package = "sdcLattice"), "[.]html$", full.names = TRUE)
  pages[basename(pages) != "index.html"]
}

read_page <- function(file) paste(readLines(file, encoding = "UTF-8"), collapse = "\n")

# The parts of a page that match, without what the browser does not show.
parts_of <- function(page, pattern) {
  unlist(regmatches(page, gregexpr(pattern, page, perl = TRUE)))
}

plain_text <- function(html) {
  html <- gsub("<[^>]*>", "", html)
  html <- gsub("&lt;", "<", gsub("&gt;", ">", gsub("&quot;", "\"", html)))
  gsub("&amp;", "&", html)
}

test_that("property: every picture of the book has a caption and words for who cannot see it", {
  pages <- installed_pages()
  skip_if(length(pages) == 0, "installed without vignettes")
  for (file in pages) {
    page <- read_page(file)
    pictures <- parts_of(page, "<img [^>]*>")
    shown <- gsub("src=\"[^\"]*\"", "", pictures)
    expect_true(all(grepl("alt=\"[^\"]{20,}\"", shown)), label = basename(file))
    captions <- parts_of(page, "<p class=\"caption\">")
    expect_gte(length(captions), length(pictures), label = basename(file))
  }
})

test_that("property: no line of code or output is longer than 80 characters", {
  pages <- installed_pages()
  skip_if(length(pages) == 0, "installed without vignettes")
  for (file in pages) {
    blocks <- parts_of(read_page(file), "(?s)<pre[^>]*>.*?</pre>")
    lines <- as.character(unlist(strsplit(plain_text(blocks), "\n")))
    expect_identical(lines[nchar(lines) > 80], character(), label = basename(file))
  }
})

test_that("property: no page of the book needs the network", {
  pages <- installed_pages()
  skip_if(length(pages) == 0, "installed without vignettes")
  for (file in pages) {
    loads <- "(<script[^>]*src=|<img[^>]*src=|<link[^>]*href=)\"?[^\" >]{0,40}"
    loaded <- parts_of(read_page(file), loads)
    expect_false(any(grepl("https?://", loaded)), label = basename(file))
  }
})

test_that("property: at least 90 exercises, 6 to 8 in each chapter", {
  chapters <- exercise_chapters()
  number <- vapply(chapters, function(chapter) length(read_exercises(chapter)$exercises), 0L)
  expect_true(all(number[chapters != "start-here"] %in% 6:8))
  expect_gte(sum(number), 90)
})

test_that("property: the tutorials are those of the exercises", {
  for (chapter in exercise_chapters()) {
    file <- system.file("tutorials", chapter, paste0(chapter, ".Rmd"), package = "sdcLattice")
    lines <- readLines(file, encoding = "UTF-8")
    title <- sub("^title: \"Exercises: (.*)\"$", "\\1", lines[[2]])
    expect_identical(lines, tutorial_lines(chapter, title))
  }
})

test_that("property: a tutorial accepts the solution and refuses another answer", {
  exercise <- read_exercises("bounds")
  envir <- new.env(parent = asNamespace("sdcLattice"))
  eval(parse(text = exercise$setup), envir)
  for (i in seq_along(exercise$exercises)) {
    code <- exercise$exercises[[i]]$code
    answer <- eval(parse(text = code), new.env(parent = envir))
    checked <- function(value) {
      check_exercise(sprintf("bounds-%d", i), code, envir_prep = envir, last_value = value)
    }
    expect_true(checked(answer)$correct)
    expect_match(checked(answer)$message, "^Correct[.]")
    expect_false(checked("no answer")$correct)
  }
})

test_that("property: every word of the glossary names a chapter and a function", {
  file <- system.file("book", "glossary.csv", package = "sdcLattice")
  terms <- utils::read.csv(file, check.names = FALSE)
  expect_identical(anyDuplicated(terms$term), 0L)
  expect_gt(nrow(terms), 50)
  known <- c(getNamespaceExports("sdcLattice"), "width")
  expect_identical(setdiff(terms[["function"]], known), character())
  expect_identical(setdiff(terms$chapter, exercise_chapters()), character())
})

test_that("property: every call of the cheat sheet runs", {
  skip_if_not_installed("GaussSuppression")
  sheet <- utils::read.csv(system.file("book", "cheat-sheet.csv", package = "sdcLattice"))
  set.seed(1)
  draw <- function(levels, shares = NULL) sample(levels, 90, TRUE, shares)
  envir <- new.env(parent = asNamespace("sdcLattice"))
  envir$data <- data.frame(sex = draw(c("f", "m")), region = draw(LETTERS[1:3], c(5, 3, 1)),
                           age = draw(c("young", "middle", "old"), c(5, 3, 1)))
  envir$cells <- as.data.frame(table(envir$data), responseName = "n")
  envir$d <- data.frame(nace = draw(LETTERS[1:3]), size = draw(letters[1:3]),
                        turnover = round(100 * stats::rexp(90)), firm = 1:90)
  envir$points <- data.frame(x = stats::rnorm(200), y = stats::rnorm(200))
  envir$published <- margins(sdc_table(envir$data), list("sex"))
  folder <- withr::local_tempdir()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (i in seq_len(nrow(sheet))) {
    # Two variables for the methods, three for the releases.
    if (i == 3) envir$x <- sdc_table(envir$data, c("sex", "age"))
    # a table of 3 x 3 has no design that keeps its small counts unknown
    if (sheet$call[[i]] == "private <- perturb(x, design)") {
      envir$x <- as_sdc_table(as.array(envir$x) + 3)
      envir$design <- mechanism(cycles_banded(envir$x))
    }
    if (sheet$part[[i]] == "Many tables") envir$x <- sdc_table(envir$data)
    if (grepl("vignette", sheet$call[[i]])) next
    code <- gsub("\"folder\"", deparse(file.path(folder, "files")), sheet$call[[i]], fixed = TRUE)
    value <- expect_no_error(eval(parse(text = code), envir))
    if (inherits(value, "sdc_release")) envir$release <- value
  }
})

test_that("property: each name of an argument in the table of other programs exists", {
  file <- system.file("book", "from-other-programs.csv", package = "sdcLattice")
  names <- utils::read.csv(file, check.names = FALSE)
  expect_setequal(unique(names$program),
                  c("sdcTable", "GaussSuppression", "easySdcTable", "tau-ARGUS"))
  expect_gt(nrow(names), 60)
  expect_identical(anyDuplicated(names[c("program", "where", "theirs")]), 0L)
  space <- asNamespace("sdcLattice")
  known <- c(getNamespaceExports("sdcLattice"), "as.data.frame")
  expect_identical(setdiff(names[["function"]], known), character())
  for (name in unique(names[["function"]])) {
    # the arguments of a generic are those of its methods
    own <- grep(paste0("^", name, "([.]|$)"), ls(space, all.names = TRUE), value = TRUE)
    functions <- Filter(is.function, mget(own, space))
    known <- unique(unlist(lapply(functions, function(f) names(formals(f)))))
    expect_identical(setdiff(names$argument[names[["function"]] == name], known), character(),
                     info = name)
  }
})

test_that("property: the names of the other packages are theirs", {
  file <- system.file("book", "from-other-programs.csv", package = "sdcLattice")
  names <- utils::read.csv(file, check.names = FALSE)
  for (package in c("GaussSuppression", "sdcTable")) {
    if (!requireNamespace(package, quietly = TRUE)) next
    some <- names[names$program == package, ]
    expect_identical(setdiff(some$where, getNamespaceExports(package)), character())
  }
  skip_if_not_installed("GaussSuppression")
  some <- names[names$program == "GaussSuppression", ]
  own <- unlist(strsplit(some$theirs, ", ", fixed = TRUE))
  spaces <- lapply(c("GaussSuppression", "SSBtools"), asNamespace)
  functions <- unlist(lapply(spaces, function(s) Filter(is.function, mget(ls(s), s))))
  theirs <- unique(unlist(lapply(functions, function(f) names(formals(f)))))
  expect_identical(setdiff(own, theirs), character())
})
