# How a released table leaves: as CSV, JSON-stat 2.0, SDMX-CSV 1.0 or SDMX-ML 2.1, all in UTF-8.
#
# * `write_table_format(table, format, file, meta, zeros)` gives the text, or writes `file` in
#   chunks, so that large tables need no more memory than their cells. Whoever sends a table that
#   is large takes the file. `meta` is a list of any of `id` (of the table, [A-Za-z0-9_-]: the
#   mask), `title`, `source` (text), `agency` (letters, digits, "_" and "-", levels parted by
#   dots), `prepared` (UTC, as utc_now() writes it; for answers that are always the same bytes give
#   the time of the release) and `variables`: the names of all variables of the server, in their
#   order, from which come the ids of the dimensions. Without it they are numbered within the table.
#   `dimensions`: which of them the variables of the table are, where they have other names there.
#   `labels` has, by language, `title`, `variables` (labels named by variables of the table),
#   `concepts` (by those of the server) and `levels` (of each variable of the table its labels, in
#   the order of the levels): JSON-stat shows those of the first language, the structure message of
#   SDMX all.
# * `zeros`: is every cell given, or only those that are not zero? By default every cell, up to
#   `max_format_cells`. Beyond, who reads the table must know that what is not given is zero:
#   JSON-stat says so itself, for the others `gives_zeros()` tells the server, which says it.
# * `sdmx_structure(dimnames, meta)` gives the structure message that goes with the SDMX formats
#   (publication-format-sdmx.R): of all variables, or of those of one table.
# * `table_formats` are the media types, by the name of the format.
#
# CSV follows RFC 4180: lines end with CRLF, a field is quoted when it must be. A missing level is
# an empty field, an empty label is `""`. The column of counts is called `count`, or `count.1`, ...
# where a variable has that name. Names and labels that begin with =, +, -, @, a tab or a line's
# end, which a spreadsheet would take for a formula, get an apostrophe before them and are quoted
# (what OWASP advises against CSV injection); so do those that have apostrophes before such a sign
# already, so that no two become one. Other readers see the apostrophe; the other formats, which
# no spreadsheet opens by itself, have the labels as they are. So has SDMX-CSV: its codes never
# begin with such a sign.
#
# JSON-stat has one dimension for each variable, under its own name, and the values as an array, the
# last variable fastest. An array even where most counts are zero: in an object, a value that is not
# there is missing, and a zero is not. Only beyond `max_format_cells` it is an object, with a note.
# A table without variables gets one dimension, TOTAL, with one category, _T, as in SDMX-ML, because
# readers stumble over none.
#
# Complexity: O(cells given times variables), in chunks of `format_chunk` cells; no loop over cells.

# A new format is one line of this table: its media type, the end of its files, and what writes it.
format_table <- list(
  csv = list("text/csv; charset=utf-8", "csv", function(source, meta) csv_parts(source)),
  json = list("application/json", "json", function(source, meta) json_parts(source, meta)),
  `sdmx-csv` = list("application/vnd.sdmx.data+csv;version=1.0.0", "sdmx.csv",
                    function(source, meta) sdmx_csv_parts(source, meta)),
  `sdmx-ml` = list("application/vnd.sdmx.genericdata+xml;version=2.1", "xml",
                   function(source, meta) sdmx_ml_parts(source, meta))
)
table_formats <- vapply(format_table, `[[`, "", 1)
file_ends <- vapply(format_table, `[[`, "", 2)
structure_media_type <- "application/vnd.sdmx.structure+xml;version=2.1"

max_format_cells <- 2e6
format_chunk <- 50000

gives_zeros <- function(table) length(table) <= max_format_cells

write_table_format <- function(table, format, file = NULL, meta = list(),
                               zeros = gives_zeros(table)) {
  check_class(table, "sdc_table")
  check_given(format)
  format <- check_choice(format, names(table_formats))
  check_flag(zeros)
  if (!is.null(file)) check_string(file)
  meta <- format_meta(meta, names(table$dimnames))
  source <- cell_source(table, zeros)
  parts <- format_parts(format, source, meta)
  if (is.null(file)) format_text(parts) else format_file(parts, file)
}

