# The form of the fields of a private suppression, one by one, for print() and for the verifier.
# What is looked at here is no proof: the verifier compares the fields with the original table.

# The first field that is not of the form that suppress() gives it, or NULL. `only`: of some.
damaged_field <- function(x, only = NULL) {
  forms <- c(common_forms, if (of_units(x)) unit_forms else count_forms,
             if (is_certified(x)) certified_forms,
             if (is_certified(x) && !of_units(x)) certified_count_forms)
  fields <- unclass(x)
  for (name in if (is.null(only)) names(forms) else intersect(only, names(forms))) {
    if (!isTRUE(tryCatch(forms[[name]](fields[[name]], x), error = function(cnd) FALSE))) {
      return(name)
    }
  }
  NULL
}

check_whole_object <- function(x) {
  field <- damaged_field(x)
  if (is.null(field)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "A suppression must be as {.fn suppress} made it.",
    x = "Its field {.field {field}} was changed to something else.",
    i = "Run {.fn suppress} again."
  ))
}

is_one_flag <- function(f) is.logical(f) && length(f) == 1 && !is.na(f)
is_one_text <- function(f) is.character(f) && length(f) == 1 && !is.na(f)
is_one_number <- function(f) is.numeric(f) && length(f) == 1 && is.finite(f)
is_one_whole <- function(f) is_one_number(f) && is_whole(f)
is_list_or_none <- function(f) is.null(f) || is.list(f)
has_columns <- function(f, columns) {
  is.data.frame(f) && all(columns %in% names(f)) && all(lengths(unclass(f)) == nrow(f))
}

# What suppress() writes of readers who know the method and are left out.
left_out_reasons <- c("chosen", "arguments", "linked", "zeros", "narrow", "large", "time", "dear",
                      "open")

left_out_fits <- function(out) {
  is.list(out) && is.character(out$reason) && length(out$reason) == 1 &&
    out$reason %in% left_out_reasons &&
    (out$reason != "dear" || is_one_number(out$cost) && is_one_number(out$usual))
}


common_forms <- list(
  original = function(f, x) inherits(f, if (of_units(x)) "sdc_magnitude" else "sdc_table"),
  cells = function(f, x) {
    variables <- names(x$original$dimnames)
    amount <- amount_column(x)
    has_columns(f, c(variables, amount, "sdcStatus", if (of_units(x)) c("count", "rules"))) &&
      all(vapply(unclass(f)[variables], is.factor, NA)) && is.numeric(f[[amount]]) &&
      is.character(f$sdcStatus) && !anyNA(f$sdcStatus)
  },
  method = function(f, x) is_one_text(f), version = function(f, x) is.null(f) || is_one_text(f),
  further = function(f, x) is_list_or_none(f), notes = function(f, x) is.null(f) || is.character(f),
  repair = function(f, x) {
    is.null(f) || is.list(f) && is_one_flag(f$passed) && is_one_number(f$rounds)
  },
  audit = function(f, x) is.null(f) || inherits(f, "sdc_suppression_audit"),
  # what the user said of single cells and of last year
  status = function(f, x) {
    is.null(f) || identical(names(f), c("row", "sdcStatus", "cost")) && is.data.frame(f) &&
      are_rows(f$row, x) && all(f$sdcStatus %in% cell_codes) && is.numeric(f$cost)
  },
  previous = function(f, x) {
    is.null(f) || is.list(f) && identical(names(f), c("row", "gone")) && are_rows(f$row, x) &&
      is_one_whole(f$gone)
  }
)

count_forms <- list(
  hierarchies = function(f, x) is_list_or_none(f), crossings = function(f, x) is_list_or_none(f),
  total_label = function(f, x) is_one_text(f) && nzchar(f),
  maxN = function(f, x) is_one_whole(f) && f >= 0, protectZeros = function(f, x) is_one_flag(f),
  # what the user said of groups of people
  groups = function(f, x) {
    names <- names(x$original$dimnames)
    is.null(f) || is.character(f) && length(f) > 0 && !anyDuplicated(f) &&
      all(f %in% names[lengths(x$original$dimnames) > 1]) && isFALSE(x$protectZeros) &&
      lists_zeros(x$cells, names)
  },
  small_groups = function(f, x) {
    if (is.null(x$groups)) is.null(f) else is_one_whole(f) && f >= 0
  },
  combinations = function(f, x) {
    is.null(f) || !is.null(x$groups) && combinations_fit(f, x$groups, x$original$dimnames)
  },
  coalition = function(f, x) is.null(f) || !is.null(x$groups) && is_one_whole(f) && f >= 2
)

unit_forms <- list(
  rules = function(f, x) inherits(f, "sdc_rules") && is.character(f$label),
  p = function(f, x) is_one_number(f),
  lowest = function(f, x) is.null(f) || is.numeric(f) && length(f) == 1 && !is.na(f)
)

certified_count_forms <- list(
  width = function(f, x) is_one_whole(f) && f >= 1,
  value_free = function(f, x) is.null(f) || is_one_flag(f),
  level = function(f, x) is.null(f) || is_one_whole(f) && f >= 0,
  price = function(f, x) is.null(f) || is_one_number(f),
  # why readers who know the method are left out
  left_out = function(f, x) is.null(f) || left_out_fits(f)
)

certified_forms <- list(
  readers = function(f, x) {
    kinds <- if (of_units(x)) unit_readers else names(reader_kinds)
    is.character(f) && all(f %in% kinds) && "outsider" %in% f && !anyDuplicated(f)
  },
  certificates = function(f, x) has_columns(f, certificate_columns),
  lacking = function(f, x) {
    has_columns(f, c("row", "reader", "who", "impossible", "exposed")) && is.character(f$reader) &&
      is.logical(f$impossible) && is.logical(f$exposed)
  },
  cost = function(f, x) is_one_number(f), bound = function(f, x) is_one_number(f),
  optimal = function(f, x) is_one_flag(f), stopped = function(f, x) is_one_flag(f),
  added = function(f, x) is.null(f) || is_one_whole(f)
)

are_rows <- function(row, x) {
  is.numeric(row) && all(row %in% seq_len(nrow(x$cells))) && !anyDuplicated(row)
}
