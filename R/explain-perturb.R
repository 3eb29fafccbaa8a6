# How the steps of a mechanism moved a cell, and what a reader infers.

#' @rdname explain
#' @export
explain.sdc_perturbation <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- x$published$dimnames
  total <- explain_total(cell, labels, x$published$layout, TRUE, function(cells) {
    c(paste0("It is ", format_count(sum(dense_counts(x$original)[cells])), " in the original."),
      published_total_words(x$published, x$mechanism$cycles, cells))
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, labels)
  unseen <- explain_unpublished(at, labels, x$published$layout, TRUE)
  if (!is.null(unseen)) {
    return(unseen)
  }
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
explain.sdc_publication <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- x$table$dimnames
  total <- explain_total(cell, labels, x$table$layout, FALSE, function(cells) {
    published_total_words(x$table, x$mechanism$cycles, cells)
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, labels)
  unseen <- explain_unpublished(at, labels, x$table$layout, FALSE)
  if (!is.null(unseen)) {
    return(unseen)
  }
  shown <- dense_counts(x$table)[at]
  reach <- mechanism_reach(x$mechanism)[at]
  out <- explain_release(x, at, labels, all = FALSE)
  out$lines <- c(
    paste0("Published as ", format_count(shown), "; all steps together can move it by at most ",
           format_count(reach), ".",
           if (x$mechanism$zero_rule == "blocked" && shown > 0) {
             " A published positive count was positive before."
           }),
    out$lines,
    "Who uses the whole mechanism can know more, and how probable each count is: posterior()."
  )
  out
}

#' @rdname explain
#' @export
explain.sdc_posterior <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- shown_labels(x)
  shown <- x$publication
  total <- explain_total(cell, labels, shown$table$layout, is_private(x), function(cells) {
    published_total_words(shown$table, shown$mechanism$cycles, cells)
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, labels)
  s <- as.data.frame(summary(x, cells = at, level = 1))
  drawn <- x$method == "montecarlo"
  new_explanation(cell_words(at, labels), c(
    paste0("Published as ", format_count(s$published), ". By the mechanism and the prior (",
           format(x$prior), ") the original was ", interval_words(s$lower, s$upper),
           ", most probably ", format_count(s$mode), " (probability ",
           format(s$p_mode, digits = 3), "), on average ", format_mean(s$mean), "."),
    if (drawn) {
      paste0("These figures come from ", format_count(x$draws), " draws: counts that none of them
        had are possible too.")
    } else if (s$lower == s$upper) {
      "Every original that the mechanism could have led to this table has this count."
    } else {
      paste0("Each possible original of the table counts by the probability that the steps of the
        mechanism lead from it to what is published; what is left open amounts to ",
             format(s$entropy, digits = 3), " bits.")
    }
  ), private = FALSE)
}
