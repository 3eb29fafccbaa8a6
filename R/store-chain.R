# The hash chain over the ledger. Each row is hashed together with the hash before it, so that a row
# that is changed, taken out, put in or moved breaks the chain from there on. What is hashed are the
# columns themselves, in one canonical text: JSON without blanks, keys in the order of their bytes,
# strings and whole numbers only, UTF-8. The chain starts from the genesis: the hash of the table's
# fingerprint, its variables and the policy. All hashes are made with a key, or with the store's
# salt.
#
# What a chain cannot show: a tail cut off (the anchor does), and a ledger that was written anew
# from the start by somebody who has store, anchor and, where there is one, the key. Against that
# help only hashes that are held by others: each answer carries one.

ledger_format <- 1

ledger_columns <- c(
  "seq", "v", "at", "user_id", "request_id", "mask", "form", "outcome", "reason_public",
  "reason_private", "parts", "release_no", "table_hash", "certificate_hash", "prev", "hash"
)
number_columns <- c("seq", "v", "release_no")
hashed_columns <- sort(setdiff(ledger_columns, c("prev", "hash")), method = "radix")

# How texts and rows are hashed: SHA-256, or HMAC with `key`, in lower-case hex. The key is known to
# these functions only.
chain_hash <- function(key = NULL) {
  force(key)
  list(
    key = function() if (is.null(key)) raw() else key,
    text = function(text) cpp_text_hash(text, if (is.null(key)) raw() else key),
    rows = function(rows) {
      columns <- lapply(unclass(rows)[c(hashed_columns, "prev")], as.character)
      cpp_ledger_hashes(columns[hashed_columns], hashed_columns, hashed_columns %in% number_columns,
                        columns$prev, if (is.null(key)) raw() else key)
    }
  )
}

genesis_of <- function(identity, hash) {
  hash$text(paste0("sdcLattice ledger ", ledger_format, "\n", canonical_json(list(
    fingerprint = identity$fingerprint, policy = identity$policy,
    variables = as.list(identity$variables)
  ))))
}

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

# How a request can end. 1: a release, after which what was judged before counts no more.
# "recorded": released by other means; "already": it was out; "projected": the parts that are out
# are given; "deferred": it counts as a vote, and is decided with others later.
outcomes <- c(released = 1, recorded = 1, already = 0, refused = 0, projected = 0, deferred = 0)
