# What a server with the rule "envelope" needs before it starts: plan_server().

#' Plan the envelope of a table server
#'
#' Decides beforehand which sub-tables a server with `rule = "envelope"` will ever release, proves
#' that they are safe together, and says what the choice itself tells. The server then answers by
#' look-up: nothing is judged per request, no answer depends on the order of requests, and there is
#' one announcement to be judged instead of hundreds of refusals. This is the recommended way to run
#' a table server.
#'
#' # What the announcement tells
#' Which envelope is announced depends on the counts, unless it was named without looking at them.
#' That tells something to a reader who knows how it is chosen. `guarantee` says what:
#' * `"self-consistent"`: nothing beyond the promise. All tables with the same one-way tables are
#'   listed, and envelopes are given to all of them at once. Whoever sees the envelope and all of
#'   its tables, and knows this rule, is left with a block of tables; in each block every cell at
#'   risk of each of its tables takes values at least `beta` apart. The one-way tables count as
#'   public. A table with a cell at risk that is narrow already from these cannot be protected by
#'   any server; it gets the announcement "nothing more than the one-way tables", as do enough
#'   others. So the server starts for every table, one without cells at risk included: its start
#'   tells nothing.
#' * `"one message"`: the promise holds for readers who use the released tables alone. The envelope
#'   was found from the counts of the original, or a named one was accepted because it is safe for
#'   the original. Whoever knows that can leave out tables for which it would not have been so, and
#'   may learn more about cells at risk than the promise says. It is one message, before the first
#'   request; no answer after it tells anything but its table. That the server starts at all tells
#'   that the one-way tables are safe and that there is a cell at risk.
#'
#' Which of the two applies depends on the one-way tables and the policy alone. An announcement is
#' self-consistent where `risk` is [risk_width()] of counts at risk, the table has at most 5
#' variables, levels counted (any number when the policy names an envelope), and the tables with
#' the same one-way tables are at most `limit`, and at most 2e7 counts together. When the time is
#' over before it is found, the plan fails; it does not fall back to the weaker guarantee.
#'
#' # How the envelope is chosen
#' *Self-consistent*: envelopes are tried from the largest to the smallest. The tables that agree in
#' an envelope and keep the promise among themselves get it; then as many of them go back to
#' "nothing more" as that block needs to keep the promise; then tables return where both blocks
#' allow it. On average over all 2 x 2 x 2 tables of 9 records whose one-way tables are safe
#' (`beta = 2`) 0.71 of the three two-way tables are released and no promise is broken; judging
#' request by request releases 0.99 and breaks the promise for 31 percent of the tables.
#'
#' *One message*: the largest of what [release_exact()] (up to 6 variables and 20,000 cells),
#' [release_greedy()] with first fit (up to 14 variables and 20,000 cells), [release_reducible()]
#' and [release_anneal()] find; levels count as variables.
#'
#' An envelope that the policy names is announced as it is. Where tables can be listed, either it or
#' nothing more is announced, such that the announcement is self-consistent. Where they cannot, an
#' envelope that was named without looking at the counts (`origin = "data_free"`) tells that it
#' passed its check. That is nothing only if every table with the same one-way tables would pass it,
#' which is so for hardly any envelope.
#'
#' @param x (`sdc_table`, or what [as_sdc_table()] takes) The full table, which stays private.
#' @param policy (sdc_server_policy) A policy with `rule = "envelope"`. With `envelope = NULL` the
#'   envelope is chosen here.
#' @param ... Must be empty.
#' @param levels (as in [table_server()]) Which levels of the trees of `x` may be asked for.
#' @param seed (whole number) Of the searches, where the envelope is one message.
#' @param time_limit_s (number, seconds of processor time) For each search. A self-consistent
#'   announcement that is not found in time is an error.
#' @param limit (whole number) The most tables that are listed.
#' @param threads (whole number) How many threads share the work; see [sdcLattice-threads].
#' @param progress (flag) Show a progress bar?
#' @param object,row.names,optional Ignored, but for the object.
#' @return An object of class `sdc_server_plan`, which is **private**: it holds the table. A list
#'   with
#'   * `guarantee`: `"self-consistent"` or `"one message"`; `origin`: what the server publishes with
#'     the envelope, `"self_consistent"`, `"data_dependent"` or `"data_free"`;
#'   * `frontier`: labels of the maximal sub-tables; `sets`: the same as variable numbers;
#'     `n_sub_tables`: how many sub-tables are in it, the empty one not counted;
#'   * `release`: the envelope as an [sdc_release], with its certificates;
#'   * `block`: the tables that a reader is left with, a column each, where they were listed;
#'     `n_class`: how many tables have the same one-way tables;
#'   * `method`, `policy`, `seed`, and `time_s`, seconds of processor time.
#'
#'   `as.data.frame()` has a row for each sub-table, as for an [sdc_release]; `summary()` counts
#'   them by dimension.
#' @section Errors: `sdc_error_input` for a policy with another rule; `sdc_error_too_large` when the
#'   time is over before a self-consistent announcement is found; where it is one message,
#'   `sdc_error_infeasible` when the one-way tables are too risky, and `sdc_error_refused` when a
#'   named envelope is.
#' @section Guarantee: Exact for self-consistent announcements; the block is looked through once
#'   more by code that takes nothing from the search. Other envelopes pass [verify_release()].
#'   Results do not depend on the number of threads.
#' @section Complexity: Self-consistent: envelopes (8 for 3 variables, 113 for 4, 6893 for 5) times
#'   tables times cells, a few times over. Memory: the listed tables, 8 bytes a count, and twice as
#'   much for the work.
#' @references K. Kenthapadi, N. Mishra and K. Nissim (2005), Simulatable auditing, PODS, 118-127.
#' @template ref-releases
#' @seealso [table_server()], which takes the plan; [audit()] with `policy_aware = TRUE`, which
#'   computes what readers learn.
#' @template experimental
#' @family server
#' @export
#' @examples
#' x <- array(c(2, 3, 1, 0, 4, 1, 2, 3), c(2, 2, 2),
#'   list(A = c("a1", "a2"), B = c("b1", "b2"), C = c("c1", "c2")))
#' policy <- server_policy(risk_width(2), rule = "envelope")
#' plan <- plan_server(as.table(x), policy)
#' plan
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(as.table(x), policy, plan = plan)
#' request_table(server, "A:B")
#' audit(server, policy_aware = TRUE)
#' close(server)
plan_server <- function(x, policy, ..., levels = NULL, seed = 1, time_limit_s = 600, limit = 1e5,
                        threads = default_threads(), progress = rlang::is_interactive()) {
  check_no_dots(...)
  begin <- work_seconds()
  check_given(x)
  check_class(policy, "sdc_server_policy", make = "server_policy")
  check_whole(seed, min = 0, max = 2^53)
  check_number(time_limit_s, min = 0)
  check_whole(limit, min = 1, max = 1e7)
  use_threads(threads)
  check_flag(progress)
  check_envelope_rule(policy)
  problem <- planned_problem(level_table(x, levels), policy$risk)
  named <- named_envelope(policy, problem)
  few <- length(problem$dim) <= max_envelope_variables || !is.null(named)
  tables <- if (few) list_class(problem, limit)
  found <- if (is.null(tables)) {
    message_plan(problem, policy, named, seed, time_limit_s, progress)
  } else {
    consistent_plan(problem, policy, named, tables, time_limit_s, progress)
  }
  new_server_plan(found, problem, policy, seed, work_seconds() - begin)
}

