# How requests wait for decisions that another process makes: see R/server-queue.R.

# A process that answers, without a store: `rows` are the decisions that it knows, `now` is its clock.
waiting_service <- function() {
  service <- new.env()
  service$now <- 100
  service$clock <- function() service$now
  service$waiting <- list()
  service$looking <- FALSE
  service$tried_at <- -Inf
  # all that is known of the ledger is new enough
  service$server <- new.env()
  service$server$followed <- 1
  service$server$store <- new.env()
  service$server$store$seq <- 1
  service$server$store$looked <- Inf
  service$server$store$rows <- new.env()
  service$answered <- character()
  service
}

# Waits for `key`; an answer takes `seconds` to be made.
wait_for <- function(service, key, seconds = 0) {
  await_decision(service, key, function() {
    known <- !is.null(service$server$store$rows[[key]])
    service$now <- service$now + seconds
    if (known) service$answered <- c(service$answered, key)
    known
  })
}

decide_key <- function(service, key) assign(key, "row", service$server$store$rows)

test_that("property: who waits is answered once, in turn, at the first look after the decision", {
  skip_if_no_server()
  service <- waiting_service()
  service$tried_at <- service$now
  keys <- paste0("k", 1:5)
  for (key in keys) wait_for(service, key)
  later::run_now(10)
  expect_identical(service$answered, character())
  expect_length(service$waiting, 5)
  for (key in keys[c(4, 2)]) decide_key(service, key)
  later::run_now(10)
  expect_identical(service$answered, c("k2", "k4"))
  wait_for(service, "k6")
  for (key in c(keys, "k6")) decide_key(service, key)
  later::run_now(10)
  expect_identical(service$answered, c("k2", "k4", "k1", "k3", "k5", "k6"))
  # nobody waits, nobody looks
  expect_false(service$looking)
  expect_true(later::loop_empty())
})

test_that("property: answers that take long leave room for others, and are all made", {
  skip_if_no_server()
  service <- waiting_service()
  keys <- sprintf("k%02d", 1:20)
  for (key in keys) {
    wait_for(service, key, seconds = in_a_row_s / 3)
    decide_key(service, key)
  }
  later::later(function() service$answered <- c(service$answered, "other"))
  turns <- 0
  while (length(service$waiting) > 0 || !later::loop_empty()) {
    later::run_now(10, all = FALSE)
    turns <- turns + 1
  }
  expect_identical(setdiff(service$answered, "other"), keys)
  expect_lt(match("other", service$answered), 6)
  expect_gte(turns, 6)
})

test_that("property: where the store fails each that waits is asked, and told so by its answer", {
  skip_if_no_server()
  service <- waiting_service()
  service$server$store$looked <- NULL
  service$tried_at <- service$now
  told <- character()
  for (key in c("a", "b")) local({
    key <- key
    await_decision(service, key, function() {
      told <<- c(told, key)
      TRUE
    })
  })
  later::run_now(10)
  expect_identical(told, c("a", "b"))
  expect_length(service$waiting, 0)
})
