# Why a cell is as it is, in words.

#' Explain a cell of a result in plain words
#'
#' `explain()` says of one cell which rule fired, why it was changed or withheld, and from which
#' published numbers its interval follows.
#'
#' @details Of a **private** result ([perturb()], [round_controlled()], [suppress()],
#' [redistribute()]) the words hold confidential counts: the print says so. Of what is **public**
#' (margins, bounds, publications, posteriors) they say what any reader can work out.
#'
#' Intervals are explained by the published sums that give them: for each end a margin, a chain of
#' margins, or a row of the [constraints()] with what the other cells leave; where no single sum
#' does it, the words say that several together do.
#'
#' @param x A result of this package.
#' @param cell (whole number, matrix with one row of level numbers, or data frame with one row of
#'   labels) The cell. Of maps a number, or a data frame with `q` and `r`.
#' @param ... Not used.
#' @return An object of class `sdc_explanation`: `as.character()` gives its sentences, `print()`
#'   shows them; `x$private` says whether they hold what is confidential.
#' @section Errors: `sdc_error_input` when `cell` is not one cell of the table, or `x` is nothing
#'   that can be explained.
#' @section Complexity: That of the bounds of one cell, where these must be computed.
#' @family compare
#' @export
#' @examples
#' explain(margins(roehrig, list("row", "column")), cell = 2)
#' explain(bounds_margins(margins(roehrig, list("row", "column"))), data.frame(row = 2, column = 4))
#' ro <- round_controlled(roehrig, base = 3, seed = 1)
#' explain(ro, cell = 3)
#' explain(publish(ro, insist = TRUE), cell = 3)
#' me <- mechanism(cycles_banded(roehrig, seed = 11), covers = 2)
#' explain(perturb(roehrig, me, seed = 1), cell = 1)
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' explain(suppress(roehrig, maxN = 1, pattern = hidden), cell = 13)
explain <- function(x, cell, ...) {
  check_given(x)
  UseMethod("explain")
}

new_explanation <- function(where, lines, private) {
  structure(list(where = where, lines = lines, private = private), class = "sdc_explanation")
}

#' @export
as.character.sdc_explanation <- function(x, ...) x$lines

#' @export
format.sdc_explanation <- function(x, ...) {
  text <- strwrap(x$lines, 96, exdent = 2)
  c(paste0(x$where, if (x$private) " (CONFIDENTIAL)"), paste0("  ", text))
}

#' @export
print.sdc_explanation <- function(x, ...) {
  cat("<sdc_explanation> ", paste0(format(x), "\n"), sep = "")
  invisible(x)
}

#' @export
explain.default <- function(x, cell, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a result that can be explained.",
    x = "It is {.obj_type_friendly {x}}.",
    i = "Give margins, bounds, constraints, a posterior, a publication, or a private result."
  ))
}

one_cell <- function(cell, dimnames, call = caller_env()) {
  check_given(cell, "cell", call)
  at <- if (!is.null(cell)) resolve_cells(cell, dimnames, "cell", call)
  if (length(at) == 1) {
    return(at)
  }
  abort_sdc("input", c(
    "{.arg cell} must be one cell.", x = "{length(at)} cells were given."
  ), call = call)
}

# "row 2, column 4"
cell_words <- function(at, dimnames) {
  if (length(dimnames) == 0) {
    return("the one cell")
  }
  codes <- split_codes(at, lengths(dimnames, FALSE))
  paste(names(dimnames), Map(`[`, dimnames, codes), collapse = ", ")
}

interval_words <- function(lower, upper) {
  if (lower == upper) {
    return(paste0("exactly ", format_count(lower)))
  }
  if (upper == Inf) {
    return(paste("at least", format_count(lower)))
  }
  paste0("from ", format_count(lower), " to ", format_count(upper))
}

# ---- intervals ---------------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_bounds <- function(x, cell, ...) {
  check_no_dots(...)
  at <- one_cell(cell, x$dimnames)
  k <- match(at, cell_numbers(x$codes, x$dimnames))
  if (is.na(k)) {
    abort_sdc("input", c(
      "{.arg cell} must be one of the cells that have bounds.", x = "It is none of them."
    ))
  }
  new_explanation(cell_words(at, x$dimnames), bound_words(x, k), private = FALSE)
}

