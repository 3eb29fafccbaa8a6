# The tables of a store, how an older store becomes a newer one, whose store it is, and who may read
# its files.
#
# Text and BIGINT only, which mean the same in SQLite and PostgreSQL. Order is by numbers only, as
# databases sort text differently.

# Numbered by their place: number n brings a store from version n - 1 to n, inside one transaction.
# A list of statements, or a function of the back end that gives them. A migration may add tables,
# columns that may be NULL, and indices; it must not touch a row of `decision`, nor make wrong what
# the version before it reads or writes: a process of that version may still be at work until its
# next decision, which is refused.
store_migrations <- function() list(first_tables, shared_tables, access_tables)

first_tables <- function(backend) {
  c(
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE users (
       user_id TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('user', 'operator')),
       created_at TEXT NOT NULL, disabled_at TEXT)",
    "CREATE TABLE tokens (
       token_id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (user_id),
       hash TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT, revoked_at TEXT)",
    "CREATE TABLE decision (
       seq BIGINT PRIMARY KEY, v BIGINT NOT NULL, at TEXT NOT NULL, user_id TEXT NOT NULL,
       request_id TEXT NOT NULL, mask TEXT NOT NULL, form TEXT NOT NULL, outcome TEXT NOT NULL,
       reason_public TEXT, reason_private TEXT, parts TEXT, release_no BIGINT NOT NULL,
       table_hash TEXT, certificate_hash TEXT, prev TEXT NOT NULL UNIQUE, hash TEXT NOT NULL UNIQUE,
       UNIQUE (user_id, request_id))",
    "CREATE TABLE certificate (hash TEXT PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL)",
    "CREATE TABLE vote (
       mask TEXT NOT NULL, user_id TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (mask, user_id))",
    no_changes(backend)
  )
}

# For several processes: the queue, and the judge's lease. A store in a file has them in another
# file (store-queue.R).
shared_tables <- function(backend) {
  c(
    "CREATE TABLE IF NOT EXISTS queue (
       user_id TEXT NOT NULL, request_id TEXT NOT NULL, mask TEXT NOT NULL, form TEXT NOT NULL,
       asked_ms BIGINT NOT NULL, PRIMARY KEY (user_id, request_id))",
    "CREATE TABLE IF NOT EXISTS judge (
       id BIGINT PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, beat BIGINT NOT NULL,
       lease_ms BIGINT NOT NULL)",
    "INSERT INTO judge (id, holder, beat, lease_ms) VALUES (1, '', 0, 0)
       ON CONFLICT DO NOTHING"
  )
}

# The ledger of access (store-access.R).
access_tables <- function(backend) {
  c(
    "CREATE TABLE access_event (
       seq BIGINT PRIMARY KEY, v BIGINT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
       subject TEXT NOT NULL, detail TEXT NOT NULL, by_user TEXT NOT NULL,
       prev TEXT NOT NULL UNIQUE, hash TEXT NOT NULL UNIQUE)",
    no_changes(backend, "access_event", "events")
  )
}

