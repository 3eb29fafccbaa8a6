# Handlers for what users have voted for, and for releases that were made by other means.

# What a sub-table with votes is worth, as it is named over the network.
worth_measures <- list(votes = NULL, cells = utility_cells)

worth_utility <- function(name) {
  measure <- worth_measures[[name]]
  if (!is.null(measure)) measure()
}

# The most sub-tables that are decided, or characters of a note, by one request.
max_round <- 20
max_note <- 1000

get_votes <- function(ask) {
  page_response(ask, view_votes(ask$server, ask$user, query_cursor(ask), query_limit(ask, 200)))
}

get_tally <- function(ask) {
  utility <- worth_utility(query_choice(ask, "worth", names(worth_measures)))
  page_response(ask, view_tally(ask$server, utility, query_cursor(ask), query_limit(ask, 200)))
}

post_round <- function(ask) {
  server <- ask$server
  key <- read_key(ask$request)
  wish <- read_round(ask)
  if (server$policy$rule != "value") problem("no_votes")
  ids <- round_ids(ask$user, key %||% new_request_id())
  decided <- rounds_of(server, ids)
  replayed <- length(decided) > 0
  if (!replayed) {
    decide_round(server, wish$n, worth_utility(wish$worth), ids)
    decided <- rounds_of(server, ids)
  }
  refresh_server(server)
  json_response(list(decided = decided, waiting = sum(counted_votes(server)$open)),
                if (replayed) 200 else 201, c(`Cache-Control` = "no-store"))
}

read_round <- function(ask) {
  body <- read_members(ask, c("n", "worth"))
  n <- body$n %||% 1
  if (!is.numeric(n) || length(n) != 1 || !n %in% seq_len(max_round)) {
    problem("bad_request", paste0("The member n must be a whole number from 1 to ", max_round, "."))
  }
  worth <- body$worth %||% "votes"
  if (!is_text(worth) || !worth %in% names(worth_measures)) {
    problem("bad_request", paste0("The member worth must be one of: ",
                                  paste(names(worth_measures), collapse = ", "), "."))
  }
  list(n = n, worth = worth)
}

# The request ids of a round's decisions. They follow from who asked under which key, so that the
# same round asked for again is found and not decided further.
round_ids <- function(user, key) {
  mark <- substr(chain_hash()$text(paste0(user, "\n", key)), 1, 40)
  paste0(mark, "-", seq_len(max_round))
}

# The part of a round that the ledger has.
rounds_of <- function(server, ids) {
  start <- sub("-[0-9]+$", "", ids[1])
  rows <- find_decisions(
    server$store, "user_id = CAST($1 AS TEXT) AND substr(request_id, 1, 41) = CAST($2 AS TEXT)",
    vote_user, paste0(start, "-"), limit = max_round
  )
  rows <- rows[order(as.numeric(rows$seq)), ]
  sets <- decode_masks(rows$mask, length(server$variables))
  lapply(seq_len(nrow(rows)), function(i) {
    c(show_set(server, sets[[i]]),
      list(outcome = rows$outcome[i],
           reason = if (!is.na(rows$reason_public[i])) rows$reason_public[i],
           seq = as.numeric(rows$seq[i])))
  })
}

# One sub-table a request, so that its key names one decision.
post_release <- function(ask) {
  server <- ask$server
  key <- read_key(ask$request)
  body <- read_members(ask, c("variables", "note", level_member(ask)))
  set <- body_set(ask, body)
  if (length(set) == 0) problem("bad_request", "The member variables must name a variable.")
  note <- body$note
  if (!is_text(note) || !nzchar(trimws(note)) || nchar(note) > max_note) {
    problem("bad_request", paste0("The member note must say where it was published, in at most ",
                                  format_count(max_note), " characters."))
  }
  answer <- record_set(set, server, note, ask$user, key)
  safe <- TRUE
  withCallingHandlers(after_records(server), sdc_warning_unsafe = function(cnd) {
    safe <<- FALSE
    rlang::cnd_muffle(cnd)
  })
  response <- json_response(c(view_answer(server, answer), list(safe = safe)),
                            if (answer$replayed) 200 else 201, c(`Cache-Control` = "no-store"))
  response$ledger <- c(answer$ledger, outcome = answer$outcome)
  response
}
