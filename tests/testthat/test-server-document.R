skip_if_no_store()

all_documents <- function(service) {
  list.files(service$documents, recursive = TRUE, full.names = TRUE)
}

test_that("property: documents are written once and named by their bytes, in all processes", {
  place <- file.path(withr::local_tempdir(), "releases.sqlite")
  service <- local_service(server_of(store = place))
  post_wish(service, c("A", "B"))
  answers <- lapply(names(table_formats), function(format) {
    api_get(service, paste0("/v1/tables/03/data?format=", format))
  })
  files <- vapply(answers, `[[`, "", "file")
  hashes <- vapply(files, function(path) as.character(openssl::sha256(file(path))), "")
  expect_identical(basename(dirname(files)), unname(hashes))
  expect_identical(basename(dirname(dirname(files))), names(table_formats))
  links <- vapply(answers, function(answer) answer$headers[["Content-Location"]], "")
  expect_identical(paste0(service$documents, sub("/v1/documents", "", links)), files)
  made <- file.mtime(files)
  api_get(service, "/v1/tables/03/data", as = "bob")
  expect_identical(file.mtime(files), made)
  expect_setequal(all_documents(service), files)
  # a second process, with a folder of its own
  other <- new_service(server_of(store = place))
  withr::defer(close_service(other))
  same <- vapply(names(table_formats), function(format) document_of(other, 1:2, format)$link, "")
  expect_identical(unname(same), links)
})

test_that("property: documents hold what is released, however they are asked for", {
  x <- czech_workers
  service <- local_service(server_of(x = x))
  post_wish(service, c("A", "B"))
  ids <- vapply(0:63, function(mask) sprintf("%02x", mask), "")
  for (id in ids) {
    for (format in names(table_formats)) {
      api_get(service, paste0("/v1/tables/", id, "/data?format=", format))
    }
  }
  sets <- c(list(integer()), as.list(1:6), list(1:2))
  expect_length(all_documents(service), length(sets) * length(table_formats))
  # each is what anybody can write who has the released tables and nothing more
  for (set in sets) {
    public <- if (length(set) > 0) margin(x, LETTERS[set]) else NULL
    if (is.null(public)) next
    written <- write_table_format(
      sdc_table(as.table(public)), "csv", meta = list(id = set_id(service$server, set))
    )
    own <- document_of(service, set, "csv")$file
    expect_identical(readChar(own, file.size(own), useBytes = TRUE), written)
  }
})

test_that("property: a state document is made once for each state, and its ETag follows it", {
  service <- local_service()
  made <- 0
  view <- view_levels
  local_mocked_bindings_store(view_levels = function(...) {
    made <<- made + 1
    view(...)
  })
  first <- api_get(service, "/v1/levels")
  again <- api_get(service, "/v1/levels", as = "bob",
                   headers = list(`if-none-match` = first$headers[["ETag"]]))
  expect_identical(made, 1)
  expect_identical(again$status, 304)
  expect_identical(again$text, "")
  operator <- api_get(service, "/v1/levels", as = "olga")
  expect_identical(made, 2)
  expect_false(identical(operator$text, first$text))
  post_wish(service, c("A", "B"))
  after <- api_get(service, "/v1/levels", headers = list(`if-none-match` = first$headers[["ETag"]]))
  expect_identical(made, 3)
  expect_identical(after$status, 200)
  expect_false(identical(after$headers[["ETag"]], first$headers[["ETag"]]))
  # what a user asked is in their card alone
  mine <- api_get(service, "/v1/card?variables=A,B")$json$asked$outcome
  expect_identical(mine, "released")
  expect_null(api_get(service, "/v1/card?variables=A,B", as = "bob")$json$asked)
  post_wish(service, c("A", "B"), as = "bob")
  expect_identical(api_get(service, "/v1/card?variables=A,B", as = "bob")$json$asked$outcome,
                   "already")
})

test_that("property: over a socket documents come without R, with their type, to be kept", {
  skip_if_no_socket()
  process <- local_process(local_place())
  data <- http(process, "GET", "/v1/tables/01/data")
  document <- http(process, "GET", data$headers$`content-location`)
  expect_identical(document$status, 200L)
  expect_identical(document$text, data$text)
  expect_identical(document$headers$`content-type`, "text/csv; charset=utf-8")
  expect_match(document$headers$`cache-control`, "public, .*immutable")
  expect_match(document$headers$`content-security-policy`, "default-src 'self'")
  for (path in c("/v1/documents/csv/", "/v1/documents/csv/x/y.csv", "/v1/documents/csv/../../x",
                 sub("/[^/]*$", "/", data$headers$`content-location`), "/v1/documents/")) {
    expect_true(http(process, "GET", path)$status %in% c(400L, 404L), info = path)
  }
})
