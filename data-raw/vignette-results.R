# Stores the output of the chunks of the vignettes that need optional packages, for machines that
# lack these. Run it with the present package and all those packages installed, from the checkout:
#   Rscript data-raw/vignette-results.R [vignette ...]
root <- normalizePath(".")
wanted <- commandArgs(trailingOnly = TRUE)
work <- tempfile("vignettes")
place <- file.path(root, "inst", "extdata", "results")
dir.create(place, showWarnings = FALSE, recursive = TRUE)
dir.create(work)
files <- list.files(file.path(root, "vignettes"), full.names = TRUE)
file.copy(files[grepl("[.](Rmd|yml|css)$", files)], work)
keep <- file.path(work, "results")
dir.create(keep)
Sys.setenv(SDCLATTICE_KEEP_RESULTS = keep)
names <- tools::file_path_sans_ext(basename(files[grepl("[.]Rmd$", files)]))
for (name in if (length(wanted) > 0) wanted else names) {
  file <- paste0(name, ".Rmd")
  build <- "setwd('%s'); tools::buildVignette('%s', quiet = TRUE, clean = FALSE)"
  code <- sprintf(build, work, file)
  if (system2("Rscript", c("-e", shQuote(code))) != 0) stop(file, " does not build")
  from <- file.path(keep, paste0(name, ".rds"))
  to <- file.path(place, paste0(name, ".rds"))
  unlink(to)
  if (!file.exists(from)) next
  results <- readRDS(from)
  saveRDS(results[order(names(results))], to, version = 2, compress = "xz")
  cat(name, ":", length(results), "results,", file.size(to), "bytes\n")
}
