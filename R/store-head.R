# The heads of both chains: what an operator notes down, and what the anchor keeps of the chain of
# access; and tokens in memory, which last until that chain goes on.

# ---- the anchor of the ledger of access ---------------------------------------------------------

start_access_anchor <- function(store) {
  with_anchor({
    execute(store$anchor, "CREATE TABLE IF NOT EXISTS access_anchor (
                             id BIGINT PRIMARY KEY CHECK (id = 1), genesis TEXT NOT NULL,
                             seq BIGINT NOT NULL, hash TEXT NOT NULL)")
    execute(store$anchor, "INSERT INTO access_anchor (id, genesis, seq, hash)
                           VALUES (1, CAST($1 AS TEXT), 0, '') ON CONFLICT DO NOTHING",
            store$subject)
  })
}

read_access_anchor <- function(store) {
  with_anchor(fetch_text(
    store$anchor, "SELECT genesis, CAST(seq AS TEXT) AS seq, hash FROM access_anchor"
  ))
}

check_access_anchored <- function(store, anchor) {
  at <- as.numeric(anchor$seq)
  if (nrow(anchor) != 1 || anchor$genesis != store$subject) {
    abort_other("Its anchor is that of another store.")
  }
  check_access_head(store, list(seq = at, hash = anchor$hash), "its anchor")
}

check_access_head <- function(store, head, what) {
  if (store$access_seq < head$seq) {
    abort_store("shortened", c(
      "The store must hold all events of access up to {what}: {whole_text(head$seq)}.",
      x = "It ends with event {whole_text(store$access_seq)}.",
      i = "Users or tokens may have been brought back: look for the whole store."
    ))
  }
  if (head$seq > 0 && !identical(access_hash_at(store, head$seq), head$hash)) {
    abort_altered(paste0("Its ledger of access differs from ", what, "."))
  }
}

access_hash_at <- function(store, seq) {
  with_store(store, fetch_text(
    store$con, "SELECT hash FROM access_event WHERE seq = CAST($1 AS BIGINT)", seq
  )$hash)
}

move_access_anchor <- function(store) {
  with_anchor(execute(
    store$anchor, "UPDATE access_anchor SET seq = CAST($1 AS BIGINT), hash = CAST($2 AS TEXT)
                   WHERE seq < CAST($3 AS BIGINT)",
    store$access_seq, store$access_hash, store$access_seq
  ))
  invisible()
}

# ---- what an operator notes down ----------------------------------------------------------------

store_head <- function(store) {
  list(decisions = list(seq = store$seq, hash = store$hash),
       access = list(seq = store$access_seq, hash = store$access_hash))
}

# `noted`: as store_head() gave it at some time.
check_noted <- function(store, noted) {
  head <- noted$decisions
  if (store$seq < head$seq) {
    abort_store("shortened", c(
      "The store must hold all decisions up to the noted one: {whole_text(head$seq)}.",
      x = "It ends with decision {whole_text(store$seq)}.",
      i = "This is an older copy. What came out since cannot be taken back: write it down by
           {.fn record_release}, in a store that is opened without {.arg noted}."
    ))
  }
  if (head$seq > 0 && !identical(hash_at(store, head$seq), head$hash)) {
    abort_altered("It differs from the noted decision.")
  }
  check_access_head(store, noted$access, "what was noted")
}

check_head <- function(noted) {
  one <- function(x) {
    is.list(x) && is.numeric(x$seq) && length(x$seq) == 1 && isTRUE(x$seq >= 0) &&
      is.character(x$hash) && length(x$hash) == 1
  }
  if (is.null(noted) || (is.list(noted) && one(noted$decisions) && one(noted$access))) {
    return(invisible(noted))
  }
  abort_sdc("input", c(
    "{.arg noted} must be what {.fn server_head} gave.",
    x = "It is {.obj_type_friendly {noted}}."
  ))
}

# ---- tokens in memory ---------------------------------------------------------------------------

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
  found <- with_store(store, fetch_text(
    store$con, "SELECT users.user_id, users.role, tokens.hash, tokens.expires_at
                FROM tokens JOIN users ON users.user_id = tokens.user_id
                WHERE tokens.token_id = CAST($1 AS TEXT) AND tokens.revoked_at IS NULL
                  AND users.disabled_at IS NULL", token_id
  ))
  if (nrow(found) != 1) {
    return(NULL)
  }
  if (length(store$tokens) >= most_tokens) forget_tokens(store)
  ends <- as.numeric(as.POSIXct(found$expires_at, "UTC", "%Y-%m-%dT%H:%M:%SZ"))
  store$tokens[[token_id]] <- c(as.list(found), until = if (is.na(ends)) Inf else ends)
  store$tokens[[token_id]]
}
