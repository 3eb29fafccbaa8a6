# Why a cell was rounded as it was, and what a reader knows of it.

#' @rdname explain
#' @export
explain.sdc_rounding <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- x$rounded$dimnames
  layout <- x$original$layout
  total <- explain_total(cell, labels, layout, TRUE, function(cells) {
    rounded_total_words(x$original, x$rounded, cells)
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, labels)
  unseen <- explain_unpublished(at, labels, layout, TRUE)
  if (!is.null(unseen)) {
    return(unseen)
  }
  n <- dense_counts(x$original)[at]
  shown <- dense_counts(x$rounded)[at]
  words <- if (x$method == "small") small_words(n, shown, x) else rounded_words(n, shown, x)
  new_explanation(cell_words(at, labels), words, private = TRUE)
}

small_words <- function(n, shown, x) {
  base <- format_count(x$base)
  if (n == 0 || n >= x$base) {
    return(paste0("The count ", format_count(n), " is not between 0 and ", base, " and stays."))
  }
  if (shown == n) {
    return(paste0("The count ", format_count(n), " stays: no published number below ", base,
                  " holds it."))
  }
  paste0("The count ", format_count(n), " is part of a published number below ", base,
         ". It became ", format_count(shown), ": the choice of the small counts that go up to ",
         base, " keeps the published totals near the original ones.")
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
  apart <- 2 * abs(shown - n)
  c(
    paste0("The count ", format_count(n), " is no multiple of ", base, "; it went ",
           if (up) "up" else "down", " to ", format_count(shown), "."),
    if (x$method == "stochastic") {
      paste0("Before the draw it had probability ", n - low, "/", base, " to go up, so that its
        expectation is the count itself. It went together with other cells, around cycles that keep
        all released sums adding up.")
    } else if (apart < x$base) {
      "This is its nearer multiple."
    } else if (apart == x$base) {
      "Both multiples are equally near; the sum of all distances is least."
    } else {
      "Its other multiple is nearer, but then the released sums would not add up, or other cells
       would move further: the sum of all distances is least."
    }
  )
}

#' @rdname explain
#' @export
explain.sdc_rounded_publication <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- x$table$dimnames
  if (!is.null(x$crossings)) {
    return(explain_linked_rounding(x, one_cell(cell, labels), labels))
  }
  layout <- new_layout(x$hierarchies, x$total_label)
  total <- explain_total(cell, labels, layout, FALSE, function(cells) {
    found <- bounds_margins(x, cells = as_cell(cell), progress = FALSE)
    c(paste0("Shown as ", format_count(sum(dense_counts(x$table)[cells])), "."),
      bound_words(found, 1)[1])
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, labels)
  shown <- dense_counts(x$table)[at]
  was <- around_cells(list(), shown, x)
  out <- explain_release(x, at, labels, all = FALSE)
  out$lines <- c(
    paste0("Shown as ", format_count(shown), ": ", public_words(shown, x), ", so it was ",
           interval_words(was$lower, was$upper), "."),
    out$lines,
    if (x$method != "small") "Who uses how it was rounded can know more: posterior_rounding()."
  )
  out
}

# Of linked tables the cells are nodes, and only some of them are published.
explain_linked_rounding <- function(x, at, labels) {
  cell <- Map(`[`, labels, split_codes(at, lengths(labels, FALSE)))
  found <- bounds_margins(x, cells = list2data_frame(cell, 1), progress = FALSE)
  shown <- at %in% linked_numbers(x)
  new_explanation(cell_words(at, labels), c(
    if (shown) {
      paste0("Shown as ", format_count(dense_counts(x$table)[at]), ".")
    } else {
      "No crossing of the table publishes this cell."
    },
    bound_words(found, 1)[1]
  ), private = FALSE)
}

public_words <- function(shown, x) {
  base <- format_count(x$base)
  if (x$method != "small") {
    return(paste0("rounding to base ", base, " moves a count by at most ", format_count(x$reach)))
  }
  if (shown > x$base) {
    return(paste0("only counts below ", base, " changed, to 0 or ", base))
  }
  paste0("counts below ", base, " became 0 or ", base)
}

#' @rdname explain
#' @export
explain.sdc_rounding_posterior <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- shown_labels(x)
  at <- one_cell(cell, labels)
  s <- as.data.frame(summary(x, cells = at))
  new_explanation(cell_words(at, labels), c(
    paste0("Shown as ", format_count(s$rounded), ". To a reader who knows the ", x$reader,
           " (prior: ", format(x$prior), ") the original was ", interval_words(s$lower, s$upper),
           ", most probably ", format_count(s$mode), " (probability ",
           format(s$p_mode, digits = 3), "), on average ", format_mean(s$mean), "."),
    if (!x$exact) {
      paste0("These figures come from ", format_count(x$draws), " draws: counts that none of them
        had are possible too.")
    },
    paste0("What is left open amounts to ", format(s$entropy, digits = 3), " bits.")
  ), private = FALSE)
}
