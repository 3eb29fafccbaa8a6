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
# What the installed package was made of: unchanged sources are not compiled again.
parts <- file.path(root, c("DESCRIPTION", "NAMESPACE", "R", "src", "inst", "data"))
sources <- unlist(lapply(parts, function(part) {
  if (dir.exists(part)) list.files(part, recursive = TRUE, full.names = TRUE) else part
}))
sources <- grep("[.](o|so|dll|a)$|src/bundles/", sources, value = TRUE, invert = TRUE)
made_of <- c(R.version.string, paste(tools::md5sum(sources), substring(sources, nchar(root) + 2)))
stamp <- file.path(library, "sdcLattice-sources.txt")
is_there <- function() nzchar(system.file(package = "sdcLattice", lib.loc = library))
if (is_there() && file.exists(stamp) && identical(readLines(stamp), made_of)) {
  cat("sdcLattice: the package in", library, "is of these sources\n")
} else {
  cat("sdcLattice: compiling the package into", library, "- some minutes\n")
  unlink(stamp)
  utils::install.packages(root, lib = library, repos = NULL, type = "source",
                          INSTALL_opts = c("--strip", "--no-docs"))
  if (!is_there()) {
    stop("The package could not be installed: see the messages above.", call. = FALSE)
  }
  writeLines(made_of, stamp)
}
status <- run(file.path(root, "inst", "scripts", "first-look.R"), folder, data)
quit(status = status)
