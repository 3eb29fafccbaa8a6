# What the ledger tells afterwards: the history as a data frame, and the state after any decision.

# The whole ledger, verified anew from its first row to the newest. One row for each decision, with
# private reasons: for operators.
verified_rows <- function(store) {
  check_store(store)
  catch_up(store)
  parts <- follow_ledger(copy_store(store), store)
  out <- do.call(rbind, parts) %||% fetch_decisions(store, store$seq)
  out[number_columns] <- lapply(out[number_columns], as.numeric)
  out
}

# `steps`: of a table by level.
store_history <- function(store, steps = NULL) {
  rows <- verified_rows(store)
  sub_table <- masks_labels(rows$mask, store$identity$variables, steps)
  cbind(rows[c("seq", "at", "user_id", "request_id")], sub_table = sub_table,
        rows[setdiff(ledger_columns, c("seq", "at", "user_id", "request_id"))])
}

masks_labels <- function(masks, variables, steps) {
  seen <- unique(masks)
  labels <- set_labels(decode_masks(seen, length(variables)), variables, steps)
  labels[match(masks, seen)]
}

# The state as it was after decision number `upto`: what a judge saw who decided the next one.
replay_store <- function(store, upto = Inf) {
  check_number(upto, min = 0)
  rows <- verified_rows(store)
  rows <- rows[rows$seq <= upto, ]
  replayed <- copy_store(store)
  if (nrow(rows) > 0) extend_state(replayed, rows)
  store_state(replayed)
}

# Releases after the one with number `after`, in order: `release_no`, `seq`, `at`, `mask`.
fetch_releases <- function(store, after, limit) {
  kinds <- paste0("'", names(outcomes)[outcomes == 1], "'", collapse = ", ")
  sql <- paste(
    "SELECT CAST(release_no AS TEXT) AS release_no, CAST(seq AS TEXT) AS seq, at, mask",
    "FROM decision WHERE outcome IN (", kinds, ") AND release_no > CAST($1 AS BIGINT)",
    "ORDER BY decision.release_no LIMIT CAST($2 AS BIGINT)"
  )
  rows <- with_store(store, fetch_text(store$con, sql, after, limit))
  rows[c("release_no", "seq")] <- lapply(rows[c("release_no", "seq")], as.numeric)
  rows
}

# Rows of the ledger, newest first: `where` with placeholders from $1 on.
find_decisions <- function(store, where, ..., limit) {
  # before the store is asked: what is wrong with them is no failure of it
  values <- list(...)
  force(limit)
  sql <- paste0("SELECT ", select_columns, " FROM decision WHERE ", where,
                " ORDER BY decision.seq DESC LIMIT CAST($", length(values) + 1, " AS BIGINT)")
  with_store(store, do.call(fetch_text, c(list(store$con, sql), values, limit)))
}

# Up to decision number `upto`.
n_refused_for_risk <- function(store, upto) {
  found <- with_store(store, fetch_text(
    store$con, "SELECT CAST(COUNT(DISTINCT mask) AS TEXT) AS n FROM decision
                WHERE reason_public = 'risk' AND seq <= CAST($1 AS BIGINT)", upto
  ))
  as.numeric(found$n)
}
