# What the API shows of the server and of the query space: the policy, the variables, the card of
# one sub-table, how many sub-tables of each dimension are out or open, and pages of a list. Views
# are plain lists that become JSON; what only operators may see is asked for by `operator = TRUE`.
# Lists are cut where they would outweigh `max_view_bytes`; their `next` says where to go on, and
# is null at the end.

get_health <- function(ask) {
  refresh_server(ask$service$server)
  json_response(list(status = "ok"))
}

# The description of the API for programs: a file, which the tests compare with the routes and with
# answers; tools/api-examples.R renews its examples.
get_openapi <- function(ask) {
  file <- system.file("api", "openapi.json", package = "sdcLattice")
  list(status = 200, body = readBin(file, "raw", file.size(file)),
       headers = c(`Content-Type` = "application/json", `Cache-Control` = "no-cache"))
}

get_me <- function(ask) json_response(list(user = ask$user, role = ask$role))

is_operator <- function(ask) ask$role == "operator"

# ---- the policy ---------------------------------------------------------------------------------

get_policy <- function(ask) {
  server <- ask$server
  policy <- server$policy
  risk <- policy$risk
  by_width <- inherits(risk, "sdc_risk_width")
  state_document(ask, "policy", list(
    rule = policy$rule, step = policy$step, undecided = policy$undecided,
    risk = paste(format(risk), collapse = " "),
    # what a page needs to say the rule in its own language; `counts` null: cells have been named
    risk_terms = list(
      kind = if (by_width) "width" else "n", least = if (by_width) risk$beta else risk$n,
      counts = if (by_width && !is.null(risk$at_risk)) as.list(risk$at_risk)
    ),
    envelope = if (!is.null(server$envelope)) view_envelope(server),
    max_dimension = policy$max_dimension,
    max_risk_refusals = if (is.finite(policy$max_risk_refusals)) policy$max_risk_refusals,
    words = as.list(format(policy)), formats = as.list(names(offered_formats()))
  ))
}

# By names of variables, or by their ids where names would weigh too much.
view_envelope <- function(server) {
  by <- function(names) {
    lapply(server$envelope, function(set) as.list(names[finest_steps(server$steps, set)]))
  }
  sets <- by(server$variables)
  if (nchar(to_json(sets), "bytes") > max_view_bytes / 2) sets <- by(variable_ids(server$variables))
  list(origin = server$policy$origin, frontier = sets)
}

# ---- the variables and what is said of them -----------------------------------------------------

get_metadata <- function(ask) {
  server <- ask$server
  metadata <- server$metadata
  lang <- query_language(ask)
  ids <- variable_ids(server$variables)
  topics <- lapply(metadata$topics, function(topic) {
    list(name = topic$name[[lang]],
         variables = as.list(ids[match(topic$variables, server$variables)]))
  })
  json_response(c(
    list(languages = as.list(metadata$languages), language = lang),
    lapply(rlang::set_names(metadata_texts), function(part) in_language(metadata[[part]], lang)),
    list(topics = topics)
  ))
}

# That of the labels in an answer: see label_language().
query_language <- function(ask) label_language(ask$server, ask$query$lang)

get_structure <- function(ask) {
  server <- ask$server
  type <- negotiate(ask$request$headers[["accept"]],
                    c(json = "application/json", sdmx = structure_media_type))
  if (type == "sdmx") {
    return(structure_response(ask, seq_len(server$k), "structure"))
  }
  lang <- query_language(ask)
  ids <- variable_ids(server$variables)
  labels <- variable_labels(server, lang)
  json_response(list(
    variables = lapply(seq_len(server$k), function(v) {
      c(list(id = ids[v], name = server$variables[v], label = labels[v],
             description = in_language(about_variable(server, v)$description, lang),
             n_levels = server$dim[v]),
        view_step(server, v, ids, lang))
    }),
    n_cells = n_cells_of(server, seq_len(server$k))
  ), headers = negotiated)
}

# What the data messages of a released table refer to.
get_table_structure <- function(ask) {
  set <- path_table(ask)
  structure_response(ask, set, set_id(ask$server, set))
}

structure_response <- function(ask, set, id) {
  server <- ask$server
  dimnames <- if (is.null(server$steps)) server$dimnames[set] else
    level_dimnames(server$steps, set)
  meta <- structure_meta(server, set, id, label_language(server), ask$service$agency)
  meta$dimensions <- set_variables(server, set)
  meta$prepared <- ask$service$started
  if (is.null(server$metadata)) meta$title <- NULL
  new_response(sdmx_structure(dimnames, meta), structure_media_type, headers = negotiated)
}

# Labels where there are some.
structure_meta <- function(server, set, id, lang, agency) {
  meta <- list(id = id, agency = agency, title = table_title(server, set, lang),
               variables = server$variables)
  meta$labels <- format_labels(server, set, lang)
  meta
}

