# Who shares work, and how far it is: progress, threads, and workers of the future package. What
# is done with what comes back from workers is in base-workers-run.R.

# Limits of work count the processor time of this process: what else the machine does changes no
# result.
work_seconds <- function() sum(proc.time()[c("user.self", "sys.self")])

# Runs `work(tick)`, where tick is NULL or a function of the share done that moves a progress bar,
# and tells the handlers of package progressr where the user has loaded it.
with_progress <- function(label, work, show = rlang::is_interactive()) {
  heard <- isNamespaceLoaded("progressr")
  if (!show && !heard) {
    return(work(NULL))
  }
  bar <- NULL
  if (show) {
    # at its end it stays open, as work in several parts may come there more than once
    bar <- cli::cli_progress_bar(label, total = progress_steps, .auto_close = FALSE,
                                 auto_terminate = FALSE)
    on.exit(cli::cli_progress_done(id = bar))
  }
  # it stays open when the work ends early, which is no fault
  tell <- if (heard) {
    progressr::progressor(steps = progress_steps, label = label, on_exit = FALSE)
  }
  last <- 0
  work(function(done) {
    now <- floor(progress_steps * done)
    if (show) cli::cli_progress_update(set = now, id = bar)
    if (heard && now > last) tell(amount = now - last)
    last <<- max(now, last)
    invisible()
  })
}

progress_steps <- 1000

# A progress bar that answers an interrupt by TRUE, as does the tick of a worker whose task was
# ended: the core then ends with what it has.
keeping_tick <- function(tick) {
  if (is.null(tick)) {
    return(NULL)
  }
  function(done) {
    tryCatch({
      isTRUE(tick(done))
    }, interrupt = function(condition) TRUE)
  }
}

#' How many threads are used
#'
#' Functions that have an argument `threads`, such as [sdc_table()], [posterior()], [suppress()],
#' [bounds_margins()] and [audit()], let several threads of the C++ core share their work. Results
#' never depend on how many there are.
#'
#' # How many
#' The argument `threads` says it for one call, and `options(sdcLattice.threads = 8)` for all calls
#' of a session. Where neither does, the environment variable `OMP_NUM_THREADS` says it (the first
#' number, when it lists several), and else there are two.
#'
#' Limits of the system come first, whatever is asked for: never more than `OMP_THREAD_LIMIT`, and
#' never more than two while R checks a package with `_R_CHECK_LIMIT_CORES_`, as CRAN does.
#'
#' # Which functions have threads
#' * **Tables**: [sdc_table()] and [magnitude_table()] share records, and
#'   [sensitive()][sensitive.sdc_magnitude] the cells that it judges.
#' * **What a publication tells**: [bounds_margins()] shares parts of large systems and their cells,
#'   [posterior()] bands, [count_tables()] independent parts, [risk_utility()] simulated
#'   publications.
#' * **Releases**: [release_reducible()] shares cells and trees, [verify_release()] certificates,
#'   [plan_server()] envelopes.
#' * **Suppression**: [suppress()] shares regions, [audit()] the cells that single contributors and
#'   pairs may learn.
#'
#' The others have none, because threads would gain little. [perturb()] spends most of its time on
#' copies, checks and the seal of its result. [round_controlled()], [round_small()] and
#' [redistribute()] look for one answer to the whole problem, and where that falls apart, nearly all
#' work is in its largest part. Many calls that do not depend on each other may use workers: see
#' [sdcLattice-workers].
#'
#' # What threads do
#' Threads share parts of one computation. They run no R code: progress, interrupts and errors come
#' from R's own thread. Sums of numbers with decimals are taken in a fixed order. Small tasks stay
#' on one thread, since threads take time to start. Memory grows by a few megabytes for each thread.
#'
#' Where other processes use the cores too, as workers of the future package or jobs of a queue do,
#' `options(sdcLattice.threads = 1)` in each of them keeps them out of each other's way.
#'
#' @section Errors: `sdc_error_input` when `threads`, or the option, is not a whole number from 1 to
#'   1024.
#' @name sdcLattice-threads
#' @family table
#' @examples
#' old <- options(sdcLattice.threads = 1)
#' one <- sdc_table(Titanic)
#' options(old)
#' # the same table, with three threads
#' identical(one, sdc_table(Titanic, threads = 3))
NULL

# What the option says, or the system: see the page above.
default_threads <- function() {
  asked <- getOption("sdcLattice.threads")
  if (is.null(asked)) {
    asked <- threads_of_system("OMP_NUM_THREADS") %||% 2
  } else {
    check_threads(asked, "options(sdcLattice.threads)")
  }
  allowed_threads(asked)
}

allowed_threads <- function(asked) {
  checks <- tolower(Sys.getenv("_R_CHECK_LIMIT_CORES_"))
  min(asked, threads_of_system("OMP_THREAD_LIMIT"), most_threads,
      if (nzchar(checks) && checks != "false") 2)
}

# The first number of a variable of the environment; NULL when it is not set, or is no number of
# threads.
threads_of_system <- function(name) {
  first <- sub(",.*", "", Sys.getenv(name))
  n <- suppressWarnings(as.numeric(first))
  if (is.na(n) || n < 1) NULL else floor(n)
}

# For the rest of the call of the function that calls this one, `threads` is the default of all that
# it calls.
use_threads <- function(threads, frame = parent.frame()) {
  check_threads(threads, "threads")
  rlang::local_options(sdcLattice.threads = threads, .frame = frame)
}

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

# All pairs of positions with equal values.
matches <- function(x, y) {
  values <- unique(y)
  code <- match(y, values)
  size <- tabulate(code, length(values))
  at <- match(x, values)
  found <- which(!is.na(at))
  n <- size[at[found]]
  before <- cumsum(size) - size
  list(x = rep(found, n), y = order(code)[sequence(n, before[at[found]] + 1L)])
}
