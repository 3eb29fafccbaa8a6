# What earlier versions of the package wrote opens with this one. fixtures/store-0.1.0.sql is the
# dump of a store that version 0.1.0 made.

statements_of_store <- function() {
  lines <- readLines(test_path("fixtures", "store-0.1.0.sql"))
  text <- paste(lines[!startsWith(lines, "--")], collapse = "\n")
  parts <- strsplit(text, "\n====\n", fixed = TRUE)[[1]]
  lapply(parts, function(part) Filter(nzchar, trimws(strsplit(part, "\n\n+")[[1]])))
}

test_that("published: a store of version 0.1.0 opens, remembers its answers and goes on", {
  skip_if_not_installed("RSQLite")
  place <- withr::local_tempfile(fileext = ".sqlite")
  files <- c(place, paste0(place, "-anchor"))
  for (i in 1:2) {
    con <- DBI::dbConnect(RSQLite::SQLite(), files[i])
    for (sql in statements_of_store()[[i]]) DBI::dbExecute(con, sql)
    DBI::dbDisconnect(con)
    Sys.chmod(files[i], "600")
  }
  policy <- server_policy(risk_width(6, at_risk = 1:2))
  server <- table_server(czech_workers, policy, store = place)
  withr::defer(close(server))
  # both answers were given before, by the old version
  again <- request_table(server, c("A", "B"), user = "mary",
                         request_id = "c4ed21f6890660aaaa4a3aab791b4dd9")
  expect_identical(again$outcome, "released")
  expect_true(again$replayed)
  expect_equal(again$ledger$seq, 1)
  expect_identical(again$ledger$hash,
                   "cbddd593863aa664a7b406ede02f005f6bce9c0ebbc0a34c5de3e04db8ddb7b4")
  expect_identical(request_table(server, LETTERS[1:6], user = "ann")$outcome, "refused")
  fresh <- request_table(server, c("A", "C"), user = "mary")
  expect_identical(fresh$outcome, "released")
  expect_gt(fresh$ledger$seq, 2)
  expect_true(audit(server)$verified)
})
