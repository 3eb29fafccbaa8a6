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