# Of the k-th cell that has bounds.
bound_words <- function(x, k) {
  sharp <- if (x$sharp[k]) {
    "Tables with both ends exist, so no reader can know more from this alone."
  } else {
    "The sharp interval lies inside this one."
  }
  c(
    paste0("What was released leaves the count ", interval_words(x$lower[k], x$upper[k]), ", ",
           reason_words(x, k, 1), "."),
    sharp
  )
}

explain_release <- function(x, at, dimnames) {
  found <- bounds_margins(x, cells = at, progress = FALSE)
  new_explanation(cell_words(at, dimnames), bound_words(found, 1), private = FALSE)
}

#' @rdname explain
#' @export
explain.sdc_margins <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- as_constraints(x)$dimnames
  explain_release(x, one_cell(cell, labels), labels)
}

#' @rdname explain
#' @export
explain.sdc_constraints <- function(x, cell, ...) {
  check_no_dots(...)
  explain_release(x, one_cell(cell, x$dimnames), x$dimnames)
}

#' @rdname explain
#' @export
explain.sdc_estimate <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- dimnames(x$table)
  at <- one_cell(cell, labels)
  new_explanation(cell_words(at, labels), c(
    paste0("The estimate is ", format(x$table[at], digits = 4), "."),
    "It was fitted: all cells start equal, and the cells of each released sum are scaled to it in
     turn until all sums are as released. It says nothing about the cell beyond these sums."
  ), private = FALSE)
}

# ---- rounding ----------------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_rounding <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- x$rounded$dimnames
  at <- one_cell(cell, labels)
  n <- dense_counts(x$original)[at]
  shown <- dense_counts(x$rounded)[at]
  new_explanation(
    cell_words(at, labels), rounded_words(n, shown, x), private = TRUE
  )
}

rounded_words <- function(n, shown, x) {
  base <- format_count(x$base)
  low <- n - n %% x$base
  if (n == low && shown == n) {
    return(paste0("The count ", format_count(n), " is a multiple of ", base, " and stays."))
  }
  if (shown < low || shown > low + x$base || n == low) {
    return(paste0("The count ", format_count(n), " became ", format_count(shown), ", which is no
      adjacent multiple of ", base, ": no additive rounding to adjacent multiples exists, and this
      one breaks the restriction least."))
  }
  up <- shown > n
  nearest <- abs(shown - n) <= x$base / 2
  c(
    paste0("The count ", format_count(n), " is no multiple of ", base, "; it went ",
           if (up) "up" else "down", " to ", format_count(shown), "."),
    if (x$method == "stochastic") {
      paste0("Before the draw it had probability ", n - low, "/", base, " to go up, so that its
        expectation is the count itself. It went together with other cells, around cycles that keep
        all released sums adding up.")
    } else if (nearest) {
      "This is its nearer multiple."
    } else {
      "Its other multiple is nearer, but then the released sums would not add up, or other cells
       would move further: the sum of all distances is least."
    }
  )
}

#' @rdname explain
#' @export
explain.sdc_rounded_publication <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- x$table$dimnames
  at <- one_cell(cell, labels)
  shown <- dense_counts(x$table)[at]
  out <- explain_release(x, at, labels)
  out$lines <- c(
    paste0("Shown as ", format_count(shown), ": rounding to base ", format_count(x$base),
           " moves a count by at most ", format_count(x$reach), ", so it was ",
           interval_words(max(0, shown - x$reach), shown + x$reach), "."),
    out$lines
  )
  out
}

# ---- suppression -------------------------------------------------------------------------------

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
    s = paste0("Published: its count, ", count, ", is not small, and withholding it was not needed.")
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

# ---- perturbation ------------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_perturbation <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- x$published$dimnames
  at <- one_cell(cell, labels)
  n <- dense_counts(x$original)[at]
  shown <- dense_counts(x$published)[at]
  change <- if (n == shown) {
    paste0("The count ", format_count(n), " is published as it is.")
  } else {
    paste0("The count ", format_count(n), " is published as ", format_count(shown), ".")
  }
  how <- if (skips_zeros(x$mechanism$cycles)) {
    "The steps of this set reach over zeros to the next count, so that which of them met the cell
     depends on the counts that they found; all margins of the set are as before."
  } else {
    moves_words(moves_of_cell(x, at), n, x$mechanism)
  }
  new_explanation(cell_words(at, labels), c(change, how), private = TRUE)
}

# Steps whose cycles pass through the cell, and what each did to it.
moves_of_cell <- function(x, at) {
  all <- expand_cycles(x$mechanism$cycles)
  of_cycle <- rep(seq_len(length(x$mechanism$cycles)), diff(all$start))
  here <- all$cell == at
  coefficient <- numeric(length(x$mechanism$cycles))
  coefficient[of_cycle[here]] <- all$coefficient[here]
  cycle <- steps_of(x$mechanism)
  through <- which(coefficient[cycle] != 0)
  x$coefficients[through] * coefficient[cycle[through]]
}

moves_words <- function(moves, n, mechanism) {
  if (length(moves) == 0) {
    return("No cycle passes through it, so it cannot change.")
  }
  none <- sum(moves == 0)
  rule <- switch(
    mechanism$zero_rule,
    blocked = "because it would have met a zero",
    nonnegative = "because a count would have become negative"
  )
  c(
    paste0(plural(length(moves), "step"), " of the mechanism pass", if (length(moves) == 1) "es",
           " through it: ", sum(moves > 0), " raised it, ", sum(moves < 0), " lowered it, ", none,
           " did nothing (by its coin, or ", rule, ")."),
    if (n == 0 && mechanism$zero_rule == "blocked") {
      "A zero stays a zero under this rule."
    },
    "Each step moves the same amount into and out of every line of its cycle, so that all margins
     of the set are as before."
  )
}

#' @rdname explain
#' @export
explain.sdc_publication <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- x$table$dimnames
  at <- one_cell(cell, labels)
  shown <- dense_counts(x$table)[at]
  reach <- mechanism_reach(x$mechanism)[at]
  out <- explain_release(x, at, labels)
  out$lines <- c(
    paste0("Published as ", format_count(shown), "; all steps together can move it by at most ",
           format_count(reach), ".",
           if (x$mechanism$zero_rule == "blocked") {
             paste(if (shown > 0) " A published positive count" else " A published zero", "was",
                   if (shown > 0) "positive before." else "zero before.")
           }),
    out$lines,
    "The probabilities of the counts in between: posterior()."
  )
  out
}

