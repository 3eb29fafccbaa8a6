# What the API shows, as plain lists that become JSON: each view is a function of the server and of
# arguments that have been read already (sets of variables, limits, cursors). Views show what is
# said to users; what only operators may see is asked for by `operator = TRUE`.
#
# No view lays out the query space beyond `max_laid_out` variables: sub-tables are counted through
# maximal ones, and listed by a walk that stops when a page is full. Lists are cut where they would
# outweigh `max_view_bytes`; their `next` says where to go on, and is null at the end.

max_view_bytes <- 9000
max_laid_out <- 20L

# Lists with names become objects, others arrays; all else is one string, number, flag or NA. By
# hand, as the views are all that is written here: a general writer takes most of an answer's time.
to_json <- function(x) {
  if (is.null(x)) {
    return("null")
  }
  if (!is.list(x)) {
    return(json_scalar(x))
  }
  parts <- vapply(x, to_json, "", USE.NAMES = FALSE)
  if (is.null(names(x))) {
    return(paste0("[", paste(parts, collapse = ","), "]"))
  }
  paste0("{", paste0(json_strings(names(x)), ":", parts, recycle0 = TRUE, collapse = ","), "}")
}

json_scalar <- function(x) {
  if (is.na(x)) {
    "null"
  } else if (is.character(x)) {
    json_strings(x)
  } else if (is.logical(x)) {
    if (x) "true" else "false"
  } else if (x == floor(x)) {
    whole_text(x)
  } else {
    format(as.numeric(x), digits = 15)
  }
}

# The first items that a view has room for. `cursors`: what `next` says after each; `more`: are
# there items after the last?
page_of <- function(items, cursors, more) {
  n <- length(items)
  repeat {
    size <- nchar(to_json(items[seq_len(n)]), "bytes")
    if (n <= 1 || size <= max_view_bytes) break
    n <- max(1, min(n - 1, floor(n * max_view_bytes / size)))
  }
  more <- more || n < length(items)
  list(items = items[seq_len(n)], `next` = if (more) as.character(cursors[[n]]))
}

# ---- names of sub-tables ------------------------------------------------------------------------

# Of variables: "v1", "v2", ... by their place; never the name of another variable.
variable_ids <- function(variables) {
  prefix <- "v"
  repeat {
    ids <- paste0(prefix, seq_along(variables))
    if (!any(variables %in% ids & variables != ids)) {
      return(ids)
    }
    prefix <- paste0(prefix, "_")
  }
}

# Numbers of variables that are named or given by id; NA for what is unknown.
match_variables <- function(server, named) {
  at <- match(named, variable_ids(server$variables))
  ifelse(is.na(at), match(named, server$variables), at)
}

set_id <- function(server, set) encode_masks(list(set), length(server$variables))

# NULL when it is none.
id_set <- function(server, id) {
  k <- length(server$variables)
  if (is_mask(id, k)) decode_masks(id, k)[[1]]
}

show_set <- function(server, set) {
  list(id = set_id(server, set), variables = as.list(server$variables[set]))
}

show_sets <- function(server, sets) lapply(sets, function(set) show_set(server, set))

show_table <- function(server, set) {
  c(show_set(server, set), dimension = length(set), cells = prod(server$dim[set]))
}

data_link <- function(id) paste0("/v1/tables/", id, "/data")

# ---- what is out or open ------------------------------------------------------------------------

# Sets such that each sub-table that is out or open lies inside of one of them.
open_bounds <- function(server) {
  remember(server, "open_bounds", {
    k <- length(server$variables)
    bounds <- server$envelope %||% list(seq_len(k))
    if (has_steps(server$policy)) {
      bounds <- shared_sets(bounds, steps_up(server_frontier(server), k))
    }
    maximal_sets(bounds)
  })
}

shared_sets <- function(a, b) {
  unique(unlist(lapply(a, function(one) lapply(b, function(other) intersect(one, other))),
                recursive = FALSE))
}

# Values that hold until something is released or refused.
remember <- function(server, key, value) {
  mark <- list(server$n_released, server$n_refused, server$undecided)
  if (!identical(server$views$mark, mark)) {
    server$views <- list2env(list(mark = mark), parent = emptyenv())
  }
  if (is.null(server$views[[key]])) assign(key, value, envir = server$views)
  server$views[[key]]
}

