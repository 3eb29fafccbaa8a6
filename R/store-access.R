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
#
# A token is `sdc_<id>_<secret>`: 256 random bits that the store does not hold, only their hash. A
# fast hash will do, as nobody can try 2^256 secrets. It is found by its id, and the hashes are
# compared in constant time. Times are UTC text, which sorts as the times do.

# ---- users --------------------------------------------------------------------------------------

add_user <- function(store, user_id, role = c("user", "operator")) {
  check_text(user_id, "user_id")
  role <- check_choice(role, c("user", "operator"))
  added <- change_with_event(
    store, "user_added", user_id, list(role = role),
    "INSERT INTO users (user_id, role, created_at)
     VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT)) ON CONFLICT DO NOTHING",
    user_id, role, utc_now()
  )
  if (!added) {
    abort_sdc("input", c(
      "{.arg user_id} must be new.",
      x = "There is a user of this name."
    ))
  }
  invisible(user_id)
}

# All tokens of the user stop working.
disable_user <- function(store, user_id) {
  stamp_row(store, "users", "disabled_at", "user_id", user_id, "user_disabled")
}

revoke_token <- function(store, token_id) {
  stamp_row(store, "tokens", "revoked_at", "token_id", token_id, "token_revoked")
}

# The first time counts.
stamp_row <- function(store, table, column, key, value, kind) {
  check_text(value, key)
  sql <- paste("UPDATE", table, "SET", column, "= COALESCE(", column, ", CAST($1 AS TEXT))",
               "WHERE", key, "= CAST($2 AS TEXT)")
  if (change_with_event(store, kind, value, list(), sql, utc_now(), value)) {
    return(invisible(value))
  }
  abort_sdc("input", c(
    "{.arg {key}} must be one that the store knows.",
    x = "The store has no such {key}."
  ))
}

# Data frames.
list_users <- function(store) {
  fetch_store(store, "SELECT user_id, role, created_at, disabled_at FROM users")
}

# `hash` is for nobody to see.
list_tokens <- function(store, columns = "token_id, user_id, created_at, expires_at, revoked_at") {
  fetch_store(store, paste("SELECT", columns, "FROM tokens"))
}

# ---- tokens -------------------------------------------------------------------------------------

# The token itself, which is shown this once.
issue_token <- function(store, user_id, days = 365) {
  check_text(user_id, "user_id")
  if (!is.null(days)) check_number(days, min = 0, max = 36500)
  active <- count_store(store, "users WHERE user_id = CAST($1 AS TEXT) AND disabled_at IS NULL",
                        user_id)
  if (active == 0) {
    abort_sdc("input", c(
      "{.arg user_id} must be a user who has not been disabled.",
      x = "The store has no active user of this name.",
      i = "Make one with {.fn add_server_user}."
    ))
  }
  token_id <- random_hex(8)
  secret <- random_hex(32)
  token <- list(user_id = user_id, hash = token_hash(token_id, secret),
                expires_at = if (is.null(days)) NA_character_ else utc_now(86400 * days))
  change_with_event(
    store, "token_issued", token_id, token_detail(token),
    "INSERT INTO tokens (token_id, user_id, hash, created_at, expires_at) VALUES
     (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT))",
    token_id, user_id, token$hash, utc_now(), token$expires_at
  )
  paste("sdc", token_id, secret, sep = "_")
}

# list(user_id, role, token_id), or NULL for a token that is no good, for whatever reason: whoever
# shows it learns no more.
check_token <- function(store, token) {
  shape <- "^sdc_[0-9a-f]{16}_[0-9a-f]{64}$"
  if (!is_text(token) || nchar(token, "bytes") != 85 ||
        !grepl(shape, token, perl = TRUE, useBytes = TRUE)) {
    return(NULL)
  }
  token_id <- substr(token, 5, 20)
  given <- token_hash(token_id, substr(token, 22, 85))
  look_at_store(store)
  found <- find_token(store, token_id)
  same <- same_digest(given, found$hash %||% strrep("0", 64))
  alive <- !is.null(found) && as.numeric(Sys.time()) < found$until
  if (same && alive) list(user_id = found$user_id, role = found$role, token_id = token_id)
}

token_hash <- function(token_id, secret) chain_hash()$text(paste0(token_id, ":", secret))

# All bytes are looked at, wherever the first difference is.
same_digest <- function(a, b) {
  nchar(a, "bytes") == nchar(b, "bytes") && sum(charToRaw(a) != charToRaw(b)) == 0
}

