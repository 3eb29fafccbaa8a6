# Columns with labels of values, as haven reads them from SPSS, Stata and SAS. Read by their
# attributes: haven need not be installed.

is_labelled <- function(x) {
  marks <- c("labels", "na_values", "na_range")
  inherits(x, c("haven_labelled", "labelled")) && any(marks %in% names(attributes(x)))
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
  words <- as.character(names(labels))[keep]
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

# A column that is read as numbers: values, weights, counts, coordinates. What is declared missing
# is missing. Labels mostly stand for codes such as "refused", and no sum should have codes in it.
labelled_numbers <- function(x, name) {
  if (!is_labelled(x)) {
    return(x)
  }
  labels <- attr(x, "labels", exact = TRUE)
  missing <- user_missing(x)
  values <- as.vector(unclass(x))
  attributes(values) <- NULL
  values[missing(values)] <- NA
  coded <- labels[!is.na(labels) & labels %in% values]
  if (is.numeric(values) && length(coded) > 0) {
    warn_sdc("input", c(
      "Numbers in {.val {name}} have labels, as codes have, and are used as numbers.",
      "!" = "Label{?s} that occur{?s/}: {.val {names(coded)}}.",
      i = "Make codes missing before the call, if that is what they are."
    ))
  }
  values
}
