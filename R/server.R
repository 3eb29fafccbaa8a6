# The table server: one private table, a policy, and a store that remembers every answer. This file
# has the object and how it is asked; server-state.R what is out and what may be asked,
# server-policy.R how a request is decided, server-plan.R envelopes that are found beforehand,
# server-operator.R what the operator can look at, server-handle.R to server-http.R the network.

#' A table server
#'
#' Answers requests for sub-tables of one table. Each is judged by the risk of everything that was
#' released before, together with it; every answer is stored before it is returned, and is kept
#' permanently. The server works from R, without any network; [serve()] puts it behind an API
#' and a web page.
#'
#' # How to run one
#' Recommended is a policy with `rule = "envelope"` and a plan of [plan_server()]: which sub-tables
#' can come out is decided, certified and published before the first request, and requests are
#' answered by look-up. Refusals then tell nothing, and what the announcement tells is known; for
#' tables that can be listed it is nothing beyond the promise. Under the other rules each request
#' is judged when it comes, and refusals can tell something to a reader who knows the policy.
#'
#' # The store
#' A database: by default one SQLite file. A store belongs to one table and one
#' policy; opened again it continues where it left off. Several processes may serve one store at
#' once. A connection that was lost is made anew, by the function given as `store`: settings of the
#' session belong into it. A second machine at one PostgreSQL store has an anchor of its own: its
#' first opening gives `new_anchor = list(seq = , hash = )`, with what an answer of the first says.
#' The ledger is then verified anew. The files of an open store must stay where they are: once one
#' of them was moved, removed or replaced, the server answers nothing more.
#'
#' # Levels
#' A table with trees is served by level: a request may name a coarser level of a variable, and a
#' refused one may be had coarser, see [request_table()]. With a sub-table everything coarser is
#' released. From the start the one-way tables are out, at their finest levels; they must be safe.
#' A level that is too fine for that is left out by `levels`, or the tree cut there.
#'
#' @param x (`sdc_table`, or what [as_sdc_table()] takes) The full table, which stays private.
#' @param policy (sdc_server_policy) What is released and what is refused: [server_policy()].
#' @param store (string, function, or `NULL`) Where decisions are kept: the path of an SQLite file,
#'   a function that connects to a database by DBI (RSQLite or RPostgres), or `NULL` for a trial
#'   that is forgotten with the session.
#' @param ... Must be empty.
#' @param plan (sdc_server_plan, or `NULL`) What [plan_server()] made for this table and policy. The
#'   store keeps the envelope and what proves it, so later starts need no plan: where the proof was
#'   damaged it is made again.
#' @param levels (`NULL`, or named list of character vectors) Which levels of the trees of `x` may
#'   be asked for besides the finest, as in [level_table()]; `NULL`: all of them, `list()`: none.
#' @param metadata (`NULL`, or `sdc_metadata`) Title, labels and topics in words for the public:
#'   [server_metadata()]. They may differ each time the store is opened.
#' @param anchor (string, or `NULL`) Path of a second file that remembers how far the store went,
#'   best on another disk. `NULL`: beside an SQLite store.
#' @param new_anchor (flag, or list of `seq` and `hash`) Begin a new anchor, for a store that has
#'   none any more or is opened from another machine for the first time? For a store with decisions
#'   give number and hash of one that it must hold, the newest that is known: the field `ledger` of
#'   an answer, a line of the log of [serve()], or what the other machine shows (of a store without
#'   decisions number 0 and its first hash). A store that ends before it, such as an old backup, or
#'   differs there is refused.
#' @param key (raw vector, or `NULL`) A secret key of the hash chain, kept elsewhere.
#' @param durability (string) `"delete"` for a disk that is reached through a network.
#' @param noted (list, or `NULL`) What [server_head()] gave when it was noted down: a store that
#'   ends before it, or differs there, is refused. For a restored backup.
#' @param seed (whole number) Of the search for certificates.
#' @param progress (flag) Show a progress bar while certificates are searched?
#' @return An object of class `sdc_server`, an environment: **private**, it holds the table. To be
#'   closed by `close()`. See [request_table()], [released_table()], [what_if()], [sdc_server].
#' @section Errors: `sdc_error_infeasible` when even the one-way tables are too risky;
#'   `sdc_error_refused` when the envelope is; `sdc_error_server` for a store of another table or
#'   policy, altered, shortened, or made by a newer version (its field `reason` says which);
#'   `sdc_error_input` for a table without cells at risk, for a plan of another table or policy, and
#'   for all other arguments. With a self-consistent plan the server starts for every table.
#' @section Guarantee: Every set of released sub-tables is certified by attained counts (see
#'   [width()]), unless the policy releases what is undecided, or tables were recorded that had been
#'   released by other means.
#' @template ref-releases
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3)))
#' request_table(server, c("A", "B"))
#' released_table(server, "A:B")
#' request_table(server, LETTERS[1:6])
#' server
#' close(server)
#' # decided and published beforehand
#' policy <- server_policy(risk_width(3), rule = "envelope")
#' plan <- plan_server(czech_workers, policy)
#' server <- table_server(czech_workers, policy, plan = plan)
#' request_table(server, c("A", "B"))
#' close(server)
table_server <- function(x, policy, store = NULL, ..., plan = NULL, levels = NULL,
                         metadata = NULL, anchor = NULL, new_anchor = FALSE, key = NULL,
                         durability = c("wal", "delete"), noted = NULL, seed = 1,
                         progress = rlang::is_interactive()) {
  check_no_dots(...)
  check_class(policy, "sdc_server_policy", make = "server_policy")
  check_store_place(store)
  check_whole(seed, min = 0, max = 2^53)
  check_flag(progress)
  check_given(x)
  metadata <- check_metadata(metadata, as_sdc_table(x))
  x <- level_table(x, levels)
  parts <- planned_server(x, policy, plan, store) %||% unplanned_server(x, policy, progress)
  server <- new_server(parts, metadata)
  masks <- if (!is.null(server$envelope)) encode_masks(server$envelope, server$k)
  server$store <- open_store(
    store, server_fingerprint(server$problem),
    policy_identity(server$policy, masks, server$problem$at_risk), server$variables,
    anchor = anchor, new_anchor = new_anchor, durability = durability, key = key, noted = noted
  )
  done <- FALSE
  on.exit(if (!done) close_store(server$store))
  start_plan(server, seed, progress)
  done <- TRUE
  server
}

