#' Exact posterior of every original cell
#'
#' A reader who has the published table and the mechanism can compute, for every cell, the
#' probability of each possible original count, by Bayes' theorem over all original tables that can
#' have led to the publication. `posterior()` does so exactly, for any set of cycles and several
#' publications of one table.
#'
#' # Guarantee
#' Exact, up to rounding of double precision: no simulation and no approximation, unless you ask for
#' `method = "montecarlo"`. Cells that always change together share one law. The coins of a cycle
#' matter to its own cells only; so the likelihood factorises, and the coins can be summed out one
#' cycle after the other, in an order found for the set at hand, carrying only cycles that share cells
#' with cycles still to come: the front. Sets that skip zeros are summed out column by column.
#' Several publications of one table by the same set of cycles are summed out together, over the
#' changes that lead them all back to one original; those by different sets over the union of their
#' cycles, or by enumeration where they have few steps.
#'
#' `method = "montecarlo"` runs the mechanism in reverse from the published table, weighted so that
#' any set of fixed cycles and any prior can be had; its evidence is unbiased, and probabilities come
#' with standard errors over independent batches. Under `"nonnegative"` with `alpha = beta` and a
#' uniform prior the runs are independent exact draws of originals, and the evidence is exactly 1.
#' Elsewhere the runs have weights, the more uneven the more steps and zeros there are, and the error
#' of the evidence tells how uneven: above .3 a warning says that the errors are no longer to be
#' trusted. [Data cycles][cycles_data()] of a 20 x 20 table of mean 1 had probabilities to within .03
#' with 10,000 draws for a reader who does not use the zero pattern. For several publications the
#' draws come from the exact posterior of the first one, and their weights from the exact
#' likelihoods of the others. With the pattern known
#' all runs may be lost where many zeros are published (then an error says so); a 200 x 200 table is
#' beyond the method.
#'
#' # Evidence
#' `log_evidence` is the logarithm of the sum, over all original tables, of the probability of the
#' published table given the original times the product of the prior weights of its cells. Weights
#' are not normalised: with the uniform prior it is the sum of the likelihoods.
#'
#' # Complexity
#' Linear in the number of cells for the sets of this package but data cycles. Each step of the
#' elimination costs the states of the front: `4^(r k)` for `k` cycles with `r` applications each
#' (`6^(r k)` under "nonnegative"). A ring of pairs has a front of two cycles, an open triad of
#' three, a closed triad of six (one cover of a 20 x 20 table takes about 10 ms, of long tables
#' seconds: use `open = TRUE`). Beyond a limit a `too_large` error names the width. Sets that skip
#' zeros have `5^s` states for `s` sweeps over a group of rows, up to 6. Two publications by one set
#' of closed triads take seconds for 20 columns, and longer the more small counts there are. What
#' would take too much is refused before the work begins.
#'
#' # The rule "roehrig"
#' `zero_rule = "roehrig"` reproduces the posterior table of the slides that introduced the method.
#' It follows from a backward recursion in which standing still has weight 1 when the cycle contains
#' a zero. This is no probability model (the weights of the outcomes of one coin can add up to more
#' than 1); it is offered to reproduce the published numbers, and for nothing else. `"none"` ignores
#' blocking: it is the theory without zeros.
#'
#' @param x (object, or a list of them) a [publication()] or what [publish()] returned. A list holds
#'   several publications of the same original, each perturbed on its own: their likelihoods
#'   multiply. Cells, values and priors are then told with the labels of the first one.
#' @param prior (object) a [prior]; uniform by default.
#' @param method (string) `"auto"`: exact, by elimination, or by enumeration where that is cheaper;
#'   `"enumeration"`: exact, by enumeration of everything, the reference for small tables, which also
#'   counts the originals; `"montecarlo"`: weighted reverse passes, for sets that are too large for
#'   exact answers, of one publication with fixed cycles; weighted exact draws for several publications,
#'   each of which has an exact posterior of its own.
#' @param zero_rule (string or `NULL`) `"roehrig"` or `"none"` analyse the publication under another
#'   rule than that of its mechanism; `NULL`, or the mechanism's own rule, keeps that. For one
#'   publication.
#' @param zero_pattern (flag) whether the reader uses what a set of [data cycles][cycles_data()]
#'   tells of the original: counts of at least 1 in the cells on its cycles, and the published counts
#'   in all others. It matters for such sets only.
#' @param max_tables (number) largest number of tables held at one time by enumeration.
#' @param draws (whole number from 100 to 10000000) number of reverse passes of `"montecarlo"` (for
#'   several publications, of weighted draws), in 20 independent batches.
#' @param seed (whole number or `NULL`) seed of R's generator for `"montecarlo"`; the user's stream is
#'   left as it was. `NULL`: the draws continue that stream.
#' @param progress (flag) show a progress bar?
#' @return An object of class `sdc_posterior`. `log_evidence` is an element, and by enumeration
#'   `n_originals`; by simulation `evidence_error`, the standard error of the evidence relative to it,
#'   `max_error`, the largest standard error of a probability, and `independent`, whether the runs are
#'   independent exact draws. See [summary.sdc_posterior()] and
#'   [posterior-methods] for what it answers, and [posterior-questions] for more.
#' @section Errors: `sdc_error_infeasible` when no original table agrees with the publication and
#'   the prior, or when no run of `"montecarlo"` finds one; `sdc_error_too_large` when a set of
#'   cycles needs more states or tables than allowed: it names the width of the front;
#'   `sdc_error_input` for anything else. A warning `sdc_warning_uneven` when few batches of a
#'   simulation carry the answer.
#' @template ref-slides
#' @template ref-lenz
#' @family posterior
#' @export
#' @examples
#' me <- mechanism(cycles_bidiagonal(roehrig), alpha = .25, beta = .25)
#' published <- roehrig
#' published[] <- c(16, 21, 2, 11, 0, 11, 11, 13, 2, 9, 11, 8, 2, 14, 1, 3)
#' po <- posterior(publication(published, me))
#' po
#' as.data.frame(po, cells = 5)
#'
#' # two publications of one table, each by coins of its own: some of the noise averages out
#' both <- lapply(1:2, function(seed) {
#'   publish(perturb(roehrig, me, seed = seed, insist = TRUE), insist = TRUE)
#' })
#' posterior(both)
posterior <- function(x, prior = prior_uniform(), method = c("auto", "enumeration", "montecarlo"),
                      zero_rule = NULL, zero_pattern = TRUE, max_tables = 2e6, draws = 10000,
                      seed = NULL, progress = rlang::is_interactive()) {
  publications <- check_publications(x)
  check_class(prior, "sdc_prior", make = "prior_uniform")
  method <- check_choice(method, c("auto", "enumeration", "montecarlo"))
  check_flag(zero_pattern)
  check_number(max_tables, min = 1, max = 1e9)
  check_whole(draws, min = 100, max = 1e7)
  check_flag(progress)
  check_own_rules(publications, zero_rule)
  own <- publications[[1]]$mechanism$zero_rule
  rule <- if (is.null(zero_rule)) own else check_choice(zero_rule, unique(c(own, "roehrig", "none")))
  out <- structure(
    list(publication = publications[[1]], others = publications[-1], prior = prior, method = method,
         zero_rule = rule, zero_pattern = zero_pattern, max_tables = max_tables, draws = draws),
    class = "sdc_posterior"
  )
  ask <- posterior_question(out)
  found <- if (method == "montecarlo") {
    simulate_posterior(ask, max_tables, draws, seed, progress)
  } else {
    infer_posterior(ask, method, max_tables, progress)
  }
  out[names(found)] <- found
  out
}

