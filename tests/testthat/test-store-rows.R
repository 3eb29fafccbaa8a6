skip_if_no_store()

request_of <- function(i) list(user_id = paste0("user", i %% 3), request_id = paste0("r", i))

decide <- function(store, i) {
  one <- request_of(i)
  ask(store, c(i %% 7 + 1, i %% 5 + 8), id = one$request_id, user = one$user_id,
      outcome = if (i %% 3 == 0) "refused" else "released")
}

test_that("oracle: rows in memory are those of the ledger, whoever decided and when", {
  place <- local_place()
  judge <- open_test_store(place)
  withr::defer(close_store(judge))
  for (i in 1:6) decide(judge, i)
  reader <- open_test_store(place)
  withr::defer(close_store(reader))
  keep_rows(reader)
  check <- function(upto) {
    for (i in seq_len(upto + 1)) {
      expect_identical(known_row(reader, request_of(i)), find_row(reader, request_of(i)))
    }
    expect_null(known_row(reader, request_of(upto + 1)))
    expect_null(known_row(reader, list(user_id = "user9", request_id = "r1")))
  }
  check(6)
  for (i in 7:20) decide(judge, i)
  # not read yet
  expect_null(known_row(reader, request_of(20)))
  look_at_store(reader)
  expect_length(reader$rows, 20)
  check(20)
  # more than are kept: the ledger is asked
  local_mocked_bindings_store(most_rows = 24)
  for (i in 21:40) decide(judge, i)
  look_at_store(reader)
  expect_lte(length(reader$rows), 24)
  check(40)
  keep_rows(reader)
  expect_length(reader$rows, 12)
  check(40)
})

test_that("property: a row in memory that is not what was written is not told", {
  store <- open_test_store(local_place())
  withr::defer(close_store(store))
  keep_rows(store)
  decide(store, 1)
  request <- c(request_of(1), mask = find_row(store, request_of(1))$mask, form = "table")
  row <- known_row(store, request)
  expect_identical(repeat_answer(store, request, row)$seq, 1)
  row$outcome <- "refused"
  expect_error(repeat_answer(store, request, row), class = "sdc_error_server")
})

test_that("oracle: texts are hashed as OpenSSL does it, with a key and without", {
  set.seed(3)
  for (n in c(0, 1, 55, 56, 63, 64, 65, 300)) {
    text <- paste(sample(c(letters, "ä", "\u20ac"), n, TRUE), collapse = "")
    expect_identical(cpp_text_hash(text, raw()), as.character(openssl::sha256(enc2utf8(text))))
    key <- as.raw(sample(255, n + 1, TRUE))
    keyed <- as.character(unclass(openssl::sha256(enc2utf8(text), key = key)))
    expect_identical(cpp_text_hash(text, key), keyed)
  }
})
