# The scorecard of the five papers. items.csv has a row for each item of a paper; its `call`
# computes what the paper states, with the functions of this folder. The vignette `validation` and a
# test of the package source this file and run all rows.

read_items <- function(folder = system.file("validation", package = "sdcLattice")) {
  utils::read.csv(file.path(folder, "items.csv"), colClasses = "character", encoding = "UTF-8")
}

# The functions that the calls use, in an environment of their own.
item_functions <- function(folder = system.file("validation", package = "sdcLattice")) {
  functions <- new.env(parent = globalenv())
  functions$in_words <- in_words
  for (file in c("values.R", "roehrig.R", "lenz.R", "smucker.R", "lee.R", "karr.R")) {
    sys.source(file.path(folder, file), functions)
  }
  functions
}

# What one call gives, as text. Warnings and messages of the call are part of no result.
run_item <- function(call, functions) {
  value <- tryCatch(
    suppressWarnings(suppressMessages(eval(parse(text = call), new.env(parent = functions)))),
    error = function(cnd) paste("error:", conditionMessage(cnd))
  )
  in_words(value)
}

in_words <- function(value) {
  if (is.character(value)) return(paste(value, collapse = " "))
  if (is.logical(value) && isTRUE(all(value))) return("holds")
  if (is.logical(value)) return(paste(ifelse(value, "holds", "fails"), collapse = " "))
  paste(format(value, digits = 10, trim = TRUE, scientific = FALSE, drop0trailing = TRUE),
        collapse = " ")
}

# All rows with what was found, and whether it is what the row expects.
run_items <- function(items = read_items(), functions = item_functions()) {
  items$found <- vapply(items$call, run_item, "", functions, USE.NAMES = FALSE)
  items$passed <- items$found == items$computed
  items
}

# How many items of each paper have which verdict.
count_verdicts <- function(items) {
  verdicts <- c("agrees", "corrected", "not recoverable", "open")
  counts <- table(factor(items$paper, unique(items$paper)), factor(items$verdict, verdicts))
  counts <- rbind(counts, all = colSums(counts))
  data.frame(paper = rownames(counts), items = rowSums(counts), unclass(counts),
             row.names = NULL, check.names = FALSE)
}
