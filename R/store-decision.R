# Decisions: how one is made when several processes are at it, and how it is read back.
#
# Compare and swap: read the ledger up to number n; judge; insert the row n + 1, unless there is
# one. No row inserted means that somebody was first: read what is new and judge again. One
# statement, no transaction around it, no lock, no isolation level, no error text; the same on both
# back ends. A process that is frozen or killed in the middle of a judgement holds nobody up.
# store-batch.R writes several decisions at once, by the same statement for each.

# Why a sub-table is not given, or only parts of it: "structural" when anybody could work it out,
# else "risk", and nothing finer.
public_reasons <- c("structural", "risk")
withheld <- c("refused", "projected")

# The private reasons of a refusal that was proved, and of one that may be decided otherwise later.
refuted_reason <- "refuted"
guarded_reason <- "guarded"
# Of a refusal that follows from that of a smaller sub-table, and lasts as long as it.
implied_reason <- "holds a refused sub-table"

# Gives the answer to a request, which is then in the ledger, word for word; see the head of
# store.R.
append_decision <- function(store, request, judge, tries = 20) {
  check_store(store)
  request <- check_request(store, request)
  check_whole(tries, min = 1, max = 1e6)
  settle_behind(store)
  judged <- NULL
  for (attempt in seq_len(5 * tries)) {
    read <- catch_up_with(store, request)
    if (!is.null(read$row)) {
      return(repeat_answer(store, request, read$row))
    }
    if (attempt > 1 && read$n == 0) abort_not_taken(store)
    if (is.null(judged) || is_outdated(judged, store)) {
      if (tries == 0) break
      tries <- tries - 1
      judged <- judge_now(store, judge)
      write_evidence(store, judged$evidence)
    }
    row <- ledger_row(store, request, judged$decision)
    if (insert_row(store, row)) {
      extend_state(store, row)
      settle(store, store$seq, store$hash)
      return(answer_of(row, replayed = FALSE))
    }
  }
  abort_store("contended", c(
    "A decision must be committed before another process changes the state it rests on.",
    x = "Other processes committed first on every attempt; no decision was made.",
    i = "Ask again later, with the same request id."
  ))
}

# The anchor, before anything is said; and a last look at where all of it was written.
settle <- function(store, seq, hash) {
  store$behind <- TRUE
  move_anchor(store, seq, hash)
  store$behind <- FALSE
  check_files(store)
}

# A decision of this process that its anchor could not follow.
settle_behind <- function(store) {
  if (isTRUE(store$behind)) settle(store, store$seq, store$hash)
}

store_state <- function(store) {
  mget(c("seq", "hash", "release_no", "released", "refused", "closed", "undecided", "refuted"),
       envir = store)
}

# `evidence`: the certificate that is to be written before the decision, which has its hash.
judge_now <- function(store, judge) {
  before <- store_state(store)
  decision <- check_decision(store, judge(before))
  evidence <- if (is.list(decision$certificate)) decision$certificate
  if (!is.null(evidence)) {
    decision$certificate <- certificate_hash(evidence$kind, evidence$body)
  }
  list(decision = decision, evidence = evidence, seq = before$seq, release_no = before$release_no)
}

is_outdated <- function(judged, store) {
  if (judged$decision$depends == "ledger") {
    return(judged$seq < store$seq)
  }
  judged$release_no < store$release_no
}

# The row after the newest one that is known here.
ledger_row <- function(store, request, decision) {
  row <- list(
    seq = whole_text(store$seq + 1), v = whole_text(ledger_format), at = utc_now(),
    user_id = request$user_id, request_id = request$request_id, mask = request$mask,
    form = request$form, outcome = decision$outcome, reason_public = decision$reason_public,
    reason_private = decision$reason_private, parts = decision$parts,
    release_no = whole_text(store$release_no + outcomes[[decision$outcome]]),
    table_hash = decision$table_hash, certificate_hash = decision$certificate, prev = store$hash
  )
  row$hash <- store$chain$rows(row)
  list2data_frame(row, 1L)
}

# Did it become the next decision? Not if the number or the request id is taken, the store has moved
# to another version, or the decision before it is not there any more.
insert_row <- function(store, row) {
  with_store(store, do.call(execute, c(
    list(store$con, insert_sql), unname(as.list(row)),
    list(schema_version(), store$seq, row$prev)
  )) == 1)
}

