# How often a test tries: `few` times, or `many` in the long form, which is for a machine that nobody
# waits for.
is_long <- function() Sys.getenv("SDCLATTICE_LONG") == "1"

rounds <- function(few, many) if (is_long()) many else few

# What `make()` makes, which takes seconds and is asked for by several files of tests: made once where
# these run together, as tools/run-tests.R then names a folder for it.
made_once <- function(name, make) {
  folder <- Sys.getenv("SDCLATTICE_SHARED")
  if (!nzchar(folder)) {
    return(make())
  }
  file <- file.path(folder, paste0(name, ".rds"))
  if (!file.exists(file)) {
    # whole or not at all, as files of tests run beside each other
    half <- tempfile(name, folder)
    saveRDS(make(), half)
    file.rename(half, file)
  }
  readRDS(file)
}
