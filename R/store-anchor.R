# The anchor: how far both chains of a store have come, kept in a second SQLite file, and what an
# operator noted down of them. It moves after a decision is committed and before its answer is
# given, so it may lag behind the ledger, and never leads. A ledger that is shorter than its anchor,
# or differs there, is refused.

anchor_place <- function(place, anchor) {
  if (!is.null(anchor)) {
    check_string(anchor, "anchor")
    return(normalizePath(anchor, mustWork = FALSE))
  }
  if (is.null(place)) {
    return(NULL)
  }
  if (is.character(place)) {
    check_string(place, "place")
    return(paste0(normalizePath(place, mustWork = FALSE), "-anchor"))
  }
  abort_sdc("input", c(
    "{.arg anchor} must be the path of a file where the store is reached by a function.",
    x = "Argument {.arg anchor} is missing.",
    i = "The anchor is a small SQLite file, best on another disk than the store."
  ))
}

# Of a new store the anchor is made before the store's description, so that no store is without.
# `new`: FALSE, TRUE, or the number and hash that the ledger must have. These are written before the
# ledger is read, so that nothing opens later what does not hold them now.
start_anchor <- function(store, new) {
  if (isTRUE(new) || is_first(new)) check_no_decisions(store)
  from <- if (is.list(new)) new else list(seq = 0, hash = store$genesis)
  store$anchor <- connect_sqlite(store$anchor_place, store$busy_s)
  with_anchor({
    set_sqlite(store$anchor, store$durability, store$busy_s)
    for (table in c("anchor", "access_anchor")) {
      execute(store$anchor, sprintf("CREATE TABLE IF NOT EXISTS %s (
                                       id BIGINT PRIMARY KEY CHECK (id = 1), genesis TEXT NOT NULL,
                                       seq BIGINT NOT NULL, hash TEXT NOT NULL)", table))
    }
    begin <- function(table, seq, hash) {
      execute(store$anchor, sprintf("INSERT INTO %s (id, genesis, seq, hash)
                       VALUES (1, CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT))
                       ON CONFLICT DO NOTHING", table), store$subject, seq, hash)
    }
    if (!isFALSE(new)) begin("anchor", from$seq, from$hash)
    begin("access_anchor", 0, "")
  })
  invisible()
}

fetch_anchor <- function(store, table) {
  with_anchor(fetch_text(
    store$anchor, paste("SELECT genesis, CAST(seq AS TEXT) AS seq, hash FROM", table)
  ))
}

# TRUE when it was behind.
write_anchor <- function(store, table, seq, hash) {
  with_anchor(execute(
    store$anchor, paste("UPDATE", table, "SET seq = CAST($1 AS BIGINT), hash = CAST($2 AS TEXT)
                         WHERE seq < CAST($3 AS BIGINT)"), seq, hash, seq
  )) == 1
}

read_anchor <- function(store) {
  found <- fetch_anchor(store, "anchor")
  if (nrow(found) == 1) {
    store$anchor_seq <- as.numeric(found$seq)
    return(found)
  }
  abort_store("shortened", c(
    "The store must come with its anchor.",
    x = "The anchor is missing, so nothing shows that no decision was cut off.",
    i = "Look for it. If it is lost, or this machine has none yet, take number and hash of the
         newest decision from a log or an answer, and open the store with
         {.code new_anchor = list(seq = , hash = )}."
  ))
}

# Others may have moved it further: looking costs less than a commit.
move_anchor <- function(store, seq, hash) {
  if (seq > store$anchor_seq) read_anchor(store)
  if (seq > store$anchor_seq) {
    if (write_anchor(store, "anchor", seq, hash)) store$anchor_seq <- seq else read_anchor(store)
  }
  invisible()
}

move_access_anchor <- function(store) {
  write_anchor(store, "access_anchor", store$access_seq, store$access_hash)
  invisible()
}

with_anchor <- function(expr) {
  with_store_errors(expr, "anchor", c(
    "The store's anchor must move before an answer is given.",
    x = "Its file refused or failed.",
    i = "Nothing may be told. Mend what is wrong with the file's disk and ask again."
  ))
}

# ---- does the store hold what it must? ----------------------------------------------------------

check_anchored <- function(store, anchor) {
  if (anchor$genesis != store$subject) {
    abort_other("Its anchor is that of another store.")
  }
  check_holds(
    store, anchor, "its anchor", "It differs from its anchor: it was written anew.",
    "Decisions were cut off, or this is an older copy. What they released cannot be taken back: do
     not continue without them."
  )
}

check_access_anchored <- function(store, anchor) {
  if (nrow(anchor) != 1 || anchor$genesis != store$subject) {
    abort_other("Its anchor is that of another store.")
  }
  check_holds_event(store, anchor, "its anchor")
}

# `noted`: as store_head() gave it at some time.
check_noted <- function(store, noted) {
  check_holds(
    store, noted$decisions, "the noted one", "It differs from the noted decision.",
    "This is an older copy. What came out since cannot be taken back: write it down by
     {.fn record_release}, in a store that is opened without {.arg noted}."
  )
  check_holds_event(store, noted$access, "what was noted")
}

check_holds_event <- function(store, head, what) {
  check_holds(
    store, head, what, paste0("Its ledger of access differs from ", what, "."),
    "Users or tokens may have been brought back: look for the whole store.",
    table = "access_event", all = "events of access", one = "event", last = store$access_seq
  )
}

# `head`: list(seq, hash) of a row that the chain in `table` must have; its newest is number `last`.
check_holds <- function(store, head, what, differs, advice, table = "decision", all = "decisions",
                        one = "decision", last = store$seq) {
  at <- as.numeric(head$seq)
  if (last < at) {
    abort_store("shortened", c(
      "The store must hold all {all} up to {what}: {whole_text(at)}.",
      x = "It ends with {one} {whole_text(last)}.",
      i = advice
    ))
  }
  if (at > 0 && !identical(hash_at(store, at, table), head$hash)) abort_altered(differs)
}

hash_at <- function(store, seq, table = "decision") {
  fetch_store(store, paste("SELECT hash FROM", table, "WHERE seq = CAST($1 AS BIGINT)"), seq)$hash
}

store_head <- function(store) {
  list(decisions = list(seq = store$seq, hash = store$hash),
       access = list(seq = store$access_seq, hash = store$access_hash))
}

# ---- arguments ----------------------------------------------------------------------------------

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

check_new_anchor <- function(x) {
  if (isTRUE(x) || isFALSE(x)) {
    return(x)
  }
  named <- is.list(x) && setequal(names(x), c("seq", "hash")) && length(x) == 2
  if (named) {
    check_whole(x$seq, min = 0, max = 2^49, arg = "new_anchor$seq")
    check_string(x$hash, "new_anchor$hash")
    if (grepl("^[0-9a-f]{64}$", x$hash)) {
      return(x)
    }
  }
  abort_sdc("input", c(
    "{.arg new_anchor} must be a flag, or {.code list(seq = , hash = )} of a decision, as the field
     {.field ledger} of an answer.",
    x = if (named) "Its {.field hash} is not 64 hexadecimal digits." else
      "It is {.obj_type_friendly {x}}."
  ))
}

# What a ledger without decisions gives as its number and hash: those of its first link.
is_first <- function(new) is.list(new) && new$seq == 0

check_first_link <- function(store, new) {
  if (is_first(new) && new$hash != store$genesis) {
    abort_other("It has another first link than the one that was noted.")
  }
}

# A wrong place must not become a store.
check_store_there <- function(new) {
  if (is.list(new)) {
    abort_store("shortened", c(
      "The store must hold what was noted of it.",
      x = "There is no store here yet.",
      i = "Look for it elsewhere. A new store needs no {.arg new_anchor}."
    ))
  }
}

# Number 0 or a flag says nothing of how far the ledger had come, so any old copy would do.
check_no_decisions <- function(store) {
  found <- count_store(store, "decision")
  if (found == 0) {
    return(invisible())
  }
  abort_store("shortened", c(
    "{.code new_anchor = TRUE} is for a store without decisions.",
    x = "This one has {found}, and nothing shows that none was cut off.",
    i = "Give number and hash of the newest decision, from a log or an answer:
         {.code new_anchor = list(seq = , hash = )}."
  ))
}
