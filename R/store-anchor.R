# The anchor: how far the ledger has come, kept in a second SQLite file. It moves after a decision
# is committed and before its answer is given, so it may lag behind the ledger, and never leads. A
# ledger that is shorter than its anchor, or differs there, is refused.

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
  con <- connect_sqlite(store$anchor_place, store$busy_s)
  store$anchor <- con
  with_anchor({
    set_sqlite(con, store$durability, store$busy_s)
    execute(con, "CREATE TABLE IF NOT EXISTS anchor (
                    id BIGINT PRIMARY KEY CHECK (id = 1), genesis TEXT NOT NULL,
                    seq BIGINT NOT NULL, hash TEXT NOT NULL)")
    if (!isFALSE(new)) {
      execute(con, "INSERT INTO anchor (id, genesis, seq, hash)
                    VALUES (1, CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT))
                    ON CONFLICT DO NOTHING", store$subject, from$seq, from$hash)
    }
  })
  invisible()
}

read_anchor <- function(store) {
  found <- with_anchor(
    fetch_text(store$anchor, "SELECT genesis, CAST(seq AS TEXT) AS seq, hash FROM anchor")
  )
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
  found <- fetch_text(store$con, "SELECT CAST(COUNT(*) AS TEXT) AS n FROM decision")$n
  if (found == "0") {
    return(invisible())
  }
  abort_store("shortened", c(
    "{.code new_anchor = TRUE} is for a store without decisions.",
    x = "This one has {found}, and nothing shows that none was cut off.",
    i = "Give number and hash of the newest decision, from a log or an answer:
         {.code new_anchor = list(seq = , hash = )}."
  ))
}

check_anchored <- function(store, anchor) {
  if (anchor$genesis != store$subject) {
    abort_other("Its anchor is that of another store.")
  }
  at <- as.numeric(anchor$seq)
  if (store$seq < at) {
    abort_store("shortened", c(
      "The store must hold all decisions up to its anchor: {whole_text(at)}.",
      x = "It ends with decision {whole_text(store$seq)}.",
      i = "Decisions were cut off, or this is an older copy. What they released cannot be taken
           back: do not continue without them."
    ))
  }
  if (at > 0 && anchor$hash != hash_at(store, at)) {
    abort_altered("It differs from its anchor: it was written anew.")
  }
}

hash_at <- function(store, seq) {
  with_store(store, fetch_text(
    store$con, "SELECT hash FROM decision WHERE seq = CAST($1 AS BIGINT)", seq
  )$hash)
}

# Others may have moved it further: looking costs less than a commit.
move_anchor <- function(store, seq, hash) {
  if (seq > store$anchor_seq) read_anchor(store)
  if (seq <= store$anchor_seq) {
    return(invisible())
  }
  moved <- with_anchor(execute(
    store$anchor, "UPDATE anchor SET seq = CAST($1 AS BIGINT), hash = CAST($2 AS TEXT)
                   WHERE seq < CAST($3 AS BIGINT)", seq, hash, seq
  ))
  if (moved == 1) store$anchor_seq <- seq else read_anchor(store)
  invisible()
}

with_anchor <- function(expr) {
  with_store_errors(expr, "anchor", c(
    "The store's anchor must move before an answer is given.",
    x = "Its file refused or failed.",
    i = "Nothing may be told. Mend what is wrong with the file's disk and ask again."
  ))
}
