# The one question by which a process learns that anything is new.

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
