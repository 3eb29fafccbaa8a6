# The handlers of the routes: from what was asked to a response (see server-route.R).

get_health <- function(ask) {
  refresh_server(ask$service$server)
  json_response(list(status = "ok"))
}

get_openapi <- function(ask) {
  list(status = 200, body = openapi_bytes(ask$service),
       headers = c(`Content-Type` = "application/json", `Cache-Control` = "no-cache"))
}

get_me <- function(ask) json_response(list(user = ask$user, role = ask$role))

get_policy <- function(ask) state_document(ask, "policy", view_policy(ask$server))

get_structure <- function(ask) {
  type <- negotiate(ask$request$headers[["accept"]],
                    c(json = "application/json", sdmx = structure_media_type))
  if (type == "json") {
    return(json_response(view_structure(ask$server, query_language(ask)),
                         headers = c(Vary = "Accept, Authorization")))
  }
  structure_response(ask, seq_along(ask$server$variables), "structure")
}

# What the data messages of a released table refer to.
get_table_structure <- function(ask) {
  set <- path_table(ask)
  structure_response(ask, set, set_id(ask$server, set))
}

structure_response <- function(ask, set, id) {
  server <- ask$server
  lang <- label_language(server)
  dimnames <- if (is.null(server$steps)) server$dimnames[set] else
    level_dimnames(server$steps, set)
  meta <- list(
    id = id, agency = ask$service$agency, prepared = ask$service$started,
    variables = server$variables, dimensions = set_variables(server, set),
    title = if (!is.null(server$metadata)) table_title(server, set, lang),
    labels = format_labels(server, set, lang)
  )
  text <- sdmx_structure(dimnames, Filter(Negate(is.null), meta))
  list(status = 200, body = charToRaw(enc2utf8(text)),
       headers = c(`Content-Type` = structure_media_type, Vary = "Accept, Authorization",
                   `Cache-Control` = "private, no-cache"))
}

get_levels_of <- function(ask) {
  v <- match(ask$at$id, variable_ids(ask$server$variables))
  if (is.na(v)) problem("not_found")
  page_response(ask, view_levels_of(ask$server, v, query_cursor(ask), query_limit(ask, 200),
                                    query_language(ask)))
}

post_request <- function(ask) {
  key <- read_key(ask$request)
  wish <- read_wish(ask)
  server <- ask$server
  before <- answered_before(ask, key)
  if (is.null(before)) {
    spend_idle(ask$service, ask$user, wish$set)
    spend_quota(ask, key)
  }
  ask$judged <- TRUE
  if (ask$service$queued) {
    return(queue_request(ask, wish, key, before))
  }
  request <- list(user_id = ask$user, request_id = key, mask = set_id(server, wish$set),
                  form = wish$if_refused)
  answer_response(server, decide_request(server, request, ask$request$arrival, ask$service$clock))
}

# The row of the ledger, or NULL: it is repeated without end, and costs nothing.
answered_before <- function(ask, key) {
  if (is.null(key)) {
    return(NULL)
  }
  known_row(ask$server$store, list(user_id = ask$user, request_id = key))
}

get_request <- function(ask) {
  view <- if (is_request_id(ask$at$key)) {
    view_request(ask$server, ask$user, ask$at$key)
  }
  if (is.null(view)) problem("not_found")
  json_response(view)
}

get_requests <- function(ask) {
  page_response(ask, view_requests(ask$server, ask$user, query_cursor(ask, 2^49),
                                   query_limit(ask, 200)))
}

get_tables <- function(ask) {
  cursor <- query_cursor(ask)
  limit <- query_limit(ask, 200)
  state_document(ask, c("tables", cursor, limit), view_tables(ask$server, cursor, limit))
}

get_table <- function(ask) {
  set <- path_table(ask)
  json_response(view_table(ask$server, set, published_hash(ask$server, set)))
}

# A format that the server could offer with another package is not said to be unknown.
wanted_format <- function(ask, offered) {
  format <- ask$query$format
  if (is.null(format)) {
    return(negotiate(ask$request$headers[["accept"]], offered))
  }
  if (format %in% setdiff(names(download_formats), names(offered))) problem("not_acceptable")
  query_choice(ask, "format", names(offered))
}

