# Columns with labels of values, as haven reads them from SPSS, Stata and SAS. Read by their
# attributes: haven need not be installed.

is_labelled <- function(x) {
  inherits(x, c("haven_labelled", "labelled")) && !is.null(attr(x, "labels", exact = TRUE))
}

# Levels are the labels, in the order of their values; a value without a label is a level of its
# own. Values that are declared missing are missing.
labelled_factor <- function(x, name) {
  labels <- attr(x, "labels", exact = TRUE)
  missing <- user_missing(x)
  values <- as.vector(unclass(x))
  attributes(values) <- NULL
  values[missing(values)] <- NA
  known <- as.vector(labels)
  keep <- !is.na(known) & !missing(known)
  words <- names(labels)[keep]
  known <- known[keep]
  if (anyDuplicated(words) || anyDuplicated(known)) {
    twice <- if (anyDuplicated(words)) words[duplicated(words)] else known[duplicated(known)]
    abort_sdc("input", c(
      "Each label must stand for one value, and each value must have one label.",
      x = "{.val {name}} has {.val {unique(twice)}} more than once.",
      i = "Make it a factor before the call."
    ))
  }
  all <- sort(unique(c(known, values)))
  levels <- words[match(all, known)]
  levels[is.na(levels)] <- as.character(all[is.na(levels)])
  clash <- unique(levels[duplicated(levels)])
  if (length(clash) > 0) {
    abort_sdc("input", c(
      "A value without a label must not look like the label of another value.",
      x = "{.val {clash}} of {.val {name}} {?is/are} both.",
      i = "Make it a factor before the call."
    ))
  }
  structure(match(values, all), levels = levels, class = "factor")
}

user_missing <- function(x) {
  values <- attr(x, "na_values", exact = TRUE)
  range <- attr(x, "na_range", exact = TRUE)
  function(v) {
    v %in% values | (!is.null(range) & !is.na(v) & v >= (range[1] %||% Inf) &
                     v <= (range[2] %||% -Inf))
  }
}
