# Reading what was sent: query, path, body and headers. Nothing of it is believed.

# Named list of decoded values: each parameter at most once, and only those that there are.
read_query <- function(query, known) {
  query <- sub("^[?]", "", query, useBytes = TRUE)
  if (!nzchar(query)) {
    return(list())
  }
  parts <- strsplit(query, "&", fixed = TRUE, useBytes = TRUE)[[1]]
  parts <- parts[nzchar(parts)]
  name <- vapply(sub("=.*", "", parts, useBytes = TRUE), decode_part, "", USE.NAMES = FALSE)
  if (!all(name %in% known)) {
    problem("bad_request", if (length(known) == 0) "There are no parameters here." else
      paste0("The parameters are: ", paste(known, collapse = ", "), "."))
  }
  if (anyDuplicated(name)) problem("bad_request", "A parameter is given twice.")
  value <- ifelse(grepl("=", parts, fixed = TRUE, useBytes = TRUE),
                  sub("^[^=]*=", "", parts, useBytes = TRUE), "")
  stats::setNames(lapply(value, decode_part), name)
}

decode_part <- function(text) {
  bad <- function() problem("bad_request", "The address holds bytes that are no text.")
  if (grepl("%(?![0-9A-Fa-f]{2})|%00", text, perl = TRUE, useBytes = TRUE)) bad()
  text <- utils::URLdecode(gsub("+", " ", text, fixed = TRUE, useBytes = TRUE))
  Encoding(text) <- "UTF-8"
  if (!validUTF8(text)) bad()
  text
}

query_whole <- function(ask, name, default, min, max) {
  text <- ask$query[[name]]
  if (is.null(text)) {
    return(default)
  }
  value <- if (grepl("^[0-9]{1,15}$", text)) as.numeric(text) else NA
  if (is.na(value) || value < min || value > max) {
    problem("bad_request", paste0("The parameter ", name, " must be a whole number from ",
                                  whole_text(min), " to ", whole_text(max), "."))
  }
  value
}

query_limit <- function(ask, max) query_whole(ask, "limit", min(50, max), 1, max)
query_cursor <- function(ask, default = 0) query_whole(ask, "cursor", default, 0, 2^49)

query_choice <- function(ask, name, values, default = values[1]) {
  text <- ask$query[[name]] %||% default
  if (!text %in% values) {
    problem("bad_request", paste0("The parameter ", name, " must be one of: ",
                                  paste(values, collapse = ", "), "."))
  }
  text
}

# Names or ids of variables, with commas between them.
query_set <- function(ask, needed = FALSE) {
  text <- ask$query$variables
  if (is.null(text) || !nzchar(text)) {
    if (needed) problem("bad_request", "The parameter variables must be given.")
    return(integer())
  }
  named_set(ask$server, strsplit(text, ",", fixed = TRUE)[[1]])
}

named_set <- function(server, named) {
  set <- match_variables(server, named)
  if (anyNA(set)) problem("unknown_variable")
  if (anyDuplicated(server$steps$variable[set] %||% set)) problem("repeated_variable")
  close_set(server$steps, sort(set))
}

# Never released, or nonsense: nobody is told which.
path_table <- function(ask) {
  set <- id_set(ask$server, ask$at$id)
  if (is.null(set)) problem("not_found")
  # another process may have released it just now
  if (!is_released(ask$server, set)) refresh_reader(ask$server, age_s = 0)
  if (!is_released(ask$server, set)) problem("not_found")
  set
}

read_body <- function(request) {
  type <- tolower(request$headers[["content-type"]] %||% "")
  if (!grepl("^application/json *(; *charset=\"?utf-8\"? *)?$", type, useBytes = TRUE)) {
    problem("unsupported_media_type")
  }
  if (!is.null(request$headers[["content-encoding"]])) problem("unsupported_media_type")
  bad <- function(...) problem("bad_request", "The body must be a JSON object.")
  if (any(request$body == 0)) bad()
  text <- rawToChar(request$body)
  Encoding(text) <- "UTF-8"
  # a zero would cut the text short
  if (!validUTF8(text) || too_deep(request$body) || grepl("\\u0000", text, fixed = TRUE)) bad()
  body <- tryCatch(jsonlite::parse_json(text), error = bad, warning = bad)
  if (!is.list(body) || (length(body) > 0 && is.null(names(body)))) bad()
  body
}

# Brackets within brackets, which no body of ours has.
too_deep <- function(bytes) sum(bytes == charToRaw("[")) + sum(bytes == charToRaw("{")) > 16

is_text <- function(x) is.character(x) && length(x) == 1 && !is.na(x)

read_wish <- function(ask) {
  body <- read_members(ask, c("variables", "if_refused", level_member(ask)))
  if_refused <- body$if_refused %||% "nothing"
  if (!is_text(if_refused) || !if_refused %in% c("nothing", "projected")) {
    problem("bad_request", "The member if_refused must be \"nothing\" or \"projected\".")
  }
  list(set = body_set(ask, body), if_refused = if_refused)
}

# Where the server offers levels.
level_member <- function(ask) if (!is.null(ask$server$steps)) "levels"

# A body with these members and no others.
read_members <- function(ask, known) {
  body <- read_body(ask$request)
  if (!all(names(body) %in% known) || anyDuplicated(names(body))) {
    problem("bad_request", paste0("The members of the body are ", paste(known, collapse = ", "),
                                  ", each at most once."))
  }
  body
}

body_set <- function(ask, body) {
  named <- body$variables
  if (!is.list(named) || !is.null(names(named)) || !all(vapply(named, is_text, NA))) {
    problem("bad_request", "The member variables must be an array of strings.")
  }
  named_set(ask$server, wish_at_levels(ask$server, as.character(unlist(named)), body$levels))
}

# Variables, with the levels that an object says for some of them.
wish_at_levels <- function(server, named, levels) {
  if (length(levels) == 0) {
    return(named)
  }
  ok <- is.list(levels) && !is.null(names(levels)) && all(vapply(levels, is_text, NA)) &&
    !anyDuplicated(names(levels)) && all(names(levels) %in% named)
  if (!ok) {
    problem("bad_request",
            "The member levels must be an object: for some of the variables the name of a level.")
  }
  at <- match(names(levels), named)
  named[at] <- step_labels(server$steps, names(levels), as.character(unlist(levels)))
  named
}

read_key <- function(request) {
  key <- request$headers[["idempotency-key"]]
  if (!is.null(key) && !is_request_id(key)) {
    problem("bad_request",
            "The Idempotency-Key must have 1 to 64 letters, digits, underscores or hyphens.")
  }
  key
}

# The offer that is wanted most, by name; `offers`: media types, the first is for who takes any.
negotiate <- function(accept, offers) {
  if (is.null(accept) || accept == "*/*" || !nzchar(trimws(accept))) {
    return(names(offers)[1])
  }
  bare <- function(type) tolower(gsub(" ", "", sub(";.*", "", type)))
  wanted <- strsplit(accept, ",", fixed = TRUE)[[1]]
  q <- suppressWarnings(as.numeric(sub(".*; *q= *([0-9.]+).*", "\\1", wanted)))
  q[!grepl("; *q=", wanted)] <- 1
  q[is.na(q)] <- 0
  quality <- vapply(bare(offers), function(offer) {
    ranges <- c(offer, sub("/.*", "/*", offer), "*/*")
    at <- match(ranges, bare(wanted))
    if (all(is.na(at))) 0 else q[at[!is.na(at)][1]]
  }, 0)
  if (max(quality) == 0) problem("not_acceptable")
  names(offers)[which.max(quality)]
}