get_levels_of <- function(ask) {
  server <- ask$server
  v <- match(ask$at$id, variable_ids(server$variables))
  if (is.na(v)) problem("not_found")
  levels <- level_texts(server$dimnames[[v]])
  labels <- category_labels(server, v, query_language(ask), levels)
  page <- slice_page(ask, length(levels), function(i) list(levels[i], labels[i]))
  page_response(ask, list(
    id = ask$at$id, name = server$variables[v], levels = lapply(page$items, `[[`, 1),
    labels = lapply(page$items, `[[`, 2), `next` = page$`next`
  ))
}

# ---- the card of one sub-table ------------------------------------------------------------------

get_card <- function(ask) {
  set <- query_set(ask, needed = TRUE)
  asked <- last_asked(ask$server, ask$user, set)
  state_document(ask, c("card", set, unlist(asked)), view_card(ask$server, set, asked))
}

# What this user was told last about a sub-table.
last_asked <- function(server, user, set) {
  row <- row_asked(server$store, user, set_id(server, set))
  if (length(row$outcome) == 1) {
    list(outcome = row$outcome, reason = if (!is.na(row$reason_public)) row$reason_public,
         at = row$at)
  }
}

view_card <- function(server, set, asked) {
  state <- set_states(server, list(set))
  larger <- lapply(setdiff(seq_len(server$k), set), function(v) {
    close_set(server$steps, sort(c(set, v)))
  })
  # one step at a time
  larger <- larger[lengths(larger) == length(set) + 1]
  then <- set_states(server, larger)
  can <- then != "closed"
  added <- server$variables[vapply(larger[can], setdiff, 1, set)]
  frontier <- server_frontier(server)
  smaller <- lapply(finest_steps(server$steps, set), function(step) setdiff(set, step))
  of_space <- function(what) sets_of_space(server, server$now, what, set)
  shown <- function(sets) show_sets(server, few_sets(sets))
  unless_out <- function(view) if (state == "released") list() else view
  if_closed <- function(view) if (state == "closed") view
  c(
    show_table(server, set),
    list(
      status = state, reason = if_closed(structural_reason(server, set)),
      closed_by = if_closed(closed_by(server, set)), asked = asked,
      can_add = Map(function(name, status) list(name = name, status = status),
                    added, then[can], USE.NAMES = FALSE),
      out_with = shown(Filter(function(out) all(set %in% out), frontier)),
      parts = unless_out(shown(of_space("parts"))),
      # what lacks one variable, or has it one level coarser
      smaller = unless_out(shown(smaller[set_states(server, smaller) == "open"])),
      steps = if_closed(show_sets(server, utils::head(of_space("steps"), max_steps))) %||% list()
    ),
    if (!is.null(server$steps)) list(coarser = unless_out(view_coarser(server, set)))
  )
}

# The most steps towards a sub-table; and the most released tables that a card names, and the most
# names in them.
max_steps <- 5
max_named <- 20
max_names <- 200

# Large ones first.
few_sets <- function(sets) {
  sets <- order_sets(sets)
  sets[cumsum(lengths(sets)) <= max_names & seq_along(sets) <= max_named]
}

# What is near one that cannot be had, where there are levels.
view_coarser <- function(server, set) {
  sets <- coarser_sets(server, set)
  Map(function(set, status) c(show_set(server, set), status = status), sets,
      set_states(server, sets), USE.NAMES = FALSE)
}

# ---- the query space ----------------------------------------------------------------------------

# It is laid out up to `max_laid_out` variables; beyond, sub-tables are counted through maximal
# ones. Lists come from a walk that stops when a page is full. All of it is in core/server/.
max_laid_out <- 20L

get_levels <- function(ask) {
  set <- query_set(ask)
  state_document(ask, c("levels", is_operator(ask), set),
                 view_levels(ask$server, set, is_operator(ask)))
}

# Counted among the sub-tables that hold `set`.
view_levels <- function(server, set, operator) {
  counts <- count_levels(server, set, operator, laid_out = is_laid_out(server))
  from <- n_variables_in(server$steps, set)
  at <- (from:n_variables_in(server$steps, seq_len(server$k))) + 1
  list(levels = lapply(at, function(i) c(list(dimension = i - 1), lapply(counts, `[`, i))))
}

# What cannot be counted is NA.
count_levels <- function(server, set, operator, laid_out) {
  layout <- if (laid_out) space_layout(server, operator) else raw()
  found <- with_core(cpp_space_levels(server_space(server), layout, set))
  found[c("total", "released", "open", if (operator) "refused")]
}

is_laid_out <- function(server) {
  sum(log2(level_counts(server$steps, server$k) + 1)) <= max_laid_out
}

# A letter for each sub-table: r, o, c, and for operators u.
space_layout <- function(server, operator) {
  remember(server, if (operator) "layout_operator" else "layout",
           cpp_space_layout(server_space(server), operator))
}