insert_sql <- local({
  type <- ifelse(ledger_columns %in% number_columns, "BIGINT", "TEXT")
  last <- length(ledger_columns)
  values <- sprintf("CAST($%d AS %s)", seq_along(ledger_columns), type)
  paste0(
    "INSERT INTO decision (", paste(ledger_columns, collapse = ", "), ") SELECT ",
    paste(values, collapse = ", "),
    " WHERE (SELECT value FROM meta WHERE key = 'schema_version') = CAST($", last + 1, " AS TEXT)",
    " AND COALESCE((SELECT hash FROM decision WHERE seq = CAST($", last + 2, " AS BIGINT)),",
    " (SELECT value FROM meta WHERE key = 'genesis')) = CAST($", last + 3, " AS TEXT)",
    " ON CONFLICT DO NOTHING"
  )
})

# No row was inserted, and none is new.
abort_not_taken <- function(store) {
  if (check_version(store) != schema_version()) abort_new_version()
  abort_altered("Decisions that were there are gone.")
}

abort_new_version <- function() {
  abort_store("newer", c(
    "The store must be of version {schema_version()}.",
    x = "Another process has brought it to another one.",
    i = "Open it anew with the version of the package that did."
  ))
}

# ---- reading ------------------------------------------------------------------------------------

select_columns <- paste(ifelse(
  ledger_columns %in% number_columns, sprintf("CAST(%1$s AS TEXT) AS %1$s", ledger_columns),
  ledger_columns
), collapse = ", ")

fetch_decisions <- function(store, after, limit = 1e5) {
  sql <- paste(
    "SELECT", select_columns, "FROM decision WHERE seq > CAST($1 AS BIGINT)",
    "ORDER BY decision.seq LIMIT CAST($2 AS BIGINT)"
  )
  with_store(store, fetch_text(store$con, sql, after, limit))
}

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
  rows <- with_store(store, fetch_text(
    store$con, request_sql, before, limit, request$user_id, request$request_id, before
  ))
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

of_request <- "user_id = CAST($%d AS TEXT) AND request_id = CAST($%d AS TEXT)"

request_sql <- paste(
  "SELECT * FROM (SELECT", select_columns, "FROM decision WHERE seq > CAST($1 AS BIGINT)",
  "ORDER BY decision.seq LIMIT CAST($2 AS BIGINT)) AS new UNION ALL",
  "SELECT", select_columns, "FROM decision WHERE", sprintf(of_request, 3, 4),
  "AND seq <= CAST($5 AS BIGINT)"
)

# NULL without one.
find_row <- function(store, request) {
  sql <- paste("SELECT", select_columns, "FROM decision WHERE", sprintf(of_request, 1, 2))
  row <- with_store(store, fetch_text(store$con, sql, request$user_id, request$request_id))
  if (nrow(row) == 1) as.list(row)
}

# `rows` have been verified, or written here.
extend_state <- function(store, rows) {
  advance_state(store, rows)
  follow_asked(store, rows)
  follow_kept(store, rows)
}

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

# What was said to this request before. The anchor follows it, as the process that made the decision
# may have died before.
repeat_answer <- function(store, request, row) {
  if (row$hash != store$chain$rows(row)) {
    abort_altered(paste("Decision", row$seq, "is not what was written."))
  }
  if (row$mask != request$mask || row$form != request$form) {
    abort_store("reused", c(
      "A request id must belong to one request.",
      x = "This one was used for another request by the same user.",
      i = "Use a new request id."
    ))
  }
  settle(store, as.numeric(row$seq), row$hash)
  answer_of(row, replayed = TRUE)
}

# The public columns, and nothing else: what is sent is made from this alone.
answer_of <- function(row, replayed) {
  public <- c("seq", "at", "user_id", "request_id", "mask", "form", "outcome", "reason_public",
              "parts", "table_hash", "certificate_hash", "release_no", "hash")
  answer <- as.list(row)[public]
  answer[c("seq", "release_no")] <- lapply(answer[c("seq", "release_no")], as.numeric)
  answer$parts <- strsplit(answer$parts, " ", fixed = TRUE)[[1]]
  c(answer, replayed = replayed)
}

# ---- checks -------------------------------------------------------------------------------------

new_request_id <- function() random_hex(16)

# R's own matcher takes half a millisecond for this. In this one `$` also stands before a last line
# feed; the end of the text is `\z`.
is_request_id <- function(x) grepl("^[A-Za-z0-9_-]{1,64}\\z", x, perl = TRUE, useBytes = TRUE)