check_store_place <- function(store) {
  if (is.null(store) || is.function(store)) {
    return(invisible())
  }
  if (!is.character(store)) {
    abort_sdc("input", c(
      "{.arg store} must be the path of a file, a function that connects to a database, or NULL.",
      x = "{.arg store} is {.obj_type_friendly {store}}."
    ))
  }
  check_string(store, "store")
  if (!dir.exists(dirname(store))) {
    abort_sdc("input", c(
      "{.arg store} must be the path of a file in a folder that there is.",
      x = "There is no folder {.file {dirname(store)}}.",
      i = "Make it with {.fn dir.create}; others must not be able to read it."
    ))
  }
}

# The envelope as sets of variables, when everything inside of it may be released at once.
unplanned_server <- function(x, policy, progress) {
  problem <- release_problem(x, policy$risk, kinds = c("width", "n"))
  sets <- policy_sets(policy, problem)
  if (!is.null(sets)) {
    one_way <- one_way_sets(problem$steps, length(problem$variables))
    sets <- order_sets(maximal_sets(c(sets, one_way)))
    if (!is_safe_envelope(problem, sets, given_certificates(policy), progress)) {
      abort_unsafe_envelope()
    }
  }
  list(problem = problem, policy = policy, envelope = sets)
}

# `parts`: problem, policy and envelope; of a planned server the policy as it was `asked` for, and
# the plan that was `given`. `k` variables, by step where they have levels: see table-level.R.
new_server <- function(parts, metadata) {
  problem <- parts$problem
  steps <- problem$steps
  dimnames <- if (is.null(steps)) problem$x$dimnames else
    rlang::set_names(steps$categories, problem$variables)
  k <- length(problem$variables)
  server <- list2env(c(parts, list(
    metadata = metadata, steps = steps, variables = problem$variables, k = k, dimnames = dimnames,
    dim = lengths(dimnames, FALSE), now = first_state(k, steps),
    hashes = new.env(parent = emptyenv())
  )), parent = emptyenv())
  structure(server, class = sdc_class("sdc_server", mark = "private"))
}

