# The audit of a server: its ledger verified anew, what is out checked, and what its answers told.

#' @rdname sdc_server
#' @param policy_aware (flag) Also compute what a reader learns who knows the policy and all
#'   answers, refusals included, and that the envelope, if there is one, was accepted? By listing
#'   all tables with the same one-way tables, so for small tables only.
#' @param limit (whole number) The most tables to list for that.
#' @export
audit.sdc_server <- function(x, policy_aware = FALSE, ..., limit = 1e5) {
  check_no_dots(...)
  check_server(x)
  check_flag(policy_aware)
  refresh_server(x)
  rows <- verified_rows(x$store)
  found <- verify_server(x)
  learnt <- if (policy_aware) server_policy_learns(x, rows, limit)
  structure(
    list(
      decisions = nrow(rows), outcomes = table(factor(rows$outcome, names(outcomes))),
      refused = length(x$store$refused), refuted = length(x$store$refuted),
      verified = found$verified, refuted_release = found$refuted, how = found$how,
      width = found$width, hash = x$store$hash, seq = x$store$seq, policy_aware = learnt
    ),
    class = "sdc_server_audit"
  )
}

# Requests that were judged, or told what anybody knows, as a reader heard them.
server_policy_learns <- function(server, rows, limit) {
  policy <- server$policy
  if (!inherits(policy$risk, "sdc_risk_width") || policy$rule %in% c("guarded", "value")) {
    abort_sdc("input", c(
      "{.arg policy_aware} is computed for {.fn risk_width} and the rules {.val one_step},
       {.val myopic} and {.val envelope}.",
      x = "This server has the rule {.val {policy$rule}}: {format(policy$risk)}."
    ))
  }
  answers <- ifelse(is_risk_refusal(rows), "refused", rows$outcome)
  judged <- answers %in% c("released", "refused", "recorded")
  sets <- decode_masks(rows$mask[judged], length(server$variables))
  risk <- policy$risk
  policy_learns(
    server$problem$x, sets, risk$beta, at_risk = risk$at_risk, cells = risk$cells, rule = "myopic",
    answers = foreseen(server, sets, answers[judged]), envelope = server$envelope,
    limit = limit
  )
}

# As long as all that is out lies inside of a published envelope, a release inside of it is foreseen
# by everybody: it tells its counts and nothing else, like one by other means.
foreseen <- function(server, sets, answers) {
  if (is.null(server$envelope)) {
    return(answers)
  }
  inside <- vapply(sets, is_inside, NA, sets = server$envelope)
  left <- cumsum(answers == "recorded" & !inside) > 0
  ifelse(answers == "released" & !left, "recorded", answers)
}

#' @export
format.sdc_server_audit <- function(x, ...) {
  said <- x$outcomes[x$outcomes > 0]
  c(
    paste0("ledger: ", plural(x$decisions, "decision"), ", chain verified from the first to ",
           substr(x$hash, 1, 16), "..."),
    if (length(said) > 0) paste0("answers: ", paste(names(said), said, collapse = ", ")),
    paste0("refused for risk: ", plural(x$refused, "sub-table"), ", ", x$refuted,
           " of them proved"),
    paste0("what is out: ", if (x$verified) paste0("VERIFIED (", x$how, ")") else if
      (x$refuted_release) "NOT SAFE" else "NOT VERIFIED"),
    if (!is.null(x$policy_aware)) format(x$policy_aware)
  )
}

#' @export
summary.sdc_server_audit <- function(object, ...) summary_itself(object, ...)

#' @export
print.sdc_server_audit <- function(x, ...) {
  cat("<sdc_server_audit> PRIVATE", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}
