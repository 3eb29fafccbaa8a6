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

# ---- with packages attached whose names clash ----------------------------------------------------

# Not all of these are declared: whoever has one may attach it after this package.
rivals <- c("ggplot2", "dplyr", "tidyr", "data.table", "sdcTable", "sdcMicro", "Matrix")

# The rivals that are attached now.
attach_rivals <- function() {
  Filter(function(rival) {
    suppressWarnings(suppressPackageStartupMessages(
      require(rival, character.only = TRUE, quietly = TRUE)
    ))
  }, rivals)
}

# Does `found` do what `before` did? An S4 generic that was made of it does, as Matrix has them.
still_the_same <- function(found, before) {
  made_of <- methods::is(found, "genericFunction") &&
    methods::is(methods::selectMethod(found, "ANY"), "derivedDefaultMethod") &&
    found@package == environmentName(topenv(environment(before)))
  identical(found, before) || made_of
}

# list(code, options) for each chunk of R of a page in R Markdown; options are calls, not values.
page_chunks <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  open <- grep("^```\\{r.*\\}$", lines)
  close <- which(lines == "```")
  lapply(open, function(at) {
    head <- sub("^```\\{r *,? *(.*)\\}$", "\\1", lines[at])
    # the label is no option
    head <- sub("^[^=,]*(,|$)", "", head)
    list(code = parse(text = lines[seq(at + 1, min(close[close > at]) - 1)], encoding = "UTF-8"),
         options = as.list(str2lang(paste0("alist(", head, ")")))[-1])
  })
}

# The names that are assigned to in an expression, but for those inside of functions.
assigned_in <- function(code) {
  if (!is.call(code) || identical(code[[1]], as.name("function"))) return(character())
  inner <- unlist(lapply(as.list(code), assigned_in))
  if (identical(code[[1]], as.name("for"))) inner <- c(inner, as.character(code[[2]]))
  if (!as.character(code[[1]])[1] %in% c("<-", "=")) return(inner)
  to <- code[[2]]
  while (is.call(to)) to <- to[[2]]
  c(inner, as.character(to))
}

# Which of the expressions are needed so that those at `wanted` can run: these, and before them what
# assigns to a name that they use, back to where it was made anew.
needed_for <- function(expressions, wanted) {
  needed <- logical(length(expressions))
  names <- character()
  for (i in rev(seq_along(expressions))) {
    one <- expressions[[i]]
    needed[i] <- wanted[i] || any(assigned_in(one) %in% names)
    if (!needed[i]) next
    anew <- is.call(one) && identical(one[[1]], as.name("<-")) && is.symbol(one[[2]])
    if (anew) names <- setdiff(names, as.character(one[[2]]))
    names <- c(names, all.names(if (anew) one[[3]] else one))
  }
  needed
}

# The names of functions that an expression calls.
called_in <- function(code) {
  if (!is.call(code) && !is.pairlist(code) && !is.expression(code)) return(character())
  if (is.call(code) && deparse(code[[1]])[1] %in% c("::", ":::")) return(character())
  head <- if (is.call(code) && is.symbol(code[[1]])) as.character(code[[1]])
  passed <- Filter(function(one) is.symbol(one) && nzchar(one), as.list(code)[-1])
  c(head, vapply(passed, as.character, ""), unlist(lapply(as.list(code), called_in)))
}
