# What the publication of a rounded table tells about its cells.

#' What a rounded table tells of each original count
#'
#' The probability of each possible original count of each cell, given a table that was rounded by
#' [round_controlled()] and published.
#'
#' @details **Readers.** `"procedure"` knows the procedure, and weighs every table that could have
#' been the original by the probability that the procedure makes the published table of it: for the
#' unbiased method the sum over all outcomes of its coins that lead there; for the nearest rounding
#' 1 or 0. `"intervals"` uses only that cells and released margins lie within `reach` of what is
#' shown: all tables that agree weigh the same. In both cases times the prior.
#'
#' **Methods.** `"enumeration"` goes through all tables within the intervals. `"montecarlo"` draws
#' tables cell by cell from the prior within what the intervals still allow, and weighs each draw
#' by what was allowed and by its exact probability under the procedure. `"auto"` enumerates when,
#' by a small simulation, there are at most `max_tables` tables. For `"intervals"` with a uniform
#' prior it takes the exact count of all tables by [fibre_distribution()], within the limits of
#' that, which does not list them.
#'
#' **A formula.** Under the unbiased procedure and the uniform prior, where every rounded cell is at
#' least the base, the law of each cell is a triangle: the original is `rounded + d` with
#' probability `(base - |d|) / base^2`. All residues of the table are then equally likely
#' beforehand, and a cell with residue r goes up with probability r / base, whatever the others do.
#' So the best guess, the rounded count itself, is right with probability 1 / base. `"auto"` uses
#' this for tables of any size. Zeros among the rounded cells break it: negative originals are
#' impossible.
#'
#' **How much is hidden.** Nearest rounding is a function of the table: a reader who knows it
#' excludes all tables that it would have rounded otherwise. The number that the literature gives
#' for a deterministic procedure and the example [roehrig], 17,132,236 tables, belongs to a
#' procedure that is not described well enough to be repeated, and is not reproduced here.
#'
#' @param x (sdc_rounded_publication) What [publish()] made of a rounding.
#' @param reader (string) `"procedure"` or `"intervals"`; see below.
#' @param prior (sdc_prior) A [prior]; uniform by default.
#' @param method (string) `"auto"`, `"enumeration"` or `"montecarlo"`.
#' @param max_tables (number) Largest number of tables that enumeration goes through.
#' @param max_pushes (number) Largest number of pushes over the outcomes of the coins for one table.
#' @param draws (whole number from 100 to 10000000) Number of tables drawn by `"montecarlo"`, in 20
#'   independent batches.
#' @param seed (whole number or `NULL`) Seed of R's generator for `"montecarlo"`; the user's stream
#'   is left as it was. `NULL`: the draws continue that stream.
#' @param progress (flag) Show a progress bar?
#' @return An object of class `sdc_rounding_posterior`; see [sdc_rounding_posterior-methods].
#'   Elements `exact`; by enumeration `n_tables`, how many originals are possible, and
#'   `n_compatible`, how many agree with the intervals; by simulation `effective`, the number of
#'   independent draws that the weighted ones are worth.
#' @section Errors: `sdc_error_infeasible` when the prior leaves no original, or no draw finds one;
#'   `sdc_error_too_large` beyond `max_tables` or `max_pushes`; `sdc_error_input` for anything else,
#'   as when the procedure was an integer programme. A warning `sdc_warning_uneven` when the draws
#'   are worth fewer than 100 independent ones.
#' @section Guarantee: Exact up to double precision by enumeration, by the formula and by counting.
#'   By simulation consistent, with standard errors over batches. The work for a table grows
#'   exponentially with its cells: 16 cells to base 3 have a billion tables within the intervals.
#'   The outcomes of the coins of one table are few for small bases (base 3: some 60 pushes for 10 x
#'   10 cells; base 5: 10,000; base 10: too many beyond 7 x 7).
#' @template ref-cox
#' @template ref-slides
#' @family round
#' @export
#' @examples
#' small <- matrix(c(1, 4, 7, 2, 5, 3), 2)
#' pub <- publish(round_controlled(small, base = 3, seed = 1), insist = TRUE)
#' posterior_rounding(pub)
#' posterior_rounding(pub, "intervals")
posterior_rounding <- function(x, reader = c("procedure", "intervals"), prior = prior_uniform(),
                               method = c("auto", "enumeration", "montecarlo"), max_tables = 1e6,
                               max_pushes = 1e5, draws = 10000, seed = NULL,
                               progress = rlang::is_interactive()) {
  check_class(x, "sdc_rounded_publication", make = "publish")
  reader <- check_choice(reader, c("procedure", "intervals"))
  check_class(prior, "sdc_prior", make = "prior_uniform")
  method <- check_choice(method, c("auto", "enumeration", "montecarlo"))
  check_number(max_tables, min = 1, max = 1e9)
  check_number(max_pushes, min = 1, max = 1e9)
  check_whole(draws, min = 100, max = 1e7)
  check_seed(seed)
  check_flag(progress)
  ask <- rounding_question(x, reader, prior, max_pushes)
  found <- if (method == "auto") quick_laws(ask, reader, prior, progress)
  if (is.null(found)) {
    if (method == "auto") method <- choose_rounding_method(ask, max_tables)
    found <- if (method == "enumeration") enumerate_rounding(ask, max_tables, progress) else
      simulate_rounding(ask, draws, seed, progress)
    found$method <- method
  }
  shown <- found$probability > 0
  structure(
    list(
      publication = x, reader = reader, prior = prior, method = found$method,
      exact = found$method != "montecarlo", cell = ask$cell[shown], value = ask$value[shown],
      probability = found$probability[shown], std_error = found$std_error[shown],
      n_tables = found$n_tables, n_compatible = found$n_compatible, draws = found$draws,
      effective = found$effective
    ),
    class = sdc_class("sdc_rounding_posterior")
  )
}

