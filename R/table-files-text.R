# Text files, block by block: the core parts them into fields and numbers their texts.

# Calls `use` with the bytes of one block after the other, and whether it is the last, until it says
# that it has enough. A file that is cut off must not pass for a shorter one.
for_blocks <- function(data, path, use) {
  check_file <- function(ok, fault) {
    check_that(
      ok,
      "Files must be text, or text that gzip or xz compressed.",
      x = fault,
      i = "Decompress it first, by a program that checks it."
    )
  }
  check_file(!identical(first_bytes(path, 3), charToRaw("BZh")),
             "{.file {path}} is compressed by bzip2, whose faults R does not see.")
  con <- gzfile(path, "rb")
  on.exit(close(con))
  read_block <- function() {
    # where the data of a file are at fault, R warns and gives what it has
    withCallingHandlers(
      readBin(con, "raw", data$chunk),
      warning = function(w) check_file(FALSE, "{.file {path}} is damaged or cut off.")
    )
  }
  bar <- if (rlang::is_interactive()) cli::cli_progress_bar("Reading records", total = NA)
  bytes <- read_block()
  total <- length(bytes)
  bytes <- without_mark(bytes, path)
  repeat {
    # the last block is known by the one after it
    following <- read_block()
    total <- total + length(following)
    is_last <- length(following) == 0
    if (is_last) {
      check_file(is_whole_file(path, total),
                 "{.file {path}} is cut off, or several gzip files in one.")
    }
    if (isTRUE(use(bytes, is_last)) || is_last) break
    if (!is.null(bar)) cli::cli_progress_update(inc = length(bytes), id = bar)
    bytes <- following
  }
}

# ---- compressed files ---------------------------------------------------------------------------

# R says nothing of gzip files that are cut off; but their last four bytes are their size, modulo
# 2^32.
is_whole_file <- function(path, total) {
  if (!identical(first_bytes(path, 2), as.raw(c(0x1f, 0x8b)))) {
    return(TRUE)
  }
  con <- file(path, "rb")
  on.exit(close(con))
  seek(con, file.size(path) - 4)
  sum(as.integer(readBin(con, "raw", 4)) * 256^(0:3)) == total %% 2^32
}

first_bytes <- function(path, n) {
  con <- file(path, "rb")
  on.exit(close(con))
  readBin(con, "raw", n)
}

# ---- text ---------------------------------------------------------------------------------------

# The first block without the mark of UTF-8.
without_mark <- function(bytes, path) {
  first <- utils::head(bytes, 3)
  if (identical(first, as.raw(c(0xef, 0xbb, 0xbf)))) {
    return(bytes[-(1:3)])
  }
  check_that(
    !identical(first[1:2], as.raw(c(0xff, 0xfe))) && !identical(first[1:2], as.raw(c(0xfe, 0xff))),
    "Text files must be in {.val UTF-8} or {.val latin1}.",
    x = "{.file {path}} is in UTF-16.",
    i = "{.code iconv -f UTF-16 -t UTF-8} makes another file of it."
  )
  bytes
}

# The names of a file's columns.
text_columns <- function(data, path) {
  if (!is.null(data$names)) {
    return(data$names)
  }
  so_far <- raw()
  found <- character()
  for_blocks(data, path, function(bytes, is_last) {
    so_far <<- c(so_far, bytes)
    found <<- with_core(cpp_first_record(data$sep, so_far, is_last), in_file(path))
    length(found) > 0
  })
  check_that(
    length(found) != 0,
    "A text file must have a header with the names of its columns.",
    x = "{.file {path}} is empty.",
    i = "{.arg names} gives the names for files without a header."
  )
  decoded(found, data, "the header")
}

in_file <- function(path) {
  list(input = escape_braces(cli::format_inline("The file is {.file {path}}.")))
}

# Texts of the file as strings.
decoded <- function(texts, data, name) {
  Encoding(texts) <- data$encoding
  texts <- enc2utf8(texts)
  check_that(
    all(validUTF8(texts)),
    "Text files must be in the encoding that {.arg encoding} says.",
    x = "Some text of {.val {name}} is not valid in {.val {data$encoding}}.",
    i = "Files of older programs often are in {.val latin1}."
  )
  texts
}

