# The object of a set of cycles, and the labels that it is made of.

# All margins of `k` variables, as lists of their names.
ways <- function(labels, k) {
  lapply(utils::combn(length(labels), k, simplify = FALSE), function(at) names(labels)[at])
}

# Shape and labels of a table, and nothing else of it.
shape_labels <- function(x) {
  labels <- lapply(dimnames(one_level_argument(x, "x")), function(l) plain_strings(l))
  size <- prod(lengths(labels))
  if (length(labels) == 0 || size == 0) {
    abort_sdc("input", c("{.arg x} must have cells.", x = "It has none."))
  }
  if (size > .Machine$integer.max) {
    abort_sdc("too_large", c(
      "{.arg x} may have at most 2^31 - 1 cells to be moved along cycles.",
      x = "It has {size}."
    ))
  }
  labels
}

two_way_labels <- function(x) {
  labels <- shape_labels(x)
  if (length(labels) != 2) {
    abort_sdc("input", c(
      "{.arg x} must have two variables.",
      x = "It has {length(labels)}: {.val {names(labels)}}.",
      i = if (length(labels) > 2) "{.fn cycles_margin} makes cycles for tables of any number of
                                   variables."
    ))
  }
  short <- which(lengths(labels) < 2)
  if (length(short)) {
    abort_sdc("input", c(
      "{.arg x} must have at least two levels in each variable: no move keeps the margins
       otherwise.",
      x = "{.field {names(labels)[short]}} {?has/have} one."
    ))
  }
  labels
}

# A copy that shares nothing with `x` but the strings themselves.
plain_strings <- function(x) {
  out <- character(length(x))
  out[] <- enc2utf8(as.character(x))
  out
}

# `layout`: the trees and crossings of the table, where it has any; `totals_kept`: does the set
# claim to keep all totals that they publish?
new_sdc_cycles <- function(rule, labels, parameters, preserves, layout = NULL, totals_kept = NULL) {
  set <- structure(
    c(
      list(rule = rule, version = 1L, dimnames = labels, parameters = parameters,
           preserves = preserves),
      if (!is.null(layout)) list(layout = layout, totals_kept = totals_kept)
    ),
    class = sdc_class("sdc_cycles")
  )
  validate_sdc_cycles(set)
}

# The core expands the set and checks every claimed margin and total.
validate_sdc_cycles <- function(set) {
  broken <- with_core(cpp_check_cycles(set))
  if (is.null(broken)) {
    if (isTRUE(set$totals_kept)) check_totals_kept(set, set$layout)
    return(set)
  }
  margin <- set$preserves[[broken$margin]]
  levels <- unique(margin_levels(broken$cells, set$dimnames, margin))
  shown <- utils::head(levels, 3)
  rest <- length(levels) - length(shown)
  abort_sdc("input", c(
    "Every cycle must keep the margin {.field {margin_name(margin)}}.",
    x = "Cycle {broken$cycle} changes it at
         {.val {shown}}{if (rest > 0) paste(' and', rest, 'more') else ''}."
  ))
}

margin_name <- function(margin) {
  if (length(margin)) paste(margin, collapse = " x ") else "total"
}

margin_levels <- function(cells, labels, margin) {
  if (length(margin) == 0) {
    return("total")
  }
  at <- arrayInd(cells, lengths(labels, use.names = FALSE))
  parts <- lapply(margin, function(v) labels[[v]][at[, match(v, names(labels))]])
  do.call(paste, c(parts, sep = ", "))
}
