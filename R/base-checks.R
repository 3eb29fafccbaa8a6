# Checks of arguments. Each knows the argument's name and the user's call, and returns its value.

`%||%` <- function(x, y) if (is.null(x)) y else x

check_class <- function(x, class, arg = rlang::caller_arg(x), make = NULL) {
  check_given(x, arg)
  check_that(
    inherits(x, class),
    "{.arg {arg}} must be an object of class {.cls {class}}.",
    x = "{.arg {arg}} is {.obj_type_friendly {x}}.",
    i = if (!is.null(make)) "Make one with {.fn {make}}."
  )
  invisible(x)
}

# An argument without a default.
check_given <- function(x, arg = rlang::caller_arg(x)) {
  check_that(!missing(x), "Argument {.arg {arg}} is missing.")
}

# One whole number in [min, max].
check_whole <- function(x, min = -Inf, max = Inf, arg = rlang::caller_arg(x)) {
  check_number(x, min, max, arg, whole = TRUE)
}

# One number in [min, max].
check_number <- function(x, min = -Inf, max = Inf, arg = rlang::caller_arg(x), whole = FALSE) {
  check_that(
    is.numeric(x) && length(x) == 1 && !is.na(x) && (!whole || x == floor(x)) &&
      x >= min && x <= max,
    "{.arg {arg}} must be one {c('number', 'whole number')[whole + 1]}{format_range(min, max)}.",
    x = "{describe(x, arg)}"
  )
  invisible(x)
}

most_threads <- 1024

check_threads <- function(x, arg) check_whole(x, min = 1, max = most_threads, arg = arg)

check_flag <- function(x, arg = rlang::caller_arg(x)) {
  check_that(
    is.logical(x) && length(x) == 1 && !is.na(x),
    "{.arg {arg}} must be `TRUE` or `FALSE`.",
    x = "{describe(x, arg)}"
  )
  invisible(x)
}

check_string <- function(x, arg = rlang::caller_arg(x)) {
  check_given(x, arg)
  check_that(
    is.character(x) && length(x) == 1 && !is.na(x) && nzchar(x),
    "{.arg {arg}} must be one string.",
    x = "{describe(x, arg)}"
  )
}

# One of `values`, written out in full; the default is the first.
check_choice <- function(x, values, arg = rlang::caller_arg(x)) {
  if (identical(x, values)) {
    return(values[[1]])
  }
  check_that(
    is.character(x) && length(x) == 1 && !is.na(x) && x %in% values,
    "{.arg {arg}} must be one of {.or {.val {values}}}.",
    x = "{describe(x, arg)}",
    i = if (is.character(x) && length(x) == 1 && is.character(values)) did_you_mean(x, values)
  )
  x
}

# A package that only some users need.
check_installed <- function(package, why) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible(TRUE))
  # one that is installed may not load: why not, in the words of the loader
  cnd <- tryCatch(loadNamespace(package), error = identity)
  absent <- inherits(cnd, "packageNotFoundError") && identical(cnd$package, package)
  fault <- if (inherits(cnd, "error") && !absent) conditionMessage(cnd)
  abort_sdc("input", c(
    "The package {.pkg {package}} is needed {why}.",
    x = if (is.null(fault)) "{.pkg {package}} is not installed." else
      "{.pkg {package}} is installed, but does not load: {fault}",
    i = if (is.null(fault)) "Install it with {.code install.packages(\"{package}\")}." else
      "Install it again, or what it needs."
  ))
}

# "`beta` is 3.5.", "`beta` has length 2.", ...: what was found, for arguments that hold no counts.
describe <- function(x, arg = rlang::caller_arg(x)) {
  arg <- paste0("`", arg, "`")
  if (is.atomic(x) && !is.null(x) && length(x) != 1) {
    return(paste(arg, "has length", paste0(format_count(length(x)), ".")))
  }
  paste(arg, "is", paste0(show_value(x), "."))
}

