# Columns of a data frame: which ones are asked for, and their values as codes and levels.

# A frame that was put together by hand may have columns of any length.
check_whole_columns <- function(data, at) {
  size <- vapply(unclass(data)[at], NROW, 0)
  bad <- which(size != nrow(data))
  check_that(
    length(bad) == 0,
    "All columns of {.arg data} must have as many entries as it has rows.",
    x = "Column {.val {names(data)[at][bad[1]]}} has {size[bad[1]]}; there
         {cli::qty(nrow(data))}{?is/are} {nrow(data)} row{?s}."
  )
}

# Positions of named columns. They must be named: a column that is put in later would move them.
resolve_columns <- function(names, data, arg, one = FALSE) {
  if (is.null(names)) {
    return(NULL)
  }
  if (one) check_string(names, arg)
  check_that(
    !is.numeric(names),
    "{.arg {arg}} must name columns of {.arg data}.",
    x = "{.arg {arg}} holds numbers.",
    i = if (all(names %in% seq_along(data)) && length(names) > 0) {
      "By name these columns are {.code {quoted_call(names(data)[names])}}."
    }
  )
  check_names_given(names, arg)
  unknown <- setdiff(names, names(data))
  check_that(
    length(unknown) == 0,
    "{.arg {arg}} must name columns of {.arg data}.",
    x = "There is no column {.val {unknown}}.",
    i = did_you_mean(unknown, names(data), "column")
  )
  twice <- intersect(names, names(data)[duplicated(names(data))])
  check_that(
    length(twice) == 0,
    "Columns that {.arg {arg}} names must be unique in {.arg data}.",
    x = "More than one column has the name {.val {twice}}."
  )
  match(names, names(data))
}

resolve_dim_var <- function(dimVar, data, numbers) {
  if (is.null(dimVar)) {
    at <- setdiff(seq_along(data), numbers)
    fault <- names_fault(unclass(data)[at], "data")
    check_that(is.null(fault), "The columns of {.arg data} must have unique names.", x = "{fault}")
    return(at)
  }
  at <- resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  both <- intersect(at, numbers)
  check_that(
    length(both) == 0,
    "A column must be a dimension or hold numbers.",
    x = "{.val {names(data)[both]}} is used for both."
  )
  at
}

# Names from a character vector or a one-sided formula of names and `+`.
variable_names <- function(x, arg) {
  if (!inherits(x, "formula")) {
    return(x)
  }
  is_sum <- function(e) {
    is.name(e) || identical(e, 1) ||
      rlang::is_call(e, "+", 2) && is_sum(e[[2]]) && is_sum(e[[3]])
  }
  check_that(
    length(x) == 2 && is_sum(x[[2]]),
    "{.arg {arg}} must be a character vector, or a formula like {.code ~ A + B}.",
    x = "It is {.code {deparse(x)}}.",
    i = if (length(x) == 3) "A column of counts goes into {.arg freqVar}, one of values into
                             {.arg numVar}.",
    i = if (arg == "dimVar" && length(x) == 2) {
      "{.arg formula} says which crossings are published."
    }
  )
  all.vars(x, unique = FALSE)
}

encode_columns <- function(columns, names, na) {
  out <- lapply(seq_along(columns), function(i) encode_column(columns[[i]], names[i], na))
  names(out) <- names
  out
}

# What the core needs of a column (see struct Column): codes, base, lookup; and the levels.
encode_column <- function(x, name, na) {
  check_that(
    is.atomic(x) && is.null(dim(x)) && !is.complex(x) && !is.raw(x) && !is.null(x),
    "Dimension variables must be factors, numbers, strings, logical values or dates.",
    x = "{.val {name}} is {.obj_type_friendly {x}}."
  )
  if (is_labelled(x)) x <- labelled_factor(x, name)
  coded <- if (inherits(x, "integer64")) {
    x <- whole_levels(x, name)
    encode_whole(x)
  } else if (is.factor(x)) {
    list(codes = x, base = 1L, lookup = NULL, levels = levels(x))
  } else if ((is.integer(x) || is.logical(x)) && !is.object(x)) {
    encode_integer(x)
  } else {
    encode_values(x)
  }
  with_missing_level(coded, x, na)
}

# Numbers of class integer64 as dimension: exact up to 2^53, or refused.
whole_levels <- function(x, name) {
  x <- cpp_read_integer64(x)
  check_that(
    !any(abs(x) > 2^53, na.rm = TRUE),
    "Dimension variables of class integer64 must stay within 2^53.",
    x = "{.val {name}} holds a larger number.",
    i = "Make it a factor or a character vector."
  )
  x
}

# Labels with all digits, where factor() would show 15 and make one level of neighbours.
encode_whole <- function(x) {
  first <- cpp_find_distinct(x)$first
  values <- sort(x[first])
  list(codes = x, base = 0L, lookup = match(x[first], values) - 1L,
       levels = sprintf("%.0f", values), first = first)
}

encode_integer <- function(x) {
  found <- cpp_find_levels(x, 2^20)
  if (is.null(found)) {
    return(encode_values(x))
  }
  levels <- found$levels
  labels <- if (is.logical(x)) as.character(as.logical(levels)) else as.character(levels)
  if (length(levels) == 0) {
    return(list(codes = x, base = 1L, lookup = NULL, levels = character()))
  }
  lookup <- integer(levels[length(levels)] - levels[1] + 1L)
  lookup[levels - levels[1] + 1L] <- seq_along(levels) - 1L
  list(codes = x, base = levels[1], lookup = lookup, levels = labels)
}

