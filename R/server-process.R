# serve(workers = ): one process that starts and watches the others: those that answer, each on a
# port or socket of its own, with another one for requests (server-http.R); one that judges; and a
# second that judges when the first one cannot. They are forks of it, so that the private table is
# in memory once and on no disk. The process that watches has no store and no socket open, and
# starts anew whatever ends.
#
# SIGHUP: all that answer are replaced, one after the other. On a Unix socket the new process takes
# the name over while the old one answers what has reached it; on a port, which only one process can
# hold, connections are refused for some milliseconds: the proxy asks the next process meanwhile.

serve_processes <- function(server, workers, settings) {
  check_forks(server, workers, settings)
  crew <- new_crew(server, workers, settings)
  close_store(server$store)
  cpp_watch_signals(TRUE, TRUE)
  on.exit({
    cpp_watch_signals(FALSE)
    unlink(crew$folder, recursive = TRUE)
  })
  for (name in crew$names) start_member(crew, name)
  wait_until_ready(crew, crew$names)
  if (!settings$quiet) say_address(server, settings, workers)
  while (cpp_signal_seen() == "") {
    restart_dead(crew)
    if (cpp_hang_up_seen()) roll_over(crew)
    if (cpp_reopen_seen()) reopen_logs(crew)
    Sys.sleep(watch_pause_s)
  }
  end_crew(crew)
  signal <- cpp_signal_seen()
  if (signal != "terminate") server$store <- reopen_store(server$store)
  invisible(server)
}

watch_pause_s <- 0.05

new_crew <- function(server, workers, settings) {
  folder <- tempfile("sdcLattice-serve")
  dir.create(folder, mode = "0700")
  settings$workers <- workers
  settings$documents <- documents_folder(settings$documents %||% file.path(folder, "documents"))
  settings$metrics <- settings$metrics %||% file.path(folder, "metrics")
  judges <- if (!isTRUE(settings$read_only)) c("judge-1", "judge-2")
  list2env(list(
    server = server, settings = settings, folder = folder, members = list(),
    names = c(judges, paste0("worker-", seq_len(workers)))
  ), parent = emptyenv())
}

# ---- processes ----------------------------------------------------------------------------------

# A process of that name; the one that has it now is not touched.
start_member <- function(crew, name, failed = 0) {
  old <- crew$members[[name]]
  holder <- new_holder()
  mark <- tempfile(paste0(name, "-"), crew$folder)
  # detached: it would else wait at its end until its value is read
  job <- parallel::mcparallel(
    tryCatch(run_member(crew, name, holder, old$holder %||% "", function() file.create(mark)),
             error = function(cnd) saveRDS(cnd, error_file(mark))),
    detached = TRUE, mc.set.seed = FALSE
  )
  crew$members[[name]] <- list(pid = job$pid, mark = mark, holder = holder,
                               started = cpp_steady_s(), failed = failed)
}

error_file <- function(mark) paste0(mark, "-error")

# In the new process.
run_member <- function(crew, name, holder, dead, ready) {
  cpp_watch_signals(FALSE)
  # a fork of R compiles nothing unless it is told to; this one lives long
  compiler::enableJIT(3)
  server <- crew$server
  server$store <- reopen_store(server$store)
  if (startsWith(name, "judge")) {
    be_nice(judge_nice)
    run_judge(server, holder, dead, ready)
  } else {
    run_worker(server, crew$settings, as.integer(sub("worker-", "", name)), ready)
  }
  close_store(server$store)
}

is_running <- function(member) !cpp_child_ended(member$pid)

bury <- function(member) unlink(c(member$mark, error_file(member$mark)))

restart_dead <- function(crew) {
  for (name in crew$names) {
    member <- crew$members[[name]]
    if (is_running(member)) next
    was_ready <- file.exists(member$mark)
    # what is the matter with a process that ends before it is ready may last, and starting takes a
    # processor's time: so a new one waits, the longer the more have failed in a row
    if (!was_ready && cpp_steady_s() - member$started < 2^min(member$failed, 5)) next
    bury(member)
    start_member(crew, name, failed = if (was_ready) 0 else member$failed + 1)
  }
}

wait_until_ready <- function(crew, names) {
  until <- cpp_steady_s() + ready_s
  for (name in names) {
    while (!file.exists(crew$members[[name]]$mark)) {
      if (cpp_signal_seen() != "") break
      if (!is_running(crew$members[[name]]) || cpp_steady_s() > until) abort_not_ready(crew, name)
      Sys.sleep(0.01)
    }
  }
}

