# Sourced by each chapter of the book: how pages look, exercises, and output that is stored.
knitr::opts_chunk$set(
  collapse = TRUE, comment = "#>", fig.width = 7, fig.height = 4, dpi = 96, out.width = "100%"
)
options(width = 77)
source(system.file("scripts", "exercises.R", package = "sdcLattice"))

has <- function(...) all(vapply(c(...), requireNamespace, NA, quietly = TRUE))

# A picture without a caption, or without words for those who cannot see it, stops the build.
local({
  plain <- knitr::knit_hooks$get("plot")
  knitr::knit_hooks$set(plot = function(x, options) {
    for (name in c("fig.cap", "fig.alt")) {
      if (is.null(options[[name]])) stop("The chunk ", options$label, " has no `", name, "`.")
    }
    plain(x, options)
  })
})

# Sentences of output that are longer than the page go on in the next line, one step further in;
# lines of tables do not.
local({
  wrapped <- function(line) {
    start <- regmatches(line, regexpr("^(#> )? *", line))
    if (nchar(line) <= 80 || grepl("[^ ]  +[^ ]", substring(line, nchar(start)))) return(line)
    words <- strwrap(substring(line, nchar(start) + 1), 79 - nchar(start) - 2)
    paste0(start, rep(c("", "  "), c(1, length(words) - 1)), words)
  }
  for (kind in c("output", "message", "warning", "error")) local({
    name <- kind
    plain <- knitr::knit_hooks$get(name)
    knitr::knit_hooks$set(stats::setNames(list(function(x, options) {
      if (identical(options$results, "asis")) return(plain(x, options))
      lines <- unlist(lapply(strsplit(x, "\n", fixed = TRUE)[[1]], wrapped))
      plain(paste0(paste(lines, collapse = "\n"), "\n"), options)
    }), name))
  })
})

# A chunk with the option needs = c("<package>", ...) runs where these packages are installed;
# elsewhere the page shows the output that is stored in the package, and says with which versions it
# was computed. So it does everywhere for a chunk that is marked slow = TRUE.
# data-raw/vignette-results.R stores what is shown, in inst/extdata/results.
local({
  vignette <- tools::file_path_sans_ext(basename(c(knitr::current_input(), "vignette")[[1]]))
  stored <- system.file("extdata", "results", paste0(vignette, ".rds"), package = "sdcLattice")
  stored <- if (nzchar(stored)) readRDS(stored) else list()
  keep <- Sys.getenv("SDCLATTICE_KEEP_RESULTS")
  if (nzchar(keep)) keep <- file.path(keep, paste0(vignette, ".rds"))
  # Stored by its code: an edited chunk never shows the output of another one.
  key_of <- function(options) paste(options$code, collapse = "\n")

  # The chunk's markdown and the pictures to which it refers.
  with_pictures <- function(text, needs) {
    paths <- unlist(regmatches(text, gregexpr("[^\"( ]+[.]png", text)))
    pictures <- lapply(paths, function(path) readBin(path, "raw", file.size(path)))
    versions <- vapply(needs, function(p) as.character(utils::packageVersion(p)), "")
    list(text = text, pictures = stats::setNames(pictures, paths),
         computed = paste(paste(needs, versions), collapse = " and "))
  }

  show_stored <- function(result) {
    for (path in names(result$pictures)) {
      dir.create(dirname(path), showWarnings = FALSE, recursive = TRUE)
      writeBin(result$pictures[[path]], path)
    }
    paste0(result$text, "\n\n*Computed beforehand with ", result$computed, ".*\n\n")
  }

  knitr::opts_hooks$set(needs = function(options) {
    later <- isTRUE(options$slow) && !nzchar(keep) && !is.null(stored[[key_of(options)]])
    if (!isFALSE(options$eval) && (later || !has(options$needs))) {
      options$eval <- FALSE
      options$from_store <- TRUE
    }
    options
  })

  plain <- knitr::knit_hooks$get("chunk")
  knitr::knit_hooks$set(chunk = function(x, options) {
    x <- plain(x, options)
    if (is.null(options$needs)) return(x)
    if (isTRUE(options$from_store)) {
      result <- stored[[key_of(options)]]
      if (!is.null(result)) return(show_stored(result))
      return(paste0(x, "\n\n*This needs ", paste(options$needs, collapse = " and "), ".*\n\n"))
    }
    if (nzchar(keep) && !isFALSE(options$eval)) {
      results <- if (file.exists(keep)) readRDS(keep) else list()
      results[[key_of(options)]] <- with_pictures(x, options$needs)
      saveRDS(results, keep)
    }
    x
  })
})
