# The checkout whose tests these are: tools/run-tests.R names it, and a test file that is run where
# it lies finds it above. An installed package has no sources, and tests of them are skipped.
source_folder <- function() {
  folder <- Sys.getenv("SDCLATTICE_SOURCE", file.path("..", ".."))
  if (!file.exists(file.path(folder, "R", "base-words.R"))) skip("the sources are not here")
  normalizePath(folder)
}

# Every line of the files of one kind, named by file and line.
source_lines <- function(folder, pattern) {
  files <- list.files(file.path(source_folder(), folder), pattern, full.names = TRUE,
                      recursive = folder == "src/core")
  lines <- lapply(files, readLines, encoding = "UTF-8")
  at <- unlist(lapply(lines, seq_along))
  rlang::set_names(unlist(lines), paste0(rep(basename(files), lengths(lines)), ":", at))
}
