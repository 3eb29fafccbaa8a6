# How many threads the core may use.

# Two at most where nobody says more, as CRAN asks for; and what OpenMP's variable allows. Results
# never depend on it.
default_threads <- function() {
  asked <- getOption("sdcLattice.threads", 2L)
  allowed <- suppressWarnings(as.numeric(Sys.getenv("OMP_THREAD_LIMIT")))
  if (is.na(allowed) || allowed < 1) asked else min(asked, floor(allowed))
}
