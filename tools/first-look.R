# The first look for machines without a shell: installs what is missing and the package into a
# library beside the report, and shows the package on a table. Where there is a shell,
# `sh tools/first-look.sh` does the same and says more on the way.
#   Rscript tools/first-look.R [my.csv] [folder]

arguments <- commandArgs(trailingOnly = TRUE)
data <- grep("[.](csv|txt|tsv)$", arguments, ignore.case = TRUE, value = TRUE)
folder <- setdiff(arguments, data)
if (length(data) > 1 || length(folder) > 1) {
  stop("usage: Rscript tools/first-look.R [my.csv] [folder]", call. = FALSE)
}
if (length(folder) == 0) folder <- "sdcLattice-first-look"
if (length(data) == 1 && !file.exists(data)) stop("There is no file ", data, call. = FALSE)

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
root <- normalizePath(file.path(dirname(script), ".."), winslash = "/")
library <- file.path(folder, "library")
dir.create(library, recursive = TRUE, showWarnings = FALSE)
library <- normalizePath(library, winslash = "/")
.libPaths(c(library, .libPaths()))
Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
rscript <- file.path(R.home("bin"), "Rscript")
run <- function(...) system2(rscript, shQuote(c(...)))

cat("sdcLattice: looking for what is missing\n")
run(file.path(root, "tools", "install-dependencies.R"), "install", "look", library)
cat("sdcLattice: installing the package into", library, "\n")
utils::install.packages(root, lib = library, repos = NULL, type = "source",
                        INSTALL_opts = c("--strip", "--no-docs"))
if (!requireNamespace("sdcLattice", lib.loc = library, quietly = TRUE)) {
  stop("The package could not be installed: see the messages above.", call. = FALSE)
}
status <- run(file.path(root, "inst", "scripts", "first-look.R"), folder, data)
quit(status = status)