#' Ask a table server for a sub-table
#'
#' @param server (sdc_server) The server.
#' @param variables (character vector, formula, or label like `"A:B"`) The variables of the
#'   sub-table. Where the server offers levels, a named element says at which one a variable is
#'   wanted, `c(age = "decade", "sex")`, as do labels, `"age@decade:sex"`; without, at the finest.
#' @param user (string) The name of the user who asks; it is stored with the decision.
#' @param request_id (string of 1 to 64 letters, digits, `_` and `-`, or `NULL`) Names this request:
#'   asked again with the same id, the server gives the same answer. `NULL`: a new id.
#' @param if_refused (string) What is given when the sub-table itself is refused. `"projected"`: its
#'   released parts. `"coarser"`, where the server offers levels: the finest coarser sub-table that
#'   may be had, see Coarser instead of refused.
#' @return An object of class `sdc_answer`, a list with
#'   * `outcome`: `"released"`; `"already"` (it was released before); `"refused"`; `"projected"`
#'     (refused, and `parts` lists its largest parts that are already released); `"coarser"`
#'     (refused, and the sub-table in `parts` was released instead, or had been); `"deferred"` (it
#'     counts as a vote and is decided later). In the history also `"recorded"`, see
#'     [record_release()];
#'   * `reason`: for what is refused `"structural"`, which anybody could have worked out, or
#'     `"risk"`;
#'   * `variables`, `parts` (list of character vectors), `user`, `request_id`, `at` (time, UTC),
#'     `seq` (number of the decision), `release_no` (number of releases so far), `table_hash` (of
#'     the released table), `ledger` (number and hash of the decision: keep it: it lets you
#'     detect any later alteration of the ledger), `replayed` (was it answered before?);
#'   * where the server offers levels and the sub-table was refused, `coarser`: a data frame of
#'     `sub_table` and `status` (`"open"` or `"released"`), see below; and `tried`, the list of the
#'     answers that `if_refused = "coarser"` led to.
#'
#'   `as.data.frame()` gives it as one row. The tables themselves are given by [released_table()].
#' @section Coarser instead of refused: A refused sub-table may be near one that can be had: coarser
#'   in some variables, or without some. The answer names those that may be asked for, the finest
#'   first: those with all variables, in order of the number of levels that they give up, up to the
#'   first one that is out already. This follows from the policy and from what is out, so it tells
#'   nothing; whether one of them would be released is a judgement, and asking is the only way to
#'   learn it. `if_refused = "coarser"` asks for them in that order, which is fixed, until one is
#'   released or out, thirty at most. Each is a decision like any other, with a request id that
#'   follows from yours, and each refusal for risk tells what refusals tell (see [server_policy()])
#'   and counts for `max_risk_refusals`. The one that is released is the finest possible: what is
#'   finer was refused before it. Under an envelope no judgement is needed: everything inside of it
#'   is public.
#' @section Errors: `sdc_error_input` for unknown variables, and for `"coarser"` where there are no
#'   levels; `sdc_error_server` with `reason`
#'   `"contended"` (nothing was decided, ask again), `"reused"` (the request id belongs to another
#'   request), `"database"` or `"anchor"` (the outcome is unknown: retry with the same request id),
#'   `"moved"` (a file of the store was moved or removed: open the server anew).
#' @section Complexity: For large tables with a plan: one margin of the stored cells, and for each
#'   other variable at most one table that is laid out.
#' @template ref-releases
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3)))
#' request_table(server, c("A", "B"), user = "mary", request_id = "q1")
#' request_table(server, c("A", "B"), user = "mary", request_id = "q1")
#' request_table(server, ~ A + C + D, if_refused = "projected")
#' close(server)
request_table <- function(server, variables, user = "local", request_id = NULL,
                          if_refused = c("nothing", "projected", "coarser")) {
  check_server(server)
  set <- one_set(server, variables)
  check_string(user)
  if_refused <- check_choice(if_refused, c("nothing", "projected", "coarser"))
  if (if_refused == "coarser") check_has_levels(server)
  form <- if (if_refused == "nothing") "table" else if_refused
  answer <- ask_store(server, set, user, request_id, form, judge_request(server, set, form))
  if (is.null(server$steps) || !answer$outcome %in% c("refused", "projected")) {
    return(answer)
  }
  if (if_refused == "coarser") {
    answer <- ask_coarser(server, set, answer, function(next_set, key) {
      ask_store(server, next_set, user, key, "table", judge_request(server, next_set))
    })
  }
  answer$coarser <- coarser_frame(server, set)
  answer
}

# `judge(state)`: see store.R.
ask_store <- function(server, set, user, request_id, form, judge) {
  request <- list(user_id = user, request_id = request_id, form = form, mask = set_id(server, set))
  row <- append_decision(server$store, request, judge)
  # votes are counted by user and sub-table, so a second time does no harm
  if (row$outcome == "deferred") add_vote(server$store, user, row$mask)
  server$now <- state_with_plan(server, store_state(server$store))
  new_answer(server, row)
}

