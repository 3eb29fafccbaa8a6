skip_if_no_store()

requests_of <- function(ids, masks = lapply(seq_along(ids), mask_of)) {
  Map(function(id, mask) list(user_id = "u", request_id = id, mask = mask), ids, masks,
      USE.NAMES = FALSE)
}

release <- function(state) list(outcome = "released")
releasing <- function(request) release
# by turns, for the requests in their order
in_turn <- function(...) {
  judges <- list(...)
  function(request) {
    judge <- judges[[1]]
    judges <<- judges[-1]
    judge
  }
}
always <- function(n) TRUE

# By the state that it sees: a mask is refused when it was released, or one of its two neighbours.
careful <- function(request) {
  mask <- request$mask
  function(state) {
    near <- sprintf("%010x", strtoi(mask, 16) + -1:1)
    if (!any(near %in% state$released)) {
      return(list(outcome = "released", certificate = list(kind = "note", body = mask)))
    }
    list(outcome = "refused", reason_public = "risk", reason_private = "next to a released one")
  }
}

test_that("property: a batch decides as one request after the other does", {
  withr::local_seed(11)
  for (trial in seq_len(rounds(2, 50))) {
    n <- sample(2:30, 1)
    masks <- sprintf("%010x", sample(1:20, n, replace = TRUE))
    requests <- requests_of(paste0("r", seq_len(n)), masks)
    place <- local_place()
    batch <- open_test_store(place)
    single <- local_store()
    done <- 0
    while (done < n) {
      # as many as there is time for
      most <- sample(7, 1)
      now <- requests[seq(done + 1, n)]
      rows <- append_batch(batch, now, careful, function(k) k < most)
      expect_identical(nrow(rows), min(most, length(now)))
      done <- done + nrow(rows)
    }
    for (request in requests) append_decision(single, request, careful(request))
    known <- setdiff(names(store_state(batch)), "hash")
    expect_identical(store_state(batch)[known], store_state(single)[known])
    expect_gt(length(batch$refused), 0)
    # the anchor has followed, each certificate is there, and the whole chain is verified at opening
    expect_identical(batch$anchor_seq, as.numeric(n))
    before <- store_state(batch)
    for (hash in stats::na.omit(store_history(batch)$certificate_hash)) {
      expect_false(is.null(read_certificate(batch, hash)))
    }
    close_store(batch)
    again <- open_test_store(place)
    expect_identical(store_state(again), before)
    close_store(again)
  }
})

test_that("property: where another process was first nothing is written, nor believed", {
  place <- local_place()
  store <- open_test_store(place)
  other <- open_test_store(place)
  withr::defer({
    close_store(store)
    close_store(other)
  })
  ask(store, 1)
  before <- store_state(store)
  intrudes <- function(state) {
    ask(other, 2)
    list(outcome = "released", certificate = list(kind = "note", body = "of the batch"))
  }
  rows <- append_batch(store, requests_of(c("a", "b", "c")), in_turn(release, intrudes, release),
                       always)
  expect_identical(nrow(rows), 0L)
  expect_identical(store_state(store), before)
  expect_null(read_certificate(store, certificate_hash("note", "of the batch")))
  rows <- append_batch(store, requests_of(c("a", "b", "c")), releasing, always)
  expect_identical(rows$seq, c("3", "4", "5"))
  expect_identical(store_history(other)$request_id[3:5], c("a", "b", "c"))
})

test_that("property: what was decided before is not decided again", {
  store <- local_store()
  first <- ask(store, 7, id = "b")
  requests <- requests_of(c("a", "b", "c"))
  before <- store_state(store)
  expect_identical(nrow(append_batch(store, requests, releasing, always)), 0L)
  expect_identical(store_state(store), before)
  expect_identical(nrow(store_history(store)), 1L)
})

test_that("property: a judgement that fails ends the batch before it", {
  store <- local_store()
  fails <- function(state) stop("no judgement")
  rows <- append_batch(store, requests_of(c("a", "b", "c")), in_turn(release, fails, release),
                       always)
  expect_identical(rows$request_id, "a")
  expect_identical(nrow(append_batch(store, requests_of("b"), in_turn(fails), always)), 0L)
  spoilt <- requests_of("a b")
  expect_identical(nrow(append_batch(store, spoilt, releasing, always)), 0L)
  expect_identical(store$seq, 1)
})

test_that("property: when the commit fails, the store knows what it knew before", {
  store <- local_store()
  ask(store, 1)
  before <- store_state(store)
  breaks <- function() {
    local_mocked_bindings_store(execute = function(...) stop("the disk is full"))
    expect_error(append_batch(store, requests_of(c("a", "b")), releasing, always),
                 class = "sdc_error_server")
  }
  breaks()
  expect_identical(store_state(store), before)
  expect_identical(nrow(store_history(store)), 1L)
  rows <- append_batch(store, requests_of(c("a", "b")), releasing, always)
  expect_identical(rows$seq, c("2", "3"))
})

