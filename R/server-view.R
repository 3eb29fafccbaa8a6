# What the API shows, as plain lists that become JSON: each view is a function of the server and of
# arguments that have been read already (sets of variables, limits, cursors). Views show what is
# said to users; what only operators may see is asked for by `operator = TRUE`.
#
# Here: pages, names, policy, and the card of one sub-table; server-view-space.R has the query
# space, server-view-ledger.R what was decided. Lists are cut where they would outweigh
# `max_view_bytes`; their `next` says where to go on, and is null at the end.

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

# NULL when it is none.
id_set <- function(server, id) {
  k <- length(server$variables)
  set <- if (is_mask(id, k)) decode_masks(id, k)[[1]]
  if (identical(set, close_set(server$steps, set))) set
}

show_set <- function(server, set) {
  c(list(id = set_id(server, set), variables = as.list(set_variables(server, set))),
    show_levels(server, set))
}

show_sets <- function(server, sets) lapply(sets, function(set) show_set(server, set))

show_table <- function(server, set) {
  c(show_set(server, set), dimension = n_variables_in(server$steps, set),
    cells = n_cells_of(server, set))
}

data_link <- function(id) paste0("/v1/tables/", id, "/data")

# ---- metadata, policy, variables, one sub-table -------------------------------------------------

view_metadata <- function(server, lang) {
  metadata <- server$metadata
  ids <- variable_ids(server$variables)
  c(
    list(languages = as.list(metadata$languages), language = lang),
    lapply(rlang::set_names(metadata_texts), function(part) in_language(metadata[[part]], lang)),
    list(
      topics = lapply(metadata$topics, function(topic) {
        list(name = topic$name[[lang]],
             variables = as.list(ids[match(topic$variables, server$variables)]))
      })
    )
  )
}

view_policy <- function(server) {
  policy <- server$policy
  list(
    rule = policy$rule, step = policy$step, undecided = policy$undecided,
    risk = paste(format(policy$risk), collapse = " "), risk_terms = view_risk(policy$risk),
    envelope = view_envelope(server),
    max_dimension = policy$max_dimension,
    max_risk_refusals = if (is.finite(policy$max_risk_refusals)) policy$max_risk_refusals,
    words = as.list(format(policy)), formats = as.list(names(offered_formats()))
  )
}

# What a page needs to say the rule in its own language. `counts` NULL: the cells have been named.
view_risk <- function(risk) {
  if (inherits(risk, "sdc_risk_width")) {
    list(kind = "width", least = risk$beta, counts = if (!is.null(risk$at_risk))
      as.list(risk$at_risk))
  } else {
    list(kind = "n", least = risk$n, counts = NULL)
  }
}

# By names of variables, or by their ids where names would weigh too much.
view_envelope <- function(server) {
  if (is.null(server$envelope)) {
    return(NULL)
  }
  by <- function(names) {
    lapply(server$envelope, function(set) as.list(names[finest_steps(server$steps, set)]))
  }
  sets <- by(server$variables)
  if (nchar(to_json(sets), "bytes") > max_view_bytes / 2) sets <- by(variable_ids(server$variables))
  list(origin = server$policy$origin, frontier = sets)
}

view_structure <- function(server, lang = label_language(server)) {
  ids <- variable_ids(server$variables)
  one <- function(id, name, label, about, n, level) {
    c(list(id = id, name = name, label = label, description = about, n_levels = n), level)
  }
  list(
    variables = Map(
      one, ids, server$variables, variable_labels(server, lang),
      variable_descriptions(server, lang), server$dim, levels_of_steps(server, ids, lang),
      USE.NAMES = FALSE
    ),
    n_cells = n_cells_of(server, seq_along(server$variables))
  )
}

view_levels_of <- function(server, v, cursor, limit, lang = label_language(server)) {
  levels <- level_texts(server$dimnames[[v]])
  labels <- category_labels(server, v, lang, levels)
  at <- seq_len(max(0, min(limit, length(levels) - cursor))) + cursor
  items <- Map(function(level, label) list(level, label), levels[at], labels[at], USE.NAMES = FALSE)
  page <- page_of(items, at, cursor + length(at) < length(levels))
  list(id = variable_ids(server$variables)[v], name = server$variables[v],
       levels = lapply(page$items, `[[`, 1), labels = lapply(page$items, `[[`, 2),
       `next` = page$`next`)
}

# The most released tables that a card names, and the most names in them.
max_named <- 20
max_names <- 200

view_card <- function(server, set, asked) {
  k <- length(server$variables)
  frontier <- server_frontier(server)
  state <- set_states(server, list(set))
  others <- setdiff(seq_len(k), set)
  larger <- lapply(others, function(v) close_set(server$steps, sort(c(set, v))))
  # one step at a time
  next_to <- lengths(larger) == length(set) + 1
  others <- others[next_to]
  larger <- larger[next_to]
  then <- set_states(server, larger)
  can <- then != "closed"
  c(
    show_table(server, set),
    list(
      status = state,
      reason = if (state == "closed") structural_reason(server, set),
      closed_by = if (state == "closed") closed_by(server, set),
      asked = asked,
      can_add = Map(function(name, status) list(name = name, status = status),
                    server$variables[others[can]], then[can], USE.NAMES = FALSE),
      out_with = show_sets(server, few_sets(Filter(function(out) all(set %in% out), frontier))),
      parts = if (state == "released") list() else
        show_sets(server, few_sets(sets_of_space(server, server$now, "parts", set))),
      smaller = if (state == "released") list() else show_sets(server, smaller_open(server, set)),
      steps = if (state == "closed") show_sets(server, steps_towards(server, set)) else list()
    ),
    if (!is.null(server$steps)) {
      list(coarser = if (state == "released") list() else view_coarser(server, set))
    }
  )
}

# What may be asked for now and lacks one variable of a sub-table, or has it one level coarser.
smaller_open <- function(server, set) {
  smaller <- lapply(finest_steps(server$steps, set), function(step) setdiff(set, step))
  few_sets(smaller[set_states(server, smaller) == "open"])
}

# What is near one that cannot be had, where there are levels.
view_coarser <- function(server, set) {
  sets <- coarser_sets(server, set)
  Map(function(set, status) c(show_set(server, set), status = status), sets,
      set_states(server, sets), USE.NAMES = FALSE)
}

# What may be asked for now and leads to a sub-table that may not.
steps_towards <- function(server, set) {
  utils::head(sets_of_space(server, server$now, "steps", set), max_steps)
}

max_steps <- 5

# Large ones first.
few_sets <- function(sets) {
  sets <- order_sets(sets)
  sets[cumsum(lengths(sets)) <= max_names & seq_along(sets) <= max_named]
}