# Strings and numbers by their distinct values, of which factor() makes levels: values that print
# alike, or that differ in encoding only, are one level.
encode_values <- function(x) {
  plain <- !is.object(x) || inherits(x, c("Date", "POSIXct", "difftime"))
  if (is.integer(x) && plain) {
    storage.mode(x) <- "double"
  }
  if (!plain || !(is.character(x) || is.double(x))) {
    x <- factor(x)
    return(list(codes = x, base = 1L, lookup = NULL, levels = levels(x)))
  }
  first <- cpp_find_distinct(x)$first
  values <- factor(x[first])
  list(codes = x, base = 0L, lookup = as.integer(values) - 1L, levels = levels(values),
       first = first)
}

with_missing_level <- function(coded, x, na) {
  coded$level_of_missing <- -1L
  if (na == "level" && anyNA(x)) {
    at <- match(NA_character_, coded$levels)
    if (is.na(at)) {
      coded$levels <- c(coded$levels, NA_character_)
      at <- length(coded$levels)
    }
    coded$level_of_missing <- at - 1L
  }
  coded
}

abort_missing <- function(missing, names) {
  at <- which(missing > 0)
  what <- paste0(
    "Variable \"", names[at], "\" is missing in ",
    plural(missing[at], "row"), "."
  )
  abort_sdc("input", c(
    "Dimension variables must have no missing values.",
    rlang::set_names(escape_braces(what), "x"),
    i = "With {.code na = \"level\"} a missing value is a level of its own."
  ))
}

# The level of each record, a vector for each variable, from 0; -1 where it is missing.
record_codes <- function(columns) {
  lapply(columns, function(column) {
    level <- if (is.null(column$first)) {
      as.integer(column$codes) - column$base
    } else {
      match(column$codes, column$codes[column$first], incomparables = NA) - 1L
    }
    if (!is.null(column$lookup)) level <- column$lookup[level + 1L]
    level[is.na(level)] <- -1L
    level
  })
}

# Names of columns that count records, or contributors of ready cells.
contributor_columns <- paste0(
  "^(n|freq|freqs|frequency|count|counts|n_?obs|nobs|n_?contr.*|contributors|n_?contributors|",
  "n_?units|n_?firms|n_?respondents|number_?of_?.*|num_?contr.*)$"
)

looks_like_counts <- function(name, x) {
  if (inherits(x, "integer64")) x <- cpp_read_integer64(x)
  grepl(contributor_columns, name, ignore.case = TRUE) && is.numeric(x) && !is.factor(x) &&
    !anyNA(x) && all(x >= 0 & x == floor(x)) && any(x > 1)
}

# ---- labels of values, as haven reads them -------------------------------------------------------

# Columns with labels of values, as haven reads them from SPSS, Stata and SAS. Read by their
# attributes: haven need not be installed.

is_labelled <- function(x) {
  marks <- c("labels", "na_values", "na_range")
  inherits(x, c("haven_labelled", "labelled")) && any(marks %in% names(attributes(x)))
}

# Levels are the labels, in the order of their values; a value without a label is a level of its
# own. Values that are declared missing are missing.
labelled_factor <- function(x, name) {
  found <- labelled_values(x)
  values <- found$values
  known <- as.vector(found$labels)
  words <- as.character(names(found$labels))
  twice <- if (anyDuplicated(words)) words[duplicated(words)] else known[duplicated(known)]
  check_that(
    length(twice) == 0,
    "Each label must stand for one value, and each value must have one label.",
    x = "{.val {name}} has {.val {unique(twice)}} more than once.",
    i = "Make it a factor before the call."
  )
  all <- sort(unique(c(known, values)))
  levels <- words[match(all, known)]
  levels[is.na(levels)] <- as.character(all[is.na(levels)])
  clash <- unique(levels[duplicated(levels)])
  check_that(
    length(clash) == 0,
    "A value without a label must not look like the label of another value.",
    x = "{.val {clash}} of {.val {name}} {?is/are} both.",
    i = "Make it a factor before the call."
  )
  structure(match(values, all), levels = levels, class = "factor")
}

# The values of a labelled vector, where those that are declared missing are missing, and the labels
# of the others.
labelled_values <- function(x) {
  declared <- attr(x, "na_values", exact = TRUE)
  range <- attr(x, "na_range", exact = TRUE)
  missing <- function(v) {
    v %in% declared | (!is.null(range) & !is.na(v) & v >= (range[1] %||% Inf) &
                       v <= (range[2] %||% -Inf))
  }
  values <- as.vector(unclass(x))
  attributes(values) <- NULL
  values[missing(values)] <- NA
  labels <- attr(x, "labels", exact = TRUE)
  list(values = values, labels = labels[!is.na(labels) & !missing(labels)])
}

# A column that is read as numbers: values, weights, counts, coordinates. What is declared missing
# is missing. Labels mostly stand for codes such as "refused", and no sum should have codes in it.
labelled_numbers <- function(x, name) {
  if (!is_labelled(x)) {
    return(x)
  }
  found <- labelled_values(x)
  values <- found$values
  coded <- found$labels[found$labels %in% values]
  if (is.numeric(values) && length(coded) > 0) {
    warn_sdc("input", c(
      "Numbers in {.val {name}} have labels, as codes have, and are used as numbers.",
      "!" = "Label{?s} that occur{?s/}: {.val {names(coded)}}.",
      i = "Make codes missing before the call, if that is what they are."
    ))
  }
  values
}
