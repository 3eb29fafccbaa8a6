# Runs `work(tick)`, where tick is NULL or a function of the share done that moves a progress bar.
with_progress <- function(label, work, show = rlang::is_interactive()) {
  if (!show) {
    return(work(NULL))
  }
  bar <- cli::cli_progress_bar(label, total = 1000, .auto_close = FALSE)
  on.exit(cli::cli_progress_done(id = bar))
  work(function(done) cli::cli_progress_update(set = floor(1000 * done), id = bar))
}
