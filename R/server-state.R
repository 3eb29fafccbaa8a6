# What a server's store says: which sub-tables are out, and which have been refused for risk. All of
# it follows from the state of the store, which only grows at its end, so it is carried on.

forget_state <- function(server) {
  server$n_released <- server$n_refused <- 0
  server$frontier <- as.list(seq_along(server$variables))
  server$refused <- server$closed <- list()
  server$undecided <- NULL
  use_plan(server, server$plan)
}

# Also when another process has decided something.
refresh_server <- function(server) {
  catch_up(server$store)
  follow_state(server, store_state(server$store))
}

# `state`: of the store, the same or a later one than before.
follow_state <- function(server, state) {
  k <- length(server$variables)
  new <- decode_masks(state$released[seq_along(state$released) > server$n_released], k)
  if (length(new) > 0) {
    server$frontier <- maximal_sets(c(server$frontier, new))
    server$planned <- server$planned && fits_plan(server$plan, new)
    server$n_released <- length(state$released)
  }
  new <- decode_masks(state$closed[seq_along(state$closed) > server$n_refused], k)
  if (length(new) > 0) {
    server$closed <- minimal_sets(c(server$closed, new))
    server$n_refused <- length(state$closed)
  }
  follow_undecided(server, state$undecided, changed = length(new) > 0)
  invisible(server)
}

# Which of them stay refused for now also changes with the plan, and with what is out.
follow_undecided <- function(server, undecided, changed) {
  mark <- list(undecided, server$n_released, plan_key_of(server))
  if (!changed && identical(mark, server$undecided)) {
    return(invisible())
  }
  server$undecided <- mark
  still <- decode_masks(still_undecided(server, undecided), length(server$variables))
  still <- Filter(function(set) !is_released(server, set), still)
  server$refused <- minimal_sets(c(server$closed, still))
}

# Maximal released sets; minimal sets refused for risk, but for those that are out now since
# they had been released by other means.
server_frontier <- function(server) server$frontier
server_refused <- function(server) {
  Filter(function(set) !is_released(server, set), server$refused)
}

#' @export
known_space.sdc_server <- function(x) {
  check_server(x)
  refresh_server(x)
  list(
    variables = x$variables, released = variables_of(x, server_frontier(x)),
    unreleasable = variables_of(x, server_refused(x)), table = x$variables
  )
}

variables_of <- function(server, sets) lapply(sets, function(set) server$variables[set])

is_released <- function(server, set) length(set) == 0 || is_inside(set, server$frontier)

# May it be asked for, as far as anybody can tell?
is_eligible <- function(server, set) {
  !is_released(server, set) && is.null(structural_reason(server, set))
}

# Why a sub-table that is not out is not eligible, in one sentence for users; NULL when it is.
structural_reason <- function(server, set) {
  policy <- server$policy
  if (!is.null(policy$max_dimension) && length(set) > policy$max_dimension) {
    return(paste0("Sub-tables have at most ", plural(policy$max_dimension, "variable"), "."))
  }
  if (!is.null(server$envelope) && !is_inside(set, server$envelope)) {
    return("It lies outside of the published envelope.")
  }
  if (has_steps(policy) && !is_one_step(server, set)) {
    return(c(any = "The sub-table does not extend a released sub-table by one variable.",
             frontier = "The sub-table does not extend a maximal released sub-table by one variable."
    )[[policy$step]])
  }
  NULL
}

has_steps <- function(policy) !policy$rule %in% c("myopic", "envelope")

is_one_step <- function(server, set) {
  if (length(set) == 0) {
    return(FALSE)
  }
  smaller <- lapply(seq_along(set), function(i) set[-i])
  if (server$policy$step == "any") {
    return(any(vapply(smaller, is_released, NA, server = server)))
  }
  any(smaller %in% server$frontier)
}

# The maximal parts of a set that are out.
released_parts <- function(server, set) {
  parts <- unique(lapply(server$frontier, function(out) out[out %in% set]))
  order_sets(maximal_sets(parts[lengths(parts) > 0]))
}

