# Why a cell is withheld, and what the published sums leave it.

#' @rdname explain
#' @export
explain.sdc_suppression <- function(x, cell, ...) {
  check_no_dots(...)
  at <- one_suppressed(cell, x$cells, x$original$dimnames)
  out <- explain_suppressed(public_suppression(x), at)
  withheld <- x$cells$sdcStatus[at] %in% c("u", "x")
  out$lines <- c(why_withheld(x, at), if (withheld) c(out$lines, who_learns(x, at)))
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
one_suppressed <- function(cell, cells, dimnames) {
  check_given(cell, "cell")
  if (is.data.frame(cell)) {
    return(one_cell(cell, lapply(unclass(cells)[names(dimnames)], levels)))
  }
  inner_rows(cells, dimnames)[one_cell(cell, dimnames)]
}

# Who learns a cell, by the audit that the object has.
who_learns <- function(x, at) {
  learned <- x$audit$learned
  if (NROW(learned) == 0) {
    return(NULL)
  }
  own <- learned[named_rows(x, learned) == at, ]
  if (nrow(own) > 0) {
    paste0("FAILS: ", reader_words(own$reader, own$who), " it ", own$how, ".", recycle0 = TRUE)
  }
}

why_withheld <- function(x, at) {
  count <- format_count(x$cells$freq[at])
  status <- x$cells$sdcStatus[at]
  small <- is_primary(x$cells$freq[at], x)
  by <- chosen_by(x)
  rule <- paste0("the rule (", rule_words(x), ")")
  if (status == "u" && small) {
    return(paste0("Primary: its count, ", count, ", is withheld by ", rule, "."))
  }
  if (status %in% c("u", "x")) {
    return(paste0(
      if (status == "u") "Primary" else "Secondary", ": its count, ", count, ", is not small by ", rule,
      ", and withheld ", by,
      if (status == "x") " so that primary cells cannot be computed from the published sums", "."
    ))
  }
  if (small) {
    return(paste0("PUBLISHED by the pattern, though its count, ", count, ", is small by ", rule, "."))
  }
  paste0("Published: its count, ", count, ", is not small by ", rule,
         ", and withholding it was not needed.")
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

# For each variable the total right above the cell, and how many of its parts are withheld.
suppressed_sums <- function(x, at, labels) {
  size <- lengths(labels, FALSE)
  stride <- cumprod(c(1, size))
  code <- split_codes(at, size)
  unlist(lapply(seq_along(labels), function(v) {
    name <- names(labels)[v]
    tree <- family_tree(labels[[v]], length(x$dimnames[[v]]), x$hierarchies[[name]])
    above <- which(tree$child == code[[v]])
    lapply(above, function(i) {
      parts <- tree$child[tree$parent == tree$parent[i] & tree$tree == tree$tree[i]]
      row <- function(codes) at + (codes - code[[v]]) * stride[v]
      sum_words(x, name, labels[[v]][tree$parent[i]], row(tree$parent[i]), row(parts))
    })
  }))
}

sum_words <- function(x, name, label, total, parts) {
  where <- if (is.null(x$hierarchies[[name]])) paste("over", name) else paste("of", name, label)
  if (x$cells$suppressed[total]) {
    return(paste0("Its total ", where, " is withheld as well."))
  }
  hidden <- sum(x$cells$suppressed[parts])
  shown <- sum(x$cells$freq[parts], na.rm = TRUE)
  paste0("The total ", where, " is ", format_count(x$cells$freq[total]),
         ", and what is published of it adds up to ", format_count(shown), ": that leaves ",
         format_count(x$cells$freq[total] - shown), " for ", plural(hidden, "withheld cell"), ".")
}

# ---- magnitudes --------------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_magnitude_suppression <- function(x, cell, ...) {
  check_no_dots(...)
  judged <- sensitive(x$original, x$rules, totals = TRUE)
  at <- one_row(cell, x$cells, names(x$original$dimnames))
  variables <- names(x$original$dimnames)
  row <- match_row(x$cells[at, ], judged, variables)
  status <- x$cells$sdcStatus[at]
  by <- chosen_by(x)
  new_explanation(row_label(x$cells, at, variables), c(
    if (!is.na(row)) sensitivity_words(judged, row),
    switch(
      status, u = "Primary: withheld by the rules.",
      x = paste0("Secondary: withheld ", by, " so that primary cells cannot be computed from the
        published totals."),
      "Published."
    ),
    if (status %in% c("u", "x")) c(magnitude_interval_words(x, at, variables), who_learns(x, at))
  ), private = TRUE)
}

magnitude_interval_words <- function(x, at, variables) {
  found <- (if (is.null(x$audit)) audit(x) else x$audit)$cells
  own <- found[match_row(x$cells[at, ], found, variables), ]
  c(
    paste0("The published totals leave it from ", plain_number(own$lower), " to ",
           plain_number(own$upper), "."),
    if (isTRUE(own$protected)) {
      paste0("The rules need ", plain_number(own$need_lower), " or less to ",
             plain_number(own$need_upper), " or more: it is protected.")
    },
    if (isFALSE(own$protected)) {
      paste0("The rules need ", plain_number(own$need_lower), " or less to ",
             plain_number(own$need_upper), " or more: it is NOT protected.")
    }
  )
}