# ---- the views ----------------------------------------------------------------------------------

view_policy <- function(server) {
  policy <- server$policy
  list(
    rule = policy$rule, step = policy$step, undecided = policy$undecided,
    risk = paste(format(policy$risk), collapse = " "), envelope = view_envelope(server),
    max_dimension = policy$max_dimension,
    max_risk_refusals = if (is.finite(policy$max_risk_refusals)) policy$max_risk_refusals,
    words = as.list(format(policy)), formats = as.list(names(table_formats))
  )
}

# By names of variables, or by their ids where names would weigh too much.
view_envelope <- function(server) {
  if (is.null(server$envelope)) {
    return(NULL)
  }
  by <- function(names) lapply(server$envelope, function(set) as.list(names[set]))
  sets <- by(server$variables)
  if (nchar(to_json(sets), "bytes") > max_view_bytes / 2) sets <- by(variable_ids(server$variables))
  list(origin = server$policy$origin, frontier = sets)
}

view_structure <- function(server) {
  list(
    variables = Map(
      function(id, name, n) list(id = id, name = name, label = name, n_levels = n),
      variable_ids(server$variables), server$variables, server$dim, USE.NAMES = FALSE
    ),
    n_cells = prod(server$dim)
  )
}

view_levels_of <- function(server, v, cursor, limit) {
  levels <- level_texts(server$dimnames[[v]])
  at <- seq_len(max(0, min(limit, length(levels) - cursor))) + cursor
  page <- page_of(as.list(levels[at]), at, cursor + length(at) < length(levels))
  list(id = variable_ids(server$variables)[v], name = server$variables[v],
       levels = page$items, `next` = page$`next`)
}

# The most released tables that a card names, and the most names in them.
max_named <- 20
max_names <- 200

view_card <- function(server, set, asked) {
  k <- length(server$variables)
  frontier <- server_frontier(server)
  state <- set_states(server, set_rows(list(set), k))
  others <- setdiff(seq_len(k), set)
  larger <- lapply(others, function(v) c(set, v))
  then <- set_states(server, set_rows(larger, k))
  can <- then != "closed"
  c(
    show_table(server, set),
    list(
      status = state,
      reason = if (state == "closed") structural_reason(server, set),
      asked = asked,
      can_add = Map(function(name, status) list(name = name, status = status),
                    server$variables[others[can]], then[can], USE.NAMES = FALSE),
      out_with = show_sets(server, few_sets(Filter(function(out) all(set %in% out), frontier))),
      parts = if (state == "released") list() else
        show_sets(server, few_sets(released_parts(server, set))),
      steps = if (state == "closed") show_sets(server, utils::head(steps_towards(server, set), max_steps)) else
        list()
    )
  )
}

# What may be asked for now and leads to a sub-table that may not: parts of it that are one variable
# more than what is out. The largest only, as they are nearest.
steps_towards <- function(server, set) {
  steps <- lapply(released_parts(server, set), function(part) {
    lapply(setdiff(set, part), function(v) sort(c(part, v)))
  })
  steps <- unique(unlist(steps, recursive = FALSE))
  steps <- Filter(function(step) length(step) < length(set), steps)
  if (length(steps) == 0) {
    return(list())
  }
  steps <- steps[set_states(server, set_rows(steps, length(server$variables))) == "open"]
  steps[lengths(steps) == max(c(0, lengths(steps)))]
}

max_steps <- 5

# Large ones first.
few_sets <- function(sets) {
  sets <- order_sets(sets)
  sets[cumsum(lengths(sets)) <= max_names & seq_along(sets) <= max_named]
}

# ---- by dimension -------------------------------------------------------------------------------

# Counted among the sub-tables that hold `set`.
view_levels <- function(server, set, operator) {
  k <- length(server$variables)
  counts <- if (k <= max_laid_out) {
    laid_out_levels(server, set, operator)
  } else {
    counted_levels(server, set, operator)
  }
  at <- (length(set):k) + 1
  list(levels = lapply(at, function(i) {
    c(list(dimension = i - 1, total = choose(k - length(set), i - 1 - length(set))),
      lapply(counts, `[`, i))
  }))
}

