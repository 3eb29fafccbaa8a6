# Bodies of requests that are not complete yet.
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
