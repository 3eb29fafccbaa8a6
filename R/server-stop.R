# How serving ends: by an interrupt (Ctrl-C) or by the signal that asks a process to end. Requests
# that came before are answered, each at its moment; those that come later are told to ask again.

# Until a signal comes. Where signals cannot be watched, R's own interrupt ends it.
serve_until_signal <- function(service) {
  cpp_watch_signals(TRUE)
  on.exit(cpp_watch_signals(FALSE))
  tryCatch(
    while (cpp_signal_seen() == "") serve_awhile(service, 200),
    interrupt = function(cnd) NULL
  )
  signal <- cpp_signal_seen()
  drain(service)
  signal
}

serve_awhile <- function(service, ms) {
  httpuv::service(ms)
  if (cpp_reopen_seen()) reopen_log(service)
  shut_held_connections(service)
}

# Answers that wait for the end of their slot leave; then the sockets get a moment to send them.
drain <- function(service, patience_s = service$server$policy$tick_s + 10) {
  service$stopping <- TRUE
  until <- service$clock() + patience_s
  while (is_waiting(service) && service$clock() < until) httpuv::service(50)
  for (turn in 1:4) httpuv::service(50)
}

# Who leaves a place to another answers look-ups to the end: over a connection that was kept they
# may come at any time.
is_too_late <- function(service, method, path) {
  kept <- service$leaving && isTRUE(method %in% c("GET", "HEAD"))
  isTRUE(service$stopping) && !identical(path, live_path) && !kept
}

# Does an answer wait for the end of its slot, here or in the door?
is_waiting <- function(service) {
  length(service$clients) > 0 || (!is.null(service$door) && cpp_busy_door(service$door) > 0)
}
