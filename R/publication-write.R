# Publications in the formats of other programs. write_publication() asks for their files: a list,
# by the name of the file, of texts, or of functions that write a file.

# What the formats of publication_formats are called where tables of any origin are written.
format_names <- c(`json-stat` = "json", `sdmx-csv` = "sdmx-csv", `sdmx-ml` = "sdmx-ml")

publication_formats <- c("csv", names(format_names), "xlsx")

# The files of each format.
exchange_names <- list(
  `json-stat` = "table.json", `sdmx-csv` = c("table.sdmx.csv", "structure.xml"),
  `sdmx-ml` = c("table.sdmx.xml", "structure.xml"), xlsx = "table.xlsx"
)

exchange_files <- function(x, format, meta, suppressed) {
  cells <- shown_cells(x)
  check_writable_labels(cells$dimnames)
  dated <- !is.null(meta$prepared)
  meta <- published_meta(x, cells, meta)
  if (format == "xlsx") {
    book <- make_workbook(x, cells, meta, dated, suppressed)
    write <- function(file) openxlsx::saveWorkbook(book, file, overwrite = TRUE)
    return(rlang::set_names(list(write), exchange_names$xlsx))
  }
  if (format == "json-stat" && !dated) meta$prepared <- NA_character_
  text <- format_text(format_parts(format_names[[format]], published_source(cells), meta))
  structure <- if (format != "json-stat") {
    sdmx_structure(cells$dimnames, meta, cells$marks, any(cells$values %% 1 != 0, na.rm = TRUE))
  }
  rlang::set_names(as.list(c(text, structure)), exchange_names[[format]])
}

published_meta <- function(x, cells, meta) {
  what <- to_document(x)$what
  meta$note <- c(meta$note, what, cells$note)
  meta$measure <- meta$measure %||% if (cells$counts) "Count" else cells$measure
  format_meta(meta, names(cells$dimnames))
}

# ---- spreadsheets -------------------------------------------------------------------------------

# Three sheets: the table, what its signs mean, and what is known of it.
make_workbook <- function(x, cells, meta, dated, suppressed) {
  check_installed("openxlsx", "to write spreadsheets")
  check_string(suppressed)
  book <- openxlsx::createWorkbook(creator = "sdcLattice", title = meta$title)
  # the time of writing is nobody's business
  book$core <- sub("<dcterms:created.*</dcterms:created>", "", book$core)
  sheet <- sheet_of(cells)
  add_table_sheet(book, sheet, cells, suppressed)
  add_text_sheet(book, "Legend", legend_rows(cells, suppressed))
  add_text_sheet(book, "Metadata", metadata_rows(x, meta, dated))
  book
}

# Where each cell stands. All cells of at least two variables: the last variable goes across, where
# it has at most 200 levels; else a line for each cell.
sheet_of <- function(cells) {
  k <- length(cells$dimnames)
  n <- length(cells$values)
  across <- cells$whole && k > 1 && length(cells$dimnames[[k]]) <= 200
  columns <- if (across) length(cells$dimnames[[k]]) else 1
  rows <- n / columns
  check_size(rows, 1048575, "lines of a spreadsheet")
  heads <- if (across) level_texts(cells$dimnames[[k]]) else cells$measure
  down <- if (across) k - 1 else k
  list(
    rows = rows, columns = columns, down = down,
    heads = c(utf8_text(names(cells$dimnames)[seq_len(down)]), heads),
    labels = Map(function(code, levels) level_texts(levels)[code[seq_len(rows)]],
                 cells$codes[seq_len(down)], unname(cells$dimnames)[seq_len(down)])
  )
}

add_table_sheet <- function(book, sheet, cells, suppressed) {
  openxlsx::addWorksheet(book, "Table")
  write <- function(what, column, row) {
    openxlsx::writeData(book, "Table", what, column, row, colNames = FALSE, keepNA = TRUE,
                        na.string = suppressed)
  }
  write(as.data.frame(t(sheet$heads)), 1, 1)
  if (sheet$rows > 0) {
    for (v in seq_len(sheet$down)) write(sheet$labels[[v]], v, 2)
    write(as.data.frame(matrix(cells$values, sheet$rows, sheet$columns)), sheet$down + 1, 2)
    style_table(book, sheet, cells)
  }
  openxlsx::freezePane(book, "Table", firstActiveRow = 2, firstActiveCol = sheet$down + 1)
  openxlsx::setColWidths(book, "Table", seq_along(sheet$heads), "auto")
}

style_table <- function(book, sheet, cells) {
  bold <- openxlsx::createStyle(textDecoration = "bold")
  openxlsx::addStyle(book, "Table", bold, 1, seq_along(sheet$heads))
  whole <- all(cells$values %% 1 == 0, na.rm = TRUE)
  number <- openxlsx::createStyle(numFmt = if (whole) "#,##0" else "#,##0.############",
                                  halign = "right")
  columns <- sheet$down + seq_len(sheet$columns)
  openxlsx::addStyle(book, "Table", number, 1 + seq_len(sheet$rows), columns, gridExpand = TRUE)
  at <- which(total_cells(cells))
  openxlsx::addStyle(book, "Table", bold, 2 + (at - 1) %% sheet$rows,
                     sheet$down + 1 + (at - 1) %/% sheet$rows, stack = TRUE)
  for (v in seq_len(sheet$down)) {
    over <- which(cells$codes[[v]][seq_len(sheet$rows)] > cells$leaves[[v]])
    openxlsx::addStyle(book, "Table", bold, 1 + over, v, stack = TRUE)
  }
}

add_text_sheet <- function(book, name, rows) {
  openxlsx::addWorksheet(book, name)
  openxlsx::writeData(book, name, rows, colNames = FALSE)
  bold <- openxlsx::createStyle(textDecoration = "bold")
  openxlsx::addStyle(book, name, bold, seq_len(nrow(rows)), 1)
  openxlsx::setColWidths(book, name, 1:2, c(24, 100))
  wrap <- openxlsx::createStyle(wrapText = TRUE, valign = "top")
  openxlsx::addStyle(book, name, wrap, seq_len(nrow(rows)), 2)
}

legend_rows <- function(cells, suppressed) {
  rows <- list(
    if (cells$marks) c(suppressed, "Suppressed: the value is confidential and not published."),
    c("bold", "Totals, and the names of variables."),
    c("0", paste("A", if (cells$counts) "count" else "value", "of zero, as published.")),
    if (!cells$whole) c("(not listed)", cells$note)
  )
  rows <- Filter(Negate(is.null), rows)
  data.frame(sign = vapply(rows, `[[`, "", 1), meaning = vapply(rows, `[[`, "", 2))
}

# What the publication says of itself: the method, and what is guaranteed.
metadata_rows <- function(x, meta, dated) {
  members <- to_document(x)$members
  parameters <- c(members$parameters, members$mechanism)
  words <- unlist(parameters[endsWith(names(parameters), "_in_words")])
  lines <- format(x)
  names <- c(
    "Title", if (meta$agency != "SDC") "Producer", if (dated) "Date", "Content",
    rep("Method", length(lines)), rep("What is guaranteed", length(words)), "Software"
  )
  values <- c(
    meta$title, if (meta$agency != "SDC") meta$agency, if (dated) meta$prepared, meta$note[[1]],
    lines, words, "R package sdcLattice"
  )
  data.frame(name = names, value = utf8_text(values))
}
