# Suppressed tables in words: why a cell is withheld, and what the published sums leave it.

story.sdc_suppression <- function(x) {
  hidden <- x$cells$sdcStatus
  primary <- sum(hidden == "u")
  c(
    say("{primary} cell{?/s} {?or/and} total{?/s} {?is/are} primary, withheld by the rule
         ({rule_words(x)}), and {sum(hidden == 'x')} more {?is/are} withheld so that these cannot be
         computed by subtraction."),
    if (is_certified(x)) {
      certified_story(x)
    } else if (is.null(x$audit)) {
      "What readers can compute all the same was not audited: audit() does it."
    } else if (any(startsWith(format(x$audit), "FAILS"))) {
      "The audit FAILS: some reader computes what should be hidden. print() says who."
    } else {
      "The audit found no reader who computes a withheld cell that should be hidden."
    },
    "The object holds the original table: publish() makes what may leave."
  )
}

story.sdc_suppressed <- function(x) {
  say(
    "{sum(x$cells$suppressed)} of {nrow(x$cells)} cell{?s} and totals are suppressed.",
    "What is published still limits them: constraints() and bounds_margins() give the interval of
     each, and explain() with a cell the sums that it follows from."
  )
}

story.sdc_suppression_audit <- function(x) {
  lines <- format(x)
  c(
    if (any(startsWith(lines, "FAILS"))) {
      "Readers can compute what the suppression should hide:"
    } else {
      "No reader of this audit computes what the suppression should hide:"
    },
    as_sentences(lines),
    "An interval of width 0 gives a cell away; a narrow one nearly does."
  )
}

story.sdc_tau_argus <- function(x) {
  status <- x$cells$sdcStatus
  n <- nrow(x$cells)
  say(
    "The files have {n} cell{?s} and total{?s} over {toString(names(x$total_codes))}.",
    if (is.null(status)) "They say of no cell whether it is suppressed." else
      "{sum(status == 'u')} of them {?is/are} primary, and {sum(status == 'x')} {?is/are}
       secondary.",
    "tau_argus_table() makes the table of them, suppress() takes their cells as a pattern, and
     as_publication() makes what may leave."
  )
}

# ---- one cell -----------------------------------------------------------------------------------

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
  public <- public_suppression(x)
  asked <- suppressed_cell(cell, x, x$original$dimnames)
  at <- asked$row
  if (without) check_without(x, at)
  lines <- if (is.na(at)) zero_words else
    if (!in_crossings(x)[at]) unpublished_words else why_withheld(x, at)
  if (is_hidden(x)[at] %in% TRUE && in_crossings(x)[at]) {
    known <- if (is_certified(x)) certificate_sentences(x, at) else
      if (of_units(x)) protection_words(x, at) else known_words_of(public, at)
    lines <- c(lines, known, if (without) without_sentences(x, at, time_limit_s),
               suppressed_sums(public, asked$number), who_learns(x, at))
  }
  new_explanation(asked$where, lines, private = TRUE)
}

# To a reader.
cell_story.sdc_suppressed <- function(x, cell) {
  asked <- suppressed_cell(cell, x, x$dimnames)
  at <- asked$row
  lines <- if (is.na(at)) {
    zero_words
  } else if (!in_crossings(x)[at]) {
    unpublished_words
  } else if (x$cells$suppressed[at]) {
    c(known_words_of(x, at), suppressed_sums(x, asked$number))
  } else {
    paste0("Published as ", format_count(x$cells[[amount_column(x)]][at]), ".")
  }
  new_explanation(asked$where, lines, private = FALSE)
}

zero_words <- "Published: its count is 0, and zeros are published."
unpublished_words <- "In no published crossing: it is neither published nor suppressed."

# The `number` of a cell in the box of all nodes, or, when a data frame names it, of a total; of
# magnitudes it may be any of the rows, totals included. Its `row`, NA for a zero without one, and
# `where` it is.
suppressed_cell <- function(cell, x, dimnames) {
  check_given(cell, "cell")
  cell <- as_cell(cell)
  variables <- names(dimnames)
  labels <- lapply(unclass(x$cells)[variables], levels)
  number <- if (of_units(x)) {
    one_row(cell, x$cells, variables)
  } else if (is.data.frame(cell)) {
    one_cell(cell, labels)
  } else {
    codes <- split_codes(one_cell(cell, dimnames), lengths(dimnames, FALSE))
    combine_codes(codes, node_numbers(x$cells, variables), 1)
  }
  list(number = number, where = cell_words(number, labels),
       row = rows_of_cells(number, x$cells, variables))
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
  status <- x$cells$sdcStatus[at]
  if (of_units(x)) {
    judged <- sensitive(x$original, x$rules, totals = TRUE)
    row <- match_row(x$cells[at, ], judged, names(x$original$dimnames))
    return(c(
      if (!is.na(row)) sensitivity_words(judged, row),
      say(switch(
        status, u = "Primary: withheld by the rules.",
        x = "Secondary: withheld {chosen_by(x)} so that primary cells cannot be computed from the
          published totals.",
        "Published."
      ))
    ))
  }
  count <- x$cells$freq[at]
  rule <- paste0("the rule (", rule_words(x), ")")
  small <- is_primary(count, x)
  if (status == "u" && small) {
    return(say("Primary: its count, {count}, is withheld by {rule}."))
  }
  if (status == "u" && !is.null(x$groups) && count <= max(1, group_room(x))) {
    said <- group_sentences(x, at)
    if (!is.null(said)) return(said)
  }
  if (status %in% c("u", "x")) {
    kind <- if (status == "u") "Primary" else "Secondary"
    forced <- at %in% x$status$row[x$status$sdcStatus == status]
    why <- say(
      if (forced) "because `status` says so" else if (status == "u") "{chosen_by(x)}" else
        "{chosen_by(x)} so that primary cells cannot be computed from the published sums"
    )
    return(say("{kind}: its count, {count}, is not small by {rule}, and withheld {why}."))
  }
  if (count == 0 && !small) {
    return(zero_words)
  }
  say(if (small) "PUBLISHED by the pattern, though its count, {count}, is small by {rule}." else
    "Published: its count, {count}, is not small by {rule}, and withholding it was not needed.")
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

# Of magnitudes, which were not certified.
protection_words <- function(x, at) {
  found <- (x$audit %||% audit(x, progress = FALSE))$cells
  own <- found[match(at, named_rows(x, found)), ]
  c(
    paste0("The published totals leave it ", interval_words(own$lower, own$upper), "."),
    if (!is.na(own$protected)) {
      paste0("The rules need ", format_count(own$need_lower), " or less to ",
             format_count(own$need_upper), " or more: it is ",
             if (own$protected) "protected." else "NOT protected.")
    }
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
  amount <- x$cells[[amount_column(x)]]
  shown <- sum(amount[parts], na.rm = TRUE)
  all <- format_count(amount[total])
  rest <- format_count(amount[total] - shown)
  say(if (x$cells$suppressed[total]) "Its total {where} is withheld as well." else
    "The total {where} is {all}, and what is published of it adds up to {format_count(shown)}: that
     leaves {rest} for {sum(x$cells$suppressed[parts])} withheld cell{?s}.")
}
