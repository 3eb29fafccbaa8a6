test_that("published: random one-step requests release what exact bounds allow on the Czech table",
          {
  skip_if_no_server()
  set.seed(1)
  # with the empty sub-table: 62 in every order at beta 3, 60 at beta 6
  for (case in list(c(3, 62), c(6, 60))) {
    for (run in seq_len(rounds(2, 3))) {
      server <- local_server(policy = server_policy(risk_width(case[1]), time_limit_s = 30))
      ask_until_none(server)
      expect_equal(n_out(server) + 1, case[2])
      expect_true(verify_release(server_release(server))$verified)
    }
  }
})

test_that("oracle: what is released is safe, what is refuted is not, by listing all tables", {
  skip_if_no_server()
  set.seed(2)
  n <- c(released = 0, refused = 0)
  for (case in seq_len(rounds(12, 36))) {
    dim <- list(c(2, 2, 2), c(3, 2, 2), c(2, 3), c(4, 2))[[1 + case %% 4]]
    x <- risky_table(dim, if (prod(dim) > 8) 5 + case %% 3 else 6 + case %% 5)
    beta <- 1 + case %% 2
    policy <- server_policy(risk_width(beta), rule = sample(c("one_step", "myopic"), 1),
                            time_limit_s = 30)
    server <- tryCatch(local_server(x, policy), sdc_error_infeasible = function(e) NULL)
    truth <- every_table(x)
    if (is.null(server)) {
      expect_lt(truth$width(one_way_tables(x)), beta)
      next
    }
    variables <- names(dimnames(x))
    sets <- unlist(lapply(seq_along(variables), function(m) {
      utils::combn(length(variables), m, simplify = FALSE)
    }), recursive = FALSE)
    out <- one_way_tables(x)
    refused <- list()
    for (set in sample(rep(sets, 2))) {
      answer <- request_table(server, variables[set])
      with <- truth$width(c(out, list(set)))
      if (answer$outcome == "released") {
        expect_gte(with, beta)
        out <- c(out, list(set))
      } else if (identical(answer$reason, "risk")) {
        # time is plenty here, so nothing is undecided
        expect_lt(with, beta)
      }
      if (answer$outcome %in% names(n)) n[[answer$outcome]] <- n[[answer$outcome]] + 1
    }
    expect_gte(truth$width(out), beta)
  }
  expect_gt(min(n), 3)
})

test_that("property: one step: what is eligible, in both readings", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), time_limit_s = 5))
  strict <- local_server(policy = server_policy(risk_width(3), step = "frontier", time_limit_s = 5))
  for (s in list(server, strict)) {
    expect_identical(request_table(s, c("A", "B", "C"))$reason, "structural")
    expect_identical(request_table(s, c("A", "B"))$outcome, "released")
    expect_identical(request_table(s, c("C", "D"))$outcome, "released")
  }
  # A:C is one more than A, which is not maximal any more, and than C, which is not either
  expect_identical(request_table(strict, c("A", "C"))$reason, "structural")
  expect_identical(request_table(server, c("A", "C"))$outcome, "released")
  expect_identical(request_table(strict, c("A", "E"))$outcome, "released")
  expect_identical(request_table(server, c("B", "A", "C"))$outcome, "released")
})

test_that("property: answers: already out, projected, the total, and the largest sub-table allowed",
          {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), max_dimension = 2, time_limit_s = 5))
  request_table(server, "A:B")
  again <- request_table(server, ~ B + A)
  expect_identical(again$outcome, "already")
  expect_identical(request_table(server, "A")$outcome, "already")
  expect_identical(request_table(server, character())$outcome, "already")
  expect_equal(sum(released_table(server, character())), 1841)
  big <- request_table(server, "A:B:C", if_refused = "projected")
  expect_identical(big[c("outcome", "reason")], list(outcome = "projected", reason = "structural"))
  expect_identical(big$parts, list(c("A", "B"), "C"))
  expect_identical(request_table(server, "A:B:C")$outcome, "refused")
  expect_equal(as.table(released_table(server, "A:B")),
               as.table(margin(as_sdc_table(czech_workers), c("A", "B"))), ignore_attr = TRUE)
  expect_error(released_table(server, "A:C"), class = "sdc_error_refused")
})