get_data <- function(ask) {
  server <- ask$server
  format <- wanted_format(ask, offered_formats())
  lang <- query_language(ask)
  # what is out stays out
  found <- known_document(ask$service, ask$at$id, format, lang)
  if (is.null(found)) {
    set <- path_table(ask)
    if (format == "xlsx" && n_cells_of(server, set) > max_book_rows) problem("not_acceptable")
    found <- document_of(ask$service, set, format, lang)
  }
  list(status = 200, file = found$file, headers = c(
    `Content-Type` = download_formats[[format]], ETag = found$etag,
    `Cache-Control` = data_caching(server), Vary = "Accept, Authorization",
    `Content-Disposition` = paste0("attachment; filename=\"", basename(found$file), "\""),
    `Content-Location` = found$link
  ))
}

# Counts never change; labels may be mended.
data_caching <- function(server) {
  if (is.null(server$metadata)) "private, max-age=31536000, immutable" else "private, no-cache"
}

# That of the labels in an answer: see label_language().
query_language <- function(ask) label_language(ask$server, ask$query$lang)

get_metadata <- function(ask) json_response(view_metadata(ask$server, query_language(ask)))

get_catalogue <- function(ask) {
  server <- ask$server
  lang <- query_language(ask)
  format <- if (is.null(ask$query$format)) {
    negotiate(ask$request$headers[["accept"]], catalogue_formats)
  } else {
    query_choice(ask, "format", names(catalogue_formats))
  }
  limit <- query_whole(ask, "limit", max_catalogue, 1, max_catalogue)
  rows <- released_rows(server, query_cursor(ask), limit)
  body <- if (format == "json") {
    to_json(catalogue_json(server, rows$rows, lang, ask$service$agency))
  } else {
    catalogue_sdmx(server, rows$rows, lang, ask$service$agency)
  }
  list(status = 200, body = charToRaw(enc2utf8(body)), headers = c(
    `Content-Type` = catalogue_formats[[format]], Vary = "Accept, Authorization",
    `Cache-Control` = "private, no-cache",
    if (rows$more) next_link(ask, rows$last)
  ))
}

get_card <- function(ask) {
  set <- query_set(ask, needed = TRUE)
  asked <- last_asked(ask$server, ask$user, set)
  state_document(ask, c("card", set, unlist(asked)), view_card(ask$server, set, asked))
}

get_levels <- function(ask) {
  set <- query_set(ask)
  state_document(ask, c("levels", is_operator(ask), set),
                 view_levels(ask$server, set, is_operator(ask)))
}

get_space <- function(ask) {
  server <- ask$server
  set <- query_set(ask)
  most <- n_variables_in(server$steps, seq_along(server$variables))
  dimension <- query_whole(ask, "dimension", NULL, 0, most)
  if (is.null(dimension)) problem("bad_request", "The parameter dimension must be given.")
  status <- query_choice(ask, "status", c(space_states, if (is_operator(ask)) "refused"))
  after <- read_after(ask, set, dimension)
  limit <- query_limit(ask, 50)
  state_document(
    ask, c("space", is_operator(ask), dimension, status, limit, "after", after, "of", set),
    view_space(server, set, dimension, status, after, limit, is_operator(ask))
  )
}

read_after <- function(ask, set, dimension) {
  cursor <- ask$query$cursor
  if (is.null(cursor)) {
    return(NULL)
  }
  after <- id_set(ask$server, cursor)
  size <- n_variables_in(ask$server$steps, after)
  if (is.null(after) || size != dimension || !all(set %in% after)) {
    problem("bad_request", "The cursor must be one that this list gave.")
  }
  after
}

get_frontier <- function(ask) {
  cursor <- query_cursor(ask)
  limit <- query_limit(ask, 200)
  state_document(ask, c("frontier", cursor, limit), view_frontier(ask$server, cursor, limit))
}

get_lattice <- function(ask) {
  if (length(ask$server$variables) > 8 || !is.null(ask$server$steps)) problem("not_found")
  state_document(ask, c("lattice", is_operator(ask)), view_lattice(ask$server, is_operator(ask)))
}

is_operator <- function(ask) ask$role == "operator"

get_decisions <- function(ask) {
  page_response(ask, view_decisions(ask$server, query_cursor(ask, 2^49), query_limit(ask, 200)))
}

get_what_if <- function(ask) {
  json_response(view_what_if(ask$server, query_set(ask, needed = TRUE)))
}

get_history <- function(ask) {
  json_response(view_history(ask$server, query_whole(ask, "upto", Inf, 0, 2^49)))
}

get_audit <- function(ask) json_response(view_audit(ask$server))
