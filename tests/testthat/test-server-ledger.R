test_that("property: a server goes on where its store was, and only with the same table and policy",
          {
  skip_if_no_server()
  place <- local_place()
  policy <- server_policy(risk_width(3), time_limit_s = 5)
  server <- local_server(policy = policy, store = place)
  set.seed(1)
  ask_until_none(server, 15)
  before <- list(server$now$frontier, server$now$refused, server$store$hash)
  close(server)
  server <- local_server(policy = policy, store = place)
  expect_setequal(server$now$frontier, before[[1]])
  expect_setequal(server$now$refused, before[[2]])
  expect_identical(server$store$hash, before[[3]])
  close(server)
  refused <- function(...) {
    error <- expect_error(local_server(..., store = place), class = "sdc_error_server")
    expect_identical(error$reason, "other")
  }
  other <- czech_workers
  other[1] <- other[1] + 1
  refused(other, policy)
  refused(czech_workers, server_policy(risk_width(4)))
  refused(czech_workers, server_policy(risk_width(3), rule = "myopic"))
  renamed <- czech_workers
  names(dimnames(renamed))[1] <- "Z"
  refused(renamed, policy)
})

test_that("property: two servers at one store see each other's releases", {
  skip_if_no_server()
  place <- local_place()
  a <- local_server(store = place)
  b <- local_server(store = place)
  expect_identical(request_table(a, "A:B")$outcome, "released")
  expect_identical(request_table(b, "A:B")$outcome, "already")
  expect_identical(request_table(b, "A:B:C")$outcome, "released")
  expect_identical(as.table(released_table(a, "B:C")), as.table(released_table(b, "B:C")))
  expect_identical(request_table(a, "A:C")$outcome, "already")
})

test_that("property: recorded releases count, and are said when they are too much", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), time_limit_s = 5))
  expect_silent(record_release(server, c("A:B:C", "C:D"), note = "yearbook"))
  expect_identical(request_table(server, "A:B")$outcome, "already")
  history <- as.data.frame(server)
  expect_identical(history$outcome[1:2], c("recorded", "recorded"))
  expect_identical(history$reason_private[1:2], c("yearbook", "yearbook"))
  expect_warning(record_release(server, list(LETTERS[1:6])), class = "sdc_warning_unsafe")
  expect_identical(request_table(server, "A:F")$outcome, "already")
  expect_true(audit(server)$refuted_release)
})

test_that("property: after an unsafe record others are judged alone where the rule does so", {
  skip_if_no_server()
  x <- lettered_table(c(1, 9, 9, 9, 5, 9, 9, 9), c(2, 2, 2))
  server <- local_server(x, server_policy(risk_n(8), rule = "myopic"))
  expect_warning(record_release(server, "A:B"), "judged as before", class = "sdc_warning_unsafe")
  expect_false(audit(server)$verified)
  expect_identical(request_table(server, "A:C")$outcome, "released")
  expect_identical(request_table(server, "A:B:C")$reason, "risk")
})

test_that("property: after an unsafe record nothing more is released", {
  skip_if_no_server()
  x <- lettered_table(c(1, 4, 5, 20, 7, 9, 12, 30, 11, 8, 15, 40), c(2, 2, 3))
  server <- local_server(x, server_policy(risk_width(3), rule = "myopic", time_limit_s = 5))
  variables <- names(dimnames(x))
  suppressWarnings(record_release(server, list(variables[1:2], variables[c(1, 3)],
                                               variables[2:3])))
  if (!audit(server)$verified) {
    expect_identical(request_table(server, variables)$reason, "risk")
  } else {
    expect_identical(request_table(server, variables)$outcome, "refused")
  }
})