# "`beta[2]` is 3.5.": the first of several values that breaks the rule; NA breaks every rule. Where
# each value keeps it, the form of `x` is wrong, which may be a matrix.
describe_first <- function(x, ok, arg = rlang::caller_arg(x)) {
  at <- which(is.na(ok) | !ok)[1]
  if (is.na(at)) {
    return(paste0("`", arg, "` is ", show_value(x), "."))
  }
  paste0("`", arg, "[", at, "]` is ", show_value(x[[at]]), ".")
}

show_value <- function(x) {
  if (is.null(x)) {
    return("NULL")
  }
  if (!is.atomic(x) || length(x) != 1) {
    return(cli::format_inline("{.obj_type_friendly {without_marks(x)}}"))
  }
  if (is.na(x)) {
    return("NA")
  }
  if (is.character(x)) paste0("\"", x, "\"") else if (is.numeric(x)) format_count(x) else format(x)
}

# What is wrong with the names of a list or vector; NULL when each element has one of its own.
names_fault <- function(x, arg = rlang::caller_arg(x)) {
  names <- names(x) %||% rep("", length(x))
  bare <- which(is.na(names) | !nzchar(names))
  if (length(bare) > 0) {
    return(paste0("Element ", bare[1], " of `", arg, "` has no name."))
  }
  if (anyDuplicated(names)) {
    paste0("The name \"", names[duplicated(names)][1], "\" is used more than once in `", arg, "`.")
  }
}

# What is wrong with a number that must be whole and in [min, max], without saying it.
number_fault <- function(x, min, max) {
  if (is.na(x)) {
    return("is missing")
  }
  if (is.infinite(x)) {
    return("is infinite")
  }
  if (x != floor(x)) "is not whole" else if (x < min) "is too small" else "is too large"
}

format_range <- function(min, max) {
    if (is.finite(min) && is.finite(max)) {
    return(paste0(" from ", format_count(min), " to ", format_count(max)))
  }
  if (is.finite(min)) {
    return(paste0(" of at least ", format_count(min)))
  }
  if (is.finite(max)) {
    return(paste0(" of at most ", format_count(max)))
  }
  ""
}

# An argument that names columns, and was perhaps written without quotes: then R finds no such
# object, or one that is no name.
check_quoted <- function(value, expr, data, arg = rlang::caller_arg(value)) {
  columns <- if (is.data.frame(data)) names(data) else names(dimnames(data))
  bare <- intersect(all.vars(expr), columns)
  if (length(bare) == 0) return(invisible())
  given <- tryCatch(value, error = function(cnd) FALSE)
  check_that(
    is.null(given) || is.character(given) || inherits(given, "formula"),
    "{.arg {arg}} must be a character vector of names, or a formula.",
    x = "{.code {bare}} {?is/are} written without quotes.",
    i = "Write {.code {arg} = {quoted_call(bare)}}."
  )
}

quoted_call <- function(names) {
  if (length(names) == 1) quoted_names(names) else paste0("c(", quoted_names(names), ")")
}

check_size <- function(size, limit, what) {
  check_that(
    size <= limit,
    "At most {limit} {what} are made at once.",
    x = "These would be {size}.",
    i = "Raise the limit argument if there is memory for it.", .kind = "too_large"
  )
}

check_seconds <- function(x, arg = rlang::caller_arg(x)) {
  check_number(x, min = 0, arg = arg)
  check_that(x > 0, "{.arg {arg}} must be positive.", x = "{describe(x, arg)}")
  invisible(x)
}

is_whole_vector <- function(x) {
  is.numeric(x) && is.null(dim(x)) && !anyNA(x) && all(is.finite(x)) && all(x == floor(x))
}

check_names_given <- function(names, arg) {
  check_texts(names, arg)
  check_that(
    !anyDuplicated(names),
    "{.arg {arg}} must name each variable once.",
    x = "{.val {unique(names[duplicated(names)])}} appears more than once."
  )
}

