# The handlers of the routes, from what was asked to a response (see server-route.R): requests,
# released tables, votes, and what only operators see.

# ---- requests -----------------------------------------------------------------------------------

post_request <- function(ask) {
  key <- read_key(ask$request)
  wish <- read_wish(ask)
  server <- ask$server
  # what was answered before is repeated without end, and costs nothing
  before <- if (!is.null(key)) known_row(server$store, list(user_id = ask$user, request_id = key))
  if (is.null(before)) {
    spend_idle(ask$service, ask$user, wish$set)
    spend_quota(ask, key)
  }
  ask$judged <- TRUE
  request <- list(user_id = ask$user, request_id = key, mask = set_id(server, wish$set),
                  form = wish$form)
  if (ask$service$queued) {
    return(queue_request(server, request, before))
  }
  answer_response(server, decide_request(server, request, ask$request$arrival, ask$service$clock))
}

get_request <- function(ask) {
  key <- ask$at$key
  row <- if (is_request_id(key)) {
    find_row(ask$server$store, list(user_id = ask$user, request_id = key))
  }
  if (is.null(row)) problem("not_found")
  json_response(view_row(ask$server, row))
}

get_requests <- function(ask) {
  page_response(ask, ledger_page(
    ask, "user_id = CAST($1 AS TEXT) AND seq < CAST($2 AS BIGINT)", ask$user, show = function(row) {
      view_row(ask$server, row)[c("seq", "at", "request_id", "variables", "outcome", "reason",
                                  "parts")]
    }
  ))
}

# ---- released tables ----------------------------------------------------------------------------

# In the order of their release, the one-way tables first; the cursor counts them.
get_tables <- function(ask) {
  server <- ask$server
  cursor <- query_cursor(ask)
  limit <- query_limit(ask)
  state_document(ask, c("tables", cursor, limit), {
    found <- released_rows(server, cursor, limit)
    items <- lapply(found$rows, function(row) {
      c(show_table(server, row$set), release_no = row$release_no, at = row$at %||% NA_character_)
    })
    page_of(items, cursor + seq_along(items), found$more)
  })
}

# `rows`: of each table its `set`, `release_no` and `at`, which the one-way tables have not; `last`:
# the cursor behind them.
released_rows <- function(server, cursor, limit) {
  one_way <- one_way_sets(server$steps, server$k)
  n_first <- length(one_way)
  first <- lapply(one_way[seq_len(n_first) > cursor], function(set) list(set = set, release_no = 0))
  rows <- fetch_releases(server$store, max(0, cursor - n_first),
                         max(0, limit + 1 - length(first)))
  later <- Map(function(set, release_no, at) list(set = set, release_no = release_no, at = at),
               decode_masks(rows$mask, server$k), rows$release_no, rows$at, USE.NAMES = FALSE)
  all <- c(first, later)
  shown <- utils::head(all, limit)
  list(rows = shown, more = length(all) > limit, last = cursor + length(shown))
}

get_table <- function(ask) {
  server <- ask$server
  set <- path_table(ask)
  data <- data_link(set_id(server, set))
  json_response(c(
    show_table(server, set), first_release(server, set),
    list(table_hash = published_hash(server, set),
         zeros = n_cells_of(server, set) <= max_format_cells,
         links = list(data = data, structure = sub("data$", "structure", data)))
  ))
}

get_data <- function(ask) {
  server <- ask$server
  offered <- offered_formats()
  # a format that the server could offer with another package is not said to be unknown
  lacking <- setdiff(names(download_formats), names(offered))
  if (any(ask$query$format %in% lacking)) problem("not_acceptable")
  format <- wanted_format(ask, offered)
  lang <- query_language(ask)
  # what is out stays out
  found <- known_document(ask$service, ask$at$id, format, lang)
  if (is.null(found)) {
    set <- path_table(ask)
    if (format == "xlsx" && n_cells_of(server, set) > max_book_rows) problem("not_acceptable")
    found <- document_of(ask$service, set, format, lang)
  }
  # counts never change; labels may be mended
  caching <- if (is.null(server$metadata)) "private, max-age=31536000, immutable" else
    "private, no-cache"
  list(status = 200, file = found$file, headers = c(
    `Content-Type` = download_formats[[format]], ETag = found$etag, `Cache-Control` = caching,
    negotiated,
    `Content-Disposition` = paste0("attachment; filename=\"", basename(found$file), "\""),
    `Content-Location` = found$link
  ))
}

# ---- the catalogue ------------------------------------------------------------------------------

