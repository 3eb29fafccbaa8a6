# How a process learns what is new, by one question; and what it knows of a request then.

# Asks unless it has done so in the last `age_s` seconds; then follows both chains.
look_at_store <- function(store, age_s = store$look_s %||% 0) {
  at <- cpp_steady_s()
  if (at - (store$looked %||% -Inf) < age_s) {
    return(invisible())
  }
  head <- with_store(store, fetch_text(
    store$con, "SELECT CAST((SELECT MAX(seq) FROM decision) AS TEXT) AS decisions,
                       CAST((SELECT MAX(seq) FROM access_event) AS TEXT) AS events"
  ))
  behind <- function(seq, known) is.na(seq) != (known == 0) || isTRUE(as.numeric(seq) != known)
  if (behind(head$decisions, store$seq)) catch_up(store)
  if (behind(head$events, store$access_seq)) with_store(store, catch_up_access(store))
  store$looked <- at
  invisible()
}

# From now on the newest rows are kept in memory (store-rows.R).
keep_rows <- function(store) {
  forget_rows(store, max(0, store$seq - most_rows / 2))
  follow_kept(store, fetch_decisions(store, store$rows_after))
}

# The row of the ledger that answers the request, as far as it has been read; NULL without one.
known_row <- function(store, request) {
  kept <- if (!is.null(store$rows)) store$rows[[row_key(request)]]
  if (!is.null(kept)) {
    return(as.list(rlang::set_names(kept, ledger_columns)))
  }
  if (is.null(store$rows) || store$rows_after > 0) find_row(store, request)
}
