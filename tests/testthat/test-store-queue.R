skip_if_no_store()

queue_request_of <- function(id, mask = mask_of(1), form = "table") {
  list(user_id = "u", request_id = id, mask = mask, form = form)
}

test_that("property: the queue has each request once, the oldest first, until it is taken out", {
  place <- local_place()
  one <- open_test_store(place)
  two <- open_test_store(place)
  withr::defer({
    close_store(one)
    close_store(two)
  })
  expect_true(enqueue(one, queue_request_of("a")))
  Sys.sleep(.002)
  expect_true(enqueue(two, queue_request_of("b", mask_of(2), "projected")))
  expect_false(enqueue(two, queue_request_of("a", mask_of(3))))
  waiting <- queued_requests(two)
  expect_identical(waiting$request_id, c("a", "b"))
  expect_identical(waiting$mask, c(mask_of(1), mask_of(2)))
  expect_identical(waiting$form, c("table", "projected"))
  dequeue(one, queue_request_of("a"))
  expect_identical(count_queued(two), 1)
  # commits of the ledger wait for the disk as before
  expect_equal(DBI::dbGetQuery(one$con, "PRAGMA synchronous")[[1]], 2)
})

test_that("property: one of two candidates holds the lease; the other follows when it ends", {
  place <- local_place()
  stores <- list(open_test_store(place), open_test_store(place))
  withr::defer(for (store in stores) close_store(store))
  now <- 0
  clock <- function() now
  one <- new_lease("one", 2, clock = clock)
  two <- new_lease("two", 2, clock = clock)
  expect_true(hold_lease(stores[[1]], one))
  for (turn in 1:10) {
    now <- now + .9
    expect_true(hold_lease(stores[[1]], one))
    expect_false(hold_lease(stores[[2]], two))
  }
  # the first is frozen: nothing for a while, then the other takes over
  now <- now + 1.9
  expect_false(hold_lease(stores[[2]], two))
  now <- now + .2
  expect_true(hold_lease(stores[[2]], two))
  # thawed, it learns of that when it raises the count
  expect_false(hold_lease(stores[[1]], one))
  expect_false(hold_lease(stores[[1]], one))
  expect_true(hold_lease(stores[[2]], two))
  # who ends in order is followed at once, and so is who is known to be dead
  end_lease(stores[[2]], two)
  expect_true(hold_lease(stores[[1]], one))
  expect_true(hold_lease(stores[[2]], new_lease("three", 2, dead = "one", clock = clock)))
})

test_that("property: of candidates at the same instant one takes the lease", {
  place <- local_place()
  close_store(open_test_store(place))
  race <- function(job, i) {
    ns <- asNamespace("sdcLattice")
    store <- ns$open_store(job$place, "a table", job$policy, job$variables)
    vapply(seq_len(job$rounds), function(round) {
      file.create(paste0(job$gate, i, "-", round))
      while (!all(file.exists(paste0(job$gate, 1:2, "-", round)))) Sys.sleep(.0005)
      lease <- ns$new_lease(paste(i, round), 100, dead = paste(1:2, round - 1)[1:2])
      took <- ns$hold_lease(store, lease)
      file.create(paste0(job$gate, i, "-", round, "-done"))
      while (!all(file.exists(paste0(job$gate, 1:2, "-", round, "-done")))) Sys.sleep(.0005)
      took
    }, NA)
  }
  rounds <- rounds(15, 200)
  job <- list(place = place, policy = store_policy, variables = store_variables, rounds = rounds,
              gate = file.path(withr::local_tempdir(), "gate"))
  took <- do.call(cbind, run_processes(2, race, job))
  expect_identical(rowSums(took), rep(1, rounds))
})

test_that("property: a judge that dies in the middle loses nothing, and nothing is decided twice", {
  place <- file.path(withr::local_tempdir(), "releases.sqlite")
  server <- server_of(store = place)
  waiting <- list(user_id = "ann", request_id = "k", mask = set_id(server, 1:2), form = "table")
  enqueue(server$store, waiting)
  # after the decision, and before the request has left the queue
  dies <- function() {
    local_mocked_bindings_store(dequeue = function(store, request) stop("killed"))
    expect_error(judge_turn(server, new_lease("one", 2)), "killed")
  }
  dies()
  expect_identical(server$store$seq, 1)
  told <- told_answer(server, waiting, replayed = FALSE, age = 0)
  expect_identical(told$outcome, "released")
  expect_identical(count_queued(server$store), 1)
  after <- server_of(store = place)
  expect_identical(judge_turn(after, new_lease("two", 2, dead = "one")), 1L)
  expect_identical(count_queued(server$store), 0)
  expect_identical(nrow(as.data.frame(after)), 1L)
  expect_identical(told_answer(after, waiting, replayed = FALSE, age = 0)$ledger, told$ledger)
})

test_that("property: what can never be decided leaves the queue; what can later stays", {
  place <- file.path(withr::local_tempdir(), "releases.sqlite")
  server <- server_of(store = place)
  request <- function(id, set) {
    list(user_id = "ann", request_id = id, mask = set_id(server, set), form = "table")
  }
  request_table(server, "A", user = "ann", request_id = "k")
  enqueue(server$store, request("k", 1:2))
  expect_identical(judge_turn(server, new_lease("one", 2)), 1L)
  expect_identical(count_queued(server$store), 0)
  expect_error(told_answer(server, request("k", 1:2), FALSE, 0), class = "sdc_error_server")
  enqueue(server$store, request("l", 1:2))
  fails <- function() {
    local_mocked_bindings_store(
      append_batch = function(...) data.frame(),
      append_decision = function(...) {
        abort_store("contended", c("Nothing was decided.", x = "Others were first."))
      }
    )
    expect_error(judge_turn(server, new_lease("one", 2)), class = "sdc_error_server")
  }
  fails()
  expect_identical(count_queued(server$store), 1)
})

