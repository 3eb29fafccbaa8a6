# Chunks of work: the session sends them to workers and puts together what comes back; a worker does
# them.

# So many times a chunk is tried.
most_tries <- 3

# Data of so many bytes go with each chunk; larger ones through a file.
most_sent_bytes <- 2^20

# The state of a task is an environment: `waiting` (numbers of items that nobody works on), `active`
# (chunks that somebody does), `found` (what came back, by item), `values` (of the first items, as
# far as they are there without a gap), `cost_s` and `sending_s` (the measured seconds of an item,
# and of sending a chunk).
work_by_workers <- function(items, f, parcel, tick, done, keep) {
  run <- new_work(items, f, parcel, tick, done)
  on.exit(unlink(run$folder, recursive = TRUE))
  interrupted <- FALSE
  tryCatch(
    while (!run$ended) work_step(run),
    interrupt = function(cnd) interrupted <<- TRUE
  )
  unlink(run$going)
  run$closing <- TRUE
  if (interrupted && !keep) rlang::interrupt()
  # those who work for nothing end soon, and their processes are free again
  while (length(run$active) > 0) collect_chunks(run)
  if (interrupted) deliver(run)
  run$values
}

new_work <- function(items, f, parcel, tick, done) {
  run <- rlang::env(
    items = items, f = f, tick = tick, done = done, waiting = seq_along(items), active = list(),
    found = vector("list", length(items)), values = list(), ended = FALSE, closing = FALSE,
    broken = FALSE, n_found = 0,
    tries = numeric(length(items)), cost_s = NA_real_, sending_s = 0,
    workers = min(future::nbrOfWorkers(), length(items)),
    threads = getOption("sdcLattice.worker_threads", 1)
  )
  check_threads(run$threads, "options(sdcLattice.worker_threads)")
  make_folder(run)
  pack_parcel(run, parcel)
  run
}

# Only the user can look into it.
make_folder <- function(run) {
  above <- getOption("sdcLattice.shared_folder") %||% tempdir()
  check_string(above, arg = "options(sdcLattice.shared_folder)")
  run$folder <- tempfile("sdcLattice-work-", tmpdir = normalizePath(above, mustWork = FALSE))
  check_that(
    dir.create(run$folder, mode = "0700", showWarnings = FALSE),
    "{.code options(sdcLattice.shared_folder)} must be a folder in which you can write.",
    x = "No folder can be made in {.file {above}}."
  )
  run$going <- file.path(run$folder, "going")
  file.create(run$going)
}

pack_parcel <- function(run, parcel) {
  run$bytes <- serialize(parcel, NULL)
  run$parcel <- list(hash = as.character(openssl::sha256(run$bytes)))
  if (length(run$bytes) <= most_sent_bytes) {
    run$parcel$bytes <- run$bytes
  } else {
    run$parcel$file <- file.path(run$folder, "shared")
    writeBin(run$bytes, run$parcel$file)
  }
}

# Each idle worker gets a chunk; then what is ready is collected. When a worker has died the others
# finish first, so that they lose nothing when the plan is set up again.
work_step <- function(run) {
  if (run$broken && length(run$active) == 0) {
    revive_workers()
    run$broken <- FALSE
  }
  while (!run$broken && length(run$waiting) > 0 && length(run$active) < run$workers) {
    size <- chunk_size(run)
    numbers <- run$waiting[seq_len(size)]
    run$waiting <- run$waiting[-seq_len(size)]
    send_chunk(run, numbers)
  }
  collect_chunks(run)
  deliver(run)
}

# One item until the cost is known. Then such a chunk that sending takes about a tenth of the time;
# where there is more to do than one such chunk for each worker, so small that there are two for
# each until the end.
chunk_size <- function(run) {
  if (is.na(run$cost_s) || run$tries[run$waiting[1]] > 0) {
    return(1)
  }
  most <- floor(min(30, max(1, 10 * run$sending_s)) / max(run$cost_s, 1e-6))
  fair <- ceiling(length(run$waiting) / run$workers)
  max(1, if (fair <= most) fair else min(most, ceiling(fair / 2)))
}