laid_out_levels <- function(server, set, operator) {
  states <- laid_out_states(server, operator)
  masks <- seq_along(states) - 1L
  k <- length(server$variables)
  wanted <- bitwAnd(masks, set_masks(list(set))) == set_masks(list(set))
  dimension <- remember(server, "dimensions", {
    Reduce(`+`, lapply(seq_len(k), function(v) mask_holds(masks, v) + 0L))
  })
  of <- function(letter) tabulate(dimension[wanted & states == letter] + 1, k + 1)
  c(list(released = of("r"), open = of("o")), if (operator) list(refused = of("u")))
}

# A letter for each of the 2^K sub-tables: r, o, c, and for operators u.
laid_out_states <- function(server, operator) {
  remember(server, if (operator) "states_operator" else "states", {
    k <- length(server$variables)
    out <- cpp_lay_out(k, c(list(integer()), server_frontier(server)),
                       if (operator) server_refused(server) else list())
    open <- if (has_steps(server$policy) && server$policy$step == "frontier") {
      open_steps(server)
    } else {
      open_masks(server)
    }
    states <- rep("c", 2^k)
    states[open] <- "o"
    states[out == 1L] <- "r"
    states[out == 2L] <- "u"
    states
  })
}

# Places of the sub-tables that are out or open, where all parts of them are so too.
open_masks <- function(server) {
  k <- length(server$variables)
  open <- cpp_lay_out(k, open_bounds(server), list()) == 1L
  most <- server$policy$max_dimension
  if (!is.null(most)) {
    masks <- seq_along(open) - 1L
    open <- open & Reduce(`+`, lapply(seq_len(k), function(v) mask_holds(masks, v) + 0L)) <= most
  }
  open
}

# Candidates that are one step from a maximal one: few, so each is looked at.
open_steps <- function(server) {
  k <- length(server$variables)
  steps <- steps_up(server_frontier(server), k)
  set_masks(steps[is_eligible_row(server, set_rows(steps, k))]) + 1
}

# For many variables; what cannot be counted in this way is not given.
max_counted <- 1500

counted_levels <- function(server, set, operator) {
  k <- length(server$variables)
  released <- count_around(k, c(list(integer()), server_frontier(server)), set)
  c(
    list(released = released, open = counted_open(server, set, released)),
    if (operator) {
      list(refused = count_above(k, lapply(server_refused(server), union, set)))
    }
  )
}

counted_open <- function(server, set, released) {
  k <- length(server$variables)
  if (has_steps(server$policy) && server$policy$step == "frontier") {
    steps <- steps_up(server_frontier(server), k)
    rows <- set_rows(steps, k)
    open <- is_eligible_row(server, rows) & !inside_any(rows, server_frontier(server))
    holds <- vapply(steps, function(step) all(set %in% step), NA)
    return(tabulate(lengths(steps)[open & holds] + 1, k + 1))
  }
  bounds <- Filter(function(bound) all(set %in% bound), open_bounds(server))
  if (length(bounds) > max_counted) {
    return(rep(NA, k + 1))
  }
  open <- count_around(k, bounds, set) - released
  ifelse(0:k <= (server$policy$max_dimension %||% k), open, 0)
}

# How many sets of each size lie inside of one of `bounds` and hold `set`.
count_around <- function(k, bounds, set) {
  bounds <- Filter(function(bound) all(set %in% bound), bounds)
  if (length(bounds) == 0) {
    return(numeric(k + 1))
  }
  rest <- setdiff(seq_len(k), set)
  links <- maximal_sets(lapply(bounds, function(bound) match(setdiff(bound, set), rest)))
  c(numeric(length(set)), cpp_count_below(length(rest), links))
}

# ---- lists of sub-tables ------------------------------------------------------------------------

space_states <- c("all", "released", "open", "closed")

