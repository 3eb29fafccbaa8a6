# Downloads of a released table: the formats for programs (publication-format.R), two for people who
# work in a spreadsheet, and the catalogue of all released tables.
#
# * `csv-sheet`: CSV with the labels of the metadata, after some lines that say what the table is.
#   It begins with a byte order mark, by which spreadsheets know UTF-8. Between fields stands a
#   comma, or a semicolon where the decimal mark of the language is a comma, as spreadsheets there
#   expect. What could be taken for a formula is neutralised like in plain CSV (csv_fields()).
# * `xlsx`: a sheet with the table and a sheet about it, by the package openxlsx. Texts are texts
#   there, never formulas.

write_download <- function(server, set, format, file, meta, lang) {
  table <- released_table(server, set_variables(server, set))
  title <- table_title(server, set, lang)
  notes <- table_notes(server, lang)
  if (format %in% names(table_formats)) {
    if (!is.null(lang)) {
      meta <- c(meta, title = title, list(labels = format_labels(server, set, lang)))
      meta$source <- in_language(server$metadata$source, lang)
      if (format == "json") meta$note <- unname(notes[names(notes) != "source"])
    }
    return(write_table_format(table, format, file, meta))
  }
  about <- c(title = title, notes, released = meta$prepared, table = meta$id)
  zeros <- gives_zeros(table)
  cells <- cell_source(table, zeros)
  if (!zeros) about <- c(about, note = cells$note)
  columns <- label_columns(server, set, lang)
  words <- sheet_words[[if (identical(sub("-.*", "", lang %||% "en"), "de")) "de" else "en"]]
  names(about) <- words[names(about)]
  if (format == "xlsx") return(write_book(cells, columns, about, words, file))
  format_file(sheet_csv_parts(cells, columns, about, words), file)
}

# The few words that these files have of their own.
sheet_words <- list(
  en = c(title = "Title", description = "Description", universe = "Universe", source = "Source",
         contact = "Contact", licence = "Licence", address = "Address", released = "Released",
         table = "Number of the table", note = "Note", count = "Count", sep = ",",
         sheet = "Table", about = "About"),
  de = c(title = "Titel", description = "Beschreibung", universe = "Grundgesamtheit",
         source = "Quelle", contact = "Kontakt", licence = "Lizenz", address = "Adresse",
         released = "Ver\u00f6ffentlicht", table = "Nummer der Tabelle", note = "Anmerkung",
         count = "Anzahl", sep = ";", sheet = "Tabelle", about = "Beschreibung")
)

# For each variable the labels of its levels, named by its own label.
label_columns <- function(server, set, lang) {
  at <- finest_steps(server$steps, set)
  rlang::set_names(lapply(at, function(v) category_labels(server, v, lang)),
                   variable_labels(server, lang, at))
}

sheet_csv_parts <- function(cells, columns, about, words) {
  sep <- words[["sep"]]
  line <- function(fields) paste0(paste(csv_fields(fields, sep), collapse = sep), "\r\n")
  labels <- lapply(columns, function(own) paste0(csv_fields(own, sep), sep, recycle0 = TRUE))
  notes <- vapply(seq_along(about), function(i) line(c(names(about)[i], about[[i]])), "")
  head <- paste0("\ufeff", paste(notes, collapse = ""), "\r\n",
                 line(c(names(columns), words[["count"]])))
  list(head = head, foot = "", n = cells$n,
       piece = rows_piece(cells, labels, NULL, function(values) paste0(values, "\r\n")))
}

