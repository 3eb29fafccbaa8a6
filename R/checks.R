# Checks of arguments. Each knows the argument's name and the user's call, and returns its value.

check_class <- function(x, class, arg = caller_arg(x), call = caller_env(), make = NULL) {
  check_given(x, arg, call)
  if (inherits(x, class)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be an object of class {.cls {class}}.",
    x = "It is {.obj_type_friendly {x}}.",
    i = if (!is.null(make)) "Make one with {.fn {make}}."
  ), call = call)
}

# An argument without a default.
check_given <- function(x, arg = caller_arg(x), call = caller_env()) {
  if (!missing(x)) {
    return(invisible())
  }
  abort_sdc("input", c("{.arg {arg}} must be given.", x = "It is missing."), call = call)
}

# One whole number in [min, max].
check_whole <- function(x, min = -Inf, max = Inf, arg = caller_arg(x), call = caller_env()) {
  ok <- is.numeric(x) && length(x) == 1 && !is.na(x) && x == floor(x) && x >= min && x <= max
  if (ok) {
    return(invisible(x))
  }
  range <- format_range(min, max)
  abort_sdc("input", c(
    "{.arg {arg}} must be one whole number{range}.",
    x = "{describe(x)}"
  ), call = call)
}

# One number in [min, max].
check_number <- function(x, min = -Inf, max = Inf, arg = caller_arg(x), call = caller_env()) {
  ok <- is.numeric(x) && length(x) == 1 && !is.na(x) && x >= min && x <= max
  if (ok) {
    return(invisible(x))
  }
  range <- format_range(min, max)
  abort_sdc("input", c(
    "{.arg {arg}} must be one number{range}.",
    x = "{describe(x)}"
  ), call = call)
}

check_flag <- function(x, arg = caller_arg(x), call = caller_env()) {
  if (is.logical(x) && length(x) == 1 && !is.na(x)) {
    return(invisible(x))
  }
  abort_sdc("input", c("{.arg {arg}} must be `TRUE` or `FALSE`.", x = "{describe(x)}"), call = call)
}

check_string <- function(x, arg = caller_arg(x), call = caller_env()) {
  check_given(x, arg, call)
  if (is.character(x) && length(x) == 1 && !is.na(x) && nzchar(x)) {
    return(invisible(x))
  }
  abort_sdc("input", c("{.arg {arg}} must be one string.", x = "{describe(x)}"), call = call)
}

# One of `values`, written out in full; the default is the first.
check_choice <- function(x, values, arg = caller_arg(x), call = caller_env()) {
  if (identical(x, values)) {
    return(values[[1]])
  }
  if (is.character(x) && length(x) == 1 && !is.na(x) && x %in% values) {
    return(x)
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be one of {.or {.val {values}}}.",
    x = "{describe(x)}"
  ), call = call)
}

# A package that only some users need.
check_installed <- function(package, why, call = caller_env()) {
  if (requireNamespace(package, quietly = TRUE)) {
    return(invisible(TRUE))
  }
  abort_sdc("input", c(
    "The package {.pkg {package}} is needed {why}.",
    x = "It is not installed.",
    i = "Install it with {.code install.packages(\"{package}\")}."
  ), call = call)
}

# "It is 3.5.", "It has length 2.", ...: what was found, for arguments that hold no counts.
describe <- function(x) {
  if (is.null(x)) {
    return("It is NULL.")
  }
  if (!is.atomic(x)) {
    return(cli::format_inline("It is {.obj_type_friendly {x}}."))
  }
  if (length(x) != 1) {
    return(paste0("It has length ", length(x), "."))
  }
  if (is.na(x)) {
    return("It is NA.")
  }
  if (is.character(x)) {
    return(paste0("It is \"", x, "\"."))
  }
  paste0("It is ", format(x, digits = 15), ".")
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
check_quoted <- function(value, expr, data, arg = caller_arg(value), call = caller_env()) {
  columns <- if (is.data.frame(data)) names(data) else names(dimnames(data))
  bare <- intersect(all.vars(expr), columns)
  hint <- function() {
    abort_sdc("input", c(
      "{.arg {arg}} must be a character vector of names, or a formula.",
      x = "{.code {bare}} {?is/are} written without quotes.",
      i = "Write {.code {arg} = {quoted_call(bare)}}."
    ), call = call)
  }
  if (length(bare) == 0) {
    return(invisible())
  }
  value <- tryCatch(value, error = function(cnd) hint())
  if (!is.null(value) && !is.character(value) && !inherits(value, "formula")) hint()
  invisible(value)
}

quoted_call <- function(names) {
  words <- paste0("\"", names, "\"", collapse = ", ")
  if (length(names) == 1) words else paste0("c(", words, ")")
}
