# Stores the output of the chunks of the vignettes that need optional packages, for machines that lack
# these. Run it with the present package and all those packages installed, from the checkout:
#   Rscript data-raw/vignette-results.R [vignette ...]
root <- normalizePath(".")
wanted <- commandArgs(trailingOnly = TRUE)
work <- tempfile("vignettes")
dir.create(work)
files <- list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE)
if (length(wanted) > 0) files <- files[sub("[.]Rmd$", "", basename(files)) %in% wanted]
file.copy(files, work)
keep <- file.path(work, "results.rds")
Sys.setenv(SDCLATTICE_KEEP_RESULTS = keep)
for (file in basename(files)) {
  code <- sprintf("setwd('%s'); tools::buildVignette('%s', quiet = TRUE, clean = FALSE)", work, file)
  if (system2("Rscript", c("-e", shQuote(code))) != 0) stop(file, " does not build")
}
place <- file.path(root, "inst", "extdata", "vignette-results.rds")
dir.create(dirname(place), showWarnings = FALSE)
results <- readRDS(keep)
if (length(wanted) > 0 && file.exists(place)) {
  others <- readRDS(place)
  of <- sub("\n.*", "", names(others))
  results <- c(others[!of %in% wanted], results)
}
saveRDS(results[order(names(results))], place, version = 2, compress = "xz")
cat(length(results), "results,", file.size(place), "bytes\n")
