# From a path to its route without trying patterns: routes are looked up by their path, in which
# each parameter is replaced by "{}". Where parameters stand follows from the first two parts of a
# path and the number of parts, which all routes of one kind must share. A path without parameters
# goes first, so that it may stand beside one with.

# `by_path`: lists of routes, by method; `places`: of the parameters.
route_dictionary <- function(routes) {
  by_path <- new.env(parent = emptyenv())
  places <- new.env(parent = emptyenv())
  for (route in routes) {
    parts <- path_parts(route$path)
    key <- with_places(parts, route$at)
    same <- by_path[[key]]
    stopifnot(!route$method %in% names(same))
    same[[route$method]] <- route
    by_path[[key]] <- same
    if (length(route$at) > 0) {
      kind <- path_kind(parts)
      stopifnot(is.null(places[[kind]]) || identical(places[[kind]], route$at))
      places[[kind]] <- route$at
    }
  }
  list(by_path = by_path, places = places)
}

path_parts <- function(path) strsplit(path, "/", fixed = TRUE, useBytes = TRUE)[[1]][-1]
path_kind <- function(parts) paste(parts[1], parts[2], length(parts))

with_places <- function(parts, at) {
  parts[at] <- "{}"
  paste0("/", parts, collapse = "")
}

# list(route, at): the route, and the parts of the path that its parameters name, not decoded. HEAD
# is GET, of which only the headers are sent.
find_route <- function(dictionary, request) {
  path <- request$path
  if (!startsWith(path, "/") || !validUTF8(path)) problem("not_found")
  found <- dictionary$by_path[[path]] %||% find_by_places(dictionary, path)
  if (is.null(found)) problem("not_found")
  method <- if (request$method == "HEAD") "GET" else request$method
  route <- found[[method]]
  if (is.null(route)) {
    allowed <- c(names(found), if ("GET" %in% names(found)) "HEAD")
    problem("method_not_allowed", headers = c(Allow = paste(allowed, collapse = ", ")))
  }
  at <- if (length(route$at) > 0) {
    stats::setNames(as.list(path_parts(path)[route$at]), route$names)
  }
  list(route = route, at = at)
}

find_by_places <- function(dictionary, path) {
  parts <- path_parts(path)
  at <- dictionary$places[[path_kind(parts)]]
  # a slash at the end makes no part
  if (!is.null(at) && all(nzchar(parts[at])) && !endsWith(path, "/")) {
    dictionary$by_path[[with_places(parts, at)]]
  }
}