test_that("property: a projected answer remembers the refusal for risk", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), rule = "myopic", time_limit_s = 5))
  all <- LETTERS[1:6]
  answer <- request_table(server, all, if_refused = "projected")
  expect_identical(answer$reason, "risk")
  expect_length(server$store$refused, 1)
  expect_identical(request_table(server, all)$reason, "risk")
  expect_length(server$store$refused, 1)
})

test_that("property: an answer has what anybody may hear, and nothing else", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), rule = "myopic", time_limit_s = 5))
  answers <- list(request_table(server, "A:B", user = "mary"), request_table(server, LETTERS[1:6]))
  names <- c("outcome", "reason", "variables", "parts", "seq", "at", "user", "request_id",
             "release_no", "table_hash", "ledger", "replayed")
  for (answer in answers) {
    expect_named(answer, names)
    expect_false(any(grepl("certified|refuted|undecided", unlist(answer))))
    expect_lt(length(serialize(answer, NULL)), 3000)
  }
  rows <- do.call(rbind, lapply(answers, as.data.frame))
  expect_identical(rows$sub_table, c("A:B", "A:B:C:D:E:F"))
  expect_identical(rows$ledger_hash, vapply(answers, function(a) a$ledger$hash, ""))
  table <- released_table(server, "A:B")
  expect_lt(length(serialize(table, NULL)), 2000)
  expect_null(attr(table, "source"))
})

test_that("property: the same request id gets the same answer, and another request with it an error", {
  skip_if_no_server()
  server <- local_server()
  first <- request_table(server, "A:B", user = "u", request_id = "r1")
  again <- request_table(server, "A:B", user = "u", request_id = "r1")
  expect_true(again$replayed)
  again$replayed <- FALSE
  expect_identical(again, first)
  expect_identical(request_table(server, "A:B", user = "v", request_id = "r1")$outcome, "already")
  error <- expect_error(request_table(server, "A:C", user = "u", request_id = "r1"),
                        class = "sdc_error_server")
  expect_identical(error$reason, "reused")
})

test_that("property: what is undecided: refused for risk, or released where the policy says so", {
  skip_if_no_server()
  x <- czech_workers
  # no time for a judgement
  slow <- local_server(x, server_policy(risk_width(3), time_limit_s = 0))
  answer <- request_table(slow, "A:B")
  expect_identical(answer[c("outcome", "reason")], list(outcome = "refused", reason = "risk"))
  expect_match(as.data.frame(slow)$reason_private, "undecided")
  bold <- local_server(x, server_policy(risk_width(3), time_limit_s = 0, undecided = "release"))
  expect_identical(request_table(bold, "A:B")$outcome, "released")
  expect_match(as.data.frame(bold)$reason_private, "undecided")
})

test_that("property: what was refused stays so, and all that holds it", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(20), rule = "myopic", time_limit_s = 5))
  refused <- list()
  for (set in utils::combn(LETTERS[1:6], 4, simplify = FALSE)) {
    if (request_table(server, set)$outcome == "refused") refused <- c(refused, list(set))
  }
  expect_gt(length(refused), 0)
  more <- union(refused[[1]], setdiff(LETTERS[1:6], refused[[1]])[1])
  expect_identical(request_table(server, more)$reason, "risk")
  expect_match(utils::tail(as.data.frame(server)$reason_private, 1), "holds a refused")
})

test_that("property: guarded: a release that closes too much is refused, and may be asked for again", {
  skip_if_no_server()
  set.seed(4)
  closing <- function(max_closed) {
    policy <- server_policy(risk_width(45), rule = "guarded", max_closed = max_closed,
                            time_limit_s = 5)
    server <- local_server(policy = policy)
    ask_until_none(server, 40)
    as.data.frame(server)$reason_private
  }
  expect_true(any(closing(0) %in% "guarded"))
  expect_false(any(closing(1e6) %in% "guarded"))
  # each release of the strict server has closed nothing: checked by exact bounds
  server <- local_server(policy = server_policy(risk_width(45), rule = "guarded", max_closed = 0,
                                                time_limit_s = 5))
  set.seed(5)
  for (i in seq_len(rounds(4, 12))) {
    before <- server$now$frontier
    open <- open_requests(server)
    if (length(open) == 0) break
    set <- open[[sample.int(length(open), 1)]]
    if (request_table(server, server$variables[set])$outcome != "released") next
    other <- Filter(function(s) !identical(s, set) && !all(s %in% set), open)
    w <- function(sets) width(lapply(sets, function(s) LETTERS[s]), czech_workers, risk_width(45))
    newly <- vapply(other, function(s) {
      w(c(before, list(s)))$outer >= 45 && w(c(before, list(set, s)))$outer < 45
    }, NA)
    expect_false(any(newly))
  }
})

