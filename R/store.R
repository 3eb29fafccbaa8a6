# The store of the table server: the ledger of all decisions, kept in a database, and what belongs
# to it. It is the memory that makes the server's promise: an answer that anybody heard is in the
# ledger, word for word, whatever dies in between.
#
# What the judge and the API must know.
#
# * `open_store(place, fingerprint, policy, variables, anchor)` makes or opens a store, verifies all
#   of it, and gives an `sdc_store`: an environment that knows the newest state. One for each
#   process; it must not be carried over a fork. `close_store()` ends it.
# * `append_decision(store, request, judge)` is the only way to an answer. `request` is
#   `list(user_id, request_id, mask, form)`; `judge(state)` gives the decision. The judge may be
#   asked several times for one request, each time with a newer state, so it must have no effects
#   but its caches, and must say nothing to anybody. It is not asked at all when the request id has
#   been answered before: the stored answer comes back, with `replayed = TRUE`.
# * `state` holds `seq`, `release_no`, `released` (masks, in the order of their release), `refused`
#   (masks withheld for risk, each once, in order; a projected answer withholds too), `closed`
#   (those that stay refused) and `refuted` (those that were proved unsafe, which the judge says by
#   the private reason "refuted"). These only ever grow at the end, so caches of complexes and
#   frontiers go on from what they have seen. `undecided` has the newest private reason of those
#   that were refused for want of a proof, named by their masks: they may be released later, and
#   stay among the refused. Neither has what was refused as "guarded", or because it holds another.
# * A decision is `list(outcome, reason_public, reason_private, parts, table_hash, certificate,
#   depends)`; see `outcomes` in store-ledger.R. A judgement counts as long as no release came in
#   between. One that depends on more (a quota of refusals, votes) says `depends = "ledger"`.
#   Private reasons must not show counts. A decision releases one sub-table; a batch is one after
#   another.
# * The answer holds the public columns of the row only. What is sent must be made from it alone.
# * An error of class `sdc_error_server` has a field `reason` (never match its text): "contended"
#   (nothing was decided: try again later), "reused" (the request id belongs to another request),
#   "database" and "anchor" (nothing may be said; whether it was decided is learned by asking again
#   with the same request id), "moved" (a file of the store is not where it was opened: nothing more
#   is said by this process), and those of `open_store()`: "other", "altered", "shortened", "newer",
#   "settings". A connection to PostgreSQL that was lost is made anew by the next statement, which
#   fails where it does not lead to the same ledger; see store-database.R. Conditions are for the
#   operator: their parents may quote the database.
# * Users and tokens have a chain of their own (store-access.R); `look_at_store()` is the one cheap
#   question by which a process learns that either chain has gone on (store-ledger.R). Requests that
#   wait for a judge, and its lease, are in store-queue.R.
# * Certificates are a cache: `read_certificate()` gives NULL for what is missing or altered, and
#   the judge may then only refuse more. Votes are not in the chain and must not be trusted by a
#   judgement of risk.
# * The store keeps policies, refusals and private reasons: it is as confidential as the table.