# Sub-tables that hold `set`, of one dimension and state, in lexicographic order of the variables
# that they add to it; `after`: the set that was shown last.
view_space <- function(server, set, dimension, status, after, limit, operator) {
  k <- length(server$variables)
  bounds <- switch(status, released = server_frontier(server), open = open_bounds(server),
                   list(seq_len(k)))
  found <- walk_sets(k, bounds, set, dimension, after, limit, function(sets) {
    states <- set_states(server, set_rows(sets, k), operator)
    ifelse(status == "all" | states == status, states, NA)
  })
  items <- Map(function(set, state) c(show_set(server, set), status = state),
               found$sets, found$states, USE.NAMES = FALSE)
  if (length(items) == 0) {
    return(list(items = list(), `next` = if (found$more) set_id(server, found$last)))
  }
  page <- page_of(items, vapply(found$sets, function(set) set_id(server, set), ""), found$more)
  if (length(page$items) == length(items) && found$more) page$`next` <- set_id(server, found$last)
  page
}

# The most sets that one page looks at, and how many of them at once.
max_walked <- 5000
walked_at_once <- 250

# A walk over the sets of one size that hold `set` and lie inside of one of `bounds`. It goes only
# where some bound has variables enough left, so that each branch ends in a set. `state_of(sets)`
# gives NA for those that are not wanted. After `max_walked` sets it stops where it is.
walk_sets <- function(k, bounds, set, dimension, after, limit, state_of) {
  rest <- setdiff(seq_len(k), set)
  wanted <- dimension - length(set)
  bounds <- Filter(function(bound) all(set %in% bound), bounds)
  none <- list(sets = list(), states = character(), more = FALSE, last = NULL)
  if (wanted < 0 || wanted > length(rest) || length(bounds) == 0) {
    return(none)
  }
  next_sets <- set_walker(set_rows(bounds, k)[, rest, drop = FALSE] > 0, wanted,
                          if (!is.null(after)) match(setdiff(after, set), rest))
  out <- none
  walked <- 0
  repeat {
    extras <- next_sets(walked_at_once)
    sets <- lapply(extras, function(extra) sort(c(set, rest[extra])))
    states <- if (length(sets) > 0) state_of(sets) else character()
    keep <- which(!is.na(states))
    room <- limit - length(out$sets)
    ended <- length(sets) < walked_at_once
    if (length(keep) > room) {
      keep <- keep[seq_len(room)]
      ended <- FALSE
    }
    out$sets <- c(out$sets, sets[keep])
    out$states <- c(out$states, states[keep])
    walked <- walked + length(sets)
    if (ended) {
      return(out)
    }
    if (length(out$sets) == limit || walked >= max_walked) {
      out$more <- TRUE
      out$last <- if (length(out$sets) == limit) out$sets[[limit]] else sets[[length(sets)]]
      return(out)
    }
  }
}

# A function that gives the next `n` combinations of `wanted` columns that some row of `inside`
# holds, in lexicographic order, beginning after the combination `after`.
set_walker <- function(inside, wanted, after) {
  at <- list2env(list(chosen = integer(), column = 1L, rows = list(), wanted = wanted,
                      inside = inside, left = columns_left(inside)))
  at$rows[[1]] <- which(at$left[, 1] >= wanted)
  at$done <- length(at$rows[[1]]) == 0
  if (!is.null(after) && !at$done) {
    for (column in after) step_in(at, column)
    step_back(at)
  }
  function(n) {
    found <- list()
    while (!at$done && length(found) < n) {
      if (length(at$chosen) == wanted) {
        found[[length(found) + 1]] <- at$chosen
        step_back(at)
      } else if (at$column > ncol(inside)) {
        step_back(at)
      } else {
        step_in(at, at$column)
      }
    }
    found
  }
}

# How many columns each row has from each column on.
columns_left <- function(inside) {
  left <- matrix(0L, nrow(inside), ncol(inside) + 1)
  for (column in rev(seq_len(ncol(inside)))) left[, column] <- left[, column + 1] + inside[, column]
  left
}

# Takes a column if some row that holds all that was chosen has it, and enough others after it.
step_in <- function(at, column) {
  rows <- at$rows[[length(at$rows)]]
  rows <- rows[at$inside[rows, column]]
  rows <- rows[at$left[rows, column + 1L] >= at$wanted - length(at$chosen) - 1]
  if (length(rows) > 0) {
    at$chosen <- c(at$chosen, column)
    at$rows[[length(at$rows) + 1]] <- rows
  }
  at$column <- column + 1L
}

