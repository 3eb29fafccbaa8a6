library(testthat)
library(sdcLattice)

# `R CMD check` is asked to take a few minutes. The slow files are left to `sh tools/test.sh`, which
# runs all of them, and to checks with NOT_CRAN=true.
files <- sub("^test-(.*)[.]R$", "\\1", list.files("testthat", "^test-.*[.]R$"))
slow <- paste0(
  "^(book|bounds-|certify-|compare|conditional|cycle-|english|expl|fibre-|hex|linear-|magnitude|",
  "perturb|posterior|publication-|release|round|server|slips|store|suppress|table-|theory|",
  "validation)"
)
if (!identical(Sys.getenv("NOT_CRAN"), "true")) files <- files[!grepl(slow, files)]

test_check("sdcLattice", filter = paste0("^(", paste(files, collapse = "|"), ")$"))
