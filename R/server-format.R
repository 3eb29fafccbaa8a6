# The formats in which a table server offers tables, and the catalogue of them: media types by name.
# server-download.R writes them.

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
