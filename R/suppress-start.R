# The pattern of somebody else that a search for certified suppression starts from as well.

# A choice that looks at no count cannot start from one that does.
check_start_fits <- function(wishes, pattern) {
  start <- wishes$start
  if (is.null(start)) {
    return(invisible(wishes))
  }
  if (!is.null(pattern)) {
    abort_sdc("input", c(
      "{.arg start} must be given without {.arg pattern}.",
      x = "{.arg pattern} says which cells are suppressed, so that no search starts."
    ))
  }
  if ("method" %in% wishes$readers) {
    abort_sdc("input", c(
      "{.arg start} must be given without the reader {.val method}.",
      x = "For this reader no choice may look at counts, and a pattern may depend on them.",
      i = "{.code readers = c(\"outsider\", \"contributor\")} leaves this reader out."
    ))
  }
  if (is.character(start) && is.null(dim(start)) && !identical(start, "GaussSuppression")) {
    abort_sdc("input", c(
      "{.arg start} must be a pattern or {.val GaussSuppression}.",
      x = "{.arg start} is {.val {start}}."
    ))
  }
}

# The rows that it suppresses: NULL where there is no start, or nothing to search for.
read_start <- function(wishes, measure) {
  start <- wishes$start
  if (is.null(start) || !any(measure$primary)) {
    return(NULL)
  }
  if (!identical(start, "GaussSuppression")) {
    return(read_pattern(start, measure$table, measure$cells, measure$primary, "start"))
  }
  # its look at single contributors costs cells
  readers <- wishes$readers %||% usual_readers
  alone <- if (!"contributor" %in% readers) list(singletonMethod = "none")
  suppress_by_library(start, measure, integer(), alone)
}