get_lattice <- function(ask) {
  if (ask$server$k > 8 || !is.null(ask$server$steps)) problem("not_found")
  state_document(ask, c("lattice", is_operator(ask)), view_lattice(ask$server, is_operator(ask)))
}

view_lattice <- function(server, operator) {
  list(variables = as.list(server$variables), status = rawToChar(space_layout(server, operator)))
}

get_space <- function(ask) {
  server <- ask$server
  set <- query_set(ask)
  most <- n_variables_in(server$steps, seq_len(server$k))
  dimension <- query_whole(ask, "dimension", NULL, 0, most)
  if (is.null(dimension)) bad_request("The parameter dimension must be given.")
  status <- query_choice(ask, "status", c(space_states, if (is_operator(ask)) "refused"))
  after <- if (!is.null(ask$query$cursor)) id_set(server, ask$query$cursor)
  ok <- is.null(ask$query$cursor) || (!is.null(after) && all(set %in% after) &&
    n_variables_in(server$steps, after) == dimension)
  if (!ok) bad_request("The cursor must be one that this list gave.")
  limit <- query_limit(ask, 50)
  state_document(
    ask, c("space", is_operator(ask), dimension, status, limit, "after", after, "of", set),
    view_space(server, set, dimension, status, after, limit, is_operator(ask))
  )
}

space_states <- c("all", "released", "open", "closed")

# Sub-tables that hold `set`, of one dimension and state, in lexicographic order of the variables
# that they add to it; `after`: the set that was shown last.
view_space <- function(server, set, dimension, status, after, limit, operator) {
  found <- cpp_walk_space(server_space(server), set, dimension, status, after, limit, operator)
  ids <- vapply(found$sets, function(set) set_id(server, set), "")
  behind <- if (found$more) set_id(server, found$last)
  items <- Map(function(set, state) c(show_set(server, set), status = state),
               found$sets, found$states, USE.NAMES = FALSE)
  if (length(items) == 0) {
    return(list(items = list(), `next` = behind))
  }
  page <- page_of(items, ids, found$more)
  if (length(page$items) == length(items)) page["next"] <- list(behind)
  page
}

get_frontier <- function(ask) {
  server <- ask$server
  state_document(ask, c("frontier", query_cursor(ask), query_limit(ask)), {
    sets <- order_sets(server_frontier(server))
    slice_page(ask, length(sets), function(i) show_set(server, sets[[i]]))
  })
}

answer_response <- function(server, answer) {
  status <- if (answer$replayed) 200 else if (answer$outcome == "deferred") 202 else 201
  location <- if (status == 201) c(Location = paste0("/v1/requests/", answer$request_id))
  ledger_response(view_answer(server, answer), status, answer, location)
}

# What was written to the ledger, which the log tells.
ledger_response <- function(view, status, answer = NULL, headers = NULL) {
  response <- json_response(view, status, c(headers, `Cache-Control` = "no-store"))
  if (!is.null(answer)) response$ledger <- c(answer$ledger, outcome = answer$outcome)
  response
}

# An answer to the one who asked.
view_answer <- function(server, answer) {
  set <- set_named(server, answer$variables)
  out <- list(
    seq = answer$seq, at = answer$at, request_id = answer$request_id,
    variables = as.list(answer$variables), outcome = answer$outcome,
    reason = if (!is.na(answer$reason)) answer$reason,
    parts = lapply(answer$parts, function(part) show_set(server, set_named(server, part))),
    table = if (answer$outcome %in% c("released", "already", "recorded")) {
      c(show_table(server, set), list(links = list(data = data_link(set_id(server, set)))))
    },
    ledger = answer$ledger
  )
  if (is.null(server$steps)) {
    return(out)
  }
  coarser <- if (answer$outcome %in% withheld) view_coarser(server, set)
  c(out, list(coarser = coarser), show_levels(server, set))
}

view_row <- function(server, row) view_answer(server, new_answer(server, answer_of(row, TRUE)))

# ---- pages --------------------------------------------------------------------------------------

max_view_bytes <- 9000

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

# Of a list of `n` items, whose cursor counts what was shown. `show(i)`: item number `i`.
slice_page <- function(ask, n, show) {
  cursor <- query_cursor(ask)
  at <- seq_len(max(0, min(query_limit(ask), n - cursor))) + cursor
  page_of(lapply(at, show), at, cursor + length(at) < n)
}

# Of decisions, newest first; `where` as find_decisions() takes it, for rows before the cursor.
# `show(row)`: an item.
ledger_page <- function(ask, where, ..., show) {
  limit <- query_limit(ask)
  rows <- find_decisions(ask$server$store, where, ..., query_cursor(ask, 2^49), limit = limit + 1)
  n <- min(nrow(rows), limit)
  items <- lapply(seq_len(n), function(i) show(rows[i, ]))
  page_of(items, rows$seq[seq_len(n)], nrow(rows) > limit)
}