# What the core needs to know: the mechanisms and published counts of all publications, and what is
# known before.
posterior_question <- function(x, more = list()) {
  publications <- c(list(x$publication), x$others)
  mechanisms <- lapply(publications, `[[`, "mechanism")
  mechanisms[[1]]$zero_rule <- x$zero_rule
  published <- lapply(publications, function(pub) dense_counts(pub$table))
  factors <- resolve_prior(x$prior, dimnames(x$publication$table))
  known <- if (x$zero_pattern) Map(pattern_factors, mechanisms, published)
  list(mechanisms = mechanisms, published = published,
       factors = c(factors, unlist(unname(known), recursive = FALSE), more))
}

# What a set of data cycles tells of the original.
pattern_factors <- function(mechanism, published) {
  if (mechanism$cycles$rule != "data") {
    return(list())
  }
  told <- data_cycle_knowledge(mechanism$cycles)
  at_least <- numeric(length(published))
  at_least[told$at_least_one] <- 1
  fixed <- rep(NaN, length(published))
  fixed[told$fixed] <- published[told$fixed]
  list(list(kind = "at_least", value = at_least, width = 0), list(kind = "known", value = fixed, width = 0))
}

infer_posterior <- function(ask, method, max_tables, progress) {
  enumerate <- method == "enumeration"
  found <- with_core(
    with_progress(
      "Passing messages",
      function(tick) {
        cpp_infer_posterior(ask$mechanisms, ask$published, ask$factors, enumerate, max_tables, tick)
      },
      show = progress
    ),
    hints = posterior_hints(ask, enumerate, max_tables)
  )
  if (!enumerate) found$n_originals <- NULL
  found
}

