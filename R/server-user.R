# Users of a server, their tokens, and how much they may ask.
#' Users of a table server, and their tokens
#'
#' Who may ask a server over the network ([serve()]). Users have a role: `"user"` asks for
#' sub-tables and sees what is released; `"operator"` also sees all decisions and refusals, which
#' tell about the counts. Each request over the network shows a token, which stands for its user.
#'
#' A token is `sdc_<id>_<secret>`, a secret of 256 random bits. The store keeps its hash only, so a
#' token is shown once, when it is made, and cannot be found again. All changes count at once in
#' this process, and within `r 1000 * look_s` ms in all others that serve the store. Each change is
#' an event of the ledger of access, see `server_access()` in [sdc_server]: nobody makes an operator
#' or brings a token back by changing the database unseen. A token opens everything that its user
#' may see: hand it over like a password, and give it an end.
#'
#' @param server (sdc_server) The server.
#' @param user_id (string) The user's name, as it will stand in the ledger.
#' @param role (string) What the user may see.
#' @param days (number, days, or `NULL`) How long the token is good; `NULL`: until it is revoked.
#' @param token_id (string) The middle part of a token, which names it without opening anything.
#' @return
#' * `issue_server_token()`: the token, a string.
#' * `server_users()`: a data frame with `user_id`, `role`, `created_at`, `disabled_at`.
#' * `server_tokens()`: a data frame with `token_id`, `user_id`, `created_at`, `expires_at`,
#'   `revoked_at`. Times are UTC text, `NA` for what has not happened.
#' * The others: what they were given, invisibly.
#' @section Errors: `sdc_error_input` for users that are there already or not at all, for names that
#'   the server uses itself (`guest`, `local`, `operator`, `votes`), and unknown tokens;
#'   `sdc_error_server` when the store fails.
#' @family server
#' @name server_users
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3)))
#' add_server_user(server, "mary")
#' add_server_user(server, "otto", "operator")
#' token <- issue_server_token(server, "mary", days = 30)
#' server_tokens(server)
#' revoke_server_token(server, server_tokens(server)$token_id)
#' disable_server_user(server, "mary")
#' server_users(server)
#' close(server)
NULL

# Names under which the ledger has what is asked from R, what votes decide, and what was recorded:
# whoever had one over the network would read those answers as their own.
vote_user <- "votes"
server_names <- c("guest", vote_user, "local", "operator")

#' @rdname server_users
#' @export
add_server_user <- function(server, user_id, role = c("user", "operator")) {
  check_server(server)
  check_given(user_id)
  if (is.character(user_id) && any(user_id %in% server_names)) {
    abort_sdc("input", c(
      "{.arg user_id} must not be a name that the server uses itself.",
      x = "{.arg user_id} is {.val {user_id}}."
    ))
  }
  add_user(server$store, user_id, role)
}

#' @rdname server_users
#' @export
disable_server_user <- function(server, user_id) {
  check_server(server)
  disable_user(server$store, user_id)
}

#' @rdname server_users
#' @export
server_users <- function(server) {
  check_server(server)
  by_time(list_users(server$store), "user_id")
}

#' @rdname server_users
#' @export
issue_server_token <- function(server, user_id, days = 365) {
  check_server(server)
  issue_token(server$store, user_id, days)
}

#' @rdname server_users
#' @export
revoke_server_token <- function(server, token_id) {
  check_server(server)
  check_given(token_id)
  for (id in token_id) revoke_token(server$store, id)
  invisible(token_id)
}

#' @rdname server_users
#' @export
server_tokens <- function(server) {
  check_server(server)
  by_time(list_tokens(server$store), "token_id")
}

by_time <- function(rows, id) {
  rows <- rows[order(rows$created_at, rows[[id]], method = "radix"), ]
  rownames(rows) <- NULL
  rows
}

# ---- quotas -------------------------------------------------------------------------------------