# `bytes`: the data go along, whatever their size.
send_chunk <- function(run, numbers, bytes = run$parcel$bytes) {
  run$tries[numbers] <- run$tries[numbers] + 1
  parcel <- run$parcel
  parcel$bytes <- bytes
  chunk <- list(items = run$items[numbers], f = run$f, parcel = parcel, going = run$going,
                threads = run$threads, version = own_version())
  sent <- tryCatch(
    future::future(work_chunk(chunk), substitute = TRUE, packages = "sdcLattice", seed = NULL,
                   globals = list(chunk = chunk, work_chunk = work_chunk), stdout = FALSE,
                   conditions = NULL),
    error = function(cnd) cnd
  )
  if (inherits(sent, "error")) {
    return(repeat_chunk(run, numbers, sent))
  }
  run$active <- c(run$active, list(list(numbers = numbers, future = sent,
                                        since = proc.time()[["elapsed"]])))
}

# Waits until a chunk is back, and takes all that are.
collect_chunks <- function(run) {
  pause <- .005
  while (length(run$active) > 0) {
    back <- vapply(run$active, is_back, NA)
    if (any(back)) {
      chunks <- run$active[back]
      run$active <- run$active[!back]
      for (chunk in chunks) take_chunk(run, chunk)
      return(invisible())
    }
    Sys.sleep(pause)
    pause <- min(.2, 1.3 * pause)
  }
}

# A worker that died is back as well: value() then says so.
is_back <- function(chunk) {
  tryCatch(future::resolved(chunk$future), error = function(cnd) TRUE)
}

take_chunk <- function(run, chunk) {
  # errors of the work are among the results: what is caught here is a worker that failed
  answer <- tryCatch(future::value(chunk$future), error = function(cnd) cnd)
  if (inherits(answer, "error")) {
    return(if (!run$closing) repeat_chunk(run, chunk$numbers, answer))
  }
  check_that(
    is.null(answer$version),
    "All workers must have the version of sdcLattice that this session has.",
    x = "Here it is {own_version()}, in a worker {answer$version}.",
    i = "Install the same version everywhere.", .kind = "workers"
  )
  if (isTRUE(answer$missing)) {
    run$tries[chunk$numbers] <- run$tries[chunk$numbers] - 1
    return(if (!run$closing) send_chunk(run, chunk$numbers, run$bytes))
  }
  got <- chunk$numbers[seq_along(answer$found)]
  run$found[got] <- answer$found
  run$n_found <- run$n_found + length(got)
  learn_cost(run, chunk, answer)
  run$waiting <- c(setdiff(chunk$numbers, got), run$waiting)
  failed <- any(vapply(answer$found, function(one) !is.null(one$error), NA))
  # nothing after an error counts
  if (failed) run$waiting <- run$waiting[run$waiting < max(got)]
  if (!is.null(run$tick)) run$tick(run$n_found / length(run$items))
}

learn_cost <- function(run, chunk, answer) {
  if (length(answer$found) == 0) {
    return(invisible())
  }
  run$cost_s <- mean(vapply(Filter(Negate(is.null), run$found), `[[`, 0, "clock_s"))
  took <- proc.time()[["elapsed"]] - chunk$since
  done <- vapply(answer$found, `[[`, 0, "clock_s")
  run$sending_s <- max(0, took - sum(done))
}

