# What operators do: write down releases that were made by other means, decide what users have voted
# for, and ask what a release would lead to.
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
  sets <- some_sets(server, variables)
  answers <- lapply(sets, record_set, server = server, note = note, user = user)
  after_records(server, seed, progress)
  invisible(answers)
}

record_set <- function(set, server, note, user, request_id = NULL) {
  ask_store(server, set, user, request_id, "record", function(state) {
    list(outcome = "recorded", reason_private = note, table_hash = published_hash(server, set))
  })
}

after_records <- function(server, seed = 1, progress = FALSE) {
  refresh_server(server)
  renew_plan(server, seed, progress)
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

# ---- votes --------------------------------------------------------------------------------------

#' Decide what users have voted for
#'
#' For servers with `rule = "value"`: requests have been collected, one vote for each user and
#' sub-table. This decides the sub-tables of most worth, one after the other, each judged with all
#' that is out by then.
#'
#' @inheritParams request_table
#' @param n (whole number) The most sub-tables to decide; those that are refused count.
#' @param utility (a measure such as [utility_cells()], or `NULL`) What a sub-table is worth: its
#'   votes times what its release adds by this measure; `NULL`: its votes alone. By level what it
#'   adds includes the coarser sub-tables that it brings; see [utility_tables()].
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
  decide_round(server, n, utility)
}

# `request_ids`: of the decisions, in their order; NULL for new ones.
decide_round <- function(server, n, utility, request_ids = NULL) {
  decided <- list()
  while (length(decided) < n) {
    refresh_server(server)
    best <- best_candidate(server, utility)
    if (is.null(best)) break
    judge <- function(state) {
      decide(server, state_with_plan(server, state), best$set, votes = FALSE)
    }
    id <- request_ids[length(decided) + 1]
    answer <- ask_store(server, best$set, vote_user, id, "votes", judge)
    decided[[length(decided) + 1]] <- data.frame(
      sub_table = set_labels(list(best$set), server$variables, server$steps), votes = best$votes,
      worth = best$worth, outcome = answer$outcome, seq = answer$seq
    )
  }
  do.call(rbind, decided) %||% data.frame(sub_table = character(), votes = numeric(),
                                          worth = numeric(), outcome = character(), seq = numeric())
}

# Of most worth; ties by the smaller mask. NULL when nothing is left that would be judged.
best_candidate <- function(server, utility) {
  found <- counted_votes(server)
  # nothing is judged any more when so many sub-tables have been refused for risk
  if (!any(found$open) || server$now$n_refused >= server$policy$max_risk_refusals) {
    return(NULL)
  }
  sets <- found$sets[found$open]
  worth <- vote_worth(server, sets, found$votes[found$open], utility)
  at <- which.max(worth)
  list(set = sets[[at]], votes = found$votes[found$open][at], worth = worth[at])
}

# `sets` with their `votes`; `open`: would it be judged?
counted_votes <- function(server) {
  votes <- count_votes(server$store)
  sets <- decode_masks(votes$mask, server$k)
  open <- vapply(sets, function(set) {
    is_eligible(server, set) && !holds_any(set, server$now$refused)
  }, NA)
  list(sets = sets, votes = votes$votes, open = open)
}

vote_worth <- function(server, sets, votes, utility) {
  if (is.null(utility)) {
    return(votes)
  }
  value <- function(sets) release_utility(utility, sets, server$problem)
  frontier <- server_frontier(server)
  now <- value(frontier)
  votes * vapply(sets, function(set) value(maximal_sets(c(frontier, list(set)))) - now, 1)
}

# ---- what releasing a sub-table would do --------------------------------------------------------

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
#'   `autoplot()` draws the lattice after the release, up to 12 variables, levels counted; `plot()`
#'   shows it.
#' @section Errors: `sdc_error_input` for unknown variables.
#' @section Guarantee: `certified` and `refuted` are proved, each sub-table as [request_table()]
#'   would be told. `unreleasable` is a part of the truth: each is proved, and there may be more,
#'   for which the time did not suffice.
#' @section Complexity: Up to 8 variables, levels counted, all sub-tables are judged, at most 256;
#'   beyond, those that one step leads to.
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
  now <- server$now <- with_plan(server, server$now)
  out <- is_released(server, set)
  found <- if (out) list(verdict = "released", how = "it is out") else judge_risk(server, now, set)
  frontier <- server_frontier(server)
  with_it <- maximal_sets(c(frontier, list(set)))
  small <- server$k <= 8 && inherits(server$problem$risk, "sdc_risk_width")
  # minimal unreleasable sets, now and with one more release
  if (small) {
    find <- function(direct) {
      find_unreleasable(server$problem$x, direct, server$problem$risk, 8,
                        time_limit_s)$unreleasable
    }
    closed <- find(frontier)
    closed_then <- find(with_it)
  } else {
    closed <- server$now$refused
    closed_then <- minimal_sets(c(closed, newly_closed(server, server$now, set)))
  }
  inside <- unique(lapply(sets_inside(set), close_set, steps = server$steps))
  labels <- function(sets) set_labels(sets, server$variables, server$steps)
  space <- function(direct, above) {
    above <- above[!vapply(above, is_inside, NA, sets = direct)]
    new_sub_tables(list(variables = server$variables, steps = server$steps), direct, above)
  }
  structure(
    list(
      variables = set_variables(server, set), verdict = found$verdict, how = found$how,
      released = labels(inside[!vapply(inside, is_released, NA, server = server)]),
      unreleasable = labels(closed_then[!vapply(closed_then, holds_any, NA, sets = closed)]),
      among = if (small) "all" else "one step", before = space(frontier, closed),
      after = space(with_it, closed_then)
    ),
    class = sdc_class("sdc_what_if", mark = "private")
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

#' @rdname what_if
#' @param object (sdc_what_if) What was found.
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
