skip_if_no_store()

test_that("property: an answer is given once, and comes back word for word", {
  store <- local_store()
  first <- ask(store, 1:3, id = "a", table_hash = "t", parts = mask_of(1:2),
               reason_private = "safe")
  expect_false(first$replayed)
  expect_identical(first$seq, 1)
  expect_identical(first$parts, mask_of(1:2))
  expect_null(first$reason_private)
  judged <- FALSE
  again <- append_decision(store, list(user_id = "u", request_id = "a", mask = mask_of(1:3)),
                           function(state) judged <<- TRUE)
  expect_false(judged)
  expect_true(again$replayed)
  expect_identical(said(again), said(first))
  other <- open_test_store(store$place)
  expect_identical(said(ask(other, 1:3, id = "a", outcome = "refused")), said(first))
  close_store(other)
  # the same id by another user is another request
  expect_identical(ask(store, 1:3, user = "w", id = "a", outcome = "already")$seq, 2)
})

test_that("property: a request id is for one request", {
  store <- local_store()
  ask(store, 1:3, id = "a")
  reason <- function(...) {
    expect_error(ask(store, ...), class = "sdc_error_server")$reason
  }
  expect_identical(reason(1:4, id = "a"), "reused")
  request <- list(user_id = "u", request_id = "a", mask = mask_of(1:3), form = "projected")
  cnd <- expect_error(append_decision(store, request, function(state) stop("not asked")),
                      class = "sdc_error_server")
  expect_identical(cnd$reason, "reused")
  expect_identical(store$seq, 1)
})

test_that("property: what the judge sees is the state", {
  store <- trial_store()
  seen <- list()
  decide <- function(set, outcome, ...) {
    append_decision(store, list(user_id = "u", mask = mask_of(set)), function(state) {
      seen[[length(seen) + 1]] <<- state
      list(outcome = outcome, ...)
    })
  }
  decide(1:2, "released")
  decide(3:4, "refused", reason_public = "risk", reason_private = "undecided")
  decide(3:4, "refused", reason_public = "risk", reason_private = "refuted")
  decide(5:6, "refused", reason_public = "structural")
  decide(1, "already")
  decide(7, "recorded")
  decide(8:9, "deferred")
  expect_identical(vapply(seen, `[[`, 1, "seq"), 0:6 + 0)
  expect_identical(vapply(seen, `[[`, 1, "release_no"), c(0, 1, 1, 1, 1, 1, 2))
  last <- store_state(store)
  expect_identical(last$released, encode_masks(list(1:2, 7), 40))
  expect_identical(last$refused, mask_of(3:4))
  expect_identical(last$refuted, mask_of(3:4))
  for (i in seq_along(seen)) expect_identical(replay_store(store, i - 1), seen[[i]])
  expect_identical(replay_store(store), last)
})

# Another process in the middle of a judgement, as often as said.
disturb <- function(store, judge, times, outcome) {
  other <- open_test_store(store$place)
  calls <- 0
  list(
    judge = function(state) {
      calls <<- calls + 1
      if (calls <= times) ask(other, 20 + calls, outcome = outcome)
      judge(state)
    },
    calls = function() calls,
    close = function() close_store(other)
  )
}

test_that("property: a release by another invalidates a judgement, a refusal does not", {
  for (outcome in c("released", "refused")) for (depends in c("releases", "ledger")) {
    store <- local_store()
    others <- disturb(store, function(state) {
      list(outcome = if (length(state$released) > 0) "deferred" else "released", depends = depends)
    }, 1, outcome)
    answer <- append_decision(store, list(user_id = "u", mask = mask_of(1)), others$judge)
    expect_identical(answer$seq, 2)
    again <- outcome == "released" || depends == "ledger"
    expect_identical(others$calls(), if (again) 2 else 1)
    expect_identical(answer$outcome, if (outcome == "released") "deferred" else "released")
    others$close()
  }
})

test_that("property: who is never first gets no decision", {
  store <- local_store()
  others <- disturb(store, function(state) list(outcome = "released"), Inf, "released")
  cnd <- expect_error(
    append_decision(store, list(user_id = "u", request_id = "mine", mask = mask_of(1)),
                    others$judge, tries = 5),
    class = "sdc_error_server"
  )
  expect_identical(cnd$reason, "contended")
  expect_identical(others$calls(), 5)
  expect_false("mine" %in% store_history(store)$request_id)
  others$close()
})

test_that("property: the same request answered by another process meanwhile is not judged again", {
  store <- local_store()
  other <- open_test_store(store$place)
  theirs <- NULL
  answer <- append_decision(store, list(user_id = "u", request_id = "a", mask = mask_of(1)),
                            function(state) {
    theirs <<- ask(other, 1, id = "a", outcome = "refused")
    list(outcome = "released")
  })
  expect_identical(said(answer), said(theirs))
  expect_identical(nrow(store_history(store)), 1L)
  close_store(other)
})

