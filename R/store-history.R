# What the ledger tells afterwards: the history as a data frame, the state after any decision, and
# how the frontiers moved.

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

store_history <- function(store) {
  rows <- verified_rows(store)
  sub_table <- masks_labels(rows$mask, store$identity$variables)
  cbind(rows[c("seq", "at", "user_id", "request_id")], sub_table = sub_table,
        rows[setdiff(ledger_columns, c("seq", "at", "user_id", "request_id"))])
}

masks_labels <- function(masks, variables) {
  seen <- unique(masks)
  labels <- vapply(decode_masks(seen, length(variables)), function(set) {
    margin_label(variables[set])
  }, "")
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

# ---- frontiers ----------------------------------------------------------------------------------

# A data frame: `seq`, `frontier` ("released": the maximal released sub-tables, "refused": the
# minimal ones that were refused for risk), `mask`, `change` (1: it joined, -1: it left). Derived
# from the ledger; kept in a table for pictures and other programs, and brought up to date here.
frontier_history <- function(store) {
  rows <- verified_rows(store)
  risk <- is_risk_refusal(rows)
  events <- rbind(
    frontier_events(rows[outcomes[rows$outcome] == 1, ], "released", store$k),
    frontier_events(rows[risk, ], "refused", store$k)
  )
  in_order <- order(events$seq, events$frontier, -events$change, events$mask, method = "radix")
  events <- events[in_order, ]
  rownames(events) <- NULL
  keep_events(store, events)
  events
}

# Rows of one kind in, changes out. A mask that the frontier covers already changes nothing.
frontier_events <- function(rows, frontier, k) {
  rows <- rows[!duplicated(rows$mask), ]
  digits <- mask_digits(rows$mask, k)
  up <- frontier == "released"
  now <- integer()
  seq <- at <- change <- list()
  for (i in seq_len(nrow(rows))) {
    known <- digits[, now, drop = FALSE]
    inside <- inside_mask(known, digits[, i])
    holds <- holds_mask(known, digits[, i])
    if (any(if (up) holds else inside)) next
    gone <- now[if (up) inside else holds]
    now <- c(setdiff(now, gone), i)
    at[[i]] <- c(i, gone)
    change[[i]] <- c(1, rep(-1, length(gone)))
    seq[[i]] <- rep(rows$seq[i], 1 + length(gone))
  }
  at <- as.integer(unlist(at))
  data.frame(
    seq = as.numeric(unlist(seq)), frontier = rep(frontier, length(at)), mask = rows$mask[at],
    change = as.numeric(unlist(change))
  )
}

# All anew, so that a table that was spoilt is mended.
keep_events <- function(store, events) {
  with_store(store, with_lock(store, {
    execute(store$con, "DELETE FROM frontier_event")
    if (nrow(events) > 0) {
      execute(store$con, "INSERT INTO frontier_event (seq, frontier, mask, change) VALUES
        (CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT))",
              events$seq, events$frontier, events$mask, events$change)
    }
  }))
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
