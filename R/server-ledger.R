# The release ledger: what an operator can look at and add to.

#' What releasing a sub-table would do
#'
#' For operators: which sub-tables would be released with one, and which would become unreleasable,
#' as the report's Figure 1 shows it. Nothing is written and nothing is released.
#'
#' @inheritParams request_table
#' @param time_limit_s (number, seconds of processor time) For each judgement.
#' @return An object of class `sdc_what_if`, which is **private**: a list with `variables`,
#'   `verdict` on its risk (`"certified"`, `"refuted"`, `"undecided"`, or `"released"` when it is
#'   out; the rule may refuse it all the same), `how`,
#'   `released` (labels of the sub-tables that would be out and are not), `unreleasable` (labels of
#'   the minimal sub-tables that would then be certainly too risky and are not now), `among` (which
#'   sub-tables were looked at for that: `"all"`, or in large tables `"one step"`, those that would
#'   be eligible), `before` and `after` (the query space as [sub_tables()] has it).
#'
#'   `autoplot()` draws the lattice after the release, up to 12 variables; `plot()` shows it.
#' @section Errors: `sdc_error_input` for unknown variables.
#' @section Guarantee: `certified` and `refuted` are proved, each sub-table as [request_table()]
#'   would be told. `unreleasable` is a part of the truth: each is proved, and there may be more,
#'   for which the time did not suffice.
#' @section Complexity: Up to 8 variables all sub-tables are judged, at most 256; beyond, those that
#'   one step leads to.
#' @template ref-releases
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(6), rule = "myopic"))
#' what_if(server, c("A", "B", "C"))
#' close(server)
what_if <- function(server, variables, time_limit_s = 1) {
  check_server(server)
  set <- one_set(server, variables)
  check_number(time_limit_s, min = 0)
  refresh_server(server)
  out <- is_released(server, set)
  found <- if (out) list(verdict = "released", how = "it is out") else judge_set(server, set)
  small <- length(server$variables) <= 8 && inherits(server$problem$risk, "sdc_risk_width")
  closed <- if (small) unreleasable_sets(server, set, time_limit_s) else
    closed_one_step(server, set)
  new_what_if(server, set, found, closed, if (small) "all" else "one step")
}

# Minimal unreleasable sets, now and with one more release: `before`, `after`.
unreleasable_sets <- function(server, set, time_limit_s) {
  find <- function(direct) {
    find_unreleasable(server$problem$x, direct, server$problem$risk, 8, time_limit_s)$unreleasable
  }
  list(before = find(server$frontier), after = find(maximal_sets(c(server$frontier, list(set)))))
}

# Those that are known, and candidates that would be closed.
closed_one_step <- function(server, set) {
  before <- server$refused
  list(before = before, after = minimal_sets(c(before, newly_closed(server, set)$sets)))
}

new_what_if <- function(server, set, found, closed, among) {
  inside <- sets_inside(set)
  released <- inside[!vapply(inside, is_released, NA, server = server)]
  unreleasable <- closed$after[!vapply(closed$after, holds_any, NA, sets = closed$before)]
  labels <- function(sets) set_labels(sets, server$variables)
  space <- function(direct, above) {
    above <- above[!vapply(above, is_inside, NA, sets = direct)]
    new_sub_tables(server$variables, direct, above, list())
  }
  structure(
    list(
      variables = server$variables[set], verdict = found$verdict, how = found$how,
      released = labels(released), unreleasable = labels(unreleasable), among = among,
      before = space(server$frontier, closed$before),
      after = space(maximal_sets(c(server$frontier, list(set))), closed$after)
    ),
    class = "sdc_what_if"
  )
}

sets_inside <- function(set) {
  unlist(lapply(seq_along(set), function(n) {
    lapply(utils::combn(length(set), n, simplify = FALSE), function(at) set[at])
  }), recursive = FALSE)
}

#' @export
format.sdc_what_if <- function(x, ...) {
  list_words <- function(labels) {
    if (length(labels) == 0) "none" else
      paste0(format_count(length(labels)), ": ", frontier_words(labels))
  }
  c(
    paste0(margin_label(x$variables), ": ", x$verdict, " (", x$how, ")"),
    paste0("would be released with it: ", list_words(x$released)),
    paste0("would become unreleasable",
           if (x$among != "all") " (among those one step away)", ": ", list_words(x$unreleasable))
  )
}