n_batches <- 20

simulate_posterior <- function(ask, max_tables, draws, seed, progress) {
  each <- ceiling(draws / n_batches)
  several <- length(ask$mechanisms) > 1
  simulate <- function(tick) {
    if (several) {
      return(cpp_weighted_posterior(
        ask$mechanisms, ask$published, ask$factors, max_tables, n_batches, each, tick
      ))
    }
    cpp_reverse_posterior(
      ask$mechanisms[[1]], ask$published[[1]], ask$factors, n_batches, each, tick
    )
  }
  found <- with_seed_kept(seed, with_core(
    with_progress(if (several) "Weighing draws" else "Running in reverse", simulate, show = progress),
    hints = lost_hints(ask$mechanisms)
  ))$value
  found$max_error <- max(0, found$errors)
  found$errors <- NULL
  warn_uneven(found$evidence_error)
  found
}

# With a relative error e of the evidence about n / (1 + n e^2) of n batches carry the answer: where
# these are few, the batches' spread says little.
warn_uneven <- function(error) {
  if (error <= .3) {
    return(invisible())
  }
  warn_sdc("uneven", c(
    "Few of the {n_batches} batches of draws carry the answer.",
    x = "The relative standard error of the evidence is {format(error, digits = 2)}: the other errors
         told are too small.",
    i = "Use more {.arg draws}."
  ))
}

# A list of publications of one table, from one or several.
check_publications <- function(x) {
  check_given(x)
  if (!is.list(x) || is.object(x)) {
    check_publication(x, "x")
    return(list(x))
  }
  if (length(x) == 0) {
    abort_sdc("input", c("{.arg x} must hold at least one publication.", x = "{.arg x} is empty."))
  }
  for (i in seq_along(x)) {
    check_publication(x[[i]], paste0("x[[", i, "]]"))
    same <- identical(dimnames(x[[i]]$table), dimnames(x[[1]]$table))
    if (!same) {
      abort_sdc("input", c(
        "All publications must be of the same table.",
        x = "Publication {i} has other variables or levels than the first."
      ))
    }
  }
  unname(x)
}

