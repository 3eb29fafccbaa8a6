# How long a table takes to leave the server, by format, and to be read again where R can.
#   Rscript publication-format.R [cells, 50000 unless given]

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) > 0) as.numeric(args[1]) else 5e4
suppressPackageStartupMessages(library(sdcLattice))
ns <- asNamespace("sdcLattice")

# Five variables, labels with signs that XML must escape; half of the cells are zero.
size <- c(10, 10, 5, 5, max(1, round(n / 2500)))
levels <- lapply(size, function(k) paste0("level <", seq_len(k), "> & \"more\""))
names(levels) <- c("Work class", "age", "region", "\u00e9ducation", "status")
set.seed(1)
x <- sdc_table(array(stats::rpois(prod(size), .7) * 12345, size, levels))
meta <- list(id = "001f", prepared = "2026-01-01T00:00:00Z")
folder <- tempfile("formats")
dir.create(folder)

seconds <- function(run) min(replicate(3, system.time(run())[["elapsed"]]))
cat(sprintf("%d cells, %d not zero\n", length(x), sum(as.array(x) > 0)))
for (format in names(ns$table_formats)) {
  file <- file.path(folder, format)
  text <- seconds(function() ns$write_table_format(x, format, meta = meta))
  streamed <- seconds(function() ns$write_table_format(x, format, file, meta))
  cat(sprintf("  %-9s text %.2f s, file %.2f s, %5.1f MB\n", format, text, streamed,
              file.size(file) / 1e6))
}
cat(sprintf("  structure message %.3f s\n", seconds(function() ns$sdmx_structure(dimnames(x), meta))))
read <- c(
  csv = seconds(function() utils::read.csv(file.path(folder, "csv"), check.names = FALSE)),
  json = seconds(function() jsonlite::fromJSON(file.path(folder, "json")))
)
cat(sprintf("  read.csv() takes %.2f s, jsonlite %.2f s\n", read[["csv"]], read[["json"]]))
unlink(folder, recursive = TRUE)
