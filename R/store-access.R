# The ledger of access: who may ask, in which role and since when, which tokens were made and
# revoked, and what else an operator set. A second chain of hashes in the store (`access_event`),
# like that of decisions: each change of `users` and `tokens` is written together with its event, in
# one transaction, and when a store is opened the tables must be what the events say. So nobody who
# can write the database makes an operator, or brings a revoked token back, unseen; the anchor shows
# events that were cut off.
#
# `change_access(store, expr)` runs what changes something under the lock; `append_event()` in it
# writes the event. The details are canonical JSON, without secrets: of a token they have the hash
# of the hash.

access_format <- 1
access_columns <- c("seq", "v", "at", "kind", "subject", "detail", "by_user", "prev", "hash")
access_hashed <- sort(setdiff(access_columns, c("prev", "hash")), method = "radix")

change_access <- function(store, expr) {
  value <- with_store(store, with_lock(store, {
    catch_up_access(store)
    force(expr)
  }))
  move_access_anchor(store)
  value
}

append_event <- function(store, kind, subject, detail = list()) {
  row <- list(
    seq = whole_text(store$access_seq + 1), v = whole_text(access_format), at = utc_now(),
    kind = kind, subject = enc2utf8(subject),
    detail = if (length(detail) > 0) canonical_json(detail) else "{}",
    by_user = enc2utf8(Sys.info()[["effective_user"]]), prev = access_head(store)
  )
  row$hash <- access_hashes(store, row)
  types <- ifelse(access_columns %in% c("seq", "v"), "BIGINT", "TEXT")
  sql <- paste0(
    "INSERT INTO access_event (", paste(access_columns, collapse = ", "), ") VALUES (",
    paste(sprintf("CAST($%d AS %s)", seq_along(types), types), collapse = ", "), ")"
  )
  do.call(execute, c(list(store$con, sql), unname(row[access_columns])))
  extend_access(store, list2data_frame(row, 1L))
}

access_hashes <- function(store, rows) {
  columns <- lapply(unclass(rows)[c(access_hashed, "prev")], as.character)
  cpp_ledger_hashes(columns[access_hashed], access_hashed, access_hashed %in% c("seq", "v"),
                    columns$prev, store$chain$key())
}

# The chain begins where that of the decisions does, and cannot be taken for it.
access_head <- function(store) {
  store$access_hash %||% store$chain$text(paste0("access\n", store$genesis))
}

extend_access <- function(store, rows) {
  last <- nrow(rows)
  store$access_seq <- as.numeric(rows$seq[last])
  store$access_hash <- rows$hash[last]
  forget_tokens(store)
}

# ---- reading ------------------------------------------------------------------------------------

fetch_events <- function(store, after) {
  columns <- ifelse(access_columns %in% c("seq", "v"),
                    sprintf("CAST(%1$s AS TEXT) AS %1$s", access_columns), access_columns)
  fetch_text(store$con, paste(
    "SELECT", paste(columns, collapse = ", "), "FROM access_event",
    "WHERE seq > CAST($1 AS BIGINT) ORDER BY access_event.seq"
  ), after)
}

# Reads and verifies what is new.
catch_up_access <- function(store) {
  rows <- fetch_events(store, store$access_seq)
  if (nrow(rows) == 0) {
    return(invisible(rows))
  }
  n <- nrow(rows)
  sound <- as.numeric(rows$seq) == store$access_seq + seq_len(n) &
    rows$prev == c(access_head(store), rows$hash[-n]) & rows$hash == access_hashes(store, rows)
  bad <- which(is.na(sound) | !sound)
  if (length(bad) > 0) {
    abort_altered(paste("Event", whole_text(store$access_seq + bad[1]),
                        "of the ledger of access is not what was written, or is missing."))
  }
  extend_access(store, rows)
  invisible(rows)
}

# All of it, and that the tables say the same. Gives the events.
load_access <- function(store) {
  store$access_seq <- 0
  store$access_hash <- NULL
  anchor <- read_access_anchor(store)
  # what is changed meanwhile must not come between the events and the tables
  found <- with_store(store, with_lock(store, {
    list(events = catch_up_access(store), users = fetch_users(store), tokens = fetch_tokens(store))
  }))
  if (store$access_seq == 0) abort_altered("Its ledger of access is missing.")
  check_access(access_after(found$events), found)
  check_access_anchored(store, anchor)
  move_access_anchor(store)
  found$events
}

# What the tables must hold after all events: texts, by user and by token.
access_after <- function(events) {
  users <- tokens <- list()
  for (i in seq_len(nrow(events))) {
    detail <- jsonlite::parse_json(events$detail[i])
    subject <- events$subject[i]
    switch(events$kind[i],
      user_added = users[[subject]] <- c(role = detail$role, disabled = "no"),
      user_disabled = users[[subject]][["disabled"]] <- "yes",
      token_issued = tokens[[subject]] <- c(user = detail$user, mark = detail$mark,
                                            expires = detail$expires, revoked = "no"),
      token_revoked = tokens[[subject]][["revoked"]] <- "yes"
    )
  }
  list(users = users, tokens = tokens)
}

check_access <- function(after, found) {
  users <- found$users
  tokens <- found$tokens
  yes <- function(at) ifelse(is.na(at), "no", "yes")
  said <- c(
    user_words(names(after$users), after$users),
    user_words(names(after$tokens), after$tokens)
  )
  there <- c(
    sprintf("%s: %s %s", users$user_id, users$role, yes(users$disabled_at)),
    sprintf("%s: %s %s %s %s", tokens$token_id, tokens$user_id, token_mark(tokens$hash),
            expiry_text(tokens$expires_at), yes(tokens$revoked_at))
  )
  if (!setequal(said, there) || length(said) != length(there)) {
    abort_altered("Its users or tokens are not those of its ledger of access.")
  }
}

user_words <- function(names, rows) {
  values <- vapply(rows, function(row) paste(unlist(row), collapse = " "), "")
  sprintf("%s: %s", names, values)
}

token_mark <- function(hash) {
  vapply(hash, function(one) chain_hash()$text(paste0("mark\n", one)), "", USE.NAMES = FALSE)
}

expiry_text <- function(at) ifelse(is.na(at), "never", at)

# ---- what was there before there were events ----------------------------------------------------

begin_access <- function(store) {
  store$access_seq <- 0
  store$access_hash <- NULL
  users <- fetch_users(store)
  tokens <- fetch_tokens(store)
  append_event(store, "begun", "store", list(users = nrow(users), tokens = nrow(tokens)))
  for (i in order(users$created_at, users$user_id, method = "radix")) {
    append_event(store, "user_added", users$user_id[i], list(role = users$role[i]))
    if (!is.na(users$disabled_at[i])) append_event(store, "user_disabled", users$user_id[i])
  }
  for (i in order(tokens$created_at, tokens$token_id, method = "radix")) {
    append_event(store, "token_issued", tokens$token_id[i], token_detail(tokens[i, ]))
    if (!is.na(tokens$revoked_at[i])) append_event(store, "token_revoked", tokens$token_id[i])
  }
}

token_detail <- function(token) {
  list(user = token$user_id, mark = token_mark(token$hash), expires = expiry_text(token$expires_at))
}

fetch_users <- function(store) {
  fetch_text(store$con, "SELECT user_id, role, created_at, disabled_at FROM users")
}

fetch_tokens <- function(store) {
  fetch_text(store$con, "SELECT token_id, user_id, hash, created_at, expires_at, revoked_at
                         FROM tokens")
}
