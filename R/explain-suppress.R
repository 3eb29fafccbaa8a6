# Why a cell is withheld, and what the published sums leave it.

#' @rdname explain
#' @export
explain.sdc_suppression <- function(x, cell, ...) {
  check_no_dots(...)
  at <- one_suppressed(cell, x$cells, x$original$dimnames)
  out <- explain_suppressed(public_suppression(x), at)
  withheld <- x$cells$sdcStatus[at] %in% c("u", "x")
  out$lines <- c(why_withheld(x, at), if (withheld) out$lines)
  out$private <- TRUE
  out
}

#' @rdname explain
#' @export
explain.sdc_suppressed <- function(x, cell, ...) {
  check_no_dots(...)
  explain_suppressed(x, one_suppressed(cell, x$cells, x$dimnames))
}

# The row of a cell, or, when a data frame names it, of a total.
one_suppressed <- function(cell, cells, dimnames, call = caller_env()) {
  if (is.data.frame(cell)) {
    return(one_cell(cell, lapply(unclass(cells)[names(dimnames)], levels), call))
  }
  inner_rows(cells, dimnames)[one_cell(cell, dimnames, call)]
}

why_withheld <- function(x, at) {
  count <- format_count(x$cells$freq[at])
  switch(
    x$cells$sdcStatus[at],
    u = paste0("Primary: its count, ", count, ", is withheld by the rule (", rule_words(x), ")."),
    x = paste0("Secondary: its count, ", count, ", is not small, and withheld ",
               if (x$method == "pattern") "by the pattern" else paste("by", x$method),
               " so that primary cells cannot be computed from the published sums."),
    z = "Published: a zero, which the rule leaves.",
    s = paste0("Published: its count, ", count,
               ", is not small, and withholding it was not needed.")
  )
}

# What a reader works out; the sums in which the cell stands.
explain_suppressed <- function(x, at) {
  labels <- lapply(unclass(x$cells)[names(x$dimnames)], levels)
  where <- cell_words(at, labels)
  if (!x$cells$suppressed[at]) {
    return(new_explanation(where, paste0(
      "Published as ", format_count(x$cells$freq[at]), "."
    ), private = FALSE))
  }
  found <- audit(x, count = FALSE, progress = FALSE)$cells
  own <- found[match(at, which(x$cells$suppressed)), ]
  new_explanation(where, c(
    paste0("Suppressed. The published sums leave it ", interval_words(own$lower, own$upper), "."),
    if (own$known == "exactly") "So it is given away.",
    suppressed_sums(x, at, labels)
  ), private = FALSE)
}

# For each variable the published total along it, and how many of its parts are withheld.
suppressed_sums <- function(x, at, labels) {
  size <- lengths(labels, FALSE)
  code <- split_codes(at, size)
  lines <- lapply(setdiff(names(labels), names(x$hierarchies)), function(name) {
    v <- match(name, names(labels))
    stride <- cumprod(c(1, size))[v]
    n <- length(x$dimnames[[v]])
    total <- at + (size[v] - code[[v]]) * stride
    if (code[[v]] > n || size[v] == n) {
      return(NULL)
    }
    parts <- total - (size[v] - seq_len(n)) * stride
    hidden <- sum(x$cells$suppressed[parts])
    shown <- sum(x$cells$freq[parts], na.rm = TRUE)
    if (x$cells$suppressed[total]) {
      paste0("Along ", name, " its total is withheld as well.")
    } else {
      paste0("Along ", name, " the total is ", format_count(x$cells$freq[total]),
             ", and what is published adds up to ", format_count(shown), ": that leaves ",
             format_count(x$cells$freq[total] - shown), " for ", plural(hidden, "withheld cell"),
             ".")
    }
  })
  unlist(lines)
}