#' @export
print.sdc_what_if <- function(x, ...) {
  cat("<sdc_what_if> PRIVATE", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @rdname what_if
#' @param object,x (sdc_what_if) What was found.
#' @param ... Not used.
#' @usage \method{autoplot}{sdc_what_if}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_what_if <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw")
  picture <- draw_lattice(object$after)
  before <- as.character(as.data.frame(object$before)$state)
  after <- as.character(picture$data$state)
  group <- function(state) ifelse(state %in% c("direct", "indirect"), "out", state)
  changed <- picture$data[group(before) != group(after), ]
  picture + ggplot2::geom_point(data = changed, shape = 1, size = 7) +
    ggplot2::labs(title = paste("With", margin_label(object$variables)),
                  subtitle = "rings: what the release would change")
}

#' @rdname what_if
#' @export
plot.sdc_what_if <- function(x, ...) show_picture(autoplot.sdc_what_if(x, ...))

#' @export
str.sdc_what_if <- str_private

#' @export
summary.sdc_what_if <- function(object, ...) summary_itself(object, ...)

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
  sets <- sub_table_sets(variables, server$variables, "variables")
  answers <- lapply(sets, function(set) {
    ask_store(server, set, user, NULL, "record", record_judge(server, set, note))
  })
  refresh_server(server)
  renew_plan(server, seed, progress)
  warn_if_unsafe(server)
  invisible(answers)
}

record_judge <- function(server, set, note) {
  force(set)
  function(state) {
    list(outcome = "recorded", reason_private = note,
         table_hash = table_fingerprint(public_table(server, set)))
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

# The independent check of all that is out.
verify_server <- function(server, time_limit_s = 10) {
  if (inherits(server$problem$risk, "sdc_risk_n")) {
    safe <- all(vapply(server$frontier, is_safe_alone, NA, problem = server$problem))
    return(list(verified = safe, refuted = !safe, how = "its own cells", width = NA_real_))
  }
  certificates <- plan_in_force(server)$certificates
  verify_release(sets_release(server$problem, server$frontier, certificates),
                 time_limit_s = time_limit_s, progress = FALSE)
}

#' Decide what users have voted for
#'
#' For servers with `rule = "value"`: requests have been collected, one vote for each user and
#' sub-table. This decides the sub-tables of most worth, one after the other, each judged with all
#' that is out by then.
#'
#' @inheritParams request_table
#' @param n (whole number) The most sub-tables to decide; those that are refused count.
#' @param utility (a measure such as [utility_cells()], or `NULL`) What a sub-table is worth: its
#'   votes times what its release adds by this measure; `NULL`: its votes alone.
#' @return A data frame with a row for each sub-table that was decided, in that order: `sub_table`,
#'   `votes`, `worth`, `outcome`, `seq`. **Private** as long as refusals are.
#' @section Errors: `sdc_error_input` for a server with another rule; `sdc_error_server` as in
#'   [request_table()].
#' @section Guarantee: Heuristic: one sub-table after the other, the best first, ties by the order
#'   of the variables. Each release is certified as that of a request is.
#' @section Complexity: One judgement for each sub-table decided; with `utility` that measure is
#'   computed for each sub-table with a vote, each time.
#' @template ref-releases
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3), rule = "value"))
#' request_table(server, "A:B", user = "u1")
#' request_table(server, "A:B", user = "u2")
#' request_table(server, "C:D", user = "u1")
#' decide_votes(server)
#' close(server)
decide_votes <- function(server, n = 1, utility = NULL) {
  check_server(server)
  check_whole(n, min = 1, max = 1e6)
  if (!is.null(utility)) check_release_utility(utility)
  if (server$policy$rule != "value") {
    abort_sdc("input", c(
      "{.arg server} must collect votes.",
      x = "Its rule is {.val {server$policy$rule}}.",
      i = "Make its policy with {.code rule = \"value\"}."
    ))
  }
  decided <- list()
  while (length(decided) < n) {
    refresh_server(server)
    best <- best_candidate(server, utility)
    if (is.null(best)) break
    judge <- function(state) {
      follow_state(server, state)
      decide_at_sight(server, best$set) %||% decide_by_risk(server, best$set, state)
    }
    answer <- ask_store(server, best$set, "votes", NULL, "votes", judge)
    decided[[length(decided) + 1]] <- data.frame(
      sub_table = set_labels(list(best$set), server$variables), votes = best$votes,
      worth = best$worth, outcome = answer$outcome, seq = answer$seq
    )
  }
  do.call(rbind, decided) %||% data.frame(sub_table = character(), votes = numeric(),
                                          worth = numeric(), outcome = character(), seq = numeric())
}