step_back <- function(at) {
  n <- length(at$chosen)
  at$done <- n == 0
  if (n > 0) {
    at$column <- at$chosen[n] + 1L
    at$chosen <- at$chosen[-n]
    at$rows[[n + 1]] <- NULL
  }
}

view_frontier <- function(server, cursor, limit) {
  sets <- order_sets(server_frontier(server))
  at <- seq_len(max(0, min(limit, length(sets) - cursor))) + cursor
  page_of(show_sets(server, sets[at]), at, cursor + length(at) < length(sets))
}

view_lattice <- function(server, operator) {
  list(variables = as.list(server$variables),
       status = paste(laid_out_states(server, operator), collapse = ""))
}

# ---- released tables ----------------------------------------------------------------------------

# In the order of their release, the one-way tables first; the cursor counts them.
view_tables <- function(server, cursor, limit) {
  k <- length(server$variables)
  first <- if (cursor < k) {
    at <- seq(cursor + 1, min(k, cursor + limit))
    data.frame(release_no = 0, at = NA_character_, mask = encode_masks(as.list(at), k))
  }
  room <- limit + 1 - NROW(first)
  later <- releases_since(server, max(0, cursor - k), room)[c("release_no", "at", "mask")]
  rows <- rbind(first, later)
  n <- min(nrow(rows), limit)
  more <- nrow(rows) > limit || cursor + n < k
  rows <- rows[seq_len(n), ]
  sets <- decode_masks(rows$mask, k)
  items <- lapply(seq_len(n), function(i) {
    c(show_table(server, sets[[i]]), release_no = rows$release_no[i], at = rows$at[i])
  })
  page_of(items, cursor + seq_len(n), more)
}

view_table <- function(server, set, hash) {
  id <- set_id(server, set)
  c(show_table(server, set), first_release(server, set),
    list(table_hash = hash, zeros = prod(server$dim[set]) <= max_format_cells, links = list(
      data = data_link(id), structure = sub("data$", "structure", data_link(id))
    )))
}

# When a table came out, itself or as a part of another. NULL for the time of the one-way tables:
# they were out before the first request.
first_release <- function(server, set) {
  if (length(set) > 1) {
    k <- length(server$variables)
    cursor <- 0
    repeat {
      rows <- releases_since(server, cursor, 1000)
      holds <- which(vapply(decode_masks(rows$mask, k), function(out) all(set %in% out), NA))
      if (length(holds) > 0) {
        return(list(release_no = rows$release_no[holds[1]], at = rows$at[holds[1]]))
      }
      if (nrow(rows) < 1000) break
      cursor <- max(rows$release_no)
    }
  }
  list(release_no = 0, at = NULL)
}

# ---- requests -----------------------------------------------------------------------------------

# An answer to the one who asked.
view_answer <- function(server, answer) {
  set <- match(answer$variables, server$variables)
  list(
    seq = answer$seq, at = answer$at, request_id = answer$request_id,
    variables = as.list(answer$variables), outcome = answer$outcome,
    reason = if (!is.na(answer$reason)) answer$reason,
    parts = lapply(answer$parts, function(part) show_set(server, match(part, server$variables))),
    table = if (answer$outcome %in% c("released", "already", "recorded")) {
      c(show_table(server, set), list(links = list(data = data_link(set_id(server, set)))))
    },
    ledger = answer$ledger
  )
}

# Rows of the ledger, newest first: `where` with placeholders from $1 on.
find_decisions <- function(server, where, ..., limit) {
  # before the store is asked: what is wrong with them is no failure of it
  values <- list(...)
  force(limit)
  sql <- paste("SELECT", select_columns, "FROM decision WHERE", where,
               "ORDER BY decision.seq DESC LIMIT CAST($", length(values) + 1, "AS BIGINT)")
  sql <- sub("$ ", "$", sql, fixed = TRUE)
  store <- server$store
  with_store(store, do.call(fetch_text, c(list(store$con, sql), values, limit)))
}

