# Downloads of a released table: the formats for programs (publication-format.R), two for people who
# work in a spreadsheet, and the catalogue of all released tables.
#
# * `csv-sheet`: CSV with the labels of the metadata, after some lines that say what the table is.
#   It begins with a byte order mark, by which spreadsheets know UTF-8. Between fields stands a
#   comma, or a semicolon where the decimal mark of the language is a comma, as spreadsheets there
#   expect. What could be taken for a formula is neutralised like in plain CSV (csv_fields()).
# * `xlsx`: a sheet with the table and a sheet about it, by the package openxlsx. Texts are texts
#   there, never formulas.

# The formats in which tables are offered, and the catalogue of them: media types by name.
download_formats <- c(
  table_formats,
  `csv-sheet` = "text/csv; charset=utf-8",
  xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

# Without the package that writes them, spreadsheets are not offered.
offered_formats <- function(has_book = can_make_books()) {
  download_formats[has_book | names(download_formats) != "xlsx"]
}

# Looked for once: each download asks.
can_make_books <- local({
  known <- NULL
  function() {
    if (is.null(known)) known <<- requireNamespace("openxlsx", quietly = TRUE)
    known
  }
})

# Of spreadsheets, which have no more lines.
max_book_rows <- 1048000

catalogue_formats <- c(json = "application/json", sdmx = structure_media_type)
max_catalogue <- 1000

# ---- documents ----------------------------------------------------------------------------------

# Each released table, in each of its forms, is written once, into a file that is named by the hash
# of its bytes and never changes. A file server sends it without R: httpuv's own threads, or nginx.
# Documents hold what is published and nothing else, so they ask for no token; who does not have the
# table, or its address from the API, cannot name the file.
#
# `/v1/tables/{id}/data` sends the same file, to who may ask, and says its lasting address in the
# header `Content-Location`.

documents_folder <- function(folder) {
  folder <- folder %||% tempfile("sdcLattice-documents")
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  for (format in names(download_formats)) {
    dir.create(file.path(folder, format), showWarnings = FALSE)
  }
  folder
}

# For httpuv: a path for each format, as each has a media type of its own.
document_paths <- function(service) {
  paths <- lapply(names(download_formats), function(format) {
    httpuv::staticPath(
      file.path(service$documents, format), indexhtml = FALSE, fallthrough = FALSE,
      headers = as.list(c(security_headers, `Content-Type` = download_formats[[format]],
                          `Cache-Control` = "public, max-age=31536000, immutable"))
    )
  })
  stats::setNames(paths, paste0("/v1/documents/", names(download_formats)))
}

# list(file, link, etag) of a released table; made when it is asked for first. Whatever process
# makes it, it has the same bytes, and so the same name; but for workbooks, which hold the time at
# which they were packed. `lang`: of the labels.
document_of <- function(service, set, format, lang = NULL) {
  server <- service$server
  id <- set_id(server, set)
  known <- known_document(service, id, format, lang)
  if (!is.null(known)) {
    return(known)
  }
  part <- tempfile("part-", service$documents)
  on.exit(unlink(part))
  write_download(server, set, format, part, file_meta(server, set, service$agency), lang)
  hash <- as.character(openssl::sha256(file(part)))
  place <- file.path(format, hash, file_name(server, set, format, lang))
  file <- file.path(service$documents, place)
  dir.create(dirname(file), showWarnings = FALSE)
  # also over one that is there: after a power cut it may lack its end
  file.rename(part, file)
  service$made[[document_key(id, format, lang)]] <- list(
    file = file, link = paste0("/v1/documents/", place),
    etag = paste0("\"", substr(hash, 1, 32), "\"")
  )
  known_document(service, id, format, lang)
}

document_key <- function(id, format, lang) paste(c(id, format, lang), collapse = " ")

known_document <- function(service, id, format, lang = NULL) {
  known <- service$made[[document_key(id, format, lang)]]
  if (!is.null(known) && file.exists(known$file)) known
}

# ---- files --------------------------------------------------------------------------------------

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
