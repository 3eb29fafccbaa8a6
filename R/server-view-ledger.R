# Views of the ledger: released tables, requests, and for operators all decisions.

# ---- released tables ----------------------------------------------------------------------------

# In the order of their release, the one-way tables first; the cursor counts them.
view_tables <- function(server, cursor, limit) {
  found <- released_rows(server, cursor, limit)
  items <- lapply(found$rows, function(row) {
    c(show_table(server, row$set), release_no = row$release_no, at = row$at %||% NA_character_)
  })
  page_of(items, cursor + seq_along(items), found$more)
}

# `rows`: of each table its `set`, `release_no` and `at`, which the one-way tables have not; `last`:
# the cursor behind them.
released_rows <- function(server, cursor, limit) {
  k <- length(server$variables)
  one_way <- one_way_sets(server$steps, k)
  n_first <- length(one_way)
  first <- if (cursor < n_first) {
    at <- seq(cursor + 1, min(n_first, cursor + limit))
    data.frame(release_no = 0, at = NA_character_, mask = encode_masks(one_way[at], k))
  }
  room <- limit + 1 - NROW(first)
  later <- fetch_releases(server$store, max(0, cursor - n_first),
                          room)[c("release_no", "at", "mask")]
  rows <- rbind(first, later)
  n <- min(nrow(rows), limit)
  more <- nrow(rows) > limit || cursor + n < n_first
  rows <- rows[seq_len(n), ]
  sets <- decode_masks(rows$mask, k)
  found <- lapply(seq_len(n), function(i) {
    list(set = sets[[i]], release_no = rows$release_no[i],
         at = if (!is.na(rows$at[i])) rows$at[i])
  })
  list(rows = found, more = more, last = cursor + n)
}

view_table <- function(server, set, hash) {
  id <- set_id(server, set)
  c(show_table(server, set), first_release(server, set),
    list(table_hash = hash, zeros = n_cells_of(server, set) <= max_format_cells, links = list(
      data = data_link(id), structure = sub("data$", "structure", data_link(id))
    )))
}

# When a table came out, itself or as a part of another. NULL for the time of the one-way tables:
# they were out before the first request.
first_release <- function(server, set) {
  if (n_variables_in(server$steps, set) > 1) {
    k <- length(server$variables)
    cursor <- 0
    repeat {
      rows <- fetch_releases(server$store, cursor, 1000)
      holds <- which(vapply(decode_masks(rows$mask, k), function(out) all(set %in% out), NA))
      if (length(holds) > 0) {
        return(list(release_no = rows$release_no[holds[1]], at = rows$at[holds[1]]))
      }
      if (nrow(rows) < 1000) break
      cursor <- max(rows$release_no)
    }
  }
  list(release_no = 0, at = NULL)
}

# ---- requests -----------------------------------------------------------------------------------

# An answer to the one who asked.
view_answer <- function(server, answer) {
  set <- set_named(server, answer$variables)
  refused <- answer$outcome %in% c("refused", "projected")
  out <- list(
    seq = answer$seq, at = answer$at, request_id = answer$request_id,
    variables = as.list(answer$variables), outcome = answer$outcome,
    reason = if (!is.na(answer$reason)) answer$reason,
    parts = lapply(answer$parts, function(part) show_set(server, set_named(server, part))),
    table = if (answer$outcome %in% c("released", "already", "recorded")) {
      c(show_table(server, set), list(links = list(data = data_link(set_id(server, set)))))
    },
    ledger = answer$ledger,
    coarser = if (refused && !is.null(server$steps)) view_coarser(server, set)
  )
  if (is.null(server$steps)) out[names(out) != "coarser"] else c(out, show_levels(server, set))
}

row_answers <- function(server, rows) {
  lapply(seq_len(nrow(rows)), function(i) new_answer(server, answer_of(rows[i, ], replayed = TRUE)))
}

