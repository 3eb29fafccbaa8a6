# Several decisions in one commit, as the disk takes longer than most judgements. They are judged
# one after the other, each as if those before it were in the ledger already, and then written
# together: all of them follow the newest decision that was known, or none is written. Nothing is
# said to anybody before.

# `requests`: as append_decision() takes them; `judge_of(request)`: the judge of each;
# `go_on(n)`: is there time for another one after `n`? Gives the rows that are in the ledger now, of
# the first requests. There are none when another process was first, or when the first request
# cannot be decided like this: append_decision() then says what is the matter with it.
append_batch <- function(store, requests, judge_of, go_on) {
  check_store(store)
  settle_behind(store)
  catch_up(store)
  known <- store_state(store)
  written <- FALSE
  on.exit(if (!written) list2env(known, envir = store))
  judged <- judge_in_turn(store, requests, judge_of, go_on)
  rows <- bind_rows_of(judged)
  if (nrow(rows) == 0 || !insert_batch(store, rows, lapply(judged, `[[`, "evidence"))) {
    return(rows[0, ])
  }
  written <- TRUE
  follow_asked(store, rows)
  follow_kept(store, rows)
  settle(store, store$seq, store$hash)
  rows
}

# The state of the store runs ahead of the ledger meanwhile.
judge_in_turn <- function(store, requests, judge_of, go_on) {
  judged <- list()
  for (i in seq_along(requests)) {
    if (i > 1 && !go_on(i - 1)) break
    one <- tryCatch({
      request <- check_request(store, requests[[i]])
      found <- judge_now(store, judge_of(request))
      list(row = ledger_row(store, request, found$decision), evidence = found$evidence)
    }, error = function(cnd) NULL)
    if (is.null(one)) break
    advance_state(store, one$row)
    judged[[i]] <- one
  }
  judged
}

bind_rows_of <- function(judged) {
  columns <- lapply(rlang::set_names(ledger_columns), function(column) {
    vapply(judged, function(one) as.character(one$row[[column]]), "")
  })
  list2data_frame(columns, length(judged))
}

# Each row is inserted only after the one before it.
insert_batch <- function(store, rows, evidence) {
  with_store(store, with_lock(store, {
    for (one in evidence) write_evidence(store, one)
    do.call(execute, c(
      list(store$con, insert_sql), unname(as.list(rows)),
      list(rep(schema_version(), nrow(rows)), as.numeric(rows$seq) - 1, rows$prev)
    )) == nrow(rows)
  }, keep = isTRUE))
}
