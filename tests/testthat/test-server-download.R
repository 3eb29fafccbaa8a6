# What people save: CSV for spreadsheets, workbooks, labels in JSON-stat and SDMX, the catalogue.

skip_if_no_store()
skip_if_not_installed("yaml")

labelled_service <- function(frame = parent.frame()) {
  file <- system.file("extdata", "czech-workers.yml", package = "sdcLattice")
  metadata <- server_metadata(file, czech_workers)
  local_service(server_of(metadata = metadata, frame = frame), frame = frame)
}

service_file <- function(service, id, format, lang) {
  server <- service$server
  set <- id_set(server, id)
  document_of(service, set, format, lang)$file
}

test_that("oracle: CSV for spreadsheets has labels and counts, after lines that say what it is", {
  service <- labelled_service()
  post_wish(service, c("B", "F"))
  counts <- as.data.frame(as.table(margin(sdc_table(czech_workers), c("B", "F"))))
  for (lang in c("en", "de")) {
    answer <- api_get(service, paste0("/v1/tables/22/data?format=csv-sheet&lang=", lang))
    sep <- if (lang == "de") ";" else ","
    lines <- strsplit(answer$text, "\r\n")[[1]]
    expect_true(startsWith(lines[1], paste0("\ufeff", if (lang == "de") "Titel;" else "Title,")))
    empty <- which(lines == "")
    got <- utils::read.csv(text = lines[-seq_len(empty)], sep = sep, check.names = FALSE)
    expect_identical(names(got), list(
      en = c("Ratio of blood lipids", "Smoking", "Count"),
      de = c("Verh\u00e4ltnis der Blutfette", "Rauchen", "Anzahl")
    )[[lang]])
    expect_equal(got[[3]], counts$Freq)
    smokes <- list(en = c("does not smoke", "smokes"), de = c("raucht nicht", "raucht"))[[lang]]
    expect_identical(got[[2]], smokes[as.integer(counts$F)])
    expect_match(answer$headers[["Content-Disposition"]],
                 if (lang == "de") "Rauchen-22.sheet.csv" else "Smoking-22.sheet.csv")
  }
})

test_that("property: no field of a CSV file for spreadsheets begins as a formula", {
  evil <- c("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "a;b", "c,d")
  x <- sdc_table(data.frame(`=cmd` = evil, check.names = FALSE))
  server <- list(variables = "=cmd", dimnames = x$dimnames)
  columns <- label_columns(server, 1L, NULL)
  for (words in sheet_words) {
    parts <- sheet_csv_parts(cell_source(x, TRUE), columns, c("=x" = "@y"), words)
    text <- format_text(parts)
    sep <- words[["sep"]]
    fields <- utils::read.csv(text = sub("^\ufeff", "", text), sep = sep, header = FALSE,
                              colClasses = "character", blank.lines.skip = TRUE)
    found <- unlist(fields)
    expect_false(any(grepl("^[-=+@\t\r]", found)))
    expect_true(all(c(paste0("'", evil[1:4]), evil[7:8]) %in% fields[[1]]))
  }
})

test_that("oracle: a workbook has the counts as numbers and labels as texts", {
  skip_if_not_installed("openxlsx")
  service <- labelled_service()
  file <- withr::local_tempfile(fileext = ".xlsx")
  file.copy(service_file(service, "01", "xlsx", "de"), file)
  got <- openxlsx::read.xlsx(file, "Tabelle", check.names = FALSE, sep.names = " ")
  expect_identical(names(got), c("Herzkrankheiten in der Familie", "Anzahl"))
  expect_equal(got$Anzahl, as.numeric(margin.table(czech_workers, 1)))
  about <- openxlsx::read.xlsx(file, 2, colNames = FALSE)
  expect_true("Herzrisiken von Automobilarbeitern: Herzkrankheiten in der Familie" %in% about[[2]])
  con <- unz(file, "docProps/core.xml")
  withr::defer(close(con))
  expect_false(any(grepl("dcterms:created", readLines(con, warn = FALSE))))
})

test_that("property: a workbook is not offered where nothing can write it", {
  expect_identical(names(offered_formats(has_book = FALSE)), c(names(table_formats), "csv-sheet"))
  expect_identical(offered_formats(has_book = TRUE), download_formats)
})

test_that("property: JSON-stat and SDMX call categories by labels, and count the same", {
  service <- labelled_service()
  cube <- api_get(service, "/v1/tables/20/data?format=json&lang=de")$json
  own <- cube$dimension[["F"]]
  expect_identical(own$label, "Rauchen")
  expect_identical(own$category, list(index = list("no", "yes"),
                                      label = list(no = "raucht nicht", yes = "raucht")))
  expect_equal(unlist(cube$value), as.numeric(margin.table(czech_workers, 6)))
  expect_match(cube$label, "^Herzrisiken von Automobilarbeitern: Rauchen$")
  skip_if_not_installed("xml2")
  structure <- api_get(service, "/v1/tables/20/structure")$text
  codes <- "//structure:Code[@id='no']/common:Name"
  names <- xml2::xml_find_all(xml2::read_xml(structure), codes)
  expect_identical(xml2::xml_text(names), c("does not smoke", "raucht nicht"))
  expect_identical(xml2::xml_attr(names, "lang"), c("en", "de"))
})

test_that("property: the catalogue lists what was released, in pages, in JSON-stat and in SDMX", {
  service <- labelled_service()
  post_wish(service, c("A", "B"))
  all <- api_get(service, "/v1/catalogue?lang=en")$json
  expect_identical(all$class, "collection")
  ids <- vapply(all$link$item, function(item) item$extension$id, "")
  expect_identical(ids, c("01", "02", "04", "08", "10", "20", "03"))
  labels <- vapply(all$link$item, `[[`, "", "label")
  expect_match(labels[7], "^Heart risks.*: Heart disease in the family \u00d7 Ratio of blood")
  for (item in all$link$item) expect_identical(api_get(service, item$href)$json$class, "dataset")
  page <- api_get(service, "/v1/catalogue?limit=5")
  link <- sub("^<(.*)>.*", "/v1/catalogue\\1", page$headers[["Link"]])
  rest <- api_get(service, link)
  expect_length(rest$json$link$item, 2)
  expect_false("Link" %in% names(rest$headers))
  skip_if_not_installed("xml2")
  sdmx <- api_get(service, "/v1/catalogue?format=sdmx")
  expect_identical(sdmx$headers[["Content-Type"]], catalogue_formats[["sdmx"]])
  flows <- xml2::xml_find_all(xml2::read_xml(sdmx$text), "//structure:Dataflow")
  expect_identical(xml2::xml_attr(flows, "id"), paste0("DF_", ids))
})
