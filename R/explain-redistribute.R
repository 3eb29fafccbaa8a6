# Why a cell of a map or of a table of magnitudes is sensitive, and what it gave and took.

#' @rdname explain
#' @export
explain.sdc_hex_redistribution <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  at <- one_hexagon(cell, x$original)
  q <- x$original$q[at]
  r <- x$original$r[at]
  n <- x$original$count[at]
  now <- hex_after(x)[at]
  given <- x$moves[x$moves$from_q == q & x$moves$from_r == r, ]
  taken <- x$moves[x$moves$to_q == q & x$moves$to_r == r, ]
  suppressed <- any(x$suppressed$q == q & x$suppressed$r == r)
  limit <- format_count(x$threshold)
  new_explanation(paste0("hexagon q = ", q, ", r = ", r), c(
    if (n < x$threshold) {
      paste0("The count ", format_count(n), " is below the threshold of ", limit, ": sensitive.")
    } else {
      paste0("The count ", format_count(n), " is not below the threshold of ", limit, ".")
    },
    if (suppressed) "It is an outlier, no data cell of others is near, and was suppressed.",
    moved_words(taken, "It took", "from"), moved_words(given, "It gave", "to"),
    if (!suppressed) {
      paste0(if (now == n) "It is shown as it is: " else "It is shown as ", format_count(now), ".")
    }
  ), private = TRUE)
}

moved_words <- function(moves, verb, side) {
  if (nrow(moves) == 0) {
    return(NULL)
  }
  q <- moves[[if (side == "to") "to_q" else "from_q"]]
  r <- moves[[if (side == "to") "to_r" else "from_r"]]
  shown <- utils::head(paste0(format_count(moves$count), " ", side, " (", q, ", ", r, ")"), 5)
  more <- nrow(moves) - length(shown)
  paste0(verb, " ", paste(shown, collapse = ", "),
         if (more > 0) paste(" and", more, "more"), ", over ",
         plural(sum(moves$count * moves$distance), "step"), " in all, the ", if (side == "to") {
           "least that mends the cells around it."
         } else {
           "counts that it needed."
         })
}

#' @rdname explain
#' @export
explain.sdc_hex_publication <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  at <- one_hexagon(cell, x)
  new_explanation(paste0("hexagon q = ", x$q[at], ", r = ", x$r[at]), c(
    paste0("Shown as ", format_count(x$count[at]), "; every data cell is shown at ",
           format_count(x$threshold), " or above."),
    "A map without a sensitive cell is left as it is, so this may be the original: nobody can be
     certain that this cell was below the threshold. A cell at the threshold itself is likely to
     have been: attack() has the probabilities for small maps."
  ), private = FALSE)
}

# ---- magnitudes --------------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_sensitivity <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  at <- one_row(cell, x)
  new_explanation(row_label(x, at), sensitivity_words(x, at), private = TRUE)
}

sensitivity_words <- function(x, at) {
  rules <- attr(x, "sdc_rules")
  fired <- rules$label %in% split_labels(x$rules[at])[[1]]
  share <- if (!is.na(x$share1[at])) {
    percent <- paste(plain_number(round(x$share1[at], 2)), "%")
    if (is.null(x$absolute)) paste0(", of which the largest holds ", percent) else
      paste0(". The largest holds ", percent, " of the sum of absolute values")
  }
  c(
    paste0(plural(x$count[at], "contributor"), "; the total is ", plain_number(x$total[at]), share,
           "."),
    if (any(fired)) {
      paste0("Sensitive by ", format(rules)[fired], ".")
    } else {
      "No rule fires."
    },
    remedy_words(x$needed[at], x$total[at] + x$upper[at], isTRUE(x$upper[at] > 0))
  )
}

# What would protect the cell. Changed values of its contributors do not where they are too few;
# another total in the place of the true one still may.
remedy_words <- function(needed, safe, has_level) {
  above <- paste0("published at ", plain_number(safe), " or above")
  c(
    if (needed > 0) {
      paste0("It has ", plural(needed, "contributor"), " too few: the rules fire whatever its
        contributors hold.")
    },
    if (has_level && needed > 0) {
      paste0("So it must be withheld, or another total be shown in its place: one ", above,
             " would not give the largest contributor away.")
    },
    if (has_level && needed == 0) {
      paste0("A total ", above, " would keep the largest contributor safe.")
    }
  )
}

#' @rdname explain
#' @export
explain.sdc_magnitude_redistribution <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  judged <- sensitive(x$original, x$rules)
  at <- one_row(cell, judged)
  row <- x$cells[at, ]
  change <- if (row$change == 0) {
    "Its total is published as it is."
  } else {
    paste0("Its total is published as ", plain_number(row$published), ", ",
           plain_number(abs(row$change)), if (row$change > 0) " more" else " less", " than it is.")
  }
  new_explanation(row_label(judged, at), c(
    sensitivity_words(judged, at), change, why_changed(x, row, judged$rules[at] != "")
  ), private = TRUE)
}

why_changed <- function(x, row, sensitive) {
  if (x$method == "iterative") {
    return(step_words(x$moves, row$cell))
  }
  if (row$change == 0) {
    return(NULL)
  }
  if (sensitive) {
    return("It was sensitive: the change keeps estimates of its largest contributor away from the
            true value.")
  }
  "It is not sensitive: it makes up for the changes of sensitive cells, so that totals stay."
}

step_words <- function(moves, cell) {
  given <- moves[moves$from == cell, ]
  taken <- moves[moves$to == cell, ]
  kinds <- function(m) paste(unique(m$kind), collapse = " and ")
  c(
    if (nrow(given) > 0) paste0("It gave ", plain_number(sum(given$value)), " (", kinds(given),
                                ") to ", plural(length(unique(given$to)), "neighbour"), "."),
    if (nrow(taken) > 0) paste0("It took ", plain_number(sum(taken$value)), " (", kinds(taken),
                                ") from ", plural(length(unique(taken$from)), "neighbour"), ".")
  )
}

#' @rdname explain
#' @export
explain.sdc_magnitude_publication <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  shown <- as.data.frame(x)
  variables <- names(x$dimnames)
  at <- one_row(cell, shown, variables)
  new_explanation(row_label(shown, at, variables), c(
    paste0("The published total is ", plain_number(shown$total[at]), "."),
    if (!is.null(x$max_change)) {
      paste0("No total was changed by more than ", plain_number(x$max_change), ".")
    } else {
      "Whether and how far it was changed is not published."
    }
  ), private = FALSE)
}