# Refused: a store of another table or policy, altered, shortened, or made by a newer version.
#
# `place`: the path of an SQLite file, or a function that makes a DBI connection (to SQLite or
# PostgreSQL; its user may create tables on the first opening, and needs SELECT and INSERT on
# `decision`, all on the others later); or NULL for a trial that ends with the session.
# `fingerprint`: a string that tells the table from others, such as a hash of it; `policy`: a named
# list of strings, numbers and flags, may be nested; `variables`: the names of the table's
# variables, in their order, which gives the bits of the masks.
# `anchor`: the path of a second SQLite file, best on another disk, that remembers how far the
# ledger went; by default beside an SQLite store. Each machine has its own. `new_anchor`
# makes one for a store that has decisions and no anchor here (any more): `list(seq, hash)` of a
# decision that the store must hold, as answers and logs have them; `TRUE`, or number 0 with the
# genesis, only without decisions.
# `durability`: "wal", or "delete" on disks that are reached through a network.
# `noted`: heads of both chains that the store must hold (store-anchor.R).
# `key`: raw bytes kept elsewhere; without them nobody can make a chain that fits. Without a key
# a random salt in the store takes its place, against those who have hashes but not the store.
open_store <- function(place, fingerprint, policy, variables, anchor = NULL, new_anchor = FALSE,
                       durability = c("wal", "delete"), busy_s = 20, key = NULL,
                       noted = NULL) {
  check_given(place)
  check_given(policy)
  check_string(fingerprint)
  check_names_given(variables, "variables")
  new_anchor <- check_new_anchor(new_anchor)
  check_number(busy_s, min = 0, max = 86400)
  durability <- check_choice(durability, c("wal", "delete"))
  check_key_bytes(key)
  check_head(noted)
  check_installed("DBI", "to keep a store")
  identity <- list(
    fingerprint = enc2utf8(fingerprint), variables = enc2utf8(variables),
    policy = canonical_json(policy, "policy")
  )
  store <- connect_store(place, anchor, durability, busy_s)
  done <- FALSE
  on.exit(if (!done) close_store(store))
  store$identity <- identity
  store$k <- length(variables)
  begin_store(store, new_anchor, key)
  load_ledger(store, new_anchor)
  load_access(store)
  if (!is.null(noted)) check_noted(store, noted)
  done <- TRUE
  store
}

check_key_bytes <- function(key) {
  if (is.null(key) || (is.raw(key) && length(key) >= 16)) {
    return(invisible(key))
  }
  abort_sdc("input", c(
    "{.arg key} must be raw bytes, 16 at least.",
    x = "{.arg key} is {.obj_type_friendly {key}} of length {length(key)}.",
    i = "Make one with {.code openssl::rand_bytes(32)}, and keep it outside of the store."
  ))
}

# An empty state on open connections.
connect_store <- function(place, anchor, durability, busy_s) {
  store <- structure(new.env(parent = emptyenv()), class = sdc_class("sdc_store", mark = "private"))
  store$pid <- Sys.getpid()
  store$durability <- durability
  store$busy_s <- busy_s
  store$anchor_place <- anchor_place(place, anchor)
  store$place <- if (is.character(place)) normalizePath(place, mustWork = FALSE)
  store$files <- store$file_ids <- character()
  store$reach <- place
  store$con <- connect_ledger(place, busy_s)
  store$backend <- backend_of(store$con)
  store$anchor <- NULL
  store$anchor_seq <- store$access_seq <- 0
  forget_ledger(store)
  forget_tokens(store)
  store
}

# Makes the tables of a new store, or sees that this one is ours and brings it up to date. All of it
# under one lock, so that processes that open a new store at once make one.
begin_store <- function(store, new_anchor, key) {
  check_version(store)
  with_store(store, begin_session(store))
  with_store(store, with_lock(store, {
    version <- check_version(store)
    if (version == 0) {
      check_store_there(new_anchor)
      migrate(store, 0)
      salt <- random_hex(32)
      start_chain(store, key, salt)
      start_anchor(store, TRUE)
      write_meta(store, keyed = !is.null(key), salt)
    } else {
      start_chain(store, key, read_meta(store, "salt"))
      check_identity(store, keyed = !is.null(key))
      check_first_link(store, new_anchor)
      migrate(store, version)
      start_anchor(store, new_anchor)
    }
    if (version < access_version) begin_access(store)
  }))
  watch_files(store)
}

# Without a key the store's salt is one. Users hold hashes of rows whose private columns, and of a
# genesis whose table, can be guessed: a plain hash would tell them who guesses right.
start_chain <- function(store, key, salt) {
  store$chain <- chain_hash(key %||% charToRaw(salt))
  # for the anchor, which never leaves either: a store that is made anew has another salt
  store$subject <- genesis_of(store$identity, chain_hash(key %||% raw()))
  store$genesis <- genesis_of(store$identity, store$chain)
}

