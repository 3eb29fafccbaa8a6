# Workers of the future package: how functions share their work with other processes and other
# machines, and what a worker does with a chunk of items.

#' How other processes and machines share the work
#'
#' Some functions share their work with workers of package future: processes on this machine, on
#' machines that are reached by ssh, or jobs of a cluster. The user chooses the workers by
#' [future::plan()]; without a plan, and without the package, everything is done here. Results
#' never depend on workers: what an item of work draws at random is numbered by the item.
#'
#' # Which functions
#' [release_anneal()] shares its chains, [release_reducible()] its `searches`, [critical_widths()]
#' the sub-tables, [verify_release()] the cells with certificates, [risk_utility()] the simulated
#' publications, [tune()] the designs, and [compare_methods()] the publications of each method.
#' [bounds_margins()], and with it `audit()` of a suppression, share the parts into which what was
#' released falls: prime components of margins, and cells that no sum connects any more once all
#' that is known is taken out, such as those of a region whose totals are published. What a worker
#' calls itself runs there without further workers, unless the plan has a second level. Where
#' methods or measures of [compare_methods()] are functions of the user's own, not of a package, all
#' is done here.
#'
#' # What is not shared
#' * One search of [release_reducible()]: each of its steps begins with the best release of the step
#'   before, and all draw on one budget of work. Its threads share the steps ([sdcLattice-threads]);
#'   workers share whole searches.
#' * One large part of [bounds_margins()]: each table and each proof that is found for one cell
#'   settles ends of many others, so that blocks of cells would each do most of the work anew.
#' * [suppress()]: the regions that its threads search are neighbourhoods of one pattern, not parts
#'   of the table. What they find is put together after each round, for which all of them need the
#'   pattern as the round before left it.
#' * `audit()` of a table server: each answer narrows the tables that the next one is judged by, and
#'   the tables themselves are listed once.
#'
#' # Plans
#' * `future::plan("multisession", workers = 4)`: four processes on this machine.
#' * `future::plan("cluster", workers = c("a", "b"))`: machines that ssh reaches, with this version
#'   of the package.
#' * `future::plan(future.batchtools::batchtools_slurm, template = ..., workers = 4)`: jobs of
#'   Slurm, at most four at a time. `system.file("cluster", "slurm.tmpl", package = "sdcLattice")`
#'   is a template, and the script `slurm-node.sh` beside it sets up one node for trying it.
#'
#' # How the work is shared
#' Workers get items in chunks. The first chunks hold one item each and show how long an item takes,
#' and how long it takes to send one; later chunks are so large that sending takes about a tenth of
#' the time, but never so large that other workers would wait at the end.
#'
#' What all items need is sent once to each worker, which keeps it until it gets the next task. From
#' a megabyte on it goes through a file in a folder that only the user can read, and that is removed
#' at the end. The folder is in [tempdir()], or in `options(sdcLattice.shared_folder = )`, which
#' should be on a disk that all machines have. A worker that cannot see the file gets the data
#' itself.
#'
#' Each worker runs the core with one thread; `options(sdcLattice.worker_threads = 2)` says
#' otherwise. See [sdcLattice-threads].
#'
#' # When something goes wrong
#' The chunk of a worker that dies is repeated elsewhere, three times at most. An error in an item
#' is the error of the call, the same as without workers. An interrupt ends the call, and the
#' workers after their current item; [release_anneal()] returns the best release so far.
#'
#' # Progress
#' Progress bars count items that are done. Where package progressr is loaded, its handlers hear the
#' progress too, under any plan and whatever the argument `progress` says.
#'
#' # Confidential data
#' Workers hold the confidential table, as this session does: in memory, and in the file above while
#' the call runs. Package future.batchtools writes each chunk to a folder `.future` in the working
#' directory.
#'
#' @section Errors: `sdc_error_workers` when the same chunk failed three times, when no worker can
#'   be started, and when a worker has another version of the package.
#' @name sdcLattice-workers
#' @family table
#' @examplesIf requireNamespace("future", quietly = TRUE)
#' one <- release_anneal(czech_workers, risk_width(6), seed = 1, chains = 2)
#' old <- future::plan("multisession", workers = 2)
#' two <- release_anneal(czech_workers, risk_width(6), seed = 1, chains = 2)
#' future::plan(old)
#' identical(one$sets, two$sets)
NULL

# `f(item, ready, tick)` for each item, by workers where the user's plan has any: a list of values
# in the order of the items. `f` and `prepare` are functions of this package; nothing that they do
# may depend on the process, nor on R's random stream. `ready` is `prepare(shared)`, made once in
# each process, or `shared` itself; here it may be given. `tick` is as in with_progress(); that of
# an item answers TRUE when the item should end with what it has.
# `done(value, i)` hears the values in order, each as soon as all before it are there. When it
# answers TRUE the later items are left out. `keep`: after an interrupt, return what is there up to
# the first item that is missing.
work_apply <- function(items, f, shared = NULL, prepare = NULL, ready = NULL, tick = NULL,
                       done = NULL, keep = FALSE) {
  done <- done %||% function(value, i) FALSE
  if (length(items) > 1 && has_workers()) {
    return(work_by_workers(items, f, list(shared = shared, prepare = prepare), tick, done, keep))
  }
  work_here(items, f, shared, prepare, ready, tick, done)
}

# The same in this process, whatever the plan is.
work_here <- function(items, f, shared = NULL, prepare = NULL, ready = NULL, tick = NULL,
                      done = function(value, i) FALSE) {
  ready <- ready %||% make_ready(list(shared = shared, prepare = prepare))
  out <- list()
  for (i in seq_along(items)) {
    value <- f(items[[i]], ready, item_tick(tick, i, length(items)))
    out[i] <- list(value)
    if (isTRUE(done(value, i))) break
    if (!is.null(tick)) tick(i / length(items))
  }
  out
}

# Has the user set a plan with workers? Without package future loaded, nobody has.
has_workers <- function() {
  isNamespaceLoaded("future") && !inherits(future::plan(), "sequential")
}

n_workers <- function() if (has_workers()) future::nbrOfWorkers() else 1

# The progress bar of one item of several.
item_tick <- function(tick, i, n) {
  if (!is.null(tick)) function(done) tick((i - 1 + done) / n)
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
