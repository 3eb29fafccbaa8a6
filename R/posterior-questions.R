# What readers ask of a posterior beyond single cells.

#' More questions to a posterior
#'
#' How many originals are possible, which is the most probable, what a sum of cells can have been,
#' and what to expect of any other function of the original.
#'
#' @details
#' **`count_originals()`** counts the tables that can have led to the publication under the prior.
#' Several outcomes of the coins may lead from one original to the published table, so originals are
#' counted as words that an automaton reads along the chain of cycles, made deterministic; the
#' numbers of groups of rows that do not interact multiply. Exact for any number of digits while at
#' most `max_sets` sets of states are alive at a time; beyond it the number of possible outcomes of
#' coins is given, which is an upper bound, and `exact` says so.
#'
#' **`most_probable()`** finds the original with the largest posterior probability, the sum over all
#' outcomes of coins that lead to it. The most probable outcome of coins need not lead there. The
#' search carries for each beginning of a table the weights with which it reaches the states, drops
#' what can be proved to be worse, and is exact while at most `max_words` beginnings are alive;
#' beyond it `exact` is `FALSE`, and `bound` is an upper bound of the probability of any original.
#' Of several equally probable originals one is returned.
#'
#' **`posterior_sum()`** gives the exact law of a sum of cells: a margin of any sub-set, or a
#' weighted sum with whole weights. The sum is carried along the chain.
#'
#' **`posterior_expectation()`** gives the mean of any function of the original over independent
#' exact draws, with its standard error, in constant memory. (For a simulated posterior the draws
#' are those of one batch, and the standard error is too small unless they are `independent`.)
#'
#' @param x (object) an [sdc_posterior][posterior()]; for all but the last an exact one.
#' @param max_sets,max_words (whole number) the limits of counting and of the search.
#' @template param-cells
#' @param weights (whole numbers, one for each of `cells`, or `NULL`) weights of the sum; 1 by
#'   default.
#' @param f (function) takes an original, an array with the labels of the table, and returns
#'   numbers, always equally many.
#' @param nsim (whole number of at least 2) how many originals to draw.
#' @param seed (whole number or `NULL`) seed of the draws; the user's stream is left as it was.
#' @param max_products (number) the work that a sum may take, in products.
#' @param progress (flag) show a progress bar?
#' @return
#' * `count_originals()`: an object of class `sdc_count`: `as.character()` has all digits,
#'   `as.numeric()` the nearest number, `exact` says whether it is the number or an upper bound.
#' * `most_probable()`: a list with `table` (sdc_table), `probability`, `exact`, `bound`, and
#'   `log_probability`, which is not lost where the table is large and the probability rounds to 0.
#' * `posterior_sum()`: a data frame with `value` and `probability`, one row for each possible
#'   value.
#' * `posterior_expectation()`: a data frame with `mean` and `std_error`, one row for each number
#'   that `f` returns, and their names where they have some.
#' @section Errors: `sdc_error_input` for bad arguments and for simulated posteriors where an exact
#'   one is needed; `sdc_error_too_large` when the sum has too many values for the limit.
#' @section Complexity: that of [posterior()], times the number of sets, beginnings or values of the
#'   sum that are alive at a time; draws cost one pass of messages in all and a walk for each.
#' @family posterior
#' @name posterior-questions
#' @examples
#' me <- mechanism(cycles_bidiagonal(roehrig), alpha = .25, beta = .25)
#' published <- roehrig
#' published[] <- c(16, 21, 2, 11, 0, 11, 11, 13, 2, 9, 11, 8, 2, 14, 1, 3)
#' po <- posterior(publication(published, me))
#' count_originals(po)
#' most_probable(po)
#' posterior_sum(po, cells = c(3, 5))
#' posterior_expectation(po, function(x) c(largest = max(x), chisq = sum(x^2)), seed = 1)
NULL

