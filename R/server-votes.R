# Requests that are collected and decided by their worth.

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
  if (is_spent(server, server$now)) {
    return(NULL)
  }
  found <- counted_votes(server)
  if (!any(found$open)) {
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
  sets <- decode_masks(votes$mask, length(server$variables))
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
