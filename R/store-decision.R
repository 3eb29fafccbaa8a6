# Decisions: how one is made when several processes are at it, and how it is told again.
#
# Compare and swap: read the ledger up to number n; judge; insert the row n + 1, unless there is
# one. No row inserted means that somebody was first: read what is new and judge again. One
# statement, no transaction around it, no lock, no isolation level, no error text; the same on both
# back ends. A process that is frozen or killed in the middle of a judgement holds nobody up.

# Gives the answer to a request, which is then in the ledger, word for word; see the head of
# store.R.
append_decision <- function(store, request, judge, tries = 20) {
  check_store(store)
  request <- check_request(store, request)
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
    # not if the number or the request id is taken, the store has moved to another version, or the
    # decision before it is not there any more
    if (with_store(store, insert_rows(store, row)) == 1) {
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

# Several decisions in one commit, as the disk takes longer than most judgements. They are judged
# one after the other, each as if those before it were in the ledger already, and then written
# together: all of them follow the newest decision that was known, or none is written. Nothing is
# said to anybody before.
#
# `requests`: as append_decision() takes them; `judge_of(request)`: the judge of each;
# `go_on(n)`: is there time for another one after `n`? Gives the rows that are in the ledger now, of
# the first requests. There are none when another process was first, or when the first request
# cannot be decided like this: append_decision() then says what is the matter with it.
append_batch <- function(store, requests, judge_of, go_on) {
  check_store(store)
  settle_behind(store)
  catch_up(store)
  known <- store_state(store)
  written <- FALSE
  on.exit(if (!written) list2env(known, envir = store))
  judged <- judge_in_turn(store, requests, judge_of, go_on)
  columns <- lapply(rlang::set_names(ledger_columns), function(column) {
    vapply(judged, function(one) as.character(one$row[[column]]), "")
  })
  rows <- list2data_frame(columns, length(judged))
  # each row is inserted only after the one before it
  insert_all <- function() {
    for (one in judged) write_evidence(store, one$evidence)
    insert_rows(store, rows) == nrow(rows)
  }
  if (nrow(rows) == 0 || !with_store(store, with_lock(store, insert_all(), keep = isTRUE))) {
    return(rows[0, ])
  }
  written <- TRUE
  keep_new(store, rows)
  settle(store, store$seq, store$hash)
  rows
}

# The state of the store runs ahead of the ledger meanwhile.
judge_in_turn <- function(store, requests, judge_of, go_on) {
  judged <- list()
  for (i in seq_along(requests)) {
    if (i > 1 && !go_on(i - 1)) break
    one <- tryCatch({
      request <- check_request(store, requests[[i]])
      found <- judge_now(store, judge_of(request))
      list(row = ledger_row(store, request, found$decision), evidence = found$evidence)
    }, error = function(cnd) NULL)
    if (is.null(one)) break
    advance_state(store, one$row)
    judged[[i]] <- one
  }
  judged
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

# `evidence`: the certificate that is to be written before the decision, which has its hash.
judge_now <- function(store, judge) {
  before <- store_state(store)
  decision <- complete_decision(store, judge(before))
  evidence <- if (is.list(decision$certificate)) decision$certificate
  if (!is.null(evidence)) {
    decision$certificate <- certificate_hash(evidence$kind, evidence$body)
  }
  list(decision = decision, evidence = evidence, seq = before$seq, release_no = before$release_no)
}

# With what a judge may leave out. A row of the ledger stays for ever, so it must be one that can be
# read again; a private reason can be a note of an operator.
complete_decision <- function(store, decision) {
  usual <- list(reason_public = NA_character_, reason_private = NA_character_,
                parts = character(), table_hash = NA_character_, certificate = NA_character_,
                depends = "releases")
  known <- is.list(decision) && all(names(decision) %in% c("outcome", names(usual))) &&
    is_text(decision$outcome) && decision$outcome %in% names(outcomes)
  decision <- if (known) Filter(Negate(is.null), decision)
  decision <- c(decision, usual[setdiff(names(usual), names(decision))])
  has_reason <- decision$reason_public %in% c("structural", "risk")
  if (!known || has_reason != decision$outcome %in% withheld ||
        !all(is_mask(decision$parts, store$k)) || !decision$depends %in% c("releases", "ledger")) {
    abort_sdc("input", c(
      "A judge must give one of the outcomes {.val {names(outcomes)}}, with a public reason where
       something is withheld.",
      x = "It gave something else."
    ))
  }
  if (!is.na(decision$reason_private)) check_text(decision$reason_private, "reason_private")
  decision$parts <- paste(decision$parts, collapse = " ")
  decision
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

# How many of `rows` became the next decisions.
insert_rows <- function(store, rows) {
  do.call(execute, c(
    list(store$con, insert_sql()), as.list(rows),
    list(rep(schema_version(), nrow(rows)), as.numeric(rows$seq) - 1, rows$prev)
  ))
}

insert_sql <- function() {
  last <- length(ledger_columns)
  paste0(
    "INSERT INTO decision (", paste(ledger_columns, collapse = ", "), ") SELECT ",
    cast_values(ledger_columns),
    " WHERE (SELECT value FROM meta WHERE key = 'schema_version') = CAST($", last + 1, " AS TEXT)",
    " AND COALESCE((SELECT hash FROM decision WHERE seq = CAST($", last + 2, " AS BIGINT)),",
    " (SELECT value FROM meta WHERE key = 'genesis')) = CAST($", last + 3, " AS TEXT)",
    " ON CONFLICT DO NOTHING"
  )
}

# No row was inserted, and none is new.
abort_not_taken <- function(store) {
  if (check_version(store) != schema_version()) abort_new_version()
  abort_altered("Decisions that were there are gone.")
}

# ---- telling ------------------------------------------------------------------------------------

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

# ---- what the ledger tells afterwards -----------------------------------------------------------

# The whole ledger, verified anew from its first row to the newest. One row for each decision, with
# private reasons: for operators.
verified_rows <- function(store) {
  catch_up(store)
  parts <- follow_ledger(copy_store(store), store)
  out <- do.call(rbind, parts) %||% fetch_decisions(store, store$seq)
  out[number_columns] <- lapply(out[number_columns], as.numeric)
  out
}

# `steps`: of a table by level.
store_history <- function(store, steps = NULL) {
  rows <- verified_rows(store)
  first <- c("seq", "at", "user_id", "request_id")
  seen <- unique(rows$mask)
  labels <- set_labels(decode_masks(seen, store$k), store$identity$variables, steps)
  cbind(rows[first], sub_table = labels[match(rows$mask, seen)],
        rows[setdiff(ledger_columns, first)])
}

# The state as it was after decision number `upto`: what a judge saw who decided the next one.
replay_store <- function(store, upto = Inf) {
  rows <- verified_rows(store)
  rows <- rows[rows$seq <= upto, ]
  replayed <- copy_store(store)
  if (nrow(rows) > 0) extend_state(replayed, rows)
  store_state(replayed)
}

# Releases after the one with number `after`, in order: `release_no`, `seq`, `at`, `mask`.
fetch_releases <- function(store, after, limit) {
  kinds <- paste0("'", names(outcomes)[outcomes == 1], "'", collapse = ", ")
  rows <- fetch_store(store, paste(
    "SELECT CAST(release_no AS TEXT) AS release_no, CAST(seq AS TEXT) AS seq, at, mask",
    "FROM decision WHERE outcome IN (", kinds, ") AND release_no > CAST($1 AS BIGINT)",
    "ORDER BY decision.release_no LIMIT CAST($2 AS BIGINT)"
  ), after, limit)
  rows[c("release_no", "seq")] <- lapply(rows[c("release_no", "seq")], as.numeric)
  rows
}

# Up to decision number `upto`.
n_refused_for_risk <- function(store, upto) {
  as.numeric(fetch_store(
    store, "SELECT CAST(COUNT(DISTINCT mask) AS TEXT) AS n FROM decision
            WHERE reason_public = 'risk' AND seq <= CAST($1 AS BIGINT)", upto
  )$n)
}

# A data frame: outcome, n.
count_outcomes <- function(store) {
  found <- fetch_store(
    store, "SELECT outcome, CAST(COUNT(*) AS TEXT) AS n FROM decision GROUP BY outcome"
  )
  found$n <- as.numeric(found$n)
  found[order(found$outcome, method = "radix"), ]
}

# ---- requests -----------------------------------------------------------------------------------

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

is_text <- function(x) is.character(x) && length(x) == 1 && !is.na(x)

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

# ---- certificates -------------------------------------------------------------------------------

# NULL where a decision has none of its own.
write_evidence <- function(store, evidence) {
  if (!is.null(evidence)) write_certificate(store, evidence$kind, evidence$body)
}

# Written before the decision that names it; one that is never named does no harm.
write_certificate <- function(store, kind, body) {
  hash <- certificate_hash(kind, body)
  change_store(
    store, "INSERT INTO certificate (hash, kind, body)
            VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT)) ON CONFLICT DO NOTHING",
    hash, kind, body
  )
  hash
}

certificate_hash <- function(kind, body) chain_hash()$text(paste0(kind, "\n", body))

# NULL when it is missing or not what was written.
read_certificate <- function(store, hash) {
  found <- fetch_store(store, "SELECT kind, body FROM certificate WHERE hash = CAST($1 AS TEXT)",
                       hash)
  if (nrow(found) == 1 && identical(certificate_hash(found$kind, found$body), hash)) as.list(found)
}