#' @rdname posterior-questions
#' @export
count_originals <- function(x, max_sets = 1e5, progress = rlang::is_interactive()) {
  check_class(x, "sdc_posterior", make = "posterior")
  check_exact(x)
  check_number(max_sets, min = 1, max = 1e9)
  check_flag(progress)
  found <- answer_question(x, "Counting originals", cpp_count_originals, max_sets,
                           progress = progress)
  new_sdc_count(found$count, found$exact)
}

# Asks the core, `f`, about the publications of a posterior.
answer_question <- function(x, label, f, ..., progress, hints = list()) {
  ask <- posterior_question(x)
  enumerate <- x$method == "enumeration"
  with_core(
    with_progress(
      label,
      function(tick) {
        f(ask$mechanisms, ask$published, ask$factors, enumerate, x$max_tables, ..., tick)
      },
      show = progress
    ), hints = hints
  )
}

new_sdc_count <- function(digits, exact) {
  structure(list(digits = digits, exact = exact), class = sdc_class("sdc_count"))
}

#' Exact counts
#'
#' Whole numbers of any size, as [count_originals()] gives them.
#'
#' @param x (sdc_count) a count.
#' @param ... not used.
#' @return `as.character()`: all digits; `as.double()` and `as.numeric()`: the nearest number;
#'   `format()`: the digits in groups of three, behind "at most" where the count is an upper bound.
#' @name sdc_count
#' @examples
#' me <- mechanism(cycles_bidiagonal(roehrig))
#' n <- count_originals(posterior(publication(roehrig, me)))
#' n
#' as.numeric(n)
NULL

#' @rdname sdc_count
#' @export
as.character.sdc_count <- function(x, ...) x$digits

#' @rdname sdc_count
#' @export
as.double.sdc_count <- function(x, ...) as.numeric(x$digits)

#' @rdname sdc_count
#' @export
format.sdc_count <- function(x, ...) {
  from_right <- rev(strsplit(x$digits, "")[[1]])
  group <- (seq_along(from_right) - 1) %/% 3
  parts <- vapply(rev(split(from_right, group)), function(p) paste(rev(p), collapse = ""), "")
  paste0(if (!x$exact) "at most ", paste(parts, collapse = ","))
}

#' @rdname posterior-questions
#' @export
most_probable <- function(x, max_words = 1e4, progress = rlang::is_interactive()) {
  check_class(x, "sdc_posterior", make = "posterior")
  check_exact(x)
  check_number(max_words, min = 1, max = 1e9)
  check_flag(progress)
  found <- answer_question(x, "Searching", cpp_best_original, max_words, progress = progress)
  at <- cell_laws(x)
  change <- ifelse(is.na(at$law), 0, at$sign * found$change[at$law])
  list(
    table = original_table(x, shown_counts(x) - change),
    probability = exp(found$log_weight - x$log_evidence), exact = found$exact,
    bound = exp(found$log_bound - x$log_evidence),
    log_probability = found$log_weight - x$log_evidence
  )
}

#' @rdname posterior-questions
#' @export
posterior_sum <- function(x, cells = NULL, weights = NULL, max_products = 2e10,
                          progress = rlang::is_interactive()) {
  check_class(x, "sdc_posterior", make = "posterior")
  check_exact(x)
  check_number(max_products, min = 1)
  check_flag(progress)
  cells <- resolve_cells(cells, shown_labels(x))
  weights <- check_sum_weights(weights, cells)
  at <- cell_laws(x, cells)
  coefficient <- integer(ncol(x$laws))
  moved <- tapply(weights * at$sign, factor(at$law, seq_along(coefficient)), sum)
  coefficient[!is.na(moved)] <- as.integer(moved[!is.na(moved)])
  found <- answer_question(
    x, "Adding up", cpp_sum_posterior, coefficient, max_products, progress = progress,
    hints = list(too_large = "Ask for fewer cells, or use {.fn posterior_expectation}.")
  )
  published <- sum(weights * shown_counts(x)[cells])
  change <- found$low + seq_along(found$probability) - 1
  out <- data.frame(value = published - change, probability = found$probability)
  out <- out[out$probability > 0, ]
  out <- out[order(out$value), ]
  rownames(out) <- NULL
  out
}

