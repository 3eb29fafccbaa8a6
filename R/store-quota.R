# Quotas: how many decisions a user may ask for on one day (UTC). They are counted from the ledger,
# so that all processes and machines count the same, whatever was restarted in between.

quota_key <- function(user_id) if (is.null(user_id)) "quota" else paste0("quota_of_", user_id)

# `user_id` NULL: for all users without a quota of their own. `per_day` NULL: none.
write_quota <- function(store, per_day, user_id = NULL) {
  check_store(store)
  key <- quota_key(user_id)
  value <- if (is.null(per_day)) "none" else whole_text(per_day)
  change_access(store, {
    execute(store$con, "INSERT INTO meta (key, value) VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT))
                        ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
    append_event(store, "quota", user_id %||% "", list(per_day = value))
  })
  invisible(per_day)
}

# Of a user, that of all others included; NULL when there is none.
find_quota <- function(store, user_id) {
  if (is.null(store$quotas)) store$quotas <- read_quotas(store)
  found <- store$quotas
  own <- found$value[found$key == quota_key(user_id)]
  value <- if (length(own) == 1) own else found$value[found$key == quota_key(NULL)]
  if (length(value) == 1 && value != "none") as.numeric(value)
}

read_quotas <- function(store) {
  with_store(store, fetch_text(
    store$con, "SELECT key, value FROM meta WHERE substr(key, 1, 5) = 'quota'"
  ))
}

# A data frame: user_id (NA for all others), per_day (NA for without end).
list_quotas <- function(store) {
  found <- read_quotas(store)
  user <- ifelse(found$key == quota_key(NULL), NA, sub("^quota_of_", "", found$key))
  out <- data.frame(user_id = as.character(user),
                    per_day = suppressWarnings(as.numeric(found$value)))
  out <- out[order(out$user_id, na.last = FALSE, method = "radix"), ]
  rownames(out) <- NULL
  out
}

# Decisions that a user was given on a day such as "2026-11-26".
count_decisions_of <- function(store, user_id, day) {
  found <- with_store(store, fetch_text(
    store$con, "SELECT CAST(COUNT(*) AS TEXT) AS n FROM decision
                WHERE user_id = CAST($1 AS TEXT) AND substr(at, 1, 10) = CAST($2 AS TEXT)",
    user_id, day
  ))
  as.numeric(found$n)
}

# A data frame: outcome, n.
count_outcomes <- function(store) {
  found <- with_store(store, fetch_text(
    store$con, "SELECT outcome, CAST(COUNT(*) AS TEXT) AS n FROM decision GROUP BY outcome"
  ))
  found$n <- as.numeric(found$n)
  found[order(found$outcome, method = "radix"), ]
}