test_that("property: nothing is said when the anchor does not follow", {
  store <- local_store()
  breaks <- function() {
    local_mocked_bindings_store(move_anchor = function(...) stop("no anchor"))
    expect_error(append_batch(store, requests_of("a"), releasing, always), "no anchor")
  }
  breaks()
  # it is decided, and told once the anchor is there
  expect_identical(store$anchor_seq, 0)
  told <- ask(store, 1, id = "a", outcome = "refused")
  expect_identical(told$outcome, "released")
  expect_true(told$replayed)
  expect_identical(store$anchor_seq, 1)
})

# Each process takes all requests, in batches, and falls back where it was not the first.
race_batches <- function(job, i) {
  ns <- asNamespace("sdcLattice")
  make_place <- job$make_place
  environment(make_place) <- globalenv()
  anchor <- if (is.list(job$where)) job$where$anchor
  store <- suppressWarnings(ns$open_store(make_place(job$where), "a table", job$policy,
                                          job$variables, anchor = anchor))
  while (Sys.time() < job$start) Sys.sleep(.001)
  judge <- function(group) {
    force(group)
    function(state) {
      Sys.sleep(openssl::rand_num(1) / 500)
      out <- sum(substr(state$released, 1, 8) == group)
      if (out < job$cap) list(outcome = "released") else
        list(outcome = "refused", reason_public = "risk")
    }
  }
  together <- 0
  for (group in unique(substr(job$masks, 1, 8))) {
    requests <- lapply(job$masks[substr(job$masks, 1, 8) == group], function(mask) {
      list(user_id = "u", request_id = mask, mask = mask)
    })
    while (length(requests) > 0) {
      rows <- ns$append_batch(store, requests, function(r) judge(group),
                              function(n) n < 4)
      n <- nrow(rows)
      together <- together + (n > 1)
      if (n == 0) {
        ns$append_decision(store, requests[[1]], judge(group), tries = 100)
        n <- 1
      }
      requests <- requests[-seq_len(n)]
    }
  }
  together
}

expect_sound_batches <- function(where) {
  groups <- rounds(12, 100)
  masks <- as.vector(outer(1:6, seq_len(groups), function(i, g) sprintf("%08x%02x", g, i)))
  close_store(open_test_store(where))
  together <- run_processes(3, race_batches, list(
    where = where, make_place = make_place, masks = masks, cap = 2, start = Sys.time() + 3,
    policy = store_policy, variables = store_variables
  ))
  expect_gt(sum(unlist(together)), groups / 4)
  store <- open_test_store(where)
  on.exit(close_store(store))
  history <- store_history(store)
  expect_identical(sort(history$request_id), sort(masks))
  out <- history[history$outcome == "released", ]
  expect_identical(unname(c(table(substr(out$mask, 1, 8)))), rep(2L, groups))
}

test_that("property: processes that write batches at once never release too much", {
  expect_sound_batches(local_place())
})

test_that("property: nor do they in PostgreSQL", {
  expect_sound_batches(postgres_place(local_cluster(), "batches"))
})

test_that("property: of a batch whose process is killed all is in the ledger, or nothing", {
  skip_if_no_fork()
  place <- local_place()
  size <- 40
  decide <- function(store, round) {
    ids <- paste0(round, "-", seq_len(size))
    append_batch(store, requests_of(ids, rep(mask_of(1), size)), releasing, always)
  }
  close_store(open_test_store(place))
  # how long the longest waits: less after a batch that was whole, more after one that was cut off, so
  # that there are both on a machine of any speed
  longest <- .1
  whole <- 0
  total <- rounds(12, 200)
  for (round in seq_len(total)) {
    ready <- tempfile()
    job <- parallel::mcparallel(silent = TRUE, {
      store <- open_test_store(place)
      file.create(ready)
      decide(store, round)
    })
    wait_for(ready, step_s = 0)
    Sys.sleep(stats::runif(1, 0, longest))
    tools::pskill(job$pid, tools::SIGKILL)
    suppressWarnings(parallel::mccollect(job))
    store <- open_test_store(place)
    found <- sum(startsWith(store_history(store)$request_id, paste0(round, "-")))
    close_store(store)
    expect_true(found %in% c(0, size))
    whole <- whole + (found == size)
    longest <- longest * if (found == size) .5 else 2
  }
  # some were cut off, and some were not
  expect_true(whole > 0 && whole < total)
})