check_envelope_rule <- function(policy) {
  if (policy$rule == "envelope") {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg policy} must have {.code rule = \"envelope\"}.",
    x = "Its rule is {.val {policy$rule}}."
  ))
}

# The sets that the policy names, or NULL.
named_envelope <- function(policy, problem) {
  sets <- policy_sets(policy, problem)
  if (!is.null(sets)) whole_envelope(sets, policy, problem)
}

# Maximal sets with all one-way tables, of no more variables than the policy allows.
whole_envelope <- function(sets, policy, problem) {
  k <- length(problem$variables)
  variable <- problem$steps$variable %||% seq_len(k)
  most <- policy$max_dimension %||% k
  parts <- lapply(sets, function(set) {
    held <- unique(variable[set])
    if (length(held) <= most) {
      return(list(set))
    }
    lapply(utils::combn(length(held), most, simplify = FALSE), function(at) {
      set[variable[set] %in% held[at]]
    })
  })
  order_sets(maximal_sets(c(unlist(parts, recursive = FALSE), one_way_sets(problem$steps, k))))
}

# ---- self-consistent ----------------------------------------------------------------------------

consistent_plan <- function(problem, policy, named, tables, seconds, progress) {
  found <- with_progress("Announcing", function(tick) {
    announce_class(tables, problem$dim, problem$risk, named, policy$max_dimension,
                   seconds = seconds, threads = default_threads(), progress = tick,
                   levels = level_counts(problem$steps, length(problem$dim)))
  }, show = progress)
  if (is.null(found)) {
    abort_sdc("too_large", c(
      "A self-consistent announcement must be found within {.arg time_limit_s}.",
      x = "The time was over before.",
      i = "Use a larger {.arg time_limit_s}, or name an envelope in the policy."
    ))
  }
  me <- table_number(tables, dense_counts(problem$x))
  block <- tables[, found$block == found$block[me], drop = FALSE]
  sets <- announced_sets(found, me, one_way_sets(problem$steps, length(problem$dim)))
  list(
    guarantee = "self-consistent", origin = "self_consistent", sets = sets, block = block,
    n_class = ncol(tables), method = "self-consistent announcement",
    verified = check_announced(problem, sets, block)$verified
  )
}

