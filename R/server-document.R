# Documents: each released table, in each of its forms, is written once, into a file that is named
# by the hash of its bytes and never changes. A file server sends it without R: httpuv's own
# threads, or nginx. Documents hold what is published and nothing else, so they ask for no token;
# who does not have the table, or its address from the API, cannot name the file.
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