# The constraints with their narrowest simple limits, the prior weights of the counts within, a
# `cell` and `value` for each possible count, and the network of the procedure, NULL for a reader of
# intervals.
rounding_question <- function(x, reader, prior, max_pushes) {
  release <- constraints(x)
  limits <- cpp_tighten_constraints(release, FALSE)
  if (is.null(limits)) abort_no_original()
  release$lower <- limits$lower
  release$upper <- limits$upper
  size <- limits$upper - limits$lower + 1
  check_entries(sum(size), 1e7, "possible counts of cells")
  network <- if (reader == "procedure") procedure_network(x)
  list(
    constraints = release, weights = count_weights(prior, release), network = network,
    nearest = if (x$method == "nearest") x$distance else "", base = x$base,
    rounded = dense_counts(x$table), max_pushes = max_pushes,
    cell = rep(seq_along(size), size),
    # not sequence(from = ), which is for integers
    value = rep(limits$lower, size) + sequence(size) - 1
  )
}

abort_no_original <- function() {
  abort_sdc("infeasible", c(
    "The prior must leave at least one original table possible.",
    x = "No original agrees with it and with the rounded table."
  ))
}

procedure_network <- function(x) {
  if (x$method == "small") {
    abort_sdc("input", c(
      "The procedure must have a law that is known.",
      x = "{.fn round_small} made this table, by a search.",
      i = "{.code reader = \"intervals\"} uses the intervals only."
    ))
  }
  sums <- released_sums(x$table$dimnames, x$margins, x$hierarchies, x$total_label)
  network <- sum_network(sums)
  if (!is.null(network)) {
    return(network)
  }
  abort_sdc("input", c(
    "The procedure must be one over a network.",
    x = "This table was rounded by an integer programme, whose choice among equals is not known.",
    i = "{.code reader = \"intervals\"} uses the intervals only."
  ))
}

# For each cell the prior weights of the counts from its lower to its upper limit.
count_weights <- function(prior, release) {
  factors <- resolve_prior(prior, release$dimnames)
  lapply(seq_along(release$lower), function(i) {
    counts <- seq(release$lower[i], release$upper[i])
    weight <- rep(1, length(counts))
    for (factor in factors) weight <- weight * factor_weights(factor, i, counts)
    if (all(weight == 0)) abort_no_original()
    weight / max(weight)
  })
}

factor_weights <- function(factor, i, counts) {
  if (factor$kind == "weights") {
    at <- (i - 1) * factor$width + counts + 1
    return(ifelse(counts < factor$width, factor$value[at], 0))
  }
  value <- factor$value[if (length(factor$value) == 1) 1 else i]
  switch(factor$kind,
    poisson = stats::dpois(counts, value) / max(stats::dpois(counts, value), .Machine$double.xmin),
    at_least = as.numeric(counts >= value),
    known = if (is.nan(value)) rep(1, length(counts)) else as.numeric(counts == value)
  )
}