# ---- one message --------------------------------------------------------------------------------

message_plan <- function(problem, policy, named, seed, seconds, progress) {
  problem <- release_problem(problem$x, problem$risk, kinds = c("width", "n"))
  found <- if (is.null(named)) {
    c(largest_envelope(problem, policy, seed, seconds, progress), origin = "data_dependent")
  } else {
    known <- given_certificates(policy)
    list(sets = named, method = "the policy, which names it", certificates = known,
         verified = is_safe_envelope(problem, named, known, progress), origin = policy$origin)
  }
  c(found, guarantee = "one message")
}

# Of those found that are safe with all one-way tables. Of equally many sub-tables the first.
largest_envelope <- function(problem, policy, seed, seconds, progress) {
  found <- lapply(envelope_searches(problem, seed), function(search) {
    release <- tryCatch(
      do.call(search[[1]], c(list(problem$x, problem$risk, time_limit_s = seconds,
                                  progress = progress), search[-1])),
      sdc_error_too_large = function(cnd) NULL, sdc_error_infeasible = function(cnd) NULL
    )
    if (!is.null(release)) {
      list(sets = whole_envelope(release$sets, policy, problem),
           certificates = release$certificates, method = release$method, verified = TRUE)
    }
  })
  found <- Filter(Negate(is.null), found)
  size <- vapply(found, function(one) below_sets(problem, one$sets), 1)
  for (one in found[order(-size)]) {
    if (is_safe_envelope(problem, one$sets, one$certificates, progress)) {
      return(one)
    }
  }
  list(sets = one_way_sets(problem$steps, length(problem$variables)), method = "no search",
       verified = TRUE)
}

# A function, and arguments of its own.
envelope_searches <- function(problem, seed) {
  if (!inherits(problem$risk, "sdc_risk_width")) {
    return(list(list(release_exact)))
  }
  k <- length(problem$variables)
  small <- prod(problem$dim) <= max_exact_cells
  c(
    if (small && k <= 6) list(list(release_exact)),
    if (small && k <= 14) list(list(release_greedy, fill = "first_fit")),
    if (!small || k > 6) list(list(release_reducible, seed = seed),
                              list(release_anneal, seed = seed))
  )
}

# ---- is it safe? --------------------------------------------------------------------------------

# The sets that a policy names, closed, and their certificates; NULL where it names none.
policy_sets <- function(policy, problem) {
  envelope <- policy$envelope
  if (is.null(envelope)) {
    return(NULL)
  }
  chosen <- inherits(envelope, "sdc_release")
  if (chosen) check_same_variables(problem$variables, envelope$problem$variables)
  sets <- if (chosen) envelope$sets else
    sub_table_sets(envelope, problem$variables, "policy$envelope", problem$steps)
  lapply(sets, close_set, steps = problem$steps)
}

