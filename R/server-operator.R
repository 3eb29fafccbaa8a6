# What an operator sees of a server and its ledger.
#' Look at a table server, as its operator
#'
#' @param x,object (sdc_server) The server.
#' @param row.names,optional,... Not used.
#' @return
#' * `as.data.frame()`: the ledger, a row for each decision: `seq`, `at`, `user_id`, `request_id`,
#'   `sub_table`, `outcome`, the reasons, hashes. All of it is verified first.
#' * `sub_tables(server)`: which sub-tables are out and which were refused, as [sub_tables()] has
#'   it.
#' * `autoplot()`: how many sub-tables, and how many maximal ones, were out over time; `plot()`
#'   draws it.
#' * `server_release()`: what is out, or was out after some decision, as an [sdc_release] with its
#'   certificates: for [verify_release()], [margins()], [publish()].
#' * `server_head()`: number and hash of the newest decision (`decisions`) and of the newest event
#'   of access (`access`). Note it down outside of the machine: [table_server()] checks it by
#'   `noted`.
#' * `server_access()`: the ledger of access, verified anew: a row for each event, with `seq`, `at`,
#'   `kind` (such as `"user_added"`, `"user_disabled"`, `"token_issued"`, `"token_revoked"`,
#'   `"served"` when settings of [serve()] were others than before), `subject`, `detail` (JSON),
#'   `by_user` (the account of the machine that did it), `hash`.
#' * `audit()`: an object of class `sdc_server_audit`: the ledger is read and verified anew, and
#'   what is out is checked by [verify_release()]. `summary()` gives the same. Its `as.data.frame()`
#'   has a row for each outcome, with the number of `decisions`.
#'
#' All of it is **private**: refusals and private reasons depend on the counts.
#' @section Errors: `sdc_error_server` when the store was altered or shortened, or is closed;
#'   `sdc_error_input` for a `path` where there is a file; `sdc_error_too_large` for
#'   `policy_aware = TRUE` with more tables than `limit`.
#' @section Guarantee: What `policy_aware = TRUE` computes is exact for a judge that decides
#'   everything; where the server's own answer differs, for want of time or because it was recorded,
#'   that answer is taken to tell nothing beyond its table.
#' @section Complexity: Reading and verifying is linear in the number of decisions, some ten
#'   microseconds each. `policy_aware = TRUE` takes time and memory in proportion to the tables
#'   times the cells.
#' @template ref-releases
#' @family server
#' @name sdc_server
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3)))
#' for (set in c("A:B", "A:B:C", "D:E", "A:B:C:D")) request_table(server, set)
#' as.data.frame(server)[c("seq", "sub_table", "outcome", "reason_public")]
#' verify_release(server_release(server))
#' audit(server)
#' close(server)
NULL

#' @rdname sdc_server
#' @export
format.sdc_server <- function(x, ...) {
  if (is.null(x$store$con)) {
    return("closed")
  }
  refresh_server(x)
  n <- below_sets(x, server_frontier(x))
  c(
    "PRIVATE: holds the full table",
    paste0("of ", shape_words(finest_shape(x))),
    if (anyDuplicated(x$steps$variable)) paste0("coarser levels: ", ladder_words(x$steps)),
    format(x$policy),
    paste0(plural(x$store$seq, "decision"), "; ", format_count(n), " of ",
           sets_words(x), " sub-tables are out"),
    paste0("frontier: ", frontier_words(set_labels(order_sets(server_frontier(x)), x$variables,
                                                   x$steps)))
  )
}

#' @rdname sdc_server
#' @export
summary.sdc_server <- function(object, ...) {
  check_no_dots(...)
  audit(object)
}

#' @rdname sdc_server
#' @export
as.data.frame.sdc_server <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  check_server(x)
  store_history(x$store, x$steps)
}

#' @rdname sdc_server
#' @param server (sdc_server) The server.
#' @param upto (whole number, or `NULL`) The state after this decision; `NULL`, or beyond the last:
#'   now.
#' @export
server_release <- function(server, upto = NULL) {
  check_server(server)
  refresh_server(server)
  if (!is.null(upto)) check_whole(upto, min = 0)
  now <- with_plan(server, if (is.null(upto)) server$now else past_state(server, upto))
  inner <- server$problem$risk$beta
  found <- verify_server(server, now)
  sets_release(
    server$problem, now$frontier, plan_in_force(now)$certificates,
    inner = if (found$verified && !is.null(inner)) inner else NA_real_,
    guarantee = if (found$verified) paste0("certified, by ", found$how) else "not certified"
  )
}

# After decision `upto`, by the plan at hand.
past_state <- function(server, upto) {
  first <- first_state(server$k, server$steps)
  begin <- take_plan(first, server$now$plan, server$now$n_plans)
  follow_state(server, replay_store(server$store, upto), begin)
}

