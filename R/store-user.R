# Users, their tokens, and votes.
#
# A token is `sdc_<id>_<secret>`: 256 random bits that the store does not hold, only their hash. A
# fast hash will do, as nobody can try 2^256 secrets. It is found by its id, and the hashes are
# compared in constant time. Times are UTC text, which sorts as the times do.

add_user <- function(store, user_id, role = c("user", "operator")) {
  check_store(store)
  check_text(user_id, "user_id")
  role <- check_choice(role, c("user", "operator"))
  added <- change_access(store, {
    added <- execute(
      store$con, "INSERT INTO users (user_id, role, created_at)
                  VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT))
                  ON CONFLICT DO NOTHING",
      user_id, role, utc_now()
    )
    if (added == 1) append_event(store, "user_added", user_id, list(role = role))
    added
  })
  if (added == 0) {
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
  check_store(store)
  check_text(value, key)
  sql <- paste("UPDATE", table, "SET", column, "= COALESCE(", column, ", CAST($1 AS TEXT))",
               "WHERE", key, "= CAST($2 AS TEXT)")
  changed <- change_access(store, {
    changed <- execute(store$con, sql, utc_now(), value)
    if (changed == 1) append_event(store, kind, value)
    changed
  })
  if (changed == 1) {
    return(invisible(value))
  }
  abort_sdc("input", c(
    "{.arg {key}} must be one that the store knows.",
    x = "The store has no such {key}."
  ))
}

# The token itself, which is shown this once.
issue_token <- function(store, user_id, days = 365) {
  check_store(store)
  check_text(user_id, "user_id")
  if (!is.null(days)) check_number(days, min = 0, max = 36500)
  if (is.null(find_user(store, user_id))) {
    abort_sdc("input", c(
      "{.arg user_id} must be a user who has not been disabled.",
      x = "The store has no active user of this name.",
      i = "Make one with {.fn add_server_user}."
    ))
  }
  token_id <- random_hex(8)
  secret <- random_hex(32)
  expires <- if (is.null(days)) NA_character_ else utc_now(86400 * days)
  hash <- token_hash(token_id, secret)
  change_access(store, {
    execute(
      store$con, "INSERT INTO tokens (token_id, user_id, hash, created_at, expires_at) VALUES
        (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT))",
      token_id, user_id, hash, utc_now(), expires
    )
    append_event(store, "token_issued", token_id, token_detail(
      list(user_id = user_id, hash = hash, expires_at = expires)
    ))
  })
  paste("sdc", token_id, secret, sep = "_")
}

# list(user_id, role, token_id), or NULL for a token that is no good, for whatever reason: whoever
# shows it learns no more.
check_token <- function(store, token) {
  check_store(store)
  one <- is.character(token) && length(token) == 1 && !is.na(token)
  if (!one || nchar(token, "bytes") != 85 ||
        !grepl("^sdc_[0-9a-f]{16}_[0-9a-f]{64}$", token, perl = TRUE, useBytes = TRUE)) {
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
  a <- charToRaw(a)
  b <- charToRaw(b)
  length(a) == length(b) && sum(as.integer(xor(a, b))) == 0
}

find_user <- function(store, user_id) {
  found <- with_store(store, fetch_text(
    store$con, "SELECT user_id, role FROM users
                WHERE user_id = CAST($1 AS TEXT) AND disabled_at IS NULL", user_id
  ))
  if (nrow(found) == 1) as.list(found)
}

# Data frames for operators; no hashes.
list_users <- function(store) {
  with_store(store, fetch_text(
    store$con, "SELECT user_id, role, created_at, disabled_at FROM users"
  ))
}

list_tokens <- function(store) {
  with_store(store, fetch_text(
    store$con, "SELECT token_id, user_id, created_at, expires_at, revoked_at FROM tokens"
  ))
}

# ---- votes --------------------------------------------------------------------------------------

# One for each user and sub-table; TRUE when it is new.
add_vote <- function(store, user_id, mask) {
  check_store(store)
  check_text(user_id, "user_id")
  check_text(mask, "mask")
  check_masks(store, mask, "mask")
  with_store(store, execute(
    store$con, "INSERT INTO vote (mask, user_id, at)
                VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT))
                ON CONFLICT DO NOTHING",
    mask, user_id, utc_now()
  )) == 1
}

# A data frame: mask, votes.
count_votes <- function(store) {
  out <- with_store(store, fetch_text(
    store$con, "SELECT mask, CAST(COUNT(*) AS TEXT) AS votes FROM vote GROUP BY mask"
  ))
  out$votes <- as.numeric(out$votes)
  out[order(out$mask, method = "radix"), , drop = FALSE]
}

# Of one user, newest first: mask, at.
user_votes <- function(store, user_id) {
  out <- with_store(store, fetch_text(
    store$con, "SELECT mask, at FROM vote WHERE user_id = CAST($1 AS TEXT)", user_id
  ))
  out[order(out$at, out$mask, decreasing = c(TRUE, FALSE), method = "radix"), , drop = FALSE]
}