check_sum_weights <- function(weights, cells) {
  if (is.null(weights)) {
    return(rep(1, length(cells)))
  }
  ok <- is_whole_vector(weights) && length(weights) == length(cells) && all(abs(weights) <= 1e6)
  if (ok) {
    return(weights)
  }
  abort_sdc("input", c(
    "{.arg weights} must be whole numbers from -1,000,000 to 1,000,000, one for each cell.",
    x = if (!is_whole_vector(weights)) {
      "{describe(weights)}"
    } else if (length(weights) != length(cells)) {
      "There are {length(weights)} for {length(cells)} cell{?s}."
    } else {
      "{describe_first(weights, abs(weights) <= 1e6)}"
    }
  ))
}

#' @rdname posterior-questions
#' @export
posterior_expectation <- function(x, f, nsim = 1000, seed = NULL) {
  check_class(x, "sdc_posterior", make = "posterior")
  check_given(f)
  if (!is.function(f)) {
    abort_sdc("input", c("{.arg f} must be a function of an original.", x = "{describe(f)}"))
  }
  check_whole(nsim, min = 2, max = 1e9)
  with_seed_kept(seed, expect_by_draws(x, f, nsim))$value
}

# Batches of draws, and the running mean and sum of squares.
expect_by_draws <- function(x, f, nsim) {
  labels <- shown_labels(x)
  published <- shown_counts(x)
  size <- max(1, min(nsim, floor(5e6 / length(published))))
  done <- 0
  mean <- squares <- NULL
  while (done < nsim) {
    change <- draw_changes(x, min(size, nsim - done))
    for (i in seq_len(ncol(change))) {
      value <- check_value(f(array(published - change[, i], lengths(labels, FALSE), labels)), mean)
      if (is.null(mean)) mean <- squares <- 0 * value
      done <- done + 1
      apart <- value - mean
      mean <- mean + apart / done
      squares <- squares + apart * (value - mean)
    }
  }
  out <- data.frame(mean = unname(mean), std_error = sqrt(unname(squares) / (nsim - 1) / nsim))
  if (!is.null(names(mean))) rownames(out) <- make.unique(names(mean))
  out
}

check_value <- function(value, mean) {
  ok <- is.numeric(value) && !anyNA(value) && length(value) > 0 &&
    (is.null(mean) || length(value) == length(mean))
  if (ok) {
    return(value)
  }
  abort_sdc("input", c(
    "{.arg f} must return numbers, always equally many and none missing.",
    x = if (!is.numeric(value)) {
      "It returned {.obj_type_friendly {value}}."
    } else if (length(value) == 0 || anyNA(value)) {
      "It returned none, or a missing one."
    } else {
      "It returned {length(value)} after {length(mean)}."
    }
  ))
}

#' Readers side by side
#'
#' Compares posteriors of one publication under different priors (or of different publications of
#' one table), cell by cell.
#'
#' @param ... (objects) two or more [posterior()]s of tables with the same labels, named.
#' @template param-cells
#' @return An object of class `sdc_readers`, a data frame: the variables, then for each reader
#'   `mean`, `sd`, `mode` and `p_mode` behind the reader's name, and `distance`, the total variation
#'   distance between the laws of the first two (the largest over all pairs for more readers): 0
#'   where they agree, 1 where no value is possible for both. `autoplot()` and `plot()` draw the
#'   means of the first two against each other.
#' @section Errors: `sdc_error_input` when there are fewer than two readers, names are missing or
#'   stand twice, or the tables differ.
#' @family posterior
#' @export
#' @examples
#' me <- mechanism(cycles_bidiagonal(roehrig))
#' pub <- publication(roehrig, me)
#' compare_readers(
#'   knows_nothing = posterior(pub), has_last_year = posterior(pub, prior_poisson(roehrig + 1)),
#'   cells = 1:3
#' )
compare_readers <- function(..., cells = NULL) {
  readers <- list(...)
  check_readers(readers)
  labels <- shown_labels(readers[[1]])
  cells <- resolve_cells(cells, labels)
  figures <- lapply(readers, function(po) {
    as.list(summary(po, cells = cells)$cells[c("mean", "sd", "mode", "p_mode")])
  })
  columns <- unlist(figures, recursive = FALSE)
  names(columns) <- paste(rep(names(readers), each = 4), c("mean", "sd", "mode", "p_mode"),
                          sep = "_")
  pairs <- utils::combn(length(readers), 2, simplify = FALSE)
  columns$distance <- do.call(pmax, lapply(pairs, function(p) {
    law_distance(readers[[p[[1]]]], readers[[p[[2]]]], cells)
  }))
  check_free_names(labels, names(columns))
  out <- list2data_frame(c(cell_factors(cells, labels), columns), length(cells))
  structure(out, class = sdc_class("sdc_readers", of = "data.frame"), readers = names(readers))
}