# NULL when this user has not asked under that key.
view_request <- function(server, user, key) {
  rows <- find_decisions(server$store,
                         "user_id = CAST($1 AS TEXT) AND request_id = CAST($2 AS TEXT)",
                         user, key, limit = 1)
  if (nrow(rows) == 1) view_answer(server, row_answers(server, rows)[[1]])
}

view_requests <- function(server, user, cursor, limit) {
  rows <- find_decisions(server$store, "user_id = CAST($1 AS TEXT) AND seq < CAST($2 AS BIGINT)",
                         user, cursor, limit = limit + 1)
  more <- nrow(rows) > limit
  rows <- utils::head(rows, limit)
  items <- lapply(row_answers(server, rows), function(answer) {
    view_answer(server, answer)[c("seq", "at", "request_id", "variables", "outcome", "reason",
                                  "parts")]
  })
  page_of(items, rows$seq, more)
}

# What this user was told last about a sub-table. What was read once is kept in memory, where new
# decisions follow it.
last_asked <- function(server, user, set) {
  store <- server$store
  mask <- set_id(server, set)
  row <- known_asked(store, user, mask) %||% {
    rows <- find_decisions(store, "user_id = CAST($1 AS TEXT) AND mask = CAST($2 AS TEXT)",
                           user, mask, limit = 1)
    keep_asked(store, user, mask, as.list(rows[asked_columns]))
  }
  if (length(row$outcome) == 1) {
    list(outcome = row$outcome, reason = if (!is.na(row$reason_public)) row$reason_public,
         at = row$at)
  }
}

# ---- for operators ------------------------------------------------------------------------------

view_decisions <- function(server, cursor, limit) {
  rows <- find_decisions(server$store, "seq < CAST($1 AS BIGINT)", cursor, limit = limit + 1)
  more <- nrow(rows) > limit
  rows <- utils::head(rows, limit)
  sets <- decode_masks(rows$mask, length(server$variables))
  items <- lapply(seq_len(nrow(rows)), function(i) {
    row <- rows[i, ]
    c(
      list(seq = as.numeric(row$seq), at = row$at, user = row$user_id, request_id = row$request_id),
      show_set(server, sets[[i]]),
      list(outcome = row$outcome, reason = row$reason_public, reason_private = row$reason_private,
           release_no = as.numeric(row$release_no))
    )
  })
  page_of(items, rows$seq, more)
}

view_what_if <- function(server, set) {
  found <- what_if(server, server$variables[set])
  named <- function(labels) {
    show_sets(server, few_sets(sub_table_sets(as.list(labels), server$variables, "labels",
                                              server$steps)))
  }
  list(
    variables = as.list(found$variables), verdict = found$verdict, how = found$how,
    n_released = length(found$released), released = named(found$released),
    n_unreleasable = length(found$unreleasable), unreleasable = named(found$unreleasable),
    among = found$among
  )
}

view_audit <- function(server) {
  found <- audit(server)
  list(
    decisions = found$decisions, outcomes = as.list(found$outcomes), refused = found$refused,
    refuted = found$refuted, verified = found$verified, how = found$how,
    ledger = list(seq = found$seq, hash = found$hash)
  )
}

# As after decision `upto`.
view_history <- function(server, upto) {
  k <- length(server$variables)
  last <- server$store$seq
  upto <- min(upto, last)
  rows <- fetch_releases(server$store, 0, 1e6)
  sets <- decode_masks(rows$mask[rows$seq <= upto], k)
  frontier <- order_sets(maximal_sets(c(one_way_sets(server$steps, k), sets)))
  list(
    upto = upto, last = last,
    counts = list(decisions = upto, releases = length(sets),
                  refused_for_risk = n_refused_for_risk(server$store, upto),
                  maximal_sub_tables = length(frontier),
                  released_sub_tables = below_sets(server, frontier)),
    frontier = page_of(show_sets(server, frontier), seq_along(frontier), FALSE)$items
  )
}