test_that("property: value: votes are counted once for each user, and decided by worth", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), rule = "value", time_limit_s = 5))
  expect_identical(request_table(server, "A:B", user = "u1")$outcome, "deferred")
  request_table(server, "A:B", user = "u1")
  request_table(server, "C:D", user = "u1")
  request_table(server, "C:D", user = "u2")
  expect_equal(n_out(server), 6)
  done <- decide_votes(server, 1)
  expect_identical(done[c("sub_table", "votes", "outcome")],
                   data.frame(sub_table = "C:D", votes = 2, outcome = "released"))
  expect_identical(decide_votes(server, 5)$sub_table, "A:B")
  expect_identical(nrow(decide_votes(server, 5)), 0L)
  expect_identical(request_table(server, "A:B")$outcome, "already")
  expect_error(decide_votes(local_server()), class = "sdc_error_input")
})

test_that("property: value: worth may be votes times what a release adds", {
  skip_if_no_server()
  x <- lettered_table(c(40, 9, 12, 30, 22, 18, 17, 2, 31, 8, 25, 14), c(2, 2, 3))
  server <- local_server(x, server_policy(risk_width(2), rule = "value", time_limit_s = 5))
  variables <- names(dimnames(x))
  request_table(server, variables[1:2])
  request_table(server, variables[2:3])
  done <- decide_votes(server, 1, utility_cells())
  expect_identical(done$sub_table, paste(variables[2:3], collapse = ":"))
  expect_equal(done$worth, 6)
})

test_that("property: an envelope is all that is ever released, and is checked before it starts", {
  skip_if_no_server()
  policy <- function(envelope, ...) {
    server_policy(risk_width(3), rule = "envelope", envelope = envelope, ...)
  }
  server <- local_server(policy = policy(c("A:B:C", "C:D"), origin = "data_free"))
  expect_identical(request_table(server, c("A", "B", "C"))$outcome, "released")
  expect_identical(request_table(server, c("A", "D"))$reason, "structural")
  expect_identical(request_table(server, "E")$outcome, "already")
  expect_error(local_server(policy = policy(list(LETTERS[1:6]))), class = "sdc_error_refused")
  best <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
  server <- local_server(policy = policy(best))
  for (set in best$frontier) expect_identical(request_table(server, set)$outcome, "released")
  expect_equal(n_out(server), best$n_sub_tables)
  check <- verify_release(server_release(server))
  expect_true(check$verified)
  expect_identical(check$how, "certificates")
  # also inside of another rule
  stepwise <- local_server(policy = server_policy(risk_width(3), envelope = c("A:B:C")))
  expect_identical(request_table(stepwise, "A:B:C")$reason, "structural")
  expect_identical(request_table(stepwise, "A:B")$outcome, "released")
  expect_identical(request_table(stepwise, "A:D")$reason, "structural")
  expect_identical(request_table(stepwise, "A:B:C")$outcome, "released")
})

test_that("property: when the refusals are spent nothing is judged any more", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), rule = "myopic", time_limit_s = 5,
                                                max_risk_refusals = 1))
  expect_identical(request_table(server, LETTERS[1:6])$reason, "risk")
  expect_identical(request_table(server, "A:B")$reason, "structural")
  expect_identical(request_table(server, "A")$outcome, "already")
})

test_that("property: when the refusals are spent votes are not decided any more", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), rule = "value",
                                                max_risk_refusals = 0))
  request_table(server, "A:B")
  expect_identical(nrow(decide_votes(server, 5)), 0L)
  expect_identical(nrow(as.data.frame(server)), 1L)
})

