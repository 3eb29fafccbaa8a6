# The first look, by itself: Rscript first-look.R <folder> [my.csv]
library(sdcLattice)
options(width = 100)

arguments <- commandArgs(trailingOnly = TRUE)
folder <- if (length(arguments) > 0) arguments[[1]] else "sdcLattice-first-look"
page <- tryCatch(
  first_look(folder, if (length(arguments) > 1) arguments[[2]], overwrite = TRUE),
  sdc_error = function(cnd) {
    message(conditionMessage(cnd))
    quit(status = 1)
  }
)
cat("\nAll of it, with pictures: ", normalizePath(page), "\n", sep = "")
cat("What readers would get:   ", normalizePath(file.path(folder, "published")), "\n", sep = "")