# Another rule changes the reading of one mechanism; of several, which?
check_own_rules <- function(publications, zero_rule) {
  if (length(publications) == 1 || is.null(zero_rule)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "Several publications are analysed by the zero rules of their own mechanisms.",
    x = "There are {length(publications)} publications, and {.arg zero_rule} is {.val {zero_rule}}.",
    i = "Leave {.arg zero_rule} out, or ask for one publication at a time."
  ))
}

# Hints name only what will work. Those that are not used are never made.
posterior_hints <- function(ask, enumerate, max_tables) {
  list(
    infeasible = if (length(ask$factors) > 0) {
      "{.arg prior} must leave at least one original table possible."
    } else {
      "Is this the mechanism by which the table was published?"
    },
    too_large = if (enumerate) {
      "Raise {.arg max_tables}, or leave {.arg method} to its default."
    } else {
      ways_on(ask, max_tables)
    }
  )
}

# What can still be asked where exact messages take too much.
ways_on <- function(ask, max_tables) {
  if (length(ask$mechanisms) == 1) {
    if (skips_zeros(ask$mechanisms[[1]]$cycles)) {
      return("Fewer {.arg covers} have an exact posterior, as have groups of two lines.")
    }
    return("Simulate with {.code method = \"montecarlo\"}; fewer {.arg covers} or a set with a narrow
            front, such as {.code cycles_banded(open = TRUE)}, have an exact posterior.")
  }
  alone <- mapply(function(mechanism, published) {
    fits_alone(mechanism, published, max_tables)
  }, ask$mechanisms, ask$published)
  if (all(alone)) {
    return("Simulate with {.code method = \"montecarlo\"} (on large tables all runs may be lost);
            publications by one and the same set of cycles have an exact posterior.")
  }
  paste0("Ask for one publication at a time: number ", which(!alone)[[1]],
         " has no exact posterior of its own.")
}

fits_alone <- function(mechanism, published, max_tables) {
  tryCatch({
    cpp_plan_posterior(list(mechanism), list(published), max_tables)
    TRUE
  }, `sdclattice::TooLargeError` = function(cnd) FALSE)
}

# That simulation finds nothing proves nothing.
lost_hints <- function(mechanisms) {
  data <- any(vapply(mechanisms, function(me) me$cycles$rule == "data", NA))
  list(
    infeasible = paste0(
      "Such an original may still exist: more {.arg draws} may find one.",
      if (data) " With {.code zero_pattern = FALSE} a run of data cycles is lost less often."
    ),
    too_large = if (length(mechanisms) > 1) {
      "The draws of several publications need an exact posterior of each one."
    } else if (skips_zeros(mechanisms[[1]]$cycles)) {
      "Leave {.arg method} to its default: sets that skip zeros have exact answers."
    } else {
      "Fewer {.arg draws} need less memory."
    }
  )
}

check_publication <- function(x, arg = caller_arg(x)) {
  check_given(x, arg)
  if (inherits(x, "sdc_perturbation")) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a publication.",
      x = "{.arg {arg}} is a private perturbation, which holds the original.",
      i = "Use {.code posterior(publish(...))}."
    ))
  }
  check_class(x, "sdc_publication", arg, make = "publish")
  check_class(x$table, "sdc_table", paste0(arg, "$table"))
  check_class(x$mechanism, "sdc_mechanism", paste0(arg, "$mechanism"))
  check_fits_cycles(x$table, x$mechanism$cycles, paste0(arg, "$table"))
  validate_mechanism(x$mechanism)
}

# An object may have been changed by hand since mechanism() made it.
validate_mechanism <- function(x) {
  tryCatch(
    mechanism(x$cycles, x$alpha, x$beta, x$covers, x$order, x$zero_rule),
    sdc_error = function(cnd) {
      abort_sdc("input", "The publication's mechanism must be as {.fn mechanism} made it.",
                parent = cnd)
    }
  )
  invisible(x)
}

#' @rdname posterior
#' @export
is_posterior <- function(x) inherits(x, "sdc_posterior")

