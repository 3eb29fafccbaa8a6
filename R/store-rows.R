# The newest rows of the ledger in memory, where `store$rows` is an environment: a process that
# answers finds the decisions on all requests that wait there, for which it has read once what is
# new. Each row is verified again before it is told.

most_rows <- 20000

# What the ledger holds up to number `after` is asked of it.
forget_rows <- function(store, after) {
  store$rows <- new.env(parent = emptyenv())
  store$rows_after <- after
}

# No request id has a blank.
row_key <- function(request) paste(request$request_id, request$user_id)

follow_kept <- function(store, rows) {
  if (is.null(store$rows) || nrow(rows) == 0) {
    return(invisible())
  }
  if (length(store$rows) + nrow(rows) > most_rows) {
    return(forget_rows(store, as.numeric(rows$seq[nrow(rows)])))
  }
  keys <- row_key(rows)
  values <- do.call(cbind, unname(as.list(rows[ledger_columns])))
  for (i in seq_along(keys)) store$rows[[keys[i]]] <- values[i, ]
}