# They are read once each, and forgotten whenever the ledger of access has gone on; so are quotas.
forget_tokens <- function(store) {
  store$tokens <- new.env(parent = emptyenv())
  store$quotas <- NULL
}

most_tokens <- 10000

find_token <- function(store, token_id) {
  known <- store$tokens[[token_id]]
  if (!is.null(known)) {
    return(known)
  }
  found <- fetch_store(
    store, "SELECT users.user_id, users.role, tokens.hash, tokens.expires_at
            FROM tokens JOIN users ON users.user_id = tokens.user_id
            WHERE tokens.token_id = CAST($1 AS TEXT) AND tokens.revoked_at IS NULL
              AND users.disabled_at IS NULL", token_id
  )
  if (nrow(found) != 1) {
    return(NULL)
  }
  if (length(store$tokens) >= most_tokens) forget_tokens(store)
  ends <- as.numeric(as.POSIXct(found$expires_at, "UTC", "%Y-%m-%dT%H:%M:%SZ"))
  store$tokens[[token_id]] <- c(as.list(found), until = if (is.na(ends)) Inf else ends)
  store$tokens[[token_id]]
}

# ---- quotas -------------------------------------------------------------------------------------

# How many decisions a user may ask for on one day (UTC). They are counted from the ledger, so that
# all processes and machines count the same, whatever was restarted in between.
quota_key <- function(user_id) if (is.null(user_id)) "quota" else paste0("quota_of_", user_id)

# `user_id` NULL: for all users without a quota of their own. `per_day` NULL: none.
write_quota <- function(store, per_day, user_id = NULL) {
  value <- if (is.null(per_day)) "none" else whole_text(per_day)
  change_with_event(
    store, "quota", user_id %||% "", list(per_day = value),
    "INSERT INTO meta (key, value) VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT))
     ON CONFLICT (key) DO UPDATE SET value = excluded.value", quota_key(user_id), value
  )
  invisible(per_day)
}

# Of a user, that of all others included; NULL when there is none.
find_quota <- function(store, user_id) {
  if (is.null(store$quotas)) store$quotas <- read_quotas(store)
  found <- store$quotas
  own <- found$value[found$key == quota_key(user_id)]
  value <- if (length(own) == 1) own else found$value[found$key == quota_key(NULL)]
  if (length(value) == 1 && value != "none") as.numeric(value)
}

read_quotas <- function(store) {
  fetch_store(store, "SELECT key, value FROM meta WHERE substr(key, 1, 5) = 'quota'")
}

# A data frame: user_id (NA for all others), per_day (NA for without end).
list_quotas <- function(store) {
  found <- read_quotas(store)
  user <- ifelse(found$key == quota_key(NULL), NA, sub("^quota_of_", "", found$key))
  out <- data.frame(user_id = as.character(user),
                    per_day = suppressWarnings(as.numeric(found$value)))
  out <- out[order(out$user_id, na.last = FALSE, method = "radix"), ]
  rownames(out) <- NULL
  out
}

# Decisions that a user was given on a day such as "2026-11-26".
count_decisions_of <- function(store, user_id, day) {
  count_store(store, "decision WHERE user_id = CAST($1 AS TEXT)
                      AND substr(at, 1, 10) = CAST($2 AS TEXT)", user_id, day)
}

# ---- votes --------------------------------------------------------------------------------------

# One for each user and sub-table; TRUE when it is new. They are in no chain.
add_vote <- function(store, user_id, mask) {
  change_store(
    store, "INSERT INTO vote (mask, user_id, at)
            VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT)) ON CONFLICT DO NOTHING",
    mask, user_id, utc_now()
  ) == 1
}

# A data frame: mask, votes.
count_votes <- function(store) {
  out <- fetch_store(
    store, "SELECT mask, CAST(COUNT(*) AS TEXT) AS votes FROM vote GROUP BY mask"
  )
  out$votes <- as.numeric(out$votes)
  out[order(out$mask, method = "radix"), , drop = FALSE]
}

# Of one user, newest first: mask, at.
user_votes <- function(store, user_id) {
  out <- fetch_store(store, "SELECT mask, at FROM vote WHERE user_id = CAST($1 AS TEXT)", user_id)
  out[order(out$at, out$mask, decreasing = c(TRUE, FALSE), method = "radix"), , drop = FALSE]
}

