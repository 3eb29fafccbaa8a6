# The ledger: the hash chain over its rows, how they are read and verified, and what a process knows
# of them. Each row is hashed together with the hash before it, so that a row that is changed, taken
# out, put in or moved breaks the chain from there on. What is hashed are the columns themselves, in
# one canonical text: JSON without blanks, keys in the order of their bytes, strings and whole
# numbers only, UTF-8. The chain starts from the genesis: the hash of the table's fingerprint, its
# variables and the policy. All hashes are made with a key, or with the store's salt.
#
# What a chain cannot show: a tail cut off (the anchor does), and a ledger that was written anew
# from the start by somebody who has store, anchor and, where there is one, the key. Against that
# help only hashes that are held by others: each answer carries one.

# ---- what is new --------------------------------------------------------------------------------

# Reads and verifies what is new; gives the number of decisions.
catch_up <- function(store, limit = 2e4) {
  before <- store$seq
  repeat {
    rows <- fetch_decisions(store, store$seq, limit)
    follow_rows(store, rows)
    if (nrow(rows) < limit) {
      return(store$seq - before)
    }
  }
}

follow_rows <- function(store, rows) {
  if (nrow(rows) > 0) {
    check_rows(store, rows)
    extend_state(store, rows)
  }
}

# The same, and the row that answered the request before, or NULL: both by one statement, as each
# takes longer than the judge.
catch_up_with <- function(store, request, limit = 2e4) {
  before <- store$seq
  rows <- fetch_store(store, request_sql, before, limit, request$user_id, request$request_id,
                      before)
  rows[] <- lapply(rows, as.character)
  seq <- as.numeric(rows$seq)
  known <- !is.na(seq) & seq <= before
  new <- rows[!known, ]
  follow_rows(store, new[order(seq[!known]), ])
  if (nrow(new) == limit) catch_up(store)
  own <- rows$user_id %in% request$user_id & rows$request_id %in% request$request_id
  row <- if (any(own)) as.list(rows[own, ]) else if (nrow(new) == limit) find_row(store, request)
  list(n = store$seq - before, row = row)
}

# Reads and verifies what `store` knows, anew from the first decision; gives the rows in parts.
follow_ledger <- function(reader, store) {
  parts <- list()
  while (reader$seq < store$seq) {
    rows <- fetch_decisions(reader, reader$seq, min(1e5, store$seq - reader$seq))
    if (nrow(rows) == 0) abort_altered("Decisions that were there are gone.")
    follow_rows(reader, rows)
    parts[[length(parts) + 1]] <- rows
  }
  if (reader$hash != store$hash) abort_altered("It was written anew.")
  parts
}

# ---- the state ----------------------------------------------------------------------------------

store_state <- function(store) mget(state_parts, envir = store)

state_parts <- c("seq", "hash", "release_no", "released", "refused", "closed", "undecided",
                 "refuted")

# As before the first decision.
forget_ledger <- function(store) {
  store$seq <- store$release_no <- 0
  store$hash <- store$genesis
  store$released <- store$refused <- store$closed <- store$refuted <- character()
  store$undecided <- stats::setNames(character(), character())
}

# Another reader of the same store, from the start.
copy_store <- function(store) {
  copy <- structure(rlang::env_clone(store), class = class(store))
  copy$asked <- NULL
  forget_ledger(copy)
  copy
}

# `rows` have been verified, or written here.
extend_state <- function(store, rows) {
  advance_state(store, rows)
  keep_new(store, rows)
}

withheld <- c("refused", "projected")

# The private reasons of a refusal that was proved, and of one that may be decided otherwise later.
refuted_reason <- "refuted"
guarded_reason <- "guarded"
# Of a refusal that follows from that of a smaller sub-table, and lasts as long as it.
implied_reason <- "holds a refused sub-table"

undecided_start <- "undecided: "

# What store_state() gives, and nothing else.
advance_state <- function(store, rows) {
  last <- nrow(rows)
  risk <- is_risk_refusal(rows)
  store$released <- join_masks(store$released, rows$mask[outcomes[rows$outcome] == 1])
  store$refused <- join_masks(store$refused, rows$mask[risk])
  open <- grepl(paste0("^", undecided_start), rows$reason_private)
  store$undecided[rows$mask[risk & open]] <- rows$reason_private[risk & open]
  lasting <- !open & !rows$reason_private %in% c(guarded_reason, implied_reason)
  store$closed <- join_masks(store$closed, rows$mask[risk & lasting])
  store$refuted <- join_masks(
    store$refuted, rows$mask[risk & rows$reason_private %in% refuted_reason]
  )
  store$seq <- as.numeric(rows$seq[last])
  store$release_no <- as.numeric(rows$release_no[last])
  store$hash <- rows$hash[last]
}

is_risk_refusal <- function(rows) {
  rows$outcome %in% withheld & rows$reason_public %in% "risk"
}

# Each once, in the order of its first appearance.
join_masks <- function(known, new) {
  if (length(new) == 0) known else unique(c(known, new))
}