test_that("property: a judge that fails decides nothing", {
  store <- trial_store()
  request <- list(user_id = "u", request_id = "a", mask = mask_of(1))
  expect_error(append_decision(store, request, function(state) stop("no")), "no")
  for (bad in list(1, list(), list(outcome = "maybe"), list(outcome = names(outcomes)),
                   list(outcome = "refused"),
                   list(outcome = "refused", reason_public = "width 2"),
                   list(outcome = "released", reason_public = "risk"),
                   list(outcome = "released", parts = "x"),
                   list(outcome = "released", more = 1),
                   list(outcome = "released", depends = "x"))) {
    expect_error(append_decision(store, request, function(state) bad), class = "sdc_error_input")
  }
  expect_identical(store$seq, 0)
  expect_identical(nrow(store_history(store)), 0L)
})

test_that("property: requests are checked", {
  store <- trial_store()
  request <- list(user_id = "u", request_id = "a", mask = mask_of(1))
  bad <- list(user_id = "", user_id = NA, user_id = strrep("u", 20000),
              user_id = `Encoding<-`("\xff", "UTF-8"), request_id = "a b",
              request_id = strrep("a", 65), request_id = "a\n", mask = "1", mask = "00000000FF",
              mask = 1,
              mask = "10000000000", form = c("a", "b"))
  for (i in seq_along(bad)) {
    spoilt <- utils::modifyList(request, bad[i])
    expect_error(append_decision(store, spoilt, function(state) list(outcome = "released")),
                 class = "sdc_error_input")
  }
})

test_that("property: text of any kind is kept as it was", {
  store <- local_store()
  users <- c("'; DROP TABLE decision; --", "\u00e4\u00f6 \u4e16", "a\"b\\c\n\t\u0001", "NULL",
             "null", "$1")
  for (user in users) ask(store, 1, user = user, id = "x", reason_private = user)
  expect_identical(store_history(store)$user_id, users)
  place <- store$place
  close_store(store)
  again <- open_test_store(place)
  expect_identical(store_history(again)$reason_private, users)
  expect_true(ask(again, 1, user = users[3], id = "x")$replayed)
  latin <- iconv(users[2], "UTF-8", "latin1", sub = "?")
  expect_false(ask(again, 1, user = latin, id = "x")$replayed)
  close_store(again)
})

