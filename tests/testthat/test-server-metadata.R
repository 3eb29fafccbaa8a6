# Metadata of a table server: the file, what is wrong with it, and where its words appear.

skip_if_not_installed("yaml")

example_file <- function(name = "czech-workers.yml") {
  system.file("extdata", name, package = "sdcLattice")
}

yaml_file <- function(..., frame = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".yml", .local_envir = frame)
  writeLines(enc2utf8(c(...)), file, useBytes = TRUE)
  file
}

read_lines_of <- function(...) server_metadata(yaml_file(...), czech_workers)

test_that("property: the examples fit their tables, in both languages", {
  metadata <- server_metadata(example_file(), czech_workers)
  expect_identical(metadata$languages, c("en", "de"))
  expect_identical(metadata$variables[["F"]]$categories$no[["de"]], "raucht nicht")
  expect_identical(names(metadata$variables), LETTERS[1:6])
  large <- server_metadata(example_file("cps13.yml"), cps13)
  expect_setequal(names(large$variables), names(dimnames(cps13)))
  for (name in names(large$variables)) {
    expect_setequal(names(large$variables[[name]]$categories), dimnames(cps13)[[name]])
  }
  expect_snapshot(metadata)
})

test_that("property: a template is read back, with all variables and levels of any table", {
  x <- sdc_table(data.frame(`no` = c("yes", "n", "1e5", "0x1F", "~"),
                            `say "it": # now` = c("a: b", "- c", "\u00e4\\n", "{d}", "&e"),
                            check.names = FALSE))
  file <- withr::local_tempfile(fileext = ".yml")
  expect_identical(write_metadata(x, file, languages = c("de", "en")), file)
  metadata <- server_metadata(file, x)
  expect_identical(metadata$languages, c("de", "en"))
  for (name in names(dimnames(x))) {
    own <- metadata$variables[[name]]
    expect_identical(own$label, c(de = name, en = name))
    expect_identical(names(own$categories), dimnames(x)[[name]])
    expect_identical(unname(vapply(own$categories, `[[`, "", "en")), dimnames(x)[[name]])
  }
  expect_error(write_metadata(x, file), class = "sdc_error_input")
  expect_error(write_metadata(x, tempfile(), languages = "English"), class = "sdc_error_input")
})

test_that("property: a template of a table with trees has all that its server shows", {
  x <- table_with_ladders(array(1, c(4, 2, 3), list(a = letters[1:4], b = c("k", "l"), c = 1:3)), list(
    a = list(one = c(1, 1, 1, 2), two = c(1, 1, 2, 3)), b = list(), c = list(pair = c(1, 1, 2))
  ))
  # a table by level, too: some of its levels, or all of them
  for (table in list(x, level_table(x), level_table(x, list(a = "two")))) {
    file <- withr::local_tempfile(fileext = ".yml")
    write_metadata(table, file, languages = c("en", "de"))
    metadata <- server_metadata(file, table)
    server <- local_server(level_table(table), server_policy(risk_n(1), rule = "myopic"), metadata = metadata)
    expect_identical(names(metadata$variables), c("a", "b", "c"))
    for (v in seq_along(server$variables)) {
      own <- metadata$variables[[variable_of_step(server, v)]]
      shown <- level_dimnames(server$steps, close_set(server$steps, v))[[1]]
      expect_true(all(shown %in% names(own$categories)))
      several <- sum(server$steps$variable == server$steps$variable[v]) > 1
      expect_identical(several, server$steps$level[v] %in% names(own$levels))
    }
  }
})