# Tables as they were released one after the other; parts of them are released too, and not listed.
get_catalogue <- function(ask) {
  lang <- query_language(ask)
  format <- wanted_format(ask, catalogue_formats)
  limit <- query_whole(ask, "limit", max_catalogue, 1, max_catalogue)
  found <- released_rows(ask$server, query_cursor(ask), limit)
  write <- if (format == "json") catalogue_json else catalogue_sdmx
  new_response(
    write(ask$server, found$rows, lang, ask$service$agency), catalogue_formats[[format]],
    headers = c(negotiated, if (found$more) next_link(ask, found$last))
  )
}

# A collection of JSON-stat 2.0.
catalogue_json <- function(server, rows, lang, agency) {
  links <- lapply(rows, function(row) {
    id <- set_id(server, row$set)
    list(
      class = "dataset", href = paste0(data_link(id), "?format=json"), type = "application/json",
      label = table_title(server, row$set, lang),
      updated = row$at %||% server_began(server),
      extension = list(id = id, variables = as.list(set_variables(server, row$set)),
                       release_no = row$release_no, cells = n_cells_of(server, row$set))
    )
  })
  notes <- table_notes(server, lang)
  to_json(list(
    version = "2.0", class = "collection",
    label = in_language(server$metadata$title, lang) %||% "Released tables",
    source = in_language(server$metadata$source, lang) %||% agency,
    note = as.list(unname(notes[names(notes) != "source"])), link = list(item = links)
  ))
}

# A structure message with a dataflow for each table; that of a table's own address has its codes.
catalogue_sdmx <- function(server, rows, lang, agency) {
  flows <- vapply(rows, function(row) {
    meta <- structure_meta(server, row$set, set_id(server, row$set), lang, agency)
    sdmx_flow(format_meta(meta, character()))
  }, "")
  paste0(
    sdmx_open("Structure", c(structure = "structure")),
    sdmx_header(list(id = "catalogue", agency = agency, prepared = server_began(server)), ""),
    "<message:Structures>\n<structure:Dataflows>\n", paste(flows, collapse = ""),
    "</structure:Dataflows>\n</message:Structures>\n</message:Structure>\n"
  )
}

# ---- votes, and releases by other means ---------------------------------------------------------

# Newest first. What was refused is not told here: requests of the rule "value" are noted, whatever
# the counts are.
get_votes <- function(ask) {
  server <- ask$server
  rows <- user_votes(server$store, ask$user)
  page_response(ask, slice_page(ask, nrow(rows), function(i) {
    set <- decode_masks(rows$mask[i], server$k)[[1]]
    c(show_set(server, set),
      list(at = rows$at[i], status = if (is_released(server, set)) "released" else "waiting"))
  }))
}

# What a sub-table with votes is worth, as it is named over the network.
worth_measures <- list(votes = NULL, cells = utility_cells)

worth_utility <- function(name) {
  measure <- worth_measures[[name]]
  if (!is.null(measure)) measure()
}

# The most sub-tables that are decided, or characters of a note, by one request.
max_round <- 20
max_note <- 1000

# Those that would be judged come first, by their worth; `worth` is null for others.
get_tally <- function(ask) {
  server <- ask$server
  utility <- worth_utility(query_choice(ask, "worth", names(worth_measures)))
  found <- counted_votes(server)
  worth <- rep(NA_real_, length(found$sets))
  worth[found$open] <- vote_worth(server, found$sets[found$open], found$votes[found$open], utility)
  order <- order(!found$open, -worth, -found$votes, na.last = TRUE)
  page_response(ask, slice_page(ask, length(order), function(n) {
    i <- order[n]
    set <- found$sets[[i]]
    c(show_set(server, set),
      list(votes = found$votes[i], worth = if (!is.na(worth[i])) worth[i],
           status = set_states(server, list(set), operator = TRUE)))
  }))
}