test_that("snapshot: what a release would do, as the report's Figure 1 has it", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(20), rule = "myopic", time_limit_s = 5))
  request_table(server, "A:B")
  found <- what_if(server, "A:B:C")
  expect_identical(found$verdict, "certified")
  expect_setequal(found$released, c("A:C", "B:C", "A:B:C"))
  # by exact bounds: closed with it, open without
  safe <- function(...) width(list(...), czech_workers, risk_width(20))$inner >= 20
  one <- as.list(LETTERS[1:6])
  for (label in found$unreleasable) {
    set <- strsplit(label, ":")[[1]]
    expect_false(do.call(safe, c(one, list(c("A", "B", "C"), set))))
    expect_true(do.call(safe, c(one, list(c("A", "B"), set))))
  }
  expect_identical(what_if(server, "A")$verdict, "released")
  expect_equal(nrow(as.data.frame(server)), 1)
  expect_snapshot({
    found
    what_if(server, LETTERS[1:6])
  })
})

test_that("property: the ledger as a data frame, its audit and its copy", {
  skip_if_no_server()
  server <- local_server(store = local_place())
  set.seed(8)
  ask_until_none(server, 10)
  history <- as.data.frame(server)
  expect_equal(history$seq, 1:10)
  expect_true(all(history$outcome %in% c("released", "already", "refused")))
  found <- audit(server)
  expect_true(found$verified)
  expect_equal(found$decisions, 10)
  expect_output(print(found), "VERIFIED")
  frame <- as.data.frame(found)
  expect_equal(frame$decisions, as.vector(table(factor(history$outcome, frame$outcome))))
  copy <- file.path(withr::local_tempdir(), "copy.sqlite")
  newest <- backup_server(server, copy)
  expect_identical(newest$hash, server$store$hash)
  again <- local_server(store = copy, new_anchor = newest)
  expect_setequal(again$now$frontier, server$now$frontier)
  DBI::dbExecute(server$store$con, "DROP TRIGGER IF EXISTS decision_fixed")
  for (trigger in DBI::dbGetQuery(server$store$con,
                                  "SELECT name FROM sqlite_master WHERE type = 'trigger'")$name) {
    DBI::dbExecute(server$store$con, paste("DROP TRIGGER", trigger))
  }
  DBI::dbExecute(server$store$con, "UPDATE decision SET user_id = 'x' WHERE seq = 3")
  error <- expect_error(audit(server), class = "sdc_error_server")
  expect_identical(error$reason, "altered")
})

test_that("property: releases in their order, page by page", {
  skip_if_no_server()
  server <- local_server()
  for (set in c("A:B", "A:B:C", "A:B", "D:E")) request_table(server, set)
  internal <- asNamespace("sdcLattice")
  first <- internal$fetch_releases(server$store, 0, 200)
  expect_equal(first$release_no, 1:3)
  expect_identical(first$mask, internal$encode_masks(list(1:2, 1:3, 4:5), 6))
  expect_equal(internal$fetch_releases(server$store, 1, 1)$release_no, 2)
  expect_equal(nrow(internal$fetch_releases(server$store, 3, 200)), 0)
})

test_that("property: a server that was asked nothing is drawn without a word", {
  skip_if_no_server()
  skip_if_not_installed("ggplot2")
  withr::local_pdf(NULL)
  server <- local_server()
  expect_silent(plot(server))
  request_table(server, "A:B")
  expect_silent(plot(server))
})

test_that("property: the picture has a point for each decision", {
  skip_if_no_server()
  skip_if_not_installed("ggplot2")
  server <- local_server()
  for (set in c("A:B", "A:B:C", "D:E")) request_table(server, set)
  data <- ggplot2::autoplot(server)$data
  expect_equal(data$n[data$what == "released sub-tables"], c(6, 7, 10, 11))
  expect_equal(data$n[data$what == "maximal ones"], c(6, 5, 4, 3))
})

test_that("published: two refusals make both cells at risk exact for a reader who knows the policy",
          {
  skip_if_no_server()
  x <- lettered_table(c(0, 0, 1, 1, 1, 2, 2, 2), c(2, 2, 2))
  server <- local_server(x, server_policy(risk_width(2), rule = "myopic", time_limit_s = 5))
  variables <- names(dimnames(x))
  said <- vapply(list(1:2, c(1, 3), 2:3), function(set) {
    request_table(server, variables[set])$outcome
  }, "")
  expect_identical(said, c("refused", "refused", "released"))
  found <- audit(server, policy_aware = TRUE)
  expect_true(found$verified)
  learnt <- found$policy_aware
  expect_identical(c(learnt$n_margins_only, learnt$n_policy_aware), c(11L, 3L))
  cells <- as.data.frame(learnt)
  at_risk <- cells[cells$lower_aware == cells$upper_aware, ]
  expect_true(all(cells$upper - cells$lower >= 2))
  expect_gte(nrow(at_risk), 2)
  expect_snapshot(found, transform = function(lines) sub("[0-9a-f]{16}[.]", "(hash).", lines))
})

