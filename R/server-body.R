# Requests that are not complete yet: their bodies, and their connections.
#
# httpuv puts each body into a connection of R, of which there are 128 for everything, and keeps it
# as long as the client likes. So that nobody can hold them all by requests that are never
# completed, few bodies are kept, in memory; where there are more, the address that has most loses
# its oldest.

most_bodies <- 40

# What is in the place of a body for httpuv, from the headers on.
keep_body <- function(service, req) {
  if (as.numeric(req$HTTP_CONTENT_LENGTH %||% "0") == 0) {
    return(invisible())
  }
  if (length(service$bodies) >= most_bodies) drop_body(service)
  req$.bodyData <- rawConnection(raw(), "r+b")
  service$bodies <- c(service$bodies, list(req))
}

# What else comes of that body goes nowhere.
drop_body <- function(service) {
  addresses <- vapply(service$bodies, function(req) req$REMOTE_ADDR %||% "", "")
  often <- names(which.max(table(addresses)))
  oldest <- match(often, addresses)
  req <- service$bodies[[oldest]]
  close(req$.bodyData)
  service$nowhere <- service$nowhere %||% file(nullfile(), "w+b")
  req$.bodyData <- service$nowhere
  req$body_dropped <- TRUE
  service$bodies <- service$bodies[-oldest]
}

# The connection is given back as soon as the body has been read: more answers than R has
# connections may wait for their moment.
free_body <- function(service, req) {
  if (is.null(req$.bodyData)) {
    return(invisible())
  }
  close(req$.bodyData)
  req$.bodyData <- NULL
  service$bodies <- Filter(function(other) !identical(other, req), service$bodies)
}

close_bodies <- function(service) {
  for (req in service$bodies) {
    close(req$.bodyData)
    req$.bodyData <- NULL
  }
  service$bodies <- NULL
  if (!is.null(service$nowhere)) close(service$nowhere)
  service$nowhere <- NULL
}

# ---- connections --------------------------------------------------------------------------------

# httpuv waits for the rest of a request for ever. So connections of a port are looked at each
# second, and shut where a request takes too long; and where there are too many, those that have
# said nothing, or half, for some time.
request_s <- 10
held_patience_s <- 3
most_of_address <- 400
most_connections <- 800
look_at_connections_s <- 1

shut_held_connections <- function(service) {
  now <- service$clock()
  if (is.null(service$watch) || now - service$looked_at < look_at_connections_s) {
    return(invisible())
  }
  service$looked_at <- now
  rules <- list(request_s = request_s, patience_s = held_patience_s,
                most_of_address = most_of_address, most = most_connections)
  cpp_shut_connections(service$watch, now, rules, service$clients)
}
