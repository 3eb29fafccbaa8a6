# Which R packages a command needs, which of them R lacks, and how to get those from CRAN.
#
#   Rscript tools/install-dependencies.R missing <use>            names what is missing
#   Rscript tools/install-dependencies.R required <use>           the same, without what is optional
#   Rscript tools/install-dependencies.R install <use> <library>  gets it from CRAN
#
# <use> is "look" (the package, its pictures and its vignettes), "test" (its tests) or "check" (all). What is
# needed, and from which version on, stands in DESCRIPTION and nowhere else. A package that R finds,
# can load and finds new enough is left alone. What is installed goes to <library> and nowhere else.

# Used when it is there; its tests are skipped when it is not. Only "check" tries to get it.
heavy <- "sdcHierarchies"
# The same, but never got: it takes long to compile, and libraries of the system. No test needs learnr:
# what its tutorials show and check is tested as the exercises of the chapters.
rare <- c(
  "cellKey", "highs", "learnr", "openxlsx", "ptable", "RMariaDB", "sdcTable", "SmallCountRounding",
  "survey"
)
# Got where it can be: it needs a library of the system, without which its tests are skipped.
wanted <- "RPostgres"
documents <- c("knitr", "rmarkdown")
# What turns the vignettes into pages: rmarkdown needs the program pandoc, markdown makes plainer pages.
pages <- function() c("knitr", if (nzchar(Sys.which("pandoc"))) "rmarkdown" else "markdown")

fields_of <- function(use) {
  if (use == "look") c("Imports", "LinkingTo") else c("Imports", "LinkingTo", "Suggests")
}

# Named by package: the least version, "0" if any will do.
requirements <- function(description, fields) {
  entries <- read.dcf(description, fields = fields)
  entries <- trimws(unlist(strsplit(entries[!is.na(entries)], ",")))
  entries <- entries[nzchar(entries)]
  least <- ifelse(grepl(">=", entries), sub(".*>=\\s*([0-9.-]+).*", "\\1", entries), "0")
  stats::setNames(least, sub("[[:space:](].*", "", entries))
}

# Named by package, as requirements().
needed <- function(use, description) {
  all <- requirements(description, fields_of(use))
  if (use == "look") {
    all <- c(all, requirements(description, "Suggests")[c("ggplot2", "hexbin", "lpSolve", "DBI", "RSQLite")])
    all <- c(all, stats::setNames(rep("0", 2), pages()))
  }
  if (use == "test") all <- all[!names(all) %in% documents]
  if (use != "check") all <- all[names(all) != heavy]
  all <- all[!names(all) %in% rare]
  base <- rownames(utils::installed.packages(priority = "base"))
  all <- all[!names(all) %in% base]
  least <- tapply(all, names(all), function(x) as.character(max(numeric_version(x))))
  stats::setNames(as.character(least), names(least))
}

# Loading is the proof: a package may be there and lack a library or another package.
works <- function(package, least) {
  loads <- suppressWarnings(suppressMessages(requireNamespace(package, quietly = TRUE)))
  loads && utils::packageVersion(package) >= least
}

lacking <- function(all) names(all)[!mapply(works, names(all), all)]

set_mirror <- function() {
  repos <- getOption("repos")
  if (is.null(repos) || !length(repos) || any(repos %in% c("@CRAN@", "", NA))) {
    utils::chooseCRANmirror(graphics = FALSE, ind = 1)
  }
  options(timeout = max(600, getOption("timeout")))
}

# install.packages() reports no failure by its status: the caller looks at what is there afterwards.
install <- function(packages, library) {
  set_mirror()
  threads <- max(1L, parallel::detectCores(), na.rm = TRUE)
  .libPaths(c(library, .libPaths()))
  utils::install.packages(packages, lib = library, Ncpus = min(4L, threads))
}

arguments <- commandArgs(trailingOnly = TRUE)
verb <- arguments[[1]]
use <- arguments[[2]]
stopifnot(verb %in% c("missing", "required", "install"), use %in% c("look", "test", "check"))
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[[1]])
all <- needed(use, file.path(dirname(dirname(normalizePath(script))), "DESCRIPTION"))

if (verb == "missing") {
  writeLines(lacking(all))
} else if (verb == "required") {
  optional <- c(heavy, wanted, if (use == "look") c(pages(), "hexbin", "lpSolve", "DBI", "RSQLite"))
  writeLines(setdiff(lacking(all), optional))
} else {
  # The caller asks for what is missing again, in a fresh process: a package that failed to load
  # here would not be tried anew.
  install(lacking(all), arguments[[3]])
}
