# Tables from arrays, and arrays of counts from tables.

table_from_table <- function(data, dimVar, freqVar, weightVar, totals) {
  if (is.character(data) && is.null(dim(data))) abort_no_data(data)
  given <- c("freqVar", "weightVar")[c(!is.null(freqVar), !is.null(weightVar))]
  if (length(given) > 0) {
    abort_sdc("input", c(
      "{.arg {given}} must be NULL unless {.arg data} is a data frame.",
      x = "{.arg data} is {.obj_type_friendly {data}}."
    ))
  }
  made <- is_sdc_table(data)
  data <- table_argument(data, "data", "a data frame, an {.cls sdc_table},", FALSE)
  asked <- !is.null(totals$named) || length(totals$trees) > 0
  if (!made || asked) data <- complete_table(data, totals, search = !made || !is.null(totals$named))
  if (is.null(dimVar)) data else take_margin(data, dimVar, "dimVar")
}

abort_no_data <- function(data) {
  abort_sdc("input", c(
    "{.arg data} must be a data frame, or a table, matrix or array of counts.",
    x = "{.arg data} is {.obj_type_friendly {data}}.",
    i = "Read a file first, for example with {.fn utils::read.csv}."
  ))
}

#' @export
table_from.default <- function(data, dimVar, freqVar, weightVar, na, duplicates, totals) {
  table_from_table(data, dimVar, freqVar, weightVar, totals)
}

# The table that a user gave for an argument, in any form that as_sdc_table() takes.
table_argument <- function(x, arg = rlang::caller_arg(x),
                           kinds = "an {.cls sdc_table},", total = NULL) {
  check_given(x, arg)
  if (is_sdc_table(x)) {
    return(if (is.null(total)) x else without_totals(x, total))
  }
  if (inherits(x, "ftable")) {
    x <- as.table(x)
  }
  if (inherits(x, c("svytable", "survey.design", "svyrep.design"))) abort_estimates(arg)
  check_array(x, arg, kinds)
  without_totals(table_from_array(x, arg), total)
}

# Estimates are no counts, also where they happen to be whole.
abort_estimates <- function(arg) {
  abort_sdc("input", c(
    "{.arg {arg}} must hold counts.", x = "It holds estimates of a survey.",
    i = "{.fn weighted_table} makes a table of estimates with the numbers of their respondents."
  ))
}

check_array <- function(x, arg, kinds) {
  several <- inherits(x, "sdc_tables")
  if (is.array(x) && is.numeric(x) && !several) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    paste("{.arg {arg}} must be", kinds, "or a table, matrix or array of counts."),
    x = "{.arg {arg}} is {.obj_type_friendly {x}}.",
    i = if (is.data.frame(x)) "Tabulate a data frame with {.fn sdc_table}.",
    i = if (several) "It holds several tables: take one of them, by the last index."
  ))
}

table_from_array <- function(x, arg) {
  dimnames <- array_dimnames(dim(x), base::dimnames(x))
  where <- function(at) {
    labels <- cell_labels(at, dimnames)
    paste0("Cell ", at, " (", paste(names(labels), "=", unlist(labels), collapse = ", "), ")")
  }
  counts <- whole_counts(unclass(x), arg, where)
  new_table(dimnames, cpp_compress_dense(dim(x), counts))
}

array_dimnames <- function(dim, dimnames) {
  if (is.null(dimnames)) {
    dimnames <- vector("list", length(dim))
  }
  names <- names(dimnames)
  if (is.null(names)) {
    names <- character(length(dim))
  }
  unnamed <- is.na(names) | !nzchar(names)
  names[unnamed] <- paste0("Var", seq_along(dim))[unnamed]
  out <- lapply(seq_along(dim), function(k) {
    if (is.null(dimnames[[k]])) as.character(seq_len(dim[k])) else as.character(dimnames[[k]])
  })
  check_dimnames(rlang::set_names(out, names))
}

check_dimnames <- function(dimnames) {
  names <- names(dimnames)
  if (anyDuplicated(names)) {
    abort_sdc("input", c(
      "Variables must have unique names.",
      x = "{.val {unique(names[duplicated(names)])}} appears more than once."
    ))
  }
  twice <- which(vapply(dimnames, anyDuplicated, 1L) > 0)
  if (length(twice) > 0) {
    labels <- dimnames[[twice[1]]]
    abort_sdc("input", c(
      "The levels of a variable must be unique.",
      x = "{.val {names[twice[1]]}} has {.val {unique(labels[duplicated(labels)])}} more than once."
    ))
  }
  dimnames
}

table_from_dense <- function(counts, dimnames) {
  stopifnot(length(counts) == prod(lengths(dimnames)), !is.null(names(dimnames)))
  counts <- whole_counts(counts, "counts", function(at) paste("Cell", at))
  new_table(dimnames, cpp_compress_dense(lengths(dimnames), counts))
}

# A map as a table of one variable.
map_table <- function(map) {
  table_from_dense(map$count, list(hexagon = paste(map$q, map$r)))
}