test_that("property: what a file may not say is an error that names the place, and no count", {
  expect_fault <- function(pattern, ...) {
    cnd <- expect_error(read_lines_of(...), class = "sdc_error_input")
    text <- gsub("[[:space:]]+", " ", cli::ansi_strip(conditionMessage(cnd)))
    expect_match(text, pattern, fixed = TRUE)
    expect_false(grepl("\\b(1841|1,841|157)\\b", text))
  }
  head <- c("languages: [en, de]", "title: T")
  expect_fault("each after its name and a colon", character())
  expect_fault("must be a file in YAML", "title: [a")
  expect_fault("must be a file in YAML", "title: a", "title: b")
  expect_fault("must have a title", "languages: [en]")
  expect_fault("It has \"titel\"", "titel: a")
  expect_fault("codes of languages", "languages: [English]", "title: a")
  expect_fault("\"de\" is missing", head[1], "title: {en: a}")
  expect_fault("\"fr\" is not among", head[1], "title: {en: a, de: b, fr: c}")
  expect_fault("source must be a text", head, "source: [a, b]")
  expect_fault("source must be a text", head, "source:")
  expect_fault("no variable \"G\"", head, "variables: {G: {label: g}}")
  expect_fault("no category \"maybe\"", head, "variables: {F: {categories: {maybe: m}}}")
  expect_fault("no other parts than \"label\"", head, "variables: {F: {labels: f}}")
  expect_fault("label must have a text for each", head, "variables: {F: {label: {en: f}}}")
  expect_fault("topics must be a list", head, "topics: {name: a, variables: [A]}")
  expect_fault("Topic 1 lacks one", head, "topics: [{name: a}]")
  expect_fault("no variable \"Z\"", head, "topics: [{name: a, variables: [Z]}]")
  other <- server_metadata(example_file("cps13.yml"), cps13)
  expect_error(table_server(czech_workers, server_policy(risk_width(3)), metadata = other),
               class = "sdc_error_input")
  expect_error(table_server(czech_workers, server_policy(risk_width(3)), metadata = list()),
               class = "sdc_error_input")
  expect_error(server_metadata(tempfile(), czech_workers), class = "sdc_error_input")
})

test_that("property: labels come in the language that is asked for; else names stand there", {
  skip_if_no_store()
  metadata <- read_lines_of("languages: [en, de]", "title: {en: T, de: S}",
                            "topics: [{name: {en: W, de: A}, variables: [A, F]}]",
                            "variables: {F: {label: {en: smokes, de: raucht},",
                            "                categories: {no: nein}}}")
  service <- local_service(server_of(metadata = metadata))
  get <- function(address) api_get(service, address)$json
  expect_identical(get("/v1/metadata?lang=de")[c("language", "title", "source")],
                   list(language = "de", title = "S", source = NULL))
  expect_identical(get("/v1/metadata?lang=fr")$language, "en")
  expect_identical(get("/v1/metadata?lang=de-AT")$language, "de")
  expect_identical(get("/v1/metadata")$topics[[1]], list(name = "W", variables = list("v1", "v6")))
  labels <- vapply(get("/v1/structure?lang=de")$variables, `[[`, "", "label")
  expect_identical(labels, c("A", "B", "C", "D", "E", "raucht"))
  expect_identical(get("/v1/structure/v6?lang=de")[c("levels", "labels")],
                   list(levels = list("no", "yes"), labels = list("nein", "yes")))
  # without metadata there are no words of ours
  bare <- local_service()
  found <- api_get(bare, "/v1/metadata?lang=de")$json
  expect_identical(found$languages, list())
  expect_null(found$title)
  expect_identical(vapply(api_get(bare, "/v1/structure")$json$variables, `[[`, "", "label"),
                   LETTERS[1:6])
})

test_that("property: metadata may be mended while the store stays; the ledger does not change", {
  skip_if_no_store()
  store <- withr::local_tempfile(fileext = ".sqlite")
  policy <- server_policy(risk_width(3))
  first <- table_server(czech_workers, policy, store, progress = FALSE)
  hash <- request_table(first, c("A", "B"))$ledger$hash
  close(first)
  metadata <- server_metadata(example_file(), czech_workers)
  again <- table_server(czech_workers, policy, store, metadata = metadata, progress = FALSE)
  withr::defer(close(again))
  expect_identical(request_table(again, c("A", "B"))$outcome, "already")
  expect_identical(as.data.frame(again)$hash[1], hash)
})
