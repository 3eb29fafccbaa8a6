# Runs the lines of R that a page shows, and compares what they print with what the page says.

# The blocks of R in a file of markdown, each a character vector of lines.
shown_blocks <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  open <- which(lines == "```r")
  lapply(open, function(at) {
    close <- which(lines == "```")
    lines[seq(at + 1, min(close[close > at]) - 1)]
  })
}

# list(code, said) for each expression of a block: what `#>` says after it.
shown_steps <- function(block) {
  parsed <- parse(text = block, keep.source = TRUE, encoding = "UTF-8")
  at <- utils::getSrcref(parsed)
  first <- vapply(at, function(ref) ref[1], 0L)
  last <- vapply(at, function(ref) ref[3], 0L)
  upto <- c(first[-1], length(block) + 1) - 1
  Map(function(code, from, to) {
    below <- block[seq_len(length(block)) > from & seq_len(length(block)) <= to]
    list(code = code, said = sub("^#> ?", "", grep("^#>", below, value = TRUE)))
  }, as.list(parsed), last, upto)
}

# What an expression prints when it is typed.
printed_by <- function(code, envir) {
  utils::capture.output({
    result <- withVisible(eval(code, envir))
    if (result$visible) print(result$value)
  })
}

# Hashes, random names and the time differ from run to run.
without_chance <- function(lines) {
  lines <- gsub("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z", "<time>", lines)
  lines <- gsub("\\b[0-9a-f]{16,}\\b", "<hex>", lines)
  trimws(lines, "right")
}

# A line of three dots stands for any number of lines.
says_the_same <- function(printed, said) {
  said <- without_chance(said)
  any_lines <- "(?:[^\n]*\n)*"
  pattern <- ifelse(trimws(said) == "...", any_lines, paste0("\\Q", said, "\\E\n"))
  text <- paste0(without_chance(printed), "\n", collapse = "")
  grepl(paste0("^", paste(pattern, collapse = ""), "$"), text, perl = TRUE)
}