repeat_chunk <- function(run, numbers, cnd) {
  text <- strsplit(cli::ansi_strip(conditionMessage(cnd)), "\n", fixed = TRUE)[[1]][1]
  check_that(
    max(run$tries[numbers]) < most_tries,
    "The workers of {.fn future::plan} must finish what they are given.",
    x = "The same work failed {most_tries} times. The last time: {text}",
    i = "A worker that needs more memory than there is may be killed by the system. Use fewer
         workers, or {.code future::plan(\"sequential\")}.", .kind = "workers"
  )
  run$broken <- TRUE
  run$waiting <- c(numbers, run$waiting)
}

# The values that are there without a gap, each once; an error is thrown in its turn.
deliver <- function(run) {
  while (length(run$values) < length(run$items)) {
    i <- length(run$values) + 1
    one <- run$found[[i]]
    if (is.null(one)) {
      return(invisible())
    }
    run$found[i] <- list(list(clock_s = one$clock_s))
    for (cnd in one$conditions) signal_again(cnd)
    if (!is.null(one$error)) signal_again(one$error)
    run$values[i] <- list(one$value)
    if (isTRUE(run$done(one$value, i))) break
  }
  run$ended <- TRUE
}

signal_again <- function(cnd) {
  cnd["call"] <- list(user_call())
  if (inherits(cnd, "error")) stop(cnd)
  if (inherits(cnd, "warning")) warning(cnd) else message(cnd)
}

# A worker that died is no worker of the plan any more. The plan starts its own workers anew; of a
# cluster that the user made, those that live are left.
revive_workers <- function() {
  plan <- future::plan("next")
  if (!inherits(plan, "cluster")) {
    return(invisible())
  }
  nodes <- formals(plan)$workers
  if (inherits(nodes, "cluster")) {
    alive <- vapply(nodes, is_alive, NA)
    if (any(alive)) plan <- future::tweak(plan, workers = nodes[alive])
  }
  future::plan("sequential")
  future::plan(plan)
}

# An idle worker has nothing to say; the end of its connection can be read.
is_alive <- function(node) {
  tryCatch(!socketSelect(list(node$con), timeout = 0), error = function(cnd) FALSE)
}

# ---- a worker's side -----------------------------------------------------------------------------

make_ready <- function(parcel) {
  if (is.null(parcel$prepare)) parcel$shared else parcel$prepare(parcel$shared)
}

# What this process holds for the task of which it got chunks last: `hash` and `ready`.
worker_memory <- new.env(parent = emptyenv())

# Does a chunk: for each item a list with `value` or `error`, `conditions` (warnings and messages)
# and `clock_s`. Items after one that failed, or after the end of the task, are left out.
work_chunk <- function(chunk) {
  begin <- proc.time()[["elapsed"]]
  if (!identical(chunk$version, own_version())) {
    return(list(version = own_version()))
  }
  rlang::local_options(sdcLattice.threads = chunk$threads)
  if (!remember_parcel(chunk$parcel)) {
    return(list(missing = TRUE))
  }
  tick <- ending_when_gone(chunk$going)
  out <- list()
  for (item in chunk$items) {
    if (length(out) > 0 && tick(0)) break
    one <- work_item(chunk$f, item, worker_memory$ready, tick)
    if (is.null(one)) break
    out[[length(out) + 1]] <- one
    if (!is.null(one$error)) break
  }
  list(found = out, clock_s = proc.time()[["elapsed"]] - begin)
}

own_version <- function() as.character(utils::packageVersion("sdcLattice"))

# FALSE when the file of the data is on a disk that this machine lacks.
remember_parcel <- function(parcel) {
  if (identical(worker_memory$hash, parcel$hash)) {
    return(TRUE)
  }
  bytes <- parcel$bytes
  if (is.null(bytes)) {
    if (!file.exists(parcel$file)) {
      return(FALSE)
    }
    bytes <- readBin(parcel$file, "raw", file.size(parcel$file))
  }
  worker_memory$hash <- NULL
  worker_memory$ready <- make_ready(unserialize(bytes))
  worker_memory$hash <- parcel$hash
  TRUE
}

# A tick that asks, some times a second, whether the file is still there that the task keeps while
# it goes on. TRUE: it is not. On a machine that lacks the folder of the file, the task goes on.
ending_when_gone <- function(file) {
  seen <- dir.exists(dirname(file))
  asked <- proc.time()[["elapsed"]]
  gone <- FALSE
  function(done) {
    now <- proc.time()[["elapsed"]]
    if (seen && !gone && (done == 0 || now - asked > .1)) {
      gone <<- !file.exists(file)
      asked <<- now
    }
    gone
  }
}

# NULL after an interrupt.
work_item <- function(f, item, ready, tick) {
  heard <- list()
  begin <- proc.time()[["elapsed"]]
  keep <- function(cnd, restart) {
    heard[[length(heard) + 1]] <<- bare_condition(cnd)
    invokeRestart(restart)
  }
  found <- tryCatch(
    withCallingHandlers(
      list(value = f(item, ready, tick)),
      warning = function(cnd) keep(cnd, "muffleWarning"),
      message = function(cnd) keep(cnd, "muffleMessage")
    ),
    error = function(cnd) list(error = bare_condition(cnd)),
    interrupt = function(cnd) NULL
  )
  if (is.null(found)) {
    return(NULL)
  }
  c(found, list(conditions = heard, clock_s = proc.time()[["elapsed"]] - begin))
}

# The call and the trace of a condition may hold the table.
bare_condition <- function(cnd) {
  cnd["call"] <- list(NULL)
  cnd["trace"] <- list(NULL)
  cnd
}