# A line for each cell, which filters and pivot tables of spreadsheets want.
write_book <- function(cells, columns, about, words, file) {
  check_installed("openxlsx", "to write spreadsheets")
  check_size(cells$n, max_book_rows, "lines of a spreadsheet")
  sheet <- words[["sheet"]]
  book <- openxlsx::createWorkbook(creator = "sdcLattice", title = about[[1]])
  # the time of writing is nobody's business
  book$core <- sub("<dcterms:created.*</dcterms:created>", "", book$core)
  openxlsx::addWorksheet(book, sheet)
  found <- cells$cells(seq_len(cells$n))
  shown <- c(unname(Map(function(own, code) own[code], columns, found$codes)),
             list(as.numeric(found$values)))
  names(shown) <- make.unique(c(names(columns), words[["count"]]))
  bold <- openxlsx::createStyle(textDecoration = "bold", wrapText = TRUE, valign = "top")
  openxlsx::writeData(book, sheet, list2data_frame(shown, cells$n), headerStyle = bold,
                      withFilter = TRUE)
  number <- openxlsx::createStyle(numFmt = "#,##0")
  openxlsx::addStyle(book, sheet, number, 1 + seq_len(cells$n), length(shown), stack = TRUE)
  openxlsx::freezePane(book, sheet, firstRow = TRUE)
  openxlsx::setColWidths(book, sheet, seq_along(shown), "auto")
  add_text_sheet(book, paste(words[["about"]], if (words[["about"]] == sheet) "2"),
                 data.frame(name = names(about), value = unname(about)))
  openxlsx::saveWorkbook(book, file, overwrite = TRUE)
  invisible(file)
}

# What a browser saves a table as: letters and digits of ASCII, of the titles that a reader knows.
file_name <- function(server, set, format, lang = NULL) {
  title <- in_language(server$metadata$title, lang) %||% "table"
  names <- id_text(c(title, variable_labels(server, lang, finest_steps(server$steps, set))))
  names <- paste(names[nzchar(names)], collapse = "_")
  end <- c(file_ends, `csv-sheet` = "sheet.csv", xlsx = "xlsx")[[format]]
  # some file systems take no more than 255 bytes
  paste0(substr(names, 1, 120), "-", set_id(server, set), ".", end)
}

# What files of a released table say of it.
file_meta <- function(server, set, agency) {
  list(id = set_id(server, set), agency = agency, variables = server$variables,
       dimensions = set_variables(server, set),
       prepared = first_release(server, set)$at %||% server_began(server))
}

# The same for all processes: when the store was made.
server_began <- function(server) read_meta(server$store, "created_at")

# ---- the catalogue ------------------------------------------------------------------------------

# Tables as they were released one after the other; parts of them are released too, and not listed.

# A collection of JSON-stat 2.0.
catalogue_json <- function(server, rows, lang, agency) {
  links <- lapply(rows, function(row) {
    id <- set_id(server, row$set)
    list(
      class = "dataset", href = paste0(data_link(id), "?format=json"), type = "application/json",
      label = table_title(server, row$set, lang),
      updated = row$at %||% server_began(server),
      extension = list(id = id, variables = as.list(set_variables(server, row$set)),
                       release_no = row$release_no, cells = n_cells_of(server, row$set))
    )
  })
  notes <- table_notes(server, lang)
  notes <- notes[names(notes) != "source"]
  list(
    version = "2.0", class = "collection",
    label = in_language(server$metadata$title, lang) %||% "Released tables",
    source = in_language(server$metadata$source, lang) %||% agency, note = as.list(unname(notes)),
    link = list(item = links)
  )
}

# A structure message with a dataflow for each table; that of a table's own address has its codes.
catalogue_sdmx <- function(server, rows, lang, agency) {
  flows <- vapply(rows, function(row) {
    meta <- list(
      id = set_id(server, row$set), agency = agency, title = table_title(server, row$set, lang),
      variables = server$variables, labels = format_labels(server, row$set, lang)
    )
    sdmx_flow(format_meta(Filter(Negate(is.null), meta), character()))
  }, "")
  paste0(
    sdmx_open("Structure", c(structure = "structure")),
    sdmx_header(list(id = "catalogue", agency = agency, prepared = server_began(server)), ""),
    "<message:Structures>\n<structure:Dataflows>\n", paste(flows, collapse = ""),
    "</structure:Dataflows>\n</message:Structures>\n</message:Structure>\n"
  )
}
