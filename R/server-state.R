# What a server's store says: which sub-tables are out, and which have been refused for risk. It is
# a value, `now`, that follows from the state of the store. The store only grows at its end, so a
# later `now` is made from an earlier one. The server keeps the newest that it knows; what decides
# gets one and changes nothing.
#
# * `frontier`: the maximal released sets, one-way ones among them.
# * `refused`: the minimal sets that stay refused for risk: `closed` ones, which were proved to be
#   too risky, and those that are undecided still (below).
# * `n_released`, `n_closed`: how much of the store has been followed. `n_refused`: how many
#   sub-tables were ever refused for risk.
# * `plan`, `n_plans`, `planned`: the plan that was read last, how many were, and whether all that
#   is out lies inside of it (server-envelope.R).
# * `mark`: changes with what any of this says of sub-tables.

# Before the first decision.
first_state <- function(k, steps = NULL) {
  list(frontier = one_way_sets(steps, k), refused = list(), closed = list(), n_released = 0,
       n_closed = 0, n_refused = 0, undecided = NULL, plan = NULL, n_plans = 0, planned = FALSE,
       mark = NULL)
}

# `state`: of the store, the same or a later one than `now` was made from.
follow_state <- function(server, state, now = server$now) {
  k <- server$k
  new <- decode_masks(state$released[seq_along(state$released) > now$n_released], k)
  if (length(new) > 0) {
    now$frontier <- maximal_sets(c(now$frontier, new))
    now$planned <- now$planned && fits_plan(now$plan, new)
    now$n_released <- length(state$released)
  }
  new <- decode_masks(state$closed[seq_along(state$closed) > now$n_closed], k)
  if (length(new) > 0) {
    now$closed <- minimal_sets(c(now$closed, new))
    now$n_closed <- length(state$closed)
  }
  now$n_refused <- length(state$refused)
  now$undecided <- state$undecided
  with_undecided(server, now)
}

# Which of them stay refused for now also changes with the plan, and with what is out.
with_undecided <- function(server, now) {
  mark <- list(now$undecided, now$n_released, now$n_closed, plan_key_of(now))
  if (identical(mark, now$mark)) {
    return(now)
  }
  now$mark <- mark
  still <- names(now$undecided)[!may_ask_again(server, now, now$undecided)]
  still <- decode_masks(still, server$k)
  still <- Filter(function(set) !is_inside(set, now$frontier), still)
  now$refused <- minimal_sets(c(now$closed, still))
  now
}

# Also when another process has decided something.
refresh_server <- function(server) {
  catch_up(server$store)
  server$now <- follow_state(server, store_state(server$store))
  invisible(server)
}

# The same for who answers, who may know less for `age_s`.
refresh_reader <- function(server, age_s = server$store$look_s %||% 0) {
  before <- server$store$seq
  look_at_store(server$store, age_s)
  if (before != server$store$seq || before != (server$followed %||% -1)) {
    server$now <- follow_state(server, store_state(server$store))
    server$followed <- server$store$seq
  }
  invisible(server)
}

# Maximal released sets; minimal sets refused for risk, but for those that are out now since
# they had been released by other means.
server_frontier <- function(server) server$now$frontier
server_refused <- function(server) {
  Filter(function(set) !is_released(server, set), server$now$refused)
}

# By name, each at its level.
set_variables <- function(server, set) server$variables[finest_steps(server$steps, set)]

variables_of <- function(server, sets) lapply(sets, set_variables, server = server)

is_released <- function(server, set) length(set) == 0 || is_inside(set, server_frontier(server))

# ---- the query space ----------------------------------------------------------------------------

# As the core wants it (core/server/query_space.hpp).
server_space <- function(server, now = server$now) {
  policy <- server$policy
  k <- server$k
  list(
    levels = level_counts(server$steps, k), stepwise = !policy$rule %in% c("myopic", "envelope"),
    whole = policy$step == "frontier", envelope = server$envelope,
    max_dimension = min(policy$max_dimension, k), released = now$frontier, refused = now$refused
  )
}

# "released", "open" (it may be asked for, as far as anybody can tell), "closed", and for operators
# "refused": it holds a sub-table that was refused for risk.
set_states <- function(server, sets, operator = FALSE) {
  cpp_standings(server_space(server), sets, operator)
}

# May it be asked for, as far as anybody can tell?
is_eligible <- function(server, set) set_states(server, list(set)) == "open"

# The rule by which a sub-table is not eligible: "dimension", "envelope" or "step".
closed_by <- function(server, set) cpp_closed_by(server_space(server), set)

# Why a sub-table that is not out is not eligible, in one sentence for users; NULL when it is.
structural_reason <- function(server, set) {
  switch(closed_by(server, set),
    dimension = paste0("Sub-tables have at most ",
                       plural(server$policy$max_dimension, "variable"), "."),
    envelope = "It lies outside of the published envelope.",
    step = paste0("The sub-table does not extend a ",
                  if (server$policy$step == "frontier") "maximal ",
                  "released sub-table by one ",
                  if (is.null(server$steps)) "variable." else "variable or level.")
  )
}