test_that("property: a vote that another process has decided meanwhile is not released twice", {
  skip_if_no_server()
  policy <- server_policy(risk_width(3), rule = "value")
  path <- withr::local_tempfile()
  server <- local_server(policy = policy, store = path)
  other <- local_server(policy = policy, store = path)
  request_table(server, "A:B")
  found <- best_candidate(server, NULL)
  local_mocked_bindings_store(best_candidate = function(...) {
    record_release(other, "A:B")
    found
  })
  expect_identical(decide_votes(server, 1)$outcome, "already")
})

test_that("property: rules that judge a sub-table alone", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_n(30), rule = "myopic"))
  set.seed(6)
  x <- as_sdc_table(czech_workers)
  for (i in seq_len(rounds(9, 30))) {
    set <- sort(sample(LETTERS[1:6], sample(2:5, 1)))
    answer <- request_table(server, set)
    counts <- as.table(margin(x, set))
    if (answer$outcome == "released") expect_true(all(counts[counts > 0] >= 30))
    if (identical(answer$reason, "risk")) expect_true(any(counts > 0 & counts < 30))
  }
})

test_that("property: a table whose one-way tables are too risky gets no server", {
  skip_if_no_server()
  x <- lettered_table(c(1, 0, 0, 9), c(2, 2))
  expect_error(table_server(x, server_policy(risk_width(3))), class = "sdc_error_infeasible")
})

test_that("snapshot: servers and answers in words", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(3), rule = "myopic", time_limit_s = 5))
  shown <- function(x) {
    x$at <- "2026-01-01T00:00:00Z"
    x$ledger$hash <- strrep("0", 64)
    print(x)
  }
  expect_snapshot({
    server
    shown(request_table(server, c("A", "B"), request_id = "a"))
    shown(request_table(server, c("A", "B"), request_id = "b"))
    shown(request_table(server, LETTERS[1:6], request_id = "c"))
    shown(request_table(server, LETTERS[1:6], request_id = "d", if_refused = "projected"))
    server
    str(server)
    close(server)
    server
  })
})

test_that("snapshot: bad requests", {
  skip_if_no_server()
  server <- local_server()
  expect_snapshot(error = TRUE, {
    table_server(czech_workers)
    table_server(czech_workers, risk_width(3))
    table_server(list(), server_policy(risk_width(3)))
    table_server(czech_workers, server_policy(risk_width(3)), store = 3)
    table_server(czech_workers, server_policy(risk_width(3)), store = "/no/such/folder/x.sqlite")
    table_server(czech_workers, server_policy(risk_width(3)), seed = -1)
    request_table(czech_workers, "A")
    request_table(server)
    request_table(server, "Z")
    request_table(server, c("A", "A"))
    request_table(server, list("A", "B"))
    request_table(server, NA_character_)
    request_table(server, 3)
    request_table(server, "A", user = "")
    request_table(server, "A", request_id = "not allowed")
    request_table(server, "A", if_refused = "all")
    released_table(server, "Z")
  })
  close(server)
  expect_error(request_table(server, "A"), class = "sdc_error_server")
})

test_that("property: with 40 variables an operator may ask what a release would do", {
  set.seed(3)
  data <- as.data.frame(matrix(sample(2, 40 * 300, TRUE, prob = c(.7, .3)), 300))
  policy <- server_policy(risk_width(2), plan = FALSE)
  server <- table_server(sdc_table(data, dimVar = names(data)), policy)
  withr::defer(close(server))
  found <- what_if(server, c("V1", "V2"), time_limit_s = .01)
  expect_s3_class(found, "sdc_what_if")
  expect_identical(found$among, "one step")
})

test_that("property: released sub-tables keep the trees of their variables", {
  skip_if_no_server()
  records <- rbind(town_firms, town_firms[1:80, ], town_firms[1:60, ])
  records$size <- rep(c("big", "small"), length.out = nrow(records))
  x <- suppressMessages(sdc_table(records, c("county", "town", "sector", "size"),
                                  hierarchies = "auto"))
  server <- local_server(x = x, policy = server_policy(risk_width(2), time_limit_s = 5))
  out <- released_table(server, "town")
  expect_identical(as.data.frame(out, totals = TRUE), as.data.frame(margin(x, "town"), totals = TRUE))
  expect_null(table_trees(released_table(server, "size")))
})