format_parts <- function(format, source, meta) format_table[[format]][[3]](source, meta)

meta_fault <- function(meta, known) {
  if (!is.list(meta)) {
    return(describe(meta))
  }
  strange <- setdiff(names(meta), c(known, ""))
  if (length(strange) > 0) paste0("It has \"", strange[1], "\".") else names_fault(meta)
}

# ---- from cells to text -------------------------------------------------------------------------

# `parts`: `head` and `foot`, the `n` cells between them, and `piece(from, to)`, the text of some.
format_text <- function(parts) {
  starts <- chunk_starts(parts$n)
  pieces <- vapply(starts, function(from) parts$piece(from, chunk_end(from, parts$n)), "")
  paste0(c(parts$head, pieces, parts$foot), collapse = "")
}

# A file that could not be written whole is not left behind.
format_file <- function(parts, file) {
  con <- base::file(file, open = "wb")
  done <- FALSE
  on.exit({
    close(con)
    if (!done) unlink(file)
  })
  write <- function(text) writeBin(charToRaw(enc2utf8(text)), con)
  write(parts$head)
  for (from in chunk_starts(parts$n)) write(parts$piece(from, chunk_end(from, parts$n)))
  write(parts$foot)
  done <- TRUE
  invisible(file)
}

chunk_starts <- function(n) if (n == 0) numeric() else seq(1, n, by = format_chunk)

chunk_end <- function(from, n) min(n, from + format_chunk - 1)

# What is given, as the formats read it. `dimnames`; `n`, the number of cells that are given;
# `cells(at)`: of some of them, in order, `codes`, the levels of each variable, and `values`, text,
# NA where a cell is suppressed. `whole`: are all cells given, the first variable fastest? If not,
# `note` says what the others are. `marks`: may cells be suppressed?
new_source <- function(dimnames, n, cells, whole, note = NULL, marks = FALSE) {
  list(dimnames = dimnames, n = n, cells = cells, whole = whole, note = note, marks = marks)
}

cell_source <- function(table, zeros) {
  size <- dim(table)
  if (!zeros) {
    codes <- stored_codes(table)
    return(new_source(table$dimnames, length(table$counts), function(at) {
      list(codes = lapply(codes, `[`, at), values = whole_text(table$counts[at]))
    }, FALSE, "Cells that are not listed are zero."))
  }
  counts <- dense_counts(table)
  new_source(table$dimnames, length(counts), function(at) {
    list(codes = split_codes(at, size), values = whole_text(counts[at]))
  }, TRUE)
}

# ---- CSV ----------------------------------------------------------------------------------------

csv_parts <- function(source) {
  names <- utf8_text(names(source$dimnames))
  labels <- lapply(source$dimnames, function(levels) {
    paste0(csv_fields(utf8_text(levels)), ",", recycle0 = TRUE)
  })
  header <- paste(csv_fields(c(names, free_name("count", names))), collapse = ",")
  list(head = paste0(header, "\r\n"), foot = "", n = source$n,
       piece = rows_piece(source, labels, NULL, function(values) paste0(values, "\r\n")))
}

csv_fields <- function(x, sep = ",") {
  formula <- !is.na(x) & grepl("^'*[-=+@\t\r\n\uff1d\uff0b\uff0d\uff20]", x)
  x[formula] <- paste0("'", x[formula])
  quoted <- formula | (!is.na(x) & grepl(paste0("[\"", sep, "\r\n]|^$|^[ \t]|[ \t]$"), x))
  x[quoted] <- paste0("\"", gsub("\"", "\"\"", x[quoted], fixed = TRUE), "\"")
  x[is.na(x)] <- ""
  x
}

# ---- JSON-stat ----------------------------------------------------------------------------------