# A request without an id gets a new one, and cannot be repeated.
check_request <- function(store, request) {
  request$request_id <- request$request_id %||% new_request_id()
  request$form <- request$form %||% "table"
  for (part in c("user_id", "request_id", "mask", "form")) {
    check_text(request[[part]], paste0("request$", part))
  }
  if (!is_request_id(request$request_id)) {
    abort_sdc("input", c(
      "A request id must have 1 to 64 letters, digits, underscores or hyphens.",
      x = "It has others, or is longer."
    ))
  }
  check_masks(store, request$mask, "request$mask")
  lapply(request[c("user_id", "request_id", "mask", "form")], enc2utf8)
}

check_text <- function(x, arg) {
  check_string(x, arg)
  if (nchar(x, "bytes") > 1e4 || !validUTF8(enc2utf8(x))) {
    abort_sdc("input", c(
      "{.arg {arg}} must be valid text of at most 10,000 bytes.",
      x = if (validUTF8(enc2utf8(x))) "{.arg {arg}} has {nchar(x, 'bytes')} bytes.",
      x = if (!validUTF8(enc2utf8(x))) "{.arg {arg}} is not valid UTF-8."
    ))
  }
}

check_masks <- function(store, masks, arg) {
  if (!is.character(masks) || !all(is_mask(masks, store$k))) {
    abort_sdc("input", c(
      "{.arg {arg}} must be masks of {store$k} variable{?s}: hex, {mask_width(store$k)} digit{?s}.",
      x = if (is.character(masks)) {
        "{describe_first(masks, is_mask(masks, store$k), arg)}"
      } else {
        "{describe(masks, arg)}"
      }
    ))
  }
}

# What the judge said, completed.
check_decision <- function(store, decision) {
  known <- c("outcome", "reason_public", "reason_private", "parts", "table_hash", "certificate",
             "depends")
  if (!is.list(decision) || !all(names(decision) %in% known)) {
    abort_sdc("input", c(
      "A judge must give a list with parts out of {.val {known}}.",
      x = "It gave {.obj_type_friendly {decision}}."
    ))
  }
  check_one(decision$outcome, names(outcomes), "outcome")
  check_reason(decision)
  for (part in c("reason_private", "table_hash")) {
    if (!is.null(decision[[part]])) check_text(decision[[part]], part)
  }
  parts <- decision$parts %||% character()
  check_masks(store, parts, "parts")
  list(
    outcome = decision$outcome, reason_public = decision$reason_public %||% NA_character_,
    reason_private = decision$reason_private %||% NA_character_,
    parts = paste(parts, collapse = " "), table_hash = decision$table_hash %||% NA_character_,
    certificate = decision$certificate %||% NA_character_,
    depends = check_one(decision$depends %||% "releases", c("releases", "ledger"), "depends")
  )
}

# Nothing is chosen by default here.
check_one <- function(x, values, arg) {
  check_string(x, arg)
  check_choice(x, values, arg)
}

check_reason <- function(decision) {
  reason <- decision$reason_public
  if (decision$outcome %in% withheld) {
    check_one(reason, public_reasons, "reason_public")
  } else if (!is.null(reason)) {
    abort_sdc("input", c(
      "Only a refusal, or an answer with parts, must have a public reason.",
      x = "An answer {.val {decision$outcome}} has one."
    ))
  }
}

# ---- certificates -------------------------------------------------------------------------------

# NULL where a decision has none of its own.
write_evidence <- function(store, evidence) {
  if (!is.null(evidence)) write_certificate(store, evidence$kind, evidence$body)
}

# Written before the decision that names it; one that is never named does no harm.
write_certificate <- function(store, kind, body) {
  check_text(kind, "certificate$kind")
  check_string(body, "certificate$body")
  hash <- certificate_hash(kind, body)
  with_store(store, execute(
    store$con, "INSERT INTO certificate (hash, kind, body)
                VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT))
                ON CONFLICT DO NOTHING",
    hash, kind, body
  ))
  hash
}

certificate_hash <- function(kind, body) chain_hash()$text(paste0(kind, "\n", body))

# NULL when it is missing or not what was written.
read_certificate <- function(store, hash) {
  check_store(store)
  found <- with_store(store, fetch_text(
    store$con, "SELECT kind, body FROM certificate WHERE hash = CAST($1 AS TEXT)", hash
  ))
  if (nrow(found) == 1 && identical(certificate_hash(found$kind, found$body), hash)) as.list(found)
}