# Calls `use` with the codes of the columns of one block after the other, where the first of its
# records comes from, and the texts of all codes so far.
for_text <- function(data, columns, use) {
  reader <- cpp_open_text(data$sep, length(columns))
  texts <- rep(list(character()), length(columns))
  for (path in data$path) {
    names <- text_columns(data, path)
    cpp_begin_text(reader, length(names), places_in_file(columns, names, path),
                   is.null(data$names))
    done <- 0
    for_blocks(data, path, function(bytes, is_last) {
      read <- with_core(cpp_read_text(reader, bytes, is_last, length(columns)), in_file(path))
      for (v in seq_along(columns)) {
        more <- decoded(cpp_texts(reader, v, length(texts[[v]])), data, columns[v])
        more[more %in% data$missing] <- NA
        texts[[v]] <<- c(texts[[v]], more)
      }
      use(read$codes, read$n, texts, function(at) paste("Record", done + at, "of", basename(path)))
      done <<- done + read$n
      FALSE
    })
  }
  rlang::set_names(texts, columns)
}

count_text <- function(data, streams, all, weightVar, na, warns) {
  columns <- c(all, weightVar)
  places <- lapply(streams, function(stream) match(stream$variables, columns))
  texts <- for_text(data, columns, function(codes, n, texts, where) {
    counts <- if (is.null(weightVar)) rep(1, n) else
      text_weights(codes[[length(columns)]], texts[[length(columns)]], where)
    missing <- vapply(seq_along(all), function(v) {
      if (anyNA(texts[[v]])) sum(is.na(texts[[v]])[codes[[v]]]) else 0
    }, 1)
    for (s in seq_along(streams)) {
      streams[[s]]$missing <- streams[[s]]$missing + missing[places[[s]]]
      with_core(cpp_add_cells(streams[[s]]$cells, codes[places[[s]]], counts))
    }
  })
  # what stream_table() wants to know of a column: its texts, as a factor
  known <- Map(function(texts, name) {
    list(kind = "factor", values = texts, levels = text_levels(texts, name, data))
  }, texts[all], all)
  for (stream in streams) stream$known <- unname(known[stream$variables])
  if (warns) warn_of_counts(lapply(texts[all], as_plain_numbers))
}

text_weights <- function(codes, texts, where) {
  values <- suppressWarnings(as.numeric(texts))
  check_that(
    !any(is.na(values) & !is.na(texts)),
    "{.arg weightVar} must hold whole numbers from 0 to 2^53.",
    x = "{where(which(is.na(values)[codes] & !is.na(texts)[codes])[1])} is no number."
  )
  whole_counts(values[codes], "weightVar", where)
}

text_levels <- function(texts, name, data) {
  given <- data$levels[[name]]
  if (!is.null(given)) {
    given_levels(texts, given, name)
    return(given)
  }
  distinct <- unique(texts[!is.na(texts)])
  numbers <- as_plain_numbers(distinct)
  if (is.numeric(numbers)) distinct[order(numbers)] else levels(factor(distinct))
}

# Numbers, where all texts are written as plain numbers are, without a zero too many.
as_plain_numbers <- function(texts) {
  plain <- grepl("^-?(0|[1-9][0-9]{0,14})$|^-?(0|[1-9][0-9]{0,7})[.][0-9]{0,6}[1-9]$",
                 texts[!is.na(texts)])
  if (all(plain)) as.numeric(texts) else texts
}

# A data frame of all records: factors, and the numbers of one column.
all_text_records <- function(data, columns, number) {
  parts <- list()
  texts <- for_text(data, columns, function(codes, n, texts, where) {
    parts[[length(parts) + 1]] <<- list(codes = codes, n = n)
  })
  out <- lapply(rlang::set_names(seq_along(columns), columns), function(v) {
    codes <- unlist(lapply(parts, function(part) part$codes[[v]]))
    if (columns[v] == number) return(utils::type.convert(texts[[v]], as.is = TRUE)[codes])
    factor(texts[[v]][codes], text_levels(texts[[v]], columns[v], data))
  })
  list2data_frame(out, sum(vapply(parts, `[[`, 1, "n")))
}

# Where columns stand in a file.
places_in_file <- function(columns, names, path) {
  at <- match(columns, names)
  again <- columns[columns %in% names[duplicated(names)]]
  check_that(
    !anyNA(at) && length(again) == 0,
    "Each file must have each column that is asked for, once.",
    x = if (anyNA(at)) "There is no column {.val {columns[is.na(at)][1]}} in {.file {path}}." else
      "More than one column of {.file {path}} has the name {.val {again[1]}}."
  )
  at
}

# Values, none of which may be other than the levels that were given.
given_levels <- function(values, levels, name) {
  other <- values[!is.na(values) & !values %in% levels]
  check_that(
    length(other) == 0,
    "{.arg levels} must have all values of a column.",
    x = "{.val {name}} has the value {.val {other[1]}}, which is not among its levels."
  )
  values
}