# ---- what is kept in memory ---------------------------------------------------------------------

# Where `store$asked` is an environment it has who asked what last, for cards; rows without an
# outcome say that nothing was asked. Where `store$rows` is one, it has the newest rows: a process
# that answers finds the decisions on all requests that wait there, for which it has read once what
# is new. Each row is verified again before it is told.
asked_columns <- c("outcome", "reason_public", "at")
most_asked <- 20000
most_rows <- 20000

keep_new <- function(store, rows) {
  if (nrow(rows) == 0) {
    return(invisible())
  }
  # what is not in memory is read when it is looked for
  if (length(store$asked) > 0) {
    keys <- paste(rows$mask, rows$user_id)
    for (i in which(keys %in% names(store$asked))) {
      store$asked[[keys[i]]] <- as.list(rows[i, asked_columns])
    }
  }
  if (is.null(store$rows)) {
    return(invisible())
  }
  if (length(store$rows) + nrow(rows) > most_rows) {
    return(forget_rows(store, as.numeric(rows$seq[nrow(rows)])))
  }
  keys <- row_key(rows)
  values <- do.call(cbind, unname(as.list(rows[ledger_columns])))
  for (i in seq_along(keys)) store$rows[[keys[i]]] <- values[i, ]
}

# The last row for a user and a mask, as `asked_columns`.
row_asked <- function(store, user, mask) {
  key <- paste(mask, user)
  known <- store$asked[[key]]
  if (!is.null(known)) {
    return(known)
  }
  rows <- find_decisions(store, "user_id = CAST($1 AS TEXT) AND mask = CAST($2 AS TEXT)",
                         user, mask, limit = 1)
  row <- as.list(rows[asked_columns])
  if (!is.null(store$asked)) {
    if (length(store$asked) > most_asked) store$asked <- new.env(parent = emptyenv())
    store$asked[[key]] <- row
  }
  row
}

# From now on the newest rows are kept.
keep_rows <- function(store) {
  forget_rows(store, max(0, store$seq - most_rows / 2))
  keep_new(store, fetch_decisions(store, store$rows_after))
}

# What the ledger holds up to number `after` is asked of it.
forget_rows <- function(store, after) {
  store$rows <- new.env(parent = emptyenv())
  store$rows_after <- after
}

# No request id has a blank.
row_key <- function(request) paste(request$request_id, request$user_id)

# The row of the ledger that answers the request, as far as it has been read; NULL without one.
known_row <- function(store, request) {
  kept <- if (!is.null(store$rows)) store$rows[[row_key(request)]]
  if (!is.null(kept)) {
    return(as.list(rlang::set_names(kept, ledger_columns)))
  }
  if (is.null(store$rows) || store$rows_after > 0) find_row(store, request)
}

# ---- statements ---------------------------------------------------------------------------------

fetch_decisions <- function(store, after, limit = 1e5) {
  fetch_store(store, paste(
    "SELECT", select_columns, "FROM decision WHERE seq > CAST($1 AS BIGINT)",
    "ORDER BY decision.seq LIMIT CAST($2 AS BIGINT)"
  ), after, limit)
}

# Rows of the ledger, newest first: `where` with placeholders from $1 on.
find_decisions <- function(store, where, ..., limit) {
  fetch_store(store, paste0(
    "SELECT ", select_columns, " FROM decision WHERE ", where,
    " ORDER BY decision.seq DESC LIMIT CAST($", ...length() + 1, " AS BIGINT)"
  ), ..., limit)
}

# NULL without one.
find_row <- function(store, request) {
  sql <- paste("SELECT", select_columns, "FROM decision WHERE", sprintf(of_request, 1, 2))
  row <- fetch_store(store, sql, request$user_id, request$request_id)
  if (nrow(row) == 1) as.list(row)
}

# ---- the chain ----------------------------------------------------------------------------------

# `rows`: a data frame of the ledger's columns, all of them text. Aborts unless the rows continue
# the ledger from where `store` has come.
check_rows <- function(store, rows) {
  n <- nrow(rows)
  wrong <- function(bad, found) {
    bad <- which(is.na(bad) | bad)
    if (length(bad) == 0) {
      return(invisible())
    }
    abort_altered(paste("Decision", whole_text(store$seq + bad[1]), found))
  }
  wrong(as.numeric(rows$seq) != store$seq + seq_len(n), "is missing, or stands elsewhere.")
  formats <- unique(rows$v)
  wrong(rows$v %in% formats[!grepl("^[0-9]{1,15}$", formats)], "cannot be read.")
  if (any(as.numeric(formats) > ledger_format)) {
    abort_store("newer", c(
      "The decisions must be in a format that this package knows.",
      x = "They are in a newer one.",
      i = "Use a newer version of the package."
    ))
  }
  wrong(rows$prev != c(store$hash, rows$hash[-n]), "does not follow from the one before it.")
  wrong(rows$hash != store$chain$rows(rows), "is not what was written.")
  masks <- unique(rows$mask)
  wrong(rows$mask %in% masks[!is_mask(masks, store$k)], "cannot be read.")
  wrong(!rows$outcome %in% names(outcomes), "cannot be read.")
  releases <- store$release_no + cumsum(outcomes[rows$outcome])
  wrong(as.numeric(rows$release_no) != releases, "counts the releases wrongly.")
}

