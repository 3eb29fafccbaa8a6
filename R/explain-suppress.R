# Why a cell is withheld, and what the published sums leave it.

#' @rdname explain
#' @export
explain.sdc_suppression <- function(x, cell = NULL, ..., without = FALSE, time_limit_s = 10) {
  check_no_dots(...)
  check_flag(without)
  check_number(time_limit_s, min = 0)
  if (is.null(cell)) {
    if (without) check_without(x, NULL)
    return(explain_object(x))
  }
  number <- one_suppressed(cell, x, x$original$dimnames)
  public <- public_suppression(x)
  where <- cell_words(number, lapply(unclass(x$cells)[names(public$dimnames)], levels))
  at <- rows_of_cells(number, x$cells, names(public$dimnames))
  if (without) check_without(x, at)
  if (is.na(at)) {
    return(new_explanation(where, zero_words, private = TRUE))
  }
  lines <- if (of_units(x)) why_withheld_units(x, at) else why_withheld(x, at)
  if (!in_crossings(x)[at]) {
    return(new_explanation(where, unpublished_words, private = TRUE))
  }
  if (is_hidden(x)[at]) {
    known <- if (is_certified(x)) certificate_sentences(x, at) else
      if (of_units(x)) protection_words(x, at) else known_words_of(public, at)
    lines <- c(lines, known, if (without) without_sentences(x, at, time_limit_s),
               suppressed_sums(public, number), who_learns(x, at))
  }
  new_explanation(where, lines, private = TRUE)
}

#' @rdname explain
#' @export
explain.sdc_suppressed <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  explain_suppressed(x, one_suppressed(cell, x, x$dimnames))
}

zero_words <- "Published: its count is 0, and zeros are published."

# The number of a cell, or, when a data frame names it, of a total. Of magnitudes it is that of any
# of the rows, totals included.
one_suppressed <- function(cell, x, dimnames) {
  check_given(cell, "cell")
  cell <- as_cell(cell)
  if (of_units(x)) {
    return(one_row(cell, x$cells, names(dimnames)))
  }
  if (is.data.frame(cell)) {
    return(one_cell(cell, lapply(unclass(x$cells)[names(dimnames)], levels)))
  }
  codes <- split_codes(one_cell(cell, dimnames), lengths(dimnames, FALSE))
  combine_codes(codes, node_numbers(x$cells, names(dimnames)), 1)
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
  if (status == "u" && !is.null(x$groups) && x$cells$freq[at] <= max(1, group_room(x))) {
    said <- group_sentences(x, at)
    if (!is.null(said)) return(said)
  }
  if (status %in% c("u", "x") && at %in% x$status$row[x$status$sdcStatus == status]) {
    return(paste0(if (status == "u") "Primary" else "Secondary", ": its count, ", count,
                  ", is not small by ", rule, ", and withheld because `status` says so."))
  }
  if (status %in% c("u", "x")) {
    return(paste0(
      if (status == "u") "Primary" else "Secondary", ": its count, ", count, ", is not small by ",
      rule,
      ", and withheld ", by,
      if (status == "x") " so that primary cells cannot be computed from the published sums", "."
    ))
  }
  if (small) {
    return(paste0("PUBLISHED by the pattern, though its count, ", count, ", is small by ", rule,
                  "."))
  }
  if (x$cells$freq[at] == 0) {
    return(zero_words)
  }
  paste0("Published: its count, ", count, ", is not small by ", rule,
         ", and withholding it was not needed.")
}

unpublished_words <- "In no published crossing: it is neither published nor suppressed."

# What a reader works out; the sums in which the cell stands.
explain_suppressed <- function(x, number) {
  where <- cell_words(number, lapply(unclass(x$cells)[names(x$dimnames)], levels))
  at <- rows_of_cells(number, x$cells, names(x$dimnames))
  lines <- if (is.na(at)) {
    zero_words
  } else if (!in_crossings(x)[at]) {
    unpublished_words
  } else if (x$cells$suppressed[at]) {
    c(known_words_of(x, at), suppressed_sums(x, number))
  } else {
    paste0("Published as ", format_count(x$cells[[amount_column(x)]][at]), ".")
  }
  new_explanation(where, lines, private = FALSE)
}

known_words_of <- function(x, at) {
  if (!lists_zeros(x$cells, names(x$dimnames))) {
    return("Suppressed.")
  }
  found <- audit(x, count = FALSE, progress = FALSE)$cells
  own <- found[match(at, which(x$cells$suppressed & in_crossings(x))), ]
  c(
    paste0("Suppressed. The published sums leave it ", interval_words(own$lower, own$upper), "."),
    if (own$known == "exactly") "So it is given away."
  )
}

# For each variable the total right above the cell, and how many of its parts are withheld.
suppressed_sums <- function(x, number) {
  labels <- lapply(unclass(x$cells)[names(x$dimnames)], levels)
  size <- lengths(labels, FALSE)
  stride <- cumprod(c(1, size))
  code <- split_codes(number, size)
  unlist(lapply(seq_along(labels), function(v) {
    name <- names(labels)[v]
    tree <- family_tree(labels[[v]], length(x$dimnames[[v]]), x$hierarchies[[name]])
    above <- which(tree$child == code[[v]])
    lapply(above, function(i) {
      parts <- tree$child[tree$parent == tree$parent[i] & tree$tree == tree$tree[i]]
      row <- function(codes) {
        rows <- rows_of_cells(number + (codes - code[[v]]) * stride[v], x$cells, names(labels))
        rows[!is.na(rows)]
      }
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
  amount <- x$cells[[amount_column(x)]]
  shown <- sum(amount[parts], na.rm = TRUE)
  paste0("The total ", where, " is ", format_count(amount[total]),
         ", and what is published of it adds up to ", format_count(shown), ": that leaves ",
         format_count(amount[total] - shown), " for ", plural(hidden, "withheld cell"), ".")
}

# ---- magnitudes --------------------------------------------------------------------------------

why_withheld_units <- function(x, at) {
  judged <- sensitive(x$original, x$rules, totals = TRUE)
  row <- match_row(x$cells[at, ], judged, names(x$original$dimnames))
  c(
    if (!is.na(row)) sensitivity_words(judged, row),
    switch(
      x$cells$sdcStatus[at], u = "Primary: withheld by the rules.",
      x = paste0("Secondary: withheld ",
                 chosen_by(x), " so that primary cells cannot be computed from
        the published totals."),
      "Published."
    )
  )
}

protection_words <- function(x, at) {
  found <- (x$audit %||% audit(x, progress = FALSE))$cells
  own <- found[match(at, named_rows(x, found)), ]
  need <- paste0("The rules need ", format_count(own$need_lower), " or less to ",
                 format_count(own$need_upper), " or more: it is ")
  c(
    paste0("The published totals leave it ", interval_words(own$lower, own$upper), "."),
    if (isTRUE(own$protected)) paste0(need, "protected."),
    if (isFALSE(own$protected)) paste0(need, "NOT protected.")
  )
}
