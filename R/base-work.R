# How long work takes, how far it is, and how many threads share it.

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
  tell <- if (heard) progress_teller(label)
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

# It stays open when the work ends early, which is no fault.
progress_teller <- function(label) {
  progressr::progressor(steps = progress_steps, label = label, on_exit = FALSE)
}

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

most_threads <- 1024

# What the option says, or the system: see the page above.
default_threads <- function() {
  asked <- getOption("sdcLattice.threads")
  if (is.null(asked)) {
    asked <- threads_of_system("OMP_NUM_THREADS") %||% 2
  } else {
    check_whole(asked, min = 1, max = most_threads, arg = "options(sdcLattice.threads)")
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
  check_whole(threads, min = 1, max = most_threads, arg = "threads")
  rlang::local_options(sdcLattice.threads = threads, .frame = frame)
}