ledger_columns <- c(
  "seq", "v", "at", "user_id", "request_id", "mask", "form", "outcome", "reason_public",
  "reason_private", "parts", "release_no", "table_hash", "certificate_hash", "prev", "hash"
)
# of the chain of access, too
number_columns <- c("seq", "v", "release_no")

hashed_of <- function(columns) sort(setdiff(columns, c("prev", "hash")), method = "radix")
hashed_columns <- hashed_of(ledger_columns)

# Columns as they are read, and placeholders for them.
columns_as_text <- function(columns) {
  paste(ifelse(columns %in% number_columns, sprintf("CAST(%1$s AS TEXT) AS %1$s", columns),
               columns), collapse = ", ")
}

cast_values <- function(columns) {
  types <- ifelse(columns %in% number_columns, "BIGINT", "TEXT")
  paste(sprintf("CAST($%d AS %s)", seq_along(columns), types), collapse = ", ")
}

select_columns <- columns_as_text(ledger_columns)
of_request <- "user_id = CAST($%d AS TEXT) AND request_id = CAST($%d AS TEXT)"

request_sql <- paste(
  "SELECT * FROM (SELECT", select_columns, "FROM decision WHERE seq > CAST($1 AS BIGINT)",
  "ORDER BY decision.seq LIMIT CAST($2 AS BIGINT)) AS new UNION ALL",
  "SELECT", select_columns, "FROM decision WHERE", sprintf(of_request, 3, 4),
  "AND seq <= CAST($5 AS BIGINT)"
)

# How texts and rows are hashed: SHA-256, or HMAC with `key`, in lower-case hex. The key is known to
# these functions only.
chain_hash <- function(key = raw()) {
  force(key)
  list(
    text = function(text) cpp_text_hash(text, key),
    rows = function(rows, hashed = hashed_columns) {
      columns <- lapply(unclass(rows)[c(hashed, "prev")], as.character)
      cpp_ledger_hashes(columns[hashed], hashed, hashed %in% number_columns, columns$prev, key)
    }
  )
}

ledger_format <- 1

genesis_of <- function(identity, hash) {
  hash$text(paste0("sdcLattice ledger ", ledger_format, "\n", canonical_json(list(
    fingerprint = identity$fingerprint, policy = identity$policy,
    variables = as.list(identity$variables)
  ))))
}

# How a request can end. 1: a release, after which what was judged before counts no more.
# "recorded": released by other means; "already": it was out; "projected": the parts that are out
# are given; "deferred": it counts as a vote, and is decided with others later.
outcomes <- c(released = 1, recorded = 1, already = 0, refused = 0, projected = 0, deferred = 0)

# ---- masks --------------------------------------------------------------------------------------

# A set of variables as text: lower-case hex of fixed width, variable v being worth 2^(v - 1); the
# last digit holds the variables 1 to 4. Any number of variables.
mask_width <- function(k) max(1, ceiling(k / 4))
mask_letters <- strsplit("0123456789abcdef", "")[[1]]

# `sets`: a list of vectors of variable numbers.
encode_masks <- function(sets, k) {
  width <- mask_width(k)
  bits <- matrix(FALSE, 4 * width, length(sets))
  bits[cbind(as.integer(unlist(sets)), rep(seq_along(sets), lengths(sets)))] <- TRUE
  digits <- matrix(colSums(matrix(bits, nrow = 4) * c(1, 2, 4, 8)), nrow = width)
  do.call(paste0, lapply(rev(seq_len(width)), function(i) mask_letters[digits[i, ] + 1]))
}

decode_masks <- function(masks, k) {
  width <- mask_width(k)
  # one column a mask, the digit of the variables 1 to 4 first
  codes <- utf8ToInt(paste(masks, collapse = ""))
  digits <- matrix(match(codes, utf8ToInt("0123456789abcdef")) - 1L, nrow = width)
  digits <- digits[rev(seq_len(width)), , drop = FALSE]
  bits <- matrix(FALSE, 4 * width, ncol(digits))
  for (b in 1:4) {
    bits[4 * (seq_len(width) - 1) + b, ] <- bitwAnd(digits, bitwShiftL(1L, b - 1L)) > 0
  }
  lapply(seq_along(masks), function(i) which(bits[, i]))
}

# Of the right width, and of variables that there are.
is_mask <- function(masks, k) {
  width <- mask_width(k)
  spare <- 4 * width - k
  first <- substr("0123456789abcdef", 1, 16 / 2^spare)
  grepl(sprintf("^[%s][0-9a-f]{%d}\\z", first, width - 1), masks, perl = TRUE)
}
