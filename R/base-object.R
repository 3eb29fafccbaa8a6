# What all objects of this package share: their class vector, one print, one plot(), one str().
# The class "sdc_object" ends the class vector of each, but before "data.frame", whose pictures
# would show every column.

# `mark`: "private" of what holds an original table, "confidential" of what was computed from one.
# Neither can be printed or looked into without saying so. `of`: a class of R itself.
sdc_class <- function(..., mark = NULL, of = NULL) {
  flag <- if (!is.null(mark)) c(if (mark == "confidential") "sdc_confidential", "sdc_private")
  c(..., flag, "sdc_object", of)
}

is_private <- function(x) inherits(x, "sdc_private")

# Lines of format() under a header; a single one stands beside it where there is room. A format()
# whose first line is a header keeps it.
object_lines <- function(x) {
  lines <- format(x)
  said <- any(grepl("PRIVATE|CONFIDENTIAL", lines))
  mark <- if (is_private(x) && !said) paste0(" ", private_words(x))
  if (startsWith(lines[1], "<")) {
    return(c(paste0(lines[1], mark), lines[-1]))
  }
  header <- paste0(object_header(x), mark)
  beside <- length(lines) == 1 && is.null(mark) && nchar(header) + nchar(lines) < 100
  if (beside) paste(header, lines) else c(header, paste0("  ", lines))
}

object_header <- function(x) {
  class <- class(x)[1]
  if (endsWith(class, "_summary")) class <- paste("summary of", sub("_summary$", "", class))
  paste0("<", class, ">")
}

own_method <- function(generic, class) {
  get0(paste0(generic, ".", class), topenv(environment()), mode = "function", inherits = FALSE)
}

private_words <- function(x) {
  if (inherits(x, "sdc_confidential")) {
    return("CONFIDENTIAL: computed from the original table")
  }
  "PRIVATE"
}

# What is for the package alone has no words of its own.
#' @export
format.sdc_object <- function(x, ...) paste("holds", paste(names(x), collapse = ", "))

#' @export
print.sdc_object <- function(x, ...) {
  cat(object_lines(x), sep = "\n")
  invisible(x)
}

# The structure of a private object would show what its print hides.
#' @importFrom utils str
#' @export
str.sdc_object <- function(object, ...) {
  if (!is_private(object)) {
    return(NextMethod())
  }
  print(object)
  invisible()
}

#' @export
summary.sdc_object <- function(object, ...) {
  check_no_dots(...)
  object
}

# An object with a row for each cell keeps them as `cells`.
#' @export
as.data.frame.sdc_object <- function(x, row.names = NULL, optional = FALSE, ...,
                                     stringsAsFactors = FALSE) {
  check_no_dots(...)
  if (is.data.frame(x)) {
    return(list2data_frame(unclass(x)[names(x)], nrow(x)))
  }
  if (is.list(x) && is.data.frame(x$cells)) {
    return(x$cells)
  }
  abort_sdc("input", c(
    "Only an object with a row for each of its parts can become a data frame.",
    x = "An object of class {.cls {class(x)[1]}} has none."
  ))
}

# Base R would draw all columns or fields against each other, counts of the original among them.
#' @export
plot.sdc_object <- function(x, ...) {
  draw <- picture_of(x)
  if (is.null(draw)) abort_no_picture(x, "plot")
  show_picture(draw(x, ...))
}

# Classes with a picture have a method of their own.
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_object <- function(object, ...) abort_no_picture(object, "autoplot")

abort_no_picture <- function(x, drawing) {
  abort_sdc("input", c(
    "{.fn {drawing}} needs an object that has a picture.",
    x = "There is none of class {.cls {class(x)[1]}}.",
    i = instead_of_picture(x)
  ))
}

# The autoplot() method of a class, without loading ggplot2 for it.
picture_of <- function(x) {
  own <- setdiff(class(x), "sdc_object")
  Find(Negate(is.null), lapply(own, function(class) own_method("autoplot", class)))
}

instead_of_picture <- function(x) {
  told <- c(
    sdc_suppression_audit = "Draw the suppressed table.",
    sdc_magnitude_suppression_audit = "Draw the suppressed table.",
    sdc_suppression_verification = "Draw the suppressed table.",
    sdc_years_audit = "Draw one of the suppressed tables.",
    sdc_magnitude_audit = "Draw the redistributed table.",
    sdc_mechanism = "Draw its {.code $cycles}.",
    sdc_rules = "Draw a magnitude table with them: {.code plot(x, rules = rules)}.",
    sdc_constraints = "Draw their {.fn bounds_margins}.",
    sdc_disclosed = "Draw the bounds that it was found from.",
    sdc_conditionals = "Draw their {.fn bounds_conditional}.",
    sdc_count = "List the tables and draw them: {.code plot(enumerate_tables(release))}.",
    sdc_width = "Draw the release, or its {.fn critical_widths}.",
    sdc_release_structure = "Draw the release: {.code plot(release, \"tree\")}.",
    sdc_certificates = "Draw the release that has them: {.code plot(release, \"certificate\")}.",
    sdc_hex_attack = "Draw the published map.",
    sdc_method = "Draw what {.fn compare_methods} finds.",
    sdc_margins = "Draw one of the margins: {.code plot(x[[1]])}.",
    sdc_release_verification = paste(
      "Draw the release: {.code plot(release)}, or, where it has certificates,",
      "{.code plot(release, \"certificate\")}."
    ),
    sdc_estimate = "Draw its {.code $table}, which is an array.",
    sdc_server_audit = "Draw the server."
  )
  c(told[intersect(class(x), names(told))],
    "Tables, bounds, posteriors, releases, publications and comparisons have pictures.")[[1]]
}