# "parts" of a set that are out, the maximal ones; "steps" on the way to it; or "candidates", all
# that is eligible and one step from what is out.
sets_of_space <- function(server, now, what, set = integer()) {
  cpp_space_sets(server_space(server, now), what, set)
}

# Values that hold until something is released or refused.
remember <- function(server, key, value) {
  mark <- server$now$mark
  if (!identical(server$views$mark, mark)) {
    server$views <- list2env(list(mark = mark), parent = emptyenv())
  }
  if (is.null(server$views[[key]])) assign(key, value, envir = server$views)
  server$views[[key]]
}

# Components with more cells are not solved in whole numbers.
max_exact_cells <- 20000

is_small <- function(server) prod(server$problem$dim) <= max_exact_cells

fits_plan <- function(plan, sets) {
  !is.null(plan) && all(vapply(sets, is_inside, NA, sets = plan$sets))
}

# When a table came out, itself or as a part of another. NULL for the time of the one-way tables:
# they were out before the first request.
first_release <- function(server, set) {
  cursor <- if (n_variables_in(server$steps, set) > 1) 0
  while (!is.null(cursor)) {
    rows <- fetch_releases(server$store, cursor, 1000)
    sets <- decode_masks(rows$mask, server$k)
    holds <- which(vapply(sets, function(out) all(set %in% out), NA))
    if (length(holds) > 0) {
      return(list(release_no = rows$release_no[holds[1]], at = rows$at[holds[1]]))
    }
    cursor <- if (nrow(rows) == 1000) max(rows$release_no)
  }
  list(release_no = 0, at = NULL)
}

# ---- what is undecided --------------------------------------------------------------------------

# Requests that were refused because nothing could be proved. Unlike what was proved to be unsafe
# they may be asked again when there is more to prove with: a higher limit of time, another plan, or
# a machine that is less busy. The private reason of the refusal holds what there was; each further
# answer is a decision of its own in the ledger.
#
# Why this is safe: a set that is released later is certified then, together with all that is out
# by then, as any other. Who knows the policy learns from the pair of answers that the first one
# was for want of a proof, which depends on the machine, and that no cell was too narrow. The audit
# of such readers (server-announce.R) takes the first answer to tell nothing, since the exact judge
# would have released.

undecided_reason <- function(server, now, how) {
  plan <- plan_key_of(now)
  paste0(
    undecided_start, how, if (how == "time") paste0(" (", seconds_key(server), " s)"),
    if (nzchar(plan)) paste0("; plan ", plan)
  )
}

seconds_key <- function(server) sprintf("%.6g", server$policy$time_limit_s)
plan_key_of <- function(now) if (now$planned) substr(now$plan$hash %||% "", 1, 8) else ""

# `reasons`: private reasons that begin as above. "busy": the clock on the wall ended it. A refusal
# of a version that wrote no limit down is looked at again once.
may_ask_again <- function(server, now, reasons) {
  plan <- ifelse(grepl("; plan ", reasons), sub(".*; plan ", "", reasons), "")
  how <- sub(";.*", "", substring(reasons, nchar(undecided_start) + 1))
  given <- suppressWarnings(as.numeric(sub("^time [(](.*) s[)]$", "\\1", how)))
  plan != plan_key_of(now) | how %in% c("busy", "time") |
    (!is.na(given) & given < as.numeric(seconds_key(server)))
}

# ---- what is published --------------------------------------------------------------------------

# A fresh copy, with the trees of its variables: nothing of the private table hangs on it.
public_table <- function(server, set) {
  by_level <- !is.null(server$steps)
  x <- server$problem$x
  table <- if (by_level) level_margin(x, set) else sub_table(server$problem, set)
  layout <- plain_layout(if (by_level) table$layout else margin_layout(x, set))
  new_table(plain(table$dimnames), list(keys = plain(table$keys), counts = plain(table$counts)),
            layout)
}

# The fingerprint of a sub-table as it is published. The table never changes, nor do its sub-tables.
published_hash <- function(server, set) {
  id <- set_id(server, set)
  if (is.null(server$hashes[[id]])) {
    server$hashes[[id]] <- table_fingerprint(public_table(server, set))
  }
  server$hashes[[id]]
}

# With levels, what they stand for belongs to the table.
server_fingerprint <- function(problem) {
  steps <- problem$steps
  table <- table_fingerprint(problem$x)
  if (is.null(steps)) {
    return(table)
  }
  chain_hash()$text(canonical_json(list(
    table = table, variable = as.list(as.integer(steps$variable)),
    categories = lapply(steps$categories, function(names) as.list(as.character(names)))
  )))
}

# SHA-256 of what a table says, in any order of bytes and on any machine.
table_fingerprint <- function(x) {
  codes <- unlist(lapply(stored_codes(x), as.integer))
  text <- canonical_json(list(
    variables = as.list(names(x$dimnames)),
    levels = lapply(unname(x$dimnames), function(levels) as.list(as.character(levels)))
  ))
  bytes <- c(
    charToRaw(enc2utf8(text)), as.raw(0), writeBin(as.integer(codes), raw(), endian = "little"),
    writeBin(as.numeric(x$counts), raw(), endian = "little")
  )
  paste(as.character(openssl::sha256(bytes)), collapse = "")
}

set_id <- function(server, set) encode_masks(list(set), server$k)