# The ledger may go on while it is read, so the anchor is read first: it never leads.
load_ledger <- function(store, new_anchor) {
  forget_ledger(store)
  anchor <- read_anchor(store)
  catch_up(store)
  check_anchored(store, anchor)
  if (is.list(new_anchor)) {
    given <- list(genesis = store$subject, seq = new_anchor$seq, hash = new_anchor$hash)
    check_anchored(store, given)
  }
  move_anchor(store, store$seq, store$hash)
}

# The same store on connections of this process, after a fork: it goes on from what `store` knew.
reopen_store <- function(store) {
  opened <- structure(rlang::env_clone(store), class = class(store))
  opened$pid <- Sys.getpid()
  opened$con <- opened$anchor <- opened$session <- opened$views <- NULL
  opened$queue <- opened$queue_id <- NULL
  opened$files <- character()
  done <- FALSE
  on.exit(if (!done) close_store(opened))
  opened$con <- connect_ledger(opened$reach, opened$busy_s)
  with_store(opened, begin_session(opened))
  check_same_store(opened)
  start_anchor(opened, FALSE)
  watch_files(opened)
  if (opened$seq > 0 && !identical(hash_at(opened, opened$seq), opened$hash)) {
    abort_altered("It was written anew.")
  }
  anchor <- read_anchor(opened)
  catch_up(opened)
  check_anchored(opened, anchor)
  load_access(opened)
  done <- TRUE
  opened
}

close_store <- function(store) {
  for (con in list(store$con, store$anchor, store$queue)) {
    if (!is.null(con)) try(DBI::dbDisconnect(con), silent = TRUE)
  }
  store$con <- store$anchor <- store$queue <- NULL
  invisible()
}

#' @export
format.sdc_store <- function(x, ...) {
  where <- if (x$backend == "postgres") "PostgreSQL" else x$place %||% "memory"
  c(
    paste0("<sdc_store> PRIVATE, in ", where, if (is.null(x$con)) ", closed"),
    paste0("  ", plural(x$seq, "decision"), ", ", plural(x$release_no, "release"), ", ",
           plural(length(x$refused), "sub-table"), " refused for risk; ",
           plural(x$k, "variable"))
  )
}

# ---- a copy -------------------------------------------------------------------------------------

# `VACUUM INTO`: a copy of the file alone would lack what is still in the write-ahead log. The copy
# is on the disk and verified before it gets its name. Gives the number and hash of the newest
# decision in it, invisibly: note them elsewhere.
backup_store <- function(store, path) {
  check_store(store)
  check_string(path)
  if (store$backend != "sqlite") {
    abort_sdc("input", c(
      "{.fn backup_store} must have a store in SQLite.",
      x = "This one is in PostgreSQL.",
      i = "Use {.code pg_dump} or the server's own backups."
    ))
  }
  if (file.exists(path)) {
    abort_sdc("input", c("{.arg path} must be free.", x = "There is a file."))
  }
  part <- paste0(path, ".part")
  unlink(part)
  on.exit(unlink(part))
  before <- Sys.umask("077")
  on.exit(Sys.umask(before), add = TRUE)
  change_store(store, "VACUUM INTO $1", part)
  guard_new_backup(part)
  newest <- verify_copy(store, part)
  if (!file.rename(part, path)) {
    abort_store("database", c(
      "The backup must get its name.",
      x = "The disk refuses."
    ))
  }
  invisible(newest)
}

# SQLite does not wait for the disk when it makes the copy; one more commit with full
# synchronisation does, for all of the file.
verify_copy <- function(store, part) {
  copy <- copy_store(store)
  copy$con <- connect_sqlite(part, store$busy_s)
  on.exit(DBI::dbDisconnect(copy$con))
  with_store(copy, {
    set_sqlite(copy$con, "delete", store$busy_s)
    version <- DBI::dbGetQuery(copy$con, "PRAGMA user_version")[[1]]
    DBI::dbExecute(copy$con, paste("PRAGMA user_version =", version + 1))
  })
  catch_up(copy)
  if (copy$seq < store$seq) abort_altered("Its copy is shorter than the store.")
  list(seq = copy$seq, hash = copy$hash)
}