# Of most worth; ties by the smaller mask. NULL when nothing is left that would be judged.
best_candidate <- function(server, utility) {
  if (is_spent(server, store_state(server$store))) {
    return(NULL)
  }
  votes <- count_votes(server$store)
  sets <- decode_masks(votes$mask, length(server$variables))
  open <- vapply(sets, function(set) {
    is_eligible(server, set) && !holds_any(set, server$refused)
  }, NA)
  if (!any(open)) {
    return(NULL)
  }
  sets <- sets[open]
  votes <- votes$votes[open]
  worth <- votes
  if (!is.null(utility)) {
    value <- function(sets) release_utility(utility, sets, server$problem)
    now <- value(server$frontier)
    worth <- votes * vapply(sets, function(set) {
      value(maximal_sets(c(server$frontier, list(set)))) - now
    }, 1)
  }
  at <- which.max(worth)
  list(set = sets[[at]], votes = votes[at], worth = worth[at])
}

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
#' * `audit()`: an object of class `sdc_server_audit`: the ledger is read and verified anew, and
#'   what is out is checked by [verify_release()]. `summary()` gives the same.
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
  n <- below_sets(x, x$frontier)
  c(
    "PRIVATE: holds the full table",
    paste0("of ", shape_words(x$dimnames)),
    format(x$policy),
    paste0(plural(x$store$seq, "decision"), "; ", format_count(n), " of ",
           format_sets(length(x$variables)), " sub-tables are out"),
    paste0("frontier: ", frontier_words(set_labels(order_sets(x$frontier), x$variables)))
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
print.sdc_server <- function(x, ...) {
  cat("<sdc_server>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @export
str.sdc_server <- str_private

#' @rdname sdc_server
#' @export
as.data.frame.sdc_server <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  check_server(x)
  store_history(x$store)
}

#' @rdname sdc_server
#' @param server (sdc_server) The server.
#' @param upto (whole number, or `NULL`) The state after this decision; `NULL`, or beyond the last:
#'   now.
#' @export
server_release <- function(server, upto = NULL) {
  check_server(server)
  refresh_server(server)
  past <- server
  if (!is.null(upto)) {
    check_whole(upto, min = 0)
    past <- structure(rlang::env_clone(server), class = "sdc_server")
    forget_state(past)
    follow_state(past, replay_store(server$store, upto))
  }
  inner <- past$problem$risk$beta
  found <- verify_server(past)
  sets_release(
    past$problem, past$frontier, plan_in_force(past)$certificates,
    inner = if (found$verified && !is.null(inner)) inner else NA_real_,
    guarantee = if (found$verified) paste0("certified, by ", found$how) else "not certified"
  )
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
    ggplot2::labs(x = "decision", y = NULL, title = "What is out, over time")
}

# Long: seq, what, n.
growth_data <- function(server) {
  rows <- verified_rows(server$store)
  k <- length(server$variables)
  frontier <- as.list(seq_len(k))
  out <- rows$outcome %in% names(outcomes)[outcomes == 1]
  sets <- decode_masks(rows$mask[out], k)
  count <- function(sets) c(below_sets(server, sets), length(sets))
  n <- matrix(0, 2, length(sets) + 1)
  n[, 1] <- count(frontier)
  for (i in seq_along(sets)) {
    frontier <- maximal_sets(c(frontier, sets[i]))
    n[, i + 1] <- count(frontier)
  }
  at <- 1 + c(0, cumsum(out))
  risk <- c(0, cumsum(is_risk_refusal(rows)))
  what <- c("released sub-tables", "maximal ones", "refusals for risk")
  data.frame(
    seq = rep(c(0, rows$seq), 3), what = factor(rep(what, each = nrow(rows) + 1), what),
    n = c(n[1, at], n[2, at], risk)
  )
}

#' @rdname sdc_server
#' @export
plot.sdc_server <- function(x, ...) show_picture(autoplot.sdc_server(x, ...))

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
