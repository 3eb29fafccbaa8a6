# What is known of the contributors to ready cells, and what of them is needed.

# How many of the largest contributions each rule needs.
tops_needed <- function(rules) {
  rules <- unclass(rules)
  ifelse(rules$kind == "nk", rules$n, ifelse(rules$kind == "p_percent", 2, 0))
}

# Where all contributors are known there is no `top`.
check_tops_suffice <- function(x, rules, totals = TRUE) {
  most <- if (totals) length(x$value) else max(0, diff(x$start))
  needed <- tops_needed(rules)
  if (is.null(x$top) || most <= x$top || all(needed <= x$top)) {
    return(invisible(rules))
  }
  words <- unclass(rules)$label[needed > x$top]
  abort_sdc("input", c(
    "{.arg topVar} of {.fn magnitude_cells} must name as many of the largest contributions as the
     rules need.",
    x = "{.val {words}} {cli::qty(words)}{?needs/need} {max(needed)}; {x$top} {cli::qty(x$top)}
         {?is/are} known of each cell.",
    i = "Give more columns in {.arg topVar}, or take rules that need fewer."
  ))
}

# What needs each contributor, and not only the largest.
check_all_contributors <- function(x, what) {
  if (is.null(x$top)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    paste(what, "must have a table of all contributors."),
    x = "Of this table only the largest contributions to each cell are known.",
    i = "Make one of the microdata with {.fn magnitude_table}."
  ))
}

# The largest `k` values of each cell, 0 where there are fewer.
top_values <- function(held, k) {
  size <- diff(held$start)
  out <- vapply(seq_len(k), function(j) {
    ifelse(size >= j, held$value[pmin(held$start[-length(held$start)] + j, length(held$value))], 0)
  }, numeric(length(size)))
  matrix(out, length(size))
}
