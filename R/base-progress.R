# Runs `work(tick)`, where tick is NULL or a function of the share done that moves a progress bar.
with_progress <- function(label, work, show = rlang::is_interactive()) {
  if (!show) {
    return(work(NULL))
  }
  bar <- cli::cli_progress_bar(label, total = 1000, .auto_close = FALSE)
  on.exit(cli::cli_progress_done(id = bar))
  work(function(done) cli::cli_progress_update(set = floor(1000 * done), id = bar))
}

# A progress bar that answers an interrupt by TRUE: the core then ends with what it has.
keeping_tick <- function(tick) {
  if (is.null(tick)) {
    return(NULL)
  }
  function(done) {
    tryCatch({
      tick(done)
      FALSE
    }, interrupt = function(condition) TRUE)
  }
}
