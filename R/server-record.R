# Releases that were made by other means.

#' Write down a release that was made by other means
#'
#' Sub-tables that were published elsewhere count for all later judgements: the ledger must know
#' them. They are facts, so they are not judged; if they are too risky together with what is out, a
#' warning says so, and nothing more is released. By [risk_n()] each sub-table is judged alone, so
#' that others are released as before. For a table that is too large for exact bounds certificates
#' are searched anew, for as many sub-tables as possible together with these (see `plan` in
#' [server_policy()]).
#'
#' @inheritParams request_table
#' @param variables (list of character vectors or formulas, or labels) The sub-tables.
#' @param note (string) Where it was published. Private.
#' @param user (string) Who writes it down.
#' @param ... Must be empty.
#' @param seed (whole number) Of the search for certificates.
#' @param progress (flag) Show a progress bar while certificates are searched?
#' @return A list of `sdc_answer`, invisibly.
#' @section Errors: `sdc_error_input` for unknown variables; `sdc_error_server` as in
#'   [request_table()]: what had been written before it stays written, and writing it down once more
#'   does no harm. A warning of class `sdc_warning_unsafe` when what is out is not certified any
#'   more.
#' @section Guarantee: All later judgements take it as known to everybody. It is never refused.
#' @section Complexity: What is out is verified once, for at most 10 seconds. Where certificates are
#'   searched, that takes the policy's `plan_time_s`.
#' @template ref-releases
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3)))
#' record_release(server, c("A:B", "B:C"), note = "yearbook, table 7")
#' request_table(server, c("A", "B"))
#' close(server)
record_release <- function(server, variables, note = "released by other means", user = "operator",
                           ..., seed = 1, progress = rlang::is_interactive()) {
  check_no_dots(...)
  check_server(server)
  check_given(variables)
  check_string(note)
  check_string(user)
  check_whole(seed, min = 0, max = 2^53)
  check_flag(progress)
  if (!is.null(server$steps)) variables <- at_levels(server, variables)
  sets <- sub_table_sets(variables, server$variables, "variables", server$steps)
  answers <- lapply(sets, record_set, server = server, note = note, user = user)
  after_records(server, seed, progress)
  invisible(answers)
}

record_set <- function(set, server, note, user, request_id = NULL) {
  ask_store(server, set, user, request_id, "record", record_judge(server, set, note))
}

after_records <- function(server, seed = 1, progress = FALSE) {
  refresh_server(server)
  renew_plan(server, seed, progress)
  warn_if_unsafe(server)
}

record_judge <- function(server, set, note) {
  force(set)
  function(state) {
    list(outcome = "recorded", reason_private = note,
         table_hash = published_hash(server, set))
  }
}

warn_if_unsafe <- function(server) {
  checked <- verify_server(server)
  if (checked$verified) {
    return(invisible())
  }
  alone <- inherits(server$problem$risk, "sdc_risk_n")
  warn_sdc("unsafe", c(
    if (alone) "All released sub-tables together must be safe." else
      "All released sub-tables together must be safe for more to be released.",
    x = if (checked$refuted) "With the recorded release it is unsafe." else
      "With the recorded release it is no longer certified.",
    i = if (alone) "Requests are judged as before: each sub-table alone, by this rule." else
      "Requests will be refused as long as no certificate is found."
  ))
}
