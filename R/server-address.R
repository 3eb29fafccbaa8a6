# Where a server listens, and what is said of it.

listen <- function(service, host, port, socket) {
  tryCatch(start_service(service, host, port, socket), error = function(cnd) {
    abort_address(socket %||% paste0(host, ":", port), parent = cnd)
  })
}

# Sockets take numbers alone. This machine's own name is known without asking anybody.
check_host <- function(host) {
  check_string(host)
  number <- sub("^\\[(.*)\\]$", "\\1", if (tolower(host) == "localhost") "127.0.0.1" else host)
  part <- "(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
  if (grepl(sprintf("^(%s[.]){3}%s$|^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$", part, part), number)) {
    return(number)
  }
  abort_sdc("input", c(
    "{.arg host} must be the number of an address, or {.val localhost}.",
    x = "{describe(host)}",
    i = "Use {.val 0.0.0.0} to listen on all addresses of this machine."
  ))
}

# Before anything is made or shown.
check_free <- function(port) {
  listener <- tryCatch(httpuv::startServer("127.0.0.1", port, list(), quiet = TRUE),
                       error = function(cnd) NULL)
  if (is.null(listener)) abort_address(paste0("127.0.0.1:", port))
  httpuv::stopServer(listener)
}

abort_address <- function(where, ...) {
  abort_sdc("server", c(
    "The address must be free.",
    x = "Nobody can listen on {.val {where}}.",
    i = "Another process may do so already: choose another {.arg port}."
  ), reason = "address", ...)
}

say_address <- function(server, settings, workers = NULL) {
  host <- settings$host
  socket <- settings$socket
  bare_six <- grepl(":", host, fixed = TRUE) && !startsWith(host, "[")
  shown <- if (bare_six) paste0("[", host, "]") else host
  where <- if (is.null(socket)) paste0("http://", shown, ":", settings$port, "/") else socket
  more <- if (!is.null(workers)) {
    paste0(" and further ones, ", plural(workers, "process", "processes"))
  }
  cat(
    "Serving ", shape_words(finest_shape(server)), " at ", where, more, "\n",
    "  ", if (settings$open) "without tokens: everybody on this machine may ask" else
      "for those who have a token: see issue_server_token()", "\n",
    "  stop with Ctrl-C\n", sep = ""
  )
}

# ---- names of sockets that are taken over -------------------------------------------------------

# `part`: the name of the socket until it takes over that of an old one.
socket_address <- function(socket) {
  at <- list(socket = socket, part = paste0(socket, ".", Sys.getpid()))
  at$inode <- local({
    own <- NULL
    function(set = FALSE) {
      if (set) own <<- cpp_file_identities(at$socket)
      own
    }
  })
  at
}

take_name <- function(at) {
  if (!is.null(at$socket)) {
    file.rename(at$part, at$socket)
    at$inode(TRUE)
  }
}

# Not when another process has taken the name over.
remove_own <- function(socket, identity) {
  if (identical(cpp_file_identities(socket), identity)) unlink(socket)
}

# How long a process waits for its port, and then for that of its door: both within `ready_s`.
port_s <- 25

# A new socket takes the name over from an old one; a port must become free, and for a moment others
# may have it. `listen` fails, or gives NULL, as long as nobody can listen there.
listen_at_last <- function(service, host, at, listen) {
  if (!is.null(at$part)) unlink(at$part)
  until <- service$clock() + if (is.null(at$socket)) port_s else 0
  repeat {
    handle <- tryCatch(listen(), error = function(cnd) cnd)
    failed <- inherits(handle, "error")
    if (!failed && !is.null(handle)) {
      take_name(at)
      return(handle)
    }
    if (service$clock() >= until || cpp_signal_seen() != "") {
      abort_address(at$socket %||% paste0(host, ":", at$port), parent = if (failed) handle)
    }
    Sys.sleep(0.01)
  }
}
