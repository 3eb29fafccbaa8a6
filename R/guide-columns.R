# Which columns of a file make a table. It is a guess, so everything that is taken or left out is
# said.

# At most so many categories make a variable of a first look, and so many variables its table.
guessed_levels_at_most <- 30
guessed_variables_at_most <- 2

# Names of columns that hold counts, in lower case.
count_names <- c("freq", "frequency", "count", "counts", "n", "number", "cases", "persons",
                 "people", "anzahl")

# Labels of rows that are totals of others, in lower case.
total_labels <- c("total", "totals", "all", "sum", "insgesamt", "gesamt")

# All columns as text; what is empty becomes a category of its own.
read_any_csv <- function(file) {
  check_string(file, "data")
  if (!file.exists(file) || dir.exists(file)) {
    abort_sdc("input", c(
      "{.arg data} must be a data frame or the path of a CSV file.",
      x = "There is no file {.file {file}}."
    ))
  }
  first <- readLines(file, n = 1, warn = FALSE)
  marks <- c(",", ";", "\t")
  found <- vapply(marks, function(mark) sum(strsplit(first, "")[[1]] == mark), 0L)
  data <- tryCatch(
    utils::read.table(file, header = TRUE, sep = marks[which.max(found)], quote = "\"",
                      colClasses = "character", na.strings = "", check.names = FALSE,
                      comment.char = "", fileEncoding = "UTF-8-BOM"),
    error = function(cnd) {
      abort_sdc("input", c(
        "{.arg data} must be a CSV file with a line of names.",
        x = "{.file {file}} cannot be read as one."
      ), parent = cnd)
    }
  )
  data
}

# The same data with counts that came as text, as they do from a file, as numbers. All else is left
# to sdc_table(), which knows what is wrong with it.
counts_as_numbers <- function(data, freqVar) {
  column <- if (is.character(freqVar) && length(freqVar) == 1) data[[freqVar]]
  if (!is.character(column) && !is.factor(column)) {
    return(data)
  }
  text <- trimws(as.character(column))
  text[!is.na(text) & !nzchar(text)] <- NA
  whole <- is.na(text) | grepl("^[0-9]+$", text)
  if (!all(whole)) abort_count_text(which(!whole)[1], text[!whole][1])
  data[[freqVar]] <- as.numeric(text)
  data
}

# What was found is shown but for its digits, which may be a confidential count.
abort_count_text <- function(row, text) {
  marks <- gsub("[0-9]", "", text)
  found <- if (identical(marks, text)) "is {.val {text}}" else "has {.val {marks}} beside digits"
  abort_sdc("input", c("{.arg freqVar} must hold whole numbers from 0 to 2^53.",
                       x = paste0("Row {row} ", found, "."),
                       i = "Write counts with digits only, or name another column."))
}

# list(data, dimVar, freqVar, said): the rows to take, the columns, and a sentence for each choice.
guess_columns <- function(data) {
  data[] <- lapply(data, function(column) {
    text <- as.character(column)
    text[is.na(text) | !nzchar(text)] <- "(empty)"
    text
  })
  freq <- guess_count_column(data)
  size <- vapply(data, function(column) length(unique(column)), 0L)
  fits <- size >= 2 & size <= guessed_levels_at_most & names(data) != (freq %||% "")
  if (!any(fits)) {
    abort_sdc("input", c(
      "{.arg data} must have a column with 2 to {guessed_levels_at_most} categories.",
      x = "Its {length(size)} column{?s} {?has/have} fewer or more.",
      i = "Name the columns by {.arg dimVar}."
    ))
  }
  taken <- utils::head(names(data)[fits], guessed_variables_at_most)
  found <- leave_out_totals(data, taken, freq)
  list(data = found$data, dimVar = taken, freqVar = freq,
       said = c(column_words(names(data), size, taken, freq), found$said))
}

guess_count_column <- function(data) {
  whole <- vapply(data, function(column) all(grepl("^[0-9]{1,15}$", column)), NA)
  at <- which(tolower(names(data)) %in% count_names & whole)
  if (length(at) > 0) names(data)[at[1]]
}

column_words <- function(names, size, taken, freq) {
  left <- setdiff(names, c(taken, freq))
  c(
    paste0("The variables are ", and_words(taken), ", the first columns with 2 to ",
           guessed_levels_at_most, " categories."),
    if (is.null(freq)) "Each row is one person, as no column has a name such as freq or count." else
      paste0("The counts are in ", freq, "."),
    if (length(left) > 0) paste0("Left out: ", and_words(left), ".")
  )
}

# Ready cells often come with their totals, which would be counted twice.
leave_out_totals <- function(data, taken, freq) {
  if (is.null(freq)) {
    return(list(data = data))
  }
  held <- setdiff(names(data), freq)
  total <- Reduce(`|`, lapply(data[held], function(column) tolower(column) %in% total_labels))
  if (!any(total) || all(total)) {
    return(list(data = data))
  }
  list(data = data[!total, , drop = FALSE],
       said = paste0("Rows with the label of a total were not counted: ",
                     format_count(sum(total)), " of ", format_count(length(total)), "."))
}
