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
  for (format in names(table_formats)) {
    dir.create(file.path(folder, format), showWarnings = FALSE)
  }
  folder
}

# For httpuv: a path for each format, as each has a media type of its own.
document_paths <- function(service) {
  paths <- lapply(names(table_formats), function(format) {
    httpuv::staticPath(
      file.path(service$documents, format), indexhtml = FALSE, fallthrough = FALSE,
      headers = as.list(c(security_headers, `Content-Type` = table_formats[[format]],
                          `Cache-Control` = "public, max-age=31536000, immutable"))
    )
  })
  stats::setNames(paths, paste0("/v1/documents/", names(table_formats)))
}

# list(file, link, etag) of a released table; made when it is asked for first. Whatever process
# makes it, it has the same bytes, and so the same name.
document_of <- function(service, set, format) {
  id <- set_id(service$server, set)
  known <- known_document(service, id, format)
  if (!is.null(known)) {
    return(known)
  }
  part <- tempfile("part-", service$documents)
  on.exit(unlink(part))
  write_document(service, set, format, part)
  hash <- as.character(openssl::sha256(file(part)))
  place <- file.path(format, hash, file_name(service$server, set, format))
  file <- file.path(service$documents, place)
  dir.create(dirname(file), showWarnings = FALSE)
  # also over one that is there: after a power cut it may lack its end
  file.rename(part, file)
  service$made[[paste(id, format)]] <- list(file = file, link = paste0("/v1/documents/", place),
                              etag = paste0("\"", substr(hash, 1, 32), "\""))
  known_document(service, id, format)
}

known_document <- function(service, id, format) {
  known <- service$made[[paste(id, format)]]
  if (!is.null(known) && file.exists(known$file)) known
}

write_document <- function(service, set, format, file) {
  server <- service$server
  table <- released_table(server, server$variables[set])
  meta <- list(id = set_id(server, set), agency = service$agency, variables = server$variables,
               prepared = first_release(server, set)$at %||% server_began(server))
  write_table_format(table, format, file, meta)
}

# The same for all processes: when the store was made.
server_began <- function(server) read_meta(server$store, "created_at")

# What a browser saves a table as: letters and digits of ASCII.
file_name <- function(server, set, format) {
  names <- id_text(paste(c("table", server$variables[set]), collapse = "_"))
  id <- set_id(server, set)
  # some file systems take no more than 255 bytes
  paste0(substr(names, 1, 180), "-", id, ".", file_ends[[format]])
}