# ---- laws of cells ----------------------------------------------------------------------------

# For each cell the number of its law and its sign; cells on no cycle have law NA.
cell_laws <- function(x, cells = NULL) {
  law <- if (is.null(cells)) x$law else x$law[cells]
  list(law = ifelse(law == 0, NA_integer_, abs(law)), sign = sign(law))
}

# Evaluates a function of the laws once for each law and sign, and gives every cell its value.
# `f(laws, change)` gets the matrix of laws (values x laws) and the changes original - published
# that its rows stand for, and returns one number a law.
per_cell <- function(x, f, cells = NULL, untouched) {
  change <- seq(-x$reach, x$reach)
  at <- cell_laws(x, cells)
  up <- f(x$laws, -change)
  down <- f(x$laws, change)
  out <- ifelse(at$sign > 0, up[at$law], down[at$law])
  out[is.na(at$law)] <- untouched
  out
}

entropy_bits <- function(laws) {
  terms <- laws * log2(laws)
  terms[laws == 0] <- 0
  -colSums(terms)
}

# Laws have few rows and many columns: the functions below loop over rows.
law_rows <- function(laws, f) {
  Reduce(f, lapply(seq_len(nrow(laws)), function(k) laws[k, ]))
}

largest <- function(laws) law_rows(laws, pmax)

# Smallest change whose cumulated probability reaches `prob`.
quantile_change <- function(laws, change, prob) {
  ascending <- order(change)
  laws <- laws[ascending, , drop = FALSE]
  for (k in seq_len(nrow(laws))[-1]) {
    laws[k, ] <- laws[k, ] + laws[k - 1, ]
  }
  first <- colSums(laws < prob * (1 - 1e-12) | laws <= 0) + 1
  change[ascending][pmin(first, length(change))]
}

# Smallest most probable change; probabilities that differ by rounding alone count as equal.
mode_change <- function(laws, change) {
  ascending <- order(change)
  laws <- laws[ascending, , drop = FALSE]
  enough <- largest(laws) * (1 - 1e-9)
  mode <- rep(NA_real_, ncol(laws))
  for (k in rev(seq_len(nrow(laws)))) {
    mode[laws[k, ] >= enough] <- change[ascending][k]
  }
  mode
}

# ---- methods ----------------------------------------------------------------------------------

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
#'   positive probability.
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
  labels <- dimnames(x$publication$table)
  check_free_names(labels, c("value", "probability"))
  cells <- resolve_cells(cells, labels)
  long <- long_law(x, cells)
  out <- cell_labels(cells[long$at], labels)
  out$value <- long$value
  out$probability <- long$probability
  out
}

# The possible values of cells: `at` is the place in `cells`. Values ascend within a cell.
long_law <- function(x, cells) {
  published <- dense_counts(x$publication$table)[cells]
  width <- nrow(x$laws)
  at <- rep(seq_along(cells), each = width)
  of <- cell_laws(x, cells)
  rows <- ifelse(of$sign[at] > 0, width:1, 1:width)
  probability <- x$laws[cbind(rows, of$law[at])]
  value <- published[at] + rep(seq(-x$reach, x$reach), length(cells))
  fixed <- is.na(of$law[at])
  probability[fixed] <- as.numeric(value[fixed] == published[at][fixed])
  keep <- which(probability > 0)
  list(at = at[keep], value = value[keep], probability = probability[keep])
}

#' @rdname posterior-methods
#' @export
mean.sdc_posterior <- function(x, cells = NULL, ...) {
  check_no_dots(...)
  labels <- dimnames(x$publication$table)
  published <- dense_counts(x$publication$table)
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
  cells <- resolve_cells(cells, dimnames(x$publication$table))
  published <- dense_counts(x$publication$table)[cells]
  out <- vapply(
    probs,
    function(prob) published + per_cell(x, quantile_of(prob), cells, untouched = 0),
    numeric(length(cells))
  )
  rows <- do.call(paste, c(unname(cell_labels(cells, dimnames(x$publication$table))), sep = ", "))
  columns <- paste0(vapply(100 * probs, format, "", digits = 7), "%")
  matrix(out, length(cells), dimnames = list(rows, columns))
}