given_certificates <- function(policy) {
  if (inherits(policy$envelope, "sdc_release")) policy$envelope$certificates
}

# A release as verify_release() takes it.
sets_release <- function(problem, sets, certificates = NULL, inner = NA_real_,
                         guarantee = "not looked at") {
  new_release(problem, sets, method = "table server", width = c(inner = inner, outer = NA_real_),
              guarantee = guarantee, certificates = certificates)
}

is_safe_envelope <- function(problem, sets, certificates, progress) {
  if (inherits(problem$risk, "sdc_risk_n")) {
    return(all(vapply(sets, function(set) is_safe_alone(problem, set), NA)))
  }
  verify_release(sets_release(problem, sets, certificates), progress = progress)$verified
}

abort_unsafe_envelope <- function() {
  abort_sdc("refused", c(
    "All of the envelope must be certified to be safe.",
    x = "No certificate was found for it.",
    i = "Find one with {.fn plan_server}, {.fn release_reducible} or {.fn release_anneal}."
  ))
}

# ---- the class ----------------------------------------------------------------------------------

new_server_plan <- function(found, problem, policy, seed, time_s) {
  if (!found$verified) abort_unsafe_envelope()
  release <- sets_release(problem, found$sets, found$certificates, guarantee = found$guarantee)
  out <- structure(
    list(
      guarantee = found$guarantee, origin = found$origin, frontier = release$frontier,
      sets = found$sets, n_sub_tables = release$n_sub_tables, release = release,
      block = found$block, n_class = found$n_class, method = found$method, policy = policy,
      seed = seed, time_s = time_s
    ),
    class = sdc_class("sdc_server_plan", mark = "private")
  )
  out$seal <- seal_plan(out)
  out
}

# Shows what was changed by hand.
seal_plan <- function(plan) {
  held <- list(plan$release$seal, plan$guarantee, plan$origin, lapply(plan$sets, as.numeric),
               as.numeric(plan$block))
  # the first bytes name the version of R
  bytes <- serialize(plain(Filter(length, held)), NULL, version = 2)[-(1:14)]
  paste(as.character(openssl::sha256(bytes)), collapse = "")
}

# What the announcement tells, for everybody.
announcement_words <- function(origin, risk) {
  beta <- format_count(risk$beta %||% risk$n)
  switch(
    origin,
    self_consistent = c(
      "chosen for all tables with the same one-way tables at once: whoever",
      "sees it and all of its tables, and knows how it was chosen, still finds",
      paste0("counts ", beta, " or more apart for each cell at risk, unless the"),
      "one-way tables make it narrower"
    ),
    data_free = c(
      "named without looking at the counts, and checked with them once: it tells",
      "that it passed"
    ),
    c(
      "found from the counts: the promise holds for readers who use its tables",
      "alone; whoever knows how it was found may learn more from it"
    )
  )
}

#' @export
format.sdc_server_plan <- function(x, ...) {
  c(
    "PRIVATE: holds the full table",
    paste0("envelope: ", format_count(x$n_sub_tables), " of ", sets_words(x$release$problem),
           " sub-tables"),
    paste0("frontier: ", frontier_words(x$frontier)),
    paste0("guarantee: ", x$guarantee),
    paste0("  ", announcement_words(x$origin, x$policy$risk)),
    if (!is.null(x$block)) {
      paste0("a reader is left with ", plural(ncol(x$block), "table"), " of ",
             format_count(x$n_class))
    },
    paste0("rule: ", format(x$policy$risk)),
    paste0("by ", x$method)
  )
}

#' @rdname plan_server
#' @export
summary.sdc_server_plan <- function(object, ...) {
  check_no_dots(...)
  out <- summary(object$release)
  out$header <- utils::head(format(object), -2)
  out
}

#' @rdname plan_server
#' @export
as.data.frame.sdc_server_plan <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  as.data.frame(x$release)
}