# Against accidents; who means it can drop a trigger, and is found by the chain.
no_changes <- function(backend, table = "decision", what = "decisions") {
  fill <- function(text) {
    text <- gsub("ON TABLE", paste("ON", table), text)
    gsub("WHAT", what, gsub("TABLE_", paste0(table, "_"), text))
  }
  if (backend == "sqlite") {
    one <- fill("CREATE TRIGGER TABLE_no_%s BEFORE %s ON TABLE
                 BEGIN SELECT RAISE(ABORT, 'WHAT are never changed'); END")
    return(c(sprintf(one, "update", "UPDATE"), sprintf(one, "delete", "DELETE")))
  }
  fill(c(
    "CREATE FUNCTION TABLE_no_change() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'WHAT are never changed'; END $$",
    "CREATE TRIGGER TABLE_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON TABLE
       FOR EACH STATEMENT EXECUTE FUNCTION TABLE_no_change()"
  ))
}

# From which on the ledger of access begins.
access_version <- 3

schema_version <- function() length(store_migrations())

# The store's version, 0 when it is empty. Looks only: it may be somebody else's database.
check_version <- function(store) {
  with_store(store, {
    con <- store$con
    if (!DBI::dbExistsTable(con, "meta")) {
      check_empty(store)
      return(0)
    }
    version <- read_meta(store, "schema_version")
    known <- schema_version()
    if (!grepl("^[0-9]{1,9}$", version)) abort_altered("Its version cannot be read.")
    if (as.numeric(version) > known) {
      abort_store("newer", c(
        "The store must be of a version that this package knows: {known} at most.",
        x = "The store is of version {version}.",
        i = "Use the newer version of the package that has opened it before."
      ))
    }
    as.numeric(version)
  })
}

# Another process may have made the store since it was looked for.
check_empty <- function(store) {
  tables <- if (store$backend == "sqlite") DBI::dbListTables(store$con)
  if (length(tables) > 0 && !"meta" %in% tables) {
    abort_store("other", c(
      "{.arg place} must be a store, or be free.",
      x = "{.arg place} is a database with other tables."
    ))
  }
}

abort_new_version <- function() {
  abort_store("newer", c(
    "The store must be of version {schema_version()}.",
    x = "Another process has brought it to another one.",
    i = "Open it anew with the version of the package that did."
  ))
}

migrate <- function(store, from) {
  for (tables in store_migrations()[seq_len(schema_version() - from) + from]) {
    for (sql in tables(store$backend)) DBI::dbExecute(store$con, sql)
  }
  if (from > 0 && from < schema_version()) {
    execute(store$con, "UPDATE meta SET value = CAST($1 AS TEXT) WHERE key = 'schema_version'",
            schema_version())
  }
}

# ---- whose store it is --------------------------------------------------------------------------

# What the store was made for.
description_of <- function(store, keyed) {
  list(fingerprint = store$identity$fingerprint,
       variables = canonical_json(as.list(store$identity$variables)),
       policy = store$identity$policy, keyed = if (keyed) "yes" else "no", genesis = store$genesis)
}

write_meta <- function(store, keyed, salt) {
  values <- c(description_of(store, keyed), schema_version = whole_text(schema_version()),
              salt = salt, created_at = utc_now())
  for (key in names(values)) {
    execute(store$con, "INSERT INTO meta (key, value) VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT))",
            key, values[[key]])
  }
}

read_meta <- function(store, key) {
  find_meta(store, key) %||% abort_altered("A row of its description is missing.")
}

# NULL when it is not there.
find_meta <- function(store, key) {
  found <- fetch_text(store$con, "SELECT value FROM meta WHERE key = CAST($1 AS TEXT)", key)
  if (nrow(found) == 1) found$value
}

# The words say what differs; the proof is the genesis, from which the chain starts.
check_identity <- function(store, keyed) {
  given <- description_of(store, keyed)
  stored <- lapply(rlang::set_names(names(given)), function(key) read_meta(store, key))
  differ <- names(given)[unlist(stored) != unlist(given)]
  if (length(differ) == 0) {
    return(invisible())
  }
  if (differ[1] == "genesis" && !keyed) {
    abort_altered("Its description does not fit its first link.")
  }
  abort_other(switch(differ[1],
    fingerprint = "It was made for another table.",
    variables = "It was made for other variables, or another order of them.",
    policy = paste("It was made under another policy",
                   policy_difference(stored$policy, given$policy)),
    keyed = if (keyed) "It was made without a key." else "It was made with a key.",
    genesis = "It was made with another key."
  ))
}

# The policy of the store at a place, as a list; NULL where there is no store, or none that can be
# read. For who must know it before the store is opened, which alone proves it.
peek_policy <- function(place, busy_s = 20) {
  if (is.null(place) || (is.character(place) && !file.exists(place))) {
    return(NULL)
  }
  check_installed("DBI", "to keep a store")
  con <- connect_ledger(place, busy_s)
  on.exit(DBI::dbDisconnect(con))
  text <- with_database(if (DBI::dbExistsTable(con, "meta")) find_meta(list(con = con), "policy"))
  if (!is.null(text)) tryCatch(jsonlite::parse_json(text), error = function(cnd) NULL)
}

policy_difference <- function(stored, given) {
  read <- function(text) tryCatch(jsonlite::parse_json(text), error = function(e) list())
  a <- read(stored)
  b <- read(given)
  keys <- union(names(a), names(b))
  differ <- keys[!vapply(keys, function(key) identical(a[[key]], b[[key]]), NA)]
  paste0("(", paste(differ, collapse = ", "), ").")
}

# ---- notes --------------------------------------------------------------------------------------

# What all processes at one store must agree on and nothing in the chain rests on: the first to
# write a note is followed by the others. Both give what is noted; read_note() NULL when nothing is.
claim_note <- function(store, key, value) {
  change_store(store, "INSERT INTO meta (key, value) VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT))
                       ON CONFLICT DO NOTHING", paste0("note_", key), value)
  read_note(store, key)
}

read_note <- function(store, key) with_store(store, find_meta(store, paste0("note_", key)))

# ---- who may read the files ---------------------------------------------------------------------

# Sys.umask() keeps them for their owner, but has no effect on Windows, where files get the
# permissions of their folder; there the system's own icacls sets them.
#
# SQLite makes further files beside the database while it works, and they hold decisions too. On
# Windows a new store therefore needs a folder of its own, which is restricted to the user before
# anything is written. R's folder for a session's files belongs to the user already. A backup is one
# file, and is restricted alone. A store that exists keeps the permissions that it has.

guard_new_store <- function(place, os = .Platform$OS.type, restrict = restrict_to_user,
                            own = tempdir()) {
  if (os != "windows" || is.null(place) || file.exists(place) || user_insists()) {
    return(invisible(place))
  }
  folder <- dirname(place)
  is_temporary <- startsWith(on_disk(folder), on_disk(own))
  is_empty <- length(list.files(folder, all.files = TRUE, no.. = TRUE)) == 0
  if (is_temporary || (is_empty && restrict(folder))) {
    return(invisible(place))
  }
  abort_permissions(c(
    "A new store must lie in a folder that nobody else may read.",
    x = if (is_empty) {
      "Windows did not restrict {.file {folder}} to you."
    } else {
      "{.file {folder}} holds other files, whose permissions the package does not change."
    },
    i = "Make an empty folder for the store; the package restricts it to you."
  ))
}

guard_new_backup <- function(path, os = .Platform$OS.type, restrict = restrict_to_user) {
  if (os != "windows" || user_insists() || restrict(path)) {
    return(invisible(path))
  }
  abort_permissions(c(
    "A backup must be a file that nobody else may read.",
    x = "Windows did not restrict {.file {path}} to you."
  ))
}

abort_permissions <- function(message) {
  abort_sdc("input", c(message, i = paste(
    "If others cannot read it for another reason, say so:",
    "{.code options(sdcLattice.files_are_private = TRUE)}."
  )), .envir = parent.frame())
}

user_insists <- function() isTRUE(getOption("sdcLattice.files_are_private"))

on_disk <- function(path) normalizePath(path, winslash = "/", mustWork = FALSE)

# Takes what the folder above passes on, and lets the user in alone, with all that is made inside
# later. Gives whether Windows agreed.
restrict_to_user <- function(path) {
  user <- paste(c(Sys.getenv("USERDOMAIN"), Sys.info()[["user"]]), collapse = "\\")
  rights <- paste0(user, if (dir.exists(path)) ":(OI)(CI)F" else ":F")
  status <- tryCatch(
    suppressWarnings(system2("icacls",
      shQuote(c(normalizePath(path), "/inheritance:r", "/grant:r", rights)),
      stdout = FALSE, stderr = FALSE
    )),
    error = function(e) 1L
  )
  status == 0
}