quantile_of <- function(prob) {
  function(laws, change) quantile_change(laws, change, prob)
}

#' @rdname posterior-methods
#' @importFrom stats density
#' @export
density.sdc_posterior <- function(x, table, log = FALSE, ...) {
  check_no_dots(...)
  check_flag(log)
  table <- table_argument(table)
  labels <- dimnames(x$publication$table)
  check_same_shape(table, labels)
  check_exact(x)
  known <- list(kind = "known", value = dense_counts(table), width = 0)
  ask <- posterior_question(x, list(known))
  log_joint <- tryCatch(
    cpp_evidence_posterior(
      ask$mechanisms, ask$published, ask$factors, x$method == "enumeration", x$max_tables
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

check_same_shape <- function(table, labels, arg = caller_arg(table)) {
  if (identical(unname(dimnames(table)), unname(labels))) {
    return(invisible(table))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have the shape and the level labels of the published table.",
    x = "{.arg {arg}} is {paste(dim(table), collapse = ' x ')}; the published table is
         {paste(lengths(labels), collapse = ' x ')}.",
    i = if (identical(unname(dim(table)), unname(lengths(labels)))) "The shapes agree; the level labels differ."
  ))
}

#' @rdname posterior-methods
#' @importFrom stats simulate
#' @export
simulate.sdc_posterior <- function(object, nsim = 1, seed = NULL, ...) {
  check_no_dots(...)
  check_whole(nsim, min = 1, max = 1e6)
  drawn <- with_seed_kept(seed, draw_changes(object, nsim))
  published <- dense_counts(object$publication$table)
  out <- lapply(seq_len(nsim), function(i) {
    table_from_dense(published - drawn$value[, i], dimnames(object$publication$table))
  })
  structure(out, seed = drawn$seed)
}

# Draws of published - original: a row for each cell, a column for each draw.
draw_changes <- function(x, n) {
  ask <- posterior_question(x)
  laws <- with_core(
    if (x$method == "montecarlo") {
      draw_simulated(ask, n, max(n, ceiling(x$draws / n_batches)), x$max_tables)
    } else {
      cpp_sample_posterior(
        ask$mechanisms, ask$published, ask$factors, x$method == "enumeration", x$max_tables, n
      )
    }
  )
  at <- cell_laws(x)
  fixed <- is.na(at$law)
  at$law[fixed] <- 1L
  out <- if (nrow(laws) > 0) at$sign * laws[at$law, , drop = FALSE] else matrix(0, length(at$law), n)
  out[fixed, ] <- 0
  out
}

# Draws in proportion to the weights of one batch of runs.
draw_simulated <- function(ask, n, runs, max_tables) {
  if (length(ask$mechanisms) > 1) {
    return(cpp_weighted_draws(ask$mechanisms, ask$published, ask$factors, max_tables, n, runs))
  }
  cpp_reverse_draws(ask$mechanisms[[1]], ask$published[[1]], ask$factors, n, runs)
}

#' @export
print.sdc_posterior <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
format.sdc_posterior <- function(x, ...) {
  labels <- dimnames(x$publication$table)
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
    "simulated, ", format_count(x$draws), if (length(x$others)) " weighted draws" else " reverse passes",
    if (x$independent) " (independent exact draws)", "; ", evidence, " (relative s.e. of the evidence ",
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
  labels <- dimnames(object$publication$table)
  chosen <- !is.null(cells)
  cells <- resolve_cells(cells, labels)
  published <- dense_counts(object$publication$table)[cells]
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
    class = "summary.sdc_posterior"
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
