#' What a posterior answers
#'
#' @param x,object (object) an `sdc_posterior`.
#' @template param-cells
#' @param probs (numbers from 0 to 1) probabilities of the quantiles.
#' @param table (`sdc_table`, table or array) a table that may have been the original.
#' @param log (flag) the logarithm of the probability?
#' @param nsim (whole number) how many originals to draw.
#' @param seed (whole number or `NULL`) seed of R's generator for the draws; the user's stream is
#'   left as it was. `NULL`: the draws continue that stream.
#' @param row.names,optional not used.
#' @param ... not used.
#' @return
#' * `as.data.frame()`: long: the variables, `value`, `probability`, one row for each value of
#'   positive probability. A simulated posterior also has `std_error`, the standard error of the
#'   probability: the spread of the 20 independent batches, by their shares of the weight. It is 0
#'   where all batches agree, as for cells that no cycle changes.
#' * `mean()`: an array of the table's shape with the posterior means (or a vector, for `cells`).
#' * `quantile()`: a matrix, cells x `probs`: the smallest possible value whose cumulated
#'   probability reaches the given one.
#' * `density()`: the posterior probability that `table` is the original.
#' * `simulate()`: a list of `nsim` independent exact draws of whole original tables, of class
#'   [sdc_table()], with the state of the generator as attribute `seed`.
#'
#' All are exact. The cost is linear in the number of cells asked for; `density()` and each batch of
#' `simulate()` cost one more pass of messages.
#' @family posterior
#' @name posterior-methods
#' @examples
#' me <- mechanism(cycles_bidiagonal(roehrig), alpha = .25, beta = .25)
#' po <- posterior(publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE))
#' mean(po)
#' quantile(po, c(.05, .95), cells = 1:3)
#' density(po, table = roehrig)
#' simulate(po, nsim = 2, seed = 1)[[1]]
NULL

#' @rdname posterior-methods
#' @export
as.data.frame.sdc_posterior <- function(x, row.names = NULL, optional = FALSE, ..., cells = NULL) {
  check_no_dots(...)
  labels <- shown_labels(x)
  check_free_names(labels, c("value", "probability", if (!is.null(x$errors)) "std_error"))
  cells <- resolve_cells(cells, labels)
  long <- long_law(x, cells)
  out <- cell_labels(cells[long$at], labels)
  out$value <- long$value
  out$probability <- long$probability
  out$std_error <- long$std_error
  out
}

#' @rdname posterior-methods
#' @export
mean.sdc_posterior <- function(x, cells = NULL, ...) {
  check_no_dots(...)
  labels <- shown_labels(x)
  published <- shown_counts(x)
  where <- if (is.null(cells)) NULL else resolve_cells(cells, labels)
  change <- per_cell(x, function(laws, change) colSums(laws * change), where, untouched = 0)
  if (!is.null(where)) {
    return(published[where] + change)
  }
  array(published + change, unname(lengths(labels)), labels)
}

#' @rdname posterior-methods
#' @importFrom stats quantile
#' @export
quantile.sdc_posterior <- function(x, probs = c(.025, .5, .975), cells = NULL, ...) {
  check_no_dots(...)
  if (!is.numeric(probs) || length(probs) == 0 || anyNA(probs) || any(probs < 0 | probs > 1)) {
    abort_sdc("input", c("{.arg probs} must be numbers from 0 to 1.", x = "{describe(probs)}"))
  }
  cells <- resolve_cells(cells, shown_labels(x))
  published <- shown_counts(x)[cells]
  out <- vapply(
    probs,
    function(prob) published + per_cell(x, quantile_of(prob), cells, untouched = 0),
    numeric(length(cells))
  )
  rows <- do.call(paste, c(unname(cell_labels(cells, shown_labels(x))), sep = ", "))
  columns <- paste0(vapply(100 * probs, format, "", digits = 7), "%")
  matrix(out, length(cells), dimnames = list(rows, columns))
}

#' @rdname posterior-methods
#' @importFrom stats density
#' @export
density.sdc_posterior <- function(x, table, log = FALSE, ...) {
  check_no_dots(...)
  check_flag(log)
  table <- one_level_argument(table)
  labels <- shown_labels(x)
  check_same_shape(table, labels)
  check_exact(x)
  known <- list(kind = "known", value = dense_counts(table), width = 0)
  ask <- posterior_question(x, list(known))
  log_joint <- tryCatch(
    cpp_evidence_posterior(
      ask$mechanisms, ask$published, ask$factors, x$method == "enumeration", x$max_tables,
      default_threads()
    ),
    `sdclattice::InfeasibleError` = function(cnd) -Inf
  )
  if (log) log_joint - x$log_evidence else exp(log_joint - x$log_evidence)
}

# Questions that simulation cannot answer.
check_exact <- function(x) {
  if (x$method != "montecarlo") {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "This needs an exact posterior.",
    x = "This one was simulated.",
    i = "{.fn simulate} and {.fn posterior_expectation} work on it."
  ))
}