# How a process learns what is new, by one question: it asks unless it has done so in the last
# `age_s` seconds; then it follows both chains.
look_at_store <- function(store, age_s = store$look_s %||% 0) {
  at <- cpp_steady_s()
  if (at - (store$looked %||% -Inf) < age_s) {
    return(invisible())
  }
  head <- fetch_store(
    store, "SELECT CAST((SELECT MAX(seq) FROM decision) AS TEXT) AS decisions,
                   CAST((SELECT MAX(seq) FROM access_event) AS TEXT) AS events"
  )
  behind <- function(seq, known) is.na(seq) != (known == 0) || isTRUE(as.numeric(seq) != known)
  if (behind(head$decisions, store$seq)) catch_up(store)
  if (behind(head$events, store$access_seq)) catch_up_access(store)
  store$looked <- at
  invisible()
}

# ---- events -------------------------------------------------------------------------------------

# Runs a statement, with its event when it has changed something; TRUE then.
change_with_event <- function(store, kind, subject, detail, sql, ...) {
  change_access(store, {
    changed <- execute(store$con, sql, ...) == 1
    if (changed) append_event(store, kind, subject, detail)
    changed
  })
}

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
  row$hash <- store$chain$rows(row, hashed_of(access_columns))
  sql <- paste0("INSERT INTO access_event (", paste(access_columns, collapse = ", "), ") VALUES (",
                cast_values(access_columns), ")")
  do.call(execute, c(list(store$con, sql), row[access_columns]))
  extend_access(store, list2data_frame(row, 1L))
}

access_format <- 1
access_columns <- c("seq", "v", "at", "kind", "subject", "detail", "by_user", "prev", "hash")

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

# Reads and verifies what is new.
catch_up_access <- function(store) {
  rows <- fetch_store(store, paste(
    "SELECT", columns_as_text(access_columns), "FROM access_event",
    "WHERE seq > CAST($1 AS BIGINT) ORDER BY access_event.seq"
  ), store$access_seq)
  n <- nrow(rows)
  if (n == 0) {
    return(invisible(rows))
  }
  sound <- as.numeric(rows$seq) == store$access_seq + seq_len(n) &
    rows$prev == c(access_head(store), rows$hash[-n]) &
    rows$hash == store$chain$rows(rows, hashed_of(access_columns))
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
  anchor <- fetch_anchor(store, "access_anchor")
  # what is changed meanwhile must not come between the events and the tables
  found <- with_store(store, with_lock(store, {
    list(events = catch_up_access(store), users = list_users(store),
         tokens = list_tokens(store, "*"))
  }))
  if (store$access_seq == 0) abort_altered("Its ledger of access is missing.")
  check_access(found$events, found$users, found$tokens)
  check_access_anchored(store, anchor)
  move_access_anchor(store)
  found$events
}

# The tables must hold what follows from all events: a text for each user and each token.
check_access <- function(events, users, tokens) {
  said <- list()
  for (i in seq_len(nrow(events))) {
    detail <- jsonlite::parse_json(events$detail[i])
    kind <- events$kind[i]
    key <- paste0(sub("_.*", "", kind), " ", events$subject[i])
    switch(kind,
      user_added = said[[key]] <- c(detail$role, "no"),
      token_issued = said[[key]] <- c(detail$user, detail$mark, detail$expires, "no"),
      user_disabled = , token_revoked = said[[key]][length(said[[key]])] <- "yes"
    )
  }
  yes <- function(at) ifelse(is.na(at), "no", "yes")
  there <- c(
    sprintf("user %s: %s %s", users$user_id, users$role, yes(users$disabled_at)),
    sprintf("token %s: %s %s %s %s", tokens$token_id, tokens$user_id, token_mark(tokens$hash),
            expiry_text(tokens$expires_at), yes(tokens$revoked_at))
  )
  said <- sprintf("%s: %s", names(said), vapply(said, paste, "", collapse = " "))
  if (!setequal(said, there) || length(said) != length(there)) {
    abort_altered("Its users or tokens are not those of its ledger of access.")
  }
}

token_mark <- function(hash) {
  vapply(hash, function(one) chain_hash()$text(paste0("mark\n", one)), "", USE.NAMES = FALSE)
}

expiry_text <- function(at) ifelse(is.na(at), "never", at)

token_detail <- function(token) {
  list(user = token$user_id, mark = token_mark(token$hash), expires = expiry_text(token$expires_at))
}

# What was there before there were events.
begin_access <- function(store) {
  users <- list_users(store)
  tokens <- list_tokens(store, "*")
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
