# Runs the pages of the book with packages attached whose names clash, and prints what fails.
#   Rscript vignettes-run.R <all|clashes> <helper-lines.R> <page.Rmd> ...
# "all" knits the pages. "clashes" runs only what calls a function that is another one now, and what
# that needs. A line of the output that begins with "fails:" is a failure; the last one is "end".
arguments <- commandArgs(trailingOnly = TRUE)
whole <- arguments[[1]] == "all"
source(arguments[[2]])
files <- arguments[-(1:2)]
library(sdcLattice)
options(width = 77)
grDevices::pdf(NULL)

has <- function(...) all(nzchar(vapply(c(...), function(name) system.file(package = name), "")))

# The expressions of all chunks that run here.
page_expressions <- function(file) {
  chunks <- Filter(function(chunk) {
    options <- chunk$options
    !isFALSE(options$eval) && !isTRUE(options$slow) && !isTRUE(options$error) &&
      has(eval(options$needs))
  }, page_chunks(file))
  code <- unlist(lapply(chunks, function(chunk) as.list(chunk$code)))
  # how the page looks, and its exercises, which are a page of their own here
  Filter(function(one) !any(c("source", "exercises") %in% all.names(one)), code)
}

function_named <- function(name) get0(name, globalenv(), mode = "function")

run_clashes <- function(file, code, clashing) {
  wanted <- vapply(code, function(one) any(called_in(one) %in% clashing), NA)
  page <- new.env(parent = globalenv())
  for (one in code[needed_for(code, wanted)]) {
    tryCatch(
      utils::capture.output(suppressMessages(suppressWarnings({
        result <- withVisible(eval(one, page))
        if (result$visible) print(result$value)
      }))),
      error = function(cnd) {
        cat("fails:", basename(file), deparse(one)[1], "says", conditionMessage(cnd), "\n")
      }
    )
  }
}

knit_page <- function(file) {
  # a stored picture may be missing where a package was installed without help
  options(knitr.graphics.error = FALSE)
  knitr::opts_chunk$set(error = FALSE)
  file.copy(file, ".")
  page <- new.env(parent = globalenv())
  tryCatch(
    suppressMessages(knitr::knit(basename(file), quiet = TRUE, envir = page)),
    error = function(cnd) cat("fails:", basename(file), "says", conditionMessage(cnd), "\n")
  )
}

if (whole) {
  attach_rivals()
  setwd(tempdir())
  for (file in files) knit_page(file)
} else {
  pages <- lapply(files, page_expressions)
  names <- unique(unlist(lapply(unlist(pages), called_in)))
  before <- Filter(Negate(is.null), sapply(names, function_named, simplify = FALSE))
  attach_rivals()
  clashing <- names(before)[!mapply(still_the_same, lapply(names(before), function_named), before)]
  cat("clashing:", sort(clashing), "\n")
  for (i in seq_along(files)) run_clashes(files[[i]], pages[[i]], clashing)
}
cat("end\n")
