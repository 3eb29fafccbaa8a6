# What a worker does with a chunk of items.

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