abort_not_ready <- function(crew, name) {
  error <- error_file(crew$members[[name]]$mark)
  parent <- if (file.exists(error)) readRDS(error)
  end_crew(crew)
  crew$server$store <- reopen_store(crew$server$store)
  if (inherits(parent, "sdc_error")) rlang::cnd_signal(parent)
  abort_sdc("server", c(
    "All processes must be ready to answer.",
    x = "{.val {name}} has ended, or was not ready in {ready_s} s.",
    i = "Start {.fn serve} in a session of R that has not served anything before."
  ), reason = "processes", parent = parent)
}

# Each is replaced when its successor is ready to take its place.
roll_over <- function(crew) {
  for (name in crew$names) {
    old <- crew$members[[name]]
    start_member(crew, name)
    if (startsWith(name, "worker") && is.null(crew$settings$socket)) {
      tools::pskill(old$pid, tools::SIGTERM)
    }
    await_successor(crew, name)
    tools::pskill(old$pid, tools::SIGTERM)
    wait_for_end(crew, list(old))
    bury(old)
  }
}

# Whatever ends meanwhile is started anew, the successor too.
await_successor <- function(crew, name) {
  until <- cpp_steady_s() + ready_s
  while (!file.exists(crew$members[[name]]$mark) && cpp_steady_s() < until) {
    restart_dead(crew)
    Sys.sleep(0.01)
  }
}

# Those that answer write it; each opens it anew.
reopen_logs <- function(crew) {
  for (name in crew$names[startsWith(crew$names, "worker")]) {
    tools::pskill(crew$members[[name]]$pid, tools::SIGUSR1)
  }
}

end_crew <- function(crew) {
  members <- crew$members
  judges <- startsWith(names(members), "judge")
  # what is asked already is decided before the judges end
  for (part in list(members[!judges], members[judges])) {
    for (member in part) tools::pskill(member$pid, tools::SIGTERM)
    wait_for_end(crew, part)
    for (member in part) bury(member)
  }
}

wait_for_end <- function(crew, members) {
  until <- cpp_steady_s() + crew$server$policy$tick_s + 15
  for (member in members) {
    while (is_running(member) && cpp_steady_s() < until) Sys.sleep(0.01)
    if (is_running(member)) tools::pskill(member$pid, tools::SIGKILL)
  }
}

check_forks <- function(server, workers, settings) {
  check_whole(workers, min = 1, max = 256, arg = "workers")
  check_shared(server$store)
  check_installed("parallel", "to serve by several processes")
  if (.Platform$OS.type == "windows") {
    abort_sdc("input", c(
      "{.arg workers} must be `NULL` on Windows.",
      x = "R cannot fork there."
    ))
  }
  last <- settings$port + 2 * workers - 1
  if (is.null(settings$socket) && last > 65535) {
    abort_sdc("input", c(
      "{.arg port} must leave room for {2 * workers} ports, two for each process.",
      x = "The last one would be {last}."
    ))
  }
}

# ---- a process that answers ---------------------------------------------------------------------

# How long a process may take to be ready.
ready_s <- 60

# `settings`: the arguments of serve(). `i`: which of the processes; `ready` is called when it
# listens.
run_worker <- function(server, settings, i, ready = function() NULL) {
  service <- settings_service(server, settings, queued = TRUE)
  on.exit(close_service(service))
  cpp_watch_signals(TRUE)
  at <- address_of(settings, i)
  handle <- listen_at_last(service, settings$host, at, function() {
    start_service(service, settings$host, at$port, at$part)
  })
  on.exit(httpuv::stopServer(handle), add = TRUE, after = FALSE)
  door <- address_of(settings, i, door = TRUE)
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
  for (own in list(door, at)) {
    # not when another process has taken the name over
    if (!is.null(own$socket) && identical(cpp_file_identities(own$socket), own$inode())) {
      unlink(own$socket)
    }
  }
}

# Who sends an answer at its moment comes before who makes one, and who judges comes last: answers
# wait for the end of their slots.
worker_nice <- 5
judge_nice <- 8

be_nice <- function(by) tools::psnice(value = tools::psnice() + by)

# Of process number `i`, or of its door. The ports of the doors come after those of all processes.
address_of <- function(settings, i, door = FALSE) {
  if (is.null(settings$socket)) {
    return(list(port = settings$port + i - 1 + if (door) settings$workers else 0))
  }
  socket_address(paste0(settings$socket, "-", i, if (door) "-door"))
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

# ---- where a server listens ---------------------------------------------------------------------

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