check_readers <- function(readers) {
  for (i in seq_along(readers)) check_class(readers[[i]], "sdc_posterior", paste("reader", i),
  "posterior")
  problem <- if (length(readers) < 2) {
    paste("There are", length(readers))
  } else if (is.null(names(readers)) || any(!nzchar(names(readers)))) {
    "One has no name"
  } else if (anyDuplicated(names(readers))) {
    "Two have the same name"
  } else if (length(unique(lapply(readers, function(po) shown_labels(po)))) > 1) {
    "Their tables have different variables or levels"
  }
  if (is.null(problem)) {
    return(invisible(readers))
  }
  abort_sdc("input", c(
    "Give two or more posteriors of the same table, each under a name of its own.",
    x = "{problem}."
  ))
}

# Half the sum of absolute differences of two laws, cell by cell.
law_distance <- function(a, b, cells) {
  one <- long_law(a, cells)
  two <- long_law(b, cells)
  at <- c(one$at, two$at)
  value <- c(one$value, two$value)
  sign <- rep(c(1, -1), c(length(one$at), length(two$at)))
  by <- order(at, value)
  new <- c(TRUE, diff(at[by]) != 0 | diff(value[by]) != 0)
  difference <- rowsum((sign * c(one$probability, two$probability))[by], cumsum(new),
                       reorder = FALSE)
  as.vector(rowsum(abs(difference), at[by][new], reorder = FALSE)) / 2
}

#' @export
format.sdc_readers <- function(x, ...) {
  paste0(
    "<sdc_readers> ", paste(attr(x, "readers"), collapse = ", "), ": ", plural(nrow(x), "cell"),
    "; distance of their laws ",
    format(mean(x$distance), digits = 3), " on average, ", format(max(x$distance), digits = 3),
    " at most"
  )
}

#' @export
print.sdc_readers <- function(x, ...) {
  NextMethod()
  print(utils::head(as.data.frame(x), 6), digits = 3)
  if (nrow(x) > 6) cat("... and", nrow(x) - 6, "more\n")
  invisible(x)
}

#' @rdname compare_readers
#' @param object (sdc_readers) a comparison.
#' @usage \method{autoplot}{sdc_readers}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_readers <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw posteriors")
  readers <- attr(object, "readers")
  means <- paste0(readers[1:2], "_mean")
  shown <- data.frame(first = object[[means[[1]]]], second = object[[means[[2]]]],
  distance = object$distance)
  ggplot2::ggplot(shown, ggplot2::aes(.data$first, .data$second, colour = .data$distance)) +
    ggplot2::geom_abline(colour = "grey60") +
    ggplot2::geom_point() +
    ggplot2::scale_colour_viridis_c("distance of\nthe posteriors", limits = c(0, 1)) +
    ggplot2::labs(x = paste("posterior mean:", readers[[1]]),
    y = paste("posterior mean:", readers[[2]])) +
    sdc_theme()
}
