# Votes, rounds and outside releases over the network.

skip_if_no_store()

voting_service <- function(x = czech_workers, beta = 3, frame = parent.frame()) {
  policy <- server_policy(risk_width(beta), rule = "value", time_limit_s = 5)
  local_service(server_of(policy, x, frame = frame), frame = frame)
}

post_as <- function(service, path, body, as = "olga", key = NULL) {
  headers <- list(`content-type` = "application/json")
  headers$`idempotency-key` <- key
  api(service, "POST", path, as = as, headers = headers, body = to_json(body))
}

labels_of <- function(items) vapply(items, function(item) paste(unlist(item$variables),
                                                                collapse = ":"), "")

test_that("property: each user sees the own votes, operators all of them", {
  service <- voting_service()
  post_wish(service, c("A", "B"))
  post_wish(service, c("A", "B"))
  post_wish(service, c("A", "B"), as = "bob")
  post_wish(service, c("C", "D"))
  own <- all_items(service, "/v1/votes?limit=1")
  expect_setequal(labels_of(own), c("A:B", "C:D"))
  expect_identical(labels_of(all_items(service, "/v1/votes", as = "bob")), "A:B")
  expect_identical(all_items(service, "/v1/votes", as = "olga"), list())
  tally <- all_items(service, "/v1/tally?limit=1", as = "olga")
  expect_identical(labels_of(tally), c("A:B", "C:D"))
  expect_identical(vapply(tally, function(item) as.numeric(item$votes), 0), c(2, 1))
  by_cells <- all_items(service, "/v1/tally?worth=cells", as = "olga")
  expect_identical(vapply(by_cells, function(item) as.numeric(item$worth), 0), c(8, 4))
  expect_problem(api_get(service, "/v1/tally?worth=x", as = "olga"), 400, "bad_request")
})

test_that("oracle: a round over the network decides what decide_votes() does", {
  service <- voting_service(beta = 20)
  twin <- server_of(service$server$policy)
  for (set in list(c("A", "B"), c("B", "C"), c("A", "D"), c("E", "F"))) {
    for (user in c("ann", "bob")[seq_len(1 + ("B" %in% set))]) {
      post_wish(service, set, as = user)
      request_table(twin, set, user = user)
    }
  }
  round <- post_as(service, "/v1/rounds", list(n = 3), key = "r1")
  expect_identical(round$status, 201)
  expected <- decide_votes(twin, 3)
  expect_identical(labels_of(round$json$decided), expected$sub_table)
  expect_identical(vapply(round$json$decided, `[[`, "", "outcome"), expected$outcome)
  expect_identical(as.numeric(round$json$waiting), 1)
  # the same round again decides nothing more
  again <- post_as(service, "/v1/rounds", list(n = 3), key = "r1")
  expect_identical(again$status, 200)
  expect_identical(again$json, round$json)
  last <- post_as(service, "/v1/rounds", list(n = 20, worth = "cells"))
  expect_length(last$json$decided, 1)
  # what was voted for and refused is not told to those who voted
  status <- vapply(all_items(service, "/v1/votes"), `[[`, "", "status")
  expect_true(all(status %in% c("released", "waiting")))
  none <- post_as(service, "/v1/rounds", list())
  expect_identical(none$json$decided, list())
})

test_that("property: rounds are for operators, where requests are collected, and well formed", {
  service <- voting_service()
  expect_problem(post_as(service, "/v1/rounds", list(n = 1), as = "ann"), 403, "forbidden")
  for (body in list(list(n = 0), list(n = 1.5), list(n = 21), list(n = "1"), list(worth = 1),
                    list(worth = "x"), list(m = 1))) {
    expect_problem(post_as(service, "/v1/rounds", body), 400, "bad_request")
  }
  expect_problem(post_as(local_service(), "/v1/rounds", list(n = 1)), 409, "no_votes")
})

test_that("property: outside releases are written down once, and count for what comes later", {
  service <- local_service()
  wish <- list(variables = list("A", "B", "C"), note = "yearbook, table 7")
  expect_problem(post_as(service, "/v1/releases", wish, as = "ann"), 403, "forbidden")
  done <- post_as(service, "/v1/releases", wish, key = "k")
  expect_identical(done$status, 201)
  expect_identical(done$json$outcome, "recorded")
  expect_true(done$json$safe)
  expect_null(done$json$reason)
  expect_false(grepl("yearbook", done$text))
  expect_identical(post_as(service, "/v1/releases", wish, key = "k")$status, 200)
  expect_identical(service$server$store$seq, 1)
  expect_identical(post_wish(service, c("A", "B"))$json$outcome, "already")
  ledger <- as.data.frame(service$server)
  expect_identical(ledger$reason_private[1], "yearbook, table 7")
  expect_identical(ledger$user_id[1], "olga")
  # all of the table: nothing is safe any more, and the operator is told
  all <- post_as(service, "/v1/releases", list(variables = as.list(LETTERS[1:6]), note = "a leak"))
  expect_false(all$json$safe)
  for (body in list(list(variables = list(), note = "x"), list(variables = list("A", "B")),
                    list(variables = list("A", "B"), note = " "), list(note = "x"),
                    list(variables = list("A"), note = strrep("x", 1001)))) {
    expect_problem(post_as(service, "/v1/releases", body), 400, "bad_request")
  }
})
