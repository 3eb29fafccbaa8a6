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