test_that("property: what is gone or changed while the store is open is noticed", {
  change <- function(..., frame = parent.frame()) {
    store <- local_store(frame = frame)
    for (i in 1:5) ask(store, i, id = paste0("r", i))
    con <- DBI::dbConnect(RSQLite::SQLite(), store$place)
    for (sql in c("DROP TRIGGER decision_no_update", "DROP TRIGGER decision_no_delete",
                  ...)) DBI::dbExecute(con, sql)
    DBI::dbDisconnect(con)
    store
  }
  reason <- function(expr) expect_error(expr, class = "sdc_error_server")$reason
  expect_identical(reason(ask(change("DELETE FROM decision WHERE seq = 5"), 9)), "altered")
  expect_identical(reason(ask(change("DELETE FROM decision WHERE seq > 2"), 9)), "altered")
  edited <- change("UPDATE decision SET outcome = 'refused' WHERE seq = 2")
  expect_identical(reason(ask(edited, 2, id = "r2")), "altered")
  expect_identical(reason(store_history(edited)), "altered")
  expect_identical(reason(ask(change("INSERT INTO decision SELECT 6, v, at, user_id, 'r6', mask, form,
    outcome, reason_public, reason_private, parts, 6, table_hash, certificate_hash, hash, 'abc'
    FROM decision WHERE seq = 5"), 9)), "altered")
})

test_that("property: an anchor that cannot move keeps the answer back, and the next judgement too",
          {
  store <- local_store()
  ask(store, 1)
  DBI::dbExecute(store$anchor,
                 "CREATE TRIGGER full BEFORE UPDATE ON anchor BEGIN SELECT RAISE(ABORT, 'full'); END")
  reason <- function(expr) expect_error(expr, class = "sdc_error_server")$reason
  expect_identical(reason(ask(store, 2, id = "a")), "anchor")
  expect_identical(store$seq, 2)
  expect_identical(reason(ask(store, 2, id = "a")), "anchor")
  judged <- FALSE
  expect_identical(reason(append_decision(
    store, list(user_id = "u", mask = mask_of(3)), function(state) judged <<- TRUE
  )), "anchor")
  expect_false(judged)
  DBI::dbExecute(store$anchor, "DROP TRIGGER full")
  answer <- ask(store, 2, id = "a")
  expect_true(answer$replayed)
  expect_identical(answer$seq, 2)
})

test_that("property: certificates are kept before the decision, and are no truth", {
  store <- trial_store()
  answer <- ask(store, 1, certificate = list(kind = "moves", body = "[[1,2]]"))
  expect_identical(read_certificate(store, answer$certificate_hash),
                   list(kind = "moves", body = "[[1,2]]"))
  expect_identical(write_certificate(store, "moves", "[[1,2]]"), answer$certificate_hash)
  DBI::dbExecute(store$con, "UPDATE certificate SET body = '[]'")
  expect_null(read_certificate(store, answer$certificate_hash))
  expect_null(read_certificate(store, "none"))
  named <- ask(store, 2, certificate = answer$certificate_hash)
  expect_identical(named$certificate_hash, answer$certificate_hash)
})

test_that("oracle: the hashes are those of a plain loop over jsonlite's text", {
  store <- trial_store()
  ask(store, 1:3, user = "\u00fc\"", outcome = "refused")
  ask(store, 2:3, parts = c(mask_of(2), mask_of(3)))
  rows <- DBI::dbGetQuery(store$con, "SELECT * FROM decision ORDER BY seq")
  expect_identical(rows$prev[1], store$genesis)
  salt <- DBI::dbGetQuery(store$con, "SELECT value FROM meta WHERE key = 'salt'")$value
  for (i in 1:2) {
    columns <- sort(setdiff(names(rows), c("prev", "hash")), method = "radix")
    values <- lapply(as.list(rows[i, columns]), function(v) if (is.numeric(v)) as.integer(v) else v)
    text <- jsonlite::toJSON(values, auto_unbox = TRUE, na = "null", null = "null")
    text <- enc2utf8(paste0(rows$prev[i], "\n", text))
    expect_identical(rows$hash[i], as.character(openssl::sha256(text, key = charToRaw(salt))))
    if (i > 1) expect_identical(rows$prev[i], rows$hash[i - 1])
    for (size in c(16, 64, 65, 200)) {
      key <- as.raw(seq_len(size))
      expect_identical(chain_hash(key)$rows(rows[i, ]), chain_hash(key)$text(text))
    }
  }
})

test_that("property: canonical JSON does not depend on order, locale or type", {
  a <- list(b = 1L, a = c("x", "y"), Z = list(q = TRUE, p = 0.1))
  b <- list(Z = list(p = 0.1, q = TRUE), a = c("x", "y"), b = 1)
  expect_identical(canonical_json(a), canonical_json(b))
  expect_identical(canonical_json(a),
                   "{\"Z\":{\"p\":0.10000000000000001,\"q\":true},\"a\":[\"x\",\"y\"],\"b\":1}")
  expect_identical(canonical_json(list()), "[]")
  expect_identical(canonical_json(list(list(1, 2^53), character())), "[[1,9007199254740992],[]]")
  expect_identical(json_strings(c("a\"b\\c\nd\u0001", NA)),
                   c("\"a\\\"b\\\\c\\u000ad\\u0001\"", "null"))
})

test_that("property: masks go there and back, for any number of variables", {
  set.seed(5)
  for (k in c(1:9, 31:33, 64, 100)) {
    sets <- c(list(integer(), seq_len(k)), lapply(1:20, function(i) which(stats::runif(k) < .3)))
    masks <- encode_masks(sets, k)
    expect_true(all(nchar(masks) == ceiling(k / 4)))
    expect_true(all(is_mask(masks, k)))
    expect_identical(decode_masks(masks, k), sets)
    if (k <= 31) expect_equal(strtoi(masks, 16), vapply(sets, function(s) sum(2^(s - 1)), 1))
  }
  expect_identical(encode_masks(list(), 5), character())
  expect_identical(is_mask(c("1f", "20", "1F", "01f", "", NA), 5),
                   c(TRUE, FALSE, FALSE, FALSE, FALSE, FALSE))
})

test_that("property: history is a data frame of everything", {
  store <- trial_store()
  empty <- store_history(store)
  expect_identical(nrow(empty), 0L)
  ask(store, 1:2, id = "a")
  ask(store, integer(), id = "b", outcome = "already")
  ask(store, 5, user = "w", outcome = "refused", reason_private = "refuted")
  history <- store_history(store)
  expect_identical(names(history), names(empty))
  expect_identical(history$sub_table, c("v1:v2", "(total)", "v5"))
  expect_identical(history$release_no, c(1, 1, 1))
  expect_identical(history$reason_private, c(NA, NA, "refuted"))
})