row_answers <- function(server, rows) {
  lapply(seq_len(nrow(rows)), function(i) new_answer(server, answer_of(rows[i, ], replayed = TRUE)))
}

# NULL when this user has not asked under that key.
view_request <- function(server, user, key) {
  rows <- find_decisions(server, "user_id = CAST($1 AS TEXT) AND request_id = CAST($2 AS TEXT)",
                         user, key, limit = 1)
  if (nrow(rows) == 1) view_answer(server, row_answers(server, rows)[[1]])
}

view_requests <- function(server, user, cursor, limit) {
  rows <- find_decisions(server, "user_id = CAST($1 AS TEXT) AND seq < CAST($2 AS BIGINT)",
                         user, cursor, limit = limit + 1)
  more <- nrow(rows) > limit
  rows <- utils::head(rows, limit)
  items <- lapply(row_answers(server, rows), function(answer) {
    view_answer(server, answer)[c("seq", "at", "request_id", "variables", "outcome", "reason",
                                  "parts")]
  })
  page_of(items, rows$seq, more)
}

# What this user was told last about a sub-table.
last_asked <- function(server, user, set) {
  rows <- find_decisions(server, "user_id = CAST($1 AS TEXT) AND mask = CAST($2 AS TEXT)",
                         user, set_id(server, set), limit = 1)
  if (nrow(rows) == 1) {
    list(outcome = rows$outcome, reason = if (!is.na(rows$reason_public)) rows$reason_public,
         at = rows$at)
  }
}

# ---- for operators ------------------------------------------------------------------------------

view_decisions <- function(server, cursor, limit) {
  rows <- find_decisions(server, "seq < CAST($1 AS BIGINT)", cursor, limit = limit + 1)
  more <- nrow(rows) > limit
  rows <- utils::head(rows, limit)
  sets <- decode_masks(rows$mask, length(server$variables))
  items <- lapply(seq_len(nrow(rows)), function(i) {
    row <- rows[i, ]
    c(
      list(seq = as.numeric(row$seq), at = row$at, user = row$user_id, request_id = row$request_id),
      show_set(server, sets[[i]]),
      list(outcome = row$outcome, reason = row$reason_public, reason_private = row$reason_private,
           release_no = as.numeric(row$release_no))
    )
  })
  page_of(items, rows$seq, more)
}

view_what_if <- function(server, set) {
  found <- what_if(server, server$variables[set])
  named <- function(labels) {
    show_sets(server, few_sets(sub_table_sets(as.list(labels), server$variables, "labels")))
  }
  list(
    variables = as.list(found$variables), verdict = found$verdict, how = found$how,
    n_released = length(found$released), released = named(found$released),
    n_unreleasable = length(found$unreleasable), unreleasable = named(found$unreleasable),
    among = found$among
  )
}

view_audit <- function(server) {
  found <- audit(server)
  list(
    decisions = found$decisions, outcomes = as.list(found$outcomes), refused = found$refused,
    refuted = found$refuted, verified = found$verified, how = found$how,
    ledger = list(seq = found$seq, hash = found$hash)
  )
}

# As after decision `upto`.
view_history <- function(server, upto) {
  k <- length(server$variables)
  last <- server$store$seq
  upto <- min(upto, last)
  rows <- releases_since(server, 0, 1e6)
  sets <- decode_masks(rows$mask[rows$seq <= upto], k)
  frontier <- order_sets(maximal_sets(c(as.list(seq_len(k)), sets)))
  list(
    upto = upto, last = last,
    counts = list(decisions = upto, releases = length(sets),
                  refused_for_risk = n_refused_for_risk(server, upto),
                  maximal_sub_tables = length(frontier),
                  released_sub_tables = below_sets(server, frontier)),
    frontier = page_of(show_sets(server, frontier), seq_along(frontier), FALSE)$items
  )
}

n_refused_for_risk <- function(server, upto) {
  store <- server$store
  found <- with_store(store, fetch_text(
    store$con, "SELECT CAST(COUNT(DISTINCT mask) AS TEXT) AS n FROM decision
                WHERE reason_public = 'risk' AND seq <= CAST($1 AS BIGINT)", upto
  ))
  as.numeric(found$n)
}