#' @rdname explain
#' @export
explain.sdc_posterior <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- dimnames(x$publication$table)
  at <- one_cell(cell, labels)
  s <- as.data.frame(summary(x, cells = at, level = 1))
  new_explanation(cell_words(at, labels), c(
    paste0("Published as ", format_count(s$published), ". By the mechanism and the prior (",
           format(x$prior), ") the original was ", interval_words(s$lower, s$upper),
           ", most probably ", format_count(s$mode), " (probability ",
           format(s$p_mode, digits = 3), "), on average ", format(s$mean, digits = 4), "."),
    if (s$lower == s$upper) {
      "Every original that the mechanism could have led to this table has this count."
    } else {
      paste0("Each possible original of the table counts by the probability that the steps of the
        mechanism lead from it to what is published; what is left open amounts to ",
             format(s$entropy, digits = 3), " bits.")
    }
  ), private = FALSE)
}

#' @rdname explain
#' @export
explain.sdc_rounding_posterior <- function(x, cell, ...) {
  check_no_dots(...)
  labels <- x$publication$table$dimnames
  at <- one_cell(cell, labels)
  s <- as.data.frame(summary(x, cells = at))
  new_explanation(cell_words(at, labels), c(
    paste0("Shown as ", format_count(s$rounded), ". To a reader who knows the ", x$reader,
           " (prior: ", format(x$prior), ") the original was ", interval_words(s$lower, s$upper),
           ", most probably ", format_count(s$mode), " (probability ",
           format(s$p_mode, digits = 3), "), on average ", format(s$mean, digits = 4), "."),
    paste0("What is left open amounts to ", format(s$entropy, digits = 3), " bits.")
  ), private = FALSE)
}

