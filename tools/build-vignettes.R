# Builds the vignettes of the unpacked package <source>, with the installed package, into its folder
# inst/doc, from where R CMD INSTALL takes them: several at a time, as each is independent.
#   Rscript tools/build-vignettes.R <source> <processors>
# Without pandoc and rmarkdown, knitr makes plainer pages with the package markdown or litedown.

arguments <- commandArgs(trailingOnly = TRUE)
source <- arguments[[1]]
processors <- as.integer(arguments[[2]])
doc <- file.path(source, "inst", "doc")
dir.create(doc, showWarnings = FALSE, recursive = TRUE)
files <- list.files(file.path(source, "vignettes"), "[.]Rmd$", full.names = TRUE)
# The longest first, so that no processor waits for another at the end.
files <- files[order(-file.size(files))]
look <- file.path(source, "vignettes", c("_output.yml", "book.css"))
invisible(file.copy(c(files, look), doc))

pandoc <- requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available()
engine <- if (!pandoc) "knitr::knitr"

build <- function(file) {
  setwd(doc)
  tryCatch({
    suppressMessages(tools::buildVignette(basename(file), quiet = TRUE, clean = FALSE, engine = engine))
    NULL
  }, error = function(e) conditionMessage(e))
}

invisible(loadNamespace("knitr"))
cores <- if (.Platform$OS.type == "unix") processors else 1L
failures <- parallel::mclapply(files, build, mc.cores = cores, mc.preschedule = FALSE)
bad <- !vapply(failures, is.null, NA)
for (i in which(bad)) cat(basename(files[[i]]), ":", as.character(failures[[i]]), "\n")
built <- list.files(doc, "[.]html$")
# A vignette that failed has no page: R lists only those that have one.
unlink(file.path(doc, setdiff(basename(files), sub("html$", "Rmd", built))))
unlink(file.path(doc, list.dirs(doc, full.names = FALSE, recursive = FALSE)), recursive = TRUE)
unlink(file.path(doc, c(list.files(doc, "[.]md$"), basename(look))))
cat(length(built), "of", length(files), "vignettes built\n")
quit(status = as.integer(any(bad)))