post_round <- function(ask) {
  server <- ask$server
  key <- read_key(ask$request)
  body <- read_members(ask, c("n", "worth"))
  n <- body$n %||% 1
  if (!is.numeric(n) || length(n) != 1 || !n %in% seq_len(max_round)) {
    bad_request("The member n must be a whole number from 1 to ", max_round, ".")
  }
  worth <- body$worth %||% "votes"
  if (!is_text(worth) || !worth %in% names(worth_measures)) {
    bad_request("The member worth must be one of: ",
                paste(names(worth_measures), collapse = ", "), ".")
  }
  if (server$policy$rule != "value") problem("no_votes")
  # The request ids follow from who asked under which key, so that the same round asked for again is
  # found and not decided further.
  mark <- chain_hash()$text(paste0(ask$user, "\n", key %||% new_request_id()))
  ids <- paste0(substr(mark, 1, 40), "-", seq_len(max_round))
  decided <- rounds_of(server, ids)
  replayed <- length(decided) > 0
  if (!replayed) {
    decide_round(server, n, worth_utility(worth), ids)
    decided <- rounds_of(server, ids)
  }
  refresh_server(server)
  ledger_response(list(decided = decided, waiting = sum(counted_votes(server)$open)),
                  if (replayed) 200 else 201)
}

# The part of a round that the ledger has.
rounds_of <- function(server, ids) {
  rows <- find_decisions(
    server$store, "user_id = CAST($1 AS TEXT) AND substr(request_id, 1, 41) = CAST($2 AS TEXT)",
    vote_user, sub("[0-9]+$", "", ids[1]), limit = max_round
  )
  lapply(order(as.numeric(rows$seq)), function(i) {
    row <- rows[i, ]
    c(show_set(server, decode_masks(row$mask, server$k)[[1]]),
      list(outcome = row$outcome, reason = if (!is.na(row$reason_public)) row$reason_public,
           seq = as.numeric(row$seq)))
  })
}

# One sub-table a request, so that its key names one decision.
post_release <- function(ask) {
  server <- ask$server
  key <- read_key(ask$request)
  body <- read_members(ask, c("variables", "note", level_member(ask)))
  set <- body_set(ask, body)
  if (length(set) == 0) bad_request("The member variables must name a variable.")
  note <- body$note
  if (!is_text(note) || !nzchar(trimws(note)) || nchar(note) > max_note) {
    bad_request("The member note must say where it was published, in at most ",
                format_count(max_note), " characters.")
  }
  answer <- record_set(set, server, note, ask$user, key)
  safe <- TRUE
  withCallingHandlers(after_records(server), sdc_warning_unsafe = function(cnd) {
    safe <<- FALSE
    rlang::cnd_muffle(cnd)
  })
  ledger_response(c(view_answer(server, answer), list(safe = safe)),
                  if (answer$replayed) 200 else 201, answer)
}

# ---- for operators ------------------------------------------------------------------------------

get_decisions <- function(ask) {
  page_response(ask, ledger_page(ask, "seq < CAST($1 AS BIGINT)", show = function(row) {
    c(
      list(seq = as.numeric(row$seq), at = row$at, user = row$user_id, request_id = row$request_id),
      show_set(ask$server, decode_masks(row$mask, ask$server$k)[[1]]),
      list(outcome = row$outcome, reason = row$reason_public, reason_private = row$reason_private,
           release_no = as.numeric(row$release_no))
    )
  }))
}

get_what_if <- function(ask) {
  server <- ask$server
  found <- what_if(server, server$variables[query_set(ask, needed = TRUE)])
  named <- function(labels) {
    show_sets(server, few_sets(sub_table_sets(as.list(labels), server$variables, "labels",
                                              server$steps)))
  }
  json_response(list(
    variables = as.list(found$variables), verdict = found$verdict, how = found$how,
    n_released = length(found$released), released = named(found$released),
    n_unreleasable = length(found$unreleasable), unreleasable = named(found$unreleasable),
    among = found$among
  ))
}

# As after decision `upto`.
get_history <- function(ask) {
  server <- ask$server
  last <- server$store$seq
  upto <- min(query_whole(ask, "upto", Inf, 0, 2^49), last)
  rows <- fetch_releases(server$store, 0, 1e6)
  sets <- decode_masks(rows$mask[rows$seq <= upto], server$k)
  frontier <- order_sets(maximal_sets(c(one_way_sets(server$steps, server$k), sets)))
  json_response(list(
    upto = upto, last = last,
    counts = list(decisions = upto, releases = length(sets),
                  refused_for_risk = n_refused_for_risk(server$store, upto),
                  maximal_sub_tables = length(frontier),
                  released_sub_tables = below_sets(server, frontier)),
    frontier = page_of(show_sets(server, frontier), seq_along(frontier), FALSE)$items
  ))
}

get_audit <- function(ask) {
  found <- audit(ask$server)
  json_response(list(
    decisions = found$decisions, outcomes = as.list(found$outcomes), refused = found$refused,
    refuted = found$refuted, verified = found$verified, how = found$how,
    ledger = list(seq = found$seq, hash = found$hash)
  ))
}