test_that("property: what a reader learns is computed for rules that it is known for", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), rule = "value", time_limit_s = 5))
  expect_error(audit(server, policy_aware = TRUE), class = "sdc_error_input")
  expect_error(audit(local_server(), policy_aware = TRUE), class = "sdc_error_too_large")
})

test_that("property: the query space of a server, now, and what was out at any time", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(6), rule = "myopic", time_limit_s = 5))
  for (set in list(c("A", "B"), LETTERS[1:6], c("C", "D", "E"))) request_table(server, set)
  space <- sub_tables(server)
  expect_setequal(lapply(space$released, sort), list(1:2, 3:5, 6L))
  expect_identical(space$unreleasable, list(1:6))
  expect_setequal(server_release(server, upto = 1)$frontier, c("A:B", "C", "D", "E", "F"))
  expect_setequal(server_release(server, upto = 0)$frontier, LETTERS[1:6])
  expect_identical(server_release(server, upto = 99)$frontier, server_release(server)$frontier)
  expect_setequal(server$now$frontier, list(1:2, 3:5, 6L))
})

test_that("property: the picture of what a release would do rings what would change", {
  skip_if_no_server()
  skip_if_not_installed("ggplot2")
  server <- local_server(policy = server_policy(risk_width(20), rule = "myopic", time_limit_s = 5))
  request_table(server, "A:B")
  picture <- ggplot2::autoplot(what_if(server, "A:B:C"))
  rings <- Filter(function(layer) is.data.frame(layer$data) && identical(layer$aes_params$shape, 1),
                  picture$layers)[[1]]$data
  expect_setequal(rings$sub_table, c("A:C", "B:C", "A:B:C"))
  # a release that is too risky is drawn, too
  expect_s3_class(ggplot2::autoplot(what_if(server, LETTERS[1:6])), "ggplot")
})

test_that("property: who guesses the table and the private reason is not told so by a hash", {
  skip_if_no_server()
  x <- as.table(matrix(c(1, 2, 2, 1), 2, dimnames = list(A = c("a", "b"), B = c("c", "d"))))
  policy <- server_policy(risk_width(3))
  server <- local_server(x, policy)
  answer <- request_table(server, "A:B", user = "eve")
  expect_identical(answer$outcome, "refused")
  # all that is hashed, of which the reader has guessed the table and the reason
  rows <- verified_rows(server$store)
  guess <- list(fingerprint = table_fingerprint(as_sdc_table(x)), variables = c("A", "B"),
                policy = canonical_json(policy_identity(policy, NULL)))
  rows$prev <- genesis_of(guess, chain_hash())
  expect_false(answer$ledger$hash == chain_hash()$rows(rows))
  # nor by that of another store of the same table and policy
  expect_false(local_server(x, policy)$store$genesis == server$store$genesis)
})

test_that("property: a sub-table that was refused and then published elsewhere is out, in all views", {
  skip_if_no_server()
  x <- as.table(matrix(c(1, 2, 2, 1), 2, dimnames = list(A = c("a", "b"), B = c("c", "d"))))
  server <- local_server(x, server_policy(risk_width(3)))
  expect_identical(request_table(server, "A:B")$outcome, "refused")
  expect_warning(record_release(server, "A:B"), class = "sdc_warning_unsafe")
  expect_identical(request_table(server, "A:B")$outcome, "already")
  expect_identical(sub_tables(server)$by_dimension$released, c(1, 2, 1))
  expect_length(server_refused(server), 0)
  expect_identical(what_if(server, "A:B")$verdict, "released")
  expect_s3_class(summary(server), "sdc_server_audit")
  expect_output(print(summary(server)), "NOT SAFE")
})