one_set <- function(server, variables) {
  check_given(variables)
  if (is.character(variables) && length(variables) == 0) {
    return(integer())
  }
  if (is.character(variables) && length(variables) > 1) variables <- list(variables)
  sets <- some_sets(server, variables)
  if (length(sets) != 1) {
    abort_sdc("input", c(
      "{.arg variables} must name one sub-table.",
      x = "It names {length(sets)}."
    ))
  }
  sets[[1]]
}

some_sets <- function(server, variables) {
  if (!is.null(server$steps)) variables <- at_levels(server, variables)
  sub_table_sets(variables, server$variables, "variables", server$steps)
}

# From the public part of a row of the store, and nothing else.
new_answer <- function(server, row) {
  sets <- decode_masks(c(row$mask, row$parts), server$k)
  named <- variables_of(server, sets)
  structure(
    list(
      outcome = row$outcome, reason = row$reason_public, variables = named[[1]], parts = named[-1],
      seq = row$seq, at = row$at, user = row$user_id, request_id = row$request_id,
      release_no = row$release_no, table_hash = row$table_hash,
      ledger = list(seq = row$seq, hash = row$hash), replayed = row$replayed
    ),
    class = sdc_class("sdc_answer")
  )
}

#' @export
format.sdc_answer <- function(x, ...) {
  label <- margin_label(x$variables)
  c(
    switch(x$outcome,
      released = paste(label, "is released"),
      already = paste(label, "was out already"),
      recorded = paste(label, "is recorded as released"),
      refused = paste0(label, " is refused (", x$reason, ")"),
      projected = paste0(label, " is refused (", x$reason, "); parts of it that are out: ",
                         paste(vapply(x$parts, margin_label, ""), collapse = ", ")),
      coarser = paste0(label, " is refused (", x$reason, "); ", margin_label(x$parts[[1]]),
                       " is released instead"),
      deferred = paste(label, "has your vote, and is decided later")
    ),
    paste0("decision ", format_count(x$seq), " of ", x$at, ", request ", x$request_id,
           if (x$replayed) ", answered before"),
    paste0("ledger: ", substr(x$ledger$hash, 1, 16), "..."),
    if (x$outcome == "refused") coarser_words(x$coarser)
  )
}

#' @rdname request_table
#' @param x (sdc_answer) An answer.
#' @param row.names,optional,... Not used.
#' @export
as.data.frame.sdc_answer <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  columns <- c("outcome", "reason", "seq", "at", "user", "request_id", "release_no", "table_hash",
               "replayed")
  parts <- paste(vapply(x$parts, margin_label, ""), collapse = " ")
  list2data_frame(
    c(list(sub_table = margin_label(x$variables)), unclass(x)[columns],
      list(parts = parts, ledger_hash = x$ledger$hash)), 1
  )
}

#' @export
print.sdc_answer <- function(x, ...) {
  lines <- format(x)
  cat(paste0("<sdc_answer> ", lines[1]), paste0("  ", lines[-1]), sep = "\n")
  invisible(x)
}

#' A sub-table that a server has released
#'
#' @inheritParams request_table
#' @return An `sdc_table`: what was published.
#' @section Errors: `sdc_error_refused` when the sub-table is not out.
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(3)))
#' as.table(released_table(server, "A"))
#' close(server)
released_table <- function(server, variables) {
  check_server(server)
  set <- one_set(server, variables)
  refresh_server(server)
  if (!is_released(server, set)) {
    abort_sdc("refused", c(
      "{.arg variables} must name a released sub-table.",
      x = "{.val {margin_label(server$variables[set])}} is not out.",
      i = "Ask for it with {.fn request_table}."
    ))
  }
  public_table(server, set)
}

check_server <- function(server) {
  check_class(server, "sdc_server", "server", make = "table_server")
  check_store(server$store)
}

#' @export
close.sdc_server <- function(con, ...) {
  close_store(con$store)
  invisible()
}

#' @export
known_space.sdc_server <- function(x) {
  check_server(x)
  refresh_server(x)
  list(
    variables = x$variables, steps = x$steps, released = variables_of(x, server_frontier(x)),
    unreleasable = variables_of(x, server_refused(x)), table = x$problem$magnitude %||% x$problem$x
  )
}