# What needs no enumeration; NULL where there is none.
quick_laws <- function(ask, reader, prior, progress) {
  if (reader == "intervals" && is_uniform(prior)) {
    return(count_rounding(ask, progress))
  }
  # Where every table around the rounded one is possible and weighs the same, all residues are
  # equally likely, and by unbiasedness a cell with residue r went up with probability r / base.
  if (!is.null(ask$network) && ask$nearest == "" && all(unlist(ask$weights) == 1) &&
        all(ask$rounded >= ask$base | ask$base == 1)) {
    away <- abs(ask$value - ask$rounded[ask$cell])
    list(method = "formula", probability = (ask$base - away) / ask$base^2)
  }
}

# The uniform law over all tables within the intervals, in the order of ours; NULL beyond the limits
# of counting.
count_rounding <- function(ask, progress) {
  laws <- tryCatch(
    as.data.frame(fibre_distribution(ask$constraints, progress = progress)),
    sdc_error_too_large = function(cnd) NULL
  )
  if (is.null(laws)) {
    return(NULL)
  }
  labels <- ask$constraints$dimnames
  cell <- cell_numbers(label_codes(laws, labels, "cells"), labels)
  at <- match(paste(ask$cell, ask$value), paste(cell, laws$value))
  list(method = "fibre", probability = ifelse(is.na(at), 0, laws$probability[at]))
}

# The tables within the intervals, estimated by a few draws.
choose_rounding_method <- function(ask, max_tables) {
  uniform <- lapply(ask$weights, function(w) rep(1, length(w)))
  found <- with_core(
    cpp_sample_rounding(
      ask$constraints, uniform, uniform, NULL, "", ask$base, ask$rounded, 1, 1, 200, 1, NULL
    )
  )
  if (found$total / 200 <= max_tables / 2) "enumeration" else "montecarlo"
}

enumerate_rounding <- function(ask, max_tables, progress) {
  found <- with_core(
    with_progress("Enumerating tables", function(tick) {
      cpp_sum_rounding(
        ask$constraints, ask$weights, ask$network, ask$nearest, ask$base, ask$rounded, max_tables,
        ask$max_pushes, tick
      )
    }, show = progress), hints = rounding_hints
  )
  if (found$total == 0) abort_no_original()
  list(probability = found$sums / found$total, n_tables = found$n_tables,
       n_compatible = found$n_compatible)
}

rounding_hints <- list(
  too_large = "Simulate: {.code method = \"montecarlo\"}; or raise {.arg max_tables} or
               {.arg max_pushes}."
)

# Ratios of means over batches; their errors by the usual linear approximation.
simulate_rounding <- function(ask, draws, seed, progress) {
  each <- ceiling(draws / n_batches)
  # the prior, times the probability that the unbiased procedure takes a cell by itself to what is
  # shown
  proposal <- if (is.null(ask$network)) {
    ask$weights
  } else {
    Map(function(weight, lower, rounded) {
      weight * (1 - abs(lower + seq_along(weight) - 1 - rounded) / ask$base)
    }, ask$weights, ask$constraints$lower, ask$rounded)
  }
  found <- with_seed_kept(seed, {
    start <- floor(stats::runif(1) * 2^31)
    with_core(
      with_progress("Drawing tables", function(tick) {
        cpp_sample_rounding(
          ask$constraints, ask$weights, proposal, ask$network, ask$nearest, ask$base,
          ask$rounded, ask$max_pushes, n_batches, each, start, tick
        )
      }, show = progress), hints = rounding_hints
    )
  })$value
  total <- sum(found$total)
  if (total == 0) {
    abort_sdc("infeasible", c(
      "Some draw must be a possible original.",
      x = "Not one of {n_batches * each} draws is.",
      i = "Such an original may still exist: more {.arg draws} may find one."
    ))
  }
  probability <- rowSums(found$sums) / total
  off <- found$sums - probability %o% found$total
  error <- sqrt(rowSums(off^2) * n_batches / (n_batches - 1)) / total
  effective <- total^2 / found$squares
  if (effective < 100) {
    warn_sdc("uneven", c(
      "Few of the draws carry the answer.",
      x = "They are worth {format(effective, digits = 2)} independent ones: the reported standard
           errors are too small.",
      i = "Use more {.arg draws}."
    ))
  }
  list(probability = probability, std_error = error, effective = effective,
       draws = n_batches * each)
}