# All sub-tables that are not out and may be asked for by a one-step rule; where too many to be
# laid out, those that are one step from a maximal one.
one_step_candidates <- function(server) {
  k <- length(server$variables)
  listed <- server$policy$step == "any" && k <= max_enumerated
  base <- if (listed) subsets_below(server$frontier, k) else server$frontier
  sets <- steps_up(base, k)
  sets[set_states(server, set_rows(sets, k)) == "open"]
}

# The sets themselves, and those with one variable more.
steps_up <- function(sets, k) {
  more <- lapply(sets, function(set) {
    lapply(setdiff(seq_len(k), set), function(v) sort(c(set, v)))
  })
  unique(c(sets, unlist(more, recursive = FALSE)))
}

# All sets inside of some. With very many variables they are listed one set after the other.
subsets_below <- function(sets, k) {
  if (k > max_enumerated && sum(2^lengths(sets)) <= 2^16) {
    parts <- lapply(sets, function(set) {
      lapply(mask_sets(seq_len(2^length(set)) - 1L, length(set)), function(at) set[at])
    })
    return(unique(unlist(parts, recursive = FALSE)))
  }
  check_enumerable(k)
  mask_sets(which(cpp_lay_out(k, sets, list()) == 1L) - 1L, k)
}

# Variables up to which check_enumerable() lets sub-tables be laid out.
max_enumerated <- 25

# ---- many sets at once --------------------------------------------------------------------------

# Rows are sets, columns variables.
set_rows <- function(sets, k) {
  rows <- matrix(0, length(sets), k)
  rows[cbind(rep(seq_along(sets), lengths(sets)), as.integer(unlist(sets)))] <- 1
  rows
}

# How many variables each of `rows` has beyond each of `outer`.
excess <- function(rows, outer) rows %*% t(1 - outer)

inside_any <- function(rows, sets) {
  if (length(sets) == 0) {
    return(rowSums(rows) == 0)
  }
  rowSums(excess(rows, set_rows(sets, ncol(rows))) == 0) > 0
}

# "released", "open" (it may be asked for, as far as anybody can tell), "closed", and for operators
# "refused": it holds a sub-table that was refused for risk. The same as is_released() and
# is_eligible() say of one set.
set_states <- function(server, rows, operator = FALSE) {
  state <- ifelse(is_eligible_row(server, rows), "open", "closed")
  refused <- if (operator) server_refused(server)
  if (length(refused) > 0) {
    missing <- excess(set_rows(refused, ncol(rows)), rows)
    state[colSums(missing == 0) > 0] <- "refused"
  }
  state[inside_any(rows, server_frontier(server)) | rowSums(rows) == 0] <- "released"
  state
}

# Of sets that are not out.
is_eligible_row <- function(server, rows) {
  policy <- server$policy
  ok <- rowSums(rows) <= (policy$max_dimension %||% Inf)
  if (!is.null(server$envelope)) ok <- ok & inside_any(rows, server$envelope)
  if (has_steps(policy)) ok <- ok & is_step_row(server, rows)
  ok
}

# One variable beyond a maximal released set is one more than a released one.
is_step_row <- function(server, rows) {
  frontier <- set_rows(server_frontier(server), ncol(rows))
  beyond <- excess(rows, frontier) == 1
  if (server$policy$step == "frontier") {
    beyond <- beyond & t(excess(frontier, rows)) == 0
  }
  rowSums(beyond) > 0
}

# ---- releases -----------------------------------------------------------------------------------

# Data frame of releases after release number `cursor`, at most `limit`: `release_no`, `seq`, `at`,
# `mask`. The one-way tables come first, with release number 0: what `cursor = -1` gives.
releases_since <- function(server, cursor = -1, limit = 200) {
  k <- length(server$variables)
  first <- if (cursor < 0) {
    data.frame(release_no = 0, seq = 0, at = NA_character_,
               mask = encode_masks(as.list(seq_len(k)), k))
  }
  rows <- fetch_releases(server$store, max(cursor, 0), limit)
  rbind(first, rows)
}