# ---- redistribution ----------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_hex_redistribution <- function(x, cell, ...) {
  check_no_dots(...)
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
explain.sdc_hex_publication <- function(x, cell, ...) {
  check_no_dots(...)
  at <- one_hexagon(cell, x)
  new_explanation(paste0("hexagon q = ", x$q[at], ", r = ", x$r[at]), c(
    paste0("Shown as ", format_count(x$count[at]), "; every data cell is shown at ",
           format_count(x$threshold), " or above."),
    "A map without a sensitive cell is left as it is, so this may be the original: nobody can be
     certain that this cell was below the threshold. A cell at the threshold itself is likely to have
     been: attack() has the probabilities for small maps."
  ), private = FALSE)
}

# By its number in the order of the map, or by q and r.
one_hexagon <- function(cell, map, call = caller_env()) {
  check_given(cell, "cell", call)
  if (is.data.frame(cell) && all(c("q", "r") %in% names(cell))) {
    cell <- hex_match(cell, map)
  }
  ok <- is.numeric(cell) && length(cell) == 1 && cell %in% seq_along(map$q)
  if (ok) {
    return(as.integer(cell))
  }
  abort_sdc("input", c(
    "{.arg cell} must be the number of one data cell of the map, from 1 to {length(map$q)}, or a data
     frame with one row and its columns {.field q} and {.field r}.",
    x = "It is not."
  ), call = call)
}

# ---- magnitudes --------------------------------------------------------------------------------

#' @rdname explain
#' @export
explain.sdc_sensitivity <- function(x, cell, ...) {
  check_no_dots(...)
  at <- one_row(cell, x)
  new_explanation(row_label(x, at), sensitivity_words(x, at), private = TRUE)
}

# By its number among the rows, or by the labels of its variables.
one_row <- function(cell, x, call = caller_env()) {
  check_given(cell, "cell", call)
  variables <- judged_variables(x)
  if (is.data.frame(cell) && all(variables %in% names(cell))) {
    text <- function(frame) do.call(paste, c(lapply(variables, function(v) {
      as.character(frame[[v]])
    }), sep = "\r"))
    cell <- match(text(cell), text(x))
  }
  ok <- is.numeric(cell) && length(cell) == 1 && cell %in% seq_len(nrow(x))
  if (ok) {
    return(as.integer(cell))
  }
  abort_sdc("input", c(
    "{.arg cell} must be the number of one row of {.arg x}, from 1 to {nrow(x)}, or a data frame with
     one row of labels.",
    x = "It is not."
  ), call = call)
}

judged_variables <- function(x) names(x)[seq_len(match("count", names(x)) - 1)]

row_label <- function(x, at) {
  variables <- judged_variables(x)
  values <- vapply(variables, function(v) as.character(x[[v]][at]), "")
  if (length(variables) == 0) "the grand total" else paste(variables, values, collapse = ", ")
}

sensitivity_words <- function(x, at) {
  rules <- attr(x, "sdc_rules")
  fired <- rules$label %in% strsplit(x$rules[at], ", ", fixed = TRUE)[[1]]
  c(
    paste0(plural(x$count[at], "contributor"), "; the total is ", plain_number(x$total[at]),
           ", of which the largest holds ", plain_number(round(x$share1[at], 2)), " %."),
    if (any(fired)) {
      paste0("Sensitive by ", format(rules)[fired], ".")
    } else {
      "No rule fires."
    },
    if (x$upper[at] > 0) {
      paste0("A total published at ", plain_number(x$total[at] + x$upper[at]),
             " or above would keep the largest contributor safe.")
    },
    if (x$needed[at] > 0) {
      paste0("No change of values alone mends it: it lacks ",
             plural(x$needed[at], "contributor"), ".")
    }
  )
}

#' @rdname explain
#' @export
explain.sdc_magnitude_redistribution <- function(x, cell, ...) {
  check_no_dots(...)
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
explain.sdc_magnitude_publication <- function(x, cell, ...) {
  check_no_dots(...)
  shown <- as.data.frame(x)
  shown$count <- NULL
  variables <- names(x$dimnames)
  at <- one_row(cell, cbind(shown[variables], count = rep(NA, nrow(shown)), shown["total"]))
  new_explanation(row_label(cbind(shown[variables], count = rep(NA, nrow(shown))), at), c(
    paste0("The published total is ", plain_number(shown$total[at]), "."),
    if (!is.null(x$max_change)) {
      paste0("No total was changed by more than ", plain_number(x$max_change), ".")
    } else {
      "Whether and how far it was changed is not published."
    }
  ), private = FALSE)
}