check_same_shape <- function(table, labels, arg = rlang::caller_arg(table)) {
  if (identical(unname(dimnames(table)), unname(labels))) {
    return(invisible(table))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have the shape and the level labels of the published table.",
    x = "{.arg {arg}} is {paste(dim(table), collapse = ' x ')}; the published table is
         {paste(lengths(labels), collapse = ' x ')}.",
    i = if (identical(unname(dim(table)),
                      unname(lengths(labels)))) "The shapes agree; the level labels differ."
  ))
}

#' @export
format.sdc_posterior <- function(x, ...) {
  labels <- shown_labels(x)
  published <- per_cell(x, function(laws, change) laws[change == 0, ], untouched = 1)
  n <- length(x$law)
  known <- sum(per_cell(x, function(laws, change) largest(laws), untouched = 1) > 1 - 1e-12)
  c(
    paste0("<sdc_posterior> of ", paste(lengths(labels), collapse = " x "), " cells (",
           paste(names(labels), collapse = ", "), ")"),
    paste0("prior: ", format(x$prior), "; zero rule: ", x$zero_rule,
           if (x$zero_rule == "roehrig") " (no probability model)"),
    if (length(x$others)) plural(length(x$others) + 1, "publication"),
    how_computed(x),
    if (!is.null(x$n_originals)) {
      paste0("compatible originals: ", format_count(x$n_originals))
    },
    paste0("the published value is the original with probability ",
           format(mean(published), digits = 3), " on average"),
    paste0("known for certain: ", format_count(known), " of ", plural(n, "cell"))
  )
}

how_computed <- function(x) {
  evidence <- paste0("log evidence ", format(x$log_evidence, digits = 6))
  if (x$method != "montecarlo") {
    by <- if (x$method == "enumeration") "enumeration" else "elimination"
    return(paste0("exact, by ", by, "; ", evidence))
  }
  paste0(
    "simulated, ", format_count(x$draws),
    if (length(x$others)) " weighted draws" else " reverse passes",
    if (x$independent) " (independent exact draws)", "; ", evidence,
    " (relative s.e. of the evidence ",
    format(x$evidence_error, digits = 2), "); s.e. of a probability at most ",
    format(x$max_error, digits = 2)
  )
}

#' Summary of a posterior
#'
#' @param object (object) an `sdc_posterior`.
#' @param level (number from 0 to 1) probability of the interval: its bounds are the
#'   `(1 - level) / 2` and `(1 + level) / 2` quantiles.
#' @inheritParams posterior-methods
#' @return An object of class `summary.sdc_posterior`; `as.data.frame()` gives one row a cell: the
#'   variables, `published`, `mean`, `sd`, `entropy` (bits), `lower`, `upper`, `mode` (smallest most
#'   probable value), `p_mode` and `p_published`. Exact; linear in the number of cells.
#' @family posterior
#' @export
#' @examples
#' me <- mechanism(cycles_bidiagonal(roehrig), alpha = .25, beta = .25)
#' po <- posterior(publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE))
#' summary(po)
#' head(as.data.frame(summary(po)), 3)
summary.sdc_posterior <- function(object, cells = NULL, level = .95, ...) {
  check_no_dots(...)
  check_number(level, min = 0, max = 1)
  labels <- shown_labels(object)
  chosen <- !is.null(cells)
  cells <- resolve_cells(cells, labels)
  published <- shown_counts(object)[cells]
  of_cell <- function(f, untouched = 0) per_cell(object, f, cells, untouched)
  mean <- of_cell(function(laws, change) colSums(laws * change))
  square <- of_cell(function(laws, change) colSums(laws * change^2))
  out <- list(published = published, mean = published + mean)
  out$sd <- sqrt(pmax(0, square - mean^2))
  out$entropy <- of_cell(function(laws, change) entropy_bits(laws))
  out$lower <- published + of_cell(quantile_of((1 - level) / 2))
  out$upper <- published + of_cell(quantile_of((1 + level) / 2))
  out$mode <- published + of_cell(mode_change)
  out$p_mode <- of_cell(function(laws, change) largest(laws), untouched = 1)
  out$p_published <- of_cell(function(laws, change) laws[change == 0, ], untouched = 1)
  structure(
    list(
      labels = cell_labels(cells, labels), cells = list2data_frame(out, length(cells)),
      chosen = chosen, posterior = format(object), level = level
    ),
    class = sdc_class("summary.sdc_posterior")
  )
}

#' @export
as.data.frame.summary.sdc_posterior <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  check_free_names(x$labels, names(x$cells))
  list2data_frame(c(x$labels, x$cells), nrow(x$cells))
}

#' @export
print.summary.sdc_posterior <- function(x, ...) {
  cells <- x$cells
  small <- cells$published <= 2
  cat(x$posterior, sep = "\n")
  if (x$chosen) cat("\nof the ", plural(nrow(cells), "chosen cell"), ":", sep = "")
  cat("\nposterior entropy of a cell (bits):\n")
  print_quantiles(round(stats::quantile(cells$entropy), 3))
  cat("best guess of a cell right with probability:", format(mean(cells$p_mode), digits = 3),
      "on average")
  if (any(small)) {
    cat(";", format(mean(cells$p_mode[small]), digits = 3), "where 0, 1 or 2 is published")
  }
  cat("\nwidth of the ", percent(x$level, 7), " interval: ",
      format_number(mean(cells$upper - cells$lower)), " on average\n", sep = "")
  invisible(x)
}
