# How the cells of a suppression are chosen: by a pattern, by certified methods, or by a library and
# its repair.

library_methods <- c("GaussSuppression", "sdcTable")

# How cells are chosen, and what follows. `given`: did the user name the method, and ask for repair?
suppression_choice <- function(pattern, method, audit, repair, given,
                               methods = library_methods) {
  method <- check_choice(method, methods)
  check_flag(audit)
  check_flag(repair)
  check_pattern_alone(pattern, method, given[1], given[2] && repair)
  if (!is.null(pattern) && !given[1]) method <- "pattern"
  list(pattern = pattern, method = method, audit = audit, repair = repair)
}

# The choice of suppress(). `named`: the arguments that the user gave; `kinds`: the readers whom
# certificates may be for. Certificates are proof, so that these methods are audited only where the
# user says so.
choose_method <- function(pattern, method, audit, repair, wishes, named,
                          kinds = names(reader_kinds)) {
  own <- isTRUE(method[1] %in% certified_methods) && (is.null(pattern) || "method" %in% named)
  if (own && !"audit" %in% named) audit <- FALSE
  if (own && !"repair" %in% named) repair <- FALSE
  ask <- suppression_choice(pattern, method, audit, repair, c("method", "repair") %in% named,
                            c(certified_methods, library_methods))
  ask$wishes <- check_wishes(wishes, named, ask$method, pattern, kinds)
  ask
}

# A pattern leaves a library nothing to choose or to repair, and sdcTable takes no further cells.
# But it may be certified.
# `method_given`, `asks_repair`: did the user say so, or are these the defaults?
check_pattern_alone <- function(pattern, method, method_given, asks_repair) {
  if (!is.null(pattern) && method_given && method == "certified") {
    return(invisible())
  }
  if (!is.null(pattern) && (method_given || asks_repair)) {
    abort_sdc("input", c(
      "{.arg pattern} must be given without {.arg {if (method_given) 'method' else 'repair'}}.",
      x = if (method_given) {
        "{.arg method} is {.val {method}}, but with {.arg pattern} no library chooses the cells."
      } else {
        "{.arg repair} is TRUE, but the cells of {.arg pattern} are suppressed as they are."
      },
      i = "Leave one of the two out."
    ))
  }
  if (asks_repair && method != "GaussSuppression") {
    abort_sdc("input", c(
      "{.code repair = TRUE} must come with {.code method = \"GaussSuppression\"}.",
      x = if (method %in% certified_methods) {
        "{.arg method} is {.val {method}}, which certifies each cell and leaves nothing to repair."
      } else {
        "{.arg method} is {.val {method}}, which takes no further cells to protect."
      },
      i = "Leave {.arg repair} out, or take the other {.arg method}."
    ))
  }
}

# Other methods take no argument of a library. `given`: are the primary cells given, as for
# magnitudes?
check_no_library_arguments <- function(method, given, ...) {
  of <- lapply(rlang::set_names(library_methods), function(name) {
    intersect(...names(), unlist(library_arguments(name, given), use.names = FALSE))
  })
  of <- of[lengths(of) > 0]
  if (length(of) == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg {of[[1]]}} must come with {.code method = \"{names(of)[1]}\"}.",
    x = if (method == "pattern") {
      "{.arg pattern} is given, so that no library chooses the cells."
    } else {
      "{.arg method} is {.val {method}}, which takes no arguments of a library."
    },
    i = if (method == "certified") "{.val certified} is the default of {.arg method}."
  ))
}

# `x`: a suppression without cells; `further`: arguments of the library. `rows`, in repair: further
# primary cells.
suppress_cells <- function(x, ask, further) {
  if (ask$method %in% certified_methods) {
    return((if (of_units(x)) suppress_certified_units else suppress_certified)(x, ask))
  }
  measure <- measure_of(x)
  hide <- function(x, found) {
    x$cells <- measured_cells(measure, found$suppressed, found$primary)
    x
  }
  choose <- function(rows) suppress_by_library(ask$method, measure, rows, further)
  by_pattern <- !is.null(ask$pattern)
  found <- if (by_pattern) {
    read_pattern(ask$pattern, measure$table, measure$cells, measure$primary)
  } else {
    choose(integer())
  }
  x <- hide(x, found)
  x <- structure(c(unclass(x), list(
    method = if (by_pattern) "pattern" else ask$method, version = found$version, further = further,
    notes = found$notes, audit = NULL
  )), class = class(x))
  if (ask$repair && method_is_library(x)) {
    x <- repair_suppression(x, function(rows) hide(x, choose(rows)))
  }
  if (ask$audit) x["audit"] <- list(audit(x))
  x$seal <- seal_of(suppression_kind(x), suppression_parts(x))
  x
}

# ---- the table and the names of arguments -------------------------------------------------------

# R takes `max` for `maxN`, and an argument of a library may begin like one of ours.
check_names_in_full <- function(named, own) {
  begins <- vapply(named, function(name) nzchar(name) && any(startsWith(own, name)), NA)
  short <- setdiff(named[begins], own)
  if (length(short) > 0) {
    abort_sdc("input", c(
      "The names of arguments must be written in full.",
      x = "{.arg {short}} {cli::qty(short)}{?is/are} not."
    ))
  }
}

warn_of_nothing_primary <- function() {
  warn_sdc("input", c(
    "With {.code maxN = 0} no count is primary, and nothing is suppressed.",
    i = "{.arg maxN} is the largest small count: {.code maxN = 3} protects counts from 1 to 3;
         {.code protectZeros = TRUE} protects zeros."
  ))
}

check_can_suppress <- function(x) {
  check_free_names(x$dimnames, suppression_columns)
  if (length(x$dimnames) > 0 && length(x) > 0) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "A table to suppress cells of must have at least one variable, and a level for each.",
    x = if (length(x$dimnames) == 0) "It has no variables." else "It has no cells."
  ))
}

suppression_columns <- c(
  "freq", "sdcStatus", "suppressed", "primary", "lower", "upper", "width", "sharp", "known",
  "reader", "who", "how", "least", "most", "outsider", "contributor", "coalition", "method"
)
