# A process that answers: alone, or as one of several beside a judge.

# How long a process may take to be ready.
ready_s <- 60

# `settings`: the arguments of serve(). `i`: which of the processes; `ready` is called when it
# listens.
run_worker <- function(server, settings, i, ready = function() NULL) {
  service <- settings_service(server, settings, queued = TRUE)
  on.exit(close_service(service))
  cpp_watch_signals(TRUE)
  at <- worker_address(settings, i)
  handle <- listen_at_last(service, settings$host, at, function() {
    start_service(service, settings$host, at$port, at$part)
  })
  on.exit(httpuv::stopServer(handle), add = TRUE, after = FALSE)
  door <- door_address(settings, i)
  open_door(service, settings, door, at)
  on.exit(close_door(service), add = TRUE, after = FALSE)
  # this thread alone: those of the door and of httpuv, which are there by now, come before it
  be_nice(worker_nice)
  ready()
  parent <- cpp_parent_pid()
  while (cpp_signal_seen() == "" && cpp_parent_pid() == parent) serve_awhile(service, 100)
  service$leaving <- TRUE
  cpp_leave_door(service$door)
  linger(service)
  drain(service)
  for (own in list(door, at)) if (!is.null(own$socket)) remove_own(own$socket, own$inode())
}

# Who sends an answer at its moment comes before who makes one, and who judges comes last: answers
# wait for the end of their slots.
worker_nice <- 5
judge_nice <- 8

be_nice <- function(by) tools::psnice(value = tools::psnice() + by)

worker_address <- function(settings, i) {
  if (is.null(settings$socket)) {
    return(list(port = settings$port + i - 1))
  }
  socket_address(paste0(settings$socket, "-", i))
}

# The ports of the doors come after those of all processes.
door_address <- function(settings, i) {
  if (is.null(settings$socket)) {
    return(list(port = settings$port + settings$workers + i - 1))
  }
  socket_address(paste0(settings$socket, "-", i, "-door"))
}

# What has reached this process is answered, and clients are told to come by another connection. On
# a busy machine it may have no processor for that long: so it also takes turns.
linger_s <- 0.3
linger_turns <- 15

linger <- function(service) {
  until <- service$clock() + linger_s
  turns <- 0
  while (service$clock() < until || turns < linger_turns) {
    httpuv::service(20)
    turns <- turns + 1
  }
}
