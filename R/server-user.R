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
  check_given(user_id)
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
  check_given(user_id)
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