check_texts <- function(x, arg) {
  check_that(
    is.character(x) && !anyNA(x),
    "{.arg {arg}} must be a character vector without missing values.",
    x = if (is.character(x)) "Element {which(is.na(x))[1]} is missing." else
      "{.arg {arg}} is {.obj_type_friendly {x}}."
  )
}

# Whole numbers from 0 to 2^53 as doubles; says where one is not, never what it is.
# `missing`: what to do where one is missing.
whole_counts <- function(x, arg, where = function(at) paste("Row", at), missing = NULL) {
  if (inherits(x, "integer64")) {
    x <- cpp_read_integer64(x)
  }
  check_that(
    is.numeric(x),
    "{.arg {arg}} must hold whole numbers from 0 to 2^53.",
    x = "It holds {.obj_type_friendly {x}}."
  )
  x <- as.double(x)
  found <- cpp_check_counts(x)
  faults <- c("missing", "infinite", "negative", "fractional", "above 2^53")
  check_that(
    found$fault <= 0,
    "{.arg {arg}} must hold whole numbers from 0 to 2^53.",
    x = "{where(found$at)} is {faults[found$fault]}.",
    i = if (arg == "weightVar" && faults[found$fault] == "fractional") {
      "{.fn weighted_table} takes the weights of a survey, and keeps the numbers of respondents."
    },
    i = if (found$fault == 1) missing
  )
  check_that(
    !found$total_too_large,
    "The grand total must not exceed 2^53 (9,007,199,254,740,992).",
    x = "The sum of {.arg {arg}} does.",
    i = "Tabulate parts of the data.", .kind = "too_large"
  )
  x
}

check_no_dots <- function(...) {
  if (...length() == 0) {
    return(invisible())
  }
  of <- sys.function(sys.parent())
  names <- as.character(...names())
  names <- names[nzchar(names) & !is.na(names)]
  n <- ...length() - length(names)
  abort_sdc("input", c(
    "{.arg ...} must be empty.",
    x = if (length(names) > 0) {
      "{cli::qty(names)}There {?is/are} no argument{?s} {.arg {names}}."
    },
    x = if (n > 0) "{n} argument{?s} without a name {?is/are} too many.",
    i = did_you_mean(names, setdiff(names(formals(of)), "..."), style = "arg")
  ))
}

check_cells <- function(n, max_cells, what = "cells") {
  check_number(max_cells, min = 0, arg = "max_cells")
  check_that(
    n <= max_cells,
    "A dense result must have at most {format_count(max_cells)} {what}.",
    x = "It would have {format_count(n)}.",
    i = "Take a {.fn margin}, keep to the non-zero cells ({.code as.data.frame(x)}), or raise
         {.arg max_cells} or the option {.code sdcLattice.max_cells}.", .kind = "too_large"
  )
  invisible(n)
}

# A table of counts has no contributors that a rule could look at.
check_no_rules <- function(x, arg = rlang::caller_arg(x)) {
  check_that(
    !inherits(x, "sdc_rules"),
    "{.arg {arg}} must be a number: this is a table of counts.",
    x = "{describe(x, arg)}",
    i = "Rules are for tables of magnitudes, which {.fn magnitude_table} makes of microdata."
  )
}

# ---- parts of an object that was taken apart by hand -------------------------------------------

are_levels <- function(dimnames) {
  is.list(dimnames) && length(dimnames) > 0 && is.null(names_fault(dimnames)) &&
    all(lengths(dimnames) > 0) && prod(lengths(dimnames)) <= 2^53 &&
    all(vapply(dimnames, function(levels) {
      identical(class(levels), "character") && !anyDuplicated(levels)
    }, NA))
}

are_numbers <- function(x, n) {
  is.numeric(x) && !is.object(x) && is.null(dim(x)) && length(x) == n && all(is.finite(x))
}

are_whole <- function(x, n, min, max) {
  are_numbers(x, n) && all(x == floor(x) & x >= min & x <= max)
}

check_threshold <- function(threshold) {
  check_given(threshold, "threshold")
  check_whole(threshold, min = 2, max = 2^53, arg = "threshold")
}