# The independent check of all that is out.
verify_server <- function(server, now = with_plan(server, server$now), time_limit_s = 10) {
  if (inherits(server$problem$risk, "sdc_risk_n")) {
    safe <- all(vapply(now$frontier, is_safe_alone, NA, problem = server$problem))
    return(list(verified = safe, refuted = !safe, how = "its own cells", width = NA_real_))
  }
  if (length(server$problem$at_risk) == 0) {
    return(list(verified = TRUE, refuted = FALSE, how = "no cell is at risk", width = NA_real_))
  }
  release <- sets_release(server$problem, now$frontier, plan_in_force(now)$certificates)
  verify_release(release, time_limit_s = time_limit_s, progress = FALSE)
}

#' @rdname sdc_server
#' @export
server_head <- function(server) {
  check_server(server)
  look_at_store(server$store, age_s = 0)
  store_head(server$store)
}

#' @rdname sdc_server
#' @export
server_access <- function(server) {
  check_server(server)
  events <- load_access(server$store)
  events$seq <- as.numeric(events$seq)
  events[c("seq", "at", "kind", "subject", "detail", "by_user", "hash")]
}

#' @rdname sdc_server
#' @param path (string) The file of the copy, which must be new. It holds users and tokens too, but
#'   no anchor: [table_server()] opens it with what `backup_server()` gave as `new_anchor`. What was
#'   decided after it was made is not in it: what came out since must be written down by
#'   [record_release()].
#' @export
backup_server <- function(server, path) {
  check_server(server)
  backup_store(server$store, path)
}

#' @rdname sdc_server
#' @usage \method{autoplot}{sdc_server}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_server <- function(object, ...) {
  check_no_dots(...)
  check_server(object)
  check_installed("ggplot2", "to draw")
  data <- growth_data(object)
  # a path of one point is a message and no path
  begun <- any(data$seq > 0)
  ggplot2::ggplot(data, ggplot2::aes(.data[["seq"]], .data[["n"]])) +
    (if (begun) ggplot2::geom_step() else ggplot2::geom_point()) +
    ggplot2::facet_wrap("what", ncol = 1, scales = "free_y") +
    ggplot2::labs(x = "decision", y = NULL, title = "What is released, over time") +
    sdc_theme()
}

# Long: seq, what, n.
growth_data <- function(server) {
  rows <- verified_rows(server$store)
  out <- rows$outcome %in% names(outcomes)[outcomes == 1]
  frontiers <- list(one_way_sets(server$steps, server$k))
  for (set in decode_masks(rows$mask[out], server$k)) {
    now <- maximal_sets(c(frontiers[[length(frontiers)]], list(set)))
    frontiers <- c(frontiers, list(now))
  }
  released <- vapply(frontiers, function(sets) below_sets(server, sets), 1)
  at <- 1 + c(0, cumsum(out))
  risk <- c(0, cumsum(is_risk_refusal(rows)))
  what <- c("released sub-tables", "maximal ones", "refusals for risk")
  data.frame(
    seq = rep(c(0, rows$seq), 3), what = factor(rep(what, each = nrow(rows) + 1), what),
    n = c(released[at], lengths(frontiers)[at], risk)
  )
}

#' @rdname sdc_server
#' @param policy_aware (flag) Also compute what a reader learns who knows the policy and all
#'   answers, refusals included, and that the envelope, if there is one, was accepted? For an
#'   envelope that was announced self-consistently ([plan_server()]) the reader knows that rule: the
#'   announcement is made anew for all tables, and the reader is left with those for which it is the
#'   same. By listing all tables with the same one-way tables, so for small tables only.
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
    class = sdc_class("sdc_server_audit", mark = "private")
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
  # what anybody knows would be refused tells nothing
  withheld <- rows$outcome %in% c("refused", "projected")
  answers <- ifelse(is_risk_refusal(rows), "refused",
                    ifelse(withheld, "structural", rows$outcome))
  judged <- answers %in% c("released", "refused", "recorded")
  sets <- decode_masks(rows$mask[judged], server$k)
  risk <- policy$risk
  policy_learns(
    server$problem$x, sets, risk$beta, at_risk = risk$at_risk, cells = risk$cells, rule = "myopic",
    answers = foreseen(server, sets, answers[judged]), envelope = server$envelope,
    announced = announced_rule(server), limit = limit
  )
}

# By which rule a self-consistent envelope was announced; NULL for others.
announced_rule <- function(server) {
  if (server$policy$origin != "self_consistent") {
    return(NULL)
  }
  list(sets = named_envelope(server$asked, server$problem),
       max_dimension = server$asked$max_dimension)
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

#' @rdname sdc_server
#' @export
as.data.frame.sdc_server_audit <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  data.frame(outcome = names(x$outcomes), decisions = as.vector(x$outcomes))
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