#' Quotas of a table server
#'
#' How many decisions each user may ask for over the network on one day. The day is that of UTC. The
#' server counts them from its ledger, so that all processes and machines that serve the store count
#' the same. Beyond its quota a user is answered 429, with the seconds until the next day in
#' `Retry-After`, before anything is decided. An answer that was given before is repeated, and what
#' is released may be looked up, without end. Requests that wait to be decided count too; those of
#' one user that several processes take at the same instant may exceed the quota by their number.
#' Each change is an event of the ledger of access ([server_access()]).
#'
#' @param server (sdc_server) The server.
#' @param per_day (whole number, or `NULL`) Decisions per day; `NULL`: without end.
#' @param user_id (string, or `NULL`) The user; `NULL`: all who have no quota of their own.
#' @return `server_quotas()`: a data frame with `user_id` (`NA`: all others) and `per_day` (`NA`:
#'   without end). `set_server_quota()`: `per_day`, invisibly.
#' @section Errors: `sdc_error_input` for arguments that do not fit; `sdc_error_server` when the
#'   store fails.
#' @template experimental
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3)))
#' set_server_quota(server, 200)
#' set_server_quota(server, 1000, "mary")
#' server_quotas(server)
#' close(server)
set_server_quota <- function(server, per_day, user_id = NULL) {
  check_server(server)
  check_given(per_day)
  if (!is.null(per_day)) check_whole(per_day, min = 0, max = 1e9)
  if (!is.null(user_id)) check_string(user_id)
  write_quota(server$store, per_day, user_id)
}

#' @rdname set_server_quota
#' @export
server_quotas <- function(server) {
  check_server(server)
  list_quotas(server$store)
}

# ---- limits -------------------------------------------------------------------------------------

# How much one user, or one address without a valid token, may ask: buckets of requests, each of
# which fills at a rate. They are in memory, so each process counts for itself.

# Addresses and users that are remembered at once; beyond, those with full buckets are forgotten.
max_buckets <- 10000

# What a request costs a bucket; stops by the problem "rate_limited" when it is empty.
spend <- function(service, who, burst = service$burst, rate_per_s = service$rate_per_s) {
  now <- service$clock()
  known <- service$buckets[[who]]
  bucket <- known %||% c(left = burst, at = now)
  # a clock that was set back gives nothing, and takes nothing
  passed <- max(0, now - bucket[["at"]])
  left <- min(burst, bucket[["left"]] + passed * rate_per_s)
  short <- left < 1
  # counting them takes its time, which only those who are new cost
  if (is.null(known) && length(service$buckets) >= max_buckets) forget_buckets(service, now)
  service$buckets[[who]] <- c(left = if (short) left else left - 1, at = now)
  if (short) {
    wait <- ceiling((1 - left) / rate_per_s)
    problem("rate_limited", headers = c(`Retry-After` = whole_text(min(wait, 3600))))
  }
}

# By then each is full again.
forget_buckets <- function(service, now) {
  slowest <- max(service$burst / service$rate_per_s, idle_burst / idle_rate_per_s)
  at <- vapply(as.list(service$buckets, all.names = TRUE), `[[`, 0, "at")
  old <- names(at)[now - at > slowest]
  if (length(old) == 0) old <- names(sort(at))[seq_len(length(at) / 2)]
  rm(list = old, envir = service$buckets)
}

# Who shows no valid token shares a bucket with all others at the same address.
spend_address <- function(service, request) {
  spend(service, paste("address", request$address %||% ""))
}

# Answers that everybody could have worked out, because the sub-table is out or not eligible, stay
# in the ledger like all others. So that nobody fills it with them, each user gets few: more are
# answered 429 before anything is decided. An answer that was given before is repeated without end.
idle_burst <- 200
idle_rate_per_s <- 0.1

spend_idle <- function(service, user, set) {
  if (!is_eligible(service$server, set)) {
    spend(service, paste("idle", user), idle_burst, idle_rate_per_s)
  }
}

# Stops by the problem "quota_spent" when the user has had as many decisions today, with those that
# wait. They are counted first: what is decided meanwhile counts twice rather than not at all.
spend_quota <- function(ask, key) {
  store <- ask$server$store
  quota <- find_quota(store, ask$user)
  if (is.null(quota)) {
    return(invisible())
  }
  now <- Sys.time()
  waiting <- if (ask$service$queued) count_queued_of(store, ask$user, key %||% "") else 0
  had <- waiting + count_decisions_of(store, ask$user, format(now, "%Y-%m-%d", tz = "UTC"))
  if (had >= quota) {
    left <- 86400 - as.numeric(now) %% 86400
    problem("quota_spent", headers = c(`Retry-After` = whole_text(ceiling(left))))
  }
}