json_parts <- function(source, meta) {
  dimnames <- source$dimnames
  if (length(dimnames) == 0) dimnames <- list(TOTAL = "_T")
  names <- utf8_text(names(dimnames))
  dimensions <- Map(function(name, levels) json_dimension(name, levels, meta), names,
                    unname(dimnames))
  values <- if (source$whole) json_array(source) else json_object(source)
  head <- paste0(
    "{\"version\":\"2.0\",\"class\":\"dataset\",\"label\":", json_strings(utf8_text(meta$title)),
    ",\"source\":", json_strings(utf8_text(meta$source %||% meta$agency)),
    if (!is.na(meta$prepared)) paste0(",\"updated\":", json_strings(meta$prepared)),
    json_notes(c(source$note, meta$note)),
    ",\"extension\":{\"id\":", json_strings(meta$id),
    if (source$marks) ",\"status\":{\"label\":{\"c\":\"confidential, suppressed\"}}", "}",
    ",\"id\":[", paste(json_strings(names), collapse = ","),
    "],\"size\":[", paste(lengths(dimnames), collapse = ","),
    "],\"dimension\":{", paste(dimensions, collapse = ","), "}",
    if (source$marks) json_status(source), ",\"value\":", values$open
  )
  list(head = head, foot = paste0(values$close, "}\n"), n = values$n, piece = values$piece)
}

json_notes <- function(notes) {
  if (length(notes) > 0) {
    paste0(",\"note\":[", paste(json_strings(utf8_text(notes)), collapse = ","), "]")
  }
}

# A category is called by its level; its label stands beside it where it is another.
json_dimension <- function(name, levels, meta) {
  codes <- level_texts(levels)
  labels <- labels_of_levels(meta, name, levels)
  label <- meta$labels[[1]]$variables[name]
  if (is.na(label)) label <- name
  shown <- if (!identical(codes, labels)) {
    paste0(",\"label\":{", paste0(json_strings(codes), ":", json_strings(labels), collapse = ","),
           "}")
  }
  paste0(json_strings(name), ":{\"label\":", json_strings(label),
         ",\"category\":{\"index\":[", paste(json_strings(codes), collapse = ","), "]", shown, "}}")
}

# All values, the last variable fastest.
json_array <- function(source) {
  size <- lengths(source$dimnames, FALSE)
  values <- source$cells(seq_len(source$n))$values
  if (length(size) > 1) values <- as.vector(aperm(array(values, size)))
  values[is.na(values)] <- "null"
  list(open = "[", close = "]", n = length(values), piece = function(from, to) {
    json_list(values[from:to], from)
  })
}

# Some cells, each with its place in the array.
json_object <- function(source) {
  check_places(source$dimnames)
  list(open = "{", close = "}", n = source$n, piece = function(from, to) {
    cells <- source$cells(from:to)
    values <- ifelse(is.na(cells$values), "null", cells$values)
    json_list(paste0("\"", json_places(cells$codes, source$dimnames), "\":", values), from)
  })
}

json_places <- function(codes, dimnames) {
  if (length(codes) == 0) {
    return("0")
  }
  stride <- rev(cumprod(c(1, rev(lengths(dimnames, FALSE)[-1]))))
  whole_text(Reduce(`+`, Map(function(code, step) (code - 1) * step, codes, stride), 0))
}

# The suppressed cells, by their places.
json_status <- function(source) {
  check_places(source$dimnames)
  cells <- source$cells(seq_len(source$n))
  hidden <- is.na(cells$values)
  places <- json_places(lapply(cells$codes, `[`, hidden), source$dimnames)
  marks <- paste0("\"", places[seq_len(sum(hidden))], "\":\"c\"", recycle0 = TRUE)
  paste0(",\"status\":{", paste(marks, collapse = ","), "}")
}

check_places <- function(dimnames) {
  n <- prod(lengths(dimnames))
  if (n > 2^53) {
    abort_sdc("too_large", c(
      "A table in JSON-stat must have at most 2^53 cells.",
      x = "It has {format_count(n)}.",
      i = "Ask for CSV."
    ))
  }
}

json_list <- function(items, from) {
  paste0(if (from > 1) ",", paste(items, collapse = ","))
}