test_that("property: requests that wait together are decided as if they came one by one", {
  withr::local_seed(5)
  policies <- list(
    width = server_policy(risk_width(3), tick_s = 1.5),
    counted = server_policy(risk_width(3), max_risk_refusals = 3, tick_s = 1.5),
    votes = server_policy(risk_width(3), rule = "value", tick_s = 1.5)
  )
  for (name in names(policies)) {
    together <- server_of(store = local_place(), policy = policies[[name]])
    alone <- server_of(policy = policies[[name]])
    n <- 25
    for (i in seq_len(n)) {
      set <- sort(sample(6, sample(2:4, 1)))
      form <- sample(c("table", "projected"), 1)
      enqueue(together$store, list(user_id = "ann", request_id = sprintf("k%02d", i),
                                   mask = set_id(together, set), form = form))
      request_table(alone, alone$variables[set], user = "ann", request_id = sprintf("k%02d", i),
                    if_refused = if (form == "table") "nothing" else "projected")
      Sys.sleep(.002)
    }
    lease <- new_lease("one", 2)
    while (judge_turn(together, lease) > 0) NULL
    expect_identical(count_queued(together$store), 0)
    said <- c("user", "request_id", "sub_table", "outcome", "reason", "parts", "release_no")
    said <- intersect(said, names(as.data.frame(alone)))
    expect_gt(length(said), 4)
    expect_identical(as.data.frame(together)[said], as.data.frame(alone)[said], info = name)
    expect_identical(variables_of(together, server_frontier(together)),
                     variables_of(alone, server_frontier(alone)), info = name)
    if (name == "votes") {
      expect_gt(nrow(count_votes(alone$store)), 0)
      expect_identical(count_votes(together$store), count_votes(alone$store))
    }
  }
})

test_that("property: who holds a queue that was moved away goes on with the one that others find", {
  skip_on_os("windows")
  place <- local_place()
  one <- open_test_store(place)
  two <- open_test_store(place)
  withr::defer({
    close_store(one)
    close_store(two)
  })
  lease <- new_lease("one", 2)
  expect_true(hold_lease(one, lease))
  expect_true(enqueue(one, queue_request_of("a")))
  file.rename(paste0(place, "-queue"), paste0(place, "-away"))
  expect_true(enqueue(two, queue_request_of("b")))
  expect_identical(queued_requests(one)$request_id, "b")
  # the ledger does not rest on it
  expect_identical(ask(one, 1)$outcome, "released")
  # a queue is for its owner only
  expect_identical(format(file.mode(paste0(place, "-queue"))), "600")
})

test_that("property: a request is taken into the queue while a decision is written", {
  place <- local_place()
  judge <- open_test_store(place)
  worker <- open_test_store(place, busy_s = 0)
  withr::defer({
    close_store(judge)
    close_store(worker)
  })
  with_store(judge, with_lock(judge, {
    expect_true(enqueue(worker, queue_request_of("a")))
  }))
  expect_identical(count_queued(judge), 1)
})

test_that("property: of a damaged queue it is said which file to remove, and then all goes on", {
  place <- local_place()
  queue <- paste0(place, "-queue")
  writeLines(rep("no database", 500), queue)
  store <- open_test_store(place)
  withr::defer(close_store(store))
  cnd <- expect_error(enqueue(store, queue_request_of("a")), class = "sdc_error_server")
  expect_identical(cnd$reason, "database")
  expect_match(conditionMessage(cnd), "store.sqlite-queue", fixed = TRUE)
  expect_identical(ask(store, 1)$outcome, "released")
  unlink(queue)
  expect_true(enqueue(store, queue_request_of("a")))
})

test_that("property: by level, too, requests that wait are decided as if they came one by one", {
  set.seed(3)
  case <- level_cases(3)[[1]]
  x <- table_with_ladders(case$counts, case$ladders)
  policy <- server_policy(risk_n(1), rule = "myopic", tick_s = 5)
  together <- server_of(policy, x, store = local_place())
  alone <- server_of(policy, x)
  sets <- unique(lapply(decode_masks(sprintf("%02x", 1:15), length(alone$variables)), function(set) {
    close_set(alone$steps, set)
  }))
  sets <- sample(sets)
  expect_gt(length(sets), 3)
  for (i in seq_along(sets)) {
    request <- list(user_id = "ann", request_id = sprintf("k%02d", i),
                    mask = set_id(together, sets[[i]]), form = "table")
    enqueue(together$store, request)
    append_decision(alone$store, request, judge_request(alone, sets[[i]], "nothing"))
    Sys.sleep(.002)
  }
  lease <- new_lease("one", 200)
  while (judge_turn(together, lease) > 0) NULL
  said <- c("mask", "outcome", "reason_public", "release_no")
  expect_identical(store_history(together$store)[said], store_history(alone$store)[said])
  expect_true("released" %in% store_history(together$store)$outcome)
})
